// emu.c - the emulator's storage: modules, launches, blocks and warps.
//
// Where PTX leaves values undefined they are zero, so that every run gives the same bytes:
// registers, shared and local memory of a starting block.
#include "emu/emu.h"

#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/touched.h"
#include "emu/watch.h"

#include <string.h>

#define ROW_BYTES (HD_LANES * sizeof(uint32_t))

static void init_sm(struct hd_emu *e, struct hd_emu_sm *sm)
{
    sm->emu = e;
    sm->lanes = hd_lanes_pick();
    sm->access = hd_access_pick();
    sm->whole = hd_whole_pick();
    sm->global = hd_memory_view(e->memory);
    hd_simt_init(&sm->simt, e->arena, e->config.path_order);
    sm->simt.reframe = hd_call_reframe;
    sm->stores = HD_ARRAY(e->arena, struct hd_emu_store, HD_EMU_STORES);
    sm->atomics = HD_ARRAY(e->arena, struct hd_emu_atomic, HD_MAX_WARPS);
}

static void free_sm(struct hd_emu_sm *sm)
{
    hd_call_free(sm);
    hd_arena_free(sm->arena);
    sm->arena = NULL;
}

struct hd_emu *hd_emu_new(struct hd_arena *a, const struct hd_emu_config *c, struct hd_memory *m)
{
    struct hd_emu *e = HD_NEW(a, hd_emu);

    HD_BUG_IF(!c->sms || c->warps > HD_MAX_WARPS || c->tbs > HD_MAX_TBS,
              "%u SMs with %u warp and %u block slots", c->sms, c->warps, c->tbs);
    e->arena = hd_arena_new(); // storage grows with the launches, so not the caller's arena
    e->memory = m;
    e->config = *c;
    e->stack_limit = HD_EMU_STACK;
    e->sms = HD_ARRAY(e->arena, struct hd_emu_sm, c->sms);
    for (unsigned i = 0; i < c->sms; i++)
        init_sm(e, &e->sms[i]);
    return e;
}

void hd_emu_free(struct hd_emu *e)
{
    if (e && e->arena) {
        for (unsigned i = 0; i < e->config.sms; i++)
            free_sm(&e->sms[i]);
        hd_touched_free(e->touched);
        hd_arena_free(e->arena);
        e->arena = NULL;
    }
}

void hd_emu_limit_stack(struct hd_emu *e, uint32_t bytes)
{
    e->stack_limit = bytes;
}

static uint64_t const_extent(const struct hd_emu *e, const struct hd_program *p)
{
    uint64_t end = hd_memory_has_pages(e->memory) ? HD_CONST_BANK : 0;

    for (uint32_t i = 0; i < p->n_symbols; i++)
        if (p->symbols[i].space == HD_SPACE_CONST &&
            p->symbols[i].address + p->symbols[i].bytes > end)
            end = p->symbols[i].address + p->symbols[i].bytes;
    return end;
}

static bool place_global(struct hd_emu *e, struct hd_program *p, struct hd_symbol *s,
                         uint64_t module, struct hd_diag *d)
{
    s->address = hd_memory_place(e->memory, module + s->place, s->bytes, s->name);
    if (!s->address) // too large for the room below the buffers
        s->address = hd_memory_alloc(e->memory, s->bytes, s->name);
    if (!s->address)
        hd_diag_add(d, p->path, 0, 0, "no room for the %u bytes of global variable `%s`", s->bytes,
                    s->name);
    return s->address != 0;
}

// Writes the addresses of global variables where the program uses them.
static void relocate(const struct hd_program *p)
{
    for (uint32_t i = 0; i < p->n_relocs; i++) {
        const struct hd_reloc *r = &p->relocs[i];
        uint64_t value = r->addend + p->symbols[r->symbol].address;
        uint8_t byte = (uint8_t)(value >> r->shift);
        if (!r->words)
            memcpy(r->at, &byte, 1);
        for (uint32_t k = 0; k < r->words; k++)
            memcpy((uint8_t *)r->at + 8 * k, &value, 8);
    }
}

