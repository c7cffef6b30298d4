// children.cu - kernels that launch kernels, for test_children.c. Its PTX is children.ptx beside it:
//   nvcc -rdc=true -ptx -arch=compute_75 children.cu
// so that the test needs no compiler.
struct notes { // of numbers, in the order in which threads wrote them
    unsigned n, at[4095];
};

extern "C" __global__ void note(notes *l, unsigned what)
{
    l->at[atomicAdd(&l->n, 1u)] = what;
}

extern "C" __global__ void slow_note(notes *l, unsigned what, unsigned rounds)
{
    volatile unsigned x = what;
    for (unsigned i = 0; i < rounds; i++)
        x = x * 5 + 1;
    l->at[atomicAdd(&l->n, 1u)] = x == 1 ? 0 : what;
}

// Stream 0 of a block: in order, though the first take longer.
extern "C" __global__ void in_order(notes *l, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        slow_note<<<1, 1>>>(l + blockIdx.x, i, 40 * (count - i));
}

extern "C" __global__ void noting_parent(notes *l, unsigned what)
{
    note<<<1, 1>>>(l, what);
}

// The tail comes last, behind grandchildren and what was launched after it.
extern "C" __global__ void tail(notes *l)
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 100);
    noting_parent<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 101);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 102);
    noting_parent<<<1, 1>>>(l, 1);
    slow_note<<<1, 1, 0, cudaStreamFireAndForget>>>(l, 1, 500);
    note<<<1, 1, 0, cudaStreamPerThread>>>(l, 1);
}

extern "C" __global__ void forget(notes *l, unsigned each)
{
    for (unsigned i = 0; i < each; i++)
        note<<<1, 1, 0, cudaStreamFireAndForget>>>(l, threadIdx.x);
}

struct mixed {
    char c;
    double d;
    short s[3];
};

extern "C" __global__ void take_mixed(unsigned *out, char c, mixed m, float f, const unsigned *seen)
{
    *out = (unsigned)(c + m.c + m.d + m.s[0] + m.s[1] + m.s[2] + f) + *seen;
}

// Parameters of all sizes, one launch per lane; the child sees what its parent stored before.
extern "C" __global__ void give_mixed(unsigned *out, unsigned *seen)
{
    unsigned i = threadIdx.x;
    mixed m = {(char)i, i * 100.0, {(short)i, 1, 2}};
    seen[i] = 1000000 * i;
    take_mixed<<<1, 1>>>(out + i, 3, m, 4.0f, seen + i);
}

// Numbers of errors, in the order of the calls.
extern "C" __global__ void errors(unsigned *out)
{
    unsigned n = 0;
    cudaStream_t s;
    cudaEvent_t e;
    note<<<1, 2000>>>(nullptr, 0);
    out[n++] = cudaPeekAtLastError();
    out[n++] = cudaGetLastError();
    out[n++] = cudaGetLastError();
    note<<<0, 1>>>(nullptr, 0);
    out[n++] = cudaGetLastError();
    note<<<1, 32, 1 << 20>>>(nullptr, 0);
    out[n++] = cudaGetLastError();
    out[n++] = cudaStreamCreateWithFlags(&s, cudaStreamDefault);
    out[n++] = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    out[n++] = cudaStreamDestroy(s);
    out[n++] = cudaStreamDestroy(s);
    note<<<1, 1, 0, s>>>(nullptr, 0);
    out[n++] = cudaGetLastError();
    out[n++] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    out[n++] = cudaEventRecord(e, cudaStreamTailLaunch);
    out[n++] = cudaEventDestroy(e);
    out[n++] = cudaEventRecord(e, 0);
    out[n++] = cudaMemsetAsync(out + (1 << 20), 0, 4, 0);
    out[n++] = cudaFree(out);
    int value;
    out[n++] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1);
    out[n++] = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0);
    const char *name = cudaGetErrorName(cudaErrorInvalidConfiguration);
    for (unsigned i = 0; i < 9; i++)
        out[n++] = name[i];
    name = cudaGetErrorString((cudaError_t)12345);
    out[n++] = name[0];
}

extern "C" __global__ void nest(unsigned *out, unsigned depth)
{
    *out = depth;
    nest<<<1, 1>>>(out, depth + 1);
    out[1] = cudaGetLastError();
}

// As many launches as there is room for, all at once.
extern "C" __global__ void flood(notes *l, unsigned *failed, unsigned each)
{
    for (unsigned i = 0; i < each; i++) {
        note<<<1, 1>>>(l, 0);
        if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded)
            atomicAdd(failed, 1u);
    }
}

