// runs.c - what kernels are given, and the end of a run, whatever was simulated. See runs.h.
#include "run/runs.h"

#include <string.h>

struct hd_run_resources hd_runs_resources(const struct hd_run_options *o, const char *kernel,
                                          struct hd_run_resources own)
{
    const struct hd_jobregs_kernel *file = o->files ? hd_jobregs_find(o->files, kernel) : NULL;
    struct hd_run_resources r = own;

    if (file)
        r = (struct hd_run_resources){file->regs, file->smem, "file"};
    if (o->regs.each) {
        r.regs = o->regs.each;
        r.regs_source = "set";
    }
    for (size_t i = 0; i < o->n_overrides; i++) {
        const struct hd_override *over = &o->overrides[i];
        if (strcmp(over->kernel, kernel) != 0)
            continue;
        if (over->regs) {
            r.regs = over->regs;
            r.regs_source = "set";
        }
        if (over->smem != UINT32_MAX)
            r.shared_static = over->smem;
    }
    return r;
}

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
    case HD_RUN_LIMIT: // stopped as asked, but results that were to be checked were not
        return r->to_check ? HD_EXIT_CHECK : HD_EXIT_OK;
    case HD_RUN_FAULT:
    case HD_RUN_DEADLOCK:
    case HD_RUN_LIVELOCK:
        break;
    }
    return HD_EXIT_FAULT;
}
