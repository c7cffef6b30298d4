// test_fatbin.c - nvcc's container: which entry is chosen, unpacking, damage.
#include "shared/world.h"

#include "fatbin/cubin.h"
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
    fatbin_add(&f, HD_FATBIN_SASS, 75, FATBIN_RAW, "machine", 8, 64);
    fatbin_add(&f, HD_FATBIN_SASS, 86, FATBIN_RAW, "machine", 8, 64);
    assert_false(hd_fatbin_choose(f.bytes, f.n, 75, &e, &sass, &d));
    assert_true(sass);
    assert_non_null(strstr(d.entries[0].text, "sm_75, sm_86"));
    assert_non_null(strstr(d.entries[0].text, "sm_86,"));
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

static const struct cubin_kernel counts[2] = {{"scale", 33, 0, 364}, {"spin", 7, 1024, 368}};
static uint8_t file[4096];

static void cubins_are_read(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_cubin c;
        size_t n = cubin_make(file, 86, how & 1, how & 2, counts);
        assert_true(hd_cubin_is(file, n));
        assert_true(hd_cubin_read(a, file, n, &c));
        assert_int_equal(c.arch, 86);
        assert_int_equal(c.linked, how & 1);
        assert_int_equal(c.constants, 512);
        assert_int_equal(c.n_kernels, 2);
        for (int i = 0; i < 2; i++) {
            assert_string_equal(c.kernels[i].name, counts[i].name);
            assert_int_equal(c.kernels[i].regs, counts[i].regs);
            assert_int_equal(c.kernels[i].shared, counts[i].shared);
            assert_int_equal(c.kernels[i].constants, counts[i].constants);
        }
        hd_arena_free(a);
    }
}

static void damaged_cubins(void **state)
{
    struct hd_arena *a = hd_arena_new();
    size_t n = cubin_make(file, 75, true, true, counts);
    struct hd_cubin c;

    (void)state;
    for (size_t at = 0; at < n; at++) {
        uint8_t was = file[at], *cut = malloc(at + 1); // so that reads past its end are seen
        memcpy(cut, file, at);
        hd_cubin_read(a, cut, at, &c);
        free(cut);
        for (unsigned v = 1; v < 256; v = v * 2 + 1) {
            file[at] = (uint8_t)(was ^ v);
            hd_cubin_read(a, file, n, &c);
        }
        file[at] = was;
    }
    assert_true(hd_cubin_read(a, file, n, &c));
    hd_arena_free(a);
}

static void add_cubin(unsigned arch, enum fatbin_packing packing, bool linked, unsigned regs)
{
    struct cubin_kernel own[2] = {counts[0], counts[1]};

    own[0].regs = regs;
    fatbin_add(&f, HD_FATBIN_SASS, arch, packing, file, cubin_make(file, arch, linked, true, own),
               64);
}

static int registers(const char *name)
{
    CUmodule m;
    CUfunction k;
    int v;

    OK(cuModuleLoadData(&m, f.bytes));
    OK(cuModuleGetFunction(&k, m, name));
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, k));
    OK(cuModuleUnload(m));
    return v;
}

// The count comes from the cubin that is closest to the device's capability, 7.5; without one, from
// the estimate.
static void registers_are_those_of_the_cubin(void **state)
{
    int estimate;

    (void)state;
    fatbin_begin(&f);
    fatbin_add(&f, HD_FATBIN_PTX, 75, FATBIN_ZSTD, kernels, sizeof kernels, 64);
    estimate = registers("scale");
    assert_true(estimate < 33);
    add_cubin(75, FATBIN_RAW, false, 99); // one unit of several: not the whole count
    assert_int_equal(registers("scale"), estimate);
    fatbin_begin(&f);
    add_cubin(90, FATBIN_RAW, true, 33);
    fatbin_add(&f, HD_FATBIN_PTX, 75, FATBIN_ZSTD, kernels, sizeof kernels, 64);
    assert_int_equal(registers("scale"), 33);
    assert_int_equal(registers("spin"), 7);
    add_cubin(86, FATBIN_LZ4, true, 34); // nearer
    assert_int_equal(registers("scale"), 34);
    add_cubin(60, FATBIN_ZSTD, true, 35); // not above the device's
    assert_int_equal(registers("scale"), 35);
    add_cubin(75, FATBIN_ZSTD, true, 36);
    add_cubin(70, FATBIN_RAW, true, 37);
    assert_int_equal(registers("scale"), 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_entry),
        cmocka_unit_test(every_packing),
        cmocka_unit_test(no_text),
        cmocka_unit_test(damage),
        cmocka_unit_test(cubins_are_read),
        cmocka_unit_test(damaged_cubins),
        cmocka_unit_test_setup_teardown(registers_are_those_of_the_cubin, world_begin, world_end),
        cmocka_unit_test_setup_teardown(modules_load_it, world_begin, world_end),
        cmocka_unit_test_setup_teardown(modules_load_files, world_begin, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
