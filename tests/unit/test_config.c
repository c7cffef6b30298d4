// test_config.c - machine files and --set: what is read, what is refused, what the user is told.
#include "base/config.h"
#include "base/fields.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct hd_arena *arena;
static const char *folder;
static struct hd_config config;
static struct hd_diag diag;

static int setup(void **state)
{
    const char *tmp = getenv("TMPDIR");

    (void)state;
    setenv("HEDDLE_DATA", ".", 1); // the test lies deeper in the build tree than the program
    arena = hd_arena_new();
    folder = hd_arena_printf(arena, "%s/heddle-config-%d", tmp ? tmp : "/tmp", (int)getpid());
    mkdir(folder, 0777);
    mkdir(hd_arena_printf(arena, "%s/sub", folder), 0777);
    return 0;
}

static const char *path_of(const char *name)
{
    return hd_arena_printf(arena, "%s/%s", folder, name);
}

static int teardown(void **state)
{
    static const char *const names[] = {"m.ini", "a.ini", "b.ini", "sub/c.ini", "gtx480.ini"};

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        unlink(path_of(names[i]));
    rmdir(path_of("sub"));
    rmdir(folder);
    hd_arena_free(arena);
    return 0;
}

static void put_bytes(const char *name, const char *text, size_t bytes)
{
    char err[HD_FILE_WHY];

    if (!hd_file_write(path_of(name), text, bytes, err))
        fail_msg("%s", err);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

// A machine must say what its memory is. In the last lines, so that those before keep their
// numbers.
#define FLAT "\n[gpu]\nmemory = flat\n"
static void put_flat(const char *text)
{
    put("m.ini", hd_arena_printf(arena, "%s" FLAT, text));
}

// Load m.ini with at most one override.
static bool load(const char *set)
{
    memset(&diag, 0, sizeof diag);
    return hd_config_load(arena, path_of("m.ini"), &set, set != NULL, &config, &diag);
}

#ifndef HD_STRESS // it changes what was read
static void good(const char *text)
{
    put_flat(text);
    if (!load(NULL))
        fail_msg("'%s' was refused: %s", text, diag.entries[0].text);
    assert_int_equal(diag.n, 0);
}

static void every_key_has_a_default(void **state)
{
    char text[128];

    (void)state;
    good("");
    assert_string_equal(config.name, "m");
    assert_int_equal(config.sm.warps, 48);
    assert_int_equal(config.sm.collectors_sp, 6);
    assert_int_equal(config.latency[HD_LAT(HD_LAT_DIV, HD_COL_FP64)].interval, 130);
    // Every default as text is accepted as a value.
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        for (const struct hd_field *f = s->rows; f->name; f++) {
            hd_fields_text(f, &config, text, sizeof text);
            if (!load(hd_arena_printf(arena, "%s.%s=%s", s->name, f->name, text)))
                fail_msg("%s.%s=%s: %s", s->name, f->name, text, diag.entries[0].text);
            assert_true(f->help[0] != '\0');
        }
}

// The shipped machines spell their numbers out; ours must be among those we name as defaults.
static void shipped_machine(void **state)
{
    memset(&diag, 0, sizeof diag);
    (void)state;
    assert_true(hd_config_load(arena, "gpus/debug-flatmem.ini", NULL, 0, &config, &diag));
    assert_string_equal(config.name, "debug-flatmem");
    assert_int_equal(config.flat.latency, 200);
    assert_int_equal(config.sm.shared_bytes, 48 << 10);
    assert_int_equal(config.l1c.perfect, 1);
}

static void spelling(void **state)
{
    (void)state;
    good(
        "# a comment\n; another\n[sm]\nwarps=16   # half\n  tbs = 4\t; less\nshared_bytes = 16K\n");
    assert_int_equal(config.sm.warps, 16);
    assert_int_equal(config.sm.tbs, 4);
    assert_int_equal(config.sm.shared_bytes, 16384);
    good("\xef\xbb\xbf[sm]\r\nwarps = 16\r\n[latency]\r\nadd.int = 9/3"); // BOM, CRLF, no line end
    assert_int_equal(config.sm.warps, 16);
    assert_int_equal(config.latency[HD_LAT(HD_LAT_ADD, HD_COL_INT)].latency, 9);
    assert_int_equal(config.latency[HD_LAT(HD_LAT_ADD, HD_COL_INT)].interval, 3);
    good("[sm]\nwarps = 16\nwarps = 0x20\n[gpu]\n[sm]\ntbs = 2\n"); // the later one counts
    assert_int_equal(config.sm.warps, 32);
    assert_int_equal(config.sm.tbs, 2);
    good(hd_arena_printf(arena, "[sm]\nwarps = 16 # %0400d\n", 0)); // comments may be long
    assert_int_equal(config.sm.warps, 16);
}

static void includes(void **state)
{
    (void)state;
    put("a.ini", "include = sub/c.ini\n[sm]\nwarps = 16\ntbs = 5\n");
    put("sub/c.ini", "[sm]\nsms = 3\ntbs = 4\n");
    good("include = a.ini\n[sm]\ntbs = 6\n");
    assert_int_equal(config.sm.sms, 3); // a path is relative to the file that names it
    assert_int_equal(config.sm.warps, 16);
    assert_int_equal(config.sm.tbs, 6);
}

// Heddle's own machines, from any folder; a file beside comes first, but for the file itself.
static void includes_of_the_shipped(void **state)
{
    static const char *const names[] = {"gtx480", "gtx480.ini"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        put("m.ini", hd_arena_printf(arena, "include = %s\n[sm]\nsms = 8\n", names[i]));
        assert_true(load(NULL));
        assert_int_equal(config.gpu.memory, HD_MEM_CROSSBAR);
        assert_int_equal(config.sm.sms, 8);
    }
    put("gtx480.ini", "include = gtx480.ini\n[sm]\nwarps = 16\n");
    put("m.ini", "include = gtx480.ini\n");
    assert_true(load(NULL));
    assert_int_equal(config.sm.warps, 16);
    assert_int_equal(config.gpu.memory, HD_MEM_CROSSBAR);
}

// A size chooses the sets, whatever comes after it; of size and sets the last counts.
static void sizes(void **state)
{
    static const char *const sets[] = {"l1d.size=16K", "l1d.ways=8", "l1d.sets=4", "l2.size=1536K"};

    (void)state;
    good("[l1d]\nsize = 48K\nways = 6\n[l1c]\nline = 32\nsize = 2K\n");
    assert_int_equal(config.l1d.sets, 64);
    assert_int_equal(config.l1c.sets, 32);
    good("[l1d]\nsize = 48K\nsets = 8\n");
    assert_int_equal(config.l1d.sets, 8);
    good("[l1d]\nsets = 8\nsize = 32K\n");
    assert_int_equal(config.l1d.sets, 64);
    memset(&diag, 0, sizeof diag);
    assert_true(hd_config_load(arena, "gtx480", sets, 2, &config, &diag));
    assert_int_equal(config.l1d.sets, 16);
    assert_true(hd_config_load(arena, "gtx480", sets, 3, &config, &diag));
    assert_int_equal(config.l1d.sets, 4);
    assert_true(hd_config_load(arena, "gtx480", sets + 3, 1, &config, &diag));
    assert_int_equal(config.l2.sets, 128); // of each of the 12 banks
}

static void overrides(void **state)
{
    static const char *const sets[] = {"sm.warps=16", "sm.warps=8", "latency.add.int=7/2"};

    (void)state;
    put_flat("[sm]\nwarps = 32\n");
    memset(&diag, 0, sizeof diag);
    assert_true(hd_config_load(arena, path_of("m.ini"), sets, 3, &config, &diag));
    assert_int_equal(config.sm.warps, 8);
    assert_int_equal(config.latency[HD_LAT(HD_LAT_ADD, HD_COL_INT)].latency, 7);
}
#endif

// What is wrong, at which line (0: none given), and the hint.
static void refused(const char *set, uint32_t line, const char *text, const char *hint)
{
    if (load(set))
        fail_msg("was accepted; expected '%s'", text);
    if (diag.n != 1)
        fail_msg("'%s' and then '%s'", diag.entries[0].text, diag.entries[1].text);
    const struct hd_diag_entry *e = &diag.entries[0];
    if (!strstr(e->text, text) || !strstr(e->hint, hint) || e->line != line)
        fail_msg("line %u: '%s' ('%s'), expected line %u: '%s' ('%s')", e->line, e->text, e->hint,
                 line, text, hint);
}

static void bad_files(void **state)
{
    static const struct {
        const char *text;
        uint32_t line;
        const char *said, *hint;
    } rows[] = {
        {"[sn]\nwarps = 16\n", 1, "no section 'sn'", "'sm'"},       // once, however many keys
        {"[sm]\nwarps = 16\n[typo]\n", 3, "no section 'typo'", ""}, // with no key at all
        {"\xef\xbb\xbf[drm]\n[sm]\nwarps = 16\n", 1, "no section 'drm'", "'dram'"},
        {"  [sm ] # blank\n", 1, "no section 'sm '", "'sm'"},
        {"[]\ninclude = a.ini\n", 1, "no section ''", ""},
        {"\n\n[sm]\n\nwarp = 16 # many\n", 5, "no parameter 'warp'", "'warps'"},
        {"[sm]\nwarps = many\n", 2, "'many' is not a valid value of warps", "1 to 64"},
        {"[sm]\nwarps = 65\n", 2, "'65'", "1 to 64"},
        {"[sm]\nwarps =\n", 2, "a value of warps is missing", "1 to 64"},
        {"[sm]\nwarps = 16 16\n", 2, "'16 16'", "1 to 64"},
        {"[gpu]\nmemory = fast\n", 2, "'fast'", "flat"},
        {"warps = 16\n", 1, "'warps' comes before any [section]", ""},
        {"[sm]\nwarps\n", 2, "expected '[section]' or 'key = value'", ""},
        {"[sm\n", 1, "expected '[section]' or 'key = value'", ""},
        {"[sm\nwarps = 16\n", 1, "expected '[section]' or 'key = value'", ""}, // alone
        {"[sm]\nwarps = 47\n", 0, "sm.warps (47) must be a multiple of sm.schedulers (2)", ""},
        {"[sm]\nreg_banks = 12\n", 0, "powers of two", ""},
        {"[mem]\nalign = 768\n", 0, "mem.align must be a power of two", ""},
        {"[mem]\nspread = 100\n", 0, "mem.spread a multiple of 256", ""},
        {"[sm]\ncollectors_sp = 14\n", 0, "more than 16 operand collector units", ""},
        {"[sm]\ninclude = a.ini\n", 2, "no parameter 'include'", ""},
        {"include = nothing.ini\n", 1, "'nothing.ini' is neither a file beside this one",
         "list gpus"},
        {"include = gtx48.ini\n", 1, "'gtx48.ini' is neither a file", "did you mean 'gtx480'?"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
#ifdef HD_STRESS
        if (!rows[i].line)
            continue; // combinations are shrunk away
#endif
        put_flat(rows[i].text);
        refused(NULL, rows[i].line, rows[i].said, rows[i].hint);
    }
    // Lines that are too long are refused, and the lines behind them still counted.
    put("m.ini", hd_arena_printf(arena, "[sm]\nwarps = %0300d\n", 16));
    assert_false(load(NULL));
    assert_int_equal(diag.entries[0].line, 2);
    put_bytes("m.ini", "[sm]\nwarps = 16\ntbs\0 = 3\n", 25); // nothing is passed over silently
    refused(NULL, 0, "byte 0x00", "");
}

static void error_in_included_file(void **state)
{
    (void)state;
    put("a.ini", "\n[sm]\nwarp = 16\n");
    put("m.ini", "include = a.ini\n");
    refused(NULL, 3, "no parameter 'warp'", "'warps'");
    assert_string_equal(diag.entries[0].file, path_of("a.ini"));
}

static void includes_without_end(void **state)
{
    (void)state;
    put("a.ini", "include = b.ini\n");
    put("b.ini", "include = a.ini\n");
    put("m.ini", "include = a.ini\n");
    refused(NULL, 1, "a.ini' includes itself, through the files that it includes", "");
    put("m.ini", "include = m.ini\n");
    refused(NULL, 1, "m.ini' includes itself", "");
}

// Every file of a chain has `times` includes of the next one.
static void put_chain(unsigned files, unsigned times)
{
    for (unsigned i = 0; i < files; i++) {
        char text[400] = "";
        for (unsigned k = 0; k < times; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "include = %u.ini\n", i + 1);
        put(i ? hd_arena_printf(arena, "%u.ini", i) : "m.ini", text);
    }
    put(hd_arena_printf(arena, "%u.ini", files), "");
}

static void includes_too_deep(void **state)
{
    (void)state;
    put_chain(9, 1);
    refused(NULL, 1, "files include each other to a depth of more than 8", "");
}

// Would take 12^6 files.
static void includes_many_times(void **state)
{
    (void)state;
    put_chain(6, 12);
    assert_false(load(NULL));
    assert_non_null(strstr(diag.entries[0].text, "files are included"));
    assert_true(diag.n + diag.dropped < 1000);
}

static void bad_overrides(void **state)
{
    static const char *const forms[] = {"", "sm", "sm.warps", "warps=3", "=", "sm=3.4"};

    (void)state;
    put_flat("");
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        refused(forms[i], 0, "expected section.key=value", "");
    refused("sm.warp=3", 0, "no parameter 'warp'", "'warps'");
    refused("s.warps=3", 0, "no section 's'", "did you mean sm.warps?");
    refused("l1d.banks=2", 0, "no queues of banks", "l1d.latency");
    refused("l2.copies=1", 0, "for an L2 with sectors", "l2.sector=32");
    refused("l2.halves_astray=1", 0, "for an L2 with sectors", "l2.sector=32");
    refused("sm.segment_uncached=96", 0, "must be 32, 64 or 128", "");
    refused("l1d.sector=32", 0, "sm.segment = 128", "sm.segment=32");
    refused("sm.=3", 0, "no parameter ''", "");
    refused(".warps=3", 0, "no section ''", "");
    refused("sm.warps=0", 0, "'0'", "1 to 64");
    refused("sm.warps= 3", 0, "' 3'", "1 to 64");
}

// A file that says nothing of its memory would be simulated with one of fixed latency.
static void without_memory(void **state)
{
    (void)state;
    put("m.ini", "");
    refused(NULL, 0, "nothing sets gpu.memory", "include = gtx480.ini");
    put("m.ini", "[sm]\nsms = 8\n");
    refused(NULL, 0, "nothing sets gpu.memory", "include = gtx480.ini");
    refused("sm.sms=4", 0, "nothing sets gpu.memory", "include = gtx480.ini");
    assert_true(load("gpu.memory=crossbar"));
}

// The words of other simulators and of CUDA, and keys of another section.
static void meant_keys(void **state)
{
    static const char *const rows[][2] = {
        {"gpu.sms", "did you mean sm.sms?"},
        {"sm.regs", "did you mean sm.registers?"},
        {"sm.smem", "sm.shared_bytes"},
        {"core.warps", "sm.warps"},
        {"l1.size", "l1d.size"},
        {"l2.assoc", "l2.ways"},
        {"gpu.clock", "clock.core"},
        {"sm.threads", "sm.warps"},
        {"gpu.channels", "did you mean dram.channels?"},
        {"l1d.way", "did you mean 'ways'?"},
        {"sm.size", "l1d.size or"},
    };

    (void)state;
    put_flat("[l1d]\n\nsize = 48K\n");
    refused(NULL, 3, "l1d.size: 49152 bytes", "l1d.ways=3");
    put_flat("");
    refused("l1d.size=16", 0, "'16' is not a valid value of size", "32 to");
    refused("l1d.size=600", 0, "l1d.size: 600 bytes", "512, 1024");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        refused(hd_arena_printf(arena, "%s=1", rows[i][0]), 0, "", rows[i][1]);
}

// Users of GPGPU-Sim try its configuration.
static void gpgpusim_file(void **state)
{
    static const char text[] = "# functional simulator\n-gpgpu_ptx_sim_mode 0\n";

    (void)state;
    put("m.ini", text);
    refused(NULL, 0, "a configuration of GPGPU-Sim", "heddle gpu convert");
    put("a.ini", "include = m.ini\n");
    memset(&diag, 0, sizeof diag);
    assert_false(hd_config_load(arena, path_of("a.ini"), NULL, 0, &config, &diag));
    assert_int_equal(diag.n, 1);
}

static void unknown_machine(void **state)
{
    (void)state;
    memset(&diag, 0, sizeof diag);
    assert_false(hd_config_load(arena, "no-such-gpu", NULL, 0, &config, &diag));
    assert_non_null(strstr(diag.entries[0].text, "no GPU 'no-such-gpu'"));
    assert_non_null(strstr(diag.entries[0].hint, "list gpus"));
    memset(&diag, 0, sizeof diag);
    assert_false(hd_config_load(arena, "none.ini", NULL, 0, &config, &diag));
    assert_non_null(strstr(diag.entries[0].text, "none.ini: No such file"));
    memset(&diag, 0, sizeof diag);
    assert_false(hd_config_load(arena, "./", NULL, 0, &config, &diag));
    assert_int_equal(diag.n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef HD_STRESS
        cmocka_unit_test(every_key_has_a_default),
        cmocka_unit_test(shipped_machine),
        cmocka_unit_test(spelling),
        cmocka_unit_test(includes),
        cmocka_unit_test(includes_of_the_shipped),
        cmocka_unit_test(sizes),
        cmocka_unit_test(overrides),
#endif
        cmocka_unit_test(bad_files),
        cmocka_unit_test(error_in_included_file),
        cmocka_unit_test(includes_without_end),
        cmocka_unit_test(includes_too_deep),
        cmocka_unit_test(includes_many_times),
        cmocka_unit_test(bad_overrides),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(meant_keys),
        cmocka_unit_test(gpgpusim_file),
        cmocka_unit_test(unknown_machine),
    };
    return cmocka_run_group_tests_name("config", tests, setup, teardown);
}
