// lanes_pick.c - which build of the lane loops this host runs.
#include "emu/lanes.h"

#include <stdlib.h>
#include <string.h>

const hd_lane_fn *hd_lanes_pick(void)
{
#if defined(__x86_64__)
    const char *want = getenv("HEDDLE_LANES");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");

    if (avx512 && (!want || !strcmp(want, "avx512")))
        return hd_lanes_avx512;
    if (avx2 && (!want || !strcmp(want, "avx2")))
        return hd_lanes_avx2;
#endif
    return hd_lanes_baseline;
}
