// reusestore.c - see reusestore.h.
#include "reuse/reusestore.h"

#include "base/bug.h"

#include <string.h>

#define LEAST 32u

struct large { // in front of a large piece, with the piece's alignment
    struct hd_arena *arena;
    uint64_t pad[7];
};

struct vacant { // a small piece that nobody has
    void *next;
};

void hd_reusestore_init(struct hd_reusestore *s, uint64_t limit)
{
    *s = (struct hd_reusestore){.arena = hd_arena_new(), .limit = limit};
}

void hd_reusestore_end(struct hd_reusestore *s)
{
    hd_arena_free(s->arena);
    s->arena = NULL;
}

static unsigned class_of(uint64_t bytes)
{
    unsigned c = 0;

    while ((uint64_t)LEAST << c < bytes)
        c++;
    return c;
}

static uint64_t bytes_of(uint64_t count, uint64_t size)
{
    uint64_t bytes = 0;

    HD_BUG_IF(__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4,
              "a piece without end");
    return bytes;
}

void *hd_reusestore_get(struct hd_reusestore *s, uint64_t count, uint64_t size)
{
    uint64_t bytes = bytes_of(count, size);
    unsigned c = class_of(bytes);
    void *piece;

    if (!bytes)
        return NULL;
    s->used += bytes;
    s->most = s->used > s->most ? s->used : s->most;
    if (c >= HD_REUSESTORE_CLASSES) {
        struct hd_arena *own = hd_arena_new();
        struct large *head = hd_arena_get(own, 1, sizeof *head + bytes);
        head->arena = own;
        return head + 1;
    }
    piece = s->free[c];
    if (!piece)
        return hd_arena_get(s->arena, 1, (size_t)LEAST << c);
    s->free[c] = ((struct vacant *)piece)->next;
    memset(piece, 0, bytes);
    return piece;
}

void hd_reusestore_put(struct hd_reusestore *s, void *piece, uint64_t count, uint64_t size)
{
    uint64_t bytes = bytes_of(count, size);
    unsigned c = class_of(bytes);

    if (!piece)
        return;
    s->used -= bytes;
    if (c >= HD_REUSESTORE_CLASSES) {
        struct large *head = (struct large *)piece - 1;
        hd_arena_free(head->arena);
        return;
    }
    ((struct vacant *)piece)->next = s->free[c];
    s->free[c] = piece;
}

void *hd_reusestore_grow(struct hd_reusestore *s, void *piece, uint64_t *cap, uint64_t wanted,
                         uint64_t size)
{
    uint64_t n = *cap ? *cap : 64;
    void *grown;

    if (wanted <= *cap)
        return piece;
    while (n < wanted)
        n *= 2;
    grown = hd_reusestore_get(s, n, size);
    if (piece)
        memcpy(grown, piece, *cap * size);
    hd_reusestore_put(s, piece, *cap, size);
    *cap = n;
    return grown;
}
