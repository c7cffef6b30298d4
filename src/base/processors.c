// processors.c - affinity and control groups. See processors.h.
#include "base/processors.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPUS_MAX (1 << 20)

static unsigned affinity(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned n = online > 0 ? (unsigned)online : 1;

    // The kernel refuses a set that is smaller than its own.
    for (int cpus = 1024; cpus <= CPUS_MAX; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        size_t bytes = CPU_ALLOC_SIZE((size_t)cpus);
        bool good = set && !sched_getaffinity(0, bytes, set);
        int why = errno;
        if (good)
            n = (unsigned)CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (good || why != EINVAL)
            break;
    }
    return n ? n : 1;
}

// Reads the numbers in a file, "max" as -1. Returns how many there are.
static int numbers_in(const char *path, double out[2])
{
    char text[128] = "";
    FILE *f = fopen(path, "re");
    int n = 0;

    if (f && !fgets(text, sizeof text, f))
        text[0] = '\0';
    if (f)
        fclose(f);
    for (const char *p = text + strspn(text, " \n"); *p && n < 2;) {
        size_t length = strcspn(p, " \n");
        out[n++] = length == 3 && !strncmp(p, "max", 3) ? -1 : strtod(p, NULL);
        p += length;
        p += strspn(p, " \n");
    }
    return n;
}

// The quota of the group in that folder. HUGE_VAL: none.
static double quota_of(struct hd_arena *a, const char *folder, bool v2)
{
    double v[2] = {-1, -1}, period[2] = {-1, -1};

    if (v2) {
        if (numbers_in(hd_arena_printf(a, "%s/cpu.max", folder), v) < 2)
            return HUGE_VAL;
        period[0] = v[1];
    } else if (numbers_in(hd_arena_printf(a, "%s/cpu.cfs_quota_us", folder), v) < 1 ||
               numbers_in(hd_arena_printf(a, "%s/cpu.cfs_period_us", folder), period) < 1) {
        return HUGE_VAL;
    }
    return v[0] > 0 && period[0] > 0 ? v[0] / period[0] : HUGE_VAL;
}

// The smallest quota of a group and the groups that contain it. Inside a container the path may be
// the one outside; then the root is the container's own group, so the root is always checked.
static double quota_along(struct hd_arena *a, const char *root, const char *group, bool v2)
{
    char *path = hd_arena_printf(a, "%s%s", root, group);
    size_t least = strlen(root);
    double quota = HUGE_VAL;

    for (;;) {
        quota = fmin(quota, quota_of(a, path, v2));
        char *slash = strrchr(path, '/');
        if (strlen(path) <= least || !slash)
            return quota;
        path[slash - path < (ptrdiff_t)least ? (ptrdiff_t)least : slash - path] = '\0';
    }
}

static bool lists_cpu(const char *controllers)
{
    for (const char *p = controllers; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
        if (!strncmp(p, "cpu", 3) && (p[3] == ',' || !p[3]))
            return true;
    return false;
}

unsigned hd_processors_quota(struct hd_arena *a, const char *groups, const char *root)
{
    FILE *f = fopen(groups, "re");
    double quota = HUGE_VAL;
    char line[4096];

    // "7:cpu,cpuacct:/path" of version 1, "0::/path" of version 2.
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *controllers++ = *path++ = '\0';
        if (!*controllers)
            quota = fmin(quota, quota_along(a, root, path, true));
        else if (lists_cpu(controllers))
            quota = fmin(
                quota,
                fmin(quota_along(a, hd_arena_printf(a, "%s/%s", root, controllers), path, false),
                     quota_along(a, hd_arena_printf(a, "%s/cpu", root), path, false)));
    }
    if (f)
        fclose(f);
    return isinf(quota) ? 0 : (unsigned)fmax(1, ceil(quota));
}

unsigned hd_processors_usable(struct hd_arena *a)
{
    unsigned n = affinity(), quota = hd_processors_quota(a, "/proc/self/cgroup", "/sys/fs/cgroup");

    return quota && quota < n ? quota : n;
}
