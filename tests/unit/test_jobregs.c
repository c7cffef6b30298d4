// test_jobregs.c - files of registers beside modules: where they are looked for, what is in them,
// and which message each bad one gets; the words of --regs.
#include "job/jobregs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct hd_arena *arena;
static const char *folder;

static const char *path_of(const char *name)
{
    return hd_arena_printf(arena, "%s/%s", folder, name);
}

static void put_bytes(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(path_of(name), "w");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static int start(void **state)
{
    char *base = getenv("TMPDIR");

    (void)state;
    arena = hd_arena_new();
    folder = mkdtemp(hd_arena_printf(arena, "%s/regs-XXXXXX", base ? base : "/tmp"));
    return folder ? 0 : -1;
}

static int end(void **state)
{
    static const char *const names[] = {"m.regs", "m.sm_20.regs", "m.sm_75.regs"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    rmdir(folder);
    hd_arena_free(arena);
    return 0;
}

static void paths(void **state)
{
    static const struct {
        const char *ptx, *target, *regs;
    } rows[] = {
        {"a/m.ptx", NULL, "a/m.regs"},
        {"a/m.sm_75.ptx", NULL, "a/m.sm_75.regs"},
        {"a/m.ptx", "sm_20", "a/m.sm_20.regs"},
        {"a/m.sm_75.ptx", "sm_20", "a/m.sm_20.regs"},
        {"a/m.sm_90a.ptx", "sm_20", "a/m.sm_20.regs"},
        {"a/m.sm_20.ptx", "sm_20", "a/m.sm_20.regs"},
        {"a/m.v2.ptx", "sm_20", "a/m.v2.sm_20.regs"},
        {"a/m.sm_75x.ptx", "sm_20", "a/m.sm_75x.sm_20.regs"},
        {"a.sm_75/m", "sm_20", "a.sm_75/m.sm_20.regs"},
        {"m", "sm_20", "m.sm_20.regs"},
        {".ptx", "sm_20", ".ptx.sm_20.regs"},
        {".sm_75.ptx", "sm_20", ".sm_75.sm_20.regs"},
        {"", "sm_20", ".sm_20.regs"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(hd_jobregs_path(arena, rows[i].ptx, rows[i].target), rows[i].regs);
}

static void words(void **state)
{
    static const char *const wrong[] = {"",           "0",
                                        "-1",         "+20",
                                        "020",        " 20",
                                        "20 ",        "20x",
                                        "0x14",       "65536",
                                        "sm_",        "sm_2",
                                        "sm_20x",     "sm_7500",
                                        "4294967297", "SM_20",
                                        "sm20",       "sm_20 ",
                                        "sm_20/",     "../sm_20",
                                        "sm_20,20",   "18446744073709551617"};
    struct hd_jobregs_choice c;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (hd_jobregs_choose(wrong[i], &c))
            fail_msg("'%s' was taken", wrong[i]);
    assert_true(hd_jobregs_choose("20", &c));
    assert_int_equal(c.each, 20);
    assert_string_equal(c.word, "20");
    assert_true(hd_jobregs_choose("65535", &c));
    assert_int_equal(c.each, 65535);
    assert_true(hd_jobregs_choose("sm_20", &c));
    assert_int_equal(c.each, 0);
    assert_string_equal(c.word, "sm_20");
    assert_true(hd_jobregs_choose("sm_100a", &c));
    assert_string_equal(c.word, "sm_100a");
    assert_true(hd_jobregs_choose("sm_75", &c)); // the default
    assert_int_equal(c.each, 0);
    assert_null(c.word);
}

// Read m.TARGET.regs; what was said goes to *d.
static bool read_target(struct hd_jobregs *r, const char *target, struct hd_diag *d)
{
    *r = (struct hd_jobregs){.n = 0};
    memset(d, 0, sizeof *d);
    return hd_jobregs_read(r, arena, path_of("m.sm_75.ptx"), target, d);
}

static void good_files(void **state)
{
    struct hd_jobregs r;
    struct hd_diag d;

    (void)state;
    assert_true(read_target(&r, NULL, &d)); // none is fine
    assert_int_equal(r.n, 0);
    put("m.sm_75.regs",
        "# by ptxas\nkernel a regs 62 smem 2048 threads 256\r\n\nkernel b regs 12 smem 0");
    assert_true(read_target(&r, NULL, &d));
    assert_int_equal(hd_jobregs_find(&r, "a")->regs, 62);
    assert_int_equal(hd_jobregs_find(&r, "b")->regs, 12);
    assert_null(hd_jobregs_find(&r, "c"));
    put("m.sm_20.regs",
        "kernel b regs 11 smem 0 # paper: none\nkernel a regs 20 smem 1 threads 7\n");
    assert_true(read_target(&r, "sm_20", &d));
    assert_int_equal(d.n, 0);
    assert_int_equal(hd_jobregs_find(&r, "a")->regs, 20);
    assert_int_equal(hd_jobregs_find(&r, "a")->smem, 1);
    assert_int_equal(hd_jobregs_find(&r, "a")->threads, 7);
    assert_int_equal(hd_jobregs_find(&r, "b")->regs, 11);
    put("m.sm_20.regs",
        "kernel a regs 20 smem 0\nkernel b regs 1 smem 0\nkernel c regs 9 smem 0\n");
    assert_true(read_target(&r, "sm_20", &d)); // more than the module's own has is fine
}

static void expect_bad(const char *text, size_t n, const char *said)
{
    struct hd_jobregs r;
    struct hd_diag d;

    put_bytes("m.sm_20.regs", text, n);
    if (read_target(&r, "sm_20", &d) || !d.n)
        fail_msg("'%.60s' was taken", text);
    if (!strstr(d.entries[0].text, said) && !strstr(d.entries[0].hint, said))
        fail_msg("'%.60s' reports '%s; %s', expected '%s'", text, d.entries[0].text,
                 d.entries[0].hint, said);
}

static void bad_files(void **state)
{
    static const struct {
        const char *text, *said;
    } rows[] = {
        {"", "has no line for kernel 'a'"},
        {"# nothing\n", "has no line for kernel 'a'"},
        {"kernel b regs 20 smem 0\n", "has no line for kernel 'a'"},
        {"kernel", "expected a kernel name"},
        {"kernel a", "expected 'regs' here"},
        {"kernel a regs", "expected registers per thread"},
        {"kernel a regs 0 smem 0", "from 1 to 65535"},
        {"kernel a regs 65536 smem 0", "from 1 to 65535"},
        {"kernel a regs 99999999999999999999 smem 0", "from 1 to 65535"},
        {"kernel a regs -3 smem 0", "from 1 to 65535"},
        {"kernel a regs 20.5 smem 0", "from 1 to 65535"},
        {"kernel a regs 20", "expected 'smem' here"},
        {"kernel a smem 0 regs 20", "expected 'regs' here"},
        {"kernel a regs 20 smem 16777217", "from 0 to 16777216"},
        {"kernel a regs 20 smem 0 threads", "expected threads of a block"},
        {"kernel a regs 20 smem 0 threads 1025", "from 1 to 1024"},
        {"kernel a regs 20 smem 0 threads 32 more", "more"},
        {"kernel a regs 20 smem 0 regs 21", "expected 'threads' here"},
        {"kernel a regs 20 smem 0\nkernel a regs 21 smem 0", "was already given"},
        {"Kernel a regs 20 smem 0", "expected 'kernel' here"},
        {"\x7f\x45LF\x02\x01\x01\n", "byte 0x7f does not belong"},
        {"\xff\xfe\xff kernel", "expected 'kernel' here"},
    };
    static const char nul[] = "kernel a\0b regs 20 smem 0\n";
    size_t length = 200000;
    char *line = hd_arena_get(arena, length, 1);
    struct hd_jobregs r;
    struct hd_diag d;

    (void)state;
    put("m.sm_75.regs", "kernel a regs 62 smem 0\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_bad(rows[i].text, strlen(rows[i].text), rows[i].said);
    expect_bad(nul, sizeof nul - 1, "");
    memset(line, 'x', length);
    expect_bad(line, length, "");
    memset(line, '\n', length);
    expect_bad(line, length, "has no line for kernel 'a'");
    put("m.sm_75.regs", "kernel a regs none\n"); // the module's own is wrong
    put("m.sm_20.regs", "kernel a regs 20 smem 0\n");
    assert_false(read_target(&r, "sm_20", &d));
    assert_non_null(strstr(d.entries[0].file, "m.sm_75.regs"));
}

static void no_file(void **state)
{
    struct hd_jobregs r;
    struct hd_diag d;

    (void)state;
    unlink(path_of("m.sm_20.regs"));
    unlink(path_of("m.sm_75.regs"));
    assert_false(read_target(&r, "sm_20", &d));
    assert_non_null(strstr(d.entries[0].text, "no registers of sm_20: there is no file"));
    assert_non_null(strstr(d.entries[0].hint, "--regs N"));
    put("m.sm_75.regs", "kernel a regs 62 smem 0\n");
    assert_false(read_target(&r, "sm_20", &d));
    assert_non_null(strstr(d.entries[0].hint, "there are those of sm_75"));
    assert_int_equal(mkdir(path_of("m.sm_20.regs"), 0777), 0);
    assert_false(read_target(&r, "sm_20", &d));
    assert_non_null(strstr(d.entries[0].text, "cannot read"));
    rmdir(path_of("m.sm_20.regs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),     cmocka_unit_test(words),   cmocka_unit_test(good_files),
        cmocka_unit_test(bad_files), cmocka_unit_test(no_file),
    };

    return cmocka_run_group_tests(tests, start, end);
}
