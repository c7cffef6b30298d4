// keep.h - one walk over what a block or a warp has, to measure it, to save it, to load it again,
// or to compare it with what was saved.
#ifndef HEDDLE_EMU_KEEP_H
#define HEDDLE_EMU_KEEP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hd_keep {
    enum { HD_KEEP_MEASURE, HD_KEEP_SAVE, HD_KEEP_LOAD, HD_KEEP_COMPARE } what;
    uint8_t *at;
    size_t n; // bytes so far
    // HD_KEEP_COMPARE: the first byte that differs and the saved one; NULL: none so far. What is
    // walked over later is not compared, so what decides about its size must come first.
    const uint8_t *now, *then;
};

static inline void hd_keep(struct hd_keep *k, void *p, size_t bytes)
{
    if (bytes && k->what == HD_KEEP_SAVE) {
        memcpy(k->at + k->n, p, bytes);
    } else if (bytes && k->what == HD_KEEP_LOAD) {
        memcpy(p, k->at + k->n, bytes);
    } else if (bytes && k->what == HD_KEEP_COMPARE && !k->now && memcmp(p, k->at + k->n, bytes)) {
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
// All that decides what a warp does next, except memory that others share with it and its block's
// barriers. It stays at the same place, so that hd_keep.now may be looked at again.
void hd_keep_warp(struct hd_emu_sm *sm, unsigned slot, struct hd_keep *k);

#endif
