// devmem.h - memory: which addresses are live, and what lies there.
//
// All memory that a program asks for is simulated memory: allocations of the device, page-locked
// and managed ones, arrays, variables of modules (devmem.c has the table of them; allocate.c,
// arrays.c and pools.c are the interface). The program's own memory that it registers has a mirror
// there (registered.c). Addresses and memory that were made apart from each other are in virtual.c.
// Constants are in no such memory: whoever has them gives devmem.c a window of addresses, and a
// function that finds their bytes.
//
// Invariants:
// - The table is in the order of addresses. An entry that is not live stays until the heap begins
//   anew (laps), so that a stale address is recognised.
// - Memory is given back only when everything queued that may use it has happened: by hd_queue_run
//   or by an operation in a stream (hd_devmem_free).
// - What is counted against the device's memory (live_bytes) is what was given out and has not come
//   back, reserved addresses of graphs excepted.
// - An allocation that belongs to something else, such as a pool, says so in `released`, which is
//   called; this folder knows no owner by name.
//
// The folder may call core. A part of what a stream does with memory is in stream/ (ordered.c).
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
    HD_ALLOC_MAPPED // memory that was made apart from its addresses: it belongs to no context
};

struct hd_cuda_alloc { // by rising address
    uint64_t address, bytes;
    uint64_t id; // never used again, as the address may be
    enum hd_cuda_alloc_kind kind;
    unsigned flags;
    bool live, ending; // ending: its release is queued
    bool graph, held;  // of a graph's node; allocated by launches so far, and not freed
    struct hd_cuda_context *context;
    CUmemoryPool pool;                               // that it was taken from, or NULL
    void (*released)(const struct hd_cuda_alloc *a); // NULL: nobody wants to know
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
    size_t element, pitch, rows, slices; // bytes; height and depth as stored, at least 1
};

// --- devmem.c

struct hd_cuda_alloc *hd_devmem_find(uint64_t address);   // live and around it, else NULL
struct hd_cuda_alloc *hd_devmem_around(uint64_t address); // the same, live or not
// 0: there is no room for it, or what had to run first has failed; hd_devmem_full() says which. May
// run what is queued.
uint64_t hd_devmem_new(uint64_t bytes, enum hd_cuda_alloc_kind kind, unsigned flags);
bool hd_devmem_room(uint64_t bytes); // the same question, without taking it
CUresult hd_devmem_full(void);
uint64_t hd_devmem_live(void);                    // bytes given out
void hd_devmem_count(uint64_t bytes, bool taken); // memory that has no address of its own
void hd_devmem_add(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind);
void hd_devmem_release(uint64_t address);
void hd_devmem_drop(uint64_t address); // mapped memory: its addresses may come back
struct hd_op_kind;
extern const struct hd_op_kind hd_devmem_free; // in a stream: u.free
// Any address of simulated memory as a pointer of the host, live or not.
uint8_t *hd_devmem_pointer(uint64_t address);
// Host address of device bytes; NULL unless all of them are live. Windows count.
uint8_t *hd_devmem_at(uint64_t address, uint64_t bytes);
// The same, of memory that a graph's node will allocate too.
uint8_t *hd_devmem_planned(uint64_t address, uint64_t bytes);
// Addresses from here on are those of windows. Their owner finds the bytes, NULL if there are none.
#define HD_CUDA_CONSTANTS (UINT64_C(1) << 56)
void hd_devmem_window(uint8_t *(*at)(uint64_t offset, uint64_t bytes));
// An address for a graph's node, without memory; its entry, with and without memory.
uint64_t hd_devmem_reserve(uint64_t bytes);
struct hd_cuda_alloc *hd_devmem_reserved(uint64_t address);
void hd_devmem_map(uint64_t address);
uint64_t *hd_devmem_graph_memory(void); // by CUgraphMem_attribute
// Memory of the host as far as can be told: false for addresses of simulated memory that is not
// page-locked or managed, and live.
bool hd_devmem_on_host(const void *host, uint64_t bytes);
bool hd_devmem_pinned(const void *host, uint64_t bytes); // page-locked or registered
uint64_t hd_devmem_address(const void *host); // device address of page-locked memory, else 0
extern const struct hd_part hd_devmem_part;

// --- registered.c: memory of the program's own that kernels may use.

CUresult hd_registered_add(void *host, uint64_t bytes, unsigned flags);
CUresult hd_registered_remove(void *host);
CUresult hd_registered_map(const void *host);     // give it its mirror, if it is registered
uint64_t hd_registered_address(const void *host); // of its mirror on the device, 0 if it has none
bool hd_registered_has(const void *host, uint64_t bytes); // all these bytes
bool hd_registered_flags(const void *host, unsigned *flags);
// False if the address is no mirror's; else where its bytes are for the host, NULL if too many.
bool hd_registered_at(uint64_t address, uint64_t bytes, uint8_t **at);
extern const struct hd_part hd_registered_part;

// --- the others

size_t hd_arrays_format_bytes(CUarray_format f); // of a channel, 0 for an unknown format
CUmemoryPool hd_pools_current(void);             // the device's choice
bool hd_pools_has(CUmemoryPool pool);
CUresult hd_pools_take(CUdeviceptr *address, size_t bytes, CUmemoryPool pool);
CUdevice hd_advice_device(CUmemLocation l); // CU_DEVICE_CPU, a device, or CU_DEVICE_INVALID
CUresult hd_advice_prefetch(CUdeviceptr address, size_t bytes, CUdevice device);
extern const struct hd_part hd_advice_part, hd_arrays_part, hd_pools_part, hd_virtual_part;

#endif
