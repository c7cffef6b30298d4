// workloads.cu - built-in workloads as ordinary programs of the runtime API: the same kernels, host
// code with <<<>>>, pitched and managed memory, texture objects, streams.
#include "check.h"

#include "../../../workloads/bfs/kernel.cu"
#include "../../../workloads/blackscholes/kernel.cu"
#include "../../../workloads/histogram/kernel.cu"
#include "../../../workloads/sobel/kernel.cu"

#include <cmath>
#include <queue>
#include <vector>

static unsigned state = 1;
static unsigned random_number()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void histogram_of_bytes()
{
    const unsigned n = 20000, blocks = 30;
    unsigned *words, *partial, *total, right[BINS] = {0}; // words and total are managed

    OK(cudaMallocManaged(&words, n * sizeof *words));
    OK(cudaMallocManaged(&total, BINS * sizeof *total));
    OK(cudaMalloc(&partial, blocks * BINS * sizeof *partial));
    for (unsigned i = 0; i < n; i++) {
        words[i] = random_number() * 7919u;
        for (unsigned k = 0; k < 32; k += 8)
            right[words[i] >> k & 0xff]++;
    }
    histogram<<<blocks, 192>>>(words, n, partial);
    merge<<<BINS, MERGE_THREADS>>>(partial, blocks, total);
    OK(cudaDeviceSynchronize());
    EXPECT(!memcmp(total, right, sizeof right));
    OK(cudaFree(words));
    OK(cudaFree(total));
    OK(cudaFree(partial));
}

// A picture in pitched memory behind a texture that repeats its edge.
static void edges_of_a_picture()
{
    const int width = 100, height = 60;
    std::vector<unsigned char> picture(width * height), got(width * height);
    unsigned char *device, *edges;
    size_t pitch;

    for (auto &pixel : picture)
        pixel = (unsigned char)random_number();
    OK(cudaMallocPitch(&device, &pitch, width, height));
    OK(cudaMalloc(&edges, width * height));
    OK(cudaMemcpy2D(device, pitch, picture.data(), width, width, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = device;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    sobel<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(texture, edges, width,
                                                                         height);
    OK(cudaMemcpy(got.data(), edges, width * height, cudaMemcpyDeviceToHost));
    auto at = [&](int x, int y) {
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        return (int)picture[y * width + x];
    };
    bool same = true;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int h = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) -
                    2 * at(x - 1, y) - at(x - 1, y + 1);
            int v = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) -
                    2 * at(x, y - 1) - at(x + 1, y - 1);
            int sum = abs(h) + abs(v);
            same = same && got[y * width + x] == (sum > 255 ? 255 : sum);
        }
    EXPECT(same);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFree(device));
    OK(cudaFree(edges));
}

