// test_gpgpusim.c - the parts of the reader of GPGPU-Sim's files: numbers, caches, words, options.
#include "base/file.h"
#include "gpgpusim/simcache.h"
#include "gpgpusim/simmap.h"
#include "gpgpusim/simnumber.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct hd_arena *arena;
static struct hd_diag diag;
static struct hd_simfile file;
static char path[200];

static int set_up(void **state)
{
    const char *folder = getenv("TMPDIR");

    (void)state;
    arena = hd_arena_new();
    snprintf(path, sizeof path, "%s/heddle-%ld.config", folder ? folder : "/tmp", (long)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    hd_arena_free(arena);
    return 0;
}

static void numbers(void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {{"0", true, 0},
                {"42", true, 42},
                {"0x1F", true, 31},
                {"010", true, 8},
                {"08", false, 0},
                {"", false, 0},
                {"0x", false, 0},
                {"4x", false, 0},
                {"-1", false, 0},
                {" 1", false, 0},
                {"18446744073709551615", true, UINT64_MAX},
                {"18446744073709551616", false, 0}};
    uint64_t v;
    uint32_t list[3];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        v = 0;
        assert_int_equal(hd_simnumber_read(rows[i].text, strlen(rows[i].text), UINT64_MAX, &v),
                         rows[i].good);
        assert_true(v == rows[i].value);
    }
    assert_false(hd_simnumber_read("5", 1, 4, &v));
    assert_false(hd_simnumber_read("7", 1, 6, &v));
    assert_int_equal(hd_simnumber_list("1, 2 ,3", ',', 3, list), 3);
    assert_int_equal(list[1], 2);
    assert_int_equal(hd_simnumber_list("1,2,3,4", ',', 3, list), 0);
    assert_int_equal(hd_simnumber_list("1,,3", ',', 3, list), 0);
    assert_int_equal(hd_simnumber_list("4294967296", ',', 3, list), 0);
}

static void thousandths(void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {{"700", true, 700000},
                {"0700.00", true, 700000},
                {"3500.5", true, 3500500},
                {"1.001", true, 1001},
                {"1.0010", true, 1001},
                {"7.", true, 7000},
                {"1.0001", false, 0},
                {".5", false, 0},
                {"1e3", false, 0},
                {"1.5x", false, 0},
                {"", false, 0},
                {"4294967295.999", true, UINT64_C(4294967295999)},
                {"4294967296", false, 0},
                {"99999999999999999999999999", false, 0}};
    uint64_t v;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(hd_simnumber_thousandths(rows[i].text, strlen(rows[i].text), &v),
                         rows[i].good);
        if (rows[i].good)
            assert_true(v == rows[i].value);
    }
}

static void caches(void **state)
{
    struct hd_simcache c;

    (void)state;
    assert_null(hd_simcache_read("32:128:4,L:L:m:N,A:32:8,8", &c));
    assert_int_equal(c.sets, 32);
    assert_int_equal(c.ways, 4);
    assert_int_equal(c.kind, 0);
    assert_int_equal(c.set, 0);
    assert_int_equal(c.queue, 8);
    assert_null(hd_simcache_read("S:64:128:16,L:B:m:L:P,A:192:4,32:1,33", &c));
    assert_int_equal(c.kind, 'S');
    assert_int_equal(c.set, 'P');
    assert_int_equal(c.entries, 192);
    assert_int_equal(c.results, 1);
    assert_int_equal(c.port, 33);
    assert_null(hd_simcache_read("4:128:24,L:R:m:N,F:128:4,128:2", &c));
    assert_int_equal(c.results, 2);
    assert_non_null(hd_simcache_read("4:128:24,L:R:m:N,F:128:4,128:2,3,4", &c));
    assert_non_null(hd_simcache_read("4:128,L:R:m:N,F:128:4,128", &c));
    assert_non_null(hd_simcache_read("4:128:4,L:R:m,F:128:4,128", &c));
    assert_non_null(hd_simcache_read("", &c));
}

static bool read_text(const char *text)
{
    char err[HD_FILE_WHY];

    memset(&diag, 0, sizeof diag);
    assert_true(hd_file_write(path, text, strlen(text), err));
    return hd_simfile_read(arena, path, &file, &diag);
}

static const struct hd_simsetting *setting(const char *name)
{
    return &file.settings[hd_simoptions_index(hd_simoptions_find(name))];
}

