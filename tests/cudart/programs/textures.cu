// textures.cu - texture and surface objects on arrays, memory and volumes; the copies that fill them.
#include "check.h"

__global__ void plane(cudaTextureObject_t t, float *out, int w, int h)
{
    int x = threadIdx.x, y = threadIdx.y;

    if (x < w && y < h)
        out[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
__global__ void line(cudaTextureObject_t t, int4 *out) { out[threadIdx.x] = tex1Dfetch<int4>(t, threadIdx.x); }
__global__ void smooth(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x / 8.f); }
__global__ void volume(cudaTextureObject_t t, float *out)
{
    out[(threadIdx.z * 3 + threadIdx.y) * 4 + threadIdx.x] =
        tex3D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f, threadIdx.z + 0.5f);
}
__global__ void twice(cudaSurfaceObject_t s)
{
    float v;
    surf2Dread(&v, s, (int)threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(2 * v, s, (int)threadIdx.x * 4, threadIdx.y);
}

int main()
{
    float image[6][8], back[6][8], *out;
    cudaArray_t a;
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t tex;
    cudaSurfaceObject_t surf;

    for (int i = 0; i < 48; i++)
        image[0][i] = i * 1.5f;
    OK(cudaMalloc(&out, 1024));
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), got;
    OK(cudaMallocArray(&a, &f, 8, 6, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(a, 0, 0, image, 32, 32, 6, cudaMemcpyHostToDevice));
    cudaExtent extent;
    unsigned flags;
    OK(cudaArrayGetInfo(&got, &extent, &flags, a));
    cudaMemcpy3DParms huge = {};
    huge.srcPtr = make_cudaPitchedPtr(image, 32, 8, 6);
    huge.dstArray = a;
    huge.extent = make_cudaExtent((size_t)1 << 62, 1, 1); // times 4 bytes
    IS(cudaMemcpy3D(&huge), cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(got.x == 32 && got.f == cudaChannelFormatKindFloat && extent.width == 8 && extent.height == 6);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    OK(cudaCreateTextureObject(&tex, &r, &t, nullptr));
    plane<<<1, dim3(8, 6)>>>(tex, out, 8, 6);
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, image, sizeof back));
    cudaTextureDesc asked;
    OK(cudaGetTextureObjectTextureDesc(&asked, tex));
    EXPECT(asked.filterMode == cudaFilterModePoint && asked.readMode == cudaReadModeElementType);
    OK(cudaDestroyTextureObject(tex));
    OK(cudaCreateSurfaceObject(&surf, &r));
    twice<<<1, dim3(8, 6)>>>(surf);
    OK(cudaMemcpy2DFromArray(back, 32, a, 0, 0, 32, 6, cudaMemcpyDeviceToHost));
    EXPECT(back[5][7] == 2 * image[5][7] && back[0][1] == 3.f);
    OK(cudaDestroySurfaceObject(surf));
    // as one line of bytes, row behind row
    OK(cudaMemcpyToArray(a, 4, 1, image, 100, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromArray(back, a, 4, 1, 100, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, image, 100));
    OK(cudaMemcpy2DFromArray(back, 32, a, 0, 1, 32, 2, cudaMemcpyDeviceToHost));
    EXPECT(back[0][1] == image[0][0] && back[1][0] == image[0][7]);
    OK(cudaFreeArray(a));

    int4 four[8], fetched[8], *memory;
    for (int i = 0; i < 8; i++)
        four[i] = make_int4(i, -i, 2 * i, 7);
    OK(cudaMalloc(&memory, sizeof four));
    OK(cudaMemcpy(memory, four, sizeof four, cudaMemcpyHostToDevice));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = memory;
    r.res.linear.desc = cudaCreateChannelDesc<int4>();
    r.res.linear.sizeInBytes = sizeof four;
    OK(cudaCreateTextureObject(&tex, &r, &t, nullptr));
    line<<<1, 8>>>(tex, (int4 *)out);
    OK(cudaMemcpy(fetched, out, sizeof fetched, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(fetched, four, sizeof four));
    OK(cudaGetTextureObjectResourceDesc(&r, tex));
    EXPECT(r.resType == cudaResourceTypeLinear && r.res.linear.devPtr == memory);
    OK(cudaDestroyTextureObject(tex));

    unsigned char bytes[4] = {0, 255, 0, 255};
    cudaChannelFormatDesc u8 = cudaCreateChannelDesc<unsigned char>();
    OK(cudaMallocArray(&a, &u8, 4));
    OK(cudaMemcpyToArray(a, 0, 0, bytes, 4, cudaMemcpyHostToDevice));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    t.filterMode = cudaFilterModeLinear;
    t.readMode = cudaReadModeNormalizedFloat;
    t.normalizedCoords = 1;
    t.addressMode[0] = cudaAddressModeWrap;
    OK(cudaCreateTextureObject(&tex, &r, &t, nullptr));
    smooth<<<1, 8>>>(tex, out);
    OK(cudaMemcpy(back, out, 32, cudaMemcpyDeviceToHost));
    EXPECT(back[0][0] == 0.5f && back[0][1] == 0 && back[0][3] == 1 && back[0][4] == 0.5f);
    OK(cudaDestroyTextureObject(tex));
    OK(cudaFreeArray(a));

    float cube[2][3][4];
    for (int i = 0; i < 24; i++)
        cube[0][0][i] = 100.f - i;
    OK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 3, 2)));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(cube, 16, 4, 3);
    c.dstArray = a;
    c.extent = make_cudaExtent(4, 3, 2);
    c.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&c));
    memset(&t, 0, sizeof t);
    r.res.array.array = a;
    OK(cudaCreateTextureObject(&tex, &r, &t, nullptr));
    volume<<<1, dim3(4, 3, 2)>>>(tex, out);
    OK(cudaMemcpy(back, out, sizeof cube, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, cube, sizeof cube));
    f.x = 7;
    IS(cudaMallocArray(&a, &f, 8), cudaErrorInvalidChannelDescriptor);
    return verdict();
}
