// code.h - code: images, which become modules of a context; libraries, which belong to no context;
// and the kernels of both.
//
// An image is PTX text, a fatbin that contains PTX, or the result of cuLinkComplete (images.c). The
// texts become a program of the front end (ptx/); a program with its variables on the device is a
// module (modules.c). A library keeps its texts, and becomes a module of a context when that
// context first needs one of its kernels (libraries.c). A kernel of a module is a function
// (functions.c). A program may use handles of functions and of library kernels interchangeably;
// only resolve.c finds what a handle means.
//
// Invariants:
// - Programs and texts live as long as the machine, because its results list launches. A module
//   that is unloaded loses only its variables and handles.
// - A program belongs to one module, because a variable has one address.
// - A module's constants are at HD_CUDA_CONSTANTS + (its number << 32).
//
// The folder may call core, memory and fatbin/. Parts that made something for a module are called
// when the module ends (hd_parts_module_ends).
#ifndef HEDDLE_CUDA_CODE_CODE_H
#define HEDDLE_CUDA_CODE_CODE_H

#include "cuda/core/parts.h"
#include "cuda/core/process.h"
#include "fatbin/cubin.h"

struct hd_cuda_module {
    CUmodule handle;
    struct hd_cuda_context *context;
    struct hd_program *program;
    CUfunction *functions;   // by index into program->funcs; NULL: not requested yet
    unsigned number, target; // counts modules from 1; 75 for .target sm_75
    CUlibrary library;       // that it is an instance of, or NULL
};

struct hd_cuda_old { // what the launch calls from before CUDA 4 set one by one
    uint32_t block[3], dynamic;
    size_t bytes;        // of the parameters
    uint8_t *parameters; // NULL: none were set
};

struct hd_cuda_function {
    CUfunction handle;
    struct hd_cuda_module *module;
    const struct hd_func *func;
    CUfunc_cache cache;
    int max_dynamic, carveout, large_clusters; // as the program set them
    CUkernel kernel;                           // of a library, or NULL
    struct hd_cuda_old old;
};

// --- images.c

// What an image contains: the texts of which its program is linked, and register counts of kernels
// that machine code beside the texts has.
struct hd_image {
    struct hd_text *texts;
    size_t n_texts, cap_texts;
    struct hd_cubin_kernel *built;
    size_t n_built, cap_built;
};

// Reads an image of `n` bytes. The contents live as long as the machine. `n` is SIZE_MAX if only
// the image gives its size (text ends in NUL).
CUresult hd_images_read(const char *path, const void *image, size_t n, struct hd_image *out,
                        struct hd_diag *d);
// Adds the register counts in a container of machine code, if it has any.
void hd_images_built(const void *container, size_t n, struct hd_image *out);
// Links an image to a program of this arena; *out is NULL after an error.
CUresult hd_images_link(struct hd_arena *a, const struct hd_image *image, struct hd_program **out,
                        struct hd_diag *d);
unsigned hd_images_target(const struct hd_text *texts); // 75 for .target sm_75
// Makes one image of several texts. Programs may keep it in a file and load it later, like a cubin.
void *hd_images_make(const struct hd_image *image, size_t *bytes);

// --- functions.c

CUfunction hd_functions_of(struct hd_cuda_module *m, const struct hd_func *f);
void hd_functions_init(struct hd_cuda_function *fn, struct hd_cuda_module *m,
                       const struct hd_func *f);
CUresult hd_functions_attribute(const struct hd_cuda_function *f, CUfunction_attribute attribute,
                                int *value);
CUresult hd_functions_set(struct hd_cuda_function *f, CUfunction_attribute attribute, int value);
CUresult hd_functions_param(const struct hd_func *f, size_t index, size_t *offset, size_t *bytes);
// What the options say instead of the program.
struct hd_run_resources hd_functions_resources(const struct hd_cuda_function *f);
// For hd_occupancy, of a grid that fills the machine.
struct hd_launch hd_functions_shape(const struct hd_cuda_function *f, const uint32_t block[3],
                                    uint32_t dynamic);
extern const struct hd_part hd_functions_part;

// --- modules.c, libraries.c, linking.c

// Makes a module of a context from a program.
CUresult hd_modules_make(struct hd_program *p, const struct hd_text *texts,
                         struct hd_cuda_context *c, CUmodule *out, struct hd_diag *d);
void hd_modules_unload(CUmodule module); // does nothing if it is already gone
CUresult hd_modules_variable(const struct hd_cuda_module *m, const char *name, CUdeviceptr *address,
                             size_t *bytes);
// A library's kernel in a context, NULL if the handle is none. For resolve.c.
struct hd_cuda_function *hd_libraries_function(CUkernel kernel, struct hd_cuda_context *c);
extern const struct hd_part hd_modules_part, hd_linking_part;

// --- resolve.c: the function that a handle means, NULL if it means none. A library's kernel is
// resolved in the given context, or in the current one.
struct hd_cuda_function *hd_resolve_in(CUfunction handle, struct hd_cuda_context *c);
struct hd_cuda_function *hd_resolve_function(CUfunction handle);

#endif
