// host.c (storegpu) - SHA-1 of every window of the data.
#include "workload/work.h"

#define THREADS 128
#define WINDOW 20 // bytes of a window; the next one begins a word later
#define STEP 1    // words
#define BLOCK 16  // words of a block of SHA-1

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t swap(uint32_t x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

// First word of the digest of WINDOW bytes, bytes of a word from its low end (FIPS 180-4).
static uint32_t sha1(const uint32_t *window)
{
    uint32_t w[80] = {0}, a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    uint32_t e = 0xc3d2e1f0;

    for (unsigned t = 0; t < WINDOW / 4; t++)
        w[t] = swap(window[t]);
    w[WINDOW / 4] = 0x80000000;
    w[15] = 8 * WINDOW;
    for (unsigned t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (unsigned t = 0; t < 80; t++) {
        uint32_t f = t < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                     : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                     : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                              : (b ^ c ^ d) + 0xca62c1d6;
        f += rotate(a, 5) + e + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = f;
    }
    return swap(a + 0x67452301);
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {2048, 24576, 49152};
    unsigned windows = sizes[w->size], words = (windows - 1) * STEP + BLOCK;
    int bytes = WINDOW, step = STEP;
    uint32_t *data = hd_work_array(w, words, sizeof *data);
    uint32_t *got = hd_work_array(w, windows, sizeof *got);
    uint32_t *expected = hd_work_array(w, windows, sizeof *got);

    for (unsigned i = 0; i < words; i++)
        data[i] = hd_work_random(w);
    CUdeviceptr d_data = hd_work_upload(w, data, words * sizeof *data);
    CUdeviceptr digests = hd_work_buffer(w, windows * sizeof *got);
    struct hd_work_grid grid = {(windows + THREADS - 1) / THREADS, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "storegpu"), grid, &d_data, &bytes, &step, &windows,
                   &digests);
    hd_work_read(w, got, digests, windows * sizeof *got);

    for (unsigned i = 0; i < windows; i++)
        expected[i] = sha1(data + i * STEP);
    hd_work_same(w, "digests", got, expected, windows);
}

const struct hd_workload hd_workload_storegpu = {
    .name = "storegpu",
    .brief = "SHA-1 of a sliding window in shared memory: much arithmetic, few warps on an SM",
    .groups = "lfws:STO pro:STO",
    .sizes = {"8 KB", "96 KB", "192 KB"},
    .run = run,
};
