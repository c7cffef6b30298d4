// host.c (sobel) - edges of a picture.
#include "workload/work.h"

#include <stdlib.h>

#define BLOCK_X 32
#define BLOCK_Y 8

// A picture of rectangles, each drawn over the ones before, under some noise.
static unsigned char *make_picture(struct hd_work *w, unsigned width, unsigned height)
{
    unsigned char *picture = hd_work_array(w, (size_t)width * height, 1);

    for (unsigned i = 0; i < 40; i++) {
        unsigned left = hd_work_random(w) % width, top = hd_work_random(w) % height;
        unsigned right = left + hd_work_random(w) % (width - left);
        unsigned bottom = top + hd_work_random(w) % (height - top);
        unsigned char grey = (unsigned char)(hd_work_random(w) & 0xf0);
        for (unsigned y = top; y < bottom; y++)
            for (unsigned x = left; x < right; x++)
                picture[y * width + x] = grey;
    }
    for (unsigned i = 0; i < width * height; i++)
        picture[i] = (unsigned char)(picture[i] + hd_work_random(w) % 16);
    return picture;
}

struct picture {
    const unsigned char *pixels;
    int width, height;
};

static int pixel(const struct picture *p, int x, int y)
{
    x = x < 0 ? 0 : x < p->width ? x : p->width - 1;
    y = y < 0 ? 0 : y < p->height ? y : p->height - 1;
    return p->pixels[y * p->width + x];
}

static unsigned char edge(const struct picture *p, int x, int y)
{
    int along_x = 0, along_y = 0, sum;

    for (int i = -1; i <= 1; i++) {
        int weight = i ? 1 : 2;
        along_x += weight * (pixel(p, x + 1, y + i) - pixel(p, x - 1, y + i));
        along_y += weight * (pixel(p, x + i, y + 1) - pixel(p, x + i, y - 1));
    }
    sum = abs(along_x) + abs(along_y);
    return (unsigned char)(sum < 255 ? sum : 255);
}

static void run(struct hd_work *w)
{
    static const unsigned widths[HD_WORK_SIZES] = {256, 1024, 2048};
    unsigned width = widths[w->size], height = width * 3 / 4, pixels = width * height;
    unsigned char *picture = make_picture(w, width, height);
    unsigned char *got = hd_work_array(w, pixels, 1), *expected = hd_work_array(w, pixels, 1);

    CUtexObject texture = hd_work_texture(w, picture, CU_AD_FORMAT_UNSIGNED_INT8, width, height);
    CUdeviceptr d_edges = hd_work_buffer(w, pixels);
    struct hd_work_grid grid = {(width + BLOCK_X - 1) / BLOCK_X, (height + BLOCK_Y - 1) / BLOCK_Y,
                                BLOCK_X, BLOCK_Y};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "sobel"), grid, &texture, &d_edges, &width, &height);
    hd_work_read(w, got, d_edges, pixels);

    struct picture p = {picture, (int)width, (int)height};
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            expected[y * p.width + x] = edge(&p, x, y);
    hd_work_same(w, "edges", got, expected, pixels / sizeof(uint32_t));
}

const struct hd_workload hd_workload_sobel = {
    .name = "sobel",
    .brief = "edges of a picture read through a texture: the texture cache, much reuse",
    .groups = "texture",
    .sizes = {"256 x 192 pixels", "1024 x 768 pixels", "2048 x 1536 pixels"},
    .run = run,
};
