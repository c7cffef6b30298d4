// cmd_paper.h - the two forms of heddle paper: figures (cmd_paper.c), and claims under every
// reading (cmd_readings.c), which cmd_paper.c calls. What they share is in cmd_paperparts.c.
#ifndef HEDDLE_CMD_CMD_PAPER_H
#define HEDDLE_CMD_CMD_PAPER_H

#include "cmd/cmd.h"
#include "paper/paper.h"

int hd_cmd_readings(struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d);

// The machine of the runs, as the options have it.
bool hd_cmd_paper_machine(const struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d);
// The inputs. A workload that does not exist is shown as missing.
void hd_cmd_paper_apps(const struct hd_cmd_options *o, struct hd_paper *p);
// "40 s", "12 min", "3 h 05 min"
const char *hd_cmd_paper_time(struct hd_arena *a, double seconds);
// How many runs are left, and how long they may take, on standard error.
void hd_cmd_paper_announce(const struct hd_study *s);
// Print and write the sheets; returns the exit status.
int hd_cmd_paper_results(struct hd_cmd_options *o, struct hd_paper *p);
// "a,b" as a NULL-terminated list.
const char **hd_cmd_paper_list(const struct hd_cmd_options *o, const char *text);

#endif
