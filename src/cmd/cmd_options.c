// cmd_options.c - every option of every command: one row is parser, help line and membership.
//
// An unknown option is refused with the nearest known: nothing on the command line is ever ignored.
// An option given twice counts as given last, so that a script can put its caller's options after
// its own.
#include "cmd/cmd.h"

#include "base/config.h"
#include "reuse/reuseoptions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORED (HD_CMD_RUN | HD_CMD_ANNOTATE | HD_CMD_EXEC) // one run that --db can keep
#define ONE (STORED | HD_CMD_REUSE)
#define STUDY (HD_CMD_COMPARE | HD_CMD_PAPER)
#define SIM (ONE | STUDY)
#define SAMPLED (HD_CMD_RUN | HD_CMD_EXEC | HD_CMD_COMPARE)
#define JOBS (HD_CMD_RUN | HD_CMD_ANNOTATE | HD_CMD_REUSE | STUDY) // of what heddle starts itself
#define ALL 0xffffffffu

enum option_type { FLAG, TEXT, WORD, NUMBER, LIST };

struct option {
    const char *name, *value, *help; // value: its name in the help, NULL if there is none
    enum option_type type;           // WORD: "=value" may follow
    size_t offset;                   // in struct hd_cmd_options
    uint32_t commands;               // bits of the commands that take it
    uint64_t max;                    // NUMBER: 1 to max
};

// A name that users try first, and the name that help and manual show.
#define OTHER_NAME "functional"
#define FULL_NAME "functional-only"

#define O(member) offsetof(struct hd_cmd_options, member)

// The warp scheduler has its own rows: its default differs, and compare takes several.
#define SLOT(NAME, key, option, function, baseline, does, chooses, help)                           \
    {option, "NAME", help " (default " baseline ")",                                               \
     TEXT,   O(key), HD_SLOT_##NAME == HD_SLOT_SCHED ? 0 : SIM & ~HD_CMD_COMPARE,                  \
     0},                                                                                           \
        {option, "LIST", help ", or several to compare (default " baseline ")",                    \
         TEXT,   O(key), HD_SLOT_##NAME == HD_SLOT_SCHED ? 0 : HD_CMD_COMPARE,                     \
         0},

