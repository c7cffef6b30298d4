// cmd_compare.c - heddle compare: workloads under several schedulers, on several machines, side by
// side.
#include "cmd/cmd_folder.h"

#include "study/compare.h"

#include <string.h>

#define MACHINES_MAX 1024

// A word that is given twice would be the same work under the same name.
static bool repeated(const struct hd_cmd_options *o, const struct hd_cmd_list *list, size_t i,
                     const char *what)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(list->items[k], list->items[i])) {
            if (!o->quiet)
                fprintf(stderr, "heddle: %s%s is given more than once; it is used once\n", what,
                        list->items[i]);
            return true;
        }
    return false;
}

static void drop_repeated(const struct hd_cmd_options *o, struct hd_cmd_list *list,
                          const char *what)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        list->items[n] = list->items[i];
        n += !repeated(o, list, n, what);
    }
    list->n = n;
}

// Errors in any of them are reported before the first run, because the runs may take hours.
static bool read_well(const struct hd_cmd_options *o, const struct hd_study_work *w,
                      const char *word, struct hd_diag *d)
{
    if (w->good)
        return hd_cmd_places_item(o, &w->item, word, NULL, d);
    *d = *w->error;
    return false;
}

// The dumps of a run go to its own folder, whose name depends on all runs.
static bool dump_well(const struct hd_cmd_options *o, const struct hd_study *s, struct hd_diag *d)
{
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_run *run = &s->runs[i];
        if (run->dumps && !run->same &&
            !hd_cmd_places_item(o, &run->work->item, run->work->name, run->dumps, d))
            return false;
    }
    return true;
}

// Whether there is a file of registers is not known from the option alone.
static bool find_regs(const struct hd_cmd_options *o, const struct hd_compare *c, struct hd_diag *d)
{
    struct hd_jobregs known;

    for (unsigned m = 0; m < c->n_machines; m++)
        for (unsigned w = 0; w < c->n_workloads; w++)
            if (!hd_workloads_regs(&c->workloads[w].item, o->arena, &c->machines[m].options.regs,
                                   &known, d))
                return false;
    return true;
}

// Not by the processes that do shares of a study: the one that planned it has said so.
static void note_fixed(const struct hd_cmd_options *o)
{
    if (!o->quiet && (!o->in || o->in->does == HD_CMD_FOLDER_PLAN))
        fprintf(stderr, "heddle: only for built-in workloads:%s; jobs and traces have one input\n",
                hd_cmd_words_input(o));
}

static bool read_workloads(const struct hd_cmd_options *o, struct hd_compare *c, struct hd_diag *d)
{
    struct hd_cmd_list words = {0};
    unsigned fixed = 0;

    if (!o->args.n) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "which workloads are to be compared?"),
                     "expected FILE.job, names of 'heddle list workloads', or @GROUP");
        return false;
    }
    for (size_t i = 0; i < o->args.n; i++)
        if (!hd_cmd_workloads_expand(o->arena, o->args.items[i], &words, d))
            return false;
    drop_repeated(o, &words, "");
    c->workloads = HD_ARRAY(o->arena, struct hd_study_work, words.n);
    c->words = words.items;
    c->n_workloads = (unsigned)words.n;
    c->inputs = HD_ARRAY(o->arena, const char *, words.n);
    for (unsigned i = 0; i < c->n_workloads; i++) {
        struct hd_cmd_options without;
        const struct hd_cmd_options *own =
            hd_cmd_workloads_own(o, &words, words.items[i], &without, &fixed);
        c->inputs[i] = hd_cmd_words_input(own);
        hd_cmd_workloads_study(own, words.items[i], &c->workloads[i]);
        if (!read_well(o, &c->workloads[i], words.items[i], d) ||
            !hd_cmd_sample_item(o, &c->workloads[i].item, d))
            return false;
    }
    if (fixed)
        note_fixed(o);
    return true;
}

// The values of an option that takes a list: "a,b" has two.
static struct hd_cmd_list split(struct hd_arena *a, const char *list)
{
    struct hd_cmd_list parts = {0};

    for (const char *p = list;; p++) {
        size_t n = strcspn(p, ",");
        *HD_PUSH(a, parts.items, parts.n, parts.cap) = hd_arena_strndup(a, p, n);
        p += n;
        if (!*p)
            return parts;
    }
}

// "lrr,two_level_active:6:0:1" into choices of a slot; a comma separates policies and nothing else.
static bool read_choices(const struct hd_cmd_options *o, enum hd_slot slot,
                         struct hd_policy_choice **out, size_t *n, struct hd_diag *d)
{
    const char *option = hd_slots[slot].option;
    struct hd_cmd_list specs = split(o->arena, o->slot[slot]);

