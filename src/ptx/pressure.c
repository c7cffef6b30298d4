// pressure.c - estimates the registers per thread that ptxas would allocate.
//
// Compilers write PTX before scheduling. Its order keeps few values alive, but it also has
// registers for what the hardware does not keep in registers. These effects are certain and are
// modelled:
//
//   - kernel parameters, constants and grid sizes are operands of instructions, not registers;
//   - moves, extensions with zeros, additions of a constant to an address and the scaling of an
//     index become part of the instructions that use their results;
//   - addresses are computed, and loads started, as early as the program allows, until that takes
//     too many registers (ADDRESS_LIMIT, LOAD_LIMIT);
//   - counted loops of one block are unrolled (unroll.c);
//   - where that order needs many registers (MANY), results are computed late, just before they are
//     used, if that needs fewer: a table in constant memory of which a loop selects entries, for
//     example.
//
// Each block is therefore scheduled in that order, with values in place of registers, and the
// largest number of words alive is counted. It is counted twice, with and without the values that
// are the same for all threads of a block, because ptxas keeps only some of those in uniform
// registers; the estimate lies between the two counts (PLAIN, UNIFORM, OWN). ptxas replaces some
// instructions, such as divisions, by long sequences: the values alive there are counted together
// with the registers that the sequence needs (work_words).
//
// The numbers were chosen by comparison with ptxas on kernels of public programs. docs/ptx.md says
// how good the estimate is for other programs, and tools/compare-regs.py repeats the comparison.
//
// Not modelled: complete unrolling of loops with known numbers of iterations, small branches that
// become predicated instructions, and the unused registers that remain between pairs.
#include "ptx/unroll.h"

#include "base/bug.h"
#include "heddle/program.h"

#include <string.h>

#define ADDRESS_LIMIT 56
#define LOAD_LIMIT 64
#define MANY 64
#define OWN 60 // in tenths of a register, as are PLAIN and UNIFORM, which count for each word
#define PLAIN 7
#define UNIFORM 3
#define CALL_LEAST 24  // registers of a kernel with calls: what the calling convention needs
#define LOOK_AHEAD 256 // instructions among which one is searched that may come early
#define SLICE_MAX 64   // instructions that may move together with it
#define PASSES 4       // over the function, to find constants computed from constants

#define NONE UINT32_MAX

// Registers that a sequence needs besides those alive around it.
static const uint8_t work_words[HD_PRESSURE_N_WORKS] = {
    [HD_PRESSURE_DIV32] = 12,   [HD_PRESSURE_DIV64] = 14,    [HD_PRESSURE_DIV_F32] = 14,
    [HD_PRESSURE_DIV_F64] = 24, [HD_PRESSURE_ROOT_F64] = 12, [HD_PRESSURE_CALL] = 20};

// If a few registers more would halve the threads of an SM, ptxas saves them: estimates up to
// `from` become `target`.
static const struct {
    uint32_t target, from;
} savings[] = {{64, 80}, {128, 200}};

struct node { // an instruction of a block, or of one of its copies
    uint32_t insn;
    uint32_t first_use, n_uses, first_def, n_defs; // ranges of hd_block.list
    uint32_t address;                              // value; NONE if the block does not compute it
    uint32_t after;                                // node that an access must follow, or NONE
    uint32_t waits;   // node that prevented an earlier place at the last attempt, or NONE
    bool done, moves; // moves: the node only copies an operand of insn
};

struct value {
    uint32_t node; // that computes it; NONE if it exists when the block begins
    uint32_t uses; // that have not been scheduled yet
    uint8_t words;
    bool stays; // alive after the block
};

