// measured.h - measurements of a GPU, by hardware/measure and by the workloads built as programs.
//
// A file has lines "KIND,NAME,LAUNCH,VALUE,UNIT" (docs/hardware.md); a `#` begins a comment. The
// same programs measure a GPU and, under `heddle exec`, a modelled machine, so that two such files
// can be compared line by line.
#ifndef HEDDLE_REPORT_MEASURED_H
#define HEDDLE_REPORT_MEASURED_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>

#define HD_MEASURED_KINDS(X)                                                                       \
    X(MACHINE, "machine")                                                                          \
    X(LATENCY, "latency")                                                                          \
    X(INTERVAL, "interval")                                                                        \
    X(CHASE, "chase")                                                                              \
    X(LANES, "lanes")                                                                              \
    X(BANDWIDTH, "bandwidth")                                                                      \
    X(LAUNCH, "launch")                                                                            \
    X(KERNEL, "kernel")

enum hd_measured_kind {
#define X(NAME, word) HD_MEASURED_##NAME,
    HD_MEASURED_KINDS(X)
#undef X
        HD_MEASURED_N_KINDS
};
extern const char *const hd_measured_words[HD_MEASURED_N_KINDS];

struct hd_measured_row {
    enum hd_measured_kind kind;
    const char *name;
    unsigned launch; // of a kernel: its number in the run
    double value;    // NAN if `text` is no number
    const char *text, *unit;
};

struct hd_measured {
    const char *path;
    struct hd_measured_row *rows;
    size_t n, cap;
};

// Reads a file, or its text. If lines are not understood, returns false after a diagnostic for
// each, but not more of them than `d` keeps.
bool hd_measured_read(struct hd_arena *a, const char *path, struct hd_measured *out,
                      struct hd_diag *d);
bool hd_measured_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                       struct hd_measured *out, struct hd_diag *d);
// The first row of that kind, name and launch; NULL if there is none.
const struct hd_measured_row *hd_measured_find(const struct hd_measured *m,
                                               enum hd_measured_kind kind, const char *name,
                                               unsigned launch);

#endif
