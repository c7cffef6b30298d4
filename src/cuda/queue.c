// queue.c - streams: who waits for whom, and the simulated machine's share of it.
//
// Operations of a stream happen in order. The legacy default stream waits for everything submitted
// earlier to blocking streams of its context, and they wait for what was submitted earlier to it.
// A wait for an event waits for the record that was the latest when it was submitted. All these
// wait only for operations submitted earlier, so there is always one that can go on.
//
// Copies, fills, records and host functions happen in no simulated time, in the cycle in which what
// they wait for has ended. A kernel is given to the machine when it is first in its stream, so
// kernels of different streams overlap there. Time passes only in hd_queue_run: somebody waits for
// something, and then everything runs to its end. While it runs the machine tells of each ended
// kernel, and the queues move on in the same cycle.
#include "cuda/queue.h"

#include "base/bug.h"
#include "cuda/graphs.h"

#include <stdio.h>
#include <string.h>

#define KEEP_MOST ((size_t)256 << 20) // bytes kept for queued operations before they are run

static struct hd_arena *kept;    // until the queues are empty
static struct hd_cuda_op *spare; // to be used again
static struct hd_cuda_stream **active;
static size_t n_active, cap_active; // streams with operations
static size_t n_running;            // kernels the machine has
static uint64_t next_seq;
static bool in_run;                   // the machine runs: mapped host memory is in its mirror
static CUresult fault;                // of an operation, to be told by the next run
static struct hd_cuda_stream *acting; // whose operation, or whose graph's, happens now

static bool blocking(const struct hd_cuda_stream *s)
{
    return !s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING);
}

static bool ready(const struct hd_cuda_stream *s)
{
    const struct hd_cuda_op *op = s->head;

    if (op->running)
        return false;
    if (op->kind == HD_OP_GRAPH && !hd_graphrun_ready(op->u.graph))
        return false;
    if (op->kind == HD_OP_WAIT && op->u.record.event->done < op->u.record.number)
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

// The stream's first operation, or the next step of a graph that has begun, can happen now.
static bool can(const struct hd_cuda_stream *s, bool kernels)
{
    const struct hd_cuda_op *op = s->head;

    if (op->kind == HD_OP_GRAPH && op->running)
        return hd_graphrun_can(op->u.graph, kernels);
    return (kernels || op->kind != HD_OP_KERNEL) && ready(s);
}

// The stream whose first operation can happen now and was submitted earliest, NULL if none can.
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

    if (op->kind == HD_OP_GRAPH)
        hd_graphrun_forget(op->u.graph);
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
            return;
        }
}

static void copy(const struct hd_cuda_copy *c)
{
    for (uint64_t z = 0; z < c->depth; z++)
        for (uint64_t y = 0; y < c->height; y++)
            memmove(c->to + z * c->to_slice + y * c->to_pitch,
                    c->from + z * c->from_slice + y * c->from_pitch, c->width);
}

static void fill(const struct hd_cuda_fill *f)
{
    for (uint64_t y = 0; y < f->height; y++) {
        uint8_t *row = f->to + y * f->pitch;
        if (f->bytes == 1)
            memset(row, (int)f->value, f->width);
        else
            for (uint64_t x = 0; x < f->width; x++)
                memcpy(row + x * f->bytes, &f->value, f->bytes);
    }
}

