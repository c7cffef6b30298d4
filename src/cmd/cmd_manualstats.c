// cmd_manualstats.c - heddle manual stats: every counter and column as a page of Markdown.
//
// The rows are those that `heddle list stats` and `heddle explain` show.
#include "cmd/cmd.h"

#include "base/fields.h"
#include "heddle/stats.h"

#include <stdio.h>

static void counters(const char *heading, const char *text, const struct hd_stat *rows)
{
    printf("\n## %s\n\n%s\n\n| counter | unit | definition |\n|---|---|---|\n", heading, text);
    for (; rows->name; rows++) {
        printf("| `%s` | %s | ", rows->name, rows->unit);
        hd_cmd_wrap_cell(rows->help);
        printf(" |\n");
    }
}

static void of_policy(const char *policy, const struct hd_field *rows, const char *per)
{
    for (; rows && rows->name; rows++) {
        printf("| %s | `%s` | %s | %s | ", policy, rows->name, per, rows->unit);
        hd_cmd_wrap_cell(rows->help);
        printf(" |\n");
    }
}

void hd_cmd_manualstats_print(struct hd_arena *a)
{
    const char *word, *help;

    printf("# Statistics\n\n"
           "*Reference: every counter, column and counter of a policy, as `heddle manual stats` "
           "prints them. `make pages` writes this\npage.*\n\n"
           "The tables that heddle prints have a few of these numbers, and the JSON "
           "([output.md](output.md#the-json-of-a-run)) has all of\nthem for each launch. `heddle "
           "explain NAME` explains one of them. The names of GPGPU-Sim are in\n"
           "[from-gpgpusim.md](from-gpgpusim.md#statistics).\n");
    counters("Counters of the SMs",
             "Summed over all SMs. In every cycle each scheduler counts exactly one of `issued`, "
             "`idle`, `scoreboard`, `pipeline` and\n`inactive`, so that their sum is cycles x "
             "schedulers x SMs. The sum of the classes `elf_...` is `idle` + `scoreboard` +\n"
             "`pipeline`.",
             hd_stats_sm);
    counters("Counters of the memory", "Of network, L2 and DRAM, for the whole machine.",
             hd_stats_mem);
    printf("\n## Columns of tables\n\n| column | meaning |\n|---|---|\n");
    for (size_t i = 0; (word = hd_cmd_explain_column(a, i, &help)); i++) {
        printf("| %s | ", word);
        hd_cmd_wrap_cell(help);
        printf(" |\n");
    }
    printf("\n## Counters of policies\n\n"
           "A policy counts these where it is used; they are in `policy_counters` of the "
           "JSON.\n\n"
           "| policy | counter | of each | unit | definition |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < hd_registry_count(); i++) {
        const struct hd_policy *p = hd_registry_at(i);
        of_policy(p->name, p->counters, "scheduler");
        of_policy(p->name, p->sm_counters, "SM");
    }
}
