// session.c - contexts, errors and the lock of the runtime; see session.h.
#include "cudart/session.h"

#include "base/diag.h"

#include <pthread.h>
#include <stdarg.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hd_arena *arena; // under the lock
static CUcontext primary;      // under the lock; retained once, NULL after a reset
static unsigned generation;    // under the lock

static _Thread_local struct {
    cudaError_t error;   // the last one
    unsigned generation; // when it was noted
    CUcontext bound;     // the context that the runtime made current here
} thread;

// A child of a process whose other threads were in here. It has no device (the driver says so);
// what it calls must not wait for a thread that it does not have.
static void forked(void)
{
    pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void at_start(void)
{
    pthread_atfork(NULL, NULL, forked);
}

struct hd_arena *hd_session_lock(void)
{
    pthread_mutex_lock(&lock);
    if (!arena)
        arena = hd_arena_new();
    return arena;
}

void hd_session_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void hd_session_say(const char *format, ...)
{
    struct hd_diag d = {.n = 0};
    char text[240];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hd_diag_add(&d, NULL, 0, 0, "%s", text);
    hd_diag_print(&d, stderr);
}

cudaError_t hd_session_driver(void)
{
    return (cudaError_t)cuInit(0);
}

cudaError_t hd_session_enter(void)
{
    CUcontext current;
    CUresult r = cuCtxGetCurrent(&current);

    if (r != CUDA_SUCCESS) {
        r = cuInit(0);
        if (r == CUDA_SUCCESS)
            r = cuCtxGetCurrent(&current);
        if (r != CUDA_SUCCESS)
            return (cudaError_t)r;
    }
    // A context of the program's own is used as it is; ours may have been reset by another thread.
    if (current && current != thread.bound)
        return cudaSuccess;
    pthread_mutex_lock(&lock);
    if (!current || current != primary) {
        if (!primary)
            r = cuDevicePrimaryCtxRetain(&primary, 0);
        if (r == CUDA_SUCCESS)
            r = cuCtxSetCurrent(primary);
        thread.bound = primary;
    }
    pthread_mutex_unlock(&lock);
    return (cudaError_t)r;
}

void hd_session_reset(void)
{
    pthread_mutex_lock(&lock);
    primary = NULL;
    generation++;
    pthread_mutex_unlock(&lock);
    thread.bound = NULL;
}

unsigned hd_session_generation(void)
{
    unsigned now;

    pthread_mutex_lock(&lock);
    now = generation;
    pthread_mutex_unlock(&lock);
    return now;
}

// The device does not recover from these: every call fails until it is reset.
static bool stays(cudaError_t e)
{
    switch ((int)e) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
        return true;
    default:
        return false;
    }
}

cudaError_t hd_session_note(unsigned result)
{
    if (result != cudaSuccess) {
        thread.error = (cudaError_t)result;
        thread.generation = hd_session_generation();
    }
    return (cudaError_t)result;
}

cudaError_t cudaPeekAtLastError(void)
{
    if (stays(thread.error) && thread.generation != hd_session_generation())
        thread.error = cudaSuccess;
    return thread.error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t e = cudaPeekAtLastError();

    if (!stays(e))
        thread.error = cudaSuccess;
    return e;
}
