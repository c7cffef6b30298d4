// cmd_simulate.c - one workload run for a command: from its options to a finished run, with a line
// of progress for a user at a terminal, and an orderly end on Ctrl-C.
#include "cmd/cmd.h"

#include "base/hostclock.h"
#include "present/json.h"
#include "present/out.h"
#include "registry/crash.h"
#include "report/annotate.h"
#include "study/kept.h"
#include "study/simulate.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define QUIET_SECONDS 2.0  // before the first progress line
#define UPDATE_SECONDS 0.2 // between two
#define PATIENCE 10 // seconds from an interrupt to the end, if the machine does not notice it

// A batch system's time limit (SIGTERM) is handled like Ctrl-C: with the results so far.
static const int signals[] = {SIGINT, SIGTERM};
#define N_SIGNALS 2

static volatile sig_atomic_t interrupted;

static double interrupted_at; // seconds

// A second signal ends the program at once, unless it comes with the first: a sender to a process
// and its group, such as timeout(1), sends each signal twice.
static void on_interrupt(int signal_number)
{
    double now = hd_hostclock_now();

    if (interrupted && now - interrupted_at > 1) {
        sigaction(signal_number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        raise(signal_number);
    } else if (!interrupted) {
        interrupted_at = now;
        interrupted = 1;
        hd_crash_expect_end(PATIENCE); // a policy may never return to the machine
    }
}

struct watch {
    const char *name;
    bool terminal, drawn;
    double start, last;    // seconds: of the run, of the last line
    uint64_t cycle, insts; // when it was interrupted
};

// "950", "12.3 K", "4.56 M": three significant digits.
static const char *scaled(double v, char text[24])
{
    static const char units[] = " KMGT";
    unsigned u = 0;

    while (v >= 999.5 && u < 4) {
        v /= 1000;
        u++;
    }
    if (u)
        snprintf(text, 24, "%.*f %c", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, units[u]);
    else
        snprintf(text, 24, "%.0f", v);
    return text;
}

// The machine calls it; it only reads the clock, so that no result can depend on it.
static bool look(void *ctx, const struct hd_gpu_progress *p)
{
    struct watch *w = ctx;
    uint64_t cycle = p->cycle, warp_insts = p->warp_insts;
    double now = hd_hostclock_now();
    char cycles[24], speed[24], insts[24];

    if (w->terminal && now - w->start >= QUIET_SECONDS && now - w->last >= UPDATE_SECONDS) {
        double done = (double)(cycle ? cycle : warp_insts), per_second = done / (now - w->start);
        if (cycle)
            fprintf(stderr,
                    "\r%.30s: %s cycles, %s cycles/s, %s warp instructions, %" PRIu64 "/%" PRIu64
                    " blocks\033[K",
                    w->name, scaled(done, cycles), scaled(per_second, speed),
                    scaled((double)warp_insts, insts), p->blocks_done, p->blocks);
        else
            fprintf(stderr, "\r%.30s: %s warp instructions, %s/s\033[K", w->name,
                    scaled(done, insts), scaled(per_second, speed));
        w->last = now;
        w->drawn = true;
    }
    w->cycle = cycle;
    w->insts = warp_insts;
    return !interrupted;
}

static bool read_item(const struct hd_cmd_options *o, const char *verb,
                      struct hd_workloads_item *item, struct hd_diag *d)
{
    struct hd_cmd_list words = {0};

    for (size_t i = 0; i < o->args.n; i++)
        if (!hd_cmd_workloads_expand(o->arena, o->args.items[i], &words, d))
            return false;
    if (words.n != 1) {
        struct hd_diag_entry *e = words.n
                                      ? hd_diag_add(d, NULL, 0, 0, "%s takes one workload", verb)
                                      : hd_diag_add(d, NULL, 0, 0, "which workload is to be run?");
        hd_diag_hint(e, words.n ? "'heddle compare' takes several"
                                : "expected a FILE.job or a name of 'heddle list workloads'");
        for (size_t i = 0; i < words.n; i++) // a value that lost its option
            if (!hd_cmd_misplaced_workload(o->arena, words.items[i]) &&
                hd_cmd_misplaced(o->arena, words.items[i]))
                hd_diag_hint(e, "%s", hd_cmd_misplaced(o->arena, words.items[i]));
        return false;
    }
    return hd_cmd_workloads_read(o, words.items[0], item, d) &&
           hd_cmd_places_item(o, item, words.items[0], o->out ? o->out : ".", d);
}

static bool start_trace(const struct hd_cmd_options *o, struct hd_cmd_simulation *s,
                        const struct hd_workloads_item *item, struct hd_diag *d)
{
    if (item->trace && o->functional_only) {
        hd_diag_add(d, NULL, 0, 0,
                    "--functional-only: a trace has no values that could be computed");
        return false;
    }
    if (item->trace && o->record) {
        hd_diag_add(d, NULL, 0, 0, "--record: the run is itself the replay of a trace");
        return false;
    }
    s->options.force = o->force;
    if (o->record)
        s->options.gpu.record = hd_record_new(o->arena, o->record, d);
    return !o->record || s->options.gpu.record;
}

static bool run_watched(const struct hd_cmd_options *o, struct hd_cmd_simulation *s,
                        const struct hd_workloads_item *item, struct hd_diag *d)
{
    struct watch w = {.name = item->name, .terminal = !o->quiet && isatty(STDERR_FILENO)};
    struct sigaction act = {.sa_handler = on_interrupt};
    struct sigaction before[N_SIGNALS];

    w.start = hd_hostclock_now();
    s->options.gpu.progress = look;
    s->options.gpu.progress_ctx = &w;
    for (int i = 0; i < N_SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &act, NULL);
    }
    bool good = hd_workloads_start(&s->run, item, o->arena, &s->options, d);
    if (good && o->record)
        good = hd_tracerun_record(&s->run, o->arena, &s->options, item->name,
                                  hd_workloads_size(item), item->seed, d);
    else
        hd_record_drop(s->options.gpu.record);
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    alarm(0);
    if (w.drawn)
        fputs("\r\033[K", stderr);
    if (s->run.status == HD_RUN_STOPPED && w.cycle)
        fprintf(stderr, "heddle: interrupted in cycle %" PRIu64 "\n", w.cycle);
    else if (s->run.status == HD_RUN_STOPPED)
        fprintf(stderr, "heddle: interrupted after %" PRIu64 " warp instructions\n", w.insts);
    s->options.gpu.progress = NULL;
    return good;
}

