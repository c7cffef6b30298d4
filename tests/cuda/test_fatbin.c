// test_fatbin.c - nvcc's container: which entry is chosen, unpacking, damage.
#include "shared/world.h"

#include "fatbin/fatbin.h"
#include "shared/fatbins.h"
#include "shared/kernels.h"

#include <stdio.h>
#include <stdlib.h>

static struct fatbin f;

static uint32_t chosen(uint32_t arch)
{
    struct hd_fatbin_entry e;
    struct hd_diag d = {.n = 0};
    bool sass;

    return hd_fatbin_choose(f.bytes, f.n, arch, &e, &sass, &d) ? e.arch : 0;
}

static void best_entry(void **state)
{
    (void)state;
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_SASS, 75, FATBIN_RAW, "machine", 8, 80);
    fatbin_add(&f, HD_FATBIN_PTX, 90, FATBIN_RAW, "p90", 4, 64);
    fatbin_add(&f, HD_FATBIN_PTX, 60, FATBIN_RAW, "p60", 4, 72);
    fatbin_add(&f, HD_FATBIN_PTX, 70, FATBIN_RAW, "p70", 4, 128);
    fatbin_add(&f, HD_FATBIN_PTX, 120, FATBIN_RAW, "p120", 5, 64);
    assert_int_equal(chosen(75), 70);
    assert_int_equal(chosen(70), 70);
    assert_int_equal(chosen(61), 60);
    assert_int_equal(chosen(50), 60); // none below: the lowest above
    assert_int_equal(chosen(200), 120);
}

static void every_packing(void **state)
{
    (void)state;
    for (enum fatbin_packing p = FATBIN_RAW; p <= FATBIN_ZSTD; p++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_fatbin_entry e;
        struct hd_diag d = {.n = 0};
        bool sass;
        size_t n;
        fatbin_begin(&f);
        fatbin_add(&f, HD_FATBIN_PTX, 75, p, kernels, sizeof kernels, 64);
        assert_true(hd_fatbin_choose(f.bytes, f.n, 75, &e, &sass, &d));
        uint8_t *text = hd_fatbin_unpack(a, &e, &n, &d);
        assert_non_null(text);
        assert_int_equal(n, sizeof kernels - 1);
        assert_string_equal((char *)text, kernels);
        hd_arena_free(a);
    }
}

static void no_text(void **state)
{
    struct hd_fatbin_entry e;
    struct hd_diag d = {.n = 0};
    bool sass;

    (void)state;
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_SASS, 86, FATBIN_RAW, "machine", 8, 64);
    assert_false(hd_fatbin_choose(f.bytes, f.n, 75, &e, &sass, &d));
    assert_true(sass);
    assert_non_null(strstr(d.entries[0].text, "sm_86"));
    assert_non_null(strstr(d.entries[0].hint, "compute_75"));
    fatbin_begin(&f);
    assert_false(hd_fatbin_choose(f.bytes, f.n, 75, &e, &sass, &d));
    assert_false(sass);
}

// Every prefix and every flipped bit of the headers: an answer, no crash.
static void damage(void **state)
{
    (void)state;
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_PTX, 75, FATBIN_ZSTD, kernels, sizeof kernels, 64);
    fatbin_add(&f, HD_FATBIN_PTX, 80, FATBIN_LZ4, kernels, sizeof kernels, 64);
    for (size_t at = 0; at < f.n * 8; at++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_fatbin_entry e;
        struct hd_diag d = {.n = 0};
        bool sass;
        size_t n;
        f.bytes[at / 8] ^= (uint8_t)(1u << at % 8);
        if (hd_fatbin_choose(f.bytes, f.n, 80, &e, &sass, &d))
            hd_fatbin_unpack(a, &e, &n, &d);
        f.bytes[at / 8] ^= (uint8_t)(1u << at % 8);
        if (hd_fatbin_choose(f.bytes, at / 8, 80, &e, &sass, &d))
            hd_fatbin_unpack(a, &e, &n, &d);
        hd_arena_free(a);
    }
}

static void modules_load_it(void **state)
{
    struct {
        unsigned magic, version;
        const void *fatbin;
        void *none;
    } wrapper = {HD_FATBIN_WRAPPER, 1, f.bytes, NULL};
    CUmodule m;
    CUfunction k;

    (void)state;
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_SASS, 75, FATBIN_RAW, "machine", 8, 64);
    fatbin_add(&f, HD_FATBIN_PTX, 75, FATBIN_ZSTD, kernels, sizeof kernels, 64);
    OK(cuModuleLoadData(&m, f.bytes));
    OK(cuModuleGetFunction(&k, m, "scale"));
    OK(cuModuleLoadFatBinary(&m, &wrapper));
    OK(cuModuleGetFunction(&k, m, "scale"));
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_SASS, 75, FATBIN_RAW, "machine", 8, 64);
    FAILS(NO_BINARY_FOR_GPU, cuModuleLoadData(&m, f.bytes));
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_PTX, 75, FATBIN_RAW, "no PTX at all", 14, 64);
    FAILS(INVALID_PTX, cuModuleLoadData(&m, f.bytes));
    f.bytes[16 + 4] = 1; // a header of one byte
    FAILS(INVALID_IMAGE, cuModuleLoadData(&m, f.bytes));
}

static void modules_load_files(void **state)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    CUmodule m;
    FILE *file;

    (void)state;
    snprintf(path, sizeof path, "%s/k.fatbin", folder ? folder : "/tmp");
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_PTX, 75, FATBIN_LZ4, kernels, sizeof kernels, 64);
    assert_non_null(file = fopen(path, "wb"));
    assert_int_equal(fwrite(f.bytes, 1, f.n, file), f.n);
    fclose(file);
    OK(cuModuleLoad(&m, path));
    assert_non_null(file = fopen(path, "wb")); // cut short
    fwrite(f.bytes, 1, 100, file);
    fclose(file);
    FAILS(INVALID_IMAGE, cuModuleLoad(&m, path));
    assert_non_null(file = fopen(path, "wb"));
    fclose(file);
    FAILS(INVALID_IMAGE, cuModuleLoad(&m, path));
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_entry),
        cmocka_unit_test(every_packing),
        cmocka_unit_test(no_text),
        cmocka_unit_test(damage),
        cmocka_unit_test_setup_teardown(modules_load_it, world_begin, world_end),
        cmocka_unit_test_setup_teardown(modules_load_files, world_begin, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
