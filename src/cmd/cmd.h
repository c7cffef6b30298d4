// cmd.h - the commands of the program, and what they share: options, the machine that they
// describe, workloads by name.
//
// A command reads its options, checks them and every place that it will write to, does its work
// through the folders below, and returns an exit status. Errors of the user are found before
// anything is simulated. No other folder includes this one; only it uses the command line.
//
// Invariants: every error is a diagnostic with a suggestion and the exit status 2; a requested
// result file is written completely, or the exit status reports that it is not; standard output has
// results and standard error everything else.
#ifndef HEDDLE_CMD_CMD_H
#define HEDDLE_CMD_CMD_H

#include "base/arena.h"
#include "base/diag.h"
#include "heddle/config.h"
#include "present/sheet.h"
#include "registry/registry.h"
#include "report/runreport.h"
#include "study/identity.h"
#include "study/study.h"
#include "workload/workloads.h"

#define HD_CMD_DEFAULT_GPU "gtx480"
#define HD_CMD_DEFAULT_SCHED "gto"
#define HD_CMD_INTERRUPTED 130 // exit status, as a shell reports SIGINT

struct hd_cmd_list { // of strings, in the order given
    const char **items;
    size_t n, cap;
};

struct hd_cmd_collect { // the sheets of several studies, for one report
    struct hd_sheets sheets, details;
    struct hd_out commands; // a line for each
    const char *name;       // of the study that is shown now
    unsigned number;        // counted from 1
};

struct hd_cmd_options {
    struct hd_arena *arena;
    const char *gpu;
    HD_SLOTS_OF(HD_SLOT_WORD, const char *); // --sched, --fetch, --tb, --kernel-policy
    const char *json, *csv, *out;            // NULL: not requested
    const char *base, *size, *stats, *timeline, *db, *figure, *plot, *html, *markdown;
    const char *readings; // --readings: "" or "full"; NULL: not asked for
    const char *claim;
    const char *folder, *shard;                   // --study, --shard
    const char *cluster, *time_limit, *partition; // --cluster, --time, --partition
    uint64_t array;                               // --array
    struct hd_cmd_collect *collect; // a report of several studies takes the figures; NULL: none
    struct hd_cmd_folder *in;       // what is done with the folder of a study (cmd_folder.h)
    const char *copy_bandwidth, *regs, *ptx;
    const char *line;                                       // the command as it was given
    uint64_t max_cycles, max_insts, jobs, seed, metrics_sm; // 0: not given
    uint64_t sample, sample_warm, sample_seed;              // 0: not given
    uint64_t db_wait; // seconds for the locks of other programs
    uint64_t threads; // 0: as many as pay
    bool seed_given, threads_given;
    bool study; // the command makes many runs, --jobs of them at a time
    bool functional_only, strict, no_skip, no_host, metrics, quiet, help, force, keep_status;
    const char *metrics_kernels; // --metrics-kernels LIST
    const char *record;          // --record FILE
    const char *annotate;        // --annotate FILE
    const char *konata, *konata_sm, *konata_cycles;
    const char *html_sm, *html_cycles; // html_cycles: NULL if the page shows no recorded cycles
    bool no_replay;
    bool program; // heddle annotate, heddle reuse: the words are those of a program
    // heddle reuse. The analyser's options as they were given, and read; NULL in other commands.
    const char *plan, *reuse_warps, *reuse_memory;
    bool reuse_loads;
    uint64_t reuse_pairs, plan_above;
    const struct hd_reuse_options *reuse;
    struct hd_cmd_list sets, plugins, args; // args: the words that are not options
    const struct hd_cmd *commands;          // all of the program, for its manual
    size_t n_commands;
    // The command and its words, without options that are for this process only.
    struct hd_cmd_list words;
};

