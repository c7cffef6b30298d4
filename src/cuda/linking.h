// linking.h - what cuLinkComplete hands out: the PTX texts that make one program, in one image.
//
// On a GPU the image is machine code. Here it is the texts themselves, so that it may be kept in a
// file and loaded later like a cubin.
#ifndef HEDDLE_CUDA_LINKING_H
#define HEDDLE_CUDA_LINKING_H

#include "cuda/driver.h"
#include "heddle/program.h"

#include <stdbool.h>

// `n` bytes of the image; SIZE_MAX if its size is what it says itself.
bool hd_linking_is_image(const void *image, size_t n);
// Its texts, copied to live as long as the machine. INVALID_IMAGE if it is damaged.
CUresult hd_linking_texts(const void *image, size_t n, const struct hd_text **texts,
                          uint32_t *n_texts);

// Is it the text of the device's own runtime library, for launches by kernels? It asks for system
// calls that are not public; its functions are the device's own here (heddle/builtin.h), so it is
// left out, and libcudadevrt.a as a whole.
bool hd_linking_is_runtime(const char *text);

#endif