struct block { // the block in work; its arrays belong to the function and are reused
    const struct hd_pressure *p;
    struct hd_pressure folded; // what remains of it after ptxas's simplifications
    struct hd_arena *arena;
    uint8_t *words;       // by register: as p->words, 0 for constants
    uint32_t *root;       // by register: the register that replaces it
    uint32_t *first_ref;  // by instruction; [n_insns] = n_refs
    uint32_t *live_first; // live[live_first[b] .. live_first[b + 1]): registers alive after b
    uint32_t *live;
    uint32_t *current, *stamp; // by register: its value in block number stamp - 1
    uint32_t number;
    struct node *nodes;
    struct value *values;
    uint32_t *list;
    uint32_t n_nodes, n_values, n_list;
    size_t node_cap, value_cap, list_cap;
    bool *unrolled; // by block
    uint32_t slice[SLICE_MAX], n_slice;
    uint32_t address_limit, load_limit;
    bool uniform;         // values that are the same for all threads of a block do not count
    uint32_t alive, most; // words now; the most so far
    uint32_t works;       // the most that is alive at a long sequence, with what it needs
};

// --- constants

// A register is constant if it has one definition, by an instruction that only passes constants on.
// Constants have no words.
static void find_constants(struct block *k)
{
    const struct hd_pressure *p = k->p;
    uint32_t *defs = HD_ARRAY(k->arena, uint32_t, p->n_regs);
    bool changed = true;

    if (p->n_regs)
        memcpy(k->words, p->words, p->n_regs);
    for (uint32_t i = 0; i < p->n_refs; i++)
        if (p->refs[i].kind != HD_LIVE_USE)
            defs[p->refs[i].reg] += p->refs[i].kind == HD_LIVE_DEF ? 1 : 2;
    for (unsigned pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (uint32_t i = 0; i < p->flow->n_insns; i++) {
            bool constant = p->insns[i].constant || (k->uniform && p->insns[i].uniform);
            for (uint32_t r = k->first_ref[i]; r < k->first_ref[i + 1] && constant; r++)
                constant = p->refs[r].kind == HD_LIVE_USE
                               ? p->words[p->refs[r].reg] && !k->words[p->refs[r].reg]
                               : defs[p->refs[r].reg] == 1;
            for (uint32_t r = k->first_ref[i]; r < k->first_ref[i + 1] && constant; r++) {
                changed |= p->refs[r].kind == HD_LIVE_DEF && k->words[p->refs[r].reg];
                if (p->refs[r].kind == HD_LIVE_DEF)
                    k->words[p->refs[r].reg] = 0;
            }
        }
    }
}

// --- one block as values

static uint32_t new_value(struct block *k, uint32_t node, uint32_t reg)
{
    *HD_PUSH(k->arena, k->values, k->n_values, k->value_cap) =
        (struct value){.node = node, .words = k->words[reg]};
    k->current[reg] = k->n_values - 1;
    k->stamp[reg] = k->number;
    return k->n_values - 1;
}

static uint32_t value_of(struct block *k, uint32_t reg)
{
    return k->stamp[reg] == k->number ? k->current[reg] : new_value(k, NONE, reg);
}

static void add_use(struct block *k, uint32_t v)
{
    HD_BUG_IF(!k->values, "a use of no value");
    k->values[v].uses++;
    *HD_PUSH(k->arena, k->list, k->n_list, k->list_cap) = v;
}

// The coordinates of a texture fetch must be in adjacent registers: add a node that copies them
// there. Returns the value of the copy.
static uint32_t add_coordinates(struct block *k, uint32_t insn)
{
    const struct hd_pressure *p = k->p;
    struct node n = {.insn = insn, .address = NONE, .after = NONE, .waits = NONE, .moves = true};
    uint32_t words = 0;

    n.first_use = k->n_list;
    for (uint32_t r = k->first_ref[insn]; r < k->first_ref[insn + 1]; r++)
        if (p->refs[r].kind == HD_LIVE_USE && p->words[p->refs[r].reg] == 1) {
            add_use(k, value_of(k, p->refs[r].reg));
            words++;
        }
    n.n_uses = k->n_list - n.first_use;
    n.first_def = k->n_list;
    n.n_defs = 1;
    *HD_PUSH(k->arena, k->values, k->n_values, k->value_cap) =
        (struct value){.node = k->n_nodes, .words = (uint8_t)words};
    *HD_PUSH(k->arena, k->list, k->n_list, k->list_cap) = k->n_values - 1;
    *HD_PUSH(k->arena, k->nodes, k->n_nodes, k->node_cap) = n;
    return k->n_values - 1;
}

