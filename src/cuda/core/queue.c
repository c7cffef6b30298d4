// queue.c - streams: which operation waits for which, and what the simulated machine executes.
//
// Operations of a stream are executed in order. The legacy default stream waits for everything
// submitted earlier to blocking streams of its context, and these wait for what was submitted
// earlier to it. A wait for an event waits for the record that was the latest when the wait was
// submitted. All these wait only for operations submitted earlier, so one of them can always go on.
// The exception is a wait for a value in memory, which kernels, later operations of other streams
// and the host may write: such waits can be left over when nothing else can go on. Values are read
// when an operation has ended, not while kernels run.
//
// Copies, fills, records and host functions do not move the machine's clock: they are executed in
// the cycle in which the operations before them have ended. If the user wants copies to take time,
// copytime.h keeps the time of each stream. A kernel is given to the machine when it is first in
// its stream, so kernels of different streams overlap there. Time passes only in hd_queue_run: when
// the program waits for anything, everything runs to its end. The machine reports each kernel that
// ends, and the queues advance in the same cycle.
#include "cuda/core/queue.h"

#include "base/bug.h"
#include "cuda/core/parts.h"
#include "cuda/core/results.h"
#include "cuda/core/supervised.h"
#include "cuda/core/threads.h"
#include "emu/emu.h"

#include <stdio.h>
#include <string.h>

unsigned hd_queue_patience = 10000;

static struct hd_arena *kept;    // freed when the queues are empty
static struct hd_cuda_op *spare; // to be reused
static struct hd_cuda_stream **active;
static size_t n_active, cap_active; // streams with operations
static size_t n_running;            // kernels the machine has
static uint64_t next_seq, n_ended;
static bool in_run;                   // the machine runs: mapped host memory is in its mirror
static CUresult fault;                // of an operation, which the next run returns
static struct hd_cuda_stream *acting; // whose operation, or whose graph's, happens now

static bool blocking(const struct hd_cuda_stream *s)
{
    return !s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING);
}

// What somebody waits for: operations that were submitted `before`. The streams and contexts are
// only compared: they may be gone, and what has their place now has no operations that are as old.
struct goal {
    bool all;                             // those of all streams, or
    const struct hd_cuda_stream *stream;  // of this one, and
    const struct hd_cuda_context *legacy; // of the blocking streams of this context, if not NULL
    uint64_t before;
};

static struct goal empty_stream(const struct hd_cuda_stream *s, uint64_t before)
{
    return (struct goal){.stream = s, .legacy = s->legacy ? s->context : NULL, .before = before};
}

static bool reached(const void *goal)
{
    const struct goal *g = goal;

    for (size_t i = 0; i < n_active; i++) {
        const struct hd_cuda_stream *s = active[i];
        HD_BUG_IF(!s, "a stream with operations is missing");
        if (s->head->seq < g->before &&
            (g->all || s == g->stream || (s->context == g->legacy && blocking(s))))
            return false;
    }
    return true;
}

bool hd_queue_busy(const struct hd_cuda_stream *s)
{
    struct goal g = empty_stream(s, UINT64_MAX);

    return !reached(&g);
}

// While the machine runs, mapped memory is in its mirror.
static bool asked(const struct hd_cuda_op *op)
{
    bool mirrored = in_run && op->kind->stuck, is;

    if (mirrored)
        hd_parts_after_run();
    is = op->kind->ready(op);
    if (mirrored)
        hd_parts_before_run();
    return is;
}

static bool ready(const struct hd_cuda_stream *s)
{
    const struct hd_cuda_op *op = s->head;

    if (op->kind->ready && !asked(op))
        return false;
    if (!s->legacy && !blocking(s))
        return true;
    for (size_t i = 0; i < n_active; i++) {
        const struct hd_cuda_stream *other = active[i];
        HD_BUG_IF(!other, "a stream with operations is missing");
        if (other->context == s->context && other->head->seq < op->seq &&
            (s->legacy ? blocking(other) : other->legacy))
            return false;
    }
    return true;
}

// Whether the stream's first operation, or the next step of one that has begun, can be executed
// now.
static bool can(const struct hd_cuda_stream *s, bool kernels)
{
    const struct hd_cuda_op *op = s->head;

    if (op->running)
        return op->kind->can && op->kind->can(op, kernels);
    return (kernels || !op->kind->needs_machine) && ready(s);
}