// clang-format off
static const struct option options[] = {
    {"gpu", "NAME|FILE", "modelled machine (default " HD_CMD_DEFAULT_GPU ")", TEXT, O(gpu), HD_CMD_RUN | HD_CMD_PTX, 0},
    {"gpu", "NAME|FILE", "modelled machine (default " HD_CMD_DEFAULT_GPU "; of a program " HD_CONFIG_PROGRAM_GPU ")", TEXT, O(gpu), HD_CMD_ANNOTATE | HD_CMD_REUSE, 0},
    {"gpu", "NAME|FILE", "modelled machine (default " HD_CONFIG_PROGRAM_GPU ")", TEXT, O(gpu), HD_CMD_EXEC, 0},
    {"gpu", "NAME|FILE", "another machine than the paper's", TEXT, O(gpu), HD_CMD_PAPER, 0},
    {"gpu", "NAME|FILE", "the modelled machine that was measured, to see which keys would bring it nearer", TEXT, O(gpu), HD_CMD_CORRELATE, 0},
    {"gpu", "LIST", "machines to compare (default " HD_CMD_DEFAULT_GPU ")", TEXT, O(gpu), HD_CMD_COMPARE, 0},
    {"gpu", "NAME|FILE", "machine whose latencies are explained (default " HD_CMD_DEFAULT_GPU ")", TEXT, O(gpu), HD_CMD_EXPLAIN, 0},
    {"sched", "NAME", "warp scheduler: NAME[:value...][:key=value...] (default " HD_CMD_DEFAULT_SCHED ")", TEXT, O(sched), ONE, 0},
    {"sched", "LIST", "warp schedulers to compare, the first is the base: lrr,gto,...", TEXT, O(sched), HD_CMD_COMPARE, 0},
    {"base", "SCHED[@MACHINE]", "what the others are compared with (default: the first scheduler, on each machine)", TEXT, O(base), HD_CMD_COMPARE, 0},
    HD_POLICY_SLOTS(SLOT)
    {"set", "KEY=VALUE", "change the machine: section.key=value, kernel.NAME.regs=N", LIST, O(sets), ONE | HD_CMD_PAPER | HD_CMD_PTX | HD_CMD_CORRELATE, 0},
    {"set", "KEY=VALUE", "change that machine: section.key=value", LIST, O(sets), HD_CMD_EXPLAIN, 0},
    {"set", "KEY=VALUE,...", "change the machine; K=a,b,c compares a machine for each value", LIST, O(sets), HD_CMD_COMPARE, 0},
    {"regs", "sm_20|sm_75|N", "registers per thread: as compiled for sm_20 or (default) sm_75, or N for every kernel", TEXT, O(regs), HD_CMD_RUN | HD_CMD_ANNOTATE | HD_CMD_REUSE, 0},
    {"regs", "sm_20|sm_75|N", "other registers per thread than the paper's: as compiled for sm_20 or sm_75, or N for every kernel", TEXT, O(regs), HD_CMD_PAPER, 0},
    {"regs", "sm_20|N", "what 'ptx regs' compares with: NAME.sm_20.regs, or N for every kernel (default: NAME.regs)", TEXT, O(regs), HD_CMD_PTX, 0},
    {"regs", "LIST", "registers per thread to compare: sm_20, sm_75 (default) or N for every kernel", TEXT, O(regs), HD_CMD_COMPARE, 0},
    {"plugin", "FILE.so", "load a policy from a shared object", LIST, O(plugins), SIM | HD_CMD_LIST | HD_CMD_EXPLAIN, 0},
    {FULL_NAME, NULL, "compute results without timing, which is much faster", FLAG, O(functional_only), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"copy-bandwidth", "GB", "let copies between host and device take time: gigabytes per second (default: they take none)", TEXT, O(copy_bandwidth), HD_CMD_EXEC, 0},
    {"strict", NULL, "treat as a fault what PTX leaves undefined although GPUs execute it: member masks that name absent lanes", FLAG, O(strict), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"threads", "N", "make each run on N threads; same results, and faster if as many processors are idle; 0: as many as pay (default 1)", NUMBER, O(threads), SIM, 1024},
    {"no-skip", NULL, "step idle cycles too; same results, slower", FLAG, O(no_skip), SIM, 0},
    {"sample", "N", "simulate one launch in N with timing, the others without, and estimate the cycles of all (docs/sampling.md)", NUMBER, O(sample), SAMPLED, HD_SAMPLE_MOST},
    {"sample-warm", "N", "with --sample: launches of a kernel to simulate before each one that counts, for the caches (default 0)", NUMBER, O(sample_warm), SAMPLED, HD_SAMPLE_MOST},
    {"sample-seed", "N", "with --sample: another choice of launches (default 1)", NUMBER, O(sample_seed), SAMPLED, UINT64_MAX},
    {"max-cycles", "N", "stop after N cycles", NUMBER, O(max_cycles), SIM, UINT64_MAX},
    {"max-insts", "N", "stop after N warp instructions", NUMBER, O(max_insts), SIM, UINT64_MAX},
    {"size", "test|small|paper", "input size of a built-in workload (default small)", TEXT, O(size), JOBS, 0},
    {"ptx", "sm_20|sm_75", "PTX of a built-in workload: as clang made it for sm_20, or nvcc for sm_75 (default)", TEXT, O(ptx), JOBS, 0},
    {"seed", "N", "input seed of a built-in workload", NUMBER, O(seed), JOBS, UINT64_MAX},
    {"json", "FILE", "write the results as JSON; %p is the process number, - standard output", TEXT, O(json), SIM | HD_CMD_SHOW | HD_CMD_DIFF | HD_CMD_INSPECT | HD_CMD_CORRELATE, 0},
    {"json", "FILE", "write the latencies as JSON; - is standard output", TEXT, O(json), HD_CMD_EXPLAIN, 0},
    {"csv", "FILE", "write the latencies as CSV", TEXT, O(csv), HD_CMD_EXPLAIN, 0},
    {"csv", "FILE", "write the results as CSV", TEXT, O(csv), HD_CMD_RUN | STUDY | HD_CMD_DIFF | HD_CMD_CORRELATE, 0},
    {"metrics", NULL, "record barrier shares, warp-phases, blocks on their SM, MSHRs in use", FLAG, O(metrics), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"metrics-sm", "N", "SM whose warps and order of blocks are recorded (default 0)", NUMBER, O(metrics_sm), HD_CMD_RUN | HD_CMD_EXEC, UINT32_MAX},
    {"metrics-kernels", "LIST", "kernels whose warps are recorded: NAME,... (default: all, until 16,384 rows are full)", TEXT, O(metrics_kernels), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"timeline", "FILE", "write what --metrics records as a trace for Perfetto and chrome://tracing", TEXT, O(timeline), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"konata", "FILE", "write what each instruction did in each cycle, for the pipeline viewer Konata", TEXT, O(konata), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"konata-sm", "LIST", "SMs to record for it: 0,2,5-7 or all (default " HD_PIPEVIEWS_SMS ")", TEXT, O(konata_sm), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"konata-cycles", "FIRST:END", "cycles to record for it (default " HD_PIPEVIEWS_CYCLES ")", TEXT, O(konata_cycles), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"stats", "gpgpusim", "print the names that scripts for GPGPU-Sim look for", TEXT, O(stats), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"record", "FILE", "write a trace of what the warps do, for 'heddle run FILE.trace'", TEXT, O(record), HD_CMD_RUN | HD_CMD_EXEC, 0},
    {"annotate", "FILE", "write each kernel's PTX with where its cycles went, as 'heddle annotate' shows it", TEXT, O(annotate), HD_CMD_EXEC, 0},
    {"plan", "FILE", "write the pairs of kernels and blocks with a ratio above 0.4", TEXT, O(plan), HD_CMD_REUSE, 0},
    {"plan-above", "PERCENT", "with --plan: those with a ratio above this one, from 1 to 99 percent (default 40)", NUMBER, O(plan_above), HD_CMD_REUSE, HD_REUSEOPTIONS_ABOVE_MOST},
    {"reuse-loads", NULL, "count loads only, not stores and atomics", FLAG, O(reuse_loads), HD_CMD_REUSE, 0},
    {"reuse-warps", "block|sm", "warps to compare: of a block (default), or also of blocks that are on an SM at the same time", TEXT, O(reuse_warps), HD_CMD_REUSE, 0},
    {"reuse-pairs", "N", "compare a sample where a kernel or family has more pairs (default 1000000)", NUMBER, O(reuse_pairs), HD_CMD_REUSE, HD_REUSEOPTIONS_PAIRS_MOST},
    {"reuse-memory", "SIZE", "drop parts of the analysis where they need more memory (default 1G)", TEXT, O(reuse_memory), HD_CMD_REUSE, 0},
    {"force", NULL, "replay a trace even where the program itself might do something else", FLAG, O(force), HD_CMD_RUN, 0},
    {"out", "DIR", "folder for the job's dump files", TEXT, O(out), JOBS, 0},
    {"keep-status", NULL, "end with the program's exit status even if one of its launches failed (else 0 becomes 3)", FLAG, O(keep_status), HD_CMD_EXEC | HD_CMD_ANNOTATE | HD_CMD_REUSE, 0},
    {"no-host", NULL, "leave host times out of the JSON, so that its bytes are the same on every machine", FLAG, O(no_host), SIM, 0},
    {"plot", "FILE.svg|.pdf", "draw the figures (needs gnuplot); with several figures, each name is appended to FILE", TEXT, O(plot), STUDY | HD_CMD_REUSE | HD_CMD_STUDY | HD_CMD_CORRELATE, 0},
    {"html", "FILE", "write a self-contained report: figures, tables, how to repeat it", TEXT, O(html), HD_CMD_PAPER | HD_CMD_REUSE | HD_CMD_STUDY | HD_CMD_CORRELATE, 0},
    {"html", "FILE", "write a self-contained report: figures, tables, warps over time, how to repeat it", TEXT, O(html), HD_CMD_COMPARE, 0},
    {"html", "FILE", "write a self-contained page: totals, warps over time, how to repeat it", TEXT, O(html), HD_CMD_RUN, 0},
    {"html-sm", "LIST", "SMs whose warps it shows: 0,2,5-7 or all (default: the one that gets the first block)", TEXT, O(html_sm), HD_CMD_RUN | HD_CMD_COMPARE, 0},
    {"html-cycles", "FIRST:END", "cycles in which it shows them, or none (default " HD_CYCLEVIEWS_CYCLES ")", TEXT, O(html_cycles), HD_CMD_RUN | HD_CMD_COMPARE, 0},
    {"markdown", "FILE", "write the whole report as a page of Markdown", TEXT, O(markdown), HD_CMD_PAPER, 0},
    {"figure", "LIST", "figures and tables to show (default all): fig4,table2,...", TEXT, O(figure), HD_CMD_PAPER, 0},
    {"readings", "full", "show under which readings of the paper its claims hold: a published set, or (=full) all pairs of readings", WORD, O(readings), HD_CMD_PAPER, 0},
    {"claim", "LIST", "with --readings: claims to show (default all)", TEXT, O(claim), HD_CMD_PAPER, 0},
    {"db", "FILE", "keep results in an SQLite file; runs that it holds are not run again", TEXT, O(db), STUDY, 0},
    {"db", "FILE", "keep the results in an SQLite file", TEXT, O(db), STORED, 0},
    {"db-wait", "S", "seconds to wait while other programs lock the file (default 60)", NUMBER, O(db_wait), STORED | STUDY | HD_CMD_SHOW | HD_CMD_DIFF | HD_CMD_DB | HD_CMD_STUDY, 1000000},
    {"study", "FOLDER", "plan the runs in a folder, for other processes to share ('heddle study'; docs/cluster.md)", TEXT, O(folder), STUDY, 0},
    {"cluster", "slurm", "submit the runs as jobs to a cluster, and a job that merges them; the same command again continues", TEXT, O(cluster), STUDY, 0},
    {"array", "N", "with --cluster: how many jobs share the runs (default: one for each run, at most 100)", NUMBER, O(array), STUDY, 1000000},
    {"time", "T", "with --cluster: time limit of a job, as sbatch takes it", TEXT, O(time_limit), STUDY, 0},
    {"partition", "P", "with --cluster: partition of the jobs", TEXT, O(partition), STUDY, 0},
    {"shard", "I/N", "the share to simulate: number I of N, from 1", TEXT, O(shard), HD_CMD_STUDY, 0},
    {"no-replay", NULL, "execute every run, even where replaying a trace gives the same results", FLAG, O(no_replay), STUDY, 0},
    {"jobs", "N", "number of runs at a time (default: the processors that may be used)", NUMBER, O(jobs), STUDY | HD_CMD_STUDY, 1024},
    {"quiet", NULL, "print errors only", FLAG, O(quiet), JOBS | HD_CMD_DIFF | HD_CMD_STUDY | HD_CMD_CORRELATE, 0},
    {"quiet", NULL, "print only errors of heddle's own", FLAG, O(quiet), HD_CMD_EXEC, 0},
    {"help", NULL, "show this help", FLAG, O(help), ALL, 0},
};
// clang-format on
#define N_OPTIONS (sizeof options / sizeof *options)

