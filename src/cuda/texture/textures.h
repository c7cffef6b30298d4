// textures.h - textures and surfaces: objects (texobjects.c), and references of old programs,
// variables of a module to which the host binds something (texrefs.c).
//
// Both describe a resource (an array, or device memory as rows) and how it is read; the emulator
// has its own handle for it. The memory must be live when it is described; a kernel that reads
// memory freed since then faults.
//
// The folder may call core, memory and code.
#ifndef HEDDLE_CUDA_TEXTURE_TEXTURES_H
#define HEDDLE_CUDA_TEXTURE_TEXTURES_H

#include "cuda/code/code.h"

// Fills in the emulator's description of a resource and how it is read; *t must be zeros. Without
// sampling it is for a surface.
struct hd_texture;
CUresult hd_texobjects_view(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling,
                            struct hd_texture *t);
bool hd_texrefs_changed(void); // some reference of some module, since it was settled
// Before a launch of the module's kernels. *again becomes true if this has run what was queued:
// then look up again what handles stand for, and call once more.
CUresult hd_texrefs_settle(const struct hd_cuda_module *m, bool *again);
extern const struct hd_part hd_texobjects_part, hd_texrefs_part;

#endif
