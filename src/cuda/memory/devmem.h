// devmem.h - memory: which addresses are live, and where their bytes are.
//
// All memory that a program allocates is simulated memory: allocations on the device, page-locked
// and managed ones, arrays, variables of modules. devmem.c has the table of them; allocate.c,
// arrays.c and pools.c are the interface. If the program registers memory of its own, this memory
// has a mirror there (registered.c). Addresses that are reserved separately from their memory are
// in virtual.c. Constants are not in simulated memory: their owner gives devmem.c a window of
// addresses and a function that finds their bytes.
//
// Invariants:
// - The table is sorted by address. An entry that is not live stays until the heap starts again
//   from its beginning (laps), so that a stale address is recognised.
// - Memory is freed only when everything queued that may use it has been executed: by hd_queue_run
//   or by an operation in a stream (hd_devmem_free).
// - live_bytes is what counts against the device's memory: what was allocated and not yet freed,
//   except reserved addresses of graphs.
// - If an allocation belongs to something else, such as a pool, its function `released` informs the
//   owner. This folder does not depend on owners.
//
// The folder may call core. Memory operations in streams are in stream/ (ordered.c).
#ifndef HEDDLE_CUDA_MEMORY_DEVMEM_H
#define HEDDLE_CUDA_MEMORY_DEVMEM_H

#include "cuda/core/parts.h"
#include "cuda/core/process.h"

enum hd_cuda_alloc_kind {
    HD_ALLOC_DEVICE,
    HD_ALLOC_MANAGED,
    HD_ALLOC_HOST,
    HD_ALLOC_SYMBOL,
    HD_ALLOC_MANAGED_SYMBOL,
    HD_ALLOC_ARRAY,
    HD_ALLOC_MAPPED // memory made separately from its addresses; it belongs to no context
};

struct hd_cuda_alloc { // sorted by address
    uint64_t address, bytes;
    uint64_t id; // never reused, unlike the address
    enum hd_cuda_alloc_kind kind;
    unsigned flags;
    bool live, ending; // ending: its release is queued
    bool graph, held;  // of a graph's node; allocated by a launch so far, and not freed
    bool abandoned;    // graph: no graph can allocate it again
    struct hd_cuda_context *context;
    CUmemoryPool pool;                               // that it was taken from, or NULL
    void (*released)(const struct hd_cuda_alloc *a); // NULL: it has no owner
};

static inline bool hd_cuda_managed(const struct hd_cuda_alloc *a)
{
    return a->kind == HD_ALLOC_MANAGED || a->kind == HD_ALLOC_MANAGED_SYMBOL;
}

struct hd_cuda_array {
    CUarray handle;
    struct hd_cuda_context *context;
    CUDA_ARRAY3D_DESCRIPTOR shape;
    uint64_t address;
    size_t element, pitch, rows, slices; // in bytes; height and depth as stored, at least 1
};

// --- devmem.c

struct hd_cuda_alloc *
hd_devmem_find(uint64_t address); // the live entry that contains it, else NULL
struct hd_cuda_alloc *hd_devmem_around(uint64_t address); // the same, live or not
// Returns 0 if there is no room, or if what had to run first has failed; hd_devmem_full()
// distinguishes them. May run what is queued.
uint64_t hd_devmem_new(uint64_t bytes, enum hd_cuda_alloc_kind kind, unsigned flags);
bool hd_devmem_room(uint64_t bytes); // whether there is room, without allocating
CUresult hd_devmem_full(void);
uint64_t hd_devmem_live(void);                    // bytes allocated
void hd_devmem_count(uint64_t bytes, bool taken); // memory that has no address of its own
void hd_devmem_add(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind);
void hd_devmem_release(uint64_t address);
void hd_devmem_drop(uint64_t address); // of mapped memory, whose addresses may be used again
struct hd_op_kind;
extern const struct hd_op_kind hd_devmem_free; // in a stream: u.free
// Converts any address of simulated memory, live or not, to a host pointer.
uint8_t *hd_devmem_pointer(uint64_t address);
// Host address of device bytes; NULL unless all of them are live. Windows are included.
uint8_t *hd_devmem_at(uint64_t address, uint64_t bytes);
// The same, and memory that a graph's node will allocate is included.
uint8_t *hd_devmem_planned(uint64_t address, uint64_t bytes);
// Addresses from here on belong to windows. `at` finds their bytes; NULL if there are none.
#define HD_CUDA_CONSTANTS (UINT64_C(1) << 56)
void hd_devmem_window(uint8_t *(*at)(uint64_t offset, uint64_t bytes));
// An address for a graph's node, without memory; then its entry, with and without memory.
uint64_t hd_devmem_reserve(uint64_t bytes);
// No graph can allocate it again: the address may be reused as soon as it has no memory. (The type
// of `address` is that of a user object's data.)
void hd_devmem_abandon(void *address);
struct hd_cuda_alloc *hd_devmem_reserved(uint64_t address);
void hd_devmem_map(uint64_t address);
uint64_t *hd_devmem_graph_memory(void); // by CUgraphMem_attribute
// Whether these bytes are memory of the host, as far as can be decided: false for addresses of
// simulated memory that are not live page-locked or managed memory.
bool hd_devmem_on_host(const void *host, uint64_t bytes);
bool hd_devmem_pinned(const void *host, uint64_t bytes); // page-locked or registered
uint64_t hd_devmem_address(const void *host); // device address of page-locked memory, else 0
extern const struct hd_part hd_devmem_part;

// --- registered.c: the program's own memory that kernels may use.

CUresult hd_registered_add(void *host, uint64_t bytes, unsigned flags);
CUresult hd_registered_remove(void *host);
CUresult hd_registered_map(const void *host);     // makes its mirror, if the memory is registered
uint64_t hd_registered_address(const void *host); // of its mirror on the device, 0 if it has none
bool hd_registered_has(const void *host, uint64_t bytes); // all these bytes
bool hd_registered_flags(const void *host, unsigned *flags);
struct hd_registered_range {
    uint8_t *host;
    uint64_t bytes, address; // address: of the mirror, 0 if there is none
    uint64_t offset;         // of the address that was asked for
    struct hd_cuda_context *context;
};
// The registered memory around an address on the host or in a mirror. False if there is none.
bool hd_registered_find(uint64_t value, struct hd_registered_range *out);
// False if the address is in no mirror; else *at is the host address of its bytes, NULL if there
// are fewer.
bool hd_registered_at(uint64_t address, uint64_t bytes, uint8_t **at);
extern const struct hd_part hd_registered_part;

// --- other files

size_t hd_arrays_format_bytes(CUarray_format f); // of a channel, 0 for an unknown format
CUmemoryPool hd_pools_current(void);             // the pool that the device uses now
bool hd_pools_has(CUmemoryPool pool);
CUresult hd_pools_take(CUdeviceptr *address, size_t bytes, CUmemoryPool pool);
CUdevice hd_advice_device(CUmemLocation l); // CU_DEVICE_CPU, a device, or CU_DEVICE_INVALID
CUresult hd_advice_prefetch(CUdeviceptr address, size_t bytes, CUdevice device);
extern const struct hd_part hd_advice_part, hd_arrays_part, hd_pools_part, hd_virtual_part;

#endif
