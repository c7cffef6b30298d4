// config.h - the modelled machine: all its keys, and the plain integers that they become.
//
// A row here is the only place where a key is declared. It becomes a member of a struct
// (config.sm.warps is the key sm.warps), a line of `heddle explain sm`, a word that machine files
// and --set accept, a default and a range that are checked, and a value of every results file. The
// numbers of real machines are in gpus/*.ini, each with its source; the defaults are the GTX 480 of
// GPGPU-Sim 3.2.2 where the key exists there. The struct is filled once at start and read-only
// afterwards.
#ifndef HEDDLE_CONFIG_H
#define HEDDLE_CONFIG_H

#include "heddle/program.h"

#define HD_MAX_SMS 1024
#define HD_MAX_KERNELS 32   // that run at the same time
#define HD_SHARED_STAGES 64 // of the pipe of shared memory

// X(NAME, name): the possible values of a key.
#define HD_MEM_MODELS(X) X(FLAT, flat) X(CROSSBAR, crossbar)
#define HD_BOUNDS(X) X(EXACT, exact) X(PAGES, pages)
// Which scheduler owns a warp slot: slot modulo schedulers, or the first warps / schedulers slots
// belong to scheduler 0, and so on.
#define HD_OWNERS(X) X(MODULO, modulo) X(RANGES, ranges)
// Whose instruction enters an operand collector that serves all pipes: the oldest one of the
// sub-core, or the oldest one of the SM alone, which makes the younger ones of other sub-cores wait
// while its own sub-core has no free unit.
#define HD_COLLECTOR_HEADS(X) X(SUBCORE, subcore) X(SM, sm)

// X(NAME, key): the kinds of pipes of a sub-core. Each has the keys sm.id_oc_KEY, sm.oc_ex_KEY,
// sm.collectors_KEY and sm.collector_ports_KEY.
#define HD_PIPES(X) X(SP, sp) X(SFU, sfu) X(MEM, mem) X(TENSOR, tensor) X(DP, dp) X(INT, int)

// Commands that a DRAM channel sends in a tick: one of any bank; a row command that comes before
// the column command in the order of the banks, and that column command; a column command and a row
// command, each of any bank.
#define HD_DRAM_COMMANDS(X) X(ONE, one) X(ORDERED, ordered) X(DUAL, dual)
// The sub-partition of an address: as its bits say, or hashed with those above (mem/polyhash.h).
#define HD_DRAM_INDEXINGS(X) X(LINEAR, linear) X(POLYNOMIAL, polynomial)

// Into which streams kernels launch kernels: those that the program names, or always the default
// stream of the block that launches, whose kernels run one after another.
#define HD_LAUNCH_STREAMS(X) X(PROGRAM, program) X(BLOCK, block)

// X(NAME, name, help): how caches choose the line that goes, src/hw/replace_NAME.c.
#define HD_REPLACEMENTS(X)                                                                         \
    X(LRU, lru, "the least recently used line")                                                    \
    X(FIFO, fifo, "the line that came first")                                                      \
    X(RANDOM, random, "any line, from gpu.seed")                                                   \
    X(SRRIP, srrip, "re-reference interval prediction, 2 bits")
// Readings of ELF's text on program points (src/isa/points.c). The first is the default.
#define HD_POINTS_MERGES(X) X(TRUE, true) X(PRINTED, printed)
#define HD_POINTS_BITS(X) X(SAFE, safe) X(PRINTED, printed)
#define HD_POINTS_ATS(X) X(STRICT, strict) X(EXACT, exact)
#define HD_POINTS_JUMPS(X) X(TARGET, target) X(BOTH, both)
#define HD_POINTS_PERS(X) X(KERNEL, kernel) X(FUNCTION, function)

// The re-execution queue (src/sm/requeue.c): in which order entries may go, what an entry is, when
// entries are served, and which entry follows one that is refused.
#define HD_REQUEUE_ORDERS(X) X(WEAK, weak) X(FIFO, fifo)
#define HD_REQUEUE_UNITS(X) X(INST, inst) X(ACCESS, access)
#define HD_REQUEUE_IDLES(X) X(UNIT, unit) X(PORT, port)
#define HD_REQUEUE_RETRIES(X) X(ROTATE, rotate) X(OLDEST, oldest)

