// cpp_scopes.h - what stands where in C++ text: which tokens belong to device code, and where
// kernels are declared.
#ifndef HEDDLE_CC_CPP_SCOPES_H
#define HEDDLE_CC_CPP_SCOPES_H

#include "cc/cpp_tokens.h"

enum { HD_CPP_DEVICE = 1, HD_CPP_HOST = 2, HD_CPP_GLOBAL = 4 }; // attributes of functions

struct hd_cpp_kernel { // a declaration: tokens [start, end); a body or `;` follows
    size_t start, end;
};

struct hd_cpp_scopes {
    uint8_t *inside; // for each token, the attributes of the function around it
    struct hd_cpp_kernel *kernels;
    size_t n_kernels, cap_kernels;
};

void hd_cpp_scopes_find(struct hd_arena *a, const struct hd_cpp_tokens *t,
                        struct hd_cpp_scopes *out);

#endif