// The program's own code. It may not call this interface: enter refuses while it runs.
static void call_host(const struct hd_cuda_host *h, CUresult status)
{
    unsigned depth = hd_cuda_callback_begin();

    if (h->callback)
        h->callback(h->stream, status, h->data);
    else
        h->function(h->data);
    hd_cuda_callback_end(depth);
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

// Of records in several streams an earlier one may happen later: it is not the event's last one.
static void record(struct hd_cuda_event *e, uint64_t number)
{
    if (number < e->done)
        return;
    e->done = number;
    e->at = hd_copytime_now(acting, hd_queue_ticks());
}

// What the host may read and write while the machine runs needs mapped memory as it is now.
void hd_queue_perform(struct hd_cuda_op *op)
{
    if (in_run)
        hd_registered_mirror(false);
    switch (op->kind) {
    case HD_OP_WAIT:
        hd_copytime_wait(acting, hd_queue_ticks(), op->u.record.event->at);
        break;
    case HD_OP_KERNEL:
    case HD_OP_GRAPH:
        break;
    case HD_OP_COPY:
        copy(&op->u.copy);
        hd_copytime_copy(acting, hd_queue_ticks(), op->u.copy.way,
                         op->u.copy.width * op->u.copy.height * op->u.copy.depth);
        break;
    case HD_OP_FILL:
        fill(&op->u.fill);
        break;
    case HD_OP_RECORD:
        record(op->u.record.event, op->u.record.number);
        break;
    case HD_OP_HOST:
        call_host(&op->u.host, CUDA_SUCCESS);
        break;
    case HD_OP_FREE:
        hd_devmem_release(op->u.free);
        break;
    }
    if (in_run)
        hd_registered_mirror(true);
}

static void step_graph(struct hd_cuda_stream *s, bool kernels)
{
    struct hd_cuda_op *op = s->head;

    hd_copytime_begin(s, hd_queue_ticks());
    if (op->running)
        hd_graphrun_step(op->u.graph, kernels);
    else
        hd_graphrun_start(op->u.graph);
    op->running = true;
    if (hd_graphrun_ended(op->u.graph)) {
        hd_copytime_end(s, hd_queue_ticks());
        pop(s);
    }
}

// Let happen what can; without `kernels`, only what needs no machine.
static void advance(bool kernels)
{
    struct hd_cuda_stream *s;

    while (fault == CUDA_SUCCESS && (s = first_ready(kernels))) {
        acting = s;
        if (s->head->kind == HD_OP_KERNEL) {
            hd_copytime_begin(s, hd_queue_ticks());
            s->head->running = true;
            s->head->launch = hd_queue_launch(&s->head->u.kernel);
        } else if (s->head->kind == HD_OP_GRAPH) {
            step_graph(s, kernels);
        } else {
            hd_queue_perform(s->head);
            pop(s);
        }
    }
}

void hd_queue_ended(void *ctx, uint32_t number)
{
    (void)ctx;
    for (size_t i = 0; i < n_active; i++) {
        const struct hd_cuda_op *op = active[i]->head;
        bool graph = op->kind == HD_OP_GRAPH;
        if (!op->running ||
            (graph ? !hd_graphrun_kernel_ended(op->u.graph, number) : op->launch != number))
            continue;
        n_running--;
        if (!graph || hd_graphrun_ended(op->u.graph)) {
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
    return op->kind == HD_OP_HOST || op->kind == HD_OP_GRAPH;
}

static bool gives_back(const struct hd_cuda_op *op)
{
    return op->kind == HD_OP_FREE || op->kind == HD_OP_GRAPH;
}

static bool any(bool (*is)(const struct hd_cuda_op *))
{
    for (size_t i = 0; i < n_active; i++)
        for (const struct hd_cuda_op *op = active[i]->head; op; op = op->next)
            if (is(op))
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

    if (op->kind != HD_OP_KERNEL)
        advance(false);
    forget_kept();
    if (fault != CUDA_SUCCESS || (kept && hd_arena_bytes(kept) > KEEP_MOST))
        r = hd_queue_run();
    if (ended)
        *ended = !s->tail || s->tail->seq != seq;
    if (calls_host(op) && s->tail && s->tail->seq == seq)
        hd_progress_watch();
    return r;
}

CUresult hd_queue_copy(struct hd_cuda_stream *s, const struct hd_cuda_copy *c, bool pageable)
{
    struct hd_cuda_op op = {.kind = HD_OP_COPY, .u.copy = *c};
    bool ended;
    CUresult r = hd_queue_add(s, &op, &ended);

    if (r != CUDA_SUCCESS || ended || !pageable)
        return r;
    if (c->width * c->height * c->depth > KEEP_MOST)
        return hd_queue_run();
    // The source may change as soon as the call returns: keep what it is now.
    struct hd_cuda_copy *own = &s->tail->u.copy, to_kept = *c;
    if (!kept)
        kept = hd_arena_new();
    to_kept.to = hd_arena_get(kept, c->width * c->height, c->depth);
    to_kept.to_pitch = c->width;
    to_kept.to_slice = c->width * c->height;
    copy(&to_kept);
    own->from = to_kept.to;
    own->from_pitch = to_kept.to_pitch;
    own->from_slice = to_kept.to_slice;
    return CUDA_SUCCESS;
}

// What the kernels printed comes out when the host has waited for them, as on a GPU.
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

// Of what is queued behind an error nothing happens, but callbacks hear of it, in order.
static void tell_callbacks(CUresult error)
{
    const struct hd_cuda_op *next;
    uint64_t from = 0;

    do {
        next = NULL;
        for (size_t i = 0; i < n_active; i++)
            for (const struct hd_cuda_op *op = active[i]->head; op; op = op->next)
                if (op->kind == HD_OP_HOST && op->u.host.callback && op->seq >= from &&
                    (!next || op->seq < next->seq))
                    next = op;
        if (next) {
            from = next->seq + 1;
            call_host(&next->u.host, error);
        }
    } while (next);
}

// A fault of an operation ends the context, as one of a kernel does.
static CUresult give_up(void)
{
    hd_cuda.broken = fault;
    fault = CUDA_SUCCESS;
    tell_callbacks(hd_cuda.broken);
    hd_queue_drop_all();
    return hd_cuda.broken;
}

CUresult hd_queue_run(void)
{
    while (n_active || fault != CUDA_SUCCESS) {
        enum hd_run_status status;
        advance(true);
        if (fault != CUDA_SUCCESS)
            return give_up();
        if (!n_active)
            break;
        HD_BUG_IF(!n_running, "operations that wait for each other");
        hd_registered_mirror(true);
        in_run = true;
        status = hd_gpu_run(hd_cuda.gpu);
        in_run = false;
        hd_registered_mirror(false);
        print();
        if (status != HD_RUN_OK) {
            CUresult r = hd_cuda_fail(status);
            fault = CUDA_SUCCESS;
            if (status != HD_RUN_STOPPED)
                tell_callbacks(r);
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
