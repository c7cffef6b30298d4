// config.h - the modelled machine as plain integers. Its numbers live in gpus/*.ini, each with its
// source; the table that names, checks and documents every key is in src/base/config.c. Filled
// once at start, read-only afterwards.
#ifndef HEDDLE_CONFIG_H
#define HEDDLE_CONFIG_H

#include "heddle/program.h"

#define HD_MAX_SMS 1024
#define HD_MAX_KERNELS 32 // that run at one time

enum hd_mem_model { HD_MEM_FLAT, HD_MEM_CROSSBAR };
enum hd_bounds { HD_BOUNDS_EXACT, HD_BOUNDS_PAGES };

// X(NAME, name, help): how caches choose the line that goes, src/hw/replace_NAME.c.
#define HD_REPLACEMENTS(X)                                                                         \
    X(LRU, lru, "the least recently used line")                                                    \
    X(FIFO, fifo, "the line that came first")                                                      \
    X(RANDOM, random, "any line, from gpu.seed")                                                   \
    X(SRRIP, srrip, "re-reference interval prediction, 2 bits")
#define HD_REPLACE_ENUM(NAME, name, help) HD_REPLACE_##NAME,
enum hd_replacement { HD_REPLACEMENTS(HD_REPLACE_ENUM) };
#undef HD_REPLACE_ENUM

// Instruction latency and initiation interval of one class, in core cycles.
struct hd_latency {
    uint32_t latency, interval;
};

enum hd_owner {      // which scheduler owns a warp slot
    HD_OWNER_MODULO, // slot modulo schedulers
    HD_OWNER_RANGES, // the first warps / schedulers slots belong to scheduler 0, and so on
};

struct hd_config_sm {
    uint32_t sms;       // SMs of the machine
    uint32_t warps;     // warp slots of one SM
    uint32_t tbs;       // resident thread blocks of one SM
    uint32_t registers; // 32-bit registers of one SM
    uint32_t reg_round; // registers per thread are rounded up to a multiple of this
    uint32_t shared_bytes;
    uint32_t schedulers;
    uint32_t owner;    // enum hd_owner
    uint32_t subcores; // scheduler i belongs to sub-core i % subcores
    // What follows counts what each sub-core has, up to reg_banks.
    // Pipeline registers (timing-model 5.1): entries between decode/issue and operand collection,
    // and between collection and execution, per pipe; and in front of writeback.
    uint32_t id_oc_sp, id_oc_sfu, id_oc_mem;
    uint32_t oc_ex_sp, oc_ex_sfu, oc_ex_mem;
    uint32_t ex_wb;
    uint32_t sp_units, sfu_units, result_buses;
    uint32_t collectors_sp, collectors_sfu, collectors_mem; // operand collector units per pipe
    uint32_t collector_ports_sp, collector_ports_sfu, collector_ports_mem;
    uint32_t reg_banks; // divides 32
    uint32_t shared_banks;
    uint32_t fetch_insts;    // instructions per fetch; the buffer holds as many
    uint32_t reply_fifo;     // cluster response FIFO, packets
    uint32_t ldst_fifo;      // LDST response FIFO, packets
    uint32_t path_order;     // 0: as 3.2.2 (path of the highest lane last); 1: not-taken path last
    uint32_t dynamic_shared; // count dynamic shared memory in occupancy
    uint32_t try_wait;       // cycles that mbarrier.try_wait sleeps at most
    uint32_t clear_long;     // a returning load clears its long-operation mark (3.2.2: it does not)
};

struct hd_config_l1i {
    uint32_t perfect;  // every access hits
    uint32_t refill;   // a line that arrives goes straight to the fetch register (3.2.2: refetch)
    uint32_t prefetch; // next line too, while fewer misses than this are in flight; 0: never
    uint32_t prefetch_missed; // only behind a fetch that missed
    uint32_t sets, ways, line, mshrs, merges, miss_queue;
    uint32_t replace; // enum hd_replacement
};

struct hd_config_l1c { // constant cache: constants and kernel parameters
    uint32_t perfect;  // every access hits
    uint32_t sets, ways, line, mshrs, merges, miss_queue;
    uint32_t replace; // enum hd_replacement
};

