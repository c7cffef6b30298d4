// program.h - a decoded program: the PTX front end makes it, the emulator runs it, the SM times it.
//
// Built once per module, then read-only and shared by every SM. An instruction is named by its PC:
// an index into flat columns that span all functions of the module in the order of the text (the
// reference numbers them the same way; its byte address is PC * 8).
//
// A register has three separate numbers, because they differ in what may be shared:
//   row    where its value lives in a warp's register file; registers that are never live together
//          may share a row                                               -> struct hd_insn
//   sb id  what the scoreboard reserves: one per PTX virtual register -> struct hd_deps
//   digit  what selects its register bank: the first run of decimal digits in the PTX name (%rd12
//          and %f12 both have 12); none if there are no digits           -> struct hd_banks
// So there are three columns, each of which is read by only one part of the machine.
#ifndef HEDDLE_PROGRAM_H
#define HEDDLE_PROGRAM_H

#include "heddle/builtin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_LANES 32
#define HD_PC_NONE UINT32_MAX   // no instruction: an exited warp, an empty slot, no reconvergence
#define HD_SB_NONE UINT16_MAX   // no register in this operand place
#define HD_ROW_NONE INT32_MIN   // operand place not used
#define HD_PRED_TRUE UINT16_MAX // guard of an unpredicated instruction
#define HD_PRED_NOT 0x8000u     // set in a guard (or predicate source): take the complement

enum hd_space {
    HD_SPACE_NONE,
    HD_SPACE_GENERIC, // resolved per access by the emulator; effects never carry it
    HD_SPACE_GLOBAL,
    HD_SPACE_SHARED,
    HD_SPACE_LOCAL,
    HD_SPACE_CONST,
    HD_SPACE_PARAM,
    HD_SPACE_TEX,
    HD_N_SPACES
};

// What the front end of an SM needs of an instruction before it executes.
enum hd_kind {
    HD_KIND_ALU,
    HD_KIND_LOAD,
    HD_KIND_STORE,
    HD_KIND_ATOMIC,
    HD_KIND_BRANCH,
    HD_KIND_BARRIER,
    HD_KIND_MEMBAR,
    HD_KIND_CALL,
    HD_KIND_RET, // leaves a function; in a kernel's own code it ends the thread
    HD_KIND_EXIT,
    HD_KIND_COPIES, // groups of asynchronous copies: ends one, or waits for some
};

// Which pipe takes it (timing-model: loads, stores and memory barriers need LDST; everything that
// is not SFU-only goes to SP; fp multiplies may fall back to the SFU). X(NAME, word, label): the
// choices that the keys pipe.* of a machine offer by that word; only the load/store unit is not a
// machine's choice.
#define HD_PIPE_UNITS(X)                                                                           \
    X(SP, sp, "SP")                                                                                \
    X(SFU, sfu, "SFU")                                                                             \
    X(SP_OR_SFU, sp_or_sfu, "SP/SFU")                                                              \
    X(TENSOR, tensor, "TENSOR")                                                                    \
    X(DP, dp, "DP")                                                                                \
    X(INT, int, "INT")
#define HD_UNIT_ENUM(NAME, word, label) HD_UNIT_##NAME,
enum hd_unit { HD_PIPE_UNITS(HD_UNIT_ENUM) HD_UNIT_LDST, HD_N_UNITS };
#undef HD_UNIT_ENUM

// Latency class: row = operation, column = operand type. Cycle numbers are in gpus/*.ini.
enum hd_lat_op {
    HD_LAT_ADD,
    HD_LAT_MINMAX,
    HD_LAT_MUL,
    HD_LAT_MAD,
    HD_LAT_FMA,
    HD_LAT_DIV,
    HD_LAT_TRANS, // sqrt, rsqrt, rcp, sin, cos, ex2, lg2
    HD_LAT_OTHER,
    HD_LAT_MMA,  // matrix multiplications
    HD_LAT_SHFL, // exchanges between the lanes of a warp
    HD_N_LAT_OPS
};
enum hd_lat_col { HD_COL_INT, HD_COL_FP32, HD_COL_FP64, HD_N_LAT_COLS };
#define HD_N_LATS ((unsigned)HD_N_LAT_OPS * HD_N_LAT_COLS)
#define HD_LAT(op, col) ((uint8_t)((unsigned)(op)*HD_N_LAT_COLS + (unsigned)(col)))

