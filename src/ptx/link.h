// link.h - names that modules share.
#ifndef HEDDLE_PTX_LINK_H
#define HEDDLE_PTX_LINK_H

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/ast.h"

// Makes every reference to a variable or function that another module defines refer to that
// definition. Names without a definition stay .extern. Two definitions of one name are diagnosed,
// and so are declarations that differ from the definition in space, type, size or signature.
void hd_link_names(struct hd_ast *ast, struct hd_arena *scratch, struct hd_diag *d);

// How two declarations of one function differ, seen from `f`: text for "'NAME' %s", in which
// `where` says where the other one is. NULL if they do not differ.
const char *hd_link_differ(const struct hd_ast *ast, struct hd_arena *scratch,
                           const struct hd_ast_func *f, const struct hd_ast_func *other,
                           const char *where);

// The message about a name that is declared and used, but defined nowhere: the words that follow
// the name. *hint names a module with a definition that does not count, or a similar name; it is
// NULL if there is neither.
const char *hd_link_missing(const struct hd_ast *ast, struct hd_arena *scratch,
                            struct hd_slice name, bool func, const char **hint);

#endif
