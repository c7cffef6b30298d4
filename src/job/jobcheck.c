// jobcheck.c - compare a buffer with its expected contents and say where they first differ.
#include "job/job.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool near_enough(double got, double expected, double tolerance)
{
    if (isnan(expected) || isnan(got))
        return isnan(expected) && isnan(got);
    if (isinf(expected) || isinf(got)) // their difference says nothing
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

// A word as number and bits: an exact check does not know which of them the reader thinks in.
static void show(char buf[48], const struct hd_job_check *c, const uint8_t *at, size_t size)
{
    uint32_t word;
    float f;

    if (c->compare != HD_COMPARE_EXACT) {
        snprintf(buf, 48, c->compare == HD_COMPARE_F64 ? "%.17g" : "%.9g",
                 load_real(at, c->compare == HD_COMPARE_F64));
    } else if (size == 1) {
        snprintf(buf, 48, "0x%02x", *at);
    } else {
        memcpy(&word, at, sizeof word);
        memcpy(&f, at, sizeof f);
        snprintf(buf, 48, "0x%08" PRIx32 " (%.9g)", word, (double)f);
    }
}

void hd_jobcheck_compare(const struct hd_job_check *c, const uint8_t *got,
                         struct hd_jobcheck_result *out)
{
    const uint8_t *expected = c->file.data;
    size_t size = c->compare == HD_COMPARE_F64                          ? 8
                  : c->compare == HD_COMPARE_EXACT && c->bytes % 4 != 0 ? 1
                                                                        : 4;

    memset(out, 0, sizeof *out);
    out->check = c;
    out->elements = c->bytes / size;
    for (uint64_t i = 0; i < out->elements; i++) {
        const uint8_t *g = got + i * size, *x = expected + i * size;
        bool same =
            c->compare == HD_COMPARE_EXACT
                ? !memcmp(g, x, size)
                : near_enough(load_real(g, size == 8), load_real(x, size == 8), c->tolerance);
        if (same)
            continue;
        if (!out->differ++) {
            out->first = i;
            show(out->got, c, g, size);
            show(out->expected, c, x, size);
        }
    }
}
