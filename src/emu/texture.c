// texture.c - texture objects, texture fetches, gathers and queries, surface loads and stores.
//
// CUDA C++ Programming Guide, appendix "Texture Fetching": the nearest texel is floor(x); a linear
// filter weighs the texels around x - 0.5 with fractions of 8 bits (9 bits with the integer bit),
// in f32. Channels that a texel lacks are 0, the fourth is 1. One-dimensional fetches by integer
// outside the texture give 0. PTX ISA 9.0, 9.7.9: gathers, queries, offsets. The Guide's "Cubemap
// Textures" has the table of faces; it leaves open which of equal coordinates chooses the face:
// here z comes before y, and y before x. Filters do not cross the edge of a face.
//
// One address per lane is reported to the timing model, that of the first texel: in texture space
// for fetches, in global memory for surfaces. For timing, a query is a fetch of the object's first
// texel.
#include "emu/texture.h"

#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/lane_half.h"
#include "emu/touched.h"

#include <stdio.h>
#include <string.h>

#define HANDLE_TAG (UINT64_C(0x7e) << 40)
#define FACES 6 // of a cube map

static const uint8_t channel_bytes[HD_N_TEX_FORMATS] = {1, 1, 2, 2, 4, 4, 2, 4};

uint64_t hd_texture_create(struct hd_emu *e, const struct hd_texture *t)
{
    bool sense = t->format < HD_N_TEX_FORMATS &&
                 (t->channels == 1 || t->channels == 2 || t->channels == 4) && t->size[0] &&
                 t->size[1] && t->size[2];

    for (int i = 0; i < 3; i++)
        sense &= t->edge[i] < HD_N_TEX_EDGES && t->size[i] <= 1u << 27;
    if (t->cube)
        sense &= t->size[0] == t->size[1] && t->size[2] % FACES == 0 &&
                 (t->layered || t->size[2] == FACES);
    if (!sense || t->address % channel_bytes[t->format])
        return 0;
    size_t i = 0;
    while (i < e->n_textures && e->textures[i].channels)
        i++;
    if (i == e->n_textures)
        HD_PUSH(e->arena, e->textures, e->n_textures, e->texture_cap);
    e->textures[i] = *t;
    return HANDLE_TAG | (i + 1);
}

const struct hd_texture *hd_texture_find(const struct hd_emu *e, uint64_t handle)
{
    uint64_t i = (handle ^ HANDLE_TAG) - 1;

    return i < e->n_textures && e->textures[i].channels ? &e->textures[i] : NULL;
}

bool hd_texture_destroy(struct hd_emu *e, uint64_t handle)
{
    if (!hd_texture_find(e, handle))
        return false;
    e->textures[(handle ^ HANDLE_TAG) - 1] = (struct hd_texture){.channels = 0};
    return true;
}

// --- one lane's fetch

struct fetch {
    const struct hd_texture *t;
    const struct hd_memory_view *g;
    struct hd_touched *touched; // of the SM
    bool normalized;            // coordinates run from 0 to 1
    bool floats;                // results are f32, otherwise integers
    bool fault;                 // a texel lies outside all allocations
    bool any, more;             // `first` is set; there were more
    uint64_t first;             // address of the first texel read
    int32_t offset[3];          // added to indices
};

static uint64_t texel_address(const struct hd_texture *t, const int64_t at[3])
{
    return t->address + (uint64_t)at[2] * t->slice + (uint64_t)at[1] * t->pitch +
           (uint64_t)at[0] * channel_bytes[t->format] * t->channels;
}

static float unit_of(uint32_t raw, unsigned format)
{
    switch (format) {
    case HD_TEX_U8:
        return (float)raw / 255.0f;
    case HD_TEX_U16:
        return (float)raw / 65535.0f;
    case HD_TEX_S8:
        return (int32_t)raw < -127 ? -1.0f : (float)(int32_t)raw / 127.0f;
    default:
        return (int32_t)raw < -32767 ? -1.0f : (float)(int32_t)raw / 32767.0f;
    }
}

