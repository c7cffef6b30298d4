// tensor.c - matrix operations of a warp: wmma and mma, their loads and stores, ldmatrix, stmatrix
// and movmatrix. isa/matrix.h defines which lane holds which elements.
//
// Arithmetic: products are exact. Sums of f16, bf16, tf32 and 8-bit floats are formed in f64, C
// first, then the products in the order of k, and rounded to nearest once, at the end. The hardware
// adds several products at a time with fewer digits and truncates; its last bits differ from one
// generation to the next. f64 is a chain of fma in the order of k; integers are exact.
//
// A warp loads or stores a matrix of 2^n bytes in 32 equal pieces, one per lane, in the order of
// its rows (or columns, where these are contiguous). The effects report these pieces.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/lane_fp8.h"
#include "isa/matrix.h"

#include <string.h>

#define MOST 1024       // elements of a matrix; words of a matrix of bits
#define MOST_BYTES 1024 // of a matrix in memory

union number {
    double f;
    int64_t i;
};

static union number decode(unsigned element, uint64_t bits)
{
    union number v = {.i = 0};

    switch (element) {
    case HD_ELEMENT_F16:
        v.f = (double)f32_of_f16((uint16_t)bits);
        break;
    case HD_ELEMENT_BF16:
        v.f = (double)f32_of_bf16((uint16_t)bits);
        break;
    case HD_ELEMENT_TF32: // if a value is not tf32, its last bits are ignored
        v.f = (double)f32_of((uint32_t)bits & ~UINT32_C(0x1fff));
        break;
    case HD_ELEMENT_F32:
        v.f = (double)f32_of((uint32_t)bits);
        break;
    case HD_ELEMENT_F64:
        v.f = f64_of(bits);
        break;
    case HD_ELEMENT_E4M3:
    case HD_ELEMENT_E5M2:
        v.f =
            (double)f32_of_f16(f16_of_fp8((uint8_t)bits, element == HD_ELEMENT_E4M3 ? E4M3 : E5M2));
        break;
    case HD_ELEMENT_S8:
        v.i = (int8_t)bits;
        break;
    case HD_ELEMENT_S4:
        v.i = (int64_t)((bits & 15) ^ 8) - 8;
        break;
    case HD_ELEMENT_S32:
        v.i = (int32_t)bits;
        break;
    default: // u8, u4, and words of bits
        v.i = (int64_t)bits;
    }
    return v;
}

static uint64_t encode(unsigned element, union number v, bool finite)
{
    switch (element) {
    case HD_ELEMENT_F16:
        return f16_of_f64(v.f, HD_RN);
    case HD_ELEMENT_F32:
        return bits_f32(canon_f32((float)v.f));
    case HD_ELEMENT_F64:
        return bits_f64(canon_f64(v.f));
    default:
        return (uint32_t)(finite ? sat_s32(v.i) : (int32_t)(uint32_t)(uint64_t)v.i);
    }
}

// A matrix of bits is treated as one of words.
static unsigned bits_of(unsigned element)
{
    return element == HD_ELEMENT_B1 ? 32 : hd_element_bits[element];
}

struct matrix {
    unsigned rows, columns;
    union number v[MOST];
};

static void start(const struct hd_matrix *x, enum hd_role role, struct matrix *a)
{
    hd_matrix_size(x, role, &a->rows, &a->columns);
    if (x->elements[role] == HD_ELEMENT_B1) {
        a->rows /= role == HD_ROLE_B ? 32 : 1;
        a->columns /= role == HD_ROLE_A ? 32 : 1;
    }
    HD_BUG_IF(a->rows * a->columns > MOST, "matrix of %u by %u", a->rows, a->columns);
}

// The place of an element of a register; for a matrix of bits, the word's.
static union number *element_at(const struct hd_matrix *x, enum hd_role role, struct matrix *a,
                                unsigned reg, unsigned lane, unsigned sub)
{
    struct hd_matrix_place p = hd_matrix_place(x, role, reg, lane, sub);

    if (x->elements[role] == HD_ELEMENT_B1) {
        p.row /= role == HD_ROLE_B ? 32 : 1;
        p.column /= role == HD_ROLE_A ? 32 : 1;
    }
    return &a->v[p.row * a->columns + p.column];
}

