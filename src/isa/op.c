// op.c - the tables of op.h: one row per operation from ops.def, names, and the search for the
// operation of a mnemonic with a PTX type. Disassembly is in op_text.c.
#include "isa/op.h"

#include <string.h>

// The modifiers of an operation: the MODS column of ops.def.
enum mods {
    MODS_NONE,
    MODS_SAT,
    MODS_SATC,
    MODS_FLT,
    MODS_FLT2,
    MODS_MIX,
    MODS_MIN3,
    MODS_REDF,
    MODS_RND,
    MODS_APPROX,
    MODS_TRIG,
    MODS_HALF,
    MODS_HFTZ,
    MODS_FTZ,
    MODS_FTZC,
    MODS_MINF,
    MODS_HFMA,
    MODS_BF,
    MODS_BFMA,
    MODS_TF,
    MODS_TFA,
    MODS_FP8,
    MODS_LOP3,
    MODS_VIDEO,
    MODS_CCI,
    MODS_CCO,
    MODS_CCX,
    MODS_PACK,
    MODS_EDGE,
    MODS_COMP,
    MODS_QUERY,
    MODS_WINDOW,
    MODS_CMP,
    MODS_CMPF,
    MODS_CMPH,
    MODS_CVT,
    MODS_PRMT,
    MODS_MEM,
    MODS_ATOM,
    MODS_MBAR
};

