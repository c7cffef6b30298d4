// replace.h - replacement: which line of a set a cache gives up for a new one.
//
// A replacement policy is one file, replace_NAME.c, which defines the table hd_replace_NAME. A row
// in HD_REPLACEMENTS below makes it available by name (`l1d.replace = NAME`). It stores its data
// for a line in hd_tag_line.rank and shares nothing else with the cache. It must depend only on its
// arguments, so that runs can be repeated.
#ifndef HEDDLE_HW_REPLACE_H
#define HEDDLE_HW_REPLACE_H

#include "heddle/config.h"
#include "hw/tags.h"

struct hd_replace {
    const char *name;
    // An access found the line at `index`.
    void (*used)(struct hd_tags *t, uint32_t index, uint64_t cycle);
    // The line at `index` has just been given to another address.
    void (*placed)(struct hd_tags *t, uint32_t index, uint64_t cycle);
    // Chooses the line of the set to be replaced: one that is neither invalid nor reserved. The
    // cache guarantees that there is one and that no way is invalid. `*random` is a word that
    // belongs to the cache, seeded by the machine file, for policies that choose at random.
    uint32_t (*victim)(struct hd_tags *t, uint32_t set, uint64_t *random);
};

#define HD_REPLACE_DECLARE(NAME, name, help) extern const struct hd_replace hd_replace_##name;
HD_REPLACEMENTS(HD_REPLACE_DECLARE)
#undef HD_REPLACE_DECLARE

const struct hd_replace *hd_replace_of(enum hd_replacement which);

#endif
