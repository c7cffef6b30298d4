// host.c (raytrace) - a picture of balls on a mirror floor.
#include "workload/work.h"

#include <math.h>

#define THINGS 4
#define LEVELS 5
#define FAR 10000.0
#define NEAR 1e-3
#define LAMP 10.0
#define BLOCK_X 16
#define BLOCK_Y 8
#define SHIFT 0.2f // of the balls, to the right
#define FOCUS 2.0f

struct thing { // as in kernel.cu
    float centre[3], radius, colour[3];
};
struct camera {
    float eye[3], right[3], up[3], ahead[3];
};

struct ray {
    double from[3], along[3];
};

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double *a)
{
    double length = sqrt(dot(a, a));

    for (unsigned i = 0; i < 3; i++)
        a[i] /= length;
}

static double distance(const struct ray *r, const struct thing *t)
{
    double c[3];

    for (unsigned i = 0; i < 3; i++)
        c[i] = (double)t->centre[i] - r->from[i];
    if (t->radius == 0) {
        double d = c[1] / r->along[1];
        return fabs(r->along[1]) < NEAR || d < 0 ? 0 : d;
    }
    c[0] += (double)SHIFT;
    double ahead = dot(c, r->along), apart2 = dot(c, c);
    double radius2 = (double)(t->radius * t->radius), miss2 = apart2 - ahead * ahead;
    if ((ahead < 0 && apart2 > radius2) || miss2 > radius2)
        return 0;
    return ahead + (apart2 > radius2 ? -1 : 1) * sqrt(radius2 - miss2);
}

// The ray begins a little outside of where it comes from.
static void leave(struct ray *r, const double *from)
{
    unit(r->along);
    for (unsigned i = 0; i < 3; i++)
        r->from[i] = from[i] + NEAR * r->along[i];
}

static bool lit(const struct thing *things, const struct ray *r, double lamp)
{
    for (unsigned i = 0; i < THINGS; i++) {
        double d = distance(r, &things[i]);
        if (d > 0 && d <= lamp)
            return false;
    }
    return true;
}

// How bright the thing is at a place and how it shines, seen from `back`.
static void shade(const struct thing *things, const double *at, const double *normal,
                  const double *back, double *weight, double *shine)
{
    double side = dot(normal, back) < 0 ? -1 : 1, lamp[3], half[3];
    struct ray light;

    for (unsigned i = 0; i < 3; i++)
        light.along[i] = lamp[i] = LAMP - at[i];
    leave(&light, at);
    double bright = side * dot(normal, light.along);
    *weight = 0.05;
    *shine = 0;
    if (bright <= 0 || !lit(things, &light, sqrt(dot(lamp, lamp))))
        return;
    for (unsigned i = 0; i < 3; i++)
        half[i] = light.along[i] + back[i];
    unit(half);
    *weight += 0.3 * fmin(bright, 1);
    *shine = 0.8 * pow(fmin(fmax(side * dot(normal, half), 0), 1), 50);
}

// What the ray sees, `strength` of it, is added to the colour.
static void follow(const struct thing *things, struct ray *r, unsigned level, double strength,
                   double *colour)
{
    double nearest = FAR, at[3], normal[3] = {0, 1, 0}, back[3], weight, shine;
    const struct thing *t = NULL;

    for (unsigned i = 0; i < THINGS; i++) {
        double d = distance(r, &things[i]);
        if (d > 0 && d < nearest) {
            nearest = d;
            t = &things[i];
        }
    }
    if (!t || level == LEVELS)
        return;
    for (unsigned i = 0; i < 3; i++) {
        at[i] = r->from[i] + nearest * r->along[i];
        back[i] = -r->along[i];
        if (t->radius != 0)
            normal[i] = at[i] - (double)t->centre[i] - (i == 0 ? (double)SHIFT : 0);
    }
    unit(normal);
    shade(things, at, normal, back, &weight, &shine);
    for (unsigned i = 0; i < 3; i++) {
        colour[i] += strength * (weight * (double)t->colour[i] + shine);
        r->along[i] = 2 * dot(normal, back) * normal[i] - back[i];
    }
    leave(r, at);
    follow(things, r, level + 1, 0.8 * strength, colour);
}

