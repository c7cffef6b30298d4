// sha256.h - SHA-256 (FIPS 180-4), to tell inputs apart: what `sha256sum` prints.
#ifndef HEDDLE_BASE_SHA256_H
#define HEDDLE_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define HD_SHA256_HEX 65 // with the NUL

struct hd_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[64];
};

void hd_sha256_start(struct hd_sha256 *s);
void hd_sha256_add(struct hd_sha256 *s, const void *data, size_t bytes);
void hd_sha256_end(struct hd_sha256 *s, char hex[HD_SHA256_HEX]);
void hd_sha256_of(const void *data, size_t bytes, char hex[HD_SHA256_HEX]); // all at once

#endif
