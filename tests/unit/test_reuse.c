// test_reuse.c - the reuse analyser: figure 6 of LASER (POMACS 2018), and random runs whose every
// number is the one that a program without any cleverness computes.
#include "reuse/reuse.h"
#include "reuse/reuseatonce.h"
#include "reuse/reusekeys.h"
#include "reuse/reuseoptions.h"
#include "reuse/reusepairs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SMS 2
#define SLOTS 3

static uint64_t seed;

static uint32_t below(uint32_t n)
{
    seed += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hd_reusekeys_mix(seed) % n);
}

static struct hd_reuse_options options_of(void)
{
    struct hd_reuse_options o = hd_reuseoptions_default();

    o.sms = SMS;
    o.slots = SLOTS;
    o.plan = true;
    o.l1_lines = 4;
    o.l2_lines = 16;
    return o;
}

static void launch(struct hd_reuse *r, uint32_t parent, uint32_t parent_block, uint32_t blocks)
{
    const struct hd_reuse_launch l = {.parent = parent,
                                      .parent_block = parent_block,
                                      .function = "k",
                                      .grid = {blocks, 1, 1},
                                      .block = {64, 1, 1}};

    hd_reuse_launched(r, &l);
}

static void access_lines(struct hd_reuse *r, uint64_t first, unsigned lines, unsigned times)
{
    for (unsigned i = 0; i < lines * times; i++)
        hd_reuse_accessed(r, 0, 0, 0, (first + i % lines) * HD_REUSE_LINE, false, HD_REUSE_LOAD);
}

static const struct hd_reuse_pair *pair_of(const struct hd_reuse_result *r, uint32_t relation,
                                           uint64_t x, uint64_t y)
{
    for (uint64_t i = 0; i < r->n_plan; i++)
        if (r->plan[i].relation == relation && r->plan[i].x == x && r->plan[i].y == y)
            return &r->plan[i];
    return NULL;
}

// "child c1 has 100 accesses, child c2 has 50 accesses, and child c3 has 200 accesses": 30 of c2's
// and 120 of c3's are to lines that c1 accesses, with 40 of its own.
static void figure_6(void **unused)
{
    struct hd_reuse_options o = options_of();
    struct hd_reuse *r = hd_reuse_new(&o);

    (void)unused;
    launch(r, HD_REUSE_HOST, HD_REUSE_HOST, 1);
    hd_reuse_block_starts(r, 0, 0, 0, 0);
    hd_reuse_block_ends(r, 0, 0, false);
    for (uint32_t c = 1; c <= 3; c++)
        launch(r, 0, 0, c); // different grids, so that the children have different keys
    hd_reuse_kernel_ends(r, 0);
    for (uint32_t c = 1; c <= 3; c++) {
        hd_reuse_block_starts(r, 0, 0, c, 0);
        access_lines(r, 0, 10, c == 1 ? 4 : c == 2 ? 3 : 12); // shared lines
        access_lines(r, 1000 * c, c == 2 ? 20 : c == 1 ? 60 : 80, 1);
        hd_reuse_block_ends(r, 0, 0, false);
        hd_reuse_kernel_ends(r, c);
    }
    const struct hd_reuse_result *got = hd_reuse_finish(r);
    const struct hd_reuse_relation *s = &got->relations[HD_REUSE_KERNEL_SIBLING];
    assert_int_equal(got->accesses, 100 + 50 + 200);
    assert_int_equal(got->sibling, 40 + 30 + 120);
    assert_int_equal(s->pairs, 6);
    // R(c2|c1) = R(c2|c3) = R(c3|c1) = R(c3|c2) = 0.6, R(c1|c2) = R(c1|c3) = 0.4
    assert_int_equal(s->bins[6], 4);
    assert_int_equal(s->bins[4], 2);
    assert_int_equal(got->n_plan % 4, 0); // of kernels, and the same of blocks
    uint32_t high = 0;
    for (uint64_t i = 0; i < got->n_plan; i++)
        if (got->plan[i].relation == HD_REUSE_KERNEL_SIBLING) {
            assert_true((got->plan[i].part == 30 && got->plan[i].whole == 50) ||
                        (got->plan[i].part == 120 && got->plan[i].whole == 200));
            assert_non_null(pair_of(got, HD_REUSE_BLOCK_SIBLING, got->plan[i].x, got->plan[i].y));
            high++;
        }
    assert_int_equal(high, 4); // 0.4 is not above 0.4
    hd_reuse_free(r);
}

