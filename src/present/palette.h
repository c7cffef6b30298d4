// palette.h - colours that mean something: where a scheduler's or a warp's cycle went. Figures and
// the interactive part of a page take them from here, so that a class has one colour everywhere.
// They differ in lightness, too; on a dark page each has another one.
#ifndef HEDDLE_PRESENT_PALETTE_H
#define HEDDLE_PRESENT_PALETTE_H

#include "present/out.h"

// The colour of that class on a light page, "#00795a". NULL: the word has no colour of its own.
const char *hd_palette_colour(const char *word);
// Style sheet of a page: each colour as a variable (--issued), for light and dark, and bars of
// figures that have one.
void hd_palette_style(struct hd_out *o);

#endif