// Whether the program reads its integers as fractions.
static bool reads_unit(const struct hd_texture *t)
{
    return t->unit && t->format <= HD_TEX_S16;
}

// The bits of one channel as the program reads them.
static uint32_t channel(const struct hd_texture *t, const uint8_t *from)
{
    uint32_t raw = 0;

    memcpy(&raw, from, channel_bytes[t->format]);
    switch ((enum hd_tex_format)t->format) {
    case HD_TEX_S8:
        raw = (uint32_t)(int8_t)raw;
        break;
    case HD_TEX_S16:
        raw = (uint32_t)(int16_t)raw;
        break;
    case HD_TEX_F16:
        return bits_f32(f32_of_f16((uint16_t)raw));
    case HD_TEX_U8:
    case HD_TEX_U16:
    case HD_TEX_U32:
    case HD_TEX_S32:
    case HD_TEX_F32:
    case HD_N_TEX_FORMATS:
        break;
    }
    return reads_unit(t) ? bits_f32(unit_of(raw, t->format)) : raw;
}

// Applies the edge rule to index i along a dimension; false: the border's colour.
static bool inside(const struct fetch *f, int dim, int64_t *i)
{
    const struct hd_texture *t = f->t;
    int64_t n = t->size[dim];
    unsigned edge = t->edge[dim];

    HD_BUG_IF(n <= 0, "texture of %lld texels in dimension %d", (long long)n, dim);
    if (*i >= 0 && *i < n)
        return true;
    if (edge == HD_TEX_BORDER)
        return false;
    if (!f->normalized || edge == HD_TEX_CLAMP) {
        *i = *i < 0 ? 0 : n - 1;
    } else if (edge == HD_TEX_WRAP) {
        *i = (*i % n + n) % n;
    } else {
        int64_t m = (*i % (2 * n) + 2 * n) % (2 * n);
        *i = m < n ? m : 2 * n - 1 - m;
    }
    return true;
}

static void texel(struct fetch *f, const int64_t place[3], uint32_t out[4])
{
    const struct hd_texture *t = f->t;
    int64_t at[3] = {place[0], place[1], place[2]};
    unsigned bytes = channel_bytes[t->format];
    bool in = true;

    for (int i = 0; i < 3; i++)
        in &= inside(f, i, &at[i]);
    for (unsigned i = 0; i < 4; i++)
        out[i] = f->floats ? bits_f32(in ? (float)(i == 3) : t->border[i]) : in && i == 3;
    if (!in)
        return;
    uint64_t address = texel_address(t, at), offset = address - HD_MEMORY_BASE;
    if (offset >= f->g->size || !f->g->live[offset / HD_GRANULE]) {
        f->fault = true;
        return;
    }
    if (!f->any)
        f->first = address;
    f->more |= f->any;
    f->any = true;
    if (f->touched)
        hd_touched_range(f->touched, offset, (uint64_t)t->channels * bytes, HD_TOUCHED_READ);
    for (unsigned i = 0; i < t->channels; i++)
        out[i] = channel(t, f->g->bytes + offset + i * bytes);
}

// Converts to an index; values far outside stay outside.
static int64_t whole(float x)
{
    return x > -1e9f && x < 1e9f ? (int64_t)floorf(x) : x > 0 ? INT64_C(1000000000) : -1000000000;
}

// Converts coordinates to texels.
static void in_texels(const struct fetch *f, unsigned dims, const float x[3], float y[3])
{
    for (unsigned i = 0; i < dims; i++)
        y[i] = f->normalized ? x[i] * (float)f->t->size[i] : x[i];
}

