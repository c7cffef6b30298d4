// cuda.c - the device of this process: its lock, its machine, how a machine ends.
#include "cuda/process.h"

#include "base/bug.h"
#include "base/lock.h"
#include "cuda/capture.h"
#include "cuda/loaded.h"
#include "cuda/queue.h"
#include "emu/children.h"
#include "emu/emu.h"
#include "job/tracejob.h"
#include "report/annotate.h"
#include "report/runreport.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct hd_cuda hd_cuda;

static enum { ALIVE, FORKED, ENDED } life; // of this process, under the lock
static pthread_t holder;                   // the thread that took the device last

// The device is taken by one thread at a time, for the length of a call. While a function of the
// program runs on behalf of a call, no lock is held and the device is `away`: calls of other
// threads wait for it to come back, those of the function itself are refused.
static struct hd_lock device = HD_LOCK_INIT(HD_LOCK_DEVICE);
static pthread_cond_t back = PTHREAD_COND_INITIALIZER;
static bool away; // under the lock
static pthread_once_t once = PTHREAD_ONCE_INIT;

static _Thread_local struct {
    unsigned depth; // of calls
    bool in_callback;
} self;

// A child has no device of its parent's, as with NVIDIA's driver. The lock may have been another
// thread's, which the child does not have.
static void forked(void)
{
    hd_lock_forked(&device);
    pthread_cond_init(&back, NULL);
    away = false;
    hd_progress_forget();
    hd_supervised_forget();
    if (hd_cuda.initialized)
        life = FORKED;
}

static void begin(void)
{
    hd_surround_init();
    pthread_atfork(NULL, NULL, forked);
}

static void entered(void)
{
    holder = pthread_self();
    hd_cuda.entries++;
    hd_surround_enter();
}

static void lock(void)
{
    pthread_once(&once, begin);
    if (self.depth++)
        return;
    hd_lock_take(&device);
    while (away && !self.in_callback)
        hd_lock_wait(&device, &back);
    entered();
}

static void end_early(void);

static void unlock(void)
{
    bool end;

    if (--self.depth)
        return;
    end = life == ALIVE && hd_supervised_asked();
    if (end)
        end_early();
    hd_surround_leave();
    hd_lock_release(&device);
    if (end)
        hd_supervised_obey();
}

// While a function of the program runs on behalf of a call, the device stands between two
// operations, and what is complete can be written; it is given the time to end all the same.
bool hd_cuda_settle(const struct timespec *until)
{
    pthread_once(&once, begin);
    if (!hd_lock_take_until(&device, until))
        return false;
    while (away && hd_lock_wait_until(&device, &back, until))
        ;
    self.depth++;
    entered();
    unlock();
    return true;
}

pthread_t hd_cuda_holder(void)
{
    return holder;
}

unsigned hd_cuda_callback_begin(void)
{
    unsigned depth = self.depth;

    HD_BUG_IF(self.in_callback || away, "a function of the program inside another");
    self.depth = 0;
    self.in_callback = away = true;
    hd_surround_leave();
    hd_lock_release(&device);
    hd_lock_none();
    return depth;
}

void hd_cuda_callback_end(unsigned depth)
{
    hd_lock_take(&device);
    self.depth = depth;
    self.in_callback = away = false;
    pthread_cond_broadcast(&back);
    hd_surround_enter();
}

CUresult hd_cuda_enter(enum hd_cuda_needs needs)
{
    if (!self.depth)
        hd_loaded_note();
    lock();
    if (life != ALIVE)
        return life == FORKED ? CUDA_ERROR_NOT_INITIALIZED : CUDA_ERROR_DEINITIALIZED;
    if (needs == HD_CUDA_NOTHING)
        return CUDA_SUCCESS;
    if (self.in_callback)
        return CUDA_ERROR_NOT_PERMITTED;
    if (!hd_cuda.initialized)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (needs == HD_CUDA_INIT)
        return CUDA_SUCCESS;
    if (!hd_context_current())
        return hd_context_gone() ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
    if (needs == HD_CUDA_CURRENT || hd_cuda.broken != CUDA_SUCCESS)
        return needs == HD_CUDA_CURRENT ? CUDA_SUCCESS : hd_cuda.broken;
    return needs == HD_CUDA_SAFE ? hd_capture_unsafe() : CUDA_SUCCESS;
}

