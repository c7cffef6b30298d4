// reusefamily.c - reuse between kernels and between blocks: of the blocks of a kernel once it has
// ended, and of a kernel and its children once all of them have.
//
// Where a relation has more pairs than options.pairs, units are sampled: those whose hashed keys
// are smallest, which does not depend on the order of events. The bins are then scaled to the true
// number of pairs.
#include "reuse/reuse_internal.h"

#include <stdlib.h>
#include <string.h>

struct unit { // what the units of a comparison are
    uint32_t kernel, block;
    uint64_t order; // in which units are sampled
    struct hd_reusepairs_unit pairs;
};

struct comparison {
    struct hd_reuse *r;
    enum hd_reuse_relation_id id;
    enum hd_reuse_level level;
    const struct unit *units;
    struct hd_reuse_relation found;
    bool full; // no memory is left for links and pairs
};

// The ratio above which a pair is noted, in percent.
static unsigned least_of(const struct hd_reuse_options *o)
{
    return o->plan && o->plan_above < HD_REUSEPAIRS_HIGH ? o->plan_above : HD_REUSEPAIRS_HIGH;
}

// Links the pair in a chain if its ratio is high, and puts it into the plan if it belongs there.
static void note_pair(struct comparison *c, const struct unit *x, const struct unit *y,
                      uint64_t part, uint64_t whole)
{
    struct hd_reuse *r = c->r;
    bool kernels = c->level == HD_REUSE_KERNEL;
    uint64_t a = kernels ? x->kernel : r->kernels[x->kernel].first_block + x->block;
    uint64_t b = kernels ? y->kernel : r->kernels[y->kernel].first_block + y->block;
    struct hd_reusechains *chains = &r->chains[c->level];
    bool high = hd_reusepairs_above(part, whole, HD_REUSEPAIRS_HIGH);
    bool planned = r->options.plan && hd_reusepairs_above(part, whole, r->options.plan_above);
    size_t more = planned && r->n_plan == r->cap_plan ? 2 * r->n_plan + 64 : 0;
    size_t needs = high ? hd_reusechains_needs(chains, a > b ? a : b) : 0;

    if (!hd_reusestore_fits(&r->store, needs + more * sizeof *r->plan)) {
        c->full = true;
        return;
    }
    if (high)
        hd_reusechains_link(chains, &r->store, a, b, part, whole);
    if (!planned)
        return;
    r->plan = hd_reusestore_grow(&r->store, r->plan, &r->cap_plan, r->n_plan + 1, sizeof *r->plan);
    r->plan[r->n_plan++] = (struct hd_reuse_pair){.x = r->kernels[x->kernel].key,
                                                  .y = r->kernels[y->kernel].key,
                                                  .part = part,
                                                  .whole = whole,
                                                  .x_block = x->block,
                                                  .y_block = y->block,
                                                  .relation = (uint32_t)c->id};
}

static void add_pair(struct comparison *c, const struct unit *x, const struct unit *y,
                     uint64_t part, uint64_t whole)
{
    c->found.sampled++;
    c->found.bins[hd_reusepairs_bin(part, whole)]++;
    if (hd_reusepairs_above(part, whole, least_of(&c->r->options)) && !c->full)
        note_pair(c, x, y, part, whole);
}

static void pair_found(void *ctx, uint32_t x, uint32_t y, uint64_t shared)
{
    struct comparison *c = ctx;

    add_pair(c, &c->units[x], &c->units[y], shared, c->units[x].pairs.size);
}

// Ordered pairs of units of different groups. Units of a group stand together.
static uint64_t pairs_of(const struct unit *units, uint32_t n)
{
    uint64_t pairs = (uint64_t)n * n;

    for (uint32_t i = 0, first = 0; i < n; i++) {
        if (units[i].pairs.group != units[first].pairs.group)
            first = i;
        if (i + 1 == n || units[i + 1].pairs.group != units[i].pairs.group)
            pairs -= (uint64_t)(i + 1 - first) * (i + 1 - first);
    }
    return pairs;
}

