// progress.c - runs host functions after kernels even if the program waits for them without calling
// heddle.
//
// Queued work runs when the program waits through this interface. A program may wait for its own
// host function instead, with a condition variable. Then a thread of ours runs the queues, once the
// program has made no call for a while. The thread exists only while a host function is queued, so
// that the results of all other programs, and of those that call soon, do not depend on the host's
// clock.
#include "cuda/stream/stream.h"

#include "cuda/core/threads.h"

#include <time.h>

#define STEP_NS 100000000 // a tenth of a second
#define STEPS 10          // without a call

static bool watching; // under the device's lock

// Returns CUDA_SUCCESS as long as there is something to wait for.
static CUresult look(uint64_t *entries, unsigned *quiet)
{
    HD_CUDA_ENTER(HD_CUDA_NOTHING);
    *quiet = hd_cuda_entries() == *entries + 1 ? *quiet + 1 : 0;
    *entries = hd_cuda_entries();
    if (hd_cuda.gpu && hd_cuda.broken == CUDA_SUCCESS && *quiet >= STEPS)
        hd_queue_run_some();
    watching = hd_cuda.gpu && hd_cuda.broken == CUDA_SUCCESS && hd_queue_has_host();
    return watching ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

static void watch(void)
{
    const struct timespec step = {.tv_nsec = STEP_NS};
    uint64_t entries = 0;
    unsigned quiet = 0;

    do
        nanosleep(&step, NULL);
    while (look(&entries, &quiet) == CUDA_SUCCESS);
}

CUresult hd_progress_add(struct hd_cuda_stream *s, const struct hd_cuda_op *op)
{
    static struct hd_thread watcher = {watch};
    bool ended;
    CUresult r = hd_queue_add(s, op, &ended);

    if (!ended && !watching)
        watching = hd_threads_start(&watcher);
    return r;
}

static void forked(void)
{
    watching = false;
}

const struct hd_part hd_progress_part = {.forked = forked};
