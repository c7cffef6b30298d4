// task_graph.c - requests of grids (kernels launched by kernels, copies, events) and what each
// waits for. CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"; launch overhead of LASER
// (POMACS 2018).
//
// A task (a launch, a copy, a fill, the record of an event or the wait for one) waits for the task
// before it in its stream and for its event. A launch is done when its grid is complete: its blocks
// have ended and everything that it requested is done, tail launches last, one after the other.
// Launches of the host are complete under the same condition, and then their stream continues.
//
// A kernel may start `base` + `per_child` x cycles after its launch, where x is the number of
// kernels that the same warp instruction launched, once everything that it waits for is done.
// With `launch.wait`, the warp that launched it issues nothing in these cycles.
// Kernels that may start do so in that order as running slots become free, after those of the host.
// Everything else takes no time.
#include "gpu/gpu_internal.h"

#include "devrt/devrt.h"

#include <string.h>

#define NONE 0 // numbers of tasks, edges and grids begin with 1

struct task {
    uint64_t serial;   // identifies the task; unlike its number, a serial is not reused
    uint64_t due;      // of a kernel: cycle in which it may start
    uint32_t grid;     // the grid that requested it
    uint32_t launch;   // of a kernel: its number
    uint32_t blockers; // number of tasks it waits for
    uint32_t edges;    // list of edges to the tasks that wait for it
    uint32_t next;     // in the list that contains it, which may be that of free tasks
    uint32_t children; // the children of a block that the block waits for, or NONE
    uint8_t kind;
    struct hd_devrt_bytes bytes;
};
struct edge {
    uint32_t to, next;
};
struct grid { // a grid that has requested something and is not complete
    uint32_t launch;
    uint32_t open; // tasks in progress or waiting, without the tail
    uint32_t tail_first, tail_last;
    uint32_t next; // in the list of free grids
    bool ended;    // all its blocks have ended
};
struct last { // the latest task of a stream, or the latest record of an event
    uint64_t of, serial;
    uint32_t task;
};
struct list {
    uint32_t first, last;
};
struct due {
    uint64_t cycle;
    uint32_t task;
};

struct hd_task_graph {
    struct task *tasks;
    struct edge *edges;
    struct grid *grids;
    struct last *lasts; // by the lower bits of the handle
    size_t n_tasks, cap_tasks, n_edges, cap_edges, n_grids, cap_grids, n_lasts, cap_lasts;
    uint32_t free_task, free_edge, free_grid;
    uint64_t serials;
    struct list work; // tasks that wait for no other task
    // Kernels that may start, in order; those before first_ready have been taken.
    struct hd_ready *ready;
    size_t n_ready, first_ready, cap_ready;
    struct due *heap; // kernels that wait only for their time
    size_t n_heap, cap_heap;
    uint32_t unbegun; // kernels
};

#define LAST_INDEX(handle) ((size_t)((handle)&0xffffff))

// --- lists and pools

static void append(struct hd_task_graph *f, struct list *l, uint32_t task)
{
    f->tasks[task].next = NONE;
    if (l->last)
        f->tasks[l->last].next = task;
    else
        l->first = task;
    l->last = task;
}

static uint32_t take_first(struct hd_task_graph *f, struct list *l)
{
    uint32_t task = l->first;

    if (task) {
        l->first = f->tasks[task].next;
        if (!l->first)
            l->last = NONE;
    }
    return task;
}

static uint32_t new_task(struct hd_gpu *g)
{
    struct hd_task_graph *f = g->task_graph;
    uint32_t i = f->free_task;

    if (i) {
        f->free_task = f->tasks[i].next;
    } else {
        i = (uint32_t)f->n_tasks;
        HD_PUSH(g->arena, f->tasks, f->n_tasks, f->cap_tasks);
    }
    f->tasks[i] = (struct task){.serial = ++f->serials};
    return i;
}

static void add_edge(struct hd_gpu *g, uint32_t from, uint32_t to)
{
    struct hd_task_graph *f = g->task_graph;
    uint32_t i = f->free_edge;

    if (i) {
        f->free_edge = f->edges[i].next;
    } else {
        i = (uint32_t)f->n_edges;
        HD_PUSH(g->arena, f->edges, f->n_edges, f->cap_edges);
    }
    f->edges[i] = (struct edge){to, f->tasks[from].edges};
    f->tasks[from].edges = i;
    f->tasks[to].blockers++;
}

static void begin(struct hd_gpu *g)
{
    struct hd_task_graph *f = g->task_graph = HD_NEW(g->arena, hd_task_graph);

    // Number 0 means none.
    HD_PUSH(g->arena, f->tasks, f->n_tasks, f->cap_tasks);
    HD_PUSH(g->arena, f->edges, f->n_edges, f->cap_edges);
    HD_PUSH(g->arena, f->grids, f->n_grids, f->cap_grids);
}

