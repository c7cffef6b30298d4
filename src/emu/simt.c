// simt.c - branches, joins and exits on the SIMT stack. See simt.h.
#include "emu/simt.h"

#include "base/bug.h"

void hd_simt_init(struct hd_simt *s, struct hd_arena *a, unsigned path_order)
{
    s->own = hd_arena_get(a, (size_t)HD_MAX_WARPS * HD_SIMT_DEPTH, sizeof *s->own);
    s->taken_first = path_order != 0;
    for (unsigned w = 0; w < HD_MAX_WARPS; w++) {
        hd_simt_room(s, w, NULL, HD_SIMT_DEPTH);
        hd_simt_clear(s, w);
    }
}

void hd_simt_room(struct hd_simt *s, unsigned warp, struct hd_simt_entry *room, uint32_t cap)
{
    s->below[warp] = room ? room : s->own + (size_t)warp * HD_SIMT_DEPTH;
    s->cap[warp] = cap;
}

void hd_simt_start(struct hd_simt *s, unsigned warp, uint32_t pc, uint32_t lanes)
{
    s->pc[warp] = lanes ? pc : HD_PC_NONE;
    s->lanes[warp] = s->alive[warp] = lanes;
    s->reconv[warp] = HD_PC_NONE;
    s->frame[warp] = 0;
    s->depth[warp] = 0;
    s->parked[warp] = s->passed[warp] = 0;
    s->mixed[warp] = false;
}

void hd_simt_clear(struct hd_simt *s, unsigned warp)
{
    hd_simt_start(s, warp, HD_PC_NONE, 0);
}

// Moves the top entry below those that will be pushed, as the entry that waits at `pc`.
static void push_below(struct hd_simt *s, unsigned warp, uint32_t pc, uint32_t lanes,
                       uint32_t reconv)
{
    HD_BUG_IF(s->depth[warp] >= s->cap[warp], "SIMT stack of warp %u overflows", warp);
    s->below[warp][s->depth[warp]++] = (struct hd_simt_entry){pc, lanes, reconv, s->frame[warp]};
}

void hd_simt_pop(struct hd_simt *s, unsigned warp)
{
    uint32_t frame = s->frame[warp];

    do {
        if (!s->depth[warp]) {
            hd_simt_clear(s, warp);
            break;
        }
        const struct hd_simt_entry *e = &s->below[warp][--s->depth[warp]];
        s->pc[warp] = e->pc;
        s->lanes[warp] = e->lanes & s->alive[warp];
        s->reconv[warp] = e->reconv;
        s->frame[warp] = e->frame;
        // Two entries may wait for the same point: reaching the outer join reaches the inner one.
    } while (!s->lanes[warp] || s->pc[warp] == s->reconv[warp]);
    if (s->frame[warp] != frame && s->reframe)
        s->reframe(s, warp);
}

void hd_simt_diverge(struct hd_simt *s, unsigned warp, uint32_t taken, uint32_t target,
                     uint32_t reconv)
{
    uint32_t lanes = s->lanes[warp], top_reconv = s->reconv[warp];
    uint32_t next = s->pc[warp] + 1;

    // The group that runs last is pushed first: that of the highest lane, or the fall-through.
    bool taken_last = !s->taken_first && taken > (lanes & ~taken);
    struct hd_simt_entry first = {next, lanes & ~taken, reconv, 0},
                         second = {target, taken, reconv, 0};
    if (taken_last) {
        struct hd_simt_entry t = first;
        first = second;
        second = t;
    }
    if (reconv != top_reconv)
        push_below(s, warp, reconv, lanes, top_reconv);
    if (first.pc != reconv && second.pc != reconv)
        push_below(s, warp, first.pc, first.lanes, first.reconv);
    const struct hd_simt_entry *top = second.pc != reconv ? &second : &first;
    s->pc[warp] = top->pc;
    s->lanes[warp] = top->lanes;
    s->reconv[warp] = reconv;
}