static void add_node(struct block *k, uint32_t insn)
{
    const struct hd_pressure *p = k->p;
    struct node n = {.insn = insn, .address = NONE, .after = NONE, .waits = NONE};
    bool texture = p->insns[insn].space == HD_SPACE_TEX && p->insns[insn].kind == HD_PRESSURE_READ;

    if (texture)
        n.address = add_coordinates(k, insn);
    n.first_use = k->n_list;
    if (texture)
        add_use(k, n.address);
    for (uint32_t r = k->first_ref[insn]; r < k->first_ref[insn + 1]; r++)
        if (p->refs[r].kind != HD_LIVE_DEF && !(texture && p->words[p->refs[r].reg] == 1))
            add_use(k, value_of(k, p->refs[r].reg));
    n.n_uses = k->n_list - n.first_use;
    if (!texture && p->insns[insn].address != HD_FLOW_NONE) {
        uint32_t v = value_of(k, k->root[p->insns[insn].address]);
        HD_BUG_IF(!k->values, "an address of no value");
        n.address = k->values[v].node == NONE ? NONE : v;
    }
    n.first_def = k->n_list;
    for (uint32_t r = k->first_ref[insn]; r < k->first_ref[insn + 1]; r++)
        if (p->refs[r].kind != HD_LIVE_USE) {
            uint32_t v = new_value(k, k->n_nodes, p->refs[r].reg);
            *HD_PUSH(k->arena, k->list, k->n_list, k->list_cap) = v;
        }
    n.n_defs = k->n_list - n.first_def;
    *HD_PUSH(k->arena, k->nodes, k->n_nodes, k->node_cap) = n;
}

static unsigned kind_of(const struct block *k, const struct node *n)
{
    return n->moves ? HD_PRESSURE_PLAIN : k->p->insns[n->insn].kind;
}

// Find the earlier access that each read must follow. State spaces do not overlap, except that a
// generic address may belong to any.
static void order_accesses(struct block *k)
{
    uint32_t fence = 0, any = 0, last[HD_N_SPACES] = {0}; // nodes, plus 1

    for (uint32_t i = 0; i < k->n_nodes; i++) {
        const struct hd_pressure_insn *in = &k->p->insns[k->nodes[i].insn];
        bool generic = in->space == HD_SPACE_GENERIC;
        unsigned kind = kind_of(k, &k->nodes[i]);
        if (kind == HD_PRESSURE_FENCE)
            fence = i + 1;
        if (kind == HD_PRESSURE_WRITE)
            any = last[in->space] = i + 1;
        if (kind != HD_PRESSURE_READ || in->read_only)
            continue;
        uint32_t after = generic ? any : last[in->space];
        after = last[HD_SPACE_GENERIC] > after ? last[HD_SPACE_GENERIC] : after;
        after = fence > after ? fence : after;
        k->nodes[i].after = after - 1; // 0 becomes NONE
    }
}

static void count(struct block *k, int sign, unsigned words)
{
    k->alive += (uint32_t)(sign * (int)words);
    k->most = k->alive > k->most ? k->alive : k->most;
}

// Whether an access of block b has the register as its address.
static bool is_address(const struct block *k, uint32_t b, uint32_t reg)
{
    for (uint32_t i = k->p->flow->first[b]; i < k->p->flow->first[b + 1]; i++)
        if (k->p->insns[i].address != HD_FLOW_NONE && k->root[k->p->insns[i].address] == reg)
            return true;
    return false;
}