static uint32_t grid_of(struct hd_gpu *g, uint32_t launch)
{
    struct hd_task_graph *f = g->task_graph;
    uint32_t i = g->queue[launch].grid;

    if (i)
        return i;
    i = f->free_grid;
    if (i) {
        f->free_grid = f->grids[i].next;
    } else {
        i = (uint32_t)f->n_grids;
        HD_PUSH(g->arena, f->grids, f->n_grids, f->cap_grids);
    }
    f->grids[i] = (struct grid){.launch = launch};
    g->queue[launch].grid = i;
    return i;
}

// The entry of a stream or event. Data of an earlier one with the same index are dropped.
static struct last *last_of(struct hd_gpu *g, uint64_t handle)
{
    struct hd_task_graph *f = g->task_graph;

    while (f->n_lasts <= LAST_INDEX(handle))
        *HD_PUSH(g->arena, f->lasts, f->n_lasts, f->cap_lasts) = (struct last){0};
    struct last *l = &f->lasts[LAST_INDEX(handle)];
    if (l->of != handle)
        *l = (struct last){.of = handle};
    return l;
}

static bool pending(const struct hd_task_graph *f, const struct last *l)
{
    return l->task && f->tasks[l->task].serial == l->serial;
}

// --- kernels that may start

static void make_ready(struct hd_gpu *g, uint32_t task)
{
    struct hd_task_graph *f = g->task_graph;
    const struct hd_launch *l = g->queue[f->tasks[task].launch].result.launch;
    struct hd_ready *ready;

    if (f->first_ready == f->n_ready) {
        f->first_ready = f->n_ready = 0;
    } else if (f->n_ready == f->cap_ready && f->first_ready > f->n_ready / 2) {
        f->n_ready -= f->first_ready;
        memmove(f->ready, f->ready + f->first_ready, f->n_ready * sizeof *f->ready);
        f->first_ready = 0;
    }
    ready = HD_PUSH(g->arena, f->ready, f->n_ready, f->cap_ready);
    *ready = (struct hd_ready){.id = l->id,
                               .mark = l->mark,
                               .stream = l->stream,
                               .tbs = l->grid[0] * l->grid[1] * l->grid[2],
                               .depth = l->depth,
                               .parent_kernel = l->parent->id,
                               .parent_tb = l->parent_tb,
                               .since = g->cycle,
                               .key = l->key};
    hd_marks_again(g, ready, HD_MARK_READY);
}

// --- kernels that wait for their time: a heap, ordered by time and then by launch

static bool sooner(const struct hd_task_graph *f, const struct due *a, const struct due *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle
                                : f->tasks[a->task].launch < f->tasks[b->task].launch;
}

