// comparetable.c - a comparison as table and bars, CSV and JSON.
#include "study/compare.h"

#include "heddle/version.h"
#include "present/json.h"
#include "present/table.h"
#include "report/runreport.h"
#include "study/outcome.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 80
#define NAME_MAX_SHOWN 24

// Names are cut for the bars, whose width is limited; the table shows them whole.
static const char *shown(struct hd_arena *a, const char *name)
{
    size_t n = strlen(name);

    return n <= NAME_MAX_SHOWN ? name : hd_arena_printf(a, "%.*s~", NAME_MAX_SHOWN - 1, name);
}

#define ERROR_HEAD "+-%"

struct cell { // of the comparison, with its number and its places
    unsigned i, w, m, s;
    const struct hd_study_run *run;
    double relative;
};

// Cell number i, workload by workload; false after the last.
static bool at(const struct hd_compare *c, unsigned i, struct cell *out)
{
    if (i >= c->study.n_runs)
        return false;
    *out = (struct cell){.i = i,
                         .w = i / c->n_scheds / c->n_machines,
                         .m = i / c->n_scheds % c->n_machines,
                         .s = i % c->n_scheds,
                         .run = &c->study.runs[i],
                         .relative = c->relative[i]};
    return true;
}

static bool first_of_workload(const struct cell *x)
{
    return x->m == 0 && x->s == 0;
}

// What distinguishes the bars of one workload.
static const char *bar_name(const struct hd_compare *c, unsigned m, unsigned s)
{
    const char *machine = c->machines[m].label, *sched = c->scheds[s].label;

    if (c->n_machines == 1)
        return sched;
    return c->n_scheds == 1 ? machine : hd_arena_printf(c->arena, "%s %s", sched, machine);
}

static char *ratio(struct hd_arena *a, double v)
{
    return v > 0 ? hd_arena_printf(a, "%.3f", v) : NULL;
}

static const char *estimated(const struct hd_compare *c)
{
    return c->errors ? ", estimated" : "";
}

// How far a number may be off, in %; NULL for a number that there is not.
static char *error_text(const struct hd_compare *c, bool there, double error, bool paired)
{
    if (!there)
        return NULL;
    return error < 0 ? hd_arena_printf(c->arena, "?")
                     : hd_arena_printf(c->arena, "%.2f%s", 100 * error, paired ? "" : "*");
}

// The sentences to show beside numbers of samples; NULL if there are none.
static const char *sample_note(const struct hd_compare *c)
{
    const struct hd_sample_options *o = hd_compare_sample(c);

    if (!o)
        return NULL;
    return hd_arena_printf(c->arena,
                           "~: estimated from a sample of the launches (%s). %s: the error, in %% "
                           "with a confidence of 95 %%.",
                           hd_runsample_words(c->arena, o), ERROR_HEAD);
}

// Which errors are not those of pairs; NULL if all are.
static const char *unpaired_note(const struct hd_compare *c)
{
    for (unsigned i = 0; c->errors && i < c->study.n_runs; i++)
        if (c->relative[i] > 0 && !c->paired[i])
            return "*: the run and its base have not measured the same launches, so the error is "
                   "larger than that of pairs.";
    return NULL;
}

// The cells of a run: cycles, IPC and the ratio, of samples with their errors, and the verdict.
static void add_cells(const struct hd_compare *c, struct hd_table *t, const struct cell *x)
{
    const struct hd_study_run *run = x->run;
    const char *mark = run->estimated ? "~" : "";
    bool good = !strcmp(run->result, "ok") || !strcmp(run->result, "check_failed");
    bool base = hd_compare_base_cell(c, x->w, x->m) == x->i;

    hd_table_add(t, hd_outcome_cycles(run, c->arena));
    if (c->errors)
        hd_table_add(t, error_text(c, run->timed, run->error, true));
    hd_table_add(t, run->timed ? hd_arena_printf(c->arena, "%s%.2f", mark, run->ipc) : NULL);
    hd_table_add(t, ratio(c->arena, x->relative));
    if (c->errors)
        hd_table_add(t, base ? NULL
                             : error_text(c, x->relative > 0, c->errors[x->i], c->paired[x->i]));
    hd_table_add(t, good ? run->verified : run->result);
}

// The heads of these cells.
static void add_heads(const struct hd_compare *c, struct hd_table *t, const char *base)
{
    hd_table_add(t, "CYCLES");
    if (c->errors)
        hd_table_add(t, ERROR_HEAD);
    hd_table_add(t, "IPC");
    hd_table_add(t, hd_arena_printf(c->arena, "/ %s", base));
    if (c->errors)
        hd_table_add(t, ERROR_HEAD);
    hd_table_add(t, "VERIFIED");
}

