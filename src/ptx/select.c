// select.c - turns `mul.wide.s32` into HD_OP_MUL_WIDE_S32.
//
// The words of an instruction are looked up in the tables made from isa/ops.def: a modifier that
// continues a mnemonic belongs to it ("mul" + "wide"), names of types are types, and all other
// words are looked up in one table of modifiers here. A new operation is a row in ops.def, a new
// modifier a row here.
//
// Some modifiers are accepted without effect, because they change no value and no timing of the
// model: cache operators except .cg, eviction and prefetch hints, memory order and scope (all
// accesses of a warp are in order), and .nc.
#include "ptx/select.h"

#include "ptx/async_ops.h"
#include "ptx/fragment.h"
#include "ptx/video_ops.h"

#include <string.h>

enum mod_class {
    MOD_CMP,
    MOD_BOOL,
    MOD_ATOM,
    MOD_ROUND,
    MOD_PRMT,
    MOD_FTZ,
    MOD_SAT,
    MOD_NAN,
    MOD_RELU,
    MOD_XORSIGN,
    MOD_ABS,
    MOD_FINITE,
    MOD_COMP,
    MOD_QUERY,
    MOD_VEC,
    MOD_UNI,
    MOD_CG,
    MOD_CACHE,
    MOD_NC,
    MOD_ORDER,
    MOD_SCOPE,
    MOD_HINT,
    MOD_ALIGNED,
    MOD_NOFTZ,
    MOD_PROXY,
    MOD_EDGE,
    MOD_BASE,
    MOD_N_CLASSES
};
#define CAN(class) (1u << MOD_##class)

struct mod_row {
    const char *name;
    uint8_t class, value;
};

// Names that are not in a list of isa/op.h.
static const struct mod_row plain_mods[] = {
    {"ftz", MOD_FTZ, 0},
    {"sat", MOD_SAT, 0},
    {"v2", MOD_VEC, 2},
    {"v4", MOD_VEC, 4},
    {"uni", MOD_UNI, 0},
    {"cg", MOD_CG, 0},
    {"ca", MOD_CACHE, 0},
    {"cs", MOD_CACHE, 0},
    {"lu", MOD_CACHE, 0},
    {"cv", MOD_CACHE, 0},
    {"wb", MOD_CACHE, 0},
    {"wt", MOD_CACHE, 0},
    {"nc", MOD_NC, 0},
    {"weak", MOD_ORDER, 0},
    {"volatile", MOD_ORDER, 1},
    {"relaxed", MOD_ORDER, 1},
    {"acquire", MOD_ORDER, 1},
    {"release", MOD_ORDER, 0},
    {"acq_rel", MOD_ORDER, 0},
    {"sc", MOD_ORDER, 0},
    {"mmio", MOD_ORDER, 1},
    {"cta", MOD_SCOPE, 0},
    {"cluster", MOD_SCOPE, 0},
    {"gpu", MOD_SCOPE, 0},
    {"sys", MOD_SCOPE, 0},
    {"gl", MOD_SCOPE, 0},
    {"aligned", MOD_ALIGNED, 0},
    {"NaN", MOD_NAN, 0},
    {"relu", MOD_RELU, 0},
    {"xorsign", MOD_XORSIGN, 0},
    {"abs", MOD_ABS, 0},
    {"satfinite", MOD_FINITE, 0},
    {"noftz", MOD_NOFTZ, 0},
    {"proxy", MOD_PROXY, 0},
    {"alias", MOD_PROXY, 0},
    {"async", MOD_PROXY, 0},
    {"async::generic", MOD_PROXY, 0},
    {"tensormap::generic", MOD_PROXY, 0},
    {"mbarrier_init", MOD_PROXY, 0},
    {"sync_restrict::shared::cta", MOD_PROXY, 0},
    {"sync_restrict::shared::cluster", MOD_PROXY, 0},
    {"trap", MOD_EDGE, HD_SURF_TRAP},
    {"clamp", MOD_EDGE, HD_SURF_CLAMP},
    {"zero", MOD_EDGE, HD_SURF_ZERO},
    {"base", MOD_BASE, 0},
    {NULL, 0, 0},
};

