// graphs.h - graphs of the kernels of kernels.h, for tests of the driver API.
#ifndef HEDDLE_TESTS_GRAPHS_H
#define HEDDLE_TESTS_GRAPHS_H

#include "shared/world.h"

CUgraph graphs_new(void);
CUgraphExec graphs_instance(CUgraph g);
void graphs_run(CUgraphExec e); // launches it, and waits for its end

CUdeviceptr graphs_ints(void); // WORLD_N ints that are 0

// A node for a kernel whose parameters are an address and a number, after none, one or both of `a`
// and `b` (NULL: none).
CUgraphNode graphs_kernel(CUgraph g, const char *name, CUdeviceptr x, int number, CUgraphNode a,
                          CUgraphNode b);

// A copy of so many bytes from one address of the device to another.
CUDA_MEMCPY3D graphs_line(CUdeviceptr to, CUdeviceptr from, size_t bytes);

#endif
