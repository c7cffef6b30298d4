// Look-ups in a B+ tree, a block for each query. In every node its threads compare all keys at once:
// the one whose key is the last that is not greater than the wanted one knows the child to go to.

#define ORDER 256 // entries of a node at most, and threads of a block

struct node { // entry i is for keys[i] up to keys[i + 1] - 1; behind the last all keys are INT_MAX
    int keys[ORDER + 1];
    int children[ORDER + 1]; // nodes, in a leaf records
};

// Where the queries stand lies in global memory: for all of them the node that they are in, then
// the one to go to. `ends` holds both for the lower ends of ranges, then for the upper ends.
__device__ static void descend(const struct node *node, int wanted, int *next)
{
    int t = threadIdx.x;

    if (node->keys[t] <= wanted && node->keys[t + 1] > wanted)
        *next = node->children[t];
}

// The record of each wanted key; `answers` stay as they are where there is none.
extern "C" __global__ void find(const struct node *nodes, int levels, int *at, const int *wanted,
                                const int *records, int *answers)
{
    int query = blockIdx.x, t = threadIdx.x, *next = at + gridDim.x;

    for (int level = 0; level < levels; level++) {
        descend(&nodes[at[query]], wanted[query], &next[query]);
        __syncthreads();
        if (t == 0)
            at[query] = next[query];
        __syncthreads();
    }
    if (nodes[at[query]].keys[t] == wanted[query])
        answers[query] = records[nodes[at[query]].children[t]];
}

// The first record from a key `low` up to a key `high`, and how many there are. All low keys, then all
// high ones, are in `wanted`; the tree has them. All firsts, then all lengths, go to `answers`.
extern "C" __global__ void find_range(const struct node *nodes, int levels, int *ends,
                                      const int *wanted, int *answers)
{
    int n = gridDim.x, query = blockIdx.x, t = threadIdx.x;
    int *low = ends + query, *high = low + 2 * n;

    for (int level = 0; level < levels; level++) {
        descend(&nodes[*low], wanted[query], low + n);
        descend(&nodes[*high], wanted[n + query], high + n);
        __syncthreads();
        if (t == 0) {
            *low = low[n];
            *high = high[n];
        }
        __syncthreads();
    }
    if (nodes[*low].keys[t] == wanted[query])
        answers[query] = nodes[*low].children[t];
    __syncthreads();
    if (nodes[*high].keys[t] == wanted[n + query])
        answers[n + query] = nodes[*high].children[t] - answers[query] + 1;
}