// Children run in 10..30, 20..40 and 20..25, and after a pause of 60 in which none runs in
// 100..110: 20 + 20 + 5 + 10 cycles of kernels in 30 + 10 cycles. The order in which they are
// given, and one that has not begun, change nothing.
static void children_at_once(void **unused)
{
    struct hd_reuseatonce_span spans[] = {{20, 25}, {100, 110}, {10, 30}, {0, 0}, {20, 40}};
    struct hd_reuseatonce_span in_turn[] = {{5, 9}, {9, 20}}, inside[] = {{0, 100}, {10, 60}};

    (void)unused;
    assert_true(hd_reuseatonce_mean(spans, 5) == 55.0 / 40.0);
    assert_true(hd_reuseatonce_mean(in_turn, 2) == 1.0);
    assert_true(hd_reuseatonce_mean(inside, 2) == 1.5);
    assert_true(isnan(hd_reuseatonce_mean(NULL, 0)));
    assert_true(isnan(hd_reuseatonce_mean(&(struct hd_reuseatonce_span){7, 7}, 1)));
}

// --- a run at random, and what it must give

#define KERNELS 24
#define BLOCKS 4
#define WARPS 5
#define ACCESSES 1500

struct access_made {
    uint32_t kernel, block, warp, line;
};

struct run {
    uint32_t n_kernels, parent[KERNELS], parent_block[KERNELS], blocks[KERNELS];
    uint32_t started[KERNELS], done[KERNELS]; // blocks
    bool ended[KERNELS];
    struct access_made made[ACCESSES];
    uint32_t n, lines;
    struct {
        bool used;
        uint32_t kernel, block;
    } places[SMS][SLOTS];
};

static void new_kernel(struct run *t, struct hd_reuse *r, uint32_t parent, uint32_t block)
{
    uint32_t k = t->n_kernels++;

    t->parent[k] = parent;
    t->parent_block[k] = block;
    t->blocks[k] = 1 + below(BLOCKS);
    launch(r, parent, block, t->blocks[k]);
}

static void start_block(struct run *t, struct hd_reuse *r, unsigned sm, unsigned slot)
{
    uint32_t k = below(t->n_kernels);

    if (t->places[sm][slot].used || t->started[k] == t->blocks[k])
        return;
    t->places[sm][slot].used = true;
    t->places[sm][slot].kernel = k;
    t->places[sm][slot].block = t->started[k]++;
    hd_reuse_block_starts(r, sm, slot, k, t->places[sm][slot].block);
}

static void end_block(struct run *t, struct hd_reuse *r, unsigned sm, unsigned slot)
{
    uint32_t k = t->places[sm][slot].kernel;

    t->places[sm][slot].used = false;
    hd_reuse_block_ends(r, sm, slot, false);
    if (++t->done[k] < t->blocks[k])
        return;
    t->ended[k] = true;
    hd_reuse_kernel_ends(r, k);
}

// Some runs have blocks that leave their SM in the middle and return to another place.
static void move_block(struct run *t, struct hd_reuse *r, unsigned sm, unsigned slot)
{
    unsigned to_sm = below(SMS), to = below(SLOTS);

    if (t->places[to_sm][to].used)
        return;
    hd_reuse_block_ends(r, sm, slot, true);
    t->places[to_sm][to] = t->places[sm][slot];
    t->places[sm][slot].used = false;
    hd_reuse_block_starts(r, to_sm, to, t->places[to_sm][to].kernel, t->places[to_sm][to].block);
}

static void make_access(struct run *t, struct hd_reuse *r, unsigned sm, unsigned slot)
{
    struct access_made *a = &t->made[t->n++];

    *a = (struct access_made){t->places[sm][slot].kernel, t->places[sm][slot].block, below(WARPS),
                              below(1 + below(t->lines))};
    hd_reuse_accessed(r, sm, slot, a->warp, (uint64_t)a->line * HD_REUSE_LINE, false,
                      (enum hd_reuse_access)below(3));
}

static struct run *play(struct hd_reuse *r, bool moves)
{
    struct run *t = calloc(1, sizeof *t);
    uint32_t accesses = below(ACCESSES);

