// jobrun.c - a job on a machine: allocate, load, launch one after the other, check, dump.
#include "run/jobrun.h"

#include "base/bug.h"
#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define FILL_PIECE ((uint64_t)1 << 20) // buffers are filled through a window of this size

static void blame_line(const struct hd_job *j, struct hd_diag *d, unsigned from,
                       struct hd_job_place at)
{
    // The machine gives the reason for a refusal; the place in the job file is added here.
    for (unsigned i = from; i < d->n; i++)
        if (!d->entries[i].file) {
            d->entries[i].file = j->path;
            d->entries[i].line = at.line;
            d->entries[i].column = at.column;
            hd_diag_excerpt(&d->entries[i], j->text, j->text_bytes);
        }
}

// Filling large buffers takes seconds, in which the user may interrupt.
static bool stopped(const struct hd_gpu_options *o)
{
    return o->progress && !o->progress(o->progress_ctx, &(struct hd_gpu_progress){0});
}

static bool fill_buf(struct hd_memory *m, const struct hd_job_buf *b, uint64_t address,
                     uint8_t *window, const struct hd_gpu_options *o)
{
    if (b->fill == HD_FILL_ZERO)
        return true;
    for (uint64_t at = 0; at < b->bytes && !stopped(o); at += FILL_PIECE) {
        uint64_t n = b->bytes - at < FILL_PIECE ? b->bytes - at : FILL_PIECE;
        hd_jobdata_fill(b, at, window, n);
        if (!hd_memory_write(m, address + at, window, n))
            return false;
    }
    return true;
}

static bool allocate(const struct hd_job *j, struct hd_arena *a, const struct hd_gpu_options *o,
                     struct hd_memory *m, uint64_t *addresses, uint64_t *guards, struct hd_diag *d)
{
    uint8_t *window = hd_arena_get(a, FILL_PIECE, 1);

    for (size_t i = 0; i < j->n_bufs && !stopped(o); i++) {
        const struct hd_job_buf *b = &j->bufs[i];
        addresses[i] = hd_memory_alloc(m, b->bytes, b->name);
        if (addresses[i] && b->guard)
            guards[i] = hd_memory_alloc(m, b->guard, hd_arena_printf(a, "guard of %s", b->name));
        if (!addresses[i] || (b->guard && !guards[i])) {
            struct hd_diag_entry *e = hd_diag_add(d, j->path, b->at.line, b->at.column,
                                                  "no room for buffer '%.60s' of %" PRIu64
                                                  " bytes in the device's memory",
                                                  b->name, b->bytes);
            if (!hd_memory_view(m).size)
                hd_diag_hint(e, "it found no address space; raise the limit of the shell "
                                "(ulimit -v)");
            hd_diag_excerpt(e, j->text, j->text_bytes);
            return false;
        }
        HD_BUG_IF(!fill_buf(m, b, addresses[i], window, o), "buffer %s is not writable", b->name);
    }
    return true;
}

static void set_resources(const struct hd_job *j, const struct hd_run_options *o,
                          struct hd_launch_request *r)
{
    const struct hd_jobregs_kernel *file = hd_jobregs_find(&j->regs, r->kernel->name);
    struct hd_run_resources own = {.shared_static = UINT32_MAX};

    if (file)
        own = (struct hd_run_resources){file->regs, file->smem, "file"};
    for (size_t i = 0; i < j->n_kernels; i++) {
        if (j->kernels[i].func != r->kernel)
            continue;
        if (j->kernels[i].regs) {
            own.regs = j->kernels[i].regs;
            own.regs_source = "job";
        }
        if (j->kernels[i].smem != UINT32_MAX)
            own.shared_static = j->kernels[i].smem;
    }
    own = hd_runs_resources(o, r->kernel->name, own);
    r->regs = own.regs;
    r->regs_source = own.regs_source;
    r->shared_static = own.shared_static;
}

struct resources { // for hd_gpu_options.resources
    const struct hd_job *job;
    const struct hd_run_options *options;
};

static void resources_of_child(void *ctx, struct hd_launch_request *r)
{
    const struct resources *of = ctx;

    set_resources(of->job, of->options, r);
}

// Every override must name a kernel of the module.
static bool known_overrides(const struct hd_job *j, struct hd_arena *a,
                            const struct hd_run_options *o, struct hd_diag *d)
{
    const struct hd_program *p = j->program;
    const char **names = HD_ARRAY(a, const char *, p->n_funcs + 1);
    size_t n = 0;
    bool ok = true;

    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (p->funcs[i].is_kernel)
            names[n++] = p->funcs[i].name;
    for (size_t i = 0; i < o->n_overrides; i++) {
        const struct hd_func *f = hd_program_find(p, o->overrides[i].kernel);
        if (f && f->is_kernel)
            continue;
        hd_diag_nearest(hd_diag_add(d, NULL, 0, 0, "--set kernel.%.60s: no such kernel in %s",
                                    o->overrides[i].kernel, j->ptx),
                        o->overrides[i].kernel, names);
        ok = false;
    }
    return ok;
}

