// test_ptx_lex.c - tokens of PTX, with their places.
#include "ptx/lex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct hd_diag diag;

// The tokens of `text` as one line: KIND:text, a blank between; numbers in hexadecimal.
static const char *tokens_of(const char *text, size_t bytes)
{
    static char out[1000];
    struct hd_lex lx;
    struct hd_token t;
    size_t n = 0;

    memset(&diag, 0, sizeof diag);
    out[0] = '\0';
    hd_lex_init(&lx, "t.ptx", (const uint8_t *)text, bytes, &diag);
    for (hd_lex_next(&lx, &t); t.kind != HD_TOK_END && n < 900; hd_lex_next(&lx, &t)) {
        static const char *const names[] = {"", "w", "d", "i", "f", "g", "s", "BAD"};
        int k = 0;
        if (t.kind < HD_TOK_END)
            k = sprintf(out + n, "%c ", t.kind);
        else if (t.kind == HD_TOK_INT || t.kind == HD_TOK_F32 || t.kind == HD_TOK_F64)
            k = sprintf(out + n, "%s:%llx ", names[t.kind - HD_TOK_END],
                        (unsigned long long)t.bits);
        else
            k = sprintf(out + n, "%s:%.*s ", names[t.kind - HD_TOK_END], (int)t.text.n, t.text.s);
        n += (size_t)k;
    }
    return out;
}

static const char *tokens(const char *text)
{
    return tokens_of(text, strlen(text));
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(tokens("ld.param.u64 %rd1, [k_param_0+8];"),
                        "w:ld d:param d:u64 w:%rd1 , [ w:k_param_0 + i:8 ] ; ");
    assert_string_equal(tokens("@!%p3 bra $L__BB0_4;"), "@ ! w:%p3 w:bra w:$L__BB0_4 ; ");
    assert_string_equal(tokens("%tid.x _ _x .L1::no_allocate"),
                        "w:%tid d:x w:_ w:_x d:L1::no_allocate ");
    assert_string_equal(tokens("tex.2d.v4 5%3 a|b"), "w:tex d:2d d:v4 i:5 w:%3 w:a | w:b ");
    assert_string_equal(tokens("L1: .reg .b32 %r<6>;"), "w:L1 : d:reg d:b32 w:%r < i:6 > ; ");
}

static void numbers(void **state)
{
    (void)state;
    assert_string_equal(tokens("0 10 0x1F 0X1f 017 0b101 4294967295U 0x8U"),
                        "i:0 i:a i:1f i:1f i:f i:5 i:ffffffff i:8 ");
    assert_string_equal(tokens("18446744073709551615"), "i:ffffffffffffffff ");
    assert_string_equal(tokens("0f3E800000 0F3e800000 0d3FF0000000000000"),
                        "f:3e800000 f:3e800000 g:3ff0000000000000 ");
    assert_string_equal(tokens("1.5 2e3 9.0"), "g:3ff8000000000000 g:409f400000000000 "
                                               "g:4022000000000000 ");
    assert_int_equal(diag.n, 0);
}

static void bad_numbers(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"18446744073709551616", "number does not fit into 64 bits"},
        {"0f3E80000", "0f is followed by 8 hexadecimal digits"},
        {"0f3E8000000", "0f is followed by 8 hexadecimal digits"},
        {"0d3E800000", "0d is followed by 16 hexadecimal digits"},
        {"12ab", "malformed number"},
        {"0x", "malformed number"},
        {"089", "malformed number"},
        {"1.5x", "malformed floating-point constant"},
        {"1e", "malformed floating-point constant"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_non_null(strstr(tokens(cases[i].text), "BAD"));
        assert_int_equal(diag.n, 1);
        assert_string_equal(diag.entries[0].text, cases[i].message);
    }
}

static void comments_and_strings(void **state)
{
    (void)state;
    assert_string_equal(tokens("a // b\nc /* d\n * / e */ f"), "w:a w:c w:f ");
    assert_string_equal(tokens("\"no\\\"unroll\" x"), "s:no\\\"unroll w:x ");
    tokens("x\n  \"abc\ny");
    assert_int_equal(diag.entries[0].line, 2);
    assert_int_equal(diag.entries[0].column, 3);
    assert_string_equal(diag.entries[0].text, "string without its end: \" is missing");
    tokens("x /* never");
    assert_string_equal(diag.entries[0].text, "comment without its end: */ is missing");
}

static void any_bytes(void **state)
{
    (void)state;
    assert_string_equal(tokens_of("a\0b", 3), "w:a BAD: w:b ");
    assert_string_equal(diag.entries[0].text, "stray character 0x00");
    tokens_of("\xff", 1);
    assert_string_equal(diag.entries[0].text, "stray character 0xff");
    tokens("#");
    assert_string_equal(diag.entries[0].text, "stray character '#'");
    assert_string_equal(tokens("\r\n\t ;"), "; ");
    for (unsigned c = 0; c < 256; c++) { // each byte is passed by
        char text[4] = {(char)c, (char)c, ' ', ';'};
        const char *out = tokens_of(text, sizeof text);
        assert_true(c == '"' || c == '/' || strstr(out, ";"));
    }
}

static void places(void **state)
{
    struct hd_lex lx;
    struct hd_token t;
    const char *text = "a\r\n\tbc .d\n/*\n*/ e";
    static const uint32_t want[][3] = {{1, 1, 0}, {2, 2, 1}, {2, 5, 1}, {4, 4, 1}};

    (void)state;
    hd_lex_init(&lx, "t.ptx", (const uint8_t *)text, strlen(text), &diag);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        hd_lex_next(&lx, &t);
        assert_int_equal(t.line, want[i][0]);
        assert_int_equal(t.column, want[i][1]);
        assert_int_equal(t.spaced, want[i][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),       cmocka_unit_test(numbers),
        cmocka_unit_test(bad_numbers), cmocka_unit_test(comments_and_strings),
        cmocka_unit_test(any_bytes),   cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
