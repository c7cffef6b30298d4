// job.c - the job grammar: lines of text to struct hd_job. The grammar is at the top of job.h.
//
// Every bad line is reported and the rest still read, so that one run shows all mistakes.
#include "job/job.h"

#include "base/file.h"
#include "job/jobline.h"
#include "job/jobnames.h"
#include "job/jobresolve.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

#define SHARED_MAX ((uint64_t)16 << 20)
#define REGS_MAX 65535

struct caps { // room of the growing lists, and the names in them
    size_t modules, kernels, bufs, consts, launches, checks, dumps;
    struct hd_jobnames module_names, kernel_names, buf_names, const_names, dump_names;
};

static const char *const line_words[] = {"ptx",    "kernel", "buf",  "const",
                                         "launch", "check",  "dump", NULL};

static struct hd_job_file read_file_word(struct hd_jobline *l)
{
    struct hd_job_file f = {.at = hd_jobline_place(l)};

    f.name = hd_jobline_word(l, "a file name");
    return f;
}

static void duplicate(struct hd_jobline *l, struct hd_job_place at, const char *what,
                      const char *name, struct hd_job_place first)
{
    if (!l->failed)
        hd_jobline_error(l, at.column, "%s '%.60s' was already given in line %u", what, name,
                         first.line);
}

static void read_ptx(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    do {
        struct hd_job_module m = {.at = hd_jobline_place(l)};
        const char *name = hd_jobline_word(l, "the module's file name");
        if (l->failed)
            return;
        m.path = hd_file_beside(l->arena, j->path, name);
        size_t same = hd_jobnames_find(&caps->module_names, m.path);
        if (same != HD_JOBNAMES_NONE)
            duplicate(l, m.at, "module", name, j->modules[same].at);
        if (l->failed)
            return;
        hd_jobnames_add(&caps->module_names, l->arena, m.path, j->n_modules);
        *HD_PUSH(l->arena, j->modules, j->n_modules, caps->modules) = m;
    } while (l->at < l->n);
    j->ptx = j->modules[0].path;
}

static void read_kernel(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    static const char *const settings[] = {"regs", "smem", NULL};
    struct hd_job_kernel k = {.smem = UINT32_MAX, .at = hd_jobline_place(l)};

    k.name = hd_jobline_word(l, "a kernel name");
    while (!l->failed && l->at < l->n) {
        struct hd_job_place at = hd_jobline_place(l);
        if (!k.regs && hd_jobline_is(l, "regs")) {
            k.regs = (uint32_t)hd_jobline_number(l, "registers per thread", 1, REGS_MAX);
        } else if (k.smem == UINT32_MAX && hd_jobline_is(l, "smem")) {
            k.smem = (uint32_t)hd_jobline_number(l, "bytes of shared memory", 0, SHARED_MAX);
        } else {
            const char *word = hd_jobline_word(l, "a setting");
            hd_diag_nearest(hd_jobline_error(l, at.column,
                                             "'%.60s' here: expected 'regs N' or 'smem N', each "
                                             "once",
                                             word),
                            word, settings);
        }
    }
    if (l->failed)
        return;
    size_t same = hd_jobnames_find(&caps->kernel_names, k.name);
    if (same != HD_JOBNAMES_NONE) {
        duplicate(l, k.at, "kernel", k.name, j->kernels[same].at);
        return;
    }
    hd_jobnames_add(&caps->kernel_names, l->arena, k.name, j->n_kernels);
    *HD_PUSH(l->arena, j->kernels, j->n_kernels, caps->kernels) = k;
}

