// copy.c - copies between host, device and arrays, in one to three dimensions.
//
// Every form becomes a box of bytes that is copied between two places, each a host address with
// distances between rows and between slices. A copy takes no simulated time unless the user gives
// copies a bandwidth (copytime.h). A synchronous copy waits for what its stream waits for. An
// asynchronous copy from memory that is not page-locked reads its source before it returns, and one
// to such memory waits, as in NVIDIA's drivers.
#include "cuda/stream/stream.h"

#include "cuda/memory/devmem.h"
#include "cuda/stream/capture.h"
#include "emu/memory.h"

#include <string.h>

struct side { // of a copy, as the caller describes it
    CUmemorytype type;
    uint8_t *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

struct place {
    uint8_t *at;
    uint64_t pitch, slice;
    bool pageable, host;
};

struct box {
    uint64_t width, height, depth;
};

// Bytes from the first byte of the box to its end; false if the number overflows.
static bool reach(const struct box *b, uint64_t pitch, uint64_t slice, uint64_t *out)
{
    uint64_t rows, slices;

    return !__builtin_mul_overflow(b->height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(b->depth - 1, slice, &slices) &&
           !__builtin_add_overflow(rows, slices, &rows) &&
           !__builtin_add_overflow(rows, b->width, out);
}

static CUresult in_array(const struct side *s, const struct box *b, struct place *out)
{
    const struct hd_cuda_array *a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, s->array);
    uint64_t width;

    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    width = a->shape.Width * a->element;
    if (s->x > width || b->width > width - s->x || s->y > a->rows || b->height > a->rows - s->y ||
        s->z > a->slices || b->depth > a->slices - s->z)
        return CUDA_ERROR_INVALID_VALUE;
    out->pitch = a->pitch;
    out->slice = a->pitch * a->rows;
    out->at = hd_devmem_at(a->address, out->slice * a->slices);
    if (!out->at)
        return CUDA_ERROR_INVALID_VALUE;
    out->at += s->z * out->slice + s->y * out->pitch + s->x;
    return CUDA_SUCCESS;
}

static bool simulated(CUdeviceptr address)
{
    struct hd_memory_view v = hd_memory_view(hd_gpu_memory(hd_cuda.gpu));

    return address - HD_MEMORY_BASE < v.size || address >= HD_CUDA_CONSTANTS;
}

static CUresult find(const struct side *s, const struct box *b, bool planned, struct place *out)
{
    uint64_t skip, bytes;
    bool device = s->type == CU_MEMORYTYPE_DEVICE;
    uint8_t *host = s->host;

    if (s->type == CU_MEMORYTYPE_ARRAY)
        return in_array(s, b, out);
    if (s->type == CU_MEMORYTYPE_UNIFIED) {
        device = simulated(s->device);
        host = (uint8_t *)(uintptr_t)s->device;
    } else if (!device && s->type != CU_MEMORYTYPE_HOST) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    out->pitch = s->pitch;
    if (((b->height > 1 || b->depth > 1) && s->pitch < b->width) ||
        (b->depth > 1 && s->height < b->height) ||
        __builtin_mul_overflow(s->pitch, s->height, &out->slice) ||
        !reach(&(struct box){s->x, s->y + 1, s->z + 1}, s->pitch, out->slice, &skip) ||
        !reach(b, s->pitch, out->slice, &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (device) {
        out->at = planned ? hd_devmem_planned(s->device + skip, bytes)
                          : hd_devmem_at(s->device + skip, bytes);
        if (s->type == CU_MEMORYTYPE_UNIFIED) { // page-locked memory is the host's
            const struct hd_cuda_alloc *a = hd_devmem_find(s->device);
            out->host = a && a->kind == HD_ALLOC_HOST;
        }
    } else {
        out->at = host ? host + skip : NULL;
        if (out->at && !hd_devmem_on_host(out->at, bytes))
            return CUDA_ERROR_INVALID_VALUE;
        out->host = true;
        out->pageable = out->at && !hd_devmem_pinned(out->at, bytes);
    }
    return out->at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult resolve(const struct side *to, const struct side *from, const struct box *b,
                        bool planned, struct place *dst, struct place *src)
{
    CUresult r = find(to, b, planned, dst);

    return r == CUDA_SUCCESS ? find(from, b, planned, src) : r;
}

static struct hd_cuda_copy between(const struct place *dst, const struct place *src,
                                   const struct box *b)
{
    enum hd_copy_way way = dst->host == src->host ? HD_COPY_INSIDE
                           : src->host            ? HD_COPY_TO_DEVICE
                                                  : HD_COPY_TO_HOST;

    return (struct hd_cuda_copy){.to = dst->at,
                                 .from = src->at,
                                 .to_pitch = dst->pitch,
                                 .to_slice = dst->slice,
                                 .from_pitch = src->pitch,
                                 .from_slice = src->slice,
                                 .width = b->width,
                                 .height = b->height,
                                 .depth = b->depth,
                                 .way = way};
}

static void copy_box(const struct hd_cuda_copy *c)
{
    for (uint64_t z = 0; z < c->depth; z++)
        for (uint64_t y = 0; y < c->height; y++)
            memmove(c->to + z * c->to_slice + y * c->to_pitch,
                    c->from + z * c->from_slice + y * c->from_pitch, c->width);
}

static void perform(struct hd_cuda_op *op)
{
    const struct hd_cuda_copy *c = &op->u.copy;

    copy_box(c);
    if (c->way == HD_COPY_TO_DEVICE)
        for (uint64_t i = 0; i < c->depth * c->height; i++)
            hd_cuda_copied(c->to + i / c->height * c->to_slice + i % c->height * c->to_pitch,
                           c->width);
    hd_copytime_copy(hd_queue_acting(), hd_queue_ticks(), c->way, c->width * c->height * c->depth);
}

const struct hd_op_kind hd_copy_op = {.perform = perform};

// Appends a copy. If `pageable`, the program may change the source after the call, so a copy that
// has to wait keeps its present bytes.
static CUresult append(struct hd_cuda_stream *s, const struct hd_cuda_copy *c, bool pageable)
{
    struct hd_cuda_op op = {.kind = &hd_copy_op, .u.copy = *c};
    struct hd_cuda_copy *own, to_kept = *c;
    bool ended;
    CUresult r = hd_queue_add(s, &op, &ended);

    if (r != CUDA_SUCCESS || ended || !pageable)
        return r;
    if (c->width * c->height * c->depth > HD_QUEUE_KEEP_MOST)
        return hd_queue_run_stream(s);
    own = &s->tail->u.copy;
    to_kept.to = hd_queue_keep(NULL, c->width * c->height * c->depth);
    to_kept.to_pitch = c->width;
    to_kept.to_slice = c->width * c->height;
    copy_box(&to_kept);
    own->from = to_kept.to;
    own->from_pitch = to_kept.to_pitch;
    own->from_slice = to_kept.to_slice;
    return CUDA_SUCCESS;
}

// For a graph: the same copy as the interface describes it.
static CUresult capture(struct hd_cuda_stream *s, const struct side *to, const struct side *from,
                        const struct box *b)
{
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_MEMCPY,
                              .u.copy = {.srcXInBytes = from->x,
                                         .srcY = from->y,
                                         .srcZ = from->z,
                                         .srcMemoryType = from->type,
                                         .srcHost = from->host,
                                         .srcDevice = from->device,
                                         .srcArray = from->array,
                                         .srcPitch = from->pitch,
                                         .srcHeight = from->height,
                                         .dstXInBytes = to->x,
                                         .dstY = to->y,
                                         .dstZ = to->z,
                                         .dstMemoryType = to->type,
                                         .dstHost = to->host,
                                         .dstDevice = to->device,
                                         .dstArray = to->array,
                                         .dstPitch = to->pitch,
                                         .dstHeight = to->height,
                                         .WidthInBytes = b->width,
                                         .Height = b->height,
                                         .Depth = b->depth}};
    struct place dst = {.at = NULL}, src = {.at = NULL};
    CUresult r = resolve(to, from, b, true, &dst, &src);

    return r == CUDA_SUCCESS ? hd_capture_add(s, &w) : r;
}

static CUresult transfer(const struct side *to, const struct side *from, const struct box *b,
                         CUstream stream, bool wait)
{
    struct hd_cuda_stream *s = hd_streams_get(stream);
    struct place dst = {.at = NULL}, src = {.at = NULL};
    bool captured;
    CUresult r;

    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_enqueues(s, &captured);
    if (r == CUDA_SUCCESS && wait)
        r = hd_capture_unsafe();
    if (r != CUDA_SUCCESS || !b->width || !b->height || !b->depth)
        return r;
    if (captured)
        return capture(s, to, from, b);
    r = resolve(to, from, b, false, &dst, &src);
    if (r != CUDA_SUCCESS)
        return r;
    struct hd_cuda_copy copy = between(&dst, &src, b);
    wait = wait || dst.pageable;
    r = append(s, &copy, src.pageable && !wait);
    if (r == CUDA_SUCCESS && wait && s->head)
        return hd_queue_run_stream(s);
    if (wait)
        hd_copytime_host_waited();
    return r;
}

static struct side device_side(CUdeviceptr address)
{
    return (struct side){.type = CU_MEMORYTYPE_DEVICE, .device = address};
}

static struct side host_side(const void *host)
{
    union {
        const void *in;
        uint8_t *out;
    } u = {.in = host};
    return (struct side){.type = CU_MEMORYTYPE_HOST, .host = u.out};
}

static struct side any_side(CUdeviceptr pointer)
{
    return (struct side){.type = CU_MEMORYTYPE_UNIFIED, .device = pointer};
}

static struct side array_side(CUarray array, size_t offset)
{
    return (struct side){.type = CU_MEMORYTYPE_ARRAY, .array = array, .x = offset};
}

static CUresult line(struct side to, struct side from, size_t bytes, CUstream stream, bool wait)
{
    struct box b = {bytes, 1, 1};

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return transfer(&to, &from, &b, stream, wait);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return line(any_side(to), any_side(from), bytes, NULL, true);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return line(any_side(to), any_side(from), bytes, stream, false);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes)
{
    (void)to_context, (void)from_context; // all contexts share one memory
    return line(device_side(to), device_side(from), bytes, NULL, true);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream)
{
    (void)to_context, (void)from_context;
    return line(device_side(to), device_side(from), bytes, stream, false);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    return line(device_side(to), host_side(from), bytes, NULL, true);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    return line(host_side(to), device_side(from), bytes, NULL, true);
}

// The host does not wait for a copy inside the device.
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return line(device_side(to), device_side(from), bytes, NULL, false);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return line(device_side(to), host_side(from), bytes, stream, false);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return line(host_side(to), device_side(from), bytes, stream, false);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return line(device_side(to), device_side(from), bytes, stream, false);
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    return line(array_side(to, offset), device_side(from), bytes, NULL, false);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    return line(device_side(to), array_side(from, offset), bytes, NULL, false);
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes)
{
    return line(array_side(to, offset), host_side(from), bytes, NULL, true);
}

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes)
{
    return line(host_side(to), array_side(from, offset), bytes, NULL, true);
}

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                         size_t bytes)
{
    return line(array_side(to, to_offset), array_side(from, from_offset), bytes, NULL, false);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes,
                              CUstream stream)
{
    return line(array_side(to, offset), host_side(from), bytes, stream, false);
}

CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
    return line(host_side(to), array_side(from, offset), bytes, stream, false);
}

// --- many copies in one call

// Checks which attributes belong to each copy: `first` lists the copies with which they begin to
// apply.
static bool sound(const CUmemcpyAttributes *attributes, const size_t *first, size_t n, size_t count)
{
    if (!attributes || !first || !n || n > count || first[0])
        return false;
    for (size_t i = 0; i < n; i++)
        if ((unsigned)attributes[i].srcAccessOrder < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM ||
            (unsigned)attributes[i].srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY ||
            first[i] >= count || (i && first[i] <= first[i - 1]))
            return false;
    return true;
}

// One of them. Its source is read in the order of the stream, or before the call returns if the
// attributes say so; no call waits for its destination. Without a stream it is only checked.
static CUresult one_of_batch(struct hd_cuda_stream *s, CUdeviceptr to, CUdeviceptr from,
                             size_t bytes, CUmemcpySrcAccessOrder order)
{
    struct side dst = any_side(to), src = any_side(from);
    struct box b = {bytes, 1, 1};
    struct place at = {.at = NULL}, of = {.at = NULL};
    CUresult r = bytes ? resolve(&dst, &src, &b, false, &at, &of) : CUDA_ERROR_INVALID_VALUE;
    struct hd_cuda_copy copy;

    if (r != CUDA_SUCCESS || !s)
        return r;
    copy = between(&at, &of, &b);
    return append(s, &copy, order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL);
}

