// configsource.h - what a machine file says about where a number comes from: the comments of its
// lines.
#ifndef HEDDLE_BASE_CONFIGSOURCE_H
#define HEDDLE_BASE_CONFIGSOURCE_H

#include "base/config.h"

struct hd_configsource {
    const char *file; // NULL: no file sets the key
    uint32_t line;
    const char *text; // "" if the file gives no source
};

// The source of "section.key", from the last of the lines that sets it. Its text is the comment on
// that line. Keys of one class ("mma.int", "mma.fp32") on neighbouring lines share their comments,
// joined in order, so that a sentence may go on; a key without any has the comment after the
// section's head. For a line of another reader's it is that reader's text.
struct hd_configsource hd_configsource_find(struct hd_arena *a, const struct hd_config_line *lines,
                                            size_t n, const char *key);

#endif