static int32_t row_of(const struct hd_program *p, int32_t at, unsigned reg)
{
    return p->vecs[at + (int32_t)(reg / 4)][reg % 4];
}

// Registers of all lanes to a matrix. Copies of an element are equal, so the last one read may
// count.
static void gather(const struct hd_emu_warp *w, const struct hd_matrix *x, enum hd_role role,
                   int32_t at, struct matrix *a)
{
    unsigned element = x->elements[role], bits = bits_of(element), n = bits >= 32 ? 1 : 32 / bits;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

    start(x, role, a);
    for (unsigned reg = 0; reg < hd_matrix_registers(x, role); reg++) {
        const uint32_t *row = hd_lanes_source(&w->regs, row_of(w->program, at, reg));
        for (unsigned l = 0; l < HD_LANES; l++) {
            uint64_t word = row[l];
            if (bits == 64)
                memcpy(&word, row + 2 * l, sizeof word);
            for (unsigned s = 0; s < n; s++)
                *element_at(x, role, a, reg, l, s) = decode(element, word >> (s * bits) & mask);
        }
    }
}

static void write_word(const struct hd_emu_warp *w, int32_t row, unsigned bits, unsigned lane,
                       uint64_t word)
{
    uint32_t *d = hd_lanes_row(&w->regs, row);

    if (bits == 64)
        memcpy(d + 2 * lane, &word, sizeof word);
    else
        d[lane] = (uint32_t)word;
}

static void scatter(const struct hd_emu_warp *w, const struct hd_matrix *x, int32_t at,
                    uint32_t lanes, struct matrix *d)
{
    unsigned element = x->elements[HD_ROLE_D], bits = bits_of(element), n = bits >= 32 ? 1 : 2;

    for (unsigned reg = 0; reg < hd_matrix_registers(x, HD_ROLE_D); reg++)
        for (uint32_t m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            uint64_t word = 0;
            for (unsigned s = 0; s < n; s++)
                word |= encode(element, *element_at(x, HD_ROLE_D, d, reg, l, s), x->finite)
                        << (s * bits);
            write_word(w, row_of(w->program, at, reg), bits, l, word);
        }
}

// One row of D: d += a's row times b.
static void add_products(const struct hd_matrix *x, const union number *a, const struct matrix *b,
                         union number *d)
{
    unsigned kind = x->elements[HD_ROLE_A];

    for (unsigned k = 0; k < b->rows; k++) {
        const union number *bk = &b->v[k * b->columns], ak = a[k];
        if (kind == HD_ELEMENT_F64)
            for (unsigned j = 0; j < b->columns; j++)
                d[j].f = fma_f64(ak.f, bk[j].f, d[j].f, x->round);
        else if (kind == HD_ELEMENT_B1)
            for (unsigned j = 0; j < b->columns; j++)
                d[j].i += __builtin_popcountll(
                    (uint64_t)(x->conjunction ? ak.i & bk[j].i : ak.i ^ bk[j].i));
        else if (kind >= HD_ELEMENT_S8 && kind <= HD_ELEMENT_U4)
            for (unsigned j = 0; j < b->columns; j++)
                d[j].i += ak.i * bk[j].i;
        else
            for (unsigned j = 0; j < b->columns; j++)
                d[j].f += ak.f * bk[j].f;
    }
}

static void transpose(const struct hd_emu_warp *w, const struct hd_insn *in, uint32_t lanes)
{
    const uint32_t *a = hd_lanes_source(&w->regs, in->src[0]);
    uint16_t m[8][8];

    for (unsigned l = 0; l < HD_LANES; l++) {
        m[l / 4][2 * (l % 4)] = (uint16_t)a[l];
        m[l / 4][2 * (l % 4) + 1] = (uint16_t)(a[l] >> 16);
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        hd_lanes_row(&w->regs, in->dst)[l] =
            m[2 * (l % 4)][l / 4] | (uint32_t)m[2 * (l % 4) + 1][l / 4] << 16;
    }
}

