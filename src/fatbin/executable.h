// executable.h - what a file says about the CUDA in it: which runtime it wants, which device code
// it carries. For tools that look at a program from outside; a program that runs registers its
// code.
#ifndef HEDDLE_FATBIN_EXECUTABLE_H
#define HEDDLE_FATBIN_EXECUTABLE_H

#include "fatbin/fatbin.h"

enum hd_executable_kind {
    HD_EXECUTABLE_OTHER, // a script, or nothing we know
    HD_EXECUTABLE_ELF,
    HD_EXECUTABLE_FATBIN, // a container alone, as nvcc -fatbin writes it
    HD_EXECUTABLE_PTX,    // text
};

enum hd_executable_runtime {
    HD_RUNTIME_NONE,
    HD_RUNTIME_SHARED, // asks the loader for a libcudart
    HD_RUNTIME_STATIC, // carries NVIDIA's own copy of it
};

struct hd_executable_code { // an entry of a container
    const char *section;    // where it lies; "" in a file that is a container
    unsigned container;     // counts those of the file from 0
    struct hd_fatbin_entry entry;
};

struct hd_executable {
    enum hd_executable_kind kind;
    bool x86_64, program; // an ELF file for this processor; to be started, and not a library
    enum hd_executable_runtime runtime;
    const char *cudart; // the runtime's file name, "libcudart.so.13"; NULL: not shared
    bool driver;        // asks the loader for libcuda.so.1
    struct hd_executable_code *codes;
    size_t n_codes, cap_codes;
    const char *damage; // of a container, NULL if all could be read
    uint8_t *bytes;
    size_t n_bytes;
};

// Read the file; payloads point into its bytes, which live in the arena. False with a diagnostic if
// it cannot be read or is a damaged ELF file.
bool hd_executable_read(struct hd_arena *a, const char *path, struct hd_executable *out,
                        struct hd_diag *d);
// The same of bytes in memory, which must outlive the result; `path` is used in messages.
bool hd_executable_parse(struct hd_arena *a, const char *path, uint8_t *bytes, size_t n,
                         struct hd_executable *out, struct hd_diag *d);

#endif
