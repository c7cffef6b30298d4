// paperclaims.h - sentences of a paper that hold a number or an order: reading, evaluating,
// judging.
//
// A claim is a section [claim ID] of papers/NAME.ini. Reading (paperclaims.c) checks all of it
// before anything runs. Evaluating (paperverdicts.c) is a function of the claim and of the results
// that a `struct hd_paper` names: its study's runs, found by `run_of`. It runs nothing and changes
// nothing. To evaluate claims on other results, make a copy of the struct whose `run_of` is a table
// of its own (hd_paperclaims_table), change what differs (policies, machine, inputs), and let
// hd_paperclaims_plan ask for the runs of each claim. After the study has run, give the copy the
// study's runs and evaluate.
//
// What a claim may measure is listed in papermeasures.c; docs/papers.md is the reference.
#ifndef HEDDLE_PAPER_PAPERCLAIMS_H
#define HEDDLE_PAPER_PAPERCLAIMS_H

#include "paper/paper.h"

enum hd_paper_unit { HD_PAPER_APPLICATIONS, HD_PAPER_KERNELS, HD_PAPER_BLOCKS, HD_PAPER_WARPS };
enum hd_paper_mean {
    HD_PAPER_ARITHMETIC,
    HD_PAPER_GEOMETRIC,
    HD_PAPER_MAX,
    HD_PAPER_MIN,
    HD_PAPER_COUNT,  // of items above or below a bound
    HD_PAPER_TOP,    // how many of `which` are among so many largest
    HD_PAPER_BOTTOM, // or smallest
    HD_PAPER_RISES,  // how often an item is larger than the one before
};
enum hd_paper_scale { HD_PAPER_PERCENT, HD_PAPER_TIMES, HD_PAPER_VALUE, HD_PAPER_NUMBER };
enum hd_paper_relation { HD_PAPER_ABOUT, HD_PAPER_AT_LEAST, HD_PAPER_AT_MOST, HD_PAPER_EXACTLY };
enum hd_paper_form {
    HD_PAPER_MEASURED,
    HD_PAPER_ORDER,    // of policies, by their means
    HD_PAPER_TOY,      // a row of a worked example
    HD_PAPER_FORMULA,  // of the machine's keys and the policies' parameters
    HD_PAPER_TABLE,    // cells of a figure that are as printed
    HD_PAPER_SUM,      // of other claims' numbers, each added or subtracted
    HD_PAPER_UNTESTED, // heddle cannot test it: `untested` says why
};

struct hd_paper_measure;

struct hd_paper_claim {
    const struct hd_paper_section *section;
    const struct hd_paper_section *figure; // NULL: none
    const char *id, *place, *says, *why;   // NULL: not there; id always is
    const char *kernel; // whose blocks and warps it is about; NULL: that of the first launch
    enum hd_paper_form form;
    enum hd_paper_unit unit;
    enum hd_paper_mean mean;
    enum hd_paper_scale scale;
    enum hd_paper_relation relation;
    const struct hd_paper_measure *measure;
    struct hd_paper_list apps, policies, over; // over.n 0: values themselves, not over others'
    double paper, bound;
    bool above;                     // the bound is a lower one
    const char *which;              // names of items, NULL: none
    const char *word;               // a formula; the rows of a toy; a sum; why it is untested
    unsigned from, to;              // items of blocks or warps
    bool last;                      // counted from the last one
    unsigned block, phase, largest; // of warps; of the largest so many
};

// What came out. NAN: there is no such number.
struct hd_paper_verdict {
    double ours, less, median, geometric; // in the claim's scale
    unsigned n, of;                       // items that have a value, all items
    const char *named;   // the item that has the largest or smallest value; an order; or NULL
    const char *verdict; // "agrees", "smaller", "larger", "differs", "limit", "missing",
                         // "untested"; perhaps with " only by X"
    bool agrees;
};

// All claims of the paper into p->claims, in the order of the file; after hd_paper_read.
bool hd_paperclaims_read(struct hd_paper *p, struct hd_diag *d);
const struct hd_paper_claim *hd_paperclaims_find(const struct hd_paper *p, const char *id);
// Is its figure among those to be shown?
bool hd_paperclaims_chosen(const struct hd_paper *p, const struct hd_paper_claim *c);
// Term i of a sum, "ID + ID - ID": its claim, and whether it is subtracted. NULL after the last, or
// where the paper has no such claim: *name, NULL after the last.
const struct hd_paper_claim *hd_paperclaims_term(const struct hd_paper *p, const char *sum,
                                                 unsigned i, bool *minus, const char **name);
// An empty table of runs for p->run_of.
unsigned *hd_paperclaims_table(const struct hd_paper *p);
// Ask for the runs that it needs. False with a diagnostic if the machine lacks a key of its
// formula, or its figure has nothing to compare.
bool hd_paperclaims_plan(struct hd_paper *p, const struct hd_paper_claim *c, struct hd_diag *d);

// paperverdicts.c: the claim on the results of p. Nothing is run or changed.
struct hd_paper_verdict hd_paperverdicts_evaluate(const struct hd_paper *p,
                                                  const struct hd_paper_claim *c);
// A number in the claim's scale, as text; NULL if it is NAN.
const char *hd_paperverdicts_number(struct hd_arena *a, const struct hd_paper_claim *c, double v);

// paperclaimsheet.c: a sheet of all claims whose figures are shown, with their verdicts, and one of
// the sentences that they come from; without any claim there is none.
void hd_paperclaimsheet_verdicts(struct hd_paper *p);
void hd_paperclaimsheet_sentences(struct hd_paper *p);
// What is compared: "LFWS / LRR, all". NULL: nothing.
const char *hd_paperclaimsheet_subject(const struct hd_paper *p, const struct hd_paper_claim *c);
// "Of 16 claims 3 agree, ..." as a sentence.
void hd_paperclaimsheet_summary(const struct hd_paper *p, struct hd_out *o);

// papermeasures.c: what is measured of each item.
struct hd_paper_items {
    double *values; // NAN: missing
    const char **names;
    unsigned n;
    bool cut; // a limit ended one of the runs
};
const struct hd_paper_measure *hd_papermeasures_find(const char *name, enum hd_paper_unit unit,
                                                     struct hd_diag_entry *e);
enum hd_paper_with hd_papermeasures_with(const struct hd_paper_measure *m); // of which runs
const char *hd_papermeasures_name(const struct hd_paper_measure *m);
bool hd_papermeasures_spread(const struct hd_paper_measure *m); // of several policies
// Of one application under one policy; NAN: it has none.
double hd_papermeasures_value(const struct hd_paper *p, const struct hd_paper_measure *m,
                              unsigned app, unsigned policy);
struct hd_paper_items hd_papermeasures_items(const struct hd_paper *p,
                                             const struct hd_paper_claim *c, unsigned policy);

// paperformula.c: sums of products of numbers, of keys of the machine ("sm.warps"), of parameters
// ("PRO:threshold") and of the bits that a policy takes in an SM ("bits:PRO"), of which bits(x) is
// the width of a counter up to x. False with a diagnostic, which names the section.
bool hd_paperformula_value(const struct hd_paper *p, const struct hd_paper_section *s,
                           const char *text, double *out, struct hd_diag *d);

#endif
