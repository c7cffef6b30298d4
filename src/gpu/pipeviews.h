// pipeviews.h - recordings of the pipelines of chosen SMs (heddle/pipeview.h) in chosen cycles.
#ifndef HEDDLE_GPU_PIPEVIEWS_H
#define HEDDLE_GPU_PIPEVIEWS_H

#include "base/diag.h"
#include "heddle/config.h"
#include "heddle/pipeview.h"

// If none are given. An SM issues at most a few instructions per cycle, and a viewer shows some
// thousands of them at a time.
#define HD_PIPEVIEWS_SMS "0"
#define HD_PIPEVIEWS_CYCLES "0:2000"

struct hd_pipeviews_options {
    uint64_t sms[HD_MAX_SMS / 64];
    uint64_t first, end; // cycles; the last one is before `end`
};

// Reads a list such as 0,2,5-7 or "all", and a range such as 1000:3000, 1000: or :3000. `option` is
// the name for diagnostics.
bool hd_pipeviews_read_sms(const char *option, const char *text, const struct hd_config *c,
                           struct hd_pipeviews_options *out, struct hd_diag *d);
bool hd_pipeviews_read_cycles(const char *option, const char *text,
                              struct hd_pipeviews_options *out, struct hd_diag *d);

struct hd_gpu;
// NULL without options.pipeviews.
const struct hd_pipeviews_options *hd_gpu_pipeviews(const struct hd_gpu *g);
// Of a chosen SM; the recording ends with this call. *end: the first cycle that is not in it.
struct hd_pipeview_records hd_gpu_pipeview(struct hd_gpu *g, unsigned sm, uint64_t *end);

#endif
