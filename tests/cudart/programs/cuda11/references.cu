// references.cu - texture and surface references, the language before CUDA 12: every kind of binding
// and of geometry, the attributes that the host sets, binding again between launches.
#include "../check.h"

texture<float, 1> line;
texture<int4, 1, cudaReadModeElementType> words;
texture<float, 2, cudaReadModeElementType> plane;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
static texture<float, 3> volume;
texture<float, cudaTextureType2DLayered> layers;
surface<void, 2> drawn;

__global__ void fetch(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * tex1Dfetch(line, i);
}
__global__ void fetch_words(int4 *out) { out[threadIdx.x] = tex1Dfetch(words, threadIdx.x); }
__device__ float at(float x, float y) { return tex2D(plane, x, y); }
__global__ void read_plane(float *out, int w, float shift, float scale)
{
    out[threadIdx.y * w + threadIdx.x] = at((threadIdx.x + shift) * scale, (threadIdx.y + shift) * scale);
}
__global__ void read_colours(float4 *out) { out[threadIdx.x] = tex2D(colours, threadIdx.x + 0.5f, 0.5f); }
__global__ void read_volume(float *out)
{
    out[(threadIdx.z * 3 + threadIdx.y) * 4 + threadIdx.x] =
        tex3D(volume, threadIdx.x + 0.5f, threadIdx.y + 0.5f, threadIdx.z + 0.5f);
}
__global__ void read_layer(float *out, int layer)
{
    out[threadIdx.x] = tex2DLayered(layers, threadIdx.x + 0.5f, 1.5f, layer);
}
__global__ void draw()
{
    float v;
    surf2Dread(&v, drawn, (int)threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v + 1, drawn, (int)threadIdx.x * 4, threadIdx.y);
}

static float host[1024], back[1024];
static float *out;

