// spec.c - parses policy names with parameters. See registry.h.
#include "registry/registry.h"

#include "base/fields.h"
#include "registry/alias.h"
#include "registry/plan.h"

#include <stdio.h>
#include <string.h>

#define NAME_SIZE 128

#define SEPARATORS                                                                                 \
    "parameters are separated from the name, and from each other, by ':', as in NAME:a=1:b=2; a "  \
    "comma separates policies"

static bool unknown_name(struct hd_arena *a, const char *name, struct hd_diag *d)
{
    unsigned n = hd_registry_count();
    const char **names = hd_arena_get(a, n + 1, sizeof *names);
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no policy '%s'", name);

    for (unsigned i = 0; i < n; i++)
        names[i] = hd_registry_at(i)->name;
    if (strchr(name, '=')) // what followed the comma of policy:a=1,b=2
        hd_diag_hint(e, SEPARATORS);
    else if (strchr(name, ','))
        hd_diag_hint(e, "expected one policy; heddle compare takes several, separated by commas");
    else
        hd_diag_nearest(e, name, names);
    if (!e->hint[0])
        hd_diag_hint(e, "'heddle list policies' shows all policies");
    return false;
}

static char *resolved(struct hd_arena *a, const struct hd_policy *p, const void *params)
{
    char *text = hd_arena_strdup(a, p->name), value[HD_FIELD_PLAN_MAX];

    for (const struct hd_field *f = p->params; f && f->name; f++)
        text = hd_arena_printf(a, "%s:%s=%s", text, f->name,
                               hd_fields_text(f, params, value, sizeof value));
    return text;
}

static struct hd_plan_file *plan_file(const struct hd_field *f, void *params)
{
    return (void *)((char *)params + f->offset - offsetof(struct hd_plan_file, path));
}

// Reads the files that parameters name; false if one is wrong.
static bool read_plans(struct hd_arena *a, const struct hd_policy *p, void *params,
                       struct hd_diag *d)
{
    for (const struct hd_field *f = p->params; f && f->name; f++) {
        struct hd_plan_file *file;
        if (f->type != HD_FIELD_PLAN)
            continue;
        file = plan_file(f, params);
        file->plan = *file->path ? hd_plan_read(a, file->path, d) : NULL;
        if (*file->path && !file->plan)
            return false;
    }
    return true;
}

bool hd_registry_planned(const struct hd_policy *p)
{
    for (const struct hd_field *f = p->params; f && f->name; f++)
        if (f->type == HD_FIELD_PLAN)
            return true;
    return false;
}

void hd_registry_give_plan(struct hd_arena *a, struct hd_policy_choice *c,
                           const struct hd_plan *plan)
{
    void *params = hd_arena_get(a, 1, c->policy->params_bytes);

    memcpy(params, c->params, c->policy->params_bytes);
    for (const struct hd_field *f = c->policy->params; f && f->name; f++)
        if (f->type == HD_FIELD_PLAN)
            plan_file(f, params)->plan = plan;
    c->params = params;
}

struct spec { // being read
    const struct hd_policy *policy;
    void *params;
    unsigned position; // row that the next value is for; UINT32_MAX: only keys may follow
    uint64_t given;    // mask of rows
};

// A parameter may be given only once: otherwise one of two values would be lost silently.
static bool twice(struct spec *s, const char *what, const char *name, struct hd_diag *d)
{
    for (unsigned i = 0; s->policy->params && s->policy->params[i].name; i++) {
        if (strcmp(s->policy->params[i].name, name) != 0)
            continue;
        if (s->given >> i & 1) {
            hd_diag_add(d, NULL, 0, 0, "%s: %s is given twice", what, name);
            return true;
        }
        s->given |= UINT64_C(1) << i;
    }
    return false;
}

