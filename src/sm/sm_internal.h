// sm_internal.h - the inside of an SM, shared by the files of src/sm only.
//
// An instruction moves through these places, in this order:
//   1. its warp's instruction buffer (struct hd_warp), filled by fetch.c;
//   2. an id_oc latch of its sub-core, once a scheduler has issued it (issue.c). From here on it is
//      a struct hd_uop. It has been executed already: the rest of the pipeline only decides when
//      its results may be used;
//   3. a collector unit of the sub-core, until its operands have been read (operands.c);
//   4. an oc_ex latch of the sub-core;
//   5. the event wheel of the sub-core (pipes.c), or the load/store unit, which all sub-cores share
//      (ldst.c and the files of the caches).
// At the end its destination registers are released in the scoreboard and counters are updated.
//
// Invariants.
//   - Everything is a column by warp slot or a small fixed structure. Masks are in the policy view
//     itself, so policies see the state and not a copy of it.
//   - Masks are always up to date: whatever changes a warp's head, PC or scoreboard calls
//     hd_warps_refresh, hd_warps_recheck or hd_warps_wait. These, and every event, clear
//     stalls_known, because a scheduler may then act differently.
//   - A warp slot belongs to one scheduler and a scheduler to one sub-core (subcores.c), so an
//     instruction never changes its sub-core.
//   - operands.stuck is true only if no instruction of the sub-core can enter or leave a collector;
//     where the oldest instruction of the SM enters first (sm.collector_heads), only leave.
//   - The masks full, collects and executes of a sub-core follow its latches.
//   - A warp's slot is reclaimed when it has ended, its stores are acknowledged (stores_out), its
//     instructions have left the pipeline (pipe_busy) and its registers are released (regs_out).
//   - An SM that sleeps repeats its last step in every cycle; hd_sm_catch_up adds what such
//     cycles count. A stage reports whether it could do anything by its hd_*_quiet, hd_*_works or
//     hd_*_wakes function.
//   - A step changes only what belongs to this SM: these structures, the instruction source of the
//     SM and its side of its port (src/gpu/steps.c).
#ifndef HEDDLE_SM_INTERNAL_H
#define HEDDLE_SM_INTERNAL_H

#include "hw/barrier.h"
#include "hw/cache.h"
#include "hw/ring.h"
#include "hw/sectors.h"
#include "hw/wheel.h"
#include "sm/sm.h"

#define HD_MAX_SUBCORES HD_MAX_SCHEDULERS
#define HD_MAX_COLLECTORS 16 // operand collector units of a sub-core, of all pipes together
#define HD_MAX_UNITS 8       // function units of a sub-core: its pipes, without LDST
#define HD_MAX_BANKS 32
#define HD_MAX_QUEUED 252 // read requests of a bank: at most 96 wait; the rest lets the queue move
#define HD_MAX_LATCH 4    // entries of a pipeline register
#define HD_MAX_ACCESSES 160 // of one memory instruction: 4 words x 32 lanes, and some more
#define HD_LOADS 4096       // loads and atomics waiting for replies
#define HD_CALENDAR 1024    // cycles ahead for which function units can be reserved

#define HD_PIPE_ENUM(NAME, key) HD_PIPE_##NAME,
enum hd_pipe { HD_PIPES(HD_PIPE_ENUM) HD_N_PIPES };
#undef HD_PIPE_ENUM

// An issued warp instruction on its way through the pipeline.
struct hd_uop {
    uint32_t pc;
    uint32_t lanes; // after predication
    uint32_t order; // issue order in this SM; smaller is older
    uint8_t warp;
    uint8_t memop; // MEM pipe: index of its access list
};

// A pipeline register: a few entries, taken oldest first.
struct hd_latch {
    struct hd_uop *slots;
    uint8_t n, capacity;
};

static inline bool hd_latch_full(const struct hd_latch *l)
{
    return l->n >= l->capacity;
}
static inline void hd_latch_put(struct hd_latch *l, const struct hd_uop *u)
{
    HD_DCHECK(!hd_latch_full(l));
    l->slots[l->n++] = *u;
}
// Of a latch that holds something.
static inline unsigned hd_latch_oldest(const struct hd_latch *l)
{
    unsigned best = 0;

    for (unsigned i = 1; i < l->n; i++)
        if (l->slots[i].order - l->slots[best].order > UINT32_MAX / 2)
            best = i;
    return best;
}
static inline struct hd_uop hd_latch_take(struct hd_latch *l, unsigned i)
{
    struct hd_uop u = l->slots[i];

    HD_DCHECK(i < l->n);
    l->slots[i] = l->slots[--l->n];
    return u;
}

// An operand collector unit. `reads` counts operands still missing.
struct hd_collector {
    struct hd_uop uop;
    uint8_t reads;
    uint8_t pipe; // enum hd_pipe: where the instruction goes
};

struct hd_operands {      // the operand collector, timing-model 7.1
    uint32_t busy, ready; // masks of units: in use; with all operands
    uint32_t askers;      // units that head a queue
    uint32_t written;     // banks taken by a write this cycle
    // True when no collector can accept or dispatch an instruction. Cleared when an id_oc latch is
    // filled or an oc_ex latch is drained.
    bool stuck;
    bool any;                               // its units take instructions of any pipe
    bool wide;                              // sm.collector_wide
    bool fermi;                             // neither, and only SP, SFU and LDST have units
    uint8_t end_pipe;                       // the last pipe that has ports, and one
    uint8_t ports[HD_N_PIPES];              // input = dispatch ports of the pipe's own units
    uint32_t of_pipe[HD_N_PIPES];           // masks of units; sm.collectors_any: all, for each pipe
    uint8_t last[HD_N_PIPES][HD_MAX_LATCH]; // unit each dispatch port took last
    uint32_t asking[HD_MAX_COLLECTORS];     // by unit: banks whose queue it heads
    struct hd_collector units[HD_MAX_COLLECTORS];
    // Read requests: per bank a queue of collector units. A queue restarts at its first place when
    // it is empty, so that usually only the first rows of `queued` are used.
    uint8_t queue_head[HD_MAX_BANKS], queue_end[HD_MAX_BANKS];
    uint8_t queued[HD_MAX_QUEUED][HD_MAX_BANKS];
};

