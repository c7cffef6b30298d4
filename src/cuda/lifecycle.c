// lifecycle.c - the device from cuInit to the end of the process, and the list of all its parts.
#include "cuda/cuda.h"

#include "base/bug.h"
#include "cuda/code/code.h"
#include "cuda/core/parts.h"
#include "cuda/core/process.h"
#include "cuda/core/queue.h"
#include "cuda/core/results.h"
#include "cuda/graph/graphs.h"
#include "cuda/graphexec/graphexec.h"
#include "cuda/memory/devmem.h"
#include "cuda/stream/stream.h"
#include "cuda/texture/textures.h"

#include <stdlib.h>
#include <string.h>

// A part comes before the parts that it uses, so that they end in this order.
static const struct hd_part *const parts[] = {
    &hd_progress_part,   &hd_capture_part,    &hd_stream_calls_part, &hd_events_part,
    &hd_memops_part,     &hd_graphplan_part,  &hd_graphs_part,       &hd_arrays_part,
    &hd_texobjects_part, &hd_texrefs_part,    &hd_linking_part,      &hd_modules_part,
    &hd_functions_part,  &hd_advice_part,     &hd_virtual_part,      &hd_ipc_part,
    &hd_pools_part,      &hd_registered_part, &hd_devmem_part,       &hd_device_part,
};

CUresult cuInit(unsigned flags)
{
    static bool said;
    struct hd_diag d = {.n = 0};

    HD_CUDA_ENTER(HD_CUDA_NOTHING);
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (hd_cuda.initialized)
        return CUDA_SUCCESS;
    hd_cuda.arena = hd_arena_new();
    if (!hd_settings_read(&d)) {
        if (!said) // once, because programs ask repeatedly
            hd_cuda_say(&d);
        said = true;
        hd_arena_free(hd_cuda.arena);
        hd_cuda.arena = NULL;
        return CUDA_ERROR_NO_DEVICE;
    }
    hd_cuda.handles = hd_handles_new(hd_cuda.arena);
    hd_parts_install(parts, sizeof parts / sizeof *parts);
    hd_cuda.initialized = true;
    return CUDA_SUCCESS;
}

void hd_cuda_use(const struct hd_run_options *o)
{
    HD_BUG_IF(hd_cuda.initialized, "the machine is chosen before cuInit");
    hd_cuda.given = o;
}

bool hd_cuda_finish(struct hd_run *out)
{
    if (!hd_cuda.gpu)
        return false;
    if (hd_cuda.broken == CUDA_SUCCESS)
        hd_queue_run();
    *out = hd_results_run();
    return true;
}

void hd_cuda_end(void)
{
    if (!hd_cuda.initialized)
        return;
    hd_cuda_machine_end();
    hd_parts_device_ends();
    hd_context_forget();
    hd_current_forget();
    hd_queue_forget();
    hd_arena_free(hd_cuda.arena);
    memset(&hd_cuda, 0, sizeof hd_cuda);
    memset(&hd_results_wishes, 0, sizeof hd_results_wishes);
}

// The program ends: what it has queued is still executed, and results are written. Threads that
// still run and destructors that run later get an error.
static void at_exit(void)
{
    hd_cuda_leave_for_good(hd_cuda_machine_end);
}

__attribute__((destructor)) static void at_end(void)
{
    at_exit();
}

// quick_exit runs no destructors.
__attribute__((constructor)) static void at_start(void)
{
    (void)at_quick_exit(at_exit); // if this fails, there are no results
}
