// cache.h - a cache: tags, miss registers, a queue to the next level, counters, replacement.
//
// It depends neither on the SM nor on the network. Its owner chooses the set of an address, gives
// each reader a token, and empties `out`. An access is refused as a whole if anything it needs is
// missing, and changes only a counter; the owner tries again.
//
// Caches differ in when a new line gets its place (hd_cache_setup.allocate). If it does with the
// reply, tags never contain reserved lines and misses of a set never block it. If it does with the
// miss, a set refuses everything while all its ways wait for replies. Stores have different rules
// at every level: the owner implements them with hd_cache_find, hd_cache_admits and hd_cache_miss.
#ifndef HEDDLE_HW_CACHE_H
#define HEDDLE_HW_CACHE_H

#include "hw/mshr.h"
#include "hw/replace.h"
#include "hw/ring.h"
#include "hw/tags.h"

enum hd_cache_allocate { HD_ALLOCATE_ON_FILL, HD_ALLOCATE_ON_MISS };
enum hd_cache_answer {
    HD_CACHE_HIT,
    HD_CACHE_PENDING, // merged into a miss that is in flight
    HD_CACHE_MISS,
    HD_CACHE_REFUSED, // try again
};

// What an access lacked that was refused.
enum hd_cache_lack {
    HD_LACKS_QUEUE = 1,    // entries of `out`
    HD_LACKS_PLACE = 2,    // a line of its set that is not reserved
    HD_LACKS_REGISTER = 4, // a miss register, or room in the one of its line
    HD_LACKS_ANYTHING = HD_LACKS_QUEUE | HD_LACKS_PLACE | HD_LACKS_REGISTER,
};

// The cache's counters. `refused` counts every attempt; NULL: no such counter.
struct hd_cache_counters {
    uint64_t *accesses, *misses, *pending, *refused;
};

struct hd_cache_setup {
    uint32_t sets, ways, line; // line: bytes
    uint32_t mshrs, merges;    // 0: a cache that orders its misses itself (l1t)
    uint32_t queue;            // entries of `out`
    uint32_t room;             // free entries of `out` that a miss or merge of a read needs
    enum hd_cache_allocate allocate;
    enum hd_replacement replace;
    uint64_t seed;           // of replacement by random
    uint8_t parts;           // replies to a line's request
    bool astray;             // the tag of a write-back is the number of the line that came
    struct hd_req fill;      // a line's request, except for address and owner
    struct hd_req writeback; // the same for an evicted dirty line; counted for its owner
    struct hd_cache_counters count;
};

// Members of a set-up that the machine's configuration gives for a cache (heddle/config.h).
#define HD_CACHE_SHAPE(c)                                                                          \
    .sets = (c)->sets, .ways = (c)->ways, .line = (c)->line,                                       \
    .replace = (enum hd_replacement)(c)->replace
#define HD_CACHE_MISSES(c) .mshrs = (c)->mshrs, .merges = (c)->merges, .queue = (c)->miss_queue

// What its owner looks at in every cycle stands first: whether there is something to send, and
// whether a line has arrived.
struct hd_cache {
    _Alignas(64) struct hd_req_ring out; // misses, and what the owner appends to them
    struct hd_mshr mshr;
    struct hd_tags tags;
    const struct hd_replace *replace;
    struct hd_cache_counters count;
    uint32_t room;
    uint8_t allocate; // enum hd_cache_allocate
    uint8_t lacks;    // enum hd_cache_lack, after hd_cache_admits has answered false
    bool astray;      // as in hd_cache_setup
    uint8_t parts;    // replies to a line's request; its owner calls hd_cache_awaits for each
    uint64_t random;
    struct hd_req fill, writeback;
    struct hd_tag_line victim; // the line that the last placed one replaced; invalid: none
};

void hd_cache_init(struct hd_cache *c, struct hd_arena *a, const struct hd_cache_setup *s);

// Places the line of `addr` in the set, in `state`. At least one way must not be reserved. Returns
// the index; c->victim is the line that was there.
uint32_t hd_cache_place(struct hd_cache *c, uint32_t set, uint64_t addr, enum hd_tag_state state,
                        unsigned owner, uint64_t cycle);

// Whether every way of the set waits for a reply, so that it has no place for another line. Gives
// up lines that no reply will fill if the set has no others.
bool hd_cache_blocked(struct hd_cache *c, uint32_t set);
// Whether a miss could be accepted that needs `room` free entries of `out`. *entry is the miss
// register of the line, or -1 for a new one.
bool hd_cache_admits(struct hd_cache *c, enum hd_tag_result tag, uint32_t set, uint64_t addr,
                     uint32_t room, int *entry);
// Accepts an admitted miss: `token` is merged into the line's miss register. If there is none, the
// line is requested and, if places are given with the miss, gets one; a dirty victim is sent after
// the request. `tag` and `index` are hd_cache_find's results.
void hd_cache_miss(struct hd_cache *c, enum hd_tag_result tag, uint32_t set, uint32_t index,
                   uint64_t addr, int entry, uint32_t token, unsigned owner, uint64_t cycle);
// Requests a line for no reader (a prefetch), which is neither present nor in flight.
void hd_cache_expect(struct hd_cache *c, uint64_t line, unsigned owner);
// A reply to the request of the line of `addr` has come. True: others are still to come.
static inline bool hd_cache_awaits(struct hd_cache *c, uint64_t addr)
{
    return c->parts > 1 && !hd_mshr_part(&c->mshr, hd_tags_line(&c->tags, addr), c->parts);
}
// The line of `addr` has arrived. Returns its index. If places are given with the reply, the line
// is now valid; else it is the reserved line, whose state the owner sets, or UINT32_MAX if there is
// none any more. *asked: an access waits for it (may be NULL).
uint32_t hd_cache_fill(struct hd_cache *c, uint32_t set, uint64_t addr, uint64_t cycle,
                       bool *asked);
enum hd_cache_answer hd_cache_read_missed(struct hd_cache *c, enum hd_tag_result tag, uint32_t set,
                                          uint32_t index, uint64_t addr, uint32_t token,
                                          unsigned owner, uint64_t cycle);

static inline enum hd_tag_result hd_cache_find(const struct hd_cache *c, uint32_t set,
                                               uint64_t addr, uint32_t *index)
{
    return hd_tags_find(&c->tags, set, addr, index);
}
static inline void hd_cache_use(struct hd_cache *c, uint32_t index, uint64_t cycle)
{
    if (c->replace == &hd_replace_lru) // the usual one, without a call
        c->tags.lines[index].rank = cycle;
    else
        c->replace->used(&c->tags, index, cycle);
}
// A load's access: found, or accepted with its token, or refused. Counts it.
static inline enum hd_cache_answer hd_cache_read(struct hd_cache *c, uint32_t set, uint64_t addr,
                                                 uint32_t token, unsigned owner, uint64_t cycle)
{
    uint32_t index = UINT32_MAX;
    enum hd_tag_result tag = hd_tags_find(&c->tags, set, addr, &index);

    if (tag != HD_TAG_HIT)
        return hd_cache_read_missed(c, tag, set, index, addr, token, owner, cycle);
    ++*c->count.accesses;
    hd_cache_use(c, index, cycle);
    return HD_CACHE_HIT;
}

#endif
