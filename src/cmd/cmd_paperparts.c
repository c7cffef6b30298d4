// cmd_paperparts.c - what both forms of heddle paper share: the machine and the inputs, the
// estimate before the start, printing and writing the sheets.
#include "cmd/cmd_paper.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *app_word(const struct hd_paper *p, const char *label)
{
    const char *group = hd_arena_printf(p->arena, "%s:%s", p->name, label);

    for (unsigned i = 0; hd_workloads_at(i); i++)
        if (hd_workloads_in(hd_workloads_at(i), group))
            return hd_workloads_at(i)->name;
    return NULL;
}

// A job's path is relative to the folder of the paper's file.
static const char *place_of(const struct hd_paper *p, const char *word)
{
    const char *slash = strrchr(p->path, '/');

    return *word == '/' || !slash
               ? word
               : hd_arena_printf(p->arena, "%.*s/%s", (int)(slash - p->path), p->path, word);
}

// A job has one input, whatever the size, seed and PTX of the paper's workloads are.
static void read_job(const struct hd_cmd_options *o, struct hd_study_work *out, const char *path)
{
    struct hd_cmd_options mine = *o;

    mine.size = mine.ptx = NULL;
    mine.seed_given = false;
    hd_cmd_workloads_study(&mine, path, out);
}

static bool is_job(const char *word)
{
    size_t n = word ? strlen(word) : 0;

    return n > 4 && !strcmp(word + n - 4, ".job");
}

// Workloads by their labels, or as the paper's file says.
void hd_cmd_paper_apps(const struct hd_cmd_options *o, struct hd_paper *p)
{
    for (unsigned i = 0; i < p->n_apps; i++) {
        struct hd_paper_app *a = &p->apps[i];
        a->word = a->instead ? a->instead : hd_paper_text(a->section, "workload");
        a->work = HD_NEW(p->arena, hd_study_work);
        if (is_job(a->word)) {
            read_job(o, a->work, place_of(p, a->word));
            a->word = hd_arena_printf(p->arena, "papers/%s", a->word);
            continue;
        }
        a->word = a->word ? a->word : app_word(p, a->label);
        if (a->word)
            hd_cmd_workloads_study(o, a->word, a->work);
    }
}

// The machine of a policy's runs: that of the paper with the policy's own keys after all others.
static bool own_machine(const struct hd_cmd_options *o, const struct hd_paper *p,
                        struct hd_paper_policy *policy, struct hd_diag *d)
{
    struct hd_paper_machine *m = HD_NEW(p->arena, hd_paper_machine);
    struct hd_cmd_options mine = *o;
    unsigned before = d->n;

    mine.sets = (struct hd_cmd_list){0};
    for (size_t i = 0; i < o->sets.n; i++)
        *HD_PUSH(o->arena, mine.sets.items, mine.sets.n, mine.sets.cap) = o->sets.items[i];
    for (size_t i = 0; i < policy->n_sets; i++)
        *HD_PUSH(o->arena, mine.sets.items, mine.sets.n, mine.sets.cap) = policy->sets[i];
    if (policy->value)
        *HD_PUSH(o->arena, mine.sets.items, mine.sets.n, mine.sets.cap) = policy->value;
    mine.gpu = policy->gpu ? policy->gpu : o->gpu;
    policy->machine = m;
    m->words = hd_cmd_words_repeat(&mine);
    if (hd_cmd_machine_set_up(&mine, &m->config, &m->options, d))
        return true;
    for (unsigned i = before; i < d->n; i++)
        if (!d->entries[i].file) { // a key or a machine that the paper's file names
            d->entries[i].file = p->path;
            d->entries[i].line = policy->figure ? policy->figure->line : policy->section->line;
        }
    return false;
}

bool hd_cmd_paper_machine(const struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d)
{
    p->size = o->size;
    p->seed = o->seed_given ? o->seed : HD_WORKLOADS_SEED;
    p->words = hd_cmd_words_repeat(o);
    p->input = hd_cmd_words_input(o);
    p->options = (struct hd_run_options){0};
    if (!hd_cmd_machine_set_up(o, &p->config, &p->options, d))
        return false;
    for (unsigned i = 0; i < p->n_policies; i++)
        if (hd_paperpolicies_own(&p->policies[i]) && !own_machine(o, p, &p->policies[i], d))
            return false;
    return true;
}

