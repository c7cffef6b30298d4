// reference_integers.c - operations on integers and bits, computed in 128 bits.
#include "unit/references.h"

#include "isa/video.h"

#include <stdlib.h>
#include <string.h>

// --- integer arithmetic

static wide high_half(wide a, wide b, unsigned width, bool sign)
{
    return sign ? a * b >> width : (wide)((uwide)a * (uwide)b >> width);
}

static wide sum_of_products(const struct lane *x, bool is_a_signed, bool is_b_signed, int n,
                            unsigned from)
{
    wide sum = integer(HD_U32, x->c);
    unsigned bits = 32 / (unsigned)n;

    for (int i = 0; i < n; i++) {
        unsigned ta = bits == 8 ? (is_a_signed ? HD_S8 : HD_U8) : (is_a_signed ? HD_S16 : HD_U16);
        sum += integer(ta, x->a >> bits * (unsigned)i) *
               integer(is_b_signed ? HD_S8 : HD_U8, x->b >> 8 * (from + (unsigned)i));
    }
    return sum;
}

static wide low24(const struct lane *x, uint64_t v)
{
    wide low = (wide)(v & 0xffffff);
    return is_signed(x->type) && low >> 23 ? low - power(24) : low;
}

static wide quotient(wide a, wide b)
{
    return b ? a / b : -1;
}

static bool integers(const char *name, struct lane *x)
{
    unsigned t = x->type, width = width_of(t);
    bool sign = is_signed(t), wide_result = x->dtype != t;
    wide a = integer(t, x->a), b = integer(t, x->b), c = integer(wide_result ? x->dtype : t, x->c);
    wide high = starts(name, "m") && strstr(name, ".hi") ? high_half(a, b, width, sign) : 0, r;

    if (is(name, "add"))
        r = a + b;
    else if (is(name, "sub"))
        r = a - b;
    else if (is(name, "mul.lo") || is(name, "mul.wide"))
        r = (wide)((uwide)a * (uwide)b);
    else if (is(name, "mul.hi"))
        r = high;
    else if (is(name, "mad.lo") || is(name, "mad.wide"))
        r = (wide)((uwide)a * (uwide)b + (uwide)c);
    else if (is(name, "mad.hi"))
        r = high + c;
    else if (is(name, "mul24.lo") || is(name, "mul24.hi"))
        r = low24(x, x->a) * low24(x, x->b) >> (strstr(name, "hi") ? 16 : 0);
    else if (is(name, "mad24.lo") || is(name, "mad24.hi"))
        r = (low24(x, x->a) * low24(x, x->b) >> (strstr(name, "hi") ? 16 : 0)) + c;
    else if (is(name, "div"))
        r = quotient(a, b);
    else if (is(name, "rem"))
        r = b ? a % b : width_of(x->type) == 32 ? -1 : a;
    else if (is(name, "min"))
        r = a < b ? a : b;
    else if (is(name, "max"))
        r = a > b ? a : b;
    else if (is(name, "abs"))
        r = a < 0 ? -a : a;
    else if (is(name, "neg"))
        r = -a;
    else if (is(name, "sad"))
        r = (a < b ? b - a : a - b) + c;
    else if (is(name, "shr"))
        r = a >> (integer(HD_U32, x->b) < width ? (unsigned)x->b : width);
    else
        return false;
    if (x->mods & HD_MOD_SAT)
        r = clamp(r, INT32_MIN, INT32_MAX);
    x->d = pattern(x->dtype, r);
    return true;
}

bool reference_carries(const char *name, struct lane *x)
{
    unsigned width = width_of(x->type);
    uwide mask = (uwide)power(width) - 1, a = x->a & mask, b = x->b & mask, r = 0;
    wide high =
        high_half(integer(x->type, x->a), integer(x->type, x->b), width, is_signed(x->type));
    bool takes = strchr(name, 'c') && (name[3] == 'c'); // addc, subc, madc

    if (starts(name, "add"))
        r = a + b;
    else if (starts(name, "sub")) // the code is that of a + ~b: not borrowed
        r = a + (~b & mask) + !takes;
    else if (strstr(name, ".lo"))
        r = ((a * b) & mask) + (x->c & mask);
    else if (strstr(name, ".hi"))
        r = ((uwide)high & mask) + (x->c & mask);
    else
        return false;
    if (takes)
        r += x->carry;
    x->d = pattern(x->type, (wide)r);
    x->p = r >> width & 1;
    return true;
}

// --- bits

static uint64_t reversed(uint64_t a, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++)
        r |= (a >> i & 1) << (width - 1 - i);
    return r;
}