// The means of a bar, after the rows of the workloads: name, machine (if `machines`), scheduler,
// the mean.
static void add_mean_rows(const struct hd_compare *c, struct hd_table *t, bool machines)
{
    unsigned bars = c->n_machines * c->n_scheds;

    for (unsigned k = 0; k < 2 * bars && c->n_scheds && c->n_workloads > 1 && c->means[0].n; k++) {
        const struct hd_compare_mean *mean = &c->means[k % bars];
        const struct hd_compare_machine *machine = &c->machines[k % bars / c->n_scheds];
        hd_table_add(t, k == 0 ? "arithmetic mean" : k == bars ? "geometric mean" : NULL);
        if (machines)
            hd_table_add(t, k % c->n_scheds   ? NULL
                            : *machine->label ? machine->label
                                              : machine->config.name);
        hd_table_add(t, c->scheds[k % c->n_scheds].label);
        for (int i = 0; i < (c->errors ? 3 : 2); i++)
            hd_table_add(t, NULL);
        hd_table_add(t, ratio(c->arena, k < bars ? mean->arithmetic : mean->geometric));
        if (c->errors)
            hd_table_add(t,
                         k % bars % c->n_scheds == c->base_sched && c->base_machine < 0
                             ? NULL
                             : error_text(c, mean->n > 0,
                                          k < bars ? mean->arithmetic_error : mean->geometric_error,
                                          true));
        hd_table_add(t, mean->n < c->n_workloads
                            ? hd_arena_printf(c->arena, "%u of %u", mean->n, c->n_workloads)
                            : NULL);
    }
}

static void print_table(const struct hd_compare *c)
{
    struct hd_arena *a = c->arena;
    bool machines = c->n_machines > 1;
    struct hd_table t = hd_table_new(
        a, hd_arena_printf(a, "%s%s", machines ? "lll" : "ll", c->errors ? "rrrrrl" : "rrrl"));
    struct cell x;

    hd_table_add(&t, "WORKLOAD");
    if (machines)
        hd_table_add(&t, "MACHINE");
    hd_table_add(&t, "SCHEDULER");
    add_heads(c, &t, shown(a, hd_compare_base(c)));
    for (unsigned i = 0; at(c, i, &x); i++) {
        hd_table_add(&t, first_of_workload(&x) ? x.run->work->name : NULL);
        if (machines)
            hd_table_add(&t, x.s ? NULL : c->machines[x.m].label);
        hd_table_add(&t, c->scheds[x.s].label);
        add_cells(c, &t, &x);
    }
    add_mean_rows(c, &t, machines);
    hd_table_print(&t, stdout);
    if (sample_note(c))
        printf("\n%s\n", sample_note(c));
    if (unpaired_note(c))
        printf("%s\n", unpaired_note(c));
}

static void add_bar(struct hd_table *t, struct hd_arena *a, const char *what, const char *name,
                    double value, double full, unsigned width)
{
    hd_table_add(t, what);
    hd_table_add(t, shown(a, name));
    hd_table_add(t, value > 0
                        ? hd_arena_printf(a, "%s %.3f",
                                          hd_table_bar(a, value, full, width, hd_out_utf8()), value)
                        : "-");
}

static unsigned longest(struct hd_arena *a, unsigned least, const char *name)
{
    unsigned n = (unsigned)strlen(shown(a, name));

    return n > least ? n : least;
}

static void add_means(const struct hd_compare *c, struct hd_table *t, bool geometric, double full,
                      unsigned width)
{
    for (unsigned i = 0; i < c->n_machines * c->n_scheds; i++)
        add_bar(t, c->arena,
                i           ? NULL
                : geometric ? "geometric mean"
                            : "arithmetic mean",
                bar_name(c, i / c->n_scheds, i % c->n_scheds),
                geometric ? c->means[i].geometric : c->means[i].arithmetic, full, width);
}