static void read_fill(struct hd_jobline *l, struct hd_job_buf *b)
{
    static const char *const fills[] = {"zero", "file", "seq32", "rand32", "randf32", NULL};
    struct hd_job_place at = hd_jobline_place(l);
    const char *word = hd_jobline_word(l, "the contents: zero, file, seq32, rand32 or randf32");
    uint32_t fill = 0;

    if (!word)
        return;
    while (fills[fill] && strcmp(fills[fill], word))
        fill++;
    if (!fills[fill]) {
        hd_diag_nearest(hd_jobline_error(l, at.column,
                                         "unknown contents '%.60s': expected zero, file, seq32, "
                                         "rand32 or randf32",
                                         word),
                        word, fills);
        return;
    }
    b->fill = fill;
    if (fill == HD_FILL_FILE)
        b->file = read_file_word(l);
    if (fill == HD_FILL_RAND32 || fill == HD_FILL_RANDF32)
        b->seed = hd_jobline_number(l, "a seed", 0, UINT64_MAX);
    if (fill == HD_FILL_RANDF32) {
        b->lo = (float)hd_jobline_real(l, "the lower bound", -(double)FLT_MAX, (double)FLT_MAX);
        at = hd_jobline_place(l);
        b->hi = (float)hd_jobline_real(l, "the upper bound", -(double)FLT_MAX, (double)FLT_MAX);
        if (!l->failed && b->hi < b->lo)
            hd_jobline_error(l, at.column, "the upper bound is below the lower bound");
    }
}

static void read_buf(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    static const char *const settings[] = {"guard", NULL};
    struct hd_job_buf b = {.at = hd_jobline_place(l)};

    b.name = hd_jobline_name(l, "a buffer name");
    b.bytes = hd_jobline_number(l, "a buffer's size in bytes", 1, HD_JOB_BUF_MAX);
    read_fill(l, &b);
    struct hd_job_place at = hd_jobline_place(l);
    if (hd_jobline_is(l, "guard"))
        b.guard = hd_jobline_number(l, "bytes of guard", 1, HD_JOB_BUF_MAX);
    else if (!l->failed && l->at < l->n)
        hd_diag_nearest(hd_jobline_error(l, at.column,
                                         "'%.60s' here: expected 'guard N' or the "
                                         "end of the line",
                                         l->words[l->at].text),
                        l->words[l->at].text, settings);
    hd_jobline_end(l);
    size_t same = l->failed ? HD_JOBNAMES_NONE : hd_jobnames_find(&caps->buf_names, b.name);
    if (same != HD_JOBNAMES_NONE)
        duplicate(l, b.at, "buffer", b.name, j->bufs[same].at);
    if (l->failed) // the job is refused, but lines that name the buffer are right
        b.bytes = HD_JOB_BUF_MAX;
    if (!b.name)
        return;
    hd_jobnames_add(&caps->buf_names, l->arena, b.name, j->n_bufs);
    *HD_PUSH(l->arena, j->bufs, j->n_bufs, caps->bufs) = b;
}

static void read_const(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    struct hd_job_const c = {.at = hd_jobline_place(l)};

    c.symbol = hd_jobline_word(l, "a symbol of the module");
    c.bytes = hd_jobline_number(l, "a number of bytes", 1, UINT32_MAX);
    struct hd_job_place at = hd_jobline_place(l);
    const char *word = hd_jobline_word(l, "'file F'");
    if (word && strcmp(word, "file"))
        hd_jobline_error(l, at.column, "'%.60s' here: expected 'file F'", word);
    c.file = read_file_word(l);
    hd_jobline_end(l);
    if (l->failed)
        return;
    size_t same = hd_jobnames_find(&caps->const_names, c.symbol);
    if (same != HD_JOBNAMES_NONE) {
        duplicate(l, c.at, "symbol", c.symbol, j->consts[same].at);
        return;
    }
    hd_jobnames_add(&caps->const_names, l->arena, c.symbol, j->n_consts);
    *HD_PUSH(l->arena, j->consts, j->n_consts, caps->consts) = c;
}

// `p:BUF` or `p:BUF+off`.
static void read_pointer(struct hd_jobline *l, struct hd_job_arg *arg)
{
    const char *name = arg->text + 2, *plus = strchr(name, '+');

    arg->buf_name = plus ? hd_arena_strndup(l->arena, name, (size_t)(plus - name)) : name;
    arg->n_bytes = 8;
    if (plus && !hd_jobline_unsigned(plus + 1, UINT64_MAX, &arg->offset))
        hd_jobline_error(l, arg->at.column + (uint32_t)(plus + 1 - arg->text),
                         "'%.40s' is not an offset in bytes", plus + 1);
}

