// kernel_names.h - the kernels that a text declares: their names, and the parts of declarations
// that choose among templates and overloads.
#ifndef HEDDLE_CC_KERNEL_NAMES_H
#define HEDDLE_CC_KERNEL_NAMES_H

#include "cc/cpp_scopes.h"

struct hd_kernel_name {
    size_t start, end;      // tokens of the declaration
    size_t name;            // token
    size_t header, rest;    // [header, rest): template <...>; equal: it is no template
    size_t params, closing; // [params, closing): between the brackets
    bool qualified;         // declared as space::name; another declaration is in that namespace
    bool chosen;            // a template, or one of several of its name: arguments choose
    bool launched;          // by device code
};

struct hd_kernel_names {
    struct hd_kernel_name *items;
    size_t n, cap;
};

void hd_kernel_names_find(struct hd_arena *a, const struct hd_cpp_tokens *t,
                          const struct hd_cpp_scopes *s, struct hd_kernel_names *out);
// The first kernel that has the name of this token, NULL if none has it.
struct hd_kernel_name *hd_kernel_names_at(const struct hd_kernel_names *k,
                                          const struct hd_cpp_tokens *t, size_t token);

// Where the default of the parameter [from, to) begins, `to` if it has none.
size_t hd_kernel_names_default(const struct hd_cpp_tokens *t, size_t from, size_t to);

// Declarations to stand before a kernel whose arguments choose it: the kernel, which must then not
// declare the default arguments of its parameters once more; and a function that is never defined,
// heddle_chosen_NAME. Called with the arguments of a launch, it has the type heddle_kernel<...>
// (sdk/include/heddle/launches.h) of the kernel that they choose.
#define HD_KERNEL_CHOSEN "heddle_chosen_"
char *hd_kernel_names_chooser(struct hd_arena *a, const struct hd_cpp_tokens *t,
                              const struct hd_kernel_name *k);

#endif
