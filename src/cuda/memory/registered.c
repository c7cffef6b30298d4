// registered.c - the program's own memory that it registers for the device (zero copy).
//
// It stays where it is and gets a second address on the device: a mirror, which is filled before
// the machine runs and read back afterwards. The bytes sent are kept, so that only bytes that a
// kernel has changed are written back: other threads of the program may write to the rest
// meanwhile.
//
// On a GPU registered pages are pinned: they outlive their mapping in the program. Here they are
// accessed with system calls, which fail where a direct access would crash. A mirror whose memory
// no longer exists stays valid on the device.
#include "cuda/memory/devmem.h"

#include "cuda/core/queue.h"
#include "emu/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096 // changes are searched in pieces of this size

struct registered {
    uint8_t *host;
    uint64_t bytes, address; // address: the mirror in device memory, 0 until requested
    unsigned flags;
    bool gone; // no longer mapped, or no longer writable
    struct hd_cuda_context *context;
    struct hd_arena *arena; // of `sent`
    uint8_t *sent;          // the bytes with which the mirror was filled
};

static struct registered *registered;
static size_t n_registered, cap_registered;

static struct hd_memory *memory(void)
{
    return hd_gpu_memory(hd_cuda.gpu);
}

static uint8_t *mirror_of(const struct registered *r)
{
    return hd_memory_at(memory(), r->address, r->bytes);
}

// The registered memory that contains a host pointer, or a mirror's address.
static struct registered *around(const void *host)
{
    for (size_t i = 0; i < n_registered; i++)
        if ((uintptr_t)host - (uintptr_t)registered[i].host < registered[i].bytes)
            return &registered[i];
    return NULL;
}

static struct registered *mirrored(uint64_t address)
{
    for (size_t i = 0; i < n_registered; i++) {
        struct registered *r = &registered[i];
        if (r->address && address - r->address < r->bytes)
            return r;
    }
    return NULL;
}

uint64_t hd_registered_address(const void *host)
{
    const struct registered *r = around(host);

    return r && r->address ? r->address + ((uintptr_t)host - (uintptr_t)r->host) : 0;
}

bool hd_registered_has(const void *host, uint64_t bytes)
{
    const struct registered *r = around(host);

    return r && bytes <= r->bytes - ((uintptr_t)host - (uintptr_t)r->host);
}

bool hd_registered_flags(const void *host, unsigned *flags)
{
    const struct registered *r = around(host);

    if (r)
        *flags = r->flags;
    return r != NULL;
}

bool hd_registered_find(uint64_t value, struct hd_registered_range *out)
{
    const struct registered *on_host = around((void *)(uintptr_t)value);
    const struct registered *r = on_host ? on_host : mirrored(value);
    uint64_t start;

    if (!r)
        return false;
    start = on_host ? (uintptr_t)r->host : r->address;
    *out = (struct hd_registered_range){r->host, r->bytes, r->address, value - start, r->context};
    return true;
}

// --- access that does not crash

static void lose(struct registered *r, const char *what)
{
    struct hd_diag d = {.n = 0};

    r->gone = true;
    hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                             "%llu bytes of host memory were registered and can not be %s any "
                             "more: from now on kernels see a copy of them",
                             (unsigned long long)r->bytes, what),
                 "unregister memory (cuMemHostUnregister, cudaHostUnregister) before it goes");
    hd_cuda_say(&d);
}

// Copies between our memory and the program's; both are in this process.
static bool transfer(void *ours, void *theirs, size_t bytes, bool write)
{
    while (bytes) {
        size_t most = bytes < (size_t)1 << 30 ? bytes : (size_t)1 << 30;
        struct iovec here = {ours, most}, there = {theirs, most};
        ssize_t n = write ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
                          : process_vm_readv(getpid(), &here, 1, &there, 1, 0);
        if (n < 0 && errno != EFAULT) { // the system does not permit the call
            memcpy(write ? theirs : ours, write ? ours : theirs, bytes);
            return true;
        }
        if (n <= 0)
            return false;
        ours = (char *)ours + n;
        theirs = (char *)theirs + n;
        bytes -= (size_t)n;
    }
    return true;
}

bool hd_registered_at(uint64_t address, uint64_t bytes, uint8_t **at)
{
    struct registered *r = mirrored(address);
    uint64_t offset;
    uint8_t byte;

    if (!r)
        return false;
    offset = address - r->address;
    *at = NULL;
    if (bytes > r->bytes - offset)
        return true;
    // A byte of each page, the last one included.
    for (uint64_t i = 0, next; i < bytes && !r->gone; i = next) {
        next = i + PAGE - ((uintptr_t)r->host + offset + i) % PAGE;
        if (!transfer(&byte, r->host + offset + i, 1, false))
            lose(r, "read");
    }
    *at = (r->gone ? mirror_of(r) : r->host) + offset;
    return true;
}

// --- before and after a run

static void fill_mirror(struct registered *r)
{
    uint8_t *to = mirror_of(r);

    if (!transfer(to, r->host, r->bytes, false))
        lose(r, "read");
    else
        memcpy(r->sent, to, r->bytes);
}