    t->lines = 1 + below(60);
    new_kernel(t, r, HD_REUSE_HOST, HD_REUSE_HOST);
    for (uint32_t step = 0; step < 20 * ACCESSES && t->n < accesses; step++) {
        unsigned sm = below(SMS), slot = below(SLOTS), what = below(100);
        bool used = t->places[sm][slot].used;
        if (what < 6)
            start_block(t, r, sm, slot);
        else if (what < 8 && used && t->n_kernels < KERNELS)
            new_kernel(t, r, t->places[sm][slot].kernel, t->places[sm][slot].block);
        else if (what < 9 && t->n_kernels < KERNELS && !below(3))
            new_kernel(t, r, HD_REUSE_HOST, HD_REUSE_HOST);
        else if (what < 11 && used)
            end_block(t, r, sm, slot);
        else if (what < 13 && used && moves)
            move_block(t, r, sm, slot);
        else if (used)
            make_access(t, r, sm, slot);
    }
    return t;
}

// A unit of the run: accesses of kernel k, and of block b and warp w if they are not ANY.
#define ANY UINT32_MAX
struct unit {
    uint32_t k, b, w;
};

static bool is_of(const struct access_made *a, struct unit u)
{
    return a->kernel == u.k && (u.b == ANY || a->block == u.b) && (u.w == ANY || a->warp == u.w);
}

static uint64_t count_of(const struct run *t, struct unit u, uint32_t line)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < t->n; i++)
        n += is_of(&t->made[i], u) && (line == ANY || t->made[i].line == line);
    return n;
}

// Counts of a unit by line, [t->lines] is the sum.
static void counts_of(const struct run *t, struct unit u, uint64_t *counts)
{
    memset(counts, 0, (t->lines + 1) * sizeof *counts);
    for (uint32_t i = 0; i < t->n; i++)
        if (is_of(&t->made[i], u)) {
            counts[t->made[i].line]++;
            counts[t->lines]++;
        }
}

static unsigned bin_of(uint64_t part, uint64_t whole)
{
    uint64_t bin = 10 * part / whole;

    return bin < 9 ? (unsigned)bin : 9;
}

static void self_ratio(const struct run *t, struct hd_reuse_relation *to, struct unit u)
{
    uint64_t c[64], unique = 0;

    counts_of(t, u, c);
    for (uint32_t i = 0; i < t->lines; i++)
        unique += c[i] > 0;
    if (!c[t->lines])
        return;
    to->pairs++;
    to->bins[bin_of(c[t->lines] - unique, c[t->lines])]++;
}

// R(x|y). Returns whether it is above 0.4.
static bool ratio(const struct run *t, struct hd_reuse_relation *to, struct unit x, struct unit y)
{
    uint64_t cx[64], cy[64], shared = 0;

    counts_of(t, x, cx);
    counts_of(t, y, cy);
    for (uint32_t i = 0; i < t->lines; i++)
        shared += cy[i] ? cx[i] : 0;
    if (!cx[t->lines] || !cy[t->lines])
        return false;
    to->pairs++;
    to->bins[bin_of(shared, cx[t->lines])]++;
    return 10 * shared > 4 * cx[t->lines];
}

struct expected {
    struct hd_reuse_relation relations[HD_REUSE_N_RELATIONS];
    uint64_t self, repeated, parent_child, sibling, high[HD_REUSE_WARP];
    uint8_t linked[KERNELS][KERNELS];
};

static bool siblings(const struct run *t, uint32_t x, uint32_t y)
{
    return x != y && t->parent[x] != HD_REUSE_HOST && t->parent[x] == t->parent[y] &&
           t->parent_block[x] == t->parent_block[y];
}

static void expect_pairs(const struct run *t, struct expected *e, uint32_t x, uint32_t y)
{
    bool child = t->parent[x] == y, sibling = siblings(t, x, y);
    bool high = false;

    if (child)
        high |= ratio(t, &e->relations[HD_REUSE_KERNEL_PARENT_CHILD], (struct unit){x, ANY, ANY},
                      (struct unit){y, ANY, ANY});
    if (sibling)
        high |= ratio(t, &e->relations[HD_REUSE_KERNEL_SIBLING], (struct unit){x, ANY, ANY},
                      (struct unit){y, ANY, ANY});
    e->high[HD_REUSE_KERNEL] += high;
    e->linked[x][y] |= high;
    e->linked[y][x] |= high;
    for (uint32_t b = 0; b < t->blocks[x]; b++) {
        const struct unit ux = {x, b, ANY};
        if (child)
            e->high[HD_REUSE_BLOCK] += ratio(t, &e->relations[HD_REUSE_BLOCK_PARENT_CHILD], ux,
                                             (struct unit){y, t->parent_block[x], ANY});
        for (uint32_t c = 0; c < t->blocks[y]; c++)
            if (sibling || (x == y && b != c))
                e->high[HD_REUSE_BLOCK] += ratio(
                    t,
                    &e->relations[sibling ? HD_REUSE_BLOCK_SIBLING : HD_REUSE_BLOCK_INTRA_KERNEL],
                    ux, (struct unit){y, c, ANY});
    }
}