// The classes of modifiers that an operation may have. hd_op_mods is checked in addition.
static unsigned classes_of(int op)
{
    const struct hd_op_info *o = &hd_op_info[op];

    if (o->shape == HD_SHAPE_TEX) {
        bool gathers = hd_op_mods(op) & HD_MOD_ENUM, plain = !gathers && !strchr(o->name + 4, '.');
        return CAN(VEC) | (gathers ? CAN(COMP) : plain ? CAN(BASE) : 0);
    }
    if (o->shape == HD_SHAPE_QUERY)
        return CAN(QUERY);
    if (o->shape == HD_SHAPE_SULD || o->shape == HD_SHAPE_SUST)
        return CAN(VEC) | CAN(EDGE) | CAN(CACHE) | CAN(CG);
    if (op == HD_OP_MOV_B16 || op == HD_OP_MOV_B32 || op == HD_OP_MOV_B64)
        return CAN(VEC);
    switch (o->kind) {
    case HD_KIND_LOAD:
        return CAN(VEC) | CAN(CG) | CAN(CACHE) | CAN(NC) | CAN(ORDER) | CAN(SCOPE) | CAN(HINT);
    case HD_KIND_STORE:
        return CAN(VEC) | CAN(CG) | CAN(CACHE) | CAN(ORDER) | CAN(SCOPE) | CAN(HINT);
    case HD_KIND_ATOMIC:
        return CAN(ATOM) | CAN(ORDER) | CAN(SCOPE) | CAN(HINT) | CAN(NOFTZ);
    case HD_KIND_MEMBAR:
        return CAN(ORDER) | CAN(SCOPE) | CAN(PROXY);
    case HD_KIND_BRANCH:
    case HD_KIND_RET:
    case HD_KIND_CALL:
        return CAN(UNI);
    case HD_KIND_BARRIER:
        return CAN(ALIGNED) | CAN(SCOPE) | (o->shape == HD_SHAPE_CLUSTER ? CAN(ORDER) : 0);
    default:
        break;
    }
    if (o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET)
        return CAN(CMP) | CAN(BOOL) | CAN(FTZ);
    return CAN(ROUND) | CAN(PRMT) | CAN(FTZ) | CAN(SAT) | CAN(NAN) | CAN(RELU) | CAN(XORSIGN) |
           CAN(ABS) | CAN(FINITE);
}

// Old and new spellings of one operation.
static const char *const aliases[][2] = {
    {"red", "atom"},
    {"barrier", "bar"},
    {"fence", "membar"},
    {"ldu", "ld"}, // the same address in all threads
};

