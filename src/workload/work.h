// work.h - the functions and types for the host code of a workload.
//
// A workload is a folder workloads/NAME/: kernel.cu, the PTX made of it (NAME.sm_75.ptx by nvcc,
// NAME.sm_20.ptx by clang), the registers ptxas gives it (NAME.sm_75.regs), host.c and a README.md.
// host.c defines `const struct hd_workload hd_workload_NAME`; the build finds it, there is no list.
// A host.c may define several, one for each input of a program; they share the folder's other
// files.
//
// Host code makes its input from the seed, runs kernels through the CUDA driver API, reads the
// results back, and computes the expected ones itself. It uses the names below. Each is a line or
// two around a driver function; after the first error, which is stored, they do nothing, so that
// host code needs no checks. The same files can be built with NVIDIA's cuda.h and libcuda: `make
// workloads-real`.
#ifndef HEDDLE_WORKLOAD_WORK_H
#define HEDDLE_WORKLOAD_WORK_H

#ifdef HD_REAL_CUDA
#include <cuda.h>
#else
#include "cuda/abi/driver.h"
#endif

#include "base/arena.h"
#include "run/check.h"

#include <stdbool.h>
#include <stdint.h>

// test: a moment; small: about two seconds of simulation; paper: what the literature uses.
enum hd_work_size { HD_WORK_TEST, HD_WORK_SMALL, HD_WORK_PAPER, HD_WORK_SIZES };

#define HD_WORK_CHECKS 8
#define HD_WORK_BUFFERS 32
#define HD_WORK_TEXTURES 4

struct hd_work_check { // got and expected: arrays of hd_work_array
    const char *name;
    const void *got, *expected;
    size_t bytes;
    double tolerance; // of floats, times max(1, |expected|); 0: words that must be equal
};

struct hd_work_time { // of a launch
    CUevent start, end;
};

struct hd_work {            // one run of a workload
    struct hd_arena *arena; // for arrays of the host
    enum hd_work_size size;
    uint64_t seed; // the generator's state once it is in use
    CUdevice device;
    CUmodule module;
    bool open;          // a context must be released
    CUresult error;     // first error, CUDA_SUCCESS so far
    const char *failed; // the function that returned it
    CUdeviceptr buffers[HD_WORK_BUFFERS];
    unsigned n_buffers;
    CUarray arrays[HD_WORK_TEXTURES]; // of textures, and these
    CUtexObject textures[HD_WORK_TEXTURES];
    unsigned n_arrays, n_textures;
    struct hd_work_check checks[HD_WORK_CHECKS];
    unsigned n_checks;
    bool timed; // set by the caller: events around every launch
    struct hd_work_time *times;
    size_t n_times, cap_times;
};

struct hd_workload {
    const char *name;
    const char *brief; // what it computes and what it stresses, one line
    // The groups that it is compared with, and its labels in papers: "first8 lfws:PF
    // pro:pathfinder" for @first8, @lfws, @lfws:PF, ... Labels of different papers may be equal.
    const char *groups;
    // The folder of workloads/ that it stands in, if several are in one; NULL: the name is.
    const char *folder;
    // Its kernels launch kernels. Such a workload has neither traces nor registers of sm_20, and is
    // not in @all.
    bool dynamic;
    const char *sizes[HD_WORK_SIZES]; // what each size is
    void (*run)(struct hd_work *w);
};

// Zeroed memory of the host.
void *hd_work_array(struct hd_work *w, size_t n, size_t size);
// SplitMix64 (Steele, Lea, Flood 2014), the high 32 bits of each draw.
uint32_t hd_work_random(struct hd_work *w);
float hd_work_random_float(struct hd_work *w, float low, float high);
float *hd_work_floats(struct hd_work *w, size_t n, float low, float high);

// Memory of the device: fresh and undefined; fresh with the contents of `from`; copies.
CUdeviceptr hd_work_buffer(struct hd_work *w, size_t bytes);
CUdeviceptr hd_work_upload(struct hd_work *w, const void *from, size_t bytes);
void hd_work_write(struct hd_work *w, CUdeviceptr to, const void *from, size_t bytes);
void hd_work_read(struct hd_work *w, void *to, CUdeviceptr from, size_t bytes);
// A texture of one channel with the contents of `from`: texels as they are, the nearest one to
// coordinates in texels, the edge repeated.
CUtexObject hd_work_texture(struct hd_work *w, const void *from, CUarray_format format,
                            unsigned width, unsigned height);
// The same of a row of texels in memory, `channels` in each, which kernels fetch by their number.
CUtexObject hd_work_texture_row(struct hd_work *w, CUdeviceptr from, CUarray_format format,
                                unsigned channels, size_t bytes);
// Give a __constant__ or __device__ variable of the module its value.
void hd_work_symbol(struct hd_work *w, const char *name, const void *from, size_t bytes);

// Up to `pending` kernels that were launched by kernels may wait to begin.
void hd_work_pending(struct hd_work *w, size_t pending);

CUfunction hd_work_kernel(struct hd_work *w, const char *name);
struct hd_work_grid {
    unsigned x, y;             // blocks
    unsigned block_x, block_y; // threads
};
void hd_work_launch(struct hd_work *w, CUfunction f, struct hd_work_grid grid, void **arguments);
// Microseconds from the start to the end of the launch with this number, if launches are timed.
double hd_work_took(struct hd_work *w, size_t launch);
// HD_WORK_LAUNCH(w, f, grid, &a, &b, ...): one address for each parameter.
#define HD_WORK_LAUNCH(w, f, grid, ...) hd_work_launch(w, f, grid, (void *[]){__VA_ARGS__})

// After the last launch: `got` shall equal `expected`, exactly or within a tolerance.
void hd_work_same(struct hd_work *w, const char *name, const void *got, const void *expected,
                  size_t words);
void hd_work_near(struct hd_work *w, const char *name, const float *got, const float *expected,
                  size_t n, double tolerance);

// Around the run, for its caller: arena, size and seed are set, everything else is zero. `start`
// opens the device and loads the module from a file; `end` releases the device's objects.
void hd_work_start(struct hd_work *w, const char *ptx);
void hd_work_end(struct hd_work *w);
// Stores the first error and the function that returned it. True if there is none.
bool hd_work_good(struct hd_work *w, CUresult result, const char *function);
// A request of `same` or `near` as a check, ready to be compared with c->got.
struct hd_check hd_work_check(const struct hd_work_check *c);

#endif
