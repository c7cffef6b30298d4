// pack.c - growing, and the rarer forms of reading. See pack.h.
#include "trace/pack.h"

void hd_pack_grow(struct hd_pack *p, size_t more)
{
    size_t cap = p->cap ? p->cap : 256;
    uint8_t *data;

    while (cap - p->n < more)
        cap *= 2;
    data = hd_arena_get(p->arena, cap, 1);
    if (p->n)
        memcpy(data, p->data, p->n);
    p->data = data;
    p->cap = cap;
}

void hd_pack_text(struct hd_pack *p, const char *s)
{
    size_t n = s ? strlen(s) : 0;

    hd_pack_number(p, n);
    hd_pack_bytes(p, s, n);
}

uint64_t hd_unpack_long(struct hd_unpack *u)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned b = hd_unpack_byte(u);
        v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80))
            return v;
    }
    u->bad = true;
    return 0;
}

uint64_t hd_unpack_most(struct hd_unpack *u, uint64_t most)
{
    uint64_t v = hd_unpack_number(u);

    if (v <= most)
        return v;
    u->bad = true;
    return 0;
}

const uint8_t *hd_unpack_bytes(struct hd_unpack *u, uint64_t n)
{
    const uint8_t *b = u->at;

    if ((uint64_t)(u->end - b) < n) {
        u->bad = true;
        return NULL;
    }
    u->at += n;
    return b;
}

const char *hd_unpack_text(struct hd_unpack *u, struct hd_arena *a)
{
    uint64_t n = hd_unpack_number(u);
    const uint8_t *b = hd_unpack_bytes(u, n);

    return b ? hd_arena_strndup(a, (const char *)b, n) : "";
}