static void filtered(struct fetch *f, unsigned dims, const float x[3], int64_t layer,
                     uint32_t out[4])
{
    int64_t low[3] = {0, 0, layer};
    float part[3] = {0, 0, 0}, sum[4] = {0, 0, 0, 0};

    for (unsigned i = 0; i < dims; i++) {
        float y = x[i] - 0.5f;
        low[i] = whole(y) + f->offset[i];
        part[i] = floorf((y - floorf(y)) * 256.0f + 0.5f) / 256.0f;
        part[i] = part[i] == part[i] ? part[i] : 0;
    }
    for (unsigned corner = 0; corner < 1u << dims; corner++) {
        int64_t at[3] = {low[0], low[1], low[2]};
        uint32_t colour[4];
        float weight = 1;
        for (unsigned i = 0; i < dims; i++) {
            at[i] += corner >> i & 1;
            weight *= corner >> i & 1 ? part[i] : 1 - part[i];
        }
        if (weight == 0)
            continue; // and does not spread infinities
        texel(f, at, colour);
        for (int c = 0; c < 4; c++)
            sum[c] += weight * f32_of(colour[c]);
    }
    for (int c = 0; c < 4; c++)
        out[c] = bits_f32(canon_f32(sum[c]));
}

static void fetch_at(struct fetch *f, unsigned dims, const float x[3], int64_t layer,
                     uint32_t out[4])
{
    int64_t at[3] = {0, 0, layer};
    float y[3];

    in_texels(f, dims, x, y);
    if (f->t->linear && f->floats) {
        filtered(f, dims, y, layer, out);
        return;
    }
    for (unsigned i = 0; i < dims; i++)
        at[i] = whole(y[i]) + f->offset[i];
    texel(f, at, out);
}

// tld4: one component of the four texels that a linear filter would use, counterclockwise from the
// lower left (y grows downwards).
static void gather(struct fetch *f, const float x[3], int64_t layer, unsigned component,
                   uint32_t out[4])
{
    static const uint8_t step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    uint32_t colour[4];
    float y[3];

    in_texels(f, 2, x, y);
    for (unsigned i = 0; i < 4; i++) {
        int64_t at[3] = {whole(y[0] - 0.5f) + f->offset[0] + step[i][0],
                         whole(y[1] - 0.5f) + f->offset[1] + step[i][1], layer};
        texel(f, at, colour);
        out[i] = colour[component];
    }
}

// The face that a direction meets, and the place on it, with coordinates from 0 to 1.
static unsigned project(const float d[3], float at[2])
{
    float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]), s, t, m;
    unsigned face;

    if (z >= x && z >= y) {
        face = signbit(d[2]) ? 5 : 4;
        m = z, s = face == 4 ? d[0] : -d[0], t = -d[1];
    } else if (y >= x) {
        face = signbit(d[1]) ? 3 : 2;
        m = y, s = d[0], t = face == 2 ? d[2] : -d[2];
    } else {
        face = signbit(d[0]) ? 1 : 0;
        m = x, s = face == 0 ? -d[2] : d[2], t = -d[1];
    }
    at[0] = (s / m + 1) * 0.5f;
    at[1] = (t / m + 1) * 0.5f;
    return face;
}

static void fetch_index(struct fetch *f, unsigned dims, const int32_t x[3], int64_t layer,
                        uint32_t out[4])
{
    int64_t at[3] = {0, 0, layer};

    for (unsigned i = 0; i < dims; i++)
        at[i] = (int64_t)x[i] + f->offset[i];
    if (dims == 1 && (at[0] < 0 || at[0] >= f->t->size[0]))
        memset(out, 0, 4 * sizeof *out);
    else
        texel(f, at, out);
}

// --- instructions

// Whether a reference of a loaded module is at this address, which comes from a register.
static bool is_reference(const struct hd_emu *e, uint64_t address)
{
    for (size_t i = 0; i < e->n_modules; i++) {
        const struct hd_program *p = e->modules[i].program;
        for (uint32_t k = 0; k < p->n_symbols; k++)
            if (p->symbols[k].opaque && p->symbols[k].address == address)
                return true;
    }
    return false;
}

