// test_memory.c - global memory: placement, limits of accesses, release, messages, digest.
#include "base/arena.h"
#include "emu/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static struct hd_arena *arena;
static struct hd_memory *m;

static int open_memory(void **state)
{
    (void)state;
    arena = hd_arena_new();
    m = hd_memory_new(arena);
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    hd_memory_free(m);
    hd_arena_free(arena);
    return 0;
}

static void places_upwards_in_granules(void **state)
{
    (void)state;
    assert_int_equal(hd_memory_alloc(m, 1, "A"), 0x80000000);
    assert_int_equal(hd_memory_alloc(m, 256, "B"), 0x80000100);
    assert_int_equal(hd_memory_alloc(m, 0, "C"), 0x80000200);
    assert_int_equal(hd_memory_alloc(m, 257, "D"), 0x80000300);
    assert_int_equal(hd_memory_alloc(m, 4, NULL), 0x80000500);
}

static void places_as_arranged(void **state)
{
    (void)state;
    hd_memory_arrange(m, HD_GLOBAL_BASE, 4096, 512);
    assert_int_equal(hd_memory_alloc(m, 1, "A"), 0x80000000);
    assert_int_equal(hd_memory_alloc(m, 3584, "B"), 0x80001000); // and 512 bytes: up to the next
    assert_int_equal(hd_memory_alloc(m, 3585, "C"), 0x80002000);
    assert_int_equal(hd_memory_alloc(m, 1, "D"), 0x80004000);
    assert_null(hd_memory_at(m, 0x80000100, 1)); // what is left free belongs to no allocation
}

static void accesses_stay_in_one_allocation(void **state)
{
    uint64_t a = hd_memory_alloc(m, 100, "A"), b = hd_memory_alloc(m, 100, "B");

    (void)state;
    assert_non_null(hd_memory_at(m, a, 256)); // rounded up to a granule
    assert_null(hd_memory_at(m, a, 257));
    assert_null(hd_memory_at(m, a + 255, 2)); // would reach into B
    assert_non_null(hd_memory_at(m, b + 255, 1));
    assert_null(hd_memory_at(m, b + 256, 1));
    assert_null(hd_memory_at(m, a - 1, 1));
    assert_null(hd_memory_at(m, 0, 1));
    assert_null(hd_memory_at(m, UINT64_MAX, 1));
    assert_null(hd_memory_at(m, a, UINT64_MAX));
}

static bool live(uint64_t address)
{
    struct hd_memory_view v = hd_memory_view(m);

    return v.live[(address - HD_MEMORY_BASE) / HD_GRANULE] != 0;
}

static void exact_ones_end_with_their_last_byte(void **state)
{
    (void)state;
    uint64_t a = hd_memory_alloc(m, 1001, "A"), b = hd_memory_alloc(m, 512, "B");
    struct hd_memory_view v = hd_memory_view(m);

    assert_non_null(hd_memory_at(m, a + 1023, 1));
    assert_int_equal(hd_memory_stretch(m, a).high, b + 512);
    hd_memory_make_exact(m, a);
    assert_non_null(hd_memory_at(m, a + 1000, 1));
    assert_null(hd_memory_at(m, a + 1001, 1));
    assert_null(hd_memory_at(m, a + 1000, 4));
    // Whole granules need no search.
    assert_int_equal(hd_memory_stretch(m, a).low, a);
    assert_int_equal(hd_memory_stretch(m, a).high, a + 768);
    assert_int_equal(hd_memory_stretch(m, b).low, b);
    assert_int_equal(v.live[(a + 767 - HD_MEMORY_BASE) / HD_GRANULE], 1);
    assert_int_equal(v.live[(a + 768 - HD_MEMORY_BASE) / HD_GRANULE], 0);
    hd_memory_make_exact(m, b);
    assert_int_equal(hd_memory_stretch(m, b).high, b + 512);
    assert_true(hd_memory_release(m, a));
    assert_null(hd_memory_at(m, a, 1));
    assert_true(hd_memory_revive(m, a));
    assert_null(hd_memory_at(m, a + 1001, 1));
    assert_int_equal(v.live[(a + 768 - HD_MEMORY_BASE) / HD_GRANULE], 0);
}

static void pages_stay_open(void **state)
{
    const uint64_t page = HD_MEMORY_PAGE;

    (void)state;
    hd_memory_use_pages(m);
    uint64_t a = hd_memory_alloc(m, 100, "A"), b = hd_memory_alloc(m, 2 * page, "B");
    assert_int_equal(a, HD_GLOBAL_BASE); // the edge of a page: its neighbour is open
    assert_true(live(a - 1) && live(a - page) && !live(a - page - 1));
    assert_true(live(b + 2 * page) && live(a + 3 * page - 1) && !live(a + 3 * page));
    assert_true(hd_memory_in_page(m, a - page) && !hd_memory_in_page(m, a - page - 1));
    assert_true(hd_memory_in_page(m, a + 3 * page - 1) && !hd_memory_in_page(m, a + 3 * page));
    assert_null(hd_memory_at(m, a - 1, 1)); // copies of the host stay exact
    assert_true(hd_memory_release(m, b));
    assert_true(live(b) && live(b + 2 * page));
    uint64_t x = hd_memory_place(m, 0, 4, "x"); // not below the start
    assert_true(x == HD_MEMORY_BASE && live(x) && live((x | (page - 1))));
}

