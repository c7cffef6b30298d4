// paper.h - a paper's figures and tables from its data file papers/NAME.ini: the runs they need,
// and what comes out beside what the paper reports. docs/papers.md describes the files.
//
// Only what a kind of figure does is code; which applications, policies and numbers is data.
//
// Reading (paperfile.c, paperpolicies.c) checks the whole file before anything runs. Planning asks
// for runs, which a study (study/study.h) simulates or finds in the database; showing reads their
// results and fills sheets. The order of files is: paperfile, paperpolicies, papermeans;
// paperlaunches; paperkernels; paperruns, which asks and sums; the kinds of figure (papertables,
// papercharts, paperphases, papergains, papersweeps, paperreuse); paperkinds, which knows them all;
// claims (paperclaims.h); paper; papertext.
//
// Invariants: a run is asked for while planning or not at all; a number that is missing, because an
// application is not written or its run failed, is shown as missing with its reason and enters no
// mean. Only commands stand above this folder.
#ifndef HEDDLE_PAPER_PAPER_H
#define HEDDLE_PAPER_PAPER_H

#include "present/sheet.h"
#include "study/study.h"

struct hd_paper_pair {
    const char *key, *value;
    uint32_t line;
};

struct hd_paper_section { // "[kind name]"
    const char *kind, *name;
    struct hd_paper_pair *pairs;
    size_t n, cap;
    uint32_t line;
};

// What a run records beside its cycles. Different runs, because the records cost time.
enum hd_paper_with {
    HD_PAPER_PLAIN,
    HD_PAPER_METRICS, // of warps, blocks and barriers (gpu/metrics.h)
    HD_PAPER_REUSE,   // which data is used again (reuse/reuse.h)
    HD_PAPER_N_WITH
};

struct hd_paper_app {
    const struct hd_paper_section *section;
    const char *label, *word; // word: of a command line, NULL: there is no such workload yet
    struct hd_study_work *work;
    const char *instead; // of a reading: the word of another workload; NULL: none
    unsigned launches;   // only the first of them count; 0: all
    const char *only;    // words: of these kernels alone the launches count; NULL: all
    const char *kernels; // words: whose warps are recorded; NULL: all
};

struct hd_paper_machine { // of a policy that has not the paper's
    struct hd_config config;
    struct hd_run_options options; // as those of the paper
    const char *words;             // of a command line
};

// A policy of the file; after all of these, what figures make of them: the same on a figure's own
// machine, and at each value of a sweep ("ELF++@16").
struct hd_paper_policy {
    const char *label;
    const struct hd_paper_section *section; // [policy LABEL]
    // By slot. spec NULL: what that of the warp order brings, or the baseline.
    struct hd_policy_choice slot[HD_N_SLOTS];
    const struct hd_paper_section *figure; // the one that made it; NULL: it is in the file
    unsigned base;                         // the policy of the file, itself or another
    const char *gpu;                       // NULL: the paper's
    const char **sets;                     // KEY=VALUE of the machine in its runs
    size_t n_sets, sets_cap;
    const char *plan;  // the policy whose runs show which data is used again; NULL: it needs none
    const char *value; // of a sweep: KEY=VALUE, after `sets`; NULL: none
    const struct hd_paper_machine *machine; // filled by a command; NULL: the paper's
};

struct hd_paper {
    struct hd_arena *arena;
    const char *path, *name; // "lfws"
    struct hd_paper_section *sections;
    size_t n_sections, cap;
    struct hd_paper_app *apps;
    struct hd_paper_policy *policies;
    unsigned n_apps, n_policies;
    size_t policies_cap;
    struct hd_config config;
    struct hd_run_options options; // of every run, without a scheduler
    const char *size;              // of every input
    uint64_t seed;                 // of every input
    const char *words, *input;     // of a command line: machine; size, seed and PTX
    const char **chosen;           // figures to show, NULL after the last; NULL: all
    struct hd_study study;
    size_t runs_cap;
    // By (app * n_policies + policy) * HD_PAPER_N_WITH + with: index of the run plus one, or 0.
    unsigned *run_of;
    struct hd_sheets sheets;
    struct hd_paper_claim *claims; // paperclaims.h
    unsigned n_claims;
    const char *reading; // of labels: what the runs read otherwise (readings.h); NULL: nothing
};

// paperfile.c: reading. False with diagnostics.
bool hd_paper_read(struct hd_paper *p, struct hd_diag *d);
const char *hd_paper_text(const struct hd_paper_section *s, const char *key); // NULL: none
const char *hd_paper_about(const struct hd_paper *p, const char *key); // of [paper]; "": none
// The value of a figure's key, which it must have; else a diagnostic and NULL.
const char *hd_paper_need(const struct hd_paper *p, const struct hd_paper_section *s,
                          const char *key, struct hd_diag *d);
bool hd_paper_number(const struct hd_paper_section *s, const char *key, double *out);
// Number i of the sections of a kind; NULL after the last.
const struct hd_paper_section *hd_paper_section(const struct hd_paper *p, const char *kind,
                                                unsigned i);
