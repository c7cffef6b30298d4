// parts.h - functions of the folders above that core calls at certain events.
//
// A part is a table of functions, in which NULL means "nothing to do". The file that defines a part
// owns it. lifecycle.c lists all parts and installs the list in cuInit. They are called in this
// order, in which a part comes before the parts that it uses.
#ifndef HEDDLE_CUDA_CORE_PARTS_H
#define HEDDLE_CUDA_CORE_PARTS_H

#include "cuda/abi/driver.h"

#include <stdbool.h>
#include <stddef.h>

struct hd_cuda_context;
struct hd_cuda_module;
struct hd_gpu_options;

struct hd_part {
    void (*options)(struct hd_gpu_options *o); // a machine is about to be made
    void (*machine_made)(void);
    void (*before_run)(void);  // the machine is about to run: update its view of shared
    void (*after_run)(void);   // memory; it has stopped: update the host's view
    CUresult (*forbids)(void); // returns an error if calls outside of streams are forbidden now
    void (*module_ends)(const struct hd_cuda_module *m);
    void (*context_ends)(const struct hd_cuda_context *c);
    void (*device_reset)(void); // the program resets the device
    void (*machine_ends)(void);
    void (*device_ends)(void); // hd_cuda.arena is about to be freed
    void (*forked)(void);      // this process is a forked child, which does not have our threads
};

void hd_parts_install(const struct hd_part *const *parts, size_t n);
void hd_parts_options(struct hd_gpu_options *o);
void hd_parts_machine_made(void);
void hd_parts_before_run(void);
void hd_parts_after_run(void);
CUresult hd_parts_forbid(void);
void hd_parts_module_ends(const struct hd_cuda_module *m);
void hd_parts_context_ends(const struct hd_cuda_context *c);
void hd_parts_device_reset(void);
void hd_parts_machine_ends(void);
void hd_parts_device_ends(void);
void hd_parts_forked(void);

#endif