// A search: the host launches a level after the other until one finds nothing.
static void levels_of_a_graph()
{
    const int n = 3000;
    std::vector<node> nodes(n);
    std::vector<int> targets, level(n, 1 << 20), right(n, 1 << 20);

    for (int v = 0; v < n; v++) {
        nodes[v] = {(int)targets.size(), (int)(random_number() % 5)};
        for (int e = 0; e < nodes[v].edges; e++)
            targets.push_back((int)(random_number() % n));
    }
    std::queue<int> open;
    for (open.push(0), right[0] = 0; !open.empty(); open.pop()) {
        int v = open.front();
        for (int e = nodes[v].first; e < nodes[v].first + nodes[v].edges; e++)
            if (right[targets[e]] > right[v] + 1) {
                right[targets[e]] = right[v] + 1;
                open.push(targets[e]);
            }
    }
    node *d_nodes;
    int *d_targets, *d_level;
    bool *frontiers[2], *visited, *more, yes = true;
    OK(cudaMalloc(&d_nodes, n * sizeof(node)));
    OK(cudaMalloc(&d_targets, targets.size() * sizeof(int)));
    OK(cudaMalloc(&d_level, n * sizeof(int)));
    OK(cudaMalloc(&frontiers[0], n));
    OK(cudaMalloc(&frontiers[1], n));
    OK(cudaMalloc(&visited, n));
    OK(cudaHostAlloc(&more, 1, cudaHostAllocMapped));
    level[0] = 0;
    OK(cudaMemcpy(d_nodes, nodes.data(), n * sizeof(node), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_targets, targets.data(), targets.size() * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemset(frontiers[0], 0, n));
    OK(cudaMemset(frontiers[1], 0, n));
    OK(cudaMemset(visited, 0, n));
    OK(cudaMemcpy(frontiers[0], &yes, 1, cudaMemcpyHostToDevice));
    bool *d_more;
    OK(cudaHostGetDevicePointer((void **)&d_more, more, 0));
    int turn = 0;
    do {
        *more = false;
        visit<<<(n + 255) / 256, 256>>>(d_nodes, d_targets, frontiers[turn], frontiers[!turn],
                                        visited, d_level, d_more, n);
        OK(cudaDeviceSynchronize());
        turn = !turn;
    } while (*more);
    OK(cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(level == right);
    void *all[] = {d_nodes, d_targets, d_level, frontiers[0], frontiers[1], visited};
    for (void *one : all)
        OK(cudaFree(one));
    OK(cudaFreeHost(more));
}

static double normal_of(double d)
{
    return 0.5 * erfc(-d / sqrt(2.0));
}

// Halves of the options in two streams, copied there and back by each.
static void prices_of_options()
{
    const unsigned n = 4000, half = n / 2;
    const float rate = 0.02f, volatility = 0.3f;
    float *host, *device; // price, strike, years, call, put
    cudaStream_t streams[2];

    OK(cudaMallocHost(&host, 5 * n * sizeof *host));
    OK(cudaMalloc(&device, 5 * n * sizeof *device));
    for (unsigned i = 0; i < n; i++) {
        host[i] = 5 + random_number() % 2500 * 0.01f;
        host[n + i] = 1 + random_number() % 9900 * 0.01f;
        host[2 * n + i] = 0.25f + random_number() % 975 * 0.01f;
    }
    for (int s = 0; s < 2; s++) {
        float *d = device + s * half, *h = host + s * half;
        OK(cudaStreamCreate(&streams[s]));
        for (int row = 0; row < 3; row++)
            OK(cudaMemcpyAsync(d + row * n, h + row * n, half * sizeof *d, cudaMemcpyHostToDevice,
                               streams[s]));
        blackscholes<<<8, 128, 0, streams[s]>>>(d, d + n, d + 2 * n, d + 3 * n, d + 4 * n, rate,
                                                volatility, half);
        for (int row = 3; row < 5; row++)
            OK(cudaMemcpyAsync(h + row * n, d + row * n, half * sizeof *d, cudaMemcpyDeviceToHost,
                               streams[s]));
    }
    for (int s = 0; s < 2; s++) {
        OK(cudaStreamSynchronize(streams[s]));
        OK(cudaStreamDestroy(streams[s]));
    }
    double worst = 0;
    for (unsigned i = 0; i < n; i++) {
        double s = host[i], x = host[n + i], t = host[2 * n + i], spread = volatility * sqrt(t);
        double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread,
               d2 = d1 - spread;
        double call = s * normal_of(d1) - x * exp(-rate * t) * normal_of(d2);
        double put = x * exp(-rate * t) * normal_of(-d2) - s * normal_of(-d1);
        worst = fmax(worst, fmax(fabs(host[3 * n + i] - call), fabs(host[4 * n + i] - put)));
    }
    EXPECT(worst < 1e-3);
    OK(cudaFreeHost(host));
    OK(cudaFree(device));
}

int main()
{
    histogram_of_bytes();
    edges_of_a_picture();
    levels_of_a_graph();
    prices_of_options();
    return verdict();
}
