// readingsaxes.c - the sections [axis ...] and [reading ...] of a paper's file, checked before
// anything runs. See readings.h.
#include "paper/readings.h"

#include <string.h>

// Diagnostics of others, which know no place, get this one.
static bool placed(const struct hd_paper *p, uint32_t line, unsigned before, struct hd_diag *d)
{
    for (unsigned i = before; i < d->n; i++)
        if (!d->entries[i].file) {
            d->entries[i].file = p->path;
            d->entries[i].line = line;
        }
    return false;
}

static const char **labels_of(const struct hd_paper *p)
{
    const char **labels = HD_ARRAY(p->arena, const char *, p->n_policies + 1);

    for (unsigned i = 0; i < p->n_policies && !p->policies[i].figure; i++)
        labels[i] = p->policies[i].label; // those of the file, which come first
    return labels;
}

static bool find_policy(const struct hd_paper *p, const struct hd_paper_section *s,
                        const struct hd_paper_pair *pair, const char *label, unsigned *out,
                        struct hd_diag *d)
{
    const char **labels = labels_of(p);

    for (*out = 0; labels[*out]; ++*out)
        if (!strcmp(labels[*out], label))
            return true;
    hd_diag_nearest(hd_diag_add(d, p->path, pair->line, 0,
                                "[reading %s]: there is no policy '%.60s'", s->name, label),
                    label, labels);
    return false;
}

static void add(struct hd_readings *r, struct hd_readings_value *v, enum hd_readings_what what,
                unsigned policy, const char *key, const char *value)
{
    *HD_PUSH(r->paper->arena, v->changes, v->n, v->cap) =
        (struct hd_readings_change){.what = what, .policy = policy, .key = key, .value = value};
}

static const char *part(struct hd_arena *a, const char **text, char end)
{
    const char *from = *text + strspn(*text, " "), *stop = strchr(from, end);
    size_t n = stop ? (size_t)(stop - from) : strlen(from);

    *text = from + n + (stop != NULL);
    while (n && from[n - 1] == ' ')
        n--;
    return hd_arena_strndup(a, from, n);
}

// "KEY=VALUE:KEY=VALUE" of one policy.
static bool read_params(struct hd_readings *r, const struct hd_paper_section *s,
                        const struct hd_paper_pair *pair, const char *text, unsigned policy,
                        struct hd_readings_value *v, struct hd_diag *d)
{
    struct hd_arena *a = r->paper->arena;

    while (*text) {
        const char *one = part(a, &text, ':'), *equals = strchr(one, '=');
        if (!equals || equals == one) {
            hd_diag_hint(hd_diag_add(d, r->paper->path, pair->line, 0,
                                     "[reading %s]: '%.60s' changes no parameter", s->name, one),
                         "expected LABEL, ... | KEY=VALUE:KEY=VALUE");
            return false;
        }
        char *key = hd_arena_strndup(a, one, (size_t)(equals - one));
        for (char *c = key; *c; c++) // specs may have '-' for '_'
            *c = *c == '-' ? '_' : *c;
        add(r, v, HD_READINGS_PARAM, policy, key, one);
    }
    return true;
}

// "KEY=VALUE KEY=VALUE" of the machine, or of the runs of one policy.
static bool read_sets(struct hd_readings *r, const struct hd_paper_section *s,
                      const struct hd_paper_pair *pair, const char *text,
                      enum hd_readings_what what, unsigned policy, struct hd_readings_value *v,
                      struct hd_diag *d)
{
    struct hd_arena *a = r->paper->arena;

    while (*text) {
        const char *one = part(a, &text, ' '), *equals = strchr(one, '=');
        if (!*one)
            continue;
        if (!equals) {
            hd_diag_hint(hd_diag_add(d, r->paper->path, pair->line, 0,
                                     "[reading %s]: '%.60s' sets no key", s->name, one),
                         "expected KEY=VALUE, as in --set");
            return false;
        }
        add(r, v, what, policy, hd_arena_strndup(a, one, (size_t)(equals - one)), one);
    }
    return true;
}

// policy.* = LABEL, ... | PARAMETERS, spec.* = LABEL, ... | SPEC, keys.* = LABEL, ... | KEYS
static bool read_policies(struct hd_readings *r, const struct hd_paper_section *s,
                          const struct hd_paper_pair *pair, enum hd_readings_what what,
                          struct hd_readings_value *v, struct hd_diag *d)
{
    struct hd_paper *p = r->paper;
    const char *labels = hd_paper_field(p->arena, pair->value, 0);
    const char *text = hd_paper_field(p->arena, pair->value, 1);
    unsigned policy;

