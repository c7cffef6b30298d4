// sm_bench.c - see sm_bench.h. An assembler, an instruction source and a clock, each minimal.
#include "shared/sm_bench.h"

#include "base/bug.h"
#include "base/config.h"
#include "heddle/bits.h"
#include "mem/flat.h"
#include "registry/registry.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_INSNS = 512, MAX_NAMES = 128, MAX_CYCLES = 30000000 };
#define WARP_BASE(w) (UINT64_C(0x80000000) + (uint64_t)(w)*4096)

struct bench {
    struct hd_arena *arena;
    struct bench_setup setup;
    struct hd_config config;
    struct hd_program program;
    struct hd_func func;
    struct hd_launch launch;
    struct hd_static_view view;
    struct hd_insn insns[MAX_INSNS];
    uint8_t units[MAX_INSNS];
    struct hd_deps deps[MAX_INSNS];
    struct hd_banks banks[MAX_INSNS];
    struct hd_place places[MAX_INSNS];
    uint8_t kinds[MAX_INSNS], load_distance[MAX_INSNS], recalc[MAX_INSNS]; // policies may ask
    uint32_t target[MAX_INSNS];                                            // of a branch
    bool guarded[MAX_INSNS];
    uint8_t only[MAX_INSNS]; // of a branch: one more than the warp that takes it; 0: any
    uint32_t offset[MAX_INSNS];
    uint8_t barrier[MAX_INSNS];

    char names[MAX_NAMES][16]; // registers, by scoreboard id
    unsigned n_names;
    struct {
        char name[16];
        uint32_t pc;
    } labels[32];
    unsigned n_labels;

    struct hd_sm *sm;
    struct hd_mem mem;
    struct bench_request *requests;
    size_t n_requests, cap_requests;
    uint64_t cycle, wakes, steps;
    unsigned placed, done;

    // The instruction source.
    uint32_t pc[HD_MAX_WARPS], lanes[HD_MAX_WARPS], rounds[HD_MAX_WARPS][MAX_INSNS];
    uint8_t pending_stores;
    struct bench_issue *log;
    size_t n_log, cap_log;
};

// ---- Assembler