static void print_bars(const struct hd_compare *c)
{
    struct hd_arena *a = c->arena;
    struct hd_table t = hd_table_new(a, "lll");
    unsigned left = (unsigned)strlen("arithmetic mean"), middle = 0;
    struct cell x;
    double full = 0;

    for (unsigned i = 0; at(c, i, &x); i++) {
        left = longest(a, left, x.run->work->name);
        middle = longest(a, middle, bar_name(c, x.m, x.s));
        if (x.relative > full)
            full = x.relative;
    }
    unsigned width = WIDTH - left - middle - 4 - 7; // two gaps, and " 1.000" with one to spare
    for (unsigned i = 0; at(c, i, &x); i++)
        add_bar(&t, a, first_of_workload(&x) ? shown(a, x.run->work->name) : NULL,
                bar_name(c, x.m, x.s), x.relative, full, width);
    if (c->n_workloads > 1) {
        add_means(c, &t, false, full, width);
        add_means(c, &t, true, full, width);
    }
    printf("\nIPC relative to %s%s\n", hd_compare_base(c), estimated(c));
    hd_table_print(&t, stdout);
}

static const char *plural(unsigned n)
{
    return n == 1 ? "" : "s";
}

// The policies of other slots that the user has chosen for all runs, as options.
static const char *for_all(const struct hd_compare *c)
{
    const struct hd_policy_choice *slots = c->machines[0].options.gpu.slot;
    const char *text = "";

    for (enum hd_slot k = HD_SLOT_SCHED + 1; k < HD_N_SLOTS; k++)
        if (slots[k].spec)
            text =
                hd_arena_printf(c->arena, "%s, --%s %s", text, hd_slots[k].option, slots[k].spec);
    return text;
}

// Whether `text` has the word of `n` characters.
static bool has_word(const char *text, const char *word, size_t n)
{
    for (size_t m; (m = strcspn(text, " ")) > 0; text += m + (text[m] == ' '))
        if (m == n && !strncmp(text, word, n))
            return true;
    return false;
}

// The words of a machine's changes that all machines have.
static const char *common_sets(const struct hd_compare *c)
{
    struct hd_out text = {.arena = c->arena};
    const char *word = c->machines[0].set;

    for (size_t n; (n = strcspn(word, " ")) > 0; word += n + (word[n] == ' ')) {
        unsigned have = 0;
        for (unsigned m = 0; m < c->n_machines; m++)
            have += has_word(c->machines[m].set, word, n);
        if (have == c->n_machines)
            hd_out_printf(&text, "%s%.*s", text.bytes ? " " : "", (int)n, word);
    }
    return text.bytes ? text.text : "";
}

// One workload of those whose input has a size and a seed, which are the same for all; NULL: none.
static const struct hd_workloads_item *sized(const struct hd_compare *c)
{
    for (unsigned w = 0; w < c->n_workloads; w++)
        if (c->workloads[w].good && hd_workloads_size(&c->workloads[w].item))
            return &c->workloads[w].item;
    return NULL;
}

// What all runs have in common: the machine if it is one, changes to all machines, policies of
// other slots, the input. For heads and titles, after ", ".
static const char *conditions(const struct hd_compare *c)
{
    const struct hd_workloads_item *item = sized(c);
    const char *sets = common_sets(c);
    struct hd_out text = {.arena = c->arena};

    if (c->n_machines == 1)
        hd_out_printf(&text, "on %s%s", c->machines[0].config.name, *sets ? " " : "");
    else
        hd_out_printf(&text, "%u machines%s", c->n_machines, *sets ? " with " : "");
    hd_out_printf(&text, "%s%s", sets, for_all(c));
    if (item)
        hd_out_printf(&text, ", size %s, seed %" PRIu64, hd_workloads_size(item), item->seed);
    return text.text;
}

const char *hd_comparetable_conditions(const struct hd_compare *c)
{
    return hd_arena_printf(c->arena, ", %s", conditions(c));
}

void hd_comparetable_print(const struct hd_compare *c)
{
    unsigned without = 0;

    printf("%u workload%s, %u scheduler%s, %s\n", c->n_workloads, plural(c->n_workloads),
           c->n_scheds, plural(c->n_scheds), conditions(c));
    bool counts = c->study.db && !c->study.stored_only;
    if (counts)
        printf("%u run%s: %u stored before, %u simulated now", c->study.distinct,
               plural(c->study.distinct), c->study.found, c->study.ran);
    if (counts && c->study.shared)
        printf(", %u by other processes", c->study.shared);
    if (counts)
        putchar('\n');
    putchar('\n');
    print_table(c);
    if (hd_study_limit(&c->study))
        printf("\n%s\n", hd_study_limit(&c->study));
    if (c->n_machines * c->n_scheds > 1 && c->means[0].n)
        print_bars(c);
    for (unsigned i = 0; i < c->n_machines * c->n_scheds; i++)
        without += c->means[i].n < c->n_workloads;
    if (without && c->n_workloads > 1)
        printf("the means leave out runs that did not finish\n");
    hd_out_flush();
}

