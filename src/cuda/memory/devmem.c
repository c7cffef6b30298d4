// devmem.c - the table of the program's memory: device, page-locked, managed and mapped.
//
// All of it is simulated memory. The program uses page-locked and managed memory by its host
// address. Where the host allows it (hd_cuda_unified), this is the simulated address too, so that
// one pointer is valid on both sides. Memory that the program registers is in registered.c.
#include "cuda/memory/devmem.h"

#include "cuda/core/queue.h"
#include "cuda/core/threads.h"
#include "emu/emu.h"
#include "emu/memory.h"

#include <string.h>

#define USED CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT // each is followed by its highest value
#define RESERVED CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT

static struct hd_cuda_alloc *allocs;
static size_t n_allocs, cap_allocs;
static uint64_t laps,
    last_id; // of the memory when released entries were last removed; of a program
// Page-locked memory is the host's, and every host must refuse the same.
#define PINNED_MOST (UINT64_C(64) << 30)

static uint64_t live_bytes, pinned_bytes; // of the device; of page-locked host memory
static uint64_t graph_memory[4];          // by CUgraphMem_attribute
static uint8_t *(*window)(uint64_t offset, uint64_t bytes);

static struct hd_memory *memory(void)
{
    return hd_gpu_memory(hd_cuda.gpu);
}

// Converts any address of simulated memory, live or not, to a host pointer.
uint8_t *hd_devmem_pointer(uint64_t address)
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

// The entry that contains an address, live or not.
struct hd_cuda_alloc *hd_devmem_around(uint64_t address)
{
    size_t lo = 0, hi = n_allocs;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (allocs[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo)
        return NULL;
    struct hd_cuda_alloc *a = &allocs[lo - 1];
    return address - a->address < a->bytes || address == a->address ? a : NULL;
}

struct hd_cuda_alloc *hd_devmem_find(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_around(address);

    return a && a->live ? a : NULL;
}

// Removes released entries, because their addresses may be used again.
static void forget_released(void)
{
    size_t n = 0;

    for (size_t i = 0; i < n_allocs; i++)
        if (allocs[i].live || allocs[i].graph)
            allocs[n++] = allocs[i];
    n_allocs = n;
    laps = hd_memory_laps(memory());
}

static struct hd_cuda_alloc *insert(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind)
{
    if (laps != hd_memory_laps(memory()))
        forget_released();
    struct hd_cuda_alloc *a = HD_PUSH(hd_cuda.arena, allocs, n_allocs, cap_allocs);

    // Variables of a module are at lower addresses than the heap, even if the module was loaded
    // later.
    for (; a > allocs && a[-1].address > address; a--)
        *a = a[-1];
    *a = (struct hd_cuda_alloc){.address = address,
                                .id = ++last_id,
                                .bytes = bytes,
                                .kind = kind,
                                .live = true,
                                .context = kind != HD_ALLOC_MAPPED ? hd_current_context() : NULL};
    if (kind == HD_ALLOC_HOST || hd_cuda_managed(a)) // a thread of the program may write to it
        hd_memory_let_outside(memory(), address);
    if (kind == HD_ALLOC_HOST)
        pinned_bytes += bytes;
    else if (kind != HD_ALLOC_MAPPED) // mapped memory was counted when it was created
        live_bytes += bytes;
    return a;
}

void hd_devmem_add(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind)
{
    insert(address, bytes, kind);
}

// Memory whose release is queued still counts. Like a GPU, this waits for its release before it
// fails.
bool hd_devmem_room(uint64_t bytes)
{
    if (bytes > hd_cuda.total_memory)
        return false;
    if (live_bytes > hd_cuda.total_memory - bytes && hd_queue_frees())
        hd_queue_run_some(); // the caller finds errors in hd_cuda.broken
    return hd_cuda.broken == CUDA_SUCCESS && live_bytes <= hd_cuda.total_memory - bytes;
}

CUresult hd_devmem_full(void)
{
    return hd_cuda.broken != CUDA_SUCCESS ? hd_cuda.broken : CUDA_ERROR_OUT_OF_MEMORY;
}

uint64_t hd_devmem_new(uint64_t bytes, enum hd_cuda_alloc_kind kind, unsigned flags)
{
    uint64_t address;

    if (kind == HD_ALLOC_HOST ? bytes > PINNED_MOST - pinned_bytes : !hd_devmem_room(bytes))
        return 0;
    address = hd_memory_alloc(memory(), bytes, NULL);
    if (address)
        insert(address, bytes, kind)->flags = flags;
    return address;
}

static void forget_reserved(struct hd_cuda_alloc *a)
{
    a->graph = a->held = a->abandoned = false;
    hd_memory_keep(memory(), a->address, false);
}

void hd_devmem_release(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_find(address);

    hd_memory_release(memory(), address);
    if (a) {
        a->live = false;
        if (a->kind == HD_ALLOC_HOST)
            pinned_bytes -= a->bytes;
        else
            live_bytes -= a->bytes;
        if (a->graph)
            graph_memory[USED] -= a->bytes;
        if (a->abandoned)
            forget_reserved(a);
        if (a->released)
            a->released(a);
    }
}

// --- memory of graphs: a fixed address, which has memory between an alloc node and a free node

uint64_t hd_devmem_reserve(uint64_t bytes)
{
    uint64_t address = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);

