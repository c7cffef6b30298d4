// record.c - writes what warps do, and decides whether it can be replayed. See record.h.
#include "trace/record.h"

#include "base/bug.h"
#include "heddle/policy.h"
#include "isa/op.h"
#include "trace/racecheck.h"
#include "trace/warpstream.h"

struct record_tb { // by block slot
    const struct hd_launch *launch;
    uint32_t linear;
    uint8_t first_warp, n_warps;
};

struct record_event {
    uint32_t pc, lanes, next_lanes;
    uint8_t warp, slot;
    bool ends; // block `slot` has ended or left; otherwise `warp` has executed:
    struct hd_effects out;
};
#define EVENTS_MOST (HD_MAX_SCHEDULERS + HD_MAX_TBS) // of an SM in one step

struct record_sm {
    struct hd_isrc inner;
    struct hd_record *record;
    const struct record_program *program; // of the blocks that are on it
    struct hd_warpstream_out *warps[HD_MAX_WARPS];
    uint8_t tb_of[HD_MAX_WARPS];
    struct record_tb tbs[HD_MAX_TBS];
    struct hd_racecheck_sm *race;
    struct record_event events[EVENTS_MOST]; // of the step under way
    unsigned n_events;
};

struct record_program {
    const struct hd_program *program;
    const struct hd_tracecode *code;
    const struct hd_racecheck_code *race;
};

struct hd_record {
    struct hd_arena *arena;
    struct hd_tracewrite *file;
    struct hd_tracefile_summary summary;
    struct record_sm *sms;
    unsigned n_sms;
    struct record_program *programs;
    size_t n_programs, cap_programs;
    struct hd_racecheck *race;
    bool children;       // kernels launched kernels
    const char *refused; // an instruction that a trace cannot hold
    uint32_t runs, ended;
    bool running;
    bool stepping; // SMs make their steps, in any order
};

struct hd_record *hd_record_new(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    struct hd_record *r = HD_NEW(a, hd_record);

    r->arena = hd_arena_new();
    r->file = hd_tracewrite_open(r->arena, path, d);
    if (!r->file) {
        hd_arena_free(r->arena);
        return NULL;
    }
    r->race = hd_racecheck_new(r->arena);
    return r;
}

void hd_record_machine(struct hd_record *r, unsigned sms)
{
    r->sms = HD_ARRAY(r->arena, struct record_sm, sms);
    r->n_sms = sms;
}

void hd_record_program(struct hd_record *r, const struct hd_program *p)
{
    struct hd_tracefile_summary *s = &r->summary;
    struct hd_tracefile_program *out =
        HD_PUSH(r->arena, s->programs, s->n_programs, s->cap_programs);

    *HD_PUSH(r->arena, r->programs, r->n_programs, r->cap_programs) =
        (struct record_program){p, hd_warpstream_code(r->arena, p), hd_racecheck_look(r->arena, p)};
    out->n_texts = p->n_texts;
    out->texts = HD_ARRAY(r->arena, struct hd_tracefile_text, p->n_texts);
    for (uint32_t i = 0; i < p->n_texts; i++)
        out->texts[i] = (struct hd_tracefile_text){
            hd_arena_strdup(r->arena, p->texts[i].path),
            (const uint8_t *)hd_arena_strndup(r->arena, (const char *)p->texts[i].text,
                                              p->texts[i].bytes),
            p->texts[i].bytes};
}

static uint32_t number_of(const struct hd_record *r, const struct hd_program *p)
{
    uint32_t i = 0;

    while (i < r->n_programs && r->programs[i].program != p)
        i++;
    HD_BUG_IF(i == r->n_programs, "a program that was not recorded");
    return i;
}

void hd_record_launch(struct hd_record *r, const struct hd_launch *l)
{
    struct hd_tracefile_summary *s = &r->summary;
    uint32_t program = number_of(r, l->program);
    struct hd_tracefile_launch out = {.program = program,
                                      .kernel = hd_arena_strdup(r->arena, l->kernel->name),
                                      .dynamic_shared = l->dynamic_shared,
                                      .stream = l->stream,
                                      .regs = l->regs,
                                      .shared_static = l->shared_static,
                                      .regs_source = l->regs_source,
                                      .param_bytes = l->kernel->param_bytes,
                                      .run = r->runs,
                                      .after = r->running ? r->ended : 0};

    if (r->children)
        return;
    HD_BUG_IF(l->id != s->n_launches, "launch %u recorded as number %zu", l->id, s->n_launches);
    memcpy(out.grid, l->grid, sizeof out.grid);
    memcpy(out.block, l->block, sizeof out.block);
    out.params = (const uint8_t *)hd_arena_strndup(r->arena, (const char *)l->params,
                                                   l->kernel->param_bytes);
    for (size_t i = s->n_launches; i-- > 0 && s->launches[i].run == out.run;)
        if (s->launches[i].stream != out.stream)
            hd_racecheck_blame(r->race, l, HD_PC_NONE,
                               "shares the machine with kernels of another stream");
    *HD_PUSH(r->arena, s->launches, s->n_launches, s->cap_launches) = out;
    hd_racecheck_launch(r->race, r->programs[program].race, l);
}

