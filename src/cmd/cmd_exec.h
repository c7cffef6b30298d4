// cmd_exec.h - the process that heddle exec starts and looks after (cmd_exec_process.c), and the
// files that it and the processes it starts write results into (cmd_exec_results.c).
#ifndef HEDDLE_CMD_CMD_EXEC_H
#define HEDDLE_CMD_CMD_EXEC_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

// What became of the program. Its words and environment end in NULL.
struct hd_cmd_exec_process {
    const char *path;
    const char **words;
    char **env;
    int pipes[4];    // of cuda/abi/supervisor.h: the two ends of STOP, the two ends of REPORT
    int status;      // for heddle's exit: the program's, or 128 + the signal that ended it
    int interrupted; // the signal that made heddle end it, 0: none
    bool used;       // it used the GPU, or that is not known
    bool unwritten;  // a result could not be written, and why was printed
};

// The value of HEDDLE_SUPERVISOR for the environment; NULL if there are no pipes to be had.
const char *hd_cmd_exec_supervisor(struct hd_cmd_exec_process *p, struct hd_arena *a);
void hd_cmd_exec_run(struct hd_cmd_exec_process *p);

// A file that the program is to write results into, as it was before.
struct hd_cmd_exec_result {
    const char *path;   // as it was asked for; NULL: none
    const char *given;  // what the libraries receive: an absolute path, "%p" for a process's number
    bool shared;        // one name is meant for all processes
    const char *target; // that name, through links
    const char *stem;   // each writes to "STEM<process>" instead; NULL: all write to `path`
    bool existed;
    struct stat was;
};
// The path as seen from anywhere, since the program may go to another folder before it starts to
// use the GPU. NULL and "-" stay.
const char *hd_cmd_exec_absolute(struct hd_arena *a, const char *path);
struct hd_cmd_exec_result hd_cmd_exec_results_before(struct hd_arena *a, const char *path);
// Give the results their names, once the program has ended as `p` says; says if there are none, or
// several. False after a message.
bool hd_cmd_exec_results_collect(const struct hd_cmd_exec_result *r,
                                 const struct hd_cmd_exec_process *p, struct hd_arena *a);
// The name of a process's results where `path` was asked for. machine: "" or ".2" for its second
// one.
const char *hd_cmd_exec_results_name(struct hd_arena *a, const char *path, const char *process,
                                     const char *machine, bool first);
// Names in a folder that begin with the prefix and a process's number, without the prefix, in the
// order in which these processes of heddle's started.
const char **hd_cmd_exec_results_list(struct hd_arena *a, const char *folder, const char *prefix,
                                      size_t *n);

#endif
