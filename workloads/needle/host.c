// host.c (needle) - global alignment of two sequences.
#include "workload/work.h"

#define TILE 16
#define LETTERS 20
#define PENALTY 10 // of a gap, for each letter

// How alike two letters are: 4 to 11 for the same, -4 to 3 for different ones, and the same both
// ways.
static void make_likeness(struct hd_work *w, int like[LETTERS][LETTERS])
{
    for (unsigned a = 0; a < LETTERS; a++)
        for (unsigned b = 0; b <= a; b++)
            like[a][b] = like[b][a] = (int)(hd_work_random(w) % 8) + (a == b ? 4 : -4);
}

static unsigned char *make_sequence(struct hd_work *w, unsigned n)
{
    unsigned char *letters = hd_work_array(w, n, 1);

    for (unsigned i = 0; i < n; i++)
        letters[i] = (unsigned char)(hd_work_random(w) % LETTERS);
    return letters;
}

// The first row and column: nothing but gaps.
static void start(int *score, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        score[i] = score[(size_t)i * width] = -PENALTY * (int)i;
}

static void align(const int *similar, int *score, unsigned width)
{
    for (unsigned y = 1; y < width; y++)
        for (unsigned x = 1; x < width; x++) {
            size_t i = (size_t)y * width + x;
            int best = score[i - width - 1] + similar[i];
            best = score[i - 1] - PENALTY > best ? score[i - 1] - PENALTY : best;
            score[i] = score[i - width] - PENALTY > best ? score[i - width] - PENALTY : best;
        }
}

static void align_on_device(struct hd_work *w, const int *similar, int *score, unsigned width)
{
    size_t bytes = (size_t)width * width * sizeof *score;
    unsigned pieces = width / TILE;
    int penalty = PENALTY;

    CUdeviceptr d_similar = hd_work_upload(w, similar, bytes);
    CUdeviceptr d_score = hd_work_upload(w, score, bytes);
    CUfunction upper_left = hd_work_kernel(w, "upper_left");
    CUfunction lower_right = hd_work_kernel(w, "lower_right");
    for (unsigned n = 1; n <= pieces; n++)
        HD_WORK_LAUNCH(w, upper_left, ((struct hd_work_grid){n, 1, TILE, 1}), &d_similar, &d_score,
                       &width, &penalty);
    for (unsigned n = pieces - 1; n > 0; n--)
        HD_WORK_LAUNCH(w, lower_right, ((struct hd_work_grid){n, 1, TILE, 1}), &d_similar, &d_score,
                       &width, &penalty, &pieces);
    hd_work_read(w, score, d_score, bytes);
}

static void run(struct hd_work *w)
{
    static const unsigned lengths[HD_WORK_SIZES] = {128, 1024, 2048};
    unsigned n = lengths[w->size], width = n + 1;
    size_t cells = (size_t)width * width;
    int *similar = hd_work_array(w, cells, sizeof *similar), like[LETTERS][LETTERS];
    int *got = hd_work_array(w, cells, sizeof *got);
    int *expected = hd_work_array(w, cells, sizeof *got);

    make_likeness(w, like);
    const unsigned char *down = make_sequence(w, n), *across = make_sequence(w, n);
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x < n; x++)
            similar[(size_t)(y + 1) * width + x + 1] = like[down[y]][across[x]];
    start(got, width);
    align_on_device(w, similar, got, width);
    start(expected, width);
    align(similar, expected, width);
    hd_work_same(w, "score", got, expected, cells);
}

const struct hd_workload hd_workload_needle = {
    .name = "needle",
    .brief = "alignment of two sequences by anti-diagonals: half warps, small grids, many launches",
    .groups = "lfws:NW elf:NW",
    .sizes = {"128 letters", "1024 letters", "2048 letters"},
    .run = run,
};
