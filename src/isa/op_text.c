// op_text.c - disassembly: one decoded instruction as PTX-like text.
//
// Registers appear as their rows (r7; rd8 for a pair), since decoding drops the names, constants as
// values, and branch targets as PCs.
#include "isa/matrix.h"
#include "isa/video.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct out {
    char *buf;
    size_t size, n;
};

__attribute__((format(printf, 2, 3))) static void put(struct out *o, const char *fmt, ...)
{
    va_list ap;

    if (o->n + 1 >= o->size)
        return;
    va_start(ap, fmt);
    int n = vsnprintf(o->buf + o->n, o->size - o->n, fmt, ap);
    va_end(ap);
    if (n > 0)
        o->n += (size_t)n;
    if (o->n >= o->size)
        o->n = o->size - 1;
}

static void put_pred(struct out *o, int32_t q)
{
    if (q == HD_PRED_TRUE)
        put(o, "true");
    else
        put(o, "%sp%u", (uint32_t)q & HD_PRED_NOT ? "!" : "", (uint32_t)q & ~HD_PRED_NOT);
}

static void put_row(struct out *o, const struct hd_program *p, int32_t row, unsigned type)
{
    bool pair = hd_type_rows(type) == 2;

    if (row == HD_ROW_NONE) {
        put(o, "_");
    } else if (row >= 0) {
        put(o, pair ? "rd%d" : "r%d", row);
    } else {
        const uint32_t *w = p->pool + (size_t)(-1 - row) * HD_LANES;
        uint64_t v = pair ? w[0] | (uint64_t)w[1] << 32 : w[0];
        if (type == HD_F32)
            put(o, "0f%08" PRIX32, w[0]);
        else if (type == HD_F64)
            put(o, "0d%016" PRIX64, v);
        else if (type == HD_S16 || type == HD_S32)
            put(o, "%" PRId32, (int32_t)w[0]);
        else if (type == HD_S64)
            put(o, "%" PRId64, (int64_t)v);
        else
            put(o, "%" PRIu64, v);
    }
}

static void put_vec(struct out *o, const struct hd_program *p, const struct hd_insn *in, int32_t at,
                    unsigned type)
{
    if (in->mods & HD_MOD_WIDE)
        type = HD_B64;
    if (in->vec <= 1) {
        put_row(o, p, at, type);
        return;
    }
    put(o, "{");
    for (unsigned i = 0; i < in->vec; i++) {
        put(o, i ? ", " : "");
        put_row(o, p, p->vecs[at][i], type);
    }
    put(o, "}");
}

static void put_address(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put(o, "[");
    if (in->src[0] == HD_ROW_NONE) {
        put(o, "%" PRId64, in->imm);
    } else {
        put_row(o, p, in->src[0], in->mods & HD_MOD_A32 ? HD_B32 : HD_B64);
        if (in->imm)
            put(o, "%+" PRId64, in->imm);
    }
    put(o, "]");
}

// Modifiers of floating-point arithmetic and conversions.
static void put_arithmetic(struct out *o, unsigned mods, unsigned may, bool alone)
{
    bool chooses = may & HD_MOD_NAN;

    if (mods & HD_MOD_NAN)
        put(o, ".NaN");
    if (mods & HD_MOD_RELU)
        put(o, ".relu");
    if (mods & HD_MOD_XORSIGN)
        put(o, alone ? ".abs" : chooses ? ".xorsign.abs" : ".satfinite");
}

