// host.h - CUDA C on the host: the threads of a block are coroutines, a warp waits for its lanes.
//
// Only tools/corpus.sh compiles this, to compute expected values. One block runs after the other,
// threads in order until each waits. Atomics need no atomicity, fences nothing. Roundings are the
// host's own, set for one operation; mathematical functions are the C library's, in the next wider
// type where there is one.
#ifndef CORPUS_HOST_H
#define CORPUS_HOST_H

#include <cfenv>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <ucontext.h>

using std::isfinite, std::isinf, std::isnan, std::signbit;

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

struct dim3 {
    unsigned x, y, z;
};
struct corpus_thread {
    ucontext_t context;
    char *stack;
    dim3 id;
    unsigned lane, warp;
    bool ended;
};
extern corpus_thread *corpus_now;
extern dim3 corpus_block, corpus_grid, corpus_block_id;
#define threadIdx (corpus_now->id)
#define blockIdx corpus_block_id
#define blockDim corpus_block
#define gridDim corpus_grid
#define warpSize 32

void *corpus_dynamic_shared(void);
void corpus_yield(void); // let the others go on
// Wait until `n` threads have come to this place; its last values by key, and all of them.
struct corpus_meeting {
    uint64_t value[1024], done[1024];
    unsigned came = 0;
    uint64_t round = 0;
};
corpus_meeting &corpus_warp_meeting(uint32_t mask); // of this warp's lanes
corpus_meeting &corpus_barrier(unsigned id);
const uint64_t *corpus_meet(corpus_meeting &m, unsigned place, uint64_t value, unsigned n);
void corpus_arrive(corpus_meeting &m, unsigned n);
unsigned corpus_block_threads(void);

struct sink {
    uint32_t *p;
};
void corpus_column(const char *kind, double tolerance, int line);
static inline void put(sink &s, uint32_t v)
{
    *s.p++ = v;
}
#define COLUMN(s, kind, tolerance, line) corpus_column(kind, tolerance, line)
void corpus_failed(void); // an assertion: ends the thread
#define assert(condition) ((condition) ? (void)0 : corpus_failed())
void corpus_register(const char *name, void (*kernel)(uint32_t *), dim3 grid, dim3 block,
                     unsigned dynamic, unsigned words);
#define LAUNCH3(kernel, gx, gy, gz, bx, by, bz, dynamic, words)                                    \
    extern "C" void kernel(uint32_t *);                                                            \
    CORPUS_ONCE(__COUNTER__, kernel, (dim3{gx, gy, gz}), (dim3{bx, by, bz}), dynamic, words)
#define CORPUS_ONCE(n, ...) CORPUS_ONCE2(n, __VA_ARGS__)
#define CORPUS_ONCE2(n, kernel, ...)                                                               \
    static int corpus_launch_##n = (corpus_register(#kernel, kernel, __VA_ARGS__), 0);
#define LAUNCH(kernel, grid, block, dynamic, words)                                                \
    LAUNCH3(kernel, grid, 1, 1, block, 1, 1, dynamic, words)

#define TEXTURE(n, geometry, format, channels, w, h, d, filter, edge, coordinates, read)           \
    static int corpus_texture_##n =                                                                \
        (corpus_register_image(                                                                    \
             n,                                                                                    \
             {geometry, format, channels, w, h, d, filter, edge, coordinates, read, false, {}}),   \
         0);
#define SURFACE(n, geometry, format, channels, w, h, d)                                            \
    static int corpus_surface_##n = (corpus_register_image(n, {geometry,                           \
                                                               format,                             \
                                                               channels,                           \
                                                               w,                                  \
                                                               h,                                  \
                                                               d,                                  \
                                                               "point",                            \
                                                               "clamp",                            \
                                                               "texels",                           \
                                                               "element",                          \
                                                               true,                               \
                                                               {}}),                               \
                                     0);

#include "host_images.h"
#include "host_numbers.h"
#include "host_threads.h"

#endif
