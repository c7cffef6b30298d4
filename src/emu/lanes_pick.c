// lanes_pick.c - which build of the lane loops this host runs.
//
// A build wider than the baseline is compared with the baseline first: where a compiler made one of
// them wrong, results must not change without a word. Whether the baseline is right is the matter
// of tests/unit/test_values.c.
#include "base/diag.h"
#include "emu/access.h"
#include "emu/lanes.h"
#include "emu/whole.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define TABLE(part, width) hd_lanes_##part##_##width,
#if defined(__x86_64__)
#define BUILDS(name) {&name##_baseline, &name##_avx2, &name##_avx512}
static const hd_lane_fn *const parts[][4] = {
    {HD_LANES_PARTS(TABLE, baseline)}, {HD_LANES_PARTS(TABLE, avx2)}, {HD_LANES_PARTS(TABLE, avx512)}
};
#else
#define BUILDS(name) {&name##_baseline}
static const hd_lane_fn *const parts[][4] = {{HD_LANES_PARTS(TABLE, baseline)}};
#endif
// clang-format on
enum { N_PARTS = sizeof parts[0] / sizeof parts[0][0], N_BUILDS = sizeof parts / sizeof parts[0] };

static const char *const names[HD_N_LANES_WIDTHS] = {"baseline", "avx2", "avx512"};
static hd_lane_fn tables[N_BUILDS][HD_N_OPS];
static enum hd_lanes_width widest, picked;
static pthread_once_t joined = PTHREAD_ONCE_INIT, decided = PTHREAD_ONCE_INIT;

static enum hd_lanes_width widest_here(void)
{
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");

    return avx512 ? HD_LANES_AVX512 : avx2 ? HD_LANES_AVX2 : HD_LANES_BASELINE;
#else
    return HD_LANES_BASELINE;
#endif
}

static void join(void)
{
    for (unsigned w = 0; w < N_BUILDS; w++)
        for (unsigned p = 0; p < N_PARTS; p++)
            for (int op = 0; op < HD_N_OPS; op++)
                if (parts[w][p][op])
                    tables[w][op] = parts[w][p][op];
    widest = widest_here();
}

const hd_lane_fn *hd_lanes_table(enum hd_lanes_width width)
{
    pthread_once(&joined, join);
    return width <= widest ? tables[width] : NULL;
}

static void warn(enum hd_lanes_width width, const char *what, FILE *to)
{
    struct hd_diag d = {0};

    hd_diag_hint(
        hd_diag_add(&d, NULL, 0, 0,
                    "warning: for %s the %s lane loops of this heddle give other results than the "
                    "baseline loops, so the compiler made some of them wrong",
                    what, names[width]),
        "heddle goes on with the baseline loops, which take longer; please build it with another "
        "compiler");
    hd_diag_print(&d, to);
}

enum hd_lanes_width hd_lanes_trusted(enum hd_lanes_width wanted, const hd_lane_fn *table, FILE *to)
{
    struct hd_insn where;
    char what[100];

    if (hd_lanes_same(hd_lanes_table(HD_LANES_BASELINE), table, &where))
        return wanted;
    const struct hd_op_info *o = &hd_op_info[where.op];
    const char *dtype = o->dtype == o->type ? "" : hd_type_names[o->dtype];
    snprintf(what, sizeof what, "%s%s%s.%s (modifiers 0x%x)", o->name, *dtype ? "." : "", dtype,
             hd_type_names[o->type], where.mods);
    warn(wanted, what, to);
    return HD_LANES_BASELINE;
}

static const struct hd_access_ops *const access[] = BUILDS(hd_access);
static const struct hd_whole_ops *const whole[] = BUILDS(hd_whole);

static void decide(void)
{
    const char *want = getenv("HEDDLE_LANES");
    enum hd_lanes_width width = HD_LANES_BASELINE;

    for (unsigned w = 0; w < HD_N_LANES_WIDTHS; w++)
        if (hd_lanes_table(w) && (!want || !strcmp(want, names[w])))
            width = w;
    if (width != HD_LANES_BASELINE &&
        !hd_access_same((const struct hd_access_ops *[]){access[0], access[width]},
                        (const struct hd_whole_ops *[]){whole[0], whole[width]})) {
        warn(width, "loads and stores", stderr);
        width = HD_LANES_BASELINE;
    }
    picked = hd_lanes_trusted(width, hd_lanes_table(width), stderr);
}

static enum hd_lanes_width pick(void)
{
    pthread_once(&decided, decide);
    return picked;
}

const hd_lane_fn *hd_lanes_pick(void)
{
    return hd_lanes_table(pick());
}

const struct hd_access_ops *hd_access_pick(void)
{
    return access[pick()];
}

const struct hd_whole_ops *hd_whole_pick(void)
{
    return whole[pick()];
}