// Whether instruction i of block b is left out of all copies except the last one. The jump and its
// test occur only once, and the addresses of all copies are offsets from the same register.
static bool only_in_last(const struct block *k, uint32_t b, uint32_t i)
{
    const struct hd_pressure_insn *in = &k->p->insns[i];

    return in->kind == HD_PRESSURE_JUMP || in->test ||
           (in->step &&
            (in->fold == HD_PRESSURE_OFFSET || is_address(k, b, k->p->refs[k->first_ref[i]].reg)));
}

static void build(struct block *k, uint32_t b)
{
    const struct hd_flow *f = k->p->flow;
    unsigned copies = k->unrolled[b] ? HD_UNROLL_COPIES : 1;

    k->number++;
    k->n_nodes = k->n_values = k->n_list = k->alive = 0;
    for (unsigned c = 1; c <= copies; c++)
        for (uint32_t i = f->first[b]; i < f->first[b + 1]; i++)
            if (c == copies || !only_in_last(k, b, i))
                add_node(k, i);
    order_accesses(k);
    for (uint32_t i = k->live_first[b]; i < k->live_first[b + 1]; i++) {
        uint32_t reg = k->live[i];
        if (k->stamp[reg] == k->number) {
            k->values[k->current[reg]].uses++;
            k->values[k->current[reg]].stays = true;
        } else
            count(k, 1, k->words[reg]); // passes through
    }
    for (uint32_t v = 0; v < k->n_values; v++)
        if (k->values[v].node == NONE)
            count(k, 1, k->values[v].words);
}

// --- the new order of a block

static void emit(struct block *k, uint32_t node)
{
    struct node *n = &k->nodes[node];

    n->done = true;
    for (uint32_t i = n->first_use; i < n->first_use + n->n_uses; i++)
        if (--k->values[k->list[i]].uses == 0)
            count(k, -1, k->values[k->list[i]].words);
    if (!n->moves && k->p->insns[n->insn].work != HD_PRESSURE_SIMPLE) {
        uint32_t words = k->alive + work_words[k->p->insns[n->insn].work];
        bool call = k->p->insns[n->insn].work == HD_PRESSURE_CALL;
        words = call && words < CALL_LEAST ? CALL_LEAST : words;
        k->works = words > k->works ? words : k->works;
    }
    for (uint32_t i = n->first_def; i < n->first_def + n->n_defs; i++)
        count(k, 1, k->values[k->list[i]].words);
    for (uint32_t i = n->first_def; i < n->first_def + n->n_defs; i++)
        if (!k->values[k->list[i]].uses)
            count(k, -1, k->values[k->list[i]].words);
}

// Add a node to the slice unless it is done or in it. Returns false if the node cannot come early.
static bool need(struct block *k, uint32_t node)
{
    if (node == NONE || k->nodes[node].done)
        return true;
    for (uint32_t i = 0; i < k->n_slice; i++)
        if (k->slice[i] == node)
            return true;
    if (k->n_slice == SLICE_MAX || kind_of(k, &k->nodes[node]) != HD_PRESSURE_PLAIN)
        return false;
    k->slice[k->n_slice++] = node;
    return true;
}

// Add everything that the nodes of the slice need. Returns NONE if all of it can come now,
// otherwise the node that prevents it.
static uint32_t gather(struct block *k)
{
    for (uint32_t i = 0; i < k->n_slice; i++) {
        const struct node *n = &k->nodes[k->slice[i]];
        if (!need(k, n->after))
            return n->after;
        for (uint32_t u = n->first_use; u < n->first_use + n->n_uses; u++)
            if (!need(k, k->values[k->list[u]].node))
                return k->values[k->list[u]].node;
    }
    return NONE;
}

