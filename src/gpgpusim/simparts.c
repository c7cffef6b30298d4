// simparts.c - clocks, threads, latencies and the scheduler. See simparts.h.
#include "gpgpusim/simparts.h"

#include "gpgpusim/simnumber.h"

#include <inttypes.h>
#include <string.h>

// Core, network, L2 and DRAM.
static void clocks(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_clock_domains");
    const char *text = hd_simkeys_value(m, o);
    uint64_t khz[4];

    for (unsigned i = 0; i < 4; i++) {
        size_t n = strcspn(text, ":");
        if (!hd_simnumber_thousandths(text, n, &khz[i]) || (i < 3 && khz[i] % 1000)) {
            hd_diag_hint(hd_simkeys_refuse(m, o, "'%.*s' is no %s", (int)n, text,
                                           i < 3 ? "whole number of MHz"
                                                 : "number of MHz, with at most three digits after "
                                                   "its point"),
                         "only the ratio of the clocks changes cycles: multiply all four by 2, 10 "
                         "and so on");
            return;
        }
        text += n;
        if ((*text == ':') != (i < 3)) {
            hd_simkeys_refuse(m, o, "expected four clocks, core:network:L2:DRAM");
            return;
        }
        text += i < 3;
    }
    if (khz[0] != khz[2] || !khz[0] || khz[1] % khz[0])
        hd_diag_hint(hd_simkeys_refuse(m, o,
                                       "core and L2 have one clock in heddle, the network has it "
                                       "or a multiple"),
                     "give all three %" PRIu64, khz[0] / 1000);
    hd_simkeys_emit(m, o, "clock.core", "%" PRIu64, khz[0] / 1000);
    if (khz[1] != khz[0])
        hd_simkeys_emit(m, o, "clock.net", "%" PRIu64, khz[1] / 1000);
    hd_simkeys_emit(m, o, "clock.dram", "%" PRIu64, khz[3] / 1000);
    hd_simkeys_emit(m, o, "clock.dram_khz", "%" PRIu64, khz[3] % 1000);
}

static void threads(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_shader_core_pipeline");
    uint32_t v[2] = {0};

    if (hd_simnumber_list(hd_simkeys_value(m, o), ':', 2, v) != 2)
        hd_simkeys_refuse(m, o, "expected threads:warp size");
    else if (v[1] != 32)
        hd_simkeys_refuse(m, o, "a warp has 32 threads in heddle");
    else if (!v[0] || v[0] % 32)
        hd_diag_hint(hd_simkeys_refuse(m, o, "threads of an SM must be a multiple of 32"),
                     "%" PRIu32 " threads are %" PRIu32 " warps", v[0] / 32 ? v[0] / 32 * 32 : 32,
                     v[0] / 32 ? v[0] / 32 : 1);
    else
        hd_simkeys_emit(m, o, "sm.warps", "%" PRIu32, v[0] / 32);
}

