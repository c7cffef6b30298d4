// palette.h - the colours of the classes of a scheduler's or a warp's cycles. Figures and the
// interactive part of a page take them from here, so that a class has the same colour everywhere.
// The colours also differ in lightness. On a dark page each class has another colour.
#ifndef HEDDLE_PRESENT_PALETTE_H
#define HEDDLE_PRESENT_PALETTE_H

#include "present/out.h"

// The colour of that class on a light page, "#00795a". NULL: the word has no colour of its own.
const char *hd_palette_colour(const char *word);
// Style sheet of a page: each colour as a variable (--issued), for light and dark, and bars of
// figures that have one.
void hd_palette_style(struct hd_out *o);

#endif
