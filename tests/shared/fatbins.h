// fatbins.h - writing fatbins, to read them back.
#ifndef TESTS_CUDA_FATBINS_H
#define TESTS_CUDA_FATBINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fatbin {
    uint8_t bytes[65536];
    size_t n;
};

enum fatbin_packing { FATBIN_RAW, FATBIN_LZ4, FATBIN_ZSTD };

void fatbin_begin(struct fatbin *f);
// An entry with a header of `header` bytes, at least 64.
void fatbin_add(struct fatbin *f, unsigned kind, unsigned arch, enum fatbin_packing packing,
                const void *payload, size_t bytes, unsigned header);

struct cubin_kernel { // what a cubin says of a kernel
    const char *name;
    unsigned regs, shared, constants;
};
// Writes a cubin of two kernels, without instructions, and returns its size (below 4096 bytes).
// `counts`: the register counts are in .nv.info as since sm_90, else in the sections of the code.
size_t cubin_make(uint8_t *to, unsigned arch, bool linked, bool counts,
                  const struct cubin_kernel kernels[2]);

#endif
