// symbols.h - finds entry points by name. Separate from driver.h, because symbols.c must not see
// its prototypes.
#ifndef HEDDLE_CUDA_ABI_SYMBOLS_H
#define HEDDLE_CUDA_ABI_SYMBOLS_H

#include <stdbool.h>

// The function that this name means in this version of CUDA (such as 13000). *known is false if no
// version has the name.
bool hd_symbols_find(const char *name, int version, bool per_thread, void **function, bool *known);

#endif