void hd_cuda_leave(const CUresult *entered)
{
    (void)entered;
    unlock();
}

void hd_cuda_say(const struct hd_diag *d)
{
    hd_diag_print(d, stderr);
}

static struct hd_runreport report_of(struct hd_jobrun *run)
{
    *run = (struct hd_jobrun){.gpu = hd_cuda.gpu, .status = hd_cuda.status};
    return (struct hd_runreport){.run = run,
                                 .options = &hd_cuda.options,
                                 .workload = program_invocation_short_name,
                                 .host = !hd_cuda.no_host,
                                 .seconds = hd_runreport_now() - hd_cuda.since};
}

// "FILE.2" after the device was reset in between.
static const char *file_of_machine(const char *name)
{
    return hd_cuda.n_machines > 1
               ? hd_arena_printf(hd_cuda.arena, "%s.%u", name, hd_cuda.n_machines)
               : name;
}

// The trace of this machine. Without one, if it cannot be written, the program still runs.
static void begin_record(void)
{
    struct hd_diag d = {.n = 0};

    if (!hd_cuda.record)
        return;
    hd_cuda.options.gpu.record = hd_record_new(hd_cuda.arena, file_of_machine(hd_cuda.record), &d);
    if (d.n)
        hd_supervised_failed();
    hd_cuda_say(&d);
}

static void end_record(void)
{
    struct hd_jobrun run;
    struct hd_diag d = {.n = 0};

    if (!hd_cuda.record || !hd_cuda.options.gpu.record)
        return;
    report_of(&run);
    hd_tracejob_record(&run, hd_cuda.arena, &hd_cuda.options, program_invocation_short_name, NULL,
                       0, &d);
    hd_cuda.options.gpu.record = NULL;
    if (d.n)
        hd_supervised_failed();
    hd_cuda_say(&d);
}

CUresult hd_cuda_machine(void)
{
    struct hd_gpu_options o;

    if (hd_cuda.gpu)
        return hd_cuda.broken;
    hd_supervised_used();
    hd_cuda.n_machines++;
    hd_cuda.since = hd_runreport_now();
    begin_record();
    o = hd_cuda.options.gpu;
    o.ended = hd_queue_ended;
    o.resources = hd_functions_of_child;
    hd_cuda.gpu = hd_gpu_new(&o);
    hd_emu_attributes(hd_gpu_emu(hd_cuda.gpu), hd_device_attribute, NULL);
    hd_emu_outsiders(hd_gpu_emu(hd_cuda.gpu), hd_devmem_outsiders);
    hd_cuda.programs = hd_arena_new();
    hd_cuda.status = HD_RUN_OK;
    hd_cuda.broken = CUDA_SUCCESS;
    hd_cuda.n_allocs = hd_cuda.n_texobjects = 0;
    hd_cuda.laps = 0;
    hd_cuda.live_bytes = 0;
    if (!hd_memory_view(hd_gpu_memory(hd_cuda.gpu)).size) {
        struct hd_diag d = {.n = 0};
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "no address space for the GPU's memory"),
                     "raise the limit of the shell (ulimit -v)");
        hd_cuda_say(&d);
    }
    memset(hd_cuda.graph_memory, 0, sizeof hd_cuda.graph_memory);
    return CUDA_SUCCESS;
}

