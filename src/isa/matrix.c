// matrix.c - shapes and layouts of matrix operations; see matrix.h.
#include "isa/matrix.h"

const char *const hd_element_names[HD_N_ELEMENTS + 1] = {
    "f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4", "b1", "s32", "e4m3", "e5m2", NULL,
};
const uint8_t hd_element_bits[HD_N_ELEMENTS] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32, 8, 8};

const struct hd_shape_mnk hd_matrix_shapes[HD_N_MATRIX_SHAPES] = {
    {"m16n16k16", 16, 16, 16}, {"m8n32k16", 8, 32, 16},   {"m32n8k16", 32, 8, 16},
    {"m16n16k8", 16, 16, 8},   {"m8n8k4", 8, 8, 4},       {"m8n8k16", 8, 8, 16},
    {"m8n8k32", 8, 8, 32},     {"m8n8k128", 8, 8, 128},   {"m16n8k4", 16, 8, 4},
    {"m16n8k8", 16, 8, 8},     {"m16n8k16", 16, 8, 16},   {"m16n8k32", 16, 8, 32},
    {"m16n8k64", 16, 8, 64},   {"m16n8k128", 16, 8, 128}, {"m16n8k256", 16, 8, 256},
};

int64_t hd_matrix_imm(const struct hd_matrix *x)
{
    uint32_t v = x->shape;

    for (unsigned i = 0; i < HD_N_ROLES; i++)
        v |= (uint32_t)x->elements[i] << (4 + 4 * i);
    return v | (uint32_t)x->wmma << 20 | (uint32_t)x->finite << 21 |
           (uint32_t)x->conjunction << 22 | (uint32_t)x->round << 23;
}

struct hd_matrix hd_matrix_of_imm(int64_t imm)
{
    uint32_t v = (uint32_t)imm;
    struct hd_matrix x = {.shape = v & 15,
                          .wmma = v >> 20 & 1,
                          .finite = v >> 21 & 1,
                          .conjunction = v >> 22 & 1,
                          .round = v >> 23 & 3};

    for (unsigned i = 0; i < HD_N_ROLES; i++)
        x.elements[i] = v >> (4 + 4 * i) & 15;
    return x;
}

uint16_t hd_matrix_mods(const struct hd_matrix *x)
{
    return (uint16_t)(x->shape | x->elements[x->role] << 4 | x->role << 8 | x->column << 10);
}

struct hd_matrix hd_matrix_of_mods(uint16_t mods)
{
    struct hd_matrix x = {
        .shape = mods & 15, .wmma = true, .role = mods >> 8 & 3, .column = mods >> 10 & 1};

    for (unsigned i = 0; i < HD_N_ROLES; i++)
        x.elements[i] = mods >> 4 & 15;
    return x;
}

// The width of the elements of A and B determines the shapes that exist, for wmma and for mma.
static bool has_shape(const struct hd_matrix *x)
{
    const struct hd_shape_mnk *s = &hd_matrix_shapes[x->shape];
    unsigned a = x->elements[HD_ROLE_A], bits = hd_element_bits[a], step = 128 / bits;

    if (bits == 64)
        return s->k == 4 ? s->m == 8 || (s->m == 16 && !x->wmma)
                         : !x->wmma && s->n == 8 && s->m == 16 && s->k <= 16;
    if (!x->wmma) // 16 rows: one or two steps as wide as four registers; integers also
                  // have 8 rows
        return s->n == 8 && ((s->m == 16 && (s->k == step || s->k == 2 * step)) ||
                             (s->m == 8 && s->k == step && bits <= 8 && a < HD_ELEMENT_E4M3));
    if (bits == 32)
        return s->m == 16 && s->n == 16 && s->k == 8;
    if (bits < 8)
        return s->m == 8 && s->n == 8 && s->k == step;
    return s->m * s->n == 256 && s->k == 16;
}