// Every opcode of PTX ISA 9.0, to distinguish "not supported" from "unknown".
static const char *const opcodes[] = {"abs",
                                      "activemask",
                                      "add",
                                      "addc",
                                      "alloca",
                                      "and",
                                      "applypriority",
                                      "atom",
                                      "bar",
                                      "barrier",
                                      "bfe",
                                      "bfi",
                                      "bfind",
                                      "bmsk",
                                      "bra",
                                      "brev",
                                      "brkpt",
                                      "brx",
                                      "call",
                                      "clz",
                                      "clusterlaunchcontrol",
                                      "cnot",
                                      "copysign",
                                      "cos",
                                      "cp",
                                      "createpolicy",
                                      "cvt",
                                      "cvta",
                                      "discard",
                                      "div",
                                      "dp2a",
                                      "dp4a",
                                      "elect",
                                      "ex2",
                                      "exit",
                                      "fence",
                                      "fma",
                                      "fns",
                                      "getctarank",
                                      "griddepcontrol",
                                      "isspacep",
                                      "istypep",
                                      "ld",
                                      "ldmatrix",
                                      "ldu",
                                      "lg2",
                                      "lop3",
                                      "mad",
                                      "mad24",
                                      "madc",
                                      "mapa",
                                      "match",
                                      "max",
                                      "mbarrier",
                                      "membar",
                                      "min",
                                      "mma",
                                      "mov",
                                      "movmatrix",
                                      "mul",
                                      "mul24",
                                      "multimem",
                                      "nanosleep",
                                      "neg",
                                      "not",
                                      "or",
                                      "pmevent",
                                      "popc",
                                      "prefetch",
                                      "prefetchu",
                                      "prmt",
                                      "rcp",
                                      "red",
                                      "redux",
                                      "rem",
                                      "ret",
                                      "rsqrt",
                                      "sad",
                                      "selp",
                                      "set",
                                      "setmaxnreg",
                                      "setp",
                                      "shf",
                                      "shfl",
                                      "shl",
                                      "shr",
                                      "sin",
                                      "slct",
                                      "sqrt",
                                      "st",
                                      "stackrestore",
                                      "stacksave",
                                      "stmatrix",
                                      "sub",
                                      "subc",
                                      "suld",
                                      "suq",
                                      "sured",
                                      "sust",
                                      "szext",
                                      "tanh",
                                      "tcgen05",
                                      "testp",
                                      "tensormap",
                                      "tex",
                                      "tld4",
                                      "trap",
                                      "txq",
                                      "vabsdiff",
                                      "vabsdiff2",
                                      "vabsdiff4",
                                      "vadd",
                                      "vadd2",
                                      "vadd4",
                                      "vavrg2",
                                      "vavrg4",
                                      "vmad",
                                      "vmax",
                                      "vmax2",
                                      "vmax4",
                                      "vmin",
                                      "vmin2",
                                      "vmin4",
                                      "vote",
                                      "vset",
                                      "vset2",
                                      "vset4",
                                      "vshl",
                                      "vshr",
                                      "vsub",
                                      "vsub2",
                                      "vsub4",
                                      "wgmma",
                                      "wmma",
                                      "xor",
                                      NULL};

// Types of PTX that heddle does not support.
static const char *const other_types[] = {
    "b128",   "b1024",  "e4m3",   "e5m2",   "e2m1",   "e2m3",   "e3m2",    "ue8m0",  "ue4m3",
    "u16x2",  "s16x2",  "u8x4",   "s8x4",   "u4",     "s4",     "b1",      "e2m1x2", "e2m1x4",
    "e2m3x2", "e2m3x4", "e3m2x2", "e3m2x4", "e4m3x4", "e5m2x4", "ue8m0x2", NULL};

struct sorting { // the words of one instruction, while they are being sorted
    const struct hd_select_from *from;
    const struct hd_ast_insn *in;
    struct hd_select *out;
    uint8_t types[3];
    unsigned n_types;
    bool pair;                         // .b128
    const struct hd_ast_mod *rest[16]; // modifiers that are neither name, type nor space
    unsigned n_rest;
};

static struct hd_diag_entry *complain(const struct sorting *s, struct hd_place_at at,
                                      const char *text, struct hd_slice what)
{
    struct hd_diag_entry *e =
        hd_diag_add(s->from->diag, s->from->path, at.line, at.column, "'%s': ", s->out->name);
    size_t n = strlen(e->text);

    snprintf(e->text + n, sizeof e->text - n, "%s '.%.*s'", text, HD_SLICE_ARG(what));
    return e;
}

static int find_name(struct hd_slice word, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (names[i][0] && hd_lex_is(word, names[i]))
            return i;
    return -1;
}

// Whether `name` is a mnemonic, or the beginning of one up to a dot.
static bool begins_mnemonic(const char *name, bool *whole)
{
    size_t n = strlen(name);
    bool begins = false;

    *whole = false;
    for (const char *const *m = hd_op_mnemonics(); *m; m++)
        if ((*m)[0] == name[0] && !strncmp(*m, name, n) && ((*m)[n] == '\0' || (*m)[n] == '.')) {
            begins = true;
            *whole |= (*m)[n] == '\0';
        }
    return begins;
}

