// partition.c - between the L2 banks and their DRAM channel, as the memory partition unit of
// GPGPU-Sim 3.2.2 (timing-model 10.2).
#include "mem/partition.h"

#include "heddle/bits.h"

void hd_partition_init(struct hd_partition *p, struct hd_arena *a, const struct hd_config *c,
                       struct hd_l2 *subs)
{
    const struct hd_config_dram *k = &c->dram;

    HD_BUG_IF(k->subs > HD_PARTITION_SUBS, "%u sub-partitions", k->subs);
    *p = (struct hd_partition){.config = k,
                               .subs = subs,
                               .last_borrower = k->subs - 1,
                               .shared_limit = k->queue + k->returns - (k->subs - 1)};
    hd_dram_init(&p->dram, a, k, &p->stats);
    hd_latent_ring_init(&p->latent, a, p->shared_limit + k->subs);
}

static bool has_credit(const struct hd_partition *p, uint32_t sub)
{
    return !p->own[sub] || p->shared < p->shared_limit;
}

static void borrow(struct hd_partition *p, uint32_t sub)
{
    if (!p->own[sub])
        p->own[sub] = true;
    else
        p->shared++;
    p->last_borrower = sub;
}

static void give_back(struct hd_partition *p, uint32_t sub)
{
    if (p->own[sub]) {
        p->own[sub] = false;
    } else {
        HD_BUG_IF(!p->shared, "DRAM credit returned twice");
        p->shared--;
    }
}

// The head of the return queue goes to its sub-partition, if that has room.
static int send_up(struct hd_partition *p)
{
    uint32_t sub;

    if (hd_dram_ring_empty(&p->dram.done))
        return HD_NONE;
    sub = hd_dram_ring_head(&p->dram.done)->sub;
    if (hd_dram_ring_full(&p->subs[sub].from_dram))
        return HD_NONE;
    hd_dram_ring_push(&p->subs[sub].from_dram, hd_dram_ring_pop(&p->dram.done));
    give_back(p, sub);
    return (int)sub;
}

// One request of the sub-partitions, which take turns, starts its fixed latency.
static void accept(struct hd_partition *p, uint64_t cycle)
{
    uint32_t sub = p->last_borrower;

    for (uint32_t n = 0; n < p->config->subs; n++) {
        struct hd_l2 *l;
        sub = sub + 1 == p->config->subs ? 0 : sub + 1;
        l = &p->subs[sub];
        if (hd_dram_ring_empty(&l->to_dram) || hd_dram_ring_full(&l->from_dram) ||
            !has_credit(p, sub))
            continue;
        hd_latent_ring_push(&p->latent, (struct hd_latent){.req = hd_dram_ring_pop(&l->to_dram),
                                                           .ready = cycle + p->config->latency});
        borrow(p, sub);
        return;
    }
}

int hd_partition_tick(struct hd_partition *p, uint64_t tick, uint64_t cycle)
{
    int sub = send_up(p);
    const struct hd_dram_req *written = hd_dram_step(&p->dram, tick);

    if (written) {
        give_back(p, written->sub);
        p->written_back += written->req.kind == HD_REQ_WRITEBACK;
    }
    if (!hd_dram_full(&p->dram))
        accept(p, cycle);
    if (!hd_latent_ring_empty(&p->latent) && hd_latent_ring_head(&p->latent)->ready <= cycle &&
        !hd_dram_full(&p->dram)) {
        struct hd_latent l = hd_latent_ring_pop(&p->latent);
        hd_dram_push(&p->dram, &l.req);
    }
    p->wakes = hd_dram_ring_empty(&p->dram.done) ? hd_dram_wakes(&p->dram, tick) : tick + 1;
    return sub;
}
