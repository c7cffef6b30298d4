// cmd_explainwords.c - heddle explain for words in tables and JSON: heads of columns, numbers
// computed from counters, the components of the machine with their keys and counters, other words
// of results (explainwords.def), and the terms of docs/glossary.md.
#include "cmd/cmd.h"

#include "base/config.h"
#include "base/configsize.h"
#include "base/fields.h"
#include "heddle/stats.h"
#include "present/table.h"

#include <string.h>
#include <strings.h>

// The head of heddle compare's column of ratios: this and the scheduler that is the base.
#define BASE_COLUMN "/ "

// As printed; in JSON the same words are in small letters. A row with a counter is explained by it.
static const struct {
    const char *word, *counter, *help;
} columns[] = {
    {"CYCLES", NULL,
     "core cycles from the first block of the kernel to its end; 'total' sums the launches"},
    {"IPC", NULL, "thread instructions per cycle, over the whole machine: THREAD / CYCLES"},
    {"KERNEL", NULL,
     "the kernel's name as the PTX has it; each launch has a row, or all launches share one "
     "with their number after an x"},
    {"GRID", NULL, "thread blocks of the launch, x by y by z"},
    {"BLOCK", NULL, "threads of a block, x by y by z"},
    {"WARP", "warp_insts", NULL},
    {"THREAD", "thread_insts", NULL},
    {"ISSUE", "issued", "share in % of the schedulers' cycles"},
    {"ISSUED", "issued", "by the instruction of the line"},
    {"IDLE", "idle", "share in % of the schedulers' cycles"},
    {"SCORE", "scoreboard", "share in % of the schedulers' cycles; in 'heddle annotate' cycles"},
    {"PIPE", "pipeline", "share in % of the schedulers' cycles; in 'heddle annotate' cycles"},
    {"INACT", "inactive", "share in % of the schedulers' cycles"},
    {"LANES", NULL, "threads that executed the instruction, averaged over its issues"},
    {"STALL%", NULL,
     "share of the line in the cycles that schedulers waited with valid "
     "instructions, SCORE and PIPE"},
    {"ALL%", NULL, "share of the line in all cycles of the schedulers"},
    {"REGS", NULL,
     "registers per thread, which decide with others how many blocks fit on an SM; in the JSON, "
     "regs_source says where the number comes from, and --regs chooses other numbers for a whole "
     "run"},
    {"PTXAS", NULL, "registers per thread of NAME.regs, or what --regs says ('heddle ptx regs')"},
    {"LINE", NULL, "line of the PTX module"},
    {"PTX", NULL, "the text of the line; > at the start of a row marks the hottest lines"},
    {"VERIFIED", NULL,
     "whether the results are those that the job or the workload expects; - if "
     "there is nothing to compare with"},
    {"WORKLOAD", NULL,
     "what was run: a workload of 'heddle list workloads' or the name of a job file; the rows with "
     "a "
     "mean stand for all of them"},
    {"SCHEDULER", NULL, "the policy that chose which warp issues (--sched)"},
    {"MACHINE", NULL,
     "the modelled machine; if there are several, how each differs from the first"},
    {"GPU", NULL, "the modelled machine (--gpu) and what was changed about it (--set)"},
    {BASE_COLUMN "BASE", NULL,
     "IPC divided by the IPC of the base (--base) on the same workload: above 1 is faster; in the "
     "rows with means, the mean of these"},
    {"RUN", NULL, "the run's number in the database"},
    {"WARPS", NULL, "warps of the launch that ended (--metrics)"},
    {"BARRIER", NULL, "share in % of the warps' lives that they waited at barriers (--metrics)"},
    {"EXIT", NULL,
     "share in % of the warps' lives between their own end and that of their block (--metrics)"},
    {"RTRU", NULL,
     "share in % of the time of phases between barriers that is lost because the slowest warp "
     "takes longer than the others (--metrics)"},
    {"LONG", NULL, "share in % of off-chip accesses among the thread instructions (--metrics)"},
    {"MSHRS", NULL,
     "miss registers of an L1 data cache in use, averaged over the cycles in which some were "
     "(--metrics)"},
    {"PHASES", NULL, "phases of blocks: the time between two barriers of a block (--metrics)"},
    {"CLASS", NULL,
     "what a scheduler did in a cycle: issued, idle, scoreboard, pipeline or inactive "
     "('heddle diff')"},
    {"B - A", NULL, "how much more the second run has than the first ('heddle diff')"},
    {"% OF IT", NULL, "share in % of the difference of the two runs ('heddle diff')"},
    {"SECONDS", NULL, "time that the run took on this computer; it depends on the computer"},
};