// A part of an SM with its own schedulers, registers and pipes: an instruction stays in the
// sub-core of its warp from issue until writeback. Only the load/store unit, the front end, the
// scoreboard's rows and the caches serve all sub-cores of an SM.
struct hd_subcore {
    _Alignas(64) uint64_t warps; // slots that its schedulers own
    uint8_t bit;                 // one shifted left by its number
    // Masks of pipes: those whose id_oc latch has no room; those whose id_oc latch holds an
    // instruction; those whose oc_ex latch holds one, except MEM, whose instructions are counted in
    // hd_sm.mem_ready.
    uint8_t full, collects, executes;
    struct hd_operands operands;
    struct hd_latch id_oc[HD_N_PIPES], oc_ex[HD_N_PIPES];
    uint8_t first_unit[HD_N_PIPES], end_unit[HD_N_PIPES]; // the units of a pipe; LDST has none
    uint64_t unit_free_at[HD_MAX_UNITS];                  // dispatch register of each pipe
    _Alignas(64) struct hd_uop latched[2 * HD_N_PIPES * HD_MAX_LATCH]; // the latches' slots
    struct hd_wheel wheel;                                             // writebacks
    uint8_t exits[HD_CALENDAR]; // by cycle (mod size): pipes that an instruction leaves then
};

_Static_assert(HD_MAX_UNITS <= 8, "hd_subcore.exits has a bit for each pipe");
_Static_assert(HD_N_PIPES <= 8, "hd_subcore.full has a bit for each kind of pipe");

struct hd_access {
    uint64_t addr;
    uint32_t lanes;
    uint8_t bytes;
};

// A memory instruction from issue until its accesses are accepted.
struct hd_memop {
    uint16_t n;     // accesses left; the last one goes first
    uint8_t kind;   // enum hd_kind
    uint8_t space;  // enum hd_space
    uint8_t way;    // enum hd_way, of its accesses
    uint8_t wait;   // shared memory: remaining cycles of bank conflicts
    uint8_t bulk;   // bulk copy: lanes that have lines left, at a[1] and after; a[0] is next
    uint32_t lines; // bulk copy: lines of all lanes together
    // For an asynchronous copy: its batch, or HD_COPY_BULK and what is due when it is complete.
    // Zero for any other instruction.
    uint32_t copy;
    uint16_t load; // its entry in loads[], or HD_NO_LOAD
    struct hd_access a[HD_MAX_ACCESSES];
};
#define HD_NO_LOAD UINT16_MAX
// Bytes of data that an access of the instruction sends when it goes past the data cache.
static inline uint32_t hd_memop_sends(const struct hd_memop *op, unsigned access)
{
    return op->kind == HD_KIND_LOAD ? 0 : op->a[access].bytes;
}

// A load or atomic whose registers wait for replies.
struct hd_load {
    uint32_t pc, lanes;
    uint32_t waiting; // accesses not yet written back
    uint32_t copy;    // hd_memop.copy
    uint16_t next;    // free list
    uint8_t warp;
    uint8_t unserved; // atomics: lanes whose result has not returned
};

// Asynchronous copies of a warp, in one direction (async.c).
#define HD_BATCHES 16
#define HD_BULK_LINE 128
#define HD_COPY_BULK 0x80000000u
enum hd_copy_direction { HD_COPY_IN, HD_COPY_OUT, HD_N_COPY_ORDERS };
struct hd_copy_order {
    uint32_t batch;                    // the batch of a copy issued now
    uint16_t out[HD_BATCHES];          // copies not complete, by batch (modulo)
    uint16_t older;                    // copies not complete of all earlier batches together
    uint32_t groups;                   // committed
    uint32_t ends[HD_COPIES_MOST + 1]; // last batch of a group, by its number (modulo)
};
struct hd_copy_mark { // an arrival that depends on the copies up to a batch
    uint32_t batch, later;
};
#define HD_COPY_MARKS 16
struct hd_copies {
    struct hd_copy_order order[HD_N_COPY_ORDERS];
    struct hd_copy_mark marks[HD_COPY_MARKS];
    uint64_t until;         // a wait for a phase: the cycle in which it gives up
    uint32_t waits_through; // a wait for groups: the batch
    uint8_t n_marks, waits_in;
    bool waits_for_stores; // also for acknowledgements of stores
};

struct hd_landed { // a copy to shared memory whose data are there; complete in cycle `due`
    uint64_t due;
    uint32_t copy;
    uint8_t warp;
};
HD_RING_OF(hd_landed_ring, struct hd_landed)

enum hd_wb_source { HD_WB_SHARED, HD_WB_TEX, HD_WB_CONST, HD_WB_GLOBAL, HD_WB_L1D, HD_N_WB };

// The texture cache answers in order: an access waits in `fragments` for those before it, a miss
// waits for its line at the head of `rob`. Entries of rob have running numbers.
struct hd_fragment {
    uint16_t load;
    bool miss;
};
HD_RING_OF(hd_fragment_ring, struct hd_fragment)
HD_RING_OF(hd_part_ring, uint8_t)
HD_RING_OF(hd_load_ring, uint16_t)
struct hd_l1t {
    struct hd_cache cache; // without miss registers
    struct hd_fragment_ring fragments;
    struct hd_part_ring rob; // parts of the line that have not arrived
    struct hd_load_ring results;
};

