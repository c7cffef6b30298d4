// simoptions.h - the options of GPGPU-Sim, one row each, and what heddle does with them.
//
// The reader, `heddle explain -gpgpu_...`, `heddle list gpgpusim` and the table in
// docs/gpgpusim-options.md come from these rows (simoptions.def).
#ifndef HEDDLE_GPGPUSIM_SIMOPTIONS_H
#define HEDDLE_GPGPUSIM_SIMOPTIONS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum hd_simtype {
    HD_SIM_FLAG, // 0 or 1; without a value it is 1
    HD_SIM_INT,
    HD_SIM_TEXT
};

enum hd_simhow {
    HD_SIM_KEY,    // the number is the value of one key
    HD_SIM_PART,   // keys follow from it, alone or with other options (simparts.h)
    HD_SIM_IGNORE, // it changes no cycles: host, statistics, power
    HD_SIM_MUST,   // the model is that of these values
    HD_SIM_LACK,   // other values need a part that heddle does not have
    HD_SIM_ALIAS,  // an older spelling of the option in `keys`
};

// X(NAME, what, hint): what GPGPU-Sim has and heddle lacks. A refusal names the options that ask
// for it.
#define HD_SIM_LACKS(X)                                                                            \
    X(VERSION4, "options of version 4 in a file of version 3",                                     \
      "its -gpgpu_pipeline_widths has 7 numbers; version 4's has 13, or 11 without pipes for "     \
      "matrices")                                                                                  \
    X(COLLECTORS, "such operand collectors",                                                       \
      "collectors are for all pipes, as many as their ports, or of an SM without sub-cores and "   \
      "for one kind of pipe each")                                                                 \
    X(CACHES, "such instruction, constant or texture caches",                                      \
      "they have whole lines, replace the least recently used one and are only read")              \
    X(L1, "such an L1 data cache",                                                                 \
      "version 4's is N:...,L:L:m:N:L,... or, with sectors, S:...,L:T:m:L:L,...")                  \
    X(L2, "such an L2 cache",                                                                      \
      "version 4's is S:...,L:B:m:L:P,... with sectors, or with whole lines N:...,L:B:m:W:L,... "  \
      "and -gpgpu_perf_sim_memcpy 0")                                                              \
    X(SECTORS, "an L1D with sectors for accesses of 128 bytes",                                    \
      "its sectors need -gpgpu_coalesce_arch 40 or more, whose accesses have 32 bytes")            \
    X(INDEXING, "partitions that such a hash chooses",                                             \
      "-gpgpu_memory_partition_indexing 0 takes the channel from the address")                     \
    X(DRAM, "such a DRAM",                                                                         \
      "it has no hash of banks, no queue of its own for writes, and time between reads and "       \
      "writes")

#define HD_SIM_LACK_ENUM(NAME, what, hint) HD_SIMLACK_##NAME,
enum hd_simlack { HD_SIM_LACKS(HD_SIM_LACK_ENUM) HD_N_SIMLACKS };
#undef HD_SIM_LACK_ENUM

struct hd_simlackname {
    const char *what, *hint;
};
extern const struct hd_simlackname hd_simoptions_lacks[HD_N_SIMLACKS];

// Parts that are read by a function of their own (simparts.h).
// clang-format off
#define HD_SIM_PARTS(X) \
    X(CLOCKS) X(CORE) X(PIPES) X(COLLECTORS) X(L1I) X(L1C) X(L1D) X(L1T) X(L2) X(QUEUES) X(OPS) \
    X(SCHEDULER) X(NETWORK) X(BURST) X(MAPPING) X(TIMINGS)
// clang-format on
#define HD_SIM_PART_ENUM(NAME) HD_SIMPART_##NAME,
enum hd_simpart { HD_SIM_PARTS(HD_SIM_PART_ENUM) HD_N_SIMPARTS };
#undef HD_SIM_PART_ENUM

struct hd_simoption {
    const char *name;                // with its dash
    const char *default3, *default4; // of versions 3.2.2 and 4; NULL: it does not exist there
    // KEY, PART: keys of the machine. MUST, LACK: the accepted values, "1|2". ALIAS: the option.
    const char *keys;
    const char *note;
    unsigned char type, how;
    unsigned char which; // enum hd_simpart or hd_simlack
};

extern const struct hd_simoption hd_simoptions[]; // ends with a NULL name
#define HD_SIMOPTIONS_MAX 256

// The row, an alias replaced by the one that it stands for; NULL if there is none. The dash may be
// missing.
const struct hd_simoption *hd_simoptions_find(const char *name);
const char *const *hd_simoptions_names(void); // all names with a NULL after them
unsigned hd_simoptions_index(const struct hd_simoption *o);
// Whether the value is one of "1|2", as a number or as text.
bool hd_simoptions_accepts(const char *values, const char *value);
// The accepted values as text: "13 or 20".
const char *hd_simoptions_values(struct hd_arena *a, const char *values);
// "key", "derived", "ignored", "fixed" or "missing", as lists show it.
const char *hd_simoptions_how(const struct hd_simoption *o);

#endif