static void read_argument(struct hd_jobline *l, struct hd_job_launch *launch, size_t *cap)
{
    struct hd_job_arg arg = {.at = hd_jobline_place(l)};
    const char *expected;
    size_t n = launch->n_args;

    arg.text = hd_jobline_word(l, "an argument");
    arg.kind = arg.text[0];
    if (!arg.kind || arg.text[1] != ':' || !strchr("piulfdhwbx", arg.kind)) {
        struct hd_diag_entry *e =
            hd_jobline_error(l, arg.at.column, "'%.60s' is not an argument", arg.text);
        hd_diag_hint(e, "expected p:BUF[+off] i:INT u:UINT l:INT64 f:FLOAT d:DOUBLE h:HALF w:SHORT "
                        "b:BYTE or x:HEXBYTES");
        return;
    }
    if (arg.kind == 'p')
        read_pointer(l, &arg);
    else if ((expected = hd_jobdata_argument(l->arena, arg.text + 2, &arg)))
        hd_jobline_error(l, arg.at.column + 2, "'%.40s' is not %s", arg.text + 2, expected);
    if (l->failed)
        return;
    *HD_PUSH(l->arena, launch->args, n, *cap) = arg;
    launch->n_args = (uint32_t)n;
}

static void read_launch(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    // What CUDA allows of any device; whether this machine can run it is said at submission.
    static const struct {
        const char *what;
        uint32_t max;
    } dims[6] = {{"the grid's x", INT32_MAX}, {"the grid's y", 65535}, {"the grid's z", 65535},
                 {"the block's x", 1024},     {"the block's y", 1024}, {"the block's z", 64}};
    struct hd_job_launch launch = {.at = hd_jobline_place(l)};
    struct hd_job_place grid_at = launch.at, block_at = launch.at;
    uint64_t blocks = 1, threads = 1;
    size_t cap = 0;

    launch.name = hd_jobline_word(l, "a kernel name");
    for (unsigned i = 0; i < 6; i++) {
        if (i % 3 == 0)
            *(i ? &block_at : &grid_at) = hd_jobline_place(l);
        uint32_t n = (uint32_t)hd_jobline_number(l, dims[i].what, 1, dims[i].max);
        if (i < 3) {
            launch.grid[i] = n;
            blocks *= n;
        } else {
            launch.block[i - 3] = n;
            threads *= n;
        }
    }
    launch.dynamic_shared =
        (uint32_t)hd_jobline_number(l, "bytes of dynamic shared memory", 0, SHARED_MAX);
    if (!l->failed && blocks > UINT32_MAX)
        hd_jobline_error(l, grid_at.column, "%" PRIu64 " thread blocks; at most 4294967295",
                         blocks);
    if (!l->failed && threads > 1024)
        hd_jobline_error(l, block_at.column, "%" PRIu64 " threads in a block; at most 1024",
                         threads);
    while (!l->failed && l->at < l->n)
        read_argument(l, &launch, &cap);
    if (!l->failed)
        *HD_PUSH(l->arena, j->launches, j->n_launches, caps->launches) = launch;
}

static void read_check(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    static const char *const ways[] = {"exact", "f32", "f64", NULL};
    static const uint32_t element[] = {1, 4, 8};
    struct hd_job_check c = {.buf_at = hd_jobline_place(l)};

    c.buf_name = hd_jobline_word(l, "a buffer name");
    c.bytes_at = hd_jobline_place(l);
    c.bytes = hd_jobline_number(l, "a number of bytes", 1, HD_JOB_BUF_MAX);
    c.file = read_file_word(l);
    struct hd_job_place at = hd_jobline_place(l);
    const char *way = hd_jobline_word(l, "the comparison: exact, f32 TOL or f64 TOL");
    if (!way)
        return;
    while (ways[c.compare] && strcmp(ways[c.compare], way))
        c.compare++;
    if (!ways[c.compare]) {
        hd_diag_nearest(hd_jobline_error(l, at.column,
                                         "unknown comparison '%.60s': expected exact, f32 TOL or "
                                         "f64 TOL",
                                         way),
                        way, ways);
        return;
    }
    if (c.compare != HD_COMPARE_EXACT)
        c.tolerance = hd_jobline_real(l, "a tolerance", 0, DBL_MAX);
    if (!l->failed && c.bytes % element[c.compare])
        hd_jobline_error(l, c.bytes_at.column, "%" PRIu64 " bytes are not a whole number of %s",
                         c.bytes, c.compare == HD_COMPARE_F32 ? "floats" : "doubles");
    hd_jobline_end(l);
    if (!l->failed)
        *HD_PUSH(l->arena, j->checks, j->n_checks, caps->checks) = c;
}

