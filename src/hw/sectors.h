// sectors.h - the tag store of a cache whose lines are filled in sectors of 32 bytes.
//
// Each sector of a line is in at most one of three states: reserved (a fill is in flight), valid,
// or modified. A line with a reserved sector cannot be replaced, and one with a modified sector
// only while at least `dirty_limit` per cent of all lines have modified sectors. The line that has
// not been used for the longest time goes, among equals that of the lowest number. So that it need
// not be searched, the lines of each set are a list in the order in which they go: those without
// sectors, the highest number first, then the others. Cycles of uses must not fall.
//
// A store that misses fetches nothing: it modifies the sector, and a sector of which not all bytes
// were written is not readable until a read has fetched it. A sector that is stored to while its
// fill is in flight remembers what it is when the fill arrives.
//
// Tags only; which set an address belongs to is the owner's choice.
#ifndef HEDDLE_HW_SECTORS_H
#define HEDDLE_HW_SECTORS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SECTOR_BYTES 32
#define HD_SECTORS 4 // of a line
#define HD_SECTOR_LINE (HD_SECTORS * HD_SECTOR_BYTES)

enum hd_sector_result {
    HD_SECTOR_HIT,
    HD_SECTOR_PENDING, // a fill is in flight
    HD_SECTOR_MISS,    // the line has a place, its sector is not there
    HD_SECTOR_NO_LINE, // the line has no place; it can have one
    HD_SECTOR_BLOCKED, // it can have none
};

struct hd_sector_line {  // masks have a bit for each sector
    uint64_t addr, used; // of the line; cycle of its last use
    uint8_t reserved, valid, modified;
    uint8_t readable;                  // of those modified
    uint8_t will_modify, will_be_read; // of those stored to while reserved: when the fill arrives
    uint8_t owner;                     // warp slot that the line was placed for
    uint16_t chain;                    // next line of the same bucket
    uint16_t later, earlier;           // its neighbours in the order in which lines go
    uint32_t written[HD_SECTORS];      // bytes, by sector
};

struct hd_sectors {
    struct hd_sector_line
        *lines;        // sets x ways; from `ends` on one for each set: both ends of its list
    uint16_t *buckets; // lists of lines, by address
    uint32_t sets, ways, most_ways, bucket_mask, ends;
    uint32_t dirty, dirty_limit;  // lines with modified sectors; per cent
    struct hd_sector_line victim; // what the last placed line replaced; no sectors: nothing
};

// `sets` is a power of two.
void hd_sectors_init(struct hd_sectors *s, struct hd_arena *a, uint32_t sets, uint32_t ways,
                     uint32_t dirty_limit);
// Gives each set another number of ways, at most that of hd_sectors_init. All lines are lost.
void hd_sectors_resize(struct hd_sectors *s, uint32_t ways);
// Forgets all sectors that are not reserved.
void hd_sectors_forget(struct hd_sectors *s);
// For a set in which a find was BLOCKED. If a fill is on its way to any sector of the set, this
// does nothing and returns false. Otherwise sectors that are still reserved count as filled; if
// there are none, the oldest line with modified sectors may be replaced, whatever dirty_limit says.
// `coming` says whether a fill is on its way to the sector at an address.
bool hd_sectors_unblock(struct hd_sectors *s, uint32_t set,
                        bool (*coming)(const void *owner, uint64_t sector), const void *owner);

static inline uint64_t hd_sectors_line(uint64_t addr)
{
    return addr & ~(uint64_t)(HD_SECTOR_LINE - 1);
}
static inline uint64_t hd_sectors_base(uint64_t addr)
{
    return addr & ~(uint64_t)(HD_SECTOR_BYTES - 1);
}
// Looks for the sector of `addr`, for a store or for a load. *index is its line, or the one that
// would be replaced; without a line it is unchanged.
enum hd_sector_result hd_sectors_find(const struct hd_sectors *s, uint32_t set, uint64_t addr,
                                      bool store, uint32_t *index);
// The three below follow a find with this result and index, which must not be BLOCKED. They count
// as a use of the line.
//
void hd_sectors_make_last(struct hd_sectors *s, uint32_t index); // for hd_sectors_use
// A load hits.
static inline void hd_sectors_use(struct hd_sectors *s, uint32_t index, uint64_t cycle)
{
    s->lines[index].used = cycle;
    if (s->lines[index].later < s->ends) // else it is the last one to go already
        hd_sectors_make_last(s, index);
}
// A load misses, or waits for a fill in flight: the sector is reserved.
void hd_sectors_reserve(struct hd_sectors *s, enum hd_sector_result found, uint32_t index,
                        uint64_t addr, unsigned owner, uint64_t cycle);
// A store; bit i of `bytes` is byte i of the sector.
void hd_sectors_store(struct hd_sectors *s, enum hd_sector_result found, uint32_t index,
                      uint64_t addr, uint32_t bytes, unsigned owner, uint64_t cycle);
// A sector that was stored to counts as if all of its bytes were written.
void hd_sectors_set_readable(struct hd_sectors *s, uint32_t index, uint64_t addr);
// A sector that is there is modified, and stays readable (an atomic).
void hd_sectors_modify(struct hd_sectors *s, uint32_t index, uint64_t addr, uint32_t bytes);
// The sector of `addr` has arrived. Returns its line's index, or UINT32_MAX if the line has gone.
uint32_t hd_sectors_fill(struct hd_sectors *s, uint64_t addr);

#endif
