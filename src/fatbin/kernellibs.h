// kernellibs.h - NVIDIA's libraries of kernels, recognised by their file names. They contain
// machine code and no PTX, so heddle cannot run them, and users should learn that before a run.
#ifndef HEDDLE_FATBIN_KERNELLIBS_H
#define HEDDLE_FATBIN_KERNELLIBS_H

#include "base/arena.h"

// The library's name: "cuBLAS" for "/usr/lib/libcublas.so.12". NULL: no such library.
const char *hd_kernellibs_name(const char *file);
#define HD_KERNELLIBS_HINT                                                                         \
    "build the program without it, or with kernels of its own; a library that brings PTX works"

struct hd_kernellibs_use {
    const char *name, *file;
    const char *by; // the library that needs it, "" if it is the program itself
};
// Lists those that the loader would load for a program or library, in the order in which it finds
// them; `path` is a list of folders to search first, like LD_LIBRARY_PATH, or NULL.
struct hd_kernellibs_use *hd_kernellibs_of(struct hd_arena *a, const char *file, const char *path,
                                           size_t *n);

#endif
