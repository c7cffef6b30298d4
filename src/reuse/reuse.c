// reuse.c - gathers what resident blocks access, hands complete units to the comparisons, and keeps
// the memory within its limit. See reuse.h.
#include "reuse/reuse.h"

#include "base/bug.h"
#include "reuse/reuse_internal.h"

#include <stdlib.h>
#include <string.h>

#define LOCAL_NAME (UINT64_C(1) << 63) // lines of local memory have names of their own
#define LOCAL_BITS 28

struct hd_reuse *hd_reuse_new(const struct hd_reuse_options *o)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_reuse *r = HD_NEW(a, hd_reuse);

    r->arena = a;
    r->options = *o;
    hd_reusestore_init(&r->store, o->memory);
    r->keys.arena = a;
    r->places = HD_ARRAY(a, struct hd_reuse_place, (size_t)o->sms * o->slots);
    r->retained = HD_ARRAY(a, struct hd_reuse_retained *, o->sms);
    r->spare = HD_ARRAY(a, uint64_t, HD_REUSE_BUFFER);
    return r;
}

const struct hd_reuse_options *hd_reuse_options_of(const struct hd_reuse *r)
{
    return &r->options;
}

// --- kernels, blocks, accesses

static void check_room(struct hd_reuse *r)
{
    if (r->store.used > r->store.limit)
        hd_reuselevels_room(r, 0, HD_REUSE_KERNEL);
}

void hd_reuse_launched(struct hd_reuse *r, const struct hd_reuse_launch *l)
{
    bool child = l->parent != HD_REUSE_HOST;
    struct hd_reusekeys_launch key = {.parent = child ? r->kernels[l->parent].key : 0,
                                      .parent_block = l->parent_block,
                                      .function = l->function,
                                      .params = l->params,
                                      .param_bytes = l->param_bytes};
    uint32_t id = (uint32_t)r->n_kernels;
    struct hd_reuse_kernel *k;

    memcpy(key.grid, l->grid, sizeof key.grid);
    memcpy(key.block, l->block, sizeof key.block);
    k = HD_PUSH(r->arena, r->kernels, r->n_kernels, r->cap_kernels);
    *k = (struct hd_reuse_kernel){.key = hd_reusekeys_next(&r->keys, &key),
                                  .first_block = r->n_blocks,
                                  .n_blocks = l->grid[0] * l->grid[1] * l->grid[2],
                                  .parent = l->parent,
                                  .parent_block = l->parent_block,
                                  .children = HD_REUSE_NONE,
                                  .next = HD_REUSE_NONE};
    r->n_blocks += k->n_blocks;
    *HD_PUSH(r->arena, r->kin, r->n_kin, r->cap_kin) =
        (struct hd_reusedistance_kin){l->parent, l->parent_block};
    if (!child)
        return;
    k->next = r->kernels[l->parent].children;
    r->kernels[l->parent].children = id;
    r->kernels[l->parent].open_children++;
}

static struct hd_reuse_place *place_of(struct hd_reuse *r, unsigned sm, unsigned slot)
{
    return &r->places[sm * r->options.slots + slot];
}

void hd_reuse_block_starts(struct hd_reuse *r, unsigned sm, unsigned slot, uint32_t kernel,
                           uint32_t block)
{
    struct hd_reuse_place *p = place_of(r, sm, slot);
    struct hd_reuse_kernel *k = &r->kernels[kernel];

    if (r->finished)
        return;
    p->used = true;
    p->kernel = kernel;
    p->block = block;
    p->n = 0;
    if (!p->buffer && !r->result.dropped[HD_REUSE_KERNEL])
        p->buffer = hd_reusestore_get(&r->store, HD_REUSE_BUFFER, sizeof *p->buffer);
    if (!k->blocks && !r->result.dropped[HD_REUSE_BLOCK] &&
        hd_reuselevels_room(r, k->n_blocks * (uint64_t)sizeof *k->blocks, HD_REUSE_BLOCK))
        k->blocks = hd_reusestore_get(&r->store, k->n_blocks, sizeof *k->blocks);
    if (k->blocks && k->blocks[block].away) { // it returns
        struct hd_reusegather *away = k->blocks[block].away;
        p->gather = *away;
        hd_reusestore_put(&r->store, away, 1, sizeof *away);
        k->blocks[block].away = NULL;
    }
    check_room(r);
}