// One piece of a spec after the name: KEY=VALUE, or a value for the next row of the table.
static bool set_part(struct spec *s, char *part, struct hd_diag *d)
{
    const struct hd_policy *p = s->policy;
    const struct hd_field *row = p->params;
    char *equals = strchr(part, '='), what[NAME_SIZE];

    snprintf(what, sizeof what, "policy %s", p->name);
    if (strchr(part, ',')) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s: there is a comma in '%s'", what, part),
                     SEPARATORS);
        return false;
    }
    if (equals) {
        *equals = '\0';
        for (char *c = part; *c; c++)
            *c = *c == '-' ? '_' : *c;
        s->position = UINT32_MAX;
        return !twice(s, what, part, d) &&
               hd_fields_set(p->params, s->params, what, part, equals + 1, d, NULL, 0);
    }
    if (s->position == UINT32_MAX) {
        hd_diag_add(d, NULL, 0, 0, "%s: value '%s' comes after a KEY=VALUE", what, part);
        return false;
    }
    for (unsigned i = 0; row && row->name && i < s->position; i++)
        row++;
    if (!row || !row->name) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s has no parameter for '%s'", what, part),
                     "it has %u", s->position);
        return false;
    }
    s->position++;
    twice(s, what, row->name, d); // values come first: this only marks it
    return hd_fields_set(p->params, s->params, what, row->name, part, d, NULL, 0);
}

bool hd_registry_parse(struct hd_arena *a, const char *spec, struct hd_policy_choice *out,
                       struct hd_diag *d)
{
    char *text = hd_arena_strdup(a, spec), *colon = strchr(text, ':');
    const struct hd_policy *p;
    bool good = true;

    if (colon)
        *colon = '\0';
    p = hd_registry_find(text);
    if (!p)
        return unknown_name(a, text, d);

    void *params = hd_arena_get(a, 1, p->params_bytes ? p->params_bytes : 1);
    hd_fields_defaults(p->params, params);
    hd_alias_apply(p, params);
    struct spec s = {.policy = p, .params = params};
    while (colon) {
        char *part = colon + 1;
        colon = strchr(part, ':');
        if (colon)
            *colon = '\0';
        good = set_part(&s, part, d) && good;
    }
    if (!good || !read_plans(a, p, params, d))
        return false;
    out->policy = p;
    out->params = params;
    out->spec = hd_arena_strdup(a, spec);
    out->resolved = resolved(a, p, params);
    return true;
}

bool hd_registry_parse_slot(struct hd_arena *a, enum hd_slot slot, const char *spec,
                            struct hd_policy_choice *out, struct hd_diag *d)
{
    const char *baseline = hd_slots[slot].baseline;

    if (!strcmp(spec, baseline) && !hd_registry_find(baseline)) {
        *out = (struct hd_policy_choice){.spec = baseline, .resolved = baseline};
        return true;
    }
    if (!hd_registry_parse(a, spec, out, d))
        return false;
    if (hd_registry_fills(out->policy, slot))
        return true;
    hd_diag_add(d, NULL, 0, 0, "policy %s does not %s", out->policy->name, hd_slots[slot].does);
    return false;
}

void hd_registry_preset_slot(const struct hd_policy_choice *by, enum hd_slot slot,
                             struct hd_policy_choice *into)
{
    static const uint32_t requests[HD_N_SLOTS] = {[HD_SLOT_FETCH] = HD_FETCH_TOO,
                                                  [HD_SLOT_TB] = HD_TB_TOO,
                                                  [HD_SLOT_KERNEL_POLICY] = HD_KERNEL_TOO};

    if (by->policy && (by->policy->flags & requests[slot]) && !into->spec)
        *into = *by;
}

void hd_registry_preset(struct hd_policy_choice *slots)
{
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        hd_registry_preset_slot(&slots[HD_SLOT_SCHED], s, &slots[s]);
    hd_registry_preset_slot(&slots[HD_SLOT_TB], HD_SLOT_KERNEL_POLICY,
                            &slots[HD_SLOT_KERNEL_POLICY]);
}

const char *hd_registry_usual(const struct hd_policy_choice *slots, enum hd_slot slot)
{
    struct hd_policy_choice own = {0};

    if (slot != HD_SLOT_SCHED)
        hd_registry_preset_slot(&slots[HD_SLOT_SCHED], slot, &own);
    if (slot == HD_SLOT_KERNEL_POLICY)
        hd_registry_preset_slot(&slots[HD_SLOT_TB], slot, &own);
    return hd_registry_resolved(&own, slot);
}
