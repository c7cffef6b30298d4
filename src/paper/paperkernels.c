// paperkernels.c - of which kernel the figures and claims on the blocks of one SM are. See paper.h.
//
// They are of the first launch of the kernel that they name, or of the run's first launch. A run
// has room for the warps of some blocks only (gpu/metrics.h), which launches before that kernel may
// take. So it records the warps of the named kernels alone, unless one of them names none.
#include "paper/paper.h"

#include "base/words.h"

#include <string.h>

const char *hd_paper_kernel_of(const struct hd_paper *p, const struct hd_paper_section *s)
{
    const char *own = hd_paper_text(s, "kernel"), *figure = hd_paper_text(s, "figure");

    return own || !figure ? own : hd_paper_text(hd_paper_find(p, "figure", figure), "kernel");
}

size_t hd_paper_launch_of(const struct hd_study_run *run, const char *kernel)
{
    struct hd_paper_launches all = hd_paper_launches(run);
    size_t i = 0;

    while (kernel && i < all.n && (!all.of[i].name || strcmp(all.of[i].name, kernel) != 0))
        i++;
    return kernel && i == all.n ? SIZE_MAX : i;
}

static bool is(const struct hd_paper_section *s, const char *key, const char *value)
{
    const char *own = hd_paper_text(s, key);

    return own && !strcmp(own, value);
}

// Does the figure or claim show warps of blocks?
static bool shows_warps(const struct hd_paper_section *s)
{
    if (!strcmp(s->kind, "figure"))
        return is(s, "kind", "phases") || is(s, "kind", "critical");
    return !strcmp(s->kind, "claim") && (is(s, "unit", "warps") || hd_paper_text(s, "block"));
}

// Adds a name to a list of names between commas.
static const char *with_name(struct hd_arena *a, const char *list, const char *name)
{
    if (!list)
        return name;
    return hd_words_has(list, name) ? list : hd_arena_printf(a, "%s,%s", list, name);
}

static bool has(const struct hd_paper_list *apps, unsigned app)
{
    unsigned i = 0;

    while (i < apps->n && apps->items[i] != app)
        i++;
    return i < apps->n;
}

static const char *kernels_of(const struct hd_paper *p, unsigned app)
{
    const char *list = NULL;

    for (size_t i = 0; i < p->n_sections; i++) {
        const struct hd_paper_section *s = &p->sections[i];
        struct hd_paper_list apps;
        struct hd_diag d = {0};
        if (!shows_warps(s) || !hd_paper_apps(p, s, "apps", &apps, &d) || !has(&apps, app))
            continue;
        const char *kernel = hd_paper_kernel_of(p, s);
        if (!kernel)
            return NULL;
        list = with_name(p->arena, list, kernel);
    }
    return list;
}

void hd_paperkernels_read(struct hd_paper *p)
{
    for (unsigned app = 0; app < p->n_apps; app++)
        p->apps[app].kernels = kernels_of(p, app);
}