static void emit_slice(struct block *k)
{
    for (uint32_t i = 1; i < k->n_slice; i++) // into the order of the program
        for (uint32_t j = i; j && k->slice[j - 1] > k->slice[j]; j--) {
            uint32_t t = k->slice[j];
            k->slice[j] = k->slice[j - 1];
            k->slice[j - 1] = t;
        }
    for (uint32_t i = 0; i < k->n_slice; i++)
        emit(k, k->slice[i]);
}

static bool waits(const struct block *k, uint32_t node)
{
    uint32_t other = k->nodes[node].waits;

    return k->nodes[node].done || (other != NONE && !k->nodes[other].done);
}

static void early_addresses(struct block *k, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && k->alive + 2 <= k->address_limit; i++) {
        struct node *n = &k->nodes[i];
        if (kind_of(k, n) == HD_PRESSURE_FENCE && !n->done)
            return;
        if (n->address == NONE || waits(k, i))
            continue;
        k->n_slice = 0;
        uint32_t node = k->values[n->address].node;
        n->waits = need(k, node) ? gather(k) : node;
        if (n->waits == NONE)
            emit_slice(k);
    }
}

static void early_loads(struct block *k, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && k->alive < k->load_limit; i++) {
        struct node *n = &k->nodes[i];
        uint32_t words = 0;
        if (kind_of(k, n) != HD_PRESSURE_READ || waits(k, i))
            continue;
        k->slice[0] = i;
        k->n_slice = 1;
        n->waits = gather(k);
        if (n->waits != NONE)
            continue;
        for (uint32_t d = n->first_def; d < n->first_def + n->n_defs; d++)
            words += k->values[k->list[d]].words;
        if (k->alive + words > k->load_limit)
            return;
        emit_slice(k);
    }
}

static void schedule(struct block *k)
{
    for (uint32_t next = 0; next < k->n_nodes; next++) {
        uint32_t to = k->n_nodes - next < LOOK_AHEAD ? k->n_nodes : next + LOOK_AHEAD;
        if (k->nodes[next].done)
            continue;
        early_addresses(k, next, to);
        early_loads(k, next, to);
        if (!k->nodes[next].done)
            emit(k, next);
    }
}

// --- the order in which results come late

// Whether it can wait for its uses without keeping anything alive that would end with it.
static bool may_come_late(const struct block *k, const struct node *n)
{
    if (kind_of(k, n) != HD_PRESSURE_PLAIN || !n->n_defs)
        return false;
    for (uint32_t i = n->first_def; i < n->first_def + n->n_defs; i++)
        if (k->values[k->list[i]].stays || !k->values[k->list[i]].uses)
            return false;
    for (uint32_t i = n->first_use; i < n->first_use + n->n_uses; i++) {
        const struct value *v = &k->values[k->list[i]];
        bool waits = v->node != NONE && !k->nodes[v->node].done;
        if (v->words && v->uses < 2 && !waits)
            return false;
    }
    return true;
}

// Emits what the node needs and is not done, each result just before its first use, and the node.
static void emit_tree(struct block *k, uint32_t node, uint32_t *stack)
{
    uint32_t n = 0;

    stack[n++] = node;
    while (n) {
        const struct node *top = &k->nodes[stack[n - 1]];
        uint32_t missing = NONE;
        for (uint32_t i = top->first_use; i < top->first_use + top->n_uses && missing == NONE;
             i++) {
            uint32_t from = k->values[k->list[i]].node;
            missing = from != NONE && !k->nodes[from].done ? from : NONE;
        }
        if (missing == NONE)
            emit(k, stack[--n]);
        else
            stack[n++] = missing;
    }
}

static uint32_t most_alive_late(struct block *k)
{
    k->most = 0;
    for (uint32_t b = 0; b < k->p->flow->n_blocks; b++) {
        build(k, b);
        uint32_t *stack = HD_ARRAY(k->arena, uint32_t, (size_t)k->n_nodes + 1);
        for (uint32_t i = 0; i < k->n_nodes; i++)
            if (!k->nodes[i].done && !may_come_late(k, &k->nodes[i]))
                emit_tree(k, i, stack);
    }
    return k->most;
}