static void look(const struct thing *things, const struct camera *c, double right, double up,
                 double *colour)
{
    struct ray r;

    for (unsigned i = 0; i < 3; i++) {
        r.from[i] = (double)c->eye[i];
        r.along[i] = (double)FOCUS * (double)c->ahead[i] + right * (double)c->right[i] +
                     up * (double)c->up[i];
        colour[i] = 0;
    }
    unit(r.along);
    follow(things, &r, 0, 1, colour);
    for (unsigned i = 0; i < 3; i++)
        colour[i] = fmin(colour[i], 1);
}

// The colour of a pixel; false where rays a little beside it see something else: there, at the
// edges of balls, shadows and mirrored balls, the last bits of a number decide.
static bool colour_at(const struct thing *things, const struct camera *c, unsigned x, unsigned y,
                      unsigned side, double *colour)
{
    double pixel = 2.0 / side, right = (x - 0.5 * side) * pixel, up = (y - 0.5 * side) * pixel;
    bool sure = true;

    look(things, c, right, up, colour);
    for (unsigned i = 0; i < 4; i++) {
        double beside[3];
        look(things, c, right + (i & 1 ? 1e-4 : -1e-4), up + (i & 2 ? 1e-4 : -1e-4), beside);
        for (unsigned k = 0; k < 3; k++)
            sure = sure && fabs(beside[k] - colour[k]) < 0.01;
    }
    return sure;
}

static void make_scene(struct hd_work *w, struct thing *things)
{
    for (unsigned i = 0; i < THINGS; i++) {
        struct thing *t = &things[i];
        for (unsigned k = 0; k < 3; k++)
            t->colour[k] = hd_work_random_float(w, 0.2f, 1);
        if (i == 0) { // the floor
            t->centre[1] = -1;
            continue;
        }
        t->radius = hd_work_random_float(w, 0.8f, 1.1f);
        t->centre[0] = 2.2f * ((float)i - 2) + hd_work_random_float(w, -0.2f, 0.2f);
        t->centre[1] = t->radius - 1;
        t->centre[2] = hd_work_random_float(w, -1, 1);
    }
}

static void run(struct hd_work *w)
{
    static const unsigned sides[HD_WORK_SIZES] = {16, 256, 32};
    static const struct camera camera = {{0, 1.5f, -6}, {1, 0, 0}, {0, 1, 0}, {0, -0.15f, 1}};
    unsigned side = sides[w->size], pixels = side * side, unsure = 0;
    struct thing things[THINGS] = {0};
    float shift = SHIFT, focus = FOCUS;
    uint32_t *picture = hd_work_array(w, pixels, sizeof *picture);
    float *got = hd_work_array(w, pixels * 3, sizeof *got);
    float *expected = hd_work_array(w, pixels * 3, sizeof *got);

    make_scene(w, things);
    hd_work_symbol(w, "ray_things", things, sizeof things);
    hd_work_symbol(w, "ray_camera", &camera, sizeof camera);
    CUdeviceptr d_picture = hd_work_buffer(w, pixels * sizeof *picture);
    struct hd_work_grid grid = {side / BLOCK_X, side / BLOCK_Y, BLOCK_X, BLOCK_Y};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "raytrace"), grid, &d_picture, &side, &side, &shift,
                   &focus);
    hd_work_read(w, picture, d_picture, pixels * sizeof *picture);

    for (unsigned i = 0; i < pixels; i++) {
        double colour[3];
        bool sure = colour_at(things, &camera, i % side, i / side, side, colour);
        unsure += !sure;
        for (unsigned k = 0; k < 3; k++) {
            got[3 * i + k] = (float)(picture[i] >> (8 * k) & 0xff) / 255;
            expected[3 * i + k] = sure || unsure > pixels / 10 ? (float)colour[k] : got[3 * i + k];
        }
    }
    hd_work_near(w, "colours", got, expected, pixels * 3, 0.015);
}

const struct hd_workload hd_workload_raytrace = {
    .name = "raytrace",
    .brief = "balls on a mirror floor: strong divergence, levels in local memory, constants",
    .groups = "lfws:RAY pro:RAY",
    .sizes = {"16 x 16 pixels", "256 x 256 pixels", "32 x 32 pixels"},
    .run = run,
};
