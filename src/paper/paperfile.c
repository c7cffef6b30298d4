// paperfile.c - papers/NAME.ini as sections of keys, and the names in it looked up. See paper.h.
#include "paper/paper.h"

#include "base/config.h"
#include "base/inifile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"paper", "policy", "app",     "set", "figure",
                                    "claim", "axis",   "reading", NULL};

// Keys by kind of section; "row." and "note." are beginnings of any number of keys.
static const char *const keys[][40] = {
    {"title", "authors", "venue", "gpu", "regs", "note.", NULL},
    {"spec", "fetch", "tb", "kernel-policy", "plan", "set", "note", NULL},
    {"title",         "input",         "instructions", "long",     "percent",
     "launches",      "note",          "kernel.",      "workload", "seconds.test",
     "seconds.small", "seconds.paper", "kernels",      "type",     "depth",
     "chain-kernels", "input-size",    "chain-blocks", "only",     NULL},
    {"title", "apps", NULL},
    {"kind",   "title", "place", "toy",   "row.",      "count.", "policy", "policies", "base",
     "apps",   "sets",  "from",  "note.", "sequence",  "blocks", "made",   "gpu",      "key",
     "values", "of",    "rules", "mean",  "relations", "unit.",  "kernel", NULL},
    {"figure",   "policy", "over",     "apps",  "percent", "times", "value",  "count", "mean",
     "unit",     "of",     "is",       "which", "above",   "below", "block",  "phase", "items",
     "order",    "row",    "minus",    "cells", "formula", "size",  "place",  "says",  "why",
     "untested", "sum",    "relation", "bins",  "chain",   "full",  "kernel", NULL},
    {"title", "default", "says", NULL},
    {"axis", "title", "says", "full", "policy.", "spec.", "keys.", "set.", "app.", "gpu", "size",
     "seed", "regs", "ptx", NULL},
};

struct reading {
    struct hd_paper *paper;
    struct hd_diag *diag;
};

static unsigned kind_of(const char *kind)
{
    unsigned k = 0;

    while (kinds[k] && strcmp(kinds[k], kind) != 0)
        k++;
    return k;
}

static bool on_section(void *ctx, const char *name, uint32_t line)
{
    struct reading *r = ctx;
    struct hd_paper *p = r->paper;
    const char *blank = strchr(name, ' ');
    const char *kind = blank ? hd_arena_strndup(p->arena, name, (size_t)(blank - name))
                             : hd_arena_strdup(p->arena, name);

    if (!kinds[kind_of(kind)]) {
        hd_diag_nearest(
            hd_diag_add(r->diag, p->path, line, 0, "there is no kind of section '%.60s'", kind),
            kind, kinds);
        return false;
    }
    const char *own = blank ? hd_arena_strdup(p->arena, blank + 1 + strspn(blank + 1, " ")) : "";
    if (hd_paper_find(p, kind, own)) {
        hd_diag_add(r->diag, p->path, line, 0, "section [%.80s] is there twice", name);
        return false;
    }
    *HD_PUSH(p->arena, p->sections, p->n_sections, p->cap) =
        (struct hd_paper_section){.kind = kind, .name = own, .line = line};
    return true;
}

static bool good_key(struct reading *r, const struct hd_paper_section *s, const char *key,
                     uint32_t line)
{
    const char *const *known = keys[kind_of(s->kind)];

    for (const char *const *k = known; *k; k++) {
        size_t n = strlen(*k);
        if (!strcmp(*k, key) || ((*k)[n - 1] == '.' && !strncmp(*k, key, n)))
            return true;
    }
    hd_diag_nearest(hd_diag_add(r->diag, r->paper->path, line, 0,
                                "a section [%s ...] has no key '%.60s'", s->kind, key),
                    key, known);
    return false;
}

static bool on_key(void *ctx, const char *section, const char *key, const char *value,
                   uint32_t line)
{
    struct reading *r = ctx;
    struct hd_paper *p = r->paper;

    if (!*section || !p->n_sections) {
        hd_diag_add(r->diag, p->path, line, 0, "'%.60s' comes before any [section]", key);
        return false;
    }
    struct hd_paper_section *s = &p->sections[p->n_sections - 1];
    if (!good_key(r, s, key, line))
        return false;
    *HD_PUSH(p->arena, s->pairs, s->n, s->cap) =
        (struct hd_paper_pair){.key = hd_arena_strdup(p->arena, key),
                               .value = hd_arena_strdup(p->arena, value),
                               .line = line};
    return true;
}

