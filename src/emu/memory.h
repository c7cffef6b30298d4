// memory.h - the simulated device's global memory: a bounded address space of its own.
//
// Allocations are placed like the reference does: upwards from HD_GLOBAL_BASE, each start a
// multiple of 256 bytes. Variables of modules lie below them, from HD_MEMORY_BASE on: there the
// reference begins at 0, but a null pointer must stay a fault. Channel, bank, column and cache set
// of HD_MEMORY_BASE + x are those of x; only the row differs. An access is legal if all its bytes
// lie in one live allocation rounded up to 256 bytes; nothing else can be read or written, whatever
// address a program makes up.
#ifndef HEDDLE_EMU_MEMORY_H
#define HEDDLE_EMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MEMORY_BASE UINT64_C(0x70020000) // a multiple of 6 x 64 KiB
#define HD_GLOBAL_BASE UINT64_C(0x80000000)
#define HD_GRANULE 256
#define HD_MEMORY_PAGE (UINT64_C(2) << 20)
#define HD_CONST_BANK 65536 // where pages decide, constant memory is this long whatever is declared

struct hd_arena;
struct hd_memory;

struct hd_memory *hd_memory_new(struct hd_arena *a); // opens address space; commits pages lazily
// Kernels may reach what a GPU lets them reach: pages of HD_MEMORY_PAGE bytes in which anything has
// ever been allocated, and the neighbour of one whose edge an allocation touches. To be said before
// the first allocation. Copies of the host stay exact.
void hd_memory_use_pages(struct hd_memory *m);
bool hd_memory_has_pages(const struct hd_memory *m);
// Would the address be legal if pages decided? Asked of memory where they do not.
bool hd_memory_in_page(const struct hd_memory *m, uint64_t address);
void hd_memory_free(struct hd_memory *m); // gives the address space back

// Allocations begin at multiples of `align`, a power of two, and leave `spread` bytes free after
// them; both are multiples of HD_GRANULE. To be said before the first allocation.
void hd_memory_arrange(struct hd_memory *m, uint32_t align, uint32_t spread);
// Address of `bytes` fresh zeroed bytes, 0 if the space is full. Addresses that were released come
// back after a long time only. A size of 0 takes one granule.
// `name` (may be NULL) is used in fault messages and must outlive the allocation.
uint64_t hd_memory_alloc(struct hd_memory *m, uint64_t bytes, const char *name);
// The same at HD_MEMORY_BASE + `offset`, for a variable; 0 if it would reach HD_GLOBAL_BASE. May
// share granules with others.
uint64_t hd_memory_place(struct hd_memory *m, uint64_t offset, uint64_t bytes, const char *name);
// Name of the live allocation that starts at the address; NULL if there is none, or it has none.
const char *hd_memory_name(const struct hd_memory *m, uint64_t address);
uint64_t hd_memory_bytes(const struct hd_memory *m, uint64_t address); // as asked for; 0: none
bool hd_memory_release(struct hd_memory *m, uint64_t address); // false: not a live allocation
// A released allocation lives again, with fresh zeroed bytes; false if there is none.
bool hd_memory_revive(struct hd_memory *m, uint64_t address);
// An allocation's address is not given to another one when it is released: it may be revived.
void hd_memory_keep(struct hd_memory *m, uint64_t address);
// Counts how often addresses began to be used again: what was known of released ones is forgotten.
uint64_t hd_memory_laps(const struct hd_memory *m);

// Addresses without memory, a multiple of `align` (a power of two); 0 if the space is full.
uint64_t hd_memory_hold(struct hd_memory *m, uint64_t bytes, uint64_t align);
void hd_memory_let_go(struct hd_memory *m, uint64_t address); // where nothing is mapped
// Held addresses become an allocation whose bytes are those of a file, from `offset` on (equal to
// the address modulo a page; whole pages are mapped). Neighbours count as one allocation.
bool hd_memory_map(struct hd_memory *m, uint64_t address, uint64_t bytes, int file,
                   uint64_t offset);
bool hd_memory_unmap(struct hd_memory *m, uint64_t address); // false: nothing mapped starts there
// The pages that an allocation lies in become those of a file that others may map: its bytes are
// there from *offset on, until it is released. False if there is no such allocation, or no room.
bool hd_memory_share(struct hd_memory *m, uint64_t address, int *file, uint64_t *offset);

// Others than the machine may write to the allocation in which the address lies at any time, even
// while a kernel runs: the host's threads, other processes. So may they to what is mapped or
// shared.
void hd_memory_let_outside(struct hd_memory *m, uint64_t address);
bool hd_memory_any_outside(const struct hd_memory *m); // is there any?
bool hd_memory_outside(const struct hd_memory *m, uint64_t address);

bool hd_memory_shared(const struct hd_memory *m); // with other processes, any of it

// Host copies. False, and nothing copied, unless the whole range is inside one live allocation.
bool hd_memory_write(struct hd_memory *m, uint64_t address, const void *from, uint64_t bytes);
bool hd_memory_read(const struct hd_memory *m, uint64_t address, void *to, uint64_t bytes);

// The same for the emulator's inner loops, without a call per lane: bytes[a - HD_MEMORY_BASE] is
// the byte at address a, live[(a - HD_MEMORY_BASE) / HD_GRANULE] is not 0 if a is in a live
// allocation. Naturally aligned accesses of at most HD_GRANULE bytes are legal if their first byte
// is. Stays valid for the life of the memory.
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
// "in `A` (4096 bytes from 0x80000000)", "16 bytes past the end of ...": a sentence about an
// address.
char *hd_memory_describe(const struct hd_memory *m, uint64_t address, char *buf, size_t size);
// Host memory of an emulator's own, zeroed and committed as it is touched; NULL if there is none.
void *hd_memory_reserve(uint64_t bytes);
void hd_memory_give_back(void *p, uint64_t bytes);
// FNV-1a over all live allocations in address order, for determinism tests.
uint64_t hd_memory_digest(const struct hd_memory *m);

#endif
