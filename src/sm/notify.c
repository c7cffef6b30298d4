// notify.c - events of an SM, sent to its policies and watches.
#include "sm/sm_internal.h"

void hd_notify_event(struct hd_sm *sm, const struct hd_event *e)
{
    sm->stalls_known = 0;
    for (unsigned i = 0; i < sm->n_policies; i++) {
        const struct hd_sm_policy *p = &sm->policies[i];
        if ((p->policy->events & HD_ON(e->kind)) && p->policy->on)
            p->policy->on(p->state, &sm->view, e);
    }
    for (struct hd_sm_watch *w = sm->watches; w; w = w->next)
        if (w->events & HD_ON(e->kind))
            w->on(w->ctx, sm->index, e);
}
