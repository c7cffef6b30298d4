// waiting.cu - kernels that wait for what they have launched (cudaDeviceSynchronize in kernels, as
// until CUDA 11), for test_waiting.c. Its PTX is waiting.ptx beside it, of nvcc 11.8:
//   nvcc -rdc=true -ptx -arch=compute_60 waiting.cu
// so that the test needs no compiler.
extern "C" __global__ void add(int *x, int n, int what)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&x[i], what);
}

// A grid at each level, as many as fib(n) has calls: most of them wait at one time or another.
extern "C" __global__ void fib(int n, long long *out)
{
    long long *r = out + 1;
    cudaStream_t s;
    if (n < 2) {
        *out = n;
        return;
    }
    r = (long long *)malloc(16);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    fib<<<1, 1>>>(n - 1, r);
    fib<<<1, 1, 0, s>>>(n - 2, r + 1);
    cudaDeviceSynchronize();
    *out = r[0] + r[1];
    cudaStreamDestroy(s);
    free(r);
}

// A wait in the depth of a recursion with local memory, each level's in use behind it.
static __device__ __noinline__ int deep(int *x, int d)
{
    int local[8];
    for (int i = 0; i < 8; i++)
        local[i] = d * i;
    if (d > 0)
        return deep(x, d - 1) + local[d % 8];
    add<<<1, 32>>>(x, 32, 1);
    cudaDeviceSynchronize();
    return x[0];
}

// Registers, shared memory, stacks and barriers outlast a wait. Some warps wait at the barrier,
// some have ended. Threads 0 to 95 of each block answer.
extern "C" __global__ void blocks(int *work, int *answers)
{
    __shared__ int s[128];
    int mine = blockIdx.x * 1000 + threadIdx.x, *part = work + blockIdx.x * 96;
    s[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        add<<<2, 32>>>(part, 64, 3);
        cudaDeviceSynchronize();
        s[0] = part[5];
        add<<<2, 32>>>(part, 64, 4);
        cudaDeviceSynchronize();
    }
    if (threadIdx.x >= 96)
        return;
    int all = __syncthreads_count(threadIdx.x % 3 == 0);
    int sum = part[threadIdx.x % 64] + s[127 - threadIdx.x] + mine + s[0];
    if (threadIdx.x == 33)
        sum += 1000000 * deep(part + 64, 5);
    answers[blockIdx.x * 96 + threadIdx.x] = sum + 100000000 * (all == 32);
}

// Copies, and what nobody waits for: a block waits for its own only, and not if there is nothing.
extern "C" __global__ void copies(int *to, int *from)
{
    cudaDeviceSynchronize();
    if (blockIdx.x)
        return;
    cudaMemcpyAsync(to, from, 64, cudaMemcpyDeviceToDevice, 0);
    cudaDeviceSynchronize();
    to[16] = to[15] + 1;
}

// Half the lanes of a warp wait; the others go on behind them.
extern "C" __global__ void half(int *x)
{
    if (threadIdx.x < 16) {
        add<<<1, 32>>>(x, 32, 1);
        cudaDeviceSynchronize();
        x[32 + threadIdx.x] = x[threadIdx.x];
    } else {
        x[32 + threadIdx.x] = 7;
    }
}

extern "C" __global__ void wild(int *x)
{
    x[1 << 30] = 1;
}

extern "C" __global__ void waits_for_a_fault(int *x)
{
    wild<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    x[0] = 1;
}
