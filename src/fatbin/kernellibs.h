// kernellibs.h - NVIDIA's libraries of kernels, by the names of their files. They carry machine
// code and no PTX, so nothing here can run them: people should hear that before they start.
#ifndef HEDDLE_FATBIN_KERNELLIBS_H
#define HEDDLE_FATBIN_KERNELLIBS_H

#include "base/arena.h"

// What the file is called: "cuBLAS" for "/usr/lib/libcublas.so.12". NULL: no such library.
const char *hd_kernellibs_name(const char *file);
#define HD_KERNELLIBS_HINT                                                                         \
    "build the program without it, or with kernels of its own; a library that brings PTX works"

struct hd_kernellibs_use {
    const char *name, *file;
    const char *by; // the library that asks the loader for it, "" if it is the program itself
};
// Those that the loader would give to a program or library, in the order in which it meets them;
// `path` is where it would look first, as LD_LIBRARY_PATH has it, or NULL.
struct hd_kernellibs_use *hd_kernellibs_of(struct hd_arena *a, const char *file, const char *path,
                                           size_t *n);

#endif
