// main.c - heddle COMMAND ...: find the command, read its options, end with its exit status.
#include "cmd/cmd.h"

#include "heddle/version.h"
#include "present/out.h"
#include "registry/crash.h"
#include "toy/toy.h"

#include <signal.h>
#include <string.h>

static const struct hd_cmd commands[] = {
    {"run", "run WORKLOAD|FILE.job [options]", "Simulate a workload and check its results.",
     "Exit status: 0 results right or nothing to check, 1 results differ or a limit came\n"
     "before the check, 2 wrong input, 3 the simulated program faulted or hung, 70 a bug in\n"
     "heddle, 130 interrupted.\n",
     HD_CMD_RUN, hd_cmd_run, NULL},
    {"annotate",
     "annotate WORKLOAD|FILE.job [options] | annotate [options] -- PROGRAM [ARGUMENT...]",
     "Show on which instructions a workload or a CUDA program spent its time.",
     "A CUDA program after -- is run as by heddle exec; its output comes before\n"
     "the lines of its kernels. Exit status: as for run, or for a program as for exec.\n",
     HD_CMD_ANNOTATE, hd_cmd_annotate, NULL},
    {"reuse", "reuse WORKLOAD|FILE.job [options] | reuse [options] -- PROGRAM [ARGUMENT...]",
     "Show which data kernels, blocks and warps use again, and whose.",
     "Locality between parent and child kernels, siblings, thread blocks and warps, as reuse "
     "ratios\n"
     "and distances; docs/reuse.md defines them. A CUDA program after -- is run as by heddle "
     "exec.\n"
     "Exit status: as for run, or for a program as for exec.\n",
     HD_CMD_REUSE, hd_cmd_reuse, NULL},
    {"compare", "compare WORKLOAD|FILE.job ... --sched LIST [options]",
     "Simulate workloads under several schedulers, side by side.",
     "The others are compared with the first scheduler on the same machine; --base\n"
     "chooses another, or one machine for all: --base gto, --base @l1d.ways=4, --base gto@gtx480.\n"
     "Exit status: 0 if every run is good, 4 if some ended at --max-insts or --max-cycles, else "
     "the\n"
     "worst of theirs; 128 + N if signal N ended a run.\n",
     HD_CMD_COMPARE, hd_cmd_compare, NULL},
    {"paper", "paper NAME [--figure LIST | --readings[=full] [--claim LIST]] [options]",
     "Repeat a paper's figures and tables, ours beside the paper's.",
     "heddle says how many runs it takes before it starts them. Applications that it lacks are\n"
     "named as missing. 'heddle list papers' shows the papers; docs/papers.md explains their "
     "files.\n"
     "--readings shows instead how far the paper's claims move under the readings that its text "
     "allows.\n"
     "Exit status: as for compare.\n",
     HD_CMD_PAPER, hd_cmd_paper, NULL},
    {"show", "show FILE.db [RUN...] [options]", "Show the runs of a results database.",
     "Without RUN, it shows a line for each run; with a number, that run's options and how to "
     "repeat\n"
     "it. docs/database.md documents the file's tables.\n",
     HD_CMD_SHOW, hd_cmd_show, NULL},
    {"db", "db check FILE.db | db add FILE.db RESULTS...",
     "Check a results database, or add results to it.",
     "check   read all of it: the file's pages, each run against its checksum\n"
     "add     store results that a run had to keep in a file beside the database\n"
     "Exit status: 0, or 2 if something is wrong.\n",
     HD_CMD_DB, hd_cmd_db, NULL},
    {"study",
     "study run FOLDER --shard I/N | study status|merge|cancel FOLDER | study report FOLDER...",
     "Do, watch or merge the shares of a study that was planned with --study.",
     "run      simulate share I of N, counted from 1; what it has done before is not done again\n"
     "status   which runs are done, which shares and jobs are running\n"
     "merge    put the shares' results together and show them, as the study's command would\n"
     "report   show several merged studies together: --html FILE, --plot FILE.svg\n"
     "cancel   take the study's jobs out of the cluster's queue\n"
     "docs/cluster.md has examples for Slurm, GNU parallel, Kubernetes and others.\n"
     "Exit status: run 0 if each of its runs has a result; status 0 if the study is complete, else "
     "1;\n"
     "merge as the study's command, or 2 if runs are missing; report the worst of its studies.\n",
     HD_CMD_STUDY, hd_cmd_shares, NULL},
    {"diff", "diff FILE.db RUN RUN | A.json B.json",
     "Say why two runs take different numbers of cycles.",
     "The largest part comes first: stall classes, kernels, reasons for idling, PTX lines; then\n"
     "caches and DRAM. JSON files come from 'heddle run' or 'heddle annotate'.\n",
     HD_CMD_DIFF, hd_cmd_diff, NULL},
    {"correlate", "correlate GPU.csv MODEL.csv",
     "Compare measurements of a real GPU with those of a modelled machine.",
     "hardware/run.sh measures both (docs/hardware.md). Shown are the errors by kind, workload "
     "and\n"
     "value, and with --gpu the keys of the machine that would bring it nearer.\n"
     "Exit status: 0, or 2 if a file cannot be read or they have nothing in common.\n",
     HD_CMD_CORRELATE, hd_cmd_correlate, NULL},
    {"list", "list gpus|policies|workloads|toys|stats|papers|instructions|gpgpusim",
     "List machines, policies, workloads, counters and so on.", NULL, HD_CMD_LIST, hd_cmd_list,
     NULL},
    {"explain", "explain NAME",
     "Explain a policy, a counter, a column, a machine, a key of it or an instruction.",
     "For an instruction (shfl, mma, cp.async, add.f32 ...) or 'latency', which means all of "
     "them:\n"
     "pipe, latency and interval on the machine of --gpu, the key that holds them, and where the\n"
     "number comes from. Without a source it is called a guess.\n",
     HD_CMD_EXPLAIN, hd_cmd_explain, NULL},
    {"gpu", "gpu convert FILE",
     "Turn a configuration of GPGPU-Sim (gpgpusim.config) into a machine file.",
     "It prints the machine file, with the option that each key comes from beside it. Options "
     "that\n"
     "heddle does not model are refused, all at once. --gpu FILE takes the configuration as it "
     "is.\n"
     "'heddle list gpgpusim' shows what becomes of each option, 'heddle explain -gpgpu_n_mem' of "
     "one.\n"
     "Exit status: 0, or 2 if the file cannot be read or heddle does not model its machine.\n",
     HD_CMD_GPU, hd_cmd_gpu, NULL},
    {"check-policy", "check-policy FILE.so|NAME...",
     "Check whether a policy keeps the rules of heddle/policy.h.",
     "A file is loaded as with --plugin; names choose which policies are tried, with parameters "
     "as\n"
     "in --sched; without names, all policies of the files are. Each is tried in a separate "
     "process.\n"
     "Exit status: 0 if every rule is kept, 1 if one is broken, 2 for wrong input.\n",
     HD_CMD_CHECK_POLICY, hd_cmd_check_policy, NULL},
    {"ptx", "ptx check|dump|regs [options] FILE.ptx...",
     "Look at PTX modules as heddle decodes and links them.",
     "check   say what is wrong or not supported; silent if all is well\n"
     "dump    kernels, parameters and decoded instructions\n"
     "regs    registers per thread of each kernel on this machine, compared with ptxas's in\n"
     "        NAME.regs, and how many blocks fit on an SM\n",
     HD_CMD_PTX, hd_cmd_ptx, NULL},
    {"exec", "exec [options] -- PROGRAM [ARGUMENT...]", "Run a CUDA program on the simulated GPU.",
     "The program is not changed; it finds heddle's CUDA libraries instead of NVIDIA's. What it\n"
     "prints stays as it is; heddle's table goes to standard error. Ctrl-C and SIGTERM end it with "
     "the\n"
     "results so far, marked as interrupted.\n"
     "Exit status: the program's, but 3 for 0 if a launch failed (--keep-status: 0); 128 + N if\n"
     "signal N ended it; 126 or 127 if it cannot be started; 2 for wrong input, for a plug-in's\n"
     "error, and if a result could not be written.\n",
     HD_CMD_EXEC, hd_cmd_exec, NULL},
    {"cc", "cc [options of nvcc or clang] FILE.cu... -o PROGRAM",
     "Build a CUDA program with clang, without NVIDIA's toolkit.",
     "The program finds heddle's libraries by itself: start it as it is, or with heddle exec.\n"
     "HEDDLE_CLANG names the compiler (default clang++). sdk/bin/nvcc is the same command for\n"
     "makefiles. Exit status: the compiler's; 127 if there is none.\n",
     0, NULL, hd_cmd_cc},
    {"inspect", "inspect FILE [options]",
     "Show the device code that a program, library or fatbin carries.",
     "Exit status: 0, or 2 if the file cannot be read, is damaged or can hold no device code.\n",
     HD_CMD_INSPECT, hd_cmd_inspect, NULL},
    {"manual", "manual commands|stats|gpgpusim|man|bash|zsh|fish",
     "Print references as pages, or completion for a shell.",
     "commands   all commands and options: docs/commands.md\n"
     "stats      all counters and columns: docs/statistics.md\n"
     "gpgpusim   what becomes of GPGPU-Sim's options: docs/gpgpusim-options.md\n"
     "man        commands for man: heddle manual man >heddle.1; man ./heddle.1\n"
     "bash       completion of command lines: source <(heddle manual bash)\n"
     "zsh        the same: heddle manual zsh >FOLDER/_heddle, with FOLDER in $fpath\n"
     "fish       the same: heddle manual fish | source\n",
     HD_CMD_MANUAL, hd_cmd_manual, NULL},
    {"toy", "toy NAME|FILE.toy --sched LIST [options]",
     "Step a worked example of a paper, cycle by cycle.",
     "options:\n"
     "  --sched LIST             warp schedulers, one after the other: lrr,gto,...\n"
     "  --fetch NAME             fetch order (default rr)\n"
     "  --tb NAME                placement of thread blocks (default rr)\n"
     "  --kernel-policy NAME     which kernel is served (default rr)\n"
     "  --plugin FILE.so         load a policy from a shared object\n"
     "  --trace                  print the issues as cycle:warp letter\n"
     "  --no-timeline            leave the picture out\n"
     "  --no-skip                step idle cycles too\n",
     0, NULL, hd_toy_main},
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *to)
{
    fprintf(to, "heddle runs CUDA kernels cycle by cycle on a GPU that you design.\n\n"
                "usage: heddle COMMAND [options]\n\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].brief);
    fprintf(to, "\n'heddle help COMMAND' shows a command's options, 'heddle --version' the "
                "version.\n"
                "Try: heddle run vecadd\n");
}

static const struct hd_cmd *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static void unknown_command(struct hd_arena *a, const char *name, struct hd_diag *d)
{
    const char *workload = hd_cmd_misplaced_workload(a, name);
    const char *names[N_COMMANDS + 1];

    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i].name;
    names[N_COMMANDS] = NULL;
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no command '%.60s'", name);
    hd_diag_nearest(e, name, names);
    if (workload)
        hd_diag_hint(e, "%s", workload);
    if (!e->hint[0])
        hd_diag_hint(e, "'heddle --help' shows all");
}

