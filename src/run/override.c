// override.c - see override.h.
#include "run/override.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "kernel."

bool hd_override_is(const char *set)
{
    return !strncmp(set, PREFIX, sizeof PREFIX - 1);
}

static struct hd_override *of_kernel(struct hd_arena *a, struct hd_override *all, size_t *n,
                                     const char *kernel, size_t length)
{
    for (size_t i = 0; i < *n; i++)
        if (strlen(all[i].kernel) == length && !memcmp(all[i].kernel, kernel, length))
            return &all[i];
    all[*n] =
        (struct hd_override){.kernel = hd_arena_strndup(a, kernel, length), .smem = UINT32_MAX};
    return &all[(*n)++];
}

bool hd_override_read(struct hd_arena *a, const char *where, const char *set,
                      struct hd_override *all, size_t *n, struct hd_diag *d)
{
    const char *name = set + sizeof PREFIX - 1, *equals = strchr(name, '=');
    const char *dot = equals ? memrchr(name, '.', (size_t)(equals - name)) : NULL;
    bool regs = dot && !strncmp(dot, ".regs=", 6), smem = dot && !strncmp(dot, ".smem=", 6);
    char *end;

    if ((!regs && !smem) || dot == name) {
        hd_diag_add(d, NULL, 0, 0, "%s %.100s: expected kernel.NAME.regs=N or kernel.NAME.smem=N",
                    where, set);
        return false;
    }
    errno = 0;
    unsigned long v = strtoul(equals + 1, &end, 10);
    if (equals[1] < '0' || equals[1] > '9' || *end || errno || v < regs ||
        v > (regs ? 65535ul : 1ul << 24)) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s %.100s: '%.40s' is not a valid value", where,
                                 set, equals + 1),
                     "expected a number from %d to %lu", regs, regs ? 65535ul : 1ul << 24);
        return false;
    }
    struct hd_override *o = of_kernel(a, all, n, name, (size_t)(dot - name));
    *(regs ? &o->regs : &o->smem) = (uint32_t)v;
    return true;
}