static void expect_warps(const struct run *t, struct expected *e, uint32_t k, uint32_t b)
{
    self_ratio(t, &e->relations[HD_REUSE_BLOCK_SELF], (struct unit){k, b, ANY});
    for (uint32_t w = 0; w < WARPS; w++) {
        self_ratio(t, &e->relations[HD_REUSE_WARP_INTRA], (struct unit){k, b, w});
        for (uint32_t v = 0; v < WARPS; v++)
            if (v != w)
                ratio(t, &e->relations[HD_REUSE_WARP_INTER], (struct unit){k, b, w},
                      (struct unit){k, b, v});
    }
}

static bool touches(const struct run *t, uint32_t k, uint32_t line)
{
    return count_of(t, (struct unit){k, ANY, ANY}, line) > 0;
}

static void expect_aggregate(const struct run *t, struct expected *e, uint32_t k)
{
    for (uint32_t line = 0; line < t->lines; line++) {
        uint64_t n = count_of(t, (struct unit){k, ANY, ANY}, line);
        bool family = false, sibling = false;
        for (uint32_t o = 0; o < t->n_kernels && n; o++) {
            family |= (t->parent[o] == k || t->parent[k] == o) && touches(t, o, line);
            sibling |= siblings(t, k, o) && touches(t, o, line);
        }
        e->self += n > 1 ? n : 0;
        e->repeated += n ? n - 1 : 0;
        e->parent_child += family ? n : 0;
        e->sibling += sibling ? n : 0;
    }
}

static void expect(const struct run *t, struct expected *e)
{
    memset(e, 0, sizeof *e);
    for (uint32_t x = 0; x < t->n_kernels; x++) {
        self_ratio(t, &e->relations[HD_REUSE_KERNEL_SELF], (struct unit){x, ANY, ANY});
        expect_aggregate(t, e, x);
        for (uint32_t b = 0; b < t->blocks[x]; b++)
            expect_warps(t, e, x, b);
        for (uint32_t y = 0; y < t->n_kernels; y++)
            expect_pairs(t, e, x, y);
    }
}

// Distances, with a list of the kernels that accessed each line last.
struct past {
    uint32_t kernel, at;
};

static uint32_t unique_between(const struct run *t, uint32_t from, uint32_t to)
{
    uint8_t seen[64] = {0};
    uint32_t n = 0;

    for (uint32_t i = from + 1; i < to; i++) {
        uint32_t line = t->made[i].line;
        n += line != t->made[to].line && !seen[line];
        seen[line] = 1;
    }
    return n;
}

static bool is_kin(const struct run *t, unsigned relation, uint32_t own, uint32_t other)
{
    return relation == HD_REUSEDISTANCE_SELF           ? own == other
           : relation == HD_REUSEDISTANCE_PARENT_CHILD ? t->parent[own] == other
                                                       : siblings(t, own, other);
}

static void expect_distance(const struct run *t, unsigned relation,
                            struct hd_reusedistance_result *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t line = 0; line < t->lines; line++) {
        struct past known[HD_REUSEDISTANCE_KERNELS + 1];
        uint32_t n = 0, k;
        uint64_t sum = 0, count = 0;
        for (uint32_t i = 0; i < t->n; i++) {
            uint32_t own = t->made[i].kernel;
            if (t->made[i].line != line)
                continue;
            for (k = 0; k < n && !is_kin(t, relation, own, known[k].kernel);)
                k++;
            if (k < n) {
                sum += unique_between(t, known[k].at, i);
                count++;
            }
            for (k = 0; k < n && known[k].kernel != own;)
                k++;
            memmove(&known[1], &known[0], k * sizeof *known);
            known[0] = (struct past){own, i};
            n = k == n && n < HD_REUSEDISTANCE_KERNELS ? n + 1 : n;
        }
        if (!count)
            continue;
        uint64_t mean = sum / count;
        unsigned bin = mean ? (unsigned)floor(log2((double)mean)) : 0;
        to->lines++;
        to->bins[bin]++;
        to->beyond[0] += sum >= 4 * count;
        to->beyond[1] += sum >= 16 * count;
    }
}