// Before the run, because the inputs may be edited while it runs.
static bool open_database(const struct hd_cmd_options *o, struct hd_cmd_simulation *s,
                          const struct hd_workloads_item *item, struct hd_diag *d)
{
    if (!o->db)
        return true;
    json_t *inputs = hd_identity_inputs(item, o->arena, d);
    bool good = inputs &&
                hd_identity_make(hd_identity_texts_new(o->arena), item, inputs, NULL, &s->options,
                                 o->arena, &s->identity, d) &&
                (s->db = hd_database_open(o->db, true, (unsigned)o->db_wait, d));
    json_decref(inputs);
    return good;
}

bool hd_cmd_simulate_start(const struct hd_cmd_options *o, const char *verb, bool profile,
                           struct hd_cmd_simulation *s, struct hd_diag *d)
{
    double start = hd_hostclock_now(), started;
    struct hd_workloads_item item;
    const char *sched = hd_cmd_machine_sched(o);

    *s = (struct hd_cmd_simulation){.options = {.out = o->out ? o->out : "."}};
    if (!hd_cmd_machine_plugins(o, d) || !hd_cmd_machine_set_up(o, &s->config, &s->options, d) ||
        !hd_registry_parse_slot(o->arena, HD_SLOT_SCHED, sched, &s->options.gpu.sched, d))
        return false;
    hd_registry_preset(s->options.gpu.slot);
    s->options.gpu.profile = profile;
    s->options.gpu.metrics = o->metrics || o->timeline;
    s->options.gpu.metrics_sm = (unsigned)o->metrics_sm;
    s->options.gpu.metrics_kernels = o->metrics_kernels;
    bool read = read_item(o, verb, &item, d);
    started = hd_hostclock_now();
    if (!read || !hd_cmd_sample_item(o, &item, d) || !start_trace(o, s, &item, d))
        return false;
    if (!open_database(o, s, &item, d)) {
        hd_record_drop(s->options.gpu.record);
        return false;
    }
    if (!run_watched(o, s, &item, d))
        return false;
    s->report = (struct hd_runreport){.run = &s->run,
                                      .options = &s->options,
                                      .workload = item.name,
                                      .size = hd_workloads_size(&item),
                                      .seed = item.seed,
                                      .host = !o->no_host,
                                      .seconds = hd_hostclock_now() - start,
                                      .startup_seconds = started - start};
    return true;
}

// An interrupted run is not stored.
static bool store(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s,
                  const char *trouble)
{
    const struct hd_runreport *r = &s->report;
    struct hd_out text = {.arena = o->arena}, profile = {.arena = o->arena};
    struct hd_annotate lines;
    json_error_t error;
    struct hd_diag d = {0};

    hd_runjson_write(r, &text);
    json_t *json = json_loads(text.text, 0, &error);
    if (s->options.gpu.profile && s->run.program) {
        hd_annotate_collect(&lines, o->arena, r);
        hd_json_add(hd_annotate_kernels(&lines), &profile);
    }
    struct hd_database_row row = {.key = s->identity.key,
                                  .identity = s->identity.text,
                                  .workload = r->workload,
                                  .size = r->size,
                                  .seed = r->size ? (int64_t)r->seed : -1,
                                  .exit_status = hd_runs_exit(&s->run),
                                  .message = trouble,
                                  .command = o->line,
                                  .json = text.text,
                                  .profile = profile.bytes ? profile.text : NULL};
    hd_simulate_fill_row(&row, &s->options, json, o->arena);
    bool good = hd_kept_store(s->db, &row, &d);
    json_decref(json);
    hd_diag_print(&d, stderr);
    return good;
}

bool hd_cmd_simulate_keep(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s)
{
    struct hd_out trouble = {.arena = o->arena};

    hd_out_flush(); // before what goes to standard error
    hd_runtable_trouble(&s->report, &trouble);
    hd_out_say(&trouble);
    return !s->db || s->run.status == HD_RUN_STOPPED || store(o, s, trouble.text);
}

int hd_cmd_simulate_exit(struct hd_cmd_simulation *s, bool written)
{
    int status = s->run.status == HD_RUN_STOPPED ? HD_CMD_INTERRUPTED : hd_runs_exit(&s->run);

    hd_database_close(s->db);
    hd_runs_end(&s->run);
    return written || status > HD_EXIT_USER ? status : HD_EXIT_USER;
}

int hd_cmd_simulate_fail(struct hd_cmd_simulation *s, const struct hd_diag *d)
{
    hd_database_close(s->db);
    hd_runs_end(&s->run);
    return hd_cmd_options_fail(d);
}