void hd_comparetable_failures(const struct hd_compare *c)
{
    struct cell x;

    for (unsigned i = 0; at(c, i, &x); i++) {
        bool good = x.run->work->good;
        // A workload that cannot be read is reported once, not under every scheduler.
        if (x.run->status == 0 || x.run->cut || !x.run->done || (!good && !first_of_workload(&x)))
            continue;
        fprintf(stderr, "heddle: %s: exit status %d\n%s", good ? x.run->label : x.run->work->name,
                x.run->status, x.run->messages);
    }
}

// What the cells of a sample are, and how far they may be off; empty where that is not known.
static void csv_errors(const struct hd_compare *c, const struct cell *x, struct hd_out *out)
{
    bool there = x->relative > 0;

    hd_out_printf(out, ",%s,", x->run->timed ? "estimated" : "");
    if (x->run->timed && x->run->error >= 0)
        hd_out_printf(out, "%.9g", x->run->error * (double)x->run->cycles);
    hd_out_printf(out, ",");
    if (there && c->errors[x->i] >= 0)
        hd_out_printf(out, "%.9g", c->errors[x->i] * x->relative);
    hd_out_printf(out, ",%s", !there ? "" : c->paired[x->i] ? "yes" : "no");
}

// The slots whose policies are compared, or in which any run has another one than the usual one:
// columns of the CSV.
static unsigned other_slots(const struct hd_compare *c)
{
    unsigned slots = 0;
    struct cell x;

    for (unsigned i = 0; at(c, i, &x); i++)
        for (enum hd_slot k = 0; k < HD_N_SLOTS; k++)
            if (k != HD_SLOT_SCHED &&
                (c->scheds[x.s].slot[k].spec || hd_runreport_other(&x.run->options, k)))
                slots |= 1u << k;
    return slots;
}

void hd_comparetable_csv(const struct hd_compare *c, struct hd_out *out)
{
    unsigned others = other_slots(c);
    struct cell x;

    hd_out_printf(out, "workload,gpu,sched,status,verified,cycles,ipc,relative,set,size,seed%s",
                  c->errors ? ",sample,cycles_error,relative_error,paired" : "");
    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        hd_out_printf(out, "%s%s", others >> i & 1 ? "," : "",
                      others >> i & 1 ? hd_slots[i].key : "");
    hd_out_printf(out, "\n");
    for (unsigned i = 0; at(c, i, &x); i++) {
        const char *cells[] = {x.run->work->name, c->machines[x.m].config.name,
                               c->scheds[x.s].slot[HD_SLOT_SCHED].spec, x.run->result,
                               strcmp(x.run->verified, "-") ? x.run->verified : ""};
        for (int k = 0; k < 5; k++) {
            hd_out_csv(out, cells[k]);
            hd_out_printf(out, ",");
        }
        if (x.run->timed)
            hd_out_printf(out, "%" PRIu64 ",%.9g,", x.run->cycles, x.run->ipc);
        else
            hd_out_printf(out, ",,");
        if (x.relative > 0)
            hd_out_printf(out, "%.9g", x.relative);
        hd_out_printf(out, ",");
        hd_out_csv(out, hd_runreport_sets(&x.run->options, c->arena));
        const struct hd_workloads_item *item = &x.run->work->item;
        if (x.run->work->good && hd_workloads_size(item))
            hd_out_printf(out, ",%s,%" PRIu64, hd_workloads_size(item), item->seed);
        else
            hd_out_add(out, ",,", 2);
        if (c->errors)
            csv_errors(c, &x, out);
        for (enum hd_slot k = 0; k < HD_N_SLOTS; k++)
            if (others >> k & 1) {
                hd_out_printf(out, ",");
                hd_out_csv(out,
                           hd_runreport_policy(&x.run->options.gpu.slot[k], hd_slots[k].baseline));
            }
        hd_out_printf(out, "\n");
    }
}

static json_t *error_json(double error, double of)
{
    return of > 0 && error >= 0 ? json_real(error * of) : json_null();
}

