// alias.c - makes the policies of aliases.def. See alias.h.
//
// An alias is a copy of its policy's table with another name, and with a table of parameters
// without the fixed ones. So everything that lists, explains or runs policies treats it like any
// other. The copies are made once, on first use.
#include "registry/alias.h"

#include "base/bug.h"
#include "base/fields.h"
#include "registry/catalog.h"
#include "registry/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 64

static const struct {
    const char *name, *spec, *brief, *source;
} rows[] = {
#define X(name, spec, brief, source) {#name, spec, brief, source},
#include "registry/aliases.def"
#undef X
};
enum { N_ALIASES = sizeof rows / sizeof *rows };

static struct hd_policy aliases[N_ALIASES];
static struct hd_field left[N_ALIASES][HD_FIELDS_MAX]; // parameters that are not fixed
static const struct hd_policy *originals[N_ALIASES];
static pthread_once_t made = PTHREAD_ONCE_INIT;

struct part { // KEY=VALUE of a spec
    char key[NAME_SIZE], value[NAME_SIZE];
};

// The next part of a spec, whose rest begins with ':'; false at its end.
static bool next_part(const char **rest, struct part *part)
{
    const char *key = *rest + 1;

    if (!**rest)
        return false;
    size_t n_key = strcspn(key, "="), n_value = strcspn(key + n_key + 1, ":");
    snprintf(part->key, NAME_SIZE, "%.*s", (int)n_key, key);
    snprintf(part->value, NAME_SIZE, "%.*s", (int)n_value, key + n_key + 1);
    *rest = key + n_key + 1 + n_value;
    return true;
}

static bool is_fixed(unsigned i, const char *name)
{
    const char *rest = strchr(rows[i].spec, ':');
    struct part part;

    while (next_part(&rest, &part))
        if (!strcmp(part.key, name))
            return true;
    return false;
}

static void make(unsigned i)
{
    char name[NAME_SIZE];
    unsigned n = 0;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].spec, ":"), rows[i].spec);
    originals[i] = hd_catalog_find(name);
    HD_BUG_IF(!originals[i], "alias %s is of '%s', which is no policy", rows[i].name, name);
    aliases[i] = *originals[i];
    aliases[i].name = rows[i].name;
    aliases[i].brief = rows[i].brief;
    aliases[i].source = rows[i].source;
    aliases[i].params = left[i];
    for (const struct hd_field *f = originals[i]->params; f && f->name; f++)
        if (!is_fixed(i, f->name))
            left[i][n++] = *f;
}

static void make_all(void)
{
    for (unsigned i = 0; i < N_ALIASES; i++)
        make(i);
}

unsigned hd_alias_count(void)
{
    return N_ALIASES;
}

const struct hd_policy *hd_alias_at(unsigned i)
{
    pthread_once(&made, make_all);
    return &aliases[i];
}

const struct hd_policy *hd_registry_original(const struct hd_policy *p)
{
    for (unsigned i = 0; i < N_ALIASES; i++)
        if (p == &aliases[i])
            return originals[i];
    return p;
}

void hd_alias_apply(const struct hd_policy *p, void *params)
{
    struct hd_diag d = {0};
    struct part part;
    unsigned i = 0;

    while (i < N_ALIASES && p != &aliases[i])
        i++;
    if (i == N_ALIASES)
        return;
    const char *rest = strchr(rows[i].spec, ':');
    while (next_part(&rest, &part))
        HD_BUG_IF(!hd_fields_set(originals[i]->params, params, p->name, part.key, part.value, &d,
                                 NULL, 0),
                  "alias %s: %s", p->name, d.entries[0].text);
}
