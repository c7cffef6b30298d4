// processors.h - how many processors this process may use.
#ifndef HEDDLE_STUDY_PROCESSORS_H
#define HEDDLE_STUDY_PROCESSORS_H

#include "base/arena.h"

// Those that it may be scheduled on (taskset, cpusets), or fewer if a quota of its control group
// says so (containers, systemd, batch systems); at least 1.
unsigned hd_processors_usable(struct hd_arena *a);
// The quota alone, in processors, rounded up; 0: none. `groups` has the form of /proc/self/cgroup,
// `root` that of /sys/fs/cgroup, of either version.
unsigned hd_processors_quota(struct hd_arena *a, const char *groups, const char *root);

#endif
