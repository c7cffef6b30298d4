// call.c - calls and returns: frames with their own registers and local memory.
//
// A frame belongs to the lanes that made one call together. Arguments are copied into it, results
// out of it, lane by lane. What PTX leaves undefined is zero, as for kernels: a frame's registers
// and local memory are cleared when it begins.
//
// If the lanes of an indirect call name different functions, the lowest lane's function is called
// for all lanes that name it; the others execute the call again when those have returned.
//
// The registers of a frame lie above those of all others that have not ended. Where paths of a warp
// have changed places (emu/paths.h), frames of several paths exist at the same time.
//
// The stack of a warp (only for kernels with calls), committed by the host when it is accessed,
// contains rows, predicates, SIMT stack, frames, local memory of the kernel and of all frames.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEAST_FRAME 16 // hd_func_frame is never less
#define ROW_BYTES (HD_LANES * sizeof(uint32_t))

// --- storage

struct pieces { // of one warp's stack storage: offsets
    size_t rows, preds, simt, frames, local, end;
    uint64_t local_bytes; // of one thread
    uint32_t n_simt, n_rows, n_preds;
};

// The bytes of all frames of a warp together. One path at a time has frames, unless lanes are
// scheduled independently. Then all of them have room for what is small; paths that call deeply, as
// in a recursion, have room for a few.
#define PATHS_ROOM 65536
static uint32_t room_of(const struct hd_func *kernel, uint32_t limit)
{
    if (!hd_paths_apart(kernel))
        return limit;
    return limit <= PATHS_ROOM / HD_LANES ? limit * HD_LANES
           : limit <= PATHS_ROOM / 4      ? PATHS_ROOM
                                          : 4 * limit;
}

static size_t line(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

static struct pieces pieces_of(const struct hd_func *kernel, uint32_t limit)
{
    const uint32_t room = room_of(kernel, limit), n_frames = room / LEAST_FRAME + 2;
    struct pieces p = {.n_simt = (hd_paths_apart(kernel) ? HD_SIMT_DEPTH_APART : HD_SIMT_DEPTH) +
                                 HD_SIMT_PER_CALL * n_frames,
                       .n_rows = room / 4,
                       .n_preds = room / 4};

    p.local_bytes = ((uint64_t)kernel->local_bytes + 15) / 16 * 16 + limit;
    p.preds = line(p.rows + p.n_rows * ROW_BYTES);
    p.simt = line(p.preds + p.n_preds * sizeof(uint32_t));
    p.frames = line(p.simt + p.n_simt * sizeof(struct hd_simt_entry));
    p.local = line(p.frames + n_frames * sizeof(struct hd_emu_frame));
    p.end = line(p.local + p.local_bytes * HD_LANES);
    return p;
}

void hd_call_free(struct hd_emu_sm *sm)
{
    for (unsigned w = 0; w < HD_MAX_WARPS; w++) {
        hd_memory_give_back(sm->rooms[w].stack, sm->rooms[w].have_stack);
        sm->rooms[w].stack = NULL;
        sm->rooms[w].have_stack = 0;
    }
}

void hd_call_needs(const struct hd_emu *e, const struct hd_func *kernel, struct hd_emu_needs *n)
{
    uint32_t limit = kernel->stack_bytes;

    if (kernel->open_stack && limit < e->stack_limit)
        limit = e->stack_limit;
    n->stack_limit = limit;
    n->stack = limit ? pieces_of(kernel, limit).end : 0;
}

void hd_call_room(struct hd_emu_sm *sm, unsigned warp, const struct hd_func *kernel,
                  const struct hd_emu_needs *n)
{
    struct hd_emu_room *room = &sm->rooms[warp];
    struct pieces p;

    if (n->stack > room->have_stack) {
        hd_memory_give_back(room->stack, room->have_stack);
        room->stack = hd_memory_reserve(n->stack);
        if (!room->stack)
            hd_arena_exhausted(n->stack);
        room->have_stack = n->stack;
    }
    p = pieces_of(kernel, n->stack_limit);
    hd_simt_room(&sm->simt, warp, (struct hd_simt_entry *)(void *)(room->stack + p.simt), p.n_simt);
}

void hd_call_start(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_func *f = w->tb->launch->kernel;
    struct pieces p = pieces_of(f, w->tb->needs.stack_limit);
    uint8_t *stack = sm->rooms[warp].stack;

    w->frames = (struct hd_emu_frame *)(void *)(stack + p.frames);
    w->local = stack + p.local;
    w->local_bytes = p.local_bytes;
    for (unsigned l = 0; l < HD_LANES && f->local_bytes; l++)
        memset(w->local + l * p.local_bytes, 0, f->local_bytes);
    w->frames[0] = (struct hd_emu_frame){
        .func = f, .rows = w->regs.rows, .preds = w->regs.preds, .lanes = UINT32_MAX};
    w->frame_local = 0;
    if (f->stack_row != HD_ROW_NONE)
        for (unsigned l = 0; l < HD_LANES; l++)
            hd_lanes_row(&w->regs, f->stack_row)[l] = (f->local_bytes + 15) & ~15u;
}

// --- arguments

struct side { // of a call: the frame of the caller or of the callee
    const struct hd_lane_regs *regs;
    uint64_t local;
};

static uint8_t *in_memory(const struct hd_emu_warp *w, uint64_t local, const struct hd_arg *a,
                          unsigned lane)
{
    return w->local + lane * w->local_bytes + local + a->offset;
}

static void read_side(const struct hd_emu_warp *w, const struct side *s, const struct hd_arg *a,
                      uint32_t lanes, uint64_t *v)
{
    if (a->row != HD_ROW_NONE) {
        const uint32_t *row = hd_lanes_source(s->regs, a->row);
        if (a->bytes == 8)
            memcpy(v, row, sizeof(uint64_t) * HD_LANES);
        else
            for (int l = 0; l < HD_LANES; l++)
                v[l] = row[l];
        return;
    }
    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        v[l] = 0;
        memcpy(&v[l], in_memory(w, s->local, a, l), a->bytes < 8 ? a->bytes : 8);
    }
}

