// SHA-1 of a window that slides over the data in steps of a word, one thread for each place. A window
// is shorter than a block of SHA-1, so that each thread pads and hashes one block. Its sixteen words lie
// in shared memory, those of a warp's lanes beside each other. A thread keeps the digest's first word.

#define WORDS 16 // of a block of SHA-1
#define LANES 32
#define SHARED_WORDS (4 * 1024 - 32) // what a block can have on the first GPUs
#define PER_WARP (WORDS * LANES)

// As wide as `unsigned long` is on the host; bits above the 32nd mean nothing.
typedef unsigned long long word;

__device__ static inline word rotate(word x, int n)
{
    return x << n | (x & 0xffffffff) >> (32 - n);
}

__device__ static inline unsigned swap(unsigned x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

// Word t of the schedule; the ones behind the first sixteen are made in place.
__device__ static inline word schedule(unsigned *w, int t)
{
    if (t >= WORDS) {
        word x = w[(t - 3) % WORDS * LANES] ^ w[(t - 8) % WORDS * LANES] ^
                 w[(t - 14) % WORDS * LANES] ^ w[t % WORDS * LANES];
        w[t % WORDS * LANES] = (unsigned)rotate(x, 1);
    }
    return w[t % WORDS * LANES];
}

extern "C" __global__ void storegpu(const unsigned *data, int bytes, int step, int windows,
                                    unsigned *digests)
{
    __shared__ unsigned space[SHARED_WORDS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= windows)
        return;
    const unsigned *window = data + i * step;
    unsigned *w = space + threadIdx.x / LANES * PER_WARP + threadIdx.x % LANES;
#pragma unroll
    for (int t = 0; t < WORDS; t++)
        w[t * LANES] = window[t];
    // The end: a one, zeros, and how many bits there are. Bytes are stored one by one.
    unsigned char *end = (unsigned char *)(w + bytes / 4 * LANES) + bytes % 4;
    *end = 0x80;
    for (int b = bytes + 1; b < 4 * WORDS; b++)
        ((unsigned char *)(w + b / 4 * LANES))[b % 4] = 0;
#pragma unroll
    for (int t = 0; t < WORDS - 1; t++)
        w[t * LANES] = swap(w[t * LANES]);
    w[(WORDS - 1) * LANES] = 8 * bytes;

    word a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
#pragma unroll
    for (int t = 0; t < 80; t++) {
        word f = t < 20   ? (d ^ (b & (c ^ d))) + 0x5a827999
                 : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                 : t < 60 ? ((b & c) | (d & (b | c))) + 0x8f1bbcdc
                          : (b ^ c ^ d) + 0xca62c1d6;
        f += rotate(a, 5) + e + schedule(w, t);
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = f;
    }
    digests[i] = swap((unsigned)a + 0x67452301);
}
