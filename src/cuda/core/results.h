// results.h - what comes out of a machine: reports, files, a trace.
#ifndef HEDDLE_CUDA_CORE_RESULTS_H
#define HEDDLE_CUDA_CORE_RESULTS_H

#include "cuda/core/process.h"

struct hd_results_wishes {                // settings.c
    const char *json, *timeline, *record; // file names for results, NULL for none
    const char *annotate, *annotate_json; // of lines of PTX, for people and as JSON
    bool table;                           // print one on standard error
    bool names;                           // print GPGPU-Sim's names on standard output
    bool no_host;                         // leave out what differs between hosts
};
extern struct hd_results_wishes hd_results_wishes;

bool hd_results_wanted(void);
void hd_results_begin(void); // of a machine that is about to be made: its clock, its trace
// Of the machine as it is. In the middle of a call lines of PTX cannot be shown.
void hd_results_write(bool in_call);
void hd_results_trouble(void); // what went wrong with the machine, for people
void hd_results_flush(void);   // the program's own standard output
struct hd_run hd_results_run(void);

#endif