static void write_side(const struct hd_emu_warp *w, const struct side *s, const struct hd_arg *a,
                       uint32_t lanes, const uint64_t *v)
{
    uint8_t *row = a->row == HD_ROW_NONE ? NULL : (uint8_t *)hd_lanes_row(s->regs, a->row);
    unsigned width = a->bytes == 8 ? 8 : 4;

    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (row)
            memcpy(row + l * width, &v[l], width);
        else
            memcpy(in_memory(w, s->local, a, l), &v[l], a->bytes < 8 ? a->bytes : 8);
    }
}

static void copy(const struct hd_emu_warp *w, const struct side *from, const struct hd_arg *a,
                 const struct side *to, const struct hd_arg *b, uint32_t lanes)
{
    uint64_t v[HD_LANES] = {0};

    if (a->row == HD_ROW_NONE && b->row == HD_ROW_NONE) {
        for (uint32_t m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            memcpy(in_memory(w, to->local, b, l), in_memory(w, from->local, a, l), b->bytes);
        }
        return;
    }
    read_side(w, from, a, lanes, v);
    write_side(w, to, b, lanes, v);
}

void hd_call_read(const struct hd_emu_warp *w, const struct hd_arg *arg, uint32_t lanes,
                  uint64_t v[HD_LANES])
{
    read_side(w, &(struct side){&w->regs, w->frame_local}, arg, lanes, v);
}

void hd_call_write(const struct hd_emu_warp *w, const struct hd_arg *arg, uint32_t lanes,
                   const uint64_t v[HD_LANES])
{
    write_side(w, &(struct side){&w->regs, w->frame_local}, arg, lanes, v);
}

// --- frames