    *out = HD_ARRAY(o->arena, struct hd_policy_choice, specs.n);
    *n = specs.n;
    for (size_t i = 0; i < specs.n; i++) {
        struct hd_policy_choice *choice = &(*out)[i];
        if (!*specs.items[i]) {
            hd_diag_hint(
                hd_diag_add(d, NULL, 0, 0, "--%s %s: a name is missing", option, o->slot[slot]),
                "a list has commas and no blanks: --%s A,B", option);
            return false;
        }
        if (!hd_registry_parse_slot(o->arena, slot, specs.items[i], choice, d))
            return false;
        for (size_t k = 0; k < i; k++)
            if (!strcmp((*out)[k].resolved, choice->resolved)) {
                hd_diag_add(d, NULL, 0, 0, "--%s: %s and %s are the same", option, (*out)[k].spec,
                            specs.items[i]);
                return false;
            }
    }
    return true;
}

// Whether the option names several policies, which are compared with each other.
static bool is_list(const struct hd_cmd_options *o, enum hd_slot slot)
{
    return o->slot[slot] && strchr(o->slot[slot], ',');
}

// Each scheduler with each policy of the slots that have a list.
static bool read_scheds(const struct hd_cmd_options *o, struct hd_compare *c, struct hd_diag *d)
{
    struct hd_policy_choice *choices[HD_N_SLOTS];
    size_t n[HD_N_SLOTS], all = 1;

    if (!o->sched) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "compare needs --sched LIST, for example lrr,gto"),
                     "'heddle list policies' shows all policies");
        return false;
    }
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) {
        n[s] = 1;
        if ((s == HD_SLOT_SCHED || is_list(o, s)) && !read_choices(o, s, &choices[s], &n[s], d))
            return false;
        all *= n[s];
    }
    c->scheds = HD_ARRAY(o->arena, struct hd_compare_sched, all);
    c->n_scheds = (unsigned)all;
    for (size_t i = 0; i < all; i++) {
        struct hd_compare_sched *to = &c->scheds[i];
        size_t stride = all / n[HD_SLOT_SCHED];
        to->slot[HD_SLOT_SCHED] = choices[HD_SLOT_SCHED][i / stride];
        to->label = to->slot[HD_SLOT_SCHED].spec;
        for (enum hd_slot s = HD_SLOT_SCHED + 1; s < HD_N_SLOTS; s++) {
            stride /= n[s];
            if (!is_list(o, s))
                continue;
            to->slot[s] = choices[s][i / stride % n[s]];
            to->label = hd_arena_printf(o->arena, "%s --%s %s", to->label, hd_slots[s].option,
                                        to->slot[s].spec);
        }
        to->words = hd_arena_printf(o->arena, " --sched %s", to->label);
    }
    return true;
}

struct axes { // --gpu A,B, --regs A,B and each --set KEY=V,W: what the machines are made of
    struct hd_cmd_list gpus, regs, *values;
    const char **keys; // with the '='
    size_t n_sets;
    unsigned n; // machines
};

static bool read_axes(const struct hd_cmd_options *o, struct axes *x, struct hd_diag *d)
{
    x->gpus = split(o->arena, o->gpu ? o->gpu : HD_CMD_DEFAULT_GPU);
    drop_repeated(o, &x->gpus, "--gpu ");
    if (o->regs)
        x->regs = split(o->arena, o->regs);
    drop_repeated(o, &x->regs, "--regs ");
    x->n_sets = o->sets.n;
    x->values = HD_ARRAY(o->arena, struct hd_cmd_list, x->n_sets + 1);
    x->keys = HD_ARRAY(o->arena, const char *, x->n_sets + 1);
    uint64_t n = x->gpus.n * (x->regs.n ? x->regs.n : 1);
    for (size_t i = 0; i < x->n_sets; i++) {
        const char *set = o->sets.items[i], *equals = strchr(set, '=');
        size_t key = equals ? (size_t)(equals - set) + 1 : 0;
        x->keys[i] = hd_arena_strndup(o->arena, set, key);
        x->values[i] = split(o->arena, set + key);
        drop_repeated(o, &x->values[i], hd_arena_printf(o->arena, "--set %s", x->keys[i]));
        for (size_t k = 0; key && k < i; k++)
            if (!strcmp(x->keys[k], x->keys[i])) {
                hd_diag_hint(
                    hd_diag_add(d, NULL, 0, 0, "--set %.100s... is given twice", x->keys[i]),
                    "give all values to compare after one '=': %.60sA,B", x->keys[i]);
                return false;
            }
        n *= x->values[i].n;
        if (n > MACHINES_MAX)
            break;
    }
    if (n > MACHINES_MAX)
        hd_diag_add(d, NULL, 0, 0, "--gpu, --regs and --set make more than %d machines",
                    MACHINES_MAX);
    x->n = (unsigned)n;
    return n <= MACHINES_MAX;
}

// The options of machine number `i`; `label` and `varied` describe its variation.
static void choose(const struct hd_cmd_options *o, const struct axes *x, unsigned i,
                   struct hd_cmd_options *own, struct hd_out *label, struct hd_out *varied)
{
    unsigned stride = x->n / (unsigned)x->gpus.n;

