// ptx.c - turns PTX modules into one program: parse, link, lay out, lower.
#include "ptx/ptx.h"

#include "base/bug.h"
#include "ptx/layout.h"
#include "ptx/link.h"
#include "ptx/lower.h"
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT ((size_t)1 << 30)
#define MAX_STACK (UINT32_C(1) << 24) // bytes of a thread's stack

struct ordered { // a message and the number of its text
    struct hd_diag_entry entry;
    uint32_t text;
};

static int by_place(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;

    if (x->text != y->text)
        return x->text < y->text ? -1 : 1;
    if (x->entry.line != y->entry.line)
        return x->entry.line < y->entry.line ? -1 : 1;
    return (x->entry.column > y->entry.column) - (x->entry.column < y->entry.column);
}

// Parsing and lowering both go through the texts; this makes one list of messages from top to
// bottom.
static void order_messages(struct hd_diag *d, unsigned from, const struct hd_text *texts,
                           uint32_t n)
{
    struct ordered list[HD_DIAG_MAX];

    for (unsigned i = from; i < d->n; i++) {
        struct ordered *o = &list[i - from];
        *o = (struct ordered){.entry = d->entries[i]};
        while (o->text + 1 < n && texts[o->text].path != o->entry.file)
            o->text++;
        hd_diag_excerpt(&o->entry, (const char *)texts[o->text].text, texts[o->text].bytes);
    }
    qsort(list, d->n - from, sizeof *list, by_place);
    for (unsigned i = from; i < d->n; i++)
        d->entries[i] = list[i - from].entry;
}

// Places of the functions with bodies in the program, by index in the syntax tree.
static uint32_t *number_funcs(struct hd_arena *scratch, const struct hd_ast *ast)
{
    uint32_t *numbers = HD_ARRAY(scratch, uint32_t, ast->n_funcs), n = 0;

    for (uint32_t i = 0; i < ast->n_funcs; i++)
        if (ast->funcs[i].has_body)
            numbers[i] = n++;
    return numbers;
}

static void new_columns(struct hd_lower *lo, uint32_t n)
{
    lo->insns = HD_ARRAY(lo->arena, struct hd_insn, n);
    lo->deps = HD_ARRAY(lo->arena, struct hd_deps, n);
    lo->banks = HD_ARRAY(lo->arena, struct hd_banks, n);
    lo->places = HD_ARRAY(lo->arena, struct hd_place, n);
}

// Adds to the needs of a function those of its calls. Its callees have been handled already, except
// in recursion, where the depth of the stack is unknown anyway. Values that are alive across a call
// stay in registers.
static void add_callees(const struct hd_lower *lo, const struct hd_layout *l, struct hd_func *funcs,
                        uint32_t func)
{
    const struct hd_graph_node *node = &l->graph->nodes[func];
    struct hd_func *f = &funcs[lo->numbers[func]];
    uint32_t deepest = 0;

    f->open_stack = node->cyclic || f->stack_row != HD_ROW_NONE;
    for (uint32_t i = 0; i < node->n_callees; i++) {
        if (!lo->ast->funcs[node->callees[i]].has_body)
            continue;
        const struct hd_func *c = &funcs[lo->numbers[node->callees[i]]];
        uint64_t need = (uint64_t)hd_func_frame(c) + c->stack_bytes;
        deepest = need > deepest ? (uint32_t)(need < MAX_STACK ? need : MAX_STACK) : deepest;
        f->open_stack |= c->open_stack;
        f->n_sb = c->n_sb > f->n_sb ? c->n_sb : f->n_sb;
    }
    f->stack_bytes = deepest;
    uint32_t own = f->regs;
    HD_BUG_IF(!lo->deps && f->first_pc < f->end_pc, "instructions without their columns");
    for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++) {
        if (lo->deps[pc].kind != HD_KIND_CALL)
            continue;
        const struct hd_call *call = &lo->calls[lo->insns[pc].imm];
        for (uint32_t i = 0; i < node->n_callees && call->builtin == HD_BUILTIN_NONE; i++) {
            uint32_t to = lo->numbers[node->callees[i]];
            bool may = lo->ast->funcs[node->callees[i]].has_body &&
                       (call->func == HD_CALL_INDIRECT || call->func == to);
            uint32_t need = lo->call_live[lo->insns[pc].imm] + funcs[to].regs;
            if (may && !l->graph->nodes[node->callees[i]].cyclic && need > f->regs)
                f->regs = need;
            else if (may && funcs[to].regs > f->regs) // recursion saves registers on the stack
                f->regs = funcs[to].regs;
        }
    }
    HD_BUG_IF(f->regs < own, "calls made %s smaller", f->name);
}