static void copies_are_all_or_nothing(void **state)
{
    uint64_t a = hd_memory_alloc(m, 256, "A");
    uint8_t in[300], out[300] = {0};

    (void)state;
    memset(in, 7, sizeof in);
    assert_false(hd_memory_write(m, a, in, 300));
    assert_true(hd_memory_read(m, a, out, 256));
    assert_int_equal(out[0], 0);
    assert_true(hd_memory_write(m, a + 1, in, 255));
    assert_true(hd_memory_read(m, a, out, 256));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[255], 7);
    assert_false(hd_memory_read(m, a + 1, out, 256));
}

static void released_memory_is_gone_for_good(void **state)
{
    uint64_t a = hd_memory_alloc(m, 100000, "A"), b = hd_memory_alloc(m, 8, "B");

    (void)state;
    assert_false(hd_memory_release(m, a + 256));
    assert_true(hd_memory_release(m, a));
    assert_false(hd_memory_release(m, a));
    assert_null(hd_memory_at(m, a, 1));
    assert_int_equal(hd_memory_view(m).live[0], 0);
    assert_true(hd_memory_alloc(m, 100, "C") > b); // addresses are not used again soon
}

// Not soon, then from below; never those of live, held or kept memory, and never with old bytes.
static void addresses_come_back(void **state)
{
    const uint64_t big = UINT64_C(1) << 30;
    uint64_t first = hd_memory_alloc(m, 300, "first"), small = hd_memory_alloc(m, 5000, "small");
    uint64_t kept = hd_memory_alloc(m, 512, NULL), held = hd_memory_hold(m, 3 * big, 1 << 21);
    uint64_t later = hd_memory_alloc(m, 512, "later"), last = later, at;

    (void)state;
    memset(hd_memory_at(m, small, 5000), 7, 5000);
    hd_memory_keep(m, kept, true);
    assert_true(hd_memory_release(m, kept));
    assert_true(hd_memory_release(m, small));
    for (int i = 0; i < 64; i++, last = at) {
        at = hd_memory_alloc(m, big, NULL);
        assert_true(at > last);
        assert_true(hd_memory_release(m, at));
    }
    assert_int_equal(hd_memory_laps(m), 0);
    assert_int_equal(hd_memory_alloc(m, 5000, NULL), small);
    assert_int_equal(hd_memory_laps(m), 1);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(*hd_memory_at(m, small + (unsigned)i, 1), 0);
    at = hd_memory_alloc(m, 256, NULL); // not where `kept` was
    assert_int_equal(at, kept + 512);
    assert_int_equal(hd_memory_alloc(m, 2 << 20, NULL), later + 512); // nor in what is held
    assert_true(hd_memory_revive(m, kept) && kept < held && held < later);
    assert_int_equal(hd_memory_name(m, first)[0], 'f');
    hd_memory_let_go(m, held);
    for (int i = 0; i < 61; i++) // with what was held: 64
        assert_true(hd_memory_release(m, hd_memory_alloc(m, big, NULL)));
    assert_int_equal(hd_memory_alloc(m, big, NULL), at + 256); // where addresses were held
    assert_int_equal(hd_memory_laps(m), 2);
}

// Many small ones come back before they are much memory, and live ones are stepped over.
static void many_releases_are_forgotten(void **state)
{
    uint64_t here[64], at = 0;

    (void)state;
    for (int i = 0; i < 64; i++) {
        assert_true(hd_memory_release(m, hd_memory_alloc(m, 256, NULL)));
        here[i] = hd_memory_alloc(m, 256, "here");
    }
    for (int i = 0; i < 3 << 20; i++) {
        at = hd_memory_alloc(m, 256u << (i & 1), NULL);
        assert_non_null(hd_memory_at(m, at, 256));
        assert_true(hd_memory_release(m, at));
    }
    assert_true(hd_memory_laps(m) >= 2);
    for (int i = 0; i < 64; i++)
        assert_non_null(hd_memory_name(m, here[i]));
}

// Every address is used up: those released come back at once.
static void a_full_space_is_used_again(void **state)
{
    uint64_t size = hd_memory_view(m).size, a = hd_memory_alloc(m, size / 2, NULL), b;

    (void)state;
    assert_true(a != 0);
    assert_int_equal(hd_memory_alloc(m, size / 2, NULL), 0);
    assert_true(hd_memory_release(m, a));
    b = hd_memory_alloc(m, size / 2, NULL);
    assert_int_equal(b, a);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    assert_int_equal(hd_memory_alloc(m, UINT64_MAX, "A"), 0);
    assert_int_equal(hd_memory_alloc(m, UINT64_C(1) << 60, "A"), 0);
    assert_int_equal(hd_memory_alloc(m, 4, "B"), 0x80000000);
}

