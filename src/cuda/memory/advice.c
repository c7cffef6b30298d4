// advice.c - cuMemAdvise, cuMemRangeGetAttribute: hints about managed memory. The calls that
// prefetch into a stream are in stream/ordered.c.
//
// There is one memory and nothing moves, so hints are only stored and returned. They apply to whole
// pages: a list of pieces, sorted by address, that do not overlap, each with the latest hints for
// it. Memory that is not in the list has no hints. Pieces of freed memory are removed when the list
// is used next.
#include "cuda/memory/devmem.h"

#include <string.h>

#define PAGE ((uint64_t)4096)
#define OF_DEVICE 1u // in `accessed`
#define OF_HOST 2u

struct piece {
    uint64_t address, bytes;
    uint64_t id; // of the allocation
    bool read_mostly;
    unsigned accessed;       // OF_DEVICE, OF_HOST
    int preferred, prefetch; // CU_DEVICE_CPU, a device, or CU_DEVICE_INVALID
};

static struct piece *pieces;
static size_t n_pieces, cap_pieces;

static bool is_live(const struct piece *p)
{
    const struct hd_cuda_alloc *a = hd_devmem_find(p->address);

    return a && a->id == p->id;
}

static void forget_stale(void)
{
    size_t n = 0;

    for (size_t i = 0; i < n_pieces; i++)
        if (is_live(&pieces[i]))
            pieces[n++] = pieces[i];
    n_pieces = n;
}

static void insert(size_t at, struct piece p)
{
    (void)HD_PUSH(hd_cuda.arena, pieces, n_pieces, cap_pieces);
    memmove(&pieces[at + 1], &pieces[at], (n_pieces - 1 - at) * sizeof *pieces);
    pieces[at] = p;
}

// Index of the first piece that ends after this address.
static size_t first_after(uint64_t address)
{
    size_t i = 0;

    while (i < n_pieces && pieces[i].address + pieces[i].bytes <= address)
        i++;
    return i;
}

// Splits a piece in two, so that none contains this address in its middle.
static void split(uint64_t address)
{
    size_t i = first_after(address);

    if (i < n_pieces && pieces[i].address < address) {
        struct piece rest = pieces[i];
        pieces[i].bytes = address - pieces[i].address;
        rest.bytes -= pieces[i].bytes;
        rest.address = address;
        insert(i + 1, rest);
    }
}

static struct piece without_hints(const struct hd_cuda_alloc *a, uint64_t from, uint64_t to)
{
    return (struct piece){.address = from,
                          .bytes = to - from,
                          .id = a->id,
                          .preferred = CU_DEVICE_INVALID,
                          .prefetch = CU_DEVICE_INVALID};
}

// Makes pieces cover every byte from `from` to `to`; returns the first one, and their number.
static struct piece *cover(const struct hd_cuda_alloc *a, uint64_t from, uint64_t to, size_t *n)
{
    size_t first, i;

    forget_stale();
    split(from);
    split(to);
    first = i = first_after(from);
    for (uint64_t at = from; at < to; at = pieces[i].address + pieces[i].bytes, i++)
        if (i == n_pieces || pieces[i].address > at)
            insert(i, without_hints(
                          a, at, i < n_pieces && pieces[i].address < to ? pieces[i].address : to));
    *n = i - first;
    return &pieces[first];
}

// Finds the managed allocation that contains the whole range, and widens the range to whole pages.
static CUresult find(CUdeviceptr address, size_t bytes, const struct hd_cuda_alloc **out,
                     uint64_t *from, uint64_t *to)
{
    const struct hd_cuda_alloc *a = hd_devmem_find(address);

    if (!a || !hd_cuda_managed(a) || !bytes || bytes > a->bytes - (address - a->address))
        return CUDA_ERROR_INVALID_VALUE;
    *from = address / PAGE * PAGE;
    *to = (address + bytes + PAGE - 1) / PAGE * PAGE;
    *from = *from > a->address ? *from : a->address;
    *to = *to < a->address + a->bytes ? *to : a->address + a->bytes;
    *out = a;
    return CUDA_SUCCESS;
}

static void say(struct piece *p, CUmem_advise advice, int device)
{
    unsigned who = device == CU_DEVICE_CPU ? OF_HOST : OF_DEVICE;

    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        p->read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        p->preferred = device;
        break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        p->preferred = CU_DEVICE_INVALID;
        break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
        p->accessed |= who;
        break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        p->accessed &= ~who;
        break;
    }
}

