// readings.h - under which readings of a paper its claims hold, under which they fail, and how far
// they move in between.
//
// A paper leaves open what a simulator must decide. Each such question is an axis of its data file,
// each answer a reading: what it changes in the runs, and the sentence that allows it. The file as
// it stands is the default reading. `heddle paper NAME --readings` makes the claims' runs under a
// designed subset of all combinations: the default, each other reading alone, then pairs of
// readings of the two axes that moved the claims most. docs/papers.md describes the sections.
//
// The order of files is: readingsaxes reads and checks the axes; readingsdesign chooses the points
// and sums up, and knows no run; readings makes the runs of each point and the claims' values;
// readingssheets shows them.
//
// Invariants: a point differs from the default only by what its readings change, so a run that they
// do not touch has the key of the default's and is made once. A claim is summed up over the
// points that can move it at all. Whatever order the runs end in, the same bytes come out.
#ifndef HEDDLE_PAPER_READINGS_H
#define HEDDLE_PAPER_READINGS_H

#include "paper/paperclaims.h"

enum hd_readings_what {
    HD_READINGS_PARAM, // of a policy
    HD_READINGS_KEY,   // of the machine, in the runs of a policy
    HD_READINGS_SPEC,  // another policy in the place of one
    HD_READINGS_SET,   // a key of the machine, as --set
    HD_READINGS_GPU,   // another machine
    HD_READINGS_SIZE,  // of the inputs
    HD_READINGS_SEED,  // of the inputs
    HD_READINGS_REGS,  // of the kernels, as --regs
    HD_READINGS_PTX,   // of the workloads, as --ptx
    HD_READINGS_APP,   // another workload for an application
};

struct hd_readings_change {
    enum hd_readings_what what;
    unsigned policy;   // PARAM, KEY, SPEC: index among the paper's policies; APP: among its apps
    const char *key;   // PARAM: "age", KEY, SET: "mem.align"; two readings cannot both change it
    const char *value; // PARAM: "age=0", SPEC: "two_level_groups:8", SET: "mem.align=4096"
};

struct hd_readings_value {           // a reading
    const char *name, *title, *says; // says: a sentence; "": none
    uint32_t line;
    bool machine; // it changes more than policies
    struct hd_readings_change *changes;
    size_t n, cap;
};

struct hd_readings_axis {
    const char *name, *title;
    const char *base; // what the default reading of it is called
    const char *says; // the sentence that is open
    uint32_t line;
    struct hd_readings_value *values; // beside the default
    unsigned n;
    size_t cap;
};

struct hd_readings_point { // a combination: of these axes not the default; n 0: the default
    unsigned n, axis[2], value[2];
};

struct hd_readings_points {
    struct hd_readings_point *items;
    size_t n, cap;
};

struct hd_readings_result { // of a claim at a point
    bool applies;           // the point can move it
    bool good;              // it could be evaluated; `ours` is NAN if it has no number
    bool agrees;
    double ours;
    const char *verdict;
};

struct hd_readings_claim {
    const struct hd_paper_claim *claim;
    enum hd_paper_scale scale; // of its numbers: an order has the count of neighbours that hold
    double paper;
    bool *uses, *apps;                  // by policy of the paper; by application
    struct hd_readings_result *results; // by point
    size_t cap;
};

// What a reading changes beside policies.
struct hd_readings_machine {
    const char **sets, *gpu, *size, *seed, *regs, *ptx; // NULL: as it is
    size_t n_sets;
    bool apps; // applications have other workloads
};