const char *hd_cmd_paper_time(struct hd_arena *a, double seconds)
{
    double minutes = floor(seconds / 60 + 0.5);

    if (seconds < 120)
        return hd_arena_printf(a, "%.0f s", floor(seconds) + 1);
    if (minutes < 120)
        return hd_arena_printf(a, "%.0f min", minutes);
    return hd_arena_printf(a, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
}

void hd_cmd_paper_announce(const struct hd_study *s)
{
    double seconds = 0;
    unsigned unknown = 0, left = 0;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (!s->runs[i].same && !s->runs[i].done) {
            left++;
            unknown += s->runs[i].weight <= 0;
            seconds += s->runs[i].weight;
        }
    fprintf(stderr, "%u distinct run%s, %u stored before", s->distinct, s->distinct == 1 ? "" : "s",
            s->found);
    if (left && unknown < left)
        fprintf(stderr, ": about %s at %u runs a time on idle processors",
                hd_cmd_paper_time(s->arena, seconds / s->at_once), s->at_once);
    if (unknown)
        fprintf(stderr, ", %u of unknown length", unknown);
    fputc('\n', stderr);
}

static void print_head(const struct hd_paper *p)
{
    printf("%s\n%s, %s\nOurs: %s\n\n", hd_paper_about(p, "title"), hd_paper_about(p, "authors"),
           hd_paper_about(p, "venue"), hd_paper_conditions(p));
}

// A table of what all others were made under, before them.
static void csv_conditions(const struct hd_paper *p, struct hd_out *out)
{
    const char *const cells[] = {p->name, p->config.name, hd_runreport_sets(&p->options, p->arena),
                                 p->size};

    hd_out_printf(out, "sheet,PAPER,GPU,SET,SIZE,SEED\nconditions");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        hd_out_add(out, ",", 1);
        hd_out_csv(out, cells[i]);
    }
    hd_out_printf(out, ",%" PRIu64 "\n", p->seed);
}

static void put_conditions(const struct hd_paper *p, json_t *to)
{
    hd_json_put(to, "paper", json_string(p->name));
    hd_json_put(to, "gpu", hd_json_text(p->config.name));
    hd_json_put(to, "set", hd_json_text(hd_runreport_sets(&p->options, p->arena)));
    hd_json_put(to, "size", json_string(p->size));
    hd_json_put(to, "seed", hd_json_count(p->seed));
}

static bool write_files(const struct hd_cmd_options *o, const struct hd_paper *p)
{
    struct hd_out csv = {.arena = o->arena}, text = {.arena = o->arena};
    json_t *sheets = json_array(), *all = json_object();
    bool good = true;

    csv_conditions(p, &csv);
    for (size_t i = 0; i < p->sheets.n; i++) {
        p->sheets.items[i]->numbers = p->sheets.items[i]->printed = true;
        hd_sheet_csv(p->sheets.items[i], &csv);
        json_array_append_new(sheets, hd_sheet_json(p->sheets.items[i]));
    }
    put_conditions(p, all);
    hd_json_put(all, "sheets", sheets);
    hd_json_write(all, &text);
    if (o->csv)
        good = hd_out_write(hd_out_path(o->arena, o->csv), csv.text ? csv.text : "", csv.bytes);
    if (o->json)
        good = hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes) && good;
    if (o->markdown) {
        struct hd_out page = {.arena = o->arena}, clean = {.arena = o->arena};
        const char *command =
            hd_arena_printf(o->arena, "heddle paper %s --size %s%s%s%s%s", p->name, o->size,
                            o->readings ? " --readings" : "",
                            o->readings && *o->readings ? "=" : "", o->readings ? o->readings : "",
                            o->claim ? hd_arena_printf(o->arena, " --claim %s", o->claim) : "");
        hd_paper_markdown(p, command, o->plot, &page);
        hd_out_add_utf8(&clean, page.text);
        good = hd_out_write(hd_out_path(o->arena, o->markdown), clean.text, clean.bytes) && good;
    }
    const char *words = hd_arena_printf(o->arena, "%s, %s. Ours beside the paper's: %s",
                                        hd_paper_about(p, "authors"), hd_paper_about(p, "venue"),
                                        hd_paper_conditions(p));
    return hd_cmd_study_figures(o, &p->study, &p->sheets, hd_paper_about(p, "title"), words) &&
           good;
}

// The values under each reading are many: files have them all, a terminal those of chosen claims.
static bool is_printed(const struct hd_cmd_options *o, const struct hd_sheet *s)
{
    return !o->readings || o->claim || strcmp(s->id, "values") != 0;
}

static void tell_failed(const struct hd_study *s)
{
    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].done && s->runs[i].status && !s->runs[i].cut && !s->runs[i].same)
            fprintf(stderr, "heddle: %s: exit status %d\n%s", s->runs[i].label, s->runs[i].status,
                    s->runs[i].messages);
}

int hd_cmd_paper_results(struct hd_cmd_options *o, struct hd_paper *p)
{
    bool taken = (o->json && !strcmp(o->json, "-")) || (o->csv && !strcmp(o->csv, "-"));

    if (!o->quiet && !taken) {
        print_head(p);
        for (size_t i = 0; i < p->sheets.n; i++)
            if (is_printed(o, p->sheets.items[i]))
                hd_sheet_print(p->sheets.items[i], stdout);
        hd_out_flush();
    }
    tell_failed(&p->study);
    int status = hd_study_exit(&p->study);
    bool written = write_files(o, p);
    written = hd_cmd_study_stored(&p->study) && written;
    return written || status > HD_EXIT_USER ? status : HD_EXIT_USER;
}

const char **hd_cmd_paper_list(const struct hd_cmd_options *o, const char *p)
{
    const char **names = HD_ARRAY(o->arena, const char *, strlen(p) + 2);
    size_t n = 0;

    for (;;) {
        size_t length = strcspn(p, ",");
        names[n++] = hd_arena_strndup(o->arena, p, length);
        p += length;
        if (!*p++)
            return names;
    }
}
