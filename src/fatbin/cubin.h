// cubin.h - machine code (a cubin, an ELF file of NVIDIA's): which kernels it has and what ptxas
// gave them. heddle does not run it, but its register counts are the true ones.
//
// Left out: the instructions. Source of the format: CuAssembler's CubinFile.py and CuNVInfo.py, and
// cubins that ptxas wrote.
#ifndef HEDDLE_FATBIN_CUBIN_H
#define HEDDLE_FATBIN_CUBIN_H

#include "fatbin/fatbin.h"
#include "heddle/program.h"

struct hd_cubin_kernel {
    const char *name;
    uint32_t regs;      // of a thread; 0: the file does not say
    uint32_t shared;    // static bytes of a block
    uint32_t constants; // bytes of bank 0, which has the parameters
};

struct hd_cubin {
    uint32_t arch;      // 75 for sm_75
    bool linked;        // not one unit of relocatable code, whose counts lack those of callees
    uint32_t constants; // bytes of __constant__ variables
    struct hd_cubin_kernel *kernels; // sorted by name
    size_t n_kernels, cap_kernels;
};

bool hd_cubin_is(const uint8_t *bytes, uint64_t n);
uint32_t hd_cubin_arch(const uint8_t *bytes); // of bytes that are one: 75 for sm_75

// Reads it. Names are copied into the arena. False if the file is damaged.
bool hd_cubin_read(struct hd_arena *a, const uint8_t *bytes, uint64_t n, struct hd_cubin *out);

// A kernel by its name, NULL if the file has none of that name.
const struct hd_cubin_kernel *hd_cubin_find(const struct hd_cubin *c, const char *name);

// Reads the linked cubin of a container that is closest to architecture `arch`: the highest that is
// not above it, else the lowest above, as PTX is chosen. False if there is none or it is damaged.
bool hd_cubin_choose(struct hd_arena *a, const uint8_t *container, uint64_t n, uint32_t arch,
                     struct hd_cubin *out);

// Gives the kernels of a program the register counts of the kernels with their names.
// The program's functions are replaced by a copy in the arena, so give before they are used.
void hd_cubin_give(struct hd_arena *a, const struct hd_cubin_kernel *kernels, size_t n,
                   struct hd_program *p);

#endif
