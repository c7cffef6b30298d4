// machine.c - the device's machine: made for the first context, replaced after it has failed.
#include "cuda/core/process.h"

#include "cuda/core/parts.h"
#include "cuda/core/queue.h"
#include "cuda/core/results.h"
#include "cuda/core/supervised.h"
#include "emu/memory.h"

CUresult hd_cuda_machine(void)
{
    struct hd_gpu_options o;

    if (hd_cuda.gpu)
        return hd_cuda.broken;
    hd_supervised_used();
    hd_cuda.n_machines++;
    hd_results_begin();
    o = hd_cuda.options.gpu;
    o.ended = hd_queue_ended;
    hd_parts_options(&o);
    hd_cuda.gpu = hd_gpu_new(&o);
    hd_cuda.programs = hd_arena_new();
    hd_cuda.status = HD_RUN_OK;
    hd_cuda.broken = CUDA_SUCCESS;
    hd_parts_machine_made();
    if (!hd_memory_view(hd_gpu_memory(hd_cuda.gpu)).size) {
        struct hd_diag d = {.n = 0};
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "no address space for the GPU's memory"),
                     "raise the limit of the shell (ulimit -v)");
        hd_cuda_say(&d);
    }
    return CUDA_SUCCESS;
}

// Programs also ask before there is a machine; then the answer is found by trying.
bool hd_cuda_unified(void)
{
    return (hd_cuda.gpu || hd_cuda_machine() == CUDA_SUCCESS) &&
           (uintptr_t)hd_memory_view(hd_gpu_memory(hd_cuda.gpu)).bytes == HD_MEMORY_BASE;
}

void hd_cuda_copied(const uint8_t *to, uint64_t bytes)
{
    struct hd_memory_view v = hd_memory_view(hd_gpu_memory(hd_cuda.gpu));
    uintptr_t offset = (uintptr_t)to - (uintptr_t)v.bytes;

    if (offset < v.size)
        hd_gpu_copied(hd_cuda.gpu, HD_MEMORY_BASE + offset, bytes);
}

void hd_cuda_machine_end(void)
{
    if (!hd_cuda.gpu)
        return;
    if (hd_cuda.broken == CUDA_SUCCESS && hd_queue_run() == CUDA_ERROR_DEINITIALIZED)
        return; // the program is to end, and the results are written
    if (!hd_cuda.gpu)
        return; // another thread has ended it meanwhile
    hd_results_write(false);
    hd_queue_drop_all();
    hd_parts_machine_ends();
    hd_gpu_free(hd_cuda.gpu);
    hd_arena_free(hd_cuda.programs);
    hd_cuda.gpu = NULL;
    hd_cuda.programs = NULL;
    hd_cuda.broken = CUDA_SUCCESS;
}
