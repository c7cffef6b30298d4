// points.c - program points of ELF. See points.h.
//
//   Park, Park, Mahlke. "ELF: Maximizing Memory-level Parallelism for GPUs with Coordinated Warp
//   and Fetch Scheduling". SC 2015, section 3.1, algorithms 1 and 2.
//
// Points are loads (score 0) and backward branches whose taken path reaches a load sooner than the
// fall-through (score = distance over the taken path). This file differs from the printed algorithm
// in some places; a key of the machine's section [points] follows the print in each:
//
// Merging. When there are more points than slots, the nearest pair is merged into the later load,
// whose score then gives the distance of the lost point before it. The printed formula measures
// from a load that may already have such a score, so after a chain of merges (loads at 2, 5, 7) the
// score is 7 although the distance is 5. Here the distance is measured in instructions
// (points.merge). Points that are 255 or more instructions apart cannot be merged, because a score
// cannot say so; the printed loop would not end there, and here the earlier one is lost.
//
// Recalculation bit. It means "the count is wrong if this branch is taken". The printed rule sets
// it where the taken path is shorter, although the count assumes the taken path exactly there. Here
// it is set on branches that are not points, for which the count follows the fall-through
// (points.bit).
//
// Jumps. The printed algorithm takes the shorter of both paths of every branch. After an
// unconditional one, here only its target is a path (points.jump).
#include "isa/points.h"

#define NOT_A_POINT UINT16_MAX

struct finder {
    const struct hd_points_code *code;
    const struct hd_config_points *o;
    uint32_t base, first, end; // of all parts; of the part in work
    uint16_t *score;           // by PC - base, NOT_A_POINT or 0..HD_POINTS_FAR
    bool *survived;            // by PC - base: branch kept by prune() and not dropped
    struct hd_points out;
};

static uint32_t capped(uint32_t distance)
{
    return distance < HD_POINTS_FAR ? distance : HD_POINTS_FAR;
}

static bool is_branch(const struct hd_points_code *c, uint32_t pc)
{
    return c->ops[pc] == HD_POINT_BRANCH || c->ops[pc] == HD_POINT_JUMP;
}

static uint16_t *score_at(const struct finder *f, uint32_t pc)
{
    return &f->score[pc - f->base];
}

// The first point from pc on, and in `*steps` the instructions before it; NULL if there is none.
static const uint16_t *point_from(const struct finder *f, uint32_t pc, uint32_t *steps)
{
    *steps = HD_POINTS_FAR;
    if (pc < f->first)
        return NULL;
    for (uint32_t n = 0; pc < f->end && n < HD_POINTS_FAR; pc++, n++) {
        if (*score_at(f, pc) != NOT_A_POINT) {
            *steps = n;
            return score_at(f, pc);
        }
        if (f->code->ops[pc] == HD_POINT_END)
            break;
    }
    return NULL;
}

// Distance from pc to the next load according to the current scores.
static uint32_t score_from(const struct finder *f, uint32_t pc)
{
    uint32_t steps;
    const uint16_t *point = point_from(f, pc, &steps);

    return point ? capped(steps + *point) : HD_POINTS_FAR;
}

static uint32_t over_taken(const struct finder *f, uint32_t pc)
{
    return capped(score_from(f, f->code->targets[pc]) + 1);
}

static uint32_t over_fall_through(const struct finder *f, uint32_t pc)
{
    if (f->code->ops[pc] == HD_POINT_JUMP && f->o->jump == HD_POINTS_JUMP_TARGET)
        return HD_POINTS_FAR;
    return capped(score_from(f, pc + 1) + 1);
}

static void mark(struct finder *f)
{
    const struct hd_points_code *c = f->code;

    for (uint32_t pc = f->first; pc < f->end; pc++) {
        *score_at(f, pc) = NOT_A_POINT;
        if (c->ops[pc] == HD_POINT_LOAD)
            *score_at(f, pc) = 0;
        else if (is_branch(c, pc) && (f->o->forward || c->targets[pc] <= pc))
            *score_at(f, pc) = HD_POINTS_FAR;
    }
}

// Lower the scores of branches until nothing changes: the score is the shorter of both paths.
static void relax(struct finder *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = f->first; pc < f->end; pc++) {
            if (*score_at(f, pc) == NOT_A_POINT || !is_branch(f->code, pc))
                continue;
            uint32_t taken = over_taken(f, pc), fall = over_fall_through(f, pc);
            uint32_t best = taken < fall ? taken : fall;
            if (best < *score_at(f, pc)) {
                *score_at(f, pc) = (uint16_t)best;
                changed = true;
            }
        }
    }
}

// A branch is useless if no load is ahead, or if the fall-through path is as short.
static void prune(struct finder *f)
{
    for (uint32_t pc = f->first; pc < f->end; pc++) {
        uint16_t *score = score_at(f, pc);
        if (*score == NOT_A_POINT || !is_branch(f->code, pc))
            continue;
        f->survived[pc - f->base] = *score != HD_POINTS_FAR && *score != over_fall_through(f, pc);
        if (!f->survived[pc - f->base])
            *score = NOT_A_POINT;
    }
}

// The printed rule (section 3.2) for all branches, also those that are no points: "when the taken
// path has fewer remaining instructions to the next program point than the fall-through path". It
// counts before points are merged.
static void print_bits(const struct finder *f, uint8_t *recalc)
{
    for (uint32_t pc = f->first; pc < f->end; pc++) {
        uint32_t taken, fall = HD_POINTS_FAR;

        if (!is_branch(f->code, pc))
            continue;
        point_from(f, f->code->targets[pc], &taken);
        if (f->code->ops[pc] == HD_POINT_BRANCH || f->o->jump != HD_POINTS_JUMP_TARGET)
            point_from(f, pc + 1, &fall);
        recalc[pc] = taken < fall;
    }
}

