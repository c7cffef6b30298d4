// reuse.h - which data kernels, thread blocks and warps use again, and whose they are: the analysis
// of LASER (POMACS 2018), section 4.
//
// src/reuse analyses the accesses of a run while it runs. It is given launches, blocks and accesses
// as plain data and knows nothing of the machine: src/gpu/gpu_reuse.c feeds it. An access is a line
// of 128 bytes that the load/store unit asks for; a unit is a kernel, a block or a warp, and
// docs/reuse.md defines each number. Memory is bounded: the runs of a kernel (reuseruns.h) live
// until the kernel, its siblings and its children have ended; past the limit the analyser gives up
// the warps, then the blocks, then the distances and at last the kernels, and says so.
//
// Invariants: no result depends on the order in which units end, except for distances and paths;
// a level that was given up has no numbers.
#ifndef HEDDLE_REUSE_REUSE_H
#define HEDDLE_REUSE_REUSE_H

#include "reuse/reusechains.h"
#include "reuse/reusedistance.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_REUSE_BINS 10
#define HD_REUSE_LINE 128        // bytes
#define HD_REUSE_HOST UINT32_MAX // the parent of a kernel that the host launched
#define HD_REUSE_PAIRS 1000000   // default of hd_reuse_options.pairs
#define HD_REUSE_PLAN_ABOVE 40   // of plan_above: the paper's high reuse
#define HD_REUSE_MEMORY (UINT64_C(1) << 30)

// X(LEVEL, name)
#define HD_REUSE_LEVELS(X) X(KERNEL, "kernel") X(BLOCK, "block") X(WARP, "warp")
// X(LEVEL, RELATION, name, what a ratio compares)
#define HD_REUSE_RELATIONS(X)                                                                      \
    X(KERNEL, SELF, "self", "a kernel with itself")                                                \
    X(KERNEL, PARENT_CHILD, "parent_child", "a child with its parent")                             \
    X(KERNEL, SIBLING, "sibling", "two children of one block")                                     \
    X(BLOCK, SELF, "self", "a block with itself")                                                  \
    X(BLOCK, INTRA_KERNEL, "intra_kernel", "two blocks of a kernel")                               \
    X(BLOCK, PARENT_CHILD, "parent_child", "a child's block with the launching block")             \
    X(BLOCK, SIBLING, "sibling", "blocks of two children of one block")                            \
    X(WARP, INTRA, "intra", "a warp with itself")                                                  \
    X(WARP, INTER, "inter", "two warps of a block")                                                \
    X(WARP, RESIDENT, "resident", "warps of two blocks on an SM at the same time")

enum hd_reuse_level {
#define X(L, name) HD_REUSE_##L,
    HD_REUSE_LEVELS(X)
#undef X
        HD_REUSE_N_LEVELS
};
enum hd_reuse_relation_id {
#define X(L, R, name, what) HD_REUSE_##L##_##R,
    HD_REUSE_RELATIONS(X)
#undef X
        HD_REUSE_N_RELATIONS
};

struct hd_reuse_options {
    bool loads;          // only loads are accesses
    bool resident;       // also compare warps of blocks that are on an SM at the same time
    bool plan;           // keep pairs of kernels and of blocks
    unsigned plan_above; // percent: those with a greater ratio
    uint64_t pairs;      // pairs of a relation in a family that are all compared; more are sampled
    uint64_t memory;     // bytes
    unsigned sms, slots; // block slots of an SM
    uint64_t l1_lines, l2_lines; // of the machine's caches
};

struct hd_reuse_launch {
    uint32_t parent, parent_block; // HD_REUSE_HOST
    const char *function;
    uint32_t grid[3], block[3];
    const uint8_t *params;
    uint32_t param_bytes;
};

enum hd_reuse_access { HD_REUSE_LOAD, HD_REUSE_STORE, HD_REUSE_ATOMIC };

struct hd_reuse_relation {
    uint64_t pairs;   // of units that access anything; of `self` and `intra`: units
    uint64_t sampled; // of them compared; the bins stand for all
    uint64_t bins[HD_REUSE_BINS];
};

struct hd_reuse_pair { // with high reuse: R(x|y), part of whole
    uint64_t x, y;     // keys of kernels (reusekeys.h)
    uint64_t part, whole;
    uint32_t x_block, y_block; // of relations of blocks
    uint32_t relation;
};

struct hd_reuse_result {
    uint64_t kernels, blocks, lines; // that accessed anything
    uint64_t accesses;
    // Accesses to lines that their kernel accesses at least twice; those that repeat one of their
    // kernel; to lines that parent and child access; that siblings access.
    uint64_t self, repeated, parent_child, sibling;
    struct hd_reuse_relation relations[HD_REUSE_N_RELATIONS];
    struct hd_reusedistance_result distances[HD_REUSEDISTANCE_N];
    struct hd_reusechains_result components[HD_REUSE_WARP], paths[HD_REUSE_WARP]; // by level
    bool dropped[HD_REUSE_N_LEVELS], distances_dropped;
    const struct hd_reuse_pair *plan; // sorted
    uint64_t n_plan;
    uint64_t memory; // bytes at most
};

struct hd_reuse;

struct hd_reuse *hd_reuse_new(const struct hd_reuse_options *o);
void hd_reuse_free(struct hd_reuse *r); // NULL is allowed
const struct hd_reuse_options *hd_reuse_options_of(const struct hd_reuse *r);

// Launches are numbered from 0 in this order.
void hd_reuse_launched(struct hd_reuse *r, const struct hd_reuse_launch *l);
void hd_reuse_block_starts(struct hd_reuse *r, unsigned sm, unsigned slot, uint32_t kernel,
                           uint32_t block);
// A warp, by its number in the block. `line` is a byte address; `local`: the line is the block's
// own, whatever its address.
void hd_reuse_accessed(struct hd_reuse *r, unsigned sm, unsigned slot, unsigned warp, uint64_t line,
                       bool local, enum hd_reuse_access kind);
// leaves: the block will return to some SM.
void hd_reuse_block_ends(struct hd_reuse *r, unsigned sm, unsigned slot, bool leaves);
void hd_reuse_kernel_ends(struct hd_reuse *r, uint32_t kernel);

// Ends whatever has not ended. Nothing may be reported afterwards. The same each time.
const struct hd_reuse_result *hd_reuse_finish(struct hd_reuse *r);

#endif