static int by_order(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;

    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_group(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;

    if (x->pairs.group != y->pairs.group)
        return x->pairs.group < y->pairs.group ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

// Leaves as many units as have `most` pairs.
static uint32_t sample(const struct hd_reuse *r, struct unit *units, uint32_t n, uint64_t most)
{
    uint32_t left = 2;

    for (uint32_t i = 0; i < n; i++)
        units[i].order =
            hd_reusekeys_mix(r->kernels[units[i].kernel].key ^ hd_reusekeys_mix(units[i].block));
    while (left < n && ((uint64_t)left + 1) * left <= most)
        left++;
    qsort(units, n, sizeof *units, by_order);
    while (left < n && !pairs_of(units, left)) // all of one group
        left++;
    qsort(units, left, sizeof *units, by_group);
    return left;
}

// The bins of a sample, for all pairs: rounded so that they add up to them.
static void scale(struct hd_reuse_relation *f, uint64_t pairs)
{
    uint64_t sum = 0, largest = 0;

    for (unsigned i = 0; i < HD_REUSE_BINS; i++) {
        f->bins[i] =
            f->bins[i] * (pairs / f->sampled) + f->bins[i] * (pairs % f->sampled) / f->sampled;
        sum += f->bins[i];
        largest = f->bins[i] > f->bins[largest] ? i : largest;
    }
    f->bins[largest] += pairs - sum;
}

static void add_relation(const struct comparison *c)
{
    struct hd_reuse_relation *to = &c->r->result.relations[c->id];

    if (c->full) {
        hd_reuselevels_room(c->r, UINT64_MAX / 2, c->level);
        return;
    }
    to->pairs += c->found.pairs;
    to->sampled += c->found.sampled;
    for (unsigned i = 0; i < HD_REUSE_BINS; i++)
        to->bins[i] += c->found.bins[i];
}

// Compares all pairs of units that are not of one group. Their order may change.
static void compare(struct hd_reuse *r, enum hd_reuse_relation_id id, enum hd_reuse_level level,
                    struct unit *units, uint32_t n, struct hd_arena *scratch)
{
    struct comparison c = {.r = r, .id = id, .level = level, .units = units};
    uint64_t runs = 0, pairs = pairs_of(units, n), compared = pairs;

    if (!pairs)
        return;
    if (pairs > r->options.pairs) {
        n = sample(r, units, n, r->options.pairs);
        compared = pairs_of(units, n);
    }
    struct hd_reusepairs_unit *all = HD_ARRAY(scratch, struct hd_reusepairs_unit, n);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = units[i].pairs;
        runs += all[i].runs->n;
    }
    if (!compared || !hd_reuselevels_room(r, hd_reusepairs_needs(runs), level))
        return;
    hd_reusepairs_each(all, n, pair_found, &c);
    c.found.bins[0] += compared - c.found.sampled;
    c.found.sampled = compared;
    c.found.pairs = pairs;
    if (pairs > compared)
        scale(&c.found, pairs);
    add_relation(&c);
}

static void add_unit(const struct hd_reuse *r, struct unit *units, uint32_t *n, uint32_t kernel,
                     uint32_t block, uint32_t group)
{
    const struct hd_reuse_kernel *k = &r->kernels[kernel];
    const struct hd_reuse_block *b = block == HD_REUSE_NONE ? NULL : &k->blocks[block];
    uint64_t size = b ? b->size : k->size;

    if (size)
        units[(*n)++] = (struct unit){.kernel = kernel,
                                      .block = b ? block : 0,
                                      .pairs = {b ? &b->runs : &k->runs, size, group}};
}

void hd_reusefamily_blocks(struct hd_reuse *r, uint32_t kernel)
{
    const struct hd_reuse_kernel *k = &r->kernels[kernel];
    struct hd_arena *scratch;
    uint32_t n = 0;

    if (!k->blocks || k->n_blocks < 2 ||
        !hd_reuselevels_room(r, k->n_blocks * (uint64_t)sizeof(struct unit), HD_REUSE_BLOCK))
        return;
    scratch = hd_arena_new();
    struct unit *units = HD_ARRAY(scratch, struct unit, k->n_blocks);
    for (uint32_t b = 0; b < k->n_blocks; b++)
        add_unit(r, units, &n, kernel, b, b);
    compare(r, HD_REUSE_BLOCK_INTRA_KERNEL, HD_REUSE_BLOCK, units, n, scratch);
    hd_arena_free(scratch);
}

// --- a kernel and its children

// Marks lines as those of a question.
static void stamp(struct hd_reuse *r, const struct hd_reuseruns *runs)
{
    r->stamps =
        hd_reusestore_grow(&r->store, r->stamps, &r->cap_stamps, r->lines.n, sizeof *r->stamps);
    if (r->stamp > UINT32_MAX - 4) {
        memset(r->stamps, 0, r->cap_stamps * sizeof *r->stamps);
        r->stamp = 0;
    }
    r->stamp += 2;
    for (uint64_t i = 0; i < runs->n; i++)
        r->stamps[runs->runs[i].line] = r->stamp;
}

// Accesses to lines that are marked.
static uint64_t shared_of(const struct hd_reuse *r, const struct hd_reuseruns *runs)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < runs->n; i++)
        n += r->stamps[runs->runs[i].line] == r->stamp ? runs->runs[i].count : 0;
    return n;
}

