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
    HD_SIM_LACK,   // other values need a part that heddle does not have yet
    HD_SIM_ALIAS,  // an older spelling of the option in `keys`
};

// X(NAME, what, hint): what version 4 has and heddle lacks. A refusal names the options of each.
#define HD_SIM_LACKS(X)                                                                            \
    X(VERSION4, "the machine of GPGPU-Sim 4",                                                      \
      "heddle models that of 3.2.2, whose GTX 480 is --gpu gtx480")                                \
    X(LAUNCH, "the time of a launch and limits of one block",                                      \
      "leave it out of both simulators to compare them")                                           \
    X(PIPES, "separate pipes for double precision, integers and matrices",                         \
      "heddle has sm.sp_units, sm.sfu_units and pipe.*")                                           \
    X(COLLECTORS, "generic operand collectors", "heddle has sm.collectors_sp, _sfu and _mem")      \
    X(ICACHE, "the instruction and constant caches of version 4",                                  \
      "l1i.perfect and l1c.perfect are separate keys")                                             \
    X(L1, "the L1 data cache of version 4",                                                        \
      "it has sectors, banks, a latency queue and a size that follows the kernel; l1d has whole "  \
      "lines")                                                                                     \
    X(SHARED, "the latency of shared memory", "it is fixed at version 3's 3 cycles")               \
    X(COALESCE, "accesses of 32 bytes", "coalescing makes 128-byte segments, as on Fermi")         \
    X(L2, "the L2 cache of version 4",                                                             \
      "it has sectors, fetches lazily and hashes its sets; l2 has whole lines")                    \
    X(NET, "the built-in crossbar", "-network_mode 1 with a file for the network is modelled")     \
    X(DRAM, "the DRAM of version 4",                                                               \
      "it hashes partitions, chooses bank groups by low bits and sends two commands a cycle")

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
