// pack.h - numbers and strings as bytes, as a trace stores them, and the checked way back.
//
// Numbers are written seven bits per byte, the lowest first (LEB128); signed ones are folded so
// that small magnitudes stay short. A reader never reads beyond its bytes: what is missing or too
// large sets `bad` and reads as 0.
#ifndef HEDDLE_TRACE_PACK_H
#define HEDDLE_TRACE_PACK_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct hd_pack { // bytes being written, in memory of an arena
    struct hd_arena *arena;
    uint8_t *data;
    size_t n, cap;
};

struct hd_unpack { // bytes being read
    const uint8_t *at, *end;
    bool bad;
};

void hd_pack_grow(struct hd_pack *p, size_t more); // pack.c

static inline void hd_pack_room(struct hd_pack *p, size_t more)
{
    if (__builtin_expect(p->cap - p->n < more, 0))
        hd_pack_grow(p, more);
}

static inline void hd_pack_byte(struct hd_pack *p, unsigned v)
{
    hd_pack_room(p, 1);
    p->data[p->n++] = (uint8_t)v;
}

static inline void hd_pack_bytes(struct hd_pack *p, const void *from, size_t n)
{
    hd_pack_room(p, n);
    if (n)
        memcpy(p->data + p->n, from, n);
    p->n += n;
}

static inline void hd_pack_number(struct hd_pack *p, uint64_t v)
{
    hd_pack_room(p, 10);
    for (; v > 0x7f; v >>= 7)
        p->data[p->n++] = (uint8_t)(v | 0x80);
    p->data[p->n++] = (uint8_t)v;
}

static inline void hd_pack_signed(struct hd_pack *p, int64_t v)
{
    hd_pack_number(p, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static inline void hd_pack_mask(struct hd_pack *p, uint32_t v)
{
    hd_pack_bytes(
        p, &(uint8_t[]){(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)}, 4);
}

void hd_pack_text(struct hd_pack *p, const char *s); // length and bytes; NULL is ""

static inline unsigned hd_unpack_byte(struct hd_unpack *u)
{
    if (__builtin_expect(u->at == u->end, 0)) {
        u->bad = true;
        return 0;
    }
    return *u->at++;
}

uint64_t hd_unpack_long(struct hd_unpack *u); // any number
static inline uint64_t hd_unpack_number(struct hd_unpack *u)
{
    if (__builtin_expect(u->at != u->end && *u->at < 0x80, 1))
        return *u->at++;
    return hd_unpack_long(u);
}

static inline int64_t hd_unpack_signed(struct hd_unpack *u)
{
    uint64_t v = hd_unpack_number(u);

    return (int64_t)(v >> 1 ^ -(v & 1));
}

static inline uint32_t hd_unpack_mask(struct hd_unpack *u)
{
    const uint8_t *b = u->at;

    if (u->end - b < 4) {
        u->bad = true;
        return 0;
    }
    u->at += 4;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// A number of at most `most`.
uint64_t hd_unpack_most(struct hd_unpack *u, uint64_t most);
// The next n bytes in place; NULL if there are fewer.
const uint8_t *hd_unpack_bytes(struct hd_unpack *u, uint64_t n);
// A copy that ends in NUL; "" after a fault.
const char *hd_unpack_text(struct hd_unpack *u, struct hd_arena *a);

#endif