static struct hd_func *lower_funcs(struct hd_lower *lo, struct hd_layout *l, struct hd_program *p)
{
    const struct hd_ast *ast = lo->ast;
    struct hd_func *funcs = HD_ARRAY(lo->arena, struct hd_func, ast->n_funcs);
    uint64_t n = 0;

    for (uint32_t i = 0; i < ast->n_funcs; i++)
        n += ast->funcs[i].n_insns;
    if (n >= INT32_MAX / 4) {
        hd_diag_add(lo->diag, lo->path, 0, 0, "more than %d instructions", INT32_MAX / 4);
        return NULL;
    }
    new_columns(lo, (uint32_t)n);
    hd_pool_init(&lo->pool, lo->scratch);
    for (uint32_t i = 0; i < ast->n_funcs;
         i++) // functions have numbers after those of the largest kernel
        if (ast->funcs[i].is_kernel && hd_lower_scoreboard_ids(&ast->funcs[i]) > lo->sb_free)
            lo->sb_free = hd_lower_scoreboard_ids(&ast->funcs[i]);
    for (uint32_t i = 0; i < ast->n_funcs; i++) {
        const struct hd_ast_func *f = &ast->funcs[i];
        if (!f->has_body)
            continue;
        struct hd_func *out = &funcs[p->n_funcs];
        hd_layout_func(l, i, out);
        hd_lower_func(lo, i, p->n_insns, p->n_funcs++, out);
        p->n_insns += f->n_insns;
    }
    p->funcs = funcs;
    return funcs;
}

// The limits that ptxas never exceeds: the registers that an instruction can name, and .maxnreg,
// which is raised if the calling convention needs more.
static uint32_t most_registers(const struct hd_ast_func *f)
{
    uint32_t named = f->target && f->target < 35 ? 63 : 255;
    uint32_t least = f->target && f->target < 70 ? 16 : 24;
    uint32_t wanted = f->max_regs > least ? f->max_regs : least;

    return f->max_regs && wanted < named ? wanted : named;
}

// The resources that functions need, including everything that they call.
static void finish_funcs(const struct hd_lower *lo, const struct hd_layout *l,
                         struct hd_func *funcs)
{
    const struct hd_ast *ast = lo->ast;

    for (uint32_t i = 0; i < ast->n_funcs; i++)
        if (ast->funcs[l->graph->order[i]].has_body)
            add_callees(lo, l, funcs, l->graph->order[i]);
    for (uint32_t i = 0; i < ast->n_funcs; i++) {
        struct hd_func *f = &funcs[lo->numbers[i]];
        uint32_t most = most_registers(&ast->funcs[i]);
        if (ast->funcs[i].has_body) {
            f->regs_wanted = f->regs;
            f->regs = f->regs < most ? f->regs : most;
        }
    }
}

static void copy_files(struct hd_program *p, const struct hd_ast *ast, struct hd_arena *a)
{
    const char **files = HD_ARRAY(a, const char *, ast->n_files);

    for (uint32_t i = 0; i < ast->n_files; i++)
        files[i] = hd_arena_strndup(a, ast->files[i].name.s, ast->files[i].name.n);
    p->files = files;
    p->n_files = ast->n_files;
}

