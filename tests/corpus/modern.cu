// modern.cu - C++17 on the device: constexpr, if constexpr, structured bindings, fold expressions, spans.
#include "corpus.h"

template <typename T, int N> struct array {
    T v[N];
    __device__ constexpr T &operator[](int i) { return v[i]; }
    __device__ constexpr int size() const { return N; }
    __device__ T *begin() { return v; }
    __device__ T *end() { return v + N; }
};
template <typename T> struct span {
    T *p;
    int n;
    __device__ T *begin() const { return p; }
    __device__ T *end() const { return p + n; }
};
struct pair {
    int first;
    float second;
};
enum class colour : uint8_t { red = 3, green, blue = 200 };

template <int N> __device__ constexpr unsigned factorial()
{
    if constexpr (N == 0)
        return 1;
    else
        return N * factorial<N - 1>();
}
template <typename... T> __device__ unsigned together(T... v) { return (unsigned(v) + ...); }
template <typename F, typename... T> __device__ auto apply(F &&f, T... v) { return f(v...); }
template <typename T> __device__ __noinline__ T widest(T a, T b)
{
    if constexpr (sizeof(T) == 8)
        return a > b ? a : b;
    else
        return a < b ? a : b;
}
struct counter {
    int *where;
    __device__ explicit counter(int *p) : where(p) { ++*where; }
    __device__ ~counter() { *where += 10; }
};
class ring {
    unsigned slots[4] = {0, 0, 0, 0};
    unsigned at = 0;

public:
    __device__ ring &push(unsigned v)
    {
        slots[at++ & 3] = v;
        return *this;
    }
    __device__ unsigned operator()(int i) const { return slots[i & 3]; }
};

PROGRAM(corpus, 2, 32, 14)
{
    array<unsigned, 6> a{};
    int n = 0, calls = 0;

    for (auto &x : a)
        x = draw((uint32_t)n++);
    unsigned sum = 0;
    for (auto x : span<unsigned>{&a[1], (int)(draw(10) % 5)})
        sum += x;
    U32(sum), U32(a.size()), U32(factorial<7>()), U32(together(1, (short)-2, 'a', 7u, a[2]));
    auto [first, second] = pair{(int)a[3], 2.5f};
    U32(first), F32(second, 0);
    U32(apply([](int x, int y) { return x * 31 + y; }, (int)(a[4] & 1023), 7));
    U64(widest<long long>((long long)a[0] << 20, (long long)a[1] << 20)), U32(widest<int>((int)a[0], (int)a[1]));
    {
        counter c(&calls);
        for (int i = 0; i < (int)(a[5] & 3); i++)
            counter d(&calls);
        U32(calls);
    }
    U32(calls);
    colour c = draw(11) & 1 ? colour::blue : colour::green;
    U32(c);
    ring r;
    r.push(1).push(a[0]).push(a[1]).push(a[2]).push(a[3]);
    U32(r((int)draw(12)));
}
