// virtual.c - virtual memory management: addresses and memory are made separately, and mapped.
//
// Memory is an unnamed file which the program cannot access otherwise. Mapping memory means mapping
// the file at the reserved addresses. So a piece of memory may be mapped twice, moved, and given to
// another process as the file's descriptor. Addresses without access are not live: a kernel that
// accesses them faults. Memory with read-only access can be written as well.
#include "cuda/memory/devmem.h"

#include "cuda/core/queue.h"
#include "emu/memory.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((uint64_t)2 << 20) // sizes and addresses are multiples of it
#define ALIGN_MAX ((uint64_t)1 << 36)

struct physical {
    CUmemGenericAllocationHandle handle;
    uint64_t bytes;
    unsigned users, mappings; // handles that the program has, and mappings
    int file;
    bool shareable;
};

struct range {
    uint64_t address, bytes;
};

struct mapping { // whole memory objects or parts at reserved addresses
    uint64_t address, bytes, offset;
    struct physical *memory;
    CUmemAccess_flags access;
};

static struct range *reserved_ranges;
static size_t n_reserved, cap_reserved;
static struct mapping *mappings;
static size_t n_mappings, cap_mappings;

static struct hd_memory *memory(void)
{
    return hd_gpu_memory(hd_cuda.gpu);
}

static const void *as_pointer(CUmemGenericAllocationHandle handle)
{
    return (const void *)(uintptr_t)handle;
}

static struct physical *get(CUmemGenericAllocationHandle handle)
{
    struct physical *p = hd_handles_get(hd_cuda.handles, HD_HANDLE_MEMORY, as_pointer(handle));

    return p && p->users ? p : NULL;
}

static void let_go(struct physical *p)
{
    if (p->users || p->mappings)
        return;
    close(p->file);
    hd_devmem_count(p->bytes, false);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_MEMORY, as_pointer(p->handle));
}

static CUresult new_physical(uint64_t bytes, int file, bool shareable,
                             CUmemGenericAllocationHandle *out)
{
    void *handle;
    struct physical *p = hd_handles_add(hd_cuda.handles, HD_HANDLE_MEMORY, sizeof *p, &handle);

    *p = (struct physical){.handle = (uintptr_t)handle,
                           .bytes = bytes,
                           .users = 1,
                           .file = file,
                           .shareable = shareable};
    hd_devmem_count(bytes, true);
    *out = p->handle;
    return CUDA_SUCCESS;
}

static bool has_room(uint64_t bytes)
{
    return hd_devmem_room(bytes);
}