static void collect(struct finder *f, struct hd_arena *a)
{
    const struct hd_points_code *c = f->code;
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_parts; i++)
        for (uint32_t pc = c->parts[i].first; pc < c->parts[i].end; pc++)
            n += *score_at(f, pc) != NOT_A_POINT;
    f->out.points = HD_ARRAY(a, struct hd_point, n ? n : 1);
    for (uint32_t i = 0; i < c->n_parts; i++)
        for (uint32_t pc = c->parts[i].first; pc < c->parts[i].end; pc++) {
            if (*score_at(f, pc) == NOT_A_POINT)
                continue;
            f->out.points[f->out.n++] =
                (struct hd_point){pc, i, (uint8_t)*score_at(f, pc), is_branch(c, pc)};
            f->out.branches += is_branch(c, pc);
        }
    f->out.loads = f->out.n - f->out.branches;
}

static void take_out(struct finder *f, uint32_t i)
{
    *score_at(f, f->out.points[i].pc) = NOT_A_POINT;
    for (f->out.n--; i < f->out.n; i++)
        f->out.points[i] = f->out.points[i + 1];
}

// The distance between a load and the point before it.
static uint32_t gap(struct finder *f, const struct hd_point *load)
{
    if (f->o->merge == HD_POINTS_MERGE_TRUE)
        return load->pc - load[-1].pc;
    f->first = load[-1].pc;
    f->end = load->pc + 1;
    return capped(score_from(f, load[-1].pc + 1) + 1);
}

static void lose(struct finder *f, uint32_t i)
{
    f->survived[f->out.points[i].pc - f->base] = false;
    take_out(f, i);
    f->out.dropped++;
}

// Merge the nearest point in front of a load into that load. False if there is no such pair.
static bool merge(struct finder *f)
{
    struct hd_point *p = f->out.points;
    uint32_t best = 0, nearest = UINT32_MAX;

    for (uint32_t i = 1; i < f->out.n; i++) {
        if (p[i].branch || p[i].part != p[i - 1].part)
            continue;
        uint32_t d = gap(f, &p[i]);
        if (d >= nearest)
            continue;
        nearest = d; // as printed: the next candidates are compared with the distance that a branch
                     // has reduced
        if (p[i - 1].branch)
            nearest -= p[i - 1].score < d ? p[i - 1].score : d;
        best = i;
    }
    if (!best)
        return false;
    if (nearest >= HD_POINTS_FAR) {
        lose(f, best - 1);
        return true;
    }
    p[best].score = (uint8_t)nearest;
    *score_at(f, p[best].pc) = p[best].score;
    take_out(f, best - 1);
    return true;
}

// If there is no load to merge into, drop the branch that is furthest from a load, or the last
// point if there are no branches.
static void drop(struct finder *f)
{
    uint32_t worst = f->out.n - 1;
    int score = -1;

    for (uint32_t i = 0; i < f->out.n; i++)
        if (f->out.points[i].branch && f->out.points[i].score > score) {
            worst = i;
            score = f->out.points[i].score;
        }
    lose(f, worst);
}

// What the hardware finds in its table: the first point at or after the PC.
static uint8_t distance_at(const struct finder *f, uint32_t pc, const struct hd_point *p)
{
    uint32_t d = p->pc - pc;

    if (p->branch)
        d += p->score;
    else if (f->o->at == HD_POINTS_AT_EXACT ? d >= p->score : d > p->score)
        d -= p->score;
    return (uint8_t)capped(d);
}

// `next` is the first point that the parts before this one have not passed.
static uint32_t measure(const struct finder *f, uint32_t part, uint32_t next,
                        uint8_t *load_distance)
{
    for (uint32_t pc = f->code->parts[part].first; pc < f->code->parts[part].end; pc++) {
        while (next < f->out.n && f->out.points[next].pc < pc)
            next++;
        bool found = next < f->out.n && f->out.points[next].part == part;
        load_distance[pc] = found ? distance_at(f, pc, &f->out.points[next]) : HD_POINTS_FAR;
    }
    return next;
}

struct hd_points hd_points_find(struct hd_arena *a, const struct hd_points_code *code,
                                const struct hd_config_points *o, uint8_t *load_distance,
                                uint8_t *recalc)
{
    struct hd_arena *scratch = hd_arena_new();
    struct finder f = {.code = code, .o = o, .base = code->n_parts ? code->parts[0].first : 0};
    uint32_t n = code->n_parts ? code->parts[code->n_parts - 1].end - f.base : 0, next = 0;

    f.score = HD_ARRAY(scratch, uint16_t, n + 1);
    f.survived = HD_ARRAY(scratch, bool, n + 1);
    for (uint32_t i = 0; i < code->n_parts; i++) {
        f.first = code->parts[i].first;
        f.end = code->parts[i].end;
        mark(&f);
        relax(&f);
        prune(&f);
        if (o->bit == HD_POINTS_BIT_PRINTED)
            print_bits(&f, recalc);
    }
    collect(&f, a);
    while (o->slots && f.out.n > o->slots)
        if (!merge(&f))
            drop(&f);
    for (uint32_t i = 0; i < code->n_parts; i++) {
        next = measure(&f, i, next, load_distance);
        for (uint32_t pc = code->parts[i].first;
             o->bit == HD_POINTS_BIT_SAFE && pc < code->parts[i].end; pc++)
            recalc[pc] = is_branch(code, pc) && !f.survived[pc - f.base];
    }
    hd_arena_free(scratch);
    return f.out;
}