static bool extend_name(struct hd_select *out, struct hd_slice mod)
{
    char longer[sizeof out->name];
    bool shared = hd_lex_is(mod, "shared::cta") || hd_lex_is(mod, "shared::cluster"), whole;
    bool param = hd_lex_is(mod, "param::entry");
    int n = snprintf(longer, sizeof longer, "%s.%.*s", out->name,
                     (int)(shared       ? 6
                           : param      ? 5
                           : mod.n < 48 ? mod.n
                                        : 48),
                     mod.s);

    if (n < 0 || (size_t)n >= sizeof longer || !begins_mnemonic(longer, &whole))
        return false;
    memcpy(out->name, longer, (size_t)n + 1);
    return true;
}

// .global, .shared::cta, .shared::cluster, .param::entry
static bool take_space(struct hd_select *out, struct hd_slice mod)
{
    struct hd_slice word = mod;
    int space;

    if (hd_lex_is(mod, "shared::cta") || hd_lex_is(mod, "shared::cluster"))
        word.n = 6; // a cluster has one block
    else if (hd_lex_is(mod, "param::entry") || hd_lex_is(mod, "param::func"))
        word.n = 5;
    space = find_name(word, hd_space_names);
    if (space < HD_SPACE_GLOBAL || space > HD_SPACE_PARAM)
        return false;
    out->space = (uint8_t)space;
    return true;
}

// vote.ballot.sync and vote.sync.ballot are the same, and so are match.any.sync and match.sync.any:
// `sync` goes first where it may, otherwise last.
static const struct hd_ast_mod *sync_first(struct sorting *s)
{
    const struct hd_ast_insn *in = s->in;

    for (uint32_t i = 0; i < in->n_mods && strcmp(s->out->name, "bar") != 0; i++) {
        const struct hd_ast_mod *m = &s->from->ast->mods[in->mods + i];
        if (hd_lex_is(m->text, "sync") && extend_name(s->out, m->text))
            return m;
    }
    return NULL;
}

// .b128 of moves, loads and stores: two registers of 64 bits.
static bool take_b128(struct sorting *s, struct hd_slice word)
{
    const char *name = s->out->name;
    bool moves = !strcmp(name, "mov") || !strcmp(name, "ld") || !strcmp(name, "st");

    if (!moves || s->n_types || !hd_lex_is(word, "b128"))
        return false;
    s->types[s->n_types++] = HD_B64;
    return s->pair = true;
}

static bool sort_words(struct sorting *s)
{
    const struct hd_ast_insn *in = s->in;
    const struct hd_ast_mod *sync = sync_first(s), *last = NULL;

    for (uint32_t i = 0; i < in->n_mods; i++) {
        const struct hd_ast_mod *m = &s->from->ast->mods[in->mods + i];
        int type;

        if (m == sync || extend_name(s->out, m->text))
            continue;
        if (!last && hd_lex_is(m->text, "sync")) {
            last = m;
            continue;
        }
        if (take_b128(s, m->text))
            continue;
        if (find_name(m->text, other_types) >= 0) {
            complain(s, m->place, "unsupported type", m->text);
            return false;
        }
        if ((type = find_name(m->text, hd_type_names)) >= 0 && s->n_types < 3) {
            s->types[s->n_types++] = (uint8_t)type;
        } else if (type < 0 && s->out->space == HD_SPACE_NONE && take_space(s->out, m->text)) {
            continue;
        } else if (type < 0 && s->n_rest < sizeof s->rest / sizeof *s->rest) {
            s->rest[s->n_rest++] = m;
        } else {
            complain(s, m->place, "unexpected", m->text);
            return false;
        }
    }
    if (last && !extend_name(s->out, last->text)) {
        complain(s, last->place, "unsupported modifier", last->text);
        return false;
    }
    return true;
}

static bool start_name(struct sorting *s)
{
    struct hd_slice op = s->in->op;
    bool whole;

    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (hd_lex_is(op, aliases[i][0])) {
            s->out->reduces = i == 0;
            op = (struct hd_slice){aliases[i][1], (uint32_t)strlen(aliases[i][1])};
        }
    snprintf(s->out->name, sizeof s->out->name, "%.*s", (int)(op.n < 47 ? op.n : 47), op.s);
    if (op.n < 48 && begins_mnemonic(s->out->name, &whole))
        return true;
    bool known = find_name(op, opcodes) >= 0;
    struct hd_diag_entry *e =
        hd_diag_add(s->from->diag, s->from->path, s->in->place.line, s->in->place.column,
                    known ? "instruction '%.*s' is not supported" : "unknown instruction '%.*s'",
                    HD_SLICE_ARG(op));
    if (!known)
        hd_diag_nearest(e, s->out->name, opcodes);
    return false;
}