uint8_t hd_simt_switch(struct hd_simt *s, unsigned warp, uint32_t jumping,
                       const uint32_t target[HD_LANES], uint32_t reconv)
{
    uint32_t lanes = s->lanes[warp], top_reconv = s->reconv[warp], left = lanes, first = 0;
    uint32_t to[HD_LANES], next = s->pc[warp] + 1;
    uint8_t flags = jumping ? HD_EFF_TAKEN : 0;

    for (unsigned l = 0; l < HD_LANES; l++)
        to[l] = jumping >> l & 1 ? target[l] : next;
    for (; left; left &= ~first) { // groups by their highest lane; the first of them runs last
        uint32_t pc = to[31 - __builtin_clz(left)];
        first = 0;
        for (uint32_t m = left; m; m &= m - 1)
            first |= to[__builtin_ctz(m)] == pc ? m & -m : 0;
        if (first == lanes) {
            s->pc[warp] = pc;
            if (pc == top_reconv)
                hd_simt_pop(s, warp);
            return flags;
        }
        if (left == lanes && reconv != top_reconv)
            push_below(s, warp, reconv, lanes, top_reconv);
        if (pc != reconv)
            push_below(s, warp, pc, first, reconv);
    }
    hd_simt_pop(s, warp); // the last group runs
    return (uint8_t)(flags | HD_EFF_DIVERGED);
}

uint8_t hd_simt_exit(struct hd_simt *s, unsigned warp, uint32_t lanes)
{
    s->alive[warp] &= ~lanes;
    s->lanes[warp] &= ~lanes;
    s->pc[warp]++;
    if (!s->lanes[warp] || s->pc[warp] == s->reconv[warp])
        hd_simt_pop(s, warp);
    return lanes ? HD_EFF_EXITED : 0;
}

// Removes entry k; those above it move down.
static struct hd_simt_entry take_out(struct hd_simt *s, unsigned warp, unsigned k)
{
    struct hd_simt_entry *below = s->below[warp], e = below[k];

    for (unsigned i = k + 1; i < s->depth[warp]; i++)
        below[i - 1] = below[i];
    s->depth[warp]--;
    return e;
}

// An entry that contains none of the lanes above it is an independent path, and the order of paths
// is free. An entry that contains some of them waits for the paths above it to arrive.
enum hd_simt_meeting hd_simt_meet(struct hd_simt *s, unsigned warp, uint32_t missing,
                                  uint32_t *where)
{
    uint32_t above = s->lanes[warp], lanes = 0;
    unsigned k = s->depth[warp];

    *where = HD_PC_NONE;
    while (k-- > 0) {
        if (s->below[warp][k].frame !=
            s->frame[warp]) // frames end in order: lanes cannot pass a call
            return HD_SIMT_APART;
        lanes = s->below[warp][k].lanes & s->alive[warp];
        if (lanes & missing)
            break;
        above |= lanes;
    }
    if (k >= s->depth[warp])
        return HD_SIMT_APART;
    const struct hd_simt_entry *found = &s->below[warp][k];
    bool here = found->pc == s->pc[warp];
    *where = found->pc;
    if (lanes & above || (here && found->reconv != s->reconv[warp]) ||
        (!here && !(lanes & ~s->parked[warp])))
        return HD_SIMT_APART;
    struct hd_simt_entry e = take_out(s, warp, k);
    if (here) {
        s->lanes[warp] |= lanes;
        return HD_SIMT_JOINED;
    }
    s->parked[warp] |= s->lanes[warp];
    push_below(s, warp, s->pc[warp], s->lanes[warp], s->reconv[warp]);
    s->pc[warp] = e.pc;
    s->lanes[warp] = lanes;
    s->reconv[warp] = e.reconv;
    return HD_SIMT_PARKED;
}

void hd_simt_split(struct hd_simt *s, unsigned warp, uint32_t stay, uint32_t later)
{
    uint32_t pc = s->pc[warp], next = pc + 1, lanes = s->lanes[warp];

    if (next != s->reconv[warp])
        push_below(s, warp, next, lanes, s->reconv[warp]);
    if (stay && later)
        push_below(s, warp, pc, later, next);
    s->lanes[warp] = stay ? stay : later;
    s->reconv[warp] = next;
}

uint32_t hd_simt_own(const struct hd_simt *s, unsigned warp, unsigned k, bool *leaf)
{
    const struct hd_simt_entry *below = s->below[warp];
    uint32_t own = below[k].lanes & s->alive[warp], above = s->lanes[warp];

    for (unsigned i = k + 1; i < s->depth[warp]; i++)
        above |= below[i].lanes;
    *leaf = own && !(own & above);
    return own & ~above;
}

bool hd_simt_has_room(const struct hd_simt *s, unsigned warp)
{
    // Once more the entries, to put them in another order, and what the lanes of the top can push.
    return 2 * (s->depth[warp] + 2) + HD_SIMT_DEPTH <= s->cap[warp];
}

// How many entries up to and with e[i] contain both the lanes `way` and those of e[i].
static unsigned common_ancestors(const struct hd_simt_entry *e, unsigned i, uint32_t way)
{
    unsigned n = 0;

    for (unsigned k = 0; k <= i; k++)
        n += !(way & ~e[k].lanes) && !(e[i].lanes & ~e[k].lanes);
    return n;
}

