// executable.h - the CUDA contents of a file: which runtime it needs and which device code it
// contains. For tools that examine a program without running it; a running program registers its
// code.
#ifndef HEDDLE_FATBIN_EXECUTABLE_H
#define HEDDLE_FATBIN_EXECUTABLE_H

#include "fatbin/fatbin.h"

enum hd_executable_kind {
    HD_EXECUTABLE_OTHER, // a script, or an unknown format
    HD_EXECUTABLE_ELF,
    HD_EXECUTABLE_FATBIN, // a container by itself, as `nvcc -fatbin` writes it
    HD_EXECUTABLE_CUBIN,  // machine code by itself, as `nvcc -cubin` writes it
    HD_EXECUTABLE_PTX,    // text
};

enum hd_executable_runtime {
    HD_RUNTIME_NONE,
    HD_RUNTIME_SHARED, // needs a shared libcudart
    HD_RUNTIME_STATIC, // contains NVIDIA's own copy of it
};

struct hd_executable_code { // an entry of a container, or a cubin
    const char *section;    // its section; "" in a file that is a container or a cubin
    unsigned container;     // number of the container, from 0
    struct hd_fatbin_entry entry;
};

struct hd_executable {
    enum hd_executable_kind kind;
    bool x86_64, program; // an ELF file for this processor; an executable and not a library
    enum hd_executable_runtime runtime;
    const char *cudart; // the runtime's file name, "libcudart.so.13"; NULL: not shared
    bool driver;        // needs libcuda.so.1
    struct hd_executable_code *codes;
    size_t n_codes, cap_codes;
    const char *damage; // what is wrong with a container, NULL if all could be read
    uint8_t *bytes;
    size_t n_bytes;
};

// Reads the file; payloads point into its bytes, which live in the arena. Returns false with a
// diagnostic if it cannot be read or is a damaged ELF file.
bool hd_executable_read(struct hd_arena *a, const char *path, struct hd_executable *out,
                        struct hd_diag *d);
// The same for bytes in memory, which must outlive the result; `path` is used in messages.
bool hd_executable_parse(struct hd_arena *a, const char *path, uint8_t *bytes, size_t n,
                         struct hd_executable *out, struct hd_diag *d);

#endif
