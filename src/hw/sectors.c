// sectors.c - finding, replacing and filling the sectors of a cache. See sectors.h.
#include "hw/sectors.h"

#include "base/bug.h"

#include <string.h>

#define NIL UINT16_MAX

static uint8_t bit_of(uint64_t addr)
{
    return (uint8_t)(1U << (addr / HD_SECTOR_BYTES % HD_SECTORS));
}

// The lines of an L2 bank have several bits of their addresses in common, so all bits take part
// (Fibonacci hashing: the factor is 2^64 divided by the golden ratio).
static uint16_t *bucket_of(const struct hd_sectors *s, uint64_t addr)
{
    uint64_t line = addr / HD_SECTOR_LINE;

    return &s->buckets[line * UINT64_C(0x9E3779B97F4A7C15) >> 32 & s->bucket_mask];
}

static bool is_empty(const struct hd_sector_line *l)
{
    return !(l->reserved | l->valid | l->modified);
}

// ---- The order in which the lines of a set go

static void take_out(struct hd_sectors *s, uint32_t index)
{
    const struct hd_sector_line *l = &s->lines[index];

    s->lines[l->earlier].later = l->later;
    s->lines[l->later].earlier = l->earlier;
}

static void insert_after(struct hd_sectors *s, uint32_t at, uint32_t index)
{
    struct hd_sector_line *l = &s->lines[index];

    l->earlier = (uint16_t)at;
    l->later = s->lines[at].later;
    s->lines[l->later].earlier = (uint16_t)index;
    s->lines[at].later = (uint16_t)index;
}

// Among lines that were used in the same cycle the one of the lowest number goes first.
void hd_sectors_make_last(struct hd_sectors *s, uint32_t index)
{
    uint32_t at = s->lines[s->ends + index / s->ways].earlier;
    uint64_t cycle = s->lines[index].used;

    while (at < s->ends && at > index && s->lines[at].used == cycle && !is_empty(&s->lines[at]))
        at = s->lines[at].earlier;
    if (at == index)
        return;
    take_out(s, index);
    insert_after(s, at, index);
}

// Lines that have become empty go before all others. They are put in front in rising order.
static void put_empty_first(struct hd_sectors *s, uint32_t set)
{
    for (uint32_t i = set * s->ways; i < (set + 1) * s->ways; i++)
        if (is_empty(&s->lines[i])) {
            take_out(s, i);
            insert_after(s, s->ends + set, i);
        }
}

static void clear(struct hd_sectors *s)
{
    memset(s->lines, 0, (size_t)s->sets * s->ways * sizeof *s->lines);
    for (uint32_t i = 0; i <= s->bucket_mask; i++)
        s->buckets[i] = NIL;
    for (uint32_t set = 0; set < s->sets; set++) {
        uint32_t end = s->ends + set;
        s->lines[end].earlier = s->lines[end].later = (uint16_t)end;
        for (uint32_t i = set * s->ways; i < (set + 1) * s->ways; i++)
            insert_after(s, end, i);
    }
    s->dirty = 0;
}

void hd_sectors_init(struct hd_sectors *s, struct hd_arena *a, uint32_t sets, uint32_t ways,
                     uint32_t dirty_limit)
{
    uint32_t buckets = 1;

    HD_BUG_IF(!sets || (sets & (sets - 1)) || (uint64_t)sets * (ways + 1) >= NIL,
              "%u sets of %u lines with sectors", sets, ways);
    while (buckets < sets * ways)
        buckets *= 2;
    *s = (struct hd_sectors){.lines = HD_ARRAY(a, struct hd_sector_line, (size_t)sets * (ways + 1)),
                             .buckets = HD_ARRAY(a, uint16_t, buckets),
                             .sets = sets,
                             .ways = ways,
                             .most_ways = ways,
                             .bucket_mask = buckets - 1,
                             .ends = sets * ways,
                             .dirty_limit = dirty_limit};
    clear(s);
}

void hd_sectors_resize(struct hd_sectors *s, uint32_t ways)
{
    HD_BUG_IF(!ways || ways > s->most_ways, "%u ways, of at most %u", ways, s->most_ways);
    s->ways = ways;
    clear(s);
}

