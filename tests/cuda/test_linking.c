// test_linking.c - cuLink*: one program from several PTX texts, and what is wrong with some.
#include "shared/world.h"

#include "shared/fatbins.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

// Calls what the other module defines, with the variable that the other module has.
static char caller[] = HEAD ".extern .func (.param .b32 r) square (.param .b32 n);\n"
                            ".extern .global .align 4 .u32 bias;\n"
                            ".visible .entry k(.param .u64 out)\n{\n"
                            ".reg .b32 %r<4>;\n.reg .b64 %rd<2>;\n.param .b32 n;\n.param .b32 r;\n"
                            "ld.param.u64 %rd1, [out];\nld.global.u32 %r1, [%rd1];\n"
                            "st.param.b32 [n], %r1;\ncall.uni (r), square, (n);\n"
                            "ld.param.b32 %r2, [r];\nld.global.u32 %r3, [bias];\n"
                            "add.u32 %r2, %r2, %r3;\nst.global.u32 [%rd1], %r2;\nret;\n}\n";
static char callee[] = HEAD ".visible .global .align 4 .u32 bias = 5;\n"
                            ".visible .func (.param .b32 r) square (.param .b32 n)\n{\n"
                            ".reg .b32 %r<3>;\nld.param.b32 %r1, [n];\nmul.lo.u32 %r2, %r1, %r1;\n"
                            "st.param.b32 [r], %r2;\nret;\n}\n";

static CUresult add(CUlinkState link, CUjitInputType type, void *data, size_t n, const char *name)
{
    return cuLinkAddData(link, type, data, n, name, 0, NULL, NULL);
}

static int result_of(CUmodule m, int n)
{
    CUdeviceptr out = world_filled(&n, 1);
    CUfunction f;
    void *params[] = {&out};

    OK(cuModuleGetFunction(&f, m, "k"));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(&n, out, sizeof n));
    return n;
}

static void two_texts(void **state)
{
    CUlinkState link;
    CUmodule m;
    CUdeviceptr bias;
    void *image, *copy;
    size_t bytes;

    (void)state;
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(add(link, CU_JIT_INPUT_PTX, caller, sizeof caller, "caller"));
    OK(add(link, CU_JIT_INPUT_PTX, callee, strlen(callee), NULL));
    OK(cuLinkComplete(link, &image, &bytes));
    copy = malloc(bytes); // the image may be kept
    assert_non_null(copy);
    memcpy(copy, image, bytes);
    OK(cuLinkDestroy(link));
    OK(cuModuleLoadData(&m, copy));
    free(copy);
    assert_int_equal(result_of(m, 6), 41);
    OK(cuModuleGetGlobal(&bias, &bytes, m, "bias"));
    OK(cuMemcpyHtoD(bias, &(int){1}, 4));
    assert_int_equal(result_of(m, 6), 37);
    FAILS(INVALID_PTX, cuModuleLoadData(&m, caller)); // alone it lacks something
}

static void files_and_fatbins(void **state)
{
    const char *folder = getenv("TMPDIR");
    char path[512], image_path[512];
    struct fatbin f;
    CUlinkState link;
    CUmodule m;
    void *image;
    size_t bytes;
    FILE *file;

    (void)state;
    snprintf(path, sizeof path, "%s/callee.ptx", folder ? folder : "/tmp");
    snprintf(image_path, sizeof image_path, "%s/linked", folder ? folder : "/tmp");
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(callee, file);
    fclose(file);
    fatbin_begin(&f);
    fatbin_add(&f, 1, 75, FATBIN_ZSTD, caller, sizeof caller, 64);
    OK(cuLinkCreate(0, NULL, NULL, &link));
    FAILS(FILE_NOT_FOUND, cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent/x", 0, NULL, NULL));
    OK(cuLinkAddFile(link, CU_JIT_INPUT_PTX, path, 0, NULL, NULL));
    OK(add(link, CU_JIT_INPUT_FATBINARY, f.bytes, f.n, "caller"));
    OK(cuLinkComplete(link, &image, &bytes));
    file = fopen(image_path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, bytes, file), bytes);
    fclose(file);
    OK(cuModuleLoad(&m, image_path));
    assert_int_equal(result_of(m, 7), 54);
    // Cut short at any place it is refused.
    for (size_t n = 8; n < bytes; n += 1 + bytes / 50) {
        assert_int_equal(truncate(image_path, (off_t)n), 0);
        assert_int_not_equal(cuModuleLoad(&m, image_path), CUDA_SUCCESS);
        file = fopen(image_path, "w");
        fwrite(image, 1, bytes, file);
        fclose(file);
    }
    remove(path);
    remove(image_path);
}