const struct hd_paper_section *hd_paper_find(const struct hd_paper *p, const char *kind,
                                             const char *name);
// Field i of "a | b | c", without blanks around it; "" if there are fewer.
const char *hd_paper_field(struct hd_arena *a, const char *value, unsigned i);
// Lists of a figure by name: `value` holds labels, or names a [set]. Indices; false with a
// diagnostic that names the section.
struct hd_paper_list {
    unsigned *items;
    unsigned n;
};
bool hd_paper_apps(const struct hd_paper *p, const struct hd_paper_section *s, const char *key,
                   struct hd_paper_list *out, struct hd_diag *d);
bool hd_paper_policies(const struct hd_paper *p, const struct hd_paper_section *s, const char *key,
                       struct hd_paper_list *out, struct hd_diag *d);
// The policy of this name as a section means it: a figure and its claims mean their own. False:
// there is none.
bool hd_paper_policy_named(const struct hd_paper *p, const struct hd_paper_section *s,
                           const char *label, unsigned *out);
bool hd_paper_chosen(const struct hd_paper *p, const struct hd_paper_section *figure);

// paperpolicies.c: the policies of the file, then those that figures make of them; after
// hd_paper_read.
bool hd_paperpolicies_read(struct hd_paper *p, struct hd_diag *d);
// Does it have a machine of its own?
bool hd_paperpolicies_own(const struct hd_paper_policy *policy);
// Its policies on a command line: "elf --fetch rr", a plan as the file `plan`; with its keys: "elf
// --set l1i.prefetch=16".
const char *hd_paperpolicies_spec(struct hd_arena *a, const struct hd_paper_policy *policy);
const char *hd_paperpolicies_words(const struct hd_paper *p, unsigned policy);
const struct hd_config *hd_paperpolicies_config(const struct hd_paper *p, unsigned policy);

// paperlaunches.c: what is kept of the launches of a run.
// ELF's classes of stall cycles, and the rules by which a cycle goes to one of them.
enum { HD_PAPER_CONFLICT, HD_PAPER_DEPENDENCY, HD_PAPER_FETCH, HD_PAPER_OTHER, HD_PAPER_CLASSES };
enum { HD_PAPER_FIRST, HD_PAPER_HEAD, HD_PAPER_SHARE, HD_PAPER_RULES };
struct hd_paper_launch {
    const char *name; // NULL: it has none
    bool child;       // a kernel launched it
    double start, cycles, insts, long_insts, issued, idle, scoreboard, pipeline, inactive;
    double l1d_accesses, l1d_misses, l1d_reads, l1d_read_hits, l2_accesses, l2_misses;
    double lost[HD_PAPER_RULES][HD_PAPER_CLASSES];
    // NAN: the result of the run has no such number.
    double blocks, threads, tbs_per_sm, depth; // of the grid; of a block; at most on an SM
    double points, after;                      // ELF's program points, before merging and after
    double warps, barrier_share, exit_share;   // only with HD_PAPER_METRICS, as the next
    double phases, rtru;                       // sums over its blocks' phases; 0: there are none
};
struct hd_paper_launches {
    size_t n;
    const struct hd_paper_launch *of; // in the order of the launches
};
// For hd_study.took: makes the table of a run's launches and frees their objects.
void hd_paperlaunches_take(struct hd_study *s, struct hd_study_run *run);
// Of a run that has ended; none if it is NULL or has no result.
struct hd_paper_launches hd_paper_launches(const struct hd_study_run *run);

// paperruns.c: the run of an application under a policy, to be asked for while planning, then to be
// read. NULL: the application is missing.
bool hd_paper_ask(struct hd_paper *p, unsigned app, unsigned policy, enum hd_paper_with with);
const struct hd_study_run *hd_paper_run(const struct hd_paper *p, unsigned app, unsigned policy,
                                        enum hd_paper_with with);
// What the runs cost, in seconds, as the paper's file has it.
void hd_paper_weigh(struct hd_paper *p);
// Sums over the launches of a run that count for its application.
struct hd_paper_sums {
    bool good; // there is a run, whole or up to a limit
    bool cut;  // up to a limit
    double cycles, insts, long_insts, issued, idle, scoreboard, pipeline, inactive;
    double l1d_accesses, l1d_misses, l1d_reads, l1d_read_hits, l2_accesses, l2_misses;
    // ELF's classes of cycles without issue, by each rule (docs/output.md).
    double lost[HD_PAPER_RULES][HD_PAPER_CLASSES];
};
struct hd_paper_sums hd_paper_sum(const struct hd_paper *p, unsigned app, unsigned policy,
                                  enum hd_paper_with with);
// A kernel of a run, all its launches; `index` counts in the order of first launches.
struct hd_paper_kernel {
    const char *name;
    double cycles;
    uint64_t blocks;      // of the first launch
    double points, after; // ELF's program points, merged or not; NAN: the policy asks for none
};
// The same by its name.
bool hd_paper_kernel_named(const struct hd_study_run *run, const char *name,
                           struct hd_paper_kernel *out);