// Of the streams whose first operation can be executed now, the one that was submitted earliest;
// NULL if there is none.
static struct hd_cuda_stream *first_ready(bool kernels)
{
    struct hd_cuda_stream *best = NULL;

    for (size_t i = 0; i < n_active; i++) {
        const struct hd_cuda_op *op = active[i]->head;
        if ((!best || op->seq < best->head->seq) && can(active[i], kernels))
            best = active[i];
    }
    return best;
}

static void pop(struct hd_cuda_stream *s)
{
    struct hd_cuda_op *op = s->head;

    if (op->kind->forget)
        op->kind->forget(op);
    n_ended++;
    s->head = op->next;
    op->next = spare;
    spare = op;
    if (s->head)
        return;
    s->tail = NULL;
    for (size_t i = 0; i < n_active; i++)
        if (active[i] == s) {
            memmove(&active[i], &active[i + 1], (n_active - i - 1) * sizeof *active);
            n_active--;
            break;
        }
    if (s->destroyed)
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_STREAM, s->handle);
}

uint32_t hd_queue_launch(const struct hd_launch_request *r)
{
    struct hd_diag d = {.n = 0};
    uint32_t number = hd_gpu_n_launches(hd_cuda.gpu);

    HD_BUG_IF(!hd_gpu_submit(hd_cuda.gpu, r, &d), "launch accepted, then refused: %s",
              d.n ? d.entries[0].text : "");
    n_running++;
    return number;
}

void hd_queue_fault(CUresult error, const char *why)
{
    struct hd_diag d = {.n = 0};

    if (fault != CUDA_SUCCESS)
        return;
    fault = error;
    hd_diag_add(&d, NULL, 0, 0, "%s", why);
    hd_cuda_say(&d);
}

// --- kernels

static void start_kernel(struct hd_cuda_op *op, bool kernels)
{
    (void)kernels;
    op->launch = hd_queue_launch(&op->u.kernel);
}

static bool done(const struct hd_cuda_op *op)
{
    return op->done;
}

static bool is_launch(struct hd_cuda_op *op, uint32_t launch)
{
    op->done = op->launch == launch;
    return op->done;
}

const struct hd_op_kind hd_queue_kernel = {
    .step = start_kernel, .ended = done, .kernel_ended = is_launch, .needs_machine = true};

// --- execution

struct hd_cuda_stream *hd_queue_acting(void)
{
    return acting;
}

// An operation may access host memory while the machine runs, so mapped memory must be up to date.
void hd_queue_perform(struct hd_cuda_op *op)
{
    if (in_run)
        hd_parts_after_run();
    op->kind->perform(op);
    if (in_run)
        hd_parts_before_run();
}

static void go_on(struct hd_cuda_stream *s, bool kernels)
{
    struct hd_cuda_op *op = s->head;

    acting = s;
    if (op->kind->perform) {
        hd_queue_perform(op);
    } else {
        hd_copytime_begin(s, hd_queue_ticks());
        op->kind->step(op, kernels);
        op->running = true;
        if (!op->kind->ended(op))
            return;
        hd_copytime_end(s, hd_queue_ticks());
    }
    pop(s);
}

// Executes whatever is ready; without `kernels`, only what needs no machine.
static void advance(bool kernels)
{
    struct hd_cuda_stream *s;

    while (fault == CUDA_SUCCESS && (s = first_ready(kernels)))
        go_on(s, kernels);
}

void hd_queue_ended(void *ctx, uint32_t number)
{
    (void)ctx;
    for (size_t i = 0; i < n_active; i++) {
        struct hd_cuda_op *op = active[i]->head;
        if (!op->running || !op->kind->kernel_ended(op, number))
            continue;
        n_running--;
        if (op->kind->ended(op)) {
            hd_copytime_end(active[i], hd_queue_ticks());
            pop(active[i]);
        }
        advance(true);
        return;
    }
    HD_BUG("launch %u ended, which nobody started", number);
}

static void forget_kept(void)
{
    if (!n_active && kept) {
        hd_arena_free(kept);
        kept = NULL;
    }
}

