// patterns.h - enters the operands of one instruction into the columns of the program.
#ifndef HEDDLE_PTX_PATTERNS_H
#define HEDDLE_PTX_PATTERNS_H

#include "ptx/values.h"

// Enter the operands of m->in into its columns, fix-ups and references. m->sel says which operation
// it is. Returns false after one diagnostic.
bool hd_patterns_match(struct hd_match *m);

#endif