void hd_tensor_compute(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       uint32_t lanes)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct matrix a, b, d;

    if (in->op == HD_OP_MOVMATRIX) {
        transpose(w, in, lanes);
        return;
    }
    struct hd_matrix x = hd_matrix_of_imm(in->imm);
    gather(w, &x, HD_ROLE_A, in->src[0], &a);
    gather(w, &x, HD_ROLE_B, in->src[1], &b);
    gather(w, &x, HD_ROLE_C, in->src[2], &d);
    for (unsigned i = 0; i < d.rows; i++)
        add_products(&x, &a.v[i * a.columns], &b, &d.v[i * d.columns]);
    scatter(w, &x, in->dst, lanes, &d);
}

// --- memory

// The extent of one warp-wide access: `vectors` of `bytes` each, `piece` bytes per lane.
struct span {
    unsigned vectors, bytes, piece;
};

static struct span span_of(const struct hd_matrix *x)
{
    unsigned rows, columns, bits = hd_element_bits[x->elements[x->role]];
    struct span s;

    hd_matrix_size(x, (enum hd_role)x->role, &rows, &columns);
    s.vectors = x->column ? columns : rows;
    s.bytes = rows * columns / s.vectors * bits / 8;
    s.piece = s.vectors * s.bytes / HD_LANES;
    return s;
}

unsigned hd_tensor_piece(const struct hd_insn *in)
{
    struct hd_matrix x = hd_matrix_of_mods(in->mods);

    return in->op == HD_OP_STMATRIX ? 16 : span_of(&x).piece;
}

static void tell(struct hd_effects *out, unsigned piece)
{
    out->bytes = piece > 16 ? 8 : 4;
    out->vec = (uint8_t)(piece / out->bytes);
}

// Computes the addresses of the pieces. Base and distance of the vectors are those of the lowest
// lane.
static bool find_pieces(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                        const struct hd_matrix *x, bool write, struct hd_effects *out,
                        struct hd_emu_access *at)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned lane = (unsigned)__builtin_ctz(out->exec_mask);
    int32_t row = in->src[write ? 2 : 1];
    struct span s = span_of(x);
    uint64_t base, by = s.bytes;

    hd_address_read_lanes(sm, warp, in, out, s.piece > 16 ? 16 : s.piece);
    base = out->addr[lane];
    if (row != HD_ROW_NONE)
        by = (uint64_t)hd_lanes_source(&w->regs, row)[lane] *
             hd_element_bits[x->elements[x->role]] / 8;
    for (unsigned l = 0; l < HD_LANES; l++)
        out->addr[l] = base + l * s.piece / s.bytes * by + l * s.piece % s.bytes;
    tell(out, s.piece);
    return hd_address_given(sm, warp, in, out, write, s.piece > 16 ? 16 : s.piece, s.piece, at);
}

// The byte offset of element (row, column) in the matrix.
static unsigned offset_of(const struct hd_matrix *x, const struct span *s, struct hd_matrix_place p)
{
    unsigned bits = hd_element_bits[x->elements[x->role]];

    return x->column ? p.column * s->bytes + p.row * bits / 8
                     : p.row * s->bytes + p.column * bits / 8;
}

// The number of elements of a register that are separate in memory, and their bytes. Elements of
// less than a byte are packed in memory as in a register.
static unsigned parts_of(unsigned bits)
{
    return bits >= 32 || bits < 8 ? 1 : 32 / bits;
}

static bool load(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                 struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_matrix x = hd_matrix_of_mods(in->mods);
    unsigned bits = hd_element_bits[x.elements[x.role]], parts = parts_of(bits);
    unsigned size = bits < 8 ? 4 : bits / 8;
    struct span s = span_of(&x);
    struct hd_emu_access at;
    uint32_t lanes = out->exec_mask;
    uint8_t bytes[MOST_BYTES];

    out->exec_mask = UINT32_MAX;
    if (!find_pieces(sm, warp, in, &x, false, out, &at)) {
        out->exec_mask = lanes;
        return false;
    }
    out->exec_mask = lanes;
    hd_loads_bytes(sm, UINT32_MAX, &at, s.piece, bytes);
    for (unsigned reg = 0; reg < hd_matrix_registers(&x, (enum hd_role)x.role); reg++)
        for (uint32_t m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            uint64_t word = 0, one;
            for (unsigned i = 0; i < parts; i++) {
                struct hd_matrix_place p = hd_matrix_place(&x, (enum hd_role)x.role, reg, l, i);
                one = 0;
                memcpy(&one, bytes + offset_of(&x, &s, p), size);
                word |= one << (i * bits % 64);
            }
            write_word(w, row_of(w->program, in->dst, reg), bits, l, word);
        }
    return true;
}

