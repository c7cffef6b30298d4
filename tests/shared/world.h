// world.h - a machine, a context and the kernels of kernels.h, for tests of the driver API.
#ifndef TESTS_CUDA_WORLD_H
#define TESTS_CUDA_WORLD_H

#include "cuda/abi/driver.h"
#include "cuda/cuda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define OK(call) assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(error, call) assert_int_equal(call, CUDA_ERROR_##error)

struct world {
    struct hd_arena *arena;
    struct hd_config config;
    struct hd_run_options options;
    CUcontext context;
    CUmodule module;
};
extern struct world world;

// Set-up and teardown functions of a test.
int world_begin(void **state);
int world_begin_functional(void **state);
int world_end(void **state);

CUfunction world_function(const char *name);
CUdeviceptr world_filled(const int *values, size_t n); // a fresh allocation of ints

// Launches of kernels.h on this many ints: each times `factor` plus the module's offset; each plus
// 1, so many times. The first int. A test that all of it works.
#define WORLD_N 256
void world_scale(CUdeviceptr x, int factor, CUstream stream);
void world_spin(CUdeviceptr x, unsigned times, CUstream stream);
int world_first(CUdeviceptr x);
void world_computes(void **state);

#endif