static void words(void **state)
{
    (void)state;
    assert_true(read_text("# -gpgpu_n_mem 1\n-gpgpu_n_mem\r\n  7 -keep -gpgpu_dram_timing_opt \"a\n"
                          " # b\n  c\"\n-gpgpu_runtime_stat 1#2"));
    assert_int_equal(diag.n, 0);
    assert_string_equal(setting("-gpgpu_n_mem")->value, "7");
    assert_int_equal(setting("-gpgpu_n_mem")->line, 2);
    assert_string_equal(setting("-keep")->value, "1");
    assert_string_equal(setting("-gpgpu_dram_timing_opt")->value, "a c");
    assert_string_equal(setting("-gpgpu_runtime_stat")->value, "1");
    assert_null(setting("-gpgpu_n_clusters")->value);
    // Every mistake is reported, and what is right is read.
    assert_false(
        read_text("-gpgpu_n_mm 1 2\n7\n-gpgpu_n_mem x\n-gpgpu_shader_cta 8\n-gpgpu_n_clusters"));
    assert_int_equal(diag.n, 3);
    assert_int_equal(diag.entries[0].line, 1);
    assert_non_null(strstr(diag.entries[0].hint, "-gpgpu_n_mem"));
    assert_int_equal(diag.entries[1].line, 3);
    assert_int_equal(diag.entries[2].line, 5);
    assert_string_equal(setting("-gpgpu_shader_cta")->value, "8");
    assert_false(read_text("-gpgpu_scheduler \""));
    assert_false(read_text("\"-gpgpu_n_mem\" 1"));
    assert_true(read_text("-gpgpu_scheduler \"\"")); // empty, as in the reference
    assert_string_equal(setting("-gpgpu_scheduler")->value, "");
}

// Warnings leave room for errors.
static void many_repetitions(void **state)
{
    char text[1200] = "";

    (void)state;
    for (int i = 0; i < 40; i++)
        strncat(text, "-gpgpu_n_mem 5\n", sizeof text - strlen(text) - 1);
    strncat(text, "-no_such 5\n", sizeof text - strlen(text) - 1);
    assert_false(read_text(text));
    assert_int_equal(diag.n, HD_DIAG_MAX / 2 + 1);
    assert_int_equal(diag.dropped, 39 - HD_DIAG_MAX / 2);
    assert_false(diag.entries[diag.n - 1].warning);
}

static bool key_exists(const char *key)
{
    const char *dot = strchr(key, '.');
    const struct hd_config_section *s =
        hd_configkeys_find(hd_arena_strndup(arena, key, (size_t)(dot - key)));

    assert_non_null(s);
    if (strchr(key, '*') || !strcmp(key, "dram.indexing")) // where machines have one
        return true;
    for (const struct hd_field *f = s->rows; f->name; f++)
        if (!strcmp(f->name, dot + 1))
            return true;
    return false;
}

static void options(void **state)
{
    (void)state;
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        assert_int_equal(*o->name, '-');
        for (const struct hd_simoption *p = hd_simoptions; p < o; p++)
            assert_string_not_equal(p->name, o->name);
        if (o->how == HD_SIM_ALIAS)
            assert_ptr_equal(hd_simoptions_find(o->name), hd_simoptions_find(o->keys));
        else
            assert_true(o->default3 || o->default4);
        // A key that a row names exists: "sm.sms l1d.*".
        for (const char *k = o->how == HD_SIM_KEY || o->how == HD_SIM_PART ? o->keys : ""; *k;
             k += strcspn(k, " "), k += *k == ' ')
            assert_true(key_exists(hd_arena_strndup(arena, k, strcspn(k, " "))));
        if (o->how == HD_SIM_LACK && o->default4)
            assert_true(*hd_simoptions_lacks[o->which].hint);
        // What is ignored or refused says why.
        if (o->how == HD_SIM_IGNORE || o->how == HD_SIM_MUST)
            assert_true(*o->note);
    }
    assert_ptr_equal(hd_simoptions_find("rop_latency"),
                     hd_simoptions_find("-gpgpu_l2_rop_latency"));
    assert_null(hd_simoptions_find("-no_such"));
    assert_true(hd_simoptions_accepts("13|0x14", "20"));
    assert_false(hd_simoptions_accepts("13|20", "3"));
    assert_string_equal(hd_simoptions_values(arena, "1|2|3"), "1, 2 or 3");
    assert_string_equal(hd_simoptions_values(arena, "1"), "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(thousandths),
        cmocka_unit_test(caches),  cmocka_unit_test(words),
        cmocka_unit_test(options), cmocka_unit_test(many_repetitions),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
