// device_heap.c - malloc and free of device code.
//
// The heap is not a region: each block is an allocation of its own in global memory, at an address
// that was not used recently (emu/memory.c), so that an access past its end or after free is
// detected like any other. Lanes are served in order; the sum of live blocks is limited.
#include "devrt/devrt_internal.h"
#include "emu/memory.h"

static const char heap_name[] = "device malloc";

uint64_t hd_device_heap_allocate(struct hd_devrt *d, uint64_t bytes)
{
    uint64_t room = bytes < HD_GRANULE ? HD_GRANULE : bytes, at;

    if (!bytes || d->heap_used > d->limits.heap || room > d->limits.heap - d->heap_used)
        return 0; // the program may check for it
    at = hd_memory_alloc(d->memory, bytes, heap_name);
    if (at)
        d->heap_used += room;
    return at;
}

bool hd_device_heap_holds(const struct hd_devrt *d, uint64_t address)
{
    return hd_memory_name(d->memory, address) == heap_name;
}

bool hd_device_heap_release(struct hd_devrt *d, uint64_t address)
{
    uint64_t bytes = hd_memory_bytes(d->memory, address);

    if (!hd_device_heap_holds(d, address))
        return false;
    d->heap_used -= bytes < HD_GRANULE ? HD_GRANULE : bytes;
    hd_memory_release(d->memory, address);
    return true;
}