// A command that reads its own words still shows help like the others.
static int run_raw(const struct hd_cmd *cmd, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            printf("usage: heddle %s\n\n%s\n\n%s", cmd->usage, cmd->brief, cmd->details);
            return HD_EXIT_OK;
        }
    return cmd->raw(argc, argv);
}

static int run_command(int argc, char **argv)
{
    struct hd_diag d = {0};
    const struct hd_cmd *cmd = find_command(argv[1]);

    if (!cmd) {
        struct hd_arena *scratch = hd_arena_new();
        unknown_command(scratch, argv[1], &d);
        hd_arena_free(scratch);
        return hd_cmd_options_fail(&d);
    }
    if (cmd->raw)
        return run_raw(cmd, argc - 2, argv + 2);
    struct hd_arena *a = hd_arena_new();
    struct hd_cmd_options o = {.arena = a,
                               .line = "heddle",
                               .db_wait = HD_DATABASE_PATIENCE,
                               .commands = commands,
                               .n_commands = N_COMMANDS};
    int status;
    for (int i = 1; i < argc; i++)
        o.line = hd_arena_printf(a, "%s %s", o.line, hd_cmd_words_quoted(a, argv[i]));
    if (!hd_cmd_options_parse(cmd, argc - 2, argv + 2, &o, &d)) {
        status = hd_cmd_options_fail(&d);
    } else if (o.help) {
        hd_cmd_options_help(cmd);
        status = HD_EXIT_OK;
    } else {
        status = cmd->run(&o);
    }
    hd_arena_free(a);
    return status;
}

int main(int argc, char **argv)
{
    // A reader that goes away, or a file that reaches its size limit, must be reported and not end
    // the program silently.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    int status = HD_EXIT_OK;

    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    hd_crash_watch();
    if (argc < 2) {
        print_help(stderr);
        status = HD_EXIT_USER;
    } else if (!strcmp(argv[1], "--version")) {
        printf("heddle %s, model %d\n", HD_VERSION, HD_MODEL);
    } else if (!strcmp(argv[1], "help") && argc > 2) {
        char *shown[] = {argv[0], argv[2], (char[]){"--help"}, NULL};
        status = run_command(3, shown);
    } else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
    } else {
        status = run_command(argc, argv);
    }
    if (!hd_out_flush() && status < HD_EXIT_USER)
        status = HD_EXIT_USER;
    hd_crash_over();
    return status;
}
