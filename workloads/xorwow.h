// xorwow.h - a random number generator for the threads of a kernel: xorshift of 160 bits beside a
// counter, Marsaglia's "xorwow" (Xorshift RNGs, J. Statistical Software 8(14), 2003). Every thread
// draws from a part of the sequence of its own, 2^67 numbers behind the part of the thread before.
//
// A draw maps the 160 bits linearly, so n draws are the n-th power of a matrix over bits. The host
// makes the powers that are 2^67 times a power of four; a thread multiplies by those that its
// number is made of. Included by kernels, and by host code, which uses the same functions.
#ifndef HEDDLE_WORKLOADS_XORWOW_H
#define HEDDLE_WORKLOADS_XORWOW_H

#if defined(__CUDACC__) || defined(__CUDA__)
#define XORWOW __device__ static inline __attribute__((always_inline))
#else
#define XORWOW static inline
#define XORWOW_HOST
#include <math.h>
#include <string.h>
#endif

#define XORWOW_WORDS 5
#define XORWOW_BITS (32 * XORWOW_WORDS)
#define XORWOW_MATRIX (XORWOW_BITS * XORWOW_WORDS) // words of one: the image of every bit
#define XORWOW_POWERS 8                            // of four: 65,536 threads

struct xorwow {
    unsigned x[XORWOW_WORDS], count;
};

XORWOW unsigned xorwow_draw(struct xorwow *g)
{
    unsigned t = g->x[0] ^ (g->x[0] >> 2);

    g->x[0] = g->x[1];
    g->x[1] = g->x[2];
    g->x[2] = g->x[3];
    g->x[3] = g->x[4];
    g->x[4] = g->x[4] ^ (g->x[4] << 4) ^ t ^ (t << 1);
    g->count += 362437;
    return g->count + g->x[4];
}

// In (0, 1].
XORWOW float xorwow_uniform(struct xorwow *g)
{
    return fmaf((float)xorwow_draw(g), 2.3283064e-10f, 1.1641532e-10f);
}

// Multiply the generator's bits, where they are, by a matrix.
XORWOW void xorwow_multiply(unsigned *x, const unsigned *matrix)
{
    unsigned product[XORWOW_WORDS] = {0};

#ifndef XORWOW_HOST
#pragma unroll 1
#endif
    for (int bit = 0; bit < XORWOW_BITS; bit++)
        if (x[bit / 32] & 1u << bit % 32)
            for (int k = 0; k < XORWOW_WORDS; k++)
                product[k] ^= matrix[bit * XORWOW_WORDS + k];
    for (int k = 0; k < XORWOW_WORDS; k++)
        x[k] = product[k];
}

// The start of the whole sequence.
XORWOW void xorwow_start(struct xorwow *g, unsigned seed)
{
    g->x[0] = 123456789 ^ seed;
    g->x[1] = 362436069;
    g->x[2] = 521288629 + seed;
    g->x[3] = 88675123;
    g->x[4] = 5783321;
    g->count = 6615241 + seed;
}

// The generator of a thread, from the start of the sequence, `matrices` as the host makes them.
XORWOW void xorwow_of_thread(struct xorwow *g, const unsigned *matrices, unsigned seed,
                             unsigned thread)
{
    xorwow_start(g, seed);
    for (unsigned left = thread; left; left >>= 2) {
#ifndef XORWOW_HOST
#pragma unroll 1
#endif
        for (unsigned times = left & 3; times; times--)
            xorwow_multiply(g->x, matrices);
        matrices += XORWOW_MATRIX;
    }
}

#ifdef XORWOW_HOST

// XORWOW_POWERS matrices, the first for 2^67 draws; each is the fourth power of the one before.
static inline void xorwow_matrices(unsigned *matrices)
{
    unsigned now[XORWOW_MATRIX], next[XORWOW_MATRIX];

    for (int bit = 0; bit < XORWOW_BITS; bit++) { // one draw
        struct xorwow g = {.count = 0};
        g.x[bit / 32] = 1u << bit % 32;
        xorwow_draw(&g);
        memcpy(next + bit * XORWOW_WORDS, g.x, sizeof g.x);
    }
    for (int squared = 1; squared <= 67 + 2 * (XORWOW_POWERS - 1); squared++) {
        memcpy(now, next, sizeof now);
        for (int bit = 0; bit < XORWOW_BITS; bit++)
            xorwow_multiply(next + bit * XORWOW_WORDS, now);
        if (squared >= 67 && squared % 2 == 1)
            memcpy(matrices + (squared - 67) / 2 * XORWOW_MATRIX, next, sizeof next);
    }
}

// The generators of n threads, each from the one before.
static inline void xorwow_generators(struct xorwow *g, unsigned n, const unsigned *matrices,
                                     unsigned seed)
{
    xorwow_start(&g[0], seed);
    for (unsigned i = 1; i < n; i++) {
        g[i] = g[i - 1];
        xorwow_multiply(g[i].x, matrices);
    }
}

#endif

#endif