// A copy that continues the last one is part of it.
void hd_record_copied(struct hd_record *r, uint64_t addr, uint64_t bytes)
{
    struct hd_tracefile_summary *s = &r->summary;
    struct hd_tracefile_copy c = {.addr = addr,
                                  .bytes = bytes,
                                  .launch = (uint32_t)s->n_launches,
                                  .run = r->runs,
                                  .after = r->running ? r->ended : 0};
    struct hd_tracefile_copy *last = s->n_copies ? &s->copies[s->n_copies - 1] : NULL;

    if (last && last->addr + last->bytes == addr && last->bytes % 32 == 0 &&
        last->launch == c.launch && last->run == c.run && last->after == c.after)
        last->bytes += bytes;
    else
        *HD_PUSH(r->arena, s->copies, s->n_copies, s->cap_copies) = c;
}

void hd_record_child(struct hd_record *r)
{
    r->children = true;
}

void hd_record_run(struct hd_record *r, bool begins)
{
    r->running = begins;
    r->ended = 0;
    if (!begins)
        r->runs++;
}

void hd_record_ended(struct hd_record *r)
{
    r->ended++;
}

static void record_tb_start(void *self, const struct hd_tb *tb)
{
    struct record_sm *sm = self;
    struct hd_record *r = sm->record;

    sm->inner.ops->tb_start(sm->inner.self, tb);
    sm->program = &r->programs[number_of(r, tb->launch->program)];
    sm->tbs[tb->slot] = (struct record_tb){tb->launch, tb->linear, tb->first_warp, tb->n_warps};
    for (unsigned w = tb->first_warp; w < tb->first_warp + tb->n_warps; w++) {
        if (!sm->warps[w]) {
            sm->warps[w] = HD_NEW(r->arena, hd_warpstream_out);
            sm->warps[w]->way.arena = sm->warps[w]->where.arena = r->arena;
        }
        hd_warpstream_start_out(sm->warps[w]);
        sm->tb_of[w] = tb->slot;
    }
    hd_racecheck_tb(r->race, sm->race, sm->program->race, tb);
}

// Writes what is stored of warps [first, first + n) and removes it.
static void flush(struct record_sm *sm, const struct record_tb *tb, unsigned first, unsigned n,
                  uint32_t warp)
{
    struct hd_tracewrite_piece pieces[HD_MAX_WARPS] = {{0}};

    for (unsigned i = 0; i < n; i++) {
        struct hd_warpstream_out *out = sm->warps[first + i];
        hd_warpstream_cut(out);
        pieces[i] =
            (struct hd_tracewrite_piece){first + i - tb->first_warp, &out->way, &out->where};
    }
    hd_tracewrite_chunk(sm->record->file, tb->launch->id, tb->linear, warp, pieces, n);
    for (unsigned i = 0; i < n; i++)
        sm->warps[first + i]->way.n = sm->warps[first + i]->where.n = 0;
}

static struct record_event *new_event(struct record_sm *sm)
{
    HD_BUG_IF(sm->n_events == EVENTS_MOST, "more happens in a step than can");
    return &sm->events[sm->n_events++];
}

static void flush_block(struct record_sm *sm, unsigned slot)
{
    const struct record_tb *tb = &sm->tbs[slot];

    flush(sm, tb, tb->first_warp, tb->n_warps, HD_TRACEFILE_REST);
}

static void end_block(struct record_sm *sm, unsigned slot)
{
    struct record_event *e;

    if (!sm->record->stepping) {
        flush_block(sm, slot);
        return;
    }
    e = new_event(sm);
    e->ends = true;
    e->slot = (uint8_t)slot;
}

static void record_tb_end(void *self, unsigned slot)
{
    struct record_sm *sm = self;

    end_block(sm, slot);
    sm->inner.ops->tb_end(sm->inner.self, slot);
}

// The trace of such a run is refused in the end, as of all runs in which kernels launch kernels.
static void record_tb_leave(void *self, unsigned slot)
{
    struct record_sm *sm = self;

    end_block(sm, slot);
    sm->inner.ops->tb_leave(sm->inner.self, slot);
}

// What happens between asynchronous copies and their waits depends on time.
static bool is_asynchronous(const struct hd_op_info *op)
{
    return op->shape == HD_SHAPE_COPY || op->shape == HD_SHAPE_MBAR || op->kind == HD_KIND_COPIES;
}

static void keep(struct record_sm *sm, const struct record_event *e, const struct hd_effects *out)
{
    unsigned warp = e->warp;
    struct hd_warpstream_out *s = sm->warps[warp];
    const struct hd_op_info *op = &hd_op_info[sm->program->program->insns[e->pc].op];

    if (is_asynchronous(op)) {
        if (!sm->record->refused)
            sm->record->refused = op->name;
        return;
    }
    hd_warpstream_put(s, sm->program->code, e->pc, e->lanes, out, e->next_lanes);
    hd_racecheck_exec(sm->record->race, sm->race, warp, e->pc, out, &sm->inner);
    if (s->way.n >= HD_TRACEFILE_PIECE || s->where.n >= HD_TRACEFILE_PIECE) {
        const struct record_tb *tb = &sm->tbs[sm->tb_of[warp]];
        flush(sm, tb, warp, 1, warp - tb->first_warp);
    }
}

