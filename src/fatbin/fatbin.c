// fatbin.c - reads nvcc's container of device code without trusting any byte of it.
//
// A container is a 16-byte header followed by entries. Each entry is a header that contains its own
// length (at least 64 bytes) and a payload: raw, or compressed as one LZ4 block or one zstd frame.
// All numbers are little endian.
#include "fatbin/fatbin.h"

#include <inttypes.h>
#include <lz4.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#define HEADER 16
#define ENTRY_MIN 64
#define UNPACKED_MAX ((uint64_t)256 << 20) // the PTX of the largest libraries is far smaller

static uint64_t number(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

uint64_t hd_fatbin_bytes(const uint8_t head[16])
{
    uint64_t header = number(head + 6, 2), rest = number(head + 8, 8);

    if (number(head, 4) != HD_FATBIN_MAGIC || header != HEADER || rest > INT64_MAX)
        return 0;
    return header + rest;
}

bool hd_fatbin_next(const uint8_t *bytes, uint64_t n, uint64_t *at, struct hd_fatbin_entry *out,
                    const char **damage)
{
    *damage = NULL;
    if (!*at) {
        if (n < HEADER || !hd_fatbin_bytes(bytes)) {
            *damage = "its header is not that of a fatbin";
            return false;
        }
        *at = HEADER;
    }
    if (*at >= n)
        return false;

    uint64_t left = n - *at;
    const uint8_t *e = bytes + *at;
    if (left < ENTRY_MIN) {
        *damage = "it ends inside an entry's header";
        return false;
    }
    uint64_t header = number(e + 4, 4), padded = number(e + 8, 8), packed = number(e + 16, 4);
    if (header < ENTRY_MIN || header > left || padded > left - header || packed > padded) {
        *damage = "an entry is larger than the container";
        return false;
    }
    *out = (struct hd_fatbin_entry){.kind = (uint32_t)number(e, 2),
                                    .arch = (uint32_t)number(e + 28, 4),
                                    .flags = number(e + 40, 8),
                                    .payload = e + header,
                                    .stored = packed ? packed : padded,
                                    .unpacked = packed ? number(e + 56, 8) : 0};
    *at += header + padded;
    return true;
}

bool hd_fatbin_better(uint32_t arch, uint32_t have, uint32_t candidate)
{
    if (!have)
        return true;
    if ((candidate <= arch) != (have <= arch))
        return candidate <= arch;
    return candidate <= arch ? candidate > have : candidate < have;
}

// Adds "sm_75" to a list such as "sm_60, sm_70", once. A list that is full ends in "...".
static void add_arch(char *list, size_t room, uint32_t arch)
{
    char word[24];
    size_t n = strlen(list);

    snprintf(word, sizeof word, "sm_%u", arch);
    if (strstr(list, word))
        return;
    if (n + sizeof word + 8 < room)
        snprintf(list + n, room - n, "%s%s", n ? ", " : "", word);
    else if (!strstr(list, "..."))
        snprintf(list + n, room - n, ", ...");
}

bool hd_fatbin_choose(const uint8_t *bytes, uint64_t n, uint32_t arch, struct hd_fatbin_entry *out,
                      bool *sass, struct hd_diag *d)
{
    struct hd_fatbin_entry e;
    uint64_t at = 0;
    char machine_code[160] = "";
    const char *damage;

    *out = (struct hd_fatbin_entry){.kind = 0};
    while (hd_fatbin_next(bytes, n, &at, &e, &damage)) {
        if (e.kind == HD_FATBIN_PTX && hd_fatbin_better(arch, out->kind ? out->arch : 0, e.arch))
            *out = e;
        else if (e.kind == HD_FATBIN_SASS || e.kind == HD_FATBIN_LTO)
            add_arch(machine_code, sizeof machine_code, e.arch);
    }
    *sass = *machine_code != '\0';
    if (damage) {
        hd_diag_add(d, NULL, 0, 0, "the fatbin is damaged: %s", damage);
        return false;
    }
    if (out->kind)
        return true;
    if (*machine_code)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "the program holds only machine code for %s, no PTX",
                                 machine_code),
                     "rebuild it with -gencode arch=compute_75,code=compute_75 (CMake: "
                     "CUDA_ARCHITECTURES 75-virtual)");
    else
        hd_diag_add(d, NULL, 0, 0, "the fatbin holds no device code");
    return false;
}

// Returns the number of bytes written to `to`, or SIZE_MAX.
static size_t decompress(const struct hd_fatbin_entry *e, uint8_t *to)
{
    if (e->flags & HD_FATBIN_ZSTD) {
        size_t got = ZSTD_decompress(to, e->unpacked, e->payload, e->stored);
        return ZSTD_isError(got) ? SIZE_MAX : got;
    }
    if (e->stored > INT32_MAX)
        return SIZE_MAX;
    int got =
        LZ4_decompress_safe((const char *)e->payload, (char *)to, (int)e->stored, (int)e->unpacked);
    return got < 0 ? SIZE_MAX : (size_t)got;
}

uint8_t *hd_fatbin_unpack(struct hd_arena *a, const struct hd_fatbin_entry *e, size_t *bytes,
                          struct hd_diag *d)
{
    bool packed = e->unpacked != 0;
    uint64_t n = packed ? e->unpacked : e->stored;
    uint8_t *text;

    if (packed && !(e->flags & (HD_FATBIN_LZ4 | HD_FATBIN_ZSTD))) {
        hd_diag_add(d, NULL, 0, 0,
                    "a fatbin entry is compressed in an unknown way (flags 0x%" PRIx64 ")",
                    e->flags);
        return NULL;
    }
    if (n > UNPACKED_MAX) {
        hd_diag_add(d, NULL, 0, 0, "a fatbin entry claims to hold %" PRIu64 " bytes", n);
        return NULL;
    }
    text = hd_arena_get(a, n + 1, 1);
    if (!packed) {
        memcpy(text, e->payload, n);
    } else if (decompress(e, text) != n) {
        hd_diag_add(d, NULL, 0, 0, "a fatbin entry cannot be decompressed");
        return NULL;
    }
    *bytes = e->kind == HD_FATBIN_PTX ? strlen((const char *)text) : n; // padding is no text
    return text;
}

bool hd_fatbin_is_runtime(const char *text)
{
    return strstr(text, "cuda_device_runtime_cu") != NULL;
}
