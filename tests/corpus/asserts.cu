// asserts.cu - assertions that hold in diverged code, and one that fails in the last launch.
#include "corpus.h"

static __device__ __noinline__ int halved(int x)
{
    assert(x % 2 == 0);
    return x / 2;
}

PROGRAM(hold, 2, 48, 2)
{
    int t = (int)threadIdx.x, sum = 0;

    for (int i = 0; i < t % 5; i++) {
        if (i % 2)
            sum += halved(2 * i);
        else
            assert(i != 3 && sum >= 0);
    }
    assert(sum < 100);
    U32(sum), U32(halved(4 * t));
}

PROGRAM(fail, 1, 64, 1)
{
    U32(halved((int)threadIdx.x == 37 ? 3 : 6));
}