// The handle in a reference's variable.
static uint64_t bound_to(const struct hd_emu_sm *sm, uint64_t reference)
{
    uint64_t offset = reference - HD_MEMORY_BASE, handle = 0;

    if (offset < sm->global.size && sm->global.live[offset / HD_GRANULE]) {
        if (sm->touched)
            hd_touched_range(sm->touched, offset, sizeof handle, HD_TOUCHED_READ);
        memcpy(&handle, sm->global.bytes + offset, sizeof handle);
    }
    return handle;
}

static const struct hd_texture *object_of(struct hd_emu_sm *sm, unsigned warp,
                                          const struct hd_insn *in, struct hd_effects *out,
                                          unsigned lane)
{
    uint64_t handle;
    const uint8_t *row = (const uint8_t *)hd_lanes_source(&sm->warps[warp].regs, in->src[0]);

    memcpy(&handle, row + lane * sizeof handle, sizeof handle);
    uint64_t reference = in->src[0] < 0 ? handle : 0; // a constant is the address of a reference
    const struct hd_texture *t =
        hd_texture_find(sm->emu, reference ? bound_to(sm, handle) : handle);
    if (!t && !reference && is_reference(sm->emu, handle)) {
        reference = handle;
        t = hd_texture_find(sm->emu, bound_to(sm, handle));
    }
    if (t)
        return t;
    hd_trap_set(sm, warp, out, HD_TRAP_ILLEGAL, lane);
    const char *name = reference ? hd_memory_name(sm->emu->memory, reference) : NULL;
    if (name)
        snprintf(sm->trap.detail, sizeof sm->trap.detail,
                 "no texture or array is bound to the reference `%s`", name);
    else
        snprintf(sm->trap.detail, sizeof sm->trap.detail, "0x%llx is no texture or surface object",
                 (unsigned long long)handle);
    return NULL;
}

static uint32_t coordinate(const struct hd_emu_warp *w, const struct hd_insn *in, unsigned i,
                           unsigned lane)
{
    return hd_lanes_source(&w->regs, w->program->vecs[in->src[1]][i])[lane];
}

static int64_t layer_of(uint32_t layer, uint32_t n)
{
    return layer < n ? layer : (int32_t)layer < 0 ? 0 : n - 1;
}

static void outside_trap(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned lane,
                         uint64_t address, bool write)
{
    hd_trap_set(sm, warp, out, HD_TRAP_OUT_OF_BOUNDS, lane);
    sm->trap.addr = address;
    sm->trap.space = HD_SPACE_TEX;
    sm->trap.bytes = out->bytes;
    sm->trap.write = write;
    snprintf(sm->trap.detail, sizeof sm->trap.detail,
             "coordinates outside the surface, or an object over memory that was freed");
}

static void fetch_lane(struct fetch *f, const struct hd_emu_warp *w, const struct hd_insn *in,
                       struct hd_geometry g, unsigned l, uint32_t out[4])
{
    uint32_t cubes = g.cube ? FACES : 1;
    int64_t layer = g.layered ? layer_of(coordinate(w, in, 0, l), f->t->size[2] / cubes) : 0;
    int32_t offsets = HD_WARP_ROW(in->imm);
    uint32_t raw[3] = {0, 0, 0};
    float x[3] = {0, 0, 0};

    for (unsigned i = 0; i < g.dims; i++) {
        raw[i] = coordinate(w, in, i + g.layered, l);
        x[i] = f32_of(raw[i]);
        if (offsets != HD_ROW_NONE)
            f->offset[i] = (int32_t)hd_lanes_source(&w->regs, w->program->vecs[offsets][i])[l];
    }
    if (g.cube) {
        float at[2];
        layer = layer * FACES + project(x, at);
        memcpy(x, at, sizeof at);
        g.dims = 2;
    }
    if (hd_op_mods(in->op) & HD_MOD_ENUM)
        gather(f, x, layer, in->mods & HD_MOD_ENUM, out);
    else if (hd_op_info[in->op].type == HD_S32)
        fetch_index(f, g.dims, (int32_t[]){(int32_t)raw[0], (int32_t)raw[1], (int32_t)raw[2]},
                    layer, out);
    else
        fetch_at(f, g.dims, x, layer, out);
}