static bool store(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_matrix x = hd_matrix_of_mods(in->mods);
    unsigned bits = hd_element_bits[x.elements[x.role]], parts = parts_of(bits);
    struct span s = span_of(&x);
    struct hd_emu_access at;
    uint32_t lanes = out->exec_mask;

    out->exec_mask = UINT32_MAX;
    if (!find_pieces(sm, warp, in, &x, true, out, &at)) {
        out->exec_mask = lanes;
        return false;
    }
    out->exec_mask = lanes;
    for (unsigned reg = 0; reg < hd_matrix_registers(&x, HD_ROLE_D); reg++) {
        const uint32_t *row = hd_lanes_source(&w->regs, row_of(w->program, in->src[1], reg));
        for (unsigned l = 0; l < HD_LANES; l++) {
            uint64_t word = row[l];
            if (bits == 64)
                memcpy(&word, row + 2 * l, sizeof word);
            for (unsigned i = 0; i < parts; i++) {
                struct hd_matrix_place p = hd_matrix_place(&x, HD_ROLE_D, reg, l, i);
                uint64_t one = word >> (i * bits % 64);
                memcpy(sm->matrix + offset_of(&x, &s, p), &one, bits / 8);
            }
        }
    }
    hd_stores_bytes(sm, UINT32_MAX, &at, s.piece, sm->matrix);
    return true;
}

// ldmatrix and stmatrix: rows of 16 bytes, whose addresses are in the first 8, 16 or 32 lanes.
static bool move_rows(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned n = in->mods & 7;
    bool transposed = in->mods & 8, write = in->op == HD_OP_STMATRIX;
    uint32_t lanes = out->exec_mask, given = (uint32_t)hd_low(8 * n);
    struct hd_emu_access at;

    out->exec_mask = lanes & given;
    if (!out->exec_mask) {
        out->exec_mask = lanes;
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL,
                              "the lanes that have the addresses take no part");
    }
    hd_address_read_lanes(sm, warp, in, out, 16);
    tell(out, 16);
    if (!hd_address_given(sm, warp, in, out, write, 16, 16, &at))
        return false;
    given = out->exec_mask;
    out->exec_mask = lanes;
    if (!write)
        hd_loads_bytes(sm, given, &at, 16, sm->matrix);
    for (unsigned reg = 0; reg < n; reg++) {
        int32_t row = row_of(w->program, write ? in->src[1] : in->dst, reg);
        uint8_t *m = sm->matrix + 128 * reg;
        const uint32_t *from = write ? hd_lanes_source(&w->regs, row) : NULL;
        for (uint32_t left = lanes; left; left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctz(left), i = l / 4, j = 2 * (l % 4);
            uint8_t *low = transposed ? m + 16 * j + 2 * i : m + 16 * i + 2 * j;
            uint8_t *high = transposed ? low + 16 : low + 2;
            uint16_t h[2];
            if (write) {
                memcpy(low, &(uint16_t){(uint16_t)from[l]}, 2);
                memcpy(high, &(uint16_t){(uint16_t)(from[l] >> 16)}, 2);
            } else {
                memcpy(&h[0], low, 2);
                memcpy(&h[1], high, 2);
                hd_lanes_row(&w->regs, row)[l] = h[0] | (uint32_t)h[1] << 16;
            }
        }
    }
    if (write)
        hd_stores_bytes(sm, given, &at, 16, sm->matrix);
    return true;
}

bool hd_tensor_access(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    if (!out->exec_mask)
        return true;
    switch (in->op) {
    case HD_OP_WMMA_LOAD:
        return load(sm, warp, in, out);
    case HD_OP_WMMA_STORE:
        return store(sm, warp, in, out);
    default:
        return move_rows(sm, warp, in, out);
    }
}