    *own = *o;
    for (enum hd_slot s = HD_SLOT_SCHED + 1; s < HD_N_SLOTS; s++)
        own->slot[s] = is_list(o, s) ? NULL : o->slot[s];
    own->gpu = x->gpus.items[i / stride];
    own->sets = (struct hd_cmd_list){0};
    if (x->gpus.n > 1)
        hd_out_printf(label, "%s", own->gpu);
    if (x->regs.n) {
        stride /= (unsigned)x->regs.n;
        own->regs = x->regs.items[i / stride % x->regs.n];
    }
    if (x->regs.n > 1) {
        hd_out_printf(label, "%sregs=%s", label->bytes ? " " : "", own->regs);
        hd_out_printf(varied, "regs=%s", own->regs);
    }
    for (size_t k = 0; k < x->n_sets; k++) {
        stride /= (unsigned)x->values[k].n;
        const char *word = hd_arena_printf(o->arena, "%s%s", x->keys[k],
                                           x->values[k].items[i / stride % x->values[k].n]);
        *HD_PUSH(o->arena, own->sets.items, own->sets.n, own->sets.cap) = word;
        if (x->values[k].n > 1) {
            hd_out_printf(label, "%s%s", label->bytes ? " " : "", word);
            hd_out_printf(varied, "%s%s", varied->bytes ? " " : "", word);
        }
    }
}

static bool read_machines(const struct hd_cmd_options *o, struct hd_compare *c, struct hd_diag *d)
{
    struct axes x = {0};

    if (!read_axes(o, &x, d))
        return false;
    c->n_machines = x.n;
    c->machines = HD_ARRAY(o->arena, struct hd_compare_machine, x.n);
    for (unsigned i = 0; i < x.n; i++) {
        struct hd_compare_machine *m = &c->machines[i];
        struct hd_out label = {.arena = o->arena}, varied = {.arena = o->arena};
        struct hd_cmd_options own;
        choose(o, &x, i, &own, &label, &varied);
        if (!hd_cmd_machine_set_up(&own, &m->config, &m->options, d))
            return false;
        m->label = label.bytes ? label.text : "";
        m->varied = varied.bytes ? varied.text : "";
        m->set = hd_runreport_sets(&m->options, o->arena);
        m->words = hd_cmd_words_repeat(&own);
        own.ptx = NULL;
        m->fixed = hd_cmd_words_machine(&own);
    }
    return true;
}

static bool write_results(const struct hd_cmd_options *o, const struct hd_compare *c)
{
    bool json_out = o->json && !strcmp(o->json, "-"), csv_out = o->csv && !strcmp(o->csv, "-");
    bool good = true;

    if (!o->quiet && !json_out && !csv_out)
        hd_comparetable_print(c);
    hd_comparetable_failures(c);
    if (o->json) {
        struct hd_out text = {.arena = o->arena};
        hd_out_open(&text, hd_out_path(o->arena, o->json));
        hd_comparetable_json(c, &text);
        good = hd_out_close(&text) && good;
    }
    if (o->csv) {
        struct hd_out text = {.arena = o->arena};
        hd_comparetable_csv(c, &text);
        good = hd_out_write(hd_out_path(o->arena, o->csv), text.text, text.bytes) && good;
    }
    if (o->plot || o->html) {
        struct hd_sheets sheets = {.arena = o->arena};
        const char *words = hd_arena_printf(
            o->arena, "Workloads: %u, schedulers: %u, machines: %u%s", c->n_workloads, c->n_scheds,
            c->n_machines, hd_comparetable_conditions(c));
        hd_comparetable_sheets(c, &sheets);
        good = hd_cmd_study_figures(o, &c->study, &sheets, "heddle: schedulers compared", words) &&
               good;
    }
    return good;
}

static int run(struct hd_cmd_options *o, struct hd_compare *c, struct hd_diag *d)
{
    hd_cmd_folder_join(o, &c->study);
    if (!hd_cmd_study_open(o, &c->study, d) || !hd_compare_plan(c, d) ||
        !dump_well(o, &c->study, d))
        return hd_cmd_options_fail(d);
    hd_cmd_html_share(o, &c->study);
    int status;
    if (hd_cmd_folder_ends(o, &c->study, &status, d))
        return status;
    if (!hd_compare_start(c))
        return hd_cmd_study_interrupted(o, &c->study);
    status = hd_study_exit(&c->study);
    bool written = write_results(o, c);
    written = hd_cmd_study_stored(&c->study) && written;
    return written || status > HD_EXIT_USER ? status : HD_EXIT_USER;
}

int hd_cmd_compare(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_compare c = {.arena = o->arena};
    int status = HD_EXIT_USER;

    if (!hd_cmd_folder_check(o, &d) || !hd_cmd_places_check(o, false, &d) ||
        !hd_cmd_html_choose(o, &d) || !hd_cmd_machine_plugins(o, &d) || !read_machines(o, &c, &d) ||
        !read_scheds(o, &c, &d) || !read_workloads(o, &c, &d) || !find_regs(o, &c, &d) ||
        !hd_compare_choose_base(&c, o->base, &d))
        hd_cmd_options_fail(&d);
    else
        status = run(o, &c, &d);
    hd_compare_end(&c);
    hd_database_close(c.study.db);
    return status;
}
