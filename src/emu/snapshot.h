// snapshot.h - one walk over the state of a block or a warp: to measure it, to save it, to load it
// again, or to compare it with a saved state.
#ifndef HEDDLE_EMU_SNAPSHOT_H
#define HEDDLE_EMU_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hd_snapshot {
    enum { HD_SNAPSHOT_MEASURE, HD_SNAPSHOT_SAVE, HD_SNAPSHOT_LOAD, HD_SNAPSHOT_COMPARE } what;
    uint8_t *at;
    size_t n; // bytes so far
    // HD_SNAPSHOT_COMPARE: the first byte that differs and the saved one; NULL: none so far. Later
    // parts are then not compared, so whatever decides the size of the state must come first.
    const uint8_t *now, *then;
};

static inline void hd_snapshot_part(struct hd_snapshot *k, void *p, size_t bytes)
{
    if (bytes && k->what == HD_SNAPSHOT_SAVE) {
        memcpy(k->at + k->n, p, bytes);
    } else if (bytes && k->what == HD_SNAPSHOT_LOAD) {
        memcpy(p, k->at + k->n, bytes);
    } else if (bytes && k->what == HD_SNAPSHOT_COMPARE && !k->now &&
               memcmp(p, k->at + k->n, bytes)) {
        k->now = p;
        k->then = k->at + k->n;
        while (*k->now == *k->then) {
            k->now++;
            k->then++;
        }
    }
    k->n += bytes;
}

struct hd_emu_sm;
// Everything that decides what a warp does next, except memory that others share with it and its
// block's barriers. The state stays in place, so hd_snapshot.now may be read again later.
void hd_snapshot_warp(struct hd_emu_sm *sm, unsigned slot, struct hd_snapshot *k);

#endif
