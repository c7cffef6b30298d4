// kernellibs.h - NVIDIA's libraries of kernels, recognised by their file names. Many carry PTX, but
// they contain NVIDIA's runtime, which checks by a keyed hash that the driver is NVIDIA's; cuFFT
// asks for private tables of that driver. heddle does not imitate these answers, so the libraries
// cannot run, and users should learn that before a run.
#ifndef HEDDLE_FATBIN_KERNELLIBS_H
#define HEDDLE_FATBIN_KERNELLIBS_H

#include "base/arena.h"
#include "base/diag.h"

// The library's name: "cuBLAS" for "/usr/lib/libcublas.so.12". NULL: no such library.
const char *hd_kernellibs_name(const char *file);

struct hd_kernellibs_use {
    const char *name, *file;
    const char *by; // the library that needs it, "" if it is the program itself
};
// Lists those that the loader would load for a program or library, in the order in which it finds
// them; `path` is a list of folders to search first, like LD_LIBRARY_PATH, or NULL.
struct hd_kernellibs_use *hd_kernellibs_of(struct hd_arena *a, const char *file, const char *path,
                                           size_t *n);

// Adds the message about libraries that a program uses. `how` begins it: "it uses".
void hd_kernellibs_tell(struct hd_diag *d, const char *path, const char *how,
                        const struct hd_kernellibs_use *uses, size_t n);
// Why a library of this name (cuBLAS) cannot run, and what to do instead of using "it" or "them".
const char *hd_kernellibs_why(const char *name);
#define HD_KERNELLIBS_HINT "build the program without %s, or with kernels of its own"

#endif
