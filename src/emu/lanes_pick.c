// lanes_pick.c - which build of the lane loops this host runs.
#include "emu/access.h"
#include "emu/lanes.h"
#include "emu/whole.h"

#include <stdlib.h>
#include <string.h>

enum build { BASELINE, AVX2, AVX512 };

static enum build pick(void)
{
#if defined(__x86_64__)
    const char *want = getenv("HEDDLE_LANES");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");

    if (avx512 && (!want || !strcmp(want, "avx512")))
        return AVX512;
    if (avx2 && (!want || !strcmp(want, "avx2")))
        return AVX2;
#endif
    return BASELINE;
}

#if defined(__x86_64__)
#define BUILDS(name)                                                                               \
    {                                                                                              \
        name##_baseline, name##_avx2, name##_avx512                                                \
    }
#else
#define BUILDS(name)                                                                               \
    {                                                                                              \
        name##_baseline                                                                            \
    }
#endif

const hd_lane_fn *hd_lanes_pick(void)
{
    static const hd_lane_fn *const tables[] = BUILDS(hd_lanes);

    return tables[pick()];
}

const struct hd_access_ops *hd_access_pick(void)
{
    static const struct hd_access_ops *const ops[] = BUILDS(&hd_access);

    return ops[pick()];
}

const struct hd_whole_ops *hd_whole_pick(void)
{
    static const struct hd_whole_ops *const ops[] = BUILDS(&hd_whole);

    return ops[pick()];
}
