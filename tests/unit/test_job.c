// test_job.c - the job grammar: what each bad line is told, and what a good one means.
#include "job/job.h"
#include "run/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A job that is right, to which the tests add one bad line (line 5).
#define GOOD                                                                                       \
    "ptx k.ptx\n"                                                                                  \
    "buf A 64 zero\n"                                                                              \
    "buf B 64 seq32\n"                                                                             \
    "launch k 1 1 1 32 1 1 0 p:A\n"

static struct hd_diag diag;

static struct hd_job *parse(struct hd_arena *a, const char *text)
{
    memset(&diag, 0, sizeof diag);
    return hd_job_parse(a, "dir/t.job", text, strlen(text), &diag);
}

struct bad {
    const char *line;
    uint32_t column;
    const char *text, *hint; // parts of the message and of the hint
};

static void expect_bad(const struct bad *b)
{
    struct hd_arena *a = hd_arena_new();
    char *text = hd_arena_printf(a, "%s%s\n", GOOD, b->line);

    if (parse(a, text) || diag.n != 1)
        fail_msg("'%s' gave %u diagnostics, expected 1", b->line, diag.n);
    const struct hd_diag_entry *e = &diag.entries[0];
    if (e->line != 5 || e->column != b->column)
        fail_msg("'%s' blamed at %u:%u, expected 5:%u (%s)", b->line, e->line, e->column, b->column,
                 e->text);
    if (!strstr(e->text, b->text))
        fail_msg("'%s' reports '%s', expected '%s'", b->line, e->text, b->text);
    if (b->hint && !strstr(e->hint, b->hint))
        fail_msg("'%s' was hinted '%s', expected '%s'", b->line, e->hint, b->hint);
    assert_string_equal(e->file, "dir/t.job");
    hd_arena_free(a);
}

