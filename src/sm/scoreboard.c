// scoreboard.c - registers reserved by instructions in flight, and the long-operation marks.
//
// One bit per PTX virtual register and warp (timing-model 6). RAW and WAW are refused, WAR is not a
// hazard here: operands are read in order. Release tells the front end, whose masks follow.
//
// A long mark outlives the load that set it: only writeback from the ALU pipes and loads that hit
// clear it (O4), not even a new warp in the slot does, nor another kernel, which then meets the
// marks of the last one on its own registers of the same numbers.
#include "sm/core.h"

#include <string.h>

static inline uint64_t *row(uint64_t *table, const struct hd_sm *sm, unsigned w)
{
    return table + (size_t)w * sm->sb_words;
}

void hd_scoreboard_fit(struct hd_sm *sm, struct hd_arena *a, uint32_t n_regs)
{
    uint32_t words = (n_regs + 63) / 64, had = sm->sb_words;
    const uint64_t *marks = sm->longop;

    if (words <= had)
        return;
    sm->reserved = HD_ARRAY(a, uint64_t, (size_t)words * HD_MAX_WARPS);
    sm->longop = HD_ARRAY(a, uint64_t, (size_t)words * HD_MAX_WARPS);
    sm->from_memory = HD_ARRAY(a, uint64_t, (size_t)words * HD_MAX_WARPS);
    sm->sb_words = words;
    for (unsigned w = 0; had && w < HD_MAX_WARPS; w++)
        memcpy(row(sm->longop, sm, w), marks + (size_t)w * had, had * sizeof *marks);
}

static inline bool test(const uint64_t *bits, uint16_t id)
{
    return id != HD_SB_NONE && (bits[id / 64] >> (id % 64) & 1);
}

void hd_scoreboard_reserve(struct hd_sm *sm, unsigned w, const struct hd_deps *d, bool is_long)
{
    uint64_t *bits = row(sm->reserved, sm, w), *marks = row(sm->longop, sm, w);
    uint64_t *memory = row(sm->from_memory, sm, w);

    for (unsigned i = 0; i < 4 && d->dst[i] != HD_SB_NONE; i++) {
        uint64_t bit = UINT64_C(1) << (d->dst[i] % 64);
        HD_DCHECK(!(bits[d->dst[i] / 64] & bit) || d->dst[i] == d->dst[0]);
        if (!(bits[d->dst[i] / 64] & bit)) {
            bits[d->dst[i] / 64] |= bit;
            sm->n_reserved[w]++;
        }
        if (d->flags & HD_DEP_OFFCHIP)
            memory[d->dst[i] / 64] |= bit;
        if (is_long)
            marks[d->dst[i] / 64] |= bit;
    }
    if (sm->n_reserved[w])
        sm->regs_out |= hd_bit((int)w);
}

void hd_scoreboard_release(struct hd_sm *sm, unsigned w, const struct hd_deps *d, bool clear_long)
{
    uint64_t *bits = row(sm->reserved, sm, w), *marks = row(sm->longop, sm, w);
    uint64_t *memory = row(sm->from_memory, sm, w);

    for (unsigned i = 0; i < 4 && d->dst[i] != HD_SB_NONE; i++) {
        uint64_t bit = UINT64_C(1) << (d->dst[i] % 64);
        if (bits[d->dst[i] / 64] & bit) {
            bits[d->dst[i] / 64] &= ~bit;
            memory[d->dst[i] / 64] &= ~bit;
            sm->n_reserved[w]--;
        }
        if (clear_long)
            marks[d->dst[i] / 64] &= ~bit;
    }
    if (!sm->n_reserved[w]) {
        sm->regs_out &= ~hd_bit((int)w);
        if (sm->membar & hd_bit((int)w)) // a fence waits for loads, not for stores (O12)
            hd_issue_wait(sm, &sm->membar, w, false);
    }
    hd_front_refresh(sm, w);
}

static bool any(const uint64_t *bits, const struct hd_deps *d)
{
    for (unsigned i = 0; i < 4; i++)
        if (test(bits, d->dst[i]) || test(bits, d->src[i]))
            return true;
    return test(bits, d->addr[0]) || test(bits, d->addr[1]) || test(bits, d->guard);
}

bool hd_scoreboard_collides(const struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    return sm->n_reserved[w] && any(row(sm->reserved, sm, w), d);
}

bool hd_scoreboard_memory(const struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    return any(row(sm->from_memory, sm, w), d);
}

bool hd_scoreboard_long(const struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    const uint64_t *marks = row(sm->longop, sm, w);

    for (unsigned i = 0; i < 4; i++)
        if (test(marks, d->src[i]))
            return true;
    return false;
}
