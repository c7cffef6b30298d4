// measure.c - measures a GPU: its clock, latencies, intervals, caches, bandwidths, cost of
// launches.
//
//   measure [quick] [FILE.ptx]
//
// Writes lines "KIND,NAME,,VALUE,UNIT" to standard output; docs/hardware.md says what each one
// is. It uses the CUDA driver API and the workloads' helper functions. Built with NVIDIA's header
// it runs on a GPU; under `heddle exec` the same program measures a modelled machine. Exit status
// 0, or 2 if a call failed.
#include "workload/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 1024 // threads of the largest block
#define LINE 128
#define LOADERS 8 // warps that load at the same time
#define ENOUGH 15 // microseconds: the loop of a bandwidth repeats until it takes so much longer

static void line(const char *kind, const char *name, double value, const char *unit)
{
    printf(strcmp(kind, "machine") ? "%s,%s,,%.3f,%s\n" : "%s,%s,,%.10g,%s\n", kind, name, value,
           unit);
    fflush(stdout);
}

static void text(const char *name, const char *value)
{
    printf("machine,%s,,%s,\n", name, value);
}

// --- what the driver says

static void attribute(struct hd_work *w, const char *name, CUdevice_attribute which,
                      const char *unit)
{
    int value = 0;

    if (w->error == CUDA_SUCCESS && cuDeviceGetAttribute(&value, which, w->device) == CUDA_SUCCESS)
        line("machine", name, value, unit);
}

static void machine(struct hd_work *w)
{
    char name[128] = "";

    if (w->error != CUDA_SUCCESS || cuDeviceGetName(name, sizeof name, w->device) != CUDA_SUCCESS)
        return;
    for (char *c = name; *c; c++)
        if (*c == ',' || *c == '"')
            *c = ' ';
    text("name", name);
    attribute(w, "capability.major", CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "");
    attribute(w, "capability.minor", CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "");
    attribute(w, "sms", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "SMs");
    attribute(w, "l2", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "bytes");
    attribute(w, "clock.said", CU_DEVICE_ATTRIBUTE_CLOCK_RATE, "kHz");
}

// --- one launch

static struct hd_work_grid blocks(unsigned x, unsigned threads)
{
    return (struct hd_work_grid){x, 1, threads, 1};
}

// Time of the last launch in microseconds.
static double last(struct hd_work *w)
{
    return w->n_times ? hd_work_took(w, w->n_times - 1) : 0;
}

// SM cycles in a microsecond, from a kernel that counts them. The first launch raises the clock.
static double measure_clock(struct hd_work *w)
{
    CUdeviceptr took = hd_work_buffer(w, sizeof(int64_t));
    CUfunction f = hd_work_kernel(w, "spin");
    double mhz = 0;

    for (int i = 0; i < 3; i++) {
        int64_t few = 100000, many = 400000, a = 0, b = 0;
        double short_time, long_time;

        HD_WORK_LAUNCH(w, f, blocks(1, 1), &took, &few);
        short_time = last(w);
        hd_work_read(w, &a, took, sizeof a);
        HD_WORK_LAUNCH(w, f, blocks(1, 1), &took, &many);
        long_time = last(w);
        hd_work_read(w, &b, took, sizeof b);
        mhz = long_time > short_time ? (double)(b - a) / (long_time - short_time) : 0;
    }
    line("machine", "clock", mhz, "MHz");
    return mhz;
}

// --- chains of instructions

struct chain {
    const char *name;   // of the instruction
    const char *kernel; // after "chain_"
    char type;          // of its operands: i, f, d
};
static const struct chain chains[] = {
    {"add.s32", "add_s32", 'i'},    {"max.s32", "max_s32", 'i'},    {"shl.b32", "shl_b32", 'i'},
    {"mul.lo.s32", "mul_s32", 'i'}, {"mad.lo.s32", "mad_s32", 'i'}, {"div.u32", "div_u32", 'i'},
    {"shfl.b32", "shfl_b32", 'i'},  {"add.f32", "add_f32", 'f'},    {"max.f32", "max_f32", 'f'},
    {"mul.f32", "mul_f32", 'f'},    {"fma.f32", "fma_f32", 'f'},    {"div.f32", "div_f32", 'f'},
    {"sin.f32", "sin_f32", 'f'},    {"rcp.f32", "rcp_f32", 'f'},    {"add.f64", "add_f64", 'd'},
    {"mul.f64", "mul_f64", 'd'},    {"fma.f64", "fma_f64", 'd'},    {"ld.shared", "shared", 'i'},
    {"atom.global", "atom", 'i'},
};

struct places {
    CUdeviceptr cycles, sink;
};

