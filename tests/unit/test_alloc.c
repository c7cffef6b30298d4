// test_alloc.c - nothing is allocated in the cycle loop: what a run asks of malloc does not depend
// on how long it takes.
//
// The test's own malloc, calloc and realloc count calls and pass them on. Address sanitizer brings
// its own; there the counting is left to the other builds.
#include "shared/gpu_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
#define COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTED 0
#endif
#endif
#ifndef COUNTED
#define COUNTED 1
#endif

static unsigned long calls;

#if COUNTED
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t n);
void *malloc(size_t n);
void *calloc(size_t n, size_t bytes);
void *realloc(void *p, size_t n);

void *malloc(size_t n)
{
    calls++;
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t bytes)
{
    calls++;
    return __libc_calloc(n, bytes);
}

void *realloc(void *p, size_t n)
{
    calls++;
    return __libc_realloc(p, n);
}
#endif

// Loads, stores, atomics, shared memory, divergence and a barrier in a loop of %u trips.
static const char body[] = "ld.param.u64 %%rd1, [buffer];\n"
                           "mov.u32 %%r1, %%tid.x;\n"
                           "mul.wide.u32 %%rd2, %%r1, 4;\n"
                           "add.u64 %%rd2, %%rd1, %%rd2;\n"
                           "mov.u32 %%r2, 0;\n"
                           "TOP:\n"
                           "ld.global.u32 %%r3, [%%rd2];\n"
                           "and.b32 %%r4, %%r3, 1;\n"
                           "setp.eq.u32 %%p1, %%r4, 0;\n"
                           "@%%p1 bra EVEN;\n"
                           "add.u32 %%r3, %%r3, %%r1;\n"
                           "EVEN:\n"
                           "st.global.u32 [%%rd2], %%r3;\n"
                           "atom.global.add.u32 %%r5, [%%rd1+65536], 1;\n"
                           "bar.sync 0;\n"
                           "add.u32 %%r2, %%r2, 1;\n"
                           "setp.lt.u32 %%p2, %%r2, %u;\n"
                           "@%%p2 bra TOP;\n"
                           "ret;\n";

// Calls while the machine runs the kernel, and the cycles it takes.
static unsigned long calls_of(const char *sched, unsigned trips, unsigned blocks, uint64_t *cycles)
{
    char text[sizeof body + 16];
    struct gpu_bench_setup s = {.body = text, .sched = sched, .blocks = blocks, .threads = 96};
    struct hd_diag d = {0};

    snprintf(text, sizeof text, body, trips);
    struct gpu_bench *b = gpu_bench_new(&s);
    assert_true(gpu_bench_launch(b, &s, &d));
    unsigned long before = calls;
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    unsigned long n = calls - before;
    *cycles = hd_gpu_cycle(b->gpu);
    gpu_bench_free(b);
    return n;
}

static void calls_do_not_grow(void **state)
{
    static const char *const policies[] = {"lrr", "gto", "two_level_active", "ccws", "pro"};

    (void)state;
    if (!COUNTED)
        skip();
    for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
        uint64_t little, much;
        unsigned long few = calls_of(policies[i], 2, 200, &little);
        assert_int_equal(calls_of(policies[i], 40, 200, &much), few);
        assert_true(much > 5 * little);
    }
}

// The counting counts: building a machine does allocate.
static void building_allocates(void **state)
{
    unsigned long before = calls;
    uint64_t cycles;

    (void)state;
    if (!COUNTED)
        skip();
    calls_of("gto", 1, 1, &cycles);
    assert_true(calls > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_do_not_grow),
        cmocka_unit_test(building_allocates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