// Dumps stay inside the folder that --out names.
static bool leaves_folder(const char *name)
{
    size_t n = strlen(name);

    return name[0] == '/' || !strcmp(name, "..") || !strncmp(name, "../", 3) ||
           strstr(name, "/../") || (n >= 3 && !strcmp(name + n - 3, "/..")) || name[n - 1] == '/';
}

static void read_dump(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    struct hd_job_dump dump = {.buf_at = hd_jobline_place(l)};

    dump.buf_name = hd_jobline_word(l, "a buffer name");
    dump.bytes_at = hd_jobline_place(l);
    dump.bytes = hd_jobline_number(l, "a number of bytes", 1, HD_JOB_BUF_MAX);
    dump.file_at = hd_jobline_place(l);
    dump.file = hd_jobline_word(l, "a file name");
    if (!l->failed && leaves_folder(dump.file))
        hd_jobline_error(l, dump.file_at.column,
                         "'%.60s' is not a file inside the output folder (--out DIR)", dump.file);
    hd_jobline_end(l);
    if (l->failed)
        return;
    size_t same = hd_jobnames_find(&caps->dump_names, dump.file);
    if (same != HD_JOBNAMES_NONE) {
        duplicate(l, dump.file_at, "output file", dump.file, j->dumps[same].file_at);
        return;
    }
    hd_jobnames_add(&caps->dump_names, l->arena, dump.file, j->n_dumps);
    *HD_PUSH(l->arena, j->dumps, j->n_dumps, caps->dumps) = dump;
}

static void read_line(struct hd_jobline *l, struct hd_job *j, struct caps *caps)
{
    if (l->failed || l->n == 0)
        return;

    const char *word = hd_jobline_word(l, "a line");
    if (!strcmp(word, "ptx"))
        read_ptx(l, j, caps);
    else if (!strcmp(word, "kernel"))
        read_kernel(l, j, caps);
    else if (!strcmp(word, "buf"))
        read_buf(l, j, caps);
    else if (!strcmp(word, "const"))
        read_const(l, j, caps);
    else if (!strcmp(word, "launch"))
        read_launch(l, j, caps);
    else if (!strcmp(word, "check"))
        read_check(l, j, caps);
    else if (!strcmp(word, "dump"))
        read_dump(l, j, caps);
    else
        hd_diag_nearest(hd_jobline_error(l, l->words[0].column,
                                         "unknown word '%.60s': expected ptx, kernel, buf, const, "
                                         "launch, check or dump",
                                         word),
                        word, line_words);
}

struct linking { // names to what they mean, when all lines have been read
    struct hd_job *job;
    struct hd_arena *arena;
    struct hd_diag *diag;
    const struct hd_jobnames *bufs;
};

// The buffer of that name, or a message with the nearest one.
static const struct hd_job_buf *need_buf(const struct linking *l, struct hd_job_place at,
                                         const char *name)
{
    const struct hd_job *j = l->job;
    size_t found = hd_jobnames_find(l->bufs, name);

    if (found != HD_JOBNAMES_NONE)
        return &j->bufs[found];
    struct hd_diag_entry *e =
        hd_jobline_complain(j, l->diag, at, "there is no buffer '%.60s' in this job", name);
    if (l->diag->dropped) // what it might have been is not shown
        return NULL;
    const char **names = HD_ARRAY(l->arena, const char *, j->n_bufs + 1);
    for (size_t i = 0; i < j->n_bufs; i++)
        names[i] = j->bufs[i].name;
    hd_diag_nearest(e, name, names);
    return NULL;
}

