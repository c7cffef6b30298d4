// surround.c - state of a thread that changes what C's own functions do.
//
// Kernels compute with the host's floating-point unit, PTX and reports are read and written with
// the host's functions. A program that rounds upwards, flushes denormals (-ffast-math does), traps
// divisions by zero, or writes numbers with commas must not change what comes out here.
#include "cuda/core/process.h"

#include <fenv.h>
#include <locale.h>

static locale_t plain;
static _Thread_local locale_t theirs;
static _Thread_local fenv_t unit;

void hd_surround_init(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void hd_surround_enter(void)
{
    fegetenv(&unit);
    fesetenv(FE_DFL_ENV);
    theirs = uselocale(plain);
}

void hd_surround_leave(void)
{
    uselocale(theirs);
    fesetenv(&unit);
}