// The value column, 32 bytes per instruction: only what the emulator needs.
//
// Operands are rows. A row is 128 bytes: 32 lanes of 32 bits. 8-, 16- and 32-bit registers take one
// row (narrow ones zero- or sign-extended as their type says), 64-bit registers two neighbouring
// rows read as uint64_t[32], the first of them even. Row numbers >= 0 are in the warp's register
// file; a negative number r is row -1-r of the program's constant pool (immediates, broadcast to
// 32 lanes), so a handler never asks what its operand is. Predicates are not rows: they are
// numbered apart, one uint32_t lane mask each.
struct hd_insn {
    uint16_t op;    // enum hd_op (isa/op.h): operation and type in one number
    uint16_t mods;  // HD_MOD_* of isa/op.h: comparison, rounding, saturation, ...
    uint16_t guard; // predicate number | HD_PRED_NOT, or HD_PRED_TRUE
    uint8_t space;  // enum hd_space of a memory operation
    uint8_t vec;    // 1, 2 or 4 elements of a memory operation; otherwise 1
    int32_t dst;    // row, or predicate number for ops that write predicates; HD_ROW_NONE if none.
                    // vec > 1, fragments of matrices: index into hd_program.vecs
    int32_t src[3]; // rows; loads and stores: src[0] = address row (HD_ROW_NONE: absolute),
                    // src[1] = value row (vec > 1: index into vecs)
    int64_t imm;    // address offset of a memory operation; branches: HD_TARGET(target, reconv)
};

// Branch operand: target PC and reconvergence PC (immediate post-dominator) in one word.
#define HD_TARGET(target, reconv)                                                                  \
    ((int64_t)((uint64_t)(uint32_t)(target) | (uint64_t)(reconv) << 32))
#define HD_TARGET_PC(imm) ((uint32_t)((uint64_t)(imm)&UINT32_MAX))
#define HD_RECONV_PC(imm) ((uint32_t)((uint64_t)(imm) >> 32))

// The dependence column, 32 bytes: what scoreboard, issue and policies need. Used places come
// first; unused places contain HD_SB_NONE. "_", immediates and special registers have no id.
struct hd_deps {
    // Lists end at the first HD_SB_NONE.
    uint16_t dst[4];  // reserved at issue, released when the value is there
    uint16_t src[4];  // first three scalar sources, or the elements of a vector
    uint16_t addr[2]; // address registers of a memory operation
    uint16_t guard;
    uint8_t kind;  // enum hd_kind
    uint8_t unit;  // enum hd_unit
    uint8_t lat;   // HD_LAT(op, column)
    uint8_t space; // enum hd_space as written; generic may be narrowed by dataflow
    uint8_t flags; // HD_DEP_*
    uint8_t bytes; // of one element of a memory operation
    uint8_t work;  // matrices: log2 of the factor by which the class's interval grows
    uint8_t pad;
    uint16_t wide; // HD_DEP_WIDE: index into hd_program.wides
};
#define HD_DEP_LONG                                                                                \
    0x01 // load or atomic, global, local, parameter or texture space: marks its
         // destinations "long" in the scoreboard (timing-model 6)
#define HD_DEP_OFFCHIP                                                                             \
    0x02                     // load, store or atomic that may leave the SM: global, local, texture;
                             // generic too unless proved shared or local
#define HD_DEP_BACKWARD 0x04 // branch whose target is not after it
#define HD_DEP_UNIFORM 0x08  // bra.uni
#define HD_DEP_NO_L1 0x10    // written with .cg: goes past the L1
#define HD_DEP_ASYNC 0x40    // a copy or arrival that the warp does not wait for
#define HD_DEP_PHASE 0x80    // waits for the phase of an mbarrier
#define HD_DEP_WIDE 0x20     // more registers than the places above have room for

