// results.c - results of a machine. See results.h.
#include "cuda/core/results.h"

#include "base/hostclock.h"
#include "cuda/core/supervised.h"
#include "report/annotate.h"
#include "report/reusereport.h"
#include "report/runreport.h"
#include "run/tracerun.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct hd_results_wishes hd_results_wishes;
static double since; // host seconds on a clock with any origin, when the machine was made

struct hd_run hd_results_run(void)
{
    return (struct hd_run){.gpu = hd_cuda.gpu, .status = hd_cuda.status};
}

static struct hd_runreport report_of(struct hd_run *run)
{
    *run = hd_results_run();
    return (struct hd_runreport){.run = run,
                                 .options = &hd_cuda.options,
                                 .workload = program_invocation_short_name,
                                 .host = !hd_results_wishes.no_host,
                                 .seconds = hd_hostclock_now() - since};
}

// "FILE.2" if the device was reset once.
static const char *file_of_machine(const char *name)
{
    return hd_cuda.n_machines > 1
               ? hd_arena_printf(hd_cuda.arena, "%s.%u", name, hd_cuda.n_machines)
               : name;
}

// Begins the trace of this machine. If it cannot be written, the program runs without it.
static void begin_record(void)
{
    struct hd_diag d = {.n = 0};

    if (!hd_results_wishes.record)
        return;
    hd_cuda.options.gpu.record =
        hd_record_new(hd_cuda.arena, file_of_machine(hd_results_wishes.record), &d);
    if (d.n)
        hd_supervised_failed();
    hd_cuda_say(&d);
}

static void end_record(void)
{
    struct hd_run run;
    struct hd_diag d = {.n = 0};

    if (!hd_results_wishes.record || !hd_cuda.options.gpu.record)
        return;
    report_of(&run);
    hd_tracerun_record(&run, hd_cuda.arena, &hd_cuda.options, program_invocation_short_name, NULL,
                       0, &d);
    hd_cuda.options.gpu.record = NULL;
    if (d.n)
        hd_supervised_failed();
    hd_cuda_say(&d);
}

void hd_results_begin(void)
{
    since = hd_hostclock_now();
    begin_record();
}

// Reports the machine's diagnostics and why it stopped.
void hd_results_trouble(void)
{
    struct hd_out text = {.arena = hd_cuda.arena};
    struct hd_run run;
    struct hd_runreport r;

    if (hd_cuda.given || hd_cuda.status == HD_RUN_STOPPED)
        return;
    r = report_of(&run);
    hd_runtable_trouble(&r, &text);
    hd_out_say(&text);
    if (hd_cuda.status == HD_RUN_LIMIT) {
        struct hd_diag d = {.n = 0};
        hd_diag_add(&d, NULL, 0, 0, "stopped at the limit of cycles or instructions");
        hd_cuda_say(&d);
    }
}

static void write_timeline(void)
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};

    hd_timeline_write(&r, &out);
    if (!hd_out_write(file_of_machine(hd_results_wishes.timeline), out.text, out.bytes))
        hd_supervised_failed();
}

static void write_konata(void)
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena}, doubt = {.arena = hd_cuda.arena};
    const char *text = hd_konata_doubt(&r, hd_cuda.arena);

    hd_konata_write(&r, &out);
    if (!hd_out_write(file_of_machine(hd_results_wishes.konata), out.text, out.bytes))
        hd_supervised_failed();
    if (text) {
        hd_out_printf(&doubt, "heddle: %s\n", text);
        hd_out_say(&doubt);
    }
}

// The thread that holds the stream may have been stopped while printing.
void hd_results_flush(void)
{
    if (!ftrylockfile(stdout)) {
        fflush(stdout);
        funlockfile(stdout);
    }
}

// The program's own output comes first.
static void print_table(void)
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out verdict = {.arena = hd_cuda.arena};

    hd_results_flush();
    hd_runtable_print(&r, hd_cuda.arena, stderr);
    if (run.status == HD_RUN_STOPPED)
        hd_out_printf(&verdict, "%s\n", hd_runtable_verdict(hd_cuda.arena, &run));
    hd_out_say(&verdict);
    if (ferror(stderr))
        hd_supervised_failed();
}

// On standard output, because scripts for GPGPU-Sim look for them in the program's output.
static void write_names(void)
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};

    hd_runnames_write(&r, &out);
    if (!hd_out_write("-", out.text, out.bytes))
        hd_supervised_failed();
}

static void write_json(void)
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};
    hd_runjson_write(&r, &out);
    if (!hd_out_write(file_of_machine(hd_results_wishes.json), out.text, out.bytes))
        hd_supervised_failed();
}

// Writes the cycles by line of PTX.
static void write_lines(void)
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out page = {.arena = hd_cuda.arena}, json = {.arena = hd_cuda.arena};
    struct hd_annotate n;

    hd_annotate_collect(&n, hd_cuda.arena, &r);
    hd_annotatetable_write(&n, &page);
    hd_annotate_json(&n, &json);
    if (hd_results_wishes.annotate &&
        !hd_out_write(file_of_machine(hd_results_wishes.annotate), page.text, page.bytes))
        hd_supervised_failed();
    if (hd_results_wishes.annotate_json &&
        !hd_out_write(file_of_machine(hd_results_wishes.annotate_json), json.text, json.bytes))
        hd_supervised_failed();
}

// Writes one form of the machine's reuse.
static void write_reuse(const char *file,
                        void (*form)(const struct hd_runreport *r, struct hd_out *out))
{
    struct hd_run run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};

    if (!file)
        return;
    form(&r, &out);
    if (!hd_out_write(file_of_machine(file), out.text, out.bytes))
        hd_supervised_failed();
}

// If a signal handler of the program calls exit in the middle of a call, the counts of lines are
// ahead of those of the kernels.
static bool may_annotate(bool in_call)
{
    struct hd_diag d = {.n = 0};

    if (!in_call)
        return true;
    hd_diag_add(&d, NULL, 0, 0, "the program ended in the middle of a kernel: no lines to show");
    hd_cuda_say(&d);
    hd_supervised_failed();
    return false;
}

bool hd_results_wanted(void)
{
    return hd_results_wishes.json || hd_results_wishes.timeline || hd_results_wishes.konata ||
           hd_results_wishes.record || hd_results_wishes.table || hd_results_wishes.names ||
           hd_results_wishes.annotate || hd_results_wishes.annotate_json ||
           hd_results_wishes.reuse || hd_results_wishes.reuse_json || hd_results_wishes.reuse_plan;
}

void hd_results_drop(void)
{
    hd_results_wishes = (struct hd_results_wishes){.no_host = hd_results_wishes.no_host};
    hd_supervised_failed();
}

void hd_results_write(bool in_call)
{
    if (hd_results_wishes.json)
        write_json();
    if ((hd_results_wishes.annotate || hd_results_wishes.annotate_json) && may_annotate(in_call))
        write_lines();
    write_reuse(hd_results_wishes.reuse, hd_reusetable_write);
    write_reuse(hd_results_wishes.reuse_json, hd_reusereport_json);
    write_reuse(hd_results_wishes.reuse_plan, hd_reusereport_plan);
    if (hd_results_wishes.timeline)
        write_timeline();
    if (hd_results_wishes.konata)
        write_konata();
    end_record();
    if (hd_results_wishes.names && hd_gpu_n_results(hd_cuda.gpu))
        write_names();
    else if (hd_results_wishes.table && hd_gpu_n_results(hd_cuda.gpu))
        print_table();
}
