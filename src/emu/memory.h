// memory.h - the simulated device's global memory: a bounded address space of its own.
//
// Allocations are placed as in the reference: upwards from HD_GLOBAL_BASE, each start a multiple of
// 256 bytes. Variables of modules are below them, from HD_MEMORY_BASE on: there the reference
// begins at 0, but a null pointer must stay a fault. Channel, bank, column and cache set of
// HD_MEMORY_BASE + x are those of x; only the row differs. An access is legal if all its bytes are
// in one live allocation rounded up to 256 bytes, or not rounded if it is exact; nothing else can
// be read or written, whatever address a program computes.
#ifndef HEDDLE_EMU_MEMORY_H
#define HEDDLE_EMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MEMORY_BASE UINT64_C(0x70020000) // a multiple of 6 x 64 KiB
#define HD_GLOBAL_BASE UINT64_C(0x80000000)
#define HD_GRANULE 256
#define HD_MEMORY_PAGE (UINT64_C(2) << 20)
#define HD_CONST_BANK 65536 // size of constant memory where pages decide, whatever is declared

struct hd_arena;
struct hd_memory;

struct hd_memory *hd_memory_new(struct hd_arena *a); // reserves address space; commits pages lazily
// Lets kernels access what a GPU lets them access: pages of HD_MEMORY_PAGE bytes in which anything
// has ever been allocated, and the neighbour of a page to whose edge an allocation extends. Call it
// before the first allocation. Copies of the host are still checked exactly.
void hd_memory_use_pages(struct hd_memory *m);
bool hd_memory_has_pages(const struct hd_memory *m);
// Whether the address would be legal if pages decided. For memory in which they do not.
bool hd_memory_in_page(const struct hd_memory *m, uint64_t address);
void hd_memory_free(struct hd_memory *m); // returns the address space

// Allocations begin at multiples of `align`, a power of two, and leave `spread` bytes free after
// them; both are multiples of HD_GRANULE. The first one is at `base`, HD_GLOBAL_BASE or above, a
// multiple of `align`. Call it before the first allocation.
void hd_memory_arrange(struct hd_memory *m, uint64_t base, uint32_t align, uint32_t spread);
// Address of `bytes` fresh zeroed bytes, 0 if the space is full. Released addresses are reused only
// after a long time. A size of 0 takes one granule. `name` (may be NULL) is used in fault messages
// and must outlive the allocation.
uint64_t hd_memory_alloc(struct hd_memory *m, uint64_t bytes, const char *name);
// The allocation at the address, which is live, ends with its last byte, not with its last granule,
// unless pages decide. Accesses to a granule of which it has only a part are slower.
void hd_memory_make_exact(struct hd_memory *m, uint64_t address);
// The same at HD_MEMORY_BASE + `offset`, for a variable; 0 if it would reach HD_GLOBAL_BASE. May
// share granules with others.
uint64_t hd_memory_place(struct hd_memory *m, uint64_t offset, uint64_t bytes, const char *name);
// Name of the live allocation that starts at the address; NULL if there is none, or it has none.
const char *hd_memory_name(const struct hd_memory *m, uint64_t address);
uint64_t hd_memory_bytes(const struct hd_memory *m, uint64_t address); // requested; 0 if none
bool hd_memory_release(struct hd_memory *m, uint64_t address); // false: not a live allocation
// Makes a released allocation live again, with fresh zeroed bytes; false if there is none.
bool hd_memory_revive(struct hd_memory *m, uint64_t address);
// Whether the address stays reserved when it is released, so that it can be revived.
void hd_memory_keep(struct hd_memory *m, uint64_t address, bool keep);
// How often addresses began to be reused, which forgets released allocations.
uint64_t hd_memory_laps(const struct hd_memory *m);

// Reserves addresses without memory, at a multiple of `align` (a power of two); 0 if the space is
// full.
uint64_t hd_memory_hold(struct hd_memory *m, uint64_t bytes, uint64_t align);
void hd_memory_let_go(struct hd_memory *m, uint64_t address); // nothing may be mapped there
// Held addresses become an allocation whose bytes are those of a file, from `offset` on (equal to
// the address modulo a page; whole pages are mapped). Neighbours count as one allocation.
bool hd_memory_map(struct hd_memory *m, uint64_t address, uint64_t bytes, int file,
                   uint64_t offset);
bool hd_memory_unmap(struct hd_memory *m, uint64_t address); // false: nothing mapped starts there
// The pages of an allocation become those of a file that others may map: its bytes are at *offset
// there until it is released. False if there is no such allocation, or no room.
bool hd_memory_share(struct hd_memory *m, uint64_t address, int *file, uint64_t *offset);

// Threads of the host or other processes may write to the allocation that contains the address at
// any time, even while a kernel runs. The same is true of all mapped or shared memory.
void hd_memory_let_outside(struct hd_memory *m, uint64_t address);
bool hd_memory_any_outside(const struct hd_memory *m); // whether there is any
bool hd_memory_outside(const struct hd_memory *m, uint64_t address);

bool hd_memory_shared(const struct hd_memory *m); // any of it, with other processes

// Host copies. False, and nothing copied, unless the whole range is inside one live allocation.
bool hd_memory_write(struct hd_memory *m, uint64_t address, const void *from, uint64_t bytes);
bool hd_memory_read(const struct hd_memory *m, uint64_t address, void *to, uint64_t bytes);

// The same for the emulator's inner loops, without a call per lane: bytes[a - HD_MEMORY_BASE] is
// the byte at address a, live[(a - HD_MEMORY_BASE) / HD_GRANULE] is not 0 if a is in a live
// allocation that has all of the granule. Naturally aligned accesses of at most HD_GRANULE bytes
// are legal if their first byte is in such a granule; about others hd_memory_at decides. Stays
// valid for the life of the memory.
struct hd_memory_view {
    uint8_t *bytes;
    const uint8_t *live;
    uint64_t size;
    const uint64_t *releases; // counts them
};
struct hd_memory_view hd_memory_view(const struct hd_memory *m);

// Bytes around a live address that are all live, until the next release: [low, high).
struct hd_memory_stretch {
    uint64_t low, high, releases;
};
struct hd_memory_stretch hd_memory_stretch(const struct hd_memory *m, uint64_t address);

// Host pointer to the bytes of a legal access, NULL otherwise. Valid until the allocation ends.
uint8_t *hd_memory_at(const struct hd_memory *m, uint64_t address, uint64_t bytes);
// Describes an address: "in `A` (4096 bytes from 0x80000000)", "16 bytes past the end of ...".
char *hd_memory_describe(const struct hd_memory *m, uint64_t address, char *buf, size_t size);
// Host memory for an emulator, zeroed, and committed when it is accessed; NULL if there is none.
void *hd_memory_reserve(uint64_t bytes);
void hd_memory_give_back(void *p, uint64_t bytes);
// FNV-1a over all live allocations in address order, for determinism tests.
uint64_t hd_memory_digest(const struct hd_memory *m);

#endif