static struct hd_program *load(struct hd_arena *a, struct hd_arena *scratch,
                               const struct hd_text *texts, uint32_t n, struct hd_diag *d)
{
    unsigned before = d->n + d->dropped;
    struct hd_program *p = HD_NEW(a, hd_program);
    struct hd_ast *ast = hd_parse_modules(scratch, texts, n, d);
    if (n > 1)
        hd_link_names(ast, scratch, d);
    uint32_t *numbers = number_funcs(scratch, ast);
    struct hd_layout l = {.arena = a,
                          .scratch = scratch,
                          .diag = d,
                          .ast = ast,
                          .graph = hd_graph_build(scratch, ast),
                          .numbers = numbers};
    struct hd_lower lo = {.arena = a,
                          .scratch = scratch,
                          .diag = d,
                          .path = texts[0].path,
                          .ast = ast,
                          .loc_inlined = HD_ARRAY(scratch, uint32_t, ast->n_locs),
                          .numbers = numbers};
    p->path = texts[0].path;
    p->text = texts[0].text;
    p->text_bytes = texts[0].bytes;
    p->texts = texts;
    p->n_texts = n;
    hd_layout_module(&l);
    struct hd_func *funcs = lower_funcs(&lo, &l, p);
    if (d->n + d->dropped != before)
        return NULL;
    finish_funcs(&lo, &l, funcs);
    p->insns = lo.insns;
    p->deps = lo.deps;
    p->banks = lo.banks;
    p->places = lo.places;
    p->vecs = (const int32_t(*)[4])lo.vecs;
    p->n_vecs = lo.n_vecs;
    p->wides = lo.wides;
    p->targets = lo.targets;
    p->n_targets = lo.n_targets;
    p->inlined = lo.inlined;
    p->n_inlined = lo.n_inlined;
    p->n_cut = lo.n_cut;
    p->cut_text = lo.cut_text;
    p->cut_line = lo.cut_line;
    p->calls = lo.calls;
    p->n_calls = lo.n_calls;
    p->symbols = l.symbols;
    p->n_symbols = l.n_symbols;
    struct hd_reloc *relocs = HD_ARRAY(a, struct hd_reloc, (size_t)l.n_relocs + lo.pool.n);
    memcpy(relocs, l.relocs, l.n_relocs * sizeof *relocs);
    p->n_relocs = l.n_relocs;
    p->pool = hd_pool_rows(&lo.pool, a, relocs, &p->n_relocs);
    p->n_pool_rows = lo.pool.n_rows;
    p->relocs = relocs;
    copy_files(p, ast, a);
    return p;
}

struct hd_program *hd_ptx_link(struct hd_arena *a, const struct hd_text *texts, uint32_t n,
                               struct hd_diag *d)
{
    struct hd_text *copy = HD_ARRAY(a, struct hd_text, n);
    struct hd_arena *scratch;
    struct hd_program *p;
    unsigned before = d->n + d->dropped;

    HD_BUG_IF(n == 0, "a program of no modules");
    for (uint32_t i = 0; i < n; i++) {
        copy[i] = texts[i];
        while (copy[i].bytes && copy[i].text[copy[i].bytes - 1] == '\0') // padding of fat binaries
            copy[i].bytes--;
        if (copy[i].bytes > MAX_TEXT) {
            hd_diag_add(d, copy[i].path, 0, 0, "PTX text larger than 1 GiB");
            return NULL;
        }
    }
    scratch = hd_arena_new();
    p = load(a, scratch, copy, n, d);
    hd_arena_free(scratch);
    if (!p)
        order_messages(d, before < HD_DIAG_MAX ? before : HD_DIAG_MAX, copy, n);
    return p;
}

struct hd_program *hd_ptx_load(struct hd_arena *a, const char *path, const uint8_t *text,
                               size_t bytes, struct hd_diag *d)
{
    return hd_ptx_link(a, &(struct hd_text){path, text, bytes}, 1, d);
}