static const struct {
    const char *section, *prefix, *help; // prefix: of its counters, NULL: none have one
} components[] = {
    {"gpu", NULL, "the machine as a whole"},
    {"sm", NULL,
     "a streaming multiprocessor: warp slots, schedulers, pipes, registers, shared memory"},
    {"l1i", "l1i_", "the instruction cache of each SM"},
    {"l1c", "l1c_", "the cache of each SM for constants and kernel parameters"},
    {"l1d", "l1d_", "the data cache of each SM, for global and local memory"},
    {"l1t", "l1t_", "the texture cache of each SM"},
    {"requeue", "requeue_",
     "the re-execution queue of each SM, in which memory instructions wait that a cache or the "
     "network refused: 'CAR' of Mascar, 'NewCAR' of ELF"},
    {"points", NULL,
     "ELF's program points: how a kernel's table of distances to the next load is made"},
    {"latency", NULL, "latency and initiation interval of each class of instructions"},
    {"pipe", NULL, "which pipe of a sub-core serves each class of instructions"},
    {"flat", NULL,
     "the memory of the SMs with gpu.memory = flat: every reply comes after a fixed time"},
    {"clock", NULL, "the clocks; only their ratio changes cycles"},
    {"net", NULL, "the crossbar between SMs and L2 banks, with gpu.memory = crossbar"},
    {"l2", "l2_", "the second-level cache: a bank in each sub-partition of the memory"},
    {"dram", "dram_", "the memory channels and their FR-FCFS schedulers"},
    {"launch", NULL, "kernels that run at the same time, and the cost of a launch by a kernel"},
    {"mem", NULL, "where allocations of the program are placed"},
};

// What papers call a component.
static const char *const papers_words[][2] = {{"car", "requeue"}, {"newcar", "requeue"}};

const char *hd_cmd_explain_column(struct hd_arena *a, size_t i, const char **help)
{
    if (i == sizeof columns / sizeof *columns)
        return NULL;
    const struct hd_stat *s = columns[i].counter ? hd_stats_find(columns[i].counter) : NULL;
    *help = columns[i].help;
    if (s)
        *help = hd_arena_printf(a, "%s: %s%s%s", s->name, s->help, *help ? "; " : "",
                                *help ? *help : "");
    return columns[i].word;
}

static bool explain_column(struct hd_arena *a, const char *name)
{
    const char *word, *help;

    for (size_t i = 0; (word = hd_cmd_explain_column(a, i, &help)); i++) {
        bool ratio =
            !strcmp(word, BASE_COLUMN "BASE") && !strncmp(name, BASE_COLUMN, strlen(BASE_COLUMN));
        if (!ratio && strcasecmp(word, name) != 0)
            continue;
        hd_cmd_wrap_print(hd_arena_printf(a, "column %s: %s", word, help), 0);
        return true;
    }
    return false;
}

static void add_row(struct hd_table *t, const char *name, const char *value, const char *unit,
                    const char *help)
{
    hd_table_add(t, name);
    hd_table_add(t, value);
    hd_table_add(t, unit);
    hd_table_add(t, help);
}

// Storage in hardware of a part that machines need not have, with as many entries as ELF gives it.
static void print_storage(const char *name)
{
    const unsigned entries = 32, bits = entries * HD_REQUEUE_ENTRY_BITS;

    if (!strcmp(name, "requeue"))
        printf("\nstorage in hardware: %d bits an entry; %u bits (%u bytes) in an SM with %u "
               "entries\n",
               HD_REQUEUE_ENTRY_BITS, bits, (bits + 7) / 8, entries);
}