// The registers of a matrix operation for which hd_deps has no room. Lists end at HD_SB_NONE.
struct hd_wide {
    uint16_t dst[9], src[33];
};

// Bank column, 12 bytes: only the operand collector reads it. Register digits modulo 32 (the
// number of banks divides 32). A source with the digits of an earlier one is listed again, with
// HD_BANK_AGAIN; machines with sm.collector_once read it once, others twice.
#define HD_BANK_DIGITS 32
#define HD_BANK_AGAIN 0x80
struct hd_banks {
    uint8_t n_src, n_dst;
    uint8_t src[6]; // register sources and address registers; no immediates, specials or guard
    uint8_t dst[4];
};

// Rarely read column: where an instruction came from.
struct hd_place {
    uint32_t line;        // 1-based line of the PTX text
    uint32_t source_line; // of .loc, 0 when unknown
    uint32_t source_file; // index into hd_program.files
    uint32_t func;        // index into hd_program.funcs
    uint32_t inlined;     // index into hd_program.inlined; usually HD_NOT_INLINED
};
#define HD_NOT_INLINED UINT32_MAX

// The place where a function was inlined; its instructions refer to it.
struct hd_inlined {
    uint32_t line, file; // of the call in the source; file: index into hd_program.files
    uint32_t inlined;    // where the caller was inlined in turn, a smaller index; HD_NOT_INLINED
};

struct hd_param { // a kernel parameter, at `offset` of the parameter block
    const char *name;
    uint32_t offset, bytes, align;
};

// A special register that keeps its value during a warp's life (tid, ctaid, laneid, ...) has a row
// that the emulator fills once, when the warp starts; it is then an ordinary operand.
struct hd_special {
    uint16_t which; // enum hd_sreg of isa/op.h
    int32_t row;
};

// An argument or a result of a function, or of a call: in a register, or in the local memory of the
// frame that it belongs to (PTX's .param space inside functions).
struct hd_arg {
    int32_t row;     // HD_ROW_NONE: in local memory; below 0: a constant (arguments of calls only)
    uint32_t offset; // bytes from the start of the frame's local memory
    uint32_t bytes;
};

struct hd_call {     // operands of a call instruction, whose imm is the index of this
    uint32_t func;   // index into hd_program.funcs; HD_CALL_INDIRECT: src[0] is a row of addresses
    uint8_t builtin; // enum hd_builtin; func means nothing if it is not NONE
    uint16_t n_rets, n_args;
    const struct hd_arg *args; // results, then arguments, all seen from the caller's frame
};
#define HD_CALL_INDIRECT UINT32_MAX

struct hd_func {
    const char *name;
    uint32_t text;             // index into hd_program.texts
    uint32_t first_pc, end_pc; // [first, end)
    uint32_t line;             // of its declaration
    bool is_kernel;
    uint32_t target; // of its module: 75 for .target sm_75; 0 if unknown

    // Storage of one warp in this function, all zero when the warp starts. A predicate that no
    // instruction writes is the constant `false`.
    uint32_t n_rows, n_preds;
    const struct hd_special *specials;
    uint32_t n_specials;

    // Scoreboard ids used here are all below n_sb. Kernels number from 0; functions number from the
    // largest number of any kernel, so that caller and callee never share an id by accident.
    uint32_t n_sb;

    // A frame's local memory: a kernel's .local variables; in functions also the arguments.
    uint32_t local_bytes;
    // The most that calls by this function need, in bytes per thread (the sum of hd_func_frame).
    // open_stack: they may need more, which is only known at run time (recursion, alloca).
    uint32_t stack_bytes;
    bool open_stack;
    int32_t stack_row; // alloca: where this frame's local memory ends; HD_ROW_NONE: no alloca

    // Functions: results, then arguments, in the function's own frame.
    const struct hd_arg *args;
    uint16_t n_rets, n_args;

