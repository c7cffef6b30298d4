// processors.h - how many processors this process may use.
#ifndef HEDDLE_BASE_PROCESSORS_H
#define HEDDLE_BASE_PROCESSORS_H

#include "base/arena.h"

// Those on which it may be scheduled (taskset, cpusets), or fewer if its control group has a quota
// (containers, systemd, batch systems); at least 1.
unsigned hd_processors_usable(struct hd_arena *a);
// The quota alone, in processors, rounded up; 0 if there is none. `groups` has the form of
// /proc/self/cgroup, `root` that of /sys/fs/cgroup, in either version.
unsigned hd_processors_quota(struct hd_arena *a, const char *groups, const char *root);

#endif
