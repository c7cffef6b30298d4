// fatbins.c - see fatbins.h. Laid out like those of nvcc: payloads padded to 8 bytes.
#include "shared/fatbins.h"

#include <lz4.h>
#include <stdio.h>
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

enum { NAMES = 64, SYMBOLS = 1024, INFO = 1280, HEADS = 2048, N_HEADS = 11 };

static unsigned put_name(uint8_t *to, unsigned *at, const char *head, const char *name)
{
    unsigned from = *at;

    *at += (unsigned)sprintf((char *)to + NAMES + from, "%s%s", head, name) + 1;
    return from;
}

static void put_head(uint8_t *to, unsigned number, unsigned name, unsigned type, unsigned at,
                     unsigned size, unsigned link, unsigned info)
{
    uint8_t *h = to + HEADS + number * 64;

    put(h, name, 4);
    put(h + 4, type, 4);
    put(h + 24, at, 8);
    put(h + 32, size, 8);
    put(h + 40, link, 4);
    put(h + 44, info, 4);
}

size_t cubin_make(uint8_t *to, unsigned arch, bool linked, bool counts,
                  const struct cubin_kernel kernels[2])
{
    unsigned names = 1;

    memset(to, 0, HEADS + N_HEADS * 64);
    memcpy(to,
           "\x7f"
           "ELF\2\1\1\x41\x8",
           9);
    put(to + 16, linked ? 2 : 1, 2);
    put(to + 18, 190, 2);
    put(to + 40, HEADS, 8);
    put(to + 48, arch << 8 | 4, 4);
    put(to + 60, N_HEADS, 2);
    put(to + 62, 1, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct cubin_kernel *k = &kernels[i];
        uint8_t *symbol = to + SYMBOLS + (i + 1) * 24, *record = to + INFO + i * 12;
        put(symbol, put_name(to, &names, "", k->name), 4);
        put(symbol + 4, 0x12, 1);
        put(symbol + 5, 0x10, 1);
        put(record, 0x082f04, 4);
        put(record + 4, i + 1, 4);
        put(record + 8, counts ? k->regs : 0, 4);
        put_head(to, 4 + 3 * i, put_name(to, &names, ".text.", k->name), 1, 0, 0, 3,
                 counts ? 0 : k->regs << 24);
        put_head(to, 5 + 3 * i, put_name(to, &names, ".nv.shared.", k->name), 8, 0, k->shared, 0,
                 0);
        put_head(to, 6 + 3 * i, put_name(to, &names, ".nv.constant0.", k->name), 1, 0, k->constants,
                 0, 0);
    }
    put_head(to, 2, put_name(to, &names, ".nv.info", ""), 0x70000000, INFO, 24, 3, 0);
    put_head(to, 3, put_name(to, &names, ".symtab", ""), 2, SYMBOLS, 3 * 24, 1, 0);
    put_head(to, 10, put_name(to, &names, ".nv.constant3", ""), 1, 0, 512, 0, 0);
    put_head(to, 1, put_name(to, &names, ".strtab", ""), 3, NAMES, names, 0, 0);
    return HEADS + N_HEADS * 64;
}