struct hd_cmd {
    const char *name, *usage, *brief;
    const char *details; // lines after the usage in its --help
    uint32_t bit;        // the options that it takes (cmd_options.c)
    int (*run)(struct hd_cmd_options *o);
    int (*raw)(int argc, char **argv); // instead of `run`, for a command that parses its own words
};
enum { // hd_cmd.bit
    HD_CMD_RUN = 0x01,
    HD_CMD_COMPARE = 0x02,
    HD_CMD_LIST = 0x04,
    HD_CMD_EXPLAIN = 0x08,
    HD_CMD_PTX = 0x10,
    HD_CMD_ANNOTATE = 0x20,
    HD_CMD_SHOW = 0x40,
    HD_CMD_PAPER = 0x80,
    HD_CMD_DIFF = 0x100,
    HD_CMD_INSPECT = 0x200,
    HD_CMD_EXEC = 0x400,
    HD_CMD_DB = 0x800,
    HD_CMD_CHECK_POLICY = 0x1000,
    HD_CMD_REUSE = 0x2000,
    HD_CMD_GPU = 0x4000,
    HD_CMD_MANUAL = 0x8000,
    HD_CMD_STUDY = 0x10000,
    HD_CMD_CORRELATE = 0x20000,
};

int hd_cmd_run(struct hd_cmd_options *o);
// --gpu and --set, for commands in which --set can only change the machine (cmd_machine.c).
bool hd_cmd_machine_config(const struct hd_cmd_options *o, struct hd_config *config,
                           struct hd_diag *d);
// --sched, else the scheduler of a machine that GPGPU-Sim's files describe, else the default.
const char *hd_cmd_machine_sched(const struct hd_cmd_options *o);
// --regs; `out` stays as it is without it.
bool hd_cmd_machine_regs(const struct hd_cmd_options *o, struct hd_jobregs_choice *out,
                         struct hd_diag *d);
int hd_cmd_annotate(struct hd_cmd_options *o);
int hd_cmd_reuse(struct hd_cmd_options *o);
int hd_cmd_compare(struct hd_cmd_options *o);
int hd_cmd_paper(struct hd_cmd_options *o);
int hd_cmd_diff(struct hd_cmd_options *o);
int hd_cmd_correlate(struct hd_cmd_options *o);
int hd_cmd_show(struct hd_cmd_options *o);
int hd_cmd_db(struct hd_cmd_options *o);
int hd_cmd_shares(struct hd_cmd_options *o); // heddle study
int hd_cmd_inspect(struct hd_cmd_options *o);
// Also for heddle annotate and heddle reuse, with o->program.
int hd_cmd_exec(struct hd_cmd_options *o);
// The folder with libcuda.so.1 and libcudart.so.*; NULL if there is none beside the program.
const char *hd_cmd_exec_libraries(struct hd_arena *a);
int hd_cmd_check_policy(struct hd_cmd_options *o);
int hd_cmd_cc(int argc, char **argv);
int hd_cmd_list(struct hd_cmd_options *o);
int hd_cmd_explain(struct hd_cmd_options *o);
// Prints the words of `text` between `indent` blanks and the right edge.
void hd_cmd_wrap_print(const char *text, int indent);
// Prints the text as a cell of a table of Markdown, which a bar would end.
void hd_cmd_wrap_cell(const char *text);
// Explains a column head or a component of the machine (cmd_explainwords.c). False if the name is
// neither.
bool hd_cmd_explain_word(struct hd_arena *a, const char *name);
void hd_cmd_explain_words(struct hd_arena *a, struct hd_cmd_list *to);
// The i-th column head and what it means. NULL after the last.
const char *hd_cmd_explain_column(struct hd_arena *a, size_t i, const char **help);
int hd_cmd_gpu(struct hd_cmd_options *o);
// Pages, a manual, or completion for a shell, from the tables of the program (cmd_manual.c).
int hd_cmd_manual(struct hd_cmd_options *o);
// The pages docs/statistics.md and docs/gpgpusim-options.md.
void hd_cmd_manualstats_print(struct hd_arena *a);
void hd_cmd_gpu_page(struct hd_arena *a);
// The options of GPGPU-Sim: all of them, or one. False if there is no such option.
void hd_cmd_gpu_list(struct hd_arena *a);
bool hd_cmd_gpu_explain(struct hd_arena *a, const char *name);
int hd_cmd_ptx(struct hd_cmd_options *o);
int hd_cmd_ptx_regs(const struct hd_cmd_options *o); // cmd_ptx_regs.c
// Rows of the instruction set (cmd_instructions.c).
void hd_cmd_list_instructions(struct hd_arena *a);

