// stats.h - every counter of the machine: name, unit, one-line definition, and its field.
//
// A row here is the only place a counter is declared. It becomes a struct field (plain uint64_t,
// incremented without a test), a line of `heddle list stats`, the text of `heddle explain NAME`,
// and a key of the run JSON. Ratios are formed by the report layer and never stored.
#ifndef HEDDLE_STATS_H
#define HEDDLE_STATS_H

#include <stddef.h>
#include <stdint.h>

// Scheduler cycles. Each scheduler counts exactly one class in every cycle of the machine, so
// issued + idle + scoreboard + pipeline + inactive = cycles x schedulers x SMs.
#define HD_STALL_STATS(X)                                                                          \
    X(issued, "scheduler cycles", "a warp instruction was issued")                                 \
    X(idle, "scheduler cycles",                                                                    \
      "no visited warp had a valid instruction: empty buffers, barriers, control flushes, no "     \
      "warps")                                                                                     \
    X(scoreboard, "scheduler cycles", "valid instructions, all held by register dependences")      \
    X(pipeline, "scheduler cycles", "a ready instruction found its pipe register full")            \
    X(inactive, "scheduler cycles",                                                                \
      "the SM was not stepped: it had no live thread, and no block could be dispatched: none was " \
      "left, or the launch had not taken effect yet (the reference model does not count these)")

// ELF's classes (SC 2015) of the scheduler cycles without issue. The paper does not define the
// class of a cycle in which warps wait for different things; here the first class counts, in this
// order, that any live warp of the scheduler is in. They sum to idle + scoreboard + pipeline.
#define HD_ELF_STATS(X)                                                                            \
    X(elf_memory_conflict, "scheduler cycles",                                                     \
      "a ready memory instruction found the load/store unit's register full")                      \
    X(elf_memory_dependency, "scheduler cycles",                                                   \
      "a warp waited for the reply of a load, an atomic or a memory fence")                        \
    X(elf_fetch, "scheduler cycles", "a warp waited for its next instruction")                     \
    X(elf_other, "scheduler cycles", "ALU dependences and conflicts, barriers, no warps")

// The re-execution queue (requeue.entries). When a kernel has ended, requeue_refused +
// requeue_ordered = requeue_completed.
#define HD_REQUEUE_STATS(X)                                                                        \
    X(requeue_refused, "entries", "put into the queue because an access was refused")              \
    X(requeue_ordered, "entries",                                                                  \
      "put into the queue untried, because they must not pass an entry of their warp")             \
    X(requeue_completed, "entries", "that left the queue, all their accesses sent")                \
    X(requeue_full, "cycles", "in which no entry of the queue was free")                           \
    X(requeue_used, "entries", "in use, summed over cycles")                                       \
    X(requeue_hits, "accesses", "of the queue's entries that hit in their cache")

