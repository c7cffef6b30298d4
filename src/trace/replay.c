// replay.c - unpacks the streams of warps when their blocks begin. See replay.h.
#include "trace/replay.h"

#include "base/bug.h"
#include "trace/warpstream.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

struct buffer { // unpacked bytes; grows, and is used again
    uint8_t *bytes;
    size_t cap;
};

struct replay_tb { // by block slot
    const struct hd_launch *launch;
    uint32_t index[3];
    uint8_t first_warp, n_warps;
    size_t first, last; // its chunks
    struct buffer rest;
    bool has_rest;
    struct hd_traceread_piece pieces[HD_MAX_WARPS]; // of the rest, by warp of the block
};

struct replay_warp { // by warp slot
    struct hd_warpstream_in in;
    struct replay_tb *tb;
    size_t next; // chunk to search when more is needed
    struct buffer own;
};

struct replay_sm {
    uint32_t pc[HD_MAX_WARPS], lanes[HD_MAX_WARPS];
    uint8_t pending; // always 0: there are no stores
    const struct hd_tracecode *code;
    uint32_t n_insns;
    struct replay_warp *warps;
    struct replay_tb tbs[HD_MAX_TBS];
    struct hd_replay *replay;
    struct hd_trap trap;
};

struct hd_replay {
    struct hd_arena *arena;
    pthread_mutex_t unpacking; // while SMs step: the arena, and the reader, which has one buffer
    struct hd_traceread *trace;
    struct replay_sm *sms;
    unsigned n_sms;
    struct {
        const struct hd_program *program;
        const struct hd_tracecode *code;
    } * programs;
    size_t n_programs, cap_programs;
};

struct hd_replay *hd_replay_new(struct hd_arena *a, struct hd_traceread *t, unsigned sms)
{
    struct hd_replay *r = HD_NEW(a, hd_replay);

    r->arena = hd_arena_new();
    pthread_mutex_init(&r->unpacking, NULL);
    r->trace = t;
    r->sms = HD_ARRAY(a, struct replay_sm, sms);
    r->n_sms = sms;
    for (unsigned i = 0; i < sms; i++) {
        struct replay_sm *sm = &r->sms[i];
        sm->replay = r;
        sm->warps = HD_ARRAY(a, struct replay_warp, HD_MAX_WARPS);
        for (unsigned w = 0; w < HD_MAX_WARPS; w++)
            sm->pc[w] = HD_PC_NONE;
    }
    return r;
}

void hd_replay_free(struct hd_replay *r)
{
    if (!r || !r->arena)
        return;
    pthread_mutex_destroy(&r->unpacking);
    hd_arena_free(r->arena);
    r->arena = NULL;
}

void hd_replay_program(struct hd_replay *r, const struct hd_program *p)
{
    size_t i = r->n_programs;

    (void)HD_PUSH(r->arena, r->programs, r->n_programs, r->cap_programs);
    r->programs[i].program = p;
    r->programs[i].code = hd_warpstream_code(r->arena, p);
}

static void fail(struct replay_sm *sm, const struct replay_tb *tb, const char *why)
{
    sm->trap = (struct hd_trap){.kind = HD_TRAP_SOURCE,
                                .launch = tb->launch,
                                .block = {tb->index[0], tb->index[1], tb->index[2]}};
    snprintf(sm->trap.detail, sizeof sm->trap.detail, "%.*s", (int)sizeof sm->trap.detail - 1, why);
}

static uint8_t *room(struct replay_sm *sm, struct buffer *b, size_t bytes)
{
    if (bytes > b->cap) {
        b->cap = bytes * 2;
        b->bytes = hd_arena_get(sm->replay->arena, b->cap, 1);
    }
    return b->bytes;
}

