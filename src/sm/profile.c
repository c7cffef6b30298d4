// profile.c - charges scheduler cycles to instructions. Off unless requested; see heddle/profile.h.
#include "heddle/profile.h"

#include "sm/sm_internal.h"

void hd_profile_issue(struct hd_sm *sm, unsigned w, uint32_t pc, uint32_t lanes)
{
    struct hd_profile_line *l = &sm->block_profiles[sm->tb_of[w]]->lines[pc];

    l->issued++;
    l->lanes += (unsigned)__builtin_popcount(lanes);
}

// Why no warp of the scheduler had an instruction.
static enum hd_idle reason(const struct hd_sm *sm, uint64_t mine, uint64_t eligible)
{
    const struct hd_view *v = &sm->view;
    uint64_t live = mine & v->live;

    if (live & eligible & ~v->waiting & (v->ibuf_empty | v->wrong_path))
        return HD_IDLE_FETCH;
    if (live & v->at_barrier)
        return HD_IDLE_BARRIER;
    if (live & v->waiting)
        return HD_IDLE_MEMORY;
    if (live)
        return HD_IDLE_ORDER;
    return mine & sm->resident ? HD_IDLE_STORES : HD_IDLE_EMPTY;
}

static void charge_scheduler(struct hd_profile_sched *s, unsigned outcome, enum hd_elf elf,
                             uint64_t n)
{
    switch (outcome & HD_OUTCOME_CLASS) {
    case HD_STALL_IDLE:
        s->idle += n;
        break;
    case HD_STALL_SCOREBOARD:
        s->scoreboard += n;
        break;
    default:
        s->pipeline += n;
        break;
    }
    switch (elf) {
    case HD_ELF_MEMORY_CONFLICT:
        s->elf_memory_conflict += n;
        break;
    case HD_ELF_MEMORY_DEPENDENCY:
        s->elf_memory_dependency += n;
        break;
    case HD_ELF_FETCH:
        s->elf_fetch += n;
        break;
    default:
        s->elf_other += n;
        break;
    }
}

void hd_profile_stall(struct hd_sm *sm, int s, int first, uint64_t eligible, unsigned outcome,
                      enum hd_elf elf, uint64_t n)
{
    struct hd_profile *p = first == HD_NONE ? sm->profile : sm->block_profiles[sm->tb_of[first]];
    struct hd_profile_counts *c = &p->counts;
    struct hd_profile_line *l;

    charge_scheduler(&c->sched[s], outcome, elf, n);
    if (first == HD_NONE) {
        enum hd_idle why = reason(sm, sm->view.mine[s], eligible);
        c->idle[why] += n;
        c->idle_elf[why][elf] += n;
        return;
    }
    l = &p->lines[sm->warps[first].ibuf_pc];
    if ((outcome & HD_OUTCOME_CLASS) == HD_STALL_SCOREBOARD)
        l->scoreboard += n;
    else
        l->pipeline += n;
    l->elf[elf] += n;
}

void hd_profile_inactive(struct hd_sm *sm, uint64_t n)
{
    struct hd_profile_counts *c = &sm->profile->counts;

    c->idle[HD_IDLE_INACTIVE] += n * sm->view.n_sched;
    for (unsigned s = 0; s < sm->view.n_sched; s++)
        c->sched[s].inactive += n;
}

void hd_sm_set_profile(struct hd_sm *sm, struct hd_profile *p)
{
    sm->profile = p;
}

void hd_sm_set_block_profile(struct hd_sm *sm, unsigned slot, struct hd_profile *p)
{
    sm->block_profiles[slot] = p;
}