// The address of the first byte from `at` on that a kernel has changed, or `end`.
static uint64_t changed(const struct registered *r, const uint8_t *mirror, uint64_t at,
                        uint64_t end)
{
    while (at < end && mirror[at] == r->sent[at])
        at++;
    return at;
}

// Writes single bytes, because the bytes between them belong to the program. If the first write
// succeeds, the page exists.
static bool write_page(struct registered *r, uint8_t *mirror, uint64_t at, uint64_t end)
{
    at = changed(r, mirror, at, end);
    if (at < end && !transfer(&mirror[at], r->host + at, 1, true))
        return false;
    while (at < end) {
        r->host[at] = r->sent[at] = mirror[at];
        at = changed(r, mirror, at + 1, end);
    }
    return true;
}

static void read_mirror(struct registered *r)
{
    uint8_t *mirror = mirror_of(r);

    for (uint64_t at = 0, next; at < r->bytes && !r->gone; at = next) {
        next = at + PAGE - ((uintptr_t)r->host + at) % PAGE;
        next = next < r->bytes ? next : r->bytes;
        if (!memcmp(mirror + at, r->sent + at, next - at))
            continue;
        if (r->flags & CU_MEMHOSTREGISTER_READ_ONLY) {
            hd_queue_fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                           "a kernel has written to host memory that was registered for reading");
            return;
        }
        if (!write_page(r, mirror, at, next))
            lose(r, "written");
    }
}

static void before_run(void)
{
    for (size_t i = 0; i < n_registered; i++)
        if (registered[i].address && !registered[i].gone)
            fill_mirror(&registered[i]);
}

static void after_run(void)
{
    for (size_t i = 0; i < n_registered; i++)
        if (registered[i].address && !registered[i].gone)
            read_mirror(&registered[i]);
}

// --- registering

// Whether all of it is mapped, and writable if `write`. If this cannot be found out, the answer is
// yes.
static bool mapped(const void *host, uint64_t bytes, bool write)
{
    uintptr_t at = (uintptr_t)host, end = at + bytes;
    FILE *f = fopen("/proc/self/maps", "re");
    char line[512];

    if (!f)
        return true;
    while (at < end && fgets(line, sizeof line, f)) {
        char *rest;
        uintptr_t from = (uintptr_t)strtoull(line, &rest, 16);
        uintptr_t to = *rest == '-' ? (uintptr_t)strtoull(rest + 1, &rest, 16) : 0;
        bool allowed = rest[0] == ' ' && rest[1] == 'r' && (!write || rest[2] == 'w');
        if (from > at)
            break;
        if (to > at && !allowed)
            break;
        at = to > at ? to : at;
        while (!strchr(line, '\n') && fgets(line, sizeof line, f))
            continue; // the rest of a line with a long path
    }
    fclose(f);
    return at >= end;
}

CUresult hd_registered_add(void *host, uint64_t bytes, unsigned flags)
{
    uintptr_t start = (uintptr_t)host, end = start + bytes;

    for (size_t i = 0; i < n_registered; i++)
        if (start < (uintptr_t)registered[i].host + registered[i].bytes &&
            (uintptr_t)registered[i].host < end)
            return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    if (!mapped(host, bytes, !(flags & CU_MEMHOSTREGISTER_READ_ONLY)))
        return CUDA_ERROR_INVALID_VALUE;
    *HD_PUSH(hd_cuda.arena, registered, n_registered, cap_registered) = (struct registered){
        .host = host, .bytes = bytes, .flags = flags, .context = hd_current_context()};
    return CUDA_SUCCESS;
}

static void forget(struct registered *r)
{
    if (r->address) {
        hd_memory_release(memory(), r->address);
        hd_arena_free(r->arena);
    }
    *r = registered[--n_registered];
}

static struct registered *beginning_at(const void *host)
{
    struct registered *r = host ? around(host) : NULL;

    return r && r->host == host ? r : NULL;
}

CUresult hd_registered_remove(void *host)
{
    struct registered *r = beginning_at(host);
    CUresult result;

    if (!r)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    result = hd_queue_run();
    r = beginning_at(host);
    if (!r)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED; // another thread has removed it meanwhile
    forget(r);
    return result;
}

CUresult hd_registered_map(const void *host)
{
    struct registered *r = around(host);

    if (!r || r->address)
        return CUDA_SUCCESS;
    r->address = hd_memory_alloc(memory(), r->bytes, NULL);
    if (!r->address)
        return CUDA_ERROR_OUT_OF_MEMORY;
    r->arena = hd_arena_new();
    r->sent = hd_arena_get(r->arena, r->bytes, 1);
    return CUDA_SUCCESS;
}

static void context_ends(const struct hd_cuda_context *c)
{
    for (size_t i = n_registered; i--;)
        if (registered[i].context == c)
            forget(&registered[i]);
}

static void machine_ends(void)
{
    while (n_registered)
        forget(&registered[n_registered - 1]);
}

static void device_ends(void)
{
    registered = NULL;
    n_registered = cap_registered = 0;
}

const struct hd_part hd_registered_part = {.before_run = before_run,
                                           .after_run = after_run,
                                           .context_ends = context_ends,
                                           .machine_ends = machine_ends,
                                           .device_ends = device_ends};
