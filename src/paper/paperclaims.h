// paperclaims.h - sentences of a paper that hold a number: the runs they need, and what comes out.
#ifndef HEDDLE_PAPER_PAPERCLAIMS_H
#define HEDDLE_PAPER_PAPERCLAIMS_H

#include "paper/paper.h"

enum hd_paper_scale { HD_PAPER_PERCENT, HD_PAPER_TIMES, HD_PAPER_VALUE, HD_PAPER_NUMBER };

struct hd_paper_claim {
    const struct hd_paper_section *section;
    const char *id, *place;
    enum hd_paper_scale scale;
    double paper;
};

struct hd_paper_verdict {
    double ours;
    const char *verdict;
    bool agrees;
};

// All claims of the paper into p->claims, in the order of the file.
bool hd_paperclaims_read(struct hd_paper *p, struct hd_diag *d);
const struct hd_paper_claim *hd_paperclaims_find(const struct hd_paper *p, const char *id);
unsigned *hd_paperclaims_table(const struct hd_paper *p); // an empty p->run_of
bool hd_paperclaims_plan(struct hd_paper *p, const struct hd_paper_claim *c, struct hd_diag *d);
struct hd_paper_verdict hd_paperverdicts_evaluate(struct hd_paper *p,
                                                  const struct hd_paper_claim *c);
const char *hd_paperverdicts_number(struct hd_arena *a, const struct hd_paper_claim *c, double v);

#endif
