// paper.c - a paper's figures, each by its kind: the runs it needs, then its sheets. See paper.h.
#include "paper/paperclaims.h"

#include <math.h>
#include <string.h>

const struct hd_paper_kind *hd_paper_kind(const struct hd_paper *p,
                                          const struct hd_paper_section *f, struct hd_diag *d)
{
    static const struct hd_paper_kind *const all[] = {hd_papertables_kinds, hd_papergains_kinds,
                                                      hd_papercharts_kinds, hd_paperphases_kinds};
    const char *name = hd_paper_need(p, f, "kind", d);

    for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
        for (const struct hd_paper_kind *k = all[i]; k->name; k++)
            if (!strcmp(k->name, name))
                return k;
    if (name)
        hd_diag_add(d, p->path, f->line, 0, "[figure %s]: there is no kind '%.60s'", f->name, name);
    return NULL;
}

bool hd_paper_plan(struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *f;

    p->run_of = hd_paperclaims_table(p);
    p->sheets.arena = p->arena;
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

    for (unsigned i = 0; (f = hd_paper_section(p, "figure", i)); i++) {
        const struct hd_paper_kind *kind = hd_paper_kind(p, f, d);
        if (!kind || (hd_paper_chosen(p, f) && !kind->show(p, f, d)))
            return false;
    }
    hd_paperclaimsheet_show(p);
    return true;
}

void hd_paper_cell(struct hd_paper_cells *c, double ours, double paper)
{
    if (isnan(paper))
        return;
    c->of++;
    c->n += isnan(ours) ? 0 : 1;
    c->same += fabs(ours - paper) <= (c->exactly ? 0 : 0.25 * fabs(paper));
}