// A hint with the types for which the operation exists.
static void hint_types(const struct sorting *s, struct hd_diag_entry *e)
{
    char list[120] = "";
    size_t n = 0;
    int last = -1;

    for (int i = 0; i < HD_N_OPS; i++) {
        const struct hd_op_info *o = &hd_op_info[i];
        if (strcmp(o->name, s->out->name) != 0 || o->type == last || o->type >= HD_N_TYPES)
            continue;
        last = o->type;
        char one[16];
        int k = snprintf(one, sizeof one, " .%s", hd_type_names[o->type]);
        if (!strstr(list, one) && n + (size_t)k < sizeof list) {
            memcpy(list + n, one, (size_t)k + 1);
            n += (size_t)k;
        }
    }
    if (n)
        hd_diag_hint(e, "supported types:%s", list);
}

// A hint with the longer names that exist for the type, as for `mul` on .s32.
static void hint_longer(const struct sorting *s, struct hd_diag_entry *e, enum hd_type type)
{
    size_t n = strlen(s->out->name);

    for (const char *const *m = hd_op_mnemonics(); *m; m++)
        if (!strncmp(*m, s->out->name, n) && (*m)[n] == '.' &&
            hd_op_find(*m, type, HD_TYPE_NONE) >= 0) {
            hd_diag_hint(e, "for example '%s.%s'", *m, hd_type_names[type]);
            return;
        }
    hint_types(s, e);
}

// Forms that share a mnemonic and differ in their operands: min and max of three, and sums of f32
// with halves, which have two types. The operations have names that PTX cannot have.
static void tell_apart(struct sorting *s)
{
    static const char *const mixed[] = {"add", "sub", "fma"};
    char *name = s->out->name;
    bool three = s->in->n_operands == 4 && s->n_types == 1 && s->types[0] == HD_F32;
    bool halves = s->n_types == 2 && s->types[0] == HD_F32 &&
                  (s->types[1] == HD_F16 || s->types[1] == HD_BF16);

    if (three && (!strcmp(name, "min") || !strcmp(name, "max")))
        snprintf(name, sizeof s->out->name, "(m%s3)", name[1] == 'i' ? "in" : "ax");
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed && halves; i++)
        if (!strcmp(name, mixed[i])) {
            snprintf(name, sizeof s->out->name, "(%s.f32)", mixed[i]);
            return;
        }
}

