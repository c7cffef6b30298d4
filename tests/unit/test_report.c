// test_report.c - tables, bars, CSV fields and result file names.
#include "base/file.h"
#include "present/out.h"
#include "present/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void expect_table(const char *layout, const char *const *cells, size_t n, const char *text)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_table t = hd_table_new(a, layout);
    char *got = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&got, &bytes);

    assert_non_null(f);
    for (size_t i = 0; i < n; i++)
        hd_table_add(&t, cells[i]);
    hd_table_print(&t, f);
    fclose(f);
    assert_string_equal(got, text);
    free(got);
    hd_arena_free(a);
}

static void columns(void **state)
{
    const char *const plain[] = {"NAME", "N", "a", "1,000", "longer", "7"};
    const char *const holes[] = {"a", "b", "c", NULL, NULL, "x", "y", "z", NULL, "end", NULL, NULL};
    const char *const wide[] = {"\u2588\u2588", "1", "abc", "2"};

    (void)state;
    expect_table("lr", plain, 6, "NAME        N\na       1,000\nlonger      7\n");
    expect_table("l r", plain, 6, "NAME          N\na         1,000\nlonger        7\n");
    expect_table("lll", holes, 12, "a    b  c\n        x\ny    z\nend\n");
    expect_table("lr", wide, 4, "\u2588\u2588   1\nabc  2\n"); // characters, not bytes
}

static void bars(void **state)
{
    struct hd_arena *a = hd_arena_new();

    (void)state;
    assert_string_equal(hd_table_bar(a, 1, 2, 10, false), "#####");
    assert_string_equal(hd_table_bar(a, 2, 2, 10, false), "##########");
    assert_string_equal(hd_table_bar(a, 3, 2, 10, false), "##########");
    assert_string_equal(hd_table_bar(a, 0, 2, 10, false), "");
    assert_string_equal(hd_table_bar(a, -1, 2, 10, true), "");
    assert_string_equal(hd_table_bar(a, 1, 0, 10, true), "");
    assert_string_equal(hd_table_bar(a, 1.25, 2, 4, true), "\u2588\u2588\u258c");
    assert_string_equal(hd_table_bar(a, 2, 2, 3, true), "\u2588\u2588\u2588");
    hd_arena_free(a);
}

static void texts(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_out o = {.arena = a};

    (void)state;
    assert_string_equal(hd_out_count(a, 0), "0");
    assert_string_equal(hd_out_count(a, 999), "999");
    assert_string_equal(hd_out_count(a, 1000), "1,000");
    assert_string_equal(hd_out_count(a, UINT64_MAX), "18,446,744,073,709,551,615");
    hd_out_csv(&o, "plain");
    hd_out_printf(&o, ",");
    hd_out_csv(&o, "a,b");
    hd_out_printf(&o, ",");
    hd_out_csv(&o, "say \"x\"");
    assert_string_equal(o.text, "plain,\"a,b\",\"say \"\"x\"\"\"");
    assert_int_equal(o.bytes, strlen(o.text));
    assert_string_equal(hd_out_path(a, "x.json"), "x.json");
    assert_string_equal(hd_out_path(a, "a%pb%p"),
                        hd_arena_printf(a, "a%db%d", (int)getpid(), (int)getpid()));
    hd_arena_free(a);
}

// A file that is written as it grows has the bytes that it would have had at once.
static void pieces(void **state)
{
    struct hd_arena *a = hd_arena_new();
    const char *folder = getenv("TMPDIR");
    char *path = hd_arena_printf(a, "%s/heddle-pieces-%d", folder ? folder : "/tmp", (int)getpid());
    struct hd_out whole = {.arena = a}, grown = {.arena = a}, lost = {.arena = a};
    char err[HD_FILE_WHY];
    size_t n;

    (void)state;
    hd_out_open(&grown, path);
    for (unsigned i = 0; i < 300000; i++) {
        hd_out_printf(&whole, "line %u\n", i);
        hd_out_printf(&grown, "line %u\n", i);
    }
    hd_out_add(&grown, whole.text, whole.bytes); // a piece that is larger than what is gathered
    assert_int_equal(access(path, F_OK), -1);    // until it is complete
    assert_true(hd_out_close(&grown));
    const char *got = (const char *)hd_file_read(a, path, &n, err);
    assert_non_null(got);
    assert_int_equal(n, 2 * whole.bytes);
    assert_memory_equal(got, whole.text, whole.bytes);
    assert_memory_equal(got + whole.bytes, whole.text, whole.bytes);
    assert_true(hd_arena_bytes(a) < 64U << 20);
    unlink(path);
    hd_out_open(&lost, "/nonexistent/x");
    hd_out_add(&lost, whole.text, whole.bytes);
    hd_out_add(&lost, whole.text, whole.bytes);
    assert_false(hd_out_close(&lost));
    hd_out_open(&lost, "/dev/full");
    hd_out_add(&lost, whole.text, whole.bytes);
    assert_false(hd_out_close(&lost));
    hd_arena_free(a);
}

static void locale(void **state)
{
    (void)state;
    setenv("LC_ALL", "C", 1);
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_false(hd_out_utf8()); // the first that is set decides
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    assert_true(hd_out_utf8());
    setenv("LANG", "C.utf8", 1);
    assert_true(hd_out_utf8());
    unsetenv("LANG");
    assert_false(hd_out_utf8());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns), cmocka_unit_test(bars),   cmocka_unit_test(texts),
        cmocka_unit_test(pieces),  cmocka_unit_test(locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
