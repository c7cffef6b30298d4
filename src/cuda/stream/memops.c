// memops.c - cuStreamWaitValue*, cuStreamWriteValue*, cuStreamBatchMemOp: values in memory by which
// streams wait for each other, for kernels and for the host.
//
// A value is looked at when something has ended and when the program calls, not while kernels run:
// a kernel that writes a value is heard when it ends. Nothing promises that a value is ever
// written; when it cannot be, waiting for the stream ends the context and says what it waits for
// (queue.c). Left out: captured streams, remote writes.
//
// Where copies take time (core/copytime.h), a stream that has waited for a value is not earlier
// than the stream that wrote it was. Of values that kernels, copies, fills and the host write, no
// stream's time is known.
#include "cuda/stream/stream.h"

#include "cuda/memory/devmem.h"
#include "cuda/stream/capture.h"

#include <inttypes.h>
#include <string.h>

#define BATCH_MOST 256

static uint64_t value_at(const struct hd_cuda_value *v)
{
    // A thread of the program may write it at this moment.
    return v->bytes == 4 ? *(const volatile uint32_t *)v->at : *(const volatile uint64_t *)v->at;
}

static bool is_there(const struct hd_cuda_op *op)
{
    const struct hd_cuda_value *v = &op->u.value;
    uint64_t is = value_at(v), mask = v->bytes == 4 ? UINT32_MAX : UINT64_MAX;

    switch ((CUstreamWaitValue_flags)v->how) {
    case CU_STREAM_WAIT_VALUE_EQ:
        return is == v->value;
    case CU_STREAM_WAIT_VALUE_AND:
        return (is & v->value) != 0;
    case CU_STREAM_WAIT_VALUE_NOR:
        return (~(is | v->value) & mask) != 0;
    default: // the signed difference, because the numbers may have wrapped around
        return v->bytes == 4 ? (int32_t)((uint32_t)is - (uint32_t)v->value) >= 0
                             : (int64_t)(is - v->value) >= 0;
    }
}

// By rising address: when a stream last wrote a value there, in its own time. Empty if copies take
// no time.
struct written {
    uint64_t address, at;
};
static struct written *writes;
static size_t n_writes, cap_writes;