// What a program does wrong ends its context, as on a GPU; what the limits say ends it too.
static CUresult error_of(enum hd_run_status status)
{
    if (status != HD_RUN_FAULT)
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    switch ((enum hd_trap_kind)hd_gpu_trap(hd_cuda.gpu)->kind) {
    case HD_TRAP_OUT_OF_BOUNDS:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case HD_TRAP_MISALIGNED:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case HD_TRAP_ILLEGAL:
        return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case HD_TRAP_ASSERT:
        return CUDA_ERROR_ASSERT;
    case HD_TRAP_STACK:
        return CUDA_ERROR_HARDWARE_STACK_ERROR;
    default:
        return CUDA_ERROR_LAUNCH_FAILED;
    }
}

CUresult hd_cuda_fail(enum hd_run_status status)
{
    struct hd_jobrun run;
    struct hd_runreport r;

    hd_cuda.status = status;
    hd_cuda.broken = error_of(status);
    if (hd_cuda.given ||
        status == HD_RUN_STOPPED) // who chose the machine, or stopped it, will tell
        return hd_cuda.broken;
    r = report_of(&run);
    struct hd_out text = {.arena = hd_cuda.arena};
    hd_runtable_trouble(&r, &text);
    hd_out_say(&text);
    if (status == HD_RUN_LIMIT) {
        struct hd_diag d = {.n = 0};
        hd_diag_add(&d, NULL, 0, 0, "stopped at the limit of cycles or instructions");
        hd_cuda_say(&d);
    }
    return hd_cuda.broken;
}

static void write_timeline(void)
{
    struct hd_jobrun run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};

    hd_timeline_write(&r, &out);
    if (!hd_out_write(file_of_machine(hd_cuda.timeline), out.text, out.bytes))
        hd_supervised_failed();
}

// A thread that is stopped may be in the middle of printing.
static void flush_output(void)
{
    if (!ftrylockfile(stdout)) {
        fflush(stdout);
        funlockfile(stdout);
    }
}

// What the program printed itself belongs before it.
static void print_table(void)
{
    struct hd_jobrun run;
    struct hd_runreport r = report_of(&run);
    struct hd_out verdict = {.arena = hd_cuda.arena};

    flush_output();
    hd_runtable_print(&r, hd_cuda.arena, stderr);
    if (run.status == HD_RUN_STOPPED)
        hd_out_printf(&verdict, "%s\n", hd_runtable_verdict(hd_cuda.arena, &run));
    hd_out_say(&verdict);
    if (ferror(stderr))
        hd_supervised_failed();
}

// On standard output, where scripts for GPGPU-Sim find them among what the program printed.
static void write_names(void)
{
    struct hd_jobrun run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};

    hd_runnames_write(&r, &out);
    if (!hd_out_write("-", out.text, out.bytes))
        hd_supervised_failed();
}

static void write_json(void)
{
    struct hd_jobrun run;
    struct hd_runreport r = report_of(&run);
    struct hd_out out = {.arena = hd_cuda.arena};
    hd_runjson_write(&r, &out);
    if (!hd_out_write(file_of_machine(hd_cuda.json), out.text, out.bytes))
        hd_supervised_failed();
}

// Where the cycles went, line by line.
static void write_lines(void)
{
    struct hd_jobrun run;
    struct hd_runreport r = report_of(&run);
    struct hd_out page = {.arena = hd_cuda.arena}, json = {.arena = hd_cuda.arena};
    struct hd_annotate n;

    hd_annotate_collect(&n, hd_cuda.arena, &r);
    hd_annotatetable_write(&n, &page);
    hd_annotate_json(&n, &json);
    if (hd_cuda.annotate && !hd_out_write(file_of_machine(hd_cuda.annotate), page.text, page.bytes))
        hd_supervised_failed();
    if (hd_cuda.annotate_json &&
        !hd_out_write(file_of_machine(hd_cuda.annotate_json), json.text, json.bytes))
        hd_supervised_failed();
}

