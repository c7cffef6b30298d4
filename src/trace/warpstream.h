// warpstream.h - what a warp did, as two columns of bytes: its path, and its accesses.
//
// The first column alternates between counts and events: a number of plain instructions (all active
// lanes take part, the next instruction follows, the lanes stay), then one that is not plain, as a
// byte for how it differs and the numbers that it needs. A column ends after a count, so that it
// can be cut anywhere. The second column has an entry for each memory instruction and barrier, in
// order.
//
// Addresses are relative to the thread: those of a row are base + lane * stride; base and stride
// are predicted from the last time that this warp executed the instruction, and a correct
// prediction needs no byte. Both sides keep the same table of the past (hd_warpstream_site), by the
// PC's low bits.
//
// What follows from the program is not written (struct hd_tracecode): operation, width, target.
#ifndef HEDDLE_TRACE_WARPSTREAM_H
#define HEDDLE_TRACE_WARPSTREAM_H

#include "heddle/isrc.h"
#include "trace/pack.h"

enum hd_tracecode_kind {
    HD_TRACECODE_PLAIN,
    HD_TRACECODE_MEMORY,
    HD_TRACECODE_BARRIER,
};
struct hd_tracecode { // by PC: what the program determines of an instruction's entry
    uint8_t kind;
    uint8_t space; // HD_SPACE_GENERIC: it is in the entry
    uint8_t bytes, vec;
    uint8_t bar_op; // enum hd_bar_op
    bool branch;    // of the kinds that never set HD_EFF_JUMPED
    bool load;
    bool ends; // may end lanes
};
const struct hd_tracecode *hd_warpstream_code(struct hd_arena *a, const struct hd_program *p);

#define HD_WARPSTREAM_SITES 128
struct hd_warpstream_site {
    uint64_t base, step, stride; // modulo 2^64
};

struct hd_warpstream_out { // a warp being recorded
    struct hd_pack way, where;
    uint32_t plain; // counted, not written
    struct hd_warpstream_site sites[HD_WARPSTREAM_SITES];
};

struct hd_warpstream_in { // a warp being replayed
    uint32_t plain;       // still to come before the event, if there is one
    bool event;
    struct hd_unpack way, where;
    struct hd_warpstream_site sites[HD_WARPSTREAM_SITES];
};

// The warp was at pc with `lanes`, did what `e` describes, and has `next_lanes` now.
void hd_warpstream_put(struct hd_warpstream_out *s, const struct hd_tracecode *code, uint32_t pc,
                       uint32_t lanes, const struct hd_effects *e, uint32_t next_lanes);
// Writes the open count; then the columns may be cut.
void hd_warpstream_cut(struct hd_warpstream_out *s);
void hd_warpstream_start_out(struct hd_warpstream_out *s);

void hd_warpstream_start_in(struct hd_warpstream_in *s);
void hd_warpstream_feed(struct hd_warpstream_in *s, const uint8_t *way, size_t way_bytes,
                        const uint8_t *where, size_t where_bytes);
// HD_WARPSTREAM_MORE: nothing happened, the columns are at their end.
enum hd_warpstream_got { HD_WARPSTREAM_OK, HD_WARPSTREAM_MORE, HD_WARPSTREAM_BAD };
// Reads what hd_warpstream_put was given. code has n_insns entries; pc is one of them.
enum hd_warpstream_got hd_warpstream_get(struct hd_warpstream_in *s,
                                         const struct hd_tracecode *code, uint32_t n_insns,
                                         uint32_t pc, uint32_t lanes, struct hd_effects *e,
                                         uint32_t *next_lanes);
// A fast version for most instructions. False: nothing was read, it is not plain arithmetic.
static inline bool hd_warpstream_get_plain(struct hd_warpstream_in *s,
                                           const struct hd_tracecode *code, uint32_t n_insns,
                                           uint32_t pc)
{
    if (!s->plain || code[pc].kind != HD_TRACECODE_PLAIN || pc + 1 >= n_insns)
        return false;
    s->plain--;
    return true;
}

#endif