static void put_mnemonic(struct out *o, const struct hd_insn *in)
{
    const struct hd_op_info *info = &hd_op_info[in->op];
    uint16_t may = hd_op_mods(in->op);
    unsigned low = in->mods & HD_MOD_ENUM;
    unsigned round = (in->mods & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT;
    bool memory =
        info->shape == HD_SHAPE_LD || info->shape == HD_SHAPE_ST || info->shape == HD_SHAPE_ATOM;

    put(o, "%s", info->name);
    if (memory)
        put(o, ".%s", hd_space_names[in->space]);
    bool compares = info->shape == HD_SHAPE_PAB || info->shape == HD_SHAPE_SET;
    if (compares && low < HD_N_CMPS)
        put(o, ".%s", hd_cmp_names[low]);
    if (info->shape == HD_SHAPE_QUERY && low < HD_N_QUERIES)
        put(o, ".%s", hd_query_names[low]);
    if (info->shape == HD_SHAPE_TEX && may & HD_MOD_ENUM && low < HD_N_COMPONENTS)
        put(o, ".%s", hd_component_names[low]);
    if (info->shape == HD_SHAPE_MBAR)
        put(o, "%s%s%s%s.%s", low & HD_MBAR_EXPECT ? ".expect_tx" : "",
            low & HD_MBAR_INCOMPLETE ? ".noComplete" : "", low & HD_MBAR_PARITY ? ".parity" : "",
            low & HD_MBAR_NOINC ? ".noinc" : "", hd_space_names[in->space]);
    if (info->shape == HD_SHAPE_ATOM && low < HD_N_ATOMS)
        put(o, ".%s", hd_atom_names[low]);
    if (memory && in->vec > 1)
        put(o, ".v%u", in->vec);
    if (may & HD_MOD_ROUND && (round || !hd_op_rounds(in->op, HD_RNI)))
        put(o, ".%s", hd_round_names[round]);
    if (!memory && may & in->mods & HD_MOD_FTZ)
        put(o, ".ftz");
    if (!memory && may & in->mods & HD_MOD_SAT)
        put(o, ".sat");
    if (info->kind == HD_KIND_ALU && !compares)
        put_arithmetic(o, may & in->mods, may,
                       info->shape == HD_SHAPE_DABC || info->shape == HD_SHAPE_REDUX);
    if (compares && in->mods & HD_MOD_BOOL) {
        static const char *const names[] = {"", ".and", ".or", ".xor"};
        put(o, "%s", names[(in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT & 3]);
    }
    if (info->shape == HD_SHAPE_SLCT || info->shape == HD_SHAPE_SET ||
        (may & HD_MOD_ROUND && info->dtype != info->type))
        put(o, ".%s", hd_type_names[info->dtype]);
    if (info->type != HD_TYPE_NONE)
        put(o, ".%s", hd_type_names[info->type]);
    if (in->op == HD_OP_PRMT_B32 && low > 0 && low < HD_N_PRMTS)
        put(o, ".%s", hd_prmt_names[low]);
}

// A destination register and its sources. The pattern of the shape says what type each source has.
static void put_values(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_op_info *info = &hd_op_info[in->op];
    const char *letter = hd_op_patterns[info->shape] + 1; // the first is the destination

    put_row(o, p, in->dst, info->dtype);
    for (int i = 0; *letter == 'A' || *letter == 'N' || *letter == 'X'; i++, letter++) {
        int32_t row = i < 3 ? in->src[i] : (int32_t)in->imm;
        if (row == HD_ROW_NONE)
            continue;
        put(o, ", ");
        put_row(o, p, row,
                *letter == 'A'   ? info->type
                : *letter == 'X' ? info->dtype
                                 : (unsigned)HD_U32);
    }
}

static void put_setp(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_op_info *info = &hd_op_info[in->op];
    uint32_t dst = (uint32_t)in->dst;

    put(o, "p%u", dst & 0xffff);
    if (dst >> 16 != 0xffff)
        put(o, "|p%u", dst >> 16);
    for (int i = 0; i < 2; i++) {
        put(o, ", ");
        put_row(o, p, in->src[i], info->type);
    }
    if (in->mods & HD_MOD_BOOL) {
        put(o, ", ");
        put_pred(o, in->src[2]);
    }
}

static void put_dest(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    if (hd_op_info[in->op].dtype == HD_PRED)
        put(o, "p%d", in->dst);
    else
        put_row(o, p, in->dst, hd_op_info[in->op].dtype);
}

// Rows that follow a destination. Missing operands are skipped.
static void put_more(struct out *o, const struct hd_program *p, const int32_t *rows, unsigned n,
                     unsigned type)
{
    for (unsigned i = 0; i < n; i++)
        if (rows[i] != HD_ROW_NONE) {
            put(o, ", ");
            put_row(o, p, rows[i], i ? HD_U32 : type);
        }
}

// Operations across lanes: activemask, redux.
static void put_across(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_dest(o, p, in);
    put_more(o, p, in->src, 2, HD_B32);
}

static void put_vote(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_dest(o, p, in);
    put(o, ", ");
    put_pred(o, in->src[0]);
    put_more(o, p, in->src + 1, 1, HD_B32);
}

static void put_barrier(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->src[0], HD_U32);
    put_more(o, p, in->src + 1, 1, HD_U32);
}

static void put_barred(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_dest(o, p, in);
    put_more(o, p, in->src, 2, HD_U32);
    put(o, ", ");
    put_pred(o, in->src[2]);
}

// register|predicate, sources, member mask
static void put_pair(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_op_info *info = &hd_op_info[in->op];

    put_row(o, p, in->dst, HD_B32);
    if (HD_WARP_PRED(in->imm) != HD_PRED_TRUE)
        put(o, "|p%u", HD_WARP_PRED(in->imm));
    put_more(o, p, in->src, 3, info->type == HD_TYPE_NONE ? HD_B32 : info->type);
    if (info->shape == HD_SHAPE_SHFL)
        put_more(o, p, (int32_t[]){HD_WARP_ROW(in->imm)}, 1, HD_B32);
}

static void put_source(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->src[0], HD_B32);
}

