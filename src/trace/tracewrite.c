// tracewrite.c - writing a trace, chunk after chunk. See tracefile.h.
#include "trace/tracefile.h"

#include "base/bug.h"
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define LEVEL 3
#define PACKER_BYTES (1u << 20) // what zstd needs at this level, about

struct hd_tracewrite {
    struct hd_arena *arena;
    const char *path;
    char part[HD_FILE_PART];
    FILE *file; // NULL: finished or dropped
    uint64_t at;
    int error; // errno of the first write that failed
    ZSTD_CCtx *packer;
    struct hd_pack raw, packed, index;
    uint64_t n_chunks;
};

static void put(struct hd_tracewrite *w, const void *bytes, size_t n)
{
    if (!w->error && n && fwrite(bytes, 1, n, w->file) != n)
        w->error = errno ? errno : EIO;
    w->at += n;
}

// A frame of these bytes; returns its length.
static size_t put_frame(struct hd_tracewrite *w, const uint8_t *bytes, size_t n)
{
    size_t got;

    w->packed.n = 0;
    hd_pack_room(&w->packed, ZSTD_compressBound(n));
    got = ZSTD_compress2(w->packer, w->packed.data, w->packed.cap, bytes, n);
    HD_BUG_IF(ZSTD_isError(got), "zstd: %s", ZSTD_getErrorName(got));
    put(w, w->packed.data, got);
    return got;
}

struct hd_tracewrite *hd_tracewrite_open(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    struct hd_tracewrite *w = HD_NEW(a, hd_tracewrite);
    struct hd_pack head = {.arena = a};

    w->arena = w->raw.arena = w->packed.arena = w->index.arena = a;
    w->path = path;
    w->file = hd_file_part(path, w->part) ? fopen(w->part, "wb") : NULL;
    if (!w->file) {
        hd_diag_add(d, NULL, 0, 0, "cannot write %s: %.60s", path, strerror(errno));
        return NULL;
    }
    w->packer = ZSTD_createCCtx();
    if (!w->packer)
        hd_arena_exhausted(PACKER_BYTES);
    ZSTD_CCtx_setParameter(w->packer, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(w->packer, ZSTD_c_checksumFlag, 1);
    hd_pack_bytes(&head, "hdtrace\n", 8);
    hd_pack_mask(&head, HD_TRACEFILE_VERSION);
    hd_pack_mask(&head, 0);
    put(w, head.data, head.n);
    return w;
}

void hd_tracewrite_chunk(struct hd_tracewrite *w, uint32_t launch, uint32_t block, uint32_t warp,
                         const struct hd_tracewrite_piece *pieces, uint32_t n)
{
    struct hd_pack *raw = &w->raw;
    size_t bytes;

    raw->n = 0;
    hd_pack_number(raw, n);
    for (uint32_t i = 0; i < n; i++) {
        hd_pack_number(raw, pieces[i].warp);
        hd_pack_number(raw, pieces[i].way->n);
        hd_pack_number(raw, pieces[i].where->n);
    }
    for (uint32_t i = 0; i < n; i++)
        hd_pack_bytes(raw, pieces[i].way->data, pieces[i].way->n);
    for (uint32_t i = 0; i < n; i++)
        hd_pack_bytes(raw, pieces[i].where->data, pieces[i].where->n);
    bytes = put_frame(w, raw->data, raw->n);
    hd_pack_number(&w->index, launch);
    hd_pack_number(&w->index, block);
    hd_pack_number(&w->index, warp + 1u); // 0: the rest of all
    hd_pack_number(&w->index, bytes);
    hd_pack_number(&w->index, raw->n);
    w->n_chunks++;
}

static void put_dims(struct hd_pack *p, const uint32_t v[3])
{
    for (int i = 0; i < 3; i++)
        hd_pack_number(p, v[i]);
}

static void put_launch(struct hd_pack *p, const struct hd_tracefile_launch *l)
{
    hd_pack_number(p, l->program);
    hd_pack_text(p, l->kernel);
    put_dims(p, l->grid);
    put_dims(p, l->block);
    hd_pack_number(p, l->dynamic_shared);
    hd_pack_number(p, l->stream);
    hd_pack_number(p, l->regs);
    hd_pack_number(p, l->shared_static);
    hd_pack_text(p, l->regs_source);
    hd_pack_number(p, l->param_bytes);
    hd_pack_bytes(p, l->params, l->param_bytes);
    hd_pack_number(p, l->run);
    hd_pack_number(p, l->after);
}

static void put_summary(struct hd_pack *p, const struct hd_tracefile_summary *s)
{
    hd_pack_text(p, s->version);
    hd_pack_text(p, s->workload);
    hd_pack_text(p, s->size);
    hd_pack_number(p, s->seed);
    hd_pack_byte(p, s->checked);
    hd_pack_byte(p, s->verified);
    hd_pack_byte(p, s->functional);
    hd_pack_text(p, s->machine);
    hd_pack_number(p, s->path_order);
    hd_pack_text(p, s->reason);
    hd_pack_number(p, s->n_programs);
    for (size_t i = 0; i < s->n_programs; i++) {
        hd_pack_number(p, s->programs[i].n_texts);
        for (uint32_t k = 0; k < s->programs[i].n_texts; k++) {
            const struct hd_tracefile_text *t = &s->programs[i].texts[k];
            hd_pack_text(p, t->path);
            hd_pack_number(p, t->n);
            hd_pack_bytes(p, t->bytes, t->n);
        }
    }
    hd_pack_number(p, s->n_launches);
    for (size_t i = 0; i < s->n_launches; i++)
        put_launch(p, &s->launches[i]);
    hd_pack_number(p, s->n_copies);
    for (size_t i = 0; i < s->n_copies; i++) {
        const struct hd_tracefile_copy *c = &s->copies[i];
        hd_pack_number(p, c->addr);
        hd_pack_number(p, c->bytes);
        hd_pack_number(p, c->launch);
        hd_pack_number(p, c->run);
        hd_pack_number(p, c->after);
    }
}

static void put_tail(struct hd_tracewrite *w, const uint64_t numbers[6])
{
    struct hd_pack tail = {.arena = w->arena};
    uint64_t sum = UINT64_C(0xcbf29ce484222325); // FNV-1a

    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 8; k++)
            hd_pack_byte(&tail, numbers[i] >> (8 * k) & 0xff);
    for (size_t i = 0; i < tail.n; i++)
        sum = (sum ^ tail.data[i]) * UINT64_C(0x100000001b3);
    for (int k = 0; k < 8; k++)
        hd_pack_byte(&tail, sum >> (8 * k) & 0xff);
    hd_pack_bytes(&tail, "hdtrace.", 8);
    put(w, tail.data, tail.n);
}