// --- the function

// Sort the registers that are alive after blocks by block.
static void sort_live(struct block *k, const struct hd_live_outs *outs)
{
    uint32_t n = k->p->flow->n_blocks, *at = HD_ARRAY(k->arena, uint32_t, (size_t)n + 2);

    k->live = HD_ARRAY(k->arena, uint32_t, outs->n);
    for (uint32_t i = 0; i < outs->n; i++)
        at[outs->list[i].block + 2]++;
    for (uint32_t b = 2; b <= n; b++)
        at[b + 1] += at[b];
    for (uint32_t i = 0; i < outs->n; i++)
        k->live[at[outs->list[i].block + 1]++] = outs->list[i].reg;
    k->live_first = at;
}

// --- results that become part of other instructions

static uint32_t root_of(const uint32_t *root, uint32_t reg)
{
    while (root[reg] != reg)
        reg = root[reg];
    return reg;
}

// Whether instruction i reads one register and writes one, each of which is written only once.
static bool one_to_one(const struct block *k, const uint8_t *defs, uint32_t i, uint32_t *from,
                       uint32_t *to)
{
    const struct hd_live_ref *r = &k->p->refs[k->first_ref[i]];

    if (k->first_ref[i + 1] - k->first_ref[i] != 2 || r[0].kind != HD_LIVE_USE ||
        r[1].kind != HD_LIVE_DEF)
        return false;
    *from = r[0].reg;
    *to = r[1].reg;
    return defs[r[0].reg] == 1 && defs[r[1].reg] == 1;
}

// The references without folded instructions, and with every register replaced by its root.
static struct hd_live_ref *fold(struct block *k, uint32_t *n_out)
{
    const struct hd_pressure *p = k->p;
    uint32_t *root = HD_ARRAY(k->arena, uint32_t, p->n_regs), n = 0, from, to;

    uint8_t *defs = HD_ARRAY(k->arena, uint8_t, p->n_regs);
    uint8_t *other =
        HD_ARRAY(k->arena, uint8_t, p->n_regs); // kinds of uses: 1 address, 2 addition, 4 others
    bool *folded = HD_ARRAY(k->arena, bool, p->flow->n_insns);
    struct hd_live_ref *out = HD_ARRAY(k->arena, struct hd_live_ref, p->n_refs);

    for (uint32_t r = 0; r < p->n_regs; r++)
        root[r] = r;
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct hd_live_ref *r = &p->refs[i];
        const struct hd_pressure_insn *in = &p->insns[r->insn];
        if (r->kind != HD_LIVE_USE)
            defs[r->reg] = (uint8_t)(defs[r->reg] || r->kind == HD_LIVE_MAYBE ? 2 : 1);
        else if (in->address == r->reg)
            other[r->reg] |= 1;
        else if (in->fold == HD_PRESSURE_ADD || in->fold == HD_PRESSURE_OFFSET)
            other[r->reg] |= 2;
        else
            other[r->reg] |= 4;
    }
    for (uint32_t i = 0; i < p->flow->n_insns; i++) {
        if (p->insns[i].fold == HD_PRESSURE_RESULT || p->insns[i].fold == HD_PRESSURE_ADD ||
            !one_to_one(k, defs, i, &from, &to))
            continue;
        if ((p->insns[i].fold == HD_PRESSURE_SCALED && other[to] != 2) ||
            (p->insns[i].fold == HD_PRESSURE_OFFSET && other[to] & 4))
            continue;
        root[to] = root_of(root, from);
        folded[i] = true;
    }
    for (uint32_t i = 0; i < p->n_refs; i++) {
        struct hd_live_ref r = p->refs[i];
        if (folded[r.insn])
            continue;
        r.reg = root_of(root, r.reg);
        out[n++] = r;
    }
    for (uint32_t r = 0; r < p->n_regs; r++)
        root[r] = root_of(root, r);
    k->root = root;
    *n_out = n;
    return out;
}

