// ipc.c - memory and events shared with other processes: cuIpc*.
//
// Each process has a simulated machine of its own; the processes share memory. When a program asks
// for the handle of an allocation, its pages become those of an unnamed file (one file for all such
// allocations), which another process of the same user opens through /proc and maps. An event is
// shared only as the fact that something is done: recording it runs what is queued, so that a
// process that learns of the record and waits for it has nothing to wait for.
#include "cuda/stream/stream.h"

#include "cuda/memory/devmem.h"
#include "emu/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x30637069656c6468) // "hdleipc0"
#define ROUND ((uint64_t)2 << 20)

struct ticket { // the contents of a handle
    uint64_t magic, kind;
    int64_t process;
    int64_t file; // its number there; none for an event
    uint64_t offset, bytes;
};
enum { OF_MEMORY = 1, OF_EVENT = 2 };

struct opened { // where memory of another process is, and the addresses reserved for it
    uint64_t address, held;
};

static struct opened *opened;
static size_t n_opened, cap_opened;

static struct hd_memory *memory(void)
{
    return hd_gpu_memory(hd_cuda.gpu);
}

static bool read_ticket(const char *bytes, uint64_t kind, struct ticket *t)
{
    memcpy(t, bytes, sizeof *t);
    return t->magic == MAGIC && t->kind == kind;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address)
{
    struct ticket t = {.magic = MAGIC, .kind = OF_MEMORY, .process = getpid()};
    const struct hd_cuda_alloc *a;
    int file;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = hd_devmem_find(address);
    if (!handle || !a || a->address != address || a->kind != HD_ALLOC_DEVICE || a->graph ||
        a->pool || a->ending)
        return CUDA_ERROR_INVALID_VALUE;
    if (!hd_memory_share(memory(), address, &file, &t.offset))
        return CUDA_ERROR_OUT_OF_MEMORY;
    t.file = file;
    t.bytes = a->bytes;
    memset(handle, 0, sizeof *handle);
    memcpy(handle->reserved, &t, sizeof t);
    return CUDA_SUCCESS;
}

// Opens the file of the other process, which may have ended or may not be trustworthy.
static int open_file(const struct ticket *t)
{
    char path[64];
    struct stat info;
    int file;

    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)t->process, (long long)t->file);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 &&
        (fcntl(file, F_GET_SEALS) < 0 || fstat(file, &info) || t->offset > (uint64_t)info.st_size ||
         t->bytes > (uint64_t)info.st_size - t->offset)) {
        close(file);
        return -1;
    }
    return file;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct ticket t;
    uint64_t held, at;
    bool mapped;
    int file;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!address || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        return CUDA_ERROR_INVALID_VALUE;
    if (!read_ticket(handle.reserved, OF_MEMORY, &t) || !t.bytes)
        return CUDA_ERROR_INVALID_HANDLE;
    if (t.process == getpid())
        return CUDA_ERROR_INVALID_CONTEXT; // as in CUDA: the allocation belongs to this process
    file = open_file(&t);
    if (file < 0)
        return CUDA_ERROR_MAP_FAILED;
    held = hd_memory_hold(memory(), (t.bytes + 2 * page + ROUND - 1) / ROUND * ROUND, ROUND);
    at = held + t.offset % page;
    mapped = held && hd_memory_map(memory(), at, t.bytes, file, t.offset);
    close(file);
    if (!mapped) {
        if (held)
            hd_memory_let_go(memory(), held);
        return CUDA_ERROR_MAP_FAILED;
    }
    hd_devmem_add(at, t.bytes, HD_ALLOC_MAPPED);
    *HD_PUSH(hd_cuda.arena, opened, n_opened, cap_opened) = (struct opened){at, held};
    *address = at;
    return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags)
{
    return cuIpcOpenMemHandle_v2(address, handle, flags);
}

static size_t place_of(CUdeviceptr address)
{
    size_t i = 0;

    while (i < n_opened && opened[i].address != address)
        i++;
    return i;
}

static void close_at(size_t i)
{
    struct opened o = opened[i];

    hd_devmem_drop(o.address);
    hd_memory_unmap(memory(), o.address);
    hd_memory_let_go(memory(), o.held);
    opened[i] = opened[--n_opened];
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (place_of(address) == n_opened)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_queue_run(); // what is queued may use it
    if (place_of(address) == n_opened)
        return CUDA_ERROR_INVALID_VALUE;
    close_at(place_of(address));
    return r;
}

static void machine_ends(void)
{
    while (n_opened)
        close_at(n_opened - 1);
}

static void device_ends(void)
{
    opened = NULL;
    n_opened = cap_opened = 0;
}

const struct hd_part hd_ipc_part = {.machine_ends = machine_ends, .device_ends = device_ends};

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    struct ticket t = {.magic = MAGIC, .kind = OF_EVENT, .process = getpid(), .file = -1};
    const struct hd_cuda_event *e;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, event);
    if (!e)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!handle || !(e->flags & CU_EVENT_INTERPROCESS) || !(e->flags & CU_EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_VALUE;
    memset(handle, 0, sizeof *handle);
    memcpy(handle->reserved, &t, sizeof t);
    return CUDA_SUCCESS;
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    struct ticket t;

    if (!event)
        return CUDA_ERROR_INVALID_VALUE;
    if (!read_ticket(handle.reserved, OF_EVENT, &t))
        return CUDA_ERROR_INVALID_HANDLE;
    if (t.process == getpid())
        return CUDA_ERROR_INVALID_CONTEXT;
    return cuEventCreate(event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
}