static void linear()
{
    float *a, *b;
    size_t offset = 7;

    OK(cudaMalloc(&a, 1000 * sizeof *a)), OK(cudaMalloc(&b, 1000 * sizeof *b));
    OK(cudaMemcpy(a, host, 1000 * sizeof *a, cudaMemcpyHostToDevice));
    OK(cudaBindTexture(&offset, line, a, 1000 * sizeof *a));
    EXPECT(offset == 0);
    // what is bound changes between launches that nobody waits for
    fetch<<<4, 256>>>(b, 1000);
    OK(cudaBindTexture(NULL, line, b, 1000 * sizeof *b));
    fetch<<<4, 256>>>(a, 1000);
    OK(cudaMemcpy(back, a, 1000 * sizeof *a, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 1000; i++)
        EXPECT(back[i] == 4 * host[i]);
    // without a size: as far as the memory goes; behind it zeros; in the middle of it
    OK(cudaBindTexture(NULL, line, a));
    OK(cudaBindTexture(&offset, line, a + 5, 100));
    EXPECT(offset == 5 * sizeof *a);
    size_t again = 0;
    OK(cudaGetTextureAlignmentOffset(&again, &line));
    EXPECT(again == offset);
    fetch<<<1, 32>>>(b, 32);
    OK(cudaMemcpy(back, b, 32 * sizeof *b, cudaMemcpyDeviceToHost));
    EXPECT(back[5] == 2 * 4 * host[5] && back[29] == 2 * 4 * host[29] && back[31] == 0);
    IS(cudaBindTexture(NULL, line, a + 5, 100), cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaUnbindTexture(line));
    IS(cudaGetTextureAlignmentOffset(&again, &line), cudaErrorInvalidTextureBinding);
    cudaGetLastError();

    int4 four[8], got[8];
    for (int i = 0; i < 8; i++)
        four[i] = make_int4(i, -i, 3 * i, 1 << i);
    OK(cudaMemcpy(a, four, sizeof four, cudaMemcpyHostToDevice));
    OK(cudaBindTexture(NULL, words, (int4 *)a, sizeof four));
    fetch_words<<<1, 8>>>((int4 *)b);
    OK(cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(four, got, sizeof got));
    OK(cudaFree(a)), OK(cudaFree(b));
}

static void planes()
{
    size_t pitch, offset;
    float *rows;
    cudaArray *array;

    OK(cudaMallocPitch(&rows, &pitch, 8 * 4, 6));
    OK(cudaMemcpy2D(rows, pitch, host, 8 * 4, 8 * 4, 6, cudaMemcpyHostToDevice));
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    OK(cudaBindTexture2D(&offset, plane, rows, f, 8, 6, pitch));
    read_plane<<<1, dim3(8, 6)>>>(out, 8, 0.5f, 1);
    OK(cudaMemcpy(back, out, 48 * 4, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, host, 48 * 4));

    OK(cudaMallocArray(&array, &f, 8, 8));
    OK(cudaMemcpyToArray(array, 0, 0, host, 256, cudaMemcpyHostToDevice));
    plane.filterMode = cudaFilterModeLinear;
    plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeWrap;
    plane.normalized = true;
    OK(cudaBindTextureToArray(plane, array, f));
    read_plane<<<1, dim3(8, 8)>>>(out, 8, 8.5f, 1 / 8.f); // one whole picture further
    OK(cudaMemcpy(back, out, 256, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, host, 256));
    read_plane<<<1, dim3(7, 1)>>>(out, 8, 1.f, 1 / 8.f); // between four
    OK(cudaMemcpy(back, out, 256, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == (host[0] + host[1] + host[8] + host[9]) / 4);
    const textureReference *found;
    OK(cudaGetTextureReference(&found, &plane));
    EXPECT(found == &plane);
    IS(cudaGetTextureReference(&found, &found), cudaErrorInvalidTexture);
    cudaGetLastError();
    f.x = 16;
    IS(cudaBindTextureToArray(plane, array, f), cudaErrorInvalidChannelDescriptor);
    cudaGetLastError();
    OK(cudaUnbindTexture(plane));
    OK(cudaFreeArray(array)), OK(cudaFree(rows));

    unsigned char bytes[16] = {255, 0, 51, 102, 0, 255, 204, 153};
    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    float4 c[2];
    OK(cudaMallocArray(&array, &four, 4, 1));
    OK(cudaMemcpyToArray(array, 0, 0, bytes, 16, cudaMemcpyHostToDevice));
    OK(cudaBindTextureToArray(colours, array));
    read_colours<<<1, 2>>>((float4 *)out);
    OK(cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost));
    EXPECT(c[0].x == 1 && c[0].y == 0 && c[0].z == 51 / 255.f && c[0].w == 102 / 255.f && c[1].z == 204 / 255.f);
    OK(cudaFreeArray(array));
}

static void volumes()
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms c = {};
    cudaArray *array;

    OK(cudaMalloc3DArray(&array, &f, make_cudaExtent(4, 3, 2)));
    c.srcPtr = make_cudaPitchedPtr(host, 16, 4, 3);
    c.dstArray = array;
    c.extent = make_cudaExtent(4, 3, 2);
    c.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&c));
    OK(cudaBindTextureToArray(volume, array));
    read_volume<<<1, dim3(4, 3, 2)>>>(out);
    OK(cudaMemcpy(back, out, 96, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, host, 96));
    OK(cudaFreeArray(array));

    OK(cudaMalloc3DArray(&array, &f, make_cudaExtent(4, 3, 2), cudaArrayLayered));
    c.dstArray = array;
    OK(cudaMemcpy3D(&c));
    OK(cudaBindTextureToArray(layers, array));
    read_layer<<<1, 4>>>(out, 1);
    OK(cudaMemcpy(back, out, 16, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back, host + 16, 16));
    OK(cudaFreeArray(array));
}

static void surfaces()
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    const surfaceReference *found;
    cudaArray *array;

    OK(cudaMallocArray(&array, &f, 8, 8, cudaArraySurfaceLoadStore));
    OK(cudaMemcpyToArray(array, 0, 0, host, 256, cudaMemcpyHostToDevice));
    OK(cudaBindSurfaceToArray(drawn, array));
    OK(cudaGetSurfaceReference(&found, &drawn));
    EXPECT(found == &drawn);
    draw<<<1, dim3(8, 8)>>>();
    OK(cudaMemcpyFromArray(back, array, 0, 0, 256, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(back[i] == host[i] + 1);
    OK(cudaFreeArray(array));
}

int main(int argc, char **)
{
    for (int i = 0; i < 1024; i++)
        host[i] = i * 1.5f;
    OK(cudaMalloc(&out, 4096));
    linear();
    planes();
    volumes();
    surfaces();
    if (argc > 1) { // nothing is bound to it any more
        fetch<<<1, 1>>>(out, 1);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    }
    return verdict();
}
