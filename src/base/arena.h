// arena.h - memory by lifetime: allocate while a machine or module is built, free it all at once.
//
// The only file that calls malloc. Nothing is allocated in the cycle loop. Running out of memory at
// start-up ends the program with a message; no caller checks for NULL. Memory is zeroed and aligned
// to 64 bytes when it is larger than a cache line, to 16 otherwise. Under AddressSanitizer the gaps
// between pieces are poisoned.
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H

#include <stddef.h>

struct hd_arena; // a list of blocks

struct hd_arena *hd_arena_new(void);
void hd_arena_free(struct hd_arena *a); // NULL is allowed

void *hd_arena_get(struct hd_arena *a, size_t count, size_t size); // count * size zeroed bytes
char *hd_arena_strdup(struct hd_arena *a, const char *s);
char *hd_arena_strndup(struct hd_arena *a, const char *s, size_t n);
__attribute__((format(printf, 2, 3))) char *hd_arena_printf(struct hd_arena *a, const char *fmt,
                                                            ...);
// Ends the program because memory or address space is exhausted; `bytes` could not be had.
__attribute__((noreturn)) void hd_arena_exhausted(size_t bytes);
size_t hd_arena_bytes(const struct hd_arena *a); // allocated so far

#define HD_NEW(arena, type) ((struct type *)hd_arena_get((arena), 1, sizeof(struct type)))
#define HD_ARRAY(arena, type, n) ((type *)hd_arena_get((arena), (n), sizeof(type)))

// A growing array while its final size is unknown: doubles, copies, stays in the arena's lifetime.
// `HD_PUSH(arena, ptr, n, cap)` makes room for element n and evaluates to its address.
void *hd_arena_grow(struct hd_arena *a, void *old, size_t n, size_t *cap, size_t size);
#define HD_PUSH(arena, ptr, n, cap)                                                                \
    ((ptr) = hd_arena_grow((arena), (ptr), (n), &(cap), sizeof *(ptr)), &(ptr)[(n)++])

#endif