// False after a trap: the instruction needs a cube map and this is none.
static bool check_cube(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned lane,
                       const struct hd_texture *t, struct hd_geometry g)
{
    if (!g.cube || t->cube)
        return true;
    hd_trap_set(sm, warp, out, HD_TRAP_ILLEGAL, lane);
    snprintf(sm->trap.detail, sizeof sm->trap.detail, "the texture is no cube map");
    return false;
}

bool hd_texture_fetch(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_geometry g = hd_op_geometry(in->op);
    uint32_t colours[HD_LANES][4];

    out->space = HD_SPACE_TEX;
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        const struct hd_texture *t = object_of(sm, warp, in, out, l);
        if (!t || !check_cube(sm, warp, out, l, t, g))
            return false;
        struct fetch f = {.t = t,
                          .g = &sm->global,
                          .touched = sm->touched,
                          .normalized = t->normalized || g.cube,
                          .floats = t->format >= HD_TEX_F16 || reads_unit(t),
                          .first = t->address};
        fetch_lane(&f, w, in, g, l, colours[l]);
        out->flags |= f.more ? HD_EFF_HIDDEN_ACCESS : 0;
        out->addr[l] = f.first;
        out->bytes = channel_bytes[t->format];
        out->vec = t->channels;
        if (f.fault) {
            outside_trap(sm, warp, out, l, f.first, false);
            return false;
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        int32_t dst = w->program->vecs[in->dst][c];
        for (uint32_t m = dst == HD_ROW_NONE ? 0 : out->exec_mask; m; m &= m - 1)
            hd_lanes_row(&w->regs, dst)[__builtin_ctz(m)] = colours[__builtin_ctz(m)][c];
    }
    if (HD_WARP_PRED(in->imm) != HD_PRED_TRUE)
        w->regs.preds[HD_WARP_PRED(in->imm)] |= out->exec_mask; // all memory is resident
    return true;
}

// Numbers as in PTX; those of channel formats are OpenCL's, because the manual gives only these.
static uint32_t attribute(const struct hd_texture *t, enum hd_query what)
{
    static const uint16_t plain[HD_N_TEX_FORMATS] = {0x10da, 0x10d7, 0x10db, 0x10d8,
                                                     0x10dc, 0x10d9, 0x10dd, 0x10de};
    static const uint16_t unit[] = {0x10d2, 0x10d0, 0x10d3, 0x10d1};
    static const uint16_t orders[] = {0, 0x10b0, 0x10b2, 0, 0x10b5}; // R, RG, RGBA
    static const uint8_t edges[HD_N_TEX_EDGES] = {
        [HD_TEX_WRAP] = 0, [HD_TEX_MIRROR] = 1, [HD_TEX_CLAMP] = 3, [HD_TEX_BORDER] = 4};

    switch (what) {
    case HD_QUERY_WIDTH:
        return t->size[0];
    case HD_QUERY_HEIGHT:
        return t->size[1];
    case HD_QUERY_DEPTH:
        return t->layered || t->cube ? 1 : t->size[2];
    case HD_QUERY_ARRAY:
        return !t->layered ? 0 : t->cube ? t->size[2] / FACES : t->size[2];
    case HD_QUERY_TYPE:
        return reads_unit(t) ? unit[t->format] : plain[t->format];
    case HD_QUERY_ORDER:
        return orders[t->channels];
    case HD_QUERY_NORMALIZED:
        return t->normalized;
    case HD_QUERY_FILTER:
        return t->linear;
    case HD_QUERY_EDGE_0:
    case HD_QUERY_EDGE_1:
    case HD_QUERY_EDGE_2:
        return edges[t->edge[what - HD_QUERY_EDGE_0]];
    default: // there are no mipmaps and samples, and arrays are not plain memory
        return 0;
    }
}

