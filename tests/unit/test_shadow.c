// test_shadow.c - which accesses have a fixed order: each rule alone, and random programs against a
// model that remembers every access there was.
#include "trace/shadow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PER_BLOCK 4 // warps

static struct hd_arena *arena;
static struct hd_shadow *shadow;
static struct hd_shadow_conflict conflict;

static int set_up(void **state)
{
    (void)state;
    arena = hd_arena_new();
    shadow = hd_shadow_new(arena, UINT64_C(1) << 32);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

struct access {
    unsigned block, warp, epoch;
    enum hd_shadow_kind kind;
    unsigned reduction;
    uint64_t address;
    unsigned bytes;
    int value; // of every byte; -1: not known
};

static bool touch(const struct access *a)
{
    uint8_t value[32];
    struct hd_shadow_access by = {.warp = a->block * PER_BLOCK + a->warp,
                                  .warps_per_block = PER_BLOCK,
                                  .epoch = a->epoch,
                                  .pc = 7,
                                  .kind = a->kind,
                                  .reduction = a->reduction,
                                  .value = a->value < 0 ? NULL : value};

    memset(value, a->value, sizeof value);
    return hd_shadow_touch(shadow, a->address, a->bytes, &by, &conflict);
}

#define R HD_SHADOW_READ
#define W HD_SHADOW_WRITE
#define S HD_SHADOW_REDUCE
#define DO(block, warp, epoch, kind)                                                               \
    touch(&(struct access){block, warp, epoch, kind, (kind) == S, 0x80000000, 4, -1})

static void test_one_warp(void **state)
{
    (void)state;
    assert_true(DO(0, 0, 0, W));
    assert_true(DO(0, 0, 0, R));
    assert_true(DO(0, 0, 0, S));
    assert_true(DO(0, 0, 0, W));
    assert_true(DO(0, 0, 1, R));
}

static void test_barrier(void **state)
{
    (void)state;
    assert_true(DO(0, 0, 0, W));
    assert_true(DO(0, 1, 1, R));
    assert_true(DO(0, 2, 1, R));
    assert_false(DO(0, 3, 1, W));
    assert_false(conflict.before_writes);
    assert_false(conflict.other_block);
    assert_int_equal(conflict.before_pc, 7);
    assert_true(DO(0, 3, 2, W));
    assert_false(DO(0, 1, 2, R));
    assert_true(conflict.before_writes);
}

static void test_blocks(void **state)
{
    (void)state;
    assert_true(DO(0, 0, 0, R));
    assert_true(DO(1, 0, 3, R));
    assert_false(DO(0, 0, 9, W)); // no barrier orders another block
    assert_true(conflict.other_block);
    hd_shadow_clear(shadow);
    assert_true(DO(0, 0, 0, W));
    assert_false(DO(1, 0, 1, R));
}

static void test_sums(void **state)
{
    (void)state;
    assert_true(DO(0, 0, 0, S));
    assert_true(DO(1, 1, 2, S));
    assert_false(DO(0, 0, 0, R));
    assert_false(touch(&(struct access){2, 0, 0, S, 2, 0x80000000, 4, -1})); // another operation
    hd_shadow_clear(shadow);
    assert_true(DO(0, 0, 0, W)); // a first value, then sums: another block may come before it
    assert_true(DO(0, 1, 1, S));
    assert_false(DO(1, 0, 1, S));
    hd_shadow_clear(shadow);
    assert_true(DO(0, 0, 0, R)); // what was read first may be after another block's sum
    assert_true(DO(0, 0, 0, S));
    assert_false(DO(1, 0, 0, S));
}

static void test_same_value(void **state)
{
    (void)state;
    assert_true(touch(&(struct access){0, 0, 0, W, 0, 64, 8, 5}));
    assert_true(touch(&(struct access){1, 0, 0, W, 0, 64, 8, 5}));
    assert_false(touch(&(struct access){2, 0, 0, W, 0, 68, 4, 6}));
    assert_false(touch(&(struct access){2, 0, 0, W, 0, 68, 4, -1}));
    assert_false(touch(&(struct access){2, 0, 0, R, 0, 68, 4, -1}));
    assert_true(touch(&(struct access){2, 0, 0, W, 0, 65, 1, 5})); // kept by the byte from here on
    assert_false(touch(&(struct access){3, 0, 0, W, 0, 66, 1, 4}));
    // Who read before the first of them may read after the second.
    assert_true(touch(&(struct access){0, 0, 0, R, 0, 128, 4, -1}));
    assert_true(touch(&(struct access){0, 0, 0, W, 0, 128, 4, 1}));
    assert_false(touch(&(struct access){1, 0, 0, W, 0, 128, 4, 1}));
}

static void test_bytes(void **state)
{
    (void)state;
    assert_true(touch(&(struct access){0, 0, 0, W, 0, 4096, 4, -1}));
    assert_true(touch(&(struct access){0, 1, 0, W, 0, 4100, 1, -1}));
    assert_true(touch(&(struct access){0, 2, 0, W, 0, 4101, 1, -1}));
    assert_false(touch(&(struct access){0, 3, 0, R, 0, 4100, 4, -1}));
    assert_false(touch(&(struct access){0, 3, 0, R, 0, 4098, 2, -1})); // split pages remember
    assert_false(touch(&(struct access){0, 3, 0, R, 0, UINT64_C(1) << 40, 4, -1}));
    assert_int_equal(conflict.before_pc, HD_SHADOW_LINES);
}

// The model: an access conflicts with any earlier one of its bytes that nothing orders.
static bool ordered(const struct access *a, const struct access *b)
{
    bool same = a->block == b->block && a->warp == b->warp;

    return same || (a->block == b->block && a->epoch != b->epoch);
}

static bool compatible(const struct access *a, const struct access *b)
{
    if (a->kind == R && b->kind == R)
        return true;
    if (a->kind == S && b->kind == S)
        return a->reduction == b->reduction;
    return false;
}

static uint64_t seed = 3;
static unsigned rnd(unsigned n)
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) % n);
}

// One word, no values: the shadow says what the model says, up to the first conflict.
static void test_random(void **state)
{
    unsigned found = 0, none = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct access past[24];
        unsigned n = 1 + rnd(24), epochs[3] = {0, 0, 0}, kinds = 1 + rnd(3), blocks = 1 + rnd(3);
        bool conflicts = false, mixed = false;
        hd_shadow_clear(shadow);
        for (unsigned i = 0; i < n && !conflicts; i++) {
            struct access a = {.block = rnd(blocks),
                               .warp = rnd(PER_BLOCK),
                               .address = 512,
                               .bytes = 4,
                               .value = -1};
            a.kind = rnd(4) ? (enum hd_shadow_kind)(kinds % 3) : (enum hd_shadow_kind)rnd(3);
            a.reduction = a.kind == S ? 1 + !rnd(8) : 0;
            epochs[a.block] += !rnd(4);
            a.epoch = epochs[a.block];
            for (unsigned k = 0; k < i; k++)
                conflicts |= !ordered(&past[k], &a) && !compatible(&past[k], &a);
            mixed |= a.reduction == 2;
            past[i] = a;
            if (touch(&a) == !conflicts)
                continue;
            // It is stricter where reductions of different kinds met before a barrier.
            assert_false(conflicts);
            assert_true(mixed);
            break;
        }
        found += conflicts;
        none += !conflicts;
    }
    assert_true(found > 1000 && none > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_warp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_barrier, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