static CUresult look_at_properties(const CUmemAllocationProp *p)
{
    if (!p || p->type == CU_MEM_ALLOCATION_TYPE_INVALID)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        (unsigned)p->requestedHandleTypes > CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_NOT_SUPPORTED;
    return p->location.id == HD_CUDA_DEVICE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags which)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!bytes || (unsigned)which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = PIECE;
    return look_at_properties(properties);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *properties, unsigned long long flags)
{
    CUresult r;
    int file;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!handle || !bytes || bytes % PIECE || flags)
        return CUDA_ERROR_INVALID_VALUE;
    r = look_at_properties(properties);
    if (r == CUDA_SUCCESS)
        r = hd_cuda_machine();
    if (r != CUDA_SUCCESS)
        return r;
    file = has_room(bytes) ? memfd_create("heddle", MFD_CLOEXEC) : -1;
    if (file < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (ftruncate(file, (off_t)bytes)) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return new_physical(bytes, file, properties->requestedHandleTypes != 0, handle);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    struct physical *p;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(handle);
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    p->users--;
    let_go(p);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle)
{
    const struct physical *p;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(handle);
    if (!properties || !p)
        return CUDA_ERROR_INVALID_VALUE;
    *properties = (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                        .requestedHandleTypes =
                                            p->shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
                                                         : CU_MEM_HANDLE_TYPE_NONE,
                                        .location = {CU_MEM_LOCATION_TYPE_DEVICE, HD_CUDA_DEVICE}};
    return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags)
{
    const struct physical *p;
    int file;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(handle);
    if (!shareable || !p || flags || !p->shareable ||
        type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_INVALID_VALUE;
    file = fcntl(p->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    *(int *)shareable = file;
    return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                        CUmemAllocationHandleType type)
{
    struct stat info;
    CUresult r;
    int file;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_cuda_machine();
    if (r != CUDA_SUCCESS)
        return r;
    file = fcntl((int)(intptr_t)shareable, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        return CUDA_ERROR_INVALID_VALUE;
    // Seals would ensure that nobody truncates the file meanwhile; processes that share memory are
    // trusted.
    if (fcntl(file, F_GET_SEALS) < 0 || fstat(file, &info) || info.st_size <= 0 ||
        (uint64_t)info.st_size % PIECE || !has_room((uint64_t)info.st_size)) {
        close(file);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return new_physical((uint64_t)info.st_size, file, true, handle);
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t align, CUdeviceptr wish,
                             unsigned long long flags)
{
    uint64_t at;
    CUresult r;

    (void)wish; // only a hint
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!address || !bytes || bytes % PIECE || flags || align & (align - 1) || align > ALIGN_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_cuda_machine();
    if (r != CUDA_SUCCESS)
        return r;
    at = hd_memory_hold(memory(), bytes, align > PIECE ? align : PIECE);
    if (!at)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *HD_PUSH(hd_cuda.arena, reserved_ranges, n_reserved, cap_reserved) = (struct range){at, bytes};
    *address = at;
    return CUDA_SUCCESS;
}

// Whether a range is inside another.
static bool within(uint64_t address, uint64_t bytes, const struct range *r)
{
    return address >= r->address && address - r->address < r->bytes &&
           bytes <= r->bytes - (address - r->address);
}

static bool overlaps(const struct mapping *m, uint64_t address, uint64_t bytes)
{
    return m->address < address + bytes && address < m->address + m->bytes;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    for (size_t i = 0; i < n_mappings; i++)
        if (overlaps(&mappings[i], address, bytes))
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n_reserved; i++) {
        struct range *r = &reserved_ranges[i];
        if (r->address == address && r->bytes == bytes) {
            *r = reserved_ranges[--n_reserved];
            hd_memory_let_go(memory(), address);
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    struct physical *p;
    bool reserved = false;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(handle);
    if (!p || !bytes || bytes % PIECE || address % PIECE || offset % PIECE || flags ||
        offset > p->bytes || bytes > p->bytes - offset)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n_reserved; i++)
        reserved |= within(address, bytes, &reserved_ranges[i]);
    for (size_t i = 0; i < n_mappings; i++)
        if (overlaps(&mappings[i], address, bytes))
            return CUDA_ERROR_INVALID_VALUE;
    if (!reserved)
        return CUDA_ERROR_INVALID_VALUE;
    p->mappings++;
    *HD_PUSH(hd_cuda.arena, mappings, n_mappings, cap_mappings) =
        (struct mapping){.address = address, .bytes = bytes, .offset = offset, .memory = p};
    return CUDA_SUCCESS;
}

// Sum of the mappings in the range; 0 if a mapping is only partly in it.
static uint64_t mapped_bytes(uint64_t address, uint64_t bytes)
{
    const struct range all = {address, bytes};
    uint64_t sum = 0;

    for (size_t i = 0; i < n_mappings; i++) {
        const struct mapping *m = &mappings[i];
        if (!overlaps(m, address, bytes))
            continue;
        if (!within(m->address, m->bytes, &all))
            return 0;
        sum += m->bytes;
    }
    return sum;
}

static CUresult set_access(struct mapping *m, CUmemAccess_flags access)
{
    if ((m->access == 0) == (access == 0)) {
        m->access = access;
        return CUDA_SUCCESS;
    }
    if (!access) {
        hd_devmem_drop(m->address);
        hd_memory_unmap(memory(), m->address);
    } else {
        if (!hd_memory_map(memory(), m->address, m->bytes, m->memory->file, m->offset))
            return CUDA_ERROR_OUT_OF_MEMORY;
        hd_devmem_add(m->address, m->bytes, HD_ALLOC_MAPPED);
    }
    m->access = access;
    return CUDA_SUCCESS;
}

static void unmap(struct mapping *m)
{
    struct physical *p = m->memory;

    set_access(m, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    *m = mappings[--n_mappings];
    p->mappings--;
    let_go(p);
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!bytes || mapped_bytes(address, bytes) != bytes)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_queue_run(); // what is queued may use it
    if (mapped_bytes(address, bytes) != bytes)
        return CUDA_ERROR_INVALID_VALUE; // another thread has unmapped some of it meanwhile
    for (size_t i = n_mappings; i-- > 0;)
        if (overlaps(&mappings[i], address, bytes))
            unmap(&mappings[i]);
    return r;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t n)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!access || !n || !bytes || mapped_bytes(address, bytes) != bytes)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) {
        if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            access[i].location.id != HD_CUDA_DEVICE)
            return CUDA_ERROR_INVALID_DEVICE;
        if (access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
            access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
            access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
    }
    r = hd_queue_run();
    if (r == CUDA_SUCCESS && mapped_bytes(address, bytes) != bytes)
        r = CUDA_ERROR_INVALID_VALUE; // another thread has unmapped some of it meanwhile
    for (size_t i = 0; i < n_mappings && r == CUDA_SUCCESS; i++)
        if (overlaps(&mappings[i], address, bytes))
            r = set_access(&mappings[i], access[n - 1].flags);
    return r;
}

static const struct mapping *mapping_at(uint64_t address)
{
    for (size_t i = 0; i < n_mappings; i++)
        if (address - mappings[i].address < mappings[i].bytes)
            return &mappings[i];
    return NULL;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr address)
{
    const struct mapping *m;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    m = mapping_at(address);
    if (!flags || !location || !m)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id == HD_CUDA_DEVICE
                 ? m->access
                 : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
    const struct mapping *m;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    m = mapping_at((uintptr_t)address);
    if (!handle || !m)
        return CUDA_ERROR_INVALID_VALUE;
    m->memory->users++;
    *handle = m->memory->handle;
    return CUDA_SUCCESS;
}

static void machine_ends(void)
{
    struct physical *p;
    size_t at = 0;

    while (n_mappings)
        unmap(&mappings[n_mappings - 1]);
    while ((p = hd_handles_next(hd_cuda.handles, HD_HANDLE_MEMORY, &at))) {
        p->users = 0;
        let_go(p);
    }
    n_reserved = 0;
}

static void device_ends(void)
{
    reserved_ranges = NULL;
    mappings = NULL;
    n_reserved = cap_reserved = n_mappings = cap_mappings = 0;
}

const struct hd_part hd_virtual_part = {.machine_ends = machine_ends, .device_ends = device_ends};