static bool find_op(struct sorting *s)
{
    struct hd_select *out = s->out;
    bool whole;

    tell_apart(s);
    enum hd_type type = s->n_types ? s->types[s->n_types - 1] : HD_TYPE_NONE;
    enum hd_type dtype = s->n_types == 2 ? s->types[0] : HD_TYPE_NONE;
    begins_mnemonic(out->name, &whole);
    if (!whole) { // only the beginning of mnemonics: `bar.red`, or `bar` alone
        const struct hd_slice word = s->n_rest ? s->rest[0]->text : (struct hd_slice){"", 0};
        struct hd_diag_entry *e =
            hd_diag_add(s->from->diag, s->from->path, s->in->place.line, s->in->place.column,
                        word.n ? "'%s.%.*s' is not supported" : "'%s%.*s' needs a modifier",
                        out->name, HD_SLICE_ARG(word));
        for (const char *const *m = hd_op_mnemonics(); *m; m++)
            if (!strncmp(*m, out->name, strlen(out->name)) && (*m)[strlen(out->name)] == '.') {
                hd_diag_hint(e, "for example '%s'", *m);
                break;
            }
        return false;
    }
    out->op = hd_op_find(out->name, type, dtype);
    bool both = hd_op_two_types(out->name);
    if (out->op < 0 ||
        (s->n_types == 2) != both) { // operations without a type are found without one
        struct hd_diag_entry *e =
            hd_diag_add(s->from->diag, s->from->path, s->in->place.line, s->in->place.column,
                        both && s->n_types < 2 ? "'%s' needs two types"
                        : s->n_types == 0      ? "'%s' needs a type"
                        : s->n_types == 1      ? "'%s' on type '.%s' is not supported"
                        : s->n_types == 3      ? "'%s' on these three types is not supported"
                                               : "'%s' on types '.%s.%s' is not supported",
                        out->name, hd_type_names[s->types[0]], hd_type_names[s->types[1]]);
        if (both && s->n_types < 2)
            hd_diag_hint(e, "of the destination and of the source, as in '%s.u32.s32'", out->name);
        else
            hint_longer(s, e, type);
        return false;
    }
    const struct hd_op_info *o = &hd_op_info[out->op];
    out->relaxed = !strcmp(out->name, "cvt");
    out->type = type == HD_TYPE_NONE ? o->type : (uint8_t)type;
    type = out->type;
    out->dtype = both ? s->types[0] : o->type == o->dtype ? (uint8_t)type : o->dtype;
    return true;
}

// The class of a modifier for this operation; *value is its meaning in that class.
static int classify(int op, struct hd_slice word, unsigned *value)
{
    static const char *const bools[] = {"", "and", "or", "xor", NULL};
    static const struct {
        const char *const *names;
        uint8_t class;
    } lists[] = {{hd_cmp_names, MOD_CMP},     {bools, MOD_BOOL},
                 {hd_atom_names, MOD_ATOM},   {hd_round_names, MOD_ROUND},
                 {hd_query_names, MOD_QUERY}, {hd_component_names, MOD_COMP},
                 {hd_prmt_names, MOD_PRMT}};
    unsigned can = classes_of(op);

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        int at = can >> lists[i].class & 1 ? find_name(word, lists[i].names) : -1;
        if (at >= 0) {
            *value = (unsigned)at;
            return lists[i].class;
        }
    }
    for (const struct mod_row *m = plain_mods; m->name; m++)
        if (hd_lex_is(word, m->name) && (can >> m->class & 1)) {
            *value = m->value;
            return m->class;
        }
    if ((can & CAN(HINT)) && word.n > 4 &&
        (!memcmp(word.s, "L1::", 4) || !memcmp(word.s, "L2::", 4)))
        return MOD_HINT;
    return -1;
}

// Whether .abs needs no .xorsign: the least or greatest of three, or of a warp.
static bool abs_alone(int op)
{
    return op == HD_OP_MIN3_F32 || op == HD_OP_MAX3_F32 || op == HD_OP_REDUX_MIN_F32 ||
           op == HD_OP_REDUX_MAX_F32;
}

