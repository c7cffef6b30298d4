// link.h - names that modules share.
#ifndef HEDDLE_PTX_LINK_H
#define HEDDLE_PTX_LINK_H

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/ast.h"

// Make every mention of a variable or function that another module defines mean that definition.
// What nobody defines stays .extern. Two definitions of one name are diagnosed.
void hd_link_names(struct hd_ast *ast, struct hd_arena *scratch, struct hd_diag *d);

#endif