static const struct option *find(const struct hd_cmd *cmd, const char *name)
{
    if (!strcmp(name, OTHER_NAME))
        name = FULL_NAME;
    for (size_t i = 0; i < N_OPTIONS; i++)
        if ((options[i].commands & cmd->bit) && !strcmp(options[i].name, name))
            return &options[i];
    return NULL;
}

static void unknown(const struct hd_cmd *cmd, const char *name, struct hd_diag *d)
{
    struct hd_diag_entry *e =
        hd_diag_add(d, NULL, 0, 0, "'heddle %s' has no option --%.80s", cmd->name, name);
    const char *names[N_OPTIONS + 1];
    size_t n = 0;

    for (size_t i = 0; i < N_OPTIONS; i++)
        if (options[i].commands & cmd->bit)
            names[n++] = options[i].name;
    names[n] = NULL;
    const char *near = hd_diag_closest(name, names);
    for (size_t i = 0; i < n && strlen(name) > 3 && !near; i++) // a beginning, such as --func
        near = strncmp(names[i], name, strlen(name)) ? NULL : names[i];
    if (near)
        hd_diag_hint(e, "did you mean --%s?", near);
    else
        hd_diag_hint(e, "'heddle %s --help' shows all", cmd->name);
}

static bool store_number(const struct option *opt, const char *value, struct hd_cmd_options *o,
                         struct hd_diag *d)
{
    static const size_t from_zero[] = {O(seed), O(metrics_sm), O(db_wait), O(threads)};
    uint64_t min = 1;
    char *end;

