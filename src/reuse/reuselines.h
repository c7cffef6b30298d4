// reuselines.h - numbers for lines: each distinct line of memory gets the next one.
#ifndef HEDDLE_REUSE_REUSELINES_H
#define HEDDLE_REUSE_REUSELINES_H

#include "reuse/reusestore.h"

struct hd_reuselines {
    uint64_t *names; // by number
    uint64_t cap;
    uint32_t *table; // open addressing, twice as large as there is room for names: number plus one
    uint64_t mask;   // its size minus one; 0: there is no table yet
    uint32_t n;
};

// The number of the line with that name.
uint32_t hd_reuselines_number(struct hd_reuselines *l, struct hd_reusestore *s, uint64_t name);
void hd_reuselines_drop(struct hd_reuselines *l, struct hd_reusestore *s);

#endif
