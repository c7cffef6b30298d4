// jitlog.h - the log buffers that a program passes in the options of a load or a link.
#ifndef HEDDLE_CUDA_CODE_JITLOG_H
#define HEDDLE_CUDA_CODE_JITLOG_H

#include "base/diag.h"
#include "cuda/abi/driver.h"

enum hd_jitlog_kind { HD_JITLOG_INFO, HD_JITLOG_ERROR, HD_N_JITLOGS };

// The program's buffers. The option value that contains a buffer's size when the log begins
// receives the number of bytes written later, so sizes are read only once. A link appends one
// message after the other.
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
// Diagnostics go to the program's log if it gave one, else to standard error.
void hd_jitlog_tell(struct hd_jitlog *l, const struct hd_diag *d);

#endif