// Classes as the timing model lists them (timing-model 7.2).
static const struct {
    const char *name;
    uint8_t kind, unit, lat, space, flags;
} ops[] = {
    {"add.s32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_ADD, HD_COL_INT), 0, 0},
    {"add.f32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_ADD, HD_COL_FP32), 0, 0},
    {"add.f64", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_ADD, HD_COL_FP64), 0, 0},
    {"min.s32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_MINMAX, HD_COL_INT), 0, 0},
    {"mul.lo.s32", HD_KIND_ALU, HD_UNIT_SFU, HD_LAT(HD_LAT_MUL, HD_COL_INT), 0, 0},
    {"mul.f32", HD_KIND_ALU, HD_UNIT_SP_OR_SFU, HD_LAT(HD_LAT_MUL, HD_COL_FP32), 0, 0},
    {"mad.lo.s32", HD_KIND_ALU, HD_UNIT_SFU, HD_LAT(HD_LAT_MAD, HD_COL_INT), 0, 0},
    {"mad.f32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_MAD, HD_COL_FP32), 0, 0},
    {"fma.rn.f32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_FMA, HD_COL_FP32), 0, 0},
    {"div.s32", HD_KIND_ALU, HD_UNIT_SFU, HD_LAT(HD_LAT_DIV, HD_COL_INT), 0, 0},
    {"div.full.f32", HD_KIND_ALU, HD_UNIT_SFU, HD_LAT(HD_LAT_DIV, HD_COL_FP32), 0, 0},
    {"sqrt.approx.f32", HD_KIND_ALU, HD_UNIT_SFU, HD_LAT(HD_LAT_TRANS, HD_COL_FP32), 0, 0},
    {"shl.b32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"mov.u32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"setp.lt.s32", HD_KIND_ALU, HD_UNIT_SP, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"bra", HD_KIND_BRANCH, HD_UNIT_SP, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"bar.sync", HD_KIND_BARRIER, HD_UNIT_SP, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"exit", HD_KIND_EXIT, HD_UNIT_SP, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"membar.gl", HD_KIND_MEMBAR, HD_UNIT_LDST, HD_LAT(HD_LAT_OTHER, HD_COL_INT), 0, 0},
    {"ld.param.u32", HD_KIND_LOAD, HD_UNIT_LDST, 0, HD_SPACE_PARAM, HD_DEP_LONG},
    {"ld.const.u32", HD_KIND_LOAD, HD_UNIT_LDST, 0, HD_SPACE_CONST, 0},
    {"ld.shared.u32", HD_KIND_LOAD, HD_UNIT_LDST, 0, HD_SPACE_SHARED, 0},
    {"st.shared.u32", HD_KIND_STORE, HD_UNIT_LDST, 0, HD_SPACE_SHARED, 0},
    {"ld.global.u32", HD_KIND_LOAD, HD_UNIT_LDST, 0, HD_SPACE_GLOBAL, HD_DEP_LONG | HD_DEP_OFFCHIP},
    {"ld.global.cg.u32", HD_KIND_LOAD, HD_UNIT_LDST, 0, HD_SPACE_GLOBAL,
     HD_DEP_LONG | HD_DEP_OFFCHIP | HD_DEP_NO_L1},
    {"st.global.u32", HD_KIND_STORE, HD_UNIT_LDST, 0, HD_SPACE_GLOBAL, HD_DEP_OFFCHIP},
    {"atom.global.add.u32", HD_KIND_ATOMIC, HD_UNIT_LDST, 0, HD_SPACE_GLOBAL, HD_DEP_OFFCHIP},
};

// The next word of the line, up to white space, a comma or a bracket.
static bool word(const char **at, char to[24])
{
    size_t n;

    *at += strspn(*at, " \t,");
    n = strcspn(*at, " \t,[]\n");
    assert_true(n < 24);
    memcpy(to, *at, n);
    to[n] = '\0';
    *at += n;
    return n != 0;
}

static uint16_t reg_id(struct bench *b, const char *name)
{
    unsigned i = 0;

    while (i < b->n_names && strcmp(b->names[i], name))
        i++;
    if (i == b->n_names) {
        assert_true(i < MAX_NAMES && strlen(name) < sizeof b->names[0]);
        memcpy(b->names[b->n_names++], name, strlen(name));
    }
    return (uint16_t)i;
}

static uint8_t digits(const char *name)
{
    name += strcspn(name, "0123456789");
    return (uint8_t)(strtoul(name, NULL, 10) % 32);
}

static void put(uint16_t *list, uint16_t id)
{
    while (*list != HD_SB_NONE)
        list++;
    *list = id;
}

// Registers of the operands behind the mnemonic: the first is the destination, if there is one.
static void operands(struct bench *b, uint32_t pc, const char *at)
{
    struct hd_deps *d = &b->deps[pc];
    struct hd_banks *k = &b->banks[pc];
    bool has_dst = d->kind == HD_KIND_ALU || d->kind == HD_KIND_LOAD || d->kind == HD_KIND_ATOMIC;
    char w[24];

    for (unsigned i = 0;; i++) {
        at += strspn(at, " \t,");
        bool address = *at == '[';
        at += address;
        if (!word(&at, w))
            return;
        at += *at == ']';
        char *plus = address ? strchr(w, '+') : NULL;
        if (plus) {
            b->offset[pc] = (uint32_t)strtoul(plus + 1, NULL, 0);
            *plus = '\0';
        }
        if (w[0] != '%')
            continue;
        if (i == 0 && has_dst) {
            put(d->dst, reg_id(b, w));
            k->dst[k->n_dst++] = digits(w);
            continue;
        }
        put(address ? d->addr : d->src, reg_id(b, w));
        k->src[k->n_src] = digits(w);
        for (unsigned j = 0; j < k->n_src; j++)
            if (k->src[j] == digits(w)) // names of tests have fewer than 32 numbers
                k->src[k->n_src] |= HD_BANK_AGAIN;
        k->n_src++;
    }
}

static void instruction(struct bench *b, const char *at)
{
    static const uint8_t types[] = {[HD_COL_INT] = HD_PIPE_TYPE_INT,
                                    [HD_COL_FP32] = HD_PIPE_TYPE_FP32,
                                    [HD_COL_FP64] = HD_PIPE_TYPE_FP64};
    uint32_t pc = b->program.n_insns++;
    struct hd_deps *d = &b->deps[pc];
    char w[24];
    unsigned op;

    assert_true(pc < MAX_INSNS);
    memset(d, 0xff, offsetof(struct hd_deps, kind)); // HD_SB_NONE everywhere
    word(&at, w);
    if (w[0] == '@') {
        d->guard = reg_id(b, w + 1);
        b->guarded[pc] = true;
        if (w[2] == 'w')
            b->only[pc] = (uint8_t)(digits(w) + 1);
        word(&at, w);
    }
    for (op = 0; op < sizeof ops / sizeof *ops && strcmp(ops[op].name, w) != 0; op++)
        ;
    if (op == sizeof ops / sizeof *ops)
        fail_msg("no operation '%s'", w);
    d->kind = ops[op].kind;
    d->unit = b->units[pc] = ops[op].unit;
    d->lat = ops[op].lat;
    if (d->unit != HD_UNIT_LDST) // as the machine assigns pipes, which is as above for most
        b->units[pc] =
            (uint8_t)b->config
                .pipe[HD_PIPE_CLASS(d->lat / HD_N_LAT_COLS, types[d->lat % HD_N_LAT_COLS])];
    d->space = ops[op].space;
    d->flags = ops[op].flags;
    d->bytes = 4;
    b->insns[pc] = (struct hd_insn){.space = d->space, .vec = 1};
    b->places[pc].line = pc + 1;
    b->kinds[pc] = d->kind == HD_KIND_LOAD     ? HD_STATIC_LOAD
                   : d->kind == HD_KIND_STORE  ? HD_STATIC_STORE
                   : d->kind == HD_KIND_BRANCH ? HD_STATIC_BRANCH
                                               : HD_STATIC_OTHER;
    if (d->kind == HD_KIND_BRANCH) {
        word(&at, w);
        b->target[pc] = bench_pc(b, w);
        d->flags = b->target[pc] <= pc ? HD_DEP_BACKWARD : 0;
    } else if (d->kind == HD_KIND_BARRIER) {
        word(&at, w);
        b->barrier[pc] = digits(w);
    } else {
        operands(b, pc, at);
    }
}

// Straight on to the next load of global memory, as if there were no branches.
static void distances(struct bench *b)
{
    uint8_t n = 255;

    for (uint32_t pc = b->program.n_insns; pc-- > 0;) {
        n = n == 255 ? n : (uint8_t)(n + 1);
        if (b->kinds[pc] == HD_STATIC_LOAD && b->deps[pc].space == HD_SPACE_GLOBAL)
            n = 0;
        b->load_distance[pc] = n;
    }
}

unsigned bench_pc(const struct bench *b, const char *label)
{
    for (unsigned i = 0; i < b->n_labels; i++)
        if (!strcmp(b->labels[i].name, label))
            return b->labels[i].pc;
    fail_msg("no label '%s'", label);
    return 0;
}

// A line is "label:" or an instruction; labels first, so that branches may go forward.
static void assemble(struct bench *b)
{
    for (int pass = 0; pass < 2; pass++) {
        uint32_t pc = 0;
        for (const char *line = b->setup.text, *next; *line; line = next) {
            size_t n = strcspn(line, "\n");
            next = line + n + (line[n] == '\n');
            line += strspn(line, " \t");
            if (*line == '\n' || !*line)
                continue;
            const char *colon = memchr(line, ':', strcspn(line, "\n"));
            if (!colon) {
                pc++;
                if (pass)
                    instruction(b, line);
            } else if (!pass) {
                assert_true(b->n_labels < 32 && colon - line < 16);
                memcpy(b->labels[b->n_labels].name, line, (size_t)(colon - line));
                b->labels[b->n_labels++].pc = pc;
            }
        }
    }
}

// ---- Instruction source

static void tb_start(void *self, const struct hd_tb *tb)
{
    struct bench *b = self;

    for (unsigned w = tb->first_warp; w < (unsigned)tb->first_warp + tb->n_warps; w++) {
        b->pc[w] = 0;
        b->lanes[w] = UINT32_MAX;
        memset(b->rounds[w], 0, sizeof b->rounds[w]);
    }
}

static void tb_end(void *self, unsigned slot)
{
    (void)self, (void)slot;
}

// Loops run `trips` rounds; other guarded branches are taken by chance, always the same.
static bool taken(struct bench *b, unsigned w, uint32_t pc)
{
    uint32_t n = b->rounds[w][pc]++;

    if (!b->guarded[pc])
        return true;
    if (b->only[pc])
        return b->only[pc] == w + 1;
    if (b->target[pc] <= pc) {
        if (n + 1 < b->setup.trips)
            return true;
        b->rounds[w][pc] = 0;
        return false;
    }
    return ((w * 2654435761u ^ pc * 40503u ^ n * 97u ^ b->setup.seed * 69069u) >> 7) & 1;
}

static void exec(void *self, unsigned w, uint64_t cycle, struct hd_effects *out)
{
    struct bench *b = self;
    uint32_t pc = b->pc[w];
    const struct hd_deps *d = &b->deps[pc];
    uint64_t base = b->offset[pc] + (d->space == HD_SPACE_GLOBAL ? WARP_BASE(w) : 0);
    unsigned stride =
        d->space == HD_SPACE_PARAM || d->space == HD_SPACE_CONST ? 0 : b->setup.stride;

    *HD_PUSH(b->arena, b->log, b->n_log, b->cap_log) = (struct bench_issue){cycle, pc, w};
    out->active_mask = out->exec_mask = b->lanes[w];
    out->next_pc = pc + 1;
    out->flags = 0;
    out->space = d->space;
    out->bytes = d->bytes;
    out->vec = 1;
    out->barrier = b->barrier[pc];
    out->bar_op = HD_BAR_SYNC;
    out->bar_threads = 0;
    for (unsigned l = 0; l < HD_LANES && d->space != HD_SPACE_NONE; l++)
        out->addr[l] = base + (uint64_t)l * stride;
    if (d->kind == HD_KIND_BRANCH && taken(b, w, pc)) {
        out->next_pc = b->target[pc];
        out->flags = HD_EFF_TAKEN;
    } else if (d->kind == HD_KIND_EXIT) {
        out->next_pc = HD_PC_NONE;
        out->flags = HD_EFF_EXITED;
        b->lanes[w] = 0;
    }
    b->pc[w] = out->next_pc;
}

static void serve(void *self, unsigned w, uint32_t lanes)
{
    (void)self, (void)w, (void)lanes;
}

static void finish(void *self, unsigned w)
{
    (void)self, (void)w;
}

static bool commit(void *self)
{
    (void)self;
    return true;
}

static const struct hd_trap *trap(const void *self)
{
    (void)self;
    return NULL;
}

static const struct hd_isrc_ops source_ops = {.name = "bench",
                                              .tb_start = tb_start,
                                              .tb_end = tb_end,
                                              .exec = exec,
                                              .serve = serve,
                                              .finish = finish,
                                              .commit = commit,
                                              .trap = trap};

// ---- The machine around the SM

static void served(void *ctx, const struct hd_req *req)
{
    struct bench *b = ctx;

    hd_sm_serve(b->sm, req, b->cycle);
}

// The SM's side of its port, which keeps a list of the requests.
static bool port_room(const void *self, unsigned port, unsigned kind, unsigned bytes)
{
    const struct bench *b = self;

    return b->mem.ops->room(b->mem.self, port, kind, bytes);
}

static void port_push(void *self, unsigned port, const struct hd_req *req)
{
    struct bench *b = self;

    *HD_PUSH(b->arena, b->requests, b->n_requests, b->cap_requests) =
        (struct bench_request){b->cycle, *req};
    b->mem.ops->push(b->mem.self, port, req);
}

static bool port_pop(void *self, unsigned port, struct hd_req *reply)
{
    struct bench *b = self;

    return b->mem.ops->pop(b->mem.self, port, reply);
}

static const struct hd_mem_ops port_ops = {
    .name = "bench", .room = port_room, .push = port_push, .pop = port_pop};

static void configure(struct bench *b)
{
    const char *sets[32] = {"sm.sms=1", b->setup.cold ? "l1i.perfect=0" : "l1i.perfect=1"};
    unsigned n = 2;
    struct hd_diag d = {.n = 0};

    for (unsigned i = 0; b->setup.sets && b->setup.sets[i]; i++)
        sets[n++] = b->setup.sets[i];
    if (!hd_config_load(b->arena, b->setup.gpu ? b->setup.gpu : "gpus/debug-flatmem.ini", sets, n,
                        &b->config, &d))
        fail_msg("%s", d.entries[0].text);
}

static struct hd_sm_policy policy(struct bench *b)
{
    struct hd_policy_choice c;
    struct hd_diag d = {.n = 0};

    if (!hd_registry_parse(b->arena, b->setup.sched, &c, &d))
        fail_msg("%s", d.entries[0].text);
    return (struct hd_sm_policy){
        .policy = c.policy,
        .state = {.gpu = hd_arena_get(b->arena, 1, c.policy->gpu_bytes + 1),
                  .sm = hd_arena_get(b->arena, 1, c.policy->sm_bytes + 1),
                  .sched =
                      hd_arena_get(b->arena, b->config.sm.schedulers, c.policy->sched_bytes + 1),
                  .params = c.params}};
}

struct bench *bench_new(const struct bench_setup *s)
{
    struct hd_arena *a = hd_arena_new();
    struct bench *b = HD_NEW(a, bench);

    b->arena = a;
    b->setup = *s;
    b->setup.sched = s->sched ? s->sched : "gto";
    b->setup.blocks = s->blocks ? s->blocks : 1;
    b->setup.trips = s->trips ? s->trips : 1;
    b->setup.stride = s->stride ? s->stride : 4;
    configure(b);
    assemble(b);
    distances(b);
    b->func = (struct hd_func){
        .name = "bench", .end_pc = b->program.n_insns, .is_kernel = true, .n_sb = b->n_names};
    b->program.path = "bench";
    b->program.insns = b->insns;
    b->program.deps = b->deps;
    b->program.banks = b->banks;
    b->program.places = b->places;
    b->program.funcs = &b->func;
    b->program.n_funcs = 1;
    b->view = (struct hd_static_view){.n = b->program.n_insns,
                                      .kind = b->kinds,
                                      .load_distance = b->load_distance,
                                      .recalc = b->recalc};
    b->launch = (struct hd_launch){.program = &b->program,
                                   .kernel = &b->func,
                                   .grid = {b->setup.blocks, 1, 1},
                                   .block = {s->warps * HD_LANES, 1, 1}};
    for (unsigned w = 0; w < HD_MAX_WARPS; w++)
        b->pc[w] = HD_PC_NONE;
    b->mem = hd_flat_new(a, &b->config, &(struct hd_mem_listener){.ctx = b, .serve = served});

    struct hd_sm_setup setup = {.config = &b->config,
                                .source = {.ops = &source_ops,
                                           .self = b,
                                           .pc = b->pc,
                                           .lanes = b->lanes,
                                           .pending_stores = &b->pending_stores},
                                .mem = {.ops = &port_ops, .self = b, .arrived = b->mem.arrived},
                                .policies = {policy(b)},
                                .n_policies = 1,
                                .sched = 0,
                                .fetch = HD_NONE};
    unsigned tbs = b->config.sm.warps / s->warps;
    b->sm = hd_sm_new(a, &setup);
    tbs = tbs < b->config.sm.tbs ? tbs : b->config.sm.tbs;
    hd_sm_prepare(b->sm, a, &b->launch, &b->view, b->units, tbs, tbs, 0);
    hd_sm_set_pending(b->sm, b->setup.blocks);
    hd_sm_event(b->sm, &(struct hd_event){.kind = HD_EV_KERNEL_START});
    return b;
}

void bench_free(struct bench *b)
{
    hd_arena_free(b->arena);
}

// The order of src/gpu/clock.c, for one SM.
void bench_cycle(struct bench *b)
{
    if (hd_sm_replies(b->sm, b->cycle) & HD_SM_REACHED)
        b->wakes = b->cycle;
    hd_mem_tick(&b->mem, b->cycle);
    if (!b->setup.skip || b->wakes <= b->cycle || hd_sm_can_send(b->sm)) {
        hd_sm_catch_up(b->sm, b->cycle - 1, true);
        if (hd_sm_step(b->sm, b->cycle) & HD_SM_PUSHED)
            b->mem.ops->settle(b->mem.self, 0);
        b->steps++;
        b->wakes = hd_sm_wakes(b->sm, b->cycle);
        b->done = b->placed - hd_sm_live_tbs(b->sm);
    }
    b->cycle++;
    if (b->placed < b->setup.blocks && hd_sm_free_tbs(b->sm)) {
        hd_sm_catch_up(b->sm, b->cycle - 1, true);
        hd_sm_set_pending(b->sm, b->setup.blocks - b->placed - 1);
        hd_sm_place(b->sm, &b->launch, (uint32_t[3]){b->placed, 0, 0}, b->placed);
        b->placed++;
        b->wakes = b->cycle;
        if (b->placed == b->setup.blocks)
            hd_sm_event(b->sm, &(struct hd_event){.kind = HD_EV_PHASE_SLOW});
    }
}

uint64_t bench_run(struct bench *b)
{
    while (b->done < b->setup.blocks && b->cycle < MAX_CYCLES)
        bench_cycle(b);
    if (b->done < b->setup.blocks)
        return 0;
    hd_sm_catch_up(b->sm, b->cycle - 1, true);
    hd_sm_check_empty(b->sm);
    assert_true(b->mem.ops->idle(b->mem.self));
    return b->cycle;
}

struct hd_sm *bench_sm(struct bench *b)
{
    return b->sm;
}

const struct hd_sm_stats *bench_stats(struct bench *b)
{
    return hd_sm_stats(b->sm);
}

uint64_t bench_steps(const struct bench *b)
{
    return b->steps;
}

const struct bench_issue *bench_log(const struct bench *b, size_t *n)
{
    *n = b->n_log;
    return b->log;
}

const struct bench_request *bench_requests(const struct bench *b, size_t *n)
{
    *n = b->n_requests;
    return b->requests;
}

const struct bench_request *bench_requested(const struct bench *b, int warp, unsigned offset)
{
    uint64_t addr = (warp < 0 ? 0 : WARP_BASE(warp)) + offset;

    for (size_t i = 0; i < b->n_requests; i++)
        if (b->requests[i].req.addr == addr)
            return &b->requests[i];
    fail_msg("warp %d did not ask for %u", warp, offset);
    return NULL;
}

uint64_t bench_issued(const struct bench *b, unsigned warp, unsigned pc, unsigned nth)
{
    for (size_t i = 0; i < b->n_log; i++)
        if (b->log[i].warp == warp && b->log[i].pc == pc && nth-- == 0)
            return b->log[i].cycle;
    fail_msg("warp %u did not issue instruction %u so often", warp, pc);
    return 0;
}

double bench_per_round(struct bench_setup s)
{
    static const unsigned rounds[2] = {20, 120};
    uint64_t cycles[2];

    for (int i = 0; i < 2; i++) {
        s.trips = rounds[i];
        struct bench *b = bench_new(&s);
        cycles[i] = bench_run(b);
        assert_true(cycles[i] != 0);
        bench_free(b);
    }
    return (double)(cycles[1] - cycles[0]) / (rounds[1] - rounds[0]);
}
