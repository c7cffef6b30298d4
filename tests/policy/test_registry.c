// test_registry.c - policies by name: what the command line may say, and what it is told otherwise.
#include "registry/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_list_is_sorted_and_complete(void **unused)
{
    (void)unused;
    assert_true(hd_registry_count() >= 10);
    for (unsigned i = 0; i < hd_registry_count(); i++) {
        const struct hd_policy *p = hd_registry_at(i);
        assert_ptr_equal(hd_registry_find(p->name), p);
        if (i)
            assert_true(strcmp(hd_registry_at(i - 1)->name, p->name) < 0);
    }
    assert_null(hd_registry_find("gt"));
    assert_null(hd_registry_find("gtoo"));
    assert_null(hd_registry_find(""));
}

static void names_are_resolved_with_all_parameters(void **unused)
{
    static const char *const cases[][2] = {
        {"gto", "gto"},
        {"lrr", "lrr:wrap=1"},
        {"lrr:0", "lrr:wrap=0"},
        {"lrr:wrap=0", "lrr:wrap=0"},
        {"two_level_active", "two_level_active:active=6:inner=0:outer=1:fixed=0:skip_dead=0"},
        {"two-level-active:4:0:1:skip-dead=1",
         "two_level_active:active=4:inner=0:outer=1:fixed=0:skip_dead=1"},
        {"lfws:greedy=prev", "lfws:age=1:greedy=prev:filter=state:spaces=any:loads=0"},
        {"pro_nb", "pro_nb:threshold=1000:finish=1:progress=1:sort_on_phase=1:resort=0:inherit=0:"
                   "phase_seen=now"},
        {"pro-nf:5", "pro_nf:threshold=5:barrier=1:progress=1:sort_on_phase=1:resort=0:reenter=2:"
                     "finish_stays=0:inherit=0:phase_seen=now:no_wait=0"},
    };

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_policy_choice c, again;
        struct hd_diag d = {0};
        assert_true(hd_registry_parse(a, cases[i][0], &c, &d));
        assert_string_equal(c.spec, cases[i][0]);
        assert_string_equal(c.resolved, cases[i][1]);
        assert_true(hd_registry_parse(a, c.resolved, &again, &d));
        assert_string_equal(again.resolved, c.resolved);
        assert_memory_equal(again.params, c.params, c.policy->params_bytes);
        hd_arena_free(a);
    }
}

// An alias is its policy with some parameters fixed.
static void aliases_are_policies_with_parameters(void **unused)
{
    static const char *const cases[][2] = {{"pro_nb:threshold=7", "pro:threshold=7:barrier=0"},
                                           {"pro_nf:resort=1", "pro:finish=0:resort=1"},
                                           {"pro_nl", "pro:progress=0"}};

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_policy_choice alias, full;
        struct hd_diag d = {0};
        assert_true(hd_registry_parse(a, cases[i][0], &alias, &d));
        assert_true(hd_registry_parse(a, cases[i][1], &full, &d));
        assert_ptr_equal(hd_registry_original(alias.policy), full.policy);
        assert_ptr_equal(alias.policy->first, full.policy->first);
        assert_memory_equal(alias.params, full.params, full.policy->params_bytes);
        assert_string_not_equal(alias.policy->brief, full.policy->brief);
        hd_arena_free(a);
    }
}

static void wrong_names_are_explained(void **unused)
{
    static const char *const cases[][3] = {
        {"gtoo", "no policy 'gtoo'", "did you mean 'gto'"},
        {"two_level", "no policy 'two_level'", ""},
        {"", "no policy ''", "list policies"},
        {"gto:1", "has no parameter for '1'", "0"},
        {"lrr:wrp=1", "no parameter 'wrp'", "did you mean 'wrap'"},
        {"lrr:wrap=2", "'2' is not a valid value of wrap", "0 or 1"},
        {"lrr:", "a value of wrap is missing", ""},
        {"lfws:greedy=next", "'next' is not a valid value of greedy", "last, prev"},
        {"two_level_active:0", "'0' is not a valid value of active", "1 to 64"},
        {"two_level_active:6:1", "'1' is not a valid value of inner", ""},
        {"two_level_active:fixed=1:6", "value '6' comes after a KEY=VALUE", ""},
        {"two_level_active:1:0:1:0:0:0", "has no parameter for '0'", "5"},
        {"lrr:wrap=1,greedy=1", "there is a comma", "separated from the name, and from each other"},
        {"wrap=1", "no policy 'wrap=1'", "separated from the name, and from each other, by ':'"},
        {"pro_nb:barrier=1", "no parameter 'barrier'", ""},
    };

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_policy_choice c;
        struct hd_diag d = {0};
        assert_false(hd_registry_parse(a, cases[i][0], &c, &d));
        assert_true(d.n > 0);
        if (!strstr(d.entries[0].text, cases[i][1]) || !strstr(d.entries[0].hint, cases[i][2]))
            fail_msg("%s: %s (%s)", cases[i][0], d.entries[0].text, d.entries[0].hint);
        hd_arena_free(a);
    }
}

static void slots_take_what_fills_them(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_policy_choice c;
    struct hd_diag d = {0};

    (void)unused;
    assert_true(hd_registry_parse_slot(a, HD_SLOT_FETCH, "rr", &c, &d));
    assert_null(c.policy);
    assert_string_equal(c.resolved, "rr");
    assert_true(hd_registry_parse_slot(a, HD_SLOT_FETCH, "elf", &c, &d));
    assert_true(hd_registry_parse_slot(a, HD_SLOT_KERNEL_POLICY, "rr", &c, &d));
    assert_null(c.policy);
    assert_true(hd_registry_parse_slot(a, HD_SLOT_KERNEL_POLICY, "fcfs", &c, &d));
    assert_non_null(c.policy);
    assert_int_equal(d.n, 0);
    assert_false(hd_registry_parse_slot(a, HD_SLOT_FETCH, "lrr", &c, &d));
    assert_non_null(strstr(d.entries[0].text, "policy lrr does not choose warps to fetch for"));
    assert_false(hd_registry_parse_slot(a, HD_SLOT_SCHED, "rr", &c, &d));
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_sorted_and_complete),
        cmocka_unit_test(names_are_resolved_with_all_parameters),
        cmocka_unit_test(aliases_are_policies_with_parameters),
        cmocka_unit_test(wrong_names_are_explained),
        cmocka_unit_test(slots_take_what_fills_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
