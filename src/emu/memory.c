// memory.c - global memory: one reserved stretch of host address space, and a map of live bytes.
//
// Addresses are allocated upwards. The lowest free one is allocated again only after LAP_BYTES or
// LAP_RELEASES have been released, so that a pointer that is kept after its release cannot reach
// another allocation's data for a long time, and the list of released allocations stays short.
// Fresh allocations are zero, because their pages were never used or have been returned to the
// host. The map has a byte for every 256-byte granule; both are reserved lazily and cost only the
// pages in use.
#include "emu/memory.h"

#include "base/arena.h"
#include "base/bug.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SPACE_MAX (UINT64_C(256) << 30)
#define SPACE_MIN (UINT64_C(1) << 30)
#define LAP_BYTES (UINT64_C(64) << 30)
#define LAP_RELEASES (1u << 20)

struct alloc {
    uint64_t start, bytes; // as asked for; the extent is rounded up to HD_GRANULE
    const char *name;
    bool live, mapped; // mapped: its bytes are those of a file
    bool exact;        // no byte after the last one may be accessed
    bool outside;      // something outside the machine may write to it at any time
    bool kept, held;   // the addresses stay reserved; they never had memory of their own
};

struct hd_memory {
    struct hd_arena *arena;
    uint8_t *bytes, *live;
    uint64_t size, next; // reserved bytes; offset after the last allocation
    uint64_t first;      // offset of the first allocation
    uint32_t align, spread;
    struct alloc *allocs; // sorted by address; those released in this lap stay for messages
    size_t n_allocs, cap;
    uint64_t releases, laps;
    uint64_t lap_bytes, lap_releases; // released since the lap began
    uint8_t *shared; // by page of the host: it is the file's, at the same offset; NULL: none is
    int file;
    bool by_pages;    // pages decide what is live, and stay live forever
    bool any_outside; // hd_memory_any_outside
};

static uint64_t extent(uint64_t bytes)
{
    return bytes ? (bytes + HD_GRANULE - 1) & ~(uint64_t)(HD_GRANULE - 1) : HD_GRANULE;
}

// The bytes that may be accessed, and those of them that fill whole granules.
static uint64_t room_of(const struct alloc *x)
{
    return x->exact ? x->bytes : extent(x->bytes);
}

