// reusedistance.h - reuse distances: how many other lines the machine has accessed since a line was
// accessed last by the same kernel, by its parent, or by its latest sibling.
//
// Accesses are numbered by a clock. A Fenwick tree over the clock has a mark at the last access to
// each line, so the distance is the number of marks after a time. Its leaves are bits, 512 of them
// together. When the clock has run through twice the number of lines, times are replaced by their
// ranks, which changes no distance. Per line, the last HD_REUSEDISTANCE_KERNELS kernels that
// accessed it are known.
#ifndef HEDDLE_REUSE_REUSEDISTANCE_H
#define HEDDLE_REUSE_REUSEDISTANCE_H

#include "reuse/reusestore.h"

#define HD_REUSEDISTANCE_KERNELS 8
#define HD_REUSEDISTANCE_BINS 24
#define HD_REUSEDISTANCE_NONE UINT32_MAX

enum hd_reusedistance {
    HD_REUSEDISTANCE_SELF,
    HD_REUSEDISTANCE_PARENT_CHILD,
    HD_REUSEDISTANCE_SIBLING,
    HD_REUSEDISTANCE_N
};

struct hd_reusedistance_kin { // of a kernel: the block that launched it
    uint32_t parent, block;   // HD_REUSEDISTANCE_NONE: the host
};

struct hd_reusedistance_line;

struct hd_reusedistances {
    struct hd_reusedistance_line *lines; // by number
    uint64_t cap_lines, n_lines;
    uint64_t *marks; // a bit per time
    uint32_t *tree;  // over groups of marks
    uint32_t now, end;
};

// What is known of one relation at the end: by line, the mean of its distances.
struct hd_reusedistance_result {
    uint64_t lines;                       // accessed again by that relation
    uint64_t bins[HD_REUSEDISTANCE_BINS]; // lines by floor(log2(mean)); a mean below 1 is in bin 0
    uint64_t beyond[2];                   // lines with a mean of at least `limits[i]`
};

// The kernel accesses a line. What launched each kernel is listed by kernel. Lines are numbered in
// the order of their first access.
void hd_reusedistance_access(struct hd_reusedistances *d, struct hd_reusestore *s, uint32_t line,
                             uint32_t kernel, const struct hd_reusedistance_kin *kin);
void hd_reusedistance_result(const struct hd_reusedistances *d, enum hd_reusedistance relation,
                             const uint64_t limits[2], struct hd_reusedistance_result *out);
void hd_reusedistance_drop(struct hd_reusedistances *d, struct hd_reusestore *s);

#endif