// Unpacks what was left of the block's warps when it ended. False: damaged, and the trap is set.
static bool unpack_rest(struct replay_sm *sm, struct replay_tb *tb, size_t chunk)
{
    struct hd_traceread *t = sm->replay->trace;
    const struct hd_tracefile_chunk *c = &t->chunks[chunk];
    struct hd_traceread_piece got[HD_MAX_WARPS];
    uint8_t *to = room(sm, &tb->rest, c->raw);
    char err[HD_FILE_WHY];
    uint32_t n;

    if (!hd_traceread_chunk(t, sm->replay->arena, chunk, to, err)) {
        fail(sm, tb, err);
        return false;
    }
    n = hd_traceread_pieces(c, to, got, tb->n_warps, tb->n_warps);
    if (n == UINT32_MAX) {
        fail(sm, tb, "a block's pieces make no sense");
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        tb->pieces[got[i].warp] = got[i];
    tb->has_rest = true;
    return true;
}

// Gives the warp its next piece. False: there is none, or it is damaged.
static bool feed(struct replay_sm *sm, unsigned slot)
{
    struct replay_warp *w = &sm->warps[slot];
    struct replay_tb *tb = w->tb;
    struct hd_traceread *t = sm->replay->trace;
    struct hd_traceread_piece piece;
    uint32_t warp = slot - tb->first_warp;
    char err[HD_FILE_WHY];

    for (; w->next < tb->last; w->next++) {
        const struct hd_tracefile_chunk *c = &t->chunks[w->next];
        if (c->warp != warp && c->warp != HD_TRACEFILE_REST)
            continue;
        size_t chunk = w->next++;
        if (c->warp == HD_TRACEFILE_REST) {
            if (!tb->has_rest && !unpack_rest(sm, tb, chunk))
                return false;
            piece = tb->pieces[warp];
        } else {
            uint8_t *to = room(sm, &w->own, c->raw);
            if (!hd_traceread_chunk(t, sm->replay->arena, chunk, to, err)) {
                fail(sm, tb, err);
                return false;
            }
            if (hd_traceread_pieces(c, to, &piece, 1, tb->n_warps) != 1) {
                fail(sm, tb, "a warp's piece makes no sense");
                return false;
            }
        }
        hd_warpstream_feed(&w->in, piece.way, piece.way_bytes, piece.where, piece.where_bytes);
        return true;
    }
    fail(sm, tb, "a warp's stream ends before the warp does");
    return false;
}

// SMs may step side by side.
static bool feed_alone(struct replay_sm *sm, unsigned slot)
{
    bool good;

    pthread_mutex_lock(&sm->replay->unpacking);
    good = feed(sm, slot);
    pthread_mutex_unlock(&sm->replay->unpacking);
    return good;
}

static void replay_tb_start(void *self, const struct hd_tb *tb)
{
    struct replay_sm *sm = self;
    struct replay_tb *t = &sm->tbs[tb->slot];
    const struct hd_launch *l = tb->launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    size_t i = 0;

    while (i < sm->replay->n_programs && sm->replay->programs[i].program != l->program)
        i++;
    HD_BUG_IF(i == sm->replay->n_programs, "launch of a program that is not the trace's");
    sm->code = sm->replay->programs[i].code;
    sm->n_insns = l->program->n_insns;
    t->launch = l;
    memcpy(t->index, tb->index, sizeof t->index);
    t->first_warp = tb->first_warp;
    t->n_warps = tb->n_warps;
    t->has_rest = false;
    memset(t->pieces, 0, sizeof t->pieces);
    hd_traceread_block(sm->replay->trace, l->id, tb->linear, &t->first, &t->last);
    for (unsigned k = 0; k < tb->n_warps; k++, threads -= HD_LANES) {
        unsigned slot = tb->first_warp + k;
        struct replay_warp *w = &sm->warps[slot];
        w->tb = t;
        w->next = t->first;
        hd_warpstream_start_in(&w->in);
        sm->pc[slot] = l->kernel->first_pc;
        sm->lanes[slot] = threads >= HD_LANES ? UINT32_MAX : (1u << threads) - 1;
    }
}

static void replay_tb_end(void *self, unsigned slot)
{
    struct replay_sm *sm = self;
    const struct replay_tb *t = &sm->tbs[slot];

    for (unsigned w = 0; w < t->n_warps; w++)
        sm->pc[t->first_warp + w] = HD_PC_NONE;
}

// Everything except plain arithmetic.
static void exec_other(struct replay_sm *sm, unsigned warp, struct hd_effects *out)
{
    struct replay_warp *w = &sm->warps[warp];
    enum hd_warpstream_got got;
    uint32_t next_lanes;

    while ((got = hd_warpstream_get(&w->in, sm->code, sm->n_insns, sm->pc[warp], sm->lanes[warp],
                                    out, &next_lanes)) != HD_WARPSTREAM_OK) {
        if (got == HD_WARPSTREAM_BAD)
            fail(sm, w->tb, "a warp's stream makes no sense");
        if (got == HD_WARPSTREAM_BAD || !feed_alone(sm, warp)) {
            out->flags = HD_EFF_TRAP;
            sm->trap.pc = sm->pc[warp];
            return;
        }
    }
    sm->pc[warp] = out->next_pc;
    sm->lanes[warp] = next_lanes;
}

static void replay_exec(void *self, unsigned warp, uint64_t cycle, struct hd_effects *out)
{
    struct replay_sm *sm = self;
    uint32_t pc = sm->pc[warp], lanes = sm->lanes[warp];

    (void)cycle;
    if (!hd_warpstream_get_plain(&sm->warps[warp].in, sm->code, sm->n_insns, pc)) {
        exec_other(sm, warp, out);
        return;
    }
    out->active_mask = out->exec_mask = lanes;
    out->next_pc = sm->pc[warp] = pc + 1;
    out->flags = 0;
    out->space = HD_SPACE_NONE;
}

static void replay_serve(void *self, unsigned warp, uint32_t lanes)
{
    (void)self, (void)warp, (void)lanes;
}

static bool replay_commit(void *self)
{
    (void)self;
    return true;
}

static void replay_finish(void *self, unsigned warp)
{
    (void)self, (void)warp;
}

static const struct hd_trap *replay_trap(const void *self)
{
    const struct replay_sm *sm = self;

    return &sm->trap;
}

static const struct hd_isrc_ops replay_ops = {
    .name = "trace",
    .tb_start = replay_tb_start,
    .tb_end = replay_tb_end,
    .exec = replay_exec,
    .serve = replay_serve,
    .finish = replay_finish,
    .commit = replay_commit,
    .trap = replay_trap,
};

struct hd_isrc hd_replay_source(struct hd_replay *r, unsigned sm)
{
    struct replay_sm *s = &r->sms[sm];

    return (struct hd_isrc){.ops = &replay_ops,
                            .self = s,
                            .pc = s->pc,
                            .lanes = s->lanes,
                            .pending_stores = &s->pending};
}
