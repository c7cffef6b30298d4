// host_threads.h - what threads do together, for host.h: barriers, warps, atomics, memory.
#ifndef CORPUS_HOST_THREADS_H
#define CORPUS_HOST_THREADS_H

static inline void __syncthreads(void)
{
    corpus_meet(corpus_barrier(0), threadIdx.x, 0, corpus_block_threads());
}

static inline int corpus_sum(int predicate)
{
    static unsigned places;
    corpus_meeting &m = corpus_barrier(0);
    unsigned n = corpus_block_threads(), place = places++ % n;
    const uint64_t *all = corpus_meet(m, place, predicate != 0, n);
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (int)all[i];
    return sum;
}
static inline int __syncthreads_count(int p)
{
    return corpus_sum(p);
}
static inline int __syncthreads_and(int p)
{
    return corpus_sum(p) == (int)corpus_block_threads();
}
static inline int __syncthreads_or(int p)
{
    return corpus_sum(p) != 0;
}

static inline void __syncwarp(uint32_t mask = ~0u)
{
    corpus_meet(corpus_warp_meeting(mask), corpus_now->lane, 0, __builtin_popcount(mask));
}
// The values of all lanes of the mask.
static inline const uint64_t *corpus_lanes(uint32_t mask, uint64_t v)
{
    return corpus_meet(corpus_warp_meeting(mask), corpus_now->lane, v, __builtin_popcount(mask));
}
template <typename T> static inline uint64_t corpus_raw(T v)
{
    uint64_t u = 0;
    memcpy(&u, &v, sizeof v);
    return u;
}
template <typename T> static inline T corpus_cooked(uint64_t u)
{
    T v;
    memcpy(&v, &u, sizeof v);
    return v;
}
template <typename T> static inline T corpus_shuffle(uint32_t mask, T v, int from, bool within)
{
    const uint64_t *all = corpus_lanes(mask, corpus_raw(v));
    return within ? corpus_cooked<T>(all[from]) : v;
}
template <typename T> static inline T __shfl_sync(uint32_t mask, T v, int lane, int width = 32)
{
    int base = (int)corpus_now->lane & ~(width - 1);
    return corpus_shuffle(mask, v, base + (lane & (width - 1)), true);
}
template <typename T>
static inline T __shfl_up_sync(uint32_t mask, T v, unsigned delta, int width = 32)
{
    int lane = (int)corpus_now->lane, base = lane & ~(width - 1);
    return corpus_shuffle(mask, v, lane - (int)delta, lane - (int)delta >= base);
}
template <typename T>
static inline T __shfl_down_sync(uint32_t mask, T v, unsigned delta, int width = 32)
{
    int lane = (int)corpus_now->lane, end = (lane & ~(width - 1)) + width;
    return corpus_shuffle(mask, v, lane + (int)delta, lane + (int)delta < end);
}
template <typename T> static inline T __shfl_xor_sync(uint32_t mask, T v, int bits, int width = 32)
{
    int lane = (int)corpus_now->lane, end = (lane & ~(width - 1)) + width;
    return corpus_shuffle(mask, v, lane ^ bits, (lane ^ bits) < end);
}
static inline uint32_t __ballot_sync(uint32_t mask, int p)
{
    const uint64_t *all = corpus_lanes(mask, p != 0);
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= mask >> i & 1 && all[i] ? 1u << i : 0;
    return result;
}
static inline int __all_sync(uint32_t mask, int p)
{
    return __ballot_sync(mask, p) == mask;
}
static inline int __any_sync(uint32_t mask, int p)
{
    return __ballot_sync(mask, p) != 0;
}
template <typename T> static inline uint32_t __match_any_sync(uint32_t mask, T v)
{
    const uint64_t *all = corpus_lanes(mask, corpus_raw(v));
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= mask >> i & 1 && all[i] == corpus_raw(v) ? 1u << i : 0;
    return result;
}
template <typename T> static inline uint32_t __match_all_sync(uint32_t mask, T v, int *all)
{
    uint32_t same = __match_any_sync(mask, v);
    *all = same == mask;
    return *all ? mask : 0;
}
#define __activemask() 0xffffffffu // where all lanes are together

static inline void __threadfence(void)
{
}
static inline void __threadfence_block(void)
{
}
static inline void __threadfence_system(void)
{
}
static inline void __nanosleep(unsigned)
{
    corpus_yield();
}
static inline long long clock64(void)
{
    static long long now;
    return ++now;
}
static inline unsigned clock(void)
{
    return (unsigned)clock64();
}

#define ATOMIC(name, expression)                                                                   \
    template <typename T, typename V> static inline T name(T *p, V value)                          \
    {                                                                                              \
        T old = *p, v = (T)value;                                                                  \
        *p = expression;                                                                           \
        return old;                                                                                \
    }                                                                                              \
    template <typename T, typename V> static inline T name##_block(T *p, V v)                      \
    {                                                                                              \
        return name(p, v);                                                                         \
    }                                                                                              \
    template <typename T, typename V> static inline T name##_system(T *p, V v)                     \
    {                                                                                              \
        return name(p, v);                                                                         \
    }
ATOMIC(atomicAdd, (T)(old + v))
ATOMIC(atomicSub, (T)(old - v))
ATOMIC(atomicExch, v)
ATOMIC(atomicMin, v < old ? v : old)
ATOMIC(atomicMax, v > old ? v : old)
ATOMIC(atomicAnd, old &v)
ATOMIC(atomicOr, old | v)
ATOMIC(atomicXor, old ^ v)
ATOMIC(atomicInc, old >= v ? 0 : old + 1)
ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)
#undef ATOMIC
template <typename T, typename V, typename W> static inline T atomicCAS(T *p, V compare, W value)
{
    T old = *p;
    if (old == (T)compare)
        *p = (T)value;
    return old;
}

template <typename T> static inline T __ldg(const T *p)
{
    return *p;
}
#define __ldcg __ldg
#define __ldca __ldg
#define __ldcs __ldg
#define __ldlu __ldg
#define __ldcv __ldg
template <typename T> static inline void __stcg(T *p, T v)
{
    *p = v;
}
#define __stwb __stcg
#define __stcs __stcg
#define __stwt __stcg

int corpus_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define printf corpus_printf

#endif
