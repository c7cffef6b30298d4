// registry.c - the table of policies, and the reader of policy names. See registry.h.
//
// The table of compiled-in policies comes from policies.inc, written by the Makefile: one X(name)
// per file of src/policy/, sorted. A file whose HD_POLICY line has another name fails to link.
#include "registry/registry.h"

#include "base/blame.h"
#include "base/bug.h"
#include "base/fields.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define X(id) extern const struct hd_policy hd_policy_##id;
#include "policies.inc"
#undef X

static const struct hd_policy *const built_in[] = {
#define X(id) &hd_policy_##id,
#include "policies.inc"
#undef X
};
enum {
    N_BUILT_IN = 0
#define X(id) +1
#include "policies.inc"
#undef X
};

#define MAX_PLUGINS 64
#define NAME_SIZE 128
static const struct hd_policy *plugins[MAX_PLUGINS];
static unsigned n_plugins;
// Where they lie, in the order of loading, for who wants to know whose code crashed.
static struct loaded {
    const char *path;
    const void *base;
    const struct hd_policy *policy;
} loaded[MAX_PLUGINS];
static unsigned n_loaded;
static const char *loading; // now: its constructors run

unsigned hd_registry_count(void)
{
    return (unsigned)N_BUILT_IN + n_plugins;
}

// Both parts are sorted; merge them.
const struct hd_policy *hd_registry_at(unsigned i)
{
    unsigned b = 0, p = 0;

    HD_BUG_IF(i >= hd_registry_count(), "policy %u of %u", i, hd_registry_count());
    for (;;) {
        bool from_built_in =
            p == n_plugins || (b < N_BUILT_IN && strcmp(built_in[b]->name, plugins[p]->name) < 0);
        const struct hd_policy *next = from_built_in ? built_in[b++] : plugins[p++];
        if (i-- == 0)
            return next;
    }
}

static bool same_name(const char *a, const char *b)
{
    while (*a && (*a == '-' ? '_' : *a) == (*b == '-' ? '_' : *b))
        a++, b++;
    return *a == *b;
}

const struct hd_policy *hd_registry_find(const char *name)
{
    for (unsigned i = 0; i < hd_registry_count(); i++)
        if (same_name(hd_registry_at(i)->name, name))
            return hd_registry_at(i);
    return NULL;
}

static void insert_plugin(const struct hd_policy *p)
{
    unsigned at = n_plugins++;

    for (; at && strcmp(p->name, plugins[at - 1]->name) < 0; at--)
        plugins[at] = plugins[at - 1];
    plugins[at] = p;
}

static bool fills_any(const struct hd_policy *p)
{
    for (unsigned slot = HD_SLOT_SCHED; slot <= HD_SLOT_KERNEL; slot++)
        if (hd_registry_fills(p, (enum hd_slot)slot))
            return true;
    return false;
}

// Tables are read without looking twice; a slip in one must not look like a bug of ours.
static bool bad_tables(const char *path, const struct hd_policy *p, struct hd_diag *d)
{
    const struct {
        const char *what;
        const struct hd_field *table;
        size_t bytes;
    } rows[] = {{"params, in params_bytes", p->params, p->params_bytes},
                {"counters, in sched_bytes", p->counters, p->sched_bytes},
                {"sm_counters, in sm_bytes", p->sm_counters, p->sm_bytes}};
    char why[160];

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (hd_fields_wrong(rows[i].table, rows[i].bytes, i > 0, why, sizeof why)) {
            hd_diag_add(d, NULL, 0, 0, "%s: policy %s, table .%s: %s", path, p->name, rows[i].what,
                        why);
            return true;
        }
    return false;
}