static void expect_components(const struct run *t, const struct expected *e,
                              struct hd_reusechains_result *to)
{
    uint32_t of[KERNELS], size[KERNELS] = {0};
    bool changed = true;

    *to = (struct hd_reusechains_result){0};
    for (uint32_t k = 0; k < t->n_kernels; k++)
        of[k] = k;
    while (changed) {
        changed = false;
        for (uint32_t x = 0; x < t->n_kernels; x++)
            for (uint32_t y = 0; y < t->n_kernels; y++)
                if (e->linked[x][y] && of[x] > of[y]) {
                    of[x] = of[y];
                    changed = true;
                }
    }
    for (uint32_t k = 0; k < t->n_kernels; k++)
        size[of[k]]++;
    for (uint32_t k = 0; k < t->n_kernels; k++)
        if (size[k] > 1) {
            to->chains++;
            to->units += size[k];
            to->longest = size[k] > to->longest ? size[k] : to->longest;
        }
}

static void compare_run(const struct run *t, const struct hd_reuse_result *got)
{
    static struct expected e;
    uint64_t high[HD_REUSE_WARP] = {0};

    expect(t, &e);
    assert_int_equal(got->accesses, t->n);
    assert_int_equal(got->self, e.self);
    assert_int_equal(got->repeated, e.repeated);
    assert_int_equal(got->parent_child, e.parent_child);
    assert_int_equal(got->sibling, e.sibling);
    for (unsigned i = 0; i < HD_REUSE_N_RELATIONS; i++) {
        e.relations[i].sampled = e.relations[i].pairs;
        assert_memory_equal(&got->relations[i], &e.relations[i], sizeof e.relations[i]);
    }
    for (unsigned i = 0; i < HD_REUSEDISTANCE_N; i++) {
        struct hd_reusedistance_result d;
        expect_distance(t, i, &d);
        assert_memory_equal(&got->distances[i], &d, sizeof d);
    }
    struct hd_reusechains_result c;
    expect_components(t, &e, &c);
    assert_memory_equal(&got->components[HD_REUSE_KERNEL], &c, sizeof c);
    for (uint64_t i = 0; i < got->n_plan; i++)
        high[got->plan[i].relation <= HD_REUSE_KERNEL_SIBLING ? HD_REUSE_KERNEL : HD_REUSE_BLOCK]++;
    assert_int_equal(high[HD_REUSE_KERNEL], e.high[HD_REUSE_KERNEL]);
    assert_int_equal(high[HD_REUSE_BLOCK], e.high[HD_REUSE_BLOCK]);
}

static void random_runs(void **unused)
{
    uint64_t of_relation[HD_REUSE_N_RELATIONS] = {0};

    (void)unused;
    for (unsigned i = 0; i < 1000; i++) {
        struct hd_reuse_options o = options_of();
        seed = i;
        struct hd_reuse *r = hd_reuse_new(&o);
        struct run *t = play(r, i % 4 == 3);
        const struct hd_reuse_result *got = hd_reuse_finish(r);
        compare_run(t, got);
        for (unsigned k = 0; k < HD_REUSE_N_RELATIONS; k++)
            of_relation[k] += got->relations[k].pairs;
        hd_reuse_free(r);
        free(t);
    }
    for (unsigned k = 0; k < HD_REUSE_N_RELATIONS; k++) // the runs have all of them
        assert_true(of_relation[k] > 1000 || k == HD_REUSE_WARP_RESIDENT);
}

