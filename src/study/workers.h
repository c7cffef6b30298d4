// workers.h - independent pieces of work in child processes, several at a time.
//
// A child that crashes, faults or is killed takes nobody with it; results come in the order of the
// tasks, whatever finishes first.
#ifndef HEDDLE_STUDY_WORKERS_H
#define HEDDLE_STUDY_WORKERS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

struct hd_workers_result {
    bool done;
    int status;         // the child's exit status; 70 if a signal ended it
    const char *result; // NUL-terminated
    size_t bytes;
    const char *talk; // what it wrote to standard error
};

struct hd_workers {
    unsigned n_tasks, at_once;
    // Runs in the child: writes its result, returns its exit status. Standard output goes nowhere,
    // standard error is kept.
    int (*work)(void *ctx, unsigned task, FILE *result);
    void *ctx;
    // Called in the parent when a task has ended, in the order in which they end. NULL: nobody
    // asks.
    void (*ended)(void *ctx, unsigned task, const struct hd_workers_result *r);
    const double *weights; // what each task is expected to cost, for the time left; NULL: all alike
    bool progress;         // draw a bar on standard error
    const char *noun;      // what a task is called there: "runs"
};

// Fills results[n_tasks]. False if an interrupt (Ctrl-C, SIGTERM) stopped it: the children have
// been ended, results of those that were done are kept.
bool hd_workers_run(struct hd_arena *a, const struct hd_workers *workers,
                    struct hd_workers_result *results);

#endif