// The slowest warp's cycles for `rounds` rounds of 64 instructions. The first of the two launches
// only fills the caches.
static double chain_cycles(struct hd_work *w, const struct chain *c, const struct places *p,
                           unsigned threads, int rounds)
{
    char kernel[32];
    int64_t cycles[MANY / 32] = {0}, most = 0;
    int ia = 3, ib = 5;
    float fa = 1.5f, fb = 0.75f;
    double da = 1.5, db = 0.75;
    void *a = c->type == 'i' ? (void *)&ia : c->type == 'f' ? (void *)&fa : (void *)&da;
    void *b = c->type == 'i' ? (void *)&ib : c->type == 'f' ? (void *)&fb : (void *)&db;
    CUdeviceptr to = p->cycles, sink = p->sink;

    snprintf(kernel, sizeof kernel, "chain_%s", c->kernel);
    CUfunction f = hd_work_kernel(w, kernel);
    for (int i = 0; i < 2; i++)
        HD_WORK_LAUNCH(w, f, blocks(1, threads), &to, &sink, a, b, &rounds);
    hd_work_read(w, cycles, to, threads / 32 * sizeof *cycles);
    for (unsigned i = 0; i < threads / 32; i++)
        most = cycles[i] > most ? cycles[i] : most;
    return (double)most;
}

static void measure_chains(struct hd_work *w, const struct places *p)
{
    for (size_t i = 0; i < sizeof chains / sizeof *chains && w->error == CUDA_SUCCESS; i++) {
        const struct chain *c = &chains[i];
        double one = (chain_cycles(w, c, p, 32, 6) - chain_cycles(w, c, p, 32, 2)) / (4 * 64);
        double all = (chain_cycles(w, c, p, MANY, 6) - chain_cycles(w, c, p, MANY, 2)) / (4 * 64);

        line("latency", c->name, one, "cycles");
        line("interval", c->name, all / (MANY / 32), "cycles");
    }
}

// --- caches

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// A ring through all lines in random order (Sattolo 1986).
static void fill_ring(uint32_t *words, uint32_t lines)
{
    uint32_t seed = 1;

    for (uint32_t i = 0; i < lines; i++)
        words[i * (LINE / 4)] = i;
    for (uint32_t i = lines; i-- > 1;) {
        uint32_t j = next_random(&seed) % i, word = words[i * (LINE / 4)];
        words[i * (LINE / 4)] = words[j * (LINE / 4)];
        words[j * (LINE / 4)] = word;
    }
}

static void measure_chase(struct hd_work *w, const struct places *p, bool quick)
{
    static const uint32_t kib[] = {4,   8,   16,   24,   32,   48,   64,   96,   128,   192,
                                   256, 512, 1024, 2048, 3072, 4096, 6144, 8192, 16384, 32768};
    uint32_t most = (quick ? 64 : kib[sizeof kib / sizeof *kib - 1]) * 1024;
    uint32_t *words = hd_work_array(w, most / 4, 4);
    CUdeviceptr ring = hd_work_buffer(w, most), to = p->cycles, sink = p->sink;
    CUfunction f = hd_work_kernel(w, "chase");

    for (size_t i = 0; i < sizeof kib / sizeof *kib && kib[i] * 1024 <= most; i++) {
        uint32_t lines = kib[i] * 1024 / LINE, few = 64, many = 512;
        int64_t a = 0, b = 0;
        char name[16];

        fill_ring(words, lines);
        hd_work_write(w, ring, words, (size_t)lines * LINE);
        HD_WORK_LAUNCH(w, f, blocks(1, MANY), &to, &sink, &ring, &lines, &few);
        hd_work_read(w, &a, to, sizeof a);
        HD_WORK_LAUNCH(w, f, blocks(1, MANY), &to, &sink, &ring, &lines, &many);
        hd_work_read(w, &b, to, sizeof b);
        snprintf(name, sizeof name, "%uK", kib[i]);
        line("chase", name, (double)(b - a) / (many - few), "cycles");
    }
}

// Cycles of the slowest of some warps that load at the same time.
static double lanes_cycles(struct hd_work *w, const struct places *p, CUdeviceptr from,
                           uint32_t stride, uint32_t loads)
{
    int64_t cycles[LOADERS] = {0}, most = 0;
    CUdeviceptr to = p->cycles, sink = p->sink;
    int64_t zero = 0;

    HD_WORK_LAUNCH(w, hd_work_kernel(w, "lanes"), blocks(1, 32 * LOADERS), &to, &sink, &from,
                   &stride, &loads, &zero);
    hd_work_read(w, cycles, to, sizeof cycles);
    for (unsigned i = 0; i < LOADERS; i++)
        most = cycles[i] > most ? cycles[i] : most;
    return (double)most;
}