    if (address) {
        struct hd_cuda_alloc *a = hd_devmem_find(address);
        hd_memory_keep(memory(), address, true);
        hd_devmem_release(address);
        a->graph = true;
    }
    return address;
}

struct hd_cuda_alloc *hd_devmem_reserved(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_around(address);

    return a && a->graph && a->address == address ? a : NULL;
}

void hd_devmem_abandon(void *address)
{
    struct hd_cuda_alloc *a = hd_devmem_reserved((uint64_t)(uintptr_t)address);

    if (!a)
        return;
    a->abandoned = true;
    if (!a->live && !a->held)
        forget_reserved(a);
}

void hd_devmem_map(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_reserved(address);
    uint64_t *used = graph_memory;

    if (!a || !hd_memory_revive(memory(), address))
        return;
    a->live = true;
    live_bytes += a->bytes;
    used[USED] += a->bytes;
    // Freed memory is kept for later launches, until it is trimmed.
    if (used[RESERVED] < used[USED])
        used[RESERVED] = used[USED];
    for (int i = USED; i <= RESERVED; i += 2)
        if (used[i + 1] < used[i])
            used[i + 1] = used[i];
}

uint8_t *hd_devmem_planned(uint64_t address, uint64_t bytes)
{
    const struct hd_cuda_alloc *a = hd_devmem_around(address);

    if (a && a->graph)
        return bytes <= a->bytes - (address - a->address) ? hd_devmem_pointer(address) : NULL;
    return hd_devmem_at(address, bytes);
}

void hd_devmem_drop(uint64_t address)
{
    struct hd_cuda_alloc *a = hd_devmem_find(address), *end = allocs + n_allocs;

    if (a && a->kind == HD_ALLOC_MAPPED) {
        memmove(a, a + 1, (size_t)(end - a - 1) * sizeof *a);
        n_allocs--;
    }
}

uint8_t *hd_devmem_at(uint64_t address, uint64_t bytes)
{
    const struct hd_cuda_alloc *a;
    uint8_t *registered;

    if (address >= HD_CUDA_CONSTANTS)
        return window ? window(address - HD_CUDA_CONSTANTS, bytes) : NULL;
    if (hd_registered_at(address, bytes, &registered))
        return registered;
    a = hd_devmem_around(address);
    if (a && a->graph && a->held) // for a launch that may still be queued
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

// Somebody may write to the program's own memory as a kernel runs. This thread waits for the
// machine, and threads of ours touch nothing of the program's. (Memory that other processes share
// may change all the same.)
static bool outsiders(void)
{
    return !hd_threads_alone() || hd_memory_shared(memory());
}

uint64_t hd_devmem_live(void)
{
    return live_bytes;
}

void hd_devmem_count(uint64_t bytes, bool taken)
{
    live_bytes = taken ? live_bytes + bytes : live_bytes - bytes;
}

uint64_t *hd_devmem_graph_memory(void)
{
    return graph_memory;
}

void hd_devmem_window(uint8_t *(*at)(uint64_t offset, uint64_t bytes))
{
    window = at;
}

static void release(struct hd_cuda_op *op)
{
    hd_devmem_release(op->u.free);
}

const struct hd_op_kind hd_devmem_free = {.perform = release, .gives_back = true};

static void machine_made(void)
{
    n_allocs = 0;
    laps = 0;
    live_bytes = pinned_bytes = 0;
    memset(graph_memory, 0, sizeof graph_memory);
    hd_emu_outsiders(hd_gpu_emu(hd_cuda.gpu), outsiders);
}

static void context_ends(const struct hd_cuda_context *c)
{
    for (size_t i = 0; i < n_allocs; i++)
        if (allocs[i].live && allocs[i].context == c) {
            allocs[i].held = false;
            hd_devmem_release(allocs[i].address);
        }
}

static void device_ends(void)
{
    allocs = NULL;
    n_allocs = cap_allocs = 0;
    laps = last_id = live_bytes = pinned_bytes = 0;
    memset(graph_memory, 0, sizeof graph_memory);
}

const struct hd_part hd_devmem_part = {
    .machine_made = machine_made, .context_ends = context_ends, .device_ends = device_ends};