// The same run with less memory: what is not dropped is as before.
static void little_memory(void **unused)
{
    unsigned whole = 0, none = 0, without_blocks = 0;

    (void)unused;
    for (unsigned i = 0; i < 300; i++) {
        struct hd_reuse_options o = options_of();
        o.resident = i % 2;
        seed = i;
        struct hd_reuse *all = hd_reuse_new(&o);
        free(play(all, i % 3 == 0));
        const struct hd_reuse_result *want = hd_reuse_finish(all);
        seed = 77 * i;
        o.memory = i < 3 ? 1 + i : i % 4 ? want->memory * 7 / 8 : 0; // mostly for the buffers
        o.memory += below((uint32_t)(i % 4 ? want->memory / 7 : want->memory));
        seed = i;
        struct hd_reuse *some = hd_reuse_new(&o);
        free(play(some, i % 3 == 0));
        const struct hd_reuse_result *got = hd_reuse_finish(some);
        const bool *dropped = got->dropped;
        assert_int_equal(got->accesses, want->accesses);
        assert_true(dropped[HD_REUSE_WARP] || !dropped[HD_REUSE_BLOCK]);
        assert_true(dropped[HD_REUSE_BLOCK] || !dropped[HD_REUSE_KERNEL]);
        for (unsigned k = 0; k < HD_REUSE_N_RELATIONS; k++) {
            static const struct hd_reuse_relation zero;
            bool gone = dropped[k < HD_REUSE_BLOCK_SELF   ? HD_REUSE_KERNEL
                                : k < HD_REUSE_WARP_INTRA ? HD_REUSE_BLOCK
                                                          : HD_REUSE_WARP];
            assert_memory_equal(&got->relations[k], gone ? &zero : &want->relations[k],
                                sizeof zero);
        }
        if (!dropped[HD_REUSE_KERNEL]) {
            assert_int_equal(got->self, want->self);
            assert_int_equal(got->parent_child, want->parent_child);
            assert_int_equal(got->sibling, want->sibling);
            assert_memory_equal(&got->components[0], &want->components[0],
                                sizeof got->components[0]);
        }
        if (!got->distances_dropped)
            assert_memory_equal(got->distances, want->distances, sizeof got->distances);
        whole += !dropped[HD_REUSE_WARP];
        none += dropped[HD_REUSE_KERNEL];
        without_blocks += dropped[HD_REUSE_BLOCK] && !dropped[HD_REUSE_KERNEL];
        hd_reuse_free(all);
        hd_reuse_free(some);
    }
    assert_true(whole > 5 && none > 20 && without_blocks > 20);
}

static void samples(void **unused)
{
    unsigned sampled = 0;

    (void)unused;
    for (unsigned i = 0; i < 100; i++) {
        struct hd_reuse_options o = options_of();
        seed = i;
        struct hd_reuse *all = hd_reuse_new(&o);
        free(play(all, false));
        const struct hd_reuse_result *want = hd_reuse_finish(all);
        o.pairs = 1 + i % 7;
        seed = i;
        struct hd_reuse *some = hd_reuse_new(&o);
        free(play(some, false));
        const struct hd_reuse_result *got = hd_reuse_finish(some);
        for (unsigned k = 0; k < HD_REUSE_N_RELATIONS; k++) {
            const struct hd_reuse_relation *r = &got->relations[k];
            uint64_t sum = 0;
            for (unsigned b = 0; b < HD_REUSE_BINS; b++)
                sum += r->bins[b];
            assert_int_equal(r->pairs, want->relations[k].pairs);
            assert_int_equal(sum, r->pairs);
            assert_true(r->sampled <= r->pairs);
            sampled += r->sampled < r->pairs;
        }
        assert_int_equal(got->sibling, want->sibling); // sums are never sampled
        hd_reuse_free(all);
        hd_reuse_free(some);
    }
    assert_true(sampled > 50);
}

// Three blocks on two SMs; the first two are resident together, and so are the last two.
static void resident_warps(void **unused)
{
    struct hd_reuse_options o = options_of();
    o.resident = true;
    struct hd_reuse *r = hd_reuse_new(&o);

    (void)unused;
    launch(r, HD_REUSE_HOST, HD_REUSE_HOST, 4);
    hd_reuse_block_starts(r, 0, 0, 0, 0);
    hd_reuse_block_starts(r, 0, 2, 0, 1);
    hd_reuse_block_starts(r, 1, 0, 0, 3);
    for (unsigned line = 0; line < 4; line++) {
        hd_reuse_accessed(r, 0, 0, 0, line * HD_REUSE_LINE, false, HD_REUSE_LOAD);
        hd_reuse_accessed(r, 0, 2, line % 2, (line + 2) * HD_REUSE_LINE, false, HD_REUSE_LOAD);
        hd_reuse_accessed(r, 1, 0, 0, line * HD_REUSE_LINE, false, HD_REUSE_LOAD);
    }
    hd_reuse_block_ends(r, 0, 0, false);
    hd_reuse_block_starts(r, 0, 0, 0, 2);
    hd_reuse_accessed(r, 0, 0, 1, 3 * HD_REUSE_LINE, false, HD_REUSE_LOAD);
    hd_reuse_block_ends(r, 0, 2, false);
    hd_reuse_block_ends(r, 0, 0, false);
    hd_reuse_block_ends(r, 1, 0, false);
    hd_reuse_kernel_ends(r, 0);
    const struct hd_reuse_relation *s = &hd_reuse_finish(r)->relations[HD_REUSE_WARP_RESIDENT];
    // Warps a of block 0; b, c of block 1; d of block 2. Lines: a 0 1 2 3, b 2 4, c 3 5, d 3.
    // a with b and c: 1/4 each; b, c with a: 1/2 each; d with b: 0, with c: 1; b with d: 0,
    // c with d: 1/2.
    assert_int_equal(s->pairs, 8);
    assert_int_equal(s->bins[2], 2);
    assert_int_equal(s->bins[5], 3);
    assert_int_equal(s->bins[0], 2);
    assert_int_equal(s->bins[9], 1);
    hd_reuse_free(r);
}

