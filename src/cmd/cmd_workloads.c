// cmd_workloads.c - workloads by name: those built in, and the jobs of the data folder.
#include "cmd/cmd.h"

#include "base/config.h"

#include <string.h>
#include <strings.h>

struct hd_cmd_list hd_cmd_workloads_names(struct hd_arena *a, const char *folder,
                                          const char *suffix)
{
    struct hd_cmd_list names = {0};

    names.items = hd_config_names(a, folder, suffix, &names.n);
    names.cap = names.n + 1; // with the NULL that ends it
    return names;
}

static bool ends_in(const char *word, const char *end)
{
    size_t n = strlen(word), m = strlen(end);

    return n >= m && !strcmp(word + n - m, end);
}

// The path of a job; NULL if the word means none.
static const char *find_job(struct hd_arena *a, const char *word)
{
    if (ends_in(word, ".job"))
        return word;
    const char *inside = hd_arena_printf(a, HD_CMD_JOBS "/%s/%s.job", word, word);
    const char *data = strchr(word, '/') ? NULL : hd_config_data(a, inside);
    return data ? hd_arena_printf(a, "%s/%s", data, inside) : NULL;
}

// The label of a workload in some paper, as "@GROUP:LABEL"; NULL if the word is none.
static const char *label_like(struct hd_arena *a, const char *word)
{
    for (unsigned i = 0; hd_workloads_at(i); i++)
        for (const char *at = hd_workloads_at(i)->groups; *at; at += strspn(at, " ")) {
            const char *group = hd_arena_strndup(a, at, strcspn(at, " "));
            const char *label = strchr(group, ':');
            if (label && (!strcasecmp(label + 1, word) || !strcasecmp(group, word)))
                return hd_arena_printf(a, "@%s", group);
            at += strlen(group);
        }
    return NULL;
}

static void refuse_unknown(struct hd_arena *a, const char *word, struct hd_diag *d)
{
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no workload '%.100s'", word);
    struct hd_cmd_list names = hd_cmd_workloads_names(a, HD_CMD_JOBS, NULL);
    const char *label = label_like(a, word), *other = hd_cmd_misplaced(a, word);

    for (unsigned i = 0; hd_workloads_at(i); i++) // over the NULL that ends the list of jobs
        *HD_PUSH(a, names.items, names.n, names.cap) = hd_workloads_at(i)->name;
    *HD_PUSH(a, names.items, names.n, names.cap) = NULL;
    if (other)
        hd_diag_hint(e, "%s", other);
    else if (label)
        hd_diag_hint(e, "did you mean '%s'?", label);
    else
        hd_diag_nearest(e, word, names.items);
    if (!e->hint[0])
        hd_diag_hint(e, "expected a FILE.job, a FILE.trace or a name of 'heddle list workloads'");
}

static bool has(const struct hd_cmd_list *list, const char *word)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->items[i], word))
            return true;
    return false;
}

// Names of groups (group NULL), or the labels that a group has; NULL ends the items.
static struct hd_cmd_list known_groups(struct hd_arena *a, const char *group)
{
    struct hd_cmd_list known = {0};

    if (!group)
        *HD_PUSH(a, known.items, known.n, known.cap) = "all";
    for (unsigned i = 0; hd_workloads_at(i); i++)
        for (const char *at = hd_workloads_at(i)->groups; *at; at += strspn(at, " ")) {
            size_t n = strcspn(at, " "), name = strcspn(at, ": ");
            const char *word = hd_arena_strndup(a, at, group ? n : name);
            bool labelled = group && name < n && !strncmp(at, group, name) && !group[name];
            if ((!group || labelled) && !has(&known, word))
                *HD_PUSH(a, known.items, known.n, known.cap) = labelled ? word + name + 1 : word;
            at += n;
        }
    *HD_PUSH(a, known.items, known.n, known.cap) = NULL;
    known.n--;
    return known;
}

// Reports that "GROUP" or "GROUP:LABEL" means no workload.
static void refuse_group(struct hd_arena *a, const char *word, struct hd_diag *d)
{
    struct hd_diag_entry *e;
    const char *group = hd_arena_strndup(a, word, strcspn(word, ":")), *near;
    struct hd_cmd_list groups = known_groups(a, NULL), labels = known_groups(a, group);

    if (!has(&groups, group)) {
        e = hd_diag_add(d, NULL, 0, 0, "there is no group of workloads '%.100s'", group);
        near = hd_diag_closest(group, groups.items);
        if (near)
            hd_diag_hint(e, "did you mean '@%s%s'?", near, word + strlen(group));
        else
            hd_diag_hint(e, "'heddle list workloads' shows the groups of each; @all is all");
        return;
    }
    const char *label = word + strlen(group) + 1, *all = "no labels";
    for (size_t i = 0; i < labels.n; i++)
        all = i ? hd_arena_printf(a, "%s, %s", all, labels.items[i]) : labels.items[i];
    e = hd_diag_add(d, NULL, 0, 0, "nothing in group @%.40s is called '%.60s'", group, label);
    near = hd_diag_closest(label, labels.items);
    if (near)
        hd_diag_hint(e, "did you mean '@%s:%s'?", group, near);
    else
        hd_diag_hint(e, "it has %s", all);
}

