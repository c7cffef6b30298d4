// cmd_exec.h - the process that heddle exec starts and looks after (cmd_exec_process.c).
#ifndef HEDDLE_CMD_CMD_EXEC_H
#define HEDDLE_CMD_CMD_EXEC_H

#include "base/arena.h"

#include <stdbool.h>

// What became of the program. Its words and environment end in NULL.
struct hd_cmd_exec_process {
    const char *path;
    const char **words;
    char **env;
    int pipes[4];    // of cuda/supervised.h: the two ends of STOP, the two ends of REPORT
    int status;      // for heddle's exit: the program's, or 128 + the signal that ended it
    int interrupted; // the signal that made heddle end it, 0: none
    bool used;       // it used the GPU, or that is not known
    bool unwritten;  // a result could not be written, and why was printed
};

// The value of HEDDLE_SUPERVISOR for the environment; NULL if there are no pipes to be had.
const char *hd_cmd_exec_supervisor(struct hd_cmd_exec_process *p, struct hd_arena *a);
void hd_cmd_exec_run(struct hd_cmd_exec_process *p);

#endif
