// jobdata.c - the bytes a job brings: first contents of buffers, arguments, parameter blocks.
//
// Random contents are SplitMix64 (Steele, Lea, Flood 2014): one draw a word, its high 32 bits.
// Because that generator's state is a plain sum, word i can be made without the words before it.
#include "job/job.h"
#include "job/jobline.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEX_MAX 4096 // bytes of one x: argument; kernels take at most 4 KiB of parameters

static uint32_t random_word(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static uint32_t word_of(const struct hd_job_buf *b, uint64_t i)
{
    uint32_t word = 0;
    float f;

    switch ((enum hd_job_fill)b->fill) {
    case HD_FILL_SEQ32:
        return (uint32_t)i;
    case HD_FILL_RAND32:
        return random_word(b->seed, i);
    case HD_FILL_RANDF32:
        f = b->lo + (b->hi - b->lo) * (float)(random_word(b->seed, i) >> 8) * 0x1p-24f;
        memcpy(&word, &f, sizeof word);
        return word;
    case HD_FILL_ZERO:
    case HD_FILL_FILE:
        break;
    }
    return word;
}

void hd_jobdata_fill(const struct hd_job_buf *b, uint64_t from, uint8_t *to, uint64_t bytes)
{
    if (b->fill == HD_FILL_FILE) {
        memcpy(to, b->file.data + from, bytes);
        return;
    }
    for (uint64_t i = 0; i < bytes; i += 4) {
        uint32_t word = word_of(b, (from + i) / 4);
        memcpy(to + i, &word, bytes - i < 4 ? bytes - i : 4); // a last part keeps the low bytes
    }
}

// Round to the nearest half, ties to even. Goes through no float, so it rounds once.
static uint16_t half_of(double v)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    int exponent;

    v = fabs(v);
    if (isnan(v))
        return sign | 0x7e00;
    if (v >= 65520.0) // halfway between the largest half and the next power of two
        return sign | 0x7c00;
    if (v < 0x1p-14) // subnormal: multiples of 2^-24
        return (uint16_t)(sign | (unsigned)nearbyint(v * 0x1p24));
    double fraction = frexp(v, &exponent); // v = fraction * 2^exponent, 0.5 <= fraction < 1
    unsigned mantissa = (unsigned)nearbyint(fraction * 2048.0); // 1024 .. 2048
    return (uint16_t)(sign | (((unsigned)(exponent + 14) << 10) + (mantissa - 1024)));
}

static bool real(const char *text, double *out)
{
    char *end;

    if (isspace((unsigned char)text[0]))
        return false;
    *out = strtod(text, &end);
    return end != text && !*end;
}

// Decimal with a sign, or 0x; between min and max.
static bool integer(const char *text, int64_t min, uint64_t max, uint64_t *out)
{
    uint64_t v;

    if (text[0] != '-') {
        if (!hd_jobline_unsigned(text, max, out))
            return false;
        return true;
    }
    if (!hd_jobline_unsigned(text + 1, (uint64_t)INT64_MAX + 1, &v) || v > 0 - (uint64_t)min)
        return false;
    *out = 0 - v;
    return true;
}

static const char *take(struct hd_arena *a, struct hd_job_arg *out, const void *value,
                        uint32_t bytes)
{
    uint8_t *copy = hd_arena_get(a, bytes, 1);

    memcpy(copy, value, bytes);
    out->bytes = copy;
    out->n_bytes = bytes;
    return NULL;
}

static const char *hex_bytes(struct hd_arena *a, const char *text, struct hd_job_arg *out)
{
    static const char *const expected = "an even number of hexadecimal digits, at most 4096 bytes";
    size_t n = strlen(text);
    uint8_t *bytes = hd_arena_get(a, n / 2, 1);

    if (n == 0 || n % 2 || n / 2 > HEX_MAX)
        return expected;
    for (size_t i = 0; i < n; i++) {
        int c = tolower((unsigned char)text[i]);
        if (!isxdigit(c))
            return expected;
        int digit = isdigit(c) ? c - '0' : c - 'a' + 10;
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | digit);
    }
    out->bytes = bytes;
    out->n_bytes = (uint32_t)(n / 2);
    return NULL;
}

const char *hd_jobdata_argument(struct hd_arena *a, const char *text, struct hd_job_arg *out)
{
    uint64_t v;
    double d;
    float f;
    uint16_t half;

    switch (out->kind) {
    case 'i':
        if (!integer(text, INT32_MIN, INT32_MAX, &v))
            return "a 32-bit integer (-2147483648 to 2147483647)";
        return take(a, out, &v, 4);
    case 'u':
        if (!integer(text, 0, UINT32_MAX, &v))
            return "an unsigned 32-bit integer (0 to 4294967295)";
        return take(a, out, &v, 4);
    case 'l':
        if (!integer(text, INT64_MIN, UINT64_MAX, &v))
            return "a 64-bit integer";
        return take(a, out, &v, 8);
    case 'w':
        if (!integer(text, INT16_MIN, UINT16_MAX, &v))
            return "a 16-bit integer (-32768 to 65535)";
        return take(a, out, &v, 2);
    case 'b':
        if (!integer(text, INT8_MIN, UINT8_MAX, &v))
            return "an 8-bit integer (-128 to 255)";
        return take(a, out, &v, 1);
    case 'f':
        if (!real(text, &d))
            return "a number";
        f = strtof(text, NULL); // not through double: that would round twice
        if (isinf(f) && !isinf(d))
            return "a number that a float can hold";
        return take(a, out, &f, 4);
    case 'd':
        if (!real(text, &d) || (isinf(d) && isdigit((unsigned char)text[text[0] == '-'])))
            return "a number that a double can hold";
        return take(a, out, &d, 8);
    case 'h':
        if (!real(text, &d))
            return "a number";
        half = half_of(d);
        if ((half & 0x7fff) == 0x7c00 && !isinf(d))
            return "a number that a half can hold (up to 65504)";
        return take(a, out, &half, 2);
    default:
        return hex_bytes(a, text, out);
    }
}

const uint8_t *hd_jobdata_params(struct hd_arena *a, const struct hd_job_launch *l,
                                 const uint64_t *addresses)
{
    uint8_t *block = hd_arena_get(a, l->func->param_bytes, 1);

    for (uint32_t i = 0; i < l->n_args; i++) {
        const struct hd_job_arg *arg = &l->args[i];
        uint8_t *at = block + l->func->params[i].offset;
        if (arg->kind == 'p') {
            uint64_t address = addresses[arg->buf] + arg->offset;
            memcpy(at, &address, l->func->params[i].bytes); // 8, or 4 in old PTX
        } else {
            memcpy(at, arg->bytes, arg->n_bytes);
        }
    }
    return block;
}
