// memory_operands.h - operands of loads, stores, textures and surfaces.
#ifndef HEDDLE_PTX_MEMORY_OPERANDS_H
#define HEDDLE_PTX_MEMORY_OPERANDS_H

#include "ptx/values.h"

// All of them return false after one diagnostic.

// [register + offset], [variable + offset] or [number]: the address is source 0.
bool hd_memory_operands_address(struct hd_match *m, const struct hd_ast_operand *o);
// The data of a load or store: a register, a value, or a vector of them.
bool hd_memory_operands_data(struct hd_match *m, const struct hd_ast_operand *o, bool load);
// [object, {x, y}], or [object] without coordinates. The object is a register with its handle, or
// the name of a texture or surface reference.
bool hd_memory_operands_object(struct hd_match *m, const struct hd_ast_operand *o,
                               bool coordinates);
// Derivatives of tex.grad: the instruction waits for the registers and does not use the values.
bool hd_memory_operands_gradient(struct hd_match *m, const struct hd_ast_operand *o);
// Offsets in texels.
bool hd_memory_operands_offsets(struct hd_match *m, const struct hd_ast_operand *o);

#endif