static void link_line(struct hd_sectors *s, uint32_t index)
{
    uint16_t *first = bucket_of(s, s->lines[index].addr);

    s->lines[index].chain = *first;
    *first = (uint16_t)index;
}

static void unlink_line(struct hd_sectors *s, uint32_t index)
{
    uint16_t *at = bucket_of(s, s->lines[index].addr);

    while (*at != index)
        at = &s->lines[*at].chain;
    *at = s->lines[index].chain;
}

void hd_sectors_forget(struct hd_sectors *s)
{
    for (uint32_t i = 0; i < s->sets * s->ways; i++) {
        struct hd_sector_line *l = &s->lines[i];
        if (is_empty(l))
            continue;
        l->valid = l->modified = 0;
        if (!l->reserved)
            unlink_line(s, i);
    }
    for (uint32_t set = 0; set < s->sets; set++)
        put_empty_first(s, set);
    s->dirty = 0;
}

// The line that goes; UINT32_MAX: none may go.
static uint32_t place_in(const struct hd_sectors *s, uint32_t set)
{
    bool dirty_goes = s->dirty * 100 >= s->dirty_limit * s->sets * s->ways;

    for (uint32_t i = s->lines[s->ends + set].later; i < s->ends; i = s->lines[i].later) {
        const struct hd_sector_line *l = &s->lines[i];
        if (!l->reserved && (!l->modified || dirty_goes))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t line_of(const struct hd_sectors *s, uint64_t addr)
{
    uint64_t line = hd_sectors_line(addr);
    uint16_t i = *bucket_of(s, addr);

    while (i != NIL && s->lines[i].addr != line)
        i = s->lines[i].chain;
    return i == NIL ? UINT32_MAX : i;
}

enum hd_sector_result hd_sectors_find(const struct hd_sectors *s, uint32_t set, uint64_t addr,
                                      bool store, uint32_t *index)
{
    uint32_t i = line_of(s, addr);
    uint8_t bit = bit_of(addr);
    const struct hd_sector_line *l;

    if (i == UINT32_MAX) {
        i = place_in(s, set);
        if (i == UINT32_MAX)
            return HD_SECTOR_BLOCKED;
        *index = i;
        return HD_SECTOR_NO_LINE;
    }
    l = &s->lines[i];
    *index = i;
    if (l->reserved & bit)
        return HD_SECTOR_PENDING;
    if ((l->valid | (store ? l->modified : l->modified & l->readable)) & bit)
        return HD_SECTOR_HIT;
    return HD_SECTOR_MISS;
}

// A line without sectors takes the place of what is there.
static void place(struct hd_sectors *s, uint32_t index, uint64_t addr, unsigned owner)
{
    struct hd_sector_line *l = &s->lines[index];

    s->victim = *l;
    if (!is_empty(l))
        unlink_line(s, index);
    s->dirty -= l->modified != 0;
    *l = (struct hd_sector_line){.addr = hd_sectors_line(addr),
                                 .owner = (uint8_t)owner,
                                 .later = l->later,
                                 .earlier = l->earlier};
    link_line(s, index);
}

static void begin(struct hd_sectors *s, enum hd_sector_result found, uint32_t index, uint64_t addr,
                  unsigned owner, uint64_t cycle)
{
    s->victim.valid = s->victim.modified = 0;
    if (found == HD_SECTOR_NO_LINE)
        place(s, index, addr, owner);
    hd_sectors_use(s, index, cycle);
}

void hd_sectors_reserve(struct hd_sectors *s, enum hd_sector_result found, uint32_t index,
                        uint64_t addr, unsigned owner, uint64_t cycle)
{
    struct hd_sector_line *l = &s->lines[index];
    uint8_t bit = bit_of(addr);

    begin(s, found, index, addr, owner, cycle);
    if (found == HD_SECTOR_PENDING)
        return;
    l->will_be_read &= (uint8_t)~bit;
    l->will_modify = (uint8_t)((l->will_modify & ~bit) | (l->modified & bit));
    s->dirty -= l->modified == bit;
    l->modified &= (uint8_t)~bit;
    l->readable |= bit;
    l->reserved |= bit;
}

static void set_modified(struct hd_sectors *s, struct hd_sector_line *l, uint8_t bit)
{
    s->dirty += !l->modified;
    l->modified |= bit;
    l->valid &= (uint8_t)~bit;
    l->reserved &= (uint8_t)~bit;
}

void hd_sectors_store(struct hd_sectors *s, enum hd_sector_result found, uint32_t index,
                      uint64_t addr, uint32_t bytes, unsigned owner, uint64_t cycle)
{
    struct hd_sector_line *l = &s->lines[index];
    unsigned sector = (unsigned)(addr / HD_SECTOR_BYTES % HD_SECTORS);
    uint8_t bit = bit_of(addr);

    begin(s, found, index, addr, owner, cycle);
    if (found == HD_SECTOR_HIT) {
        l->readable |= l->valid & bit;
    } else {
        l->readable &= (uint8_t)~bit;
        if (found == HD_SECTOR_PENDING) {
            l->will_modify |= bit;
            l->will_be_read |= bytes == UINT32_MAX ? 0 : bit;
        }
    }
    set_modified(s, l, bit);
    l->written[sector] |= bytes;
    if (l->written[sector] == UINT32_MAX)
        l->readable |= bit;
}

void hd_sectors_set_readable(struct hd_sectors *s, uint32_t index, uint64_t addr)
{
    s->lines[index].readable |= bit_of(addr);
}

void hd_sectors_modify(struct hd_sectors *s, uint32_t index, uint64_t addr, uint32_t bytes)
{
    struct hd_sector_line *l = &s->lines[index];
    uint8_t bit = bit_of(addr);

    l->readable |= l->valid & bit;
    set_modified(s, l, bit);
    l->written[addr / HD_SECTOR_BYTES % HD_SECTORS] |= bytes;
}

uint32_t hd_sectors_fill(struct hd_sectors *s, uint64_t addr)
{
    uint32_t index = line_of(s, addr);
    uint8_t bit = bit_of(addr);
    struct hd_sector_line *l;

    if (index == UINT32_MAX)
        return UINT32_MAX;
    l = &s->lines[index];
    if ((l->reserved & bit) && !(l->will_modify & bit)) {
        l->reserved &= (uint8_t)~bit;
        l->valid |= bit;
    } else if ((l->reserved | l->modified) & bit) {
        set_modified(s, l, bit);
        l->readable |= l->will_be_read & bit;
    }
    l->will_be_read &= (uint8_t)~bit;
    return index;
}

static uint64_t sector_at(const struct hd_sector_line *l, int sector)
{
    return l->addr + (uint64_t)sector * HD_SECTOR_BYTES;
}

// Counts what is modified as valid, so that place_in finds the line.
static bool let_go(struct hd_sectors *s, uint32_t set)
{
    for (uint32_t i = s->lines[s->ends + set].later; i < s->ends; i = s->lines[i].later) {
        struct hd_sector_line *l = &s->lines[i];
        if (l->reserved || !l->modified)
            continue;
        l->valid |= l->modified;
        l->modified = 0;
        s->dirty--;
        return true;
    }
    return false;
}

bool hd_sectors_unblock(struct hd_sectors *s, uint32_t set,
                        bool (*coming)(const void *owner, uint64_t sector), const void *owner)
{
    const struct hd_sector_line *first = &s->lines[set * s->ways], *l;
    bool reserved = false;

    for (l = first; l < first + s->ways; l++)
        for (int i = 0; i < HD_SECTORS; i++)
            if (l->reserved >> i & 1 && coming(owner, sector_at(l, i)))
                return false;
    for (l = first; l < first + s->ways; l++)
        for (int i = 0; i < HD_SECTORS; i++)
            if (l->reserved >> i & 1) {
                hd_sectors_fill(s, sector_at(l, i));
                reserved = true;
            }
    return reserved || let_go(s, set);
}
