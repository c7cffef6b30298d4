// family.cu - kernels whose blocks share data by design, for test_placement.sh. Its PTX is family.ptx beside
// it: nvcc -rdc=true -ptx -arch=compute_75 family.cu, without the comments of the compiler.
//
// A region is a chain of lines of 128 bytes: word t of a line is 32 times the next line's number, plus t.

static __device__ unsigned walk(const unsigned *region, unsigned lines, unsigned lane)
{
    unsigned at = 0, sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < lines; i++) {
        at = region[at + lane] - lane; // the next load waits for this one
        sum += at;
    }
    return sum;
}

// A block of one warp walks its own region. Its child walks the same one, and so on, `depth` times.
extern "C" __global__ void parents(const unsigned *regions, unsigned *out, unsigned lines, unsigned depth);
extern "C" __global__ void parents(const unsigned *regions, unsigned *out, unsigned lines, unsigned depth)
{
    const unsigned *own = regions + blockIdx.x * lines * 32;
    unsigned sum = walk(own, lines, threadIdx.x);

    if (threadIdx.x)
        return;
    atomicAdd(out + blockIdx.x, sum);
    if (depth)
        parents<<<1, 32, 0, cudaStreamFireAndForget>>>(own, out + blockIdx.x, lines, depth - 1);
}

// Blocks i and i + half read the same region, each warp a part of its lines.
extern "C" __global__ void twins(const unsigned *regions, unsigned *out, unsigned lines, unsigned half, unsigned work)
{
    const unsigned *own = regions + blockIdx.x % half * lines * 32;
    unsigned sum = 0;

#pragma unroll 1
    for (unsigned i = threadIdx.x / 32; i < lines; i += blockDim.x / 32) {
        sum += own[i * 32 + threadIdx.x % 32];
#pragma unroll 1
        for (unsigned k = 0; k < work; k++)
            sum = sum * 5 + k;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void leaf(const unsigned *region, unsigned *out, unsigned lines)
{
    unsigned sum = walk(region, lines, threadIdx.x);

    if (!threadIdx.x)
        atomicAdd(out, sum);
}

// Each lane launches a child for its own region, and then another one.
extern "C" __global__ void siblings(const unsigned *regions, unsigned *out, unsigned lines, unsigned rounds)
{
#pragma unroll 1
    for (unsigned i = 0; i < rounds; i++)
        leaf<<<1, 32, 0, cudaStreamFireAndForget>>>(regions + threadIdx.x * lines * 32, out + threadIdx.x, lines);
}