static uint64_t whole_granules(const struct alloc *x)
{
    return room_of(x) & ~(uint64_t)(HD_GRANULE - 1);
}

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static void *reserve(uint64_t bytes, uint64_t where)
{
    void *p = mmap((void *)(uintptr_t)where, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *hd_memory_reserve(uint64_t bytes)
{
    return reserve(bytes, 0);
}

void hd_memory_give_back(void *p, uint64_t bytes)
{
    if (p)
        munmap(p, bytes);
}

struct hd_memory *hd_memory_new(struct hd_arena *a)
{
    struct hd_memory *m = HD_NEW(a, hd_memory);

    m->arena = a;
    m->align = HD_GRANULE;
    m->first = m->next = HD_GLOBAL_BASE - HD_MEMORY_BASE;
    // Address space may be limited (ulimit -v, valgrind): reserve as much as possible.
    for (m->size = SPACE_MAX; m->size >= SPACE_MIN; m->size /= 2) {
        // If possible, simulated and host address are the same, for memory that a program accesses
        // from both sides with one pointer (hd_memory_view tells whether they are).
        m->bytes = reserve(m->size, HD_MEMORY_BASE);
        m->live = m->bytes ? reserve(m->size / HD_GRANULE, 0) : NULL;
        if (m->live)
            return m;
        if (m->bytes)
            munmap(m->bytes, m->size);
    }
    m->bytes = m->live = NULL;
    m->size = 0; // every allocation fails
    return m;
}

void hd_memory_free(struct hd_memory *m)
{
    if (!m || !m->size)
        return;
    munmap(m->bytes, m->size);
    munmap(m->live, m->size / HD_GRANULE);
    if (m->shared) {
        munmap(m->shared, m->size / page_bytes());
        close(m->file);
    }
    m->size = m->n_allocs = 0;
}

void hd_memory_use_pages(struct hd_memory *m)
{
    HD_BUG_IF(m->n_allocs, "pages for memory that is in use");
    m->by_pages = true;
}

void hd_memory_arrange(struct hd_memory *m, uint64_t base, uint32_t align, uint32_t spread)
{
    HD_BUG_IF(m->n_allocs, "another arrangement of memory that is in use");
    HD_BUG_IF(base < HD_GLOBAL_BASE || base % align, "allocations from %llx on",
              (unsigned long long)base);
    m->first = m->next = base - HD_MEMORY_BASE;
    m->align = align;
    m->spread = spread;
}

bool hd_memory_has_pages(const struct hd_memory *m)
{
    return m->by_pages;
}

// The pages that an allocation of bytes [from, to) makes accessible: those that contain them or
// adjacent bytes.
static uint64_t page_low(uint64_t from)
{
    return (from - 1) & ~(HD_MEMORY_PAGE - 1);
}

static uint64_t page_high(uint64_t to)
{
    return (to | (HD_MEMORY_PAGE - 1)) + 1;
}

// Marks bytes [from, to), counted from HD_MEMORY_BASE, as live.
static void enliven(struct hd_memory *m, uint64_t from, uint64_t to)
{
    if (m->by_pages) {
        uint64_t low = page_low(HD_MEMORY_BASE + from);
        from = low > HD_MEMORY_BASE ? low - HD_MEMORY_BASE : 0;
        to = page_high(HD_MEMORY_BASE + to) - HD_MEMORY_BASE;
        to = to < m->size ? to : m->size;
    }
    memset(m->live + from / HD_GRANULE, 1, (to + HD_GRANULE - 1) / HD_GRANULE - from / HD_GRANULE);
}

// The last allocation that starts at or before the address, NULL if there is none.
static struct alloc *at_or_before(const struct hd_memory *m, uint64_t address)
{
    size_t lo = 0, hi = m->n_allocs;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (m->allocs[mid].start <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &m->allocs[lo - 1] : NULL;
}

// Inserts it among the others, sorted by address.
static struct alloc *insert(struct hd_memory *m, const struct alloc *x)
{
    size_t at = m->n_allocs;

    HD_PUSH(m->arena, m->allocs, m->n_allocs, m->cap);
    for (; at && m->allocs[at - 1].start > x->start; at--)
        m->allocs[at] = m->allocs[at - 1];
    m->allocs[at] = *x;
    return &m->allocs[at];
}

uint64_t hd_memory_place(struct hd_memory *m, uint64_t offset, uint64_t bytes, const char *name)
{
    const uint64_t most = HD_GLOBAL_BASE - HD_MEMORY_BASE;

    if (!m->size || bytes > most || offset > most - extent(bytes))
        return 0;
    insert(m, &(struct alloc){
                  .start = HD_MEMORY_BASE + offset, .bytes = bytes, .name = name, .live = true});
    enliven(m, offset, offset + extent(bytes));
    return HD_MEMORY_BASE + offset;
}

// Starts again with the lowest addresses, and forgets released allocations.
static void begin_lap(struct hd_memory *m)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n_allocs; i++)
        if (m->allocs[i].live || m->allocs[i].kept)
            m->allocs[n++] = m->allocs[i];
    m->n_allocs = n;
    m->next = m->first;
    m->lap_bytes = m->lap_releases = 0;
    m->laps++;
}

// The first address at or after m->next with room for `bytes`; 0 if there is none. Known
// allocations are passed over, released or not.
static uint64_t room_in_lap(const struct hd_memory *m, uint64_t bytes, uint64_t align)
{
    uint64_t at = HD_MEMORY_BASE + m->next;

    for (;;) {
        at = (at + align - 1) & ~(align - 1);
        const struct alloc *x = at_or_before(m, at), *next = x ? x + 1 : m->allocs;
        if (at < HD_MEMORY_BASE || at - HD_MEMORY_BASE > m->size ||
            bytes > m->size - (at - HD_MEMORY_BASE))
            return 0;
        while (x && x->mapped) // inside addresses that are held
            x--;
        if (x && x->start + extent(x->bytes) > at)
            at = x->start + extent(x->bytes);
        else if (next && next < m->allocs + m->n_allocs && next->start < at + bytes)
            at = next->start + extent(next->bytes);
        else
            return at;
    }
}

static uint64_t find_room(struct hd_memory *m, uint64_t bytes, uint64_t align)
{
    uint64_t at;

    if (bytes > m->size || extent(bytes) > m->size)
        return 0;
    if (m->lap_bytes >= LAP_BYTES || m->lap_releases >= LAP_RELEASES)
        begin_lap(m);
    at = room_in_lap(m, extent(bytes), align);
    if (!at && m->lap_releases) {
        begin_lap(m);
        at = room_in_lap(m, extent(bytes), align);
    }
    if (at)
        m->next = at + extent(bytes) - HD_MEMORY_BASE;
    return at;
}

uint64_t hd_memory_alloc(struct hd_memory *m, uint64_t bytes, const char *name)
{
    uint64_t at = find_room(m, bytes, m->align), from = at - HD_MEMORY_BASE;

    if (!at)
        return 0;
    m->next += m->spread;
    insert(m, &(struct alloc){.start = at, .bytes = bytes, .name = name, .live = true});
    enliven(m, from, from + extent(bytes));
    return at;
}

void hd_memory_make_exact(struct hd_memory *m, uint64_t address)
{
    struct alloc *x = at_or_before(m, address);

    HD_BUG_IF(!x || x->start != address || !x->live, "no allocation at %llx",
              (unsigned long long)address);
    if (m->by_pages)
        return;
    x->exact = true;
    if (whole_granules(x) < extent(x->bytes))
        m->live[(x->start - HD_MEMORY_BASE + whole_granules(x)) / HD_GRANULE] = 0;
    m->releases++; // stretches that were looked up
}

uint64_t hd_memory_laps(const struct hd_memory *m)
{
    return m->laps;
}

bool hd_memory_in_page(const struct hd_memory *m, uint64_t address)
{
    const struct alloc *x = at_or_before(m, address);
    const struct alloc *next = x ? x + 1 : m->allocs;

    if (x && !x->held && address < page_high(x->start + extent(x->bytes)))
        return true;
    return next && next < m->allocs + m->n_allocs && address >= page_low(next->start);
}

const char *hd_memory_name(const struct hd_memory *m, uint64_t address)
{
    const struct alloc *x = at_or_before(m, address);

    return x && x->live && x->start == address ? x->name : NULL;
}

uint64_t hd_memory_bytes(const struct hd_memory *m, uint64_t address)
{
    const struct alloc *x = at_or_before(m, address);

    return x && x->live && x->start == address ? x->bytes : 0;
}

// Zeroes bytes; whole pages of them are returned to the host.
static void clear(uint8_t *base, uint64_t from, uint64_t to)
{
    uint64_t page = page_bytes(), low = (from + page - 1) & ~(page - 1), high = to & ~(page - 1);

    if (low >= high) {
        memset(base + from, 0, to - from);
        return;
    }
    memset(base + from, 0, low - from);
    madvise(base + low, high - low, MADV_DONTNEED);
    memset(base + high, 0, to - high);
}

// Pages of a file keep their contents when they are returned, so they are written.
static void clear_bytes(const struct hd_memory *m, uint64_t from, uint64_t to)
{
    const uint64_t page = page_bytes();

    if (!m->shared) {
        clear(m->bytes, from, to);
        return;
    }
    for (uint64_t p = from, end; p < to; p = end) {
        bool shared = m->shared[p / page];
        for (end = p; end < to && m->shared[end / page] == shared;)
            end = (end / page + 1) * page;
        end = end < to ? end : to;
        if (shared)
            memset(m->bytes + p, 0, end - p);
        else
            clear(m->bytes, p, end);
    }
}

static void count_released(struct hd_memory *m, const struct alloc *x)
{
    m->lap_bytes += extent(x->bytes);
    m->lap_releases++;
}

bool hd_memory_release(struct hd_memory *m, uint64_t address)
{
    struct alloc *x = at_or_before(m, address);

    if (!x || x->start != address || !x->live)
        return false;
    x->live = false;
    m->releases++;
    uint64_t from = x->start - HD_MEMORY_BASE, to = from + extent(x->bytes);
    clear_bytes(m, from, to);
    if (!x->kept)
        count_released(m, x);
    if (!m->by_pages)
        clear(m->live, from / HD_GRANULE, to / HD_GRANULE);
    return true;
}

bool hd_memory_revive(struct hd_memory *m, uint64_t address)
{
    struct alloc *x = at_or_before(m, address);

    if (!x || x->start != address || x->live)
        return false;
    x->live = true;
    memset(m->live + (x->start - HD_MEMORY_BASE) / HD_GRANULE, 1, whole_granules(x) / HD_GRANULE);
    return true;
}

void hd_memory_keep(struct hd_memory *m, uint64_t address, bool keep)
{
    struct alloc *x = at_or_before(m, address);

    HD_BUG_IF(!x || x->start != address, "no allocation to keep");
    if (x->kept && !keep && !x->live)
        count_released(m, x);
    x->kept = keep;
}

// Replaces one page of the host by the file's.
static bool share_page(struct hd_memory *m, uint64_t at, uint64_t page)
{
    if (m->shared[at / page])
        return true;
    if (pwrite(m->file, m->bytes + at, page, (off_t)at) != (ssize_t)page ||
        mmap(m->bytes + at, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, m->file,
             (off_t)at) == MAP_FAILED)
        return false;
    m->shared[at / page] = 1;
    return true;
}

bool hd_memory_share(struct hd_memory *m, uint64_t address, int *file, uint64_t *offset)
{
    const struct alloc *x = at_or_before(m, address);
    uint64_t page = page_bytes(), at = address - HD_MEMORY_BASE;

    if (!x || !x->live || x->start != address || x->mapped)
        return false;
    if (!m->shared) {
        m->file = memfd_create("heddle", MFD_CLOEXEC);
        m->shared = m->file < 0 ? NULL : reserve(m->size / page, 0);
        if (m->file >= 0 && (!m->shared || ftruncate(m->file, (off_t)m->size))) {
            close(m->file);
            hd_memory_give_back(m->shared, m->size / page);
            m->shared = NULL;
        }
        if (!m->shared)
            return false;
    }
    for (uint64_t p = at & ~(page - 1); p < at + extent(x->bytes); p += page)
        if (!share_page(m, p, page))
            return false;
    *file = m->file;
    *offset = at;
    hd_memory_let_outside(m, address);
    return true;
}

uint64_t hd_memory_hold(struct hd_memory *m, uint64_t bytes, uint64_t align)
{
    uint64_t at = find_room(m, bytes, align);

    if (at)
        insert(m, &(struct alloc){.start = at, .bytes = bytes, .kept = true, .held = true});
    return at;
}

void hd_memory_let_go(struct hd_memory *m, uint64_t address)
{
    struct alloc *x = at_or_before(m, address);

    HD_BUG_IF(!x || x->start != address || !x->held, "addresses that are not held");
    m->lap_bytes += extent(x->bytes);
    m->lap_releases++;
    x->kept = false;
}

void hd_memory_let_outside(struct hd_memory *m, uint64_t address)
{
    struct alloc *x = at_or_before(m, address);

    HD_BUG_IF(!x, "no allocation at 0x%" PRIx64, address);
    x->outside = m->any_outside = true;
}

bool hd_memory_any_outside(const struct hd_memory *m)
{
    return m->any_outside;
}

bool hd_memory_shared(const struct hd_memory *m)
{
    return m->shared != NULL;
}

bool hd_memory_outside(const struct hd_memory *m, uint64_t address)
{
    const struct alloc *x = at_or_before(m, address);

    return x && x->outside;
}

bool hd_memory_map(struct hd_memory *m, uint64_t address, uint64_t bytes, int file, uint64_t offset)
{
    uint64_t at = address - HD_MEMORY_BASE, lead = at % page_bytes();
    void *p = mmap(m->bytes + at - lead, bytes + lead, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED, file, (off_t)(offset - lead));

    if (p == MAP_FAILED)
        return false;
    insert(m, &(struct alloc){.start = address, .bytes = bytes, .live = true, .mapped = true});
    hd_memory_let_outside(m, address);
    memset(m->live + at / HD_GRANULE, 1, extent(bytes) / HD_GRANULE);
    return true;
}

bool hd_memory_unmap(struct hd_memory *m, uint64_t address)
{
    struct alloc *x = at_or_before(m, address);

    if (!x || x->start != address || !x->mapped)
        return false;
    uint64_t at = address - HD_MEMORY_BASE, lead = at % page_bytes();
    (void)mmap(m->bytes + at - lead, x->bytes + lead, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    memset(m->live + at / HD_GRANULE, 0, extent(x->bytes) / HD_GRANULE);
    // The same addresses may be mapped again in other pieces, so these are removed from the list.
    memmove(x, x + 1, (size_t)(m->allocs + --m->n_allocs - x) * sizeof *x);
    m->releases++;
    return true;
}

uint8_t *hd_memory_at(const struct hd_memory *m, uint64_t address, uint64_t bytes)
{
    const struct alloc *x = at_or_before(m, address);

    if (!x || !x->live)
        return NULL;
    uint64_t offset = address - x->start, room = room_of(x);
    if (offset >= room)
        return NULL;
    // Consecutive mapped pieces count as one.
    for (const struct alloc *end = m->allocs + m->n_allocs;
         bytes > room - offset && x->mapped && x + 1 < end && x[1].live && x[1].mapped &&
         x[1].start == x->start + extent(x->bytes);
         x++)
        room += extent(x[1].bytes);
    if (bytes > room - offset)
        return NULL;
    return m->bytes + (address - HD_MEMORY_BASE);
}

bool hd_memory_write(struct hd_memory *m, uint64_t address, const void *from, uint64_t bytes)
{
    uint8_t *p = hd_memory_at(m, address, bytes);

    if (p && bytes)
        memcpy(p, from, bytes);
    return p != NULL;
}

bool hd_memory_read(const struct hd_memory *m, uint64_t address, void *to, uint64_t bytes)
{
    const uint8_t *p = hd_memory_at(m, address, bytes);

    if (p && bytes)
        memcpy(to, p, bytes);
    return p != NULL;
}

struct hd_memory_view hd_memory_view(const struct hd_memory *m)
{
    return (struct hd_memory_view){m->bytes, m->live, m->size, &m->releases};
}

#define NEIGHBOURS 16 // number that is searched; a larger number is correct too

static bool meet(const struct alloc *a, const struct alloc *b)
{
    return a->live && b->live && a->start + whole_granules(a) >= b->start;
}

struct hd_memory_stretch hd_memory_stretch(const struct hd_memory *m, uint64_t address)
{
    const struct alloc *x = at_or_before(m, address), *from = x, *to = x;
    const struct alloc *end = m->allocs + m->n_allocs;

    if (!x || !x->live)
        return (struct hd_memory_stretch){0, 0, m->releases};
    while (from > m->allocs && x - from < NEIGHBOURS && meet(from - 1, from))
        from--;
    while (to + 1 < end && to - x < NEIGHBOURS && meet(to, to + 1))
        to++;
    return (struct hd_memory_stretch){from->start, to->start + whole_granules(to), m->releases};
}

static void describe_alloc(const struct alloc *x, const char *where, uint64_t distance, char *buf,
                           size_t size)
{
    int n = 0;

    if (distance)
        n = snprintf(buf, size, "%" PRIu64 " bytes ", distance);
    if (n < 0 || (size_t)n >= size)
        return;
    snprintf(buf + n, size - (size_t)n, "%s %s%s%s (%" PRIu64 " bytes from 0x%" PRIx64 "%s)", where,
             x->name ? "`" : "", x->name ? x->name : "an unnamed allocation", x->name ? "`" : "",
             x->bytes, x->start,
             x->live   ? ""
             : x->kept ? ", no memory there now"
                       : ", released");
}

char *hd_memory_describe(const struct hd_memory *m, uint64_t address, char *buf, size_t size)
{
    const struct alloc *x = at_or_before(m, address);
    const struct alloc *next = x ? x + 1 : m->allocs;
    bool has_next = next && next < m->allocs + m->n_allocs;

    if (size)
        buf[0] = 0;
    if (!m->n_allocs) {
        snprintf(buf, size, "nothing is allocated");
        return buf;
    }
    if (x && address - x->start < x->bytes) {
        describe_alloc(x, "in", 0, buf, size);
        return buf;
    }
    uint64_t past = x ? address - (x->start + x->bytes) : UINT64_MAX;
    uint64_t before = has_next ? next->start - address : UINT64_MAX;
    if (x && past <= before)
        describe_alloc(x, past ? "past the end of" : "at the end of", past, buf, size);
    else
        describe_alloc(next, "before", before, buf, size);
    return buf;
}

uint64_t hd_memory_digest(const struct hd_memory *m)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < m->n_allocs; i++) {
        const struct alloc *x = &m->allocs[i];
        if (!x->live)
            continue;
        const uint8_t *p = m->bytes + (x->start - HD_MEMORY_BASE);
        for (uint64_t b = 0; b < x->bytes; b++)
            h = (h ^ p[b]) * UINT64_C(0x100000001b3);
    }
    return h;
}
