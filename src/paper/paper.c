// paper.c - a paper's figures, each by its kind: the runs it needs, then its sheets. See paper.h.
#include "paper/paperclaims.h"

bool hd_paper_plan(struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *f;

    p->run_of = hd_paperclaims_table(p);
    p->sheets.arena = p->arena;
    p->study.took = hd_paperlaunches_take;
    for (unsigned i = 0; (f = hd_paper_section(p, "figure", i)); i++) {
        const struct hd_paper_kind *kind = hd_paper_kind(p, f, d);
        if (!kind || (hd_paper_chosen(p, f) && !kind->plan(p, f, d)))
            return false;
    }
    for (unsigned i = 0; i < p->n_claims; i++)
        if (hd_paperclaims_chosen(p, &p->claims[i]) && !hd_paperclaims_plan(p, &p->claims[i], d))
            return false;
    return true;
}

bool hd_paper_show(struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *f;

    hd_paperclaimsheet_verdicts(p); // first: this is what a reader asks
    for (unsigned i = 0; (f = hd_paper_section(p, "figure", i)); i++) {
        const struct hd_paper_kind *kind = hd_paper_kind(p, f, d);
        if (!kind || (hd_paper_chosen(p, f) && !kind->show(p, f, d)))
            return false;
    }
    hd_paperclaimsheet_sentences(p);
    return true;
}