// More accesses than a buffer has room for, and more times than the clock has: against a stack of
// lines, where the distance of a line is its depth.
static void many_accesses(void **unused)
{
    enum { LINES = 1500, N = 30000 };
    static uint32_t stack[LINES], sum[LINES], count[LINES];
    uint64_t repeated = 0, want[HD_REUSEDISTANCE_BINS] = {0}, again = 0;
    struct hd_reuse_options o = options_of();
    struct hd_reuse *r = hd_reuse_new(&o);
    uint32_t n = 0;

    (void)unused;
    seed = 5;
    launch(r, HD_REUSE_HOST, HD_REUSE_HOST, 2);
    hd_reuse_block_starts(r, 0, 0, 0, 0);
    hd_reuse_block_starts(r, 0, 1, 0, 1);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t line = below(1 + below(LINES)), depth = 0;
        hd_reuse_accessed(r, 0, below(2), 63, (uint64_t)line * HD_REUSE_LINE, false,
                          HD_REUSE_ATOMIC);
        while (depth < n && stack[depth] != line)
            depth++;
        if (depth < n) {
            sum[line] += depth;
            count[line]++;
            repeated++;
        } else {
            n++;
        }
        memmove(&stack[1], &stack[0], depth * sizeof *stack);
        stack[0] = line;
    }
    for (uint32_t i = 0; i < LINES; i++) {
        if (!count[i])
            continue;
        uint32_t mean = sum[i] / count[i];
        want[mean ? (unsigned)floor(log2(mean)) : 0]++;
        again++;
    }
    const struct hd_reuse_result *got = hd_reuse_finish(r);
    assert_int_equal(got->repeated, repeated);
    assert_int_equal(got->lines, n);
    assert_int_equal(got->distances[HD_REUSEDISTANCE_SELF].lines, again);
    assert_memory_equal(got->distances[HD_REUSEDISTANCE_SELF].bins, want, sizeof want);
    hd_reuse_free(r);
}

// Local lines are a block's own; stores and atomics do not count among loads.
static void local_lines_and_loads(void **unused)
{
    struct hd_reuse_options o = options_of();
    o.loads = true;
    struct hd_reuse *r = hd_reuse_new(&o);

    (void)unused;
    launch(r, HD_REUSE_HOST, HD_REUSE_HOST, 2);
    for (unsigned b = 0; b < 2; b++) {
        hd_reuse_block_starts(r, b, 0, 0, b);
        hd_reuse_accessed(r, b, 0, 0, 4096, true, HD_REUSE_LOAD);
        hd_reuse_accessed(r, b, 0, 0, 4096, false, HD_REUSE_STORE);
        hd_reuse_accessed(r, b, 0, 0, 4096, false, HD_REUSE_ATOMIC);
        hd_reuse_block_ends(r, b, 0, false);
    }
    hd_reuse_kernel_ends(r, 0);
    const struct hd_reuse_result *got = hd_reuse_finish(r);
    assert_int_equal(got->accesses, 2);
    assert_int_equal(got->lines, 2);
    assert_int_equal(got->relations[HD_REUSE_BLOCK_INTRA_KERNEL].bins[0], 2);
    hd_reuse_free(r);
}