    for (size_t i = 0; i < sizeof from_zero / sizeof *from_zero; i++)
        min = opt->offset == from_zero[i] ? 0 : min;
    errno = 0;
    unsigned long long v = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || errno || v < min || v > opt->max) {
        bool unit = value[0] >= '0' && value[0] <= '9' && *end;
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--%s %.60s: expected a number", opt->name, value),
                     "from %llu to %llu%s", (unsigned long long)min, (unsigned long long)opt->max,
                     unit ? ", written without a unit" : "");
        return false;
    }
    *(uint64_t *)(void *)((char *)o + opt->offset) = v;
    if (opt->offset == O(seed))
        o->seed_given = true;
    if (opt->offset == O(threads))
        o->threads_given = true;
    return true;
}

static void push(struct hd_cmd_options *o, struct hd_cmd_list *list, const char *item)
{
    *HD_PUSH(o->arena, list->items, list->n, list->cap) = item;
}

static bool store(const struct option *opt, const char *value, struct hd_cmd_options *o,
                  struct hd_diag *d)
{
    char *at = (char *)o + opt->offset;

    switch (opt->type) {
    case FLAG:
        *(bool *)at = true;
        return true;
    case WORD:
        if (*value && strcmp(value, opt->value) != 0) {
            hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--%s=%.60s: expected nothing or %s", opt->name,
                                     value, opt->value),
                         "--%s or --%s=%s", opt->name, opt->name, opt->value);
            return false;
        }
        *(const char **)(void *)at = value;
        return true;
    case LIST:
    case TEXT:
        if (!*value) {
            hd_diag_add(d, NULL, 0, 0, "--%s: expected %s, not an empty word", opt->name,
                        opt->value);
            return false;
        }
        if (opt->type == LIST)
            push(o, (struct hd_cmd_list *)(void *)at, value);
        else
            *(const char **)(void *)at = value;
        return true;
    case NUMBER:
        return store_number(opt, value, o, d);
    }
    return false;
}

