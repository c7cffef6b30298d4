// compare.h - workloads x machines x warp schedulers, related to a base. A scheduler is compared
// with several policies of the other slots, too, if the user gives several.
#ifndef HEDDLE_STUDY_COMPARE_H
#define HEDDLE_STUDY_COMPARE_H

#include "present/sheet.h"
#include "study/study.h"

struct hd_compare_machine {
    const char *label;  // what distinguishes it from the others: "gtx480 l1d.ways=8"; "" if it is
                        // the only one
    const char *varied; // its variation alone: "l1d.ways=8", or ""
    const char *set;    // all that hd_runreport_sets names, whether it is varied or not
    const char *fixed;  // hd_run_options.sets of a job or a trace, whose PTX nothing changes
    const char *words;  // command line options that choose it
    struct hd_config config;
    struct hd_run_options options; // all except the scheduler
};

struct hd_compare_sched {
    const char *label; // "gto"; with several policies of another slot, "gto --tb laperm"
    const char *words; // command line options that choose it
    struct hd_policy_choice slot[HD_N_SLOTS]; // spec NULL: what the machine's options say
};

struct hd_compare_mean { // of `relative`, over the workloads that have one
    unsigned n, n_cut;   // n_cut: those of them whose runs were stopped by a limit
    double arithmetic, geometric;
    // Of samples: how far they may be off, as a part of them; negative: not known.
    double arithmetic_error, geometric_error;
};

#define HD_COMPARE_OWN (-1)

struct hd_compare {
    struct hd_arena *arena;
    struct hd_study study; // arena, at_once, host, progress, out, db, unstored are the caller's
    struct hd_study_work *workloads;
    const char **words;  // of the workloads, as given
    const char **inputs; // command line options that choose their inputs
    struct hd_compare_machine *machines;
    struct hd_compare_sched *scheds;
    unsigned n_workloads, n_machines, n_scheds;
    unsigned base_sched;
    int base_machine; // the machine that all are compared with; HD_COMPARE_OWN: each machine's own
    // Filled by hd_compare_relate. relative: IPC / IPC of the same workload under the base's
    // scheduler on the base's machine, or 0 if there is no such number.
    double *relative;              // by run
    struct hd_compare_mean *means; // by machine * n_scheds + sched
    // Of samples of the launches: how far `relative` may be off, as a part of it; negative: not
    // known. NULL without samples.
    double *errors; // by run
    bool *paired;   // by run: the error is that of pairs of launches
};

// The run of that cell is study.runs[hd_compare_cell(...)].
unsigned hd_compare_cell(const struct hd_compare *c, unsigned workload, unsigned machine,
                         unsigned sched);
const char *hd_compare_base(const struct hd_compare *c); // its name
// Its number, for a run on that machine.
unsigned hd_compare_base_cell(const struct hd_compare *c, unsigned workload, unsigned machine);
const struct hd_sample_options *hd_compare_sample(const struct hd_compare *c); // NULL: no samples
// Chooses the base by "SCHED", "SCHED@MACHINE" or "@MACHINE", where a machine is given by its name,
// its label or its changes. NULL chooses the first scheduler on each machine or, if there is only
// one scheduler, the first machine. False after a diagnostic.
bool hd_compare_choose_base(struct hd_compare *c, const char *text, struct hd_diag *d);

bool hd_compare_plan(struct hd_compare *c, struct hd_diag *d); // false: see hd_study_plan
bool hd_compare_start(struct hd_compare *c);                   // false: interrupted
void hd_compare_relate(struct hd_compare *c); // part of it; for another base, again with a copy
void hd_compare_end(struct hd_compare *c);

// comparetable.c
// What all runs have in common, for titles: ", on gtx480 sm.warps=24, size small, seed 1".
const char *hd_comparetable_conditions(const struct hd_compare *c);
void hd_comparetable_print(const struct hd_compare *c);    // table and bars on standard output
void hd_comparetable_failures(const struct hd_compare *c); // what failed, on standard error
void hd_comparetable_csv(const struct hd_compare *c, struct hd_out *out);
void hd_comparetable_json(const struct hd_compare *c, struct hd_out *out);
void hd_comparetable_sheets(const struct hd_compare *c, struct hd_sheets *out); // and figures

#endif
