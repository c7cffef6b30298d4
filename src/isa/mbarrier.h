// mbarrier.h - the contents of an mbarrier object: 64 bits of shared memory that are opaque to
// programs (PTX ISA 9.0, 9.7.13.15).
//
//   bits  0-19  arrivals for which the current phase still waits
//        20-39  arrivals for which the next phase will wait
//        40-60  bytes that the current phase still waits for, in two's complement
//        61     parity of the current phase
//        62-63  HD_MBAR_MARK: the object was initialised
//
// The state that an arrival returns is the object as it was before the arrival.
#ifndef HEDDLE_ISA_MBARRIER_H
#define HEDDLE_ISA_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

#define HD_MBAR_MOST 0xfffff // arrivals; bytes, in both directions
#define HD_MBAR_MARK 2

struct hd_mbarrier {
    uint32_t pending, expected;
    int32_t bytes;
    bool parity, valid;
};

static inline struct hd_mbarrier hd_mbarrier_of(uint64_t object)
{
    uint32_t bytes = (uint32_t)(object >> 40) & 0x1fffff;

    return (struct hd_mbarrier){.pending = (uint32_t)object & HD_MBAR_MOST,
                                .expected = (uint32_t)(object >> 20) & HD_MBAR_MOST,
                                .bytes = (int32_t)bytes - (bytes >> 20 ? 0x200000 : 0),
                                .parity = object >> 61 & 1,
                                .valid = object >> 62 == HD_MBAR_MARK};
}

static inline uint64_t hd_mbarrier_object(const struct hd_mbarrier *b)
{
    return b->pending | (uint64_t)b->expected << 20 |
           (uint64_t)((uint32_t)b->bytes & 0x1fffff) << 40 | (uint64_t)b->parity << 61 |
           (uint64_t)HD_MBAR_MARK << 62;
}

#endif
