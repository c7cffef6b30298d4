// devmem.c - memory the program asks for: on the device, page-locked, managed, mapped.
//
// All of it is simulated memory. Page-locked and managed memory is handed to the program under its
// host address; where the host allowed it (hd_devmem_unified) that is the simulated address too,
// so one pointer serves both sides. Memory the program registers is in registered.c.
#include "cuda/process.h"

#include "cuda/capture.h"
#include "cuda/queue.h"

#include <dirent.h>
#include <string.h>

#define PITCH_ALIGN 512

static struct hd_memory *memory(void)
{
    return hd_gpu_memory(hd_cuda.gpu);
}

// Any address of simulated memory as a pointer of the host, live or not.
static uint8_t *host_of(uint64_t address)
{
    return hd_memory_view(memory()).bytes + (address - HD_MEMORY_BASE);
}

uint64_t hd_devmem_address(const void *host)
{
    struct hd_memory_view v = hd_memory_view(memory());
    uintptr_t offset = (uintptr_t)host - (uintptr_t)v.bytes;
    const struct hd_cuda_alloc *a;

    if (hd_registered_address(host))
        return hd_registered_address(host);
    if (offset >= v.size)
        return 0;
    a = hd_devmem_find(HD_MEMORY_BASE + offset);
    return a && (a->kind == HD_ALLOC_HOST || hd_cuda_managed(a)) ? HD_MEMORY_BASE + offset : 0;
}

bool hd_devmem_unified(void)
{
    // Asked before there is a machine, too: then by trying.
    if (hd_cuda.gpu)
        return (uintptr_t)hd_memory_view(memory()).bytes == HD_MEMORY_BASE;
    return hd_cuda_machine() == CUDA_SUCCESS && hd_devmem_unified();
}

// The entry around an address, live or not.
static struct hd_cuda_alloc *around(uint64_t address)
{
    size_t lo = 0, hi = hd_cuda.n_allocs;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (hd_cuda.allocs[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo)
        return NULL;
    struct hd_cuda_alloc *a = &hd_cuda.allocs[lo - 1];
    return address - a->address < a->bytes || address == a->address ? a : NULL;
}

struct hd_cuda_alloc *hd_devmem_find(uint64_t address)
{
    struct hd_cuda_alloc *a = around(address);

    return a && a->live ? a : NULL;
}

// Their addresses may be used again.
static void forget_released(void)
{
    size_t n = 0;

    for (size_t i = 0; i < hd_cuda.n_allocs; i++)
        if (hd_cuda.allocs[i].live || hd_cuda.allocs[i].graph)
            hd_cuda.allocs[n++] = hd_cuda.allocs[i];
    hd_cuda.n_allocs = n;
    hd_cuda.laps = hd_memory_laps(memory());
}

static struct hd_cuda_alloc *insert(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind)
{
    if (hd_cuda.laps != hd_memory_laps(memory()))
        forget_released();
    struct hd_cuda_alloc *a =
        HD_PUSH(hd_cuda.arena, hd_cuda.allocs, hd_cuda.n_allocs, hd_cuda.cap_allocs);

    // Variables of a module lie below the heap, whenever the module came.
    for (; a > hd_cuda.allocs && a[-1].address > address; a--)
        *a = a[-1];
    *a = (struct hd_cuda_alloc){.address = address,
                                .id = ++hd_cuda.next_alloc,
                                .bytes = bytes,
                                .kind = kind,
                                .live = true,
                                .context = kind != HD_ALLOC_MAPPED ? hd_context_current() : NULL};
    if (kind == HD_ALLOC_HOST || hd_cuda_managed(a)) // a thread of the program may write to it
        hd_memory_let_outside(memory(), address);
    if (kind != HD_ALLOC_MAPPED) // counted when it was made
        hd_cuda.live_bytes += bytes;
    return a;
}

void hd_devmem_add(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind)
{
    insert(address, bytes, kind);
}

// Memory whose release is queued is still taken: as a GPU does, wait for it before saying no.
bool hd_devmem_room(uint64_t bytes)
{
    if (bytes > hd_cuda.total_memory)
        return false;
    if (hd_cuda.live_bytes > hd_cuda.total_memory - bytes && hd_queue_frees())
        hd_queue_run(); // an error is found in hd_cuda.broken
    return hd_cuda.broken == CUDA_SUCCESS && hd_cuda.live_bytes <= hd_cuda.total_memory - bytes;
}

CUresult hd_devmem_full(void)
{
    return hd_cuda.broken != CUDA_SUCCESS ? hd_cuda.broken : CUDA_ERROR_OUT_OF_MEMORY;
}

uint64_t hd_devmem_new(uint64_t bytes, enum hd_cuda_alloc_kind kind, unsigned flags)
{
    uint64_t address;

    if (!hd_devmem_room(bytes))
        return 0;
    address = hd_memory_alloc(memory(), bytes, NULL);
    if (address)
        insert(address, bytes, kind)->flags = flags;
    return address;
}

void hd_devmem_release(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_find(address);

    hd_memory_release(memory(), address);
    if (a) {
        a->live = false;
        hd_cuda.live_bytes -= a->bytes;
        if (a->graph)
            hd_cuda.graph_memory[HD_GRAPH_USED] -= a->bytes;
        if (a->pool)
            hd_pools_given_back(a->pool, a->bytes);
    }
}

// --- memory of graphs: an address for good, and memory there from an alloc node to a free node

uint64_t hd_devmem_reserve(uint64_t bytes)
{
    uint64_t address = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);

