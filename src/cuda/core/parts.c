// parts.c - see parts.h.
#include "cuda/core/parts.h"

static const struct hd_part *const *parts;
static size_t n_parts;

void hd_parts_install(const struct hd_part *const *list, size_t n)
{
    parts = list;
    n_parts = n;
}

// Call a function of all parts that have it.
#define ALL(function, ...)                                                                         \
    for (size_t i = 0; i < n_parts; i++)                                                           \
        if (parts[i]->function)                                                                    \
    parts[i]->function(__VA_ARGS__)

void hd_parts_options(struct hd_gpu_options *o)
{
    ALL(options, o);
}

void hd_parts_machine_made(void)
{
    ALL(machine_made, );
}

void hd_parts_before_run(void)
{
    ALL(before_run, );
}

void hd_parts_after_run(void)
{
    ALL(after_run, );
}

CUresult hd_parts_forbid(void)
{
    CUresult r = CUDA_SUCCESS;

    for (size_t i = 0; i < n_parts && r == CUDA_SUCCESS; i++)
        if (parts[i]->forbids)
            r = parts[i]->forbids();
    return r;
}

void hd_parts_module_ends(const struct hd_cuda_module *m)
{
    ALL(module_ends, m);
}

void hd_parts_context_ends(const struct hd_cuda_context *c)
{
    ALL(context_ends, c);
}

void hd_parts_device_reset(void)
{
    ALL(device_reset, );
}

void hd_parts_machine_ends(void)
{
    ALL(machine_ends, );
}

void hd_parts_device_ends(void)
{
    ALL(device_ends, );
}

void hd_parts_forked(void)
{
    ALL(forked, );
}