const char *hd_paper_text(const struct hd_paper_section *s, const char *key)
{
    for (size_t i = 0; s && i < s->n; i++)
        if (!strcmp(s->pairs[i].key, key))
            return s->pairs[i].value;
    return NULL;
}

const char *hd_paper_need(const struct hd_paper *p, const struct hd_paper_section *s,
                          const char *key, struct hd_diag *d)
{
    const char *value = hd_paper_text(s, key);

    if (!value)
        hd_diag_add(d, p->path, s->line, 0, "[%s %s] needs a key '%s'", s->kind, s->name, key);
    return value;
}

const char *hd_paper_about(const struct hd_paper *p, const char *key)
{
    const char *value = hd_paper_text(hd_paper_find(p, "paper", ""), key);

    return value ? value : "";
}

bool hd_paper_number(const struct hd_paper_section *s, const char *key, double *out)
{
    const char *value = hd_paper_text(s, key);
    char *end;

    if (!value)
        return false;
    errno = 0;
    double v = strtod(value, &end);
    if (end == value || errno)
        return false;
    *out = v;
    return true;
}

const struct hd_paper_section *hd_paper_section(const struct hd_paper *p, const char *kind,
                                                unsigned i)
{
    for (size_t k = 0; k < p->n_sections; k++)
        if (!strcmp(p->sections[k].kind, kind) && !i--)
            return &p->sections[k];
    return NULL;
}

const struct hd_paper_section *hd_paper_find(const struct hd_paper *p, const char *kind,
                                             const char *name)
{
    const struct hd_paper_section *s;

    for (unsigned i = 0; (s = hd_paper_section(p, kind, i)); i++)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}

// The piece of `text` up to one of `ends`, without blanks around it; *text moves past it.
static const char *piece(struct hd_arena *a, const char **text, const char *ends)
{
    const char *from = *text + strspn(*text, " \t");
    size_t n = strcspn(from, ends);

    *text = from + n + (from[n] != '\0');
    while (n && (from[n - 1] == ' ' || from[n - 1] == '\t'))
        n--;
    return hd_arena_strndup(a, from, n);
}

const char *hd_paper_field(struct hd_arena *a, const char *value, unsigned i)
{
    const char *field = "";

    do
        field = piece(a, &value, "|");
    while (i-- && *value);
    return i == UINT32_MAX ? field : "";
}

static bool find_app(const struct hd_paper *p, const struct hd_paper_section *s, const char *label,
                     unsigned *out)
{
    (void)s; // applications are the same everywhere
    for (unsigned i = 0; i < p->n_apps; i++)
        if (!strcmp(p->apps[i].label, label)) {
            *out = i;
            return true;
        }
    return false;
}

bool hd_paper_policy_named(const struct hd_paper *p, const struct hd_paper_section *s,
                           const char *label, unsigned *out)
{
    const char *name = !strcmp(s->kind, "figure")  ? s->name
                       : !strcmp(s->kind, "claim") ? hd_paper_text(s, "figure")
                                                   : NULL;
    const struct hd_paper_section *figure = name ? hd_paper_find(p, "figure", name) : NULL;
    bool found = false;

    for (unsigned i = 0; i < p->n_policies; i++) { // the figure's own come after those of the file
        const struct hd_paper_policy *policy = &p->policies[i];
        if ((policy->figure && policy->figure != figure) || strcmp(policy->label, label) != 0)
            continue;
        *out = i;
        found = true;
    }
    return found;
}

// Labels of apps hold no blanks, those of policies no commas.
static bool read_list(const struct hd_paper *p, const struct hd_paper_section *s, const char *value,
                      const char *ends, const char *what,
                      bool (*find)(const struct hd_paper *, const struct hd_paper_section *,
                                   const char *, unsigned *),
                      struct hd_paper_list *out, struct hd_diag *d)
{
    out->items = HD_ARRAY(p->arena, unsigned, strlen(value) + 1);
    out->n = 0;
    while (*value) {
        const char *label = piece(p->arena, &value, ends);
        if (!*label)
            continue;
        if (!find(p, s, label, &out->items[out->n])) {
            hd_diag_add(d, p->path, s->line, 0, "[%s %s]: there is no %s '%.60s'", s->kind, s->name,
                        what, label);
            return false;
        }
        out->n++;
    }
    if (!out->n)
        hd_diag_add(d, p->path, s->line, 0, "[%s %s]: the list of what is called %s is empty",
                    s->kind, s->name, what);
    return out->n > 0;
}