// The policy of an opened plug-in; NULL after saying what is wrong with it.
static const struct hd_policy *check_plugin(const char *path, void *handle, struct hd_diag *d)
{
    const struct hd_policy *const *symbol = dlsym(handle, "hd_plugin");
    const struct hd_policy *p = symbol ? *symbol : NULL;
    struct hd_diag_entry *e = NULL;

    if (!p) {
        e = hd_diag_add(d, NULL, 0, 0, "%s is no heddle policy: it has no symbol hd_plugin", path);
        hd_diag_hint(e, "a policy file ends with HD_POLICY(...)");
    } else if (p->abi != HD_POLICY_ABI) {
        e = hd_diag_add(d, NULL, 0, 0,
                        "%s was built for policy interface %u, this heddle has interface %u", path,
                        p->abi, HD_POLICY_ABI);
        hd_diag_hint(e, "compile it again with this heddle's include folder");
    } else if (!p->name || !*p->name) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: the policy has no name", path);
    } else if (hd_registry_find(p->name)) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: there is already a policy named '%s'", path, p->name);
        hd_diag_hint(e, "rename it in its HD_POLICY line");
    } else if (!fills_any(p)) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: the policy decides nothing", path);
        hd_diag_hint(e, "HD_POLICY needs .first, .fetch, .tb_limit, .place or .next_kernel");
    } else if (n_plugins == MAX_PLUGINS) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: more than %d plug-ins", path, MAX_PLUGINS);
    }
    return !p || e || bad_tables(path, p, d) ? NULL : p;
}

const char *hd_registry_file(const struct hd_policy *p)
{
    for (unsigned i = 0; i < n_loaded; i++)
        if (loaded[i].policy == p)
            return loaded[i].path;
    return NULL;
}

static void remember(const char *path, const struct hd_policy *p)
{
    Dl_info at;

    if (dladdr(p, &at)) {
        loaded[n_loaded++] = (struct loaded){path, at.dli_fbase, p};
        hd_blame_file = hd_registry_file;
    }
}

const char *hd_registry_plugin_at(const void *base)
{
    for (unsigned i = 0; i < n_loaded; i++)
        if (loaded[i].base == base)
            return loaded[i].path;
    return loading;
}

bool hd_registry_has_plugins(void)
{
    return n_loaded != 0;
}

// The loader maps a file as its heads say and touches what is not there: a file that was cut off
// (a full disk, a copy that goes on) is refused instead. What is no ELF file it refuses itself.
static bool whole(const char *path, uint64_t bytes, struct hd_diag *d)
{
    FILE *f = fopen(path, "rbe");
    Elf64_Ehdr head;
    Elf64_Phdr part;
    uint64_t end = 0;

    if (!f)
        return true;
    bool elf = fread(&head, sizeof head, 1, f) == 1 && !memcmp(head.e_ident, ELFMAG, SELFMAG) &&
               head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_phentsize == sizeof part;
    if (elf && head.e_phoff <= INT64_MAX && !fseek(f, (long)head.e_phoff, SEEK_SET)) {
        end = head.e_phoff + (uint64_t)head.e_phnum * sizeof part;
        for (unsigned i = 0; i < head.e_phnum && fread(&part, sizeof part, 1, f) == 1; i++)
            if (part.p_type == PT_LOAD && part.p_filesz <= UINT64_MAX - part.p_offset &&
                part.p_offset + part.p_filesz > end)
                end = part.p_offset + part.p_filesz;
    }
    fclose(f);
    if (end <= bytes)
        return true;
    hd_diag_hint(
        hd_diag_add(d, NULL, 0, 0,
                    "cannot load plug-in: %s is cut off: it has %llu bytes of %llu or more", path,
                    (unsigned long long)bytes, (unsigned long long)end),
        "compile it again");
    return false;
}

bool hd_registry_plugin(const char *path, struct hd_diag *d)
{
    char local[4096];
    struct stat st;
    void *handle;

    // The loader would wait for a FIFO's writer.
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        hd_diag_add(d, NULL, 0, 0, "cannot load plug-in: %s: not a regular file", path);
        return false;
    }
    if (stat(path, &st) == 0 && !whole(path, (uint64_t)st.st_size, d))
        return false;
    loading = path;
    // Without a slash the loader would search the system's folders.
    if (!strchr(path, '/') && (size_t)snprintf(local, sizeof local, "./%s", path) < sizeof local)
        handle = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    else
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    loading = NULL;
    if (!handle) {
        hd_diag_add(d, NULL, 0, 0, "cannot load plug-in: %s", dlerror());
        return false;
    }
    const struct hd_policy *p = check_plugin(path, handle, d);
    if (!p) {
        dlclose(handle);
        return false;
    }
    insert_plugin(p);
    remember(path, p);
    return true;
}

