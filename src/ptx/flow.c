// flow.c - basic blocks and immediate post-dominators.
//
//   Cooper, Harvey, Kennedy. "A Simple, Fast Dominance Algorithm". 2001.
//
// The algorithm runs on the reversed graph, beginning at one virtual exit. Blocks from which no
// path leads to the exit (endless loops) are left out; their branches have no reconvergence point.
#include "ptx/flow.h"

#include "base/bug.h"

static uint32_t n_targets(const struct hd_flow_step *s)
{
    return s->kind == HD_FLOW_JUMP ? 1 : s->kind == HD_FLOW_TABLE ? s->n_targets : 0;
}

static uint32_t target(const struct hd_flow_step *s, uint32_t k)
{
    return s->kind == HD_FLOW_JUMP ? s->target : s->targets[k];
}

static void find_blocks(struct hd_flow *f, struct hd_arena *a, const struct hd_flow_step *steps)
{
    bool *leads = HD_ARRAY(a, bool, f->n_insns + 1);
    uint32_t b = 0;

    leads[0] = true;
    for (uint32_t i = 0; i < f->n_insns; i++) {
        if (steps[i].kind != HD_FLOW_NEXT)
            leads[i + 1] = true;
        for (uint32_t k = 0; k < n_targets(&steps[i]); k++) {
            HD_BUG_IF(target(&steps[i], k) >= f->n_insns, "jump to %u of %u", target(&steps[i], k),
                      f->n_insns);
            leads[target(&steps[i], k)] = true;
        }
    }
    for (uint32_t i = 0; i < f->n_insns; i++)
        f->n_blocks += leads[i];
    f->first = HD_ARRAY(a, uint32_t, f->n_blocks + 1);
    f->block_of = HD_ARRAY(a, uint32_t, f->n_insns);
    for (uint32_t i = 0; i < f->n_insns; i++) {
        if (leads[i])
            f->first[b++] = i;
        f->block_of[i] = b - 1;
    }
    f->first[b] = f->n_insns;
}

// Enter an edge unless the block has it already. stamp[to] is the last block that got an edge to
// `to`.
static void add_edge(struct hd_flow *f, uint32_t b, uint32_t to, uint32_t *stamp)
{
    if (stamp[to] == b + 1)
        return;
    stamp[to] = b + 1;
    f->succs[f->succ_first[b + 1]++] = to;
    f->pred_first[to + 1]++;
}

static void find_edges(struct hd_flow *f, struct hd_arena *a, const struct hd_flow_step *steps)
{
    uint32_t n = f->n_blocks, most = 0, *stamp = HD_ARRAY(a, uint32_t, n + 1);

    for (uint32_t b = 0; b < n; b++)
        most += n_targets(&steps[f->first[b + 1] - 1]) + 2;
    f->succ_first = HD_ARRAY(a, uint32_t, n + 1);
    f->succs = HD_ARRAY(a, uint32_t, most);
    f->pred_first = HD_ARRAY(a, uint32_t, n + 2);
    for (uint32_t b = 0; b < n; b++) {
        const struct hd_flow_step *last = &steps[f->first[b + 1] - 1];
        bool goes_on = last->kind == HD_FLOW_NEXT || last->guarded;

        f->succ_first[b + 1] = f->succ_first[b];
        HD_BUG_IF(goes_on && b + 1 == n, "control runs off the end of a function");
        for (uint32_t k = 0; k < n_targets(last); k++)
            add_edge(f, b, f->block_of[target(last, k)], stamp);
        if (last->kind == HD_FLOW_END)
            add_edge(f, b, n, stamp);
        if (goes_on)
            add_edge(f, b, b + 1, stamp);
    }
    for (uint32_t b = 0; b <= n; b++)
        f->pred_first[b + 1] += f->pred_first[b];
    f->preds = HD_ARRAY(a, uint32_t, f->succ_first[n] + 1);
    uint32_t *fill = HD_ARRAY(a, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = f->succ_first[b]; i < f->succ_first[b + 1]; i++)
            f->preds[f->pred_first[f->succs[i]] + fill[f->succs[i]]++] = b;
}

// Blocks in post-order of a depth-first walk over predecessors from the exit, which comes last.
// Returns their number; order[i] is a block, rank[b] its place in it, HD_FLOW_NONE if the walk does
// not reach b.
static uint32_t post_order(const struct hd_flow *f, struct hd_arena *a, uint32_t *order,
                           uint32_t *rank)
{
    uint32_t n = f->n_blocks, depth = 0, n_order = 0;
    uint32_t *stack = HD_ARRAY(a, uint32_t, n + 1);
    uint32_t *next = HD_ARRAY(a, uint32_t, n + 1);
    bool *seen = HD_ARRAY(a, bool, n + 1);

    for (uint32_t b = 0; b <= n; b++) {
        next[b] = f->pred_first[b];
        rank[b] = HD_FLOW_NONE;
    }
    stack[depth++] = n;
    seen[n] = true;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[b] == f->pred_first[b + 1]) {
            rank[b] = n_order;
            order[n_order++] = b;
            depth--;
            continue;
        }
        uint32_t pred = f->preds[next[b]++];
        if (!seen[pred]) {
            seen[pred] = true;
            stack[depth++] = pred;
        }
    }
    return n_order;
}

static void find_post_dominators(struct hd_flow *f, struct hd_arena *a)
{
    uint32_t n = f->n_blocks;
    uint32_t *order = HD_ARRAY(a, uint32_t, n + 1), *rank = HD_ARRAY(a, uint32_t, n + 1);
    uint32_t n_order = post_order(f, a, order, rank);
    bool changed = true;

    f->ipdom = HD_ARRAY(a, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        f->ipdom[b] = HD_FLOW_NONE;
    f->ipdom[n] = n;
    while (changed) {
        changed = false;
        for (uint32_t i = n_order - 1; i-- > 0;) {
            uint32_t b = order[i], best = HD_FLOW_NONE;

            for (uint32_t k = f->succ_first[b]; k < f->succ_first[b + 1]; k++) {
                uint32_t s = f->succs[k];
                if (f->ipdom[s] == HD_FLOW_NONE)
                    continue;
                if (best == HD_FLOW_NONE) {
                    best = s;
                    continue;
                }
                while (best != s)
                    if (rank[best] < rank[s])
                        best = f->ipdom[best];
                    else
                        s = f->ipdom[s];
            }
            changed |= f->ipdom[b] != best;
            f->ipdom[b] = best;
        }
    }
}

struct hd_flow *hd_flow_build(struct hd_arena *a, const struct hd_flow_step *steps, uint32_t n)
{
    struct hd_flow *f = HD_NEW(a, hd_flow);

    f->n_insns = n;
    find_blocks(f, a, steps);
    find_edges(f, a, steps);
    find_post_dominators(f, a);
    return f;
}

uint32_t hd_flow_reconvergence(const struct hd_flow *f, uint32_t insn)
{
    uint32_t b = f->ipdom[f->block_of[insn]];

    return b >= f->n_blocks ? HD_FLOW_NONE : f->first[b];
}
