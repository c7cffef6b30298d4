// rest.c - blocks that wait for what they have launched (cudaDeviceSynchronize in kernels, as until
// CUDA 11): who waits for how much, and blocks that leave their SM for that time.
//
// A brood is what the threads of a block have asked for and what has not happened. A warp waits
// for its block's whole brood. When no warp of a block can go on, the block may leave: registers,
// stacks, shared and local memory are kept in a rest, and another SM may take them up again.
#include "base/bug.h"
#include "emu/devcalls.h"
#include "emu/keep.h"

#include <string.h>

enum state { FREE, HERE, AWAY, ENDED };

struct hd_emu_brood {
    uint32_t open; // tasks that have not happened
    uint32_t next; // free one: index
    uint32_t sm;   // where the block is
    uint8_t slot, state;
    struct hd_emu_rest *rest; // of a block that is away
};

struct hd_emu_kept {
    struct hd_emu_rest shown; // first
    uint32_t brood;
    unsigned size; // class: 1 << size bytes
    size_t bytes;
    uint8_t *state;
    struct hd_emu_kept *next; // free one
};

// --- broods

static uint32_t brood_of(struct hd_emu_sm *sm, struct hd_emu_tb *tb)
{
    struct hd_emu *e = sm->emu;
    uint32_t i = tb->brood ? tb->brood : e->free_brood;

    if (tb->brood)
        return i;
    if (i) {
        e->free_brood = e->broods[i].next;
    } else {
        if (!e->n_broods) // 0 is none
            HD_PUSH(e->arena, e->broods, e->n_broods, e->cap_broods);
        i = (uint32_t)e->n_broods;
        HD_PUSH(e->arena, e->broods, e->n_broods, e->cap_broods);
    }
    e->broods[i] = (struct hd_emu_brood){
        .sm = (uint32_t)(sm - e->sms), .slot = (uint8_t)(tb - sm->tbs), .state = HERE};
    tb->brood = i;
    return i;
}

static void drop(struct hd_emu *e, uint32_t i)
{
    e->broods[i] = (struct hd_emu_brood){.next = e->free_brood};
    e->free_brood = i;
}

uint32_t hd_rest_asked(struct hd_emu_sm *sm, unsigned warp)
{
    uint32_t i = brood_of(sm, &sm->tbs[sm->warps[warp].tb - sm->tbs]);

    sm->emu->broods[i].open++;
    return i;
}

void hd_rest_tail(struct hd_emu *e, struct hd_emu_task *t)
{
    e->broods[t->brood].open--;
    t->brood = 0;
}

bool hd_rest_waits(const struct hd_emu_sm *sm, unsigned warp)
{
    uint32_t i = sm->warps[warp].tb->brood;

    return i && sm->emu->broods[i].open;
}

void hd_rest_block_ends(struct hd_emu *e, struct hd_emu_tb *t)
{
    uint32_t i = t->brood;

    t->brood = 0;
    if (i && e->broods[i].open)
        e->broods[i].state = ENDED;
    else if (i)
        drop(e, i);
}

enum hd_brood_news hd_emu_task_happened(struct hd_emu *e, uint32_t brood, uint32_t *sm,
                                        unsigned *slot, struct hd_emu_rest **rest)
{
    struct hd_emu_brood *b = &e->broods[brood];

    if (!brood || --b->open)
        return HD_BROOD_OPEN;
    if (b->state == ENDED) {
        drop(e, brood);
        return HD_BROOD_OPEN;
    }
    *sm = b->sm;
    *slot = b->slot;
    *rest = b->rest;
    return b->state == AWAY ? HD_BROOD_AWAY : HD_BROOD_HERE;
}

// --- what is kept of a block

static struct hd_emu_kept *new_kept(struct hd_emu *e, size_t bytes)
{
    unsigned size = 10;
    struct hd_emu_kept *k;

