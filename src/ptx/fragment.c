// fragment.c - wmma, mma, ldmatrix, stmatrix and movmatrix: their modifiers, which determine the
// operands, and the fragments among the operands.
//
// isa/matrix.h explains fragments. Sparse matrices, mma.m8n8k4 on f16 (in which each quarter of a
// warp multiplies a matrix of its own, as on Volta), block scaling, wgmma and tcgen05 are refused.
#include "ptx/fragment.h"

#include <string.h>

enum family { WMMA, MMA, LDMATRIX, STMATRIX, MOVMATRIX, N_FAMILIES };
static const char *const families[] = {"wmma", "mma", "ldmatrix", "stmatrix", "movmatrix", NULL};

struct words { // of one instruction, while they are being sorted
    const struct hd_select_from *from;
    const struct hd_ast_insn *in;
    struct hd_select *out;
    enum family family;
    int what; // wmma: index into `whats`
    int shape;
    unsigned types[4], n_types;
    bool columns[2]; // of the layouts
    unsigned n_layouts, count;
    bool transposed, wants_role, synchronous;
    struct hd_matrix x;
};
static const char *const whats[] = {"load", "store", "mma", NULL};

static int find(struct hd_slice word, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (hd_lex_is(word, names[i]))
            return i;
    return -1;
}

static int find_shape(struct hd_slice word)
{
    for (int i = 0; i < HD_N_MATRIX_SHAPES; i++)
        if (hd_lex_is(word, hd_matrix_shapes[i].name))
            return i;
    return -1;
}

bool hd_fragment_named(struct hd_slice opcode)
{
    return find(opcode, families) >= 0;
}

static struct hd_diag_entry *complain(const struct words *w, const char *text)
{
    return hd_select_complain(w->from, w->in, w->out, text);
}

static bool take_space(struct words *w, struct hd_slice word)
{
    if (hd_lex_is(word, "global"))
        w->out->space = HD_SPACE_GLOBAL;
    else if (hd_lex_is(word, "shared") || hd_lex_is(word, "shared::cta"))
        w->out->space = HD_SPACE_SHARED;
    else
        return false;
    return true;
}

// The matrix that wmma loads or stores, a word of one letter.
static bool take_role(struct words *w, struct hd_slice word)
{
    if (!w->wants_role || word.n != 1 || word.s[0] < 'a' || word.s[0] > 'd')
        return false;
    w->x.role = (uint8_t)(word.s[0] - 'a');
    w->wants_role = false;
    return (w->what == 1) == (w->x.role == HD_ROLE_D);
}

static bool take_word(struct words *w, struct hd_slice word)
{
    static const char *const counts[] = {"x1", "x2", "x4", NULL};
    static const char *const layouts[] = {"row", "col", NULL};
    int i;

    if (w->family == WMMA && w->what < 0 && (i = find(word, whats)) >= 0) {
        w->what = i;
        w->wants_role = i < 2;
        return true;
    }
    if (take_role(w, word) || (w->family != MMA && take_space(w, word)))
        return true;
    w->synchronous |= hd_lex_is(word, "sync");
    if (hd_lex_is(word, "sync") || hd_lex_is(word, "aligned") ||
        (hd_lex_is(word, "popc") && w->family <= MMA))
        return true;
    if (w->family >= LDMATRIX) {
        if ((i = find(word, counts)) >= 0)
            w->count = 1u << i;
        w->transposed |= hd_lex_is(word, "trans");
        return i >= 0 || hd_lex_is(word, "trans") || hd_lex_is(word, "m8n8") ||
               hd_lex_is(word, "b16");
    }
    if ((i = find(word, layouts)) >= 0 && w->n_layouts < 2) {
        w->columns[w->n_layouts++] = i;
        return true;
    }
    if (w->shape < 0 && (w->shape = find_shape(word)) >= 0)
        return true;
    if ((i = find(word, hd_element_names)) >= 0 && w->n_types < 4) {
        w->types[w->n_types++] = (unsigned)i;
        return true;
    }
    if ((i = find(word, (const char *const[]){"rn", "rz", "rm", "rp", NULL})) >= 0) {
        w->x.round = (uint8_t)i;
        return true;
    }
    w->x.finite |= hd_lex_is(word, "satfinite");
    w->x.conjunction |= hd_lex_is(word, "and");
    return hd_lex_is(word, "satfinite") || hd_lex_is(word, "and") || hd_lex_is(word, "xor");
}

