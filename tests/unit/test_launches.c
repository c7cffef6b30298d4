// test_launches.c - launches in device code: which are rewritten, and to what.
#include "cc/launches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define G "__attribute__((global)) "
#define D "__attribute__((device)) "
#define H "__attribute__((host)) "
#define K(name) "::heddle_kernel<decltype(+" name "), " name " >"
#define CHILD G "void child(int *p, int n);\n"

static void becomes(const char *text, bool device, const char *wanted)
{
    struct hd_arena *a = hd_arena_new();
    const char *got = hd_launches_rewrite(a, text, strlen(text), device);

    if (strcmp(got, wanted))
        printf("from:   %s\ngot:    %s\nwanted: %s\n", text, got, wanted);
    assert_string_equal(got, wanted);
    hd_arena_free(a);
}

static void stays(const char *text)
{
    becomes(text, true, text);
    becomes(text, false, text);
}

static void launches_of_kernels(void **state)
{
    (void)state;
    becomes(CHILD G "void f(int *p) { child<<<1, 2>>>(p, 3); }", true,
            CHILD G "void f(int *p) { ::heddle_launch(" K("child") "(), 1, 2)(p, 3); }");
    becomes(CHILD D "void f() { ::a::child<<<dim3(1 >> 2), 2>>>(p, 3); }", true,
            CHILD D "void f() { ::heddle_launch(" K("::a::child") "(), dim3(1 >> 2), 2)(p, 3); }");
    becomes(CHILD D "void f() { if (x) child<<<1, 2>>>(p); else ::child<<<v[a<b>(c)], 2>>>(p); }",
            true,
            CHILD D
            "void f() { if (x) ::heddle_launch(" K("child") "(), 1, 2)(p); else ::heddle_launch(" //
            K("::child") "(), v[a<b>(c)], 2)(p); }");
    // Lines stay lines.
    becomes(CHILD D "void f() {\n a::\n child<<<\n1,\n2>>>(p,\n3); }", true,
            CHILD D "void f() {\n ::heddle_launch(" K("a:: child") "()\n, \n1,\n2)(p,\n3); }");
}

static void where_device_code_is(void **state)
{
    (void)state;
    becomes(CHILD "struct s { int x; " D "s() : x{1} { child<<<1, 2>>>(p); } };", true,
            CHILD "struct s { int x; " D
                  "s() : x{1} { ::heddle_launch(" K("child") "(), 1, 2)(p); } };");
    becomes(CHILD "void f() { auto l = [=] " D "() { child<<<1, 2>>>(p); }; child<<<1, 2>>>(p); }",
            true,
            CHILD "void f() { auto l = [=] " D
                  "() { ::heddle_launch(" K("child") "(), 1, 2)(p); }; "
                                                     "child<<<1, 2>>>(p); }");
    becomes(CHILD H D "void f() { g([&] { child<<<1, 2>>>(p); }); }", true,
            CHILD H D "void f() { g([&] { ::heddle_launch(" K("child") "(), 1, 2)(p); }); }");
    becomes("namespace n { extern \"C\" { " CHILD "} }" D "int v[2] = {1, 2}; " D
            "void f() { child<<<1, 2>>>(p); }",
            true,
            "namespace n { extern \"C\" { " CHILD "} }" D "int v[2] = {1, 2}; " D
            "void f() { ::heddle_launch(" K("child") "(), 1, 2)(p); }");
}

// The host's compiler says what is wrong with launches, better than what they become would.
static void what_stays(void **state)
{
    (void)state;
    stays("int main() { child<<<1, 2>>>(p); }" CHILD);
    stays(CHILD "int main() { child<<<1, 2>>>(p); }\n" D
                "int x;\nvoid g() { child<<<1, 2>>>(p); }");
    stays(D "void other(); " D "void f() { other<<<1, 2>>>(); (*k)<<<1, 2>>>(p); }");
    stays(CHILD D "void f() { g(\"child<<<1, 2>>>(p)\", R\"x(child<<<1, 2>>>(p))\")x\", '\"'); int "
                  "n = 1'000; }");
    stays("# 1 \"child<<<1, 2>>>(p)\"\n" CHILD D "void f() {\n#pragma child<<<1, 2>>>(p)\n }");
    becomes(CHILD G "void f(int *p) { child<<<1, 2>>>(p, 3); }", false,
            CHILD G "void f(int *p) { child<<<1, 2>>>(p, 3); }");
}

