// results.h - the results of a machine: reports, files, a trace.
#ifndef HEDDLE_CUDA_CORE_RESULTS_H
#define HEDDLE_CUDA_CORE_RESULTS_H

#include "cuda/core/process.h"

struct hd_results_wishes {                         // settings.c
    const char *json, *timeline, *konata, *record; // file names for results, NULL for none
    const char *annotate, *annotate_json;          // cycles by line of PTX, as text and as JSON
    const char *reuse, *reuse_json, *reuse_plan;
    bool table;   // print one on standard error
    bool names;   // print GPGPU-Sim's names on standard output
    bool no_host; // leave out what differs between hosts
};
extern struct hd_results_wishes hd_results_wishes;

bool hd_results_wanted(void);
void hd_results_begin(void); // a machine is about to be made: start its clock and trace
// Writes the machine's results so far. In the middle of a call, lines of PTX cannot be shown.
void hd_results_write(bool in_call);
void hd_results_trouble(void); // reports what went wrong with the machine
void hd_results_drop(void);    // they would be wrong: from now on none are written
void hd_results_flush(void);   // flushes the program's standard output
struct hd_run hd_results_run(void);

#endif