static bool select_multiplication(struct words *w)
{
    bool whole = w->n_types == 4, wmma = w->family == WMMA;
    unsigned half = HD_ELEMENT_F16;

    if (w->shape < 0 || !(whole || (wmma && w->n_types == 2)) || w->n_layouts != 2) {
        complain(w, "needs two layouts, a shape and types, as in "
                    "'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32'");
        return false;
    }
    w->x.wmma = wmma;
    w->x.shape = (uint8_t)w->shape;
    w->x.elements[HD_ROLE_D] = (uint8_t)w->types[0];
    w->x.elements[HD_ROLE_A] = (uint8_t)(whole ? w->types[1] : half);
    w->x.elements[HD_ROLE_B] = (uint8_t)(whole ? w->types[2] : half);
    w->x.elements[HD_ROLE_C] = (uint8_t)w->types[w->n_types - 1];
    if (!hd_matrix_exists(&w->x) || (!wmma && (w->columns[0] || !w->columns[1]))) {
        complain(w, "this combination of shape, layouts and types is not supported");
        return false;
    }
    w->out->op = wmma ? HD_OP_WMMA_MMA : HD_OP_MMA;
    return true;
}

static bool select_access(struct words *w)
{
    struct hd_matrix like;
    unsigned e = w->types[0];
    bool exists = false;

    if (w->shape < 0 || w->n_types != 1 || w->n_layouts != 1 || w->wants_role) {
        complain(w, "needs a layout, a shape and a type, as in "
                    "'wmma.load.a.sync.aligned.row.m16n16k16.f16'");
        return false;
    }
    w->x.wmma = true;
    w->x.shape = (uint8_t)w->shape;
    w->x.column = w->columns[0];
    for (unsigned i = 0; i < HD_N_ROLES; i++)
        w->x.elements[i] = (uint8_t)e;
    like = w->x;
    for (unsigned a = 0; a < HD_N_ELEMENTS && !exists; a++) { // some multiplication must accept it
        if (w->x.role >= HD_ROLE_C) {
            like.elements[HD_ROLE_A] = like.elements[HD_ROLE_B] = (uint8_t)a;
        } else {
            like.elements[HD_ROLE_C] = like.elements[HD_ROLE_D] = (uint8_t)a;
        }
        exists = hd_matrix_exists(&like);
    }
    // Elements of fewer than 8 bits are packed along k only.
    bool along = hd_element_bits[e] >= 8 || w->x.role >= HD_ROLE_C ||
                 w->x.column == (w->x.role == HD_ROLE_B);
    if (!exists || !along) {
        complain(w, "this combination of matrix, shape, layout and type is not supported");
        return false;
    }
    w->out->op = w->what == 0 ? HD_OP_WMMA_LOAD : HD_OP_WMMA_STORE;
    w->out->mods = hd_matrix_mods(&w->x);
    w->out->dtype = w->out->type = HD_B32;
    return true;
}

static bool select_small(struct words *w)
{
    static const int ops[] = {
        [LDMATRIX] = HD_OP_LDMATRIX, [STMATRIX] = HD_OP_STMATRIX, [MOVMATRIX] = HD_OP_MOVMATRIX};

    if (w->family != MOVMATRIX && (!w->count || w->out->space == HD_SPACE_GLOBAL)) {
        complain(w, w->count ? "works on .shared only" : "needs .x1, .x2 or .x4");
        return false;
    }
    if (w->family == MOVMATRIX && !w->transposed) {
        complain(w, "needs .trans");
        return false;
    }
    w->out->op = ops[w->family];
    w->out->mods = (uint16_t)(w->count | (unsigned)w->transposed << 3);
    w->out->dtype = w->out->type = HD_B32;
    return true;
}