#define HD_MEM_ENUM(NAME, name) HD_MEM_##NAME,
#define HD_BOUNDS_ENUM(NAME, name) HD_BOUNDS_##NAME,
#define HD_OWNER_ENUM(NAME, name) HD_OWNER_##NAME,
#define HD_COMMANDS_ENUM(NAME, name) HD_COMMANDS_##NAME,
#define HD_INDEXING_ENUM(NAME, name) HD_INDEXING_##NAME,
#define HD_HEADS_ENUM(NAME, name) HD_HEADS_##NAME,
#define HD_STREAMS_ENUM(NAME, name) HD_STREAMS_##NAME,
#define HD_REPLACE_ENUM(NAME, name, help) HD_REPLACE_##NAME,
#define HD_MERGE_ENUM(NAME, name) HD_POINTS_MERGE_##NAME,
#define HD_BIT_ENUM(NAME, name) HD_POINTS_BIT_##NAME,
#define HD_AT_ENUM(NAME, name) HD_POINTS_AT_##NAME,
#define HD_JUMP_ENUM(NAME, name) HD_POINTS_JUMP_##NAME,
#define HD_PER_ENUM(NAME, name) HD_POINTS_PER_##NAME,
#define HD_REQUEUE_ENUM(NAME, name) HD_REQUEUE_##NAME,
enum hd_mem_model { HD_MEM_MODELS(HD_MEM_ENUM) };
enum hd_bounds { HD_BOUNDS(HD_BOUNDS_ENUM) };
enum hd_owner { HD_OWNERS(HD_OWNER_ENUM) };
enum hd_dram_commands { HD_DRAM_COMMANDS(HD_COMMANDS_ENUM) };
enum hd_dram_indexing { HD_DRAM_INDEXINGS(HD_INDEXING_ENUM) };
enum hd_collector_heads { HD_COLLECTOR_HEADS(HD_HEADS_ENUM) };
enum hd_launch_streams { HD_LAUNCH_STREAMS(HD_STREAMS_ENUM) };
enum hd_replacement { HD_REPLACEMENTS(HD_REPLACE_ENUM) };
enum hd_points_merge { HD_POINTS_MERGES(HD_MERGE_ENUM) };
enum hd_points_bit { HD_POINTS_BITS(HD_BIT_ENUM) };
enum hd_points_at { HD_POINTS_ATS(HD_AT_ENUM) };
enum hd_points_jump { HD_POINTS_JUMPS(HD_JUMP_ENUM) };
enum hd_points_per { HD_POINTS_PERS(HD_PER_ENUM) };
enum hd_requeue_order { HD_REQUEUE_ORDERS(HD_REQUEUE_ENUM) };
enum hd_requeue_unit { HD_REQUEUE_UNITS(HD_REQUEUE_ENUM) };
enum hd_requeue_idle { HD_REQUEUE_IDLES(HD_REQUEUE_ENUM) };
enum hd_requeue_retry { HD_REQUEUE_RETRIES(HD_REQUEUE_ENUM) };
#undef HD_MEM_ENUM
#undef HD_BOUNDS_ENUM
#undef HD_OWNER_ENUM
#undef HD_HEADS_ENUM
#undef HD_STREAMS_ENUM
#undef HD_COMMANDS_ENUM
#undef HD_INDEXING_ENUM
#undef HD_REPLACE_ENUM
#undef HD_MERGE_ENUM
#undef HD_BIT_ENUM
#undef HD_AT_ENUM
#undef HD_JUMP_ENUM
#undef HD_PER_ENUM
#undef HD_REQUEUE_ENUM

// The keys of a component, in the order in which they are listed:
//   U(section, key, default, least, most, unit, help)    a number
//   E(section, key, words, default, help)                one of the words (configkeys.c)

// Keys that all caches have: `what` is the cache's name in help texts.
#define HD_CACHE_KEYS(U, at, what, sets_, most_sets, ways_, line_, least_line, line_help)          \
    U(at, sets, sets_, 1, most_sets, "sets", what " sets; a power of two")                         \
    U(at, ways, ways_, 1, 256, "ways", what " associativity")                                      \
    U(at, line, line_, least_line, 128, "bytes", line_help)
#define HD_MISS_KEYS(U, at, mshrs_, most_mshrs, mshrs_help, merges_, queue, least_queue,           \
                     queue_help)                                                                   \
    U(at, mshrs, mshrs_, 1, most_mshrs, "entries", mshrs_help)                                     \
    U(at, merges, merges_, 1, 256, "requests", "requests merged into one line in flight")          \
    U(at, miss_queue, queue, least_queue, 256, "requests", queue_help)
#define HD_REPLACE_KEY(E, at)                                                                      \
    E(at, replace, replacements, "lru",                                                            \
      "which line of a set is replaced: least recently used, first come, any, re-reference "       \
      "interval "                                                                                  \
      "prediction")

#define HD_GPU_KEYS(U, E)                                                                          \
    E(gpu, memory, mem_models, "flat", "model of the memory at the SMs' ports")                    \
    E(gpu, bounds, bounds, "exact",                                                                \
      "global memory that a kernel may access: what is allocated, or all of its 2 MiB pages, as "  \
      "on a GPU")                                                                                  \
    U(gpu, seed, "1", 0, UINT32_MAX, "", "of the machine's random numbers: replacement by random") \
    U(gpu, deadlock_after, "2000000", 1000, UINT32_MAX, "cycles",                                  \
      "without progress and without an issued instruction: the run is a deadlock")                 \
    U(gpu, livelock_after, "20000000", 1000, UINT32_MAX, "cycles",                                 \
      "without progress while instructions issue, after which to look for a proof that this will " \
      "never end: a livelock")
