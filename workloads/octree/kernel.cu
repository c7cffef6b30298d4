// Particles to the leaves of an octree: a cell with more than MOST particles is divided into eight. Blocks
// stay for the whole time and take cells from a queue in global memory, where the cells that a block makes
// go too. There is no lock: whoever gives cells reserves their places by an atomic addition; whoever wants
// a cell draws the number of a place in the same way and waits until a cell is there.
//
// After Cederman and Tsigas, On Dynamic Load Balancing on Graphics Processors (2008).

#define THREADS 128
#define MOST 20
#define DEEPEST 10 // leaves of this depth hold any number
#define CHILDREN 8

struct particle {
    unsigned x, y, z, id; // places from 0 to 2^DEEPEST - 1
};
struct cell {
    unsigned first, n; // particles, in the buffer for this depth: even or odd
    unsigned depth;
    unsigned path; // three bits a level, after a leading one; 0: not written yet
};
struct queue {
    unsigned head, tail; // cells[head] will be taken next, cells[tail] will be given next
    unsigned left;       // particles that are not in a leaf yet
};

// The next cell, or none if all particles are in leaves before it is there. By one thread of a block.
__device__ static bool take(struct queue *q, const volatile struct cell *cells, struct cell *to)
{
    const volatile struct cell *from = &cells[atomicAdd(&q->head, 1u)];
    volatile unsigned *left = &q->left;
    unsigned path = 0;

#pragma unroll 1
    do
        path = from->path;
    while (path == 0 && *left != 0);
    to->first = from->first;
    to->n = from->n;
    to->depth = from->depth;
    to->path = path;
    return path != 0;
}

__device__ static unsigned octant(const struct particle *p, unsigned depth)
{
    unsigned bit = DEEPEST - 1 - depth;

    return (p->x >> bit & 1) | (p->y >> bit & 1) << 1 | (p->z >> bit & 1) << 2;
}

__device__ static bool is_leaf(unsigned n, unsigned depth)
{
    return n <= MOST || depth == DEEPEST;
}

// Children with many particles go to the queue, those of others are done; by one thread.
__device__ static void give(struct queue *q, volatile struct cell *cells, const struct cell *parent,
                            const unsigned *first, const unsigned *n)
{
    unsigned depth = parent->depth + 1, in_leaves = 0, large = 0;

    for (unsigned c = 0; c < CHILDREN; c++)
        if (is_leaf(n[c], depth))
            in_leaves += n[c];
        else
            large++;
    if (large > 0) {
        unsigned at = atomicAdd(&q->tail, large);
#pragma unroll 1
        for (unsigned c = 0; c < CHILDREN; c++)
            if (!is_leaf(n[c], depth)) {
                cells[at].first = first[c];
                cells[at].n = n[c];
                cells[at].depth = depth;
                __threadfence(); // the path says that the rest is there
                cells[at].path = parent->path << 3 | c;
                at++;
            }
    }
    if (in_leaves > 0)
        atomicAdd(&q->left, 0u - in_leaves);
}

extern "C" __global__ void divide(struct queue *q, struct cell *cells, struct particle *even,
                                  struct particle *odd, unsigned *leaf_of, unsigned *leaves)
{
    __shared__ struct cell cell;
    __shared__ unsigned n[CHILDREN], first[CHILDREN], next[CHILDREN], busy;
    unsigned t = threadIdx.x;

    for (;;) {
        __syncthreads(); // all are done with the last cell
        if (t == 0)
            busy = take(q, cells, &cell);
        if (t < CHILDREN)
            n[t] = 0;
        __syncthreads();
        if (!busy)
            return;
        // What another SM wrote must not come from this one's cache.
        const volatile struct particle *from = (cell.depth & 1 ? odd : even) + cell.first;
        struct particle *to = cell.depth & 1 ? even : odd;
#pragma unroll 1
        for (unsigned i = t; i < cell.n; i += THREADS) {
            struct particle p = {from[i].x, from[i].y, from[i].z, 0};
            atomicAdd(&n[octant(&p, cell.depth)], 1u);
        }
        __syncthreads();
        if (t == 0) {
            unsigned sum = cell.first;
            for (unsigned c = 0; c < CHILDREN; c++) {
                first[c] = next[c] = sum;
                sum += n[c];
            }
        }
        __syncthreads();
#pragma unroll 1
        for (unsigned i = t; i < cell.n; i += THREADS) {
            struct particle p = {from[i].x, from[i].y, from[i].z, from[i].id};
            unsigned c = octant(&p, cell.depth), place = atomicAdd(&next[c], 1u);
            to[place] = p;
            if (is_leaf(n[c], cell.depth + 1))
                leaf_of[p.id] = cell.path << 3 | c;
        }
        if (t < CHILDREN && n[t] > 0 && is_leaf(n[t], cell.depth + 1))
            atomicAdd(leaves, 1u);
        __threadfence(); // particles are there before the cells that hold them
        __syncthreads();
        if (t == 0)
            give(q, cells, &cell, first, n);
    }
}
