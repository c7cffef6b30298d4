// op.h - the instruction set: enums and tables made from ops.def (the list of operations) and
// shapes.def (the list of operand shapes).
//
// An enum hd_op value is an operation together with its type (HD_OP_ADD_S32), so that the emulator
// dispatches once. PTX has more spellings than operations: where types behave alike, one of them is
// canonical (mov.f32 is HD_OP_MOV_B32), and hd_op_find maps the others to it.
//
// This folder describes instructions and executes nothing. The front end (src/ptx), the emulator,
// traces and reports include it; it includes only base and the program format. A column of a .def
// file that names a function of the emulator is text here, and only the emulator expands it.
#ifndef HEDDLE_ISA_OP_H
#define HEDDLE_ISA_OP_H

#include "heddle/program.h"

// clang-format off
enum hd_type {
    HD_U8, HD_S8, HD_B8, HD_U16, HD_S16, HD_B16, HD_F16, HD_BF16, HD_E4M3X2, HD_E5M2X2,
    HD_U32, HD_S32, HD_B32, HD_F32, HD_TF32, HD_F16X2, HD_BF16X2,
    HD_U64, HD_S64, HD_B64, HD_F64, HD_F32X2,
    HD_PRED,
    HD_N_TYPES,
    HD_TYPE_NONE = HD_N_TYPES
};

enum hd_shape { // the operands of an operation and how it is executed: isa/shapes.def
#define HD_SHAPE(id, pattern, text, run, flow) HD_SHAPE_##id,
#include "isa/shapes.def"
    HD_N_SHAPES
};

// hd_insn.mods. Comparisons, atomic operations and prmt modes are enumerations in the low byte; the
// others are bits. hd_op_mods and hd_op_accepts say which of them an operation has.
enum hd_cmp {
    HD_CMP_EQ, HD_CMP_NE, HD_CMP_LT, HD_CMP_LE, HD_CMP_GT, HD_CMP_GE,
    HD_CMP_LO, HD_CMP_LS, HD_CMP_HI, HD_CMP_HS,
    HD_CMP_EQU, HD_CMP_NEU, HD_CMP_LTU, HD_CMP_LEU, HD_CMP_GTU, HD_CMP_GEU,
    HD_CMP_NUM, HD_CMP_NAN,
    HD_N_CMPS
};
enum hd_atom_op {
    HD_ATOM_ADD, HD_ATOM_AND, HD_ATOM_OR, HD_ATOM_XOR, HD_ATOM_EXCH, HD_ATOM_CAS,
    HD_ATOM_MIN, HD_ATOM_MAX, HD_ATOM_INC, HD_ATOM_DEC,
    HD_N_ATOMS
};
#define HD_MOD_ENUM 0x00ff // comparison or atomic operation
#define HD_MOD_SAT 0x0100
#define HD_MOD_FTZ 0x0200
#define HD_MOD_ROUND 0x1c00 // enum hd_round << 10
#define HD_MOD_ROUND_SHIFT 10
#define HD_MOD_A32 0x2000 // memory: the address register is 32 bits wide (one row), zero-extended
// Memory: WIDE means that the data register has 64 bits and the element fewer. A store then writes
// the low bytes, and a load extends with zeros, or with the sign if SIGNED.
#define HD_MOD_WIDE 0x4000
#define HD_MOD_SIGNED 0x8000
#define HD_MOD_SHORT 0x0001 // reading a special register: into one of 16 bits
#define HD_MOD_STRONG 0x0001 // ld.volatile, .relaxed, .acquire, .mmio: waits are made of these
// Arithmetic: NAN makes the result NaN if an operand is. RELU turns negative results and -0 into 0.
// XORSIGN compares magnitudes and gives the result the sign of the product, except where
// .abs stands alone: then the result has none. FINITE (conversions)
// returns the largest number in place of infinity.
#define HD_MOD_NAN 0x2000
#define HD_MOD_RELU 0x4000
#define HD_MOD_XORSIGN 0x8000
#define HD_MOD_FINITE 0x8000
// setp with a boolean operation: src[2] is the predicate it is combined with (HD_PRED_NOT allowed).
#define HD_MOD_BOOL 0x6000 // enum hd_bool << 13
#define HD_MOD_BOOL_SHIFT 13
enum hd_bool { HD_BOOL_NONE, HD_BOOL_AND, HD_BOOL_OR, HD_BOOL_XOR };
enum hd_round { HD_RN, HD_RZ, HD_RM, HD_RP, HD_RNI, HD_RZI, HD_RMI, HD_RPI, HD_N_ROUNDS };
enum hd_prmt {
    HD_PRMT_INDEX, HD_PRMT_F4E, HD_PRMT_B4E, HD_PRMT_RC8, HD_PRMT_ECL, HD_PRMT_ECR, HD_PRMT_RC16,
    HD_N_PRMTS
};

