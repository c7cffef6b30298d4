// session.c - contexts, errors and the lock of the runtime; see session.h.
#include "cudart/session.h"

#include "base/diag.h"
#include "base/lock.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

static struct hd_lock tables = HD_LOCK_INIT(HD_LOCK_TABLES);
static struct hd_arena *arena; // under the lock
static CUcontext primary;      // under the lock; retained once, NULL after a reset
static atomic_uint generation; // changed under the lock; functions of the program read it too

static _Thread_local struct {
    cudaError_t error;   // the last one
    unsigned generation; // when it was noted
    CUcontext bound;     // the context that the runtime made current here
} thread;

// This process is a child, and other threads of its parent may have held the lock. It has no device
// (the driver reports that); its calls must not wait for a thread that it does not have.
static void forked(void)
{
    hd_lock_forked(&tables);
}

__attribute__((constructor)) static void at_start(void)
{
#ifdef HD_DEBUG
    void *shared;
    unsigned *(*held)(void);
    if (cuGetProcAddress_v2("hd_lock_held", &shared, CUDA_VERSION, 0, NULL) == CUDA_SUCCESS) {
        memcpy(&held, &shared, sizeof held);
        hd_lock_share(held);
    }
#endif
    pthread_atfork(NULL, NULL, forked);
}

struct hd_arena *hd_session_lock(void)
{
    hd_lock_take(&tables);
    if (!arena)
        arena = hd_arena_new();
    return arena;
}

void hd_session_unlock(void)
{
    hd_lock_release(&tables);
}

void hd_session_say(const char *format, ...)
{
    struct hd_diag d = {.n = 0};
    char text[HD_DIAG_TEXT];
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

static CUcontext known_primary(void)
{
    CUcontext known;

    hd_session_lock();
    known = primary;
    hd_session_unlock();
    return known;
}

// Retained once for all threads: if two threads retain it at the same time, one releases it again.
// Contexts retained before a reset are gone.
static CUresult retain(CUcontext *out)
{
    unsigned before;
    bool fresh, first;

    do {
        before = hd_session_generation();
        CUresult r = cuDevicePrimaryCtxRetain(out, 0);
        if (r != CUDA_SUCCESS)
            return r;
        hd_session_lock();
        fresh = before == generation;
        first = !primary;
        if (fresh && first)
            primary = *out;
        hd_session_unlock();
    } while (!fresh);
    return first ? CUDA_SUCCESS : cuDevicePrimaryCtxRelease(0);
}

cudaError_t hd_session_enter(void)
{
    CUcontext current, known;
    CUresult r = cuCtxGetCurrent(&current);

    if (r != CUDA_SUCCESS) {
        r = cuInit(0);
        if (r == CUDA_SUCCESS)
            r = cuCtxGetCurrent(&current);
        if (r != CUDA_SUCCESS)
            return (cudaError_t)r;
    }
    // If the program made a context of its own, it is used as it is; ours may have been reset by
    // another thread.
    if (current && current != thread.bound)
        return cudaSuccess;
    known = known_primary();
    if (current && current == known)
        return cudaSuccess;
    if (!known)
        r = retain(&known);
    if (r == CUDA_SUCCESS)
        r = cuCtxSetCurrent(known);
    if (r == CUDA_SUCCESS)
        thread.bound = known;
    return (cudaError_t)r;
}

void hd_session_reset(void)
{
    hd_session_lock();
    primary = NULL;
    generation++;
    hd_session_unlock();
    thread.bound = NULL;
}

unsigned hd_session_generation(void)
{
    return generation;
}

// The device does not recover from these errors: every call fails until it is reset.
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