// An access in front of the L1 data cache, and the queue of such accesses of a bank, in order from
// `head` to `end` (modulo). `full` has for each bank a mask of the places where they are, the first
// at 0; `busy` is a mask of the banks that have any.
struct hd_l1_access {
    struct hd_access access;
    uint16_t load; // HD_NO_LOAD: a store
    uint8_t warp;
    bool local;
};
struct hd_l1_bank {
    uint8_t head, end;
    uint8_t needs; // the access at place 0 is refused until the miss queue has so many free entries
                   // or its line arrives; 0: it must be tried
    uint32_t without_place; // cycles in which the set had no place for the access at place 0
    struct hd_l1_access queue[HD_L1_STAGES];
};
struct hd_l1_queue {
    uint32_t busy;
    uint32_t waits;         // banks that may have `needs`
    uint32_t without_place; // banks whose access at place 0 found no place in its set
    bool alone;             // when the last cycle ended, the SM waited for these queues alone
    uint64_t full[HD_L1_BANKS];
    struct hd_l1_bank banks[HD_L1_BANKS];
};

struct hd_ldst { // the load/store unit, timing-model 7.4
    struct hd_uop dispatch;
    bool dispatch_full;
    bool wb_full;
    bool global_full;    // the slot of uncached replies
    uint8_t l1d_refused; // what the data cache lacked when it refused the current access and has
                         // lacked since: enum hd_cache_lack, 0 if nothing
    bool refused;        // the current access was refused in the last cycle
    uint8_t wb_done;     // sm.writes_apart: registers of wb that are written, a mask
    uint8_t wb_turn;     // round robin over enum hd_wb_source
    uint8_t pipe_head, pipe_end;
    uint16_t textures; // accesses in the texture cache
    uint16_t wb_load;  // HD_NO_LOAD: from shared memory
    struct hd_uop wb;  // the writeback register
    uint64_t pipe_full;
    struct hd_req_ring fifo;      // response FIFO
    struct hd_l1_queue *l1_queue; // NULL: accesses go to the data cache at once
    struct hd_requeue *queue;     // NULL: the machine has none
    // With a re-execution queue, l1d_refused and refused speak only of instructions that are never
    // queued. What was refused is asleep instead: places in the queue, and HD_ASLEEP_HERE for the
    // dispatch register.
    uint64_t asleep;
    // Memory instructions between issue and leaving the unit: as many as the sub-cores' latches and
    // collectors and the re-execution queue can hold, plus the one in work. free_ops lists those
    // not in use.
    struct hd_memop *ops;
    uint8_t *free_ops, n_free_ops;
    uint16_t free_load, n_loads, global_load;
    uint32_t global_lanes;
    uint32_t refused_set; // of the data cache, of the access that it refused last
    struct hd_load *loads;
    // Shared loads: in order from pipe_head to pipe_end (modulo), and in pipe_full a mask of the
    // stages where they are, from sm.shared_latency - 1 down to 0.
    struct hd_uop pipe[HD_SHARED_STAGES];
};

// The re-execution queue (requeue.c). Entries stand in the order in which they came. The sets are
// of places in this order, so they move when an entry leaves.
//   - An entry is eligible if it may pass every older entry of its warp.
//   - An entry is asleep (hd_ldst.asleep) if its last attempt was refused and nothing has changed
//     since that could let it succeed. hd_requeue_wake ends all sleeps.
struct hd_requeue_entry {
    struct hd_uop uop;
    uint16_t access; // with requeue.unit = access: its place in hd_memop.a
};
struct hd_requeue {
    struct hd_requeue_entry entries[HD_REQUEUE_ENTRIES];
    uint64_t eligible;
    uint64_t outside; // entries whose accesses go past the data cache, straight to the network
    uint64_t waited;  // cycles, since an entry was refused or left, in which one could be tried and
                      // none was
    uint8_t n, next;  // next: the place at which retry = rotate continues
    uint8_t capacity, per_warp;                        // as configured
    uint8_t loads[HD_MAX_WARPS], others[HD_MAX_WARPS]; // entries of each warp, by kind
    uint8_t insts[HD_MAX_WARPS];                       // instructions of each warp
};
#define HD_ASLEEP_HERE (UINT64_C(1) << 63)
_Static_assert(HD_REQUEUE_ENTRIES < 63, "hd_ldst.asleep has a bit for each entry, and one more");

// What the instruction in the dispatch register of a unit with a queue does in a cycle.
enum hd_requeue_turn {
    HD_TURN_EMPTY, // there is none
    HD_TURN_APART, // it is never queued: shared memory, asynchronous copies, no active lane
    HD_TURN_HELD,  // it waits for entries to leave; the unit counts as idle
    HD_TURN_QUEUE, // it goes into the queue
    HD_TURN_TRY,   // it tries its next access
};

// Something has changed that may let refused accesses succeed.
static inline void hd_requeue_wake(struct hd_ldst *u)
{
    u->asleep = 0;
}

// Where the accesses of a memory instruction go.
enum hd_way { HD_TO_L1C, HD_TO_L1T, HD_TO_L1D, HD_TO_L1_QUEUE, HD_PAST_L1D, HD_BULK };

// The answer of a cache or of the network to an access.
enum hd_l1_answer {
    HD_L1_DONE,   // hit: the data are there, or the write needs no answer
    HD_L1_SENT,   // taken; a reply will come
    HD_L1_REFUSE, // reservation failure: to be tried again
};
static inline enum hd_l1_answer hd_l1_answer_of(enum hd_cache_answer a)
{
    return a == HD_CACHE_HIT ? HD_L1_DONE : a == HD_CACHE_REFUSED ? HD_L1_REFUSE : HD_L1_SENT;
}