// Streams run beside each other; an event makes one wait for the other.
extern "C" __global__ void events(notes *l)
{
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaStreamWaitEvent(b, e, 0); // not recorded: no wait
    slow_note<<<1, 1, 0, a>>>(l, 1, 3000);
    cudaEventRecord(e, a);
    note<<<1, 1, 0, b>>>(l, 2);
    cudaStreamWaitEvent(b, e, 0);
    cudaStreamDestroy(a);
    cudaEventDestroy(e);
    note<<<1, 1, 0, b>>>(l, 3);
    cudaStreamDestroy(b);
}

extern "C" __global__ void add_one(unsigned *at)
{
    at[threadIdx.x]++;
}

// Copies and fills take their turn between kernels of a stream.
extern "C" __global__ void moves(unsigned *at)
{
    cudaMemsetAsync(at, 1, 16, 0);
    add_one<<<1, 4>>>(at);
    cudaMemcpyAsync(at + 4, at, 16, cudaMemcpyDeviceToDevice, 0);
    add_one<<<1, 4>>>(at);
    cudaMemcpy2DAsync(at + 8, 16, at, 8, 8, 2, cudaMemcpyDeviceToDevice, 0);
    cudaMemset2DAsync(at + 16, 8, 2, 4, 2, 0);
    cudaPitchedPtr p = {at + 20, 8, 8, 2};
    cudaMemset3DAsync(p, 3, cudaExtent{4, 2, 2}, 0);
    cudaMemcpy3DParms c = {};
    c.srcPtr = p;
    c.dstPtr = cudaPitchedPtr{at + 28, 4, 4, 2};
    c.extent = cudaExtent{4, 2, 2};
    c.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&c, 0);
}

extern "C" __global__ void __launch_bounds__(192) asked(unsigned *at)
{
    __shared__ unsigned room[512];
    room[threadIdx.x] = at[threadIdx.x];
    __syncthreads();
    at[threadIdx.x] = room[threadIdx.x ^ 1];
}

extern "C" __global__ void questions(int *out)
{
    cudaFuncAttributes f;
    size_t limit;
    cudaDeviceGetAttribute(out + 0, cudaDevAttrMultiProcessorCount, 0);
    cudaGetDevice(out + 1);
    cudaGetDeviceCount(out + 2);
    out[3] = cudaFuncGetAttributes(&f, asked);
    out[4] = (int)f.sharedSizeBytes;
    out[5] = f.maxThreadsPerBlock;
    out[6] = f.numRegs > 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(out + 7, asked, 192, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(out + 8, asked, 2000, 0);
    out[9] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
    out[10] = (int)limit;
    int *p;
    out[11] = cudaMalloc(&p, 400);
    p[99] = 5;
    out[12] = p[99];
    out[13] = cudaFree(p);
    out[14] = cudaMalloc(&p, size_t(1) << 40);
}

// Without _ptsz a thread's launches share its block's stream.
extern "C" __global__ void launch_by_hand(unsigned *at)
{
    void *b = cudaGetParameterBuffer(8, 8);
    *(unsigned **)b = at;
    cudaLaunchDevice((void *)add_one, b, dim3(1), dim3(4), 0, 0);
    b = cudaGetParameterBuffer(8, 8);
    *(unsigned **)b = at;
    at[4] = cudaLaunchDevice((void *)add_one, b, dim3(1), dim3(5000), 0, 0);
    at[5] = cudaLaunchDevice((void *)add_one, at, dim3(1), dim3(1), 0, 0);
    at[6] = cudaLaunchDeviceV2(nullptr, 0);
    at[7] = cudaLaunchDevice((void *)at, b, dim3(1), dim3(1), 0, 0);
}

// Sizes that no memory has, and none at all.
extern "C" __global__ void absurd(unsigned *at)
{
    size_t huge = size_t(1) << 62;
    unsigned n = 8;
    at[n++] = cudaMemset2DAsync(at, 0, 0, 1, huge, 0);
    at[n++] = cudaMemset2DAsync(at, 4, 0, 4, huge, 0);
    at[n++] = cudaMemset2DAsync(at, huge, 0, 4, huge, 0);
    at[n++] = cudaMemset3DAsync({at, 4, 4, 0}, 0, {4, 1, huge}, 0);
    at[n++] = cudaMemset3DAsync({at, huge, 4, huge}, 0, {4, huge, huge}, 0);
    at[n++] = cudaMemcpyAsync(at, at + 4, huge, cudaMemcpyDeviceToDevice, 0);
    at[n++] = cudaMemset2DAsync(at, 0, 0, 0, huge, 0);
    at[n++] = cudaMemset2DAsync(nullptr, 0, 0, 16, 0, 0);
}
