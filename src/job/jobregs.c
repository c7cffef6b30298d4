// jobregs.c - NAME.regs beside NAME.ptx. See jobregs.h.
#include "job/jobregs.h"

#include "base/file.h"
#include "job/jobline.h"

#include <string.h>
#include <unistd.h>

#define REGS_MAX 65535
#define SMEM_MAX ((uint64_t)16 << 20)

static bool take(struct hd_jobline *l, const char *word)
{
    struct hd_job_place at = hd_jobline_place(l);

    if (l->failed || hd_jobline_is(l, word))
        return !l->failed;
    hd_jobline_error(l, at.column, "expected '%s' here", word);
    return false;
}

static void read_line(struct hd_jobregs *r, struct hd_jobline *l)
{
    struct hd_jobregs_kernel k = {.threads = 0};

    if (l->failed || l->n == 0 || !take(l, "kernel"))
        return;
    struct hd_job_place at = hd_jobline_place(l);
    k.name = hd_jobline_word(l, "a kernel name");
    if (take(l, "regs"))
        k.regs = (uint32_t)hd_jobline_number(l, "registers per thread", 1, REGS_MAX);
    if (take(l, "smem"))
        k.smem = (uint32_t)hd_jobline_number(l, "bytes of shared memory", 0, SMEM_MAX);
    if (!l->failed && l->at < l->n && take(l, "threads"))
        k.threads = (uint32_t)hd_jobline_number(l, "threads of a block", 1, 1024);
    hd_jobline_end(l);
    if (!l->failed && hd_jobregs_find(r, k.name))
        hd_jobline_error(l, at.column, "kernel '%.60s' was already given", k.name);
    if (!l->failed)
        *HD_PUSH(l->arena, r->kernels, r->n, r->cap) = k;
}

const char *hd_jobregs_path(struct hd_arena *a, const char *ptx)
{
    size_t stem = strlen(ptx);

    if (stem > 4 && !strcmp(ptx + stem - 4, ".ptx"))
        stem -= 4;
    return hd_arena_printf(a, "%.*s.regs", (int)stem, ptx);
}

bool hd_jobregs_read(struct hd_jobregs *r, struct hd_arena *a, const char *ptx, struct hd_diag *d)
{
    size_t bytes = 0;
    unsigned before = d->n + d->dropped;
    struct hd_job *file = HD_NEW(a, hd_job); // what messages about a line need to know
    struct hd_jobline l = {.arena = a, .diag = d, .job = file};
    char err[HD_FILE_WHY];

    file->path = hd_jobregs_path(a, ptx);
    if (access(file->path, F_OK))
        return true;
    file->text = (const char *)hd_file_read(a, file->path, &bytes, err);
    if (!file->text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read %s", err);
        return false;
    }
    file->text_bytes = bytes;
    for (const char *at = file->text, *end = at + bytes; at < end;) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        eol = eol ? eol : end;
        l.line++;
        hd_jobline_split(&l, at, eol);
        read_line(r, &l);
        at = eol + 1;
    }
    return d->n + d->dropped == before;
}

const struct hd_jobregs_kernel *hd_jobregs_find(const struct hd_jobregs *r, const char *kernel)
{
    for (size_t i = 0; i < r->n; i++)
        if (!strcmp(r->kernels[i].name, kernel))
            return &r->kernels[i];
    return NULL;
}
