// work.c - the part of work.h that works on the host: memory, random numbers, checks, and the first
// error.
#include "workload/work.h"

bool hd_work_good(struct hd_work *w, CUresult result, const char *function)
{
    if (w->error == CUDA_SUCCESS && result != CUDA_SUCCESS) {
        w->error = result;
        w->failed = function;
    }
    return w->error == CUDA_SUCCESS;
}

void *hd_work_array(struct hd_work *w, size_t n, size_t size)
{
    return hd_arena_get(w->arena, n, size);
}

uint32_t hd_work_random(struct hd_work *w)
{
    uint64_t z = w->seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

float hd_work_random_float(struct hd_work *w, float low, float high)
{
    return low + (high - low) * (float)(hd_work_random(w) >> 8) * 0x1p-24f;
}

float *hd_work_floats(struct hd_work *w, size_t n, float low, float high)
{
    float *a = hd_work_array(w, n, sizeof *a);

    for (size_t i = 0; i < n; i++)
        a[i] = hd_work_random_float(w, low, high);
    return a;
}

static void expect(struct hd_work *w, struct hd_work_check check)
{
    if (w->n_checks == HD_WORK_CHECKS)
        hd_work_good(w, CUDA_ERROR_INVALID_VALUE, "hd_work_check");
    else if (w->error == CUDA_SUCCESS)
        w->checks[w->n_checks++] = check;
}

void hd_work_same(struct hd_work *w, const char *name, const void *got, const void *expected,
                  size_t words)
{
    expect(w, (struct hd_work_check){name, got, expected, words * sizeof(uint32_t), 0});
}

void hd_work_near(struct hd_work *w, const char *name, const float *got, const float *expected,
                  size_t n, double tolerance)
{
    expect(w, (struct hd_work_check){name, got, expected, n * sizeof *got, tolerance});
}

struct hd_check hd_work_check(const struct hd_work_check *c)
{
    return (struct hd_check){.name = c->name,
                             .way = c->tolerance > 0 ? HD_CHECK_F32 : HD_CHECK_EXACT,
                             .bytes = c->bytes,
                             .tolerance = c->tolerance,
                             .expected = c->expected};
}