static bool launch_all(struct hd_run *r, const struct hd_job *j, struct hd_arena *a,
                       const struct hd_run_options *o, const uint64_t *addresses, struct hd_diag *d)
{
    for (size_t i = 0; i < j->n_launches && r->status == HD_RUN_OK; i++) {
        const struct hd_job_launch *l = &j->launches[i];
        struct hd_launch_request q = {.program = j->program,
                                      .kernel = l->func,
                                      .dynamic_shared = l->dynamic_shared,
                                      .params = hd_jobdata_params(a, l, addresses)};
        unsigned before = d->n;
        memcpy(q.grid, l->grid, sizeof q.grid);
        memcpy(q.block, l->block, sizeof q.block);
        set_resources(j, o, &q);
        if (!hd_gpu_submit(r->gpu, &q, d)) {
            blame_line(j, d, before, l->at);
            return false;
        }
        r->status = hd_gpu_run(r->gpu);
    }
    return true;
}

// Converts the job file's word for a comparison to the way of a check.
static enum hd_check_way way_of(const struct hd_job_check *c)
{
    switch ((enum hd_job_compare)c->compare) {
    case HD_COMPARE_EXACT:
        return HD_CHECK_EXACT;
    case HD_COMPARE_F32:
        return HD_CHECK_F32;
    case HD_COMPARE_F64:
        return HD_CHECK_F64;
    }
    HD_BUG("comparison %u", c->compare);
}

static void check_all(struct hd_run *r, const struct hd_job *j, struct hd_arena *a,
                      const uint64_t *addresses)
{
    r->checks = HD_ARRAY(a, struct hd_check, j->n_checks);
    r->n_checks = j->n_checks;
    r->checked = j->n_checks > 0;
    r->verified = true;
    for (size_t i = 0; i < j->n_checks; i++) {
        const struct hd_job_check *c = &j->checks[i];
        const uint8_t *got = hd_memory_at(hd_gpu_memory(r->gpu), addresses[c->buf], c->bytes);
        HD_BUG_IF(!got, "buffer %s cannot be read", c->buf_name);
        r->checks[i] = (struct hd_check){.name = c->buf_name,
                                         .line = c->buf_at.line,
                                         .way = way_of(c),
                                         .bytes = c->bytes,
                                         .tolerance = c->tolerance,
                                         .expected = c->file.data};
        hd_check_compare(&r->checks[i], got);
        if (r->checks[i].differ)
            r->verified = false;
    }
}

static bool dump_all(struct hd_run *r, const struct hd_job *j, struct hd_arena *a,
                     const struct hd_run_options *o, const uint64_t *addresses, struct hd_diag *d)
{
    bool ok = true;

    for (size_t i = 0; i < j->n_dumps && o->out; i++) {
        const struct hd_job_dump *dump = &j->dumps[i];
        const char *path = hd_arena_printf(a, "%s/%s", o->out, dump->file);
        const uint8_t *from =
            hd_memory_at(hd_gpu_memory(r->gpu), addresses[dump->buf], dump->bytes);
        char err[HD_FILE_WHY];
        HD_BUG_IF(!from, "buffer %s cannot be read", dump->buf_name);
        const char *folder = hd_arena_strndup(a, path, (size_t)(strrchr(path, '/') - path));
        if (hd_file_folders(a, folder, err) && hd_file_write(path, from, dump->bytes, err))
            continue;
        hd_diag_add(d, j->path, dump->file_at.line, dump->file_at.column, "cannot write %s", err);
        ok = false;
    }
    return ok;
}

bool hd_jobrun_start(struct hd_run *r, struct hd_job *j, struct hd_arena *a,
                     const struct hd_run_options *o, struct hd_diag *d)
{
    uint64_t *addresses = HD_ARRAY(a, uint64_t, j->n_bufs + 1);
    uint64_t *guards = HD_ARRAY(a, uint64_t, j->n_bufs + 1);
    struct resources *of = HD_NEW(a, resources);
    struct hd_gpu_options gpu = o->gpu;

    *r = (struct hd_run){.path = j->path, .program = j->program, .to_check = j->n_checks > 0};
    if (!known_overrides(j, a, o, d))
        return false;
    *of = (struct resources){j, o};
    gpu.resources = resources_of_child;
    gpu.resources_ctx = of;
    r->gpu = hd_gpu_new(&gpu);
    struct hd_memory *m = hd_gpu_memory(r->gpu);
    if (!allocate(j, a, &gpu, m, addresses, guards, d) || !hd_gpu_load(r->gpu, j->program, d))
        return false;
    for (size_t i = 0; i < j->n_bufs; i++) // zeros are not copied, but set
        if (j->bufs[i].fill != HD_FILL_ZERO)
            hd_gpu_copied(r->gpu, addresses[i], j->bufs[i].bytes);
    for (size_t i = 0; i < j->n_bufs; i++) // holes from here on
        if (guards[i]) {
            hd_memory_release(m, guards[i]);
            hd_memory_make_exact(m, addresses[i]);
        }
    if (stopped(&gpu))
        r->status = HD_RUN_STOPPED;
    if (!launch_all(r, j, a, o, addresses, d))
        return false;
    if (r->status != HD_RUN_OK)
        return true;
    check_all(r, j, a, addresses);
    return dump_all(r, j, a, o, addresses, d);
}
