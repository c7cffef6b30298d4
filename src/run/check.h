// check.h - a buffer of a finished run compared with what it was expected to hold.
//
// A job's `check` line and a workload's expected arrays use the same record, which contains the
// request and its result. It does not depend on machines: workloads built for NVIDIA's driver
// compare their results with it too.
#ifndef HEDDLE_RUN_CHECK_H
#define HEDDLE_RUN_CHECK_H

#include <stdint.h>

enum hd_check_way { HD_CHECK_EXACT, HD_CHECK_F32, HD_CHECK_F64 };

struct hd_check {
    const char *name; // of the buffer
    uint32_t line;    // of the job file that asks for it; 0 if no file does
    enum hd_check_way way;
    uint64_t bytes;
    double tolerance;
    const void *expected;

    // Filled by hd_check_compare.
    uint64_t elements, differ;
    uint64_t first;                     // element of the first difference; 0 if there is none
    char got_text[48], wanted_text[48]; // of that element
};

// Compare `bytes` at `got`. Elements are 4-byte words for EXACT (single bytes if `bytes` is not a
// multiple of 4), floats for F32, doubles for F64. A real number a is as expected if
// |a-x| <= tolerance*max(1,|x|) for the expected x; NaN equals NaN.
void hd_check_compare(struct hd_check *c, const void *got);

#endif