// The rows of a vector up to the first that is missing.
static void put_given(struct out *o, const struct hd_program *p, int32_t at, unsigned type)
{
    put(o, "{");
    for (unsigned i = 0; i < 4 && p->vecs[at][i] != HD_ROW_NONE; i++) {
        put(o, i ? ", " : "");
        put_row(o, p, p->vecs[at][i], type);
    }
    put(o, "}");
}

// [object, {coordinates}], and the data that is read or written.
static void put_object(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_op_info *info = &hd_op_info[in->op];
    unsigned type = info->shape == HD_SHAPE_TEX ? info->type : HD_B32;

    if (info->shape != HD_SHAPE_SUST) {
        put_vec(o, p, in, in->dst, info->dtype);
        if (info->shape == HD_SHAPE_TEX && HD_WARP_PRED(in->imm) != HD_PRED_TRUE)
            put(o, "|p%u", HD_WARP_PRED(in->imm));
        put(o, ", ");
    }
    put(o, "[");
    put_row(o, p, in->src[0], HD_B64);
    put(o, ", ");
    put_given(o, p, in->src[1], type);
    put(o, "]");
    if (info->shape == HD_SHAPE_SUST) {
        put(o, ", ");
        put_vec(o, p, in, in->src[2], info->type);
    } else if (info->shape == HD_SHAPE_TEX) {
        put_more(o, p, in->src + 2, 1, info->type);
        if (HD_WARP_ROW(in->imm) != HD_ROW_NONE) {
            put(o, ", ");
            put_given(o, p, HD_WARP_ROW(in->imm), HD_S32);
        }
    }
}

// [object] of a query.
static void put_query(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_dest(o, p, in);
    put(o, ", [");
    put_row(o, p, in->src[0], HD_B64);
    put(o, "]");
    put_more(o, p, in->src + 1, 1, HD_U32);
}

// testp, isspacep, set.
static void put_tests(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_op_info *info = &hd_op_info[in->op];

    put_dest(o, p, in);
    for (int i = 0; i < (info->shape == HD_SHAPE_PA ? 1 : 2); i++) {
        put(o, ", ");
        put_row(o, p, in->src[i], info->type);
    }
    if (info->shape == HD_SHAPE_SET && in->mods & HD_MOD_BOOL) {
        put(o, ", ");
        put_pred(o, in->src[2]);
    }
}

// (results), function, (arguments): each a row, or an offset in the caller's local memory.
static void put_args(struct out *o, const struct hd_program *p, const struct hd_arg *args,
                     unsigned n)
{
    put(o, "(");
    for (unsigned i = 0; i < n; i++) {
        put(o, i ? ", " : "");
        if (args[i].row != HD_ROW_NONE)
            put_row(o, p, args[i].row, args[i].bytes == 8 ? HD_B64 : HD_B32);
        else
            put(o, "[%" PRIu32 "]", args[i].offset);
    }
    put(o, ")");
}

static void put_call(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_call *c = &p->calls[in->imm];

    if (c->n_rets) {
        put_args(o, p, c->args, c->n_rets);
        put(o, ", ");
    }
    if (c->builtin != HD_BUILTIN_NONE)
        put(o, "%s", hd_builtin_info[c->builtin].name);
    else if (c->func == HD_CALL_INDIRECT)
        put_row(o, p, in->src[0], HD_B64);
    else
        put(o, "%s", p->funcs[c->func].name);
    if (c->n_args) {
        put(o, ", ");
        put_args(o, p, c->args + c->n_rets, c->n_args);
    }
}

static void put_load(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_vec(o, p, in, in->dst, hd_op_info[in->op].dtype);
    put(o, ", ");
    put_address(o, p, in);
}

static void put_store(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_address(o, p, in);
    put(o, ", ");
    put_vec(o, p, in, in->src[1], hd_op_info[in->op].type);
}

static void put_atomic(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->dst, hd_op_info[in->op].dtype);
    put(o, ", ");
    put_address(o, p, in);
    for (int i = 1; i < 3 && in->src[i] != HD_ROW_NONE; i++) {
        put(o, ", ");
        put_row(o, p, in->src[i], hd_op_info[in->op].type);
    }
}