// What the comparison knows of a run, in the order of its members.
static json_t *compared(const struct hd_compare *c, const struct cell *x)
{
    const struct hd_study_run *run = x->run;
    json_t *json = json_object();

    json_object_set_new(json, "set", hd_json_text(hd_runreport_sets(&x->run->options, c->arena)));
    json_object_set_new(json, "exit_status", json_integer(run->status));
    json_object_set_new(json, "message", hd_json_text(*run->messages ? run->messages : NULL));
    json_object_set_new(json, "relative_ipc",
                        x->relative > 0 ? json_real(x->relative) : json_null());
    if (!c->errors)
        return json;
    bool there = x->relative > 0;
    json_object_set_new(json, "relative_ipc_error", error_json(c->errors[x->i], x->relative));
    json_object_set_new(json, "relative_ipc_paired",
                        there ? json_boolean(c->paired[x->i]) : json_null());
    return json;
}

static int to_out(const char *text, size_t bytes, void *out)
{
    hd_out_add(out, text, bytes);
    return 0;
}

#define FORM (JSON_INDENT(1) | JSON_REAL_PRECISION(9))

// An object as text, which hd_json_write has made: lines that begin with the depth as blanks.
static bool is_written(const char *text)
{
    size_t n = strlen(text);

    return n > 5 && !strncmp(text, "{\n \"", 4) && !strcmp(text + n - 3, "\n}\n");
}

// Whether the object has any of the members that are added to it.
static bool has_any(const char *text)
{
    static const char *const added[] = {
        "\n \"exit_status\": ", "\n \"message\": ", "\n \"relative_ipc"};

    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        if (strstr(text, added[i]))
            return true;
    return false;
}

// The lines of an object without its first and its last one and the one that begins with `without`,
// further to the right. A result says how its machine was described when it was stored; the
// comparison knows how it is described now.
static void add_members(struct hd_out *out, const char *text, const char *blanks,
                        const char *without)
{
    size_t n = strlen(blanks);
    const char *line = strchr(text, '\n') + 1;

    while (*line != '}') {
        const char *end = strchr(line, '\n');
        if (!without || strncmp(line, without, strlen(without)) != 0) {
            hd_out_add(out, blanks, n);
            hd_out_add(out, line, (size_t)(end - line) + (end[1] != '}'));
        }
        line = end + 1;
    }
}

static json_t *without_result(const struct hd_compare *c, const struct cell *x)
{
    const struct hd_policy_choice *slots = x->run->options.gpu.slot;
    json_t *json = json_pack("{s:o,s:o}", "workload", hd_json_text(x->run->work->name), "gpu",
                             hd_json_text(c->machines[x->m].config.name));

    for (enum hd_slot k = 0; k < HD_N_SLOTS; k++)
        hd_json_put(json, hd_slots[k].key,
                    json_string(hd_runreport_policy(&slots[k], hd_slots[k].baseline)));
    hd_json_put(json, "status", json_string(x->run->result));
    return json;
}

// An element of "runs". A result is copied as text: the object would be written with the same
// bytes, and to read and write 100,000 of them takes a minute.
static void add_run(const struct hd_compare *c, const struct cell *x, struct hd_arena *a,
                    struct hd_out *out)
{
    const char *stored = hd_outcome_text(&c->study, x->run, a);
    json_t *more = compared(c, x), *own = NULL;
    struct hd_out text = {.arena = a};

    if (!stored || !is_written(stored) || has_any(stored)) {
        own = stored ? json_loads(stored, 0, NULL) : NULL;
        if (!own)
            own = without_result(c, x);
        json_object_del(own, "set"); // it goes among those of the comparison
        json_object_update(own, more);
        json_dump_callback(own, to_out, &text, FORM);
        hd_out_add(&text, "\n", 1);
        hd_out_printf(out, "  {\n");
        add_members(out, text.text, "  ", NULL);
    } else {
        json_dump_callback(more, to_out, &text, FORM);
        hd_out_add(&text, "\n", 1);
        hd_out_printf(out, "  {\n");
        add_members(out, stored, "  ", " \"set\": ");
        hd_out_printf(out, ",\n");
        add_members(out, text.text, "  ", NULL);
    }
    hd_out_printf(out, "\n  }");
    json_decref(own);
    json_decref(more);
}