static int highest(uint64_t a, unsigned width)
{
    for (int i = (int)width - 1; i >= 0; i--)
        if (a >> i & 1)
            return i;
    return -1;
}

static uint64_t extracted(const struct lane *x)
{
    unsigned width = width_of(x->type), at = x->b & 0xff, n = x->c & 0xff;
    unsigned top = at + n - 1 < width - 1 ? at + n - 1 : width - 1;
    bool fill = is_signed(x->type) && n && (x->a >> top & 1);
    uint64_t r = 0;

    for (unsigned i = 0; i < width; i++)
        r |= (uint64_t)(i < n && at + i < width ? x->a >> (at + i) & 1 : fill) << i;
    return r;
}

static uint64_t inserted(const struct lane *x)
{
    unsigned width = width_of(x->type), at = x->c & 0xff, n = x->e & 0xff;
    uint64_t r = x->b;

    for (unsigned i = 0; i < n && at + i < width; i++) {
        r &= ~(UINT64_C(1) << (at + i));
        r |= (x->a >> i & 1) << (at + i);
    }
    return r;
}

static uint64_t permuted(const struct lane *x)
{
    uint64_t both = x->b << 32 | (x->a & UINT32_MAX), r = 0;
    unsigned by = x->c & 3;

    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = x->c >> 4 * i & 15;
        const unsigned from[HD_N_PRMTS] = {
            [HD_PRMT_INDEX] = nibble & 7,
            [HD_PRMT_F4E] = by + i,
            [HD_PRMT_B4E] = (by - i) & 7,
            [HD_PRMT_RC8] = by,
            [HD_PRMT_ECL] = i > by ? i : by,
            [HD_PRMT_ECR] = i < by ? i : by,
            [HD_PRMT_RC16] = (by & 1) * 2 + (i & 1),
        };
        unsigned mode = x->mods & HD_MOD_ENUM;
        uint64_t byte = both >> 8 * from[mode] & 0xff;
        if (mode == HD_PRMT_INDEX && nibble & 8)
            byte = byte >> 7 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}

static int found(uint32_t mask, int base, int32_t n)
{
    int64_t left = n < 0 ? -(int64_t)n : n;

    if (!n)
        return mask >> base & 1 ? base : -1;
    for (int i = base; i >= 0 && i < 32; i += n < 0 ? -1 : 1) {
        left -= mask >> i & 1;
        if (!left)
            return i;
    }
    return -1;
}

static uint64_t looked_up(const struct lane *x)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x->mods >> ((x->a >> i & 1) << 2 | (x->b >> i & 1) << 1 | (x->c >> i & 1)) & 1) << i;
    return r & UINT32_MAX;
}

// add, min and max of two integers of 16 bits each.
static uint64_t halves(const char *name, uint64_t a, uint64_t b)
{
    uint64_t r = 0;

    for (unsigned at = 0; at < 32; at += 16) {
        int x = (int)(a >> at & 0xffff), y = (int)(b >> at & 0xffff), z;
        if (strstr(name, "s16")) {
            x -= x & 0x8000 ? 0x10000 : 0;
            y -= y & 0x8000 ? 0x10000 : 0;
        }
        z = name[0] == 'a' ? x + y : name[1] == 'i' ? (y < x ? y : x) : (y > x ? y : x);
        if (strstr(name, "relu") && z < 0)
            z = 0;
        r |= (uint64_t)(z & 0xffff) << at;
    }
    return r;
}

static bool logic(const char *name, struct lane *x)
{
    unsigned width = width_of(x->type);
    uint64_t a = x->a & (UINT64_MAX >> (64 - width)), b = x->b, r;
    uint64_t shift = x->b & UINT32_MAX;

    if (is(name, "and"))
        r = a & b;
    else if (is(name, "or"))
        r = a | b;
    else if (is(name, "xor"))
        r = a ^ b;
    else if (is(name, "not"))
        r = ~a;
    else if (is(name, "cnot"))
        r = !a;
    else if (is(name, "mov"))
        r = a;
    else if (is(name, "shl"))
        r = shift < width ? a << shift : 0;
    else if (is(name, "cvta"))
        r = a + hd_window(x->space);
    else if (is(name, "cvta.to"))
        r = a - hd_window(x->space);
    else if (strstr(name, "16x2"))
        r = halves(name, a, x->b);
    else if (is(name, "mbarrier.pending_count"))
        r = a & 0xfffff;
    else if (is(name, "popc"))
        r = (uint64_t)__builtin_popcountll(a);
    else if (is(name, "clz"))
        r = (uint64_t)((int)width - 1 - highest(a, width));
    else if (is(name, "brev"))
        r = reversed(a, width);
    else
        return false;
    x->d = pattern(x->dtype, (wide)r);
    return true;
}