// Enter one modifier. Returns false if the operation does not have it.
static bool apply(struct hd_select *out, int class, unsigned value)
{
    uint16_t honours = hd_op_mods(out->op);

    switch (class) {
    case MOD_CMP:
    case MOD_ATOM:
    case MOD_PRMT:
    case MOD_EDGE:
    case MOD_QUERY:
    case MOD_COMP:
        out->mods |= (uint16_t)value;
        return (honours & HD_MOD_ENUM) && hd_op_accepts(out->op, value);
    case MOD_BOOL:
        out->mods |= (uint16_t)(value << HD_MOD_BOOL_SHIFT);
        out->combines = true;
        return (honours & HD_MOD_BOOL) != 0;
    case MOD_ROUND:
        out->mods |= (uint16_t)(value << HD_MOD_ROUND_SHIFT);
        return hd_op_rounds(out->op, (enum hd_round)value);
    case MOD_FTZ:
        out->mods |= HD_MOD_FTZ;
        return (honours & HD_MOD_FTZ) != 0;
    case MOD_SAT:
        out->mods |= HD_MOD_SAT;
        return (honours & HD_MOD_SAT) != 0;
    case MOD_VEC:
        out->vec = (uint8_t)value;
        return true;
    case MOD_UNI:
        out->uniform = true;
        return true;
    case MOD_CG:
        out->no_l1 = true;
        return true;
    case MOD_NAN:
        out->mods |= HD_MOD_NAN;
        return (honours & HD_MOD_NAN) != 0;
    case MOD_RELU:
        out->mods |= HD_MOD_RELU;
        return (honours & HD_MOD_RELU) && hd_op_info[out->op].kind == HD_KIND_ALU;
    case MOD_FINITE:
        out->mods |= HD_MOD_FINITE;
        return (honours & HD_MOD_FINITE) && !(honours & HD_MOD_NAN);
    case MOD_XORSIGN:
        out->mods |= HD_MOD_XORSIGN;
        return (honours & HD_MOD_NAN) && !abs_alone(out->op);
    case MOD_ABS: // .xorsign.abs, or .abs
        if (abs_alone(out->op)) {
            out->mods |= HD_MOD_XORSIGN;
            return true;
        }
        return (honours & HD_MOD_NAN) && (out->mods & HD_MOD_XORSIGN);
    case MOD_ORDER:
        if (value && hd_op_info[out->op].shape == HD_SHAPE_LD)
            out->mods |= HD_MOD_STRONG;
        return true;
    default:
        return class >= 0;
    }
}

// A hint about a modifier that the operation does not have: the types for which it has the
// modifier, or the most similar modifier.
static void hint_modifier(const struct sorting *s, struct hd_diag_entry *e, struct hd_slice word)
{
    const char *names[96];
    char list[100] = "";
    size_t n = 0, length = 0;
    unsigned value;

    for (int i = 0; i < HD_N_OPS && length < sizeof list - 8 && !s->out->relaxed; i++) {
        const struct hd_op_info *o = &hd_op_info[i];
        struct hd_select probe = {.op = i, .type = o->type};
        int class = strcmp(o->name, s->out->name) == 0 ? classify(i, word, &value) : -1;
        if (class >= 0 && o->type < HD_N_TYPES && apply(&probe, class, value))
            length += (size_t)snprintf(list + length, sizeof list - length, " .%s",
                                       hd_type_names[o->type]);
    }
    if (length) {
        hd_diag_hint(e, "it is there on type%s", list);
        return;
    }
    unsigned can = classes_of(s->out->op);
    for (const struct mod_row *m = plain_mods; m->name; m++)
        if (can >> m->class & 1)
            names[n++] = m->name;
    for (int i = 0; hd_cmp_names[i] && (can & CAN(CMP)); i++)
        names[n++] = hd_cmp_names[i];
    for (int i = 0; hd_atom_names[i] && (can & CAN(ATOM)); i++)
        names[n++] = hd_atom_names[i];
    for (unsigned i = 0; hd_query_names[i] && (can & CAN(QUERY)); i++)
        if (hd_op_accepts(s->out->op, i))
            names[n++] = hd_query_names[i];
    for (int i = 0; hd_component_names[i] && (can & CAN(COMP)); i++)
        names[n++] = hd_component_names[i];
    for (int i = 0; hd_round_names[i] && (can & CAN(ROUND)); i++)
        if (hd_op_rounds(s->out->op, (enum hd_round)i))
            names[n++] = hd_round_names[i];
    names[n] = NULL;
    hd_diag_nearest(e, hd_arena_strndup(s->from->arena, word.s, word.n), names);
}

