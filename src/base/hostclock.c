// hostclock.c - see hostclock.h.
#include "base/hostclock.h"

#include <time.h>

double hd_hostclock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