static void run_frame(struct hd_emu_warp *w, const struct hd_emu_frame *f)
{
    w->regs.rows = f->rows;
    w->regs.preds = f->preds;
    w->frame_local = f->local;
}

void hd_call_reframe(struct hd_simt *s, unsigned warp)
{
    struct hd_emu_sm *sm = (struct hd_emu_sm *)s; // its first member
    struct hd_emu_warp *w = &sm->warps[warp];

    if (w->frames)
        run_frame(w, &w->frames[s->frame[warp]]);
}

struct hd_lane_regs hd_call_regs(const struct hd_emu_warp *w, uint32_t frame)
{
    struct hd_lane_regs regs = w->regs;

    if (w->frames) {
        regs.rows = w->frames[frame].rows;
        regs.preds = w->frames[frame].preds;
    }
    return regs;
}

// The end of the frame's local memory: the highest of its lanes, if lanes allocate with alloca.
static uint64_t local_end(const struct hd_emu_warp *w, const struct hd_emu_frame *f)
{
    uint64_t end = f->local + ((f->func->local_bytes + 15) & ~15u);

    if (f->func->stack_row == HD_ROW_NONE)
        return end;
    const uint32_t *row = hd_lanes_source(&w->regs, f->func->stack_row);
    for (uint32_t m = f->lanes; m; m &= m - 1)
        end = row[__builtin_ctz(m)] > end ? row[__builtin_ctz(m)] : end;
    return (end + 15) & ~UINT64_C(15);
}

static uint32_t depth_of(const struct hd_emu_warp *w, uint32_t frame)
{
    uint32_t depth = 0;

    for (; frame; frame = w->frames[frame].parent)
        depth++;
    return depth;
}

static bool overflow(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out,
                     const struct hd_func *f)
{
    hd_trap_set(sm, warp, out, HD_TRAP_STACK, (unsigned)__builtin_ctz(out->exec_mask));
    snprintf(sm->trap.detail, sizeof sm->trap.detail,
             "stack overflow: the call of `%.60s` at depth %" PRIu32 " needs %" PRIu32
             " bytes, a thread has %" PRIu32,
             f->name, depth_of(&sm->warps[warp], sm->simt.frame[warp]) + 1, hd_func_frame(f),
             sm->warps[warp].tb->needs.stack_limit);
    return false;
}

// The number of a new frame, the lowest that no path uses, and the first registers above those of
// all frames.
struct place {
    uint32_t number, row, pred;
};

static void rise_above(const struct hd_emu_warp *w, uint32_t frame, struct place *p)
{
    const struct hd_emu_frame *f = &w->frames[frame];
    uint32_t row, pred;

    if (!frame)
        return;
    row = f->row + ((f->func->n_rows + 1) & ~1u);
    pred = f->pred + f->func->n_preds;
    p->row = row > p->row ? row : p->row;
    p->pred = pred > p->pred ? pred : p->pred;
}

static struct place place_for(const struct hd_emu_sm *sm, unsigned warp)
{
    const struct hd_simt *s = &sm->simt;
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct place p = {s->frame[warp] + 1, 0, 0};
    bool used = s->mixed[warp];

    rise_above(w, s->frame[warp], &p);
    if (!used)
        return p;
    for (uint32_t i = 0; i < s->depth[warp]; i++)
        rise_above(w, s->below[warp][i].frame, &p);
    for (p.number = 1; used; p.number += used) {
        used = s->frame[warp] == p.number;
        for (uint32_t i = 0; i < s->depth[warp] && !used; i++)
            used = s->below[warp][i].frame == p.number;
    }
    return p;
}

static void place_regs(const struct hd_emu_sm *sm, unsigned warp, struct hd_emu_frame *f)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct pieces p = pieces_of(w->frames[0].func, w->tb->needs.stack_limit);
    uint8_t *stack = sm->rooms[warp].stack;

    f->rows = (uint32_t *)(void *)(stack + p.rows) + (size_t)f->row * HD_LANES;
    f->preds = (uint32_t *)(void *)(stack + p.preds) + f->pred;
}

