// reuselevels.c - keeps the memory within its limit: gives up the warps, then the blocks, then the
// distances, and at last the kernels.
#include "reuse/reuse_internal.h"

static void clear_relations(struct hd_reuse *r, enum hd_reuse_level level)
{
#define X(L, R, name, what)                                                                        \
    if (HD_REUSE_##L == level)                                                                     \
        r->result.relations[HD_REUSE_##L##_##R] = (struct hd_reuse_relation){0};
    HD_REUSE_RELATIONS(X)
#undef X
}

static bool is_of_blocks(uint32_t relation)
{
    return relation >= HD_REUSE_BLOCK_SELF && relation <= HD_REUSE_BLOCK_SIBLING;
}

static void free_blocks(struct hd_reuse *r, struct hd_reuse_kernel *k)
{
    for (uint32_t b = 0; b < k->n_blocks && k->blocks; b++) {
        struct hd_reuse_block *block = &k->blocks[b];
        if (block->away)
            hd_reuseruns_drop(&r->store, block->away);
        hd_reusestore_put(&r->store, block->away, 1, sizeof *block->away);
        hd_reuseruns_free(&r->store, &block->runs);
    }
    hd_reusestore_put(&r->store, k->blocks, k->n_blocks, sizeof *k->blocks);
    k->blocks = NULL;
}

void hd_reuselevels_add(struct hd_reuse *r, struct hd_reuse_kernel *k,
                        const struct hd_reuseruns *runs)
{
    if (!k->gather)
        k->gather = hd_reusestore_get(&r->store, 1, sizeof *k->gather);
    k->size += hd_reuseruns_size(runs);
    hd_reuseruns_add_runs(&r->store, k->gather, runs);
}

// What blocks that have left their SM have accessed still counts for their kernels.
static void give_up_blocks(struct hd_reuse *r)
{
    uint64_t kept = 0;

    for (size_t i = 0; i < r->n_kernels; i++) {
        struct hd_reuse_kernel *k = &r->kernels[i];
        for (uint32_t b = 0; b < k->n_blocks && k->blocks; b++) {
            if (!k->blocks[b].away)
                continue;
            struct hd_reuseruns runs = hd_reuseruns_finish(&r->store, k->blocks[b].away);
            struct hd_reuseruns lines = hd_reuseruns_by_line(&r->store, &runs);
            hd_reuselevels_add(r, k, &lines);
            hd_reuseruns_free(&r->store, &runs);
            hd_reuseruns_free(&r->store, &lines);
        }
        free_blocks(r, k);
    }
    for (uint64_t i = 0; i < r->n_plan; i++)
        if (!is_of_blocks(r->plan[i].relation))
            r->plan[kept++] = r->plan[i];
    r->n_plan = kept;
    hd_reusechains_drop(&r->chains[HD_REUSE_BLOCK], &r->store);
    r->result.blocks = 0;
}

void hd_reuselevels_free_kernel(struct hd_reuse *r, struct hd_reuse_kernel *k)
{
    free_blocks(r, k);
    if (k->gather)
        hd_reuseruns_drop(&r->store, k->gather);
    hd_reusestore_put(&r->store, k->gather, 1, sizeof *k->gather);
    k->gather = NULL;
    hd_reuseruns_free(&r->store, &k->runs);
}

static void give_up_kernels(struct hd_reuse *r)
{
    struct hd_reuse_result *to = &r->result;

    for (size_t i = 0; i < r->n_kernels; i++)
        hd_reuselevels_free_kernel(r, &r->kernels[i]);
    for (unsigned i = 0; i < r->options.sms * r->options.slots; i++) {
        struct hd_reuse_place *p = &r->places[i];
        hd_reuseruns_drop(&r->store, &p->gather);
        hd_reusestore_put(&r->store, p->buffer, HD_REUSE_BUFFER, sizeof *p->buffer);
        p->buffer = NULL;
    }
    hd_reuselines_drop(&r->lines, &r->store);
    hd_reusechains_drop(&r->chains[HD_REUSE_KERNEL], &r->store);
    hd_reusestore_put(&r->store, r->stamps, r->cap_stamps, sizeof *r->stamps);
    hd_reusestore_put(&r->store, r->plan, r->cap_plan, sizeof *r->plan);
    r->stamps = NULL;
    r->plan = NULL;
    r->cap_stamps = r->cap_plan = r->n_plan = 0;
    to->kernels = to->lines = to->self = to->repeated = to->parent_child = to->sibling = 0;
}

static void give_up(struct hd_reuse *r, enum hd_reuse_level level)
{
    r->result.dropped[level] = true;
    clear_relations(r, level);
    if (level == HD_REUSE_WARP)
        hd_reusewarps_drop(r);
    else if (level == HD_REUSE_BLOCK)
        give_up_blocks(r);
    else
        give_up_kernels(r);
}

bool hd_reuselevels_room(struct hd_reuse *r, uint64_t bytes, enum hd_reuse_level level)
{
    bool *dropped = r->result.dropped;

    while (!dropped[HD_REUSE_KERNEL] && !hd_reusestore_fits(&r->store, bytes)) {
        // Giving up something else would not help a level that asks for more than there is.
        if (bytes > r->store.limit && dropped[level])
            break;
        if (!dropped[HD_REUSE_WARP]) {
            give_up(r, HD_REUSE_WARP);
        } else if (!dropped[HD_REUSE_BLOCK]) {
            give_up(r, HD_REUSE_BLOCK);
        } else if (level == HD_REUSE_BLOCK) {
            break;
        } else if (!r->result.distances_dropped) {
            hd_reusedistance_drop(&r->distances, &r->store);
            r->result.distances_dropped = true;
        } else {
            give_up(r, HD_REUSE_KERNEL);
        }
    }
    if (!dropped[level] && r->store.used + bytes > r->store.most)
        r->store.most = r->store.used + bytes;
    return !dropped[level];
}

void hd_reuselevels_drop(struct hd_reuse *r)
{
    hd_reusewarps_drop(r);
    give_up_blocks(r);
    hd_reusedistance_drop(&r->distances, &r->store);
    give_up_kernels(r);
}
