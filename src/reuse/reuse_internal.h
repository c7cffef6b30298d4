// reuse_internal.h - the state of the analyser, shared by the files of src/reuse that fill it:
// reuse.c gathers, reusewarps.c compares the warps of a block, reusefamily.c kernels and blocks,
// and reuselevels.c drops what has no room.
#ifndef HEDDLE_REUSE_REUSE_INTERNAL_H
#define HEDDLE_REUSE_REUSE_INTERNAL_H

#include "reuse/reuse.h"
#include "reuse/reusekeys.h"
#include "reuse/reuselines.h"
#include "reuse/reusepairs.h"

#define HD_REUSE_BUFFER 4096 // accesses of a resident block before they are sorted
#define HD_REUSE_WARPS 64    // of a block

struct hd_reuse_block {          // of a kernel whose runs are still needed
    struct hd_reusegather *away; // gathered so far, of a block that has left its SM
    struct hd_reuseruns runs;    // once it has ended
    uint64_t size;               // accesses
};

struct hd_reuse_kernel {
    uint64_t key, first_block; // first_block: number of its block 0, counted over all launches
    uint32_t n_blocks, parent, parent_block;
    uint32_t children, next;       // its latest child; the parent's child before it. NONE: none
    uint32_t open_children;        // that have not ended
    struct hd_reuse_block *blocks; // NULL before the first one starts, and without that level
    struct hd_reusegather *gather; // until it ends
    struct hd_reuseruns runs;      // once it has ended; run.warp is 1 if it counts as shared
    uint64_t size;
    bool ended;
    bool compared; // with its children
};
#define HD_REUSE_NONE UINT32_MAX

struct hd_reuse_place { // a block slot of an SM
    bool used;
    uint32_t kernel, block, n; // n: accesses in the buffer
    uint64_t *buffer;
    struct hd_reusegather gather;
};

struct hd_reuse_retained {    // a block that has ended beside others that have not
    struct hd_reuseruns runs; // by line and warp
    uint64_t sizes[HD_REUSE_WARPS];
    uint64_t beside; // slots of those others
    struct hd_reuse_retained *next;
};

struct hd_reuse {
    struct hd_arena *arena;
    struct hd_reuse_options options;
    struct hd_reusestore store;
    struct hd_reuselines lines;
    struct hd_reusekeys keys;
    struct hd_reusedistances distances;
    struct hd_reusechains chains[HD_REUSE_WARP]; // by level
    struct hd_reuse_place *places;               // by SM and slot
    struct hd_reuse_retained **retained;         // by SM
    uint64_t *spare;                             // as large as a buffer
    struct hd_reuse_kernel *kernels;             // by launch
    struct hd_reusedistance_kin *kin;
    size_t n_kernels, cap_kernels, n_kin, cap_kin;
    uint64_t n_blocks; // of all launches
    uint32_t *stamps;  // by line: the last question in which it was marked
    uint64_t cap_stamps;
    uint32_t stamp;
    struct hd_reuse_pair *plan;
    uint64_t n_plan, cap_plan;
    bool finished;
    struct hd_reuse_result result;
};

// Adds a unit or pair with this ratio to a relation.
static inline void hd_reuse_count(struct hd_reuse *r, enum hd_reuse_relation_id id, uint64_t part,
                                  uint64_t whole)
{
    struct hd_reuse_relation *to = &r->result.relations[id];

    to->pairs++;
    to->sampled++;
    to->bins[hd_reusepairs_bin(part, whole)]++;
}

// reuselevels.c
// Gives up levels until the memory in use, and so many bytes more, are below the limit. False if
// that level is given up.
bool hd_reuselevels_room(struct hd_reuse *r, uint64_t bytes, enum hd_reuse_level level);
// A block of the kernel has accessed this.
void hd_reuselevels_add(struct hd_reuse *r, struct hd_reuse_kernel *k,
                        const struct hd_reuseruns *runs);
void hd_reuselevels_free_kernel(struct hd_reuse *r, struct hd_reuse_kernel *k);
void hd_reuselevels_drop(struct hd_reuse *r); // everything

// reusewarps.c: of a block that ends.
void hd_reusewarps_compare(struct hd_reuse *r, const struct hd_reuseruns *runs,
                           uint64_t sizes[HD_REUSE_WARPS]);
// Compares it with blocks that were on the SM at the same time. Takes the runs.
void hd_reusewarps_retain(struct hd_reuse *r, unsigned sm, unsigned slot, struct hd_reuseruns *runs,
                          const uint64_t sizes[HD_REUSE_WARPS]);
// The block in that slot has left its SM, to return to some SM.
void hd_reusewarps_left(struct hd_reuse *r, unsigned sm, unsigned slot);
void hd_reusewarps_drop(struct hd_reuse *r);

// reusefamily.c
void hd_reusefamily_blocks(struct hd_reuse *r, uint32_t kernel);   // of a kernel that has ended
void hd_reusefamily_children(struct hd_reuse *r, uint32_t parent); // they and it have ended

#endif