// Pipes that only some machines have.
#define HD_PIPE_REGISTERS(U, key, pipes)                                                           \
    U(sm, id_oc_##key, "1", 1, 4, "instructions",                                                  \
      "register between issue and operand collection for " pipes)                                  \
    U(sm, oc_ex_##key, "1", 1, 4, "instructions", "register between operand collection and " pipes)
#define HD_PIPE_COLLECTORS(U, key, pipes)                                                          \
    U(sm, collectors_##key, "0", 0, 14, "units", "operand collector units of " pipes)              \
    U(sm, collector_ports_##key, "1", 1, 4, "per cycle",                                           \
      "instructions into and out of the collectors of " pipes)
// Scheduler i belongs to sub-core i % subcores. Keys from id_oc_sp to reg_banks count what each
// sub-core has. Pipeline registers (timing-model 5.1) are between decode/issue and operand
// collection (id_oc) and between collection and execution (oc_ex), for each pipe.
#define HD_SM_KEYS(U, E)                                                                           \
    U(sm, sms, "15", 1, HD_MAX_SMS, "SMs",                                                         \
      "streaming multiprocessors; at most 64 in front of a crossbar, 256 with net.local")          \
    U(sm, warps, "48", 1, HD_MAX_WARPS, "warps", "warp slots of one SM")                           \
    U(sm, tbs, "8", 1, HD_MAX_TBS, "blocks", "resident thread blocks of one SM")                   \
    U(sm, registers, "32768", 1, 1 << 24, "registers", "32-bit registers of one SM")               \
    U(sm, reg_round, "4", 1, 256, "registers",                                                     \
      "registers per thread are rounded up to a multiple")                                         \
    U(sm, shared_bytes, "48K", 0, 1 << 24, "bytes", "shared memory of one SM")                     \
    U(sm, schedulers, "2", 1, 4, "schedulers", "warp schedulers; a multiple of sm.subcores")       \
    E(sm, owner, owners, "modulo",                                                                 \
      "which scheduler owns a warp slot: modulo (slots i, i + n, ... are scheduler i's) or "       \
      "ranges "                                                                                    \
      "(the first slots are scheduler 0's)")                                                       \
    U(sm, subcores, "1", 1, 4, "sub-cores",                                                        \
      "parts of an SM with schedulers, pipeline registers, pipes, collectors and register banks "  \
      "of their own; keys about these count what each part has")                                   \
    U(sm, id_oc_sp, "2", 1, 4, "instructions", "register between issue and SP operand collection") \
    U(sm, id_oc_sfu, "1", 1, 4, "instructions",                                                    \
      "register between issue and SFU operand collection")                                         \
    U(sm, id_oc_mem, "1", 1, 4, "instructions",                                                    \
      "register between issue and LDST operand collection")                                        \
    U(sm, oc_ex_sp, "2", 1, 4, "instructions",                                                     \
      "register between operand collection and the SP units")                                      \
    U(sm, oc_ex_sfu, "1", 1, 4, "instructions", "register between operand collection and the SFU") \
    U(sm, oc_ex_mem, "1", 1, 4, "instructions", "register between operand collection and LDST")    \
    HD_PIPE_REGISTERS(U, tensor, "the tensor pipes")                                               \
    HD_PIPE_REGISTERS(U, dp, "the DP pipes")                                                       \
    HD_PIPE_REGISTERS(U, int, "the INT pipes")                                                     \
    U(sm, sp_units, "2", 1, 4, "units", "SP pipes")                                                \
    U(sm, sfu_units, "1", 1, 4, "units", "SFU pipes")                                              \
    U(sm, tensor_units, "0", 0, 4, "units", "pipes for matrices; keys pipe.* send work to them")   \
    U(sm, dp_units, "0", 0, 4, "units",                                                            \
      "pipes for double precision; keys pipe.* send work to them")                                 \
    U(sm, int_units, "0", 0, 4, "units", "pipes for integers; keys pipe.* send work to them")      \
    U(sm, result_buses, "2", 1, 8, "buses",                                                        \
      "results of all pipes but LDST that reach writeback per cycle")                              \
    U(sm, shared_buses, "0", 0, 32, "buses",                                                       \
      "the same for all sub-cores of an SM together; 0: as many as they have")                     \
    U(sm, mma_fixed, "0", 0, 1, "",                                                                \
      "1: a multiplication of matrices of any shape takes latency.mma.*; 0: larger ones take "     \
      "longer")                                                                                    \
    U(sm, collectors_sp, "6", 0, 14, "units", "operand collector units of the SP pipes")           \
    U(sm, collectors_sfu, "8", 0, 14, "units", "operand collector units of the SFU")               \
    U(sm, collectors_mem, "2", 0, 14, "units", "operand collector units of LDST")                  \
    HD_PIPE_COLLECTORS(U, tensor, "the tensor pipes")                                              \
    HD_PIPE_COLLECTORS(U, dp, "the DP pipes")                                                      \
    HD_PIPE_COLLECTORS(U, int, "the INT pipes")                                                    \
    U(sm, collectors_any, "0", 0, 16, "units",                                                     \
      "operand collector units that take instructions of any pipe; no pipe has units of its own "  \
      "then")                                                                                      \
    E(sm, collector_heads, collector_heads, "subcore",                                             \
      "which instruction of a pipe enters sm.collectors_any: the oldest of each subcore, or the "  \
      "oldest of the sm alone, for which the others wait")                                         \
    U(sm, collector_steps, "1", 1, 4, "per cycle", "steps of the operand collectors")              \
    U(sm, collector_late, "0", 0, 1, "",                                                           \
      "operand collectors work 1: after the load/store unit; 0: at the beginning of its cycle")    \
    U(sm, collector_wide, "0", 0, 1, "",                                                           \
      "in a step a collector unit receives 1: an operand of each bank; 0: one operand")            \
    U(sm, collector_once, "0", 0, 1, "",                                                           \
      "1: a register that is several sources of an instruction is read once; 0: once for each")    \
    U(sm, collector_ports_sp, "2", 1, 4, "per cycle",                                              \
      "instructions into and out of the SP collectors")                                            \
    U(sm, collector_ports_sfu, "1", 1, 4, "per cycle",                                             \
      "instructions into and out of the SFU collectors")                                           \
    U(sm, collector_ports_mem, "1", 1, 4, "per cycle",                                             \
      "instructions into and out of the LDST collectors")                                          \
    U(sm, reg_banks, "16", 1, 32, "banks", "register file banks; a power of two")                  \
    U(sm, writes_apart, "0", 0, 1, "",                                                             \
      "registers of one load that lie in one bank are written 1: in one cycle each; 0: together")  \
    U(sm, shared_banks, "32", 1, 32, "banks", "shared memory banks, 4 bytes wide; a power of two") \
    U(sm, shared_latency, "3", 1, HD_SHARED_STAGES, "cycles",                                      \
      "stages of the pipe that loads from shared memory pass")                                     \
    U(sm, segment, "128", 32, 128, "bytes",                                                        \
      "longest access to global and local memory: 32, 64 or 128")                                  \
    U(sm, segment_uncached, "128", 32, 128, "bytes",                                               \
      "the same for accesses past the L1D: atomics and loads and stores with .cg; 32, 64 or 128")  \
    U(sm, whole_vectors, "1", 0, 1, "",                                                            \
      "with sm.segment = 32: 1: caches see all elements of an access to a vector; 0: the first "   \
      "alone, as in GPGPU-Sim")                                                                    \
    U(sm, atomic_halves, "1", 0, 1, "",                                                            \
      "1: the half-warps of an atomic make accesses of their own; 0: the whole warp does")         \
    U(sm, fetch_insts, "2", 1, 4, "instructions", "fetched and buffered at once")                  \
    U(sm, fetch_steps, "1", 1, 8, "per cycle", "decodes and fetches")                              \
    U(sm, issue_rotates, "0", 0, 1, "",                                                            \
      "1: another scheduler issues first in each cycle; 0: always scheduler 0")                    \
    U(sm, reply_fifo, "8", 1, 4096, "packets", "response FIFO in front of an SM")                  \
    U(sm, ldst_fifo, "2", 1, 4096, "packets", "response FIFO of the load/store unit")              \
    U(sm, path_order, "0", 0, 1, "",                                                               \
      "divergence: 0 the path of the highest lane runs last, 1 the not-taken path")                \
    U(sm, path_switch, "0", 0, 1000, "cycles",                                                     \
      "code for sm_70 and later: in which a warp does not issue after another of its paths "       \
      "continues, beside the refilled instruction buffer (no published measurement)")              \
    U(sm, dynamic_shared, "1", 0, 1, "", "count dynamic shared memory in occupancy")               \
    U(sm, share, "0", 0, 1, "",                                                                    \
      "1: an SM may hold blocks of several kernels of one program; 0: of one kernel at a time")    \
    U(sm, try_wait, "1000", 1, 1000000000, "cycles",                                               \
      "longest sleep of mbarrier.try_wait before it returns false (the manual leaves it open)")    \
    U(sm, copy_latency, "0", 0, 1000, "cycles",                                                    \
      "from the arrival of a cp.async's last data until they are in shared memory and it is "      \
      "complete, for its group and its mbarrier")                                                  \
    U(sm, clear_long, "0", 0, 1, "", "a load that returns clears its long-operation mark; 3.2.2: 0")
// GPGPU-Sim since February 2015 refills as with l1i.refill; 3.2.2 fetches again.
#define HD_L1I_KEYS(U, E)                                                                          \
    U(l1i, perfect, "0", 0, 1, "", "every instruction fetch hits")                                 \
    U(l1i, refill, "0", 0, 1, "",                                                                  \
      "a line that arrives goes straight to the fetch register, as in versions since February "    \
      "2015")                                                                                      \
    U(l1i, prefetch, "0", 0, 1024, "misses",                                                       \
      "fetch the next line too while fewer misses than this are in flight in L1I and L1D; 0: "     \
      "never")                                                                                     \
    U(l1i, prefetch_missed, "0", 0, 1, "", "only after a fetch that missed, not after every one")  \
    U(l1i, prefetch_tagged, "0", 0, 1, "",                                                         \
      "only after a fetch that missed, and after the first fetch from a line that was prefetched") \
    HD_CACHE_KEYS(U, l1i, "L1 instruction cache", "4", 4096, "4", "128", 32,                       \
                  "L1 instruction cache line; a power of two")                                     \
    HD_MISS_KEYS(U, l1i, "2", 256, "lines in flight", "32", "4", 1,                                \
                 "misses waiting for the network")                                                 \
    HD_REPLACE_KEY(E, l1i)
// Constants and kernel parameters.
#define HD_L1C_KEYS(U, E)                                                                          \
    U(l1c, perfect, "0", 0, 1, "", "every constant and parameter access hits")                     \
    U(l1c, at_once, "0", 0, 1, "",                                                                 \
      "1: all accesses of an instruction in one cycle, with l1c.perfect; 0: one in a cycle")       \
    HD_CACHE_KEYS(U, l1c, "constant cache", "64", 4096, "2", "64", 32,                             \
                  "constant cache line; a power of two")                                           \
    HD_MISS_KEYS(U, l1c, "2", 256, "lines in flight", "32", "4", 1,                                \
                 "misses waiting for the network")                                                 \
    HD_REPLACE_KEY(E, l1c)
#define HD_L1_STAGES 64
#define HD_L1_BANKS 8
#define HD_L1D_KEYS(U, E)                                                                          \
    U(l1d, enabled, "1", 0, 1, "", "0: global and local accesses go past the L1 data cache")       \
    HD_CACHE_KEYS(U, l1d, "L1 data cache", "32", 4096, "4", "128", 128,                            \
                  "L1 data cache line; coalescing makes 128-byte segments")                        \
    HD_MISS_KEYS(U, l1d, "32", 1024, "lines in flight", "8", "8", 3,                               \
                 "misses and writes waiting for the network")                                      \
    HD_REPLACE_KEY(E, l1d)                                                                         \
    U(l1d, hashed, "0", 0, 1, "",                                                                  \
      "set index hashed as in versions after July 2014 (32 or 64 sets)")                           \
    U(l1d, flush, "0", 0, 1, "", "1: an SM without blocks forgets its lines, without write-back")  \
    U(l1d, victims_astray, "0", 0, 1, "",                                                          \
      "1: a line that is written back goes to the L2 bank of the line that takes its place, as "   \
      "in GPGPU-Sim 4; 0: to its own")                                                             \
    U(l1d, stores_pass, "0", 0, 1, "",                                                             \
      "1: a store that misses is sent on also while all lines of its set wait for replies, and "   \
      "is no miss if its line does; 0: it waits")                                                  \
    U(l1d, sector, "128", 32, 128, "bytes",                                                        \
      "what a miss fetches: 128, a line, or 32, a sector; with sectors, stores are written "       \
      "through "                                                                                   \
      "and keep a place")                                                                          \
    U(l1d, unified, "0", 0, 1 << 20, "bytes",                                                      \
      "that L1D and shared memory have together: a kernel whose blocks on an SM need little "      \
      "shared memory leaves more ways of l1d.ways; 0: all ways, always")                           \
    U(l1d, shared_sizes, "0", 0, UINT32_MAX, "",                                                   \
      "sizes that shared memory may have of l1d.unified: bit i for i x 4 KB")                      \
    U(l1d, dirty_limit, "0", 0, 100, "%",                                                          \
      "lines with sectors that were stored to are replaced once they are this share of all lines") \
    U(l1d, latency, "0", 0, HD_L1_STAGES, "cycles",                                                \
      "of the queues in front of the L1D, in which accesses wait for their turn; 0 means no "      \
      "queues")                                                                                    \
    U(l1d, banks, "1", 1, HD_L1_BANKS, "banks",                                                    \
      "these queues, by bits 5 and up of the address; accesses of an instruction that may enter "  \
      "them in a cycle; a power of two")
// Its queues: accesses in order, misses to send, lines awaited in order, results to write back.
#define HD_L1T_KEYS(U, E)                                                                          \
    U(l1t, perfect, "0", 0, 1, "", "every texture access hits")                                    \
    HD_CACHE_KEYS(U, l1t, "texture cache", "4", 4096, "24", "128", 32,                             \
                  "texture cache line; a power of two")                                            \
    U(l1t, fragments, "128", 1, 4096, "accesses", "accesses in order, hits and misses")            \
    U(l1t, requests, "4", 1, 256, "requests", "misses waiting for the network")                    \
    U(l1t, rob, "128", 1, 4096, "lines", "lines awaited, in order")                                \
    U(l1t, results, "2", 1, 256, "accesses", "finished accesses waiting for writeback")            \
    HD_REPLACE_KEY(E, l1t)
// Memory instructions that a cache or the network refused wait here, so that later ones go on. The
// defaults are NewCAR (ELF, SC 2015), with no entries; CAR (Mascar, HPCA 2015) has per_warp=1,
// order=fifo.
#define HD_REQUEUE_ENTRIES 48     // at most
#define HD_REQUEUE_ENTRY_BITS 301 // of storage in hardware, ELF's Table 3
#define HD_REQUEUE_KEYS(U, E)                                                                      \
    U(requeue, entries, "0", 0, HD_REQUEUE_ENTRIES, "entries",                                     \
      "of the queue in the load/store unit for memory instructions that were refused; 0 means no " \
      "queue: such an instruction blocks the later ones")                                          \
    U(requeue, per_warp, "0", 0, HD_REQUEUE_ENTRIES, "instructions",                               \
      "of one warp that may be in the queue; the warp's next one blocks the unit; 0: any number")  \
    E(requeue, order, requeue_orders, "weak",                                                      \
      "in which entries are served: weak (any that may pass the older ones of its warp) or fifo "  \
      "(the oldest alone)")                                                                        \
    E(requeue, unit, requeue_units, "inst",                                                        \
      "what an entry holds: inst (an instruction with all accesses that it has left) or access "   \
      "(one access)")                                                                              \
    E(requeue, idle, requeue_idles, "unit",                                                        \
      "when entries are served: unit (the unit has no instruction of its own) or port (it sends "  \
      "no access); in both cases also while the queue is full")                                    \
    E(requeue, retry, requeue_retries, "rotate",                                                   \
      "which entry is tried: rotate (the next one after one that is refused) or oldest (always "   \
      "the oldest that may be served)")                                                            \
    U(requeue, patience, "10000", 0, 1000000000, "cycles",                                         \
      "after which an entry that could be tried goes before the unit's own instruction; 0 means "  \
      "that it never does, as in the paper, and a program whose warps wait in a loop for that "    \
      "entry may never end")
// L(key, class, integer, fp32, fp64): latency/initiation interval of a class of instructions.
#define HD_LATENCY_KEYS(L)                                                                         \
    L(add, HD_LAT_ADD, "4/1", "4/1", "8/8")                                                        \
    L(minmax, HD_LAT_MINMAX, "13/2", "13/2", "19/16")                                              \
    L(mul, HD_LAT_MUL, "4/2", "4/1", "8/8")                                                        \
    L(mad, HD_LAT_MAD, "5/1", "5/1", "8/8")                                                        \
    L(fma, HD_LAT_FMA, "1/1", "1/1", "1/1")                                                        \
    L(div, HD_LAT_DIV, "145/8", "39/4", "330/130")                                                 \
    L(trans, HD_LAT_TRANS, "8/8", "8/8", "8/8")                                                    \
    L(other, HD_LAT_OTHER, "1/1", "1/1", "1/1")                                                    \
    L(mma, HD_LAT_MMA, "12/8", "12/8", "64/64")                                                    \
    L(shfl, HD_LAT_SHFL, "1/1", "1/1", "1/1")
// P(key, class, integer, half, fp32, fp64): the pipe that serves these operations, enum hd_unit.
#define HD_PIPE_KEYS(P)                                                                            \
    P(add, HD_LAT_ADD, "sp", "sp", "sp", "sp")                                                     \
    P(minmax, HD_LAT_MINMAX, "sp", "sp", "sp", "sp")                                               \
    P(mul, HD_LAT_MUL, "sfu", "sp_or_sfu", "sp_or_sfu", "sp_or_sfu")                               \
    P(mad, HD_LAT_MAD, "sfu", "sp", "sp", "sp")                                                    \
    P(fma, HD_LAT_FMA, "sp", "sp", "sp", "sp")                                                     \
    P(div, HD_LAT_DIV, "sfu", "sfu", "sfu", "sfu")                                                 \
    P(trans, HD_LAT_TRANS, "sfu", "sfu", "sfu", "sfu")                                             \
    P(other, HD_LAT_OTHER, "sp", "sp", "sp", "sp")                                                 \
    P(mma, HD_LAT_MMA, "sp", "sp", "sp", "sp")                                                     \
    P(shfl, HD_LAT_SHFL, "sp", "sp", "sp", "sp")
// Memory of fixed latency, for debugging.
#define HD_FLAT_KEYS(U, E)                                                                         \
    U(flat, latency, "100", 2, 1000000, "cycles", "from a request's push to its reply's pop")      \
    U(flat, inject, "1", 1, 64, "requests", "requests a port accepts per cycle")
#define HD_CLOCK_KEYS(U, E)                                                                        \
    U(clock, core, "700", 1, 100000, "MHz", "clock of SMs and L2")                                 \
    U(clock, net, "0", 0, 100000, "MHz",                                                           \
      "clock of the network: a multiple of clock.core, at most 8 times as fast; 0: as fast")       \
    U(clock, dram, "924", 1, 100000, "MHz", "command clock of the DRAM")                           \
    U(clock, dram_khz, "0", 0, 999, "kHz", "of the same clock, in addition to clock.dram")
// There are two networks: requests and replies.
#define HD_NET_KEYS(U, E)                                                                          \
    U(net, local, "0", 0, 1, "",                                                                   \
      "1: each packet crosses as a whole in one step, and an input may serve several outputs in "  \
      "a "                                                                                         \
      "step (GPGPU-Sim 4's local crossbar); 0: flits through a router")                            \
    U(net, internal_speedup, "1", 1, 4, "per step",                                                \
      "steps that the router makes while a link carries one flit; without net.local")              \
    U(net, flit, "32", 8, 1024, "bytes", "what a network link carries per cycle")                  \
    U(net, header, "8", 1, 1024, "bytes", "of a packet, in front of its data")                     \
    U(net, source, "9", 1, 4096, "flits", "source queue of a network port; takes whole packets")   \
    U(net, router, "8", 1, 4096, "flits", "input buffer of the router, per port")                  \
    U(net, eject, "8", 1, 4096, "flits", "ejection buffer of a network port")                      \
    U(net, boundary, "16", 1, 4096, "flits",                                                       \
      "boundary buffer of a network port; holds whole packets")
// An L2 bank: each sub-partition of the memory has one.
#define HD_L2_KEYS(U, E)                                                                           \
    HD_CACHE_KEYS(U, l2, "L2 bank", "64", 65536, "8", "128", 128,                                  \
                  "L2 line; an L1 miss fetches 128 bytes")                                         \
    HD_MISS_KEYS(U, l2, "32", 1024, "lines in flight of an L2 bank", "4", "4", 3,                  \
                 "L2 misses, writes and write-backs waiting for a queue")                          \
    HD_REPLACE_KEY(E, l2)                                                                          \
    U(l2, sector, "128", 32, 128, "bytes",                                                         \
      "what a miss fetches: 128, a line, or 32, a sector; with sectors, a store fetches nothing "  \
      "and goes to the DRAM when its line is replaced")                                            \
    U(l2, hashed, "0", 0, 1, "",                                                                   \
      "1: sets by a polynomial of all bits of the address above (32 or 64 sets, with sectors)")    \
    U(l2, halves_astray, "0", 0, 1, "",                                                            \
      "with sectors, and requests of half a line: 1: as in GPGPU-Sim 4, the upper half's stores "  \
      "go to the sectors 128 bytes further, and both sectors of a constant line wait for the "     \
      "first one's data; 0: each sector has its own address")                                      \
    U(l2, load_readout, "1", 0, 1, "",                                                             \
      "with sectors: a line that a load replaces is read out for its write-back 1: through the "   \
      "data port; 0: at once, as in GPGPU-Sim")                                                    \
    U(l2, copies, "0", 0, 1, "",                                                                   \
      "1: what the host copies to memory is in the L2 then (with sectors)")                        \
    U(l2, port, "32", 1, 128, "bytes", "data port of an L2 bank per cycle; a power of two")        \
    U(l2, rop, "120", 0, 10000, "cycles",                                                          \
      "delay of a request in front of the L2 (raster operations)")                                 \
    U(l2, from_net, "8", 1, 4096, "requests", "queue between network and L2")                      \
    U(l2, to_net, "8", 1, 4096, "requests", "queue between L2 and network")                        \
    U(l2, to_dram, "8", 1, 4096, "requests", "queue between L2 and DRAM")                          \
    U(l2, from_dram, "8", 1, 4096, "requests", "queue between DRAM and L2")
// The lowest bank bits select the sub-partition. The timings are in DRAM cycles; their names are
// the usual ones without the t.
#define HD_DRAM_KEYS(U, E)                                                                         \
    U(dram, channels, "6", 1, 64, "channels", "DRAM channels (memory partitions)")                 \
    U(dram, subs, "2", 1, 8, "per channel",                                                        \
      "L2 banks and network ports of a channel; a power of two")                                   \
    U(dram, interleave, "256", 128, 1 << 20, "bytes",                                              \
      "before the next channel's turn; a power of two")                                            \
    U(dram, bank_mask, "0xE100", 0, UINT32_MAX, "",                                                \
      "bits of the address inside a channel that choose the bank")                                 \
    U(dram, row_mask, "0x0FFF0000", 0, UINT32_MAX, "",                                             \
      "bits of the address inside a channel that choose the row")                                  \
    E(dram, indexing, dram_indexings, "linear",                                                    \
      "sub-partition of an address: linear (in turn), or polynomial (hashed with all bits of the " \
      "address above it; 32 or 64 sub-partitions)")                                                \
    U(dram, bank_groups, "2", 1, 64, "groups", "bank groups of a channel; a power of two")         \
    U(dram, group_low, "0", 0, 1, "", "bank group of a bank: 0 its high bits, 1 its low bits")     \
    E(dram, commands, dram_commands, "one",                                                        \
      "in a tick: one; ordered (also a row command of a bank before that of the column command); " \
      "dual (a column command and a row command)")                                                 \
    U(dram, queue, "16", 1, 1024, "requests", "waiting in the FR-FCFS scheduler of a channel")     \
    U(dram, returns, "116", 1, 4096, "requests", "return queue of a channel")                      \
    U(dram, latency, "100", 0, 10000, "cycles", "fixed, core clock, in front of the scheduler")    \
    U(dram, burst, "64", 8, 1024, "bytes", "of one column command; a power of two")                \
    U(dram, burst_cycles, "2", 1, 64, "cycles", "DRAM cycles a column command holds the data bus") \
    U(dram, ccd, "2", 1, 255, "cycles", "column command to column command")                        \
    U(dram, ccdl, "3", 0, 255, "cycles", "the same, in one bank group")                            \
    U(dram, rrd, "6", 0, 255, "cycles", "activate to activate of another bank")                    \
    U(dram, rcd, "12", 1, 255, "cycles", "activate to read")                                       \
    U(dram, ras, "28", 0, 255, "cycles", "activate to precharge")                                  \
    U(dram, rp, "12", 0, 255, "cycles", "precharge to activate")                                   \
    U(dram, rc, "40", 0, 255, "cycles", "activate to activate of the same bank")                   \
    U(dram, cl, "12", 1, 255, "cycles", "read latency")                                            \
    U(dram, wl, "4", 1, 255, "cycles", "write latency")                                            \
    U(dram, cdlr, "5", 0, 255, "cycles", "end of write data to read")                              \
    U(dram, wr, "12", 0, 255, "cycles", "end of write data to precharge")                          \
    U(dram, rtpl, "2", 0, 255, "cycles", "read to precharge in one bank group")
// Where allocations of the simulated program are placed. Papers do not tell which DRAM bank and
// which cache set an array falls into; results that depend on that change with these keys.
#define HD_MEM_KEYS(U, E)                                                                          \
    U(mem, align, "256", 256, 1 << 24, "bytes",                                                    \
      "allocations of the program begin at multiples of this; a power of two")                     \
    U(mem, spread, "0", 0, 1 << 24, "bytes", "left free after each allocation; a multiple of 256") \
    U(mem, base, "0x80000000", 0x80000000, 0xE0000000, "",                                         \
      "address of the first allocation; a multiple of mem.align")                                  \
    U(mem, local_base, "0x3FC00000", 0, 0x60000000, "",                                            \
      "where local memory is for caches and DRAM; a multiple of 4096")
// The way of kernels to the SMs. A kernel of the host occupies the machine from its launch on, but
// its blocks start `latency` cycles later, and `per_block` more for each of them. The machine sees
// a kernel that was launched by a kernel after `base` cycles, and after `per_child` more for each
// kernel that the same warp instruction launched. With `wait`, the warp that launched issues
// nothing in these cycles.
#define HD_LAUNCH_KEYS(U, E)                                                                       \
    U(launch, kernels, "8", 1, HD_MAX_KERNELS, "kernels", "running at the same time")              \
    U(launch, latency, "0", 0, 100000000, "cycles",                                                \
      "from the beginning of a kernel of the host until its first block may start")                \
    U(launch, per_block, "0", 0, 1000000, "cycles", "in addition, for each block of its grid")     \
    U(launch, first_sm, "1", 0, HD_MAX_SMS, "",                                                    \
      "number of the SM that receives the machine's first block, modulo sm.sms")                   \
    U(launch, base, "20210", 0, 100000000, "cycles",                                               \
      "from a launch by a kernel until the launched kernel may start")                             \
    U(launch, per_child, "1721", 0, 10000000, "cycles",                                            \
      "in addition, for each kernel that the same warp instruction launched")                      \
    U(launch, wait, "0", 0, 1, "",                                                                 \
      "1: the warp that launched issues nothing in these cycles; 0: it goes on at once")           \
    E(launch, streams, launch_streams, "program",                                                  \
      "streams into which kernels launch: those that the program names, or block: always the "     \
      "default stream of the block, whose kernels run one after another")

// What the compiler computes for policies that ask for distances to loads (ELF, SC 2015).
#define HD_POINTS_KEYS(U, E)                                                                       \
    U(points, slots, "32", 0, 1 << 20, "points",                                                   \
      "program points that the hardware holds, of a kernel and the functions that it may call; "   \
      "others are merged into them; 0 means no limit")                                             \
    U(points, forward, "0", 0, 1, "", "1: forward branches may be points too")                     \
    E(points, merge, point_merges, "true",                                                         \
      "distance from a merged point to its load: true, or as printed, where it grows too large "   \
      "when merges follow each other")                                                             \
    E(points, bit, point_bits, "safe",                                                             \
      "branches that look the distance up when they are taken: all that are no points, or as "     \
      "printed, those whose taken path is shorter")                                                \
    E(points, at, point_ats, "strict",                                                             \
      "the distance at a point that was merged into a later load: strict: to that load, or "       \
      "exact: 0")                                                                                  \
    E(points, jump, point_jumps, "target",                                                         \
      "paths after an unconditional branch: its target, or as printed also what follows it")       \
    E(points, per, point_pers, "kernel",                                                           \
      "the slots are shared by a kernel and the functions that it may call, or each function has " \
      "as many")

// All of them, in the order in which they are listed. L and P are the latencies and the pipes,
// which have a row for each type of operands.
#define HD_CONFIG_SECTIONS(X, L, P)                                                                \
    X(gpu, HD_GPU_KEYS)                                                                            \
    X(sm, HD_SM_KEYS)                                                                              \
    X(l1i, HD_L1I_KEYS)                                                                            \
    X(l1c, HD_L1C_KEYS)                                                                            \
    X(l1d, HD_L1D_KEYS)                                                                            \
    X(l1t, HD_L1T_KEYS)                                                                            \
    X(requeue, HD_REQUEUE_KEYS)                                                                    \
    L(latency)                                                                                     \
    P(pipe)                                                                                        \
    X(flat, HD_FLAT_KEYS)                                                                          \
    X(clock, HD_CLOCK_KEYS)                                                                        \
    X(net, HD_NET_KEYS)                                                                            \
    X(l2, HD_L2_KEYS)                                                                              \
    X(dram, HD_DRAM_KEYS)                                                                          \
    X(launch, HD_LAUNCH_KEYS)                                                                      \
    X(mem, HD_MEM_KEYS)                                                                            \
    X(points, HD_POINTS_KEYS)

// Instruction latency and initiation interval of one class, in core cycles.
struct hd_latency {
    uint32_t latency, interval;
};

// Which pipe serves an operation depends on its latency class and its type; here halves are apart
// from integers.
enum hd_pipe_type {
    HD_PIPE_TYPE_INT,
    HD_PIPE_TYPE_FP16,
    HD_PIPE_TYPE_FP32,
    HD_PIPE_TYPE_FP64,
    HD_N_PIPE_TYPES
};
#define HD_N_PIPE_CLASSES ((unsigned)HD_N_LAT_OPS * HD_N_PIPE_TYPES)
#define HD_PIPE_CLASS(op, type) ((unsigned)(op)*HD_N_PIPE_TYPES + (unsigned)(type))

#define HD_KEY_MEMBER(at, key, ...) uint32_t key;
#define HD_KEY_STRUCT(at, KEYS)                                                                    \
    struct hd_config_##at {                                                                        \
        KEYS(HD_KEY_MEMBER, HD_KEY_MEMBER)                                                         \
    };
#define HD_KEY_SECTION(at, KEYS) struct hd_config_##at at;
#define HD_KEY_NONE(at)
#define HD_KEY_LATENCIES(at) struct hd_latency at[HD_N_LATS]; // by HD_LAT(op, column)
#define HD_KEY_PIPES(at) uint32_t at[HD_N_PIPE_CLASSES]; // enum hd_unit, by HD_PIPE_CLASS(op, type)
HD_CONFIG_SECTIONS(HD_KEY_STRUCT, HD_KEY_NONE, HD_KEY_NONE)
struct hd_config {
    char name[64];
    HD_CONFIG_SECTIONS(HD_KEY_SECTION, HD_KEY_LATENCIES, HD_KEY_PIPES)
};

#endif
