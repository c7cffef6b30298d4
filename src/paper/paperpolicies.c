// paperpolicies.c - the policies of a paper's file, each with its own keys of the machine, and what
// figures make of them. See paper.h.
//
// A figure with a key `gpu` has its policies on that machine, one of kind `sweep` has its policy at
// each of its values, named LABEL@VALUE. Both are policies like any other, which are found only
// from their figure and the claims about it.
#include "paper/paper.h"

#include <string.h>

static struct hd_paper_policy *add(struct hd_paper *p, const struct hd_paper_policy *like)
{
    size_t n = p->n_policies;
    struct hd_paper_policy own = *like; // it may lie in what is about to move
    struct hd_paper_policy *to = HD_PUSH(p->arena, p->policies, n, p->policies_cap);

    *to = own;
    p->n_policies = (unsigned)n;
    return to;
}

// set = KEY=VALUE KEY=VALUE ...
static bool read_sets(struct hd_paper *p, const struct hd_paper_section *s,
                      struct hd_paper_policy *to, struct hd_diag *d)
{
    const char *text = hd_paper_text(s, "set");

    for (; text && *(text += strspn(text, " \t")); text += strcspn(text, " \t")) {
        const char *one = hd_arena_strndup(p->arena, text, strcspn(text, " \t"));
        const char *equals = strchr(one, '=');
        if (!equals || equals == one) {
            hd_diag_hint(hd_diag_add(d, p->path, s->line, 0, "[policy %s]: '%.60s' sets no key",
                                     s->name, one),
                         "expected KEY=VALUE, as in --set");
            return false;
        }
        *HD_PUSH(p->arena, to->sets, to->n_sets, to->sets_cap) = one;
    }
    return true;
}

static bool read_policy(struct hd_paper *p, const struct hd_paper_section *s, struct hd_diag *d)
{
    const char *spec = hd_paper_need(p, s, "spec", d);
    struct hd_paper_policy *to =
        add(p, &(struct hd_paper_policy){.label = s->name,
                                         .section = s,
                                         .base = p->n_policies,
                                         .plan = hd_paper_text(s, "plan")});

    for (enum hd_slot slot = 0; spec && slot < HD_N_SLOTS; slot++) {
        const char *text = slot == HD_SLOT_SCHED ? spec : hd_paper_text(s, hd_slots[slot].option);
        if (text && !hd_registry_parse_slot(p->arena, slot, text, &to->slot[slot], d))
            return false;
    }
    return spec && read_sets(p, s, to, d);
}

// The policies of a key, each on the figure's machine.
static bool add_moved(struct hd_paper *p, const struct hd_paper_section *f, const char *key,
                      struct hd_diag *d)
{
    struct hd_paper_list all;

    if (!hd_paper_text(f, key))
        return true;
    if (!hd_paper_policies(p, f, key, &all, d))
        return false;
    for (unsigned i = 0; i < all.n; i++) {
        if (p->policies[all.items[i]].figure)
            continue; // another key of the figure has named it
        struct hd_paper_policy *own = add(p, &p->policies[all.items[i]]);
        own->figure = f;
        own->gpu = hd_paper_text(f, "gpu");
    }
    return true;
}

// The policy of a sweep at each value.
static bool add_swept(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    const char *key = hd_paper_need(p, f, "key", d);
    const char *text = key ? hd_paper_need(p, f, "values", d) : NULL;
    struct hd_paper_list of;
    unsigned at;

    if (!text || !hd_paper_policies(p, f, "policy", &of, d))
        return false;
    for (; *(text += strspn(text, " \t")); text += strcspn(text, " \t")) {
        const char *value = hd_arena_strndup(p->arena, text, strcspn(text, " \t"));
        const char *label =
            hd_arena_printf(p->arena, "%s@%s", p->policies[of.items[0]].label, value);
        if (hd_paper_policy_named(p, f, label, &at) && p->policies[at].figure == f)
            continue;
        struct hd_paper_policy *own = add(p, &p->policies[of.items[0]]);
        own->figure = f;
        own->label = label;
        own->value = hd_arena_printf(p->arena, "%s=%s", key, value);
    }
    return true;
}

static bool check_plans(const struct hd_paper *p, struct hd_diag *d)
{
    for (unsigned i = 0; i < p->n_policies; i++) {
        const struct hd_paper_policy *of = &p->policies[i];
        unsigned by;
        if (!of->plan || (hd_paper_policy_named(p, of->section, of->plan, &by) && by != i &&
                          !p->policies[by].plan))
            continue;
        hd_diag_hint(hd_diag_add(d, p->path, of->section->line, 0,
                                 "[policy %s]: no plan can be made under '%.60s'", of->label,
                                 of->plan),
                     "expected the label of a policy that needs no plan itself");
        return false;
    }
    return true;
}

bool hd_paperpolicies_read(struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *s;

    for (unsigned i = 0; (s = hd_paper_section(p, "policy", i)); i++)
        if (!read_policy(p, s, d))
            return false;
    if (!check_plans(p, d))
        return false;
    for (unsigned i = 0; (s = hd_paper_section(p, "figure", i)); i++) {
        const char *kind = hd_paper_text(s, "kind");
        if (hd_paper_text(s, "gpu") &&
            (!add_moved(p, s, "base", d) || !add_moved(p, s, "policy", d) ||
             !add_moved(p, s, "policies", d)))
            return false;
        if (kind && !strcmp(kind, "sweep") && !add_swept(p, s, d))
            return false;
    }
    return true;
}

bool hd_paperpolicies_own(const struct hd_paper_policy *policy)
{
    return policy->gpu || policy->n_sets || policy->value;
}

const char *hd_paperpolicies_spec(struct hd_arena *a, const struct hd_paper_policy *policy)
{
    struct hd_out text = {.arena = a};

    for (enum hd_slot slot = 0; slot < HD_N_SLOTS; slot++) {
        const struct hd_policy_choice *c = &policy->slot[slot];
        bool planned = policy->plan && c->policy && hd_registry_planned(c->policy);
        if (!c->spec)
            continue;
        if (slot != HD_SLOT_SCHED)
            hd_out_printf(&text, " --%s ", hd_slots[slot].option);
        hd_out_printf(&text, "%s%s", c->spec, planned ? ":plan=plan" : "");
    }
    return text.text;
}

const char *hd_paperpolicies_words(const struct hd_paper *p, unsigned policy)
{
    const struct hd_paper_policy *of = &p->policies[policy];
    struct hd_out text = {.arena = p->arena};

    hd_out_printf(&text, "%s", hd_paperpolicies_spec(p->arena, of));
    for (size_t i = 0; i < of->n_sets; i++)
        hd_out_printf(&text, " --set %s", of->sets[i]);
    if (of->value)
        hd_out_printf(&text, " --set %s", of->value);
    return text.text;
}

const struct hd_config *hd_paperpolicies_config(const struct hd_paper *p, unsigned policy)
{
    const struct hd_paper_machine *machine = p->policies[policy].machine;

    return machine ? &machine->config : &p->config;
}