// All of these are in the low byte. Asynchronous copies: which addresses have 32 bits. mbarriers:
// .expect_tx before the arrival, .noComplete, a parity instead of a state, .noinc.
#define HD_COPY_A32(place) (1u << (place))
#define HD_MBAR_EXPECT 0x01
#define HD_MBAR_INCOMPLETE 0x02
#define HD_MBAR_PARITY 0x04
#define HD_MBAR_NOINC 0x08

// txq, suq: the attribute, in the low byte. For tld4 the low byte is the component.
enum hd_query {
    HD_QUERY_WIDTH, HD_QUERY_HEIGHT, HD_QUERY_DEPTH, HD_QUERY_TYPE, HD_QUERY_ORDER, HD_QUERY_ARRAY,
    HD_QUERY_LEVELS, HD_QUERY_SAMPLES, HD_QUERY_NORMALIZED, HD_QUERY_FILTER,
    HD_QUERY_EDGE_0, HD_QUERY_EDGE_1, HD_QUERY_EDGE_2, HD_QUERY_LAYOUT,
    HD_N_QUERIES
};
#define HD_N_COMPONENTS 4
enum hd_surf { HD_SURF_TRAP, HD_SURF_CLAMP, HD_SURF_ZERO, HD_N_SURFS }; // outside a surface
// Shuffles and matches: the row of the member mask (HD_ROW_NONE: none) and a second destination,
// a predicate (HD_PRED_TRUE: none).
#define HD_WARP_IMM(row, pred) ((int64_t)((uint64_t)(uint32_t)(row) | (uint64_t)(pred) << 32))
#define HD_WARP_ROW(imm) ((int32_t)(uint32_t)((uint64_t)(imm)&UINT32_MAX))
#define HD_WARP_PRED(imm) ((uint32_t)((uint64_t)(imm) >> 32))

// The shared memory that a block of a device of compute capability 8.0 has for the system (CUDA
// programming guide, "Shared Memory" of 8.x): cooperative groups keep there what tiles of more than
// one warp exchange. A kernel has it if it or a function that it calls asks where it is.
#define HD_RESERVED_SHARED_BYTES 1024

// Generic addresses: each space except global has a window of 16 MiB below the first global
// address, so that its addresses fit 32 bits and none is 0. Global addresses are generic addresses.
#define HD_WINDOW_SHIFT 24
#define HD_WINDOW_SHARED (UINT64_C(1) << HD_WINDOW_SHIFT)
#define HD_WINDOW_LOCAL (UINT64_C(2) << HD_WINDOW_SHIFT)
#define HD_WINDOW_CONST (UINT64_C(3) << HD_WINDOW_SHIFT)
#define HD_WINDOW_PARAM (UINT64_C(4) << HD_WINDOW_SHIFT)
// Addresses of functions, for indirect calls: a window without memory, with 16 addresses per
// function in the order of hd_program.funcs.
#define HD_WINDOW_CODE (UINT64_C(5) << HD_WINDOW_SHIFT)
#define HD_CODE_STEP 16

