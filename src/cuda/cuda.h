// cuda.h - the CUDA device of this process as heddle's own code uses it: choosing the machine
// before a program's first call, collecting the results after its last.
//
// A process has one device. Host code compiled into heddle (the workloads) calls the functions of
// cuda/abi/driver.h like any program. Only the choice of the machine differs: hd_cuda_use makes it
// here, the environment makes it in libcuda.so.1 (docs/cuda.md).
#ifndef HEDDLE_CUDA_CUDA_H
#define HEDDLE_CUDA_CUDA_H

#include "run/runs.h"

// Sets the machine that cuInit is to make, with kernel overrides. Everything it points to must live
// until hd_cuda_end. Call it before cuInit, or after hd_cuda_end.
void hd_cuda_use(const struct hd_run_options *o);

// Runs what is still queued and returns the machine for reports: gpu and status are set, job is
// NULL, and nothing is checked. False if no context was ever made. The machine lives until
// hd_cuda_end.
// NULL, nothing is checked. False if no context was ever made. The machine lives until hd_cuda_end.
bool hd_cuda_finish(struct hd_run *out);

// Ends the device with all contexts; the next cuInit makes a new one.
void hd_cuda_end(void);

#endif
