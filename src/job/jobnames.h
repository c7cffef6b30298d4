// jobnames.h - the names of one kind of thing in a job, found in constant time: names to indices.
// Private to src/job.
#ifndef HEDDLE_JOB_JOBNAMES_H
#define HEDDLE_JOB_JOBNAMES_H

#include "base/arena.h"

#include <stdint.h>

#define HD_JOBNAMES_NONE SIZE_MAX

struct hd_jobnames_entry {
    const char *name;
    size_t index;
};
struct hd_jobnames {                 // all zero: empty
    struct hd_jobnames_entry *slots; // hash table, at most half of it in use; free: name NULL
    size_t n, n_slots;               // n_slots is a power of two
};

// The index that was added with the name; HD_JOBNAMES_NONE if there is none.
size_t hd_jobnames_find(const struct hd_jobnames *t, const char *name);
// The name must outlive the table. What the name meant before stays.
void hd_jobnames_add(struct hd_jobnames *t, struct hd_arena *a, const char *name, size_t index);

#endif