    if (!*labels || !*text) {
        hd_diag_hint(hd_diag_add(d, p->path, pair->line, 0, "[reading %s]: '%.60s' says too little",
                                 s->name, pair->value),
                     "expected LABEL, ... | %s",
                     what == HD_READINGS_SPEC  ? "SPEC"
                     : what == HD_READINGS_KEY ? "KEY=VALUE KEY=VALUE"
                                               : "KEY=VALUE:KEY=VALUE");
        return false;
    }
    while (*labels) {
        if (!find_policy(p, s, pair, part(p->arena, &labels, ','), &policy, d))
            return false;
        if (what == HD_READINGS_SPEC)
            add(r, v, what, policy, "", text);
        else if (what == HD_READINGS_KEY ? !read_sets(r, s, pair, text, what, policy, v, d)
                                         : !read_params(r, s, pair, text, policy, v, d))
            return false;
    }
    return true;
}

// app.* = LABEL | WORKLOAD
static bool read_app(struct hd_readings *r, const struct hd_paper_section *s,
                     const struct hd_paper_pair *pair, struct hd_readings_value *v,
                     struct hd_diag *d)
{
    struct hd_paper *p = r->paper;
    const char *label = hd_paper_field(p->arena, pair->value, 0);
    const char *word = hd_paper_field(p->arena, pair->value, 1);
    const char **labels = HD_ARRAY(p->arena, const char *, p->n_apps + 1);
    unsigned app = 0;

    for (unsigned i = 0; i < p->n_apps; i++)
        labels[i] = p->apps[i].label;
    while (app < p->n_apps && strcmp(labels[app], label) != 0)
        app++;
    if (app == p->n_apps || !*word) {
        struct hd_diag_entry *e =
            hd_diag_add(d, p->path, pair->line, 0,
                        *word ? "[reading %s]: there is no application '%.60s'"
                              : "[reading %s]: '%.60s' says too little",
                        s->name, *word ? label : pair->value);
        if (*word)
            hd_diag_nearest(e, label, labels);
        else
            hd_diag_hint(e, "expected LABEL | WORKLOAD");
        return false;
    }
    add(r, v, HD_READINGS_APP, app, label, word);
    return true;
}

static bool begins(const char *key, const char *with)
{
    return !strncmp(key, with, strlen(with));
}

static bool read_changes(struct hd_readings *r, const struct hd_paper_section *s,
                         struct hd_readings_value *v, struct hd_diag *d)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct hd_paper_pair *pair = &s->pairs[i];
        bool spec = begins(pair->key, "spec."), policy = begins(pair->key, "policy.");
        bool keys = begins(pair->key, "keys.");
        enum hd_readings_what what = spec   ? HD_READINGS_SPEC
                                     : keys ? HD_READINGS_KEY
                                            : HD_READINGS_PARAM;
        if ((spec || policy || keys) && !read_policies(r, s, pair, what, v, d))
            return false;
        if (begins(pair->key, "set.") &&
            !read_sets(r, s, pair, pair->value, HD_READINGS_SET, 0, v, d))
            return false;
        if (begins(pair->key, "app.") && !read_app(r, s, pair, v, d))
            return false;
        if (!strcmp(pair->key, "gpu"))
            add(r, v, HD_READINGS_GPU, 0, "gpu", pair->value);
        else if (!strcmp(pair->key, "size"))
            add(r, v, HD_READINGS_SIZE, 0, "size", pair->value);
        else if (!strcmp(pair->key, "seed"))
            add(r, v, HD_READINGS_SEED, 0, "seed", pair->value);
        else if (!strcmp(pair->key, "regs"))
            add(r, v, HD_READINGS_REGS, 0, "regs", pair->value);
        else if (!strcmp(pair->key, "ptx"))
            add(r, v, HD_READINGS_PTX, 0, "ptx", pair->value);
    }
    for (size_t i = 0; i < v->n; i++)
        v->machine = v->machine || v->changes[i].what > HD_READINGS_SPEC;
    if (!v->n)
        hd_diag_hint(
            hd_diag_add(d, r->paper->path, s->line, 0, "[reading %s] changes nothing", s->name),
            "expected policy.*, spec.*, keys.*, set.*, app.*, gpu, regs, ptx, size or seed");
    return v->n > 0;
}

