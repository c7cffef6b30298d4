// test_workloads.c - which workloads a group has, and where their files are.
#include "workload/workloads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static unsigned of_group(const char *group)
{
    unsigned n = 0;

    for (unsigned i = 0; hd_workloads_at(i); i++)
        n += hd_workloads_in(hd_workloads_at(i), group);
    return n;
}

static void sorted_by_name(void **state)
{
    (void)state;
    for (unsigned i = 1; hd_workloads_at(i); i++)
        assert_true(strcmp(hd_workloads_at(i - 1)->name, hd_workloads_at(i)->name) < 0);
}

// All of them, but for those whose kernels launch kernels.
static void all_can_be_recorded(void **state)
{
    unsigned dynamic = 0, n = 0;

    (void)state;
    for (; hd_workloads_at(n); n++) {
        const struct hd_workload *w = hd_workloads_at(n);
        dynamic += w->dynamic;
        assert_int_equal(hd_workloads_in(w, "all"), !w->dynamic);
    }
    assert_true(dynamic > 0);
    assert_int_equal(of_group("all"), n - dynamic);
}

// Each benchmark of the paper's Table 2 is one workload.
static void laser_has_its_benchmarks(void **state)
{
    static const char *const labels[] = {
        "AMR",         "BFS-small",   "BFS-citation",  "BFS-graph500",
        "GC-citation", "GC-graph500", "JOIN-Gaussian", "JOIN-uniform",
        "Mandel",      "SPMM-small",  "SPMM-large",    "Quicksort",
        "Radixsort",   "SA",          "SSSP-citation", "SSSP-graph500"};
    char word[32];

    (void)state;
    assert_int_equal(of_group("laser"), sizeof labels / sizeof *labels);
    for (unsigned i = 0; i < sizeof labels / sizeof *labels; i++) {
        snprintf(word, sizeof word, "laser:%s", labels[i]);
        assert_int_equal(of_group(word), 1);
    }
}

// The inputs of a program have its folder; any other workload has that of its name.
static void inputs_share_a_folder(void **state)
{
    (void)state;
    assert_string_equal(hd_workloads_folder(hd_workloads_find("dp_bfs_small")), "dp_bfs");
    assert_string_equal(hd_workloads_folder(hd_workloads_find("dp_bfs_graph500")), "dp_bfs");
    assert_string_equal(hd_workloads_folder(hd_workloads_find("dp_sa")), "dp_sa");
    assert_string_equal(hd_workloads_folder(hd_workloads_find("bfs")), "bfs");
    assert_null(hd_workloads_find("dp_bfs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_by_name),
        cmocka_unit_test(all_can_be_recorded),
        cmocka_unit_test(laser_has_its_benchmarks),
        cmocka_unit_test(inputs_share_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
