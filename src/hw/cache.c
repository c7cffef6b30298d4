// cache.c - misses and fills of a cache. See cache.h.
#include "hw/cache.h"

void hd_cache_init(struct hd_cache *c, struct hd_arena *a, const struct hd_cache_setup *s)
{
    *c = (struct hd_cache){.replace = hd_replace_of(s->replace),
                           .count = s->count,
                           .room = s->room,
                           .allocate = (uint8_t)s->allocate,
                           .parts = s->parts,
                           .astray = s->astray,
                           .random = s->seed,
                           .fill = s->fill,
                           .writeback = s->writeback};
    hd_tags_init(&c->tags, a, s->sets, s->ways, s->line);
    if (s->mshrs)
        hd_mshr_init(&c->mshr, a, s->mshrs, s->merges);
    hd_req_ring_init(&c->out, a, s->queue);
}

// The highest-numbered invalid way is taken first, as GPGPU-Sim 3.2.2 does.
static uint32_t place_in(struct hd_cache *c, uint32_t set)
{
    uint32_t first = set * c->tags.ways, oldest = UINT32_MAX;
    uint64_t least = UINT64_MAX;

    for (uint32_t i = first + c->tags.ways; i-- > first;) {
        const struct hd_tag_line *l = &c->tags.lines[i];
        if (l->state == HD_LINE_INVALID)
            return i;
        if (l->state != HD_LINE_RESERVED && l->rank <= least) {
            least = l->rank;
            oldest = i;
        }
    }
    if (c->replace == &hd_replace_lru) // the usual one, without another look
        return oldest;
    return c->replace->victim(&c->tags, set, &c->random);
}

uint32_t hd_cache_place(struct hd_cache *c, uint32_t set, uint64_t addr, enum hd_tag_state state,
                        unsigned owner, uint64_t cycle)
{
    uint32_t index = place_in(c, set);
    struct hd_tag_line *l = &c->tags.lines[index];

    c->victim = *l;
    *l = (struct hd_tag_line){.addr = hd_tags_line(&c->tags, addr),
                              .state = (uint8_t)state,
                              .owner = (uint8_t)owner,
                              .written = l->written};
    c->replace->placed(&c->tags, index, cycle);
    return index;
}

// Whether a reply will fill a reserved line. It will not if the miss that reserved the line was
// merged into a miss register that was being emptied: its line had arrived, and was evicted before
// the last of its readers got it. Then nobody has asked for the line again.
static bool is_on_its_way(const struct hd_cache *c, uint64_t line)
{
    int entry = hd_mshr_find(&c->mshr, line);

    return entry >= 0 && !c->mshr.entries[entry].ready;
}

// As in GPGPU-Sim 3.2.2 (baseline_cache::send_read_request), a line that no reply will fill keeps
// its place until it is read again. In a set that has only such lines it would keep it for ever,
// because every other access is refused.
bool hd_cache_blocked(struct hd_cache *c, uint32_t set)
{
    struct hd_tag_line *lines = &c->tags.lines[set * c->tags.ways];

    if (!hd_tags_blocked(&c->tags, set))
        return false;
    for (uint32_t i = 0; i < c->tags.ways; i++)
        if (is_on_its_way(c, lines[i].addr))
            return true;
    for (uint32_t i = 0; i < c->tags.ways; i++)
        lines[i].state = HD_LINE_INVALID;
    return false;
}

bool hd_cache_admits(struct hd_cache *c, enum hd_tag_result tag, uint32_t set, uint64_t addr,
                     uint32_t room, int *entry)
{
    c->lacks = HD_LACKS_QUEUE;
    if (hd_req_ring_room(&c->out) < room)
        return false;
    c->lacks = HD_LACKS_PLACE;
    if (c->allocate == HD_ALLOCATE_ON_MISS && tag == HD_TAG_MISS && hd_cache_blocked(c, set))
        return false;
    c->lacks = HD_LACKS_REGISTER;
    *entry = hd_mshr_find(&c->mshr, hd_tags_line(&c->tags, addr));
    return hd_mshr_room(&c->mshr, *entry);
}

static void ask(struct hd_cache *c, uint64_t line, unsigned owner)
{
    struct hd_req r = c->fill;

    r.addr = line;
    r.owner = (uint8_t)owner;
    hd_req_ring_push(&c->out, r);
}

// `line` takes the place.
static void write_back(struct hd_cache *c, uint64_t line, unsigned owner)
{
    struct hd_req r = c->writeback;

    r.addr = c->victim.addr;
    r.tag = c->astray ? (uint32_t)(line >> c->tags.line_shift) : r.tag + owner;
    r.lanes = c->victim.written;
    r.owner = (uint8_t)owner;
    hd_req_ring_push(&c->out, r);
}

void hd_cache_miss(struct hd_cache *c, enum hd_tag_result tag, uint32_t set, uint32_t index,
                   uint64_t addr, int entry, uint32_t token, unsigned owner, uint64_t cycle)
{
    uint64_t line = hd_tags_line(&c->tags, addr);

    hd_mshr_add(&c->mshr, entry, line, token);
    if (entry < 0)
        ask(c, line, owner);
    c->victim.state = HD_LINE_INVALID;
    if (c->allocate == HD_ALLOCATE_ON_FILL)
        return;
    if (tag == HD_TAG_PENDING) {
        hd_cache_use(c, index, cycle);
        return;
    }
    hd_cache_place(c, set, line, HD_LINE_RESERVED, owner, cycle);
    if (c->victim.state == HD_LINE_DIRTY)
        write_back(c, line, owner);
}

enum hd_cache_answer hd_cache_read_missed(struct hd_cache *c, enum hd_tag_result tag, uint32_t set,
                                          uint32_t index, uint64_t addr, uint32_t token,
                                          unsigned owner, uint64_t cycle)
{
    int entry;

    if (!hd_cache_admits(c, tag, set, addr, c->room, &entry)) {
        ++*c->count.refused;
        return HD_CACHE_REFUSED;
    }
    ++*c->count.accesses;
    ++*(tag == HD_TAG_PENDING ? c->count.pending : c->count.misses);
    hd_cache_miss(c, tag, set, index, addr, entry, token, owner, cycle);
    return tag == HD_TAG_PENDING ? HD_CACHE_PENDING : HD_CACHE_MISS;
}

void hd_cache_expect(struct hd_cache *c, uint64_t line, unsigned owner)
{
    hd_mshr_expect(&c->mshr, line);
    ask(c, line, owner);
}

uint32_t hd_cache_fill(struct hd_cache *c, uint32_t set, uint64_t addr, uint64_t cycle, bool *asked)
{
    uint32_t index = UINT32_MAX;
    enum hd_tag_result tag = hd_tags_find(&c->tags, set, addr, &index);
    bool wanted = hd_mshr_fill(&c->mshr, hd_tags_line(&c->tags, addr));

    if (asked)
        *asked = wanted;
    if (c->allocate == HD_ALLOCATE_ON_FILL) {
        if (tag == HD_TAG_MISS)
            return hd_cache_place(c, set, addr, HD_LINE_VALID, 0, cycle);
        hd_cache_use(c, index, cycle);
        return index;
    }
    return tag == HD_TAG_PENDING ? index : UINT32_MAX;
}
