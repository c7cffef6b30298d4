// toysm.c - the part of an SM of a running example that the rest builds on: the memory of its
// policies and the events that they receive, its view, and the start of a block. See
// toy_internal.h.
#include "toy/toy_internal.h"

#include "base/bug.h"

struct hd_pstate hd_toysm_state(const struct hd_toy_machine *m, const struct hd_toy_player *p,
                                uint32_t sm)
{
    const struct hd_policy *policy = p->policy;

    return (struct hd_pstate){.gpu = p->gpu,
                              .sm = p->sm + (size_t)sm * policy->sm_bytes,
                              .sched =
                                  p->sched + (size_t)sm * m->toy->schedulers * policy->sched_bytes,
                              .params = p->choice->params};
}

void hd_toysm_tell(struct hd_toy_sm *t, struct hd_event e)
{
    for (unsigned i = 0; i < t->m->n_players; i++) {
        const struct hd_toy_player *p = &t->m->players[i];
        if (p->policy->on && p->policy->events & HD_ON(e.kind))
            p->policy->on(hd_toysm_state(t->m, p, t->index), &t->v, &e);
    }
    for (unsigned i = 0; i < t->m->n_players; i++) {
        const struct hd_toy_player *p = &t->m->players[i];
        if (p->policy->on_gpu && p->policy->gpu_events & HD_ON(e.kind))
            p->policy->on_gpu(hd_toysm_state(t->m, p, t->index), &t->m->v, &e, (int)t->index);
    }
}

struct hd_event hd_toysm_event(const struct hd_toy_sm *t, enum hd_event_kind kind, int w)
{
    HD_BUG_IF(!t->toy->schedulers, "a toy without schedulers");
    return (struct hd_event){.kind = (uint8_t)kind,
                             .sched = (uint8_t)((unsigned)w % t->toy->schedulers),
                             .warp = (uint8_t)w,
                             .tb = (uint8_t)t->slots[w].tb,
                             .pc = t->slots[w].pc,
                             .kernel = t->tbs[t->slots[w].tb].kernel};
}

static void put(uint64_t *mask, int w, bool value)
{
    *mask = value ? *mask | hd_bit(w) : *mask & ~hd_bit(w);
}

// Sets the view's masks and columns of one slot.
void hd_toysm_show(struct hd_toy_sm *t, int w)
{
    const struct hd_toy_slot *s = &t->slots[w];
    struct hd_view *v = &t->v;
    bool live = s->used && !s->ended, waits = live && s->ready > v->cycle;
    const struct hd_toy_op *head = live && s->buffered ? &t->toy->ops[s->buffer_pc] : NULL;
    bool load = head && head->kind == HD_TOY_LOAD, store = head && head->kind == HD_TOY_STORE;

    put(&v->live, w, live);
    put(&v->at_barrier, w, s->at_barrier);
    put(&v->waiting, w, !live || s->at_barrier);
    put(&v->ibuf_empty, w, !head);
    put(&v->wrong_path, w, head && s->buffer_pc != s->pc);
    put(&v->sb_block, w, head && waits);
    put(&v->long_mark, w, head && waits && s->loading);
    put(&v->head_load, w, load);
    put(&v->head_store, w, store);
    put(&v->head_declared, w, load || store);
    t->pc[w] = live && s->pc < s->end ? s->pc : UINT32_MAX;
}

// Without a front end the next instruction is always available.
void hd_toysm_refill(struct hd_toy_sm *t, struct hd_toy_slot *s)
{
    if (!t->toy->fetch) {
        s->buffered = s->pc < s->end;
        s->buffer_pc = s->pc;
    }
}

void hd_toysm_start(struct hd_toy_sm *t, unsigned slot, uint32_t kernel, uint32_t number)
{
    const struct hd_toy_launch *l = &t->m->launches[kernel];
    uint32_t at = t->toy->kernels[kernel].tbs[number];
    const struct hd_toy_tb *from = &t->toy->tbs[at];
    struct hd_tb_view *tb = &t->tbs[slot];
    int first = (int)(slot * t->toy->widest_tb), w;

    *tb = (struct hd_tb_view){.warps = hd_low(from->n_warps) << first,
                              .global_id = number,
                              .kernel = l->id,
                              .parent_kernel = l->parent_kernel,
                              .parent_tb = l->parent_tb,
                              .n_warps = (uint8_t)from->n_warps,
                              .launches = t->toy->kernels[kernel].launches,
                              .mark = l->mark,
                              .key = kernel + 1};
    t->tb_at[slot] = at;
    t->v.tb_live |= hd_bit((int)slot);
    t->v.kernel = l->id;
    t->active = true;
    HD_EACH(w, tb->warps) {
        uint32_t warp = from->first_warp + (uint32_t)(w - first);
        const struct hd_toy_warp *origin = &t->toy->warps[warp];
        t->slots[w] = (struct hd_toy_slot){
            .used = true, .warp = warp, .tb = slot, .pc = origin->pc, .end = origin->end};
        t->slots[w].ended = origin->pc >= origin->end;
        tb->finished = (uint8_t)(tb->finished + t->slots[w].ended);
        t->progress[w] = 0;
        t->age[w] = t->next_age++;
        t->tb_of[w] = (uint8_t)slot;
        t->m->r->start[warp] = t->v.cycle;
        t->m->r->sm[warp] = t->index;
        hd_toysm_refill(t, &t->slots[w]);
        hd_toysm_show(t, w);
    }
    hd_toysm_tell(t,
                  (struct hd_event){.kind = HD_EV_TB_START, .tb = (uint8_t)slot, .kernel = l->id});
    HD_EACH(w, tb->warps)
        if (!t->slots[w].ended)
            hd_toysm_tell(t, hd_toysm_event(t, HD_EV_WARP_START, w));
    for (uint32_t i = 0; i < t->toy->sms && l->started == t->toy->kernels[kernel].n_tbs; i++)
        hd_toysm_tell(&t->m->sms[i], (struct hd_event){.kind = HD_EV_PHASE_SLOW, .kernel = l->id});
}

bool hd_toysm_room(const struct hd_toy_sm *t)
{
    unsigned limit = t->toy->resident;

    for (unsigned i = 0; i < t->m->n_players; i++) {
        const struct hd_toy_player *p = &t->m->players[i];
        if (p->policy->tb_limit) {
            unsigned wanted = p->policy->tb_limit(hd_toysm_state(t->m, p, t->index), &t->v);
            limit = wanted < limit ? wanted : limit;
        }
    }
    return (unsigned)hd_count(t->v.tb_live) < limit;
}
