// traceread.c - reads a trace, and checks everything before it is used.
#include "trace/tracefile.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define MAGIC "hdtrace\n"
#define HEAD 16
#define TAIL (6 * 8 + 8 + 8)
#define SUMMARY_MOST ((uint64_t)1 << 28) // bytes, unpacked
#define CHUNK_MOST ((uint64_t)64 * 4 * HD_TRACEFILE_PIECE)
#define NAME_MOST ((uint64_t)1 << 16)
#define COPY_MOST ((uint64_t)1 << 48) // an address, or the bytes of a copy

static bool damaged(const struct hd_traceread *t, struct hd_diag *d, const char *what, uint64_t at)
{
    hd_diag_add(d, t->path, 0, 0, "damaged trace: %s (at byte %" PRIu64 ")", what, at);
    return false;
}

static bool read_at(const struct hd_traceread *t, void *to, size_t n, uint64_t at)
{
    uint8_t *p = to;

    while (n) {
        ssize_t got = pread(t->file, p, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
        at += (uint64_t)got;
    }
    return true;
}

static uint64_t little(const uint8_t *b)
{
    uint64_t v = 0;

    for (int i = 7; i >= 0; i--)
        v = v << 8 | b[i];
    return v;
}

// Reads and unpacks a frame, which must have exactly `raw` bytes. False, and err is the reason.
static bool unpack(struct hd_traceread *t, struct hd_arena *a, uint64_t at, size_t bytes,
                   uint8_t *to, size_t raw, char err[HD_FILE_WHY])
{
    size_t got;

    if (!t->unpacker)
        t->unpacker = ZSTD_createDCtx();
    if (!t->unpacker) {
        snprintf(err, HD_FILE_WHY, "no memory to unpack it");
        return false;
    }
    if (bytes > t->packed_cap) {
        t->packed_cap = bytes * 2;
        t->packed = hd_arena_get(a, t->packed_cap, 1);
    }
    if (!read_at(t, t->packed, bytes, at)) {
        snprintf(err, HD_FILE_WHY, "it ends too early");
        return false;
    }
    got = ZSTD_decompressDCtx(t->unpacker, to, raw, t->packed, bytes);
    if (!ZSTD_isError(got) && got == raw)
        return true;
    snprintf(err, HD_FILE_WHY, "%s",
             ZSTD_isError(got) ? ZSTD_getErrorName(got) : "a part is too short");
    return false;
}

static void get_dims(struct hd_unpack *u, uint32_t v[3], uint64_t most)
{
    for (int i = 0; i < 3; i++)
        v[i] = (uint32_t)hd_unpack_most(u, most);
}

static bool get_launch(struct hd_unpack *u, struct hd_arena *a,
                       const struct hd_tracefile_summary *s, struct hd_tracefile_launch *l)
{
    l->program = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    l->kernel = hd_unpack_text(u, a);
    get_dims(u, l->grid, UINT32_MAX);
    get_dims(u, l->block, HD_LANES * HD_MAX_WARPS);
    l->dynamic_shared = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    l->stream = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    l->regs = (uint32_t)hd_unpack_most(u, UINT16_MAX);
    l->shared_static = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    l->regs_source = hd_unpack_text(u, a);
    l->param_bytes = (uint32_t)hd_unpack_most(u, NAME_MOST);
    l->params = hd_unpack_bytes(u, l->param_bytes);
    l->run = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    l->after = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    return !u->bad && l->program < s->n_programs;
}

static bool get_programs(struct hd_unpack *u, struct hd_arena *a, struct hd_tracefile_summary *s)
{
    s->n_programs = hd_unpack_most(u, (uint64_t)(u->end - u->at));
    s->programs = HD_ARRAY(a, struct hd_tracefile_program, s->n_programs);
    for (size_t i = 0; i < s->n_programs; i++) {
        struct hd_tracefile_program *p = &s->programs[i];
        p->n_texts = (uint32_t)hd_unpack_most(u, (uint64_t)(u->end - u->at) & UINT32_MAX);
        p->texts = HD_ARRAY(a, struct hd_tracefile_text, p->n_texts);
        for (uint32_t k = 0; k < p->n_texts; k++) {
            p->texts[k].path = hd_unpack_text(u, a);
            p->texts[k].n = hd_unpack_number(u);
            p->texts[k].bytes = hd_unpack_bytes(u, p->texts[k].n);
            if (u->bad)
                return false;
            p->texts[k].bytes = (const uint8_t *)hd_arena_strndup(
                a, (const char *)p->texts[k].bytes, p->texts[k].n);
        }
        if (u->bad || !p->n_texts)
            return false;
    }
    return true;
}

static bool get_copies(struct hd_unpack *u, struct hd_arena *a, struct hd_tracefile_summary *s)
{
    s->n_copies = hd_unpack_most(u, (uint64_t)(u->end - u->at) / 5); // the least has 5 bytes
    s->copies = HD_ARRAY(a, struct hd_tracefile_copy, s->n_copies);
    for (size_t i = 0; i < s->n_copies; i++) {
        struct hd_tracefile_copy *c = &s->copies[i];
        c->addr = hd_unpack_most(u, COPY_MOST);
        c->bytes = hd_unpack_most(u, COPY_MOST);
        c->launch = (uint32_t)hd_unpack_most(u, UINT32_MAX);
        c->run = (uint32_t)hd_unpack_most(u, UINT32_MAX);
        c->after = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    }
    return !u->bad;
}

static bool get_summary(struct hd_unpack *u, struct hd_arena *a, struct hd_tracefile_summary *s)
{
    s->version = hd_unpack_text(u, a);
    s->workload = hd_unpack_text(u, a);
    s->size = hd_unpack_text(u, a);
    s->seed = hd_unpack_number(u);
    s->checked = hd_unpack_most(u, 1);
    s->verified = hd_unpack_most(u, 1);
    s->functional = hd_unpack_most(u, 1);
    s->machine = hd_unpack_text(u, a);
    s->path_order = (uint32_t)hd_unpack_most(u, UINT32_MAX);
    s->reason = hd_unpack_text(u, a);
    if (u->bad || !get_programs(u, a, s))
        return false;
    s->n_launches = hd_unpack_most(u, (uint64_t)(u->end - u->at) / 16); // the least has 16 bytes
    s->launches = HD_ARRAY(a, struct hd_tracefile_launch, s->n_launches);
    for (size_t i = 0; i < s->n_launches; i++)
        if (!get_launch(u, a, s, &s->launches[i]))
            return false;
    s->tells_copies = u->at != u->end;
    if (s->tells_copies && !get_copies(u, a, s))
        return false;
    return !u->bad && u->at == u->end;
}

static int by_block(const void *a, const void *b)
{
    const struct hd_tracefile_chunk *x = a, *y = b;

    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// Chunks are consecutive, up to the summary.
static bool get_index(struct hd_traceread *t, struct hd_unpack *u, struct hd_arena *a, uint64_t end)
{
    const struct hd_tracefile_summary *s = &t->summary;
    uint64_t at = HEAD;

    t->n_chunks = hd_unpack_most(u, (uint64_t)(u->end - u->at) / 5); // an entry takes 5 bytes
    t->chunks = HD_ARRAY(a, struct hd_tracefile_chunk, t->n_chunks);
    for (size_t i = 0; i < t->n_chunks; i++) {
        struct hd_tracefile_chunk *c = &t->chunks[i];
        c->launch = (uint32_t)hd_unpack_most(u, UINT32_MAX);
        c->block = (uint32_t)hd_unpack_most(u, UINT32_MAX);
        c->warp = (uint32_t)hd_unpack_most(u, HD_MAX_WARPS) - 1u;
        c->bytes = (uint32_t)hd_unpack_most(u, CHUNK_MOST);
        c->raw = (uint32_t)hd_unpack_most(u, CHUNK_MOST);
        c->order = (uint32_t)i;
        c->at = at;
        at += c->bytes;
        if (u->bad || c->launch >= s->n_launches || at > end)
            return false;
    }
    if (u->at != u->end || at != end)
        return false;
    qsort(t->chunks, t->n_chunks, sizeof *t->chunks, by_block);
    t->blocks = HD_ARRAY(a, size_t, s->n_launches + 1);
    for (size_t i = 0, l = 0; l <= s->n_launches; l++) {
        while (i < t->n_chunks && t->chunks[i].launch < l)
            i++;
        t->blocks[l] = i;
    }
    return true;
}

static bool get_part(struct hd_traceread *t, struct hd_arena *a, const uint8_t *numbers,
                     struct hd_unpack *u, struct hd_diag *d)
{
    uint64_t at = little(numbers), bytes = little(numbers + 8), raw = little(numbers + 16);
    char err[HD_FILE_WHY];

    if (raw > SUMMARY_MOST || bytes > SUMMARY_MOST)
        return damaged(t, d, "impossible sizes in its tail", at);
    uint8_t *to = hd_arena_get(a, (size_t)raw + 1, 1);
    if (!unpack(t, a, at, (size_t)bytes, to, (size_t)raw, err))
        return damaged(t, d, err, at);
    *u = (struct hd_unpack){.at = to, .end = to + raw};
    return true;
}

static bool good_ends(const struct hd_traceread *t, uint64_t size, uint8_t tail[TAIL],
                      struct hd_diag *d)
{
    uint8_t head[HEAD];
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    if (size < HEAD || !read_at(t, head, HEAD, 0) || memcmp(head, MAGIC, 8) != 0) {
        hd_diag_hint(hd_diag_add(d, t->path, 0, 0, "not a trace of heddle"),
                     "'heddle run WORKLOAD --record FILE.trace' makes one");
        return false;
    }
    uint64_t version = little(head + 8) & UINT32_MAX;
    if (!version || version > HD_TRACEFILE_VERSION) {
        hd_diag_hint(hd_diag_add(d, t->path, 0, 0,
                                 "a trace of version %" PRIu64 "; this heddle reads versions up to "
                                 "%d",
                                 version, HD_TRACEFILE_VERSION),
                     "record it again");
        return false;
    }
    if (size < HEAD + TAIL || !read_at(t, tail, TAIL, size - TAIL) ||
        memcmp(tail + TAIL - 8, "hdtrace.", 8) != 0)
        return damaged(t, d, "truncated, its tail is missing", size);
    for (size_t i = 0; i < 6 * 8; i++)
        sum = (sum ^ tail[i]) * UINT64_C(0x100000001b3);
    if (sum != little(tail + 6 * 8))
        return damaged(t, d, "wrong checksum of its tail", size - TAIL);
    return true;
}

static bool read_all(struct hd_traceread *t, struct hd_arena *a, struct hd_diag *d)
{
    struct hd_unpack text, index;
    struct stat st;
    uint8_t tail[TAIL];

    if (fstat(t->file, &st) || !S_ISREG(st.st_mode)) {
        hd_diag_add(d, t->path, 0, 0, "not a file");
        return false;
    }
    uint64_t size = (uint64_t)st.st_size;
    if (!good_ends(t, size, tail, d))
        return false;
    uint64_t at = little(tail), next = little(tail + 24);
    if (at < HEAD || at > size || little(tail + 8) > size - at || next != at + little(tail + 8) ||
        little(tail + 32) > size - next || next + little(tail + 32) != size - TAIL)
        return damaged(t, d, "its parts do not fill the file", size - TAIL);
    if (!get_part(t, a, tail, &text, d) || !get_part(t, a, tail + 24, &index, d))
        return false;
    if (!get_summary(&text, a, &t->summary))
        return damaged(t, d, "its summary makes no sense", at);
    if (!get_index(t, &index, a, at))
        return damaged(t, d, "its index makes no sense", next);
    return true;
}

bool hd_traceread_is(const char *path)
{
    char why[HD_FILE_WHY], head[8];
    int file = hd_file_regular(path, why) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool is = file >= 0 && read(file, head, sizeof head) == sizeof head &&
              !memcmp(head, MAGIC, sizeof head);

    if (file >= 0)
        close(file);
    return is;
}

struct hd_traceread *hd_traceread_open(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    struct hd_traceread *t = HD_NEW(a, hd_traceread);
    char why[HD_FILE_WHY];

    t->path = path;
    t->file = -1;
    if (!hd_file_regular(path, why)) {
        hd_diag_add(d, NULL, 0, 0, "cannot read %s", why);
        return NULL;
    }
    t->file = open(path, O_RDONLY | O_CLOEXEC);
    if (t->file < 0) {
        hd_diag_add(d, NULL, 0, 0, "cannot read %s: %.60s", path, strerror(errno));
        return NULL;
    }
    bool good = read_all(t, a, d);
    ZSTD_freeDCtx(t->unpacker); // the user of the chunks makes the next one
    t->unpacker = NULL;
    if (good)
        return t;
    hd_traceread_close(t);
    return NULL;
}

void hd_traceread_close(struct hd_traceread *t)
{
    if (!t || t->file < 0)
        return;
    close(t->file);
    t->file = -1;
    ZSTD_freeDCtx(t->unpacker);
    t->unpacker = NULL;
}

void hd_traceread_block(const struct hd_traceread *t, uint32_t launch, uint32_t block,
                        size_t *first, size_t *last)
{
    size_t low = t->blocks[launch], high = t->blocks[launch + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->chunks[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low < t->blocks[launch + 1] && t->chunks[low].block == block)
        low++;
    *last = low;
}

bool hd_traceread_chunk(struct hd_traceread *t, struct hd_arena *a, size_t i, uint8_t *to,
                        char err[HD_FILE_WHY])
{
    const struct hd_tracefile_chunk *c = &t->chunks[i];
    char why[HD_FILE_WHY];

    if (unpack(t, a, c->at, c->bytes, to, c->raw, why))
        return true;
    snprintf(err, HD_FILE_WHY, "launch %" PRIu32 ", block %" PRIu32 ": %.60s (at byte %" PRIu64 ")",
             c->launch, c->block, why, c->at);
    return false;
}

uint32_t hd_traceread_pieces(const struct hd_tracefile_chunk *c, const uint8_t *bytes,
                             struct hd_traceread_piece *out, uint32_t most, uint32_t warps)
{
    // NULL if empty, and arithmetic is for pointers that are not.
    struct hd_unpack u = {.at = bytes, .end = c->raw ? bytes + c->raw : bytes};
    uint32_t n = (uint32_t)hd_unpack_most(&u, most);

    for (uint32_t i = 0; i < n; i++) {
        out[i].warp = (uint32_t)hd_unpack_most(&u, warps - 1);
        out[i].way_bytes = hd_unpack_most(&u, c->raw);
        out[i].where_bytes = hd_unpack_most(&u, c->raw);
    }
    for (uint32_t i = 0; i < n; i++)
        out[i].way = hd_unpack_bytes(&u, out[i].way_bytes);
    for (uint32_t i = 0; i < n; i++)
        out[i].where = hd_unpack_bytes(&u, out[i].where_bytes);
    return u.bad || u.at != u.end ? UINT32_MAX : n;
}
