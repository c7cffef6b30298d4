// mshr.h - miss status holding registers: one entry per line in flight, requests merged into it.
//
// Invariants: an entry is either in the list of its line's bucket or in the free list. It lives
// from its first miss until the last merged request has been taken out with hd_mshr_next, one per
// cycle; it keeps its place although the line has arrived. Requests come out in the order in which
// they were merged, entries in the order in which their lines arrived. More may be merged while an
// entry is being emptied: the limit applies to those that are in it. An entry for a line that no
// access has requested yet (a prefetch) ends when the line arrives, unless a request was merged
// before.
#ifndef HEDDLE_HW_MSHR_H
#define HEDDLE_HW_MSHR_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_MSHR_BUCKETS 32
#define HD_MSHR_NIL UINT16_MAX

struct hd_mshr_entry {
    uint64_t line;
    uint16_t n, next; // merged requests, and how many were taken out
    uint16_t chain;   // next entry of its bucket; of a free one, next free
    bool ready;
    uint8_t parts; // of the line that have arrived, if it comes in several
};

struct hd_mshr {
    uint32_t ready_n, ready_head;
    uint16_t *ready; // FIFO of entries whose line has arrived: ready_n of them
    struct hd_mshr_entry *entries;
    uint32_t *merged; // n_entries x max_merge, requester's tokens
    uint32_t n_entries, max_merge, n_used;
    uint16_t free, buckets[HD_MSHR_BUCKETS]; // lists of entries; buckets by line
};

void hd_mshr_init(struct hd_mshr *m, struct hd_arena *a, uint32_t entries, uint32_t merges);
// Entry for the line, or -1.
int hd_mshr_find(const struct hd_mshr *m, uint64_t line);
// Whether a miss on this line could be accepted: merged into `found`, or given a new entry if found
// is -1.
bool hd_mshr_room(const struct hd_mshr *m, int found);
void hd_mshr_expect(struct hd_mshr *m, uint64_t line); // a new entry without a request
// Whether the entry's line was only prefetched.
static inline bool hd_mshr_unasked(const struct hd_mshr *m, int found)
{
    return !m->entries[found].n;
}
void hd_mshr_add(struct hd_mshr *m, int found, uint64_t line, uint32_t token);
// One of `all` parts of the line has arrived. True: it was the last.
bool hd_mshr_part(struct hd_mshr *m, uint64_t line, unsigned all);
// The line has arrived. False: no request waits for it, and its entry is gone.
bool hd_mshr_fill(struct hd_mshr *m, uint64_t line);
// Whether hd_mshr_next would find something.
static inline bool hd_mshr_pending(const struct hd_mshr *m)
{
    return m->ready_n != 0;
}
bool hd_mshr_next(struct hd_mshr *m, uint32_t *token);
// What hd_mshr_next would return, without taking it.
uint32_t hd_mshr_peek(const struct hd_mshr *m);

#endif