// Reads the words after the command's name. False after adding diagnostics.
bool hd_cmd_options_parse(const struct hd_cmd *cmd, int argc, char **argv, struct hd_cmd_options *o,
                          struct hd_diag *d);
void hd_cmd_options_help(const struct hd_cmd *cmd);
// An option as a reader sees it; value: what may or must follow, NULL for nothing.
struct hd_cmd_option {
    const char *name, *value, *help;
    bool may; // the value may be left out, and follows after '='
};
// The i-th option of a command, in the order of its help. False after the last.
bool hd_cmd_options_at(const struct hd_cmd *cmd, size_t i, struct hd_cmd_option *out);
// Whether there is no option that is for workloads only. False after a diagnostic.
bool hd_cmd_options_for_program(const struct hd_cmd_options *o, struct hd_diag *d);
// Whether --stats is a known set of names, and the run is timed. False after a diagnostic.
bool hd_cmd_options_stats(const struct hd_cmd_options *o, struct hd_diag *d);
// Print the diagnostics to standard error; returns HD_EXIT_USER.
int hd_cmd_options_fail(const struct hd_diag *d);

// Check where results will go, before the work (cmd_places.c): no two of them share a place, none
// overwrites a file that is read, each can be written, and figures can be drawn. False after a
// diagnostic. `files` says that the words which are not options name files that are read.
bool hd_cmd_places_check(const struct hd_cmd_options *o, bool files, struct hd_diag *d);
// The same check for the files that a workload reads, and for a program that is run. `dumps` is the
// folder that a job's dumps are written to, or NULL.
bool hd_cmd_places_item(const struct hd_cmd_options *o, const struct hd_workloads_item *item,
                        const char *word, const char *dumps, struct hd_diag *d);
bool hd_cmd_places_program(const struct hd_cmd_options *o, const char *path, struct hd_diag *d);

// Reads the options that describe the machine (cmd_machine.c). --sched is not read for commands
// that take a list of schedulers.
bool hd_cmd_machine_plugins(const struct hd_cmd_options *o, struct hd_diag *d);
bool hd_cmd_machine_set_up(const struct hd_cmd_options *o, struct hd_config *config,
                           struct hd_run_options *out, struct hd_diag *d);

// --sample (cmd_sample.c): its options, NULL without it; and whether a sample can be made of what
// is run. False after a diagnostic.
bool hd_cmd_sample_read(const struct hd_cmd_options *o, const struct hd_sample_options **out,
                        struct hd_diag *d);
bool hd_cmd_sample_item(const struct hd_cmd_options *o, const struct hd_workloads_item *item,
                        struct hd_diag *d);

// Run one workload to its end (cmd_simulate.c).
struct hd_cmd_simulation {
    struct hd_config config;
    struct hd_run_options options;
    struct hd_run run;
    struct hd_runreport report;
    struct hd_database *db; // --db, NULL without
    struct hd_identity identity;
};
// False with a diagnostic if it cannot be run. `verb` is the command's name; profile: charge cycles
// to instructions.
bool hd_cmd_simulate_start(const struct hd_cmd_options *o, const char *verb, bool profile,
                           struct hd_cmd_simulation *s, struct hd_diag *d);
// Reports errors of the run, and stores it in the database if there is one. False after a message.
bool hd_cmd_simulate_keep(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s);
// Releases everything and returns the exit status. written: every result was written.
int hd_cmd_simulate_exit(struct hd_cmd_simulation *s, bool written);
// The same for a run that could not be started.
int hd_cmd_simulate_fail(struct hd_cmd_simulation *s, const struct hd_diag *d);

// The folder of the data folder's jobs, each as NAME/NAME.job.
#define HD_CMD_JOBS "workloads/kernels"
// What a word on the command line means: FILE.job, a shipped job, or a built-in workload with the
// size and seed of the options (cmd_workloads.c). False after a diagnostic.
bool hd_cmd_workloads_read(const struct hd_cmd_options *o, const char *word,
                           struct hd_workloads_item *out, struct hd_diag *d);
// The options with which to read `word` beside the other `words`: --size, --seed and --ptx count
// for the built-in workloads. If there are any, jobs and traces are read without them; `fixed`
// counts those. `mine` is filled if it is needed.
const struct hd_cmd_options *hd_cmd_workloads_own(const struct hd_cmd_options *o,
                                                  const struct hd_cmd_list *words, const char *word,
                                                  struct hd_cmd_options *mine, unsigned *fixed);