// A list in which each name of a set has become the set's labels.
static const char *without_sets(const struct hd_paper *p, const char *value)
{
    struct hd_out text = {.arena = p->arena};

    hd_out_add(&text, "", 0);
    for (value += strspn(value, " \t"); *value; value += strspn(value, " \t")) {
        const char *word = hd_arena_strndup(p->arena, value, strcspn(value, " \t"));
        const char *apps = hd_paper_text(hd_paper_find(p, "set", word), "apps");
        hd_out_printf(&text, "%s%s", text.bytes ? " " : "", apps ? apps : word);
        value += strlen(word);
    }
    return text.text;
}

bool hd_paper_apps(const struct hd_paper *p, const struct hd_paper_section *s, const char *key,
                   struct hd_paper_list *out, struct hd_diag *d)
{
    const char *value = hd_paper_need(p, s, key, d);
    const struct hd_paper_section *set = value ? hd_paper_find(p, "set", value) : NULL;

    if (set)
        value = hd_paper_need(p, set, "apps", d);
    if (value)
        value = without_sets(p, value);
    return value && read_list(p, s, value, " \t", "application", find_app, out, d);
}

bool hd_paper_policies(const struct hd_paper *p, const struct hd_paper_section *s, const char *key,
                       struct hd_paper_list *out, struct hd_diag *d)
{
    const char *value = hd_paper_need(p, s, key, d);

    return value && read_list(p, s, value, ",", "policy", hd_paper_policy_named, out, d);
}

bool hd_paper_chosen(const struct hd_paper *p, const struct hd_paper_section *figure)
{
    for (const char *const *c = p->chosen; c && *c; c++)
        if (!strcmp(*c, figure->name))
            return true;
    return !p->chosen;
}

static bool check_chosen(const struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *f;

    for (const char *const *c = p->chosen; c && *c; c++) {
        const char **names = HD_ARRAY(p->arena, const char *, p->n_sections + 1);
        struct hd_out all = {.arena = p->arena};
        for (unsigned i = 0; (f = hd_paper_section(p, "figure", i)); i++) {
            names[i] = f->name;
            hd_out_printf(&all, "%s%s", i ? ", " : "", f->name);
        }
        if (hd_paper_find(p, "figure", *c))
            continue;
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "paper %s has no figure '%.60s'", p->name, *c),
                     "it has %.140s", all.bytes ? all.text : "none");
        return false;
    }
    return true;
}

bool hd_paper_read(struct hd_paper *p, struct hd_diag *d)
{
    const char *inside = hd_arena_printf(p->arena, "papers/%s.ini", p->name);
    const char *data = strpbrk(p->name, "/.") ? NULL : hd_config_data(p->arena, inside);
    const struct hd_paper_section *s;

    if (!data) {
        struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no paper '%.60s'", p->name);
        hd_diag_nearest(e, p->name, hd_config_names(p->arena, "papers", ".ini", NULL));
        if (!e->hint[0])
            hd_diag_hint(e, "'heddle list papers' shows those that are known");
        return false;
    }
    p->path = hd_arena_printf(p->arena, "%s/%s", data, inside);
    struct reading r = {.paper = p, .diag = d};
    struct hd_inifile file = {.arena = p->arena,
                              .path = p->path,
                              .what = "the paper's data",
                              .section = on_section,
                              .key = on_key,
                              .ctx = &r};
    if (!hd_inifile_read(&file, d) || !check_chosen(p, d))
        return false;
    if (!hd_paper_find(p, "paper", "")) {
        hd_diag_add(d, p->path, 0, 0, "there is no section [paper], which says what paper it is");
        return false;
    }
    p->apps = HD_ARRAY(p->arena, struct hd_paper_app, p->n_sections + 1);
    for (unsigned i = 0; (s = hd_paper_section(p, "app", i)); i++) {
        double launches = 0;
        hd_paper_number(s, "launches", &launches);
        p->apps[p->n_apps++] = (struct hd_paper_app){.section = s,
                                                     .label = s->name,
                                                     .launches = (unsigned)launches,
                                                     .only = hd_paper_text(s, "only")};
    }
    return true;
}
