// cmd_list.c - heddle list: the names for the command line.
//
// One line each, the name first, so that scripts can take the first column; heads are in capitals.
#include "cmd/cmd.h"

#include "base/config.h"
#include "base/file.h"
#include "heddle/stats.h"
#include "present/out.h"
#include "present/table.h"
#include "toy/toy.h"

#include <string.h>

#define TOYS "examples/toys"

static const char *slots_of(struct hd_arena *a, const struct hd_policy *p)
{
    const char *text = "";

    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        if (hd_registry_fills(p, s))
            text = hd_arena_printf(a, "%s%s%s", text, *text ? "," : "", hd_slots[s].option);
    return text;
}

static void list_policies(struct hd_arena *a)
{
    struct hd_table t = hd_table_new(a, "lll");

    hd_table_add(&t, "POLICY");
    hd_table_add(&t, "FOR");
    hd_table_add(&t, "WHAT IT DOES");
    for (unsigned i = 0; i < hd_registry_count(); i++) {
        const struct hd_policy *p = hd_registry_at(i);
        hd_table_add(&t, p->name);
        hd_table_add(&t, slots_of(a, p));
        hd_table_add(&t, p->brief);
    }
    hd_table_print(&t, stdout);
}

// The first sentence of a file's first comment: the text after "# NAME: ", or after "# ", up to
// a full stop that ends a word, or the end of the comment.
static const char *first_comment(struct hd_arena *a, const char *path, const char *name)
{
    char err[HD_FILE_WHY];
    size_t bytes, n = strlen(name);
    const char *text = (const char *)hd_file_read(a, path, &bytes, err);

    if (!text || text[0] != '#')
        return "";
    text += strspn(text, "# ");
    if (!strncmp(text, name, n) && text[n] == ':')
        text += n + 1 + strspn(text + n + 1, " ");
    struct hd_out sentence = {.arena = a};
    for (;;) {
        size_t line = strcspn(text, "\r\n"), said = 0;
        while (said < line && (text[said] != '.' || !strchr(" \r\n", text[said + 1])))
            said++;
        hd_out_add(&sentence, text, said);
        text += line + strspn(text + line, "\r");
        if (said < line || strncmp(text, "\n# ", 3) != 0)
            return sentence.text;
        text += 3;
        hd_out_add(&sentence, " ", 1);
    }
}

static void list_gpus(struct hd_arena *a)
{
    struct hd_cmd_list names = hd_cmd_workloads_names(a, "gpus", ".ini");
    const char *data = hd_config_data(a, "gpus");
    struct hd_table t = hd_table_new(a, "ll");

    hd_table_add(&t, "GPU");
    hd_table_add(&t, "WHAT IT IS");
    for (size_t i = 0; i < names.n; i++) {
        const char *path = hd_arena_printf(a, "%s/gpus/%s.ini", data, names.items[i]);
        hd_table_add(&t, names.items[i]);
        hd_table_add(&t, first_comment(a, path, names.items[i]));
    }
    hd_table_print(&t, stdout);
}

static void list_workloads(struct hd_arena *a)
{
    struct hd_cmd_list names = hd_cmd_workloads_names(a, HD_CMD_JOBS, NULL);
    const char *data = hd_config_data(a, HD_CMD_JOBS);
    struct hd_table t = hd_table_new(a, "lll");

    hd_table_add(&t, "WORKLOAD");
    hd_table_add(&t, "GROUPS");
    hd_table_add(&t, "WHAT IT IS");
    for (unsigned i = 0; hd_workloads_at(i); i++) {
        const struct hd_workload *w = hd_workloads_at(i);
        hd_table_add(&t, w->name);
        hd_table_add(&t, w->groups);
        hd_table_add(&t, w->brief);
    }
    for (size_t i = 0; i < names.n; i++) {
        const char *name = names.items[i];
        const char *path = hd_arena_printf(a, "%s/" HD_CMD_JOBS "/%s/%s.job", data, name, name);
        hd_table_add(&t, name);
        hd_table_add(&t, "(a job)");
        hd_table_add(&t, first_comment(a, path, name));
    }
    hd_table_print(&t, stdout);
}