static size_t first_from(uint64_t address)
{
    size_t lo = 0, hi = n_writes;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (writes[mid].address < address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void note_write(uint64_t address)
{
    size_t i = first_from(address);

    if (!hd_copytime_on())
        return;
    if (i == n_writes || writes[i].address != address) {
        (void)HD_PUSH(hd_cuda.arena, writes, n_writes, cap_writes);
        memmove(&writes[i + 1], &writes[i], (n_writes - 1 - i) * sizeof *writes);
        writes[i].address = address;
    }
    writes[i].at = hd_copytime_now(hd_queue_acting(), hd_queue_ticks());
}

static void go_on(struct hd_cuda_op *op)
{
    size_t i = first_from(op->u.value.address);

    if (i < n_writes && writes[i].address == op->u.value.address)
        hd_copytime_wait(hd_queue_acting(), hd_queue_ticks(), writes[i].at);
}

static void machine_made(void)
{
    n_writes = 0;
}

static void device_ends(void)
{
    writes = NULL;
    n_writes = cap_writes = 0;
}

const struct hd_part hd_memops_part = {.machine_made = machine_made, .device_ends = device_ends};

static void tell(const struct hd_cuda_op *op, const struct hd_cuda_stream *s, struct hd_diag *d)
{
    static const char *const needs[] = {"at least", "equal to", "one with a bit of",
                                        "one without some bit outside of"};
    const struct hd_cuda_value *v = &op->u.value;

    if (is_there(op))
        return;
    hd_diag_hint(
        hd_diag_add(d, NULL, 0, 0,
                    "stream %u waits for ever: the %u-bit value at 0x%" PRIx64 " is 0x%" PRIx64
                    " and should be %s 0x%" PRIx64 ", and nothing is left that could write it",
                    s->id, 8 * v->bytes, v->address, value_at(v), needs[v->how & 3], v->value),
        "write it (cuStreamWriteValue, a kernel, a copy, the host) before waiting for the "
        "stream; values are looked at when a kernel has ended, not while it runs");
}

static void write_value(struct hd_cuda_op *op)
{
    const struct hd_cuda_value *v = &op->u.value;

    if (v->bytes == 4)
        *(volatile uint32_t *)v->at = (uint32_t)v->value;
    else
        *(volatile uint64_t *)v->at = v->value;
    note_write(v->address);
}

const struct hd_op_kind hd_memops_write = {.perform = write_value};
const struct hd_op_kind hd_memops_wait = {.ready = is_there, .perform = go_on, .stuck = tell};

// One request of a batch, checked.
struct request {
    const struct hd_op_kind *kind; // NULL: there is nothing to do
    struct hd_cuda_value value;
};

static CUresult prepare(const struct hd_op_kind *kind, CUdeviceptr address, uint64_t value,
                        unsigned bytes, unsigned flags, struct request *out)
{
    unsigned how = flags & ~(unsigned)CU_STREAM_WAIT_VALUE_FLUSH;

    if (address % bytes || (kind == &hd_memops_wait && how > CU_STREAM_WAIT_VALUE_NOR) ||
        (kind == &hd_memops_write && flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct request){kind,
                            {.at = hd_devmem_at(address, bytes),
                             .address = address,
                             .value = value,
                             .bytes = bytes,
                             .how = how}};
    return out->value.at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult read_request(const CUstreamBatchMemOpParams *p, struct request *out)
{
    *out = (struct request){.kind = NULL};
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        return prepare(&hd_memops_wait, p->waitValue.address, p->waitValue.value, 4,
                       p->waitValue.flags, out);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        return prepare(&hd_memops_wait, p->waitValue.address, p->waitValue.value64, 8,
                       p->waitValue.flags, out);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        return prepare(&hd_memops_write, p->writeValue.address, p->writeValue.value, 4,
                       p->writeValue.flags, out);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return prepare(&hd_memops_write, p->writeValue.address, p->writeValue.value64, 8,
                       p->writeValue.flags, out);
    case CU_STREAM_MEM_OP_BARRIER: // operations of a stream are executed in order anyway
        return CUDA_SUCCESS;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// Queues all requests, or none if one is wrong. CUDA captures them; a capture that would lack them
// is invalidated.
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned n, CUstreamBatchMemOpParams *list,
                               unsigned flags)
{
    struct request requests[BATCH_MOST];
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags || !list || !n || n > BATCH_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_capture_refuse(s);
    for (unsigned i = 0; i < n && r == CUDA_SUCCESS; i++)
        r = read_request(&list[i], &requests[i]);
    for (unsigned i = 0; i < n && r == CUDA_SUCCESS; i++) {
        struct hd_cuda_op op = {.kind = requests[i].kind, .u.value = requests[i].value};
        if (op.kind)
            r = hd_queue_add(s, &op, NULL);
    }
    return r;
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                unsigned flags)
{
    CUstreamBatchMemOpParams p = {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
                                                .address = address,
                                                .value = value,
                                                .flags = flags}};

    return cuStreamBatchMemOp_v2(stream, 1, &p, 0);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                unsigned flags)
{
    CUstreamBatchMemOpParams p = {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64,
                                                .address = address,
                                                .value64 = value,
                                                .flags = flags}};

    return cuStreamBatchMemOp_v2(stream, 1, &p, 0);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                 unsigned flags)
{
    CUstreamBatchMemOpParams p = {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
                                                 .address = address,
                                                 .value = value,
                                                 .flags = flags}};

    return cuStreamBatchMemOp_v2(stream, 1, &p, 0);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                 unsigned flags)
{
    CUstreamBatchMemOpParams p = {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64,
                                                 .address = address,
                                                 .value64 = value,
                                                 .flags = flags}};

    return cuStreamBatchMemOp_v2(stream, 1, &p, 0);
}