// In the middle of a call, which an exit in a handler of the program's never ends, the lines are
// ahead of what the kernels have counted.
static bool may_annotate(void)
{
    struct hd_diag d = {.n = 0};

    if (self.depth <= 1)
        return true;
    hd_diag_add(&d, NULL, 0, 0, "the program ended in the middle of a kernel: no lines to show");
    hd_cuda_say(&d);
    hd_supervised_failed();
    return false;
}

static bool has_results(void)
{
    return hd_cuda.json || hd_cuda.timeline || hd_cuda.record || hd_cuda.table || hd_cuda.names ||
           hd_cuda.annotate || hd_cuda.annotate_json;
}

static void write_results(void)
{
    if (hd_cuda.json)
        write_json();
    if ((hd_cuda.annotate || hd_cuda.annotate_json) && may_annotate())
        write_lines();
    if (hd_cuda.timeline)
        write_timeline();
    end_record();
    if (hd_cuda.names && hd_gpu_n_results(hd_cuda.gpu))
        write_names();
    else if (hd_cuda.table && hd_gpu_n_results(hd_cuda.gpu))
        print_table();
}

void hd_cuda_machine_end(void)
{
    if (!hd_cuda.gpu)
        return;
    if (hd_cuda.broken == CUDA_SUCCESS)
        hd_queue_run();
    write_results();
    hd_queue_drop_all();
    hd_capture_forget(NULL);
    hd_graph_forget_all();
    hd_virtual_forget();
    hd_ipc_forget();
    hd_registered_forget(NULL);
    hd_gpu_free(hd_cuda.gpu);
    hd_arena_free(hd_cuda.programs);
    hd_cuda.gpu = NULL;
    hd_cuda.programs = NULL;
    hd_cuda.broken = CUDA_SUCCESS;
}

void hd_cuda_use(const struct hd_job_options *o)
{
    HD_BUG_IF(hd_cuda.initialized, "the machine is chosen before cuInit");
    hd_cuda.given = o;
}

bool hd_cuda_finish(struct hd_jobrun *out)
{
    if (!hd_cuda.gpu)
        return false;
    if (hd_cuda.broken == CUDA_SUCCESS)
        hd_queue_run();
    report_of(out);
    return true;
}

void hd_cuda_end(void)
{
    if (!hd_cuda.initialized)
        return;
    hd_cuda_machine_end();
    hd_context_forget_all();
    hd_queue_forget();
    hd_arena_free(hd_cuda.arena);
    memset(&hd_cuda, 0, sizeof hd_cuda);
}

// What is queued will not happen any more.
static void mark_interrupted(void)
{
    if (hd_cuda.gpu && hd_cuda.broken == CUDA_SUCCESS) {
        hd_cuda.status = HD_RUN_STOPPED;
        hd_cuda.broken = CUDA_ERROR_LAUNCH_TIMEOUT;
    }
}

// Somebody wants the program to end: the results so far, and no device any more. Its memory stays,
// which threads of the program may be using.
static void end_early(void)
{
    mark_interrupted();
    if (hd_cuda.gpu)
        write_results();
    flush_output();
    life = ENDED;
}

// The program ends: what it has queued still counts, as its results do. Threads that still run and
// destructors that come later get an error.
static void at_exit(void)
{
    struct hd_diag d = {.n = 0};

    if (!hd_cuda.initialized || !has_results() || life != ALIVE || hd_bug_reported)
        return;
    if (self.in_callback) { // its stream is in the middle of something
        hd_diag_add(&d, NULL, 0, 0, "the program ended inside a host function: no results");
        hd_cuda_say(&d);
        return;
    }
    lock();
    if (life == ALIVE && self.depth > 1) // from a handler of the program's, in the middle of a call
        end_early();
    else if (life == ALIVE)
        hd_cuda_machine_end();
    life = ENDED;
    unlock();
}

__attribute__((destructor)) static void at_end(void)
{
    at_exit();
}

// quick_exit runs no destructors.
__attribute__((constructor)) static void at_start(void)
{
    (void)at_quick_exit(at_exit); // if it cannot: no results then
}