    while ((size_t)1 << size < bytes)
        size++;
    HD_BUG_IF(size >= HD_REST_SIZES, "%zu bytes of a block", bytes);
    k = e->free_kept[size];
    if (k) {
        e->free_kept[size] = k->next;
    } else {
        k = HD_NEW(e->arena, hd_emu_kept);
        k->state = hd_arena_get(e->arena, (size_t)1 << size, 1);
        k->size = size;
    }
    k->bytes = bytes;
    return k;
}

static void keep_block(struct hd_emu_sm *sm, struct hd_emu_tb *t, struct hd_keep *k)
{
    hd_keep(k, t->shared, sm->tb_shared);
    hd_keep(k, t->reduce, sizeof t->reduce);
    hd_keep(k, &t->stream, sizeof t->stream);
    hd_keep(k, &t->thread_streams, sizeof t->thread_streams);
    for (unsigned i = 0; i < t->n_warps; i++)
        hd_keep_warp(sm, t->first_warp + i, k);
}

static struct hd_barriers moved(const struct hd_barriers *b, unsigned from, unsigned to)
{
    struct hd_barriers m = *b;

    m.live = b->live >> from << to;
    for (unsigned i = 0; i < HD_BARRIERS; i++)
        m.waiting[i] = b->waiting[i] >> from << to;
    return m;
}

void hd_emu_tb_leave(void *self, unsigned slot)
{
    struct hd_emu_sm *sm = self;
    struct hd_emu *e = sm->emu;
    struct hd_emu_tb *t = &sm->tbs[slot];
    struct hd_keep k = {.what = HD_KEEP_MEASURE};
    struct hd_emu_kept *kept;

    keep_block(sm, t, &k);
    kept = new_kept(e, k.n);
    k = (struct hd_keep){.what = HD_KEEP_SAVE, .at = kept->state};
    keep_block(sm, t, &k);
    kept->brood = t->brood;
    kept->shown = (struct hd_emu_rest){.launch = t->launch,
                                       .index = {t->index[0], t->index[1], t->index[2]},
                                       .linear = t->linear,
                                       .barriers = moved(&t->barriers, t->first_warp, 0)};
    e->broods[t->brood].state = AWAY;
    e->broods[t->brood].rest = &kept->shown;
    *HD_PUSH(e->arena, e->rests, e->n_rests, e->cap_rests) = &kept->shown;
    t->stream = t->thread_streams = t->brood = 0;
    hd_emu_tb_end(sm, slot);
}

void hd_rest_return(struct hd_emu_sm *sm, struct hd_emu_tb *t, const struct hd_emu_rest *rest)
{
    struct hd_emu *e = sm->emu;
    struct hd_emu_kept *kept = (struct hd_emu_kept *)(uintptr_t)rest;
    struct hd_keep k = {.what = HD_KEEP_LOAD, .at = kept->state};

    keep_block(sm, t, &k);
    HD_BUG_IF(k.n != kept->bytes, "%zu bytes of a block, %zu were kept", k.n, kept->bytes);
    t->barriers = moved(&rest->barriers, 0, t->first_warp);
    t->brood = kept->brood;
    e->broods[t->brood] = (struct hd_emu_brood){.open = e->broods[t->brood].open,
                                                .sm = (uint32_t)(sm - e->sms),
                                                .slot = (uint8_t)(t - sm->tbs),
                                                .state = HERE};
    kept->next = e->free_kept[kept->size];
    e->free_kept[kept->size] = kept;
}

// --- the machine's side

const size_t *hd_emu_n_rests(const struct hd_emu *e)
{
    return &e->n_rests;
}

struct hd_emu_rest *const *hd_emu_rests(const struct hd_emu *e)
{
    return e->rests;
}

void hd_emu_rests_taken(struct hd_emu *e)
{
    e->n_rests = 0;
}

bool hd_emu_rest_over(const struct hd_emu *e, const struct hd_emu_rest *r)
{
    return !e->broods[((const struct hd_emu_kept *)(const void *)r)->brood].open;
}
