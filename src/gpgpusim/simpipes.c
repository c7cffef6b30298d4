// simpipes.c - pipes, their registers, operand collectors and register banks. See simparts.h.
//
// The numbers of version 4 count what a whole SM has. With -gpgpu_sub_core_model 1 they are divided
// among the schedulers, and heddle's keys count the share of one of them.
#include "gpgpusim/simnumber.h"
#include "gpgpusim/simparts.h"

#include <inttypes.h>
#include <string.h>

enum pipe { SP, DP, INT, SFU, MEM, TENSOR, N_PIPES }; // in the order of version 4's widths

static const struct kind {
    const char *key, *option; // as heddle and as the reference's options call it
    unsigned into, out;       // its places among version 4's widths: ID_OC and OC_EX
} kinds[N_PIPES] = {
    [SP] = {"sp", "sp", 0, 5},    [DP] = {"dp", "dp", 1, 6},
    [INT] = {"int", "int", 2, 7}, [SFU] = {"sfu", "sfu", 3, 8},
    [MEM] = {"mem", "mem", 4, 9}, [TENSOR] = {"tensor", "tensor_core", 11, 12},
};
#define N_WIDTHS 13
#define EX_WB 10

struct sm {
    struct hd_simmap *map;
    uint32_t schedulers, parts;
    uint32_t units[N_PIPES]; // of the whole SM; 0: it has no such pipe
};

// A key whose number is the option's, or its share of one of the sub-cores.
static void share(const struct sm *sm, const struct hd_simoption *o, const char *key, uint32_t n)
{
    struct hd_simmap *m = sm->map;
    const char *from = hd_simkeys_from(m, o);

    if (n % sm->parts) {
        hd_simkeys_refuse(m, o, "%" PRIu32 " cannot be divided among %" PRIu32 " sub-cores", n,
                          sm->parts);
        return;
    }
    hd_simkeys_line(m, o, key, hd_arena_printf(m->arena, "%" PRIu32, n / sm->parts),
                    sm->parts == 1 ? from
                                   : hd_arena_printf(m->arena, "%s, of %" PRIu32 " sub-cores", from,
                                                     sm->parts));
}

static void share_number(const struct sm *sm, const char *name, const char *key)
{
    uint32_t n = 0;

    if (hd_simkeys_number(sm->map, name, &n))
        share(sm, hd_simoptions_find(name), key, n);
}

static void sub_cores(struct sm *sm)
{
    struct hd_simmap *m = sm->map;
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_sub_core_model");

    sm->parts = 1;
    if (!hd_simkeys_number(m, "-gpgpu_num_sched_per_core", &sm->schedulers) || !sm->schedulers)
        return; // reported with the key
    if (m->version != HD_SIM_4)
        return;
    if (hd_simkeys_on(m, o->name))
        sm->parts = sm->schedulers;
    hd_simkeys_emit(m, o, "sm.subcores", "%" PRIu32, sm->parts);
}

static void units(struct sm *sm)
{
    struct hd_simmap *m = sm->map;

    for (unsigned p = 0; p < N_PIPES; p++) {
        const char *name = hd_arena_printf(m->arena, "-gpgpu_num_%s_units", kinds[p].option);
        const struct hd_simoption *o = hd_simoptions_find(name);
        if (p == MEM)
            sm->units[p] = 1;
        else if (o->default3 || m->version == HD_SIM_4)
            hd_simkeys_number(m, name, &sm->units[p]);
        if (p == TENSOR && !hd_simkeys_on(m, "-gpgpu_tensor_core_avail"))
            sm->units[p] = 0;
        if (p != MEM && (o->default3 || m->version == HD_SIM_4))
            share(sm, o, hd_arena_printf(m->arena, "sm.%s_units", kinds[p].key), sm->units[p]);
    }
}

// Version 3: issue to collectors for SP, SFU and memory; collectors to units; results.
static void widths3(struct hd_simmap *m, const struct hd_simoption *o)
{
    static const char *const keys[7] = {"sm.id_oc_sp",    "sm.id_oc_sfu", "sm.id_oc_mem",
                                        "sm.oc_ex_sp",    "sm.oc_ex_sfu", "sm.oc_ex_mem",
                                        "sm.result_buses"};
    uint32_t v[7] = {0};

    if (hd_simnumber_list(hd_simkeys_value(m, o), ',', 7, v) != 7) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "expected 7 numbers"),
                     "ID_OC for SP, SFU, MEM, then OC_EX for them, then EX_WB");
        return;
    }
    for (unsigned i = 0; i < 7; i++)
        hd_simkeys_emit(m, o, keys[i], "%" PRIu32, v[i]);
}