static void list_stats(struct hd_arena *a)
{
    struct hd_table t = hd_table_new(a, "lll");
    const struct hd_stat *groups[] = {hd_stats_sm, hd_stats_mem};

    hd_table_add(&t, "STAT");
    hd_table_add(&t, "UNIT");
    hd_table_add(&t, "DEFINITION");
    for (int g = 0; g < 2; g++)
        for (const struct hd_stat *s = groups[g]; s->name; s++) {
            hd_table_add(&t, s->name);
            hd_table_add(&t, s->unit);
            hd_table_add(&t, s->help);
        }
    hd_table_print(&t, stdout);
}

static const char *title_of(struct hd_arena *a, const char *path)
{
    struct hd_diag d = {0};
    const struct hd_toy *toy = hd_toy_load(a, path, &d);

    return toy ? toy->title : ""; // heddle toy says what is wrong with one that cannot be read
}

// The worked examples of `heddle toy`.
static void list_toys(struct hd_arena *a)
{
    struct hd_cmd_list names = hd_cmd_workloads_names(a, TOYS, ".toy");
    const char *data = hd_config_data(a, TOYS);
    struct hd_table t = hd_table_new(a, "ll");

    hd_table_add(&t, "TOY");
    hd_table_add(&t, "WHAT IT SHOWS");
    for (size_t i = 0; i < names.n; i++) {
        const char *path = hd_arena_printf(a, "%s/" TOYS "/%s.toy", data, names.items[i]);
        hd_table_add(&t, names.items[i]);
        hd_table_add(&t, title_of(a, path));
    }
    hd_table_print(&t, stdout);
}

// The papers whose experiments `heddle paper` repeats.
static void list_papers(struct hd_arena *a)
{
    static const char *const papers[][2] = {
        {"lfws", "Liu et al., LFWS: long-operation first warp scheduling, IEICE 2023"},
        {"pro", "Anantpur, Govindarajan, PRO: progress aware warp scheduling, IPDPS 2015"},
        {"elf", "Park et al., ELF: coordinated warp and fetch scheduling, SC 2015"},
        {"baws", "Liu et al., barrier-aware warp scheduling, ICS 2016"},
        {"laser", "Tang et al., data locality in dynamic parallelism, POMACS 2018"},
    };
    struct hd_table t = hd_table_new(a, "ll");

    hd_table_add(&t, "PAPER");
    hd_table_add(&t, "WHAT IT IS");
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
        hd_table_add(&t, papers[i][0]);
        hd_table_add(&t, papers[i][1]);
    }
    hd_table_print(&t, stdout);
}

// A list, and the folder beside the program that it needs; NULL: none.
static const struct {
    const char *name, *folder;
    void (*show)(struct hd_arena *);
} lists[] = {{"gpus", "gpus", list_gpus},
             {"policies", NULL, list_policies},
             {"workloads", HD_CMD_JOBS, list_workloads},
             {"toys", TOYS, list_toys},
             {"stats", NULL, list_stats},
             {"papers", NULL, list_papers},
             {"instructions", NULL, hd_cmd_list_instructions},
             {"gpgpusim", NULL, hd_cmd_gpu_list}};
#define N_LISTS (sizeof lists / sizeof *lists)
#define EXPECTED "expected gpus, policies, workloads, toys, stats, papers, instructions or gpgpusim"

static bool show_list(struct hd_arena *a, size_t i, struct hd_diag *d)
{
    if (lists[i].folder && !hd_config_data(a, lists[i].folder)) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "heddle's folder %s is not beside the program",
                                 lists[i].folder),
                     "HEDDLE_DATA can name where heddle's folders are");
        return false;
    }
    lists[i].show(a);
    return true;
}

int hd_cmd_list(struct hd_cmd_options *o)
{
    const char *names[N_LISTS + 1] = {NULL};
    struct hd_diag d = {0};

    if (!hd_config_data_check(&d) || !hd_cmd_machine_plugins(o, &d))
        return hd_cmd_options_fail(&d);
    if (o->args.n != 1) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "list takes one word"), EXPECTED);
        return hd_cmd_options_fail(&d);
    }
    for (size_t i = 0; i < N_LISTS; i++) {
        names[i] = lists[i].name;
        if (!strcmp(names[i], o->args.items[0]))
            return show_list(o->arena, i, &d) ? HD_EXIT_OK : hd_cmd_options_fail(&d);
    }
    struct hd_diag_entry *e =
        hd_diag_add(&d, NULL, 0, 0, "there is no list of '%.60s'", o->args.items[0]);
    hd_diag_nearest(e, o->args.items[0], names);
    if (!e->hint[0])
        hd_diag_hint(e, EXPECTED);
    return hd_cmd_options_fail(&d);
}