const struct hd_op_info hd_op_info[HD_N_OPS] = {
#define HD_OP_ROW(id, name, T, D, shape, kind, unit, lat, mods, ...)                               \
    {name, HD_##T, HD_##D, HD_SHAPE_##shape, HD_KIND_##kind, HD_UNIT_##unit, HD_LAT_##lat},
#define HD_OP_PLAIN(id, name, shape, kind, unit, lat)                                              \
    {name,           HD_TYPE_NONE,   HD_TYPE_NONE, HD_SHAPE_##shape,                               \
     HD_KIND_##kind, HD_UNIT_##unit, HD_LAT_##lat},
#include "isa/ops.def"
};

const char *const hd_op_patterns[HD_N_SHAPES] = {
#define HD_SHAPE(id, pattern, text, run, flow) [HD_SHAPE_##id] = pattern,
#include "isa/shapes.def"
};

static const uint8_t op_mods[HD_N_OPS] = {
#define HD_OP_ROW(id, name, T, D, shape, kind, unit, lat, mods, ...) MODS_##mods,
#define HD_OP_PLAIN(id, name, shape, kind, unit, lat) MODS_NONE,
#include "isa/ops.def"
};

const char *const hd_type_names[HD_N_TYPES + 1] = {
    "u8",     "s8",     "b8",  "u16", "s16", "b16",   "f16",  "bf16",
    "e4m3x2", "e5m2x2", "u32", "s32", "b32", "f32",   "tf32", "f16x2",
    "bf16x2", "u64",    "s64", "b64", "f64", "f32x2", "pred", NULL,
};
const char *const hd_cmp_names[HD_N_CMPS + 1] = {
    "eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi", "hs",
    "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", NULL,
};
const char *const hd_atom_names[HD_N_ATOMS + 1] = {
    "add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec", NULL,
};
#define LABEL(NAME, word, label) label,
const char *const hd_unit_names[HD_N_UNITS + 1] = {HD_PIPE_UNITS(LABEL) "LDST", NULL};
#undef LABEL

const char *const hd_space_names[HD_N_SPACES + 1] = {
    "none", "generic", "global", "shared", "local", "const", "param", "tex", NULL,
};
const char *const hd_prmt_names[HD_N_PRMTS + 1] = {
    "", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16", NULL,
};
const char *const hd_query_names[HD_N_QUERIES + 1] = {
    "width",
    "height",
    "depth",
    "channel_data_type",
    "channel_order",
    "array_size",
    "num_mipmap_levels",
    "num_samples",
    "normalized_coords",
    "filter_mode",
    "addr_mode_0",
    "addr_mode_1",
    "addr_mode_2",
    "memory_layout",
    NULL,
};
const char *const hd_component_names[HD_N_COMPONENTS + 1] = {"r", "g", "b", "a", NULL};
const char *const hd_round_names[HD_N_ROUNDS + 1] = {
    "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", NULL,
};
const char *const hd_sreg_names[HD_N_SREGS + 1] = {
    "tid.x",
    "tid.y",
    "tid.z",
    "ntid.x",
    "ntid.y",
    "ntid.z",
    "ctaid.x",
    "ctaid.y",
    "ctaid.z",
    "nctaid.x",
    "nctaid.y",
    "nctaid.z",
    "laneid",
    "warpid",
    "nwarpid",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "smid",
    "nsmid",
    "envreg",
    "envreg1",
    "envreg2",
    "dynamic_smem_size",
    "total_smem_size",
    "aggr_smem_size",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "pm",
    "pm_64",
    "current_graph_exec",
    "clusterid.x",
    "clusterid.y",
    "clusterid.z",
    "nclusterid.x",
    "nclusterid.y",
    "nclusterid.z",
    "cluster_ctaid.x",
    "cluster_ctaid.y",
    "cluster_ctaid.z",
    "cluster_nctaid.x",
    "cluster_nctaid.y",
    "cluster_nctaid.z",
    "cluster_ctarank",
    "cluster_nctarank",
    "(frame)",
    "(frame64)",
    "(dynamic)",
    "(dynamic64)",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "gridid",
    NULL,
};

#define PLAIN(id, name, ret, args) [HD_BUILTIN_##id] = {name, ret, args},
#define RUNTIME(id, name, ret, args) [HD_BUILTIN_##id] = {"cuda" name, ret, args},
const struct hd_builtin_info hd_builtin_info[HD_N_BUILTINS] = {
    [HD_BUILTIN_NONE] = {"", "", ""}, HD_PLAIN_BUILTINS(PLAIN) HD_RUNTIME_BUILTINS(RUNTIME)};

unsigned hd_builtin_bytes(char letter)
{
    switch (letter) {
    case 'w':
        return 4;
    case 't':
        return 12;
    case 'e':
        return 24;
    case 'p':
        return 32;
    default:
        return 8;
    }
}

enum hd_type hd_sreg_type(unsigned which)
{
    switch (which) {
    case HD_SREG_FRAME64:
    case HD_SREG_DYNAMIC64:
    case HD_SREG_PM_64:
    case HD_SREG_GRAPH_EXEC:
    case HD_SREG_CLOCK64:
    case HD_SREG_TIMER:
    case HD_SREG_GRIDID:
        return HD_U64;
    default:
        return HD_U32;
    }
}

const uint8_t hd_type_sizes[HD_N_TYPES] = {
    [HD_U8] = 1,  [HD_S8] = 1,   [HD_B8] = 1,     [HD_U16] = 2,    [HD_S16] = 2,   [HD_B16] = 2,
    [HD_F16] = 2, [HD_BF16] = 2, [HD_E4M3X2] = 2, [HD_E5M2X2] = 2, [HD_TF32] = 4,  [HD_BF16X2] = 4,
    [HD_U32] = 4, [HD_S32] = 4,  [HD_B32] = 4,    [HD_F32] = 4,    [HD_F16X2] = 4, [HD_U64] = 8,
    [HD_S64] = 8, [HD_B64] = 8,  [HD_F64] = 8,    [HD_F32X2] = 8,  [HD_PRED] = 0,
};

unsigned hd_type_rows(enum hd_type t)
{
    return t == HD_PRED ? 0 : hd_type_bytes(t) == 8 ? 2 : 1;
}

enum hd_lat_col hd_type_column(enum hd_type t)
{
    return t == HD_F32 || t == HD_F32X2 ? HD_COL_FP32 : t == HD_F64 ? HD_COL_FP64 : HD_COL_INT;
}

static bool is_float(unsigned t)
{
    return t == HD_F16 || t == HD_BF16 || t == HD_F32 || t == HD_F64;
}

static uint16_t min_mods(unsigned t)
{
    return t == HD_F64 ? 0
                       : (uint16_t)(HD_MOD_NAN | HD_MOD_XORSIGN |
                                    (t == HD_BF16 || t == HD_BF16X2 ? 0 : HD_MOD_FTZ));
}

uint16_t hd_op_mods(int op)
{
    const struct hd_op_info *o = &hd_op_info[op];
    bool f32 = o->type == HD_F32 || o->dtype == HD_F32;
    uint16_t ftz = f32 || o->type == HD_F16 || o->dtype == HD_F16 ? HD_MOD_FTZ : 0;

    switch ((enum mods)op_mods[op]) {
    case MODS_NONE:
    case MODS_VIDEO:
    case MODS_WINDOW:
        return 0;
    case MODS_CCI:
    case MODS_CCO:
    case MODS_CCX:
        return 0;
    case MODS_SAT:
    case MODS_SATC:
        return o->type == HD_S32 ? HD_MOD_SAT : 0;
    case MODS_RND:
        return HD_MOD_ROUND | ftz;
    case MODS_APPROX:
    case MODS_TRIG:
    case MODS_HFTZ:
        return HD_MOD_FTZ;
    case MODS_HALF:
        return HD_MOD_ROUND | HD_MOD_FTZ | HD_MOD_SAT;
    case MODS_HFMA:
        return HD_MOD_ROUND | HD_MOD_FTZ | HD_MOD_SAT | HD_MOD_RELU;
    case MODS_BF:
        return HD_MOD_ROUND;
    case MODS_BFMA:
        return HD_MOD_ROUND | HD_MOD_RELU;
    case MODS_TF:
        return HD_MOD_ROUND | HD_MOD_RELU | HD_MOD_FINITE;
    case MODS_TFA:
        return HD_MOD_FINITE;
    case MODS_FP8:
        return HD_MOD_ROUND | HD_MOD_RELU | (hd_type_bytes(o->dtype) == 2 ? HD_MOD_FINITE : 0);
    case MODS_MINF:
    case MODS_MIN3:
        return min_mods(o->type);
    case MODS_REDF:
        return HD_MOD_NAN | HD_MOD_XORSIGN;
    case MODS_FLT2:
        return HD_MOD_ROUND | HD_MOD_FTZ;
    case MODS_MIX:
        return HD_MOD_ROUND | HD_MOD_SAT;
    case MODS_LOP3:
    case MODS_EDGE:
    case MODS_COMP:
    case MODS_QUERY:
        return HD_MOD_ENUM;
    case MODS_PACK:
        return HD_MOD_ROUND | HD_MOD_RELU | HD_MOD_FINITE | (o->dtype == HD_F16X2 ? HD_MOD_SAT : 0);
    case MODS_FLT:
        return (uint16_t)(ftz ? HD_MOD_FTZ | HD_MOD_SAT | HD_MOD_ROUND : HD_MOD_ROUND);
    case MODS_FTZ:
    case MODS_FTZC:
        return ftz;
    case MODS_CMP:
        return HD_MOD_ENUM | HD_MOD_BOOL;
    case MODS_CMPF: // the compared values are flushed
    case MODS_CMPH:
        return HD_MOD_ENUM | HD_MOD_BOOL | (o->type == HD_F64 ? 0 : HD_MOD_FTZ);
    case MODS_CVT:
        return (uint16_t)(HD_MOD_SAT | HD_MOD_ROUND | (f32 ? HD_MOD_FTZ : 0) |
                          (o->type == HD_F32 && (o->dtype == HD_F16 || o->dtype == HD_BF16)
                               ? HD_MOD_RELU | HD_MOD_FINITE
                               : 0));
    case MODS_PRMT:
        return HD_MOD_ENUM;
    case MODS_MEM:
        return (uint16_t)(o->kind == HD_KIND_LOAD ? HD_MOD_A32 | HD_MOD_WIDE | HD_MOD_SIGNED
                                                  : HD_MOD_A32 | HD_MOD_WIDE);
    case MODS_ATOM:
    case MODS_MBAR:
        return HD_MOD_ENUM | HD_MOD_A32;
    }
    return 0;
}

enum hd_carry hd_op_carry(int op)
{
    switch ((enum mods)op_mods[op]) {
    case MODS_CCI:
        return HD_CARRY_IN;
    case MODS_CCO:
        return HD_CARRY_OUT;
    case MODS_CCX:
        return HD_CARRY_THROUGH;
    default:
        return HD_CARRY_NONE;
    }
}

static bool cvt_rounds(const struct hd_op_info *o, enum hd_round r)
{
    bool from = is_float(o->type), to = is_float(o->dtype);

    if (from && !to)
        return r >= HD_RNI;
    if (from && to && o->type == o->dtype) // to an integral value
        return r == HD_RN || r >= HD_RNI;
    bool halves = hd_type_bytes(o->dtype) == 2 && hd_type_bytes(o->type) == 2; // of both kinds
    if (to && (!from || halves || hd_type_bytes(o->dtype) < hd_type_bytes(o->type)))
        return r <= HD_RP;
    return r == HD_RN;
}

bool hd_op_rounds(int op, enum hd_round r)
{
    switch ((enum mods)op_mods[op]) {
    case MODS_FLT2:
    case MODS_MIX:
        return r <= HD_RP;
    case MODS_FLT:
    case MODS_RND:
        return strcmp(hd_op_info[op].name, "div.full") ? r <= HD_RP : r == HD_RN;
    case MODS_PACK:
        return r <= HD_RZ;
    case MODS_TF:
        return r <= HD_RZ;
    case MODS_CVT:
        return cvt_rounds(&hd_op_info[op], r);
    default:
        return r == HD_RN;
    }
}

static bool atom_accepts(unsigned type, unsigned what)
{
    switch (what) {
    case HD_ATOM_ADD:
        return type == HD_U32 || type == HD_S32 || type == HD_U64 || type == HD_F16X2 ||
               type == HD_BF16X2 || is_float(type);
    case HD_ATOM_AND:
    case HD_ATOM_OR:
    case HD_ATOM_XOR:
    case HD_ATOM_EXCH:
        return type == HD_B32 || type == HD_B64;
    case HD_ATOM_CAS:
        return type == HD_B16 || type == HD_B32 || type == HD_B64;
    case HD_ATOM_MIN:
    case HD_ATOM_MAX:
        return type == HD_U32 || type == HD_S32 || type == HD_U64 || type == HD_S64;
    case HD_ATOM_INC:
    case HD_ATOM_DEC:
        return type == HD_U32;
    default:
        return false;
    }
}

static bool query_accepts(int op, unsigned what)
{
    switch (op) {
    case HD_OP_TXQ_B32:
        return what < HD_QUERY_LAYOUT;
    case HD_OP_TXQ_LEVEL_B32:
        return what <= HD_QUERY_DEPTH;
    default: // of a surface
        return what <= HD_QUERY_ARRAY || what == HD_QUERY_LAYOUT;
    }
}

static bool cmp_accepts(unsigned type, unsigned cmp)
{
    switch (type) {
    case HD_B16:
    case HD_B32:
    case HD_B64:
        return cmp <= HD_CMP_NE;
    case HD_S16:
    case HD_S32:
    case HD_S64:
        return cmp <= HD_CMP_GE;
    case HD_U16:
    case HD_U32:
    case HD_U64:
        return cmp <= HD_CMP_HS;
    default:
        return cmp <= HD_CMP_GE || (cmp >= HD_CMP_EQU && cmp < HD_N_CMPS);
    }
}

bool hd_op_accepts(int op, unsigned low_byte)
{
    switch ((enum mods)op_mods[op]) {
    case MODS_CMP:
    case MODS_CMPF:
    case MODS_CMPH:
        return cmp_accepts(hd_op_info[op].type, low_byte);
    case MODS_ATOM:
        return atom_accepts(hd_op_info[op].type, low_byte);
    case MODS_MBAR:
        return low_byte <= (HD_MBAR_EXPECT | HD_MBAR_INCOMPLETE | HD_MBAR_PARITY | HD_MBAR_NOINC);
    case MODS_PRMT:
        return low_byte < HD_N_PRMTS;
    case MODS_EDGE:
        return low_byte < HD_N_SURFS;
    case MODS_COMP:
        return low_byte < HD_N_COMPONENTS;
    case MODS_QUERY:
        return query_accepts(op, low_byte);
    case MODS_LOP3:
        return low_byte <= HD_MOD_ENUM;
    default:
        return low_byte == 0;
    }
}

uint64_t hd_window(unsigned space)
{
    switch (space) {
    case HD_SPACE_SHARED:
        return HD_WINDOW_SHARED;
    case HD_SPACE_LOCAL:
        return HD_WINDOW_LOCAL;
    case HD_SPACE_CONST:
        return HD_WINDOW_CONST;
    case HD_SPACE_PARAM:
        return HD_WINDOW_PARAM;
    default:
        return 0;
    }
}

static int find_exact(const char *name, unsigned type, unsigned dtype)
{
    for (int i = 0; i < HD_N_OPS; i++) {
        const struct hd_op_info *o = &hd_op_info[i];
        if (o->type == type && (dtype == HD_TYPE_NONE || o->dtype == dtype) &&
            !strcmp(o->name, name))
            return i;
    }
    return -1;
}

// The type that represents all types of the same size where only bits are moved.
static unsigned bits_of(unsigned t)
{
    switch (hd_type_bytes(t)) {
    case 2:
        return HD_B16;
    case 4:
        return HD_B32;
    case 8:
        return HD_B64;
    default:
        return t;
    }
}

// Mnemonics may contain their types, as dp4a.u32.s32 does. Such an operation is found without a
// type.
static bool ends_in_type(const char *name)
{
    const char *dot = strrchr(name, '.');

    for (int i = 0; dot && hd_type_names[i]; i++)
        if (!strcmp(dot + 1, hd_type_names[i]))
            return true;
    return false;
}

static bool named(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(name, *list))
            return true;
    return false;
}

static bool is_texture(const char *name)
{
    return !strncmp(name, "tex.", 4) || !strncmp(name, "tld4.", 5);
}

static const char *const by_both[] = {"cvt",       "cvt.rna",   "slct",      "set",
                                      "(add.f32)", "(sub.f32)", "(fma.f32)", NULL};

bool hd_op_two_types(const char *name)
{
    return is_texture(name) || named(name, by_both);
}

struct hd_geometry hd_op_geometry(int op)
{
    const char *dot = strrchr(hd_op_info[op].name, '.') + 1;
    bool layered = *dot == 'a', cube = dot[layered] == 'c';

    return (struct hd_geometry){cube ? 3 : (uint8_t)(dot[layered] - '0'), layered, cube};
}

static bool is_half(unsigned t)
{
    return t == HD_F16 || t == HD_F16X2 || t == HD_BF16 || t == HD_BF16X2;
}

int hd_op_find(const char *name, enum hd_type type, enum hd_type dtype)
{
    static const char *const movers[] = {"mov",     "ld",     "st",        "selp",         "cvta",
                                         "cvta.to", "alloca", "stacksave", "stackrestore", NULL};
    unsigned want = hd_op_two_types(name) ? dtype : HD_TYPE_NONE;

    if (is_texture(name) || !strcmp(name, "slct") ||
        (!strcmp(name, "set") && want != HD_F32 && !is_half(want)))
        want = bits_of(want);
    if (type == HD_TYPE_NONE && (ends_in_type(name) || strstr(name, "16x2")))
        type = HD_B32;
    if (type == HD_TYPE_NONE && !strncmp(name, "isspacep.", 9))
        type = HD_B64;
    int op = find_exact(name, type, want);
    if (op >= 0)
        return op;
    if (named(name, movers)) {
        op = find_exact(name, bits_of(type), want);
        if (op >= 0)
            return op;
        if (hd_type_bytes(type) <= 2) // narrow memory elements are numbers: they are extended
            return find_exact(name, hd_type_bytes(type) == 1 ? HD_U8 : HD_U16, want);
    }
    if (!strcmp(name, "shr") && type == bits_of(type)) // shr.b32 shifts zeros in
        return find_exact(name, type == HD_B16 ? HD_U16 : type == HD_B32 ? HD_U32 : HD_U64, want);
    return -1;
}

const char *const *hd_op_mnemonics(void)
{
    // The rows of one mnemonic need not be adjacent in ops.def, so a name may occur more than once.
    static const char *const names[HD_N_OPS + 1] = {
#define HD_OP_ROW(id, name, T, D, shape, kind, unit, lat, mods, ...) name,
#define HD_OP_PLAIN(id, name, shape, kind, unit, lat) name,
#include "isa/ops.def"
        NULL,
    };
    return names;
}