// In a sub-core only its own pipes could compete for result buses: there are enough of them, and
// the option's number is that of the whole SM.
static void buses(const struct sm *sm, const struct hd_simoption *o, uint32_t n)
{
    uint32_t all = 0;

    for (unsigned p = 0; p < N_PIPES; p++)
        all += p == MEM ? 0 : sm->units[p];
    if (sm->parts == 1) {
        hd_simkeys_emit(sm->map, o, "sm.result_buses", "%" PRIu32, n);
        return;
    }
    hd_simkeys_line(sm->map, o, "sm.result_buses",
                    hd_arena_printf(sm->map->arena, "%" PRIu32, all / sm->parts),
                    "one for each pipe of a sub-core");
    hd_simkeys_emit(sm->map, o, "sm.shared_buses", "%" PRIu32, n);
}

static void widths4(const struct sm *sm, const struct hd_simoption *o)
{
    struct hd_simmap *m = sm->map;
    uint32_t v[16] = {0};
    bool tensor = hd_simkeys_on(m, "-gpgpu_tensor_core_avail");
    unsigned n = hd_simnumber_list(hd_simkeys_value(m, o), ',', 16, v);

    if (n < (tensor ? N_WIDTHS : 11) || n > N_WIDTHS) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "expected %s", tensor ? "13 numbers" : "11 numbers"),
                     "ID_OC for SP, DP, INT, SFU, MEM, then OC_EX for them, then EX_WB, then both "
                     "for matrices");
        return;
    }
    for (unsigned p = 0; p < N_PIPES; p++) {
        const struct kind *k = &kinds[p];
        if (!sm->units[p])
            continue;
        if (sm->parts > 1 && (v[k->into] != sm->parts || v[k->out] != sm->parts)) {
            hd_diag_hint(hd_simkeys_refuse(m, o,
                                           "with -gpgpu_sub_core_model 1, a pipe's width must be "
                                           "that of -gpgpu_num_sched_per_core, %" PRIu32,
                                           sm->schedulers),
                         "it is %" PRIu32 " and %" PRIu32 " for %s", v[k->into], v[k->out],
                         k->option);
            return;
        }
        share(sm, o, hd_arena_printf(m->arena, "sm.id_oc_%s", k->key), v[k->into]);
        share(sm, o, hd_arena_printf(m->arena, "sm.oc_ex_%s", k->key), v[k->out]);
    }
    buses(sm, o, v[EX_WB]);
}

static const struct hd_simoption *collector(struct hd_arena *a, const char *what, const char *pipe)
{
    return hd_simoptions_find(hd_arena_printf(a, "-gpgpu_operand_collector_num_%s_%s", what, pipe));
}

// Collectors of one kind of pipe.
static void own_collectors(const struct sm *sm, enum pipe p)
{
    struct hd_simmap *m = sm->map;
    const char *pipe = kinds[p].option, *key = kinds[p].key;
    const struct hd_simoption *in = collector(m->arena, "in_ports", pipe);
    const struct hd_simoption *out = collector(m->arena, "out_ports", pipe);
    uint32_t n = 0;

    share_number(sm, collector(m->arena, "units", pipe)->name,
                 hd_arena_printf(m->arena, "sm.collectors_%s", key));
    if (!hd_simoptions_accepts(hd_simkeys_value(m, in), hd_simkeys_value(m, out)))
        hd_diag_hint(hd_simkeys_refuse(m, in, "%s is another number", hd_simkeys_from(m, out)),
                     "collectors have as many ports in as out");
    else if (hd_simkeys_number(m, in->name, &n))
        hd_simkeys_emit(m, in, hd_arena_printf(m->arena, "sm.collector_ports_%s", key), "%" PRIu32,
                        n);
}