static CUresult advise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    const struct hd_cuda_alloc *a;
    uint64_t from, to;
    struct piece *p;
    size_t n;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if ((unsigned)advice < CU_MEM_ADVISE_SET_READ_MOSTLY ||
        (unsigned)advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    // These kinds of advice ignore the device.
    if ((advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
         advice >= CU_MEM_ADVISE_SET_ACCESSED_BY) &&
        device != CU_DEVICE_CPU && device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    r = find(address, bytes, &a, &from, &to);
    if (r != CUDA_SUCCESS)
        return r;
    p = cover(a, from, to, &n);
    for (size_t i = 0; i < n; i++)
        say(&p[i], advice, device);
    return CUDA_SUCCESS;
}

CUresult hd_advice_prefetch(CUdeviceptr address, size_t bytes, CUdevice device)
{
    const struct hd_cuda_alloc *a;
    uint64_t from, to;
    struct piece *p;
    size_t n;
    CUresult r;

    if (device != CU_DEVICE_CPU && device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    r = find(address, bytes, &a, &from, &to);
    if (r != CUDA_SUCCESS)
        return r;
    p = cover(a, from, to, &n);
    for (size_t i = 0; i < n; i++)
        p[i].prefetch = device;
    return CUDA_SUCCESS;
}

// All memory of the host is one place.
CUdevice hd_advice_device(CUmemLocation l)
{
    if (l.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return l.id < 0 ? CU_DEVICE_INVALID : l.id;
    return l.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID : CU_DEVICE_CPU;
}

// --- the interface

#undef cuMemAdvise
#define SAME(name, params, call)                                                                   \
    CUresult name params;                                                                          \
    CUresult name params                                                                           \
    {                                                                                              \
        return call;                                                                               \
    }

SAME(cuMemAdvise, (CUdeviceptr p, size_t n, CUmem_advise advice, CUdevice d),
     advise(p, n, advice, d))
SAME(cuMemAdvise_v2, (CUdeviceptr p, size_t n, CUmem_advise advice, CUmemLocation l),
     advise(p, n, advice, hd_advice_device(l)))

// The hints that the whole range has in common.
static struct piece common(const struct hd_cuda_alloc *a, uint64_t from, uint64_t to)
{
    size_t n;
    const struct piece *p = cover(a, from, to, &n);
    struct piece c = p[0];

    for (size_t i = 1; i < n; i++) {
        c.read_mostly = c.read_mostly && p[i].read_mostly;
        c.accessed &= p[i].accessed;
        if (c.preferred != p[i].preferred)
            c.preferred = CU_DEVICE_INVALID;
        if (c.prefetch != p[i].prefetch)
            c.prefetch = CU_DEVICE_INVALID;
    }
    return c;
}

// Lists the devices that access the range; fills the rest of the list with CU_DEVICE_INVALID.
static CUresult list_accessed(unsigned accessed, void *data, size_t bytes)
{
    int list[2] = {CU_DEVICE_INVALID, CU_DEVICE_INVALID};
    size_t n = 0;

    if (bytes % sizeof *list)
        return CUDA_ERROR_INVALID_VALUE;
    if (accessed & OF_DEVICE)
        list[n++] = HD_CUDA_DEVICE;
    if (accessed & OF_HOST)
        list[n++] = CU_DEVICE_CPU;
    for (size_t i = 0; i < bytes / sizeof *list; i++) {
        int device = i < n ? list[i] : CU_DEVICE_INVALID;
        memcpy((char *)data + i * sizeof device, &device, sizeof device);
    }
    return CUDA_SUCCESS;
}

static int type_of(int device)
{
    return device == CU_DEVICE_CPU       ? CU_MEM_LOCATION_TYPE_HOST
           : device == CU_DEVICE_INVALID ? CU_MEM_LOCATION_TYPE_INVALID
                                         : CU_MEM_LOCATION_TYPE_DEVICE;
}

static CUresult answer(const struct piece *c, CUmem_range_attribute attribute, void *data,
                       size_t bytes)
{
    int value = 0;

    if (!data || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        return list_accessed(c->accessed, data, bytes);
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        value = c->read_mostly;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        value = c->preferred;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        value = type_of(c->preferred);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        value = c->prefetch;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        value = type_of(c->prefetch);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: // 0 unless it is a device
        value = c->preferred > 0 ? c->preferred : 0;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        value = c->prefetch > 0 ? c->prefetch : 0;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes != sizeof value)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(data, &value, sizeof value);
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttributes(void **data, size_t *bytes, CUmem_range_attribute *attributes,
                                 size_t n, CUdeviceptr address, size_t count)
{
    const struct hd_cuda_alloc *a;
    uint64_t from, to;
    struct piece c;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!data || !bytes || !attributes || !n)
        return CUDA_ERROR_INVALID_VALUE;
    r = find(address, count, &a, &from, &to);
    if (r != CUDA_SUCCESS)
        return r;
    c = common(a, from, to);
    for (size_t i = 0; i < n && r == CUDA_SUCCESS; i++)
        r = answer(&c, attributes[i], data[i], bytes[i]);
    return r;
}

CUresult cuMemRangeGetAttribute(void *data, size_t bytes, CUmem_range_attribute attribute,
                                CUdeviceptr address, size_t count)
{
    return cuMemRangeGetAttributes(&data, &bytes, &attribute, 1, address, count);
}

static void machine_made(void)
{
    n_pieces = 0;
}

static void device_ends(void)
{
    pieces = NULL;
    n_pieces = cap_pieces = 0;
}

const struct hd_part hd_advice_part = {.machine_made = machine_made, .device_ends = device_ends};
