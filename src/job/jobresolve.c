// jobresolve.c - the names in a job to files, kernels and symbols. See jobresolve.h.
#include "job/jobresolve.h"

#include "base/file.h"
#include "job/jobline.h"
#include "ptx/ptx.h"

#include <inttypes.h>
#include <string.h>

static void load_input(struct hd_job *j, struct hd_arena *a, struct hd_diag *d,
                       struct hd_job_file *f, uint64_t bytes, const char *whose)
{
    const char *path = hd_file_beside(a, j->path, f->name);
    size_t got = 0;
    char err[HD_FILE_WHY];

    f->data = hd_file_read(a, path, &got, err);
    if (!f->data)
        hd_jobline_complain(j, d, f->at, "cannot read %s", err);
    else if (got < bytes)
        hd_jobline_complain(j, d, f->at, "%s has %zu bytes, %.60s needs %" PRIu64, path, got, whose,
                            bytes);
}

static void load_inputs(struct hd_job *j, struct hd_arena *a, struct hd_diag *d)
{
    for (size_t i = 0; i < j->n_bufs; i++)
        if (j->bufs[i].fill == HD_FILL_FILE)
            load_input(j, a, d, &j->bufs[i].file, j->bufs[i].bytes, j->bufs[i].name);
    for (size_t i = 0; i < j->n_consts; i++)
        load_input(j, a, d, &j->consts[i].file, j->consts[i].bytes, j->consts[i].symbol);
    for (size_t i = 0; i < j->n_checks; i++)
        load_input(j, a, d, &j->checks[i].file, j->checks[i].bytes, "the check");
}

static struct hd_program *load_modules(struct hd_job *j, struct hd_arena *a, struct hd_diag *d)
{
    struct hd_text *texts = HD_ARRAY(a, struct hd_text, j->n_modules);
    bool ok = true;
    char err[HD_FILE_WHY];

    for (size_t i = 0; i < j->n_modules; i++) {
        texts[i].path = j->modules[i].path;
        texts[i].text = hd_file_read(a, texts[i].path, &texts[i].bytes, err);
        if (!texts[i].text)
            hd_jobline_complain(j, d, j->modules[i].at, "cannot read %s", err);
        ok &= texts[i].text && hd_jobregs_read(&j->regs, a, texts[i].path, NULL, d);
    }
    return ok ? hd_ptx_link(a, texts, (uint32_t)j->n_modules, d) : NULL;
}

// What messages say of where a name was looked for.
static const char *modules_text(const struct hd_job *j, struct hd_arena *a)
{
    return j->n_modules == 1 ? j->ptx : hd_arena_printf(a, "any of the %zu modules", j->n_modules);
}

// For C++, vecadd(float *) is _Z6vecaddPf, unless it is extern "C"; with templates and namespaces
// the name is at another place, also after its length.
static void hint_mangled(struct hd_diag_entry *e, const char *name, const char *const *names)
{
    char part[80];
    const char *first = NULL;
    unsigned n = 0;

    snprintf(part, sizeof part, "%zu%.60s", strlen(name), name);
    for (; *names; names++)
        if (!strncmp(*names, "_Z", 2) && strstr(*names, part)) {
            first = first ? first : *names;
            n++;
        }
    if (n == 1)
        hd_diag_hint(e, "C++ named it %.80s; extern \"C\" in front of it keeps the name", first);
    else if (n)
        hd_diag_hint(e, "C++ named %u kernels after it, the first is %.80s", n, first);
}

// The kernel of that name, or a message: unknown, or a function that cannot be launched.
static const struct hd_func *need_kernel(struct hd_job *j, struct hd_arena *a, struct hd_diag *d,
                                         const char *name, struct hd_job_place at)
{
    const struct hd_program *p = j->program;
    const struct hd_func *f = hd_program_find(p, name);

    if (f && f->is_kernel)
        return f;
    if (f) {
        hd_jobline_complain(j, d, at, "'%.60s' is a device function, not a kernel", name);
        return NULL;
    }
    struct hd_diag_entry *e =
        hd_jobline_complain(j, d, at, "there is no kernel '%.60s' in %s", name, modules_text(j, a));
    const char **names = HD_ARRAY(a, const char *, p->n_funcs + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (p->funcs[i].is_kernel)
            names[n++] = p->funcs[i].name;
    hd_diag_nearest(e, name, names);
    hint_mangled(e, name, names);
    return NULL;
}

static void match_arguments(struct hd_job *j, struct hd_diag *d, const struct hd_job_launch *l)
{
    const struct hd_func *f = l->func;

    if (l->n_args != f->n_params) {
        hd_jobline_complain(j, d, l->at, "kernel '%.60s' takes %u argument%s, %u given", f->name,
                            f->n_params, f->n_params == 1 ? "" : "s", l->n_args);
        return;
    }
    for (uint32_t i = 0; i < l->n_args; i++) {
        const struct hd_job_arg *arg = &l->args[i];
        const struct hd_param *p = &f->params[i];
        bool narrow = arg->kind == 'p' && p->bytes == 4; // PTX with addresses of 32 bits
        if (arg->n_bytes != p->bytes && !narrow)
            hd_jobline_complain(
                j, d, arg->at, "argument %u: '%.40s' has %u byte%s, parameter '%.60s' has %u",
                i + 1, arg->text, arg->n_bytes, arg->n_bytes == 1 ? "" : "s", p->name, p->bytes);
    }
}

// Put the bytes of a `const` line into the module, before it is loaded into a machine.
static void set_symbol(struct hd_job *j, struct hd_arena *a, struct hd_diag *d,
                       const struct hd_job_const *c)
{
    struct hd_program *p = j->program;
    const char **names = HD_ARRAY(a, const char *, p->n_symbols + 1);
    struct hd_symbol *s = NULL;

    for (uint32_t i = 0; i < p->n_symbols; i++) {
        names[i] = p->symbols[i].name;
        if (!strcmp(p->symbols[i].name, c->symbol))
            s = &p->symbols[i];
    }
    if (!s) {
        hd_diag_nearest(hd_jobline_complain(j, d, c->at,
                                            "there is no .const or .global variable '%.60s' in %s",
                                            c->symbol, modules_text(j, a)),
                        c->symbol, names);
    } else if (c->bytes > s->bytes) {
        hd_jobline_complain(j, d, c->at, "%" PRIu64 " bytes, but variable '%.60s' has %u", c->bytes,
                            s->name, s->bytes);
    } else if (c->file.data) {
        uint8_t *init = hd_arena_get(a, s->bytes, 1);
        if (s->init)
            memcpy(init, s->init, s->bytes);
        memcpy(init, c->file.data, c->bytes);
        s->init = init;
    }
}

bool hd_jobresolve_names(struct hd_job *j, struct hd_arena *a, struct hd_diag *d)
{
    unsigned before = hd_jobline_messages(d);

    load_inputs(j, a, d);
    j->program = load_modules(j, a, d);
    if (!j->program)
        return false;
    for (size_t i = 0; i < j->n_kernels; i++)
        j->kernels[i].func = need_kernel(j, a, d, j->kernels[i].name, j->kernels[i].at);
    for (size_t i = 0; i < j->n_launches; i++) {
        struct hd_job_launch *l = &j->launches[i];
        l->func = need_kernel(j, a, d, l->name, l->at);
        if (l->func)
            match_arguments(j, d, l);
    }
    if (hd_jobline_messages(d) == before) // a file that failed has no bytes to put there
        for (size_t i = 0; i < j->n_consts; i++)
            set_symbol(j, a, d, &j->consts[i]);
    return hd_jobline_messages(d) == before;
}
