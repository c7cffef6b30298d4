// unroll.c - which loops ptxas unrolls.
//
// ptxas unrolls a loop four times, and lets a second copy of the loop execute what remains, if the
// number of iterations can be computed when the loop begins. Comparing SASS with PTX shows what the
// loop needs for that:
//
//   - it is one basic block without barriers and calls;
//   - a counter changes by a constant once per iteration, and the loop ends by comparing the
//     counter with a value that the loop does not change. A step that is a register, as in
//     grid-stride loops, is not enough;
//   - it is small (MOST_INSNS);
//   - no .pragma "nounroll" precedes it. Compilers write one before the remainder of a loop that
//     they have unrolled themselves; the unrolled part is unrolled again here.
//
// Loops with known numbers of iterations may be unrolled further, or completely. That is not
// modelled.
#include "ptx/unroll.h"

#define MOST_INSNS 46

static bool is_innermost(const struct hd_flow *f, uint32_t b)
{
    for (uint32_t s = f->succ_first[b]; s < f->succ_first[b + 1]; s++)
        if (f->succs[s] == b)
            return true;
    return false;
}

// Whether the block is small and contains nothing that prevents overlapping its copies.
static bool is_plain(const struct hd_pressure *p, uint32_t b)
{
    uint32_t first = p->flow->first[b], last = p->flow->first[b + 1] - 1;

    if (last - first + 1 > MOST_INSNS || p->insns[first].nounroll)
        return false;
    for (uint32_t i = first; i < last; i++)
        if (p->insns[i].kind == HD_PRESSURE_FENCE || p->insns[i].kind == HD_PRESSURE_JUMP)
            return false;
    return p->insns[last].kind == HD_PRESSURE_JUMP;
}

// The only instruction of the block that writes the register; first[b + 1] if there is none, or
// more than one.
static uint32_t writer(const struct hd_pressure *p, const uint32_t *first_ref, uint32_t b,
                       uint32_t reg)
{
    uint32_t end = p->flow->first[b + 1], found = end;

    for (uint32_t r = first_ref[p->flow->first[b]]; r < first_ref[end]; r++)
        if (p->refs[r].reg == reg && p->refs[r].kind != HD_LIVE_USE) {
            if (found != end || p->refs[r].kind == HD_LIVE_MAYBE)
                return end;
            found = p->refs[r].insn;
        }
    return found;
}

static bool is_written(const struct hd_pressure *p, const uint32_t *first_ref, uint32_t b,
                       uint32_t reg)
{
    for (uint32_t r = first_ref[p->flow->first[b]]; r < first_ref[p->flow->first[b + 1]]; r++)
        if (p->refs[r].reg == reg && p->refs[r].kind != HD_LIVE_USE)
            return true;
    return false;
}

bool hd_unroll_block(const struct hd_pressure *p, const uint32_t *first_ref, uint32_t b)
{
    uint32_t end = p->flow->first[b + 1], counters = 0, test;

    if (!is_innermost(p->flow, b) || !is_plain(p, b) || first_ref[end] - first_ref[end - 1] != 1)
        return false; // the jump has only one reference, its guard
    test = writer(p, first_ref, b, p->refs[first_ref[end - 1]].reg);
    if (test == end || !p->insns[test].test)
        return false;
    for (uint32_t r = first_ref[test]; r < first_ref[test + 1]; r++) {
        uint32_t reg = p->refs[r].reg, step;
        if (p->refs[r].kind != HD_LIVE_USE || !is_written(p, first_ref, b, reg))
            continue;
        step = writer(p, first_ref, b, reg);
        if (step == end || !p->insns[step].step)
            return false;
        counters++;
    }
    return counters == 1;
}
