// device_printf.c - printf of device code: formats texts, stores them, returns them in a fixed
// order.
// CUDA C++ Programming Guide, "Formatted Output".
//
// nvcc stores the arguments one after the other, each aligned to its size, and passes the format
// and their address. Text goes into a buffer of hd_devrt_limits.printed bytes. If there is no room
// for it, it is lost and counted. As on the device, a call returns the number of its arguments, or
// -1 if the format is wrong.
//
// Not supported: %n (the device refuses it too), wide characters.
#include "devrt/devrt_internal.h"
#include "emu/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_MAX 4096 // bytes of a format or a string argument that are used

struct source { // of one lane's call
    const struct hd_emu_sm *sm;
    unsigned warp, lane;
    uint64_t args; // generic address of the next argument
};

struct text {
    char *buf;
    size_t n, size;
    bool full;
};

static void put(struct text *t, const char *s, size_t n)
{
    if (t->full || n > t->size - t->n) {
        t->full = true;
        return;
    }
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

// Reads the next argument, of 4 or 8 bytes. False if it is outside memory.
static bool next_arg(struct source *s, unsigned bytes, uint64_t *value)
{
    s->args = (s->args + bytes - 1) / bytes * bytes;
    const uint8_t *at = hd_callout_at(s->sm, s->warp, s->lane, s->args, bytes);

    *value = 0;
    if (!at)
        return false;
    memcpy(value, at, bytes);
    s->args += bytes;
    return true;
}

static void put_string(struct text *t, const struct source *s, uint64_t address, const char *spec,
                       size_t precision)
{
    char string[FORMAT_MAX], line[FORMAT_MAX + 600];
    size_t n = 0;

    for (; n + 1 < sizeof string && n < precision; n++) {
        const uint8_t *c = hd_callout_at(s->sm, s->warp, s->lane, address + n, 1);
        if (!c || !*c)
            break;
        string[n] = (char)*c;
    }
    string[n] = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int k = snprintf(line, sizeof line, spec, string);
#pragma GCC diagnostic pop
    if (k > 0)
        put(t, line, (size_t)k < sizeof line ? (size_t)k : sizeof line - 1);
}

struct spec {      // of one conversion
    char text[64]; // for the host's printf: flags, width, precision, length, conversion
    char conversion;
    bool wide; // 64 bits
    long precision;
};

// Reads a width or precision: digits or `*`, at most 512 (the host's buffers are finite).
static bool number(const char **f, struct source *s, long *value)
{
    uint64_t v = 0;

    if (**f == '*') {
        ++*f;
        if (!next_arg(s, 4, &v))
            return false;
        *value = (int32_t)v;
    } else {
        for (*value = 0; **f >= '0' && **f <= '9'; ++*f)
            *value = *value < 10000 ? *value * 10 + (**f - '0') : *value;
    }
    return *value >= -512 && *value <= 512;
}

// *f is after the '%' and is moved to the end of the conversion. False if the conversion is not
// supported.
static bool parse_spec(const char **f, struct source *s, struct spec *out)
{
    char flags[8] = "";
    long width = 0;
    size_t n = 0;
    bool z = false;

    *out = (struct spec){.precision = -1};
    for (; **f && strchr("-+ #0", **f); ++*f)
        if (!strchr(flags, **f))
            flags[n++] = **f;
    if (!number(f, s, &width))
        return false;
    if (**f == '.' && (++*f, !number(f, s, &out->precision)))
        return false;
    for (; **f && strchr("hljztL", **f);
         ++*f) // h and hh are ignored: they would cut the value, which no program needs
        z |= **f != 'h';
    out->wide = z;
    out->conversion = **f;
    if (!**f || !strchr("diuxXocspfFeEgGaA", **f))
        return false;
    ++*f;
    if (width < 0) {
        flags[n++] = '-';
        width = -width;
    }
    char w[24] = "", p[24] = "";
    if (width)
        snprintf(w, sizeof w, "%ld", width);
    if (out->precision >= 0)
        snprintf(p, sizeof p, ".%ld", out->precision);
    const char *length = strchr("diuxXo", out->conversion) ? "ll" : "";
    snprintf(out->text, sizeof out->text, "%%%.6s%s%s%s%c", flags, w, p, length,
             out->conversion == 'p' ? 's' : out->conversion);
    return true;
}

static void put_value(struct text *t, const struct spec *c, uint64_t v)
{
    char line[1200], pointer[32];
    double d;
    int k;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (c->conversion) {
    case 'd':
    case 'i':
        k = snprintf(line, sizeof line, c->text,
                     c->wide ? (long long)v : (long long)(int32_t)(uint32_t)v);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        k = snprintf(line, sizeof line, c->text, (unsigned long long)v);
        break;
    case 'c':
        k = snprintf(line, sizeof line, c->text, (int)(unsigned char)v);
        break;
    case 'p':
        snprintf(pointer, sizeof pointer, "0x%llx", (unsigned long long)v);
        k = snprintf(line, sizeof line, c->text, pointer);
        break;
    default:
        memcpy(&d, &v, sizeof d);
        k = snprintf(line, sizeof line, c->text, d);
    }
#pragma GCC diagnostic pop
    if (k > 0)
        put(t, line, (size_t)k < sizeof line ? (size_t)k : sizeof line - 1);
}

static bool put_conversion(struct text *t, struct source *s, const char **f)
{
    struct spec c;
    uint64_t v;

    if (**f == '%') {
        put(t, (*f)++, 1);
        return true;
    }
    if (!parse_spec(f, s, &c))
        return false;
    bool wide = c.wide || strchr("spfFeEgGaA", c.conversion);
    if (c.conversion == 'c')
        wide = false;
    if (!next_arg(s, wide ? 8 : 4, &v))
        return false;
    if (c.conversion == 's')
        put_string(t, s, v, c.text, c.precision >= 0 ? (size_t)c.precision : FORMAT_MAX);
    else
        put_value(t, &c, v);
    return true;
}

// Prints one lane's text. Returns what the device's printf returns.
static int print_lane(struct text *t, struct source *s, uint64_t format)
{
    char f[FORMAT_MAX];
    const char *at = f;
    size_t n = 0;
    int args = 0;

    for (; n + 1 < sizeof f; n++) {
        const uint8_t *c = hd_callout_at(s->sm, s->warp, s->lane, format + n, 1);
        if (!c || !*c)
            break;
        f[n] = (char)*c;
    }
    f[n] = 0;
    while (*at) {
        const char *percent = strchr(at, '%');
        size_t plain = percent ? (size_t)(percent - at) : strlen(at);
        put(t, at, plain);
        at += plain;
        if (!percent)
            break;
        bool literal = at[1] == '%';
        at++;
        if (!put_conversion(t, s, &at)) {
            put(t, percent, strlen(percent)); // the rest is printed unchanged
            return -1;
        }
        args += !literal;
    }
    return args;
}

// Allocates the buffer; another one if the limit has changed.
static void make_room(struct hd_devrt *d)
{
    struct hd_device_output *o = &d->output;

    if (o->text && o->size == d->limits.printed)
        return;
    hd_memory_give_back(o->text, o->size);
    o->size = d->limits.printed;
    o->text = o->size ? hd_memory_reserve(o->size) : NULL;
    if (!o->text)
        o->size = 0; // every text is lost
}

void hd_device_printf(struct hd_devrt *d, struct hd_emu_sm *sm, unsigned warp, uint32_t lanes,
                      const uint64_t format[HD_LANES], const uint64_t args[HD_LANES],
                      uint64_t result[HD_LANES])
{
    struct hd_device_output *o = &d->output;
    struct hd_callout_caller from = hd_callout_from(sm, warp);
    struct hd_device_piece piece = {.launch = from.launch->id, .block = from.tb, .warp = from.warp};

    make_room(d);
    piece.at = o->bytes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        struct source s = {sm, warp, l, args[l]};
        struct text t = {.buf = o->text + o->bytes, .size = o->size - o->bytes, .full = !o->text};
        int n = print_lane(&t, &s, format[l]);
        result[l] = (uint64_t)(int64_t)n;
        if (t.full) {
            o->lost++;
            result[l] = UINT64_MAX;
        } else {
            o->bytes += (uint32_t)t.n;
        }
    }
    piece.bytes = o->bytes - piece.at;
    if (piece.bytes)
        *HD_PUSH(d->arena, o->pieces, o->n_pieces, o->cap) = piece;
}

// By launch, block, warp; pieces of one warp are in the order of time, which is that of `at`.
static int before(const void *a, const void *b)
{
    const struct hd_device_piece *x = a, *y = b;

    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

const char *hd_devrt_printed(struct hd_devrt *d, size_t *bytes, uint64_t *lost)
{
    struct hd_device_output *o = &d->output;

    if (o->bytes > o->have_sorted) {
        o->have_sorted = o->bytes;
        o->sorted = HD_ARRAY(d->arena, char, o->have_sorted);
    }
    *bytes = 0;
    *lost = o->lost;
    if (o->n_pieces)
        qsort(o->pieces, o->n_pieces, sizeof *o->pieces, before);
    for (size_t i = 0; i < o->n_pieces; i++) {
        memcpy(o->sorted + *bytes, o->text + o->pieces[i].at, o->pieces[i].bytes);
        *bytes += o->pieces[i].bytes;
    }
    o->n_pieces = o->bytes = 0;
    o->lost = 0;
    return o->sorted ? o->sorted : ""; // never NULL, for fwrite
}
