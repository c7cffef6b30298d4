// test_words.c - lists of words in one text.
#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void finds_whole_words(void **state)
{
    (void)state;
    assert_true(hd_words_has("near_steps", "near_steps"));
    assert_true(hd_words_has("far,near_steps", "near_steps"));
    assert_true(hd_words_has(" far  near_steps , find", "find"));
    assert_false(hd_words_has("near_steps_2,my_near_steps", "near_steps"));
    assert_false(hd_words_has("near", "near_steps"));
}

static void finds_nothing_in_nothing(void **state)
{
    (void)state;
    assert_false(hd_words_has("", "find"));
    assert_false(hd_words_has(" , ,", "find"));
    assert_false(hd_words_has("a,,b", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_whole_words),
        cmocka_unit_test(finds_nothing_in_nothing),
    };
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