void *hd_queue_keep(const void *bytes, size_t n)
{
    void *copy_of;

    if (!kept)
        kept = hd_arena_new();
    copy_of = hd_arena_get(kept, n, 1);
    if (bytes && n)
        memcpy(copy_of, bytes, n);
    return copy_of;
}

static struct hd_cuda_op *append(struct hd_cuda_stream *s, const struct hd_cuda_op *op)
{
    struct hd_cuda_op *own = spare;

    if (own)
        spare = own->next;
    else
        own = HD_NEW(hd_cuda.arena, hd_cuda_op);
    *own = *op;
    own->next = NULL;
    own->seq = next_seq++;
    if (s->tail)
        s->tail->next = own;
    else {
        s->head = own;
        *HD_PUSH(hd_cuda.arena, active, n_active, cap_active) = s;
    }
    s->tail = own;
    return own;
}

static bool calls_host(const struct hd_cuda_op *op)
{
    return op->kind->calls_host;
}

static bool gives_back(const struct hd_cuda_op *op)
{
    return op->kind->gives_back;
}

static bool any(bool (*is)(const struct hd_cuda_op *))
{
    for (size_t i = 0; i < n_active; i++)
        for (const struct hd_cuda_op *op = active[i]->head; op; op = op->next)
            if (is(op))
                return true;
    return false;
}

bool hd_queue_is_empty(void)
{
    return !n_active;
}

bool hd_queue_holds(bool (*is)(const struct hd_cuda_op *op, const void *what), const void *what)
{
    for (size_t i = 0; i < n_active; i++)
        for (const struct hd_cuda_op *op = active[i]->head; op; op = op->next)
            if (is(op, what))
                return true;
    return false;
}

bool hd_queue_has_host(void)
{
    return any(calls_host);
}

bool hd_queue_frees(void)
{
    return any(gives_back);
}

CUresult hd_queue_add(struct hd_cuda_stream *s, const struct hd_cuda_op *op, bool *ended)
{
    struct hd_cuda_op *own = append(s, op);
    uint64_t seq = own->seq;
    CUresult r = CUDA_SUCCESS;

    if (!op->kind->needs_machine)
        advance(false);
    forget_kept();
    if (fault != CUDA_SUCCESS || (kept && hd_arena_bytes(kept) > HD_QUEUE_KEEP_MOST))
        r = hd_queue_run_some();
    if (ended)
        *ended = !s->tail || s->tail->seq != seq;
    return r;
}

// As on a GPU, the output of kernels appears when the host has waited for them.
static void print(void)
{
    struct hd_diag doubts = {.n = 0};
    uint64_t lost;
    size_t n;
    const char *text = hd_gpu_printed(hd_cuda.gpu, &n, &lost);

    if (n)
        fwrite(text, 1, n, stdout);
    hd_gpu_doubts(hd_cuda.gpu, &doubts);
    if (doubts.n)
        hd_cuda_say(&doubts);
    if (lost) {
        struct hd_diag d = {.n = 0};
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                                 "the texts of %llu printf calls of kernels were lost: no room",
                                 (unsigned long long)lost),
                     "wait for kernels more often, or cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE)");
        hd_cuda_say(&d);
    }
}

// Operations queued after an error are not executed; each is informed of the error, in order.
static void tell(CUresult error)
{
    struct hd_cuda_op *next;
    uint64_t from = 0;

    do {
        next = NULL;
        for (size_t i = 0; i < n_active; i++)
            for (struct hd_cuda_op *op = active[i]->head; op; op = op->next)
                if (op->kind->failed && op->seq >= from && (!next || op->seq < next->seq))
                    next = op;
        if (next) {
            from = next->seq + 1;
            next->kind->failed(next, error);
        }
    } while (next);
}

// A fault of an operation ends the context, as one of a kernel does.
static CUresult give_up(void)
{
    hd_cuda.broken = fault;
    fault = CUDA_SUCCESS;
    hd_supervised_launch_failed();
    tell(hd_cuda.broken);
    hd_queue_drop_all();
    return hd_cuda.broken;
}

// An error of the program ends its context, as on a GPU; reaching a limit ends it too.
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

