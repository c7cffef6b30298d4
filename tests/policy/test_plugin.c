// test_plugin.c - policies from shared objects: loaded and used, or refused with a reason.
//
// The plug-ins are compiled here as a user would, with the system's compiler.
#include "toy/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Compile `source` (a file, or C text when `is_text`) to a shared object; its path.
static char *build(struct hd_arena *a, const char *name, const char *source, bool is_text)
{
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    char *path = hd_arena_printf(a, "%s/%s.so", folder, name);
    const char *file = source;

    if (is_text) {
        file = hd_arena_printf(a, "%s/%s.c", folder, name);
        FILE *f = fopen(file, "w");
        assert_non_null(f);
        fputs(source, f);
        fclose(f);
    }
    char *command =
        hd_arena_printf(a, "cc -std=c11 -shared -fPIC -Iinclude '%s' -o '%s'", file, path);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
    return path;
}

static void refused(const char *path, const char *message, const char *hint)
{
    struct hd_diag d = {0};
    unsigned n = hd_registry_count();

    assert_false(hd_registry_plugin(path, &d));
    assert_int_equal(d.n, 1);
    if (!strstr(d.entries[0].text, message) || !strstr(d.entries[0].hint, hint))
        fail_msg("the message is: %s (%s)", d.entries[0].text, d.entries[0].hint);
    assert_int_equal(hd_registry_count(), n);
}

static char *trace_of(struct hd_arena *a, const struct hd_toy *toy, const char *spec)
{
    struct hd_toy_options o = {0};
    struct hd_toy_result r;
    struct hd_diag d = {0};

    if (!hd_registry_parse(a, spec, &o.sched, &d))
        fail_msg("%s", d.entries[0].text);
    hd_toy_run(a, toy, &o, &r);
    return hd_toy_trace(a, toy, &r);
}

static void an_example_policy_works_as_plugin(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {0};
    struct hd_toy *toy = hd_toy_load(a, "examples/toys/lfws-fig1.toy", &d);
    const char *path = build(a, "youngest", "examples/youngest.c", false);
    unsigned n = hd_registry_count();

    (void)unused;
    assert_non_null(toy);
    assert_null(hd_registry_find("youngest"));
    assert_true(hd_registry_plugin(path, &d));
    assert_int_equal(hd_registry_count(), n + 1);
    assert_string_equal(hd_registry_find("youngest")->name, "youngest");
    for (unsigned i = 1; i <= n; i++) // still sorted
        assert_true(strcmp(hd_registry_at(i - 1)->name, hd_registry_at(i)->name) < 0);

    const char *youngest = trace_of(a, toy, "youngest");
    assert_string_not_equal(youngest, trace_of(a, toy, "gto"));
    assert_string_not_equal(youngest, trace_of(a, toy, "oldest"));
    assert_int_equal(strncmp(youngest, "1:6L 2:5L 3:4S 4:4S ", 20), 0);

    refused(path, "already a policy named 'youngest'", "rename");
    hd_arena_free(a);
}

static void a_fetch_policy_reaches_hd_follow(void **unused)
{
    static const char text[] = "#include \"heddle/policy_gpu.h\"\n"
                               "static int f(struct hd_pstate st, const struct hd_view *v, int s, "
                               "uint64_t m) { (void)st; (void)v; (void)s; return hd_first(m); }\n"
                               "static int g(struct hd_pstate st, const struct hd_view *v, "
                               "uint64_t m) { return hd_follow(f, st, 0, v, 0, m); }\n"
                               "HD_POLICY(lowest, .first = f, .fetch = g);\n";
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {0};
    struct hd_toy_options o = {0};
    struct hd_toy_result r;
    struct hd_toy *toy = hd_toy_load(a, "examples/toys/elf-fetch.toy", &d);

    (void)unused;
    assert_non_null(toy);
    if (!hd_registry_plugin(build(a, "lowest", text, true), &d))
        fail_msg("%s", d.entries[0].text);
    assert_true(hd_registry_parse_slot(a, HD_SLOT_SCHED, "lowest", &o.sched, &d));
    assert_true(hd_registry_parse_slot(a, HD_SLOT_FETCH, "lowest", &o.fetch, &d));
    hd_toy_run(a, toy, &o, &r);
    assert_int_equal(r.status, HD_TOY_DONE);
    hd_arena_free(a);
}

static void another_interface_is_refused(void **unused)
{
    static const char text[] = "#include \"heddle/policy.h\"\n"
                               "#undef HD_POLICY_ABI\n"
                               "#define HD_POLICY_ABI 999\n"
                               "HD_POLICY(later, .brief = \"\", .source = \"\");\n";
    struct hd_arena *a = hd_arena_new();

    (void)unused;
    refused(build(a, "later", text, true), "was built for policy interface 999, this heddle has",
            "compile it again");
    assert_null(hd_registry_find("later"));
    hd_arena_free(a);
}