static void end(struct hd_tracewrite *w)
{
    if (fclose(w->file) && !w->error)
        w->error = errno;
    w->file = NULL;
    ZSTD_freeCCtx(w->packer);
    w->packer = NULL;
}

static void take_away(const struct hd_tracewrite *w)
{
    if (strcmp(w->part, w->path))
        unlink(w->part);
}

bool hd_tracewrite_finish(struct hd_tracewrite *w, const struct hd_tracefile_summary *s,
                          struct hd_diag *d)
{
    struct hd_pack text = {.arena = w->arena}, index = {.arena = w->arena};
    uint64_t numbers[6];

    put_summary(&text, s);
    hd_pack_number(&index, w->n_chunks);
    hd_pack_bytes(&index, w->index.data, w->index.n);
    numbers[0] = w->at;
    numbers[2] = text.n;
    numbers[1] = put_frame(w, text.data, text.n);
    numbers[3] = w->at;
    numbers[5] = index.n;
    numbers[4] = put_frame(w, index.data, index.n);
    put_tail(w, numbers);
    end(w);
    if (!w->error && strcmp(w->part, w->path) && rename(w->part, w->path))
        w->error = errno;
    if (!w->error)
        return true;
    take_away(w);
    hd_diag_add(d, NULL, 0, 0, "cannot write %s: %.60s", w->path, strerror(w->error));
    return false;
}

void hd_tracewrite_drop(struct hd_tracewrite *w)
{
    if (!w || !w->file)
        return;
    end(w);
    take_away(w);
}
