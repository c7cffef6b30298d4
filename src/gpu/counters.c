// counters.c - the counters of policies, summed over the machine. See gpu.h.
#include "gpu/gpu_internal.h"

#include <string.h>

static uint64_t value_at(const void *state, size_t offset)
{
    uint64_t v;

    memcpy(&v, (const char *)state + offset, sizeof v);
    return v;
}

static unsigned rows(const struct hd_field *f)
{
    unsigned n = 0;

    while (f && f[n].name)
        n++;
    return n;
}

bool hd_gpu_counter(const struct hd_gpu *g, enum hd_slot slot, unsigned i,
                    struct hd_gpu_counter *out)
{
    int which = g->options.functional_only ? HD_NONE : g->slot[slot];
    const struct hd_gpu_policy *mine = which == HD_NONE ? NULL : &g->policies[which];
    const struct hd_policy *p = mine ? mine->choice.policy : NULL;
    unsigned of_sched = p ? rows(p->counters) : 0, of_sm = p ? rows(p->sm_counters) : 0;

    if (i >= of_sched + of_sm)
        return false;
    *out =
        (struct hd_gpu_counter){i < of_sched ? &p->counters[i] : &p->sm_counters[i - of_sched], 0};
    for (unsigned k = 0; k < g->n_sms; k++) {
        const struct hd_pstate *st = &mine->states[k];
        if (i >= of_sched)
            out->value += value_at(st->sm, out->field->offset);
        for (unsigned s = 0; i < of_sched && s < g->config.sm.schedulers; s++)
            out->value +=
                value_at((const char *)st->sched + p->sched_bytes * s, out->field->offset);
    }
    return true;
}