static void push_due(struct hd_gpu *g, uint64_t cycle, uint32_t task)
{
    struct hd_task_graph *f = g->task_graph;
    size_t i = f->n_heap;
    struct due d = {cycle, task};

    HD_PUSH(g->arena, f->heap, f->n_heap, f->cap_heap);
    for (; i && sooner(f, &d, &f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = d;
}

static uint32_t pop_due(struct hd_task_graph *f)
{
    uint32_t task = f->heap[0].task;
    struct due d = f->heap[--f->n_heap];
    size_t i = 0, child;

    for (; (child = 2 * i + 1) < f->n_heap; i = child) {
        child += child + 1 < f->n_heap && sooner(f, &f->heap[child + 1], &f->heap[child]);
        if (!sooner(f, &f->heap[child], &d))
            break;
        f->heap[i] = f->heap[child];
    }
    f->heap[i] = d;
    return task;
}

// --- completion of tasks

static void complete(struct hd_gpu *g, uint32_t launch);

// Continues with the tail if no other task is left, and completes the grid if none is left at all.
// The recursion is as deep as grids are nested.
static void look_at(struct hd_gpu *g, uint32_t grid)
{
    struct hd_task_graph *f = g->task_graph;
    struct grid *y = &f->grids[grid];
    struct list tail = {y->tail_first, y->tail_last};
    uint32_t task, launch = y->launch;

    if (!y->ended || y->open)
        return;
    task = take_first(f, &tail);
    if (task) {
        y->tail_first = tail.first;
        y->tail_last = tail.last;
        y->open++;
        append(f, &f->work, task);
        return;
    }
    g->queue[launch].grid = NONE;
    y->next = f->free_grid;
    f->free_grid = grid;
    complete(g, launch);
}

// Wakes the warps of a block that waited for the task.
static void wake_brood(struct hd_gpu *g, uint32_t children)
{
    struct hd_parked_block *parked;
    uint32_t sm;
    unsigned slot;
    enum hd_children_news news = hd_devrt_task_happened(g->devrt, children, &sm, &slot, &parked);

    if (news == HD_CHILDREN_AWAY) {
        hd_parked_back(g, parked);
    } else if (news == HD_CHILDREN_HERE && !g->options.functional_only) {
        hd_machine_catch_up(g, sm);
        hd_sm_children_complete(g->sms[sm], slot);
        hd_machine_wake(g, sm);
    }
}

static void happened(struct hd_gpu *g, uint32_t task) // NOLINT(misc-no-recursion): see look_at
{
    struct hd_task_graph *f = g->task_graph;
    uint32_t grid = f->tasks[task].grid;

    wake_brood(g, f->tasks[task].children);
    for (uint32_t e = f->tasks[task].edges, next; e; e = next) {
        next = f->edges[e].next;
        if (!--f->tasks[f->edges[e].to].blockers)
            append(f, &f->work, f->edges[e].to);
        f->edges[e].next = f->free_edge;
        f->free_edge = e;
    }
    f->tasks[task] = (struct task){.next = f->free_task};
    f->free_task = task;
    f->grids[grid].open--;
    look_at(g, grid);
}

// The grid has ended and everything that it requested is done.
static void complete(struct hd_gpu *g, uint32_t launch) // NOLINT(misc-no-recursion): see look_at
{
    struct hd_queued *q = &g->queue[launch];

    q->complete = true;
    q->result.complete_cycle = g->cycle;
    for (unsigned i = 0; q->timed && i < g->n_sms; i++)
        hd_sm_event(g->sms[i], &(struct hd_event){.kind = HD_EV_KERNEL_COMPLETE,
                                                  .kernel = launch,
                                                  .flags = q->children ? HD_KERNEL_PARENT : 0});
    if (q->task && g->task_graph)
        happened(g, q->task);
    else
        hd_launch_queue_completed(g, launch);
}

// Executes all tasks that wait for no other.
static void settle(struct hd_gpu *g)
{
    struct hd_task_graph *f = g->task_graph;
    uint32_t i;

    while ((i = take_first(f, &f->work))) {
        const struct task *t = &f->tasks[i];
        struct hd_devrt_task now = {.kind = t->kind, .bytes = t->bytes};
        if (t->kind == HD_TASK_KERNEL && t->due > g->cycle) {
            push_due(g, t->due, i);
        } else if (t->kind == HD_TASK_KERNEL) {
            make_ready(g, i);
        } else {
            if (t->kind == HD_TASK_COPY || t->kind == HD_TASK_FILL)
                hd_devrt_task_bytes(g->devrt, &now);
            happened(g, i);
        }
    }
}

// --- requests by kernels

static void report_launch(struct hd_gpu *g, const struct hd_devrt_task *t, uint32_t launch)
{
    struct hd_event e;

    if (g->options.functional_only)
        return;
    hd_machine_catch_up(g, t->sm);
    e = hd_marks_event(g, t, launch);
    hd_sm_event(g->sms[t->sm], &e);
}

// Lets the warp wait for what its launch costs.
static void hold(struct hd_gpu *g, const struct hd_devrt_task *t, uint64_t until)
{
    if (!g->config.launch.wait || g->options.functional_only)
        return;
    hd_machine_catch_up(g, t->sm);
    hd_sm_hold(g->sms[t->sm], t->warp, until);
    hd_machine_wake(g, t->sm);
}

static void launch(struct hd_gpu *g, const struct hd_devrt_task *t, uint32_t task)
{
    const struct hd_config_launch *c = &g->config.launch;
    struct hd_launch_request r = {.program = t->parent->program,
                                  .kernel = t->kernel,
                                  .dynamic_shared = t->dynamic_shared,
                                  .stream = t->parent->stream,
                                  .shared_static = UINT32_MAX};
    uint8_t *params = HD_ARRAY(g->arena, uint8_t, t->kernel->param_bytes);
    uint32_t id;

    memcpy(r.grid, t->grid, sizeof r.grid);
    memcpy(r.block, t->block, sizeof r.block);
    hd_devrt_task_params(g->devrt, t, params);
    r.params = params;
    if (g->options.resources)
        g->options.resources(g->options.resources_ctx, &r);
    if (!g->options.functional_only)
        r.mark = hd_marks_ask(g, t);
    id = hd_launch_queue_enqueue(g, &r, t->parent, t->parent_tb);
    g->queue[t->parent->id].children++;
    if (!g->options.functional_only)
        g->queue[id].parent_sm = t->sm;
    if (g->options.record)
        hd_record_child(g->options.record);
    g->queue[id].task = task;
    g->queue[id].result.launch_cycle = g->cycle - !g->options.functional_only;
    g->task_graph->tasks[task].launch = id;
    g->task_graph->tasks[task].due =
        g->options.functional_only
            ? 0
            : g->queue[id].result.launch_cycle + c->base + (uint64_t)c->per_child * t->together;
    g->task_graph->unbegun++;
    report_launch(g, t, id);
    hold(g, t, g->task_graph->tasks[task].due);
}

static void ask(struct hd_gpu *g, const struct hd_devrt_task *t)
{
    struct hd_task_graph *f = g->task_graph;
    uint32_t grid = grid_of(g, t->parent->id), task = new_task(g);
    struct grid *y = &f->grids[grid];
    struct last *l;

    f->tasks[task].grid = grid;
    f->tasks[task].kind = t->kind;
    f->tasks[task].children = t->children;
    f->tasks[task].bytes = t->bytes;
    if (t->kind == HD_TASK_KERNEL)
        launch(g, t, task);
    if (t->order == HD_ORDER_TAIL) {
        struct list tail = {y->tail_first, y->tail_last};
        append(f, &tail, task);
        y->tail_first = tail.first;
        y->tail_last = tail.last;
        return;
    }
    y->open++;
    if (t->order == HD_ORDER_STREAM) {
        l = last_of(g, t->stream);
        if (pending(f, l))
            add_edge(g, l->task, task);
        *l = (struct last){t->stream, f->tasks[task].serial, task};
    }
    if (t->event) {
        l = last_of(g, t->event);
        if (t->kind == HD_TASK_WAIT && pending(f, l))
            add_edge(g, l->task, task);
        if (t->kind == HD_TASK_RECORD)
            *l = (struct last){t->event, f->tasks[task].serial, task};
    }
    if (!f->tasks[task].blockers)
        append(f, &f->work, task);
}

void hd_task_graph_parked(struct hd_gpu *g)
{
    struct hd_parked_block *const *all = hd_devrt_parked(g->devrt);

    for (size_t i = 0; i < *g->n_parked; i++) {
        hd_parked_left(g, all[i]);
        if (hd_devrt_may_return(g->devrt, all[i]))
            hd_parked_back(g, all[i]);
    }
    hd_devrt_parked_taken(g->devrt);
}

void hd_task_graph_collect(struct hd_gpu *g)
{
    if (*g->n_parked)
        hd_task_graph_parked(g);
    if (!g->task_graph)
        begin(g);
    for (size_t i = 0; i < *g->n_tasks; i++)
        ask(g, &hd_devrt_tasks(g->devrt)[i]);
    hd_devrt_tasks_taken(g->devrt);
    settle(g);
}

// --- queries by the machine

void hd_task_graph_ended(struct hd_gpu *g, uint32_t launch_id)
{
    uint32_t grid = g->queue[launch_id].grid;

    if (!g->task_graph) { // no kernel has ever requested anything
        complete(g, launch_id);
        return;
    }
    hd_devrt_grid_ended(g->devrt, g->queue[launch_id].result.launch);
    if (grid) {
        g->task_graph->grids[grid].ended = true;
        look_at(g, grid);
    } else {
        complete(g, launch_id);
    }
    settle(g);
}

const struct hd_ready *hd_task_graph_ready(struct hd_gpu *g, size_t *n)
{
    struct hd_task_graph *f = g->task_graph;

    *n = 0;
    if (!f)
        return NULL;
    while (f->n_heap && f->heap[0].cycle <= g->cycle)
        make_ready(g, pop_due(f));
    *n = f->n_ready - f->first_ready;
    return f->ready + f->first_ready;
}

uint32_t hd_task_graph_take(struct hd_gpu *g, size_t i)
{
    struct hd_task_graph *f = g->task_graph;
    struct hd_ready *all = f->ready + f->first_ready;
    uint32_t launch = all[i].id;

    hd_marks_again(g, &all[i], HD_MARK_SLOT);
    // The kernels before it are moved: policies choose one of the first more often than not.
    memmove(all + 1, all, i * sizeof *all);
    f->first_ready++;
    f->unbegun--;
    hd_devrt_task_begun(g->devrt);
    return launch;
}

uint32_t hd_task_graph_next(struct hd_gpu *g)
{
    size_t n;

    hd_task_graph_ready(g, &n);
    return n ? hd_task_graph_take(g, 0) : UINT32_MAX;
}

uint64_t hd_task_graph_due(const struct hd_gpu *g)
{
    const struct hd_task_graph *f = g->task_graph;

    if (!f)
        return UINT64_MAX;
    if (f->first_ready < f->n_ready)
        return g->cycle;
    return f->n_heap ? f->heap[0].cycle - 1 : UINT64_MAX;
}

uint32_t hd_task_graph_unbegun(const struct hd_gpu *g)
{
    return g->task_graph ? g->task_graph->unbegun : 0;
}