static bool has_param(const struct hd_paper_policy *of, enum hd_slot slot, const char *name)
{
    const struct hd_policy *p = of->slot[slot].policy;

    for (const struct hd_field *f = p ? p->params : NULL; f && f->name; f++)
        if (!strcmp(f->name, name))
            return true;
    return false;
}

bool hd_readingsaxes_in_slot(const struct hd_paper_policy *of, enum hd_slot slot, const char *param)
{
    bool sched = true; // no other slot's policy has it

    for (enum hd_slot other = 0; other < HD_N_SLOTS; other++)
        sched = sched && (other == HD_SLOT_SCHED || !has_param(of, other, param));
    sched = sched || has_param(of, HD_SLOT_SCHED, param);
    return slot == HD_SLOT_SCHED ? sched : !sched && has_param(of, slot, param);
}

// What the policies become is a policy that exists; for a machine the caller looks.
static bool check_policies(const struct hd_readings *r, const struct hd_readings_value *v,
                           struct hd_diag *d)
{
    const struct hd_paper *p = r->paper;
    struct hd_policy_choice choice;

    for (size_t i = 0; i < v->n; i++) {
        const struct hd_readings_change *c = &v->changes[i];
        const struct hd_paper_policy *of = &p->policies[c->policy];
        unsigned before = d->n;
        if (c->what != HD_READINGS_SPEC && c->what != HD_READINGS_PARAM)
            continue;
        for (enum hd_slot slot = 0; slot < HD_N_SLOTS; slot++) {
            const char *spec = c->value;
            if (c->what == HD_READINGS_SPEC ? slot != HD_SLOT_SCHED
                                            : !hd_readingsaxes_in_slot(of, slot, c->key))
                continue;
            if (c->what == HD_READINGS_PARAM)
                spec = hd_arena_printf(p->arena, "%s:%s", of->slot[slot].spec, c->value);
            if (!hd_registry_parse_slot(p->arena, slot, spec, &choice, d))
                return placed(p, v->line, before, d);
        }
    }
    return true;
}

// The words of the parameter that it changes.
static const char *words_of(const struct hd_paper *p, const struct hd_readings_value *v)
{
    const struct hd_readings_change *c = &v->changes[0];

    if (c->what != HD_READINGS_PARAM)
        return "";
    enum hd_slot slot = 0;
    while (!hd_readingsaxes_in_slot(&p->policies[c->policy], slot, c->key))
        slot++;
    const struct hd_policy *policy = p->policies[c->policy].slot[slot].policy;
    for (const struct hd_reading *r = policy->readings; r && r->param; r++)
        if (!strcmp(r->param, c->key))
            return r->sentence;
    for (const struct hd_field *f = policy->params; f && f->name; f++)
        if (!strcmp(f->name, c->key))
            return hd_arena_printf(p->arena, "parameter %s: %s", f->name, f->help);
    return "";
}

static const char **axis_names(const struct hd_readings *r)
{
    const char **names = HD_ARRAY(r->paper->arena, const char *, r->n_axes + 1);

    for (unsigned i = 0; i < r->n_axes; i++)
        names[i] = r->axes[i].name;
    return names;
}

bool hd_readingsaxes_extra(const struct hd_paper *p, const struct hd_paper_section *s, bool *extra,
                           struct hd_diag *d)
{
    const char *full = hd_paper_text(s, "full");

    *extra = full && (!strcmp(full, "1") || !strcmp(full, p->size));
    if (!full || !strcmp(full, "0") || !strcmp(full, "1"))
        return true;
    for (unsigned i = 0; hd_workloads_sizes[i]; i++)
        if (!strcmp(full, hd_workloads_sizes[i]))
            return true;
    hd_diag_hint(
        hd_diag_add(d, p->path, s->line, 0, "[%s %s]: full = %.60s", s->kind, s->name, full),
        "expected 0, 1 or the size of inputs: test, small or paper");
    return false;
}

// A reading whose size is that of the paper already is no other reading.
static bool is_default(const struct hd_paper *p, const struct hd_readings_value *v)
{
    return v->n == 1 && v->changes[0].what == HD_READINGS_SIZE &&
           !strcmp(v->changes[0].value, p->size);
}

