// fragment.h - instructions on matrices: which operation they are, and their fragments as operands.
#ifndef HEDDLE_PTX_FRAGMENT_H
#define HEDDLE_PTX_FRAGMENT_H

#include "ptx/values.h"

// Whether this is the opcode of one of them.
bool hd_fragment_named(struct hd_slice opcode);
// As hd_select_op.
bool hd_fragment_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                        struct hd_select *out);
// The next fragment among the operands: {a, b, ...}, or a if it has one register. Returns false
// after one diagnostic.
bool hd_fragment_match(struct hd_match *m, const struct hd_ast_operand *o);
// Enter what a matrix operation needs besides its operands.
void hd_fragment_finish(struct hd_match *m);

#endif