bool hd_matrix_exists(const struct hd_matrix *x)
{
    unsigned a = x->elements[HD_ROLE_A], b = x->elements[HD_ROLE_B];
    unsigned c = x->elements[HD_ROLE_C], d = x->elements[HD_ROLE_D];
    bool sums; // whether C and D may have the type

    switch (a) {
    case HD_ELEMENT_F16:
    case HD_ELEMENT_E4M3:
    case HD_ELEMENT_E5M2:
        sums = (c == HD_ELEMENT_F16 || c == HD_ELEMENT_F32) &&
               (d == HD_ELEMENT_F16 || d == HD_ELEMENT_F32);
        break;
    case HD_ELEMENT_BF16:
    case HD_ELEMENT_TF32:
        sums = c == HD_ELEMENT_F32 && d == c;
        break;
    case HD_ELEMENT_F64:
        sums = c == HD_ELEMENT_F64 && d == c;
        break;
    case HD_ELEMENT_F32:
    case HD_ELEMENT_S32:
        return false;
    default:
        sums = c == HD_ELEMENT_S32 && d == c;
    }
    // Signs may differ in mma, and so may the 8-bit floats, which wmma does not have.
    bool pairs = a == b || (!x->wmma && a != HD_ELEMENT_F16 && hd_element_bits[a] <= 8 &&
                            hd_element_bits[a] == hd_element_bits[b] &&
                            (a >= HD_ELEMENT_E4M3) == (b >= HD_ELEMENT_E4M3));
    return sums && pairs && !(x->wmma && a >= HD_ELEMENT_E4M3) && has_shape(x);
}

void hd_matrix_size(const struct hd_matrix *x, enum hd_role role, unsigned *rows, unsigned *columns)
{
    const struct hd_shape_mnk *s = &hd_matrix_shapes[x->shape];

    *rows = role == HD_ROLE_B ? s->k : s->m;
    *columns = role == HD_ROLE_A ? s->k : s->n;
}

// Elements in a register.
static unsigned width_of(const struct hd_matrix *x, enum hd_role role)
{
    unsigned bits = hd_element_bits[x->elements[role]];
    return bits >= 32 ? 1 : 32 / bits;
}

unsigned hd_matrix_registers(const struct hd_matrix *x, enum hd_role role)
{
    unsigned rows, columns;

    hd_matrix_size(x, role, &rows, &columns);
    if (x->wmma && role <= HD_ROLE_B && x->elements[role] == HD_ELEMENT_F16)
        return 8;
    return rows * columns / width_of(x, role) / HD_LANES;
}

enum hd_type hd_matrix_register_type(const struct hd_matrix *x, enum hd_role role)
{
    switch (x->elements[role]) {
    case HD_ELEMENT_F32:
        return HD_F32;
    case HD_ELEMENT_F64:
        return HD_F64;
    default:
        return HD_B32;
    }
}

unsigned hd_matrix_work(const struct hd_matrix *x)
{
    const struct hd_shape_mnk *s = &hd_matrix_shapes[x->shape];
    unsigned steps = (unsigned)s->m * s->n * s->k / HD_LANES / width_of(x, HD_ROLE_A) / 8, work = 0;

    while (steps >> (work + 1))
        work++;
    return work;
}

struct hd_matrix_place hd_matrix_place(const struct hd_matrix *x, enum hd_role role, unsigned reg,
                                       unsigned lane, unsigned sub)
{
    const struct hd_shape_mnk *s = &hd_matrix_shapes[x->shape];
    unsigned width = width_of(x, role), group = lane / 4, member = lane % 4, tiles = s->m / 8;

    if (role == HD_ROLE_A) {
        reg %= (unsigned)s->m * s->k / width / HD_LANES; // registers beyond that hold copies
        return (struct hd_matrix_place){group + 8 * (reg % tiles),
                                        (reg / tiles * 4 + member) * width + sub};
    }
    if (role == HD_ROLE_B) {
        unsigned down = s->k / width / 4;
        reg %= down * (s->n / 8u);
        return (struct hd_matrix_place){(reg % down * 4 + member) * width + sub,
                                        group + 8 * (reg / down)};
    }
    if (width == 1) { // two adjacent elements need two registers
        sub = reg % 2;
        reg /= 2;
    }
    return (struct hd_matrix_place){group + 8 * (reg % tiles), reg / tiles * 8 + 2 * member + sub};
}