// All copies are checked before the first is queued. *failed is the number of the wrong one,
// SIZE_MAX if the error is in none of them.
// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
static CUresult batch(CUdeviceptr *to, CUdeviceptr *from, const size_t *bytes, size_t count,
                      const CUmemcpyAttributes *attributes, const size_t *first,
                      size_t n_attributes, size_t *failed, CUstream stream)
{
    struct hd_cuda_stream *s;
    size_t a = 0;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    *failed = SIZE_MAX;
    s = hd_streams_get(stream);
    if (!s || s->legacy) // as in CUDA: not into the default stream that waits for all others
        return CUDA_ERROR_INVALID_HANDLE;
    if (!to || !from || !bytes || !count || !sound(attributes, first, n_attributes, count))
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_capture_unhandled(s);
    for (size_t i = 0; i < count && r == CUDA_SUCCESS; i++) {
        r = one_of_batch(NULL, to[i], from[i], bytes[i], CU_MEMCPY_SRC_ACCESS_ORDER_ANY);
        *failed = r == CUDA_SUCCESS ? SIZE_MAX : i;
    }
    for (size_t i = 0; i < count && r == CUDA_SUCCESS; i++) {
        if (a + 1 < n_attributes && first[a + 1] == i)
            a++;
        r = one_of_batch(s, to[i], from[i], bytes[i], attributes[a].srcAccessOrder);
        s = r == CUDA_SUCCESS ? hd_streams_get(stream) : NULL; // it may have waited
        if (!s && r == CUDA_SUCCESS)
            r = CUDA_ERROR_INVALID_HANDLE;
    }
    return r;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                               CUmemcpyAttributes *attributes, size_t *first, size_t n_attributes,
                               CUstream stream)
{
    size_t failed;

    return batch(to, from, bytes, count, attributes, first, n_attributes, &failed, stream);
}