static json_t *means_json(const struct hd_compare *c)
{
    json_t *means = json_array();

    for (unsigned i = 0; i < c->n_machines * c->n_scheds; i++) {
        const struct hd_compare_mean *m = &c->means[i];
        const struct hd_compare_machine *machine = &c->machines[i / c->n_scheds];
        json_t *mean = json_pack("{s:o,s:o,s:s,s:i}", "gpu", hd_json_text(machine->config.name),
                                 "set", hd_json_text(machine->set), "sched",
                                 c->scheds[i % c->n_scheds].label, "workloads", (int)m->n);
        json_object_set_new(mean, "limited", json_integer(m->n_cut));
        json_object_set_new(mean, "arithmetic", m->n ? json_real(m->arithmetic) : json_null());
        json_object_set_new(mean, "geometric", m->n ? json_real(m->geometric) : json_null());
        if (c->errors) {
            json_object_set_new(mean, "arithmetic_error",
                                error_json(m->arithmetic_error, m->arithmetic));
            json_object_set_new(mean, "geometric_error",
                                error_json(m->geometric_error, m->geometric));
        }
        json_array_append_new(means, mean);
    }
    return means;
}

void hd_comparetable_json(const struct hd_compare *c, struct hd_out *out)
{
    const struct hd_workloads_item *item = sized(c);
    json_t *head =
        json_pack("{s:s,s:i,s:o,s:o,s:s?,s:o,s:o,s:s?,s:o}", "heddle", HD_VERSION, "model",
                  HD_MODEL, "gpu", hd_json_text(c->machines[0].config.name), "set",
                  hd_json_text(common_sets(c)), "size", item ? hd_workloads_size(item) : NULL,
                  "seed", hd_json_count_if(item != NULL, item ? item->seed : 0), "base",
                  hd_json_text(hd_compare_base(c)), "limit", hd_study_limit(&c->study), "means",
                  means_json(c));
    const struct hd_sample_options *o = hd_compare_sample(c);
    struct hd_out text = {.arena = c->arena};
    struct cell x;

    if (o)
        json_object_set_new(head, "sample",
                            json_pack("{s:o,s:o,s:o}", "every", hd_json_count(o->every), "warm",
                                      hd_json_count(o->warm), "seed", hd_json_count(o->seed)));
    json_dump_callback(head, to_out, &text, FORM);
    json_decref(head);
    hd_out_add(out, text.text, text.bytes - strlen("\n}"));
    hd_out_printf(out, ",\n \"runs\": [\n");
    for (unsigned i = 0; at(c, i, &x); i++) {
        struct hd_arena *a = hd_arena_new(); // the results of a large study do not fit into memory
        hd_out_printf(out, i ? ",\n" : "");
        add_run(c, &x, a, out);
        hd_arena_free(a);
    }
    hd_out_printf(out, "\n ]\n}\n");
}

// The key of a sweep over one: "l1d.mshrs" if the machines are "l1d.mshrs=8", "l1d.mshrs=16"; NULL:
// it is no such sweep.
static const char *swept(const struct hd_compare *c)
{
    const char *first = c->machines[0].label, *equals = strchr(first, '=');
    size_t n = equals ? (size_t)(equals - first) + 1 : 0;

    for (unsigned m = 0; m < c->n_machines && n; m++) {
        const char *label = c->machines[m].label;
        if (strncmp(label, first, n) != 0 || strchr(label, ' '))
            return NULL;
    }
    return n && c->n_machines > 1 ? hd_arena_strndup(c->arena, first, n - 1) : NULL;
}

// What figures call a machine: in a sweep over a key, its value.
static const char *short_name(const struct hd_compare *c, const char *key, unsigned m)
{
    return key ? c->machines[m].label + strlen(key) + 1 : c->machines[m].label;
}

static const char *by_key(const struct hd_compare *c, const char *key)
{
    return key ? hd_arena_printf(c->arena, ", by %s", key) : "";
}

static const char *means_names[] = {"arithmetic mean", "geometric mean"};

// A chart of ratios: for each workload, and for the means of several, a group of bars; if there are
// several machines and schedulers, a group of machines with a bar for each scheduler.
static struct hd_chart *ratio_chart(const struct hd_compare *c, struct hd_sheet *s, const char *key,
                                    const char *base)
{
    unsigned groups = c->n_workloads + (c->n_workloads > 1 ? 2 : 0);
    bool both = c->n_machines > 1 && c->n_scheds > 1;
    unsigned labels = both ? c->n_machines : 1,
             bars = both || c->n_machines == 1 ? c->n_scheds : c->n_machines;
    struct hd_chart *chart = hd_sheet_chart(s, HD_CHART_BARS, groups * labels, bars);
    const char **names = both ? HD_ARRAY(c->arena, const char *, groups + 1) : chart->labels;

    chart->y_label = hd_arena_printf(c->arena, "IPC / IPC of %s", base);
    chart->line = 1;
    for (unsigned i = 0; i < groups; i++)
        names[i] = i < c->n_workloads ? c->workloads[i].name : means_names[i - c->n_workloads];
    for (unsigned i = 0; i < bars; i++)
        chart->series[i] = both || c->n_machines == 1 ? c->scheds[i].label : short_name(c, key, i);
    if (!both)
        return chart;
    chart->groups = names;
    chart->per_group = labels;
    for (unsigned i = 0; i < groups * labels; i++)
        chart->labels[i] = short_name(c, key, i % labels);
    return chart;
}

