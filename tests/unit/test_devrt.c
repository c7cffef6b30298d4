// test_devrt.c - calls of the device's runtime by several SMs in one cycle: results follow the
// order of the SMs, whatever order stepped them.
#include "devrt/devrt.h"
#include "emu/emu.h"
#include "shared/ptx_text.h"

#define SMS 3
#define KERNEL                                                                                     \
    PTX_HEAD ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"                             \
             ".extern .func free (.param .b64 p);\n"                                               \
             ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"             \
             ".global .align 1 .b8 text[8] = {37, 108, 108, 120, 32, 0};\n" /* "%llx " */          \
             ".entry k(.param .u64 a, .param .u64 b) {\n"                                          \
             ".local .align 8 .b8 args[8]; .reg .b64 %%rd<9>; .reg .b32 %%r<9>;\n"                 \
             ".param .b64 n; .param .b64 q; .param .b64 m; .param .b64 f; .param .b64 p;\n"        \
             ".param .b32 r; mov.u64 %%rd0, args; cvta.local.u64 %%rd1, %%rd0;\n"                  \
             "mov.u64 %%rd2, text; cvta.global.u64 %%rd2, %%rd2; mov.u32 %%r0, %%ctaid.x;\n"       \
             "ld.param.u64 %%rd3, [a]; mul.wide.u32 %%rd4, %%r0, 8; add.u64 %%rd3, %%rd3, %%rd4;"  \
             "st.param.b64 [n], 1000; call.uni (m), malloc, (n); ld.param.b64 %%rd5, [m];\n"       \
             "st.global.u64 [%%rd3], %%rd5; st.local.u64 [%%rd0], %%rd5;\n"                        \
             "st.param.b64 [f], %%rd2; st.param.b64 [p], %%rd1;\n"                                 \
             "call.uni (r), vprintf, (f, p);\n%s ret; }\n"

struct outcome {
    char text[400];
    uint64_t at[SMS], lost;
    struct hd_trap trap;
    unsigned faults, faulty; // SMs whose commit faulted; the last of them
};

static struct hd_launch launch_of(struct hd_program *p, const uint64_t *params)
{
    return (struct hd_launch){.program = p,
                              .kernel = hd_program_find(p, "k"),
                              .grid = {SMS, 1, 1},
                              .block = {1, 1, 1},
                              .params = (const uint8_t *)params};
}

// All SMs execute an instruction in each cycle, in the order given, and commit in index order.
static void run_cycles(struct hd_emu *e, const unsigned order[SMS], struct outcome *out)
{
    struct hd_isrc sm[SMS];
    struct hd_effects x;
    bool going = true;

    for (unsigned i = 0; i < SMS; i++)
        sm[i] = hd_emu_source(e, i);
    for (uint64_t cycle = 0; going && !out->faults; cycle++) {
        going = false;
        for (unsigned i = 0; i < SMS; i++) {
            struct hd_isrc *s = &sm[order[i]];
            if (s->pc[0] == HD_PC_NONE)
                continue;
            s->ops->exec(s->self, 0, cycle, &x);
            assert_false(x.flags & HD_EFF_TRAP);
            going = true;
        }
        for (unsigned i = 0; i < SMS; i++)
            if (*sm[i].pending_stores && !sm[i].ops->commit(sm[i].self)) {
                out->faults++;
                out->faulty = i;
                out->trap = *sm[i].ops->trap(sm[i].self);
            }
    }
}

// `tail` is what the kernel does after it has printed its address.
static struct outcome run(const char *tail, const unsigned order[SMS], uint32_t printed)
{
    struct hd_memory *m = hd_memory_new(arena);
    struct hd_emu *e =
        hd_emu_new(arena, &(struct hd_emu_config){.sms = SMS, .warps = 8, .tbs = 1}, m);
    struct hd_devrt *d = hd_devrt_new(arena, e, m);
    struct hd_devrt_limits limits = HD_DEVRT_LIMITS;
    struct outcome out = {.lost = 0};
    uint64_t params[2] = {0};
    struct hd_diag diags = {0};
    char text[4000];
    size_t n;

    limits.printed = printed;
    hd_devrt_limit(d, &limits);
    snprintf(text, sizeof text, KERNEL, tail);
    struct hd_program *p = ptx_load_bytes(text, strlen(text));
    if (!p)
        hd_diag_print(&diag, stderr);
    assert_non_null(p);
    assert_true(hd_emu_load(e, p, &diags));
    params[0] = hd_memory_alloc(m, 8 * SMS, "addresses");
    struct hd_launch l = launch_of(p, params);
    hd_emu_prepare(e);
    for (unsigned i = 0; i < SMS; i++) {
        struct hd_isrc s = hd_emu_source(e, i);
        s.ops->tb_start(s.self,
                        &(struct hd_tb){.launch = &l, .index = {i}, .linear = i, .n_warps = 1});
    }
    run_cycles(e, order, &out);
    hd_memory_read(m, params[0], out.at, sizeof out.at);
    const char *s = hd_devrt_printed(d, &n, &out.lost);
    snprintf(out.text, sizeof out.text, "%.*s", (int)n, s);
    hd_devrt_free(d);
    hd_emu_free(e);
    hd_memory_free(m);
    return out;
}

static const unsigned orders[][SMS] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
#define ORDERS (sizeof orders / sizeof *orders)

static void addresses_follow_the_index(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORDERS; i++) {
        struct outcome x = run("", orders[i], 1000);
        char text[400];
        assert_true(x.at[0] && x.at[0] < x.at[1] && x.at[1] < x.at[2]);
        snprintf(text, sizeof text, "%llx %llx %llx ", (unsigned long long)x.at[0],
                 (unsigned long long)x.at[1], (unsigned long long)x.at[2]);
        assert_string_equal(x.text, text);
        assert_int_equal(x.lost, 0);
    }
}

// Nine bytes each: the third text finds no room.
static void text_without_room_is_the_last_sms(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORDERS; i++) {
        struct outcome x = run("", orders[i], 20);
        char text[400];
        snprintf(text, sizeof text, "%llx %llx ", (unsigned long long)x.at[0],
                 (unsigned long long)x.at[1]);
        assert_string_equal(x.text, text);
        assert_int_equal(x.lost, 1);
    }
}

// All SMs free the first one's block in the same cycle: the first may, the second faults.
static void a_block_freed_twice_in_a_cycle_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORDERS; i++) {
        struct outcome x = run("ld.param.u64 %rd6, [a]; ld.global.u64 %rd7, [%rd6];\n"
                               "st.param.b64 [q], %rd7; call.uni free, (q);",
                               orders[i], 1000);
        assert_int_equal(x.faults, 2);
        assert_int_equal(x.faulty, 2);
        assert_int_equal(x.trap.kind, HD_TRAP_ILLEGAL);
        assert_non_null(strstr(x.trap.detail, "not a live block of malloc"));
        assert_int_equal(x.trap.block[0], 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(addresses_follow_the_index, ptx_setup, ptx_teardown),
        cmocka_unit_test_setup_teardown(text_without_room_is_the_last_sms, ptx_setup, ptx_teardown),
        cmocka_unit_test_setup_teardown(a_block_freed_twice_in_a_cycle_is_found, ptx_setup,
                                        ptx_teardown),
    };
    return cmocka_run_group_tests_name("devrt", tests, NULL, NULL);
}