static bool read_reading(struct hd_readings *r, const struct hd_paper_section *s, struct hd_diag *d)
{
    struct hd_paper *p = r->paper;
    const char *of = hd_paper_need(p, s, "axis", d), *title = hd_paper_text(s, "title");
    const char *says = hd_paper_text(s, "says");
    struct hd_readings_value v = {
        .name = s->name, .title = title ? title : s->name, .line = s->line};
    unsigned i = 0;
    bool extra;

    while (of && i < r->n_axes && strcmp(r->axes[i].name, of) != 0)
        i++;
    if (!of)
        return false;
    if (i == r->n_axes) {
        hd_diag_nearest(hd_diag_add(d, p->path, s->line, 0,
                                    "[reading %s]: there is no axis '%.60s'", s->name, of),
                        of, axis_names(r));
        return false;
    }
    if (!hd_readingsaxes_extra(p, s, &extra, d) || !read_changes(r, s, &v, d) ||
        !check_policies(r, &v, d))
        return false;
    struct hd_readings_axis *axis = &r->axes[i];
    v.says = says ? says : "";
    if (!axis->says)
        axis->says = words_of(p, &v);
    if (is_default(p, &v))
        return true;
    if (!r->full && extra) {
        *HD_PUSH(p->arena, r->left_out, r->n_left_out, r->left_out_cap) = v.name;
        return true;
    }
    size_t n = axis->n;
    *HD_PUSH(p->arena, axis->values, n, axis->cap) = v;
    axis->n = (unsigned)n;
    return true;
}

bool hd_readingsaxes_read(struct hd_readings *r, struct hd_diag *d)
{
    struct hd_paper *p = r->paper;
    const struct hd_paper_section *s;
    size_t n = 0;

    for (unsigned i = 0; (s = hd_paper_section(p, "axis", i)); i++) {
        const char *title = hd_paper_need(p, s, "title", d);
        const char *base = hd_paper_need(p, s, "default", d);
        if (!title || !base)
            return false;
        *HD_PUSH(p->arena, r->axes, n, r->axes_cap) =
            (struct hd_readings_axis){.name = s->name,
                                      .title = title,
                                      .base = base,
                                      .says = hd_paper_text(s, "says"),
                                      .line = s->line};
    }
    r->n_axes = (unsigned)n;
    if (!n)
        hd_diag_hint(hd_diag_add(d, p->path, 0, 0, "paper %s has no readings", p->name),
                     "docs/papers.md says what [axis] and [reading] hold");
    for (unsigned i = 0; n && (s = hd_paper_section(p, "reading", i)); i++)
        if (!read_reading(r, s, d))
            return false;
    return n > 0;
}

static bool same_thing(const struct hd_readings_change *one, const struct hd_readings_change *two)
{
    bool policies = one->what <= HD_READINGS_SPEC && two->what <= HD_READINGS_SPEC;

    bool spec = one->what == HD_READINGS_SPEC || two->what == HD_READINGS_SPEC;
    if (policies && one->policy == two->policy && one->what != two->what)
        return spec; // the other policy may lack the parameter
    return one->what == two->what && (!policies || one->policy == two->policy) &&
           !strcmp(one->key, two->key);
}

bool hd_readingsaxes_exclude(const struct hd_readings_value *one,
                             const struct hd_readings_value *two)
{
    for (size_t i = 0; i < one->n; i++)
        for (size_t k = 0; k < two->n; k++)
            if (same_thing(&one->changes[i], &two->changes[k]))
                return true;
    return false;
}

const char *hd_readingsaxes_changes(const struct hd_readings *r, const struct hd_readings_value *v)
{
    struct hd_out text = {.arena = r->paper->arena};

    hd_out_add(&text, "", 0);
    for (size_t i = 0; i < v->n; i++) {
        const struct hd_readings_change *c = &v->changes[i];
        hd_out_printf(&text, "%s", i ? ", " : "");
        if (c->what <= HD_READINGS_SPEC)
            hd_out_printf(&text, c->what == HD_READINGS_KEY ? "%s --set %s" : "%s %s",
                          r->paper->policies[c->policy].label, c->value);
        else if (c->what == HD_READINGS_SET)
            hd_out_printf(&text, "--set %s", c->value);
        else if (c->what == HD_READINGS_APP)
            hd_out_printf(&text, "%s: %s", c->key, c->value);
        else
            hd_out_printf(&text, "--%s %s", c->key, c->value);
    }
    return text.text;
}