bool hd_paper_kernel(const struct hd_study_run *run, unsigned index, struct hd_paper_kernel *out);
// The kernel that the app's list has as number `index`: kernel.* = name | blocks | points | ours.
// Without `ours`, its name here, it is the one that is launched as number `index`.
bool hd_paper_kernel_listed(const struct hd_paper *p, const struct hd_study_run *run, unsigned app,
                            unsigned index, struct hd_paper_kernel *out);
const char *hd_paper_kernel_text(const struct hd_paper *p, unsigned app, unsigned index);
unsigned hd_paper_n_kernels(const struct hd_paper *p, unsigned app); // that the paper counts
// Why there is no number: "missing", "fault", "no" (a failed check), ...
const char *hd_paper_why(const struct hd_paper *p, unsigned app, unsigned policy,
                         enum hd_paper_with with);

// paperkernels.c: the kernel that a figure, or a claim by itself or by its figure, is about; NULL:
// that of the first launch.
const char *hd_paper_kernel_of(const struct hd_paper *p, const struct hd_paper_section *s);
// The number of its first launch; SIZE_MAX: there is none. Of NULL it is 0.
size_t hd_paper_launch_of(const struct hd_study_run *run, const char *kernel);
// Fills in `kernels` of all applications; after hd_paper_read.
void hd_paperkernels_read(struct hd_paper *p);

// A sheet for a figure, with its title, place and notes.
struct hd_sheet *hd_paper_sheet(struct hd_paper *p, const struct hd_paper_section *f,
                                const char *suffix, const char *title, const char *layout);

// papermeans.c: means of ratios; NAN are left out.
struct hd_paper_means {
    unsigned n;
    double arithmetic, geometric, max, median;
    double arithmetic_less, geometric_less; // without the two largest; NAN: there are two at most
    unsigned most; // index of the value that is farthest from the mean, and the means without it
    double arithmetic_without, geometric_without;
};
struct hd_paper_means hd_paper_means(struct hd_arena *a, const double *values, unsigned n);

// papertext.c: what every run has in common: "on gtx480 regs=sm_20, size small, seed 1".
const char *hd_paper_conditions(const struct hd_paper *p);
// All of it as Markdown. plot: where the figures are drawn, NULL: nowhere.
void hd_paper_markdown(const struct hd_paper *p, const char *command, const char *plot,
                       struct hd_out *o);

// How many numbers of a figure are as the paper prints them.
struct hd_paper_cells {
    unsigned same, n, of; // n: have a value here; of: printed in the paper
    bool exactly;         // else within a quarter
};

// The kinds of figure (papertables.c, papercharts.c, papergains.c): what they need, then their
// sheets.
struct hd_paper_kind {
    const char *name;
    bool (*plan)(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d);
    bool (*show)(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d);
    // Compares numbers with those printed. NULL: the paper prints none of such a figure.
    bool (*cells)(struct hd_paper *p, const struct hd_paper_section *f, struct hd_paper_cells *out,
                  struct hd_diag *d);
};
extern const struct hd_paper_kind hd_papertables_kinds[]; // toy, machine, inputs, mix
extern const struct hd_paper_kind hd_papercharts_kinds[]; // stalls, ratios, kernels, ...
extern const struct hd_paper_kind hd_papergains_kinds[];  // ipc
extern const struct hd_paper_kind hd_papersweeps_kinds[]; // classes, points, counter, sweep, ...
extern const struct hd_paper_kind hd_paperphases_kinds[]; // phases, critical
extern const struct hd_paper_kind hd_paperreuse_kinds[];  // reuse, distance, ratios10, chains, ...
extern const struct hd_paper_kind hd_paperpairs_kinds[];  // pairs

// paperreuse.c: a measure of a run with HD_PAPER_REUSE by its name; `of` has the keys `relation`,
// `bins` and `chain`, and may be NULL. NAN: the run has no such number.
double hd_paperreuse_measure(const json_t *run, const char *name,
                             const struct hd_paper_section *of);
// False with a diagnostic if a key of a claim or a figure has a value that is not known.
bool hd_paperreuse_check(const struct hd_paper *p, const struct hd_paper_section *of,
                         struct hd_diag *d);

// papermeans.c: adds a cell; NAN: there is no such number.
void hd_paper_cell(struct hd_paper_cells *c, double ours, double paper);

// paperkinds.c: the kind of a figure; NULL with a diagnostic.
const struct hd_paper_kind *hd_paper_kind(const struct hd_paper *p,
                                          const struct hd_paper_section *f, struct hd_diag *d);

// paper.c: what the chosen figures need, then what they show. Between the two, hd_study_plan and
// hd_study_start.
bool hd_paper_plan(struct hd_paper *p, struct hd_diag *d);
bool hd_paper_show(struct hd_paper *p, struct hd_diag *d);

#endif
