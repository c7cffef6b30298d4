// access_check.c - whether two builds of the loops of loads and stores do the same. lanes_check.c
// says why that is asked whenever heddle starts. This takes a tenth of a millisecond.
#include "emu/access.h"
#include "emu/whole.h"

#include <string.h>

enum { BYTES = 1024, START = 0x10000, ADDRESS = 0, DATA = 2, TO = 4, N_ROWS = 10 };

// How the addresses lie: one for all, consecutive elements, with gaps, backwards, mixed, in groups
// of eight consecutive elements, too far apart for the other functions.
enum { SAME, ROW, GAPS, BACK, MIXED, GROUPS, FAR, N_LAYOUTS };

static uint64_t address(unsigned layout, unsigned l, unsigned bytes)
{
    switch (layout) {
    case SAME:
        return START + 64;
    case ROW:
        return START + 128 + l * bytes;
    case GAPS:
        return START + 24 * l;
    case BACK:
        return START + 8 * (31 - l);
    case MIXED:
        return START + 8 * (l * 13 % 32);
    case GROUPS:
        return START + 256 * (3 - l / 8) + l % 8 * bytes;
    default:
        return START + ((uint64_t)l << 28);
    }
}

struct given {
    struct hd_insn in;
    uint32_t lanes;
    unsigned kind, bytes;
    bool apart;
};

// What a build makes of it.
struct outcome {
    uint64_t addr[HD_LANES], sum[4], near[4];
    int32_t at[HD_LANES];
    uint32_t rows[N_ROWS * HD_LANES]; // address, data, and what three functions loaded
    uint8_t memory[4][BYTES];         // what four functions stored
    uint32_t done[8];
};

static void begin(struct outcome *o, const struct given *g, unsigned layout)
{
    memset(o, 0, sizeof *o);
    for (uint32_t i = 0; i < DATA * HD_LANES; i++)
        o->rows[DATA * HD_LANES + i] = i * 0x9e3779b9;
    for (unsigned m = 0; m < 4; m++)
        for (unsigned i = 0; i < BYTES; i++)
            o->memory[m][i] = (uint8_t)(i * 37 + i / 7);
    for (unsigned l = 0; l < HD_LANES; l++) {
        const uint64_t a = address(layout, l, g->bytes);
        if (g->in.mods & HD_MOD_A32)
            o->rows[l] = (uint32_t)a;
        else
            memcpy(&o->rows[2 * l], &a, sizeof a);
    }
}

static bool fills_register(unsigned kind)
{
    return kind == 2 || kind == 3;
}

static void timed(const struct hd_access_ops *ops, const struct given *g, struct outcome *o)
{
    struct hd_lane_regs r = {.rows = o->rows};
    struct hd_access_sum sum;
    uint8_t *at[HD_LANES];

    ops->addresses(&g->in, &r, g->lanes, 0, g->bytes, o->addr, &sum);
    memcpy(o->sum, (uint64_t[]){sum.low, sum.high, sum.low_bits, sum.pattern}, sizeof o->sum);
    if (g->apart)
        return;
    if (sum.pattern == HD_ACCESS_ROW && !fills_register(g->kind))
        sum.pattern = HD_ACCESS_SCATTERED;
    ops->place(o->memory[0], START, 0, o->addr, at);
    ops->load(g->kind, sum.pattern, at, 0, g->lanes, hd_lanes_row(&r, TO));
    o->done[0] = ops->store(g->kind & ~(unsigned)HD_ACCESS_SIGNED, sum.pattern, at, 0, g->lanes,
                            hd_lanes_row(&r, DATA));
    ops->place(o->memory[1], START, 0, o->addr, at);
    o->done[1] = ops->copy((unsigned)o->sum[3], at, g->lanes, g->bytes,
                           (const uint8_t *)hd_lanes_row(&r, DATA));
}

