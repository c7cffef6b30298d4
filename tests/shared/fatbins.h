// fatbins.h - writing fatbins, to read them back.
#ifndef TESTS_CUDA_FATBINS_H
#define TESTS_CUDA_FATBINS_H

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

#endif