static uint64_t mask_of(wide at, wide n)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (uint64_t)(i >= at && i < at + n) << i;
    return r;
}

static wide extended(const struct lane *x, wide n)
{
    wide low = n > 31 ? integer(HD_U32, x->a) : integer(HD_U32, x->a) & (power((unsigned)n) - 1);
    if (n > 31)
        return integer(x->type, x->a);
    return n && is_signed(x->type) && low >> (n - 1) ? low - power((unsigned)n) : low;
}

static bool bits(const char *name, struct lane *x)
{
    unsigned width = width_of(x->type);
    wide a = integer(x->type, x->a), n = integer(HD_U32, x->b), m = integer(HD_U32, x->c), r;
    uwide both = (uwide)(x->b & UINT32_MAX) << 32 | (x->a & UINT32_MAX);
    int top = highest((uint64_t)(a < 0 ? ~a : a), width);

    if (is(name, "shf.l.wrap"))
        r = (wide)(both << (m & 31) >> 32);
    else if (is(name, "shf.l.clamp"))
        r = (wide)(both << (m < 32 ? m : 32) >> 32);
    else if (is(name, "shf.r.wrap"))
        r = (wide)(both >> (m & 31));
    else if (is(name, "shf.r.clamp"))
        r = (wide)(both >> (m < 32 ? m : 32));
    else if (starts(name, "lop3"))
        r = (wide)looked_up(x);
    else if (is(name, "bfe"))
        r = (wide)extracted(x);
    else if (is(name, "bfi"))
        r = (wide)inserted(x);
    else if (is(name, "prmt"))
        r = (wide)permuted(x);
    else if (is(name, "bfind"))
        r = top;
    else if (is(name, "bfind.shiftamt"))
        r = top < 0 ? -1 : (int)width - 1 - top;
    else if (is(name, "bmsk.clamp"))
        r = (wide)mask_of(a, n);
    else if (is(name, "bmsk.wrap"))
        r = (wide)mask_of(a & 31, n & 31);
    else if (is(name, "szext.clamp"))
        r = extended(x, n);
    else if (is(name, "szext.wrap"))
        r = extended(x, n & 31);
    else if (is(name, "fns"))
        r = found((uint32_t)x->a, (int)(n & 31), (int32_t)(uint32_t)x->c);
    else
        return false;
    x->d = pattern(x->dtype, r);
    return true;
}

// --- video instructions, by the formulas of the manual

static wide video_value(const struct hd_video *v, wide a, wide b)
{
    static const char relations[] = "=!<{>}";
    // Only a shift reads this; its b is not negative.
    unsigned shift = v->wrap ? (unsigned)b & 31 : b < 0 || b > 32 ? 32 : (unsigned)b;
    wide two = power(shift), quotient;

    switch ((enum hd_video_op)v->op) {
    case HD_VIDEO_ADD:
        return a + b;
    case HD_VIDEO_SUB:
        return a - b;
    case HD_VIDEO_AVRG: // rounded away from zero where the sum is not negative
        return (a + b + (a + b >= 0)) >> 1;
    case HD_VIDEO_ABSDIFF:
        return a < b ? b - a : a - b;
    case HD_VIDEO_MIN:
        return a < b ? a : b;
    case HD_VIDEO_MAX:
        return a > b ? a : b;
    case HD_VIDEO_SHL:
        return a * two;
    case HD_VIDEO_SHR: // rounded down
        quotient = a / two;
        return quotient - (a % two < 0);
    default:
        break;
    }
    switch (relations[v->cmp]) {
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return a < b;
    case '{':
        return a <= b;
    case '>':
        return a > b;
    default:
        return a >= b;
    }
}

static const unsigned video_types[3][2] = {{HD_U8, HD_S8}, {HD_U16, HD_S16}, {HD_U32, HD_S32}};

static unsigned part_type(unsigned part, bool sign)
{
    return video_types[part < HD_VIDEO_H0 ? 0 : part < HD_VIDEO_WORD ? 1 : 2][sign];
}

static unsigned part_place(unsigned part)
{
    static const unsigned places[] = {0, 8, 16, 24, 0, 16, 0};

    return places[part];
}

static wide part_of(uint64_t x, unsigned part, bool sign)
{
    return integer(part_type(part, sign), (x & UINT32_MAX) >> part_place(part));
}

static wide in_range(wide x, unsigned type)
{
    wide low = is_signed(type) ? -power(width_of(type) - 1) : 0;

    return clamp(x, low, low + power(width_of(type)) - 1);
}