// Whether --size and --ptx name what workloads can have. False after a diagnostic.
bool hd_cmd_workloads_options(const struct hd_cmd_options *o, struct hd_diag *d);
// Names in the data folder's `folder`: sub-folders (suffix NULL) or files NAME<suffix>, sorted.
struct hd_cmd_list hd_cmd_workloads_names(struct hd_arena *a, const char *folder,
                                          const char *suffix);
// "@GROUP" or "@GROUP:LABEL" into the names of its workloads; any other word into itself. False
// after a diagnostic.
bool hd_cmd_workloads_expand(struct hd_arena *a, const char *word, struct hd_cmd_list *out,
                             struct hd_diag *d);

// What a word is that stands where a workload was expected, as a hint; NULL if it means nothing
// (cmd_misplaced.c). The second one is for places where no workload was expected.
const char *hd_cmd_misplaced(struct hd_arena *a, const char *word);
const char *hd_cmd_misplaced_workload(struct hd_arena *a, const char *word);

// Commands that make many runs (cmd_study.c). A workload that cannot be read is a failed run.
void hd_cmd_workloads_study(const struct hd_cmd_options *o, const char *word,
                            struct hd_study_work *out);
// Sets up processes, progress and database from the options. False after a diagnostic.
bool hd_cmd_study_open(const struct hd_cmd_options *o, struct hd_study *s, struct hd_diag *d);
// Reports what an interrupted study has finished; returns the exit status.
int hd_cmd_study_interrupted(const struct hd_cmd_options *o, const struct hd_study *s);
// Whether the database took every run. If not, reports why.
bool hd_cmd_study_stored(const struct hd_study *s);
struct hd_html;
// The page of --html (cmd_html.c). Chooses what it shows of cycles, before machines are set up.
// False with a diagnostic.
bool hd_cmd_html_choose(struct hd_cmd_options *o, struct hd_diag *d);
// What is recorded for it; *out is NULL if nothing.
bool hd_cmd_html_read(const struct hd_cmd_options *o, const struct hd_config *config,
                      const struct hd_cycleviews_options **out, struct hd_diag *d);
// The runs of a study share one page, so each gets a part of its pieces.
void hd_cmd_html_share(const struct hd_cmd_options *o, struct hd_study *s);
// The recorded cycles of a study's runs, for its page; NULL if there are none.
const char *hd_cmd_html_cycles(const struct hd_cmd_options *o, const struct hd_study *s);
// The configuration of a run as a table.
void hd_cmd_html_options(const struct hd_run_options *o, const char *title, struct hd_sheets *out);
bool hd_cmd_html_write(const struct hd_cmd_options *o, const struct hd_html *h);
bool hd_cmd_html_run(const struct hd_cmd_options *o, const struct hd_runreport *r);

// Prints sheets, unless --quiet or a file on standard output forbids it, and writes --csv and
// --json (cmd_sheets.c). False after a message.
bool hd_cmd_sheets_write(const struct hd_cmd_options *o, const struct hd_sheets *sheets);
// Write --plot and --html from a study's sheets. False after a message.
bool hd_cmd_study_figures(const struct hd_cmd_options *o, const struct hd_study *s,
                          const struct hd_sheets *sheets, const char *title, const char *subtitle);
// The run of a database that a word names (cmd_show.c). False after a diagnostic.
bool hd_cmd_show_read(const struct hd_cmd_options *o, struct hd_database *db, const char *word,
                      struct hd_database_row *row, struct hd_diag *d);
// cmd_words.c: the word, quoted for a shell if necessary.
const char *hd_cmd_words_quoted(struct hd_arena *a, const char *word);
// The values of --set, separated by blanks; the same with the other options that change the machine
// or the program (hd_run_options.sets). The options that choose the input, and the others that are
// needed to repeat a run, quoted for a shell, with a blank in front of each.
const char *hd_cmd_words_keys(const struct hd_cmd_options *o);
const char *hd_cmd_words_machine(const struct hd_cmd_options *o);
const char *hd_cmd_words_input(const struct hd_cmd_options *o);
const char *hd_cmd_words_repeat(const struct hd_cmd_options *o);

#endif
