// paperformula.c - what a paper computes from the machine and from a policy's storage. See
// paperclaims.h.
//
// FORMULA: PRODUCT { + PRODUCT }; PRODUCT: TERM { * or / TERM }. A term is a number, a key of the
// machine ("sm.warps"), a parameter of one of the paper's policies ("PRO:threshold"), a key of the
// machine that its runs have ("NewCAR:requeue.entries"), the bits that
// such a policy takes in an SM ("bits:PRO") or for each warp ("bits-per-warp:PRO"), or width(TERM),
// the bits of a counter that goes up to TERM.
#include "paper/paperclaims.h"

#include "base/config.h"
#include "base/configkeys.h"
#include "base/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct formula {
    const struct hd_paper *paper;
    const struct hd_paper_section *section;
    struct hd_diag *diag;
};

static bool refuse(const struct formula *f, const char *term, const char *what)
{
    hd_diag_hint(hd_diag_add(f->diag, f->paper->path, f->section->line, 0,
                             "[%s %s]: the machine has no key '%.60s'", f->section->kind,
                             f->section->name, term),
                 "%s", what);
    return false;
}

// The value of "section.key" of the machine.
static bool key_value(const struct hd_config *c, const char *key, double *out)
{
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++) {
        size_t m = strlen(s->name);
        const struct hd_field *row = NULL;
        if (!strncmp(key, s->name, m) && key[m] == '.')
            row = hd_fields_find(s->rows, key + m + 1);
        if (!row || (row->type != HD_FIELD_U32 && row->type != HD_FIELD_BOOL))
            continue;
        uint32_t v;
        memcpy(&v, (const char *)c + row->offset, sizeof v);
        *out = v;
        return true;
    }
    return false;
}

static const struct hd_policy_choice *policy_named(const struct formula *f, const char *label)
{
    for (unsigned i = 0; i < f->paper->n_policies; i++)
        if (!strcmp(f->paper->policies[i].label, label))
            return &f->paper->policies[i].slot[HD_SLOT_SCHED];
    hd_diag_add(f->diag, f->paper->path, f->section->line, 0, "[%s %s]: there is no policy '%.60s'",
                f->section->kind, f->section->name, label);
    return NULL;
}

static bool storage(const struct formula *f, const char *label, bool warp, double *out)
{
    const struct hd_policy_choice *choice = policy_named(f, label);
    const struct hd_config *c = &f->paper->config;
    double bits = 0;

    if (!choice)
        return false;
    for (const struct hd_cost *row = choice->policy ? choice->policy->cost : NULL; row && row->what;
         row++) {
        bits += (double)(warp ? row->per_warp
                              : hd_registry_bits(row, c->sm.warps, c->sm.tbs, c->sm.schedulers));
    }
    *out = bits;
    return true;
}

static bool parameter(const struct formula *f, const char *label, const char *name, double *out)
{
    const struct hd_policy_choice *choice = policy_named(f, label);
    const struct hd_field *row = choice && choice->policy && choice->policy->params
                                     ? hd_fields_find(choice->policy->params, name)
                                     : NULL;
    char text[100];

    if (!choice)
        return false;
    if (strchr(name, '.')) { // a key of the machine that its runs have
        unsigned at = 0;
        hd_paper_policy_named(f->paper, f->section, label, &at);
        return key_value(hd_paperpolicies_config(f->paper, at), name, out) ||
               refuse(f, name, "a policy's machine has the keys of every machine");
    }
    if (!row || !choice->params || (row->type != HD_FIELD_U32 && row->type != HD_FIELD_BOOL)) {
        hd_diag_add(f->diag, f->paper->path, f->section->line, 0,
                    "[%s %s]: policy '%.60s' has no parameter '%.60s' that is a number",
                    f->section->kind, f->section->name, label, name);
        return false;
    }
    *out = strtod(hd_fields_text(row, choice->params, text, sizeof text), NULL);
    return true;
}

static bool term(const struct formula *f, const char *text, double *out)
{
    struct hd_arena *a = f->paper->arena;
    const char *colon = strrchr(text, ':');
    size_t n = strlen(text);
    char *end;

    if (*text >= '0' && *text <= '9') {
        *out = strtod(text, &end);
        return *end ? refuse(f, text, "a number holds digits only") : true;
    }
    if (!strncmp(text, "width(", 6) && text[n - 1] == ')') {
        if (!term(f, hd_arena_strndup(a, text + 6, n - 7), out))
            return false;
        *out = *out >= 1 ? floor(log2(*out)) + 1 : 1;
        return true;
    }
    if (!strncmp(text, "bits:", 5))
        return storage(f, text + 5, false, out);
    if (!strncmp(text, "bits-per-warp:", 14))
        return storage(f, text + 14, true, out);
    if (colon)
        return parameter(f, hd_arena_strndup(a, text, (size_t)(colon - text)), colon + 1, out);
    return key_value(&f->paper->config, text, out) ||
           refuse(f, text, "terms are numbers, keys, POLICY:parameter and bits:POLICY");
}

bool hd_paperformula_value(const struct hd_paper *p, const struct hd_paper_section *s,
                           const char *text, double *out, struct hd_diag *d)
{
    struct formula f = {p, s, d};
    double product = 1, v;
    char sign = '*';

    for (*out = 0;;) {
        text += strspn(text, " \t");
        size_t n = strcspn(text, "*/+"), end = n;
        while (end && (text[end - 1] == ' ' || text[end - 1] == '\t'))
            end--;
        if (!term(&f, hd_arena_strndup(p->arena, text, end), &v))
            return false;
        product = sign == '/' ? product / v : product * v;
        sign = text[n];
        if (sign == '+' || !sign) {
            *out += product;
            product = 1;
        }
        if (!sign)
            break;
        text += n + 1;
    }
    if (isfinite(*out))
        return true;
    hd_diag_add(d, p->path, s->line, 0, "[%s %s]: the formula has no finite value", s->kind,
                s->name);
    return false;
}
