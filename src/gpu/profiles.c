// profiles.c - a kernel's profiles: one for each SM, and their sum. Only made when requested.
#include "gpu/gpu_internal.h"

#include <string.h>

struct hd_profile *hd_profiles_of(struct hd_gpu_program *gp, const struct hd_func *kernel)
{
    for (size_t i = 0; i < gp->n_profiles; i++)
        if (gp->profiles[i].kernel == kernel)
            return gp->profiles[i].profiles;
    return NULL;
}

void hd_profiles_need(struct hd_gpu *g, struct hd_gpu_program *gp, const struct hd_func *kernel)
{
    uint32_t n = gp->program->n_insns;
    struct hd_gpu_profile *p;

    if (!g->options.profile || g->options.functional_only || hd_profiles_of(gp, kernel))
        return;
    p = HD_PUSH(g->arena, gp->profiles, gp->n_profiles, gp->cap_profiles);
    *p = (struct hd_gpu_profile){kernel, HD_ARRAY(g->arena, struct hd_profile, g->n_sms + 1)};
    for (unsigned i = 0; i <= g->n_sms; i++)
        p->profiles[i] =
            (struct hd_profile){.lines = HD_ARRAY(g->arena, struct hd_profile_line, n), .n = n};
}

const struct hd_profile *hd_gpu_profile(struct hd_gpu *g, const struct hd_program *p,
                                        const struct hd_func *kernel)
{
    struct hd_profile *all = hd_profiles_of(hd_gpu_program_of(g, p), kernel), *sum = &all[g->n_sms];

    memset(sum->lines, 0, sum->n * sizeof *sum->lines);
    sum->counts = (struct hd_profile_counts){0};
    for (unsigned i = 0; i < g->n_sms; i++) {
        const struct hd_profile *one = &all[i];
        for (uint32_t pc = 0; pc < sum->n; pc++)
            hd_profile_add_line(&sum->lines[pc], &one->lines[pc]);
        hd_profile_add(&sum->counts, &one->counts, false);
    }
    return sum;
}
