// unsupported.h - functions of NVIDIA's libraries that return "not supported" and print that once
// each.
//
// They exist because a program that refers to one must still start. The files that define them see
// no prototypes: the functions accept any arguments and ignore them.
#ifndef HEDDLE_CUDA_ABI_UNSUPPORTED_H
#define HEDDLE_CUDA_ABI_UNSUPPORTED_H

#include "base/diag.h"

#include <stdatomic.h>

#define HD_NOT_SUPPORTED 801 // CUDA_ERROR_NOT_SUPPORTED and cudaErrorNotSupported

static inline int hd_unsupported_refuse(const char *name, atomic_flag *said)
{
    struct hd_diag d = {.n = 0};

    if (!atomic_flag_test_and_set(said)) {
        hd_diag_add(&d, NULL, 0, 0, "%s is not supported", name);
        hd_diag_print(&d, stderr);
    }
    return HD_NOT_SUPPORTED;
}

#define HD_UNSUPPORTED(name)                                                                       \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        static atomic_flag said = ATOMIC_FLAG_INIT;                                                \
        return hd_unsupported_refuse(#name, &said);                                                \
    }

#endif
