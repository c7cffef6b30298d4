// jitlog.h - what the options of a load or a link ask to be told.
#ifndef HEDDLE_CUDA_JITLOG_H
#define HEDDLE_CUDA_JITLOG_H

#include "base/diag.h"
#include "cuda/driver.h"

struct hd_jitlog {
    const CUjit_option *options;
    void **values; // a log's size is replaced by what was written
    unsigned n;
};

// Diagnostics go to the program's log if it gave one, else to people.
void hd_jitlog_tell(const struct hd_jitlog *l, const struct hd_diag *d);

#endif
