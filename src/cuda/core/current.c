// current.c - the calling thread's current context: the last one of its stack.
#include "cuda/core/process.h"

#include <stdatomic.h>

#define DEPTH 64

static _Thread_local struct {
    CUcontext handles[DEPTH]; // the current one last
    unsigned n, number;
} thread;
static atomic_uint n_threads;

unsigned hd_current_thread(void)
{
    if (!thread.number)
        thread.number = atomic_fetch_add(&n_threads, 1) + 1;
    return thread.number;
}

CUcontext hd_current_handle(void)
{
    return thread.n ? thread.handles[thread.n - 1] : NULL;
}

struct hd_cuda_context *hd_current_context(void)
{
    return thread.n ? hd_handles_get(hd_cuda.handles, HD_HANDLE_CONTEXT, hd_current_handle())
                    : NULL;
}

bool hd_current_gone(void)
{
    return thread.n && !hd_current_context();
}

bool hd_current_full(void)
{
    return thread.n == DEPTH;
}

bool hd_current_push(CUcontext handle)
{
    if (hd_current_full())
        return false;
    thread.handles[thread.n++] = handle;
    return true;
}

CUcontext hd_current_pop(void)
{
    return thread.n ? thread.handles[--thread.n] : NULL;
}

// Forgets the calling thread's contexts. Those of other threads are recognised as stale by their
// handles.
void hd_current_forget(void)
{
    thread.n = 0;
}