    if (address) {
        struct hd_cuda_alloc *a = hd_devmem_find(address);
        hd_memory_keep(memory(), address);
        hd_devmem_release(address);
        a->graph = true;
    }
    return address;
}

struct hd_cuda_alloc *hd_devmem_reserved(uint64_t address)
{
    struct hd_cuda_alloc *a = around(address);

    return a && a->graph && a->address == address ? a : NULL;
}

void hd_devmem_map(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_reserved(address);
    uint64_t *used = hd_cuda.graph_memory;

    if (!a || !hd_memory_revive(memory(), address))
        return;
    a->live = true;
    hd_cuda.live_bytes += a->bytes;
    used[HD_GRAPH_USED] += a->bytes;
    // What was freed is kept for the next one, until it is trimmed.
    if (used[HD_GRAPH_RESERVED] < used[HD_GRAPH_USED])
        used[HD_GRAPH_RESERVED] = used[HD_GRAPH_USED];
    for (int i = HD_GRAPH_USED; i <= HD_GRAPH_RESERVED; i += 2)
        if (used[i + 1] < used[i])
            used[i + 1] = used[i];
}

uint8_t *hd_devmem_planned(uint64_t address, uint64_t bytes)
{
    const struct hd_cuda_alloc *a = around(address);

    if (a && a->graph)
        return bytes <= a->bytes - (address - a->address) ? host_of(address) : NULL;
    return hd_devmem_at(address, bytes);
}

void hd_devmem_drop(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_find(address), *end = hd_cuda.allocs + hd_cuda.n_allocs;

    if (a && a->kind == HD_ALLOC_MAPPED) {
        memmove(a, a + 1, (size_t)(end - a - 1) * sizeof *a);
        hd_cuda.n_allocs--;
    }
}

uint8_t *hd_devmem_at(uint64_t address, uint64_t bytes)
{
    const struct hd_cuda_alloc *a;
    uint8_t *registered;

    if (address >= HD_CUDA_CONSTANTS)
        return hd_modules_constant_at(address, bytes);
    if (hd_registered_at(address, bytes, &registered))
        return registered;
    a = around(address);
    if (a && a->graph && a->held) // by a launch that may be queued still
        return hd_devmem_planned(address, bytes);
    return a && a->live && a->ending ? NULL : hd_memory_at(memory(), address, bytes);
}

bool hd_devmem_on_host(const void *host, uint64_t bytes)
{
    struct hd_memory_view v = hd_memory_view(memory());
    uintptr_t offset = (uintptr_t)host - (uintptr_t)v.bytes;

    if (offset >= v.size)
        return true;
    return hd_devmem_address(host) && hd_devmem_at(HD_MEMORY_BASE + offset, bytes);
}

bool hd_devmem_pinned(const void *host, uint64_t bytes)
{
    return hd_registered_has(host, bytes) || hd_devmem_address(host) != 0;
}

// This thread waits for the machine, and heddle's own (supervised.c) touches nothing of the
// program's. (Memory that other processes share may change all the same.)
bool hd_devmem_outsiders(void)
{
    DIR *d = opendir("/proc/self/task");
    unsigned threads = 0;

    for (const struct dirent *e; d && (e = readdir(d));)
        threads += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return threads != 1 + hd_supervised_threads() || hd_memory_shared(memory());
}