#define SEPARATORS                                                                                 \
    "a policy's parameters are separated by ':', as in NAME:a=1:b=2; a comma separates policies"

static bool unknown_name(const char *name, struct hd_diag *d)
{
    const char *names[N_BUILT_IN + MAX_PLUGINS + 1];
    unsigned n = hd_registry_count();
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no policy '%s'", name);

    for (unsigned i = 0; i < n; i++)
        names[i] = hd_registry_at(i)->name;
    names[n] = NULL;
    if (strchr(name, '=')) // what was behind the comma of policy:a=1,b=2
        hd_diag_hint(e, SEPARATORS);
    else if (strchr(name, ','))
        hd_diag_hint(e, "expected one policy; heddle compare takes several for --sched");
    else
        hd_diag_nearest(e, name, names);
    if (!e->hint[0])
        hd_diag_hint(e, "'heddle list policies' shows all policies");
    return false;
}

static char *resolved(struct hd_arena *a, const struct hd_policy *p, const void *params)
{
    char *text = hd_arena_strdup(a, p->name), value[NAME_SIZE];

    for (const struct hd_field *f = p->params; f && f->name; f++)
        text = hd_arena_printf(a, "%s:%s=%s", text, f->name,
                               hd_fields_text(f, params, value, sizeof value));
    return text;
}

struct spec { // being read
    const struct hd_policy *policy;
    void *params;
    unsigned position; // row that the next value is for; UINT32_MAX: only keys may follow
    uint64_t given;    // mask of rows
};

// Each parameter once: of two values one would be lost without a word.
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

// One piece of a spec behind the name: KEY=VALUE, or a value for the next row of the table.
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
        return unknown_name(text, d);

    void *params = hd_arena_get(a, 1, p->params_bytes ? p->params_bytes : 1);
    hd_fields_defaults(p->params, params);
    struct spec s = {.policy = p, .params = params};
    while (colon) {
        char *part = colon + 1;
        colon = strchr(part, ':');
        if (colon)
            *colon = '\0';
        good = set_part(&s, part, d) && good;
    }
    if (!good)
        return false;
    out->policy = p;
    out->params = params;
    out->spec = hd_arena_strdup(a, spec);
    out->resolved = resolved(a, p, params);
    return true;
}

bool hd_registry_fills(const struct hd_policy *p, enum hd_slot slot)
{
    switch (slot) {
    case HD_SLOT_SCHED:
        return p->first != NULL;
    case HD_SLOT_FETCH:
        return p->fetch != NULL;
    case HD_SLOT_TB:
        return p->place != NULL || (p->tb_limit != NULL && !p->first); // else it comes with sched
    case HD_SLOT_KERNEL:
        return p->next_kernel != NULL;
    }
    return false;
}

bool hd_registry_parse_slot(struct hd_arena *a, enum hd_slot slot, const char *spec,
                            struct hd_policy_choice *out, struct hd_diag *d)
{
    static const char *const baseline[] = {NULL, "rr", "rr", "rr"};
    static const char *const duty[] = {"choose warps to issue", "choose warps to fetch for",
                                       "place thread blocks", "choose kernels"};

    if (baseline[slot] && !strcmp(spec, baseline[slot])) {
        *out = (struct hd_policy_choice){.spec = baseline[slot], .resolved = baseline[slot]};
        return true;
    }
    if (!hd_registry_parse(a, spec, out, d))
        return false;
    if (hd_registry_fills(out->policy, slot))
        return true;
    hd_diag_add(d, NULL, 0, 0, "policy %s does not %s", out->policy->name, duty[slot]);
    return false;
}

void hd_registry_preset(const struct hd_policy_choice *sched, struct hd_policy_choice *fetch)
{
    if (sched->policy && (sched->policy->needs & HD_NEED_FETCH_SLOT) && !fetch->spec)
        *fetch = *sched;
}
