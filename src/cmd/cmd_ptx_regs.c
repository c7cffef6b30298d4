// cmd_ptx_regs.c - heddle ptx regs FILE.ptx...: registers per thread of every kernel, ours and
// ptxas's, and what follows from them.
//
// REGS is what this machine gives where nothing better is known, FROM says whether that is the
// estimate or what a directive (.maxntid, .minnctapersm, .maxnreg) leaves of it.
//
// --regs compares with what a compiler for another target gave, or with a number for all.
//
// Each file is a module of its own. Blocks have the threads that NAME.regs gives, else those of
// .maxntid, else 256. Shared memory is the static part.
#include "cmd/cmd.h"

#include "base/config.h"
#include "base/file.h"
#include "gpu/gpu.h"
#include "job/jobregs.h"
#include "present/table.h"
#include "ptx/ptx.h"

#include <string.h>

#define THREADS 256

struct counts {
    unsigned kernels, same; // with ptxas's number; of these, as many blocks an SM with either
};

static uint32_t blocks(const struct hd_config *c, const struct hd_program *p,
                       const struct hd_func *f, uint32_t threads, uint32_t regs)
{
    struct hd_launch l = {.program = p,
                          .kernel = f,
                          .grid = {65535, 1, 1}, // enough to fill any machine
                          .block = {threads, 1, 1},
                          .regs = regs,
                          .shared_static = f->shared_bytes};

    return hd_occupancy(c, &l);
}

static void add_number(struct hd_table *t, uint32_t n)
{
    hd_table_add(t, hd_arena_printf(t->arena, "%u", n));
}

// What to compare a kernel with: `each` of --regs, or its line in a file of registers.
struct other {
    uint32_t each; // 0: the line counts
    const struct hd_jobregs_kernel *line;
};

static void add_kernel(struct hd_table *t, struct counts *n, const struct hd_config *c,
                       const struct hd_program *p, const struct hd_func *f, struct other other)
{
    const struct hd_jobregs_kernel *k = other.line;
    uint32_t threads = k && k->threads ? k->threads : f->max_threads ? f->max_threads : THREADS;
    uint32_t theirs_regs = other.each ? other.each : k ? k->regs : 0;
    const char *source;
    uint32_t regs = hd_registers_of(c, f, &source), ours = blocks(c, p, f, threads, regs);

    hd_table_add(t, f->name);
    add_number(t, threads);
    add_number(t, f->regs_live);
    add_number(t, regs);
    hd_table_add(t, strcmp(source, "computed") != 0 ? source : "estimate");
    if (theirs_regs)
        add_number(t, theirs_regs);
    else
        hd_table_add(t, "-");
    add_number(t, ours);
    if (!theirs_regs) {
        hd_table_add(t, "-");
        hd_table_add(t, NULL);
        return;
    }
    uint32_t theirs = blocks(c, p, f, threads, theirs_regs);
    add_number(t, theirs);
    hd_table_add(t, ours == theirs ? "same" : "differs");
    n->kernels++;
    n->same += ours == theirs;
}

static bool add_file(struct hd_table *t, struct counts *n, const struct hd_config *c,
                     const struct hd_jobregs_choice *choice, const char *path, struct hd_diag *d)
{
    struct hd_jobregs known = {.n = 0};
    char err[HD_FILE_WHY];
    size_t bytes;
    const uint8_t *text = hd_file_read(t->arena, path, &bytes, err);

    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read %s", err);
        return false;
    }
    const struct hd_program *p = hd_ptx_load(t->arena, path, text, bytes, d);
    if (!p || !hd_jobregs_read(&known, t->arena, path, choice->each ? NULL : choice->word, d))
        return false;
    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (p->funcs[i].is_kernel)
            add_kernel(t, n, c, p, &p->funcs[i],
                       (struct other){choice->each, hd_jobregs_find(&known, p->funcs[i].name)});
    return true;
}

int hd_cmd_ptx_regs(const struct hd_cmd_options *o)
{
    static const char *const heads[] = {"KERNEL", "THREADS", "LIVE",        "REGS",   "FROM",
                                        "PTXAS",  "TBS/SM",  "WITH PTXAS'", "VERDICT"};
    struct hd_table t = hd_table_new(o->arena, "lrrrlrrrl");
    struct counts n = {0};
    struct hd_jobregs_choice choice = {.word = NULL};
    struct hd_config config;
    struct hd_diag d = {0};

    if (!hd_cmd_machine_config(o, &config, &d) || !hd_cmd_machine_regs(o, &choice, &d))
        return hd_cmd_options_fail(&d);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_table_add(&t, heads[i]);
    for (size_t i = 1; i < o->args.n; i++)
        add_file(&t, &n, &config, &choice, o->args.items[i], &d);
    if (d.n)
        return hd_cmd_options_fail(&d);
    hd_table_print(&t, stdout);
    if (n.kernels)
        printf("\nas many thread blocks per SM of %s as with ptxas's registers: %u of %u kernels, "
               "%.1f %%\n",
               config.name, n.same, n.kernels, 100.0 * n.same / n.kernels);
    return HD_EXIT_OK;
}