static bool apply_rest(struct sorting *s)
{
    const struct hd_op_info *o = &hd_op_info[s->out->op];
    unsigned can = classes_of(s->out->op), seen = 0, value;

    for (unsigned i = 0; i < s->n_rest; i++) {
        const struct hd_ast_mod *m = s->rest[i];
        int class = classify(s->out->op, m->text, &value);

        if (class < 0 || !apply(s->out, class, value)) {
            hint_modifier(s, complain(s, m->place, "unsupported modifier", m->text), m->text);
            return false;
        }
        if (class <= MOD_VEC && (seen >> class & 1)) {
            complain(s, m->place, "one modifier too many:", m->text);
            return false;
        }
        seen |= 1u << class;
        s->out->hinted |= hd_lex_is(m->text, "L2::cache_hint");
    }
    bool compares = o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET;
    const char *missing = NULL;

    if (s->pair && s->out->vec != 1) {
        hd_select_complain(s->from, s->in, s->out, "there are no vectors of type '.b128'");
        return false;
    }
    if (s->pair)
        s->out->vec = 2;

    if (compares && !(seen & CAN(CMP)))
        missing = "a comparison such as .lt";
    else if (o->kind == HD_KIND_ATOMIC && !(seen & CAN(ATOM)))
        missing = "an operation such as .add";
    else if (o->shape == HD_SHAPE_QUERY && !(seen & CAN(QUERY)))
        missing = "an attribute such as .width";
    else if (can & CAN(COMP) && !(seen & CAN(COMP)))
        missing = "a component such as .r";
    if (missing)
        hd_diag_add(s->from->diag, s->from->path, s->in->place.line, s->in->place.column,
                    "'%s' needs %s", s->out->name, missing);
    return !missing;
}

// Textures have a space of their own; surfaces are accessed like global memory.
static void take_object_space(struct hd_select *out, unsigned shape, const char **wrong)
{
    if (out->space != HD_SPACE_NONE)
        *wrong = "does not take a state space";
    else if (shape == HD_SHAPE_TEX && out->vec != 4)
        *wrong = "needs .v4";
    out->space = shape == HD_SHAPE_TEX || shape == HD_SHAPE_QUERY ? HD_SPACE_TEX : HD_SPACE_GLOBAL;
}

static bool check_space(struct sorting *s)
{
    struct hd_select *out = s->out;
    const struct hd_op_info *o = &hd_op_info[out->op];
    bool memory = o->kind == HD_KIND_LOAD || o->kind == HD_KIND_STORE || o->kind == HD_KIND_ATOMIC;
    bool converts = !strcmp(out->name, "cvta") || !strcmp(out->name, "cvta.to");
    const char *wrong = NULL;

    if (o->kind == HD_KIND_MEMBAR) // a proxy of one space
        out->space = HD_SPACE_NONE;
    else if (!memory && !converts)
        wrong = out->space != HD_SPACE_NONE ? "does not take a state space" : NULL;
    else if (converts)
        wrong = out->space == HD_SPACE_NONE ? "needs a state space such as .global" : NULL;
    else if (o->shape == HD_SHAPE_TEX || o->shape == HD_SHAPE_QUERY || o->shape == HD_SHAPE_SULD ||
             o->shape == HD_SHAPE_SUST)
        take_object_space(out, o->shape, &wrong);
    else if (out->space == HD_SPACE_NONE)
        out->space = HD_SPACE_GENERIC;
    if (o->kind == HD_KIND_STORE && out->space == HD_SPACE_CONST)
        wrong = "cannot write to .const";
    if (o->kind == HD_KIND_ATOMIC && (out->space == HD_SPACE_CONST ||
                                      out->space == HD_SPACE_PARAM || out->space == HD_SPACE_LOCAL))
        wrong = "works on .global and .shared only";
    if (wrong)
        hd_diag_add(s->from->diag, s->from->path, s->in->place.line, s->in->place.column, "'%s' %s",
                    out->name, wrong);
    return !wrong;
}

bool hd_select_op(const struct hd_select_from *from, const struct hd_ast_insn *in,
                  struct hd_select *out)
{
    struct sorting s = {.from = from, .in = in, .out = out, .types = {HD_TYPE_NONE, HD_TYPE_NONE}};

    memset(out, 0, sizeof *out);
    out->vec = 1;
    if (hd_fragment_named(in->op))
        return hd_fragment_select(from, in, out);
    if (hd_async_ops_named(in->op))
        return hd_async_ops_select(from, in, out);
    if (hd_video_ops_named(in->op))
        return hd_video_ops_select(from, in, out);
    return start_name(&s) && sort_words(&s) && find_op(&s) && apply_rest(&s) && check_space(&s);
}
