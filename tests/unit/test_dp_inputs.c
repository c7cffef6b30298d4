// test_dp_inputs.c - the graphs of the workloads dp_* have as many vertices and edges as the sizes
// of these workloads say, if the seed is that of runs which name none.
#include "../../workloads/dp_inputs.h"
#include "workload/workloads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// 816748 as "816,748"; four digits have no comma.
static const char *grouped(unsigned n, char out[16])
{
    if (n < 10000)
        snprintf(out, 16, "%u", n);
    else if (n < 1000000)
        snprintf(out, 16, "%u,%03u", n / 1000, n % 1000);
    else
        snprintf(out, 16, "%u,%03u,%03u", n / 1000000, n / 1000 % 1000, n % 1000);
    return out;
}

static void says(const char *workload, enum hd_work_size size, const char *vertices, unsigned n,
                 unsigned edges)
{
    char text[64], a[16], b[16];

    snprintf(text, sizeof text, "%s %s, %s edges", grouped(n, a), vertices, grouped(edges, b));
    assert_string_equal(hd_workloads_find(workload)->sizes[size], text);
}

// Each edge counts once here; in a complete graph, as in the paper, once in each direction.
static void graphs_are_as_large_as_they_say(void **state)
{
    (void)state;
    for (int size = 0; size < HD_WORK_SIZES; size++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_work w = {.arena = a, .size = (enum hd_work_size)size, .seed = 1};
        struct dp_graph g = dp_citation_of_size(&w);
        says("dp_bfs_citation", w.size, "authors", g.n, g.edges / 2);
        says("dp_gc_citation", w.size, "authors", g.n, g.edges / 2);
        says("dp_sssp_citation", w.size, "authors", g.n, g.edges / 2);
        w.seed = 1;
        g = dp_graph500_of_size(&w);
        says("dp_bfs_graph500", w.size, "vertices", g.n, g.edges / 2);
        says("dp_gc_graph500", w.size, "vertices", g.n, g.edges / 2);
        says("dp_sssp_graph500", w.size, "vertices", g.n, g.edges / 2);
        static const unsigned complete[HD_WORK_SIZES] = {160, 512, 1024};
        g = dp_complete(&w, complete[size]);
        says("dp_bfs_small", w.size, "vertices", g.n, g.edges);
        hd_arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_are_as_large_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
