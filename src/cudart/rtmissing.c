// rtmissing.c - what is missing answers cudaErrorNotSupported and says so, once each.
//
// The functions exist because a program that names one must still start. This file sees no
// prototypes: the functions take any arguments and look at none.
#include "base/diag.h"

#include <stdatomic.h>

#define NOT_SUPPORTED 801 // cudaErrorNotSupported

static int refuse(const char *name, atomic_flag *said)
{
    struct hd_diag d = {.n = 0};

    if (!atomic_flag_test_and_set(said)) {
        hd_diag_add(&d, NULL, 0, 0, "%s is not supported", name);
        hd_diag_print(&d, stderr);
    }
    return NOT_SUPPORTED;
}

#define X(name)                                                                                    \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        static atomic_flag said = ATOMIC_FLAG_INIT;                                                \
        return refuse(#name, &said);                                                               \
    }
#include "cudart/rtmissing.def"