enum hd_sreg {
    HD_SREG_TID_X, HD_SREG_TID_Y, HD_SREG_TID_Z,
    HD_SREG_NTID_X, HD_SREG_NTID_Y, HD_SREG_NTID_Z,
    HD_SREG_CTAID_X, HD_SREG_CTAID_Y, HD_SREG_CTAID_Z,
    HD_SREG_NCTAID_X, HD_SREG_NCTAID_Y, HD_SREG_NCTAID_Z,
    HD_SREG_LANEID, HD_SREG_WARPID, HD_SREG_NWARPID,
    HD_SREG_LANEMASK_EQ, HD_SREG_LANEMASK_LE, HD_SREG_LANEMASK_LT,
    HD_SREG_LANEMASK_GE, HD_SREG_LANEMASK_GT,
    // Of the machine and the launch.
    HD_SREG_SMID, HD_SREG_NSMID, HD_SREG_ENVREG, HD_SREG_ENVREG1, HD_SREG_ENVREG2,
    HD_SREG_DYNAMIC_SMEM, HD_SREG_TOTAL_SMEM, HD_SREG_AGGR_SMEM,
    // Of the shared memory that a block has for the system, which begins at 0.
    HD_SREG_RESERVED_BEGIN, HD_SREG_RESERVED_END, HD_SREG_RESERVED_CAP,
    HD_SREG_RESERVED_0, HD_SREG_RESERVED_1,
    HD_SREG_PM, HD_SREG_PM_64, HD_SREG_GRAPH_EXEC, // always 0
    // Of the cluster, which is always one block.
    HD_SREG_CLUSTERID_X, HD_SREG_CLUSTERID_Y, HD_SREG_CLUSTERID_Z,
    HD_SREG_NCLUSTERID_X, HD_SREG_NCLUSTERID_Y, HD_SREG_NCLUSTERID_Z,
    HD_SREG_CLUSTER_CTAID_X, HD_SREG_CLUSTER_CTAID_Y, HD_SREG_CLUSTER_CTAID_Z,
    HD_SREG_CLUSTER_NCTAID_X, HD_SREG_CLUSTER_NCTAID_Y, HD_SREG_CLUSTER_NCTAID_Z,
    HD_SREG_CLUSTER_CTARANK, HD_SREG_CLUSTER_NCTARANK,
    // Values of a frame, 32 and 64 bits wide: the start of its local memory, and the start of
    // dynamic shared memory. PTX cannot name them.
    HD_SREG_FRAME, HD_SREG_FRAME64, HD_SREG_DYNAMIC, HD_SREG_DYNAMIC64,
    // These have no row: a mov that names them reads them when it is executed.
    HD_SREG_CLOCK, HD_SREG_CLOCK_HI, HD_SREG_CLOCK64,
    HD_SREG_TIMER, HD_SREG_TIMER_LO, HD_SREG_TIMER_HI, HD_SREG_GRIDID,
    HD_N_SREGS,
    HD_SREG_FIRST_READ = HD_SREG_CLOCK
};
// clang-format on

enum hd_op {
#define HD_OP_ROW(id, name, T, D, shape, kind, unit, lat, mods, ...) HD_OP_##id##_##T,
#define HD_OP_PLAIN(id, name, shape, kind, unit, lat) HD_OP_##id,
#include "isa/ops.def"
    HD_N_OPS
};

struct hd_op_info {
    const char *name; // PTX mnemonic with the modifiers that select the operation: "mul.wide"
    uint8_t type;     // enum hd_type of the sources, or HD_TYPE_NONE
    uint8_t dtype;    // of the destination
    uint8_t shape, kind, unit;
    uint8_t lat_op; // enum hd_lat_op; the column follows from the type
};
extern const struct hd_op_info hd_op_info[HD_N_OPS];
extern const char *const hd_op_patterns[HD_N_SHAPES]; // letters of isa/shapes.def, or NULL