static bool read_size(const struct hd_cmd_options *o, struct hd_workloads_item *out,
                      struct hd_diag *d)
{
    const char *size = o->size ? o->size : hd_workloads_sizes[HD_WORK_SMALL];

    for (unsigned i = 0; hd_workloads_sizes[i]; i++)
        if (!strcmp(hd_workloads_sizes[i], size)) {
            out->size = (enum hd_work_size)i;
            out->seed = o->seed_given ? o->seed : HD_WORKLOADS_SEED;
            return true;
        }
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "--size %.60s: no such size", size);
    hd_diag_hint(e, "expected test, small or paper");
    return false;
}

static bool read_target(const struct hd_cmd_options *o, struct hd_workloads_item *out,
                        struct hd_diag *d)
{
    static const char *const targets[] = {"sm_20", "sm_75", NULL};

    for (unsigned i = 0; o->ptx && targets[i]; i++)
        if (!strcmp(targets[i], o->ptx))
            out->target = o->ptx;
    if (!o->ptx || out->target)
        return true;
    struct hd_diag_entry *e =
        hd_diag_add(d, NULL, 0, 0, "--ptx %.60s: workloads have no such PTX", o->ptx);
    hd_diag_hint(e, "expected sm_20 or sm_75");
    return false;
}

bool hd_cmd_workloads_options(const struct hd_cmd_options *o, struct hd_diag *d)
{
    struct hd_workloads_item any;

    return read_size(o, &any, d) && read_target(o, &any, d);
}

// A job's size, seed and modules are in its lines; a trace's were chosen when it was recorded.
static bool is_fixed(const struct hd_cmd_options *o, const char *input, const char *word,
                     struct hd_diag *d)
{
    const char *given = o->size ? "--size" : o->seed_given ? "--seed" : o->ptx ? "--ptx" : NULL;

    if (!given)
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s: a %s: %.80s", given, input, word),
                 "'heddle list workloads' shows what has sizes");
    return false;
}

// A trace is recognised by its ending, or by its first bytes unless the word names something
// shipped.
static bool is_trace(struct hd_arena *a, const char *word)
{
    if (ends_in(word, ".trace"))
        return true;
    bool shipped = hd_workloads_find(word) || (!ends_in(word, ".job") && find_job(a, word));
    return !shipped && hd_traceread_is(word);
}

const struct hd_cmd_options *hd_cmd_workloads_own(const struct hd_cmd_options *o,
                                                  const struct hd_cmd_list *words, const char *word,
                                                  struct hd_cmd_options *mine, unsigned *fixed)
{
    bool given = o->size || o->seed_given || o->ptx, any = false;

    for (size_t i = 0; i < words->n && !any; i++)
        any = hd_workloads_find(words->items[i]) != NULL;
    if (!given || !any || hd_workloads_find(word))
        return o;
    *mine = *o;
    mine->size = mine->ptx = NULL;
    mine->seed_given = false;
    ++*fixed;
    return mine;
}

bool hd_cmd_workloads_read(const struct hd_cmd_options *o, const char *word,
                           struct hd_workloads_item *out, struct hd_diag *d)
{
    *out = (struct hd_workloads_item){.name = word};
    if (is_trace(o->arena, word)) {
        out->trace = is_fixed(o, "trace has the input it was recorded with", word, d)
                         ? hd_traceread_open(o->arena, word, d)
                         : NULL;
        if (!out->trace)
            return false;
        out->name = out->trace->summary.workload;
        out->seed = out->trace->summary.seed;
        return true;
    }
    out->workload = hd_workloads_find(word);
    if (out->workload)
        return read_size(o, out, d) && read_target(o, out, d);
    const char *path = find_job(o->arena, word);
    if (!path) {
        refuse_unknown(o->arena, word, d);
        return false;
    }
    out->job = is_fixed(o, "job has one input, written in its lines", word, d)
                   ? hd_job_load(o->arena, path, d)
                   : NULL;
    if (out->job)
        out->name = out->job->name;
    return out->job != NULL;
}

void hd_cmd_workloads_study(const struct hd_cmd_options *o, const char *word,
                            struct hd_study_work *out)
{
    // A bad workload is a failed run, not the end of the others.
    struct hd_diag *own = HD_NEW(o->arena, hd_diag);

    out->good = hd_cmd_workloads_read(o, word, &out->item, own);
    out->name = out->item.name;
    out->error = own;
}

bool hd_cmd_workloads_expand(struct hd_arena *a, const char *word, struct hd_cmd_list *out,
                             struct hd_diag *d)
{
    size_t before = out->n;

    if (word[0] != '@') {
        *HD_PUSH(a, out->items, out->n, out->cap) = word;
        return true;
    }
    for (unsigned i = 0; hd_workloads_at(i); i++)
        if (hd_workloads_in(hd_workloads_at(i), word + 1))
            *HD_PUSH(a, out->items, out->n, out->cap) = hd_workloads_at(i)->name;
    if (out->n == before)
        refuse_group(a, word + 1, d);
    return out->n > before;
}
