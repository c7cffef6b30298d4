// parse.h - the recursive-descent parser's state, shared by its files: parse.c (modules,
// functions), declare.c (registers, variables, initialisers), operand.c (operands, constants),
// body.c (statements).
//
// Every parsing function starts at the current token and leaves the first one it did not use.
// Those that return bool or a pointer have added a diagnostic when they say false or NULL.
#ifndef HEDDLE_PTX_PARSE_H
#define HEDDLE_PTX_PARSE_H

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/ast.h"
#include "ptx/lex.h"
#include "ptx/names.h"

#define HD_PARSE_MAX_DEPTH 64 // of { }, ( ) and the like: bounds recursion

struct hd_parse {
    struct hd_arena *arena; // scratch
    struct hd_lex lex;
    struct hd_token tok; // the current one
    struct hd_names names;
    uint32_t scope, module;
    uint32_t target; // of the module: 75 for sm_75; 0: unknown
    uint8_t link;    // of what is being declared at module level
    unsigned depth;

    struct hd_ast *ast;
    size_t var_cap, func_cap, mod_cap, file_cap, loc_cap, proto_cap, table_cap;

    // The function being parsed; func is HD_AST_NONE at module level.
    uint32_t func;
    struct hd_ast_func fn;
    size_t insn_cap, reg_cap;
    struct hd_ast_operand **labels; // uses, to resolve at the end
    uint32_t n_labels;
    size_t label_cap;
    uint32_t loc, first_loc; // the current .loc; of the function
};

// Parse whole modules into one tree. Names of one mean nothing in the others: link.h. Whether they
// are good is for the diagnostics to say.
struct hd_ast *hd_parse_modules(struct hd_arena *scratch, const struct hd_text *texts, uint32_t n,
                                struct hd_diag *d);

void hd_parse_next(struct hd_parse *p);
struct hd_token hd_parse_peek(const struct hd_parse *p); // the token after the current one
bool hd_parse_accept(struct hd_parse *p, int kind);      // take it if it is there
bool hd_parse_expect(struct hd_parse *p, int kind, const char *what); // or complain
bool hd_parse_at_dot(const struct hd_parse *p, const char *word);
struct hd_place_at hd_parse_place(const struct hd_parse *p); // of the current token

__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_parse_error(struct hd_parse *p, struct hd_place_at at, const char *fmt, ...);
// "expected WHAT, found ...". Silent if the current token is a bad one, which has its own message.
void hd_parse_expected(struct hd_parse *p, const char *what);
// After an error: go behind the next `;`, or before a `}` of this block or the end.
void hd_parse_resync(struct hd_parse *p);
// From `{` to behind its `}`.
bool hd_parse_skip_braces(struct hd_parse *p);
// .loc, .file, .pragma and .section; false if the current token is none of them.
bool hd_parse_debug(struct hd_parse *p, bool *ok);

// declare.c
bool hd_declare_regs(struct hd_parse *p);                 // at .reg
bool hd_declare_vars(struct hd_parse *p, bool is_extern); // at .global, .shared, ...
bool hd_declare_params(struct hd_parse *p, uint32_t *first, uint32_t *n); // at (
uint32_t hd_declare_find_reg(struct hd_parse *p, struct hd_slice name);   // HD_AST_NONE: unknown
void hd_declare_unknown_reg(struct hd_parse *p, struct hd_slice name, struct hd_place_at at);

// operand.c
struct hd_ast_operand *hd_operand_parse(struct hd_parse *p);
bool hd_operand_constant(struct hd_parse *p, int64_t *value); // an integer expression

// body.c
bool hd_body_parse(struct hd_parse *p); // behind {; takes the }

#endif
