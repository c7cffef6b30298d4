// jitlog.h - what the options of a load or a link ask to be told.
#ifndef HEDDLE_CUDA_CODE_JITLOG_H
#define HEDDLE_CUDA_CODE_JITLOG_H

#include "base/diag.h"
#include "cuda/abi/driver.h"

enum hd_jitlog_kind { HD_JITLOG_INFO, HD_JITLOG_ERROR, HD_N_JITLOGS };

// The program's buffers. The value that has a buffer's size when the log begins has the number of
// bytes written later: sizes are read once. A link writes one message after the other.
struct hd_jitlog {
    const CUjit_option *options;
    void **values;
    unsigned n;
    struct {
        char *to;
        size_t room, used;
    } logs[HD_N_JITLOGS];
};

struct hd_jitlog hd_jitlog_begin(const CUjit_option *options, void **values, unsigned n);
// Diagnostics go to the program's log if it gave one, else to people.
void hd_jitlog_tell(struct hd_jitlog *l, const struct hd_diag *d);

#endif