// Whether the option is for this process only, and not for the others that do parts of its study.
static bool only_places(const struct option *opt)
{
    static const size_t places[] = {O(folder),    O(cluster), O(array),  O(time_limit),
                                    O(partition), O(quiet),   O(db_wait)};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (opt->offset == places[i])
            return true;
    return false;
}

static int keep(struct hd_cmd_options *o, const struct option *opt, char **argv, int n)
{
    for (int i = 0; i < n && !only_places(opt); i++)
        push(o, &o->words, argv[i]);
    return n;
}

// One "--name", "--name value" or "--name=value". Returns how many words it took, 0 on failure.
static int read_option(const struct hd_cmd *cmd, int argc, char **argv, struct hd_cmd_options *o,
                       struct hd_diag *d)
{
    const char *word = argv[0] + 2, *equals = strchr(word, '=');
    const char *name = equals ? hd_arena_strndup(o->arena, word, (size_t)(equals - word)) : word;
    const struct option *opt = find(cmd, name);

    if (!opt) {
        unknown(cmd, name, d);
        return 0;
    }
    if (!opt->value && equals) {
        hd_diag_add(d, NULL, 0, 0, "--%s takes no value", name);
        return 0;
    }
    if (!opt->value || equals || opt->type == WORD)
        return store(opt, equals ? equals + 1 : "", o, d) ? keep(o, opt, argv, 1) : 0;
    if (argc < 2) {
        hd_diag_add(d, NULL, 0, 0, "--%s: expected %s after it", name, opt->value);
        return 0;
    }
    return store(opt, argv[1], o, d) ? keep(o, opt, argv, 2) : 0;
}

// If one machine is described, the last value of a key counts; repeated keys are reported.
static void note_repeated_sets(const struct hd_cmd *cmd, const struct hd_cmd_options *o)
{
    for (size_t i = 0; i < o->sets.n && cmd->bit != HD_CMD_COMPARE && !o->quiet; i++)
        for (size_t k = i + 1; k < o->sets.n; k++) {
            size_t n = strcspn(o->sets.items[i], "=") + 1;
            if (strncmp(o->sets.items[i], o->sets.items[k], n) != 0)
                continue;
            fprintf(stderr, "heddle: --set %.*s is given twice; %s counts\n", (int)n - 1,
                    o->sets.items[i], o->sets.items[k]);
            break;
        }
}

