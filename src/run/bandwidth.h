// bandwidth.h - parses the bandwidth of copies between host and device, for heddle exec and for the
// library that the program loads.
#ifndef HEDDLE_RUN_BANDWIDTH_H
#define HEDDLE_RUN_BANDWIDTH_H

#include <stdbool.h>

// Gigabytes (10^9 bytes) per second: a decimal number in the range that is named here.
bool hd_bandwidth_read(const char *text, double *out);
#define HD_BANDWIDTH_EXPECTED                                                                      \
    "gigabytes per second, such as 12.5: a decimal number from 0.000001 to 1000000"

#endif
