// arena.c - blocks of memory that are allocated and freed together. See arena.h for the contract.
#include "base/arena.h"

#include "base/bug.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HD_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HD_ASAN 1
#endif
#endif
#ifdef HD_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#define GAP 64 // poisoned bytes after each piece
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#define GAP 0
#endif

#define FIRST_BYTES ((size_t)256 * 1024) // of the first block; each later one has twice as many,
#define MOST_BYTES ((size_t)8 * 1024 * 1024) // up to this
#define LINE 64

struct block {
    struct block *next;
    void *start;        // what malloc or calloc returned
    size_t bytes, used; // of the payload that follows this header, both multiples of 16
    bool zero;          // what was not handed out yet is zero
};

struct hd_arena {
    struct block *blocks; // the first one has the free room
    size_t next_bytes;    // of the next block, if no piece needs more
    size_t handed_out;
};

_Static_assert(sizeof(struct block) <= LINE, "the payload starts one line into the block");

static uint8_t *payload(struct block *b)
{
    return (uint8_t *)b + LINE;
}

void hd_arena_exhausted(size_t bytes)
{
    fprintf(stderr, "heddle: out of memory (%zu more bytes wanted)\n", bytes);
    exit(2);
}

// A large block is zero from the start: the system maps pages of zeros, and only those that are
// touched, so that a queue costs nothing while it is empty, however long it may become.
static struct block *new_block(size_t bytes)
{
    size_t all = bytes + LINE + LINE;
    bool zero = bytes > FIRST_BYTES;
    void *start = zero ? calloc(1, all) : malloc(all);

    if (!start)
        hd_arena_exhausted(bytes);
    struct block *b = (struct block *)(((uintptr_t)start + LINE - 1) & ~(uintptr_t)(LINE - 1));
    *b = (struct block){.start = start, .bytes = bytes, .zero = zero};
    POISON(payload(b), bytes);
    return b;
}

struct hd_arena *hd_arena_new(void)
{
    struct hd_arena *a = calloc(1, sizeof *a);

    if (!a)
        hd_arena_exhausted(sizeof *a);
    a->next_bytes = FIRST_BYTES;
    return a;
}

void hd_arena_free(struct hd_arena *a)
{
    if (!a)
        return;
    for (struct block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        UNPOISON(payload(b), b->bytes);
        free(b->start);
    }
    free(a);
}

void *hd_arena_get(struct hd_arena *a, size_t count, size_t size)
{
    size_t bytes = 0, align, need;
    struct block *b = a->blocks;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        hd_arena_exhausted(SIZE_MAX);
    align = bytes >= LINE ? LINE : 16;
    need = ((bytes ? bytes : 1) + GAP + 15) & ~(size_t)15;
    if (!b || ((b->used + align - 1) & ~(align - 1)) + need > b->bytes) {
        bool alone = need > a->next_bytes / 4;
        b = new_block(alone ? need : a->next_bytes);
        if (!alone && a->next_bytes < MOST_BYTES)
            a->next_bytes *= 2;
        if (alone && a->blocks) { // keep the block with the most room first
            b->next = a->blocks->next;
            a->blocks->next = b;
        } else {
            b->next = a->blocks;
            a->blocks = b;
        }
    }
    b->used = (b->used + align - 1) & ~(align - 1);

    uint8_t *p = payload(b) + b->used;
    b->used += need;
    a->handed_out += bytes;
    UNPOISON(p, bytes);
    if (!b->zero)
        memset(p, 0, bytes);
    return p;
}

char *hd_arena_strndup(struct hd_arena *a, const char *s, size_t n)
{
    char *copy = hd_arena_get(a, n + 1, 1);

    memcpy(copy, s, n);
    return copy;
}

char *hd_arena_strdup(struct hd_arena *a, const char *s)
{
    return hd_arena_strndup(a, s, strlen(s));
}

char *hd_arena_printf(struct hd_arena *a, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    HD_BUG_IF(n < 0, "format '%s'", fmt);

    char *s = hd_arena_get(a, (size_t)n + 1, 1);
    va_start(args, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, args);
    va_end(args);
    return s;
}

size_t hd_arena_bytes(const struct hd_arena *a)
{
    return a->handed_out;
}

void *hd_arena_grow(struct hd_arena *a, void *old, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return old;

    size_t wanted = *cap ? *cap * 2 : 16;
    void *grown = hd_arena_get(a, wanted, size);
    if (n)
        memcpy(grown, old, n * size);
    *cap = wanted;
    return grown;
}