bool hd_emu_load(struct hd_emu *e, struct hd_program *p, struct hd_diag *d)
{
    struct hd_emu_module *m = HD_PUSH(e->arena, e->modules, e->n_modules, e->modules_cap);

    *m = (struct hd_emu_module){.program = p, .const_bytes = const_extent(e, p)};
    m->consts = m->const_bytes ? HD_ARRAY(e->arena, uint8_t, m->const_bytes) : NULL;
    uint64_t module = (e->variables + HD_GRANULE - 1) & ~(uint64_t)(HD_GRANULE - 1);
    for (uint32_t i = 0; i < p->n_symbols; i++) {
        struct hd_symbol *s = &p->symbols[i];
        if (s->space != HD_SPACE_GLOBAL)
            continue;
        if (!place_global(e, p, s, module, d))
            return false;
        uint64_t end = module + s->place + s->bytes;
        e->variables = end > e->variables ? end : e->variables;
    }
    relocate(p);
    m->forms = hd_stretch_forms(e->arena, p, e->sms[0].lanes);
    for (uint32_t i = 0; i < p->n_symbols; i++) {
        const struct hd_symbol *s = &p->symbols[i];
        if (s->init && s->bytes && m->consts && s->space == HD_SPACE_CONST)
            memcpy(m->consts + s->address, s->init, s->bytes);
        else if (s->init && s->space == HD_SPACE_GLOBAL)
            hd_memory_write(e->memory, s->address, s->init, s->bytes);
    }
    return true;
}

static struct hd_emu_module *module_of(struct hd_emu *e, const struct hd_program *p)
{
    for (size_t i = 0; i < e->n_modules; i++)
        if (e->modules[i].program == p)
            return &e->modules[i];
    HD_BUG("%s was not loaded", p->path);
}

