// mov.h - operands of mov instructions that do more than copy a register.
#ifndef HEDDLE_PTX_MOV_H
#define HEDDLE_PTX_MOV_H

#include "ptx/values.h"

// Handle a mov that reads a special register which changes, or that has a vector as an operand.
// *done is false if the mov is a plain one. Returns false after one diagnostic.
bool hd_mov_match(struct hd_match *m, bool *done);

#endif
