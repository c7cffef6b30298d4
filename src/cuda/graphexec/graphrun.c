// graphrun.c - launches of graphs in progress.
//
// A node becomes ready when the last node that it waits for has ended. Ready nodes that need no
// machine are executed at once, one at a time, in the order in which they became ready. Kernels are
// given to the machine in that order when it runs, so that branches overlap there like kernels of
// different streams. A child graph, or a body of a conditional node, is a run inside the run.
#include "cuda/graphexec/graphexec.h"

#include "base/bug.h"
#include "cuda/launch/launch.h"
#include "cuda/memory/devmem.h"
#include "cuda/stream/stream.h"
#include "emu/memory.h"

#include <string.h>

struct state {                        // of a node
    const struct hd_graph_work *work; // as it was at the launch; NULL: disabled
    struct hd_graph_run *inner;       // in progress, or of a child graph
    struct hd_cuda_event *event;
    uint64_t number; // of the event's record
    uint32_t pending;
};

struct kernel { // on the machine
    uint32_t node, launch, lane;
};

struct fifo {
    uint32_t *nodes, at, n;
};

struct hd_graph_run {
    struct hd_graph_plan *plan;
    struct hd_graph_run *next;   // in the list of idle runs, or of active ones of the same run
    struct hd_graph_run *parent; // NULL: this is the launch itself
    uint32_t parent_node;
    uint32_t stream;   // of the launch
    uint64_t number;   // number of this launch among those of its graph
    uint32_t launches; // launched on the machine before it began, to detect a loop without kernels
    struct state *states;
    struct fifo ready, kernels;
    uint32_t *waits, n_waits; // nodes that wait for events
    struct kernel *running;
    uint32_t n_running, left; // left: nodes that have not ended
    struct hd_graph_run *active;
};

static struct hd_graph_run *take(struct hd_graph_plan *p)
{
    struct hd_arena *a = p->exec->arena;
    struct hd_graph_run *r = p->idle;

    if (r) {
        p->idle = r->next;
        r->next = r->parent = r->active = NULL;
        r->ready.at = r->ready.n = r->kernels.at = r->kernels.n = r->n_waits = r->n_running = 0;
    } else {
        r = HD_NEW(a, hd_graph_run);
        r->plan = p;
        r->states = HD_ARRAY(a, struct state, p->n);
        r->ready.nodes = HD_ARRAY(a, uint32_t, p->n);
        r->kernels.nodes = HD_ARRAY(a, uint32_t, p->n);
        r->waits = HD_ARRAY(a, uint32_t, p->n);
        r->running = HD_ARRAY(a, struct kernel, p->n);
    }
    r->left = p->n;
    return r;
}

static void make_ready(struct hd_graph_run *r, uint32_t node)
{
    const struct hd_graph_work *w = r->states[node].work;

    if (w && w->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT)
        r->waits[r->n_waits++] = node;
    else if (w && w->type == CU_GRAPH_NODE_TYPE_KERNEL)
        r->kernels.nodes[r->kernels.n++] = node;
    else
        r->ready.nodes[r->ready.n++] = node;
}

