// cubin.c - see cubin.h. A reader of its own, because cubins lie at any address inside programs and
// no byte of them is trusted: each access is checked against the file's end.
#include "fatbin/cubin.h"

#include <stdlib.h>
#include <string.h>

enum { EHDR = 64, SHDR = 64, SYM = 24 }; // bytes of the headers and of a symbol
enum { MACHINE = 190, EXEC = 2 };        // e_machine of CUDA; e_type of a linked file
enum { FUNC = 2, KERNEL = 0x10 };        // type of a symbol; the bit of st_other that marks kernels
enum { SIZED = 4, REGCOUNT = 0x2f };     // a record of .nv.info: its format, its attribute
#define REGS_MOST 255

struct cubin {
    const uint8_t *bytes;
    uint64_t n;
    uint64_t sections, names; // offsets: of the table; of the names' section header
    unsigned n_sections;
};

struct section {
    const char *name; // ends in NUL inside the file
    uint64_t at, size;
    uint32_t link, info, type;
};

static uint64_t number(const struct cubin *c, uint64_t at, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bytes && at + i < c->n; i++)
        v |= (uint64_t)c->bytes[at + i] << 8 * i;
    return v;
}

// A string that ends before the end of its table, else "".
static const char *string(const struct cubin *c, uint64_t table, uint64_t size, uint64_t at)
{
    bool inside = table <= c->n && size <= c->n - table && at < size;

    return inside && memchr(c->bytes + table + at, 0, size - at)
               ? (const char *)c->bytes + table + at
               : "";
}

// False if the section is not inside the file.
static bool section(const struct cubin *c, unsigned i, struct section *out)
{
    uint64_t at = c->sections + (uint64_t)SHDR * i, names = c->names;

    *out = (struct section){.at = number(c, at + 24, 8),
                            .size = number(c, at + 32, 8),
                            .type = (uint32_t)number(c, at + 4, 4),
                            .link = (uint32_t)number(c, at + 40, 4),
                            .info = (uint32_t)number(c, at + 44, 4)};
    out->name = string(c, number(c, names + 24, 8), number(c, names + 32, 8), number(c, at, 4));
    return out->type == 8 || (out->at <= c->n && out->size <= c->n - out->at); // 8: no bytes
}

bool hd_cubin_is(const uint8_t *bytes, uint64_t n)
{
    struct cubin c = {.bytes = bytes, .n = n};

    return n >= EHDR &&
           !memcmp(bytes,
                   "\x7f"
                   "ELF\2\1",
                   6) &&
           number(&c, 18, 2) == MACHINE;
}

// The SM number is in bits 8 to 16 of the flags since ABI 8, before in bits 0 to 8.
uint32_t hd_cubin_arch(const uint8_t *bytes)
{
    return bytes[8] >= 8 ? bytes[49] : bytes[48];
}

static const char *after(const char *name, const char *head)
{
    return !strncmp(name, head, strlen(head)) ? name + strlen(head) : "";
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct hd_cubin_kernel *)a)->name,
                  ((const struct hd_cubin_kernel *)b)->name);
}

static struct hd_cubin_kernel *find(const struct hd_cubin_kernel *list, size_t n, const char *name)
{
    struct hd_cubin_kernel key = {.name = name};

    return n ? bsearch(&key, list, n, sizeof *list, by_name) : NULL;
}

// The kernels are the functions that are marked so.
static void find_kernels(struct hd_arena *a, const struct cubin *c, struct hd_cubin *out)
{
    struct section symbols, names;

    for (unsigned i = 0; i < c->n_sections; i++) {
        if (!section(c, i, &symbols) || symbols.type != 2 || symbols.link >= c->n_sections ||
            !section(c, symbols.link, &names))
            continue;
        for (uint64_t k = 0; k < symbols.size / SYM; k++) {
            uint64_t at = symbols.at + k * SYM;
            const char *name = string(c, names.at, names.size, number(c, at, 4));
            if ((number(c, at + 4, 1) & 15) == FUNC && number(c, at + 5, 1) & KERNEL && *name)
                *HD_PUSH(a, out->kernels, out->n_kernels, out->cap_kernels) =
                    (struct hd_cubin_kernel){.name = hd_arena_strdup(a, name)};
        }
    }
    if (out->n_kernels)
        qsort(out->kernels, out->n_kernels, sizeof *out->kernels, by_name);
}