static void chains_by_hand(void **unused)
{
    struct hd_reusestore s;
    struct hd_reusechains c = {0};
    struct hd_reusechains_result component, path;

    (void)unused;
    hd_reusestore_init(&s, UINT64_MAX);
    // R(3|1) = 0.5, R(4|1) = 0.9, R(6|4) = 0.5, R(2|5) = 1: a component of 1 3 4 6 and one of 2 5;
    // paths 1 4 6, 4 6. A path leads to later units only.
    hd_reusechains_link(&c, &s, 3, 1, 5, 10);
    hd_reusechains_link(&c, &s, 4, 1, 9, 10);
    hd_reusechains_link(&c, &s, 6, 4, 50, 100);
    hd_reusechains_link(&c, &s, 2, 5, 1, 1);
    hd_reusechains_result(&c, &component, &path);
    assert_int_equal(component.chains, 2);
    assert_int_equal(component.units, 6);
    assert_int_equal(component.longest, 4);
    assert_int_equal(path.chains, 2);
    assert_int_equal(path.units, 5);
    assert_int_equal(path.longest, 3);
    hd_reusechains_drop(&c, &s);
    hd_reusestore_end(&s);
}

static void bins(void **unused)
{
    (void)unused;
    assert_int_equal(hd_reusepairs_bin(0, 7), 0);
    assert_int_equal(hd_reusepairs_bin(4, 10), 4);
    assert_int_equal(hd_reusepairs_bin(39, 100), 3);
    assert_int_equal(hd_reusepairs_bin(7, 7), 9);
    assert_false(hd_reusepairs_above(4, 10, HD_REUSEPAIRS_HIGH));
    assert_true(hd_reusepairs_above(41, 100, HD_REUSEPAIRS_HIGH));
}

static void keys(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_reusekeys one = {.arena = a}, two = {.arena = a};
    const uint8_t params[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct hd_reusekeys_launch l = {.function = "f",
                                    .grid = {1, 2, 3},
                                    .block = {4, 5, 6},
                                    .params = params,
                                    .param_bytes = sizeof params};
    uint64_t first = hd_reusekeys_next(&one, &l), second = hd_reusekeys_next(&one, &l), other;

    (void)unused;
    assert_int_not_equal(first, second); // equal launches are counted
    l.param_bytes--;
    other = hd_reusekeys_next(&two, &l);
    assert_int_not_equal(other, first);
    l.param_bytes++;
    assert_int_equal(hd_reusekeys_next(&two, &l), first); // whatever came before
    l.parent = first;
    other = hd_reusekeys_next(&two, &l);
    l.parent_block = 1;
    assert_int_not_equal(hd_reusekeys_next(&two, &l), other);
    for (uint32_t i = 0; i < 1000; i++) { // through several sizes of the table
        l.grid[0] = i + 2;
        other = hd_reusekeys_next(&one, &l);
        assert_int_equal(hd_reusekeys_next(&two, &l), other);
    }
    hd_arena_free(a);
}

static void options_as_text(void **unused)
{
    static const char *const wrong[] = {"load",
                                        "warps",
                                        "warps=all",
                                        "pairs=0",
                                        "above=0",
                                        "above=100",
                                        "above=1x",
                                        "pairs=",
                                        "pairs=1x",
                                        "pairs=-1",
                                        "memory=0",
                                        "memory=1P",
                                        "memory=1MB",
                                        "memory=G",
                                        "pairs=99999999999",
                                        "memory=99999999999999999999",
                                        "memory=99999999999999T"};
    struct hd_arena *a = hd_arena_new();
    struct hd_reuse_options o = hd_reuseoptions_default();

    (void)unused;
    assert_int_equal(o.memory, 1 << 30);
    assert_true(hd_reuseoptions_read(&o, ""));
    assert_true(hd_reuseoptions_read(&o, "loads,warps=sm,pairs=12,memory=3M,above=5"));
    assert_true(o.loads && o.resident && o.pairs == 12 && o.memory == 3 << 20);
    assert_string_equal(hd_reuseoptions_words(&o, a),
                        "loads,warps=sm,pairs=12,memory=3145728,above=5");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(hd_reuseoptions_read(&o, wrong[i]));
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_6),
        cmocka_unit_test(children_at_once),
        cmocka_unit_test(random_runs),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(samples),
        cmocka_unit_test(resident_warps),
        cmocka_unit_test(many_accesses),
        cmocka_unit_test(chains_by_hand),
        cmocka_unit_test(local_lines_and_loads),
        cmocka_unit_test(bins),
        cmocka_unit_test(keys),
        cmocka_unit_test(options_as_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