    // Kernels only. shared_bytes is the statically declared part; regs is the number of 32-bit
    // registers that a thread needs (before the machine's rounding).
    const struct hd_param *params;
    uint32_t n_params, param_bytes, shared_bytes, regs;
    uint32_t reserved_bytes; // of shared_bytes: at the start, for the system (isa/op.h)
    uint32_t regs_wanted;    // regs without .maxnreg
    uint32_t regs_built;     // regs as a compiler for the hardware chose them; 0: not known
    uint32_t regs_live;      // the most that are live at once in the PTX as written
    // Products of .maxntid or .reqntid, of .minnctapersm, and .maxnreg; 0 = not given. The first
    // two limit the registers that a machine gives a thread, unless the third does.
    uint32_t max_threads, min_blocks, max_regs;
    uint32_t cluster_blocks; // product of .reqnctapercluster, 0 = not given
};

// The bytes that a frame of the function takes from its thread's stack. Registers count as if they
// were on the stack, as in code compiled for the hardware.
static inline uint32_t hd_func_frame(const struct hd_func *f)
{
    return 16 + 4 * ((f->n_rows + 1) & ~1u) + 4 * f->n_preds + ((f->local_bytes + 15) & ~15u);
}

// A .global or .const variable with its initial bytes.
struct hd_symbol {
    const char *name;
    const uint8_t *init; // `bytes` long, or NULL for zeros
    uint64_t place;      // among the module's variables of both spaces; the first is at 0x100
    uint64_t address;    // .const: offset in constant space; .global: assigned when the module is
                         // loaded, 0 before
    uint32_t bytes, align;
    uint8_t space; // HD_SPACE_GLOBAL or HD_SPACE_CONST
    bool managed;  // .attribute(.managed): the host may use it by its address, too
    bool opaque;   // .texref, .surfref: contains the handle of the object that is bound, 0 for none
};

// A place in the program that contains the address of a .global variable plus an addend: the
// HD_LANES words of a pool row pair, a word of a variable's initial bytes, or one byte of those
// (the address shifted right). hd_emu_load writes it once the address is known.
struct hd_reloc {
    uint32_t symbol; // index into hd_program.symbols
    uint32_t words;  // 1 or HD_LANES; 0: a byte
    uint32_t shift;  // of a byte
    uint64_t addend;
    void *at;
};

struct hd_text { // a PTX module as given; places count its lines
    const char *path;
    const uint8_t *text;
    size_t bytes;
};

struct hd_program {
    const char *path; // of the first module, for messages
    uint32_t n_insns;
    const struct hd_insn *insns;
    const struct hd_deps *deps;
    const struct hd_banks *banks;
    const struct hd_place *places;

    const uint32_t *pool; // constant rows, HD_LANES words each, 64-byte aligned
    uint32_t n_pool_rows;
    const int32_t (*vecs)[4]; // rows of vector operands
    uint32_t n_vecs;
    const struct hd_wide *wides;
    const struct hd_call *calls;
    uint32_t n_calls;
    const uint32_t *targets; // PCs: targets of branches through a table
    uint32_t n_targets;

    const struct hd_func *funcs;
    uint32_t n_funcs;
    struct hd_symbol *symbols; // the only mutable column: addresses, set before the first launch
    uint32_t n_symbols;
    const struct hd_reloc *relocs;
    uint32_t n_relocs;
    // Constants that are wider than the type of their operand, whose upper bits were cut off: how
    // many, and the place of the first.
    uint32_t n_cut, cut_text, cut_line;
    const char *const *files;
    uint32_t n_files;
    const struct hd_inlined *inlined;
    uint32_t n_inlined;

    const uint8_t *text; // the PTX source of the first module, for diagnostics
    size_t text_bytes;
    const struct hd_text *texts; // of all modules that were linked
    uint32_t n_texts;
};

_Static_assert(sizeof(struct hd_insn) == 32, "two instructions to a cache line");
_Static_assert(sizeof(struct hd_deps) == 32, "two instructions to a cache line");
_Static_assert(sizeof(struct hd_banks) == 12, "bank column is compact");

// The module that contains an instruction, whose lines its place counts.
static inline const struct hd_text *hd_program_text(const struct hd_program *p, uint32_t pc)
{
    return &p->texts[p->funcs[p->places[pc].func].text];
}

// The kernel or function of that name, NULL when there is none.
const struct hd_func *hd_program_find(const struct hd_program *p, const char *name);

#endif
