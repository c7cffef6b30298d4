// test_lock.c - locks and their order; in debug builds, who takes them in another order is named.
#include "base/lock.h"
#include "shared/child.h"

#include "base/bug.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct hd_lock device = HD_LOCK_INIT(HD_LOCK_DEVICE);
static struct hd_lock tables = HD_LOCK_INIT(HD_LOCK_TABLES);

static void in_order(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        hd_lock_take(&device);
        hd_lock_take(&tables);
        hd_lock_release(&tables);
        hd_lock_release(&device);
        hd_lock_none();
    }
}

#ifdef HD_DEBUG
static void wrong_way(void)
{
    hd_lock_take(&tables);
    hd_lock_take(&device);
}

static void callback(void)
{
    hd_lock_take(&device);
    hd_lock_none();
}

static void out_of_order(void **state)
{
    char said[512];

    (void)state;
    assert_int_equal(child_status(wrong_way, said, sizeof said), HD_EXIT_BUG);
    assert_non_null(strstr(said, "the lock of the device is taken under the lock of the runtime's "
                                 "tables"));
    assert_int_equal(child_status(callback, said, sizeof said), HD_EXIT_BUG);
    assert_non_null(
        strstr(said, "a function of the program is called under the lock of the device"));
}
#else
static void out_of_order(void **state)
{
    (void)state;
    print_message("only debug builds look at the order of locks\n");
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(out_of_order)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