static void share(struct hd_reuse *r, struct hd_reuserun *run)
{
    r->result.parent_child += run->warp ? 0 : run->count;
    run->warp = 1;
}

// A child's accesses to its parent's lines, whose marks become the question's number plus one.
static uint64_t share_with_parent(struct hd_reuse *r, const struct hd_reuseruns *runs)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < runs->n; i++) {
        uint32_t *mark = &r->stamps[runs->runs[i].line];
        if (*mark - r->stamp > 1)
            continue;
        n += runs->runs[i].count;
        *mark = r->stamp + 1;
        share(r, &runs->runs[i]);
    }
    return n;
}

static void kernels_with_parent(struct hd_reuse *r, uint32_t parent, const uint32_t *children,
                                uint32_t n)
{
    const struct hd_reuse_kernel *p = &r->kernels[parent];
    struct comparison c = {.r = r, .id = HD_REUSE_KERNEL_PARENT_CHILD, .level = HD_REUSE_KERNEL};
    const struct unit y = {.kernel = parent};

    if (!p->size)
        return;
    stamp(r, &p->runs);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_reuse_kernel *k = &r->kernels[children[i]];
        const struct unit x = {.kernel = children[i]};
        if (k->size)
            add_pair(&c, &x, &y, share_with_parent(r, &k->runs), k->size);
    }
    for (uint64_t i = 0; i < p->runs.n; i++)
        if (r->stamps[p->runs.runs[i].line] == r->stamp + 1)
            share(r, &p->runs.runs[i]);
    c.found.pairs = c.found.sampled;
    add_relation(&c);
}

static void blocks_with_parent(struct hd_reuse *r, uint32_t parent, uint32_t block,
                               const uint32_t *children, uint32_t n)
{
    struct comparison c = {.r = r, .id = HD_REUSE_BLOCK_PARENT_CHILD, .level = HD_REUSE_BLOCK};
    const struct hd_reuse_block *p = &r->kernels[parent].blocks[block];
    const struct unit y = {.kernel = parent, .block = block};

    if (!p->size)
        return;
    stamp(r, &p->runs);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_reuse_kernel *k = &r->kernels[children[i]];
        for (uint32_t b = 0; b < k->n_blocks && k->blocks; b++) {
            const struct unit x = {.kernel = children[i], .block = b};
            if (k->blocks[b].size)
                add_pair(&c, &x, &y, shared_of(r, &k->blocks[b].runs), k->blocks[b].size);
        }
    }
    c.found.pairs = c.found.sampled;
    add_relation(&c);
}