static void untimed(const struct hd_access_ops *ops, const struct given *g, struct outcome *o)
{
    struct hd_lane_regs r = {.rows = o->rows};
    struct hd_access_near n;

    o->done[2] = ops->near(&g->in, &r, g->lanes, 0, g->bytes, &n);
    if (!o->done[2])
        return;
    memcpy(o->near, (uint64_t[]){n.low, n.span, n.low_bits, n.pattern}, sizeof o->near);
    if (g->apart)
        return;
    uint8_t *base = o->memory[2] + (n.low - START);
    if (n.pattern == HD_ACCESS_ROW && !fills_register(g->kind))
        ops->spread(&n, g->bytes, 0);
    ops->load_near(g->kind, n.pattern, base, n.at, g->lanes, hd_lanes_row(&r, TO + 2));
    if (n.pattern == HD_ACCESS_SAME)
        ops->spread(&n, g->bytes, 0);
    o->done[3] = ops->store_near(g->kind & ~(unsigned)HD_ACCESS_SIGNED, n.pattern, base, n.at,
                                 g->lanes, hd_lanes_row(&r, DATA));
    if (n.pattern == HD_ACCESS_SCATTERED)
        memcpy(o->at, n.at, sizeof o->at);
}

static void at_once(const struct hd_whole_ops *ops, const struct given *g, struct outcome *o)
{
    struct hd_lane_regs r = {.rows = o->rows};
    const struct hd_whole_window x = {.base = o->memory[3], .low = START, .size = BYTES};
    uint8_t changed = 0;

    o->done[4] = ops->load(&g->in, &r, g->lanes, g->kind, &x, 1);
    o->done[5] = ops->store(&g->in, &r, g->lanes, g->kind, &x, &changed);
    o->done[6] = changed;
}

static bool same(const struct given *g, unsigned layout,
                 const struct hd_access_ops *const access[2],
                 const struct hd_whole_ops *const whole[2])
{
    struct outcome o[2];

    for (unsigned i = 0; i < 2; i++) {
        begin(&o[i], g, layout);
        timed(access[i], g, &o[i]);
        untimed(access[i], g, &o[i]);
        if (fills_register(g->kind))
            at_once(whole[i], g, &o[i]);
    }
    return !memcmp(&o[0], &o[1], sizeof o[0]);
}

bool hd_access_same(const struct hd_access_ops *const access[2],
                    const struct hd_whole_ops *const whole[2])
{
    static const uint8_t kinds[] = {0,
                                    1,
                                    2,
                                    3,
                                    HD_ACCESS_SIGNED,
                                    1 | HD_ACCESS_SIGNED,
                                    HD_ACCESS_WIDE,
                                    1 | HD_ACCESS_WIDE,
                                    2 | HD_ACCESS_WIDE,
                                    HD_ACCESS_WIDE | HD_ACCESS_SIGNED,
                                    1 | HD_ACCESS_WIDE | HD_ACCESS_SIGNED,
                                    2 | HD_ACCESS_WIDE | HD_ACCESS_SIGNED};
    _Alignas(64) uint32_t rows[2][4 * HD_LANES] = {0};

    for (unsigned i = 0; i < 2; i++) {
        memset(rows[i], 0x5a, sizeof rows[i]);
        access[i]->zero(rows[i], 3);
    }
    if (memcmp(rows[0], rows[1], sizeof rows[0]))
        return false;
    for (unsigned k = 0; k < sizeof kinds; k++)
        for (unsigned n = 0; n < 4 * N_LAYOUTS; n++) {
            struct given g = {.in = {.guard = HD_PRED_TRUE,
                                     .vec = 1,
                                     .mods = n & 1 ? HD_MOD_A32 : 0,
                                     .dst = TO + 4,
                                     .src = {ADDRESS, DATA}},
                              .lanes = n & 2 ? 0x7ffe5a3c : UINT32_MAX,
                              .kind = kinds[k],
                              .bytes = 1u << (kinds[k] & 3),
                              .apart = n / 4 == FAR};
            if (!same(&g, n / 4, access, whole))
                return false;
        }
    return true;
}