void hd_devmem_forget(const struct hd_cuda_context *c)
{
    for (size_t i = 0; i < hd_cuda.n_allocs; i++)
        if (hd_cuda.allocs[i].live && hd_cuda.allocs[i].context == c)
            hd_devmem_release(hd_cuda.allocs[i].address);
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!address || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t a = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);
    if (!a)
        return hd_devmem_full();
    *address = a;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                            unsigned element)
{
    uint64_t bytes, a;

    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!address || !pitch || !width || !height || (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    if (width > INT32_MAX ||
        __builtin_mul_overflow((width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN, height,
                               &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    a = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);
    if (!a)
        return hd_devmem_full();
    *address = a;
    *pitch = bytes / height;
    return CUDA_SUCCESS;
}

// Kernels and copies that are queued may still use it.
static CUresult free_at(uint64_t address, enum hd_cuda_alloc_kind kind, bool or_managed)
{
    struct hd_cuda_alloc *a = around(address);
    CUresult r;

    if (!a || a->ending || a->address != address || !(a->graph ? a->held : a->live) ||
        (a->kind != kind && !(or_managed && a->kind == HD_ALLOC_MANAGED)))
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_queue_run();
    if (r == CUDA_SUCCESS) {
        a->held = false;
        hd_devmem_release(address);
    }
    return r;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    return address ? free_at(address, HD_ALLOC_DEVICE, true) : CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!host || !bytes || flags & ~7u)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t a = hd_devmem_new(bytes, HD_ALLOC_HOST, flags);
    if (!a)
        return hd_devmem_full();
    *host = host_of(a);
    return CUDA_SUCCESS;
}

CUresult cuMemAllocHost_v2(void **host, size_t bytes)
{
    return cuMemHostAlloc(host, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult cuMemFreeHost(void *host)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    uint64_t a = host ? hd_devmem_address(host) : 0;
    return a ? free_at(a, HD_ALLOC_HOST, false) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!flags || !host)
        return CUDA_ERROR_INVALID_VALUE;
    if (hd_registered_flags(host, flags))
        return CUDA_SUCCESS;
    uint64_t a = hd_devmem_address(host);
    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = hd_devmem_find(a)->flags;
    return CUDA_SUCCESS;
}

// Once: few programs look at this error, and most crash behind it.
static void refuse_managed(void)
{
    static bool said;
    struct hd_diag d = {.n = 0};

    if (said)
        return;
    said = true;
    hd_diag_add(&d, NULL, 0, 0,
                "no managed memory: in this process something else is at address 0x%llx, where the "
                "GPU's memory must be for one pointer to serve both sides",
                (unsigned long long)HD_MEMORY_BASE);
    hd_cuda_say(&d);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!address || !bytes || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    if (!hd_devmem_unified()) {
        if (!hd_memory_view(memory()).size)
            return hd_devmem_full();
        refuse_managed();
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    uint64_t a = hd_devmem_new(bytes, HD_ALLOC_MANAGED, flags);
    if (!a)
        return hd_devmem_full();
    *address = a;
    return CUDA_SUCCESS;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    struct hd_cuda_op op = {.kind = HD_OP_FREE, .u.free = address};
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .u.free = address};
    struct hd_cuda_stream *s;
    bool captured;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_enqueues(s, &captured);
    if (r != CUDA_SUCCESS)
        return r;
    struct hd_cuda_alloc *a = around(address);
    if (captured)
        return hd_devmem_reserved(address) ? hd_capture_add(s, &w) : CUDA_ERROR_INVALID_VALUE;
    if (!a || a->ending || a->address != address || a->kind != HD_ALLOC_DEVICE ||
        !(a->graph ? a->held : a->live))
        return CUDA_ERROR_INVALID_VALUE;
    // What nodes do with memory of graphs is looked up when they do it.
    a->ending = !a->graph;
    a->held = false;
    return hd_queue_add(s, &op, NULL);
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (available)
        *available = hd_cuda.total_memory > hd_cuda.live_bytes
                         ? hd_cuda.total_memory - hd_cuda.live_bytes
                         : 0;
    if (total)
        *total = hd_cuda.total_memory;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    const struct hd_cuda_alloc *a;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = hd_devmem_find(address);
    if (!a)
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = a->address;
    if (bytes)
        *bytes = a->bytes;
    return CUDA_SUCCESS;
}
