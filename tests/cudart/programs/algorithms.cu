// algorithms.cu - Thrust and CUB of the toolkit, whose kernels are templates of many shapes: sort, scan,
// reduce, reduce by key, against the host's own.
#include "check.h"

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

static unsigned state = 1;
static int random_number()
{
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 12);
}

int main()
{
    const int n = 3000;
    std::vector<int> keys(n), values(n);

    for (int i = 0; i < n; i++)
        keys[i] = random_number() % 50, values[i] = random_number() % 1000;

    thrust::device_vector<int> k = keys, v = values, out(n), heads(n);
    EXPECT(thrust::reduce(v.begin(), v.end()) == std::accumulate(values.begin(), values.end(), 0));
    thrust::exclusive_scan(v.begin(), v.end(), out.begin());
    std::vector<int> sums(n), back(n);
    for (int i = 0, sum = 0; i < n; sum += values[i++])
        sums[i] = sum;
    thrust::copy(out.begin(), out.end(), back.begin());
    EXPECT(back == sums);

    thrust::sort_by_key(k.begin(), k.end(), v.begin());
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    thrust::copy(k.begin(), k.end(), back.begin());
    bool right = true;
    for (int i = 0; i < n; i++)
        right = right && back[i] == keys[order[i]];
    EXPECT(right);

    std::map<int, int> totals;
    for (int i = 0; i < n; i++)
        totals[keys[i]] += values[i];
    auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), heads.begin(), out.begin());
    EXPECT((size_t)(ends.first - heads.begin()) == totals.size());
    thrust::copy(out.begin(), out.end(), back.begin());
    int at = 0;
    right = true;
    for (auto &t : totals)
        right = right && back[at++] == t.second;
    EXPECT(right);

    // CUB itself: the caller gives the room
    void *room = nullptr;
    size_t bytes = 0;
    unsigned *from, *to, host[1000], sorted[1000];
    for (unsigned &h : host)
        h = (unsigned)random_number();
    OK(cudaMalloc(&from, sizeof host));
    OK(cudaMalloc(&to, sizeof host));
    OK(cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cub::DeviceRadixSort::SortKeys(room, bytes, from, to, 1000));
    OK(cudaMalloc(&room, bytes));
    OK(cub::DeviceRadixSort::SortKeys(room, bytes, from, to, 1000));
    OK(cudaMemcpy(sorted, to, sizeof sorted, cudaMemcpyDeviceToHost));
    std::sort(host, host + 1000);
    EXPECT(!memcmp(host, sorted, sizeof host));
    return verdict();
}
