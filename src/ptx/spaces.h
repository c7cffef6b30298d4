// spaces.h - finds the generic accesses that always go to one state space.
#ifndef HEDDLE_PTX_SPACES_H
#define HEDDLE_PTX_SPACES_H

#include "ptx/lower.h"

// For each instruction of a decoded function: the state space of its generic access if it is known,
// otherwise HD_SPACE_NONE.
uint8_t *hd_spaces_find(const struct hd_lower *lo, const struct hd_ast_func *f, uint32_t first_pc);

#endif
