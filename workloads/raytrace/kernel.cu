// A picture of balls on a mirror floor, a thread for each pixel: Whitted's ray tracing (1980) without
// refraction. A ray goes to the nearest thing in its way, another one from there to the lamp, and a third
// is the reflection, followed up to LEVELS times. What is seen at each level waits in local memory, since
// colours add up from the last mirror to the first.

#define THINGS 4
#define LEVELS 5
#define FAR 10000.0f
#define NEAR 1e-3f // a new ray begins so far from its surface
#define LAMP 10.0f // x, y and z of the lamp

struct vec {
    float x, y, z;
};
struct thing { // a ball, or a floor at the height of its centre if it has no radius
    struct vec centre;
    float radius;
    struct vec colour;
};
struct camera {
    struct vec eye, right, up, ahead;
};
extern "C" {
__constant__ struct thing ray_things[THINGS];
__constant__ struct camera ray_camera;
}

#define INLINE_DEVICE __device__ static inline

INLINE_DEVICE struct vec add(struct vec a, struct vec b)
{
    struct vec v = {a.x + b.x, a.y + b.y, a.z + b.z};
    return v;
}

INLINE_DEVICE struct vec scale(struct vec a, float f)
{
    struct vec v = {a.x * f, a.y * f, a.z * f};
    return v;
}

INLINE_DEVICE struct vec sub(struct vec a, struct vec b)
{
    struct vec v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

INLINE_DEVICE float dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE_DEVICE struct vec unit(struct vec a)
{
    return scale(a, rsqrtf(dot(a, a)));
}

// How far along the ray the thing is; 0: not in its way.
INLINE_DEVICE float distance(struct vec from, struct vec along, const struct thing *t, float shift)
{
    if (t->radius == 0) {
        if (fabsf(along.y) < NEAR)
            return 0;
        float d = __fdividef(t->centre.y - from.y, along.y);
        return d > 0 ? d : 0;
    }
    struct vec c = {t->centre.x + shift - from.x, t->centre.y - from.y, t->centre.z - from.z};
    float ahead = dot(c, along), apart2 = dot(c, c), radius2 = t->radius * t->radius;
    if (ahead < 0 && apart2 > radius2)
        return 0;
    float miss2 = apart2 - ahead * ahead;
    if (miss2 > radius2)
        return 0;
    float half = sqrtf(radius2 - miss2);
    return apart2 > radius2 ? ahead - half : ahead + half;
}

// Is there nothing between a point and the lamp?
INLINE_DEVICE bool lit(struct vec from, struct vec along, float lamp, float shift)
{
    bool free = true;

    from = add(from, scale(along, NEAR));
#pragma unroll 1
    for (int i = 0; i < THINGS && free; i++) {
        float d = distance(from, along, &ray_things[i], shift);
        free = d == 0 || d > lamp;
    }
    return free;
}

INLINE_DEVICE float power50(float x)
{
    float x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8;

    return x16 * x16 * x16 * x2;
}

INLINE_DEVICE unsigned to_byte(float x)
{
    return (unsigned)(255.0f * (x < 0 ? 0 : x > 1 ? 1 : x));
}

extern "C" __global__ void raytrace(unsigned *picture, int width, int height, float shift,
                                    float focus)
{
    float seen[LEVELS][4];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int levels = 0;
    float pixel = 2.0f / min(width, height);

    if (x >= width || y >= height)
        return;
#pragma unroll 1
    for (int i = 0; i < LEVELS; i++)
        seen[i][0] = seen[i][1] = seen[i][2] = 0;
    picture[x + y * width] = 0;
    __syncthreads();
    struct vec from = ray_camera.eye;
    struct vec along = unit(add(scale(ray_camera.ahead, focus),
                                add(scale(ray_camera.right, (x - 0.5f * width) * pixel),
                                    scale(ray_camera.up, (y - 0.5f * height) * pixel))));
    for (int level = 0; level < LEVELS && level == levels; level++) {
        float nearest = FAR;
        int hit = 0;
#pragma unroll 1
        for (int i = 0; i < THINGS; i++) {
            float d = distance(from, along, &ray_things[i], shift);
            if (d > 0 && d < nearest) {
                nearest = d;
                hit = i;
            }
        }
        if (nearest == FAR)
            continue;
        levels++;
        const struct thing *t = &ray_things[hit];
        struct vec at = add(from, scale(along, nearest)), normal = {0, 1, 0};
        if (t->radius != 0) {
            struct vec c = {t->centre.x + shift, t->centre.y, t->centre.z};
            normal = unit(sub(at, c));
        }
        struct vec lamp = {LAMP - at.x, LAMP - at.y, LAMP - at.z};
        struct vec light = unit(lamp), back = unit(sub(from, at));
        struct vec facing = dot(back, normal) < 0 ? scale(normal, -1) : normal;
        float bright = dot(facing, light), weight = 0.05f, shine = 0;
        if (bright > 0 && lit(at, light, sqrtf(dot(lamp, lamp)), shift)) {
            float glance = dot(facing, unit(add(light, back)));
            weight += 0.3f * (bright < 1 ? bright : 1);
            shine = 0.8f * power50(glance < 0 ? 0 : glance > 1 ? 1 : glance);
        }
        seen[level][0] = weight * t->colour.x + shine;
        seen[level][1] = weight * t->colour.y + shine;
        seen[level][2] = weight * t->colour.z + shine;
        along = unit(sub(scale(normal, 2 * dot(normal, back)), back));
        from = add(at, scale(along, NEAR));
    }
#pragma unroll 1
    for (int i = levels - 1; i > 0; i--)
        for (int c = 0; c < 3; c++)
            seen[i - 1][c] += 0.8f * seen[i][c];
    picture[x + y * width] += to_byte(seen[0][0]) | to_byte(seen[0][1]) << 8 |
                              to_byte(seen[0][2]) << 16;
}