bool hd_fragment_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                        struct hd_select *out)
{
    struct words w = {.from = from, .in = in, .out = out, .what = -1, .shape = -1};

    w.family = (enum family)find(in->op, families);
    snprintf(out->name, sizeof out->name, "%s", families[w.family]);
    for (uint32_t i = 0; i < in->n_mods; i++) {
        const struct hd_ast_mod *m = &from->ast->mods[in->mods + i];
        if (!take_word(&w, m->text)) {
            hd_diag_add(from->diag, from->path, m->place.line, m->place.column,
                        "'%s': unsupported modifier '.%.*s'", out->name, HD_SLICE_ARG(m->text));
            return false;
        }
    }
    if (!w.synchronous || (w.family == WMMA && w.what < 0)) {
        complain(&w, w.synchronous ? "needs .load, .store or .mma" : "needs .sync");
        return false;
    }
    if (w.family >= LDMATRIX             ? !select_small(&w)
        : w.family == MMA || w.what == 2 ? !select_multiplication(&w)
                                         : !select_access(&w))
        return false;
    bool memory = hd_op_info[out->op].kind != HD_KIND_ALU;
    if (memory && out->space == HD_SPACE_NONE)
        out->space = HD_SPACE_GENERIC;
    if (!memory && out->space != HD_SPACE_NONE) {
        complain(&w, "does not take a state space");
        return false;
    }
    if (out->op == HD_OP_MMA || out->op == HD_OP_WMMA_MMA) {
        unsigned e = w.x.elements[HD_ROLE_D];
        out->matrix = w.x;
        out->type = e == HD_ELEMENT_F64 ? HD_F64 : e == HD_ELEMENT_S32 ? HD_S32 : HD_F32;
    }
    return true;
}

// Registers of the n-th fragment among the operands, and their type.
static unsigned registers(const struct hd_select *sel, unsigned n, enum hd_type *t)
{
    static const enum hd_role roles[] = {HD_ROLE_D, HD_ROLE_A, HD_ROLE_B, HD_ROLE_C};
    struct hd_matrix x;

    *t = HD_B32;
    switch (sel->op) {
    case HD_OP_LDMATRIX:
    case HD_OP_STMATRIX:
        return sel->mods & 7;
    case HD_OP_WMMA_LOAD:
    case HD_OP_WMMA_STORE:
        x = hd_matrix_of_mods(sel->mods);
        *t = hd_matrix_register_type(&x, (enum hd_role)x.role);
        return hd_matrix_registers(&x, (enum hd_role)x.role);
    default:
        *t = hd_matrix_register_type(&sel->matrix, roles[n]);
        return hd_matrix_registers(&sel->matrix, roles[n]);
    }
}

// --- operands

bool hd_fragment_match(struct hd_match *m, const struct hd_ast_operand *o)
{
    unsigned shape = hd_op_info[m->sel.op].shape, n = 0, most, at;
    bool written = shape == HD_SHAPE_FLOAD ||
                   (shape == HD_SHAPE_MMA && m->n_src == 0 && m->insn->dst == HD_ROW_NONE);
    const struct hd_ast_operand *e = o->kind == HD_AST_VEC ? o->child : o;
    enum hd_type t;
    uint32_t first;

    most = registers(&m->sel, written ? 0 : m->n_src + (shape == HD_SHAPE_MMA), &t);
    at = written ? 0 : m->n_src++;
    first = hd_values_vector(m);
    for (unsigned i = 4; i < most; i += 4)
        hd_values_vector(m);
    for (; e && n < most; e = o->kind == HD_AST_VEC ? e->next : NULL, n++) {
        uint32_t where = 4 * first + n;
        if (written ? !hd_values_result(m, e, t, HD_AT_VEC, where)
                    : !hd_values_source(m, e, t, false, HD_AT_VEC, where,
                                        &m->lo->vecs[where / 4][where % 4]))
            return false;
    }
    if (n != most || e) {
        hd_values_complain(m, o->place, "expected a vector of %u registers", most);
        return false;
    }
    if (written)
        m->insn->dst = (int32_t)first;
    else
        m->insn->src[at] = (int32_t)first;
    return true;
}

void hd_fragment_finish(struct hd_match *m)
{
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_MMA) {
        m->insn->imm = hd_matrix_imm(&m->sel.matrix);
        m->deps->work = (uint8_t)hd_matrix_work(&m->sel.matrix);
    }
    if (!m->n_wide_src && !m->n_wide_dst)
        return;
    if (m->lo->n_wides > UINT16_MAX) // with more, an instruction waits only for its first registers
        return;
    m->wide.src[m->n_wide_src] = m->wide.dst[m->n_wide_dst] = HD_SB_NONE;
    *HD_PUSH(m->lo->arena, m->lo->wides, m->lo->n_wides, m->lo->wide_cap) = m->wide;
    m->deps->wide = (uint16_t)(m->lo->n_wides - 1);
    m->deps->flags |= HD_DEP_WIDE;
}