// Storage of at least `want` bytes; its contents are lost. Never NULL, even for 0 bytes, because
// offsets are added to it.
static void *grow(struct hd_emu_sm *sm, void *old, size_t *have, size_t want)
{
    if (old && want <= *have)
        return old;
    *have = want > *have + *have / 2 ? want : *have + *have / 2;
    return hd_arena_get(hd_emu_arena(sm), *have, 1);
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static uint32_t threads_of(const struct hd_launch *l)
{
    return l->block[0] * l->block[1] * l->block[2];
}

static struct hd_emu_needs needs_of(const struct hd_emu *e, const struct hd_launch *l)
{
    const struct hd_func *f = l->kernel;
    struct hd_emu_needs n = {.rows = round_up(f->n_rows, 2) * HD_LANES,
                             .preds = round_up(f->n_preds, 16),
                             .shared =
                                 round_up((size_t)f->shared_bytes + l->dynamic_shared, ROW_BYTES)};

    hd_call_needs(e, f, &n);
    // In a kernel with calls, local memory is in its stack.
    n.local = n.stack_limit ? 0 : round_up(f->local_bytes, 16) * HD_LANES;
    return n;
}

void hd_emu_prepare_sm(struct hd_emu_sm *sm)
{
    sm->prepared = true;
    hd_copies_prepare(sm);
}

void hd_emu_bind(struct hd_emu *e, unsigned sm)
{
    e->sms[sm].direct = false;
    hd_emu_prepare_sm(&e->sms[sm]);
}

void hd_emu_prepare(struct hd_emu *e)
{
    for (unsigned i = 0; i < e->config.sms; i++)
        hd_emu_bind(e, i);
}

void hd_emu_watch(struct hd_emu *e, bool on)
{
    for (unsigned i = 0; i < e->config.sms; i++) {
        struct hd_emu_sm *sm = &e->sms[i];
        sm->watching = on;
        if (on)
            hd_watch_start(sm);
        for (unsigned w = 0; w < HD_MAX_WARPS; w++)
            if (sm->warps[w].program)
                sm->warps[w].n_insns = on ? 0 : sm->warps[w].program->n_insns;
    }
}

void hd_emu_strict(struct hd_emu *e, bool strict)
{
    e->strict = strict;
}

const struct hd_emu_absence *hd_emu_absences(const struct hd_emu *e, size_t *n)
{
    *n = e->n_absences;
    return e->absences;
}

void hd_emu_outsiders(struct hd_emu *e, bool (*outsiders)(void))
{
    e->outsiders = outsiders;
}

uint64_t hd_emu_moved(const struct hd_emu *e, unsigned sm)
{
    return e->sms[sm].watch->moved;
}

uint64_t hd_emu_circles(const struct hd_emu *e, unsigned sm)
{
    const struct hd_emu_sm *s = &e->sms[sm];
    uint64_t circles = s->watch->circles;
    int w;

    HD_EACH(w, s->watch->circles) {
        if (hd_watch_outside(s, (unsigned)w))
            circles &= ~hd_bit(w);
    }
    return circles;
}

bool hd_emu_lockstep(const struct hd_emu *e)
{
    for (unsigned i = 0; i < e->config.sms; i++) {
        const struct hd_emu_sm *sm = &e->sms[i];
        for (unsigned w = 0; w < HD_MAX_WARPS; w++)
            if (sm->simt.pc[w] != HD_PC_NONE && !sm->warps[w].apart &&
                sm->simt.lanes[w] != sm->simt.alive[w])
                return true;
    }
    return false;
}

bool hd_emu_under_way(const struct hd_emu *e, unsigned sm)
{
    return hd_copies_under_way(&e->sms[sm]);
}

// Gives the block the storage of its slot, zeroed.
static void give_room(struct hd_emu_sm *sm, struct hd_emu_tb *t, struct hd_emu_block_room *room)
{
    const size_t rows = t->n_warps * t->needs.rows, preds = t->n_warps * t->needs.preds;

    t->rows = room->rows = grow(sm, room->rows, &room->have_rows, rows * sizeof *room->rows);
    t->preds = room->preds = grow(sm, room->preds, &room->have_preds, preds * sizeof *room->preds);
    t->shared = room->shared = grow(sm, room->shared, &room->have_shared, t->needs.shared);
    if (rows)
        sm->access->zero(t->rows, rows / HD_LANES);
    if (preds)
        memset(t->preds, 0, preds * sizeof *t->preds);
    if (t->needs.shared)
        sm->access->zero(t->shared, t->needs.shared / ROW_BYTES);
}

// Room for the entries of the SIMT stack, as the kernel needs it.
static void give_entries(struct hd_emu_sm *sm, unsigned slot, const struct hd_func *kernel,
                         const struct hd_emu_needs *n)
{
    struct hd_emu_room *room = &sm->rooms[slot];

    if (n->stack_limit) {
        hd_call_room(sm, slot, kernel, n);
    } else if (hd_paths_apart(kernel)) {
        if (!room->paths)
            room->paths = HD_ARRAY(hd_emu_arena(sm), struct hd_simt_entry, HD_SIMT_DEPTH_APART);
        hd_simt_room(&sm->simt, slot, room->paths, HD_SIMT_DEPTH_APART);
    } else {
        hd_simt_room(&sm->simt, slot, NULL, HD_SIMT_DEPTH);
    }
}

static void start_warp(struct hd_emu_sm *sm, const struct hd_tb *tb, const struct hd_emu_module *m,
                       unsigned i)
{
    const struct hd_program *p = tb->launch->program;
    const struct hd_func *f = tb->launch->kernel;
    unsigned slot = tb->first_warp + i;
    sm->waiting[slot].lanes = 0;
    uint32_t threads = threads_of(tb->launch) - i * HD_LANES;
    struct hd_emu_warp *w = &sm->warps[slot];
    const struct hd_emu_tb *t = &sm->tbs[tb->slot];
    const struct hd_emu_needs *n = &t->needs;
    struct hd_emu_room *room = &sm->rooms[slot];
    bool apart = hd_paths_apart(f);

    room->local = grow(sm, room->local, &room->have_local, n->local);
    if (n->stack_limit || apart || sm->simt.cap[slot] != HD_SIMT_DEPTH) // this or the last kernel
        give_entries(sm, slot, f, n);
    *w = (struct hd_emu_warp){
        .regs = {t->rows + i * n->rows, p->pool, t->preds + i * n->preds, (uint32_t)n->rows,
                 (uint32_t)n->preds},
        .insns = p->insns,
        .program = p,
        .tb = t,
        .local = room->local,
        .local_bytes = n->local / HD_LANES,
        .forms = m->forms,
        .n_insns = sm->watching ? 0 : p->n_insns,
        .index = i,
        .apart = apart,
    };
    hd_paths_start(sm, slot);
    if (n->local)
        memset(w->local, 0, n->local);
    if (sm->emu->runtime)
        sm->emu->runtime->warp_start(sm->emu->runtime_ctx, sm, slot);
    if (sm->watch)
        hd_watch_forget(sm, slot);
    if (n->stack_limit)
        hd_call_start(sm, slot);
    hd_specials_fill(sm, slot, f);
    hd_simt_start(&sm->simt, slot, f->first_pc,
                  threads >= HD_LANES ? UINT32_MAX : (1u << threads) - 1);
}

void hd_emu_tb_start(void *self, const struct hd_tb *tb)
{
    struct hd_emu_sm *sm = self;
    struct hd_emu_tb *t = &sm->tbs[tb->slot];
    const struct hd_emu_module *m = module_of(sm->emu, tb->launch->program);

    struct hd_emu_needs needs = needs_of(sm->emu, tb->launch);

    HD_BUG_IF(!sm->prepared || tb->slot >= HD_MAX_TBS ||
                  tb->first_warp + tb->n_warps > HD_MAX_WARPS,
              "block in slot %u, warps %u to %u: not prepared", tb->slot, tb->first_warp,
              tb->first_warp + tb->n_warps - 1);
    *t = (struct hd_emu_tb){
        .launch = tb->launch,
        .needs = needs,
        .index = {tb->index[0], tb->index[1], tb->index[2]},
        .linear = tb->linear,
        .first_warp = tb->first_warp,
        .n_warps = tb->n_warps,
        .shared_bytes = (uint64_t)tb->launch->kernel->shared_bytes + tb->launch->dynamic_shared,
        .consts = m->consts,
        .const_bytes = m->const_bytes,
    };
    give_room(sm, t, &sm->block_rooms[tb->slot]);
    hd_address_windows(t);
    hd_barrier_start(&t->barriers, hd_low(tb->n_warps) << tb->first_warp);
    for (unsigned i = 0; i < tb->n_warps; i++)
        start_warp(sm, tb, m, i);
    if (tb->parked)
        sm->emu->runtime->tb_return(sm->emu->runtime_ctx, sm, tb->slot,
                                    hd_parked_block_load(sm, t, tb->parked));
}

static void clear_slot(struct hd_emu_sm *sm, unsigned slot)
{
    struct hd_emu_tb *t = &sm->tbs[slot];

    for (unsigned i = 0; i < t->n_warps; i++)
        hd_simt_clear(&sm->simt, t->first_warp + i);
    t->n_warps = 0;
}

void hd_emu_tb_end(void *self, unsigned slot)
{
    struct hd_emu_sm *sm = self;
    const struct hd_emu *e = sm->emu;

    clear_slot(sm, slot);
    if (e->runtime)
        e->runtime->tb_end(e->runtime_ctx, sm, slot);
}

void hd_emu_tb_leave(void *self, unsigned slot)
{
    struct hd_emu_sm *sm = self;
    const struct hd_emu *e = sm->emu;
    struct hd_parked_block *b = hd_parked_block_save(sm, &sm->tbs[slot]);

    e->runtime->tb_leave(e->runtime_ctx, sm, slot, b);
    clear_slot(sm, slot);
}
