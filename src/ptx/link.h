// link.h - names that modules share.
#ifndef HEDDLE_PTX_LINK_H
#define HEDDLE_PTX_LINK_H

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/ast.h"

// Make every mention of a variable or function that another module defines mean that definition.
// What nobody defines stays .extern. Two definitions of one name are diagnosed, and declarations
// that differ from the definition in space, type, size or signature.
void hd_link_names(struct hd_ast *ast, struct hd_arena *scratch, struct hd_diag *d);

// How two declarations of one function differ, seen from `f`: text for "'NAME' %s", in which
// `where` says where the other one is. NULL: they do not.
const char *hd_link_differ(const struct hd_ast *ast, struct hd_arena *scratch,
                           const struct hd_ast_func *f, const struct hd_ast_func *other,
                           const char *where);

// The message about a name that is declared and used, but defined nowhere: the words behind it, and
// in *hint (empty if there is none) who has a definition that does not count, or one of a like
// name.
const char *hd_link_missing(const struct hd_ast *ast, struct hd_arena *scratch,
                            struct hd_slice name, bool func, const char **hint);

#endif