// Data of a warp that an issue uses, in one place. The buffer is instructions ibuf_pc .. ibuf_pc +
// ibuf_n - 1.
struct hd_warp {
    uint64_t *scoreboard; // its rows, enum hd_sb_row
    uint32_t ibuf_pc, fetch_pc;
    uint32_t stores;             // acknowledgements outstanding, and asynchronous copies
    uint16_t n_reserved, n_long; // registers reserved, registers marked
    uint8_t ibuf_n;
    uint8_t in_pipe;   // number of its instructions in the buffer or in flight
    uint8_t head_unit; // enum hd_unit: the only set of hd_sm.head_unit that the warp may be in
    bool head_memory;  // the warp is in a set of hd_view of those whose head accesses memory
};

// A scheduler that lost a cycle loses the next ones in the same way until something changes that it
// or its policy can see. These are the counters of such a cycle.
struct hd_stall_memo {
    uint64_t until;        // first cycle in which the policy must be asked again
    uint64_t *class, *elf; // counters of its class, and of its ELF class
    uint64_t visited;
    unsigned outcome;
};

struct hd_scheduler {
    struct hd_pstate state; // the policy's, for this scheduler
    struct hd_subcore *subcore;
    struct hd_stall_memo lost;
};

// What every step reads comes first and fills few lines of the host's cache. A machine steps so
// many SMs in a cycle that the whole data of one SM would not stay in the cache until the next
// cycle.
struct hd_sm {
    struct hd_view view; // the masks

    // Steps.
    uint64_t stepped;                     // last cycle accounted for
    uint64_t held_next;                   // the earliest of held_until; UINT64_MAX: none is held
    uint64_t progress_cycle, issue_cycle; // of the last progress and the last issue
    uint64_t ask_at;    // hd_sm_wakes does not check before this cycle whether the SM could sleep
    uint32_t waits_for; // room in the network: HD_NO_ROOM_NEEDED or the data of the smallest packet
    bool trapped;
    bool pushed;         // this step sent requests
    bool newer;          // a key is set that stages_newer of sm.c serves
    bool never_skip;     // some policy has HD_EVERY_CYCLE
    bool collects_apart; // the collectors have a key that hd_operands_steps serves
    bool oldest_enters;  // sm.collector_heads is sm
    uint8_t part_shift;  // a longer request than 1 << part_shift bytes has several replies
    uint8_t mem_ready;   // bits of sub-cores with an instruction for the load/store unit
    uint8_t bank_skip;   // flags of a source that is not read: HD_BANK_AGAIN or none
    uint8_t work_mask;   // of hd_deps.work: 0 with sm.mma_fixed
    bool report_stalls;  // each lost cycle is reported to the policy
    bool fetch_full;     // the fetch register, delivered to decode next cycle, holds something
    uint8_t fetched_warp;
    uint32_t fetched_pc;
    uint32_t diagonal; // where the collectors' read arbiters begin; moves every cycle, idle too
    uint32_t square;   // side of these arbiters: banks or units, the larger number
    struct hd_subcore *subcores, *subcores_end;
    uint32_t stalls_known; // mask of schedulers; cleared by events and changes of the warps' masks
    uint32_t all_scheds;   // mask of all of them
    uint64_t stalls_until; // the earliest of their `until`
    uint64_t stalls_put_off; // further cycles that all of them lost and that are not yet counted
    uint64_t resident;       // slots with a warp that has not been reclaimed
    uint64_t stores_out, pipe_busy, regs_out; // warps that cannot be reclaimed yet, by reason
    struct hd_isrc source;
    const struct hd_program *program;
    struct hd_ldst ldst;
    // Tokens of l1i are warp slots, those of the others are indices into ldst.loads. The requests
    // in `out` go to the network, one packet per cycle and cache.
    struct hd_cache l1i, l1c, l1d;

    // Issue.
    const struct hd_policy *policy; // decides what the schedulers issue
    struct hd_profile *profile;     // NULL if none was requested
    struct hd_elf_rules *rules;     // the same
    uint32_t events;                // those that any policy or watch receives
    uint8_t orders[2 * HD_MAX_SCHEDULERS];
    // The order in which schedulers issue: n from `turn` on. It moves with sm.issue_rotates.
    const uint8_t *turn;
    uint64_t phases;    // waits for the phase of an mbarrier; a subset of asleep
    uint64_t membar;    // waits at a memory fence
    uint64_t atomic;    // has an atomic in flight
    uint64_t mem_block; // warps whose head waits for a register from memory
    uint64_t asleep;    // waits for asynchronous copies, or for the phase of an mbarrier
    uint64_t head_unit[HD_N_UNITS]; // by enum hd_unit: warps whose head needs it, or whose last one
                                    // did if their buffer is empty
    const uint8_t *units; // by PC: enum hd_unit, as the machine assigns operations to pipes
    struct hd_scheduler scheds[HD_MAX_SCHEDULERS];
    uint8_t *exits;    // sm.shared_buses: by cycle (mod HD_CALENDAR), how many instructions leave a
                       // pipe; NULL if each sub-core has its own
    uint32_t sb_words; // of a row of the scoreboard: one bit per register of the program
    uint32_t order;    // of the next instruction to be issued
    struct hd_warp warps[HD_MAX_WARPS];
    uint8_t sched_of[HD_MAX_WARPS]; // the scheduler that owns a slot
    uint64_t children;              // waits for what its block has launched
    uint64_t
        held; // may not issue for a time: has launched kernels (launch.wait), or is `switching`
    uint64_t switching;                // of these: has changed its path (sm.path_switch)
    uint64_t held_until[HD_MAX_WARPS]; // of these: the last cycle without issue
    uint64_t copied;                   // has used hd_sm.copies
    struct hd_copies *copies;
    struct hd_landed_ring landed; // with sm.copy_latency
    uint8_t missed[HD_MAX_WARPS]; // instruction misses since a warp's last fetched instruction