// Records of events are numbered when the launch is made: other streams may wait for them at once,
// and the launch itself waits for records made earlier. In the order of the nodes, none waits for a
// later one.
static void announce(struct state *s)
{
    if (s->work->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ||
        s->work->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT) {
        s->event = hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, s->work->u.event);
        HD_BUG_IF(!s->event, "a graph's event is gone");
        s->number = s->work->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? ++s->event->recorded
                                                                     : s->event->recorded;
        s->event->capture = 0;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static struct hd_graph_run *make(struct hd_graph_plan *p, uint32_t stream)
{
    struct hd_graph_run *r = take(p);

    r->stream = stream;
    for (uint32_t i = 0; i < p->n; i++) {
        struct state *s = &r->states[i];
        const struct hd_plan_node *node = &p->nodes[i];
        *s = (struct state){.work = node->disabled ? NULL : node->work, .pending = node->n_before};
        if (s->work && p->exec->n_events)
            announce(s);
        if (s->work && s->work->type == CU_GRAPH_NODE_TYPE_GRAPH) {
            s->inner = make(node->bodies[0], stream);
            s->inner->parent = r;
            s->inner->parent_node = i;
        }
        if (!s->pending)
            make_ready(r, i);
    }
    return r;
}

struct hd_graph_run *hd_graphrun_new(struct hd_cuda_exec *e, uint32_t stream)
{
    struct hd_graph_run *r = make(e->plan, stream);

    r->number = e->launched++;
    return r;
}

static void start(const struct hd_graph_run *r)
{
    const struct hd_cuda_exec *e = r->plan->exec;

    for (size_t i = 0; i < e->n_conditions; i++)
        if (e->conditions[i].assign)
            hd_memory_write(hd_gpu_memory(hd_cuda.gpu), e->conditions[i].handle,
                            &e->conditions[i].initial, sizeof e->conditions[i].initial);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void give_back(struct hd_graph_run *r)
{
    for (uint32_t i = 0; i < r->plan->n; i++)
        if (r->states[i].inner)
            give_back(r->states[i].inner);
    for (uint32_t i = 0; i < r->n_running; i++)
        r->plan->exec->lanes[r->running[i].lane].busy = false;
    r->next = r->plan->idle;
    r->plan->idle = r;
}

// --- ends

static void run_condition(struct hd_graph_run *r, uint32_t node);

// The graph inside a node has ended.
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void end_node(struct hd_graph_run *r, uint32_t node)
{
    const struct hd_plan_node *n = &r->plan->nodes[node];
    struct hd_graph_run *parent = r->parent, **at;

    r->left--;
    for (uint32_t i = 0; i < n->n_on; i++)
        if (!--r->states[n->on[i]].pending)
            make_ready(r, n->on[i]);
    if (r->left || !parent)
        return;
    for (at = &parent->active; *at != r; at = &(*at)->next)
        continue;
    *at = r->next;
    parent->states[r->parent_node].inner = NULL;
    node = r->parent_node;
    if (parent->states[node].work->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        bool idle = r->launches == hd_gpu_n_launches(hd_cuda.gpu);
        bool again = parent->states[node].work->u.conditional.type == CU_GRAPH_COND_TYPE_WHILE;
        give_back(r);
        if (again && idle)
            hd_queue_fault(CUDA_ERROR_LAUNCH_TIMEOUT,
                           "a WHILE node of a graph never ends: no kernel in its body sets its "
                           "condition");
        else if (again) {
            run_condition(parent, node);
            return;
        }
    } else {
        give_back(r);
    }
    end_node(parent, node);
}

// Begins a run inside the run. One without nodes has ended already.
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void begin_inner(struct hd_graph_run *r, uint32_t node, struct hd_graph_run *inner)
{
    struct hd_graph_run **at = &r->active;

    if (!inner->left) {
        r->states[node].inner = NULL;
        give_back(inner);
        end_node(r, node);
        return;
    }
    inner->launches = hd_gpu_n_launches(hd_cuda.gpu);
    while (*at)
        at = &(*at)->next;
    *at = inner;
}

// Runs the body that the condition selects: one of them, none, or the same again.
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void run_condition(struct hd_graph_run *r, uint32_t node)
{
    const struct hd_graph_conditional *c = &r->states[node].work->u.conditional;
    struct hd_graph_plan *const *bodies = r->plan->nodes[node].bodies;
    uint32_t value = 0, body = UINT32_MAX;

    hd_memory_read(hd_gpu_memory(hd_cuda.gpu), c->handle, &value, sizeof value);
    if (c->type == CU_GRAPH_COND_TYPE_SWITCH)
        body = value;
    else if (value)
        body = 0;
    else if (c->type == CU_GRAPH_COND_TYPE_IF)
        body = 1; // the "else" body, if there is one
    if (body >= c->n) {
        end_node(r, node);
        return;
    }
    if (c->type == CU_GRAPH_COND_TYPE_WHILE && !bodies[body]->n) {
        hd_queue_fault(CUDA_ERROR_LAUNCH_TIMEOUT,
                       "a WHILE node of a graph never ends: its body is empty");
        end_node(r, node);
        return;
    }
    struct hd_graph_run *inner = make(bodies[body], r->stream);
    inner->parent = r;
    inner->parent_node = node;
    r->states[node].inner = inner;
    begin_inner(r, node, inner);
}

// --- steps

// Memory that existed when the node was made may have been freed since.
static bool found(CUresult r)
{
    if (r != CUDA_SUCCESS)
        hd_queue_fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                       "a copy or fill of a graph reaches memory that is not allocated");
    return r == CUDA_SUCCESS;
}

static void perform(const struct state *s)
{
    const struct hd_graph_work *w = s->work;
    struct hd_cuda_op op = {.kind = &hd_copy_op};

    switch ((unsigned)w->type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        if (found(hd_copy_resolve(&w->u.copy, false, &op.u.copy)) && op.u.copy.to)
            hd_queue_perform(&op);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        op.kind = &hd_fill_op;
        if (found(hd_fill_resolve(&w->u.fill, false, &op.u.fill)) && op.u.fill.to)
            hd_queue_perform(&op);
        break;
    case CU_GRAPH_NODE_TYPE_HOST:
        op.kind = &hd_hostfuncs_op;
        op.u.host = (struct hd_cuda_host){.function = w->u.host.fn, .data = w->u.host.userData};
        hd_queue_perform(&op);
        break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        op.kind = &hd_events_record;
        op.u.record.event = s->event;
        op.u.record.number = s->number;
        hd_queue_perform(&op);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        hd_devmem_map(w->u.alloc.dptr);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        hd_devmem_release(w->u.free);
        break;
    default:
        break;
    }
}

static void happen(struct hd_graph_run *r, uint32_t node)
{
    const struct state *s = &r->states[node];

    if (s->work && s->work->type == CU_GRAPH_NODE_TYPE_GRAPH) {
        begin_inner(r, node, s->inner);
        return;
    }
    if (s->work && s->work->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        run_condition(r, node);
        return;
    }
    if (s->work)
        perform(s);
    end_node(r, node);
}

// The first lane without a kernel; lane 0 is the launch's own stream.
static uint32_t free_lane(struct hd_cuda_exec *e)
{
    uint32_t i = 0;

    while (i < e->n_lanes && e->lanes[i].busy)
        i++;
    if (i == e->n_lanes)
        *HD_PUSH(e->arena, e->lanes, e->n_lanes, e->cap_lanes) =
            (struct hd_graph_lane){.stream = i ? hd_cuda.next_stream++ : 0};
    return i;
}

static void launch(struct hd_graph_run *r, uint32_t node)
{
    static const uint8_t zeros[HD_CUDA_WORKSPACE];
    struct hd_cuda_exec *e = r->plan->exec;
    struct hd_launch_request q = r->states[node].work->u.kernel.request;
    uint32_t lane = free_lane(e);

    q.workspace = r->plan->nodes[node].workspace;
    if (q.workspace)
        hd_memory_write(hd_gpu_memory(hd_cuda.gpu), q.workspace, zeros, sizeof zeros);
    q.stream = lane ? e->lanes[lane].stream : r->stream;
    e->lanes[lane].busy = true;
    r->running[r->n_running++] = (struct kernel){node, hd_queue_launch(&q), lane};
}

static bool satisfied(const struct state *s)
{
    return s->event->done >= s->number;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool can(const struct hd_graph_run *r, bool kernels)
{
    if (r->ready.at < r->ready.n || (kernels && r->kernels.at < r->kernels.n))
        return true;
    for (uint32_t i = 0; i < r->n_waits; i++)
        if (satisfied(&r->states[r->waits[i]]))
            return true;
    for (const struct hd_graph_run *a = r->active; a; a = a->next)
        if (can(a, kernels))
            return true;
    return false;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void step(struct hd_graph_run *r, bool kernels)
{
    if (r->ready.at < r->ready.n) {
        happen(r, r->ready.nodes[r->ready.at++]);
        return;
    }
    for (uint32_t i = 0; i < r->n_waits; i++)
        if (satisfied(&r->states[r->waits[i]])) {
            uint32_t node = r->waits[i];
            r->n_waits--;
            memmove(&r->waits[i], &r->waits[i + 1], (r->n_waits - i) * sizeof *r->waits);
            end_node(r, node);
            return;
        }
    for (struct hd_graph_run *a = r->active; a; a = a->next)
        if (can(a, kernels)) {
            step(a, kernels);
            return;
        }
    launch(r, r->kernels.nodes[r->kernels.at++]);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool kernel_ended(struct hd_graph_run *r, uint32_t launch_number)
{
    for (uint32_t i = 0; i < r->n_running; i++)
        if (r->running[i].launch == launch_number) {
            struct kernel ended = r->running[i];
            r->running[i] = r->running[--r->n_running];
            r->plan->exec->lanes[ended.lane].busy = false;
            end_node(r, ended.node);
            return true;
        }
    for (struct hd_graph_run *a = r->active; a; a = a->next)
        if (kernel_ended(a, launch_number))
            return true;
    return false;
}

// --- a launch as an operation of a stream

// True if the earlier launches of its graph have ended.
static bool op_ready(const struct hd_cuda_op *op)
{
    return op->u.graph->plan->exec->ended == op->u.graph->number;
}

static bool op_can(const struct hd_cuda_op *op, bool kernels)
{
    return can(op->u.graph, kernels);
}

static void op_step(struct hd_cuda_op *op, bool kernels)
{
    if (op->running)
        step(op->u.graph, kernels);
    else
        start(op->u.graph);
}

static bool op_ended(const struct hd_cuda_op *op)
{
    return !op->u.graph->left;
}

static bool op_kernel_ended(struct hd_cuda_op *op, uint32_t number)
{
    return kernel_ended(op->u.graph, number);
}

static void op_forget(struct hd_cuda_op *op)
{
    struct hd_cuda_exec *e = op->u.graph->plan->exec;

    give_back(op->u.graph);
    e->ended++;
    if (e->destroyed && e->ended == e->launched)
        hd_graphplan_release(e);
}

const struct hd_op_kind hd_graphrun_op = {.ready = op_ready,
                                          .can = op_can,
                                          .step = op_step,
                                          .ended = op_ended,
                                          .kernel_ended = op_kernel_ended,
                                          .forget = op_forget,
                                          .calls_host = true,
                                          .gives_back = true};
