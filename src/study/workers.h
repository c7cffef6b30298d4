// workers.h - independent pieces of work in child processes, several at a time.
//
// A child that crashes, faults or is killed does not affect other processes; results are in the
// order of the tasks, whatever finishes first.
#ifndef HEDDLE_STUDY_WORKERS_H
#define HEDDLE_STUDY_WORKERS_H

#include "base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hd_workers_result {
    bool done;
    int status; // the child's exit status; if a signal ended it, 70 for a crash, else 128 + signal
    int signal; // the signal that ended it, or 0
    const char *result; // NUL-terminated; after `ended`, "": it was valid only there
    size_t bytes;
    const char *messages; // what it wrote to standard error
};

// The progress of a child, which writes it; the parent reads it.
struct hd_workers_pulse {
    _Atomic uint64_t blocks, blocks_done;
};

enum { HD_WORKERS_NONE = -1, HD_WORKERS_LATER = -2 };

struct hd_workers {
    unsigned n_tasks, at_once;
    // Runs in the child: writes its result, returns its exit status. Standard output is discarded,
    // standard error is kept.
    int (*work)(void *ctx, unsigned task, FILE *result, struct hd_workers_pulse *pulse);
    void *ctx;
    // Called in the parent to choose the next task. HD_WORKERS_LATER means that it is to be called
    // again soon, HD_WORKERS_NONE that no task is left. NULL starts all tasks in their order.
    int (*next)(void *ctx);
    // Called in the parent when a task has ended, in the order in which they end, with what its
    // child wrote. NULL: not called, and what children write is dropped.
    void (*ended)(void *ctx, unsigned task, const struct hd_workers_result *r);
    void (*tick)(void *ctx); // called in the parent several times in a second. NULL: not called
    const char *(*label)(void *ctx, unsigned task); // for the progress line. NULL: none
    const double *weights; // the expected cost of each task, for the time left; NULL: all equal
    bool progress;         // draw a bar on standard error
    const char *noun;      // what a task is called there: "runs"
    // The number of tasks that need not be started any more because other processes have done them,
    // and the sum of their expected costs; `next` updates them. NULL: there are none.
    const unsigned *elsewhere;
    const double *elsewhere_weight;
};

// Fills results[n_tasks]. False if an interrupt (Ctrl-C, SIGTERM) stopped it: the children have
// been ended, results of those that were done are kept.
bool hd_workers_run(struct hd_arena *a, const struct hd_workers *workers,
                    struct hd_workers_result *results);

#endif