// Collectors for all pipes. Each of their ports looks at all registers, and heddle's have a port
// for each.
static void common_collectors(const struct sm *sm)
{
    struct hd_simmap *m = sm->map;
    const struct hd_simoption *n = collector(m->arena, "units", "gen");
    const struct hd_simoption *in = collector(m->arena, "in_ports", "gen");
    const struct hd_simoption *out = collector(m->arena, "out_ports", "gen");
    const struct hd_simoption *own =
        hd_simoptions_find("-gpgpu_enable_specialized_operand_collector");
    const char *number = hd_simkeys_value(m, n);

    if (!hd_simoptions_accepts(number, hd_simkeys_value(m, in)))
        hd_simkeys_lack(m, in, HD_SIMLACK_COLLECTORS, "as many as units are modelled");
    if (!hd_simoptions_accepts(number, hd_simkeys_value(m, out)))
        hd_simkeys_lack(m, out, HD_SIMLACK_COLLECTORS, "as many as units are modelled");
    share_number(sm, n->name, "sm.collectors_any");
    hd_simkeys_emit(m, own, "sm.collector_heads", "sm");
    for (unsigned p = 0; p < N_PIPES; p++)
        hd_simkeys_emit(m, own, hd_arena_printf(m->arena, "sm.collectors_%s", kinds[p].key), "0");
}

static void collectors(const struct sm *sm)
{
    static const char *const all[] = {"-gpgpu_operand_collector_num_units_gen",
                                      "-gpgpu_operand_collector_num_in_ports_gen",
                                      "-gpgpu_operand_collector_num_out_ports_gen"};
    struct hd_simmap *m = sm->map;
    const struct hd_simoption *own =
        hd_simoptions_find("-gpgpu_enable_specialized_operand_collector");

    if (m->version == HD_SIM_4 && !hd_simkeys_on(m, own->name)) {
        common_collectors(sm);
        return;
    }
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (!hd_simoptions_accepts("0", hd_simkeys_named(m, all[i])))
            hd_simkeys_lack(m, hd_simoptions_find(all[i]), HD_SIMLACK_COLLECTORS,
                            "beside those of each pipe");
    if (sm->parts > 1)
        hd_simkeys_lack(m, own, HD_SIMLACK_COLLECTORS, "in sub-cores");
    for (unsigned p = 0; p < N_PIPES; p++)
        if (sm->units[p] && sm->parts == 1)
            own_collectors(sm, (enum pipe)p);
}

// Which pipe serves an operation: scheduler_unit::cycle and set_opcode_and_latency of version 4.
// What has no pipe for integers or doubles of its own sends them to SP and SFU.
static void which_pipe(const struct sm *sm)
{
    static const char *const types[4] = {"int", "fp16", "fp32", "fp64"};
    static const char *const arithmetic[] = {"add", "minmax", "mul", "mad", "fma"};
    static const char *const others[][2] = {
        {"div", "sfu"}, {"trans", "sfu"}, {"other", NULL}, {"shfl", NULL}, {"mma", "tensor"}};
    struct hd_simmap *m = sm->map;
    const struct hd_simoption *ints = hd_simoptions_find("-gpgpu_num_int_units");
    const struct hd_simoption *doubles = hd_simoptions_find("-gpgpu_num_dp_units");
    const struct hd_simoption *matrices = hd_simoptions_find("-gpgpu_num_tensor_core_units");
    const char *integer = sm->units[INT] ? "int" : "sp", *dp = sm->units[DP] ? "dp" : "sfu";
    const char *const pipes[4] = {integer, integer, "sp", dp};

    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
        for (unsigned t = 0; t < 4; t++)
            hd_simkeys_line(
                m, NULL, hd_arena_printf(m->arena, "pipe.%s.%s", arithmetic[i], types[t]), pipes[t],
                t == 2 ? "version 4" : hd_simkeys_from(m, t == 3 ? doubles : ints));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *fixed = others[i][1], *from = fixed ? "version 4" : hd_simkeys_from(m, ints);
        bool mma = fixed && !strcmp(fixed, "tensor");
        const char *pipe = mma && !sm->units[TENSOR] ? "sp" : fixed ? fixed : integer;
        for (unsigned t = 0; t < 4; t++)
            hd_simkeys_line(m, NULL,
                            hd_arena_printf(m->arena, "pipe.%s.%s", others[i][0], types[t]), pipe,
                            mma ? hd_simkeys_from(m, matrices) : from);
    }
}

void hd_simpipes_read(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_pipeline_widths");
    struct sm sm = {.map = m};

    sub_cores(&sm);
    units(&sm);
    if (m->version == HD_SIM_4)
        widths4(&sm, o);
    else
        widths3(m, o);
    collectors(&sm);
    share_number(&sm, "-gpgpu_num_reg_banks", "sm.reg_banks");
    if (m->version == HD_SIM_4)
        which_pipe(&sm);
}
