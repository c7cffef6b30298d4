// launches.h - rewrites `kernel<<<grid, block>>>(arguments)` in device code to what clang compiles.
//
// clang 14 has no launches in device code: it takes a kernel's name there in
// constants only. So a launch becomes a call of heddle_launch, whose first argument has the kernel
// as a part of its type (sdk/include/heddle/launches.h):
//
//   ::heddle_launch(::heddle_kernel<decltype(+child), child>(), grid, block)(arguments)
//
// The compiler itself checks and converts the arguments. Line markers stay, and lines stay lines.
// Launches by host code stay as they are, and so does what is no launch of a kernel that the text
// declares: the compiler says what is wrong with it.
#ifndef HEDDLE_CC_LAUNCHES_H
#define HEDDLE_CC_LAUNCHES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// The host's compiler reads device code too, but compiles none of it. There, launches of kernels
// that are templates or overloaded are rewritten, because it would not find them; it understands
// the others.
char *hd_launches_rewrite(struct hd_arena *a, const char *text, size_t bytes, bool device);

#endif