// Whether the warp has room for the registers of a frame at this place.
static bool has_room(const struct hd_emu_sm *sm, unsigned warp, const struct place *at,
                     const struct hd_func *f)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct pieces p = pieces_of(w->frames[0].func, w->tb->needs.stack_limit);

    return at->row + ((f->n_rows + 1) & ~1u) <= p.n_rows && at->pred + f->n_preds <= p.n_preds;
}

// Pushes a new, zeroed frame. NULL after a trap.
static struct hd_emu_frame *push_frame(struct hd_emu_sm *sm, unsigned warp, const struct hd_func *f,
                                       struct hd_effects *out)
{
    struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t parent = sm->simt.frame[warp];
    const struct place at = place_for(sm, warp);
    struct hd_emu_frame *top = &w->frames[parent], *new = &w->frames[at.number];
    uint64_t local = local_end(w, top), extra = local - top->local;

    extra -= (top->func->local_bytes + 15) & ~15u; // allocated by alloca
    if (extra + top->used + hd_func_frame(f) > w->tb->needs.stack_limit ||
        (sm->simt.mixed[warp] && !has_room(sm, warp, &at, f))) {
        overflow(sm, warp, out, f);
        return NULL;
    }
    *new = (struct hd_emu_frame){.func = f,
                                 .local = local,
                                 .used = (uint32_t)extra + top->used + hd_func_frame(f),
                                 .number = at.number,
                                 .parent = parent,
                                 .row = at.row,
                                 .pred = at.pred,
                                 .lanes = out->exec_mask};
    place_regs(sm, warp, new);
    memset(new->rows, 0, f->n_rows * ROW_BYTES);
    memset(new->preds, 0, f->n_preds * sizeof *new->preds);
    for (uint32_t m = f->local_bytes ? out->exec_mask : 0; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        memset(w->local + l * w->local_bytes + new->local, 0, f->local_bytes);
    }
    return new;
}

// Enters f for out->exec_mask; the lanes `later` return to this call.
static bool enter(struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                  const struct hd_func *f, uint32_t later, struct hd_effects *out)
{
    struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_emu_frame *new = push_frame(sm, warp, f, out);
    struct hd_lane_regs caller = w->regs;
    struct side from = {&caller, w->frame_local}, to = {&w->regs, 0};

    if (!new)
        return false;
    new->call = call;
    run_frame(w, new);
    to.local = new->local;
    for (unsigned i = 0; i < f->n_args; i++) {
        const struct hd_arg *arg = &f->args[f->n_rets + i];
        if (arg->row != HD_ROW_NONE || arg->bytes)
            copy(w, &from, &call->args[call->n_rets + i], &to, arg, out->exec_mask);
    }
    hd_specials_fill(sm, warp, f);
    if (f->stack_row != HD_ROW_NONE)
        for (unsigned l = 0; l < HD_LANES; l++)
            hd_lanes_row(&w->regs, f->stack_row)[l] =
                (uint32_t) new->local + ((f->local_bytes + 15) & ~15u);
    hd_simt_call(&sm->simt, warp, out->exec_mask, later, f->first_pc, new->number);
    return true;
}

// The frames in use, their registers, and the used part of local memory. Pointers of frames depend
// only on where the stack is.
void hd_call_snapshot(struct hd_emu_sm *sm, unsigned warp, struct hd_snapshot *k)
{
    struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_simt *s = &sm->simt;
    uint32_t last = s->frame[warp];
    uint64_t local = 0;

    for (uint32_t i = 0; i < s->depth[warp]; i++)
        last = s->below[warp][i].frame > last ? s->below[warp][i].frame : last;
    for (uint32_t i = 0; i <= last; i++) {
        struct hd_emu_frame *f = &w->frames[i];
        if (i) {
            hd_snapshot_part(k, f, sizeof *f);
            place_regs(sm, warp, f);
            hd_snapshot_part(k, f->rows, f->func->n_rows * ROW_BYTES);
            hd_snapshot_part(k, f->preds, f->func->n_preds * sizeof *f->preds);
        }
        run_frame(w, f);
        local = local_end(w, f) > local ? local_end(w, f) : local;
    }
    for (unsigned l = 0; l < HD_LANES; l++)
        hd_snapshot_part(k, w->local + l * w->local_bytes, local);
    run_frame(w, &w->frames[s->frame[warp]]);
}

