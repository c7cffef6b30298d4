// reuseoptions.h - options of the analyser as text:
// "loads,warps=sm,pairs=1000,memory=64M,above=20".
#ifndef HEDDLE_REUSE_REUSEOPTIONS_H
#define HEDDLE_REUSE_REUSEOPTIONS_H

#include "reuse/reuse.h"

#define HD_REUSEOPTIONS_WARPS "block or sm"
#define HD_REUSEOPTIONS_MEMORY "a size from 1 on, such as 512M or 2G"
#define HD_REUSEOPTIONS_PAIRS_MOST 1000000000
#define HD_REUSEOPTIONS_ABOVE_MOST 99

// The defaults, without the sizes of a machine.
struct hd_reuse_options hd_reuseoptions_default(void);
// Each of these reads one value, or several words in the form above. False if it is wrong.
bool hd_reuseoptions_warps(struct hd_reuse_options *o, const char *value);
bool hd_reuseoptions_memory(struct hd_reuse_options *o, const char *value);
bool hd_reuseoptions_read(struct hd_reuse_options *o, const char *words);
// The same in that form.
const char *hd_reuseoptions_words(const struct hd_reuse_options *o, struct hd_arena *a);

#endif
