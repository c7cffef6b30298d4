// host.c (fast_walsh) - dyadic convolution by the fast Walsh-Hadamard transform.
#include "workload/work.h"

#include <string.h>

#define NEAR 11 // steps in shared memory, of 2^NEAR numbers
#define FAR_THREADS 256
#define WEIGHTS_LOG2 7
#define MODULATE_BLOCKS 128
#define MODULATE_THREADS 256

static void launch_transform(struct hd_work *w, CUdeviceptr data, unsigned log2)
{
    CUfunction far = hd_work_kernel(w, "far_steps"), near = hd_work_kernel(w, "near_steps");
    unsigned left = log2, n = 1u << log2;

    for (; left > NEAR; left -= 2) {
        unsigned stride = 1u << (left - 2);
        HD_WORK_LAUNCH(w, far, ((struct hd_work_grid){n / 4 / FAR_THREADS, 1, FAR_THREADS, 1}),
                       &data, &stride);
    }
    HD_WORK_LAUNCH(w, near, ((struct hd_work_grid){n >> left, 1, (1u << left) / 4, 1}), &data,
                   &left);
}

static void transform(float *data, unsigned n)
{
    for (unsigned stride = n / 2; stride > 0; stride /= 2)
        for (unsigned base = 0; base < n; base += 2 * stride)
            for (unsigned i = base; i < base + stride; i++) {
                float a = data[i], b = data[i + stride];
                data[i] = a + b;
                data[i + stride] = a - b;
            }
}

static void run(struct hd_work *w)
{
    static const unsigned logs[HD_WORK_SIZES] = {13, 17, 23};
    unsigned log2 = logs[w->size], n = 1u << log2;
    size_t bytes = n * sizeof(float);
    float *data = hd_work_floats(w, n, 0, 1), *weights = hd_work_array(w, n, sizeof *weights);
    float *got_spectrum = hd_work_array(w, n, sizeof *data),
          *got = hd_work_array(w, n, sizeof *data);

    for (unsigned i = 0; i < 1u << WEIGHTS_LOG2; i++)
        weights[i] = hd_work_random_float(w, 0, 1);
    CUdeviceptr d_data = hd_work_upload(w, data, bytes),
                d_weights = hd_work_upload(w, weights, bytes);
    launch_transform(w, d_weights, log2);
    launch_transform(w, d_data, log2);
    hd_work_read(w, got_spectrum, d_data, bytes);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "modulate"),
                   ((struct hd_work_grid){MODULATE_BLOCKS, 1, MODULATE_THREADS, 1}), &d_data,
                   &d_weights, &n);
    launch_transform(w, d_data, log2);
    hd_work_read(w, got, d_data, bytes);

    // The sum over j of data[i xor j] * weights[j], from its definition.
    float *expected = hd_work_array(w, n, sizeof *expected);
    for (unsigned i = 0; i < n; i++) {
        double sum = 0;
        for (unsigned j = 0; j < 1u << WEIGHTS_LOG2; j++)
            sum += (double)data[i ^ j] * (double)weights[j];
        expected[i] = (float)sum;
    }
    transform(data, n);
    hd_work_near(w, "spectrum", got_spectrum, data, n, 1e-4);
    hd_work_near(w, "convolution", got, expected, n, 1e-3);
}

const struct hd_workload hd_workload_fast_walsh = {
    .name = "fast_walsh",
    .brief = "Walsh-Hadamard transforms: steps in shared memory, a barrier before each, 16 warps",
    .groups = "baws:FWT",
    .sizes = {"2^13 numbers, 2^7 weights", "2^17 numbers, 2^7 weights",
              "2^23 numbers, 2^7 weights"},
    .run = run,
};