struct hd_config_l1d {
    uint32_t enabled; // 0: global and local accesses go past it
    uint32_t sets, ways, line, mshrs, merges, miss_queue;
    uint32_t replace; // enum hd_replacement
    uint32_t hashed;  // set index of the versions after July 2014; 32 or 64 sets
};

struct hd_config_l1t { // texture cache
    uint32_t perfect;  // every access hits
    uint32_t sets, ways, line;
    // Queues: accesses in order, misses to send, lines awaited in order, results to write back.
    uint32_t fragments, requests, rob, results;
    uint32_t replace; // enum hd_replacement
};

struct hd_config_flat { // memory of fixed latency, for the skeleton and for debugging
    uint32_t latency;   // core cycles from push to the cycle in which pop may take the reply
    uint32_t inject;    // requests a port accepts per cycle
};

struct hd_config_clock { // MHz
    uint32_t core;       // SMs, network and L2
    uint32_t dram;       // command clock
};

struct hd_config_net {     // two of them: requests, replies
    uint32_t flit, header; // bytes
    // Flits: source queue, input buffer of the router, ejection and boundary buffer of a node.
    uint32_t source, router, eject, boundary;
};

struct hd_config_l2 { // of each sub-partition
    uint32_t sets, ways, line, mshrs, merges, miss_queue;
    uint32_t replace;                              // enum hd_replacement
    uint32_t port;                                 // bytes a cycle, of the data and the fill port
    uint32_t rop;                                  // cycles before a request may reach the L2
    uint32_t from_net, to_net, to_dram, from_dram; // queues, requests
};

struct hd_config_dram {
    uint32_t channels;   // memory partitions
    uint32_t subs;       // sub-partitions of each, with an L2 bank and a network port of their own
    uint32_t interleave; // bytes before the next channel's turn
    // Bits of the address inside a channel; the lowest bank bits name the sub-partition.
    uint32_t bank_mask, row_mask;
    uint32_t bank_groups;
    uint32_t queue, returns;      // requests in the scheduler, in the return queue
    uint32_t latency;             // core cycles from the L2 to the scheduler
    uint32_t burst, burst_cycles; // bytes of a column command, cycles it holds the data bus
    // DRAM cycles, by their usual names without the t.
    uint32_t ccd, ccdl, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, rtpl;
};

struct hd_config_launch { // kernels on their way to the SMs
    uint32_t kernels;     // that run at one time
    // Cycles until a kernel that a kernel launched is known to the machine: base, and per_child for
    // each of those that the same warp instruction launched.
    uint32_t base, per_child;
};

// Which pipe serves an operation: by its latency class and its type, halves apart from integers.
enum hd_pipe_type { HD_PIPE_INT, HD_PIPE_FP16, HD_PIPE_FP32, HD_PIPE_FP64, HD_N_PIPE_TYPES };
#define HD_N_PIPE_CLASSES (HD_N_LAT_OPS * HD_N_PIPE_TYPES)
#define HD_PIPE_CLASS(op, type) ((unsigned)(op)*HD_N_PIPE_TYPES + (unsigned)(type))

struct hd_config {
    char name[64];
    uint32_t mem_model; // enum hd_mem_model
    uint32_t bounds;    // enum hd_bounds
    uint32_t seed;      // of what the machine itself draws: replacement by random
    // Cycles without progress after which a run is given up: with nothing issued, with something.
    uint32_t deadlock_after, livelock_after;
    struct hd_config_sm sm;
    struct hd_config_l1i l1i;
    struct hd_config_l1c l1c;
    struct hd_config_l1d l1d;
    struct hd_config_l1t l1t;
    struct hd_config_flat flat;
    struct hd_config_clock clock;
    struct hd_config_net net;
    struct hd_config_l2 l2;
    struct hd_config_dram dram;
    struct hd_config_launch launch;
    struct hd_latency latency[HD_N_LATS]; // by HD_LAT(op, column)
    uint32_t pipe[HD_N_PIPE_CLASSES];     // enum hd_unit, by HD_PIPE_CLASS(op, type)
};

#endif