static void relative_sheet(const struct hd_compare *c, struct hd_sheets *out)
{
    unsigned bars = c->n_machines * c->n_scheds;
    static const char *const heads[] = {"WORKLOAD", "MACHINE", "SCHEDULER"};
    const char *key = swept(c);
    struct hd_sheet *s =
        hd_sheet_new(out, "ipc",
                     hd_arena_printf(c->arena, "IPC relative to %s%s%s%s", hd_compare_base(c),
                                     by_key(c, key), hd_comparetable_conditions(c), estimated(c)),
                     c->errors ? "lllrrrrrl" : "lllrrrl");
    struct hd_chart *chart = ratio_chart(c, s, key, hd_compare_base(c));
    struct cell x;

    for (int i = 0; i < 3; i++)
        hd_sheet_add(s, heads[i]);
    add_heads(c, &s->table, hd_compare_base(c));
    for (unsigned i = 0; at(c, i, &x); i++) {
        hd_sheet_add(s, first_of_workload(&x) ? x.run->work->name : NULL);
        hd_sheet_add(s, *c->machines[x.m].label ? c->machines[x.m].label
                                                : c->machines[x.m].config.name);
        hd_sheet_add(s, c->scheds[x.s].label);
        add_cells(c, &s->table, &x);
        if (x.relative > 0)
            chart->values[i] = x.relative;
    }
    for (unsigned i = 0; i < bars && c->n_workloads > 1; i++) {
        const struct hd_compare_mean *m = &c->means[i];
        unsigned row = c->n_workloads * bars + i;
        if (!m->n)
            continue;
        chart->values[row] = m->arithmetic;
        chart->values[row + bars] = m->geometric;
    }
    add_mean_rows(c, &s->table, true);
}

#define SWEEP_COLUMNS 8 // more schedulers have rows of their own

// The rows of a group of the sweep: a machine each, with a column for each scheduler; or a row for
// each of both.
static void sweep_rows(const struct hd_compare *c, struct hd_sheet *s, const char *name,
                       const char *key, const double *values)
{
    for (unsigned i = 0; i < c->n_machines * c->n_scheds; i++) {
        bool rows = c->n_scheds > SWEEP_COLUMNS;
        if (rows || i % c->n_scheds == 0) {
            hd_sheet_add(s, i ? NULL : name);
            hd_sheet_add(s, i % c->n_scheds ? NULL : short_name(c, key, i / c->n_scheds));
        }
        if (rows)
            hd_sheet_add(s, c->scheds[i % c->n_scheds].label);
        hd_sheet_add(s, ratio(c->arena, values[i]));
    }
}

// Several schedulers on several machines, each machine with a base of its own, hide what the
// machines change: so all of them related to one run of the workload, too.
static void sweep_sheet(const struct hd_compare *c, struct hd_sheets *out)
{
    struct hd_compare one = *c;
    const char *key = swept(c);
    bool rows = c->n_scheds > SWEEP_COLUMNS;

    if (c->n_machines == 1 || c->n_scheds == 1 || c->base_machine != HD_COMPARE_OWN)
        return;
    one.base_machine = 0;
    hd_compare_relate(&one);
    const char *base = hd_compare_base(&one);
    struct hd_sheet *s = hd_sheet_new(
        out, "sweep",
        hd_arena_printf(c->arena, "IPC relative to %s, one base for all machines%s%s", base,
                        hd_comparetable_conditions(c), estimated(c)),
        rows ? "lllr" : hd_arena_printf(c->arena, "ll%.*s", (int)c->n_scheds, "rrrrrrrr"));
    struct hd_chart *chart = ratio_chart(c, s, key, base);
    unsigned bars = c->n_machines * c->n_scheds;
    double *means[] = {HD_ARRAY(c->arena, double, bars), HD_ARRAY(c->arena, double, bars)};

    hd_sheet_add(s, "WORKLOAD");
    hd_sheet_add(s, key ? key : "MACHINE");
    if (rows)
        hd_sheet_add(s, "SCHEDULER");
    for (unsigned i = 0; i < (rows ? 1 : c->n_scheds); i++)
        hd_sheet_add(s, rows ? hd_arena_printf(c->arena, "/ %s", base) : c->scheds[i].label);
    for (unsigned w = 0; w < c->n_workloads; w++)
        sweep_rows(c, s, c->workloads[w].name, key, &one.relative[w * bars]);
    for (unsigned i = 0; i < bars; i++) {
        means[0][i] = one.means[i].arithmetic;
        means[1][i] = one.means[i].geometric;
    }
    for (unsigned i = 0; i < 2 && c->n_workloads > 1; i++)
        sweep_rows(c, s, means_names[i], key, means[i]);
    for (unsigned i = 0; i < c->study.n_runs; i++)
        if (one.relative[i] > 0)
            chart->values[i] = one.relative[i];
    for (unsigned i = 0; i < 2 * bars && c->n_workloads > 1; i++) {
        double v = i < bars ? means[0][i] : means[1][i - bars];
        if (v > 0)
            chart->values[c->study.n_runs + i] = v;
    }
}

