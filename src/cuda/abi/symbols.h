// symbols.h - entry points by name. Apart from driver.h: symbols.c must not see their prototypes.
#ifndef HEDDLE_CUDA_ABI_SYMBOLS_H
#define HEDDLE_CUDA_ABI_SYMBOLS_H

#include <stdbool.h>

// The function that this name stands for in this version of CUDA (13000). *known is false if no
// version has it.
bool hd_symbols_find(const char *name, int version, bool per_thread, void **function, bool *known);

#endif
