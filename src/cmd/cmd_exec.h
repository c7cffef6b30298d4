// cmd_exec.h - the process that heddle exec starts and supervises (cmd_exec_process.c), and the
// result files of it and of the processes that it starts (cmd_exec_results.c).
#ifndef HEDDLE_CMD_CMD_EXEC_H
#define HEDDLE_CMD_CMD_EXEC_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

// The end of the program. Its words and environment end in NULL.
struct hd_cmd_exec_process {
    const char *path;
    const char **words;
    char **env;
    int pipes[4];    // of cuda/abi/supervisor.h: the two ends of STOP, the two ends of REPORT
    int status;      // for heddle's exit: the program's status, or 128 + the signal that ended it
    int interrupted; // the signal that made heddle end it; 0 if there was none
    bool used;       // it used the GPU, or that is not known
    bool failed;     // a launch has failed, and the reason was printed
    int ending;      // processes that stop their machines and write results
    bool unwritten;  // a result could not be written, and the reason was printed
};

// The value of HEDDLE_SUPERVISOR for the environment; NULL if no pipes could be made.
const char *hd_cmd_exec_supervisor(struct hd_cmd_exec_process *p, struct hd_arena *a);
void hd_cmd_exec_run(struct hd_cmd_exec_process *p);

// A file for results of the program, and its state before the run.
struct hd_cmd_exec_result {
    const char *path;   // as requested; NULL: none
    const char *given;  // what the libraries receive: an absolute path, "%p" for a process's number
    bool shared;        // all processes have the same name
    const char *target; // that name, through links
    const char *stem;   // each writes to "STEM<process>" instead; NULL: all write to `path`
    bool existed;
    struct stat was;
};
// An absolute path, because the program may change its folder before it uses the GPU. NULL and "-"
// do not change.
const char *hd_cmd_exec_absolute(struct hd_arena *a, const char *path);
struct hd_cmd_exec_result hd_cmd_exec_results_before(struct hd_arena *a, const char *path);
// Renames the results after the program has ended as described by `p`; reports if there are none,
// or several. False after a message.
bool hd_cmd_exec_results_collect(const struct hd_cmd_exec_result *r,
                                 const struct hd_cmd_exec_process *p, struct hd_arena *a);
// The name of a process's results if `path` was requested. machine: "" or ".2" for its second one.
const char *hd_cmd_exec_results_name(struct hd_arena *a, const char *path, const char *process,
                                     const char *machine, bool first);
// Names in a folder that begin with the prefix and a process's number, without the prefix, in the
// order in which these processes of heddle's started.
const char **hd_cmd_exec_results_list(struct hd_arena *a, const char *folder, const char *prefix,
                                      size_t *n);

#endif
