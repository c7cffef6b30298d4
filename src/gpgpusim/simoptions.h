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
    HD_SIM_PART,   // keys follow from it, alone or with other options (simparts.c)
    HD_SIM_IGNORE, // it changes no cycles: host, statistics, power
    HD_SIM_MUST,   // the model is that of these values
    HD_SIM_LACK,   // other values need a part that this reader does not read
    HD_SIM_ALIAS,  // an older spelling of the option in `keys`
};

// X(NAME, what, hint): what version 4 has and this reader does not read. A refusal names the
// options of each, and the keys that a machine file has for them.
#define HD_SIM_LACKS(X)                                                                            \
    X(VERSION4, "the machine of GPGPU-Sim 4",                                                      \
      "rtx2060, rtx3070 and qv100 are such machines; 3.2.2's GTX 480 is --gpu gtx480")             \
    X(LAUNCH, "the time of a launch and limits of one block",                                      \
      "keys launch.latency and launch.per_block; there is no limit for a block alone")             \
    X(PIPES, "separate pipes for double precision, integers and matrices",                         \
      "keys sm.dp_units, sm.int_units, sm.tensor_units and pipe.*")                                \
    X(COLLECTORS, "generic operand collectors", "keys sm.collectors_any and sm.collector_*")       \
    X(ICACHE, "the instruction and constant caches of version 4",                                  \
      "keys sm.fetch_steps, l1i.perfect, l1c.perfect and l1c.at_once")                             \
    X(L1, "the L1 data cache of version 4",                                                        \
      "keys l1d.sector, l1d.latency, l1d.banks, l1d.unified and l1d.dirty_limit")                  \
    X(SHARED, "the latency of shared memory", "key sm.shared_latency")                             \
    X(COALESCE, "accesses of 32 bytes", "key sm.segment")                                          \
    X(L2, "the L2 cache of version 4", "keys l2.sector, l2.hashed and l2.copies")                  \
    X(NET, "the built-in crossbar",                                                                \
      "key net.local; -network_mode 1 with a file for the network is read")                        \
    X(DRAM, "the DRAM of version 4", "keys dram.indexing, dram.commands and dram.group_low")

#define HD_SIM_LACK_ENUM(NAME, what, hint) HD_SIMLACK_##NAME,
enum hd_simlack { HD_SIM_LACKS(HD_SIM_LACK_ENUM) HD_N_SIMLACKS };
#undef HD_SIM_LACK_ENUM

struct hd_simlackname {
    const char *what, *hint;
};
extern const struct hd_simlackname hd_simoptions_lacks[HD_N_SIMLACKS];

// Parts that are read by a function of their own (simparts.c).
// clang-format off
#define HD_SIM_PARTS(X) \
    X(CLOCKS) X(CORE) X(WIDTHS) X(PORTS) X(L1I) X(L1C) X(L1D) X(L1T) X(L2) X(QUEUES) X(OPS) \
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
