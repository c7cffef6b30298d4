// simparts.c - clocks, pipelines, latencies and the scheduler. See simparts.h.
#include "gpgpusim/simparts.h"

#include "gpgpusim/simnumber.h"

#include <inttypes.h>
#include <string.h>

// Core, network, L2 and DRAM.
static void clocks(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_clock_domains");
    const char *text = hd_simkeys_value(m, o);
    uint32_t mhz[4];

    for (unsigned i = 0; i < 4; i++) {
        size_t n = strcspn(text, ":");
        if (!hd_simnumber_whole(text, n, &mhz[i])) {
            hd_diag_hint(hd_simkeys_refuse(m, o, "'%.*s' is no whole number of MHz", (int)n, text),
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
    if (mhz[0] != mhz[1] || mhz[0] != mhz[2])
        hd_diag_hint(hd_simkeys_refuse(m, o, "core, network and L2 have one clock in heddle"),
                     "give all three %" PRIu32, mhz[0]);
    hd_simkeys_emit(m, o, "clock.core", "%" PRIu32, mhz[0]);
    hd_simkeys_emit(m, o, "clock.dram", "%" PRIu32, mhz[3]);
}

static void core(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_shader_core_pipeline");
    const struct hd_simoption *again = hd_simoptions_find("-gpgpu_shmem_sizeDefault");
    const struct hd_simoption *sms = hd_simoptions_find("-gpgpu_n_clusters");
    const char *size = hd_simkeys_named(m, "-gpgpu_shmem_size"),
               *other = hd_simkeys_value(m, again);
    uint32_t v[2] = {0};
    uint64_t n = 0;

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
    bool given = m->file->settings[hd_simoptions_index(again)].value != NULL;
    if (given && !hd_simoptions_accepts(size, other))
        hd_simkeys_refuse(m, again, "differs from -gpgpu_shmem_size %s", size);
    const char *clusters = hd_simkeys_value(m, sms);
    if (hd_simnumber_read(clusters, strlen(clusters), UINT32_MAX, &n))
        hd_simkeys_emit(m, sms, "sm.sms", "%" PRIu64, n);
    else
        hd_simkeys_refuse(m, sms, "expected a number of SMs");
}

// Version 3: issue to collectors for SP, SFU and memory; collectors to units; results. Version 4
// has more kinds of pipes.
static void widths(struct hd_simmap *m)
{
    static const char *const keys[7] = {"sm.id_oc_sp",    "sm.id_oc_sfu", "sm.id_oc_mem",
                                        "sm.oc_ex_sp",    "sm.oc_ex_sfu", "sm.oc_ex_mem",
                                        "sm.result_buses"};
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_pipeline_widths");
    uint32_t v[16] = {0};
    unsigned n = hd_simnumber_list(hd_simkeys_value(m, o), ',', 16, v);

    if (m->version == HD_SIM_4 && (n == 9 || n == 11 || n == 13)) {
        hd_simkeys_lack(m, o, HD_SIMLACK_PIPES, "widths of five or six kinds of pipes");
        return;
    }
    if (n != 7) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "expected 7 numbers"),
                     "ID_OC for SP, SFU, MEM, then OC_EX for them, then EX_WB");
        return;
    }
    for (unsigned i = 0; i < 7; i++)
        hd_simkeys_emit(m, o, keys[i], "%" PRIu32, v[i]);
}

static void ports(struct hd_simmap *m)
{
    static const char *const kinds[] = {"sp", "sfu", "mem"};

    for (unsigned i = 0; i < 3; i++) {
        const char *in_name =
            hd_arena_printf(m->arena, "-gpgpu_operand_collector_num_in_ports_%s", kinds[i]);
        const char *out_name =
            hd_arena_printf(m->arena, "-gpgpu_operand_collector_num_out_ports_%s", kinds[i]);
        const struct hd_simoption *in = hd_simoptions_find(in_name);
        const struct hd_simoption *out = hd_simoptions_find(out_name);
        const char *value = hd_simkeys_value(m, in);
        uint64_t n = 0;
        if (!hd_simoptions_accepts(value, hd_simkeys_value(m, out)))
            hd_diag_hint(hd_simkeys_refuse(m, in, "%s is another number", hd_simkeys_from(m, out)),
                         "collectors have as many ports in as out");
        else if (!hd_simnumber_read(value, strlen(value), UINT32_MAX, &n))
            hd_simkeys_refuse(m, in, "expected a number of ports");
        else
            hd_simkeys_emit(m, in, hd_arena_printf(m->arena, "sm.collector_ports_%s", kinds[i]),
                            "%" PRIu64, n);
    }
}

#define N_OPS 5

// Latencies and intervals of one type. False after a diagnostic.
static bool op_lists(struct hd_simmap *m, const struct hd_simoption *const o[2],
                     uint32_t v[2][N_OPS + 1])
{
    bool good = true;

    for (unsigned i = 0; i < 2; i++) {
        unsigned n = hd_simnumber_list(hd_simkeys_value(m, o[i]), ',', N_OPS + 1, v[i]);
        bool shuffles = m->version == HD_SIM_4 && strstr(o[i]->name, "_int");
        if (n == N_OPS || (n == N_OPS + 1 && shuffles))
            continue;
        hd_diag_hint(hd_simkeys_refuse(m, o[i], "expected 5 numbers"), "ADD,MAX,MUL,MAD,DIV%s",
                     n == N_OPS + 1 ? "; a sixth one, SHFL's, is known to version 4 only" : "");
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

static void ops(struct hd_simmap *m)
{
    static const char *const names[N_OPS] = {"add", "minmax", "mul", "mad", "div"};
    static const char *const types[3][2] = {{"int", "int"}, {"fp", "fp32"}, {"dp", "fp64"}};

    for (unsigned t = 0; t < 3; t++) {
        const struct hd_simoption *const o[2] = {
            hd_simoptions_find(hd_arena_printf(m->arena, "-ptx_opcode_latency_%s", types[t][0])),
            hd_simoptions_find(
                hd_arena_printf(m->arena, "-ptx_opcode_initiation_%s", types[t][0]))};
        uint32_t v[2][N_OPS + 1] = {{0}};
        if (!op_lists(m, o, v))
            continue;
        for (unsigned i = 0; i < N_OPS; i++)
            latency(m, o, names[i], types[t][1], v[0][i], v[1][i]);
        // Version 3 takes the double multiply's numbers for sqrt, rcp, sin and so on of all types.
        for (unsigned i = 0; t == 2 && i < 3; i++)
            latency(m, o, "trans", types[i][1], v[0][2], v[1][2]);
    }
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
    widths(m);
    ports(m);
    ops(m);
    scheduler(m);
}
