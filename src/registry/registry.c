// registry.c - the table of policies, and the loader of plug-ins. See registry.h; spec.c parses
// names, alias.c makes aliases, catalog.c has what is compiled in.
#include "registry/registry.h"

#include "base/blame.h"
#include "base/bug.h"
#include "base/fields.h"
#include "registry/alias.h"
#include "registry/catalog.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PLUGINS 64
static const struct hd_policy *plugins[MAX_PLUGINS];
static unsigned n_plugins;
// Where plug-ins are in memory, in the order of loading, to find the one that crashed.
static struct loaded {
    const char *path;
    const void *base;
    const struct hd_policy *policy;
} loaded[MAX_PLUGINS];
static unsigned n_loaded;
static const char *loading; // being loaded now: its constructors run

unsigned hd_registry_count(void)
{
    return hd_catalog_count() + hd_alias_count() + n_plugins;
}

// The three parts are sorted; merge them.
const struct hd_policy *hd_registry_at(unsigned i)
{
    unsigned b = 0, a = 0, p = 0;

    HD_BUG_IF(i >= hd_registry_count(), "policy %u of %u", i, hd_registry_count());
    for (;;) {
        const struct hd_policy *built = b < hd_catalog_count() ? hd_catalog_at(b) : NULL;
        const struct hd_policy *alias = a < hd_alias_count() ? hd_alias_at(a) : NULL;
        const struct hd_policy *next = p < n_plugins ? plugins[p] : NULL;
        if (alias && (!next || strcmp(alias->name, next->name) < 0))
            next = alias;
        if (built && (!next || strcmp(built->name, next->name) < 0))
            next = built;
        b += next == built;
        a += next == alias;
        p += next != built && next != alias;
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
    for (enum hd_slot slot = 0; slot < HD_N_SLOTS; slot++)
        if (hd_registry_fills(p, slot))
            return true;
    return false;
}

#define MAX_STATE ((size_t)64 << 20) // bytes of parameters, or of one state

// Events that do not wake an SM: of the machine, not of the SM's own warps.
#define ASLEEP                                                                                     \
    (HD_ON(HD_EV_KERNEL_START) | HD_ON(HD_EV_KERNEL_END) | HD_ON(HD_EV_PHASE_SLOW) |               \
     HD_ON(HD_EV_KERNEL_COMPLETE))

const char *hd_registry_slip(const struct hd_policy *p)
{
    if (p->params_bytes > MAX_STATE || p->gpu_bytes > MAX_STATE || p->sm_bytes > MAX_STATE ||
        p->sched_bytes > MAX_STATE)
        return "its params_bytes, gpu_bytes, sm_bytes or sched_bytes is above 64 MiB";
    if (p->events && !p->on)
        return "it asks for events, but on is missing";
    if (!p->events && p->on)
        return "it has on, but asks for no events";
    if (p->gpu_events && !p->on_gpu)
        return "it asks for gpu_events, but on_gpu is missing";
    if (!p->gpu_events && p->on_gpu)
        return "it has on_gpu, but asks for no gpu_events";
    if ((p->flags & HD_LOST_ONCE) && !(p->end && !p->begin))
        return "HD_LOST_ONCE is for a policy with end and without begin";
    if ((p->flags & HD_EVERY_CYCLE) && p->wakes)
        return "HD_EVERY_CYCLE, but it has wakes, which is never asked";
    if ((p->flags & HD_EVERY_CYCLE) && (p->flags & HD_LOST_ONCE))
        return "HD_EVERY_CYCLE and HD_LOST_ONCE contradict each other";
    if (!(p->flags & HD_LOST_SINGLY))
        return NULL;
    if (p->flags & (HD_EVERY_CYCLE | HD_LOST_ONCE))
        return "HD_LOST_SINGLY contradicts HD_EVERY_CYCLE and HD_LOST_ONCE";
    if (p->wakes)
        return "HD_LOST_SINGLY, but it has wakes, which is never asked";
    if (p->sm_bytes || p->gpu_bytes)
        return "HD_LOST_SINGLY is for a policy that has state of schedulers only";
    if (p->events & ASLEEP)
        return "HD_LOST_SINGLY, but it asks for events of the machine";
    return NULL;
}

// Tables and flags are used later without checks; an error in one must not look like a bug of
// heddle.
static bool bad_tables(const char *path, const struct hd_policy *p, struct hd_diag *d)
{
    const struct {
        const char *what;
        const struct hd_field *table;
        size_t bytes;
    } rows[] = {{"params, in params_bytes", p->params, p->params_bytes},
                {"counters, in sched_bytes", p->counters, p->sched_bytes},
                {"sm_counters, in sm_bytes", p->sm_counters, p->sm_bytes}};
    char why[HD_DIAG_TEXT];

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (hd_fields_wrong(rows[i].table, rows[i].bytes, i > 0, why, sizeof why)) {
            hd_diag_add(d, NULL, 0, 0, "%s: policy %s, table .%s: %s", path, p->name, rows[i].what,
                        why);
            return true;
        }
    if (!hd_registry_slip(p))
        return false;
    hd_diag_add(d, NULL, 0, 0, "%s: policy %s: %s", path, p->name, hd_registry_slip(p));
    return true;
}

// The table of interface 1 began with the same members, and had these bits among its needs.
#define ABI_1_FETCH_SLOT 0x08
#define ABI_1_LOST_ONCE 0x10

// A plug-in for another interface is refused by name. For interface 1 the message says which line
// of its source must change; compiling it again finds the rest.
static struct hd_diag_entry *refuse_interface(const char *path, const struct hd_policy *p,
                                              struct hd_diag *d)
{
    struct hd_diag_entry *e;

    if (p->abi != 1) {
        e = hd_diag_add(d, NULL, 0, 0,
                        "%s was built for policy interface %u, this heddle has interface %u", path,
                        p->abi, HD_POLICY_ABI);
        hd_diag_hint(e, "compile it again with this heddle's include folder");
        return e;
    }
    e = hd_diag_add(d, NULL, 0, 0,
                    "%s: policy %.60s was built for policy interface 1, this heddle has interface "
                    "%u",
                    path, p->name ? p->name : "without a name", HD_POLICY_ABI);
    if (p->needs & ABI_1_FETCH_SLOT)
        hd_diag_hint(e,
                     ".needs = HD_NEED_FETCH_SLOT becomes .flags = HD_FETCH_TOO; then compile it "
                     "again");
    else if (p->needs & ABI_1_LOST_ONCE)
        hd_diag_hint(e,
                     ".needs = HD_LOST_ONCE becomes .flags = HD_LOST_ONCE; then compile it again");
    else
        hd_diag_hint(e, "compile it again; v->head_offchip becomes hd_long(v, HD_LONG_ANY), place "
                        "and next_kernel need \"heddle/policy_gpu.h\"");
    return e;
}

#define X(NAME, key, option, function, ...) ", ." #function
#define SLOT_FUNCTIONS HD_POLICY_SLOTS(X)

// The policy of an opened plug-in; NULL after reporting what is wrong with it.
static const struct hd_policy *check_plugin(const char *path, void *handle, struct hd_diag *d)
{
    const struct hd_policy *const *symbol = dlsym(handle, "hd_plugin");
    const struct hd_policy *p = symbol ? *symbol : NULL;
    struct hd_diag_entry *e = NULL;

    if (!p) {
        e = hd_diag_add(d, NULL, 0, 0, "%s is no heddle policy: it has no symbol hd_plugin", path);
        hd_diag_hint(e, "a policy file ends with HD_POLICY(...)");
    } else if (p->abi != HD_POLICY_ABI) {
        e = refuse_interface(path, p, d);
    } else if (!p->name || !*p->name) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: the policy has no name", path);
    } else if (hd_registry_find(p->name)) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: there is already a policy named '%s'", path, p->name);
        hd_diag_hint(e, "rename it in its HD_POLICY line");
    } else if (!fills_any(p)) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: the policy decides nothing", path);
        hd_diag_hint(e,
                     "HD_POLICY needs .tb_limit" SLOT_FUNCTIONS ", .feed, .admit, .mark, .remark");
    } else if (n_plugins == MAX_PLUGINS) {
        e = hd_diag_add(d, NULL, 0, 0, "%s: more than %d plug-ins", path, MAX_PLUGINS);
    }
    return !p || e || bad_tables(path, p, d) ? NULL : p;
}

#undef X

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

// The loader maps a file as its headers say and accesses parts that may not exist: a truncated file
// (a full disk, a copy in progress) is refused here. The loader itself refuses what is no ELF file.
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
    void *handle, *frame;

    // The loader would wait for a FIFO's writer.
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        hd_diag_add(d, NULL, 0, 0, "cannot load plug-in: %s: not a regular file", path);
        return false;
    }
    if (stat(path, &st) == 0 && !whole(path, (uint64_t)st.st_size, d))
        return false;
    backtrace(&frame, 1); // its first call loads a library, which a handler of crashes cannot do
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