static void put_join(struct out *o, const struct hd_insn *in)
{
    if (HD_RECONV_PC(in->imm) != HD_PC_NONE)
        put(o, " (join %" PRIu32 ")", HD_RECONV_PC(in->imm));
}

static void put_branch(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    (void)p;
    put(o, "%" PRIu32, HD_TARGET_PC(in->imm));
    put_join(o, in);
}

// A branch through a table.
static void put_switch(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->src[0], HD_U32);
    for (int32_t i = 0; i < in->dst; i++)
        put(o, "%s%" PRIu32, i ? ", " : ", {", p->targets[HD_TARGET_PC(in->imm) + (uint32_t)i]);
    put(o, "}");
    put_join(o, in);
}

static void put_elements(struct out *o, const struct hd_program *p, const struct hd_insn *in,
                         int32_t at)
{
    for (unsigned i = 0; i < in->vec; i++) {
        put(o, i ? ", " : "{");
        put_row(o, p, p->vecs[at][i], in->imm == 8 ? HD_B64 : HD_B32);
    }
    put(o, "}");
}

static unsigned packed_type(const struct hd_insn *in)
{
    return in->imm * in->vec == 8 ? HD_B64 : HD_B32;
}

static void put_read(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->dst, in->mods & HD_MOD_WIDE ? HD_B64 : HD_B32);
    put(o, ", %%%s", hd_sreg_names[in->imm]);
}

static void put_pack(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->dst, packed_type(in));
    put(o, ", ");
    put_elements(o, p, in, in->src[0]);
}

static void put_unpack(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_elements(o, p, in, in->dst);
    put(o, ", ");
    put_row(o, p, in->src[0], packed_type(in));
}

static void put_fragment(struct out *o, const struct hd_program *p, int32_t at, unsigned n,
                         unsigned type)
{
    for (unsigned i = 0; i < n; i++) {
        put(o, i ? ", " : "{");
        put_row(o, p, p->vecs[at + (int32_t)(i / 4)][i % 4], type);
    }
    put(o, "}");
}

static void put_product(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    static const enum hd_role roles[] = {HD_ROLE_D, HD_ROLE_A, HD_ROLE_B, HD_ROLE_C};
    struct hd_matrix x = hd_matrix_of_imm(in->imm);

    put(o, "%s", hd_matrix_shapes[x.shape].name);
    for (unsigned i = 0; i < 4; i++)
        put(o, ".%s", hd_element_names[x.elements[roles[i]]]);
    for (unsigned i = 0; i < 4; i++) {
        put(o, i ? ", " : " ");
        put_fragment(o, p, i ? in->src[i - 1] : in->dst, hd_matrix_registers(&x, roles[i]),
                     hd_matrix_register_type(&x, roles[i]));
    }
}

static void put_fragments(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    bool wmma = in->op == HD_OP_WMMA_LOAD || in->op == HD_OP_WMMA_STORE;
    bool store = hd_op_info[in->op].shape == HD_SHAPE_FSTORE;
    struct hd_matrix x = hd_matrix_of_mods(in->mods);
    enum hd_role role = (enum hd_role)x.role;
    unsigned n = wmma ? hd_matrix_registers(&x, role) : in->mods & 7;
    enum hd_type t = wmma ? hd_matrix_register_type(&x, role) : HD_B32;

    if (wmma)
        put(o, "%c.%s.%s.%s ", "abcd"[role], x.column ? "col" : "row",
            hd_matrix_shapes[x.shape].name, hd_element_names[x.elements[role]]);
    if (!store) {
        put_fragment(o, p, in->dst, n, t);
        put(o, ", ");
    }
    put_address(o, p, in);
    if (store) {
        put(o, ", ");
        put_fragment(o, p, in->src[1], n, t);
    }
    put_more(o, p, in->src + (store ? 2 : 1), 1, HD_U32);
}

// [to], [from], bytes, [mbarrier] of an asynchronous copy.
static void put_copy(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const int32_t *rows = p->vecs[in->src[0]], *offsets = p->vecs[in->src[0] + 1];

    for (unsigned i = 0; i < 4; i++) {
        if (i >= 2 && rows[i] == HD_ROW_NONE)
            continue;
        put(o, i == 2 ? ", " : i ? ", [" : "[");
        if (rows[i] != HD_ROW_NONE)
            put_row(o, p, rows[i], i == 2 || in->mods & HD_COPY_A32(i) ? HD_B32 : HD_B64);
        if (i == 2)
            continue;
        if (offsets[i] || rows[i] == HD_ROW_NONE)
            put(o, rows[i] == HD_ROW_NONE ? "%" PRId32 : "%+" PRId32, offsets[i]);
        put(o, "]");
    }
    if (in->op == HD_OP_CP_ASYNC)
        put(o, ", %u", in->vec);
    if (in->dst != HD_ROW_NONE) {
        put(o, ", ");
        put_pred(o, in->dst);
    }
}

