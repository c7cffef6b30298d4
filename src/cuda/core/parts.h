// parts.h - what the folders above want to hear from the core.
//
// A part is a table of functions; NULL stands for "nothing to do". Its owner is the file that
// defines it. lifecycle.c lists all parts and installs the list in cuInit; they are called in its
// order, which begins with the highest: what uses others goes before what it uses.
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
    void (*before_run)(void);  // the machine is about to run, and has stopped: memory that the host
    void (*after_run)(void);   // and kernels share is brought up to date
    CUresult (*forbids)(void); // an error, if nothing may happen now outside of streams
    void (*module_ends)(const struct hd_cuda_module *m);
    void (*context_ends)(const struct hd_cuda_context *c);
    void (*device_reset)(void); // by the program
    void (*machine_ends)(void);
    void (*device_ends)(void); // with hd_cuda.arena
    void (*forked)(void);      // this process is a child and has no threads of ours
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
