// lower.h - lowers the functions of a syntax tree to the columns of struct hd_program.
//
// struct hd_lower holds the columns while they grow; it is shared by all functions of a program.
// The work on one function is in lower.c; values.h describes how operands get there. The result
// refers to nothing in the syntax tree except texts.
#ifndef HEDDLE_PTX_LOWER_H
#define HEDDLE_PTX_LOWER_H

#include "ptx/layout.h"
#include "ptx/pool.h"
#include "ptx/select.h"

struct hd_lower { // the columns being filled, all functions of a module
    struct hd_arena *arena, *scratch;
    struct hd_diag *diag;
    const char *path;
    const struct hd_ast *ast;
    const uint32_t *numbers; // of functions in the program, by index in the syntax tree
    struct hd_pool pool;

    struct hd_insn *insns; // room for all instructions of the module
    struct hd_deps *deps;
    struct hd_banks *banks;
    struct hd_place *places;
    int32_t (*vecs)[4];
    uint32_t n_vecs;
    size_t vec_cap;
    struct hd_wide *wides;
    uint32_t n_wides;
    size_t wide_cap;
    uint32_t *targets; // of branches through a table: PCs
    uint32_t n_targets;
    size_t target_cap;
    struct hd_call *calls;
    uint32_t *call_live; // by call: 32-bit registers alive across it
    uint32_t n_calls;
    size_t call_cap, call_live_cap;
    struct hd_inlined *inlined;
    uint32_t *loc_inlined; // by .loc: index into inlined plus 1; 0 if it has none yet
    uint32_t n_inlined;
    size_t inlined_cap;
    uint32_t sb_free;                   // first scoreboard id that no function has
    uint32_t n_cut, cut_text, cut_line; // as in struct hd_program
};

// Lower function `func` of the syntax tree, from entry first_pc of the columns on, as function
// number `number` of the program. The layout fields of *out are filled already; this fills the
// others. After errors the columns are unfinished.
void hd_lower_func(struct hd_lower *lo, uint32_t func, uint32_t first_pc, uint32_t number,
                   struct hd_func *out);

// How many scoreboard ids a function takes: one for each declared register, used or not, unless
// those are too many.
uint32_t hd_lower_scoreboard_ids(const struct hd_ast_func *f);

#endif
