// keep.h - one walk over what a block has, to measure it, to save it or to load it again.
#ifndef HEDDLE_EMU_KEEP_H
#define HEDDLE_EMU_KEEP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hd_keep {
    enum { HD_KEEP_MEASURE, HD_KEEP_SAVE, HD_KEEP_LOAD } what;
    uint8_t *at;
    size_t n; // bytes so far
};

static inline void hd_keep(struct hd_keep *k, void *p, size_t bytes)
{
    if (bytes && k->what == HD_KEEP_SAVE)
        memcpy(k->at + k->n, p, bytes);
    else if (bytes && k->what == HD_KEEP_LOAD)
        memcpy(p, k->at + k->n, bytes);
    k->n += bytes;
}

#endif
