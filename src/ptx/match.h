// match.h - the operands of one instruction against what its shape wants.
#ifndef HEDDLE_PTX_MATCH_H
#define HEDDLE_PTX_MATCH_H

#include "ptx/live.h"
#include "ptx/lower.h"

#define HD_MATCH_NEVER UINT32_MAX       // stands for a predicate that no instruction writes: false
#define HD_MATCH_CARRY (UINT32_MAX - 1) // the predicate that holds the condition code

// A place that waits for the row (or predicate number) of a register.
enum hd_match_place {
    HD_AT_DST,
    HD_AT_SRC0,
    HD_AT_SRC1,
    HD_AT_SRC2,
    HD_AT_IMM,  // lower half
    HD_AT_IMM2, // upper half
    HD_AT_DST2,
    HD_AT_VEC,
    HD_AT_ARG
};

struct hd_fixup {
    uint32_t where; // PC; HD_AT_VEC: 4 * vector + element; HD_AT_ARG: index into args
    uint32_t reg;   // register; n_regs + special register; HD_MATCH_*
    uint8_t at;     // enum hd_match_place
    bool negated;
};

struct hd_match { // one function
    struct hd_lower *lo;
    const struct hd_ast_func *f;
    uint32_t n_regs, first_pc;
    uint32_t sb_base, n_ids; // scoreboard ids of this function: the first, how many
    struct hd_fixup *fixups;
    uint32_t n_fixups;
    size_t fixup_cap;
    struct hd_live_ref *refs; // in order of instructions
    uint32_t n_refs;
    size_t ref_cap;
    bool special_used[HD_N_SREGS];
    bool uses_stack;     // alloca and its like
    struct hd_arg *args; // of all calls in the function
    uint32_t n_args;
    size_t arg_cap;

    // The instruction in work.
    const struct hd_ast_insn *in;
    struct hd_select sel;
    uint32_t pc;         // in the module
    unsigned n_operands; // without a cache policy
    struct hd_insn *insn;
    struct hd_deps *deps;
    struct hd_banks *banks;
    unsigned n_src, n_dep_src, n_dep_dst;
    uint8_t address_digit;           // of the register in deps->addr
    unsigned n_wide_src, n_wide_dst; // of matrices: registers for which hd_deps has no place
    struct hd_wide wide;
};

// Enter the operands of m->in into its columns, fix-ups and references; m->sel is what it is.
// False after one diagnostic.
bool hd_match_operands(struct hd_match *m);

// Parts of it, for calls (callsite.c). A value of type t into place `at` of `where`; *row is that
// place, for constants. A register that the instruction writes.
bool hd_match_value(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t, bool wider,
                    unsigned at, uint32_t where, int32_t *row);
bool hd_match_result(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                     unsigned at, uint32_t where);
__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_match_complain(const struct hd_match *m, struct hd_place_at at, const char *fmt, ...);
// A vector of four rows; its index. A predicate register, read, into a place of the instruction.
uint32_t hd_match_vector(struct hd_match *m);
void hd_match_predicate(struct hd_match *m, const struct hd_ast_operand *o, unsigned at);
// The message about a name that is declared but defined nowhere.
struct hd_diag_entry *hd_match_missing(const struct hd_match *m, const struct hd_ast_operand *o,
                                       struct hd_slice name, bool func);
// Has the variable its place in the frame's local memory?
bool hd_match_in_frame(const struct hd_match *m, const struct hd_ast_var *v);

// moves.c: a mov that is none: it reads a special register that changes, or has a vector as
// operand. *done is false if it is a plain mov.
bool hd_moves_match(struct hd_match *m, bool *done);
// callsite.c: operands of a call.
bool hd_callsite_match(struct hd_match *m);

#endif