// Accesses to lines that at least two of the kernels access.
static uint64_t shared_by_siblings(struct hd_reuse *r, const uint32_t *children, uint32_t n)
{
    const struct hd_reuseruns none = {0};
    uint64_t shared = 0;

    stamp(r, &none);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_reuseruns *runs = &r->kernels[children[i]].runs;
        for (uint64_t k = 0; k < runs->n; k++) {
            uint32_t *mark = &r->stamps[runs->runs[k].line];
            *mark = *mark - r->stamp > 1 ? r->stamp : r->stamp + 1;
        }
    }
    r->stamp++; // lines of two
    for (uint32_t i = 0; i < n; i++)
        shared += shared_of(r, &r->kernels[children[i]].runs);
    return shared;
}

static void sibling_kernels(struct hd_reuse *r, const uint32_t *children, uint32_t n,
                            struct hd_arena *scratch)
{
    struct unit *units = HD_ARRAY(scratch, struct unit, n);
    uint32_t n_units = 0;

    r->result.sibling += shared_by_siblings(r, children, n);
    for (uint32_t i = 0; i < n; i++)
        add_unit(r, units, &n_units, children[i], HD_REUSE_NONE, i);
    compare(r, HD_REUSE_KERNEL_SIBLING, HD_REUSE_KERNEL, units, n_units, scratch);
}

static void sibling_blocks(struct hd_reuse *r, const uint32_t *children, uint32_t n,
                           struct hd_arena *scratch)
{
    uint64_t most = 0;
    uint32_t n_units = 0;

    for (uint32_t i = 0; i < n; i++)
        most += r->kernels[children[i]].blocks ? r->kernels[children[i]].n_blocks : 0;
    if (most >= UINT32_MAX || !hd_reuselevels_room(r, most * sizeof(struct unit), HD_REUSE_BLOCK))
        return;
    struct unit *units = HD_ARRAY(scratch, struct unit, most);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_reuse_kernel *k = &r->kernels[children[i]];
        for (uint32_t b = 0; b < k->n_blocks && k->blocks; b++)
            add_unit(r, units, &n_units, children[i], b, i);
    }
    compare(r, HD_REUSE_BLOCK_SIBLING, HD_REUSE_BLOCK, units, n_units, scratch);
}

// The children of one block.
static void children_of_block(struct hd_reuse *r, uint32_t parent, const uint32_t *children,
                              uint32_t n)
{
    uint32_t block = r->kernels[children[0]].parent_block;
    struct hd_arena *scratch = hd_arena_new();

    if (n > 1 && hd_reuselevels_room(r, n * (uint64_t)sizeof(struct unit), HD_REUSE_KERNEL))
        sibling_kernels(r, children, n, scratch);
    if (r->kernels[parent].blocks && block < r->kernels[parent].n_blocks)
        blocks_with_parent(r, parent, block, children, n);
    if (n > 1 && !r->result.dropped[HD_REUSE_BLOCK])
        sibling_blocks(r, children, n, scratch);
    hd_arena_free(scratch);
}

static int by_block(const void *a, const void *b, void *kernels)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct hd_reuse_kernel *all = kernels;

    if (all[x].parent_block != all[y].parent_block)
        return all[x].parent_block < all[y].parent_block ? -1 : 1;
    return x < y ? -1 : x > y;
}

void hd_reusefamily_children(struct hd_reuse *r, uint32_t parent)
{
    uint32_t n = 0, i, end;

    for (i = r->kernels[parent].children; i != HD_REUSE_NONE; i = r->kernels[i].next)
        n++;
    if (!n)
        return;
    struct hd_arena *scratch = hd_arena_new();
    uint32_t *children = HD_ARRAY(scratch, uint32_t, n);
    n = 0;
    for (i = r->kernels[parent].children; i != HD_REUSE_NONE; i = r->kernels[i].next)
        children[n++] = i;
    qsort_r(children, n, sizeof *children, by_block, r->kernels);
    kernels_with_parent(r, parent, children, n);
    for (i = 0; i < n && !r->result.dropped[HD_REUSE_KERNEL]; i = end) {
        for (end = i + 1; end < n && r->kernels[children[end]].parent_block ==
                                         r->kernels[children[i]].parent_block;)
            end++;
        children_of_block(r, parent, children + i, end - i);
    }
    hd_arena_free(scratch);
}
