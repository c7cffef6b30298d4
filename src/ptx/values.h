// values.h - how registers, constants and addresses enter the columns of struct hd_program.
//
// Lowering a function needs one struct hd_match. lower.c fills it and walks over the instructions;
// patterns.c and its helpers (memory_operands.c, fragment.c, mov.c, callsite.c, async_ops.c) read
// the operands of one instruction and enter each through a function of this file. This file calls
// none of them.
//
// Registers have no rows until the whole function has been read, because rows are packed by
// liveness (live.c). A place that waits for a row is kept as a fix-up, and lower.c fills it in at
// the end. Every register that is mentioned becomes a reference (struct hd_live_ref) for liveness,
// and a scoreboard id and a bank for the timing model.
//
// After a diagnostic the columns are unfinished; the caller continues with the next instruction
// only to find further errors.
#ifndef HEDDLE_PTX_VALUES_H
#define HEDDLE_PTX_VALUES_H

#include "ptx/live.h"
#include "ptx/lower.h"

#define HD_VALUES_NEVER UINT32_MAX       // a predicate that no instruction writes: false
#define HD_VALUES_CARRY (UINT32_MAX - 1) // the predicate that holds the condition code
#define HD_VALUES_SINK (UINT32_MAX - 2)  // a predicate that no instruction reads: `_`

// A place that waits for the row (or predicate number) of a register.
enum hd_values_place {
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
    uint32_t reg;   // register; n_regs + special register; HD_VALUES_*
    uint8_t at;     // enum hd_values_place
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
    uint32_t address_digits;         // of the register in deps->addr
    uint32_t collected[6];           // digits of the registers in banks->src
    unsigned n_wide_src, n_wide_dst; // of matrices: registers for which hd_deps has no place
    struct hd_wide wide;
};

// --- messages

__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_values_complain(const struct hd_match *m, struct hd_place_at at, const char *fmt, ...);
// "expected WHAT, found ...". Silent for an unknown name, which has its own message. Returns false.
bool hd_values_expected(const struct hd_match *m, const struct hd_ast_operand *o, const char *what);
// The message about a name that is declared but defined nowhere.
struct hd_diag_entry *hd_values_missing(const struct hd_match *m, const struct hd_ast_operand *o,
                                        struct hd_slice name, bool func);

// --- checks, which return false after one diagnostic

// Whether the register o may be an operand of type t. wider: it may have more bits.
bool hd_values_check_register(const struct hd_match *m, const struct hd_ast_operand *o,
                              enum hd_type t, bool wider);
// Whether some module defines the variable o.
bool hd_values_check_defined(const struct hd_match *m, const struct hd_ast_operand *o);

// --- entering operands

// A value of type t into place `at` of `where`; *row is that place, for constants.
bool hd_values_source(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                      bool wider, unsigned at, uint32_t where, int32_t *row);
// The address of the variable o as such a value.
bool hd_values_address(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                       unsigned at, uint32_t where, int32_t *row);
// A register that the instruction writes.
bool hd_values_result(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                      unsigned at, uint32_t where);
// A predicate register that the instruction reads.
void hd_values_predicate(struct hd_match *m, const struct hd_ast_operand *o, unsigned at);
// A special register as the value of place `at`.
void hd_values_special(struct hd_match *m, enum hd_sreg which, unsigned at, uint32_t where);
// A vector of four rows that are all missing; returns its index.
uint32_t hd_values_vector(struct hd_match *m);

// --- parts of these

// Place `at` of `where` gets the row of register `reg` once it has one.
void hd_values_fix(struct hd_match *m, uint32_t where, unsigned at, uint32_t reg, bool negated);
void hd_values_refer(struct hd_match *m, uint32_t reg, enum hd_live_kind kind);
// The instruction reads the register o, as an address or as a value, or writes register `reg`.
void hd_values_use(struct hd_match *m, const struct hd_ast_operand *o, bool address);
void hd_values_define(struct hd_match *m, uint32_t reg);
uint16_t hd_values_scoreboard_id(const struct hd_match *m, uint32_t reg);
// Appends a source for the operand collector, unless the register is in no bank.
void hd_values_in_bank(struct hd_match *m, uint32_t digits);
// Whether the variable is in the frame's local memory.
bool hd_values_in_frame(const struct hd_match *m, const struct hd_ast_var *v);
// Whether the present instruction has fragments of matrices as operands.
bool hd_values_has_fragments(const struct hd_match *m);

#endif
