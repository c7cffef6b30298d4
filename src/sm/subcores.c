// subcores.c - how the schedulers, warp slots and pipes of an SM are divided among its sub-cores.
//
// Scheduler s belongs to sub-core s modulo the number of sub-cores; which scheduler owns a warp
// slot is the machine's choice (sm.owner). Keys of the machine about latches, pipes, collectors and
// register banks count what each sub-core has.
#include "sm/sm_internal.h"

static unsigned owner(const struct hd_config_sm *c, unsigned w)
{
    switch ((enum hd_owner)c->owner) {
    case HD_OWNER_RANGES:
        return w * c->schedulers / c->warps;
    case HD_OWNER_MODULO:
        break;
    }
    return w % c->schedulers;
}

void hd_subcores_new(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_sm *c = &sm->cfg->sm;

    HD_BUG_IF(!c->schedulers || c->subcores > HD_MAX_SUBCORES, "%u schedulers in %u sub-cores",
              c->schedulers, c->subcores);
    sm->subcores = HD_ARRAY(a, struct hd_subcore, c->subcores);
    sm->subcores_end = sm->subcores + c->subcores;
    for (unsigned s = 0; s < c->schedulers; s++)
        sm->scheds[s].subcore = &sm->subcores[s % c->subcores];
    for (unsigned w = 0; w < c->warps; w++) {
        sm->sched_of[w] = (uint8_t)owner(c, w);
        sm->view.mine[sm->sched_of[w]] |= hd_bit((int)w);
        hd_subcore_of(sm, w)->warps |= hd_bit((int)w);
    }
    sm->bank_skip = c->collector_once ? HD_BANK_AGAIN : 0;
    sm->oldest_enters = c->collector_heads == HD_HEADS_SM;
    for (unsigned i = 0; i < 2 * c->schedulers; i++)
        sm->orders[i] = (uint8_t)(i % c->schedulers);
    sm->turn = sm->orders;
    sm->work_mask = c->mma_fixed ? 0 : UINT8_MAX;
    sm->exits = c->shared_buses ? HD_ARRAY(a, uint8_t, HD_CALENDAR) : NULL;
    HD_EACH_SUBCORE(sub, sm) {
        sub->bit = (uint8_t)(1u << (sub - sm->subcores));
        hd_operands_init(sm, sub);
        hd_pipes_init(sm, sub, a);
    }
    sm->collects_apart = !sm->subcores->operands.fermi || sm->oldest_enters || c->collector_late ||
                         c->collector_steps > 1;
    sm->newer =
        sm->exits || c->collector_late || c->issue_rotates || c->fetch_steps > 1 || c->copy_latency;
}
