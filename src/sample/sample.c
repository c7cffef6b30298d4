// sample.c - the choice of launches. See sample.h.
#include "sample/sample.h"

#include <string.h>

#define SECOND 4 // launches of the range after one that is a kernel's first launch
#define PART 8   // a launch with at most this part of the blocks for which there is room is small
#define WAVES 4  // ratio of the numbers of blocks that are in one group, beyond one wave

struct hd_sample *hd_sample_new(struct hd_arena *a, const struct hd_sample_options *o)
{
    struct hd_sample *s = HD_NEW(a, hd_sample);

    s->arena = a;
    s->options = *o;
    return s;
}

// What cycles depend on changes with the number of blocks: if they are few, each has a large part
// of the machine for itself; if there is no room for all, some run after others.
static unsigned magnitude(const struct hd_sample_shape *l)
{
    unsigned m = 2;

    if (l->blocks <= l->wave)
        return l->blocks > l->wave / PART;
    for (uint64_t limit = WAVES * l->wave; l->blocks > limit; limit *= WAVES)
        m++;
    return m;
}

static bool alike(const struct hd_sample_shape *a, const struct hd_sample_shape *b)
{
    return a->kernel == b->kernel && !memcmp(a->block, b->block, sizeof a->block) &&
           a->shared == b->shared && magnitude(a) == magnitude(b);
}

static struct hd_sample_group *new_group(struct hd_sample *s, const struct hd_sample_shape *shape)
{
    struct hd_sample_group *g = HD_NEW(s->arena, hd_sample_group);

    g->shape = *shape;
    g->number = (unsigned)s->n_groups;
    *HD_PUSH(s->arena, s->groups, s->n_groups, s->cap_groups) = g;
    return g;
}

static struct hd_sample_group *group_of(struct hd_sample *s, const struct hd_sample_shape *shape)
{
    for (size_t i = 0; i < s->n_groups; i++)
        if (alike(&s->groups[i]->shape, shape))
            return s->groups[i];
    return new_group(s, shape);
}

static bool ran_before(const struct hd_sample *s, const void *kernel)
{
    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i]->shape.kernel == kernel && s->groups[i]->n)
            return true;
    return false;
}

// SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Range number i of the group has so many launches.
static uint64_t length_of(const struct hd_sample *s, const struct hd_sample_group *g, uint64_t i)
{
    if (!i)
        return 1;
    return i == 1 && g->launches[0].cold && s->options.every > SECOND ? SECOND : s->options.every;
}

static uint64_t pick_of(const struct hd_sample *s, const struct hd_sample_group *g, uint64_t i,
                        uint64_t first)
{
    return first + mix(mix(mix(s->options.seed) + g->number) + i) % length_of(s, g, i);
}

static void begin_range(const struct hd_sample *s, struct hd_sample_group *g)
{
    uint64_t i = g->ranges++;

    g->end = g->n + length_of(s, g, i);
    g->pick = pick_of(s, g, i, g->n);
}

static enum hd_sample_part part_of(const struct hd_sample *s, const struct hd_sample_group *g)
{
    uint64_t at = g->n - 1, pick = at <= g->pick ? g->pick : pick_of(s, g, g->ranges, g->end);

    if (at == g->pick)
        return HD_SAMPLE_CHOSEN;
    return pick - at <= s->options.warm ? HD_SAMPLE_WARM : HD_SAMPLE_UNTIMED;
}

enum hd_sample_part hd_sample_begin(struct hd_sample *s, const struct hd_sample_shape *shape)
{
    struct hd_sample_group *g = s->current = group_of(s, shape);
    bool cold = !ran_before(s, shape->kernel);

    if (g->n == g->end)
        begin_range(s, g);
    struct hd_sample_launch *l = HD_PUSH(s->arena, g->launches, g->n, g->cap);
    *l = (struct hd_sample_launch){.cold = cold};
    return l->part = part_of(s, g);
}

void hd_sample_end(struct hd_sample *s, uint64_t insts, uint64_t cycles)
{
    struct hd_sample_launch *l = &s->current->launches[s->current->n - 1];

    l->insts = insts;
    l->cycles = cycles;
    s->current = NULL;
}

bool hd_sample_restore(struct hd_sample *s, uint64_t group, const void *kernel,
                       const struct hd_sample_launch *l)
{
    bool cold = !ran_before(s, kernel);

    if (group > s->n_groups)
        return false;
    if (group == s->n_groups)
        new_group(s, &(struct hd_sample_shape){.kernel = kernel});
    struct hd_sample_group *g = s->groups[group];
    struct hd_sample_launch *own = HD_PUSH(s->arena, g->launches, g->n, g->cap);
    *own = *l;
    own->cold = cold;
    return true;
}
