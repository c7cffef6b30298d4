// world.c - see world.h.
#include "shared/world.h"

#include "base/config.h"
#include "shared/kernels.h"

struct world world;

static int begin(bool functional)
{
    struct hd_diag d = {.n = 0};

    memset(&world, 0, sizeof world);
    world.arena = hd_arena_new();
    assert_true(hd_config_load(world.arena, "gpus/debug-flatmem.ini", NULL, 0, &world.config, &d));
    world.options = (struct hd_run_options){
        .gpu = {.config = &world.config, .functional_only = functional, .max_insts = 1 << 22}};
    assert_true(
        hd_registry_parse_slot(world.arena, HD_SLOT_SCHED, "gto", &world.options.gpu.sched, &d));
    hd_cuda_use(&world.options);
    OK(cuInit(0));
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    OK(cuModuleLoadData(&world.module, kernels));
    return 0;
}

int world_begin(void **state)
{
    (void)state;
    return begin(false);
}

int world_begin_functional(void **state)
{
    (void)state;
    return begin(true);
}

int world_end(void **state)
{
    (void)state;
    hd_cuda_end();
    hd_arena_free(world.arena);
    return 0;
}

CUfunction world_function(const char *name)
{
    CUfunction f;

    OK(cuModuleGetFunction(&f, world.module, name));
    return f;
}

CUdeviceptr world_filled(const int *values, size_t n)
{
    CUdeviceptr p;

    OK(cuMemAlloc(&p, n * sizeof *values));
    OK(cuMemcpyHtoD(p, values, n * sizeof *values));
    return p;
}

void world_scale(CUdeviceptr x, int factor, CUstream stream)
{
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), WORLD_N / 64, 1, 1, 64, 1, 1, 0, stream, params,
                      NULL));
}

void world_spin(CUdeviceptr x, unsigned times, CUstream stream)
{
    void *params[] = {&x, &times};

    OK(cuLaunchKernel(world_function("spin"), WORLD_N / 64, 1, 1, 64, 1, 1, 0, stream, params,
                      NULL));
}

int world_first(CUdeviceptr x)
{
    int v;

    OK(cuMemcpyDtoH(&v, x, sizeof v));
    return v;
}

void world_computes(void **state)
{
    int v[WORLD_N];
    CUdeviceptr x;

    (void)state;
    for (int i = 0; i < WORLD_N; i++)
        v[i] = i;
    x = world_filled(v, WORLD_N);
    world_scale(x, 3, NULL);
    OK(cuMemcpyDtoH(v, x, sizeof v));
    for (int i = 0; i < WORLD_N; i++)
        assert_int_equal(v[i], 3 * i + 7);
    OK(cuMemFree(x));
    FAILS(INVALID_VALUE, cuMemFree(x));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(v, x, sizeof v));
}