// Arguments choose among templates and overloads: a function that has the parameters of each.
static void kernels_that_arguments_choose(void **state)
{
    static const char *const head =
        "template <class T, int N> " G "void t(T *p, int n = 1); "
        "template <class T , int N = 3> " H D "auto heddle_chosen_t(T *p, int n = 1) -> "
        "::heddle_kernel<void (*)(T *p, int n), t<T, N> >; ";
    static const char *const tail = "template <class T, int N = 3> " G "void t(T *p, int n ) { }\n";
    char wanted[2000], text[1000];

    (void)state;
    snprintf(text, sizeof text,
             "template <class T, int N = 3> " G "void t(T *p, int n = 1) { }\n%s",
             D "void f() { s::t<int><<<1, 2>>>(p, g(3)); }");
    snprintf(wanted, sizeof wanted, "%s%s%s", head, tail,
             D "void f() { ::heddle_launch(decltype(s::heddle_chosen_t<int>(p, g(3)))(), 1, 2)(p, "
               "g(3)); }");
    becomes(text, true, wanted);
    becomes(text, false, wanted); // the host's compiler would not find it either
    snprintf(text, sizeof text,
             "template <class T, int N = 3> " G "void t(T *p, int n = 1) { }\n%s",
             D "void f() { s::template t<int><<<1, 2>>>(p, 3); }");
    snprintf(wanted, sizeof wanted, "%s%s%s", head, tail,
             D "void f() { ::heddle_launch(decltype(s::template heddle_chosen_t<int>(p, 3))(), 1, "
               "2)(p, 3); }");
    becomes(text, true, wanted);
    // Not launched by device code: as it was.
    stays("template <class T> " G "void t(T *p) { }\nvoid f() { t<<<1, 2>>>(p); }");
    stays("template <class T> " G "void t(T *p) { }\n" H D "void f() { }");
    // Overloads, and parameters of templates without a name.
    becomes(
        G "void o(int);\n" G "void o(float f);\nusing s::o;" D "void f() { o<<<1, 2>>>(3); }", true,
        G "void o(int); " H D "auto heddle_chosen_o(int) -> ::heddle_kernel<void (*)(int), o >; " G
          "void o(int);\n" G "void o(float f); " H D
          "auto heddle_chosen_o(float f) -> ::heddle_kernel<void (*)(float f), o >; " G
          "void o(float f);\nusing s::heddle_chosen_o; using s::o;" D
          "void f() { ::heddle_launch(decltype(heddle_chosen_o(3))(), 1, 2)(3); }");
    becomes("template <class, int = 2, void (*F)(int), class... Ts> " G "void u();" D
            "void f() { u<int><<<1, 2>>>(); }",
            true,
            "template <class heddle_0, int heddle_1, void (*F)(int), class... Ts> " G "void u(); "
            "template <class heddle_0 , int heddle_1 = 2, void (*F)(int) , class... Ts > " H D
            "auto heddle_chosen_u()"
            " -> ::heddle_kernel<void (*)(), u<heddle_0, heddle_1, F, Ts...> >; "
            "template <class, int = 2, void (*F)(int), class... Ts> " G "void u();" D
            "void f() { ::heddle_launch(decltype(heddle_chosen_u<int>())(), 1, 2)(); }");
}

static void kernels_by_name(void **state)
{
    (void)state;
    becomes("template <void (*F)(int)> " D "void f() { F<<<1, 2>>>(3); }", true,
            "template <void (*F)(int)> " D "void f() { ::heddle_launch(" K("F") "(), 1, 2)(3); }");
    becomes(CHILD D "void f(int child) { cudaFuncGetAttributes(&a, &child); g(child); }", true,
            CHILD D
            "void f(int child) { cudaFuncGetAttributes(&a, " K("child") "::address); g(child); }");
    becomes(CHILD D "void f() { (cudaFuncGetAttributes)(&a, child); cudaLaunchDevice(x, child); }",
            true,
            CHILD D "void f() { (cudaFuncGetAttributes)(&a, child); cudaLaunchDevice(x, child); }");
}

// Text that no compiler takes comes to an end too.
static void broken_text(void **state)
{
    static const char *const texts[] = {
        "",
        "<<<",
        ">>>",
        "<<<>>>(",
        "a<<<1>>>",
        "}}}}",
        "{{{",
        "template <",
        "template < " G "void k(",
        G,
        G "void",
        G "void k",
        G "void k(; " D "{ k<<<",
        CHILD D "void f() { child<<<1, 2>>>(p",
        CHILD D "void f() { child<<<1, 2>>",
        CHILD D "void f() { >child<<<1, 2>>>(p); }",
        CHILD D "void f() { child><<<1, 2>>>(p); ::<<<1>>>(p) }",
        CHILD D "void f() { cudaFuncGetAttributes(child",
        CHILD D "void f() { cudaFuncGetAttributes(&a, child<",
        "R\"",
        "\"\\",
        "using child;",
        "using",
        "__attribute__((",
    };
    struct hd_arena *a = hd_arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hd_launches_rewrite(a, texts[i], strlen(texts[i]), true);
        hd_launches_rewrite(a, texts[i], strlen(texts[i]), false);
    }
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_of_kernels), cmocka_unit_test(where_device_code_is),
        cmocka_unit_test(what_stays),          cmocka_unit_test(kernels_that_arguments_choose),
        cmocka_unit_test(kernels_by_name),     cmocka_unit_test(broken_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
