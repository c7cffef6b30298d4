// test_processors.c - quotas of control groups of both versions, and the processors left by them.
#include "base/processors.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct hd_arena *arena;
static const char *root;

// A file with its folders, below the root.
static void put(const char *path, const char *text)
{
    char *whole = hd_arena_printf(arena, "%s/%s", root, path);

    for (char *p = whole + strlen(root) + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            mkdir(whole, 0777);
            *p = '/';
        }
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static unsigned quota(const char *groups)
{
    put("groups", groups);
    return hd_processors_quota(arena, hd_arena_printf(arena, "%s/groups", root), root);
}

static int begin(void **state)
{
    const char *base = getenv("TMPDIR");
    char *folder;

    (void)state;
    arena = hd_arena_new();
    folder = hd_arena_printf(arena, "%s/groups-XXXXXX", base ? base : "/tmp");
    root = mkdtemp(folder);
    return !root;
}

static int end(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static void version_2(void **state)
{
    (void)state;
    put("a/b/cpu.max", "max 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 0);
    put("a/cpu.max", "250000 100000\n"); // of the group that it is in: 2.5
    assert_int_equal(quota("0::/a/b\n"), 3);
    put("a/b/cpu.max", "50000 100000\n");
    assert_int_equal(quota("0::/a/b\n"), 1);
    put("cpu.max", "20000 100000\n"); // a container sees its own group as the root
    assert_int_equal(quota("0::/not/here\n"), 1);
    assert_int_equal(quota("0::/\n"), 1);
    assert_int_equal(quota(""), 0);
    assert_int_equal(quota("nothing of the kind\n0\n"), 0);
    put("cpu.max", "words\n");
    assert_int_equal(quota("0::/\n"), 0);
}

static void version_1(void **state)
{
    (void)state;
    put("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    put("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota("3:memory:/x\n2:cpu,cpuacct:/job\n"), 0);
    put("cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
    assert_int_equal(quota("3:memory:/x\n2:cpu,cpuacct:/job\n"), 4);
    assert_int_equal(quota("3:cpuset:/x\n2:memory:/job\n"), 0);
    put("cpu/cpu.cfs_quota_us", "150000\n");
    put("cpu/cpu.cfs_period_us", "50000\n");
    assert_int_equal(quota("2:cpu,cpuacct:/job\n"), 3);
    assert_int_equal(quota("4:cpu:/elsewhere\n"), 3);
}

static void affinity(void **state)
{
    int status;

    (void)state;
    assert_in_range(hd_processors_usable(arena), 1, 1 << 20);
    pid_t pid = fork();
    if (!pid) { // on one processor only
        cpu_set_t all, one;
        CPU_ZERO(&one);
        sched_getaffinity(0, sizeof all, &all);
        for (size_t i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
            if (CPU_ISSET(i, &all))
                CPU_SET(i, &one);
        _exit(!sched_setaffinity(0, sizeof one, &one) && hd_processors_usable(arena) == 1 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(version_2, begin, end),
        cmocka_unit_test_setup_teardown(version_1, begin, end),
        cmocka_unit_test_setup_teardown(affinity, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
