// paperkinds.c - every kind of figure by its name. See paper.h.
#include "paper/paper.h"

#include <string.h>

const struct hd_paper_kind *hd_paper_kind(const struct hd_paper *p,
                                          const struct hd_paper_section *f, struct hd_diag *d)
{
    static const struct hd_paper_kind *const all[] = {
        hd_papertables_kinds, hd_papergains_kinds, hd_papercharts_kinds, hd_paperphases_kinds,
        hd_papersweeps_kinds, hd_paperreuse_kinds, hd_paperpairs_kinds};
    const char *name = hd_paper_need(p, f, "kind", d);

    for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
        for (const struct hd_paper_kind *k = all[i]; k->name; k++)
            if (!strcmp(k->name, name))
                return k;
    if (name)
        hd_diag_add(d, p->path, f->line, 0, "[figure %s]: there is no kind '%.60s'", f->name, name);
    return NULL;
}