static void put_mbarrier(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    bool waits = in->op == HD_OP_MBAR_TEST_B64 || in->op == HD_OP_MBAR_TRY_B64;

    if (in->dst != HD_ROW_NONE) {
        put_dest(o, p, in);
        put(o, ", ");
    }
    put_address(o, p, in);
    put_more(o, p, in->src + 1, 2, waits && !(in->mods & HD_MBAR_PARITY) ? HD_B64 : HD_B32);
}

static void put_logic(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    unsigned sources = hd_op_info[in->op].shape == HD_SHAPE_PQ ? 1 : 2;

    (void)p;
    put(o, "p%d", in->dst);
    for (unsigned i = 0; i < sources; i++) {
        put(o, ", ");
        put_pred(o, in->src[i]);
    }
}

static void put_number(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    (void)p;
    put(o, "%" PRId64, in->imm);
}

static void put_lop3(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_values(o, p, in);
    put(o, ", 0x%02x", in->mods & HD_MOD_ENUM);
}

static void put_lop3p(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->dst, HD_B32);
    put(o, "|p%u", HD_WARP_PRED(in->imm));
    put_more(o, p, in->src, 3, HD_B32);
    put(o, ", 0x%02x, ", in->mods & HD_MOD_ENUM);
    put_pred(o, HD_WARP_ROW(in->imm));
}

// A selector: the part of a scalar operand, the fields of a SIMD one, or the fields that are
// written.
static void put_part(struct out *o, unsigned bits, const uint8_t *which, bool written)
{
    static const char *const parts[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1", "", ""};

    if (bits == 32) {
        put(o, "%s", parts[which[0] & 7]);
        return;
    }
    put(o, ".%c", bits == 8 ? 'b' : 'h');
    for (unsigned i = 32 / bits; i-- > 0;) {
        if (!written)
            put(o, "%u", which[i]);
        else if (which[0] >> i & 1)
            put(o, "%u", i);
    }
}

static void put_video(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    const struct hd_video v = hd_video_of(in->imm);

    put_row(o, p, in->dst, HD_B32);
    put_part(o, v.bits, &v.mask, true);
    put_more(o, p, in->src, 1, HD_B32);
    put_part(o, v.bits, v.a, false);
    put_more(o, p, in->src + 1, 1, HD_B32);
    put_part(o, v.bits, v.b, false);
    put_more(o, p, in->src + 2, 1, HD_B32);
}

static void put_copies(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_elements(o, p, in, in->dst);
    put(o, ", ");
    put_elements(o, p, in, in->src[0]);
}

static void put_selp(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    put_row(o, p, in->dst, hd_op_info[in->op].dtype);
    for (int i = 0; i < 2; i++) {
        put(o, ", ");
        put_row(o, p, in->src[i], hd_op_info[in->op].type);
    }
    put(o, ", ");
    put_pred(o, in->src[2]);
}

static void put_nothing(struct out *o, const struct hd_program *p, const struct hd_insn *in)
{
    (void)o;
    (void)p;
    (void)in;
}

static void (*const by_shape[HD_N_SHAPES])(struct out *o, const struct hd_program *p,
                                           const struct hd_insn *in) = {
#define HD_SHAPE(id, pattern, text, run, flow) [HD_SHAPE_##id] = text,
#include "isa/shapes.def"
};

char *hd_op_text(const struct hd_program *p, uint32_t pc, char *buf, size_t bytes)
{
    struct out o = {buf, bytes, 0};

    if (bytes)
        buf[0] = 0;
    if (pc >= p->n_insns || p->insns[pc].op >= HD_N_OPS) {
        put(&o, "?");
        return buf;
    }
    const struct hd_insn *in = &p->insns[pc];
    if (in->guard != HD_PRED_TRUE) {
        put(&o, "@");
        put_pred(&o, in->guard);
        put(&o, " ");
    }
    put_mnemonic(&o, in);
    if (by_shape[hd_op_info[in->op].shape] != put_nothing)
        put(&o, " ");
    by_shape[hd_op_info[in->op].shape](&o, p, in);
    return buf;
}
