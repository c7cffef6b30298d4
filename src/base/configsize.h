// configsize.h - "l1d.size = 16K": a cache's bytes, from which its number of sets follows.
//
// Ways and lines are keys of their own and may come after the size, so the sets are computed when
// everything has been read. If both `size` and `sets` are given, the last one counts.
#ifndef HEDDLE_BASE_CONFIGSIZE_H
#define HEDDLE_BASE_CONFIGSIZE_H

#include "base/diag.h"
#include "heddle/config.h"
#include "heddle/field.h"

#define HD_CONFIG_CACHES 5

struct hd_configsize { // what was given
    uint64_t bytes;    // 0: nothing; the sets do not change
    const char *file;  // NULL: the command line
    uint32_t line;
};
struct hd_configsizes {
    struct hd_configsize of[HD_CONFIG_CACHES];
};

// The row of the section's size, for its help and range; NULL: the section is no cache.
const struct hd_field *hd_configsize_row(const char *section);
// False after a diagnostic.
bool hd_configsize_set(struct hd_configsizes *s, const char *section, const char *value,
                       struct hd_diag *d, const char *file, uint32_t line);
// Called when the section's sets were given.
void hd_configsize_forget(struct hd_configsizes *s, const char *section);
// Computes sets from sizes. False after a diagnostic: no power of two of sets makes that size.
bool hd_configsize_apply(const struct hd_configsizes *s, struct hd_config *c, struct hd_diag *d);

#endif
