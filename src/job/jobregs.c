// jobregs.c - NAME.regs beside NAME.ptx. See jobregs.h.
#include "job/jobregs.h"

#include "base/file.h"
#include "job/jobline.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGS_MAX 65535
#define OWN_TARGET "sm_75" // of what NAME.regs holds
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

// "sm_20", "sm_90a": what PTX calls a target. Returns its length, 0 if none begins here.
static size_t target_length(const char *word)
{
    size_t digits = strncmp(word, "sm_", 3) ? 0 : strspn(word + 3, "0123456789");

    if (digits < 2 || digits > 3)
        return 0;
    return 3 + digits + (word[3 + digits] == 'a' || word[3 + digits] == 'f');
}

bool hd_jobregs_choose(const char *word, struct hd_jobregs_choice *out)
{
    size_t digits = strspn(word, "0123456789"), target = target_length(word);
    unsigned long n;

    *out = (struct hd_jobregs_choice){.word = word};
    if (!digits) {
        if (!strcmp(word, OWN_TARGET))
            out->word = NULL;
        return target && !word[target];
    }
    errno = 0;
    n = strtoul(word, NULL, 10);
    out->each = (uint32_t)n;
    return !word[digits] && *word != '0' && !errno && n <= REGS_MAX;
}

// How much of the path is the module's name: without ".ptx" and, for a target, without the target
// that this text was written for.
static size_t stem_length(const char *ptx, bool of_target)
{
    size_t n = strlen(ptx);

    if (n > 4 && !strcmp(ptx + n - 4, ".ptx"))
        n -= 4;
    for (size_t dot = n; of_target && dot-- > 0 && ptx[dot] != '/';)
        if (ptx[dot] == '.')
            return dot && target_length(ptx + dot + 1) == n - dot - 1 ? dot : n;
    return n;
}

const char *hd_jobregs_path(struct hd_arena *a, const char *ptx, const char *target)
{
    return hd_arena_printf(a, "%.*s%s%s.regs", (int)stem_length(ptx, target != NULL), ptx,
                           target ? "." : "", target ? target : "");
}

// The targets of the files that there are for a module, to suggest one.
static void hint_targets(struct hd_diag_entry *e, struct hd_arena *a, const char *ptx)
{
    const char *path = hd_arena_printf(a, "%.*s", (int)stem_length(ptx, true), ptx);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    DIR *dir = opendir(slash ? hd_arena_strndup(a, path, (size_t)(slash - path) + 1) : ".");
    size_t stem = strlen(name);
    const char *known = "";

    for (struct dirent *f; dir && (f = readdir(dir));) {
        bool ours = !strncmp(f->d_name, name, stem) && f->d_name[stem] == '.';
        const char *at = f->d_name + stem + ours;
        size_t length = ours ? target_length(at) : 0;
        if (length && !strcmp(at + length, ".regs"))
            known = hd_arena_printf(a, "%s%s%.*s", known, *known ? ", " : "", (int)length, at);
    }
    if (dir)
        closedir(dir);
    if (*known)
        hd_diag_hint(e, "there are those of %.100s", known);
    else
        hd_diag_hint(e, "--regs N gives every kernel N");
}

static bool read_file(struct hd_jobregs *r, struct hd_arena *a, const char *path, struct hd_diag *d)
{
    size_t bytes = 0;
    unsigned before = d->n + d->dropped;
    struct hd_job *file = HD_NEW(a, hd_job); // what messages about a line need to know
    struct hd_jobline l = {.arena = a, .diag = d, .job = file};
    char err[HD_FILE_WHY];

    file->path = path;
    file->text = (const char *)hd_file_read(a, path, &bytes, err);
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

// A kernel that is left out would silently have other registers than its neighbours.
static bool names_all(const struct hd_jobregs *r, struct hd_arena *a, const char *ptx,
                      const char *path, struct hd_diag *d)
{
    struct hd_jobregs own = {.n = 0};
    bool all = hd_jobregs_read(&own, a, ptx, NULL, d);

    for (size_t i = 0; all && i < own.n; i++)
        if (!hd_jobregs_find(r, own.kernels[i].name)) {
            hd_diag_hint(
                hd_diag_add(d, path, 0, 0, "has no line for kernel '%.60s'", own.kernels[i].name),
                "%.160s has one", hd_jobregs_path(a, ptx, NULL));
            all = false;
        }
    return all;
}

bool hd_jobregs_read(struct hd_jobregs *r, struct hd_arena *a, const char *ptx, const char *target,
                     struct hd_diag *d)
{
    const char *path = hd_jobregs_path(a, ptx, target);

    if (!target)
        return access(path, F_OK) || read_file(r, a, path, d);
    if (access(path, F_OK)) {
        hint_targets(hd_diag_add(d, NULL, 0, 0, "no registers of %.20s: there is no file %.200s",
                                 target, path),
                     a, ptx);
        return false;
    }
    return read_file(r, a, path, d) && names_all(r, a, ptx, path, d);
}

const struct hd_jobregs_kernel *hd_jobregs_find(const struct hd_jobregs *r, const char *kernel)
{
    for (size_t i = 0; i < r->n; i++)
        if (!strcmp(r->kernels[i].name, kernel))
            return &r->kernels[i];
    return NULL;
}