#undef cuMemcpyBatchAsync
// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *first, size_t n_attributes,
                            size_t *failed, CUstream stream)
{
    size_t unseen;

    return batch(to, from, bytes, count, attributes, first, n_attributes, failed ? failed : &unseen,
                 stream);
}

static CUresult plane(const CUDA_MEMCPY2D *c, CUstream stream, bool wait)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    struct side from = host_side(c->srcHost), to = host_side(c->dstHost);
    from.type = c->srcMemoryType;
    from.device = c->srcDevice;
    from.array = c->srcArray;
    from.x = c->srcXInBytes;
    from.y = c->srcY;
    from.pitch = c->srcPitch;
    to.type = c->dstMemoryType;
    to.device = c->dstDevice;
    to.array = c->dstArray;
    to.x = c->dstXInBytes;
    to.y = c->dstY;
    to.pitch = c->dstPitch;
    struct box b = {c->WidthInBytes, c->Height, 1};
    return transfer(&to, &from, &b, stream, wait);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy)
{
    return plane(copy, NULL, true);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy)
{
    return plane(copy, NULL, true);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return plane(copy, stream, false);
}

static void sides(const CUDA_MEMCPY3D *c, struct side *to, struct side *from, struct box *b)
{
    *from = host_side(c->srcHost);
    from->type = c->srcMemoryType;
    from->device = c->srcDevice;
    from->array = c->srcArray;
    from->x = c->srcXInBytes;
    from->y = c->srcY;
    from->z = c->srcZ;
    from->pitch = c->srcPitch;
    from->height = c->srcHeight;
    *to = host_side(c->dstHost);
    to->type = c->dstMemoryType;
    to->device = c->dstDevice;
    to->array = c->dstArray;
    to->x = c->dstXInBytes;
    to->y = c->dstY;
    to->z = c->dstZ;
    to->pitch = c->dstPitch;
    to->height = c->dstHeight;
    *b = (struct box){c->WidthInBytes, c->Height, c->Depth};
}

CUresult hd_copy_resolve(const CUDA_MEMCPY3D *c, bool planned, struct hd_cuda_copy *out)
{
    struct place dst = {.at = NULL}, src = {.at = NULL};
    struct side from, to;
    struct box b;
    CUresult r;

    if (c->srcLOD || c->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    sides(c, &to, &from, &b);
    *out = (struct hd_cuda_copy){.to = NULL};
    if (!b.width || !b.height || !b.depth)
        return CUDA_SUCCESS;
    r = resolve(&to, &from, &b, planned, &dst, &src);
    if (r == CUDA_SUCCESS)
        *out = between(&dst, &src, &b);
    return r;
}

static CUresult volume(const CUDA_MEMCPY3D *c, CUstream stream, bool wait)
{
    struct side from, to;
    struct box b;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!c || c->srcLOD || c->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    sides(c, &to, &from, &b);
    return transfer(&to, &from, &b, stream, wait);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy)
{
    return volume(copy, NULL, true);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return volume(copy, stream, false);
}