extern const char *const hd_type_names[HD_N_TYPES + 1]; // "u8", ..., NULL at the end
extern const char *const hd_cmp_names[HD_N_CMPS + 1];
extern const char *const hd_atom_names[HD_N_ATOMS + 1];
extern const char *const hd_space_names[HD_N_SPACES + 1];
extern const char *const hd_unit_names[HD_N_UNITS + 1]; // "SP", ..., as people read them
extern const char *const hd_prmt_names[HD_N_PRMTS + 1];
extern const char *const hd_query_names[HD_N_QUERIES + 1];
extern const char *const hd_component_names[HD_N_COMPONENTS + 1];
extern const char *const hd_round_names[HD_N_ROUNDS + 1]; // "rn", ... "rpi"
extern const char *const hd_sreg_names[HD_N_SREGS + 1];   // "tid.x", ... without the %

struct hd_builtin_info {
    const char *name, *ret,
        *args; // of heddle/builtin.h; functions of the runtime begin with "cuda"
};
extern const struct hd_builtin_info hd_builtin_info[HD_N_BUILTINS]; // the first is no function
// The size of a type that is given as a letter of heddle/builtin.h.
unsigned hd_builtin_bytes(char letter);

enum hd_type hd_sreg_type(unsigned which);

extern const uint8_t hd_type_sizes[HD_N_TYPES];
static inline unsigned hd_type_bytes(enum hd_type t) // 0 for predicates
{
    return t < HD_N_TYPES ? hd_type_sizes[t] : 0;
}
static inline bool hd_type_is_float(enum hd_type t)
{
    return t == HD_F16 || t == HD_F16X2 || t == HD_BF16 || t == HD_BF16X2 || t == HD_F32 ||
           t == HD_F64 || t == HD_F32X2;
}
static inline bool hd_type_is_signed(enum hd_type t) // integers only
{
    return t == HD_S8 || t == HD_S16 || t == HD_S32 || t == HD_S64;
}
unsigned hd_type_rows(enum hd_type t); // rows of a register of this type: 1 or 2
enum hd_lat_col hd_type_column(enum hd_type t);

// The modifiers that an operation has. hd_op_mods: the HD_MOD_* bits that may be set (HD_MOD_ENUM
// means that the low byte is used). hd_op_accepts: is this comparison, atomic operation or prmt
// mode allowed? hd_op_rounds: is this rounding allowed? HD_RN, which is 0, is allowed where
// rounding has no meaning.
uint16_t hd_op_mods(int op);
enum hd_carry { HD_CARRY_NONE, HD_CARRY_IN, HD_CARRY_OUT, HD_CARRY_THROUGH };
enum hd_carry hd_op_carry(int op); // the condition code is a predicate whose number is in imm
bool hd_op_accepts(int op, unsigned low_byte);
bool hd_op_rounds(int op, enum hd_round r);

// Window of a space in generic addresses; 0 for global and for spaces without one.
uint64_t hd_window(unsigned space);

// The operation of that mnemonic on that type (canonical types are tried too), or -1. dtype matters
// only for conversions (cvt.dtype.type) and slct (slct.dtype.type); pass HD_TYPE_NONE otherwise.
int hd_op_find(const char *name, enum hd_type type, enum hd_type dtype);
// Whether it is written with two types, destination first.
bool hd_op_two_types(const char *name);
// The coordinates of a texture or surface operation such as "tex.a2d". The layer comes first.
struct hd_geometry {
    uint8_t dims;
    bool layered, cube;
};
struct hd_geometry hd_op_geometry(int op);
// All mnemonics, with NULL at the end, for "did you mean".
const char *const *hd_op_mnemonics(void);

// PTX-like text of one instruction, for dumps and reports. Returns buf.
char *hd_op_text(const struct hd_program *p, uint32_t pc, char *buf, size_t bytes);

#endif