#define HD_SM_STATS(X)                                                                             \
    HD_STALL_STATS(X)                                                                              \
    HD_ELF_STATS(X)                                                                                \
    X(warp_insts, "warp instructions", "completed warp instructions")                              \
    X(thread_insts, "thread instructions",                                                         \
      "lanes active after predication, over completed warp instructions")                          \
    X(long_insts, "thread instructions",                                                           \
      "of those, loads and stores to global, local and texture space")                             \
    X(tbs, "thread blocks", "thread blocks completed")                                             \
    X(fetches, "fetches", "accesses of the fetch stage to the L1 instruction cache")               \
    X(flushes, "flushes", "instruction buffers emptied because the warp left their path")          \
    X(barriers, "arrivals", "warps that arrived at a barrier")                                     \
    X(shared_conflict_cycles, "cycles", "extra cycles of shared-memory bank conflicts")            \
    X(mem_accesses, "accesses", "coalesced accesses sent on by the load/store unit")               \
    X(l1i_accesses, "accesses", "L1 instruction cache accesses")                                   \
    X(l1i_misses, "accesses", "L1 instruction cache misses")                                       \
    X(l1i_reservation_fails, "cycles", "L1 instruction cache accesses refused")                    \
    X(l1i_prefetches, "lines", "instruction lines prefetched")                                     \
    X(l1i_prefetches_used, "lines", "of those, lines that a fetch used")                           \
    X(l1i_prefetches_late, "lines",                                                                \
      "of those used, lines that a fetch asked for while they were under way")                     \
    X(l1c_accesses, "accesses", "constant cache accesses")                                         \
    X(l1c_misses, "accesses", "constant cache misses")                                             \
    X(l1c_reservation_fails, "cycles", "constant cache accesses refused")                          \
    X(l1t_accesses, "accesses", "texture cache accesses")                                          \
    X(l1t_misses, "accesses", "texture cache misses")                                              \
    X(l1t_reservation_fails, "cycles", "texture cache accesses refused")                           \
    X(l1d_accesses, "accesses", "L1 data cache accesses, loads and stores")                        \
    X(l1d_misses, "accesses", "L1 data cache misses; a store that does not allocate counts")       \
    X(l1d_pending, "accesses", "L1 data cache loads merged into an outstanding miss")              \
    X(l1d_reads, "accesses", "L1 data cache accesses of loads alone")                              \
    X(l1d_read_hits, "accesses",                                                                   \
      "of those, accesses that found their data; a load merged into an outstanding miss does not " \
      "count")                                                                                     \
    X(l1d_reservation_fails, "cycles",                                                             \
      "L1 data cache accesses refused, once per cycle of waiting; in the re-execution queue once " \
      "per attempt")                                                                               \
    X(l1d_unblocked, "accesses",                                                                   \
      "that would have waited for ever because no line of their set could be replaced, and got a " \
      "place (l1d.dirty_limit)")                                                                   \
    HD_REQUEUE_STATS(X)

#define HD_MEM_STATS(X)                                                                            \
    X(requests, "requests", "requests accepted from the SMs")                                      \
    X(replies, "replies", "replies delivered to the SMs")                                          \
    X(latency_cycles, "cycles", "sum over replies of cycles from push to delivery")                \
    X(l2_accesses, "accesses", "L2 accesses, loads and stores")                                    \
    X(l2_misses, "accesses", "L2 misses")                                                          \
    X(l2_pending, "accesses", "L2 accesses merged into an outstanding miss")                       \
    X(l2_reservation_fails, "cycles", "L2 accesses refused, once per cycle of waiting")            \
    X(dram_reads, "bursts", "DRAM read commands")                                                  \
    X(dram_writes, "bursts", "DRAM write commands")                                                \
    X(dram_row_hits, "bursts", "column commands that found their row open")                        \
    X(dram_activates, "commands", "rows opened")                                                   \
    X(dram_busy, "DRAM cycles", "cycles in which a channel's data bus carried data")               \
    X(dram_cycles, "DRAM cycles", "cycles of all channels together")

#define HD_STAT_FIELD(name, unit, help) uint64_t name;
struct hd_sm_stats {
    HD_SM_STATS(HD_STAT_FIELD)
};
struct hd_mem_stats {
    HD_MEM_STATS(HD_STAT_FIELD)
};
#undef HD_STAT_FIELD

// The registry: the same rows as data. offset is into the struct named by the group.
struct hd_stat {
    const char *group; // "sm", "mem"
    const char *name, *unit, *help;
    size_t offset;
};
extern const struct hd_stat hd_stats_sm[], hd_stats_mem[]; // end with a NULL name
const struct hd_stat *hd_stats_find(const char *name);     // by name, NULL when there is none
void hd_stats_add_sm(struct hd_sm_stats *sum, const struct hd_sm_stats *one);
void hd_stats_sub_sm(struct hd_sm_stats *from, const struct hd_sm_stats *minus);
void hd_stats_add_mem(struct hd_mem_stats *sum, const struct hd_mem_stats *one);
void hd_stats_sub_mem(struct hd_mem_stats *from, const struct hd_mem_stats *minus);

#endif
