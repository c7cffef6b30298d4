// test_sha256.c - SHA-256 against the examples of FIPS 180-4 and its own pieces.
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void examples(void **state)
{
    static const char *const known[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[HD_SHA256_HEX];

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        hd_sha256_of(known[i][0], strlen(known[i][0]), hex);
        assert_string_equal(hex, known[i][1]);
    }
}

// A million letters, in pieces of every length up to beyond two blocks.
static void pieces(void **state)
{
    char as[130], hex[HD_SHA256_HEX];
    struct hd_sha256 s;
    size_t left = 1000000;

    (void)state;
    memset(as, 'a', sizeof as);
    hd_sha256_start(&s);
    for (size_t n = 0; left; n = (n + 1) % sizeof as) {
        size_t some = n < left ? n : left;
        hd_sha256_add(&s, as, some);
        left -= some;
    }
    hd_sha256_end(&s, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The length that just fits behind the message, and the one that needs another block.
static void padding(void **state)
{
    static const char *const known[] = {
        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
    };
    char as[56], hex[HD_SHA256_HEX];

    (void)state;
    memset(as, 'a', sizeof as);
    for (size_t n = 55; n <= 56; n++) {
        hd_sha256_of(as, n, hex);
        assert_string_equal(hex, known[n - 55]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples),
        cmocka_unit_test(pieces),
        cmocka_unit_test(padding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
