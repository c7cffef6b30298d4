// globals.cu - variables of the module: initialisers, constant tables, addresses of each other.
#include "corpus.h"

struct entry {
    const int *at;
    int n;
    char name[6];
    double weight;
};
__device__ int numbers[5] = {3, -1, 4, -1, 5};
__device__ int later;
__device__ int *pointer = &numbers[2];
__device__ int **indirect = &pointer;
__constant__ float weights[4] = {0.5f, -0.25f, 1e10f, 3.0f};
__constant__ unsigned char letters[] = "constant";
__constant__ entry table[3] = {{numbers, 5, "five", 0.5}, {numbers + 3, 2, "two", -2.0}, {0, 0, "", 1e300}};
__device__ const char *words[3] = {"alpha", "beta", "gamma"};
__device__ volatile short narrow[3] = {1, -2, 300};
__device__ unsigned long long big = 0x123456789abcdef0ull;
__device__ float grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ int shared_with_host = 12;
static __device__ bool flag = true;
const __device__ double pi = 3.25;

PROGRAM(corpus, 1, 32, 25)
{
    static __device__ int inside = 9;
    const int local_table[6] = {9, 8, 7, 6, 5, 4};
    unsigned k = draw(1) % 3;

    U32(numbers[draw(2) % 5]), U32(*pointer), U32(pointer[1]), U32((*indirect)[-1]), U32(indirect == &pointer);
    F32(weights[draw(3) & 3], 0), U32(letters[draw(4) & 7]), U32(sizeof letters);
    const entry *e = &table[k];
    U32(e->n), U32(e->at ? e->at[0] : 99), U32(e->name[0]), U32(e->name[1]), F64(e->weight, 0);
    U32(words[k][2]), U32(words[2][draw(5) % 5]), U32(narrow[draw(6) % 3]), U64(big);
    F32(grid[draw(7) & 1][k], 0), U32(shared_with_host), U32(flag), F32((float)pi, 0), U32(inside + local_table[draw(8) % 6]);
    __syncthreads();
    if (threadIdx.x == 7)
        later = 5, pointer = &later, shared_with_host += 1;
    __syncthreads();
    U32(**indirect);
}