    struct hd_sectors *l1d_sectors; // the tags of l1d if it has sectors, else NULL
    struct hd_l1t l1t;
    struct hd_req_ring cluster; // response FIFO in front of the SM

    // Thread blocks.
    struct hd_tb_view tbs[HD_MAX_TBS];
    struct hd_barriers barriers[HD_MAX_TBS];
    uint8_t tb_warps_left[HD_MAX_TBS]; // not yet reclaimed
    const char *names[HD_MAX_TBS];     // of their kernels
    uint64_t emptied;                  // cycle in which its last block ended
    uint64_t leaving;                  // block slots whose block leaves once it is reclaimed
    uint8_t tb_of[HD_MAX_WARPS];
    uint32_t age[HD_MAX_WARPS];
    uint64_t progress[HD_MAX_WARPS];
    uint32_t next_age;
    uint32_t code_base; // of the program, in instruction memory

    const struct hd_config *cfg;
    struct hd_mem mem;
    struct hd_sm_policy policies[HD_SM_POLICIES];
    unsigned n_policies;
    int sched, fetch;
    struct hd_sm_watch *watches; // a list
    unsigned index;
    struct hd_effects effects; // of the instruction being issued
    struct hd_sm_stats stats;
    struct hd_profile *block_profiles[HD_MAX_TBS];
};

#define HD_EACH_SUBCORE(sub, sm)                                                                   \
    for (struct hd_subcore * (sub) = (sm)->subcores; (sub) != (sm)->subcores_end; (sub)++)
// The kernel of a warp's block, for events. The SM as a whole belongs to no kernel.
static inline uint32_t hd_kernel_of(const struct hd_sm *sm, unsigned w)
{
    return sm->tbs[sm->tb_of[w]].kernel;
}
static inline unsigned hd_sched_of(const struct hd_sm *sm, unsigned w)
{
    return sm->sched_of[w];
}
static inline struct hd_subcore *hd_subcore_of(const struct hd_sm *sm, unsigned w)
{
    return sm->scheds[sm->sched_of[w]].subcore;
}

// An instruction enters or leaves the register in front of the operand collector.
static inline void hd_subcore_issue(struct hd_subcore *sub, enum hd_pipe p, const struct hd_uop *u)
{
    hd_latch_put(&sub->id_oc[p], u);
    sub->collects |= (uint8_t)(1u << p);
    if (hd_latch_full(&sub->id_oc[p]))
        sub->full |= (uint8_t)(1u << p);
    sub->operands.stuck = false;
}
static inline struct hd_uop hd_subcore_collect(struct hd_subcore *sub, enum hd_pipe p)
{
    struct hd_latch *l = &sub->id_oc[p];

    sub->full &= (uint8_t) ~(1u << p);
    if (l->n == 1)
        sub->collects &= (uint8_t) ~(1u << p);
    return hd_latch_take(l, hd_latch_oldest(l));
}

// Request tags: which part of the SM gets the reply.
enum hd_client {
    HD_CLIENT_INST,
    HD_CLIENT_CONST,
    HD_CLIENT_TEX,  // index is the place in the texture cache's order
    HD_CLIENT_L1D,  // a line for the data cache
    HD_CLIENT_LOAD, // past the data cache; index of the load
    HD_CLIENT_ATOMIC,
    HD_CLIENT_STORE, // acknowledgement; index is the warp
};
#define HD_TAG(client, index) ((uint32_t)(client) << 24 | (uint32_t)(index))
#define HD_TAG_CLIENT(tag) ((tag) >> 24)
#define HD_TAG_INDEX(tag) ((tag)&0xffffffu)

// Puts a request into the SM's port. The machine settles the port after the step.
static inline void hd_sm_push(struct hd_sm *sm, const struct hd_req *r)
{
    sm->pushed = true;
    sm->mem.ops->push(sm->mem.self, sm->index, r);
}

// scoreboard.c
enum hd_sb_row {
    HD_SB_RESERVED,
    HD_SB_MEMORY, // reserved by a load that may leave the SM
    HD_SB_LONG,   // marked as waiting for a long operation
    HD_SB_ROWS
};
static inline uint64_t *hd_scoreboard_row(const struct hd_sm *sm, unsigned w, enum hd_sb_row which)
{
    return sm->warps[w].scoreboard + (size_t)which * sm->sb_words;
}
void hd_scoreboard_fit(struct hd_sm *sm, struct hd_arena *a, uint32_t n_regs); // no block resident
void hd_scoreboard_reserve(struct hd_sm *sm, unsigned w, const struct hd_deps *d, bool is_long);
void hd_scoreboard_release(struct hd_sm *sm, unsigned w, const struct hd_deps *d, bool clear_long);
bool hd_scoreboard_collides(const struct hd_sm *sm, unsigned w, const struct hd_deps *d);
bool hd_scoreboard_memory(const struct hd_sm *sm, unsigned w, const struct hd_deps *d);
bool hd_scoreboard_long(const struct hd_sm *sm, unsigned w, const struct hd_deps *d);

// notify.c
static inline bool hd_notify_wanted(const struct hd_sm *sm, enum hd_event_kind kind)
{
    return (sm->events & HD_ON(kind)) != 0;
}
void hd_notify_event(struct hd_sm *sm, const struct hd_event *e); // of a wanted kind

