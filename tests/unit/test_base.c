// test_base.c - the small things everything stands on: masks, rings, arenas, files, counters.
#include "base/arena.h"
#include "base/file.h"
#include "base/hostclock.h"
#include "heddle/bits.h"
#include "heddle/stats.h"
#include "hw/ring.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void masks(void **state)
{
    const uint32_t age[64] = {[3] = 7, [5] = 2, [63] = 2};
    uint64_t seen = 0;
    int w;

    (void)state;
    assert_int_equal(hd_first(0), HD_NONE);
    assert_int_equal(hd_first(UINT64_C(1) << 63), 63);
    assert_false(hd_has(~UINT64_C(0), HD_NONE));
    assert_true(hd_low(64) == ~UINT64_C(0));
    assert_true(hd_low(0) == 0);
    assert_int_equal(hd_rotate_from(0x11, 1), 4);
    assert_int_equal(hd_rotate_from(0x11, 5), 0); // wraps
    assert_int_equal(hd_rotate_from(0x11, 64), 0);
    assert_int_equal(hd_rotate_from(0, 5), HD_NONE);
    assert_int_equal(hd_oldest(hd_bit(3) | hd_bit(63) | hd_bit(5), age), 5); // tie: lowest slot
    HD_EACH(w, hd_bit(0) | hd_bit(40) | hd_bit(63))
        seen |= hd_bit(w);
    assert_true(seen == (hd_bit(0) | hd_bit(40) | hd_bit(63)));
}

static void ring_is_a_queue(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_req_ring r;
    uint64_t in = 0, out = 0;

    (void)state;
    hd_req_ring_init(&r, a, 5);       // storage is 8, the modelled capacity 5
    r.head = r.tail = UINT32_MAX - 2; // the counters may wrap
    for (unsigned round = 0; round < 100; round++) {
        while (!hd_req_ring_full(&r))
            hd_req_ring_push(&r, (struct hd_req){.addr = in++});
        assert_int_equal(hd_req_ring_fill(&r), 5);
        assert_int_equal(hd_req_ring_room(&r), 0);
        assert_int_equal(hd_req_ring_at(&r, 4)->addr, in - 1);
        for (unsigned i = 0; i < 1 + round % 5; i++) {
            assert_int_equal(hd_req_ring_head(&r)->addr, out);
            assert_int_equal(hd_req_ring_pop(&r).addr, out++);
        }
    }
    hd_arena_free(a);
}

static void arena_gives_zeroed_aligned_bytes(void **state)
{
    struct hd_arena *a = hd_arena_new();
    uint8_t *pieces[300];
    size_t sizes[300], total = 0;

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        sizes[i] = (i * 7919u) % 5000 + (i == 150 ? 1000000 : 0);
        pieces[i] = hd_arena_get(a, sizes[i], 1);
        total += sizes[i];
        assert_int_equal((uintptr_t)pieces[i] % (sizes[i] >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i & 0xff), sizes[i]);
    }
    for (unsigned i = 0; i < 300; i++) // nobody wrote into another's
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], i & 0xff);
    assert_int_equal(hd_arena_bytes(a), total);
    hd_arena_free(a);
    hd_arena_free(NULL);
}

static void arrays_grow(void **state)
{
    struct hd_arena *a = hd_arena_new();
    size_t n = 0, cap = 0;
    uint32_t *list = NULL;

    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        *HD_PUSH(a, list, n, cap) = i;
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    assert_string_equal(hd_arena_printf(a, "%d-%s", 7, "x"), "7-x");
    assert_string_equal(hd_arena_strndup(a, "abc", 2), "ab");
    hd_arena_free(a);
}

static void files(void **state)
{
    struct hd_arena *a = hd_arena_new();
    const char *folder = getenv("TMPDIR");
    char *path = hd_arena_printf(a, "%s/heddle-test-%d", folder ? folder : "/tmp", (int)getpid());
    char err[HD_FILE_WHY] = "";
    size_t n = 0;

    (void)state;
    const char *far = hd_arena_printf(a, "/%0250d/%0250d/no-such-file", 0, 0);
    assert_null(hd_file_read(a, far, &n, err)); // what is said of it ends with name and reason
    assert_non_null(strstr(err, "0/no-such-file: No such file or directory"));
    assert_int_equal(strncmp(err, "...000", 6), 0);
    assert_true(hd_file_write(path, "a\0b", 3, err));
    assert_memory_equal(hd_file_read(a, path, &n, err), "a\0b", 4); // the NUL behind is not counted
    assert_int_equal(n, 3);
    assert_true(hd_file_write(path, "", 0, err));
    assert_non_null(hd_file_read(a, path, &n, err));
    assert_int_equal(n, 0);
    unlink(path);
    assert_null(hd_file_read(a, path, &n, err));
    assert_non_null(strstr(err, "No such file"));
    assert_null(hd_file_read(a, "/", &n, err));
    assert_non_null(strstr(err, "not a regular file"));
    assert_false(hd_file_write("/nonexistent/x", "a", 1, err));
    assert_string_equal(hd_file_beside(a, "d/e.job", "f.ptx"), "d/f.ptx");
    assert_string_equal(hd_file_beside(a, "e.job", "f.ptx"), "f.ptx");
    assert_string_equal(hd_file_beside(a, "d/e.job", "/f.ptx"), "/f.ptx");
    hd_arena_free(a);
}

static void the_clock_goes_forward(void **state)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    double before = hd_hostclock_now(), after;

    (void)state;
    nanosleep(&pause, NULL);
    after = hd_hostclock_now();
    assert_true(after - before >= 0.002 && after - before < 60);
}

static void every_counter_is_registered(void **state)
{
    struct hd_sm_stats one, sum;
    uint64_t value;
    unsigned n = 0;

    (void)state;
    memset(&one, 0, sizeof one);
    memset(&sum, 0, sizeof sum);
    for (const struct hd_stat *s = hd_stats_sm; s->name; s++, n++) {
        assert_ptr_equal(hd_stats_find(s->name), s);
        assert_true(s->help[0] && s->unit[0]);
        value = n + 1;
        memcpy((char *)&one + s->offset, &value, sizeof value);
    }
    assert_int_equal(n * sizeof(uint64_t), sizeof one); // no field without a row
    hd_stats_add_sm(&sum, &one);
    hd_stats_add_sm(&sum, &one);
    hd_stats_sub_sm(&sum, &one);
    assert_memory_equal(&sum, &one, sizeof one);
    assert_null(hd_stats_find("no_such_counter"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),
        cmocka_unit_test(ring_is_a_queue),
        cmocka_unit_test(arena_gives_zeroed_aligned_bytes),
        cmocka_unit_test(arrays_grow),
        cmocka_unit_test(files),
        cmocka_unit_test(the_clock_goes_forward),
        cmocka_unit_test(every_counter_is_registered),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
