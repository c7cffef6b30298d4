// texture.h - texture and surface objects: the meaning of a 64-bit handle in a register.
//
// An object is a view of global memory: rows of `pitch` bytes, slices (or layers) of `slice` bytes.
// Arrays must be allocated as such memory. The six faces of a cube map are slices: +x -x +y -y +z
// -z. There are no mipmaps: every level of detail is level 0.
#ifndef HEDDLE_EMU_TEXTURE_H
#define HEDDLE_EMU_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

struct hd_emu;

enum hd_tex_format {
    HD_TEX_U8,
    HD_TEX_S8,
    HD_TEX_U16,
    HD_TEX_S16,
    HD_TEX_U32,
    HD_TEX_S32,
    HD_TEX_F16,
    HD_TEX_F32,
    HD_N_TEX_FORMATS
};
// The meaning of coordinates outside the texture; the numbers are those of cudaTextureAddressMode.
// Wrap and mirror need normalised coordinates, and are clamp otherwise.
enum hd_tex_edge { HD_TEX_WRAP, HD_TEX_CLAMP, HD_TEX_MIRROR, HD_TEX_BORDER, HD_N_TEX_EDGES };

struct hd_texture {
    uint64_t address;      // of texel 0 in global memory
    uint64_t pitch, slice; // bytes
    uint32_t size[3];      // texels; 1 where there is no such dimension; layers count as size[2]
    uint8_t channels;      // 1, 2 or 4
    uint8_t format;        // enum hd_tex_format, of a channel
    uint8_t edge[3];       // enum hd_tex_edge
    bool linear;           // filter; otherwise the nearest texel
    bool normalized;       // coordinates run from 0 to 1
    bool unit;             // integers are read as floats in [0, 1] or [-1, 1]
    bool layered;          // slices are layers, or with `cube` every six of them a cube map
    bool cube;
    float border[4];
};

// Handle of a new object, never 0; 0 if the description is invalid.
uint64_t hd_texture_create(struct hd_emu *e, const struct hd_texture *t);
bool hd_texture_destroy(struct hd_emu *e, uint64_t handle); // false: no such object
const struct hd_texture *hd_texture_find(const struct hd_emu *e, uint64_t handle); // or NULL

#endif
