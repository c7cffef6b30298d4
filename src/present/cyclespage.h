// cyclespage.h - the interactive part of a page: warps and schedulers over time. Its style and its
// script are the files of src/present/page; the script writes all of it from the data.
#ifndef HEDDLE_PRESENT_CYCLESPAGE_H
#define HEDDLE_PRESENT_CYCLESPAGE_H

#include "present/out.h"

void hd_cyclespage_style(struct hd_out *o); // inside a <style> element
// `data`: JSON in which '<' stands only as an escape.
void hd_cyclespage_add(const char *data, struct hd_out *o);

#endif