static CUresult fail(enum hd_run_status status)
{
    hd_cuda.status = status;
    hd_cuda.broken = error_of(status);
    if (status != HD_RUN_LIMIT && status != HD_RUN_STOPPED) // which the user has asked for
        hd_supervised_launch_failed();
    hd_results_trouble();
    return hd_cuda.broken;
}

// Does the first operation of some stream wait for a value that no operation is sure to write?
static bool any_stuck(void)
{
    for (size_t i = 0; i < n_active; i++)
        if (active[i]->head->kind->stuck)
            return true;
    return false;
}

CUresult hd_queue_run_some(void)
{
    while (n_active || fault != CUDA_SUCCESS) {
        enum hd_run_status status;
        advance(true);
        if (fault != CUDA_SUCCESS)
            return give_up();
        if (!n_active)
            break;
        if (!n_running) {
            HD_BUG_IF(!any_stuck(), "operations that wait for each other");
            break;
        }
        hd_parts_before_run();
        in_run = true;
        status = hd_gpu_run(hd_cuda.gpu);
        in_run = false;
        hd_parts_after_run();
        print();
        if (status != HD_RUN_OK) {
            CUresult r = fail(status);
            fault = CUDA_SUCCESS;
            if (status != HD_RUN_STOPPED)
                tell(r);
            hd_queue_drop_all();
            return r;
        }
        if (fault != CUDA_SUCCESS)
            return give_up();
        HD_BUG_IF(n_running, "the machine forgot a kernel");
    }
    forget_kept();
    hd_copytime_host_waited();
    return CUDA_SUCCESS;
}

// Something waits for a value that nobody will write. What waits is named; then the context ends,
// as it does with an endless kernel.
static CUresult hang(void)
{
    struct hd_diag d = {.n = 0};

    for (size_t i = 0; i < n_active; i++)
        if (active[i]->head->kind->stuck)
            active[i]->head->kind->stuck(active[i]->head, active[i], &d);
    hd_cuda_say(&d);
    fault = CUDA_ERROR_LAUNCH_TIMEOUT;
    return give_up();
}

// Other threads may be about to write a value: they are given time, and more of it whenever
// something has happened.
CUresult hd_queue_run_until(bool (*over)(const void *what), const void *what)
{
    bool had_context = hd_current_context() != NULL;
    CUresult r = hd_queue_run_some();
    uint64_t ended = n_ended, seq = next_seq;

    for (unsigned quiet = 0; r == CUDA_SUCCESS && !over(what); quiet++) {
        if (hd_supervised_asked())
            return CUDA_ERROR_LAUNCH_TIMEOUT; // the program is about to end
        if (n_ended != ended || next_seq != seq)
            quiet = 0;
        ended = n_ended;
        seq = next_seq;
        if (quiet >= hd_queue_patience || hd_threads_alone())
            return hang();
        r = hd_cuda_pause();
        if (r == CUDA_SUCCESS)
            r = hd_queue_run_some();
    }
    if (r == CUDA_SUCCESS && had_context && !hd_current_context())
        r = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return r;
}

static bool is_empty(const void *unused)
{
    (void)unused;
    return hd_queue_is_empty();
}

CUresult hd_queue_run(void)
{
    return hd_queue_run_until(is_empty, NULL);
}

CUresult hd_queue_run_submitted(void)
{
    struct goal g = {.all = true, .before = next_seq};

    return hd_queue_run_until(reached, &g);
}

CUresult hd_queue_run_stream(const struct hd_cuda_stream *s)
{
    struct goal g = empty_stream(s, next_seq);

    return hd_queue_run_until(reached, &g);
}

void hd_queue_drop_all(void)
{
    while (n_active)
        pop(active[0]);
    n_running = 0;
    forget_kept();
}

void hd_queue_forget(void)
{
    hd_queue_drop_all();
    spare = NULL;
    active = NULL;
    cap_active = 0;
    next_seq = 0;
    fault = CUDA_SUCCESS;
    hd_copytime_forget();
}

uint64_t hd_queue_ticks(void)
{
    return hd_cuda.options.gpu.functional_only ? hd_gpu_insts(hd_cuda.gpu)
                                               : hd_gpu_cycle(hd_cuda.gpu);
}
