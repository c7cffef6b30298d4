// entry.c - how a call enters the device: the lock, the state that the call requires, calls of the
// program's functions in between, and the end of the process.
#include "cuda/core/process.h"

#include "base/bug.h"
#include "base/lock.h"
#include "cuda/abi/loaded.h"
#include "cuda/core/parts.h"
#include "cuda/core/results.h"
#include "cuda/core/supervised.h"
#include "cuda/core/threads.h"
#include "gpu/team.h"

#include <time.h>

#define LOOK_MS 50       // between two looks at what holds the device
#define CALLBACK_MS 3000 // for a function of the program to return
#define PAUSE_NS 1000000

static enum { ALIVE, FORKED, ENDED } life; // of this process, under the lock
static pthread_t holder;                   // the thread that took the device last
static uint64_t entries;

// One thread at a time holds the device, for the length of a call. While a call runs a function of
// the program, no lock is held and the device is `away`: calls from other threads wait until it is
// back, calls from the function itself are refused.
static struct hd_lock device = HD_LOCK_INIT(HD_LOCK_DEVICE);
static pthread_cond_t back = PTHREAD_COND_INITIALIZER;
static bool away; // under the lock
static pthread_once_t once = PTHREAD_ONCE_INIT;

static _Thread_local struct {
    unsigned depth; // of nested calls
    bool in_callback;
} self;

// A child process does not inherit the device, as with NVIDIA's driver. The lock may be held by a
// thread that does not exist in the child.
static void forked(void)
{
    hd_lock_forked(&device);
    pthread_cond_init(&back, NULL);
    away = false;
    hd_parts_forked();
    hd_supervised_forget();
    hd_threads_forked();
    if (hd_cuda.initialized)
        life = FORKED;
}

static void begin(void)
{
    hd_surround_init();
    pthread_atfork(NULL, NULL, forked);
}

static void entered(void)
{
    holder = pthread_self();
    entries++;
    hd_surround_enter();
}

static void lock(void)
{
    pthread_once(&once, begin);
    if (self.depth++)
        return;
    hd_lock_take(&device);
    while (away && !self.in_callback)
        hd_lock_wait(&device, &back);
    entered();
}

// Queued work will not be executed any more.
static void mark_interrupted(void)
{
    if (hd_cuda.gpu && hd_cuda.broken == CUDA_SUCCESS) {
        hd_cuda.status = HD_RUN_STOPPED;
        hd_cuda.broken = CUDA_ERROR_LAUNCH_TIMEOUT;
    }
}

// The program is to end early: write the results so far and close the device. Its memory stays,
// because threads of the program may be using it.
static void end_early(bool in_call)
{
    mark_interrupted();
    hd_supervised_writes();
    if (hd_cuda.gpu)
        hd_results_write(in_call);
    hd_results_flush();
    hd_supervised_written();
    life = ENDED;
}

static void unlock(void)
{
    bool end;

    if (--self.depth)
        return;
    end = life == ALIVE && hd_supervised_asked();
    if (end)
        end_early(false);
    hd_surround_leave();
    hd_lock_release(&device);
    if (end)
        hd_supervised_obey();
}

// While a call runs a function of the program, the device is between two operations and the
// completed results could be written. Even then the function gets some time to return.
bool hd_cuda_settle(bool (*may_stop)(void))
{
    struct timespec until = hd_supervised_after(0);

    pthread_once(&once, begin);
    while (!hd_lock_take_until(&device, &until)) {
        if (!may_stop())
            return false;
        until = hd_supervised_after(LOOK_MS);
    }
    until = hd_supervised_after(CALLBACK_MS);
    while (away && hd_lock_wait_until(&device, &back, &until))
        ;
    self.depth++;
    entered();
    unlock();
    return true;
}

pthread_t hd_cuda_holder(void)
{
    return holder;
}

unsigned hd_cuda_callback_begin(void)
{
    unsigned depth = self.depth;

    HD_BUG_IF(self.in_callback || away, "a function of the program inside another");
    self.depth = 0;
    self.in_callback = away = true;
    hd_surround_leave();
    hd_lock_release(&device);
    hd_lock_none();
    return depth;
}

void hd_cuda_callback_end(unsigned depth)
{
    hd_lock_take(&device);
    self.depth = depth;
    self.in_callback = away = false;
    pthread_cond_broadcast(&back);
    hd_surround_enter();
}

CUresult hd_cuda_pause(void)
{
    const struct timespec step = {.tv_nsec = PAUSE_NS};
    unsigned depth = self.depth, machine = hd_cuda.n_machines;

    if (!depth) { // heddle itself ends the machine, in a process without other threads
        nanosleep(&step, NULL);
        return CUDA_SUCCESS;
    }
    self.depth = 0;
    hd_surround_leave();
    hd_lock_release(&device);
    nanosleep(&step, NULL);
    hd_lock_take(&device);
    while (away)
        hd_lock_wait(&device, &back);
    self.depth = depth;
    holder = pthread_self();
    hd_surround_enter();
    if (life != ALIVE)
        return CUDA_ERROR_DEINITIALIZED;
    if (!hd_cuda.gpu || hd_cuda.n_machines != machine)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return hd_cuda.broken;
}

CUresult hd_cuda_enter(enum hd_cuda_needs needs)
{
    if (!self.depth)
        hd_loaded_note();
    lock();
    if (life != ALIVE)
        return life == FORKED ? CUDA_ERROR_NOT_INITIALIZED : CUDA_ERROR_DEINITIALIZED;
    if (needs == HD_CUDA_NOTHING)
        return CUDA_SUCCESS;
    if (self.in_callback)
        return CUDA_ERROR_NOT_PERMITTED;
    if (!hd_cuda.initialized)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (needs == HD_CUDA_INIT)
        return CUDA_SUCCESS;
    if (!hd_current_context())
        return hd_current_gone() ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
    if (needs == HD_CUDA_CURRENT || hd_cuda.broken != CUDA_SUCCESS)
        return needs == HD_CUDA_CURRENT ? CUDA_SUCCESS : hd_cuda.broken;
    return needs == HD_CUDA_SAFE ? hd_parts_forbid() : CUDA_SUCCESS;
}

void hd_cuda_leave(const CUresult *entered)
{
    (void)entered;
    unlock();
}

uint64_t hd_cuda_entries(void)
{
    return entries;
}

void hd_cuda_leave_for_good(void (*end)(void))
{
    struct hd_diag d = {.n = 0};

    if (!hd_cuda.initialized || !hd_results_wanted() || life != ALIVE || hd_bug_reported)
        return;
    // A policy called exit() on a thread that steps SMs. The one that has the device waits for it.
    if (hd_team_await_others() && !self.depth) {
        end_early(true);
        return;
    }
    if (self.in_callback) { // its stream is in the middle of an operation
        hd_diag_add(&d, NULL, 0, 0, "the program ended inside a host function: no results");
        hd_cuda_say(&d);
        return;
    }
    lock();
    // Called from a signal handler in the middle of a call, or after one that ended the program.
    if (life == ALIVE && (self.depth > 1 || hd_supervised_asked_by_now()))
        end_early(self.depth > 1);
    else if (life == ALIVE)
        end();
    life = ENDED;
    hd_supervised_written();
    unlock();
}