static void index_refs(struct block *k)
{
    for (uint32_t i = 0, r = 0; i <= k->p->flow->n_insns; i++) {
        while (r < k->p->n_refs && k->p->refs[r].insn < i)
            r++;
        k->first_ref[i] = r;
    }
}

// The most words alive in the order that the limits allow.
static uint32_t most_alive(struct block *k, uint32_t address, uint32_t load)
{
    k->address_limit = address;
    k->load_limit = load;
    k->most = 0;
    for (uint32_t b = 0; b < k->p->flow->n_blocks; b++) {
        build(k, b);
        schedule(k);
    }
    return k->most;
}

// The most words alive, also if results come late, without uniform values if `uniform`; sets
// k->works too. Returns false if the function is too large.
static bool measure(struct block *k, const struct hd_pressure *p, bool uniform, uint32_t *most,
                    uint32_t *late)
{
    struct hd_pressure *folded = &k->folded;
    struct hd_live_outs *outs = HD_NEW(k->arena, hd_live_outs);
    struct hd_live_range *ranges = HD_ARRAY(k->arena, struct hd_live_range, p->n_regs);
    uint32_t *after = HD_ARRAY(k->arena, uint32_t, p->flow->n_insns);

    k->p = p;
    *folded = *p;
    k->uniform = uniform;
    index_refs(k);
    for (uint32_t b = 0; b < p->flow->n_blocks; b++)
        k->unrolled[b] = hd_unroll_block(p, k->first_ref, b);
    find_constants(k);
    folded->refs = fold(k, &folded->n_refs);
    folded->words = k->words;
    folded->outs = outs;
    hd_live_find(k->arena, p->flow, folded->refs, folded->n_refs, k->words, p->n_regs, ranges,
                 after, outs);
    if (outs->full)
        return false;
    k->p = folded;
    index_refs(k);
    sort_live(k, outs);
    if (!uniform)
        most_alive(k, 0, 0); // for k->works: long sequences are not moved
    uint32_t works = k->works;
    *most = most_alive(k, ADDRESS_LIMIT, LOAD_LIMIT);
    *late = *most > MANY ? most_alive_late(k) : *most;
    k->works = works;
    return true;
}

static uint32_t registers(uint32_t plain, uint32_t uniform)
{
    return (OWN + PLAIN * plain + UNIFORM * uniform + 5) / 10;
}

uint32_t hd_pressure_estimate(struct hd_arena *scratch, const struct hd_pressure *p, uint32_t live)
{
    struct block k = {.arena = scratch};
    uint32_t plain, uniform, n, late[2];

    k.words = HD_ARRAY(scratch, uint8_t, p->n_regs);
    k.current = HD_ARRAY(scratch, uint32_t, p->n_regs);
    k.stamp = HD_ARRAY(scratch, uint32_t, p->n_regs);
    k.unrolled = HD_ARRAY(scratch, bool, p->flow->n_blocks);
    k.first_ref = HD_ARRAY(scratch, uint32_t, (size_t)p->flow->n_insns + 1);
    if (p->outs->full || !measure(&k, p, false, &plain, &late[0]) ||
        !measure(&k, p, true, &uniform, &late[1]))
        return live + OWN / 10;
    n = registers(plain, uniform);
    if (n > MANY && registers(late[0], late[1]) < n)
        n = registers(late[0], late[1]) > MANY ? registers(late[0], late[1]) : MANY;
    n = k.works > n ? k.works : n;
    for (size_t i = 0; i < sizeof savings / sizeof *savings; i++)
        if (n > savings[i].target && n <= savings[i].from)
            n = savings[i].target;
    return n;
}