// Register counts of section .nv.info, by symbol.
static void read_counts(const struct cubin *c, const struct section *info, struct hd_cubin *out)
{
    struct section symbols, names;
    uint64_t at = info->at, end = info->at + info->size;

    if (info->link >= c->n_sections || !section(c, info->link, &symbols) || symbols.type != 2 ||
        symbols.link >= c->n_sections || !section(c, symbols.link, &names))
        return;
    while (end - at >= 4) {
        uint64_t bytes = number(c, at, 1) == SIZED ? number(c, at + 2, 2) : 0;
        if (bytes > end - at - 4)
            return;
        if (number(c, at, 2) == (SIZED | REGCOUNT << 8) && bytes >= 8) {
            uint64_t symbol = number(c, at + 4, 4), regs = number(c, at + 8, 4);
            const char *name =
                symbol < symbols.size / SYM
                    ? string(c, names.at, names.size, number(c, symbols.at + symbol * SYM, 4))
                    : "";
            struct hd_cubin_kernel *k = find(out->kernels, out->n_kernels, name);
            if (k && regs <= REGS_MOST)
                k->regs = (uint32_t)regs;
        }
        at += 4 + bytes;
    }
}

// What a section says: .text.KERNEL has the register count in bits 24 to 32 of its info, before
// sm_90; a file without a count in .nv.info has it there.
static void read_section(const struct section *s, struct hd_cubin *out)
{
    struct hd_cubin_kernel *k;

    if ((k = find(out->kernels, out->n_kernels, after(s->name, ".text."))) && !k->regs)
        k->regs = s->info >> 24;
    if ((k = find(out->kernels, out->n_kernels, after(s->name, ".nv.shared."))))
        k->shared = (uint32_t)s->size;
    if ((k = find(out->kernels, out->n_kernels, after(s->name, ".nv.constant0."))))
        k->constants = (uint32_t)s->size;
    if (!strcmp(s->name, ".nv.constant3"))
        out->constants = (uint32_t)s->size;
}

bool hd_cubin_read(struct hd_arena *a, const uint8_t *bytes, uint64_t n, struct hd_cubin *out)
{
    struct cubin c = {.bytes = bytes, .n = n};
    struct section s;

    *out = (struct hd_cubin){0};
    if (!hd_cubin_is(bytes, n))
        return false;
    c.sections = number(&c, 40, 8);
    c.n_sections = (unsigned)number(&c, 60, 2);
    if (c.sections > n || (uint64_t)c.n_sections * SHDR > n - c.sections)
        return false;
    c.names = c.sections + number(&c, 62, 2) * SHDR;
    if (number(&c, 62, 2) >= c.n_sections)
        return false;
    out->arch = hd_cubin_arch(bytes);
    out->linked = number(&c, 16, 2) == EXEC;
    find_kernels(a, &c, out);
    for (unsigned i = 0; i < c.n_sections; i++)
        if (section(&c, i, &s) && !strcmp(s.name, ".nv.info"))
            read_counts(&c, &s, out);
    for (unsigned i = 0; i < c.n_sections; i++)
        if (section(&c, i, &s))
            read_section(&s, out);
    return true;
}

const struct hd_cubin_kernel *hd_cubin_find(const struct hd_cubin *c, const char *name)
{
    return find(c->kernels, c->n_kernels, name);
}

bool hd_cubin_choose(struct hd_arena *a, const uint8_t *container, uint64_t n, uint32_t arch,
                     struct hd_cubin *out)
{
    struct hd_fatbin_entry e, best = {.kind = 0};
    struct hd_arena *scratch;
    struct hd_diag d = {.n = 0};
    const char *damage;
    uint64_t at = 0;
    size_t bytes;
    bool good;

    while (hd_fatbin_next(container, n, &at, &e, &damage))
        if (e.kind == HD_FATBIN_SASS && hd_fatbin_better(arch, best.kind ? best.arch : 0, e.arch))
            best = e;
    if (!best.kind || damage)
        return false;
    scratch = hd_arena_new();
    const uint8_t *file = hd_fatbin_unpack(scratch, &best, &bytes, &d);
    good = file && hd_cubin_read(a, file, bytes, out) && out->linked;
    hd_arena_free(scratch);
    return good;
}

void hd_cubin_give(struct hd_arena *a, const struct hd_cubin_kernel *kernels, size_t n,
                   struct hd_program *p)
{
    struct hd_cubin_kernel *sorted;
    struct hd_func *copy;

    if (!n || !p->n_funcs)
        return;
    sorted = HD_ARRAY(a, struct hd_cubin_kernel, n);
    memcpy(sorted, kernels, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_name);
    copy = HD_ARRAY(a, struct hd_func, p->n_funcs);
    memcpy(copy, p->funcs, p->n_funcs * sizeof *copy);
    for (uint32_t i = 0; i < p->n_funcs; i++) {
        const struct hd_cubin_kernel *k = copy[i].is_kernel ? find(sorted, n, copy[i].name) : NULL;
        copy[i].regs_built = k ? k->regs : 0;
    }
    p->funcs = copy;
}
