// host.c (dp_sa) - edit distances of reads to the places of a genome that have their seeds, with a
// kernel for each batch of reads.
//
// The genome is made by chances that depend on the two bases before; a third of it are copies of
// ten repeats, in which one base of twenty is another. Reads are parts of it with errors in 3 of
// 100 bases.
#include "workload/work.h"

#include "../dp_inputs.h"

#include <string.h>

#define LENGTH 100 // as in kernels
#define SEEDS 4
#define SPACING 30
#define SLACK 5
#define REPEATS 10
#define REPEAT 300 // bases

struct genome { // as in kernels
    CUdeviceptr bases, first, places;
    unsigned n, seed;
};
struct input {
    unsigned n, seed, batches, each; // bases of the genome, of a seed; reads of a batch
    unsigned char *bases, *reads;
    unsigned *first, *places, *base; // base: first place of a batch
    uint64_t *masks;
};

static void make_genome(struct hd_work *w, struct input *in)
{
    unsigned char repeats[REPEATS][REPEAT];
    unsigned chance[16][3], last = 0;

    for (unsigned i = 0; i < 16; i++) // cumulative: each base has a chance between 1/8 and 5/8
        for (unsigned k = 0, sum = 0; k < 3; k++)
            chance[i][k] = sum += 32 + hd_work_random(w) % 43;
    in->bases = hd_work_array(w, in->n, 1);
    for (unsigned i = 0; i < in->n; i++) {
        unsigned r = hd_work_random(w) % 256, base = 0;
        while (base < 3 && r >= chance[last][base])
            base++;
        in->bases[i] = (unsigned char)base;
        last = (last << 2 | base) & 15;
    }
    for (unsigned r = 0; r < REPEATS; r++)
        memcpy(repeats[r], in->bases + r * REPEAT, REPEAT);
    for (unsigned copied = 0; copied < in->n / 3; copied += REPEAT) {
        unsigned at = hd_work_random(w) % (in->n - REPEAT), r = hd_work_random(w) % REPEATS;
        for (unsigned i = 0; i < REPEAT; i++)
            in->bases[at + i] =
                hd_work_random(w) % 20 ? repeats[r][i] : (unsigned char)(hd_work_random(w) % 4);
    }
}

static unsigned code_of(const struct input *in, const unsigned char *bases)
{
    unsigned code = 0;

    for (unsigned i = 0; i < in->seed; i++)
        code = code << 2 | bases[i];
    return code;
}

// Where each seed is in the genome.
static void make_index(struct hd_work *w, struct input *in)
{
    unsigned codes = 1u << 2 * in->seed, n = in->n - in->seed + 1;

    in->first = hd_work_array(w, codes + 2, sizeof *in->first);
    in->places = hd_work_array(w, n, sizeof *in->places);
    for (unsigned i = 0; i < n; i++)
        in->first[code_of(in, in->bases + i) + 2]++;
    for (unsigned c = 1; c <= codes; c++)
        in->first[c + 1] += in->first[c];
    for (unsigned i = 0; i < n; i++)
        in->places[in->first[code_of(in, in->bases + i) + 1]++] = i;
}

static void make_reads(struct hd_work *w, struct input *in)
{
    unsigned reads = in->batches * in->each;

    in->reads = hd_work_array(w, reads, LENGTH);
    in->masks = hd_work_array(w, reads, 8 * sizeof *in->masks);
    for (unsigned r = 0; r < reads; r++) {
        unsigned char *read = in->reads + (size_t)r * LENGTH;
        unsigned at = 1 + hd_work_random(w) % (in->n - 2 * LENGTH);
        for (unsigned i = 0; i < LENGTH; i++) {
            unsigned error = hd_work_random(w) % 200;
            at += error == 0; // a base is left out, or comes twice, or is another
            at -= error == 1;
            read[i] =
                error < 6 && error > 1 ? (unsigned char)(hd_work_random(w) % 4) : in->bases[at];
            at++;
            in->masks[r * 8 + read[i] * 2 + i / 64] |= UINT64_C(1) << i % 64;
        }
    }
}

