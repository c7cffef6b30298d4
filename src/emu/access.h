// access.h - the loops over 32 lanes that memory instructions need: addresses, loads, stores.
//
// access.c is compiled once per host vector width, like lane_loops.h; all builds give the same
// results. Nothing here checks anything: address.c decides which addresses may be accessed.
#ifndef HEDDLE_EMU_ACCESS_H
#define HEDDLE_EMU_ACCESS_H

#include "emu/lanes.h"

// How the addresses of the lanes are related.
enum hd_access_pattern {
    HD_ACCESS_SCATTERED,
    HD_ACCESS_SAME, // one address for all
    HD_ACCESS_ROW,  // all lanes take part, with consecutive elements
};

// Properties of the addresses of the lanes that take part. An address that is not a multiple of the
// access's size sets a bit in `low_bits`.
struct hd_access_sum {
    uint64_t low, high, low_bits; // least, greatest
    unsigned pattern;
};

// The addresses of an instruction as offsets from the lowest one.
struct hd_access_near {
    uint64_t low;
    uint32_t span;        // greatest offset
    uint32_t low_bits;    // as in hd_access_sum
    unsigned pattern;     // enum hd_access_pattern
    int32_t at[HD_LANES]; // offsets; undefined where the pattern is enough
};

// How an element fills a register: log2 of its bytes, plus these
#define HD_ACCESS_SIGNED 4 // sign-extended, otherwise zero-extended
#define HD_ACCESS_WIDE 8   // the register has 64 bits, the element fewer

struct hd_access_ops {
    // Zeros into `n` rows of 128 bytes.
    void (*zero)(void *rows, size_t n);
    // addr[l] = address register + offset. Lanes outside `lanes` get the address of one inside.
    void (*addresses)(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                      uint64_t offset, unsigned bytes, uint64_t addr[HD_LANES],
                      struct hd_access_sum *sum);
    // at[l] = base + (addr[l] - start) + l * stride
    void (*place)(uint8_t *base, uint64_t start, uint64_t stride, const uint64_t addr[HD_LANES],
                  uint8_t *at[HD_LANES]);
    // Loads elements at at[l] + offset, which must be readable for all lanes, into the row for
    // those of `lanes`.
    void (*load)(unsigned kind, unsigned pattern, uint8_t *const at[HD_LANES], unsigned offset,
                 uint32_t lanes, uint32_t *row);
    // Stores the row's elements to at[l] + offset, in the order of the lanes. True if any byte
    // there changed.
    bool (*store)(unsigned kind, unsigned pattern, uint8_t *const at[HD_LANES], unsigned offset,
                  uint32_t lanes, const uint32_t *row);
    // The same for `bytes` bytes of each lane, which are consecutive in `from`.
    bool (*copy)(unsigned pattern, uint8_t *const at[HD_LANES], uint32_t lanes, unsigned bytes,
                 const uint8_t *from);

    // For runs without timing, which need no list of addresses: does what `addresses` does, in
    // fewer instructions. False if the addresses are not within 2^31 bytes. `lanes` is not 0.
    bool (*near)(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                 uint64_t offset, unsigned bytes, struct hd_access_near *n);
    // Adds l * stride to lane l's offset. Afterwards the pattern is SCATTERED.
    void (*spread)(struct hd_access_near *n, unsigned bytes, uint32_t stride);
    // `load` and `store` at base + at[l]. ROW is only for elements that fill the register. Only
    // SCATTERED, and SAME for loads, may have an offset or other kinds.
    void (*load_near)(unsigned kind, unsigned pattern, const uint8_t *base,
                      const int32_t at[HD_LANES], uint32_t lanes, uint32_t *row);
    bool (*store_near)(unsigned kind, unsigned pattern, uint8_t *base, const int32_t at[HD_LANES],
                       uint32_t lanes, const uint32_t *row);
};

extern const struct hd_access_ops hd_access_baseline, hd_access_avx2, hd_access_avx512;

// The table of the same build as hd_lanes_pick's.
const struct hd_access_ops *hd_access_pick(void);

// access_check.c. Whether two builds do the same for a fixed choice of addresses, elements and
// lanes.
struct hd_whole_ops;
bool hd_access_same(const struct hd_access_ops *const access[2],
                    const struct hd_whole_ops *const whole[2]);

#endif
