// print.cu - printf: widths, precisions, all conversions, strings, more than one line.
#include "corpus.h"
#if ON_DEVICE
#include <stdio.h>
#endif

PROGRAM(corpus, 1, 32, 1)
{
    unsigned t = threadIdx.x;

    U32(t);
    if (t == 0) {
        printf("plain text, 100%%\n");
        printf("%d %i %u %x %X %o %c|%5d|%-5d|%05d|%+d\n", -7, 42, 4000000000u, 0xbeef, 0xbeef, 8, 'z', 12, 12, 12, 12);
        printf("%f %.3f %8.2f %e %g %G\n", 1.5, 3.14159, -2.5, 12345.678, 0.0001, 1e20);
        printf("%s and %10s and %-6s| %.2s\n", "one", "two", "three", "four");
        printf("%lld %llu %llx %ld %hd %hhu %zu\n", -5000000000ll, 18446744073709551615ull, 0xdeadbeefcafeull, 77l, 12, 200, (size_t)9);
        printf("%*d %.*f\n", 6, 33, 2, 2.71828);
    }
    __syncwarp();
    if (t < 4)
        printf("thread %u of %u: %.1f\n", t, blockDim.x, (double)t * 0.5);
}
