// calls.cu - functions that are called: pointers to them, recursion, templates, lambdas, references.
#include "corpus.h"

typedef int (*binary)(int, int);
__device__ __noinline__ int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__device__ __noinline__ int sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
__device__ __noinline__ int mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
__device__ binary table[3] = {add, sub, mul};

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ unsigned is_odd(unsigned n);
__device__ __noinline__ unsigned is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ __noinline__ unsigned is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

__device__ __noinline__ void quicksort(int *v, int lo, int hi)
{
    if (lo >= hi)
        return;
    int pivot = v[(lo + hi) / 2], i = lo, k = hi;
    while (i <= k) {
        while (v[i] < pivot)
            i++;
        while (v[k] > pivot)
            k--;
        if (i <= k) {
            int t = v[i];
            v[i++] = v[k];
            v[k--] = t;
        }
    }
    quicksort(v, lo, k);
    quicksort(v, i, hi);
}

template <int N> struct power {
    static __device__ unsigned of(unsigned x) { return x * power<N - 1>::of(x); }
};
template <> struct power<0> {
    static __device__ unsigned of(unsigned) { return 1; }
};
template <typename T> __device__ T sum_of(T a) { return a; }
template <typename T, typename... R> __device__ T sum_of(T a, R... rest)
{
    return (T)(a + sum_of<T>((T)rest...));
}
template <typename F> __device__ int fold(F f, int n)
{
    int r = 1;
    for (int i = 0; i < n; i++)
        r = f(r, i);
    return r;
}
__device__ __noinline__ long long many(char a, short b, int c, long long d, float e, double f, bool g, unsigned char h)
{
    return a + b * 2ll + c * 3ll + d * 4 + (long long)e * 5 + (long long)f * 6 + g * 7 + h * 8;
}
__device__ __noinline__ bool divide(int a, int b, int &quotient, int *rest)
{
    if (b == 0)
        return false;
    quotient = a / b;
    *rest = a % b;
    return true;
}

PROGRAM(corpus, 2, 32, 20)
{
    int x = (int)draw(1) >> 8, y = (int)(draw(2) & 255) + 1, v[12], quotient = 0, rest = 0;
    binary f = table[draw(3) % 3], g = draw(4) & 1 ? add : mul;

    U32(f(x, y)), U32(g(x, y)), U32(f(g(x, 3), f(y, x)));
    U32(ackermann(2, draw(5) & 3)), U32(is_even(draw(6) & 31));
    for (int i = 0; i < 12; i++)
        v[i] = (int)(draw((uint32_t)(10 + i)) % 100);
    quicksort(v, 0, 11);
    U32(v[0]), U32(v[5]), U32(v[11]);
    U32(power<5>::of(draw(7))), U32(sum_of<int>(x, 2, y, (short)4));
    int captured = y;
    U32(fold([=](int r, int i) { return (int)((unsigned)r * 3u + (unsigned)(i ^ captured)); }, 7));
    U64(many((char)draw(30), (short)draw(31), (int)draw(32), (long long)draw64(33) >> 8, drawf(34, -1e5f, 1e5f), drawd(35, -1e5, 1e5), draw(36) & 1, (unsigned char)draw(37)));
    bool ok = divide(x, y - 1, quotient, &rest);
    U32(ok), U32(quotient), U32(rest);
    unsigned steps = 0;
    auto walk = [&steps](unsigned n) {
        while (n != 1)
            n = n & 1 ? 3 * n + 1 : n / 2, steps++;
    };
    walk((draw(38) & 1023) + 1);
    U32(steps);
    U32(fold(table[threadIdx.x % 3], 4)), U32(table[0] == add), U32((threadIdx.x & 1 ? is_odd : is_even)(threadIdx.x & 7));
}