static void bad_words(void **state)
{
    static const struct bad cases[] = {
        {"lunch k 1 1 1 1 1 1 0", 1, "unknown word 'lunch'", "'launch'"},
        {"  Buf C 4 zero", 3, "unknown word 'Buf'", "'buf'"},
        {"ptx", 4, "expected the module's file name", NULL},
        {"ptx k.ptx", 5, "already given in line 1", NULL},
        {"ptx a.ptx b.ptx a.ptx", 17, "already given in line 5", NULL},
        {"kernel", 7, "expected a kernel name", NULL},
        {"kernel k regs", 14, "expected registers per thread", NULL},
        {"kernel k regs 0", 15, "from 1 to 65535", NULL},
        {"kernel k regs 12 regs 13", 18, "'regs' here", NULL},
        {"kernel k reg 12", 10, "'reg' here", "'regs'"},
        {"kernel k smem -1", 15, "'-1' is not bytes of shared memory", NULL},
        {"buf A 4 zero", 5, "buffer 'A' was already given in line 2", NULL},
        {"buf C", 6, "expected a buffer's size", NULL},
        {"buf C 0 zero", 7, "from 1 to", NULL},
        {"buf C 99999999999999999999 zero", 7, "from 1 to", NULL},
        {"buf C 17179869185 zero", 7, "from 1 to 17179869184", NULL},
        {"buf C 4x zero", 7, "'4x' is not", NULL},
        {"buf C 4", 8, "expected the contents", NULL},
        {"buf C 4 zeros", 9, "unknown contents 'zeros'", "'zero'"},
        {"buf C 4 file", 13, "expected a file name", NULL},
        {"buf C 4 rand32", 15, "expected a seed", NULL},
        {"buf C 4 rand32 -1", 16, "'-1' is not a seed", NULL},
        {"buf C 4 randf32 1 0", 20, "expected the upper bound", NULL},
        {"buf C 4 randf32 1 0 x", 21, "'x' is not the upper bound", NULL},
        {"buf C 4 randf32 1 inf 2", 19, "'inf' is not the lower bound", NULL},
        {"buf C 4 randf32 1 2 1", 21, "below the lower bound", NULL},
        {"buf C 4 zero gard 4", 14, "'gard' here", "'guard'"},
        {"buf C 4 zero guard", 19, "expected bytes of guard", NULL},
        {"buf C 4 zero guard 4 5", 22, "one word too many", NULL},
        {"buf a+b 4 zero", 6, "'+' in a buffer name", NULL},
        {"const", 6, "expected a symbol", NULL},
        {"const s 4 zero", 11, "expected 'file F'", NULL},
        {"const s 4 file", 15, "expected a file name", NULL},
        {"dump A 65 f", 8, "65 bytes, but buffer 'A' has 64", NULL},
        {"dump C 4 f", 6, "no buffer 'C'", NULL},
        {"dump A 4 ../f", 10, "not a file inside the output folder", NULL},
        {"dump A 4 /tmp/f", 10, "not a file inside the output folder", NULL},
        {"dump A 4 x/../../f", 10, "not a file inside the output folder", NULL},
        {"check A 64 f", 13, "expected the comparison", NULL},
        {"check A 64 f excat", 14, "unknown comparison 'excat'", "'exact'"},
        {"check A 64 f f32", 17, "expected a tolerance", NULL},
        {"check A 64 f f32 -1", 18, "at least 0", NULL},
        {"check A 64 f f32 nan", 18, "'nan' is not a tolerance", NULL},
        {"check A 62 f f32 0", 9, "not a whole number of floats", NULL},
        {"check A 60 f f64 0", 9, "not a whole number of doubles", NULL},
        {"check A 64 f exact 1", 20, "one word too many", NULL},
        {"check AA 64 f exact", 7, "no buffer 'AA'", "'A'"},
        {"check A 68 f exact", 9, "68 bytes, but buffer 'A' has 64", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_bad(&cases[i]);
}

static void bad_launches(void **state)
{
    static const struct bad cases[] = {
        {"launch", 7, "expected a kernel name", NULL},
        {"launch k 1 1 1 1 1 1", 21, "expected bytes of dynamic shared memory", NULL},
        {"launch k 0 1 1 1 1 1 0", 10, "'0' is not the grid's x", NULL},
        {"launch k 1 1 1 0 1 1 0", 16, "'0' is not the block's x", NULL},
        {"launch k 1 65536 1 1 1 1 0", 12, "from 1 to 65535", NULL},
        {"launch k 2147483647 2 2 1 1 1 0", 10, "at most 4294967295", NULL},
        {"launch k 1 1 1 64 32 1 0", 16, "2048 threads in a block", NULL},
        {"launch k 1 1 1 1 1 65 0", 20, "from 1 to 64", NULL},
        {"launch k 1 1 1 1 1 1 x", 22, "'x' is not bytes of dynamic", NULL},
        {"launch k 1 1 1 1 1 1 0 A", 24, "'A' is not an argument", "p:BUF"},
        {"launch k 1 1 1 1 1 1 0 q:1", 24, "'q:1' is not an argument", "p:BUF"},
        {"launch k 1 1 1 1 1 1 0 p:C", 26, "no buffer 'C'", NULL},
        {"launch k 1 1 1 1 1 1 0 p:A+", 28, "not an offset", NULL},
        {"launch k 1 1 1 1 1 1 0 p:A+65", 26, "outside buffer 'A'", NULL},
        {"launch k 1 1 1 1 1 1 0 i:2147483648", 26, "32-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 i:", 26, "32-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 i:1.5", 26, "32-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 i:-2147483649", 26, "32-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 u:-1", 26, "unsigned 32-bit", NULL},
        {"launch k 1 1 1 1 1 1 0 l:99999999999999999999", 26, "64-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 w:65536", 26, "16-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 b:256", 26, "8-bit integer", NULL},
        {"launch k 1 1 1 1 1 1 0 f:1e39", 26, "a float can hold", NULL},
        {"launch k 1 1 1 1 1 1 0 f:1,5", 26, "not a number", NULL},
        {"launch k 1 1 1 1 1 1 0 d:1e309", 26, "a double can hold", NULL},
        {"launch k 1 1 1 1 1 1 0 h:65520", 26, "a half can hold", NULL},
        {"launch k 1 1 1 1 1 1 0 x:abc", 26, "even number of hexadecimal", NULL},
        {"launch k 1 1 1 1 1 1 0 x:zz", 26, "even number of hexadecimal", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_bad(&cases[i]);
}

// Bytes that are no text end in a message, not in a name.
static void bad_bytes(void **state)
{
    static const char text[] = "ptx k.ptx\nlaunch k 1 1 1 1 1 1 0\nbuf A\0B 4 zero\n";
    struct hd_arena *a = hd_arena_new();

    (void)state;
    memset(&diag, 0, sizeof diag);
    assert_null(hd_job_parse(a, "t.job", text, sizeof text - 1, &diag));
    assert_int_equal(diag.n, 1);
    assert_int_equal(diag.entries[0].line, 3);
    assert_int_equal(diag.entries[0].column, 6);
    assert_non_null(strstr(diag.entries[0].text, "byte 0x00"));
    hd_arena_free(a);
}

static void many_errors(void **state)
{
    struct hd_arena *a = hd_arena_new();
    char text[64 * 4 + 1] = "";

    (void)state;
    for (int i = 0; i < 64; i++)
        memcpy(text + i * 4, "bad\n", 4);
    assert_null(parse(a, text));
    assert_int_equal(diag.n, HD_DIAG_MAX);
    assert_int_equal(diag.dropped, 64 - HD_DIAG_MAX);
    assert_string_equal(diag.entries[3].excerpt, "bad");
    hd_arena_free(a);
}

static void missing_lines(void **state)
{
    struct hd_arena *a = hd_arena_new();

    (void)state;
    assert_null(parse(a, ""));
    assert_int_equal(diag.n, 2);
    assert_non_null(strstr(diag.entries[0].text, "no 'ptx FILE' line"));
    assert_non_null(strstr(diag.entries[1].text, "no 'launch' line"));
    hd_arena_free(a);
}

static void good_job(void **state)
{
    static const char text[] = "\xef\xbb\xbf# comment\r\n"
                               "ptx\tsub/k.ptx # the module\r\n"
                               "\r\n"
                               "kernel k smem 64 regs 12\r\n"
                               "launch k 3 12 1 32 8 1 16 p:B+4 i:-1\r\n" // before its buffer
                               "buf B 0x10 rand32 7 guard 512\r\n"
                               "check B 16 B.expect f32 1e-4\r\n"
                               "dump B 8 out/B.bin"; // no line end
    struct hd_arena *a = hd_arena_new();
    struct hd_job *j;

    (void)state;
    memset(&diag, 0, sizeof diag);
    j = hd_job_parse(a, "dir/good.job", text, sizeof text - 1, &diag);
    hd_diag_print(&diag, stderr);
    assert_non_null(j);
    assert_string_equal(j->name, "good");
    assert_string_equal(j->ptx, "dir/sub/k.ptx");
    assert_int_equal(j->n_kernels, 1);
    assert_int_equal(j->kernels[0].regs, 12);
    assert_int_equal(j->kernels[0].smem, 64);
    assert_int_equal(j->n_bufs, 1);
    assert_int_equal(j->bufs[0].bytes, 16);
    assert_int_equal(j->bufs[0].guard, 512);
    assert_int_equal(j->launches[0].grid[1], 12);
    assert_int_equal(j->launches[0].block[1], 8);
    assert_int_equal(j->launches[0].dynamic_shared, 16);
    assert_int_equal(j->launches[0].n_args, 2);
    assert_int_equal(j->launches[0].args[0].offset, 4);
    assert_memory_equal(j->launches[0].args[1].bytes, "\xff\xff\xff\xff", 4);
    assert_int_equal(j->checks[0].compare, HD_COMPARE_F32);
    assert_string_equal(j->dumps[0].file, "out/B.bin");
    hd_arena_free(a);
}

static void argument_is(struct hd_arena *a, char kind, const char *text, const char *bytes,
                        uint32_t n)
{
    struct hd_job_arg arg = {.kind = kind};
    const char *expected = hd_jobdata_argument(a, text, &arg);

    if (expected)
        fail_msg("%c:%s was refused: expected %s", kind, text, expected);
    assert_int_equal(arg.n_bytes, n);
    if (memcmp(arg.bytes, bytes, n))
        fail_msg("%c:%s has other bytes", kind, text);
}

static void argument_bytes(void **state)
{
    struct hd_arena *a = hd_arena_new();

    (void)state;
    argument_is(a, 'i', "-2147483648", "\x00\x00\x00\x80", 4);
    argument_is(a, 'i', "0x7fffffff", "\xff\xff\xff\x7f", 4);
    argument_is(a, 'u', "4294967295", "\xff\xff\xff\xff", 4);
    argument_is(a, 'l', "-2", "\xfe\xff\xff\xff\xff\xff\xff\xff", 8);
    argument_is(a, 'l', "18446744073709551615", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    argument_is(a, 'w', "-32768", "\x00\x80", 2);
    argument_is(a, 'w', "65535", "\xff\xff", 2);
    argument_is(a, 'b', "-1", "\xff", 1);
    argument_is(a, 'f', "0.125", "\x00\x00\x00\x3e", 4);
    argument_is(a, 'f', "inf", "\x00\x00\x80\x7f", 4);
    argument_is(a, 'd', "-1", "\x00\x00\x00\x00\x00\x00\xf0\xbf", 8);
    argument_is(a, 'h', "1", "\x00\x3c", 2);
    argument_is(a, 'h', "-2", "\x00\xc0", 2);
    argument_is(a, 'h', "65504", "\xff\x7b", 2);
    argument_is(a, 'h', "0.333251953125", "\x55\x35", 2);
    argument_is(a, 'h', "5.9604644775390625e-08", "\x01\x00", 2); // the least subnormal
    argument_is(a, 'h', "6.103515625e-05", "\x00\x04", 2);        // the least normal
    argument_is(a, 'h', "2049", "\x00\x68", 2);                   // ties to even, down
    argument_is(a, 'h', "2051", "\x02\x68", 2);                   // and up
    argument_is(a, 'x', "00ffA1", "\x00\xff\xa1", 3);
    hd_arena_free(a);
}

// First numbers of SplitMix64 from seed 1234567, as published with its reference code.
static void random_contents(void **state)
{
    static const uint64_t draws[3] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                      UINT64_C(9817491932198370423)};
    struct hd_job_buf b = {.fill = HD_FILL_RAND32, .seed = 1234567, .lo = -1, .hi = 3};
    uint32_t words[3];
    float floats[3];
    uint8_t part[6];

    (void)state;
    hd_jobdata_fill(&b, 0, (uint8_t *)words, sizeof words);
    for (int i = 0; i < 3; i++)
        assert_int_equal(words[i], (uint32_t)(draws[i] >> 32));
    hd_jobdata_fill(&b, 4, part, sizeof part); // a window, with a part of a word at its end
    assert_memory_equal(part, &words[1], 6);
    b.fill = HD_FILL_RANDF32;
    hd_jobdata_fill(&b, 0, (uint8_t *)floats, sizeof floats);
    for (int i = 0; i < 3; i++)
        assert_true(floats[i] == -1.0f + 4.0f * (float)(words[i] >> 8) * 0x1p-24f);
    b.fill = HD_FILL_SEQ32;
    hd_jobdata_fill(&b, 8, (uint8_t *)words, sizeof words);
    assert_int_equal(words[0], 2);
    assert_int_equal(words[2], 4);
}

static struct hd_check compare(enum hd_check_way way, double tolerance, uint64_t bytes,
                               const void *got, const void *expected)
{
    struct hd_check c = {.way = way, .tolerance = tolerance, .bytes = bytes, .expected = expected};

    hd_check_compare(&c, got);
    return c;
}

static void checks(void **state)
{
    const uint32_t a[4] = {1, 2, 3, 0x3f800000}, b[4] = {1, 9, 3, 0x40000000};
    const float got[6] = {1.0001f, 100.01f, NAN, INFINITY, 0.0f, -0.0f};
    const float want[6] = {1.0f, 100.0f, NAN, INFINITY, 1e-5f, 0.0f};
    const float wrong[6] = {1.001f, 100.0f, 0.0f, 1.0f, INFINITY, NAN};
    const double dg[2] = {1e300, -INFINITY}, dw[2] = {1e300 * (1 + 1e-12), INFINITY};
    struct hd_check r;

    (void)state;
    r = compare(HD_CHECK_EXACT, 0, 16, a, a);
    assert_int_equal(r.elements, 4);
    assert_int_equal(r.differ, 0);
    r = compare(HD_CHECK_EXACT, 0, 16, a, b);
    assert_int_equal(r.differ, 2);
    assert_int_equal(r.first, 1);
    assert_non_null(strstr(r.got_text, "0x00000002"));
    assert_non_null(strstr(r.wanted_text, "0x00000009"));
    r = compare(HD_CHECK_EXACT, 0, 5, a, b); // single bytes
    assert_int_equal(r.elements, 5);
    assert_int_equal(r.first, 4);
    r = compare(HD_CHECK_F32, 2e-4, 24, got, want);
    assert_int_equal(r.differ, 0);
    r = compare(HD_CHECK_F32, 2e-4, 24, wrong, want);
    assert_int_equal(r.differ, 5);
    assert_int_equal(r.first, 0);
    r = compare(HD_CHECK_F64, 1e-9, 16, dg, dw);
    assert_int_equal(r.differ, 1);
    assert_int_equal(r.first, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_words),      cmocka_unit_test(bad_launches),
        cmocka_unit_test(bad_bytes),      cmocka_unit_test(many_errors),
        cmocka_unit_test(missing_lines),  cmocka_unit_test(good_job),
        cmocka_unit_test(argument_bytes), cmocka_unit_test(random_contents),
        cmocka_unit_test(checks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