// warps.c
// Sets or clears a reason (&sm->membar, &sm->atomic, &view.at_barrier) why a warp waits.
void hd_warps_wait(struct hd_sm *sm, uint64_t *reason, unsigned w, bool set);
void hd_warps_refresh(struct hd_sm *sm, unsigned w); // recompute what depends on the head of w
void hd_warps_flush(struct hd_sm *sm, unsigned w);   // empties its buffer; fetches where it is
void hd_warps_recheck(struct hd_sm *sm, unsigned w); // only its registers have changed
// The destination registers of an instruction are written.
static inline void hd_warps_release(struct hd_sm *sm, unsigned w, const struct hd_deps *d,
                                    bool clear_long)
{
    hd_scoreboard_release(sm, w, d, clear_long);
    // A fence waits for loads, not for stores (O12).
    if (!sm->warps[w].n_reserved && hd_has(sm->membar, (int)w))
        hd_warps_wait(sm, &sm->membar, w, false);
    // Only a head that was held back, or had a mark, can change.
    if (hd_has(sm->view.sb_block | sm->view.long_mark, (int)w))
        hd_warps_recheck(sm, w);
}
// A warp that has changed its path does not issue until then.
void hd_warps_switch(struct hd_sm *sm, unsigned w, uint64_t until);
void hd_warps_let_go(struct hd_sm *sm); // of those held until the last cycle or earlier
void hd_warps_complete(struct hd_sm *sm, uint32_t pc, uint32_t lanes);

// Warps that have ended, have nothing outstanding and are not reclaimed yet.
static inline uint64_t hd_blocks_reclaimable(const struct hd_sm *sm)
{
    return sm->resident & ~sm->view.live & ~(sm->stores_out | sm->pipe_busy | sm->regs_out);
}

// fetch.c
void hd_fetch_init(struct hd_sm *sm, struct hd_arena *a);
void hd_fetch_decode(struct hd_sm *sm);                // if fetch_full
void hd_fetch_cycle(struct hd_sm *sm, uint64_t cycle); // if due
void hd_fetch_fill(struct hd_sm *sm, uint64_t addr, uint64_t cycle);
// Warps whose buffer is empty and whose line is not on its way.
static inline uint64_t hd_fetch_wanted(const struct hd_sm *sm)
{
    return sm->view.live & sm->view.ibuf_empty & ~sm->view.imiss;
}
// Whether a cycle of the front end does anything. Apart from what waits for room in the network, an
// SM in which it does not can sleep.
static inline bool hd_fetch_works(const struct hd_sm *sm)
{
    return hd_fetch_wanted(sm) || hd_blocks_reclaimable(sm) || hd_mshr_pending(&sm->l1i.mshr);
}
static inline bool hd_fetch_due(const struct hd_sm *sm)
{
    return hd_fetch_works(sm) || !hd_req_ring_empty(&sm->l1i.out);
}

// issue.c
void hd_issue_cycle(struct hd_sm *sm, uint64_t cycle);
void hd_issue_idle(struct hd_sm *sm, uint64_t n); // counts n cycles in which nothing could issue
// Whether all schedulers are known to lose n cycles from `cycle` on, as they have lost the last
// one. The cycles are counted later, when one of them differs. Asked before each of the two above.
static inline bool hd_issue_again(struct hd_sm *sm, uint64_t cycle, uint64_t n)
{
    if (sm->stalls_known != sm->all_scheds || cycle + n > sm->stalls_until || sm->report_stalls)
        return false;
    sm->stalls_put_off += n;
    return true;
}
void hd_issue_turn(struct hd_sm *sm, uint64_t n); // sm.issue_rotates: n cycles have passed
void hd_issue_settle(struct hd_sm *sm);           // adds counts put off; before stats are read
// Whether no warp could issue or be flushed now, whatever the policy allows.
bool hd_issue_finds_nothing(const struct hd_sm *sm);
uint64_t hd_issue_asked_at(const struct hd_sm *sm);
// Whether the SM may sleep as far as the schedulers are concerned; hd_issue_wakes says until when,
// if nothing else changes.
static inline bool hd_issue_quiet(const struct hd_sm *sm)
{
    return sm->stalls_known == sm->all_scheds || (sm->policy->flags & HD_LOST_SINGLY) ||
           hd_issue_finds_nothing(sm);
}
static inline uint64_t hd_issue_wakes(const struct hd_sm *sm)
{
    return sm->stalls_known == sm->all_scheds ? sm->stalls_until : hd_issue_asked_at(sm);
}

// profile.c; only with sm->profile set
void hd_profile_issue(struct hd_sm *sm, unsigned w, uint32_t pc, uint32_t lanes);
// n lost cycles of scheduler s. `first`: the warp that is charged, HD_NONE for an idle cycle.
void hd_profile_stall(struct hd_sm *sm, int s, int first, uint64_t eligible, unsigned outcome,
                      enum hd_elf elf, uint64_t n);
void hd_profile_inactive(struct hd_sm *sm, uint64_t n);

// operands.c
void hd_operands_init(struct hd_sm *sm, struct hd_subcore *sub);
void hd_operands_step(struct hd_sm *sm, struct hd_subcore *sub);
void hd_operands_steps(struct hd_sm *sm); // a cycle of any machine
static inline void hd_operands_cycle(struct hd_sm *sm)
{
    struct hd_subcore *sub = sm->subcores;

    if (__builtin_expect(sm->collects_apart, 0)) {
        if (!sm->cfg->sm.collector_late)
            hd_operands_steps(sm);
        return;
    }
    do {
        if (!sub->operands.stuck || sub->operands.askers)
            hd_operands_step(sm, sub);
        sub->operands.written = 0;
    } while (++sub != sm->subcores_end);
    sm->diagonal = sm->diagonal + 1 == sm->square ? 0 : sm->diagonal + 1;
}
bool hd_operands_write(const struct hd_sm *sm, struct hd_subcore *sub, unsigned warp,
                       const struct hd_banks *b);
bool hd_operands_write_rest(const struct hd_sm *sm, struct hd_subcore *sub, unsigned warp,
                            const struct hd_banks *b, uint8_t *done);
