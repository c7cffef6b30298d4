// test_workers.c - child processes: results in order, and nobody falls with a neighbour.
#include "base/bug.h"
#include "study/workers.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { TASKS = 9, KILLED = 3, BUG = 5, LARGE = 7, LARGE_BYTES = 1 << 20 };

static int work(void *ctx, unsigned task, FILE *result, struct hd_workers_pulse *pulse)
{
    const struct timespec nap = {.tv_nsec = (long)(TASKS - task) * 5 * 1000 * 1000};

    (void)pulse;
    nanosleep(&nap, NULL); // the first to start are the last to end
    printf("nobody sees this\n");
    fprintf(result, "result %u of %s", task, (const char *)ctx);
    fprintf(stderr, "messages %u", task);
    if (task == KILLED) {
        fflush(stderr);
        raise(SIGKILL);
    }
    HD_BUG_IF(task == BUG, "on purpose");
    for (int i = 0; task == LARGE && i < LARGE_BYTES; i++)
        fputc('x', result);
    return (int)task;
}

static unsigned told, told_bad;

static void ended(void *ctx, unsigned task, const struct hd_workers_result *r)
{
    char expected[32];

    told |= 1U << task;
    told_bad += !r->done || !r->result || strcmp(ctx, "test") != 0;
    if (task == KILLED || task == BUG)
        return;
    snprintf(expected, sizeof expected, "result %u of test", task);
    assert_int_equal(memcmp(r->result, expected, strlen(expected)), 0);
    assert_int_equal(r->bytes, strlen(expected) + (task == LARGE ? LARGE_BYTES : 0));
}

static void run_all(unsigned at_once)
{
    struct hd_arena *a = hd_arena_new();
    char name[] = "test";
    struct hd_workers w = {.n_tasks = TASKS, .at_once = at_once, .work = work, .ctx = name};
    struct hd_workers_result r[TASKS];

    told = told_bad = 0;
    w.ended = ended;
    assert_true(hd_workers_run(a, &w, r));
    assert_int_equal(told, (1U << TASKS) - 1);
    assert_int_equal(told_bad, 0);
    for (unsigned i = 0; i < TASKS; i++) {
        char messages[32];
        snprintf(messages, sizeof messages, "messages %u", i);
        assert_true(r[i].done);
        assert_int_equal(memcmp(r[i].messages, messages, strlen(messages)), 0);
        assert_int_equal(r[i].status, i == KILLED ? 128 + SIGKILL
                                      : i == BUG  ? HD_EXIT_BUG
                                                  : (int)i);
        assert_int_equal(r[i].signal, i == KILLED ? SIGKILL : 0);
        assert_string_equal(r[i].result, ""); // `ended` had it
    }
    assert_non_null(strstr(r[KILLED].messages, "ended by signal 9 (SIGKILL"));
    assert_non_null(strstr(r[KILLED].messages, "memory ran out"));
    assert_non_null(strstr(r[BUG].messages, "on purpose"));
    hd_arena_free(a);
}

static void one_at_a_time(void **state)
{
    (void)state;
    run_all(1);
}

static void many_at_a_time(void **state)
{
    (void)state;
    run_all(4);
    run_all(100);
}

static void no_tasks(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_workers w = {.at_once = 2, .work = work};
    struct hd_workers_result none;

    (void)state;
    assert_true(hd_workers_run(a, &w, &none));
    hd_arena_free(a);
}

// The caller's signal mask is its own again afterwards.
static void signals_restored(void **state)
{
    sigset_t before, after;

    (void)state;
    sigprocmask(SIG_SETMASK, NULL, &before);
    run_all(2);
    sigprocmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    assert_int_equal(sigismember(&before, SIGCHLD), sigismember(&after, SIGCHLD));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(many_at_a_time),
        cmocka_unit_test(no_tasks),
        cmocka_unit_test(signals_restored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