static void sort_buffer(struct hd_reuse *r, struct hd_reuse_place *p)
{
    if (p->n)
        hd_reuseruns_add(&r->store, &p->gather, p->buffer, r->spare, p->n);
    p->n = 0;
}

void hd_reuse_accessed(struct hd_reuse *r, unsigned sm, unsigned slot, unsigned warp, uint64_t line,
                       bool local, enum hd_reuse_access kind)
{
    struct hd_reuse_place *p = place_of(r, sm, slot);
    uint64_t name = line / HD_REUSE_LINE;

    if (r->finished || (r->options.loads && kind != HD_REUSE_LOAD))
        return;
    r->result.accesses++;
    if (r->result.dropped[HD_REUSE_KERNEL])
        return;
    if (local)
        name = LOCAL_NAME | (r->kernels[p->kernel].first_block + p->block) << LOCAL_BITS |
               (name & ((UINT64_C(1) << LOCAL_BITS) - 1));
    uint32_t number = hd_reuselines_number(&r->lines, &r->store, name);
    if (!r->result.distances_dropped)
        hd_reusedistance_access(&r->distances, &r->store, number, p->kernel, r->kin);
    p->buffer[p->n++] = hd_reuseruns_word(number, r->result.dropped[HD_REUSE_WARP] ? 0 : warp);
    if (p->n == HD_REUSE_BUFFER)
        sort_buffer(r, p);
    check_room(r);
}

// A block has ended; `g` is all that it has accessed. `slot` is where it ended, if it was on an SM.
static void end_block(struct hd_reuse *r, uint32_t kernel, uint32_t block, struct hd_reusegather *g,
                      unsigned sm, int slot)
{
    struct hd_reuse_kernel *k = &r->kernels[kernel];
    struct hd_reuseruns runs = hd_reuseruns_finish(&r->store, g);
    struct hd_reuseruns lines = hd_reuseruns_by_line(&r->store, &runs);
    uint64_t sizes[HD_REUSE_WARPS];

    if (!r->result.dropped[HD_REUSE_WARP]) {
        hd_reusewarps_compare(r, &runs, sizes);
        if (r->options.resident && slot >= 0)
            hd_reusewarps_retain(r, sm, (unsigned)slot, &runs, sizes);
    }
    hd_reuseruns_free(&r->store, &runs);
    hd_reuselevels_add(r, k, &lines);
    if (!k->blocks) {
        hd_reuseruns_free(&r->store, &lines);
        return;
    }
    struct hd_reuse_block *b = &k->blocks[block];
    b->runs = lines;
    b->size = hd_reuseruns_size(&lines);
    if (!b->size)
        return;
    r->result.blocks++;
    hd_reuse_count(r, HD_REUSE_BLOCK_SELF, b->size - b->runs.n, b->size);
}

void hd_reuse_block_ends(struct hd_reuse *r, unsigned sm, unsigned slot, bool leaves)
{
    struct hd_reuse_place *p = place_of(r, sm, slot);
    struct hd_reuse_kernel *k = &r->kernels[p->kernel];

    if (!p->used)
        return;
    p->used = false;
    if (r->result.dropped[HD_REUSE_KERNEL])
        return;
    sort_buffer(r, p);
    if (leaves && k->blocks) {
        struct hd_reuse_block *b = &k->blocks[p->block];
        b->away = hd_reusestore_get(&r->store, 1, sizeof *b->away);
        *b->away = p->gather;
        p->gather = (struct hd_reusegather){0};
        hd_reusewarps_left(r, sm, slot);
    } else {
        end_block(r, p->kernel, p->block, &p->gather, sm, (int)slot);
    }
    check_room(r);
}

// Frees what no comparison to come needs. Until a kernel is compared with its children, those of
// its blocks that launched some are needed.
static void release(struct hd_reuse *r, uint32_t kernel)
{
    struct hd_reuse_kernel *k = &r->kernels[kernel];

    if (!k->ended || (k->parent != HD_REUSE_HOST && !r->kernels[k->parent].compared))
        return;
    if (k->compared) {
        hd_reuselevels_free_kernel(r, k);
        return;
    }
    if (!k->blocks)
        return;
    bool *launched = hd_reusestore_get(&r->store, k->n_blocks, sizeof *launched);
    for (uint32_t i = k->children; i != HD_REUSE_NONE; i = r->kernels[i].next)
        if (r->kernels[i].parent_block < k->n_blocks)
            launched[r->kernels[i].parent_block] = true;
    for (uint32_t b = 0; b < k->n_blocks; b++)
        if (!launched[b])
            hd_reuseruns_free(&r->store, &k->blocks[b].runs);
    hd_reusestore_put(&r->store, launched, k->n_blocks, sizeof *launched);
}

