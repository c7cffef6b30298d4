// check.c - compares a buffer with its expected contents and reports where they first differ.
#include "run/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool near_enough(double got, double expected, double tolerance)
{
    if (isnan(expected) || isnan(got))
        return isnan(expected) && isnan(got);
    if (isinf(expected) || isinf(got)) // their difference has no meaning
        return got == expected;
    return fabs(got - expected) <= tolerance * fmax(1.0, fabs(expected));
}

static double load_real(const uint8_t *at, bool wide)
{
    double d;
    float f;

    if (wide) {
        memcpy(&d, at, sizeof d);
        return d;
    }
    memcpy(&f, at, sizeof f);
    return (double)f;
}

// A word as number and as bits: an exact check cannot know which of them the user needs.
static void show(char buf[48], const struct hd_check *c, const uint8_t *at, size_t size)
{
    uint32_t word;
    float f;

    if (c->way != HD_CHECK_EXACT) {
        snprintf(buf, 48, c->way == HD_CHECK_F64 ? "%.17g" : "%.9g",
                 load_real(at, c->way == HD_CHECK_F64));
    } else if (size == 1) {
        snprintf(buf, 48, "0x%02x", *at);
    } else {
        memcpy(&word, at, sizeof word);
        memcpy(&f, at, sizeof f);
        snprintf(buf, 48, "0x%08" PRIx32 " (%.9g)", word, (double)f);
    }
}

void hd_check_compare(struct hd_check *c, const void *got)
{
    const uint8_t *expected = c->expected, *bytes = got;
    size_t size = c->way == HD_CHECK_F64                          ? 8
                  : c->way == HD_CHECK_EXACT && c->bytes % 4 != 0 ? 1
                                                                  : 4;

    c->elements = c->bytes / size;
    c->differ = c->first = 0;
    for (uint64_t i = 0; i < c->elements; i++) {
        const uint8_t *g = bytes + i * size, *x = expected + i * size;
        bool same = c->way == HD_CHECK_EXACT ? !memcmp(g, x, size)
                                             : near_enough(load_real(g, size == 8),
                                                           load_real(x, size == 8), c->tolerance);
        if (same)
            continue;
        if (!c->differ++) {
            c->first = i;
            show(c->got_text, c, g, size);
            show(c->wanted_text, c, x, size);
        }
    }
}
