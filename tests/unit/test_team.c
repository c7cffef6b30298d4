// test_team.c - pieces are done once each, by whoever has time, and an error in one ends the
// process as if they had been done one after the other.
#include "gpu/team.h"

#include "base/bug.h"
#include "shared/child.h"
#include "shared/gpu_bench.h"

#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PIECES 1024

static uint16_t all[PIECES];

static void number_all(void)
{
    for (unsigned i = 0; i < PIECES; i++)
        all[i] = (uint16_t)i;
}

// Threads of this process.
static unsigned threads_now(void)
{
    DIR *d = opendir("/proc/self/task");
    struct dirent *e;
    unsigned n = 0;

    assert_non_null(d);
    while ((e = readdir(d)))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

// Plain words: what do_piece writes must be visible to the caller, and what the caller writes to
// do_piece, without locks.
static unsigned done[PIECES], round_now;

static void count(void *ctx, unsigned piece)
{
    assert_ptr_equal(ctx, done);
    done[piece] += round_now;
}

static void each_piece_once(void **state)
{
    (void)state;
    for (unsigned members = 1; members <= HD_TEAM_MOST; members = members * 2 + 1 - members / 8) {
        struct hd_arena *a = hd_arena_new();
        unsigned n = members < HD_TEAM_MOST ? members : HD_TEAM_MOST;
        struct hd_team *t = hd_team_new(a, n, PIECES);

        for (unsigned pieces = 0; pieces <= PIECES; pieces = pieces * 3 + 1) {
            memset(done, 0, sizeof done);
            for (round_now = 1; round_now <= 10; round_now++)
                hd_team_run(t, count, done, all + (PIECES - pieces) / 2, pieces);
            for (unsigned i = 0; i < PIECES; i++)
                assert_int_equal(
                    done[i],
                    i >= (PIECES - pieces) / 2 && i < (PIECES - pieces) / 2 + pieces ? 55 : 0);
        }
        hd_team_free(t);
        hd_arena_free(a);
    }
}

// Members fall asleep between rounds, and wake.
static void after_a_pause(void **state)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    struct hd_arena *a = hd_arena_new();
    struct hd_team *t = hd_team_new(a, 4, PIECES);

    (void)state;
    memset(done, 0, sizeof done);
    for (round_now = 1; round_now <= 10; round_now++) {
        nanosleep(&pause, NULL);
        hd_team_run(t, count, done, all, PIECES);
    }
    for (unsigned i = 0; i < PIECES; i++)
        assert_int_equal(done[i], 55);
    hd_team_free(t);
    hd_arena_free(a);
}

// A piece that waits for another one: somebody else must do that one, so there are several threads.
static atomic_uint arrived;

static void wait_for_the_other(void *ctx, unsigned piece)
{
    (void)ctx, (void)piece;
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < 2)
        sched_yield();
}

static void side_by_side(void **state)
{
    static const uint16_t same_part[] = {0, 1}; // the second one is taken from its owner
    struct hd_arena *a = hd_arena_new();
    unsigned before = threads_now();
    struct hd_team *t = hd_team_new(a, 3, PIECES);

    (void)state;
    assert_int_equal(threads_now(), before + 2);
    hd_team_run(t, wait_for_the_other, NULL, same_part, 2);
    assert_int_equal(atomic_load(&arrived), 2);
    hd_team_free(t);
    assert_int_equal(threads_now(), before);
    hd_arena_free(a);
}

// Pieces 7, 14, ... have an error; the threads that find them first are others each time.
static void fail_at_sevens(void *ctx, unsigned piece)
{
    (void)ctx;
    if (piece > 6 && piece % 7 == 0) // the low numbers come last
        for (unsigned i = piece; i < PIECES; i += 16)
            sched_yield();
    HD_BUG_IF(piece > 6 && piece % 7 == 0, "piece %u is wrong", piece);
}

// Of a process that ends in the middle of a round: it has not leaked, because this points to it.
// Volatile, because the compiler would leave out a variable that nobody reads.
static struct hd_arena *volatile in_use;

static void fail_in_a_team(void)
{
    in_use = hd_arena_new();
    hd_team_run(hd_team_new(in_use, 5, PIECES), fail_at_sevens, NULL, all, PIECES);
}

static void the_lowest_error(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        char said[4096];
        assert_int_equal(child_status(fail_in_a_team, said, sizeof said), HD_EXIT_BUG);
        assert_non_null(strstr(said, "piece 7 is wrong\nThis is a bug in heddle"));
        assert_null(strstr(strstr(said, "piece") + 1, "piece"));
    }
}

// The process ends in the middle of a round: the piece that ends it is the last one.
static unsigned ended_by;
static atomic_uint others_done;

static void end_in_a_piece(void *ctx, unsigned piece)
{
    (void)ctx;
    if (piece != ended_by) {
        sched_yield();
        atomic_fetch_add(&others_done, 1);
        return;
    }
    _exit(hd_team_await_others() && atomic_load(&others_done) == PIECES - 1 ? 7 : 8);
}

static void end_in_a_team(void)
{
    in_use = hd_arena_new();
    hd_team_run(hd_team_new(in_use, 5, PIECES), end_in_a_piece, NULL, all, PIECES);
}

static void the_last_one(void **state)
{
    (void)state;
    for (ended_by = 0; ended_by < PIECES; ended_by += 100) {
        char said[4096];
        assert_int_equal(child_status(end_in_a_team, said, sizeof said), 7);
    }
    assert_false(hd_team_await_others());
}

// A machine with threads has them from its first run on, and until it is freed.
static void the_machine_has_a_team(void **state)
{
    static const char body[] = "ld.param.u64 %rd0, [buffer];\nmov.u32 %r0, %ctaid.x;\n"
                               "mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd0, %rd0, %rd1;\n"
                               "st.global.u32 [%rd0], %r0;\nret;\n";
    const struct gpu_bench_setup s = {.body = body, .blocks = 300, .host_threads = 4};
    unsigned before = threads_now();
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(&s, &status);

    (void)state;
    assert_int_equal(status, HD_RUN_OK);
    assert_int_equal(threads_now(), before + 3);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(gpu_bench_word(b, i), i);
    gpu_bench_free(b);
    assert_int_equal(threads_now(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_once), cmocka_unit_test(after_a_pause),
        cmocka_unit_test(side_by_side),    cmocka_unit_test(the_lowest_error),
        cmocka_unit_test(the_last_one),    cmocka_unit_test(the_machine_has_a_team),
    };

    number_all();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
