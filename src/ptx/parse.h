// parse.h - the state of the recursive-descent parser, shared by its files.
//
// Each file uses only those before it in this list:
//   cursor.c         the current token, messages about it, recovery after an error
//   scope.c          names of the block, registers
//   debug_info.c     .loc, .file, .section, .pragma
//   constant.c       constant expressions
//   parse_operand.c  operands
//   declare.c        registers, variables with initial values, parameters
//   split.c          wide vectors as several instructions
//   body.c           statements of a function
//   parse.c          modules and the headers of functions
//
// Every parsing function starts at the current token and leaves the first token that it did not
// use. Functions that return bool or a pointer have added a diagnostic when they return false or
// NULL.
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
    uint32_t target; // of the module: 75 for sm_75; 0 if unknown
    uint8_t link;    // of what is being declared at module level
    unsigned depth;
    uint64_t init_bytes;  // of all initialised variables so far
    bool nounroll;        // a .pragma "nounroll" waits for the next instruction
    bool module_nounroll; // one stands at module level

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
    struct hd_slice op;      // the instruction whose operands are being read
};

// Parse whole modules into one tree. Each module has names of its own; link.h joins them. Errors
// are in the diagnostics.
struct hd_ast *hd_parse_modules(struct hd_arena *scratch, const struct hd_text *texts, uint32_t n,
                                struct hd_diag *d);

// --- cursor.c

void hd_cursor_next(struct hd_parse *p);
struct hd_token hd_cursor_peek(const struct hd_parse *p); // the token after the current one
bool hd_cursor_accept(struct hd_parse *p, int kind);      // take it if it is there
bool hd_cursor_expect(struct hd_parse *p, int kind, const char *what); // or report it
bool hd_cursor_at_dot(const struct hd_parse *p, const char *word);
bool hd_cursor_int(struct hd_parse *p, uint32_t *value, const char *what); // of 32 bits
struct hd_place_at hd_cursor_place(const struct hd_parse *p);              // of the current token

__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_cursor_error(struct hd_parse *p, struct hd_place_at at, const char *fmt, ...);
// "expected WHAT, found ...". Silent if the current token is a bad one, which has its own message.
void hd_cursor_expected(struct hd_parse *p, const char *what);
// After an error: skip to the token after the next `;`, or to a `}` of this block, or to the end.
void hd_cursor_resync(struct hd_parse *p);
// From `{` to the token after its `}`.
bool hd_cursor_skip_braces(struct hd_parse *p);

// --- debug_info.c

// .loc, .file, .pragma and .section; false if the current token is none of them.
bool hd_debug_info_parse(struct hd_parse *p, bool *ok);

// --- scope.c

// Enter a name into the current block; false: it is declared there already.
bool hd_scope_declare(struct hd_parse *p, struct hd_name *name, struct hd_place_at at);
// A register of the function, or as many as a vector has elements (vec; 0: a scalar). Returns the
// index of the first. number: its place among all that the function declares.
uint32_t hd_scope_new_register(struct hd_parse *p, struct hd_slice name, enum hd_type type,
                               unsigned vec, uint64_t number);
uint32_t hd_scope_find_register(struct hd_parse *p, struct hd_slice text); // HD_AST_NONE: unknown
void hd_scope_unknown_register(struct hd_parse *p, struct hd_slice name, struct hd_place_at at);

// --- constant.c

bool hd_parse_constant(struct hd_parse *p, int64_t *value); // an integer expression

// --- parse_operand.c

struct hd_ast_operand *hd_parse_operand(struct hd_parse *p);

// --- declare.c

bool hd_declare_regs(struct hd_parse *p);                 // at .reg
bool hd_declare_vars(struct hd_parse *p, bool is_extern); // at .global, .shared, ...
bool hd_declare_params(struct hd_parse *p, uint32_t *first, uint32_t *n); // at (

// --- split.c

#define HD_SPLIT_MOST 8
// The instructions that do what `in` does, in order: itself, or several on narrower vectors.
// Returns how many. The modifiers of `in` must be the last of ast->mods.
unsigned hd_split_insn(struct hd_parse *p, const struct hd_ast_insn *in,
                       struct hd_ast_insn pieces[HD_SPLIT_MOST]);

// --- body.c

bool hd_body_parse(struct hd_parse *p); // from the token after { to the token after }

#endif
