// fragment.h - instructions on matrices: what they are, and how many registers a fragment has.
#ifndef HEDDLE_PTX_FRAGMENT_H
#define HEDDLE_PTX_FRAGMENT_H

#include "ptx/select.h"

// Is this the opcode of one of them?
bool hd_fragment_named(struct hd_slice opcode);
// As hd_select_op.
bool hd_fragment_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                        struct hd_select *out);
// Registers of the n-th fragment among the operands, and their type.
unsigned hd_fragment_registers(const struct hd_select *sel, unsigned n, enum hd_type *t);

#endif