// Interface 1 kept promises and wishes among the needs; the message names the policy and the line.
static void the_first_interface_is_refused_by_name(void **unused)
{
    static const char *const cases[][3] = {
        {"0x10", ".needs = HD_LOST_ONCE becomes .flags = HD_LOST_ONCE", "promise"},
        {"0x08", ".needs = HD_NEED_FETCH_SLOT becomes .flags = HD_FETCH_TOO", "wish"},
        {"0", "v->head_offchip becomes hd_long(v, HD_LONG_ANY)", "neither"}};
    struct hd_arena *a = hd_arena_new();

    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        char *text = hd_arena_printf(a,
                                     "#include \"heddle/policy.h\"\n"
                                     "#undef HD_POLICY_ABI\n"
                                     "#define HD_POLICY_ABI 1\n"
                                     "HD_POLICY(%s, .needs = %s, .brief = \"\", .source = \"\");\n",
                                     cases[i][2], cases[i][0]);
        refused(build(a, cases[i][2], text, true),
                hd_arena_printf(a,
                                "policy %s was built for policy interface 1, this heddle has "
                                "interface %d",
                                cases[i][2], HD_POLICY_ABI),
                cases[i][1]);
    }
    hd_arena_free(a);
}

// A variant of a family outside the tree, made of the family's header.
static void variants_of_families_work_as_plugins(void **unused)
{
    static const char pro[] =
        "#include \"heddle/policy/pro.h\"\n"
        "static const struct hd_field rows[] = {PRO_THRESHOLD, PRO_FINISH, HD_FIELD_END};\n"
        "HD_POLICY(my_pro, .brief = \"\", .source = \"\", PRO_FUNCTIONS, .params = rows);\n";
    static const char two_level[] =
        "#include \"heddle/policy/two_level.h\"\n"
        "static int first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)\n"
        "{\n"
        "    const struct two_level *tl = st.sched;\n"
        "    (void)v, (void)s;\n"
        "    for (unsigned i = 0; i < tl->n; i++)\n"
        "        if (hd_has(among, tl->slots[i]))\n"
        "            return tl->slots[i];\n"
        "    return HD_NONE;\n"
        "}\n"
        "static const struct hd_field rows[] = {TWO_LEVEL_ACTIVE, HD_FIELD_END};\n"
        "HD_POLICY(my_two_level, .brief = \"\", .source = \"\", TWO_LEVEL_LISTS, .params = rows,\n"
        "          .first = first);\n";
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {0};
    struct hd_toy *toy = hd_toy_load(a, "examples/toys/lfws-fig1.toy", &d);

    (void)unused;
    assert_non_null(toy);
    if (!hd_registry_plugin(build(a, "my_pro", pro, true), &d) ||
        !hd_registry_plugin(build(a, "my_two_level", two_level, true), &d))
        fail_msg("%s", d.entries[0].text);
    assert_string_equal(trace_of(a, toy, "my_pro:threshold=3"),
                        trace_of(a, toy, "pro:threshold=3:barrier=0:progress=0:sort_on_phase=0"));
    assert_string_equal(trace_of(a, toy, "my_two_level:2"), trace_of(a, toy, "two_level_active:2"));
    assert_string_not_equal(trace_of(a, toy, "my_two_level:2"), trace_of(a, toy, "gto"));
    hd_arena_free(a);
}

static void other_files_are_refused(void **unused)
{
    struct hd_arena *a = hd_arena_new();

    (void)unused;
    refused(
        build(a, "idle", "#include \"heddle/policy.h\"\nHD_POLICY(idle, .brief = \"\");\n", true),
        "decides nothing", "HD_POLICY");
    refused(build(a, "nothing", "int nothing_at_all;\n", true), "has no symbol hd_plugin",
            "HD_POLICY");
    refused(build(a, "twin",
                  "#include \"heddle/policy.h\"\nHD_POLICY(gto, .brief = \"\", .source = \"\");\n",
                  true),
            "already a policy named 'gto'", "rename");
    refused("/nowhere/x.so", "cannot load plug-in", "");
    refused("README.md", "cannot load plug-in", "");
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_example_policy_works_as_plugin),
        cmocka_unit_test(a_fetch_policy_reaches_hd_follow),
        cmocka_unit_test(another_interface_is_refused),
        cmocka_unit_test(the_first_interface_is_refused_by_name),
        cmocka_unit_test(variants_of_families_work_as_plugins),
        cmocka_unit_test(other_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
