// host.c (dp_mandel) - the Mandelbrot set by subdivision of squares, a kernel for each square.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 64
#define ONE (1 << 27)

struct picture {
    unsigned *image, most; // iterations at most
    int width, step, least;
};

static unsigned iterations(const struct picture *p, int x, int y)
{
    int cr = x * p->step - 3 * ONE, ci = y * p->step, r = 0, i = 0;
    unsigned n = 0;

    for (; n < p->most; n++) {
        int64_t rr = (int64_t)r * r >> 27, ii = (int64_t)i * i >> 27;
        if (rr + ii > 4ll * ONE)
            break;
        i = (int)((int64_t)r * i >> 26) + ci;
        r = (int)(rr - ii) + cr;
    }
    return n;
}

// Whether all pixels of its border take as many iterations as its first.
static bool even_border(const struct picture *p, int x, int y, int side)
{
    unsigned n = iterations(p, x, y);

    for (int k = 0; k < side; k++)
        if (iterations(p, x + k, y) != n || iterations(p, x + k, y + side - 1) != n ||
            iterations(p, x, y + k) != n || iterations(p, x + side - 1, y + k) != n)
            return false;
    return true;
}

static void draw(const struct picture *p, int x, int y, int side)
{
    bool even = even_border(p, x, y, side);

    if (!even && side > p->least) {
        for (int k = 0; k < 4; k++)
            draw(p, x + (k & 1) * side / 2, y + (k >> 1) * side / 2, side / 2);
        return;
    }
    for (int py = y; py < y + side; py++)
        for (int px = x; px < x + side; px++)
            p->image[py * p->width + px] = even ? iterations(p, x, y) : iterations(p, px, py);
}

static void run(struct hd_work *w)
{
    static const struct picture pictures[HD_WORK_SIZES] = {
        {.width = 128, .least = 16, .most = 20},
        {.width = 512, .least = 16, .most = 48},
        {.width = 2048, .least = 32, .most = 64}};
    struct picture p = pictures[w->size];
    size_t pixels = (size_t)p.width * (size_t)p.width;
    unsigned *got = hd_work_array(w, pixels, sizeof *got);
    int x = 0, y = 0;

    p.step = 5 * (ONE / p.width);
    p.image = hd_work_array(w, pixels, sizeof *p.image);
    CUdeviceptr image = hd_work_buffer(w, pixels * sizeof *got);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "square"), ((struct hd_work_grid){1, 1, THREADS, 1}),
                   &image, &p.width, &x, &y, &p.width, &p.least, &p.step, &p.most);
    hd_work_read(w, got, image, pixels * sizeof *got);
    draw(&p, 0, 0, p.width);
    hd_work_same(w, "iterations", got, p.image, pixels);
}

const struct hd_workload hd_workload_dp_mandel = {
    .name = "dp_mandel",
    .brief = "the Mandelbrot set, a kernel launched for each quarter of an uneven square",
    .groups = "laser:Mandel",
    .dynamic = true,
    .sizes = {"128 x 128", "512 x 512", "2048 x 2048"},
    .run = run,
};