bool hd_operands_move(const struct hd_sm *sm, const struct hd_subcore *sub);
bool hd_operands_oldest_enters(const struct hd_sm *sm); // with sm.collector_heads = sm
// Whether nothing can move: no operand is requested, no instruction can enter or leave a unit.
static inline bool hd_operands_quiet(const struct hd_sm *sm)
{
    HD_EACH_SUBCORE(sub, sm)
        if (sub->operands.askers || (!sub->operands.stuck && hd_operands_move(sm, sub)))
            return false;
    return !sm->oldest_enters || !hd_operands_oldest_enters(sm);
}
bool hd_operands_empty(const struct hd_subcore *sub);

// pipes.c
void hd_pipes_init(struct hd_sm *sm, struct hd_subcore *sub, struct hd_arena *a);
void hd_pipes_writeback(struct hd_sm *sm, struct hd_subcore *sub, uint64_t cycle);
void hd_pipes_execute(struct hd_sm *sm, struct hd_subcore *sub, uint64_t cycle);
// With sm.shared_buses, all sub-cores: `pipes` are those for which any of them has an instruction.
void hd_pipes_execute_shared(struct hd_sm *sm, unsigned pipes, uint64_t cycle);
uint64_t hd_pipes_next(const struct hd_subcore *sub, uint64_t cycle);
// The first cycle after `cycle` in which a pipe may take an instruction or one is written back.
static inline uint64_t hd_pipes_wakes(const struct hd_subcore *sub, uint64_t cycle)
{
    if (hd_wheel_empty(&sub->wheel) && !sub->executes)
        return UINT64_MAX;
    return hd_pipes_next(sub, cycle);
}
// Of an instruction of the SP and SFU pipes.
static inline unsigned hd_pipes_latency(const struct hd_sm *sm, const struct hd_deps *d,
                                        unsigned *interval)
{
    const struct hd_latency *lat = &sm->cfg->latency[d->lat];

    *interval = lat->interval << (d->work & sm->work_mask);
    return lat->latency + *interval - lat->interval;
}

// subcores.c
void hd_subcores_new(struct hd_sm *sm, struct hd_arena *a);

// coalesce.c
// `flags` are those of the instruction's hd_deps.
void hd_coalesce(const struct hd_sm *sm, struct hd_memop *op, const struct hd_effects *e,
                 unsigned warp, unsigned flags);

// ldst.c
void hd_ldst_init(struct hd_sm *sm, struct hd_arena *a);
unsigned hd_ldst_issue(struct hd_sm *sm, unsigned warp, uint32_t pc,
                       const struct hd_effects *e); // access list index
void hd_ldst_cycle(struct hd_sm *sm, uint64_t cycle);
void hd_ldst_idle(struct hd_sm *sm, uint64_t n); // counts n cycles in which its instruction waited
uint64_t hd_ldst_wakes(const struct hd_sm *sm, uint64_t cycle);
uint32_t hd_ldst_waits_for(const struct hd_sm *sm); // room in the network, see hd_sm.waits_for
bool hd_ldst_empty(const struct hd_sm *sm);

// requeue.c; only with ldst.queue, except for the first
void hd_requeue_init(struct hd_sm *sm, struct hd_arena *a);
enum hd_requeue_turn hd_requeue_turn(const struct hd_sm *sm);
void hd_requeue_push(struct hd_sm *sm);      // the instruction in the dispatch register
int hd_requeue_next(const struct hd_sm *sm); // the place to be served, HD_NONE if none can be
// An entry has waited for requeue.patience cycles and goes before the dispatch register. The second
// is the first cycle after `cycle` in which that will be so if no entry has a turn until then.
bool hd_requeue_impatient(const struct hd_sm *sm);
uint64_t hd_requeue_forced(const struct hd_sm *sm, uint64_t cycle);
unsigned hd_requeue_access(const struct hd_sm *sm, int place); // which of hd_memop.a goes next
void hd_requeue_refused(struct hd_sm *sm, int place);
// An access of the entry was sent, or it had none (a fence). The entry leaves the queue if no
// access of it is left.
void hd_requeue_sent(struct hd_sm *sm, int place);
void hd_requeue_look_at_network(struct hd_sm *sm); // wakes what waits for room that there is now
uint32_t hd_requeue_waits_for(const struct hd_sm *sm); // room in the network, see hd_sm.waits_for

// l1.c, l1c.c, l1d.c
// The random seed of each cache of the machine.
static inline uint64_t hd_l1_seed(const struct hd_sm *sm, enum hd_client client)
{
    return ((uint64_t)sm->cfg->gpu.seed << 32) + (sm->index << 8) + (unsigned)client;
}
// Replies to a request of so many bytes: an L2 with sectors sends one for each sector.
static inline uint8_t hd_l1_parts(const struct hd_sm *sm, uint32_t bytes)
{
    return (uint8_t)(((bytes - 1) >> sm->part_shift) + 1);
}
static inline uint8_t hd_l1_apart(const struct hd_sm *sm, uint32_t bytes)
{
    return hd_l1_parts(sm, bytes) > 1 ? HD_REQ_APART : 0;
}
// What the caches of an SM have in common: their shape, their seed and the request for a line.
#define HD_L1_SETUP(sm, c, client, request)                                                        \
    HD_CACHE_SHAPE(c), .seed = hd_l1_seed(sm, client), .parts = hd_l1_parts(sm, (c)->line),        \
                       .fill = {.tag = HD_TAG(client, 0),                                          \
                                .port = (uint16_t)(sm)->index,                                     \
                                .kind = (request),                                                 \
                                .reply_bytes = (uint8_t)(c)->line,                                 \
                                .part = hd_l1_apart(sm, (c)->line)}
