// fatbin.h - the container in which nvcc puts device code: which entry to run, and its PTX text.
//
// The folder fatbin/ reads device code from files and from programs: containers (fatbin.c), ELF
// files around them (executable.c), and the names of NVIDIA's libraries (kernellibs.c). It needs no
// device: `heddle inspect` reads files with it, the driver reads what programs load. No byte of its
// input is trusted.
#ifndef HEDDLE_FATBIN_FATBIN_H
#define HEDDLE_FATBIN_FATBIN_H

#include "base/arena.h"
#include "base/diag.h"

#define HD_FATBIN_MAGIC 0xba55ed50u   // first word of a container
#define HD_FATBIN_WRAPPER 0x466243b1u // first word of a program.s struct that points to one

enum hd_fatbin_kind { HD_FATBIN_PTX = 1, HD_FATBIN_SASS = 2, HD_FATBIN_LTO = 8 };

struct hd_fatbin_entry {
    uint32_t kind;             // enum hd_fatbin_kind, or an unknown number
    uint32_t arch;             // 75 for sm_75 or compute_75
    uint64_t flags;            // HD_FATBIN_LZ4, HD_FATBIN_ZSTD and others
    const uint8_t *payload;    // as stored
    uint64_t stored, unpacked; // bytes; unpacked is 0 if the payload is not compressed
};
#define HD_FATBIN_LZ4 0x2000u
#define HD_FATBIN_ZSTD 0x8000u

// Size of the container according to its header, 0 if these 16 bytes are no header.
uint64_t hd_fatbin_bytes(const uint8_t head[16]);

// Steps to the entry after byte *at of the container (start with 0). False at the end, and if the
// bytes are damaged; then *damage describes the damage, else it is NULL.
bool hd_fatbin_next(const uint8_t *bytes, uint64_t n, uint64_t *at, struct hd_fatbin_entry *out,
                    const char **damage);

// Whether a device of architecture `arch` prefers code for `candidate` to code for `have`: the
// highest that is not above it, else the lowest above. 0 stands for no code.
bool hd_fatbin_better(uint32_t arch, uint32_t have, uint32_t candidate);

// Chooses the entry for a device of this architecture: the highest PTX that is not above it, else
// the lowest above. False with a diagnostic (and a hint how to rebuild) if there is no PTX at all.
// *sass is set if there was machine code.
bool hd_fatbin_choose(const uint8_t *bytes, uint64_t n, uint32_t arch, struct hd_fatbin_entry *out,
                      bool *sass, struct hd_diag *d);

// The unpacked payload with a final NUL, which *bytes does not count; of PTX, *bytes ends at the
// first NUL. NULL with a diagnostic.
uint8_t *hd_fatbin_unpack(struct hd_arena *a, const struct hd_fatbin_entry *e, size_t *bytes,
                          struct hd_diag *d);

// Whether it is the text of NVIDIA's device runtime library, for launches by kernels. It uses
// system calls that are not public; heddle has its own functions instead (heddle/builtin.h), so
// this text is left out, and so is all of libcudadevrt.a.
bool hd_fatbin_is_runtime(const char *text);

#endif
