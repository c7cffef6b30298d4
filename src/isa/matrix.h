// matrix.h - the matrices of wmma, mma and their loads and stores: shapes, elements, and which lane
// holds which element in which register.
//
// All of them have the layout that the PTX manual gives for mma.m16n8k16 and similar shapes
// (9.7.14.5). Matrix A is divided into tiles of 8 rows; a row of a tile is as wide as 4 registers,
// and each lane holds one register of the tile. B is divided in the same way, transposed. C and D
// are divided into tiles of 8 by 8 elements, and each lane holds two adjacent elements. The order
// of tiles is down the rows first. The manual leaves the layout of wmma open, so it is the same
// here; A and B of f16 always have eight registers in wmma, so small ones hold their elements
// twice.
#ifndef HEDDLE_ISA_MATRIX_H
#define HEDDLE_ISA_MATRIX_H

#include "isa/op.h"

// clang-format off
enum hd_element {
    HD_ELEMENT_F16, HD_ELEMENT_BF16, HD_ELEMENT_TF32, HD_ELEMENT_F32, HD_ELEMENT_F64,
    HD_ELEMENT_S8, HD_ELEMENT_U8, HD_ELEMENT_S4, HD_ELEMENT_U4, HD_ELEMENT_B1, HD_ELEMENT_S32,
    HD_ELEMENT_E4M3, HD_ELEMENT_E5M2,
    HD_N_ELEMENTS
};
// clang-format on
extern const char *const hd_element_names[HD_N_ELEMENTS + 1]; // "f16", ..., NULL at the end
extern const uint8_t hd_element_bits[HD_N_ELEMENTS];

enum hd_role { HD_ROLE_A, HD_ROLE_B, HD_ROLE_C, HD_ROLE_D, HD_N_ROLES };

struct hd_shape_mnk {
    const char *name; // "m16n8k16"
    uint16_t m, n, k;
};
#define HD_N_MATRIX_SHAPES 15
extern const struct hd_shape_mnk hd_matrix_shapes[HD_N_MATRIX_SHAPES];

// An operation on matrices. Loads and stores have the element type of only one role.
struct hd_matrix {
    uint8_t shape;                // index into hd_matrix_shapes
    uint8_t elements[HD_N_ROLES]; // enum hd_element
    bool wmma;                    // not mma
    bool finite;                  // .satfinite
    bool conjunction;             // b1: .and, not .xor
    uint8_t round;                // f64: enum hd_round
    uint8_t role;                 // loads and stores: enum hd_role
    bool column;                  // in memory, columns are contiguous
};

// How hd_insn stores it: a multiplication in imm, a load or store in the lower bits of mods.
int64_t hd_matrix_imm(const struct hd_matrix *x);
struct hd_matrix hd_matrix_of_imm(int64_t imm);
uint16_t hd_matrix_mods(const struct hd_matrix *x);
struct hd_matrix hd_matrix_of_mods(uint16_t mods);

// Whether PTX has this multiplication.
bool hd_matrix_exists(const struct hd_matrix *x);
// Registers of a lane that hold a role's matrix, and their type: HD_B32, HD_F32 or HD_F64.
unsigned hd_matrix_registers(const struct hd_matrix *x, enum hd_role role);
enum hd_type hd_matrix_register_type(const struct hd_matrix *x, enum hd_role role);
// Rows and columns of a role's matrix.
void hd_matrix_size(const struct hd_matrix *x, enum hd_role role, unsigned *rows,
                    unsigned *columns);
// The work of a multiplication as a power of two: 2^n steps of eight multiply-adds of whole
// registers.
unsigned hd_matrix_work(const struct hd_matrix *x);

// The place of element `sub` of a lane's register.
struct hd_matrix_place {
    unsigned row, column;
};
struct hd_matrix_place hd_matrix_place(const struct hd_matrix *x, enum hd_role role, unsigned reg,
                                       unsigned lane, unsigned sub);

#endif
