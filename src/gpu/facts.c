// facts.c - what policies with HD_NEED_KERNELS learn about a launch: its key, which is the same in
// every run of the program, and whether its code launches kernels.
//
// The keys are those of the reuse analyser, whose plans name kernels by them. An indirect call is
// assumed to reach every function that is no kernel.
#include "gpu/gpu_internal.h"

#include "heddle/builtin.h"
#include "reuse/reusekeys.h"

#include <string.h>

struct program_facts { // by function of the program
    const struct hd_program *program;
    bool *launches;
};

struct hd_gpu_facts {
    struct hd_reusekeys keys;
    struct program_facts *programs;
    size_t n_programs, cap_programs;
};

void hd_facts_new(struct hd_gpu *g)
{
    uint32_t needs = 0;

    for (unsigned k = 0; k < g->n_policies; k++)
        needs |= g->policies[k].choice.policy->needs;
    if (!(needs & HD_NEED_KERNELS) && !g->options.sample)
        return;
    g->facts = HD_NEW(g->arena, hd_gpu_facts);
    g->facts->keys.arena = g->arena;
}

static bool is_launch(unsigned builtin)
{
    return builtin == HD_BUILTIN_LAUNCH || builtin == HD_BUILTIN_LAUNCH_PTSZ ||
           builtin == HD_BUILTIN_LAUNCH_V2 || builtin == HD_BUILTIN_LAUNCH_V2_PTSZ;
}

// Whether a call may lead to a launch, as far as is known by now.
static bool call_launches(const struct hd_program *p, const struct hd_call *c, const bool *launches)
{
    if (c->builtin != HD_BUILTIN_NONE)
        return is_launch(c->builtin);
    if (c->func != HD_CALL_INDIRECT)
        return launches[c->func];
    for (uint32_t f = 0; f < p->n_funcs; f++)
        if (!p->funcs[f].is_kernel && launches[f])
            return true;
    return false;
}

// Until nothing changes, so that it does not matter which function calls which.
static void find_launches(const struct hd_program *p, bool *launches)
{
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t f = 0; f < p->n_funcs; f++)
            for (uint32_t pc = p->funcs[f].first_pc; !launches[f] && pc < p->funcs[f].end_pc; pc++)
                if (p->deps[pc].kind == HD_KIND_CALL &&
                    call_launches(p, &p->calls[p->insns[pc].imm], launches))
                    more = launches[f] = true;
    }
}

static const bool *launches_of(struct hd_gpu *g, const struct hd_program *p)
{
    struct hd_gpu_facts *f = g->facts;
    struct program_facts *new;

    for (size_t i = 0; i < f->n_programs; i++)
        if (f->programs[i].program == p)
            return f->programs[i].launches;
    new = HD_PUSH(g->arena, f->programs, f->n_programs, f->cap_programs);
    *new = (struct program_facts){p, HD_ARRAY(g->arena, bool, p->n_funcs)};
    find_launches(p, new->launches);
    return new->launches;
}

bool hd_facts_launches(struct hd_gpu *g, const struct hd_program *p, const struct hd_func *kernel)
{
    return launches_of(g, p)[kernel - p->funcs];
}

void hd_facts_find(struct hd_gpu *g, struct hd_launch *l)
{
    struct hd_reusekeys_launch key = {.parent = l->parent ? l->parent->key : 0,
                                      .parent_block = l->parent_tb,
                                      .function = l->kernel->name,
                                      .params = l->params,
                                      .param_bytes = l->kernel->param_bytes};

    memcpy(key.grid, l->grid, sizeof key.grid);
    memcpy(key.block, l->block, sizeof key.block);
    l->key = hd_reusekeys_next(&g->facts->keys, &key);
    l->launches = hd_facts_launches(g, l->program, l->kernel);
}