struct hd_readings {
    struct hd_paper *paper; // the default reading
    bool full;              // with the readings that are not in the published set, and all pairs
    const char **chosen;    // claims, NULL after the last; NULL: all
    // Make the machine, inputs and command line of a point's own paper. False with diagnostics.
    bool (*set_up)(void *ctx, struct hd_paper *own, const struct hd_readings_machine *m,
                   struct hd_diag *d);
    void *ctx;
    // Filled.
    struct hd_readings_axis *axes;
    unsigned n_axes, n_claims;
    unsigned n_still;  // claims that need no run, which no reading moves
    unsigned n_costly; // claims that are not judged under the readings of the published set
    size_t axes_cap;
    const char **left_out; // readings that only the full set tries
    size_t n_left_out, left_out_cap;
    struct hd_readings_claim *claims;
    struct hd_readings_points points;
    struct hd_paper **papers; // by point
    size_t papers_cap, planned;
    double *strength;      // by axis: how far it moves the claims, in their tolerances
    bool paired;           // strongest is known
    unsigned strongest[2]; // axes whose readings are combined
};

// readingsaxes.c: the axes of the paper's file. False with diagnostics.
bool hd_readingsaxes_read(struct hd_readings *r, struct hd_diag *d);
// Whether `full` of a reading or a claim says that only --readings=full tries it: always, or with
// inputs of this size. False with a diagnostic.
bool hd_readingsaxes_extra(const struct hd_paper *p, const struct hd_paper_section *s, bool *extra,
                           struct hd_diag *d);
// Do they change the same thing, so that they cannot both hold?
bool hd_readingsaxes_exclude(const struct hd_readings_value *one,
                             const struct hd_readings_value *two);
const char *hd_readingsaxes_changes(const struct hd_readings *r, const struct hd_readings_value *v);
// Does a reading that changes this parameter of the policy change it in this slot? In that of
// warps, unless only policies of other slots have it: then in theirs.
bool hd_readingsaxes_in_slot(const struct hd_paper_policy *of, enum hd_slot slot,
                             const char *param);

// readingsdesign.c: the default, then each reading alone; each pair of readings of two axes.
void hd_readingsdesign_singles(struct hd_arena *a, const struct hd_readings_axis *axes, unsigned n,
                               struct hd_readings_points *out);
void hd_readingsdesign_pairs(struct hd_arena *a, const struct hd_readings_axis *axes, unsigned one,
                             unsigned two, struct hd_readings_points *out);
struct hd_readings_range { // of a claim over the points that have a number for it
    unsigned n, agree;
    double least, median, most;
};
struct hd_readings_range
hd_readingsdesign_range(struct hd_arena *a, const struct hd_readings_result *results, size_t n);
// How far the readings of each axis, alone, move a claim from the default: moves[n_axes], 0 where
// they do not.
void hd_readingsdesign_moves(const struct hd_readings_points *points,
                             const struct hd_readings_result *results, unsigned n_axes,
                             double *moves);
// The axis with the largest number, the first of equals; n: all are 0.
unsigned hd_readingsdesign_largest(const double *of, unsigned n);
// The two largest, in the order of the file. False if fewer than two are above 0.
bool hd_readingsdesign_strongest(const double *strength, unsigned n, unsigned out[2]);

// readings.c: read the axes, choose the claims, plan the points that are known now. Then their runs
// are those of hd_readings_study, which the caller plans and starts as any study.
bool hd_readings_plan(struct hd_readings *r, struct hd_diag *d);
void hd_readings_study(struct hd_readings *r, struct hd_study *out);
// After the study has ended: the claims' values at its points.
void hd_readings_take(struct hd_readings *r, const struct hd_study *s);
// Plan the pairs of the strongest axes, if that is still to be done: *more.
bool hd_readings_pair(struct hd_readings *r, bool *more, struct hd_diag *d);
// Before the first study, which has been planned: at most how many runs the pairs will take, and
// their seconds on one processor; 0 if those are not known.
void hd_readings_expect(const struct hd_readings *r, const struct hd_study *first, unsigned *runs,
                        double *seconds);
const char *hd_readings_name(const struct hd_readings *r, size_t point); // "slot + sm_20"

// readingssheets.c: the paper's sheets; the last one has each claim under each reading.
void hd_readingssheets_make(struct hd_readings *r);
// One line of text with a mark for each reading.
const char *hd_readingssheets_strip(struct hd_arena *a, const struct hd_readings_result *results,
                                    size_t n, double paper);

#endif
