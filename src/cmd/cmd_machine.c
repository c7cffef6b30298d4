// cmd_machine.c - from options to the machine they describe: configuration, policies, overrides.
#include "cmd/cmd.h"

#include "base/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool hd_cmd_machine_plugins(const struct hd_cmd_options *o, struct hd_diag *d)
{
    bool good = true;

    for (size_t i = 0; i < o->plugins.n; i++)
        good = hd_registry_plugin(o->plugins.items[i], d) && good;
    return good;
}

// The override of that kernel, made when it is new.
static struct hd_job_override *override_of(const struct hd_cmd_options *o,
                                           struct hd_job_override *all, size_t *n,
                                           const char *kernel, size_t length)
{
    for (size_t i = 0; i < *n; i++)
        if (strlen(all[i].kernel) == length && !memcmp(all[i].kernel, kernel, length))
            return &all[i];
    all[*n].kernel = hd_arena_strndup(o->arena, kernel, length);
    all[*n].smem = UINT32_MAX;
    return &all[(*n)++];
}

// "kernel.NAME.regs=N" or "kernel.NAME.smem=N".
static bool read_override(const struct hd_cmd_options *o, const char *set,
                          struct hd_job_override *all, size_t *n, struct hd_diag *d)
{
    const char *name = set + strlen("kernel."), *equals = strchr(name, '=');
    const char *dot = equals ? memrchr(name, '.', (size_t)(equals - name)) : NULL;
    bool regs = dot && !strncmp(dot, ".regs=", 6), smem = dot && !strncmp(dot, ".smem=", 6);
    char *end;

    if ((!regs && !smem) || dot == name) {
        hd_diag_add(d, NULL, 0, 0,
                    "--set %.100s: expected kernel.NAME.regs=N or kernel.NAME.smem=N", set);
        return false;
    }
    errno = 0;
    unsigned long v = strtoul(equals + 1, &end, 10);
    if (equals[1] < '0' || equals[1] > '9' || *end || errno || v < regs ||
        v > (regs ? 65535ul : 1ul << 24)) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--set %.100s: '%.40s' is not a valid value", set,
                                 equals + 1),
                     "expected a number from %d to %lu", regs, regs ? 65535ul : 1ul << 24);
        return false;
    }
    struct hd_job_override *over = override_of(o, all, n, name, (size_t)(dot - name));
    *(regs ? &over->regs : &over->smem) = (uint32_t)v;
    return true;
}

static bool read_sets(const struct hd_cmd_options *o, struct hd_config *config,
                      struct hd_job_options *out, struct hd_diag *d)
{
    const char **machine = HD_ARRAY(o->arena, const char *, o->sets.n + 1);
    struct hd_job_override *over = HD_ARRAY(o->arena, struct hd_job_override, o->sets.n + 1);
    unsigned n = 0;

    for (size_t i = 0; i < o->sets.n; i++) {
        if (strncmp(o->sets.items[i], "kernel.", 7))
            machine[n++] = o->sets.items[i];
        else if (!read_override(o, o->sets.items[i], over, &out->n_overrides, d))
            return false;
    }
    out->overrides = over;
    return hd_config_load(o->arena, o->gpu ? o->gpu : HD_CMD_DEFAULT_GPU, machine, n, config, d);
}

static bool read_slot(const struct hd_cmd_options *o, enum hd_slot slot, const char *spec,
                      struct hd_policy_choice *out, struct hd_diag *d)
{
    return !spec || hd_registry_parse_slot(o->arena, slot, spec, out, d);
}

bool hd_cmd_machine_set_up(const struct hd_cmd_options *o, struct hd_config *config,
                           struct hd_job_options *out, struct hd_diag *d)
{
    struct hd_gpu_options *g = &out->gpu;

    if (!read_sets(o, config, out, d))
        return false;
    g->config = config;
    g->functional_only = o->functional_only;
    g->no_skip = o->no_skip;
    g->max_cycles = o->max_cycles;
    g->max_insts = o->max_insts;
    return read_slot(o, HD_SLOT_FETCH, o->fetch, &g->fetch, d) &&
           read_slot(o, HD_SLOT_TB, o->tb, &g->tb, d) &&
           read_slot(o, HD_SLOT_KERNEL, o->kernel_policy, &g->kernel, d);
}
