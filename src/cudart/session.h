// session.h - the beginning and end of every call of the runtime: a context, the last error, a
// lock.
//
// The runtime keeps no device memory and runs nothing: it translates its calls into calls of the
// driver API, in the current context (the primary one if the program made none).
#ifndef HEDDLE_CUDART_SESSION_H
#define HEDDLE_CUDART_SESSION_H

#include "base/arena.h"
#include "cudart/runtime.h"

#include <stdbool.h>

// Ensures that the thread has a context, or returns an error.
cudaError_t hd_session_enter(void);
// Ensures only that the driver is initialised, without a context.
cudaError_t hd_session_driver(void);
// Stores an error (the driver's or ours) as the thread's last one, and returns it.
cudaError_t hd_session_note(unsigned result);
// The primary context was reset: everything that belonged to it is gone, and so are errors that
// stay.
void hd_session_reset(void);
// A number that changes with each reset.
unsigned hd_session_generation(void);

// The lock of the runtime's tables, and their memory, which lives as long as the process. While the
// lock is held, only the arena is called: neither the driver nor functions of the program.
struct hd_arena *hd_session_lock(void);
void hd_session_unlock(void);

__attribute__((format(printf, 1, 2))) void hd_session_say(const char *format, ...);

// The default stream of a _ptsz or _ptds entry point.
static inline cudaStream_t hd_session_ptsz(cudaStream_t s)
{
    return s ? s : cudaStreamPerThread;
}

#define HD_RT_ENTER()                                                                              \
    do {                                                                                           \
        cudaError_t entered_ = hd_session_enter();                                                 \
        if (entered_ != cudaSuccess)                                                               \
            return hd_session_note(entered_);                                                      \
    } while (0)

#endif
