// test_cxxname.c - names of C++: decoded, shortened, and told apart within a table.
#include "base/cxxname.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NUMBA_KEY                                                                                  \
    "cw51cXTLSUwv1sCUt9Uw11Ew0NRRQPKzLTg4gaGKFsG2oMQGEYakJSQB1PQBk0Bynm21OizQ1K0UoIGvDpQE8oxrNQE_" \
    "3d"
#define NUMBA(name) "_ZN6cudapy8__main__" name "B2v1B94" NUMBA_KEY "E"
#define ARRAY(type) "5ArrayI" type "Li1E1A7mutable7alignedE"

// Names that nvcc and clang gave to kernels of public programs.
static const struct {
    const char *name, *whole, *label;
} kernels[] = {
    {"_Z9incrementPi", "increment(int*)", "increment"},
    {"_Z7reduce6IiLj512ELb1EEvPT_S1_j", "void reduce6<int, 512u, true>(int*, int*, unsigned int)",
     "reduce6<int, 512u, true>"},
    {"_ZN8dwt_cuda12fdwt97KernelILi128ELi6EEEvPKfPfiii",
     "void dwt_cuda::fdwt97Kernel<128, 6>(float const*, float*, int, int, int)",
     "dwt_cuda::fdwt97Kernel<128, 6>"},
    {"_Z15for_each_kernelIZN10CUDAStreamIfE4copyEvEUlmE_EvmmT_",
     "void for_each_kernel<CUDAStream<float>::copy()::{lambda(unsigned long)#1}>(unsigned long, "
     "unsigned long, CUDAStream<float>::copy()::{lambda(unsigned long)#1})",
     "for_each_kernel<..>"},
    {"_ZN3cub17CUB_300001_SM_7506detail11EmptyKernelIvEEvv",
     "void cub::CUB_300001_SM_750::detail::EmptyKernel<void>()", "EmptyKernel<void>"},
    {"_ZN12_GLOBAL__N_16kernelEPiPFviE", "(anonymous namespace)::kernel(int*, void (*)(int))",
     "(anonymous namespace)::kernel"},
    // An argument of the template that is a function, and one that is a comparison.
    {"_Z5applyIXadL_Z4stepifEEEvPf", "void apply<&(step(int, float))>(float*)",
     "apply<&(step(int, float))>"},
    // numba gives a kernel its module, a count, and a key of its options.
    {NUMBA("4main12_3clocals_3e1k") "x",
     "cudapy::__main__::main::_3clocals_3e::k[abi:v1][abi:" NUMBA_KEY "](long long)",
     "cudapy::__main__::main::_3clocals_3e::k"},
    {"_Z3lowILb1EEvPA4_f", "void low<true>(float (*) [4])", "low<true>"},
};

static void decoded_and_shortened(void **state)
{
    struct hd_arena *a = hd_arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        assert_string_equal(hd_cxxname_whole(a, kernels[i].name), kernels[i].whole);
        assert_string_equal(hd_cxxname_short(a, kernels[i].name), kernels[i].label);
    }
    hd_arena_free(a);
}

// Names of C, names that only look encoded, names that are cut off, and variables.
static void others_stay(void **state)
{
    static const char *const plain[] = {"",
                                        "vecadd",
                                        "_Z",
                                        "_Zebra",
                                        "_Z10increment",
                                        "i",
                                        "_Z3ab",
                                        "_ZN3cub17CUB_300001_SM_7506detail11EmptyKernelIvEE!"};
    struct hd_arena *a = hd_arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        assert_null(hd_cxxname_whole(a, plain[i]));
        assert_string_equal(hd_cxxname_short(a, plain[i]), plain[i]);
    }
    assert_string_equal(hd_cxxname_short(a, "_ZN1a5tableE"), "a::table");
    hd_arena_free(a);
}

// Overloads, and instances of a template with long arguments, keep different labels.
static void told_apart(void **state)
{
    const char *names[] = {
        "_Z5scalePfi",
        "_Z5scalePdi",
        "scale",
        "_Z5scalePfi",
        "_Z15for_each_kernelIZN10CUDAStreamIfE4copyEvEUlmE_EvmmT_",
        "_Z15for_each_kernelIZN10CUDAStreamIdE4copyEvEUlmE_EvmmT_",
        "_Z15for_each_kernelIZN10CUDAStreamIfE4copyEvEUlmE_EvmmT_",
        "_Z3addPf",
        NUMBA("3add") ARRAY("f") ARRAY("f"),
        NUMBA("3add") ARRAY("d") ARRAY("d"),
        NUMBA("3add") "x",
        NUMBA("3sub") ARRAY("f") ARRAY("f"),
    };
    static const char *const labels[] = {"scale(float*, int)",
                                         "scale(double*, int)",
                                         "scale",
                                         "scale(float*, int)",
                                         "for_each_kernel<..> #1",
                                         "for_each_kernel<..> #2",
                                         "for_each_kernel<..> #1",
                                         "add",
                                         "cudapy::__main__::add #1",
                                         "cudapy::__main__::add #2",
                                         "cudapy::__main__::add(long long)",
                                         "cudapy::__main__::sub"};
    struct hd_arena *a = hd_arena_new();

    (void)state;
    hd_cxxname_shorten(a, names, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(names[i], labels[i]);
    hd_cxxname_shorten(a, names, 0);
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoded_and_shortened),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