bool hd_cmd_options_parse(const struct hd_cmd *cmd, int argc, char **argv, struct hd_cmd_options *o,
                          struct hd_diag *d)
{
    bool only_words = false;

    o->study = (cmd->bit & STUDY) != 0;
    push(o, &o->words, cmd->name);
    for (int i = 0; i < argc;) {
        const char *word = argv[i];
        if (only_words || word[0] != '-' || !word[1]) {
            only_words |= cmd->bit == HD_CMD_EXEC; // words of another program follow
            push(o, &o->args, word);
            push(o, &o->words, word);
            i++;
        } else if (!strcmp(word, "--")) {
            only_words = true;
            push(o, &o->words, word);
            o->program = cmd->bit == HD_CMD_ANNOTATE || cmd->bit == HD_CMD_REUSE;
            if (o->program && o->args.n) {
                hd_diag_add(d, NULL, 0, 0, "%s takes a workload or, after --, a program",
                            cmd->name);
                return false;
            }
            i++;
        } else if (!strcmp(word, "-h")) {
            o->help = true;
            i++;
        } else if (word[1] != '-' && word[2] && cmd->bit == HD_CMD_EXPLAIN) {
            push(o, &o->args, word); // an option of GPGPU-Sim
            i++;
        } else if (word[1] != '-') {
            hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "unknown option '%.60s'", word),
                         "options begin with two dashes");
            return false;
        } else {
            int taken = read_option(cmd, argc - i, argv + i, o, d);
            if (!taken)
                return false;
            i += taken;
        }
    }
    note_repeated_sets(cmd, o);
    return true;
}

bool hd_cmd_options_stats(const struct hd_cmd_options *o, struct hd_diag *d)
{
    static const char *const known[] = {"gpgpusim", NULL};

    if (!o->stats)
        return true;
    if (strcmp(o->stats, known[0]) != 0) {
        struct hd_diag_entry *e =
            hd_diag_add(d, NULL, 0, 0, "--stats %.60s: no such set of names", o->stats);
        hd_diag_nearest(e, o->stats, known);
        if (!e->hint[0])
            hd_diag_hint(e, "expected gpgpusim");
        return false;
    }
    if (o->functional_only)
        hd_diag_add(d, NULL, 0, 0, "--stats gpgpusim needs timing: remove --functional-only");
    return !o->functional_only;
}

bool hd_cmd_options_for_program(const struct hd_cmd_options *o, struct hd_diag *d)
{
    const char *of_workloads = o->size         ? "--size"
                               : o->seed_given ? "--seed"
                               : o->out        ? "--out"
                               : o->regs       ? "--regs"
                               : o->ptx        ? "--ptx"
                                               : NULL;

    if (of_workloads)
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "%s is for workloads, not for a program", of_workloads),
            "the words after the program's name are its own");
    return !of_workloads;
}

bool hd_cmd_options_at(const struct hd_cmd *cmd, size_t i, struct hd_cmd_option *out)
{
    for (size_t k = 0; k < N_OPTIONS; k++)
        if ((options[k].commands & cmd->bit) && !i--) {
            *out = (struct hd_cmd_option){options[k].name, options[k].value, options[k].help,
                                          options[k].type == WORD};
            return true;
        }
    return false;
}

void hd_cmd_options_help(const struct hd_cmd *cmd)
{
    printf("usage: heddle %s\n\n%s\n", cmd->usage, cmd->brief);
    if (cmd->details)
        printf("\n%s", cmd->details);
    printf("\noptions:\n");
    struct hd_cmd_option opt;
    for (size_t i = 0; hd_cmd_options_at(cmd, i, &opt); i++) {
        char left[64];
        if (opt.may)
            snprintf(left, sizeof left, "--%s[=%s]", opt.name, opt.value);
        else
            snprintf(left, sizeof left, "--%s%s%s", opt.name, opt.value ? " " : "",
                     opt.value ? opt.value : "");
        printf("  %-24s %s%s\n", left, strlen(left) > 24 ? "\n                           " : "",
               opt.help);
    }
}

int hd_cmd_options_fail(const struct hd_diag *d)
{
    hd_diag_print(d, stderr);
    return HD_EXIT_USER;
}
