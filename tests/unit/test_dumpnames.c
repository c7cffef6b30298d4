// test_dumpnames.c - the folders of dumps: one for each run, in the order of the runs, also if
// there are 100,000 of one name.
#include "study/dumpnames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define RUNS 100000u

static struct hd_study study_of(struct hd_arena *a, unsigned n, struct hd_job *job)
{
    struct hd_study s = {.arena = a, .n_runs = n, .out = "out"};

    s.runs = HD_ARRAY(a, struct hd_study_run, n);
    for (unsigned i = 0; i < n; i++) {
        s.runs[i].work = HD_NEW(a, hd_study_work);
        s.runs[i].work->name = "sum";
        s.runs[i].work->item.job = job;
        s.runs[i].machine = "";
    }
    return s;
}

static void equal_names(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_job job = {.n_dumps = 1};
    struct hd_study s = study_of(a, RUNS, &job);

    (void)state;
    hd_dumpnames_give(&s);
    assert_string_equal(s.runs[0].dumps, "out/sum-lrr");
    for (unsigned i = 1; i < RUNS; i++)
        assert_string_equal(s.runs[i].dumps, hd_arena_printf(a, "out/sum-lrr-%u", i + 1));
    hd_arena_free(a);
}

// A name with a number may be one that a run has of itself.
static void numbers_that_are_names(void **state)
{
    static const char *const machines[] = {"", "2", "", "", "2", "a b", "a/b", ""};
    static const char *const wanted[] = {"sum-lrr",     "sum-lrr-2",   "sum-lrr-3",     "sum-lrr-4",
                                         "sum-lrr-2-2", "sum-lrr-a_b", "sum-lrr-a_b-2", NULL};
    struct hd_arena *a = hd_arena_new();
    struct hd_job job = {.n_dumps = 1}, none = {.n_dumps = 0};
    struct hd_study s = study_of(a, 9, &job);

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        s.runs[i].machine = machines[i];
    s.runs[7].work->item.job = &none;
    s.runs[8].same = &s.runs[3];
    hd_dumpnames_give(&s);
    for (unsigned i = 0; wanted[i]; i++)
        assert_string_equal(s.runs[i].dumps, hd_arena_printf(a, "out/%s", wanted[i]));
    assert_null(s.runs[7].dumps);
    assert_string_equal(s.runs[8].dumps, "out/sum-lrr-4");
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names),
        cmocka_unit_test(numbers_that_are_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