bool hd_texture_query(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    uint32_t values[HD_LANES];

    out->space = HD_SPACE_TEX;
    out->bytes = 4;
    out->vec = 1;
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        const struct hd_texture *t = object_of(sm, warp, in, out, l);
        if (!t)
            return false;
        values[l] = attribute(t, (enum hd_query)(in->mods & HD_MOD_ENUM));
        out->addr[l] = t->address;
    }
    for (uint32_t m = out->exec_mask; m; m &= m - 1)
        hd_lanes_row(&sm->warps[warp].regs, in->dst)[__builtin_ctz(m)] = values[__builtin_ctz(m)];
    return true;
}

// The address of a surface access; x is in bytes. *outside: it has no address (.zero).
static bool surface_address(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                            struct hd_effects *out, unsigned l, bool *outside)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_texture *t = object_of(sm, warp, in, out, l);
    const struct hd_geometry s = hd_op_geometry(in->op);
    unsigned bytes = out->bytes * out->vec, edge = in->mods & HD_MOD_ENUM;
    int64_t at[3] = {0, 0, 0}, most[3];

    if (!t)
        return false;
    for (unsigned i = 0; i < s.dims; i++)
        at[i] = (int32_t)coordinate(w, in, i + s.layered, l);
    if (s.layered)
        at[2] = (int32_t)coordinate(w, in, 0, l);
    most[0] = (int64_t)t->size[0] * channel_bytes[t->format] * t->channels - bytes;
    most[1] = t->size[1] - 1;
    most[2] = t->size[2] - 1;
    *outside = false;
    for (int i = 0; i < 3; i++) {
        *outside |= at[i] < 0 || at[i] > most[i];
        if (edge == HD_SURF_CLAMP)
            at[i] = at[i] < 0 ? 0 : at[i] > most[i] ? most[i] : at[i];
    }
    *outside &= edge != HD_SURF_CLAMP;
    uint64_t address =
        t->address + (uint64_t)at[2] * t->slice + (uint64_t)at[1] * t->pitch + (uint64_t)at[0];
    uint64_t offset = address - HD_MEMORY_BASE;
    if (*outside && edge == HD_SURF_ZERO) {
        out->addr[l] = t->address;
        return true;
    }
    out->addr[l] = address;
    if (!*outside && offset < sm->global.size && sm->global.live[offset / HD_GRANULE] &&
        !(address & (bytes - 1)))
        return true;
    outside_trap(sm, warp, out, l, address, hd_op_info[in->op].kind == HD_KIND_STORE);
    return false;
}

bool hd_surface_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     struct hd_effects *out)
{
    uint8_t zeros[16] = {0}; // the value read outside
    struct hd_emu_access x = {.pattern = HD_ACCESS_SCATTERED};
    bool outside;

    out->space = HD_SPACE_GLOBAL;
    out->bytes = (uint8_t)hd_type_bytes(hd_op_info[in->op].type);
    out->vec = in->vec;
    for (unsigned l = 0; l < HD_LANES; l++)
        x.at[l] = zeros;
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (!surface_address(sm, warp, in, out, l, &outside))
            return false;
        if (outside)
            continue;
        x.at[l] = sm->global.bytes + (out->addr[l] - HD_MEMORY_BASE);
        x.global |= 1u << l;
    }
    bool load = hd_op_info[in->op].kind == HD_KIND_LOAD;
    if (sm->touched)
        hd_touched_lanes(sm->touched, x.at, x.global, (unsigned)out->bytes * out->vec,
                         load ? HD_TOUCHED_READ : HD_TOUCHED_WRITE);
    if (load)
        hd_loads_lanes(sm, warp, in, out->exec_mask, &x);
    else if (x.global)
        hd_stores_lanes(sm, warp, in, in->src[2], x.global, &x);
    return true;
}
