// scoreboard.c - registers reserved by instructions in flight, and the long-operation marks.
//
// One bit per PTX virtual register and warp (timing-model 6). RAW and WAW hazards are refused; WAR
// is not a hazard because operands are read in order. warps.c updates what a warp can do.
//
// A long mark outlives the load that set it. Only writeback from the ALU pipes and loads that hit
// clear it (O4). Neither a new warp in the slot nor another kernel clears it, so a kernel finds the
// marks of the last one on its own registers of the same numbers.
#include "sm/sm_internal.h"

#include <limits.h>
#include <string.h>

void hd_scoreboard_fit(struct hd_sm *sm, struct hd_arena *a, uint32_t n_regs)
{
    uint32_t words = (n_regs + 63) / 64, had = sm->sb_words;
    uint64_t *rows;

    if (words <= had)
        return;
    rows = HD_ARRAY(a, uint64_t, (size_t)words * HD_SB_ROWS * HD_MAX_WARPS);
    for (unsigned w = 0; w < HD_MAX_WARPS; w++, rows += (size_t)words * HD_SB_ROWS) {
        if (had)
            memcpy(rows + (size_t)HD_SB_LONG * words, hd_scoreboard_row(sm, w, HD_SB_LONG),
                   had * sizeof *rows);
        sm->warps[w].scoreboard = rows;
    }
    sm->sb_words = words;
}

static inline bool test(const uint64_t *bits, uint16_t id)
{
    return id != HD_SB_NONE && (bits[id / 64] >> (id % 64) & 1);
}

static void reserve(struct hd_sm *sm, unsigned w, const uint16_t *ids, unsigned most, bool memory,
                    bool is_long)
{
    uint64_t *bits = hd_scoreboard_row(sm, w, HD_SB_RESERVED),
             *marks = hd_scoreboard_row(sm, w, HD_SB_LONG);
    uint64_t *by_memory = hd_scoreboard_row(sm, w, HD_SB_MEMORY);

    for (unsigned i = 0; i < most && ids[i] != HD_SB_NONE; i++) {
        uint64_t bit = UINT64_C(1) << (ids[i] % 64);
        if (!(bits[ids[i] / 64] & bit)) {
            bits[ids[i] / 64] |= bit;
            sm->warps[w].n_reserved++;
        }
        if (memory)
            by_memory[ids[i] / 64] |= bit;
        if (is_long && !(marks[ids[i] / 64] & bit)) {
            marks[ids[i] / 64] |= bit;
            sm->warps[w].n_long++;
        }
    }
}

void hd_scoreboard_reserve(struct hd_sm *sm, unsigned w, const struct hd_deps *d, bool is_long)
{
    bool memory = d->flags & HD_DEP_OFFCHIP;

    reserve(sm, w, d->dst, 4, memory, is_long);
    if (d->flags & HD_DEP_WIDE)
        reserve(sm, w, sm->program->wides[d->wide].dst, UINT_MAX, memory, is_long);
    if (sm->warps[w].n_reserved)
        sm->regs_out |= hd_bit((int)w);
}

static void release(struct hd_sm *sm, unsigned w, const uint16_t *ids, unsigned most,
                    bool clear_long)
{
    uint64_t *bits = hd_scoreboard_row(sm, w, HD_SB_RESERVED),
             *marks = hd_scoreboard_row(sm, w, HD_SB_LONG);
    uint64_t *memory = hd_scoreboard_row(sm, w, HD_SB_MEMORY);

    for (unsigned i = 0; i < most && ids[i] != HD_SB_NONE; i++) {
        uint64_t bit = UINT64_C(1) << (ids[i] % 64);
        if (bits[ids[i] / 64] & bit) {
            bits[ids[i] / 64] &= ~bit;
            memory[ids[i] / 64] &= ~bit;
            sm->warps[w].n_reserved--;
        }
        if (clear_long && (marks[ids[i] / 64] & bit)) {
            marks[ids[i] / 64] &= ~bit;
            sm->warps[w].n_long--;
        }
    }
}

void hd_scoreboard_release(struct hd_sm *sm, unsigned w, const struct hd_deps *d, bool clear_long)
{
    release(sm, w, d->dst, 4, clear_long);
    if (d->flags & HD_DEP_WIDE)
        release(sm, w, sm->program->wides[d->wide].dst, UINT_MAX, clear_long);
    if (!sm->warps[w].n_reserved)
        sm->regs_out &= ~hd_bit((int)w);
}

// Whether one of a list of registers, which ends at the first HD_SB_NONE, is in the row.
static inline bool any_of(const uint64_t *bits, const uint16_t *ids, unsigned most)
{
    for (unsigned i = 0; i < most && ids[i] != HD_SB_NONE; i++)
        if (bits[ids[i] / 64] >> (ids[i] % 64) & 1)
            return true;
    return false;
}

static bool any_wide(const uint64_t *bits, const struct hd_wide *x)
{
    return any_of(bits, x->dst, UINT_MAX) || any_of(bits, x->src, UINT_MAX);
}

static bool any(const struct hd_sm *sm, const uint64_t *bits, const struct hd_deps *d)
{
    return any_of(bits, d->dst, 4) || any_of(bits, d->src, 4) || test(bits, d->addr[0]) ||
           test(bits, d->addr[1]) || test(bits, d->guard) ||
           (d->flags & HD_DEP_WIDE && any_wide(bits, &sm->program->wides[d->wide]));
}

bool hd_scoreboard_collides(const struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    return any(sm, hd_scoreboard_row(sm, w, HD_SB_RESERVED), d);
}

bool hd_scoreboard_memory(const struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    return any(sm, hd_scoreboard_row(sm, w, HD_SB_MEMORY), d);
}

bool hd_scoreboard_long(const struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    return any_of(hd_scoreboard_row(sm, w, HD_SB_LONG), d->src, 4);
}