static void record_exec(void *self, unsigned warp, uint64_t cycle, struct hd_effects *out)
{
    struct record_sm *sm = self;
    struct record_event here, *e;

    e = sm->record->stepping ? new_event(sm) : &here;
    e->ends = false;
    e->warp = (uint8_t)warp;
    e->pc = sm->inner.pc[warp];
    e->lanes = sm->inner.lanes[warp];
    sm->inner.ops->exec(sm->inner.self, warp, cycle, out);
    e->next_lanes = sm->inner.lanes[warp];
    if (out->flags & HD_EFF_TRAP)
        sm->n_events -= e != &here;
    else if (e != &here)
        e->out = *out;
    else
        keep(sm, e, out);
}

void hd_record_step(struct hd_record *r)
{
    r->stepping = true;
}

void hd_record_settle(struct hd_record *r)
{
    r->stepping = false;
    for (unsigned i = 0; i < r->n_sms; i++) {
        struct record_sm *sm = &r->sms[i];
        for (unsigned k = 0; k < sm->n_events; k++)
            if (sm->events[k].ends)
                flush_block(sm, sm->events[k].slot);
            else
                keep(sm, &sm->events[k], &sm->events[k].out);
        sm->n_events = 0;
    }
}

static void record_serve(void *self, unsigned warp, uint32_t lanes)
{
    struct record_sm *sm = self;

    sm->inner.ops->serve(sm->inner.self, warp, lanes);
}

static void record_finish(void *self, unsigned warp)
{
    struct record_sm *sm = self;

    sm->inner.ops->finish(sm->inner.self, warp);
}

static void record_complete_async(void *self, uint32_t completion)
{
    struct record_sm *sm = self;

    sm->inner.ops->complete_async(sm->inner.self, completion);
}

static bool record_poll(void *self, unsigned warp, bool late)
{
    struct record_sm *sm = self;

    return sm->inner.ops->poll(sm->inner.self, warp, late);
}

static const char *record_waits_for(const void *self, unsigned warp, char *buf, size_t bytes)
{
    const struct record_sm *sm = self;

    return sm->inner.ops->waits_for(sm->inner.self, warp, buf, bytes);
}

static bool record_commit(void *self)
{
    struct record_sm *sm = self;

    return sm->inner.ops->commit(sm->inner.self);
}

static const struct hd_trap *record_trap(const void *self)
{
    const struct record_sm *sm = self;

    return sm->inner.ops->trap(sm->inner.self);
}

static const struct hd_isrc_ops record_ops = {
    .name = "recorder",
    .tb_start = record_tb_start,
    .tb_end = record_tb_end,
    .tb_leave = record_tb_leave,
    .exec = record_exec,
    .serve = record_serve,
    .finish = record_finish,
    .complete_async = record_complete_async,
    .poll = record_poll,
    .waits_for = record_waits_for,
    .commit = record_commit,
    .trap = record_trap,
};

struct hd_isrc hd_record_source(struct hd_record *r, unsigned i, struct hd_isrc inner)
{
    struct record_sm *sm = &r->sms[i];
    struct hd_isrc outer = inner;

    sm->inner = inner;
    sm->record = r;
    sm->race = hd_racecheck_new_sm(r->race);
    outer.ops = &record_ops;
    outer.self = sm;
    return outer;
}

const char *hd_record_reason(const struct hd_record *r)
{
    return hd_racecheck_reason(r->race);
}

struct hd_tracefile_summary *hd_record_summary(struct hd_record *r)
{
    return &r->summary;
}

static void end(struct hd_record *r)
{
    hd_arena_free(r->arena);
    r->arena = NULL;
}

void hd_record_drop(struct hd_record *r)
{
    if (!r || !r->arena)
        return;
    hd_tracewrite_drop(r->file);
    end(r);
}

bool hd_record_finish(struct hd_record *r, struct hd_diag *d)
{
    const char *reason = hd_record_reason(r);
    bool good;

    if (r->children) {
        hd_diag_add(d, NULL, 0, 0,
                    "a trace cannot hold kernels that kernels launch: which of them "
                    "run may depend on the machine");
        hd_record_drop(r);
        return false;
    }
    if (r->refused) {
        hd_diag_add(d, NULL, 0, 0,
                    "a trace cannot hold '%s': when copies and arrivals are complete depends on "
                    "the machine",
                    r->refused);
        hd_record_drop(r);
        return false;
    }
    r->summary.reason = reason ? reason : "";
    good = hd_tracewrite_finish(r->file, &r->summary, d);
    end(r);
    return good;
}