void hd_l1_send_head(struct hd_sm *sm, struct hd_cache *c, uint64_t cycle);
// Sends at most one of a cache's queued misses and writes to the network.
static inline void hd_l1_send(struct hd_sm *sm, struct hd_cache *c, uint64_t cycle)
{
    if (!hd_req_ring_empty(&c->out))
        hd_l1_send_head(sm, c, cycle);
}
void hd_l1_report(struct hd_sm *sm, enum hd_event_kind kind, unsigned warp, uint64_t line,
                  uint32_t flags, unsigned owner); // an event of the data cache that is wanted
void hd_l1_stored(struct hd_sm *sm, unsigned w, unsigned n); // n acknowledgements have come
bool hd_l1_can_send(const struct hd_sm *sm, const struct hd_req_ring *waiting);
#define HD_NO_ROOM_NEEDED UINT32_MAX
// Bytes of data of the first waiting packet, if there is one.
static inline uint32_t hd_l1_waits_for(const struct hd_req_ring *waiting)
{
    if (hd_req_ring_empty(waiting))
        return HD_NO_ROOM_NEEDED;
    return hd_req_carries(hd_req_ring_head(waiting)->kind, hd_req_ring_head(waiting)->bytes);
}
void hd_l1c_init(struct hd_sm *sm, struct hd_arena *a);
enum hd_l1_answer hd_l1c_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle);
void hd_l1c_fill(struct hd_sm *sm, uint64_t addr, uint64_t cycle);
void hd_l1d_init(struct hd_sm *sm, struct hd_arena *a);
enum hd_l1_answer hd_l1d_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle);
enum hd_l1_answer hd_l1d_write(struct hd_sm *sm, const struct hd_access *a, bool local,
                               unsigned warp, uint64_t cycle);
void hd_l1d_fill(struct hd_sm *sm, uint64_t addr);
void hd_l1d_forget(struct hd_sm *sm); // all lines that are not on their way
void hd_l1_used(struct hd_sm *sm);    // updates the view: its miss entries in use may have changed
// l1sectors.c; called by l1d.c
void hd_l1sectors_init(struct hd_sm *sm, struct hd_arena *a);
// l1d.unified: the blocks of a kernel need so much shared memory on an SM. If the number of ways
// changes, all lines are lost; none may be on its way.
void hd_l1sectors_fit(struct hd_sm *sm, uint64_t shared);
enum hd_l1_answer hd_l1sectors_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                                    uint64_t cycle);
enum hd_l1_answer hd_l1sectors_write(struct hd_sm *sm, const struct hd_access *a, unsigned warp,
                                     uint64_t cycle);
void hd_l1sectors_fill(struct hd_sm *sm, uint64_t addr);
// Makes a place for an access that found none (hd_sectors_unblock). False: a fill will make one.
bool hd_l1sectors_unblock(struct hd_sm *sm, uint64_t addr);
// l1queue.c; only with ldst.l1_queue, except for the first
void hd_l1queue_init(struct hd_sm *sm, struct hd_arena *a);
bool hd_l1queue_enter(struct hd_sm *sm, const struct hd_l1_access *in); // false: no place
// Accesses in the queues, of which a store counts as often as it will be acknowledged.
uint64_t hd_l1queue_accesses(const struct hd_sm *sm);
// Returns how many loads hit, one for each access.
unsigned hd_l1queue_cycle(struct hd_sm *sm, uint64_t cycle, uint16_t hits[HD_L1_BANKS]);
void hd_l1queue_idle(struct hd_sm *sm, uint64_t n); // n cycles, which do not reach the next one
uint64_t hd_l1queue_wakes(const struct hd_sm *sm, uint64_t cycle); // in which the cache is asked
bool hd_l1queue_empty(const struct hd_sm *sm);
void hd_l1queue_fill(struct hd_sm *sm, uint64_t addr); // the line of `addr` has arrived
// l1t.c
void hd_l1t_init(struct hd_sm *sm, struct hd_arena *a);
enum hd_l1_answer hd_l1t_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle);
void hd_l1t_fill(struct hd_sm *sm, uint32_t place);
void hd_l1t_cycle(struct hd_sm *sm, uint64_t cycle);
bool hd_l1t_quiet(const struct hd_sm *sm);

// async.c
void hd_async_init(struct hd_sm *sm, struct hd_arena *a);
void hd_async_start(struct hd_sm *sm, unsigned w); // a new warp has no copies in progress
void hd_async_issue(struct hd_sm *sm, struct hd_memop *op, unsigned w, const struct hd_deps *d,
                    const struct hd_effects *e);
void hd_async_next_piece(struct hd_memop *op); // of a bulk copy
void hd_async_done(struct hd_sm *sm, unsigned w, unsigned direction, uint32_t copy); // complete
void hd_async_landed(struct hd_sm *sm, unsigned w, uint32_t copy); // data of a copy in are there
void hd_async_late(struct hd_sm *sm, uint64_t cycle); // completes those for which it is time
void hd_async_group(struct hd_sm *sm, unsigned w, const struct hd_effects *e);
void hd_async_look_at_group(struct hd_sm *sm, unsigned w); // is its wait over?
void hd_async_try(struct hd_sm *sm, unsigned w);           // checks the phase that it waits for
void hd_async_arrived(struct hd_sm *sm);                   // an arrival: phases may have ended
void hd_async_cycle(struct hd_sm *sm, uint64_t cycle);
uint64_t hd_async_wakes(const struct hd_sm *sm);
const char *hd_async_waits_for(const struct hd_sm *sm, int w, char *buf, size_t bytes);

// blocks.c
void hd_blocks_arrive(struct hd_sm *sm, unsigned w, const struct hd_effects *e);
void hd_blocks_exit(struct hd_sm *sm, unsigned w);
// No lane of the warp can go on before a barrier of its block opens.
void hd_blocks_block(struct hd_sm *sm, unsigned w);
void hd_blocks_await(struct hd_sm *sm, unsigned w); // for kernels that its block launched
void hd_blocks_reclaim(struct hd_sm *sm, unsigned w);

#endif
