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
    struct hd_job_options options;
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

#endif
