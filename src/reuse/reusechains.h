// reusechains.h - chains of units with high reuse (LASER, Table 2), in two readings, because the
// paper does not say what a chain is.
//
// COMPONENT: units that are linked by pairs with a ratio above 0.4, in either order, directly or
// through others. PATH: from a unit to that unit launched later which reuses most of it, and so on,
// while there is one with a ratio above 0.4. A chain has at least two units. Units are numbered in
// the order in which they were launched.
#ifndef HEDDLE_REUSE_REUSECHAINS_H
#define HEDDLE_REUSE_REUSECHAINS_H

#include "reuse/reusestore.h"

struct hd_reusechains_unit;

struct hd_reusechains {
    struct hd_reusechains_unit *units;
    uint64_t cap;
    uint64_t n; // units up to the last one with a link
};

struct hd_reusechains_result {
    uint64_t chains; // paths: units from which a path begins
    uint64_t units;  // in all chains together; the mean length is units / chains
    uint64_t longest;
};

// R(x|y), part of whole, is high: x reuses y's lines.
void hd_reusechains_link(struct hd_reusechains *c, struct hd_reusestore *s, uint64_t x, uint64_t y,
                         uint64_t part, uint64_t whole);
// Bytes that a link to this unit would take.
uint64_t hd_reusechains_needs(const struct hd_reusechains *c, uint64_t unit);
// Path lengths take room of their own.
void hd_reusechains_result(const struct hd_reusechains *c, struct hd_reusechains_result *component,
                           struct hd_reusechains_result *path);
void hd_reusechains_drop(struct hd_reusechains *c, struct hd_reusestore *s);

#endif