// Puts the entries in the order of a walk that ends with the entries that contain the lanes `way`
// and what hangs from the last of them. Otherwise the order stays. Drops entries without lanes.
static void walk_towards(struct hd_simt *s, unsigned warp, uint32_t way)
{
    struct hd_simt_entry *to = s->below[warp], *from = to + s->cap[warp] - s->depth[warp];
    unsigned n = 0, done = 0;

    for (unsigned i = 0; i < s->depth[warp]; i++) {
        struct hd_simt_entry e = to[i];
        e.lanes &= s->alive[warp];
        if (e.lanes)
            from[n++] = e;
    }
    for (unsigned ancestors = 0; done < n; ancestors++)
        for (unsigned i = 0; i < n; i++)
            if (common_ancestors(from, i, way) == ancestors)
                to[done++] = from[i];
    s->depth[warp] = n;
    s->mixed[warp] = true;
}

static void set_top(struct hd_simt *s, unsigned warp, const struct hd_simt_entry *e)
{
    uint32_t frame = s->frame[warp];

    s->pc[warp] = e->pc;
    s->lanes[warp] = e->lanes & s->alive[warp];
    s->reconv[warp] = e->reconv;
    s->frame[warp] = e->frame;
    if (e->frame != frame && s->reframe)
        s->reframe(s, warp);
}

void hd_simt_raise(struct hd_simt *s, unsigned warp, unsigned k)
{
    uint32_t lanes = s->below[warp][k].lanes & s->alive[warp];

    push_below(s, warp, s->pc[warp], s->lanes[warp], s->reconv[warp]);
    walk_towards(s, warp, lanes);
    set_top(s, warp, &s->below[warp][--s->depth[warp]]);
}

void hd_simt_release(struct hd_simt *s, unsigned warp, unsigned k)
{
    bool leaf;
    struct hd_simt_entry e = s->below[warp][k];

    e.lanes = hd_simt_own(s, warp, k, &leaf);
    s->below[warp][k].lanes &= ~e.lanes;
    push_below(s, warp, s->pc[warp], s->lanes[warp], s->reconv[warp]);
    walk_towards(s, warp, e.lanes);
    set_top(s, warp, &e);
}

uint32_t hd_simt_unite(struct hd_simt *s, unsigned warp, unsigned k)
{
    const struct hd_simt_entry e = s->below[warp][k];
    uint32_t lanes = e.lanes & s->alive[warp], top = s->lanes[warp];

    if (e.pc != s->pc[warp] || e.reconv != s->reconv[warp] || e.frame != s->frame[warp])
        return 0;
    for (unsigned i = 0; i < s->depth[warp]; i++) // do both hang from the same entry?
        if (i != k && !(s->below[warp][i].lanes & lanes) != !(s->below[warp][i].lanes & top))
            return 0;
    take_out(s, warp, k);
    s->lanes[warp] |= lanes;
    return lanes;
}

uint32_t hd_simt_waiting_at(const struct hd_simt *s, unsigned warp, uint32_t lanes, uint32_t pc)
{
    uint32_t above = s->lanes[warp], found = 0;

    for (unsigned k = s->depth[warp]; k-- > 0;) {
        const struct hd_simt_entry *e = &s->below[warp][k];
        if (e->pc == pc)
            found |= e->lanes & ~above;
        above |= e->lanes;
    }
    return found & lanes & s->alive[warp];
}

void hd_simt_call(struct hd_simt *s, unsigned warp, uint32_t called, uint32_t later,
                  uint32_t target, uint32_t frame)
{
    uint32_t here = s->pc[warp], back = here + 1, lanes = s->lanes[warp];

    if (!later || s->reconv[warp] != back)
        push_below(s, warp, back, lanes, s->reconv[warp]);
    if (later)
        push_below(s, warp, here, later, back);
    s->pc[warp] = target;
    s->lanes[warp] = called;
    s->reconv[warp] = HD_PC_NONE;
    s->frame[warp] = frame;
}

void hd_simt_return(struct hd_simt *s, unsigned warp, uint32_t lanes)
{
    uint32_t frame = s->frame[warp];

    s->lanes[warp] &= ~lanes;
    for (uint32_t i = s->depth[warp]; i-- > 0;) {
        if (s->below[warp][i].frame == frame)
            s->below[warp][i].lanes &= ~lanes;
        else if (!s->mixed[warp])
            break;
    }
    s->pc[warp]++;
    if (!s->lanes[warp] || s->pc[warp] == s->reconv[warp])
        hd_simt_pop(s, warp);
}