static uint32_t need_part(const struct linking *l, const char *name, struct hd_job_place name_at,
                          uint64_t bytes, struct hd_job_place bytes_at)
{
    const struct hd_job_buf *b = need_buf(l, name_at, name);

    if (!b)
        return 0;
    if (bytes > b->bytes)
        hd_jobline_complain(l->job, l->diag, bytes_at,
                            "%" PRIu64 " bytes, but buffer '%.60s' has %" PRIu64, bytes, name,
                            b->bytes);
    return (uint32_t)(b - l->job->bufs);
}

static void link_pointer(const struct linking *l, struct hd_job_arg *arg)
{
    struct hd_job_place at = {arg->at.line, arg->at.column + 2};
    const struct hd_job_buf *b = need_buf(l, at, arg->buf_name);

    if (!b)
        return;
    arg->buf = (uint32_t)(b - l->job->bufs);
    if (arg->offset > b->bytes + b->guard)
        hd_jobline_complain(l->job, l->diag, at,
                            "offset %" PRIu64 " is outside buffer '%.60s' of %" PRIu64 " bytes",
                            arg->offset, b->name, b->bytes);
}

static void link_names(const struct linking *l)
{
    struct hd_job *j = l->job;

    for (size_t i = 0; i < j->n_launches; i++)
        for (uint32_t k = 0; k < j->launches[i].n_args; k++)
            if (j->launches[i].args[k].kind == 'p')
                link_pointer(l, &j->launches[i].args[k]);
    for (size_t i = 0; i < j->n_checks; i++) {
        struct hd_job_check *c = &j->checks[i];
        c->buf = need_part(l, c->buf_name, c->buf_at, c->bytes, c->bytes_at);
    }
    for (size_t i = 0; i < j->n_dumps; i++) {
        struct hd_job_dump *o = &j->dumps[i];
        o->buf = need_part(l, o->buf_name, o->buf_at, o->bytes, o->bytes_at);
    }
}

static const char *name_of(struct hd_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    size_t n = strlen(last);

    if (n > 4 && !strcmp(last + n - 4, ".job"))
        n -= 4;
    return hd_arena_strndup(a, last, n);
}

struct hd_job *hd_job_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                            struct hd_diag *d)
{
    struct hd_job *j = HD_NEW(a, hd_job);
    struct hd_jobline l = {.arena = a, .diag = d, .job = j};
    struct caps caps = {0};
    unsigned before = hd_jobline_messages(d);
    const char *end = text + bytes;

    if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) // a byte order mark is no word
        text += 3;
    j->path = path;
    j->name = name_of(a, path);
    j->text = text;
    j->text_bytes = (size_t)(end - text);
    for (const char *p = text; p < end;) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        if (!eol)
            eol = end;
        l.line++;
        hd_jobline_split(&l, p, eol);
        read_line(&l, j, &caps);
        p = eol + 1;
    }
    if (hd_jobline_messages(d) == before) {
        if (!j->ptx)
            hd_diag_add(d, path, 0, 0, "no 'ptx FILE' line: which module is to be loaded?");
        if (!j->n_launches)
            hd_diag_add(d, path, 0, 0, "no 'launch' line: nothing would run");
    }
    link_names(&(struct linking){j, a, d, &caps.buf_names});
    return hd_jobline_messages(d) == before ? j : NULL;
}

struct hd_job *hd_job_load(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    size_t bytes = 0;
    char err[HD_FILE_WHY];
    const uint8_t *text = hd_file_read(a, path, &bytes, err);

    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read job %s", err);
        return NULL;
    }
    struct hd_job *j = hd_job_parse(a, path, (const char *)text, bytes, d);
    return j && hd_jobresolve_names(j, a, d) ? j : NULL;
}