// The same by the table of all prefixes.
static unsigned align(const struct input *in, const unsigned char *read, int place)
{
    int begin = place < SLACK ? 0 : place - SLACK, end = place + LENGTH + SLACK;
    unsigned row[LENGTH + 1], best = LENGTH; // distances of the read's prefixes

    for (unsigned k = 0; k <= LENGTH; k++)
        row[k] = k;
    for (int i = begin; i < end && i < (int)in->n; i++) {
        unsigned before = row[0];
        for (unsigned k = 1; k <= LENGTH; k++) {
            unsigned d = before + (read[k - 1] != in->bases[i]);
            before = row[k];
            d = before + 1 < d ? before + 1 : d;
            row[k] = row[k - 1] + 1 < d ? row[k - 1] + 1 : d;
        }
        best = row[LENGTH] < best ? row[LENGTH] : best;
    }
    return best;
}

// The distances in the order of batches, reads, seeds and places; only their number if there is no
// array for them. Sets where each batch begins.
static unsigned align_on_host(const struct input *in, unsigned *distance)
{
    unsigned n = 0;

    for (unsigned r = 0; r < in->batches * in->each; r++) {
        const unsigned char *read = in->reads + (size_t)r * LENGTH;
        if (r % in->each == 0)
            in->base[r / in->each] = n;
        for (unsigned s = 0; s < SEEDS; s++) {
            unsigned code = code_of(in, read + s * SPACING);
            for (unsigned i = in->first[code]; i < in->first[code + 1]; i++, n++)
                if (distance)
                    distance[n] = align(in, read, (int)in->places[i] - (int)(s * SPACING));
        }
    }
    return n;
}

static void align_on_device(struct hd_work *w, const struct input *in, unsigned *distance,
                            unsigned n)
{
    size_t reads = (size_t)in->batches * in->each;
    struct genome genome = {.n = in->n, .seed = in->seed};
    unsigned threshold = 64, batches = in->batches, each = in->each;

    genome.bases = hd_work_upload(w, in->bases, in->n);
    genome.first = hd_work_upload(w, in->first, ((1u << 2 * in->seed) + 1) * sizeof *in->first);
    genome.places = hd_work_upload(w, in->places, (in->n - in->seed + 1) * sizeof *in->places);
    CUdeviceptr g = hd_work_upload(w, &genome, sizeof genome);
    CUdeviceptr d_reads = hd_work_upload(w, in->reads, reads * LENGTH);
    CUdeviceptr masks = hd_work_upload(w, in->masks, reads * 8 * sizeof *in->masks);
    CUdeviceptr at = hd_work_buffer(w, reads * SEEDS * sizeof(unsigned));
    CUdeviceptr base = hd_work_upload(w, in->base, batches * sizeof *in->base);
    CUdeviceptr to = hd_work_buffer(w, (n + 1) * sizeof *distance);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "align_batches"), ((struct hd_work_grid){1, 1, 32, 1}), &g,
                   &d_reads, &masks, &at, &batches, &each, &base, &to, &threshold);
    hd_work_read(w, distance, to, n * sizeof *distance);
}

static void run(struct hd_work *w)
{
    static const struct input inputs[HD_WORK_SIZES] = {
        {.n = 1 << 14, .seed = 8, .batches = 4, .each = 24},
        {.n = 1 << 18, .seed = 9, .batches = 12, .each = 40},
        {.n = 1 << 22, .seed = 10, .batches = 23, .each = 64}};
    struct input in = inputs[w->size];

    make_genome(w, &in);
    make_index(w, &in);
    make_reads(w, &in);
    in.base = hd_work_array(w, in.batches, sizeof *in.base);
    unsigned n = align_on_host(&in, NULL);
    unsigned *got = hd_work_array(w, n, sizeof *got);
    unsigned *expected = hd_work_array(w, n, sizeof *expected);
    align_on_device(w, &in, got, n);
    align_on_host(&in, expected);
    hd_work_same(w, "distances", got, expected, n);
}

const struct hd_workload hd_workload_dp_sa = {
    .name = "dp_sa",
    .brief = "reads aligned to a genome by bit vectors, a kernel launched for each batch of reads",
    .groups = "laser:SA",
    .dynamic = true,
    .sizes = {"16,384 bases, 4 batches", "262,144 bases, 12 batches",
              "4,194,304 bases, 23 batches"},
    .run = run,
};