// Where the schedulers' cycles went: a bar for each run.
static void stalls_sheet(const struct hd_compare *c, struct hd_sheets *out)
{
    static const char *const classes[] = {"issued", "idle", "scoreboard", "pipeline", "inactive"};
    const char *key = swept(c);
    struct hd_sheet *s =
        hd_sheet_new(out, "stalls",
                     hd_arena_printf(c->arena, "Where the schedulers' cycles went%s%s, in %%%s",
                                     by_key(c, key), hd_comparetable_conditions(c),
                                     c->errors ? " of the launches with timing" : ""),
                     "llrrrrr");
    struct hd_chart *chart = hd_sheet_chart(s, HD_CHART_STACKS, c->study.n_runs, 5);
    struct cell x;

    chart->y_label = "% of scheduler cycles";
    chart->to = 100;
    chart->per_group = c->n_machines * c->n_scheds;
    chart->groups = HD_ARRAY(c->arena, const char *, c->n_workloads + 1);
    hd_sheet_add(s, "WORKLOAD");
    hd_sheet_add(s, "UNDER");
    for (int k = 0; k < 5; k++) {
        hd_sheet_add(s, classes[k]);
        chart->series[k] = classes[k];
    }
    for (unsigned i = 0; at(c, i, &x); i++) {
        struct hd_arena *a = hd_arena_new();
        const char *text = hd_outcome_text(&c->study, x.run, a);
        json_t *json = text ? json_loads(text, 0, NULL) : NULL;
        const json_t *kernels = json_object_get(json, "kernels");
        double sums[5] = {0}, all = 0;
        for (size_t n = 0; n < json_array_size(kernels); n++)
            for (int k = 0; k < 5; k++) {
                const json_t *stalls = json_object_get(json_array_get(kernels, n), "stalls");
                double v = json_number_value(json_object_get(stalls, classes[k]));
                sums[k] += v;
                all += v;
            }
        json_decref(json);
        hd_arena_free(a);
        const char *name = bar_name(c, x.m, x.s);
        chart->labels[i] =
            !key ? name
            : c->n_scheds == 1
                ? short_name(c, key, x.m)
                : hd_arena_printf(c->arena, "%s %s", c->scheds[x.s].label, short_name(c, key, x.m));
        chart->groups[x.w] = x.run->work->name;
        hd_sheet_add(s, first_of_workload(&x) ? x.run->work->name : NULL);
        hd_sheet_add(s, name);
        for (int k = 0; k < 5; k++) {
            hd_sheet_add(s,
                         all > 0 ? hd_arena_printf(c->arena, "%.1f", 100 * sums[k] / all) : NULL);
            if (all > 0)
                chart->values[i * 5 + (unsigned)k] = 100 * sums[k] / all;
        }
    }
}

void hd_comparetable_sheets(const struct hd_compare *c, struct hd_sheets *out)
{
    relative_sheet(c, out);
    sweep_sheet(c, out);
    stalls_sheet(c, out);
    for (size_t i = 0; i < out->n; i++) {
        if (sample_note(c))
            hd_sheet_note(out->items[i], sample_note(c));
        if (unpaired_note(c) && !strcmp(out->items[i]->id, "ipc"))
            hd_sheet_note(out->items[i], unpaired_note(c));
        if (hd_study_limit(&c->study))
            hd_sheet_note(out->items[i], hd_study_limit(&c->study));
    }
}
