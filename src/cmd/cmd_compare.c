// cmd_compare.c - heddle compare: workloads under several schedulers, side by side.
#include "cmd/cmd.h"

#include "study/compare.h"

#include <string.h>
#include <unistd.h>

// "lrr,two_level_active:6:0:1" into choices; a comma separates policies and nothing else.
static bool read_scheds(const struct hd_cmd_options *o, struct hd_compare *c, struct hd_diag *d)
{
    size_t n = 0, cap = 0;

    if (!o->sched) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "compare needs --sched LIST, for example lrr,gto"),
                     "'heddle list policies' shows what there is");
        return false;
    }
    for (const char *p = o->sched;; p++) {
        size_t length = strcspn(p, ",");
        const char *spec = hd_arena_strndup(o->arena, p, length);
        struct hd_policy_choice choice = {0};
        if (!length) {
            hd_diag_add(d, NULL, 0, 0, "--sched %s: a name is missing", o->sched);
            return false;
        }
        if (!hd_registry_parse_slot(o->arena, HD_SLOT_SCHED, spec, &choice, d))
            return false;
        for (size_t i = 0; i < n; i++)
            if (!strcmp(c->scheds[i].resolved, choice.resolved)) {
                hd_diag_add(d, NULL, 0, 0, "--sched: %s and %s are the same", c->scheds[i].spec,
                            spec);
                return false;
            }
        *HD_PUSH(o->arena, c->scheds, n, cap) = choice;
        c->n_scheds = (unsigned)n;
        p += length;
        if (!*p)
            return true;
    }
}

static bool read_workloads(const struct hd_cmd_options *o, struct hd_compare *c, struct hd_diag *d)
{
    struct hd_cmd_list words = {0};

    if (!o->args.n) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "which workloads are to be compared?"),
                     "expected FILE.job, names of 'heddle list workloads', or @GROUP");
        return false;
    }
    for (size_t i = 0; i < o->args.n; i++)
        if (!hd_cmd_workloads_expand(o->arena, o->args.items[i], &words, d))
            return false;
    c->workloads = HD_ARRAY(o->arena, struct hd_compare_workload, words.n);
    c->n_workloads = (unsigned)words.n;
    for (unsigned i = 0; i < c->n_workloads; i++) {
        struct hd_compare_workload *w = &c->workloads[i];
        // A bad workload is a failed run, not the end of the others.
        struct hd_diag *own = HD_NEW(o->arena, hd_diag);
        w->good = hd_cmd_workloads_read(o, words.items[i], &w->item, own);
        w->name = w->item.name;
        w->error = own;
    }
    return true;
}

static bool tell(const struct hd_cmd_options *o, const struct hd_compare *c)
{
    bool json_out = o->json && !strcmp(o->json, "-"), csv_out = o->csv && !strcmp(o->csv, "-");
    bool good = true;

    if (!o->quiet && !json_out && !csv_out)
        hd_comparetable_print(c);
    hd_comparetable_talk(c);
    if (o->json) {
        struct hd_out text = {.arena = o->arena};
        hd_comparetable_json(c, &text);
        good = hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes) && good;
    }
    if (o->csv) {
        struct hd_out text = {.arena = o->arena};
        hd_comparetable_csv(c, &text);
        good = hd_out_write(hd_out_path(o->arena, o->csv), text.text, text.bytes) && good;
    }
    return good;
}

int hd_cmd_compare(struct hd_cmd_options *o)
{
    struct hd_config config;
    struct hd_diag d = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct hd_compare c = {.arena = o->arena,
                           .at_once = o->jobs          ? (unsigned)o->jobs
                                      : processors > 0 ? (unsigned)processors
                                                       : 1,
                           .host = !o->no_host,
                           .progress = !o->quiet && isatty(STDERR_FILENO),
                           .out = o->out};

    if (!hd_cmd_options_apart(o, &d) || !hd_cmd_machine_plugins(o, &d) ||
        !hd_cmd_machine_set_up(o, &config, &c.options, &d) || !read_scheds(o, &c, &d) ||
        !read_workloads(o, &c, &d))
        return hd_cmd_options_fail(&d);
    if (!hd_compare_start(&c)) {
        fprintf(stderr, "heddle: interrupted\n");
        return HD_CMD_INTERRUPTED;
    }
    int status = hd_compare_exit(&c);
    bool told = tell(o, &c);
    hd_compare_end(&c);
    return told || status > HD_EXIT_USER ? status : HD_EXIT_USER;
}
