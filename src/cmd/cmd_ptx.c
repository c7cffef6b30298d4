// cmd_ptx.c - heddle ptx check|dump FILE.ptx...: modules as the front end decodes and links them.
#include "cmd/cmd.h"

#include "base/file.h"
#include "isa/op.h"
#include "ptx/ptx.h"

#include <inttypes.h>
#include <string.h>

static void dump_head(const struct hd_func *f)
{
    printf("%s %s, line %u\n", f->is_kernel ? "kernel" : "function", f->name, f->line);
    if (f->is_kernel) {
        printf("  %u registers per thread (%u alive at once), %u bytes of shared memory, %u of "
               "local memory",
               f->regs, f->regs_live, f->shared_bytes, f->local_bytes);
        if (f->max_threads)
            printf(", at most %u threads", f->max_threads);
        putchar('\n');
    }
    printf("  storage of a warp: %u rows, %u predicates\n", f->n_rows, f->n_preds);
    for (uint32_t i = 0; i < f->n_params; i++)
        printf("  parameter %u: %s, %u byte%s at %u\n", i, f->params[i].name, f->params[i].bytes,
               f->params[i].bytes == 1 ? "" : "s", f->params[i].offset);
}

static void dump_insn(const struct hd_program *p, uint32_t pc)
{
    const struct hd_deps *d = &p->deps[pc];
    char text[256];

    hd_op_text(p, pc, text, sizeof text); // a branch's text includes where its paths reconverge
    printf("%7" PRIu32 " %6" PRIu32 "  %-6s  %-7s %s\n", pc, p->places[pc].line,
           hd_unit_names[d->unit], d->space != HD_SPACE_NONE ? hd_space_names[d->space] : "", text);
}

static void dump(const struct hd_program *p)
{
    for (uint32_t i = 0; i < p->n_symbols; i++) {
        const struct hd_symbol *s = &p->symbols[i];
        printf("%s variable %s, %u bytes", hd_space_names[s->space], s->name, s->bytes);
        if (s->space == HD_SPACE_CONST)
            printf(" at 0x%" PRIx64, s->address);
        putchar('\n');
    }
    for (uint32_t i = 0; i < p->n_funcs; i++) {
        if (i || p->n_symbols)
            putchar('\n');
        dump_head(&p->funcs[i]);
        printf("     PC   LINE  UNIT    SPACE   INSTRUCTION\n");
        for (uint32_t pc = p->funcs[i].first_pc; pc < p->funcs[i].end_pc; pc++)
            dump_insn(p, pc);
    }
}

static int bad_verb(const char *verb)
{
    static const char *const verbs[] = {"check", "dump", "regs", NULL};
    struct hd_diag d = {0};

    struct hd_diag_entry *e = hd_diag_add(&d, NULL, 0, 0, "there is no 'heddle ptx %.60s'", verb);
    hd_diag_nearest(e, verb, verbs);
    if (!e->hint[0])
        hd_diag_hint(e, "expected check, dump or regs");
    return hd_cmd_options_fail(&d);
}

static struct hd_program *load(struct hd_cmd_options *o, struct hd_diag *d)
{
    uint32_t n = (uint32_t)o->args.n - 1;
    struct hd_text *texts = HD_ARRAY(o->arena, struct hd_text, n);
    char err[HD_FILE_WHY];

    for (uint32_t i = 0; i < n; i++) {
        texts[i].path = o->args.items[i + 1];
        texts[i].text = hd_file_read(o->arena, texts[i].path, &texts[i].bytes, err);
        if (!texts[i].text)
            hd_diag_add(d, NULL, 0, 0, "cannot read %s", err);
    }
    return d->n ? NULL : hd_ptx_link(o->arena, texts, n, d);
}

int hd_cmd_ptx(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    const char *verb = o->args.n ? o->args.items[0] : "";

    if (*verb && strcmp(verb, "check") && strcmp(verb, "dump") && strcmp(verb, "regs"))
        return bad_verb(verb);
    if (o->args.n < 2) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "ptx takes a verb and files"),
                     "heddle ptx check|dump|regs FILE.ptx...");
        return hd_cmd_options_fail(&d);
    }
    if (!strcmp(verb, "regs"))
        return hd_cmd_ptx_regs(o);
    const struct hd_program *p = load(o, &d);
    if (!p)
        return hd_cmd_options_fail(&d);
    if (!strcmp(verb, "dump"))
        dump(p);
    if (p->n_cut) {
        hd_diag_add(&d, p->texts[p->cut_text].path, p->cut_line, 0,
                    p->n_cut == 1 ? "a constant is wider than its type; its upper bits are cut off"
                                  : "%u constants are wider than their types; their upper bits are "
                                    "cut off. The first is here",
                    p->n_cut)
            ->warning = true;
        hd_diag_print(&d, stderr);
    }
    return HD_EXIT_OK;
}