// --- targets

static const struct hd_func *func_at(const struct hd_program *p, uint64_t address)
{
    uint64_t i = (address - HD_WINDOW_CODE) / HD_CODE_STEP;

    if (address < HD_WINDOW_CODE || i >= p->n_funcs || address % HD_CODE_STEP ||
        p->funcs[i].is_kernel)
        return NULL;
    return &p->funcs[i];
}

static bool same_args(const struct hd_call *c, const struct hd_func *f)
{
    if (c->n_rets != f->n_rets || c->n_args != f->n_args)
        return false;
    for (unsigned i = 0; i < (unsigned)c->n_rets + c->n_args; i++)
        if (c->args[i].bytes != f->args[i].bytes && f->args[i].bytes)
            return false;
    return true;
}

static bool indirect(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     const struct hd_call *call, struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t all = out->exec_mask, lanes = 0;
    uint64_t to[HD_LANES], first;
    char detail[160];

    memcpy(to, hd_lanes_source(&w->regs, in->src[0]), sizeof to);
    first = to[__builtin_ctz(all)];
    for (uint32_t m = all; m; m &= m - 1)
        if (to[__builtin_ctz(m)] == first)
            lanes |= m & -m;
    out->exec_mask = lanes;
    const struct hd_func *f = func_at(w->program, first);
    if (f && same_args(call, f))
        return enter(sm, warp, call, f, all & ~lanes, out);
    if (f)
        snprintf(detail, sizeof detail,
                 "the prototype of this call is not that of `%.60s`, which it calls", f->name);
    else
        snprintf(detail, sizeof detail, "call of 0x%" PRIx64 ", which is no function", first);
    return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL, detail);
}

// A function that the device provides.
static bool provided(struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                     struct hd_effects *out)
{
    const struct hd_emu *e = sm->emu;

    if (sm->touched)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL, HD_NOT_BESIDE);
    if (!e->runtime)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL,
                              "a call of the device's runtime, which this machine does not have");
    return e->runtime->call(e->runtime_ctx, sm, warp, call, out);
}

bool hd_call_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out)
{
    const struct hd_program *p = sm->warps[warp].program;
    const struct hd_call *call = &p->calls[in->imm];

    if (out->exec_mask && call->builtin == HD_BUILTIN_NONE)
        return call->func == HD_CALL_INDIRECT
                   ? indirect(sm, warp, in, call, out)
                   : enter(sm, warp, call, &p->funcs[call->func], 0, out);
    if (out->exec_mask && !provided(sm, warp, call, out))
        return false;
    hd_simt_next(&sm->simt, warp);
    return true;
}

void hd_call_return(struct hd_emu_sm *sm, unsigned warp, uint32_t lanes)
{
    struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_emu_frame *top = &w->frames[sm->simt.frame[warp]];
    const struct hd_emu_frame *below = &w->frames[top->parent];
    struct hd_lane_regs regs = {.rows = below->rows, .pool = w->regs.pool, .preds = below->preds};
    struct side from = {&w->regs, top->local}, to = {&regs, below->local};

    for (unsigned i = 0; i < top->func->n_rets; i++) {
        const struct hd_arg *a = &top->func->args[i], *b = &top->call->args[i];
        if (b->row != HD_ROW_NONE || b->bytes)
            copy(w, &from, a, &to, b, lanes);
    }
    hd_simt_return(&sm->simt, warp, lanes);
}
