// test_device_printf.c - printf of device code: what it writes, in which order, and how it ends.
#include "devrt/devrt.h"
#include "emu/emu.h"
#include "shared/ptx_text.h"

#define PRINT                                                                                      \
    PTX_HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"             \
             ".global .align 1 .b8 text[64] = {%s};\n"                                             \
             ".entry k(.param .u64 a, .param .u64 b) {\n"                                          \
             ".local .align 8 .b8 args[32]; .reg .b64 %%rd<9>; .reg .b32 %%r<9>;\n"                \
             ".reg .f64 %%f; .param .b64 f; .param .b64 p; .param .b32 r;\n"                       \
             "mov.u64 %%rd0, args; cvta.local.u64 %%rd1, %%rd0; mov.u64 %%rd2, text;\n"            \
             "cvta.global.u64 %%rd2, %%rd2; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x;\n%s"   \
             "st.param.b64 [f], %%rd2; st.param.b64 [p], %%rd1;\n"                                 \
             "call.uni (r), vprintf, (f, p); ld.param.b32 %%r2, [r];\n"                            \
             "ld.param.u64 %%rd3, [a]; st.global.u32 [%%rd3], %%r2; ret; }\n"

struct printed {
    char text[4096];
    uint64_t lost;
    uint32_t result;
};

// Run a grid in which every thread prints `format` once; `store` fills args.
static struct printed print(const char *format, const char *store, uint32_t blocks,
                            uint32_t threads)
{
    char bytes[600] = "", text[4000];
    struct hd_memory *m = hd_memory_new(arena);
    struct hd_emu *e =
        hd_emu_new(arena, &(struct hd_emu_config){.sms = 1, .warps = 48, .tbs = 8}, m);
    struct hd_devrt *devrt = hd_devrt_new(arena, e, m);
    uint64_t params[2] = {0};
    struct printed out = {.lost = 0};
    struct hd_emu_result r;
    struct hd_diag d = {0};
    uint64_t again;
    size_t n = 0;

    for (const char *f = format; *f; f++)
        n += (size_t)snprintf(bytes + n, sizeof bytes - n, "%d, ", *f);
    snprintf(bytes + n, sizeof bytes - n, "0");
    snprintf(text, sizeof text, PRINT, bytes, store);
    struct hd_program *p = ptx_load_bytes(text, strlen(text));
    if (!p)
        hd_diag_print(&diag, stderr);
    assert_non_null(p);
    assert_true(hd_emu_load(e, p, &d));
    assert_non_null(hd_devrt_printed(devrt, &n, &again)); // nothing yet
    assert_int_equal(n, 0);
    params[0] = hd_memory_alloc(m, 4, "result");
    struct hd_launch l = {.program = p,
                          .kernel = hd_program_find(p, "k"),
                          .grid = {blocks, 1, 1},
                          .block = {threads, 1, 1},
                          .params = (const uint8_t *)params};
    hd_emu_run(e, &l, &(struct hd_emu_patience){.warp_insts = 0}, &r);
    assert_int_equal(r.trap.kind, HD_TRAP_NONE);
    const char *s = hd_devrt_printed(devrt, &n, &out.lost);
    snprintf(out.text, sizeof out.text, "%.*s", (int)n, s);
    hd_memory_read(m, params[0], &out.result, 4);
    assert_non_null(hd_devrt_printed(devrt, &n, &again));
    assert_int_equal(n + again, 0); // taken once
    hd_devrt_free(devrt);
    hd_emu_free(e);
    hd_memory_free(m);
    return out;
}

static void conversions(void **state)
{
    static const struct {
        const char *format, *store, *text;
        uint32_t result;
    } cases[] = {
        {"plain %%\n", "", "plain %\n", 0},
        {"%d|%5i|%-4u|%x", "st.local.v4.b32 [args], {-1, 7, 8, 255};", "-1|    7|8   |ff", 4},
        {"%c%%%hd", "st.local.v2.b32 [args], {65, 9};", "A%9", 2},
        {"%lld %llx", "st.local.b64 [args], -5; st.local.b64 [args+8], 0x123456789a;",
         "-5 123456789a", 2},
        {"%d %.2f",
         "st.local.b32 [args], 3; mov.f64 %f, 0d4009000000000000; "
         "st.local.f64 [args+8], %f;",
         "3 3.12", 2},
        {"%*d|%-*d|%.3d", "st.local.v4.b32 [args], {4, 1, 3, 2}; st.local.b32 [args+16], 7;",
         "   1|2  |007", 3},
        {"%s!", "mov.u64 %rd4, text; st.local.b64 [args], %rd4;", "%s!!", 1},
        {"%.1s", "mov.u64 %rd4, text; st.local.b64 [args], %rd4;", "%", 1},
        {"%s", "st.local.b64 [args], 12;", "", 1}, // nothing to read there
        {"%p", "st.local.b64 [args], 4096;", "0x1000", 1},
        {"a%nb", "", "a%nb", UINT32_MAX},
        {"a%", "", "a%", UINT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct printed p = print(cases[i].format, cases[i].store, 1, 1);
        assert_string_equal(p.text, cases[i].text);
        assert_int_equal(p.result, cases[i].result);
    }
}

static void order(void **state)
{
    struct printed p = print("%d.%d ", "st.local.v2.b32 [args], {%r1, %r0};", 2, 3);

    (void)state;
    assert_string_equal(p.text, "0.0 0.1 0.2 1.0 1.1 1.2 ");
}

static void lost(void **state)
{
    struct printed p = print("%512d", "", 70, 32); // 2,240 texts; 2,048 fill the buffer

    (void)state;
    assert_int_equal(p.lost, 192);
    p = print("%600d", "", 1, 1); // wider than any buffer: not a conversion it knows
    assert_string_equal(p.text, "%600d");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(conversions, ptx_setup, ptx_teardown),
        cmocka_unit_test_setup_teardown(order, ptx_setup, ptx_teardown),
        cmocka_unit_test_setup_teardown(lost, ptx_setup, ptx_teardown),
    };
    return cmocka_run_group_tests_name("device_printf", tests, NULL, NULL);
}
