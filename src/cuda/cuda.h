// cuda.h - the CUDA device of this process as heddle's own code sees it: choosing the machine
// before a program's first call, collecting the results behind its last.
//
// A process has one device. Host code compiled into heddle (the workloads) calls the functions of
// cuda/abi/driver.h like any program; only who chooses the machine differs: hd_cuda_use here, the
// environment in libcuda.so.1 (docs/cuda.md).
#ifndef HEDDLE_CUDA_CUDA_H
#define HEDDLE_CUDA_CUDA_H

#include "run/runs.h"

// The machine that cuInit is to make, with kernel overrides. Everything it points to must live
// until hd_cuda_end. Call it before cuInit, or behind hd_cuda_end.
void hd_cuda_use(const struct hd_run_options *o);

// Run what is still queued and hand out the machine for reports: gpu and status are set, job is
// NULL, nothing is checked. False if no context was ever made. The machine lives until hd_cuda_end.
bool hd_cuda_finish(struct hd_run *out);

// Forget the device with all contexts; the next cuInit makes a new one.
void hd_cuda_end(void);

#endif