// Compares a kernel with its children if all of them have ended.
static void compare_family(struct hd_reuse *r, uint32_t parent)
{
    if (!r->kernels[parent].ended || r->kernels[parent].open_children)
        return;
    if (!r->result.dropped[HD_REUSE_KERNEL])
        hd_reusefamily_children(r, parent);
    r->kernels[parent].compared = true;
    for (uint32_t i = r->kernels[parent].children; i != HD_REUSE_NONE; i = r->kernels[i].next)
        release(r, i);
    release(r, parent);
}

static void count_kernel(struct hd_reuse *r, struct hd_reuse_kernel *k)
{
    struct hd_reuse_result *to = &r->result;

    if (k->gather)
        k->runs = hd_reuseruns_finish(&r->store, k->gather);
    hd_reusestore_put(&r->store, k->gather, 1, sizeof *k->gather);
    k->gather = NULL;
    if (!k->size)
        return;
    to->kernels++;
    to->repeated += k->size - k->runs.n;
    for (uint64_t i = 0; i < k->runs.n; i++)
        to->self += k->runs.runs[i].count > 1 ? k->runs.runs[i].count : 0;
    hd_reuse_count(r, HD_REUSE_KERNEL_SELF, k->size - k->runs.n, k->size);
}

void hd_reuse_kernel_ends(struct hd_reuse *r, uint32_t kernel)
{
    uint32_t parent = r->kernels[kernel].parent;

    if (r->finished || r->kernels[kernel].ended)
        return;
    r->kernels[kernel].ended = true;
    if (!r->result.dropped[HD_REUSE_KERNEL]) {
        count_kernel(r, &r->kernels[kernel]);
        hd_reusefamily_blocks(r, kernel);
    }
    release(r, kernel);
    compare_family(r, kernel);
    if (parent != HD_REUSE_HOST) {
        r->kernels[parent].open_children--;
        compare_family(r, parent);
    }
    check_room(r);
}

// --- the end

static int by_name(const void *a, const void *b)
{
    const struct hd_reuse_pair *p = a, *q = b;
    const uint64_t x[] = {p->relation, p->x, p->x_block, p->y, p->y_block},
                   y[] = {q->relation, q->x, q->x_block, q->y, q->y_block};

    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void end_everything(struct hd_reuse *r)
{
    for (unsigned sm = 0; sm < r->options.sms; sm++)
        for (unsigned slot = 0; slot < r->options.slots; slot++)
            hd_reuse_block_ends(r, sm, slot, false);
    for (size_t i = r->n_kernels; i-- > 0;) {
        for (uint32_t b = 0; b < r->kernels[i].n_blocks && r->kernels[i].blocks; b++) {
            struct hd_reusegather *away = r->kernels[i].blocks[b].away;
            if (!away)
                continue;
            r->kernels[i].blocks[b].away = NULL;
            end_block(r, (uint32_t)i, b, away, 0, -1);
            hd_reusestore_put(&r->store, away, 1, sizeof *away);
        }
        hd_reuse_kernel_ends(r, (uint32_t)i);
    }
}

const struct hd_reuse_result *hd_reuse_finish(struct hd_reuse *r)
{
    struct hd_reuse_result *to = &r->result;
    const uint64_t limits[] = {r->options.l1_lines, r->options.l2_lines};

    if (r->finished)
        return to;
    end_everything(r);
    r->finished = true;
    for (unsigned level = 0; level < HD_REUSE_WARP; level++)
        hd_reusechains_result(&r->chains[level], &to->components[level], &to->paths[level]);
    for (unsigned i = 0; i < HD_REUSEDISTANCE_N; i++)
        hd_reusedistance_result(&r->distances, (enum hd_reusedistance)i, limits, &to->distances[i]);
    if (r->n_plan)
        qsort(r->plan, r->n_plan, sizeof *r->plan, by_name);
    to->lines = r->lines.n;
    to->plan = r->plan;
    to->n_plan = r->n_plan;
    to->memory = r->store.most;
    return to;
}

void hd_reuse_free(struct hd_reuse *r)
{
    if (!r)
        return;
    hd_reuselevels_drop(r);
    hd_reusestore_end(&r->store);
    hd_arena_free(r->arena);
}
