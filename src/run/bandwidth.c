// bandwidth.c - see bandwidth.h.
#include "run/bandwidth.h"

#include <stdlib.h>

#define MOST 1e6   // GB/s; more than any link
#define LEAST 1e-6 // a kilobyte per second: times stay finite

bool hd_bandwidth_read(const char *text, double *out)
{
    char *end;
    double v = strtod(text, &end);

    // strtod also takes signs, blanks, hexadecimal digits and words.
    for (const char *c = text; *c; c++)
        if ((*c < '0' || *c > '9') && *c != '.')
            return false;
    if (end == text || *end || !(v >= LEAST) || v > MOST)
        return false;
    *out = v;
    return true;
}
