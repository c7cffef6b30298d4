// cmd_latencies.h - what heddle explain tells about the latencies of instructions.
#ifndef HEDDLE_CMD_CMD_LATENCIES_H
#define HEDDLE_CMD_CMD_LATENCIES_H

#include "cmd/cmd.h"

// Whether the name means instructions: a mnemonic or the beginning of one at a dot ("mma"), with or
// without types and modifiers after it, a class of latency.* ("trans"), or a word of the table in
// cmd_latencypaths.c ("cluster"). "latency" means all of them.
bool hd_cmd_latencies_means(const char *name);
// Shows them on the machine of the options, and writes the files of --json and --csv. The exit
// status.
int hd_cmd_latencies_show(const struct hd_cmd_options *o, const char *name);
// Prints the value of a key of the machine of the options, and its source. False after a
// diagnostic.
bool hd_cmd_latencies_key(const struct hd_cmd_options *o, const char *key, struct hd_diag *d);

// Instructions whose time is more than that of a pipe, part by part (cmd_latencypaths.c).
enum hd_cmd_when { HD_CMD_ALWAYS, HD_CMD_CROSSBAR, HD_CMD_FLAT, HD_CMD_L1D };
struct hd_cmd_latencypath {
    const char *names; // words that find the row; the first one is shown
    const char *of;    // which part of its time
    const char *key;   // NULL: no key has it
    const char *cycles, *interval;
    const char *source; // in front of the key's own
    enum hd_cmd_when when;
};
extern const struct hd_cmd_latencypath hd_cmd_latencypaths[]; // up to a row without names

// What was measured on GPUs (cmd_latencypaths.c).
struct hd_cmd_latencymeasured {
    const char *names, *of, *gpu, *cycles, *source;
};
extern const struct hd_cmd_latencymeasured hd_cmd_latencymeasured[]; // up to a row without names

#endif