static void sentences_name_the_nearest_allocation(void **state)
{
    char s[160];
    uint64_t a = hd_memory_alloc(m, 100, "A"), b = hd_memory_alloc(m, 512, "B");

    (void)state;
    assert_string_equal(hd_memory_describe(m, a + 99, s, sizeof s),
                        "in `A` (100 bytes from 0x80000000)");
    assert_string_equal(hd_memory_describe(m, a + 116, s, sizeof s),
                        "16 bytes past the end of `A` (100 bytes from 0x80000000)");
    assert_string_equal(hd_memory_describe(m, b + 512, s, sizeof s),
                        "at the end of `B` (512 bytes from 0x80000100)");
    assert_string_equal(hd_memory_describe(m, 0x7ffffffc, s, sizeof s),
                        "4 bytes before `A` (100 bytes from 0x80000000)");
    hd_memory_release(m, b);
    assert_string_equal(hd_memory_describe(m, b, s, sizeof s),
                        "in `B` (512 bytes from 0x80000100, released)");
    hd_memory_describe(m, b, s, 10); // cut, not overrun
    assert_int_equal(strlen(s), 9);
}

static void digest_sees_live_bytes_only(void **state)
{
    uint64_t a = hd_memory_alloc(m, 4, "A"), b = hd_memory_alloc(m, 4, "B"), h;

    (void)state;
    h = hd_memory_digest(m);
    // FNV-1a of eight zero bytes
    assert_int_equal(h, UINT64_C(0xa8c7f832281a39c5));
    hd_memory_write(m, b, "x", 1);
    assert_int_not_equal(hd_memory_digest(m), h);
    hd_memory_release(m, b);
    hd_memory_write(m, a, "x", 1);
    h = hd_memory_digest(m);
    hd_memory_write(m, a, "", 1);
    assert_int_not_equal(hd_memory_digest(m), h);
}

static void files_at_held_addresses(void **state)
{
    uint64_t a = hd_memory_alloc(m, 100, "A"), held = hd_memory_hold(m, 3 << 16, 1 << 16);
    uint64_t b = hd_memory_alloc(m, 100, "B");
    const uint8_t byte = 77;
    uint8_t got = 0;

    (void)state;
    assert_true(held > a && held % (1 << 16) == 0 && b >= held + (3 << 16));
    assert_null(hd_memory_at(m, held, 1));
    assert_int_equal(hd_memory_stretch(m, a).high, a + 256);
    assert_int_equal(hd_memory_stretch(m, b).low, b);
    int file = memfd_create("memory", MFD_CLOEXEC);
    assert_true(file >= 0 && !ftruncate(file, 3 << 16));
    // What is in the file is in memory, from anywhere in a page on.
    uint64_t seen = held + 256;
    assert_true(hd_memory_map(m, seen, 100, file, 256));
    assert_int_equal(pwrite(file, &byte, 1, 256 + 3), 1);
    assert_true(hd_memory_read(m, seen + 3, &got, 1));
    assert_int_equal(got, 77);
    assert_null(hd_memory_at(m, seen, 300));
    assert_true(hd_memory_unmap(m, seen));
    assert_false(hd_memory_unmap(m, seen));
    assert_null(hd_memory_at(m, seen, 1));
    // Pieces that follow each other are one; mapped again in another cut they still are.
    assert_true(hd_memory_map(m, held, 1 << 16, file, 0));
    assert_true(hd_memory_map(m, held + (1 << 16), 1 << 16, file, 0));
    assert_non_null(hd_memory_at(m, held + 10, (2 << 16) - 10));
    assert_null(hd_memory_at(m, held + 10, 2 << 16));
    assert_int_equal(hd_memory_stretch(m, held).high, held + (2 << 16));
    assert_true(hd_memory_unmap(m, held) && hd_memory_unmap(m, held + (1 << 16)));
    assert_true(hd_memory_map(m, held, 3 << 16, file, 0));
    assert_non_null(hd_memory_at(m, held + (2 << 16), 1 << 16));
    assert_int_equal(hd_memory_hold(m, UINT64_MAX / 2, 1), 0);
    close(file);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_memory, close_memory)
    const struct CMUnitTest tests[] = {
        TEST(places_upwards_in_granules),
        TEST(places_as_arranged),
        TEST(accesses_stay_in_one_allocation),
        TEST(exact_ones_end_with_their_last_byte),
        TEST(pages_stay_open),
        TEST(copies_are_all_or_nothing),
        TEST(released_memory_is_gone_for_good),
        TEST(addresses_come_back),
        TEST(many_releases_are_forgotten),
        TEST(a_full_space_is_used_again),
        TEST(too_much_is_refused),
        TEST(sentences_name_the_nearest_allocation),
        TEST(digest_sees_live_bytes_only),
        TEST(files_at_held_addresses),
        TEST(accesses_stay_in_one_allocation),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
