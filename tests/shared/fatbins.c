// fatbins.c - see fatbins.h. Laid out like those of nvcc: payloads padded to 8 bytes.
#include "shared/fatbins.h"

#include <lz4.h>
#include <string.h>
#include <zstd.h>

static void put(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

void fatbin_begin(struct fatbin *f)
{
    memset(f, 0, sizeof *f);
    put(f->bytes, 0xba55ed50, 4);
    put(f->bytes + 4, 1, 2);
    put(f->bytes + 6, 16, 2);
    f->n = 16;
}

void fatbin_add(struct fatbin *f, unsigned kind, unsigned arch, enum fatbin_packing packing,
                const void *payload, size_t bytes, unsigned header)
{
    uint8_t *e = f->bytes + f->n, *to = e + header;
    size_t room = sizeof f->bytes - f->n - header, stored = bytes;

    if (packing == FATBIN_LZ4)
        stored = (size_t)LZ4_compress_default(payload, (char *)to, (int)bytes, (int)room);
    else if (packing == FATBIN_ZSTD)
        stored = ZSTD_compress(to, room, payload, bytes, 3);
    else
        memcpy(to, payload, bytes);
    put(e, kind, 2);
    put(e + 2, 0x0101, 2);
    put(e + 4, header, 4);
    put(e + 8, (stored + 7) / 8 * 8, 8);
    put(e + 28, arch, 4);
    put(e + 40, 0x11u | (packing == FATBIN_LZ4 ? 0x2000 : packing == FATBIN_ZSTD ? 0x8000 : 0), 8);
    if (packing != FATBIN_RAW) {
        put(e + 16, stored, 4);
        put(e + 56, bytes, 8);
    }
    f->n += header + (stored + 7) / 8 * 8;
    put(f->bytes + 8, f->n - 16, 8);
}
