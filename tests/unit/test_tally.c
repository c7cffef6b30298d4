// test_tally.c - counters that lie in planes of bits count like an array of numbers.
#include "mem/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MEMBERS = 64 };

static uint64_t draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void counts_like_an_array(uint32_t limit, uint32_t start)
{
    uint64_t seed = 7 + limit, some;
    uint32_t plain[MEMBERS];
    struct hd_tally t;

    hd_tally_init(&t, limit, ~UINT64_C(0), start);
    for (unsigned i = 0; i < MEMBERS; i++)
        plain[i] = start;
    for (unsigned n = 0; n < 5000; n++) {
        uint64_t add = draw(&seed), take = draw(&seed) & draw(&seed);
        if (n / (limit + 3) % 2) { // now it rises, now it falls
            uint64_t swap = add;
            add = take;
            take = swap;
        }
        for (unsigned i = 0; i < MEMBERS; i++) {
            if (plain[i] == limit)
                add &= ~(UINT64_C(1) << i);
            plain[i] += (uint32_t)(add >> i & 1);
            if (!plain[i])
                take &= ~(UINT64_C(1) << i);
            plain[i] -= (uint32_t)(take >> i & 1);
        }
        hd_tally_add(&t, add);
        hd_tally_take(&t, take);
        some = hd_tally_some(&t);
        for (unsigned i = 0; i < MEMBERS; i++)
            assert_int_equal(some >> i & 1, plain[i] != 0);
    }
}

static void counters_of_every_size(void **state)
{
    (void)state;
    counts_like_an_array(1, 1);
    counts_like_an_array(8, 8);
    counts_like_an_array(31, 0);
    counts_like_an_array(32, 32);
    counts_like_an_array(4096, 4090);
}

static void others_stay_at_zero(void **state)
{
    struct hd_tally t;

    (void)state;
    hd_tally_init(&t, 8, 5, 8);
    assert_true(hd_tally_some(&t) == 5);
    for (unsigned i = 0; i < 8; i++)
        hd_tally_take(&t, 4);
    assert_true(hd_tally_some(&t) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_of_every_size),
        cmocka_unit_test(others_stay_at_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
