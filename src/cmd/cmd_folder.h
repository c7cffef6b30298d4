// cmd_folder.h - a study in a folder: compare and paper plan it (cmd_folder.c), heddle study does
// the rest (cmd_shares.c), a cluster may do the runs (cmd_slurm.c).
#ifndef HEDDLE_CMD_CMD_FOLDER_H
#define HEDDLE_CMD_CMD_FOLDER_H

#include "cmd/cmd.h"
#include "study/folder.h"

#define HD_CMD_FOLDER_BUSY "plans, submits or merges this study"
#define HD_CMD_FOLDER_SHOW (-1) // no exit status: the results are to be shown

struct hd_cmd_folder {
    enum { HD_CMD_FOLDER_PLAN, HD_CMD_FOLDER_SHARE, HD_CMD_FOLDER_MERGE } does;
    struct hd_folder folder;
    struct hd_studyplan plan; // as it was read; not for HD_CMD_FOLDER_PLAN
    unsigned share, shares;   // of HD_CMD_FOLDER_SHARE
    unsigned runs;            // of the share
    int lock;                 // of the share
};

// For compare and paper. Checks the options of a study in a folder, and makes o->in if there is one
// to plan. False after a diagnostic.
bool hd_cmd_folder_check(struct hd_cmd_options *o, struct hd_diag *d);
// Before the study is planned: o->in decides which of its runs are done here.
void hd_cmd_folder_join(const struct hd_cmd_options *o, struct hd_study *s);
// After it is planned. True if the command ends here, with *status: the study was planned, or a
// share of it was simulated, or what is to be merged is not there.
bool hd_cmd_folder_ends(struct hd_cmd_options *o, struct hd_study *s, int *status,
                        struct hd_diag *d);

#endif