static void measure_lanes(struct hd_work *w, const struct places *p)
{
    static const uint32_t strides[] = {0, 1, 2, 4, 8, 16, 32};
    CUdeviceptr from = hd_work_buffer(w, 32 * LINE);

    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        double few = lanes_cycles(w, p, from, strides[i], 64),
               many = lanes_cycles(w, p, from, strides[i], 256);
        char name[16];

        snprintf(name, sizeof name, "%uB", 4 * strides[i]);
        line("lanes", name, (many - few) / (LOADERS * (256 - 64)), "cycles");
    }
}

// --- bandwidths and launches

static void bandwidth(struct hd_work *w, const char *name, const char *kernel, size_t bytes,
                      double each)
{
    CUfunction f = hd_work_kernel(w, kernel);
    CUdeviceptr out = hd_work_buffer(w, bytes), from = hd_work_buffer(w, bytes);
    uint32_t n = (uint32_t)(bytes / 16), few = 1, many = bytes > (8u << 20) ? 2 : 8;
    double short_time, long_time;
    int sms = 1;

    cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, w->device);
    HD_WORK_LAUNCH(w, f, blocks(2 * (unsigned)sms, 512), &out, &from, &n, &few);
    HD_WORK_LAUNCH(w, f, blocks(2 * (unsigned)sms, 512), &out, &from, &n, &few);
    short_time = last(w);
    // Events of a GPU count in steps of half a microsecond.
    for (;; many *= 4) {
        HD_WORK_LAUNCH(w, f, blocks(2 * (unsigned)sms, 512), &out, &from, &n, &many);
        long_time = last(w);
        if (w->error != CUDA_SUCCESS || long_time - short_time > ENOUGH || many > 1024)
            break;
    }
    if (long_time > short_time)
        line("bandwidth", name,
             each * (double)bytes * (many - few) / (long_time - short_time) / 1000, "GB/s");
}

// Bytes of a buffer that the L2 cannot hold.
static size_t beyond_caches(struct hd_work *w)
{
    int l2 = 0;

    if (w->error == CUDA_SUCCESS)
        cuDeviceGetAttribute(&l2, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, w->device);
    return l2 > (8 << 20) ? 4 * (size_t)l2 : 32u << 20;
}

static void measure_launches(struct hd_work *w)
{
    CUfunction f = hd_work_kernel(w, "nothing");
    double least = 0;

    for (int i = 0; i < 20 && w->error == CUDA_SUCCESS; i++) {
        HD_WORK_LAUNCH(w, f, blocks(1, 32), NULL);
        double t = last(w);
        least = i == 0 || t < least ? t : least;
    }
    line("launch", "nothing", least, "us");
    size_t first = w->n_times;
    for (int i = 0; i < 100; i++)
        HD_WORK_LAUNCH(w, f, blocks(1, 32), NULL);
    float all = 0;
    if (w->error == CUDA_SUCCESS && cuEventSynchronize(w->times[first + 99].end) == CUDA_SUCCESS &&
        cuEventElapsedTime(&all, w->times[first].start, w->times[first + 99].end) == CUDA_SUCCESS)
        line("launch", "each of 100", 1000 * (double)all / 100, "us");
}

int main(int argc, char **argv)
{
    struct hd_work w = {.arena = hd_arena_new(), .timed = true};
    bool quick = argc > 1 && !strcmp(argv[1], "quick");

    hd_work_start(&w, argc > 1 + quick ? argv[1 + quick] : "hardware/micro.sm_75.ptx");
    machine(&w);
    (void)measure_clock(&w);
    struct places p = {hd_work_buffer(&w, MANY / 32 * sizeof(int64_t)),
                       hd_work_buffer(&w, 8 * MANY * 8)};
    measure_chains(&w, &p);
    measure_chase(&w, &p, quick);
    measure_lanes(&w, &p);
    if (!quick) {
        size_t bytes = beyond_caches(&w);
        bandwidth(&w, "dram.read", "stream_read", bytes, 1);
        bandwidth(&w, "dram.write", "stream_write", bytes, 1);
        bandwidth(&w, "dram.copy", "stream_copy", bytes, 2);
    }
    bandwidth(&w, "l2.read", "stream_read", 512u << 10, 1);
    measure_launches(&w);
    if (w.error != CUDA_SUCCESS) {
        const char *error = NULL;
        cuGetErrorName(w.error, &error);
        fprintf(stderr, "measure: %s returned %s\n", w.failed, error ? error : "an unknown error");
    }
    int status = w.error == CUDA_SUCCESS ? 0 : 2;
    hd_work_end(&w);
    hd_arena_free(w.arena);
    return status;
}
