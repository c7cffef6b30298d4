// Alignment of reads to a genome by seeds. A thread owns a batch of reads: it looks up where four seeds
// of each read are in the genome, and if there are more places than the threshold, it launches a kernel
// with a thread for each place, which computes the edit distance of the read to the genome around it by
// bit vectors (Myers 1999), 128 bits wide. Otherwise it does so itself.
#define LENGTH 100 // of a read
#define SEEDS 4    // of a read, SPACING apart
#define SPACING 30
#define SLACK 5 // bases of the genome before and after the place

typedef unsigned long long u64;

struct genome {
    const unsigned char *bases;
    const unsigned *first, *places; // of each seed
    unsigned n, seed;               // bases of the genome, of a seed
};

// The least distance of a read to any part of the genome near this place. masks: for each base, the
// positions of the read that have it.
__device__ unsigned align(const genome *g, const u64 *masks, int place)
{
    int begin = max(place - SLACK, 0), end = min(place + LENGTH + SLACK, (int)g->n);
    u64 pv0 = ~0ull, pv1 = ~0ull, mv0 = 0, mv1 = 0;
    unsigned score = LENGTH, best = LENGTH;

    for (int i = begin; i < end; i++) {
        const u64 *eq = masks + 2 * g->bases[i];
        u64 eq0 = eq[0], eq1 = eq[1], xv0 = eq0 | mv0, xv1 = eq1 | mv1;
        u64 a0 = eq0 & pv0, a1 = eq1 & pv1, s0 = a0 + pv0, s1 = a1 + pv1 + (s0 < a0);
        u64 xh0 = (s0 ^ pv0) | eq0, xh1 = (s1 ^ pv1) | eq1;
        u64 ph0 = mv0 | ~(xh0 | pv0), ph1 = mv1 | ~(xh1 | pv1), mh0 = pv0 & xh0, mh1 = pv1 & xh1;
        score += (unsigned)(ph1 >> (LENGTH - 65) & 1);
        score -= (unsigned)(mh1 >> (LENGTH - 65) & 1);
        ph1 = ph1 << 1 | ph0 >> 63;
        mh1 = mh1 << 1 | mh0 >> 63;
        ph0 <<= 1;
        mh0 <<= 1;
        pv0 = mh0 | ~(xv0 | ph0);
        pv1 = mh1 | ~(xv1 | ph1);
        mv0 = ph0 & xv0;
        mv1 = ph1 & xv1;
        best = min(best, score);
    }
    return best;
}

__device__ unsigned code_of(const genome *g, const unsigned char *bases)
{
    unsigned code = 0;

    for (unsigned i = 0; i < g->seed; i++)
        code = code << 2 | bases[i];
    return code;
}

// The distance at place i of a batch, whose seeds have their first place at at[seed].
__device__ unsigned align_at(const genome *g, const unsigned char *reads, const u64 *masks,
                             const unsigned *at, unsigned seeds, unsigned i)
{
    unsigned low = 0, high = seeds;

    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (at[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    unsigned read = low / SEEDS, offset = low % SEEDS * SPACING;
    unsigned code = code_of(g, reads + read * LENGTH + offset);
    return align(g, masks + read * 8, (int)g->places[g->first[code] + i - at[low]] - (int)offset);
}

extern "C" __global__ void align_places(const genome *g, const unsigned char *reads,
                                        const u64 *masks, const unsigned *at, unsigned seeds,
                                        unsigned n, unsigned *distance)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        distance[i] = align_at(g, reads, masks, at, seeds, i);
}

extern "C" __global__ void align_batches(const genome *g, const unsigned char *reads,
                                         const u64 *masks, unsigned *at, unsigned batches,
                                         unsigned each, const unsigned *base, unsigned *distance,
                                         unsigned threshold)
{
    unsigned b = blockIdx.x * blockDim.x + threadIdx.x, n = 0, seeds = each * SEEDS;

    if (b >= batches)
        return;
    reads += b * each * LENGTH;
    masks += b * each * 8;
    at += b * seeds;
    distance += base[b];
    for (unsigned s = 0; s < seeds; s++) {
        unsigned code = code_of(g, reads + s / SEEDS * LENGTH + s % SEEDS * SPACING);
        at[s] = n;
        n += g->first[code + 1] - g->first[code];
    }
    if (n > threshold) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        align_places<<<(n + 127) / 128, 128, 0, own>>>(g, reads, masks, at, seeds, n, distance);
        cudaStreamDestroy(own);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        distance[i] = align_at(g, reads, masks, at, seeds, i);
}
