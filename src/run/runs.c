// runs.c - the end of a run, whatever was simulated. See runs.h.
#include "run/runs.h"

void hd_runs_end(struct hd_run *r)
{
    if (r->release)
        r->release(r);
    else if (r->gpu)
        hd_gpu_free(r->gpu);
    r->gpu = NULL;
}

int hd_runs_exit(const struct hd_run *r)
{
    switch (r->status) {
    case HD_RUN_OK:
        return r->checked && !r->verified ? HD_EXIT_CHECK : HD_EXIT_OK;
    case HD_RUN_STOPPED:
    case HD_RUN_LIMIT: // stopped as requested, but results that should have been checked were not
        return r->to_check ? HD_EXIT_CHECK : HD_EXIT_OK;
    case HD_RUN_FAULT:
    case HD_RUN_DEADLOCK:
    case HD_RUN_LIVELOCK:
        break;
    }
    return HD_EXIT_FAULT;
}
