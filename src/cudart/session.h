// session.h - what every call of the runtime begins and ends with: a context, the last error, a
// lock.
//
// The runtime keeps no memory of the device and runs nothing: it translates into calls of the
// driver API, in the context that is current (the primary one if the program made none).
#ifndef HEDDLE_CUDART_SESSION_H
#define HEDDLE_CUDART_SESSION_H

#include "base/arena.h"
#include "cudart/runtime.h"

#include <stdbool.h>

// The thread has a context now, unless an error is returned.
cudaError_t hd_session_enter(void);
// The driver alone, without a context.
cudaError_t hd_session_driver(void);
// Remember an error (of the driver or ours) as the thread's last one, and return it.
cudaError_t hd_session_note(unsigned result);
// The primary context was reset: what belonged to it is gone, and so are errors that stay.
void hd_session_reset(void);
// A number that changes with each reset.
unsigned hd_session_generation(void);

// The lock of the runtime's tables, and their memory, which lives as long as the process. Nothing
// is called under it but the arena: neither the driver nor functions of the program.
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
