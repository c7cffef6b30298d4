// paperclaims.c - the claims of papers/NAME.ini one by one. See paperclaims.h.
#include "paper/paperclaims.h"

#include <math.h>
#include <string.h>

bool hd_paperclaims_read(struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *s;

    (void)d;
    p->claims = HD_ARRAY(p->arena, struct hd_paper_claim, p->n_sections + 1);
    p->n_claims = 0;
    for (unsigned i = 0; (s = hd_paper_section(p, "claim", i)); i++) {
        struct hd_paper_claim *c = &p->claims[p->n_claims++];
        *c = (struct hd_paper_claim){
            .section = s, .id = s->name, .place = hd_paper_text(s, "place")};
        hd_paper_number(s, "percent", &c->paper);
    }
    return true;
}

const struct hd_paper_claim *hd_paperclaims_find(const struct hd_paper *p, const char *id)
{
    for (unsigned i = 0; i < p->n_claims; i++)
        if (!strcmp(p->claims[i].id, id))
            return &p->claims[i];
    return NULL;
}

unsigned *hd_paperclaims_table(const struct hd_paper *p)
{
    return HD_ARRAY(p->arena, unsigned, (size_t)p->n_apps * p->n_policies * 2 + 1);
}

bool hd_paperclaims_plan(struct hd_paper *p, const struct hd_paper_claim *c, struct hd_diag *d)
{
    return hd_papergains_plan(p, c->section, d);
}

struct hd_paper_verdict hd_paperverdicts_evaluate(struct hd_paper *p,
                                                  const struct hd_paper_claim *c)
{
    struct hd_paper_verdict v = {.ours = (double)NAN, .verdict = "missing"};

    hd_papergains_evaluate(p, c->section, &v.ours, &v.verdict);
    v.agrees = !strncmp(v.verdict, "agrees", 6);
    return v;
}

const char *hd_paperverdicts_number(struct hd_arena *a, const struct hd_paper_claim *c, double v)
{
    (void)c;
    return isnan(v) ? NULL : hd_arena_printf(a, "%+.2f", v);
}