static bool explain_component(struct hd_arena *a, const char *name)
{
    const struct hd_config_section *s = hd_configkeys_find(name);
    size_t i = 0;

    while (i < sizeof components / sizeof *components && strcmp(components[i].section, name))
        i++;
    if (!s || i == sizeof components / sizeof *components)
        return false;
    struct hd_table t = hd_table_new(a, "llll");
    const struct hd_field *size = hd_configsize_row(name);
    hd_cmd_wrap_print(hd_arena_printf(a, "component %s: %s", name, components[i].help), 0);
    printf("\nkeys (--set %s.KEY=VALUE):\n", name);
    if (size)
        add_row(&t, "  size", "", size->unit, size->help);
    for (const struct hd_field *f = s->rows; f->name; f++)
        add_row(&t, hd_arena_printf(a, "  %s", f->name),
                hd_arena_printf(a, "default %s", f->default_text), f->unit, f->help);
    hd_table_print(&t, stdout);
    if (!components[i].prefix)
        return true;
    const struct hd_stat *const all[] = {hd_stats_sm, hd_stats_mem};
    struct hd_table counters = hd_table_new(a, "lll");
    printf("\ncounters:\n");
    for (unsigned k = 0; k < 2; k++)
        for (const struct hd_stat *c = all[k]; c->name; c++)
            if (!strncmp(c->name, components[i].prefix, strlen(components[i].prefix))) {
                hd_table_add(&counters, hd_arena_printf(a, "  %s", c->name));
                hd_table_add(&counters, c->unit);
                hd_table_add(&counters, c->help);
            }
    hd_table_print(&counters, stdout);
    print_storage(name);
    return true;
}

static const struct {
    const char *kind, *word, *help;
} words[] = {
#define X(kind, word, help) {kind, word, help},
#include "cmd/explainwords.def"
#undef X
};
#define N_WORDS (sizeof words / sizeof *words)

// Terms of docs/glossary.md, separated by ", ", and what the page says.
static const struct {
    const char *terms, *help;
} glossary[] = {
#define X(terms, help) {terms, help},
#include "glossary.inc"
#undef X
};
#define N_GLOSSARY (sizeof glossary / sizeof *glossary)

// The ending of a file may be given with its dot or without.
static bool is_word(const char *word, const char *name)
{
    return !strcasecmp(word, name) || (*word == '.' && !strcasecmp(word + 1, name));
}

static bool explain_other(struct hd_arena *a, const char *name)
{
    bool found = false;

    for (size_t i = 0; i < N_WORDS; i++)
        if (is_word(words[i].word, name)) {
            hd_cmd_wrap_print(
                hd_arena_printf(a, "%s %s: %s", words[i].kind, words[i].word, words[i].help), 0);
            found = true;
        }
    return found;
}

// The first term; *terms moves to the next one.
static const char *next_term(struct hd_arena *a, const char **terms)
{
    size_t n = strcspn(*terms, ",");
    const char *term = hd_arena_strndup(a, *terms, n);

    *terms += n;
    *terms += strspn(*terms, ", ");
    return term;
}

static bool explain_term(struct hd_arena *a, const char *name)
{
    bool found = false;

    for (size_t i = 0; i < N_GLOSSARY; i++)
        for (const char *rest = glossary[i].terms; *rest;)
            if (!strcasecmp(next_term(a, &rest), name)) {
                hd_cmd_wrap_print(hd_arena_printf(a, "%s: %s", glossary[i].terms, glossary[i].help),
                                  0);
                found = true;
            }
    return found;
}

bool hd_cmd_explain_word(struct hd_arena *a, const char *name)
{
    // A counter with the same name has been explained already.
    bool column = !hd_stats_find(name) && explain_column(a, name);

    column = explain_other(a, name) || column;
    column = explain_term(a, name) || column;

    for (size_t i = 0; i < sizeof papers_words / sizeof *papers_words; i++)
        if (!strcasecmp(papers_words[i][0], name))
            name = papers_words[i][1];
    return explain_component(a, name) || column;
}

void hd_cmd_explain_words(struct hd_arena *a, struct hd_cmd_list *to)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *HD_PUSH(a, to->items, to->n, to->cap) = columns[i].word;
    for (size_t i = 0; i < sizeof components / sizeof *components; i++)
        *HD_PUSH(a, to->items, to->n, to->cap) = components[i].section;
    for (size_t i = 0; i < sizeof papers_words / sizeof *papers_words; i++)
        *HD_PUSH(a, to->items, to->n, to->cap) = papers_words[i][0];
    for (size_t i = 0; i < N_WORDS; i++)
        *HD_PUSH(a, to->items, to->n, to->cap) = words[i].word;
    for (size_t i = 0; i < N_GLOSSARY; i++)
        for (const char *rest = glossary[i].terms; *rest;)
            *HD_PUSH(a, to->items, to->n, to->cap) = next_term(a, &rest);
}