// The linked machine code that heddle's runtime gives counts, those of units do not; an image that
// was kept has the counts too.
static void registers_are_kept(void **state)
{
    static const struct cubin_kernel unit[2] = {{"k", 20, 0, 0}, {"other", 9, 0, 0}};
    static const struct cubin_kernel whole[2] = {{"k", 44, 0, 0}, {"other", 9, 0, 0}};
    uint8_t file[4096];
    struct fatbin f;
    CUlinkState link;
    CUfunction k;
    CUmodule m;
    void *image;
    size_t bytes;
    int regs;

    (void)state;
    OK(cuLinkCreate(0, NULL, NULL, &link));
    fatbin_begin(&f);
    fatbin_add(&f, 2, 75, FATBIN_RAW, file, cubin_make(file, 75, false, true, unit), 64);
    fatbin_add(&f, 1, 75, FATBIN_ZSTD, caller, sizeof caller, 64);
    OK(add(link, CU_JIT_INPUT_FATBINARY, f.bytes, f.n, "caller"));
    OK(add(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "callee"));
    fatbin_begin(&f);
    fatbin_add(&f, 2, 75, FATBIN_LZ4, file, cubin_make(file, 75, true, true, whole), 64);
    OK(add(link, (CUjitInputType)HD_CUDA_INPUT_BUILT, f.bytes, f.n, NULL));
    OK(cuLinkComplete(link, &image, &bytes));
    OK(cuModuleLoadData(&m, image));
    OK(cuModuleGetFunction(&k, m, "k"));
    OK(cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, k));
    assert_int_equal(regs, 44);
    OK(cuLinkDestroy(link));
}

// A newer version has an error of its own, whether the text is wrong or not.
static void newer_versions(void **state)
{
    CUlinkState link;
    CUmodule m;
    void *image;
    size_t bytes;

    (void)state;
    static char newer[] = ".version 99.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k() { ret; }\n";
    FAILS(UNSUPPORTED_PTX_VERSION, cuModuleLoadData(&m, newer));
    FAILS(UNSUPPORTED_PTX_VERSION,
          cuModuleLoadData(&m, ".version 9.1\n.target sm_75\n.address_size 64\n"
                               ".visible .entry k() { weave; ret; }\n"));
    FAILS(INVALID_PTX, cuModuleLoadData(&m, ".version 9.0\n.target sm_75\n.address_size 64\n"
                                            ".visible .entry k() { weave; ret; }\n"));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(add(link, CU_JIT_INPUT_PTX, callee, strlen(callee), "callee"));
    OK(add(link, CU_JIT_INPUT_PTX, newer, sizeof newer, "newer"));
    FAILS(UNSUPPORTED_PTX_VERSION, cuLinkComplete(link, &image, &bytes));
    OK(cuLinkDestroy(link));
}

static void errors_are_told(void **state)
{
    char log[1024] = "?";
    CUjit_option keys[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
    void *values[] = {(void *)(uintptr_t)sizeof log, log};
    static char elf[] = "\x7f"
                        "ELF and so on, machine code";
    static char library[] = "!<arch>\n";
    static char runtime[] = "!<arch>\ncuda_device_runtime.o/";
    CUlinkState link;
    void *image;
    size_t bytes;

    (void)state;
    OK(cuLinkCreate(2, keys, values, &link));
    FAILS(INVALID_VALUE, cuLinkComplete(link, &image, &bytes)); // nothing to link
    memset(keys, 0, sizeof keys);                               // only the values need to live on
    OK(add(link, CU_JIT_INPUT_PTX, caller, sizeof caller, "caller"));
    FAILS(INVALID_PTX, cuLinkComplete(link, &image, &bytes));
    assert_non_null(strstr(log, "square"));
    assert_non_null(strstr(log, "caller:"));
    assert_int_equal((uintptr_t)values[0], strlen(log));
    OK(add(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "callee"));
    OK(add(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "again"));
    FAILS(INVALID_PTX, cuLinkComplete(link, &image, &bytes));
    assert_non_null(strstr(log, "again"));
    assert_non_null(strstr(log, "square")); // a log is written on
    assert_int_equal((uintptr_t)values[0], strlen(log));
    FAILS(NO_BINARY_FOR_GPU, add(link, CU_JIT_INPUT_CUBIN, elf, sizeof elf, "cubin"));
    FAILS(NOT_SUPPORTED, add(link, CU_JIT_INPUT_LIBRARY, library, sizeof library, "lib"));
    OK(add(link, CU_JIT_INPUT_LIBRARY, runtime, sizeof runtime, "libcudadevrt.a")); // left out
    FAILS(INVALID_VALUE, add(link, (CUjitInputType)77, callee, sizeof callee, "x"));
    FAILS(INVALID_VALUE, add(link, CU_JIT_INPUT_PTX, NULL, 4, "x"));
    FAILS(INVALID_VALUE, cuLinkComplete(link, NULL, &bytes));
    OK(cuLinkDestroy(link));
    FAILS(INVALID_HANDLE, add(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "x"));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuCtxDestroy(world.context));
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    FAILS(INVALID_HANDLE, add(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "x"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

// The room for the log is what it was at first, whatever its length has become.
static void logs_have_their_room(void **state)
{
    char log[64];
    CUjit_option keys[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
    void *values[] = {(void *)(uintptr_t)48, log};
    static char library[] = "!<arch>\n";
    CUlinkState link;

    (void)state;
    memset(log, 'x', sizeof log);
    OK(cuLinkCreate(2, keys, values, &link));
    OK(add(link, CU_JIT_INPUT_PTX, callee, sizeof callee, "callee"));
    for (int i = 0; i < 3; i++)
        FAILS(NOT_SUPPORTED, add(link, CU_JIT_INPUT_LIBRARY, library, sizeof library, "l"));
    assert_int_equal(strlen(log), 47);
    assert_int_equal((uintptr_t)values[0], 47);
    assert_int_equal(log[48], 'x');
    OK(cuLinkDestroy(link));
    FAILS(INVALID_VALUE, cuLinkCreate(1, NULL, NULL, &link));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_texts),      TEST(files_and_fatbins), TEST(registers_are_kept),
        TEST(newer_versions), TEST(errors_are_told),   TEST(logs_have_their_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
