// cmd_slurm.h - the runs of a study as jobs of Slurm: an array job whose tasks are shares, and a
// job after it that merges them.
//
// heddle starts sbatch, squeue and scancel, and keeps the numbers of the jobs in the file `slurm`
// of the study's folder. Whether a run is done is known from the folder alone, never from Slurm.
#ifndef HEDDLE_CMD_CMD_SLURM_H
#define HEDDLE_CMD_CMD_SLURM_H

#include "cmd/cmd.h"
#include "study/folder.h"

struct hd_cmd_slurm {          // the jobs of a study
    const char *array, *merge; // their numbers; NULL: none was submitted
    unsigned pending, running; // tasks in the queue, once it was asked
};

// Whether the options say how to submit something meaningful. False after a diagnostic.
bool hd_cmd_slurm_check(const struct hd_cmd_options *o, struct hd_diag *d);
// The jobs of the last submission; all NULL if there was none. False with a diagnostic if the file
// cannot be read.
bool hd_cmd_slurm_read(const struct hd_folder *f, struct hd_cmd_slurm *out, struct hd_diag *d);
// Counts their tasks in the queue. False with a diagnostic if it cannot be asked.
bool hd_cmd_slurm_ask(struct hd_arena *a, struct hd_cmd_slurm *jobs, struct hd_diag *d);
// Submits `left` runs in as many tasks as o->array says. False with a diagnostic; jobs that were
// accepted are in the file.
bool hd_cmd_slurm_submit(const struct hd_cmd_options *o, const struct hd_folder *f, unsigned left,
                         struct hd_cmd_slurm *out, unsigned *tasks, struct hd_diag *d);
bool hd_cmd_slurm_cancel(struct hd_arena *a, const struct hd_cmd_slurm *jobs, struct hd_diag *d);

#endif
