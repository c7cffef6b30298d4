// test_diag.c - diagnostics and option tables: what a user with a typing error is told.
#include "base/diag.h"
#include "base/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"lrr", "gto", "two_level_active", "lfws", NULL};

static void nearest_name(void **state)
{
    (void)state;
    assert_string_equal(hd_diag_closest("lr", names), "lrr");
    assert_string_equal(hd_diag_closest("gtoo", names), "gto");
    assert_string_equal(hd_diag_closest("lfsw", names), "lfws"); // swapped
    assert_string_equal(hd_diag_closest("two_level_actve", names), "two_level_active");
    assert_null(hd_diag_closest("round_robin", names));
    assert_null(hd_diag_closest("", names));
}

static void no_more_than_twenty_are_kept(void **state)
{
    static struct hd_diag d;

    (void)state;
    for (unsigned i = 0; i < HD_DIAG_MAX + 5; i++)
        hd_diag_hint(hd_diag_add(&d, "f", i + 1, 0, "error %u", i), "hint");
    assert_int_equal(d.n, HD_DIAG_MAX);
    assert_int_equal(d.dropped, 5);
    assert_string_equal(d.entries[HD_DIAG_MAX - 1].text, "error 19");
}

static void printed_with_place_and_caret(void **state)
{
    static struct hd_diag d;
    static const char text[] = "one\ntwo\tx\xff\nthree";
    char *out = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&out, &bytes);
    struct hd_diag_entry *e = hd_diag_add(&d, "a.job", 2, 5, "no such word '%s'", "x");

    (void)state;
    hd_diag_excerpt(e, text, sizeof text - 1);
    assert_string_equal(e->excerpt, "two x?");
    hd_diag_print(&d, to);
    fclose(to);
    assert_non_null(strstr(out, "a.job:2:5: error: no such word 'x'"));
    assert_non_null(strstr(out, "two x?"));
    assert_non_null(strchr(out, '^'));
    free(out);
}

struct machine {
    uint32_t warps, pair[2], on, kind;
    uint64_t big;
    char name[HD_FIELD_NAME_MAX];
};
static const char *const kinds[] = {"flat", "full", NULL};
static const struct hd_field table[] = {
    HD_F_U32(machine, warps, "48", 1, 64, "warps", "slots"),
    HD_F_PAIR(machine, pair, "4/1", 1, 100, "cycles", "latency/interval"),
    HD_F_BOOL(machine, on, "1", "a switch"),
    HD_F_ENUM(machine, kind, "full", kinds, "a choice"),
    HD_F_U64(machine, big, "0x100", 0, UINT64_MAX, "bytes", "a size"),
    HD_FIELD_END,
};

static bool put(struct machine *m, struct hd_diag *d, const char *name, const char *value)
{
    memset(d, 0, sizeof *d);
    return hd_fields_set(table, m, "[sm]", name, value, d, "x.ini", 3);
}

static void fields_good(void **state)
{
    static struct hd_diag d;
    struct machine m;

    (void)state;
    memset(&m, 0, sizeof m);
    hd_fields_defaults(table, &m);
    assert_int_equal(m.warps, 48);
    assert_int_equal(m.pair[0], 4);
    assert_int_equal(m.kind, 1);
    assert_int_equal(m.big, 256);
    assert_true(put(&m, &d, "big", "3M"));
    assert_int_equal(m.big, 3u << 20);
    assert_true(put(&m, &d, "pair", "7"));
    assert_int_equal(m.pair[1], 1);
    assert_true(put(&m, &d, "on", "off"));
    assert_int_equal(m.on, 0);
}

static void fields_bad(void **state)
{
    static const struct {
        const char *name, *value, *text, *hint;
    } cases[] = {
        {"warp", "3", "no parameter 'warp'", "'warps'"},
        {"warps", "0", "'0' is not a valid value of warps", "1 to 64"},
        {"warps", "65", "'65'", "1 to 64"},
        {"warps", "-1", "'-1'", "1 to 64"},
        {"warps", "4 8", "'4 8'", "1 to 64"},
        {"warps", "", "a value of warps is missing", "1 to 64"},
        {"warps", "0x", "'0x'", "1 to 64"},
        {"warps", "4294967297", "'4294967297'", "1 to 64"},
        {"big", "99999999999999999999", "'99999999999999999999'", "number"},
        {"big", "18014398509481984M", "M'", "number"},
        {"pair", "4/", "'4/'", "as in 4/1"},
        {"pair", "4/101", "'4/101'", "as in 4/1"},
        {"kind", "Full", "'Full'", "flat, full"},
        {"on", "maybe", "'maybe'", "0 or 1"},
    };
    static struct hd_diag d;
    struct machine m;

    (void)state;
    memset(&m, 0, sizeof m);
    hd_fields_defaults(table, &m);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine before = m;
        if (put(&m, &d, cases[i].name, cases[i].value))
            fail_msg("%s = '%s' was accepted", cases[i].name, cases[i].value);
        if (memcmp(&before, &m, sizeof m))
            fail_msg("%s = '%s' was refused but changed something", cases[i].name, cases[i].value);
        assert_int_equal(d.n, 1);
        assert_int_equal(d.entries[0].line, 3);
        if (!strstr(d.entries[0].text, cases[i].text) || !strstr(d.entries[0].hint, cases[i].hint))
            fail_msg("%s = '%s' reports '%s' (%s)", cases[i].name, cases[i].value,
                     d.entries[0].text, d.entries[0].hint);
    }
}

static void fields_print_what_they_read(void **state)
{
    static struct hd_diag d;
    struct machine m, again;
    char text[128];

    (void)state;
    memset(&m, 0, sizeof m);
    hd_fields_defaults(table, &m);
    assert_true(put(&m, &d, "warps", "17") && put(&m, &d, "pair", "9/3"));
    memset(&again, 0, sizeof again);
    for (const struct hd_field *f = table; f->name; f++)
        assert_true(put(&again, &d, f->name, hd_fields_text(f, &m, text, sizeof text)));
    assert_memory_equal(&m, &again, sizeof m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_name),
        cmocka_unit_test(no_more_than_twenty_are_kept),
        cmocka_unit_test(printed_with_place_and_caret),
        cmocka_unit_test(fields_good),
        cmocka_unit_test(fields_bad),
        cmocka_unit_test(fields_print_what_they_read),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