// Options that may stand in a file if they say the same as another one.
static void the_same(struct hd_simmap *m)
{
    static const char *const names[][3] = {
        // the option, what it must be, or its default
        {"-gpgpu_shmem_sizeDefault", "-gpgpu_shmem_size", ""},
        {"-gpgpu_shmem_size_PrefL1", "-gpgpu_shmem_size", "16384"},
        {"-gpgpu_shmem_size_PrefShared", "-gpgpu_shmem_size", "16384"},
        {"-gpgpu_cache:dl1PrefL1", "-gpgpu_cache:dl1", "none"},
        {"-gpgpu_cache:dl1PrefShared", "-gpgpu_cache:dl1", "none"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct hd_simoption *o = hd_simoptions_find(names[i][0]);
        const char *value = hd_simkeys_value(m, o), *other = hd_simkeys_named(m, names[i][1]);
        bool holes = m->holes;
        if (!hd_simkeys_given(m, o) || hd_simoptions_accepts(other, value) ||
            hd_simoptions_accepts(names[i][2], value))
            continue;
        hd_diag_hint(hd_simkeys_refuse(m, o, "differs from %s %.60s", names[i][1], other),
                     "L1D and shared memory do not follow what a kernel prefers");
        m->holes = holes;
    }
}

// Version 4 makes accesses of 32 bytes for capabilities from 4.0 on.
static void coalescing(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_coalesce_arch");
    const char *value = hd_simkeys_value(m, o);
    uint64_t v = 0;
    bool four = m->version == HD_SIM_4;
    bool number = hd_simnumber_read(value, strlen(value), UINT32_MAX, &v);

    if (!number || v < 13 || (v > 37 && (v < 40 || !four))) {
        hd_simkeys_refuse(m, o, "expected a number from 13 to 37%s",
                          four ? ", or from 40 on" : ", in version 3");
        return;
    }
    hd_simkeys_emit(m, o, "sm.segment", "%d", v < 40 ? 128 : 32);
    if (four && v < 40)
        hd_simkeys_emit(m, o, "sm.segment_uncached", "%d", v < 20 ? 128 : 32);
    hd_simkeys_emit(m, o, "sm.atomic_halves", "%d", !four);
}

static void core(struct hd_simmap *m)
{
    const struct hd_simoption *sms = hd_simoptions_find("-gpgpu_n_clusters");
    const struct hd_simoption *kernels = hd_simoptions_find("-gpgpu_max_concurrent_kernel");
    uint32_t n = 0;

    threads(m);
    if (hd_simkeys_number(m, sms->name, &n))
        hd_simkeys_emit(m, sms, "sm.sms", "%" PRIu32, n);
    if (hd_simkeys_number(m, kernels->name, &n))
        hd_simkeys_line(
            m, kernels, "launch.kernels",
            hd_arena_printf(m->arena, "%" PRIu32, n < HD_MAX_KERNELS ? n : HD_MAX_KERNELS),
            hd_arena_printf(m->arena, n > HD_MAX_KERNELS ? "%s; heddle runs at most %d" : "%s",
                            hd_simkeys_from(m, kernels), HD_MAX_KERNELS));
    the_same(m);
    coalescing(m);
}

#define N_OPS 5 // and SHFL, which version 4 lists with the integers

// What a file of version 4 without SHFL gets, from the reference's QV100 (simmap.c warns).
#define SHFL_LATENCY 21
#define SHFL_INTERVAL 4

static const char *const types[3] = {"int", "fp32", "fp64"};

// Latencies and intervals of one type. False after a diagnostic.
static bool op_lists(struct hd_simmap *m, const struct hd_simoption *const o[2],
                     uint32_t v[2][N_OPS + 1])
{
    bool good = true;

    for (unsigned i = 0; i < 2; i++) {
        unsigned n = hd_simnumber_list(hd_simkeys_value(m, o[i]), ',', N_OPS + 1, v[i]);
        bool six = m->version == HD_SIM_4 && strstr(o[i]->name, "_int");
        if (n == N_OPS || (n == N_OPS + 1 && six))
            continue;
        hd_diag_hint(
            hd_simkeys_refuse(m, o[i], six ? "expected 5 or 6 numbers" : "expected 5 numbers"),
            "ADD,MAX,MUL,MAD,DIV%s",
            six              ? ",SHFL"
            : n == N_OPS + 1 ? "; a sixth one, SHFL's, is for integers of version 4 only"
                             : "");
        good = false;
    }
    return good;
}

static void latency(struct hd_simmap *m, const struct hd_simoption *const o[2], const char *op,
                    const char *type, uint32_t cycles, uint32_t interval)
{
    hd_simkeys_line(
        m, o[0], hd_arena_printf(m->arena, "latency.%s.%s", op, type),
        hd_arena_printf(m->arena, "%" PRIu32 "/%" PRIu32, cycles, interval),
        hd_arena_printf(m->arena, "%s, %s", hd_simkeys_from(m, o[0]), hd_simkeys_from(m, o[1])));
}

// The same for operands of all types.
static void latency_of_all(struct hd_simmap *m, const struct hd_simoption *const o[2],
                           const char *op, uint32_t cycles, uint32_t interval)
{
    for (unsigned t = 0; t < 3; t++)
        latency(m, o, op, types[t], cycles, interval);
}

static void shuffles(struct hd_simmap *m, const struct hd_simoption *const o[2],
                     uint32_t v[2][N_OPS + 1])
{
    for (unsigned i = 2; i-- > 0;) {
        uint32_t six[N_OPS + 1];
        if (hd_simnumber_list(hd_simkeys_value(m, o[i]), ',', N_OPS + 1, six) > N_OPS)
            continue;
        v[i][N_OPS] = i ? SHFL_INTERVAL : SHFL_LATENCY;
        m->shuffles = o[i];
    }
    latency_of_all(m, o, "shfl", v[0][N_OPS], v[1][N_OPS]);
}

// Version 4: one number for operations of all types.
static void op_of_all(struct hd_simmap *m, const char *op, const char *cycles, const char *interval)
{
    const struct hd_simoption *const o[2] = {hd_simoptions_find(cycles),
                                             hd_simoptions_find(interval)};
    uint32_t v[2];

    if (hd_simkeys_number(m, cycles, &v[0]) && hd_simkeys_number(m, interval, &v[1]))
        latency_of_all(m, o, op, v[0], v[1]);
}

static void ops(struct hd_simmap *m)
{
    static const char *const names[N_OPS] = {"add", "minmax", "mul", "mad", "div"};
    static const char *const words[3] = {"int", "fp", "dp"};
    bool four = m->version == HD_SIM_4;

    for (unsigned t = 0; t < 3; t++) {
        const struct hd_simoption *const o[2] = {
            hd_simoptions_find(hd_arena_printf(m->arena, "-ptx_opcode_latency_%s", words[t])),
            hd_simoptions_find(hd_arena_printf(m->arena, "-ptx_opcode_initiation_%s", words[t]))};
        uint32_t v[2][N_OPS + 1] = {{0}};
        if (!op_lists(m, o, v))
            continue;
        for (unsigned i = 0; i < N_OPS; i++)
            latency(m, o, names[i], types[t], v[0][i], v[1][i]);
        if (four) // fma is mad
            latency(m, o, "fma", types[t], v[0][3], v[1][3]);
        if (four && t == 0)
            shuffles(m, o, v);
        if (!four && t == 2) // the double multiply's numbers, also for sqrt, sin and so on
            latency_of_all(m, o, "trans", v[0][2], v[1][2]);
    }
    if (!four)
        return;
    op_of_all(m, "trans", "-ptx_opcode_latency_sfu", "-ptx_opcode_initiation_sfu");
    op_of_all(m, "mma", "-ptx_opcode_latency_tesnor", "-ptx_opcode_initiation_tensor");
}

// The policy, as --sched takes it.
static void scheduler(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_scheduler");
    const char *text = hd_simkeys_value(m, o);
    uint32_t v[3] = {0};

    if (!strcmp(text, "lrr") || !strcmp(text, "gto"))
        m->sched = text;
    else if (!strcmp(text, "old"))
        m->sched = "oldest";
    else if (!strncmp(text, "two_level_active:", 17) &&
             hd_simnumber_list(text + 17, ':', 3, v) == 3)
        m->sched = hd_arena_printf(m->arena, "two_level_active:%" PRIu32 ":%" PRIu32 ":%" PRIu32,
                                   v[0], v[1], v[2]);
    else if (!strncmp(text, "warp_limiting:", 14) && hd_simnumber_list(text + 14, ':', 2, v) == 2)
        m->sched = hd_arena_printf(m->arena, "swl:%" PRIu32, v[1]);
    else
        hd_diag_hint(hd_simkeys_refuse(m, o, "heddle knows no such scheduler of GPGPU-Sim"),
                     "lrr, gto, old, two_level_active:A:B:C, warp_limiting:A:B; for others, leave "
                     "it out and give --sched");
}

void hd_simparts_read(struct hd_simmap *m)
{
    clocks(m);
    core(m);
    ops(m);
    scheduler(m);
}