static wide video_mad(const struct hd_video *v, const struct lane *x)
{
    wide a = part_of(x->a, v->a[0], v->signed_a), b = part_of(x->b, v->b[0], v->signed_b);
    bool sign = v->signed_a || v->signed_b || v->neg_ab || v->neg_c;
    wide c = integer(sign ? HD_S32 : HD_U32, x->c & UINT32_MAX);
    wide sum = (v->neg_ab ? -(a * b) : a * b) + (v->neg_c ? -c : c) + v->plus_one;
    wide scaled = sum / power(v->scale) - (sum % power(v->scale) < 0);

    return v->sat ? in_range(scaled, sign ? HD_S32 : HD_U32) : scaled;
}

static wide video_scalar(const struct hd_video *v, const struct lane *x)
{
    wide r =
        video_value(v, part_of(x->a, v->a[0], v->signed_a), part_of(x->b, v->b[0], v->signed_b));
    unsigned type = part_type(v->mask, v->signed_d), at = part_place(v->mask);
    uint64_t field = (uint64_t)(power(width_of(type)) - 1);

    if (v->sat)
        r = in_range(r, type);
    wide rc = integer(v->signed_d ? HD_S32 : HD_U32, x->c & UINT32_MAX);
    wide rw = integer(v->signed_d ? HD_S32 : HD_U32, (uint64_t)r & UINT32_MAX);
    switch (v->second) {
    case HD_VIDEO_SUM:
        return r + rc;
    case HD_VIDEO_LEAST:
        return rw < rc ? rw : rc;
    case HD_VIDEO_MOST:
        return rw > rc ? rw : rc;
    case HD_VIDEO_MERGE:
        return (wide)((x->c & ~(field << at)) | ((uint64_t)r & field) << at);
    default:
        return r;
    }
}

static wide video_fields(const struct hd_video *v, const struct lane *x)
{
    const unsigned *types = video_types[v->bits == 8 ? 0 : 1];
    uint64_t both = (x->a & UINT32_MAX) | x->b << 32, field = (uint64_t)(power(v->bits) - 1);
    uint64_t merged = x->c;
    wide total = integer(HD_U32, x->c);

    for (unsigned i = 0; i < 32u / v->bits; i++) {
        unsigned at = v->bits * i;
        wide r = video_value(v, integer(types[v->signed_a], both >> v->bits * v->a[i]),
                             integer(types[v->signed_b], both >> v->bits * v->b[i]));
        if (v->sat)
            r = in_range(r, types[v->signed_d]);
        if (!(v->mask >> i & 1))
            continue;
        total += r;
        merged = (merged & ~(field << at)) | ((uint64_t)r & field) << at;
    }
    return v->second == HD_VIDEO_SUM ? total : (wide)merged;
}

static bool packed(const char *name, struct lane *x)
{
    if (x->type == HD_S32 && (is(name, "min.relu") || is(name, "max.relu"))) {
        wide a = integer(HD_S32, x->a), b = integer(HD_S32, x->b);
        wide r = (a < b) == (name[1] == 'i') ? a : b;
        x->d = pattern(HD_S32, r < 0 ? 0 : r);
        return true;
    }
    if (starts(name, "dp")) {
        bool two = name[2] == '2';
        const char *s = name + (two ? 8 : 5);
        bool sa = s[0] == 's', sb = s[4] == 's';
        x->d =
            pattern(HD_U32, sum_of_products(x, sa, sb, two ? 2 : 4, strstr(name, ".hi") ? 2 : 0));
        return true;
    }
    if (starts(name, "cvt.pack.sat.")) { // cvt.pack.sat.s8.s32.b32
        unsigned bits = (unsigned)strtoul(name + 14, NULL, 10);
        wide low = name[13] == 's' ? -power(bits - 1) : 0, high = low + power(bits) - 1;
        wide a = clamp(integer(HD_S32, x->a), low, high),
             b = clamp(integer(HD_S32, x->b), low, high);
        wide up = bits == 16 ? 0 : integer(HD_U32, x->c) * power(2 * bits);
        a &= power(bits) - 1;
        b &= power(bits) - 1;
        x->d = pattern(HD_U32, up + a * power(bits) + b);
        return true;
    }
    if (name[0] != 'v')
        return false;
    const struct hd_video v = hd_video_of(x->imm);
    x->d = pattern(HD_U32, v.op == HD_VIDEO_MAD ? video_mad(&v, x)
                           : v.bits == 32       ? video_scalar(&v, x)
                                                : video_fields(&v, x));
    return true;
}

bool reference_integers(const char *name, struct lane *x)
{
    return integers(name, x) || logic(name, x) || bits(name, x) || packed(name, x);
}
