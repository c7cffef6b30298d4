// replace.c - replacement policies by number. See replace.h.
#include "hw/replace.h"

const struct hd_replace *hd_replace_of(enum hd_replacement which)
{
#define ROW(NAME, name, help) [HD_REPLACE_##NAME] = &hd_replace_##name,
    static const struct hd_replace *const all[] = {HD_REPLACEMENTS(ROW)};
#undef ROW

    return all[which];
}
