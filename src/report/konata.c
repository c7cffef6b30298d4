// konata.c - recorded pipelines (heddle/pipeview.h) in the format of the viewer Konata: "Kanata
// 0004", lines of words between tabs.
//
// Lane 0 has the stages, lane 1 the reasons of waiting. Every stage is closed by an E line, which
// the format does not require. An instruction of which the recording ends too early is closed as if
// it had been flushed, and its text says so.
#include "report/ptxtext.h"
#include "report/runreport.h"

#include "heddle/bits.h"

#include <inttypes.h>
#include <stdlib.h>

#define NONE UINT8_MAX
#define UNSEEN UINT32_MAX

#define NAME(ENUM, name, help) name,
#define HELP(ENUM, name, help) help,
static const char *const stage_names[] = {HD_PIPEVIEW_STAGES(NAME)};
static const char *const wait_names[] = {HD_PIPEVIEW_WAITS(NAME)};
static const char *const wait_helps[] = {HD_PIPEVIEW_WAITS(HELP)};
#undef NAME
#undef HELP

struct code { // the texts of a program
    const struct hd_program *program;
    struct hd_ptxtext text;
    const char **statements; // by pc, as far as they were needed
};

struct insn {       // of the file
    uint64_t since; // it waits
    uint32_t id;
    uint8_t stage, wait;
};

struct place { // an event
    uint64_t cycle;
    uint32_t number; // in `all`
};

struct all_event {
    const struct hd_pipeview_event *event;
    uint32_t part;
};

struct part { // an SM
    unsigned sm;
    struct hd_pipeview_records records;
    struct insn *insns;
};

struct writer {
    struct hd_out *out;
    const struct hd_gpu *gpu;
    const char **kernels; // by launch
    struct code *codes;
    size_t n_codes, cap_codes;
    struct part *parts;
    uint32_t n_parts, n_ids, n_retired;
    uint64_t end;
    unsigned warps; // of an SM
};

static struct code *code_of(struct writer *w, const struct hd_program *p)
{
    struct hd_arena *a = w->out->arena;

    for (size_t i = 0; i < w->n_codes; i++)
        if (w->codes[i].program == p)
            return &w->codes[i];
    struct code *c = HD_PUSH(a, w->codes, w->n_codes, w->cap_codes);
    *c = (struct code){.program = p,
                       .text = hd_ptxtext_new(a, p),
                       .statements = HD_ARRAY(a, const char *, p->n_insns)};
    return c;
}

// Text from the user's files must not contain what ends a field.
static void put_text(struct hd_out *out, const char *text)
{
    for (; *text; text++)
        hd_out_printf(out, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
}

static void put_place(struct writer *w, const struct hd_pipeview_insn *i, const struct code *c)
{
    const struct hd_place *at = &c->program->places[i->pc];

    hd_out_printf(w->out, "\\nPTX line %" PRIu32, at->line);
    if (at->source_line && at->source_file < c->program->n_files) {
        hd_out_printf(w->out, ", line %" PRIu32 " of ", at->source_line);
        put_text(w->out, c->program->files[at->source_file]);
    }
}

// The first lines of an instruction.
static void introduce(struct writer *w, const struct part *p, struct insn *n,
                      const struct hd_pipeview_insn *i)
{
    const struct hd_program *program = hd_gpu_result(w->gpu, i->launch)->launch->program;
    struct code *c = code_of(w, program);
    bool inside = i->pc < program->n_insns;

    n->id = w->n_ids++;
    hd_out_printf(w->out, "I\t%" PRIu32 "\t%" PRIu32 "\t%u\nL\t%" PRIu32 "\t0\t", n->id,
                  (uint32_t)(n - p->insns), p->sm * w->warps + i->warp, n->id);
    if (w->n_parts > 1)
        hd_out_printf(w->out, "SM %u ", p->sm);
    hd_out_printf(w->out, "warp %u ", i->warp);
    if (inside && !c->statements[i->pc])
        c->statements[i->pc] = hd_ptxtext_statement(&c->text, i->pc);
    if (inside)
        hd_out_printf(w->out, "line %" PRIu32 ": ", program->places[i->pc].line);
    put_text(w->out, inside ? c->statements[i->pc] : "after the end of the code");
    hd_out_printf(w->out, "\nL\t%" PRIu32 "\t1\tkernel ", n->id);
    put_text(w->out, w->kernels[i->launch]);
    hd_out_printf(w->out,
                  ", launch %" PRIu32 ", block %" PRIu32
                  ", warp %u of the block\\nSM %u, warp slot %u, scheduler %u",
                  i->launch, i->block, i->number, p->sm, i->warp, i->sched);
    if (inside)
        put_place(w, i, c);
    hd_out_printf(w->out, "%s\n", i->begun_before ? "\\nfetched before the recording began" : "");
}

static void end_stage(struct writer *w, struct insn *n)
{
    if (n->stage != NONE)
        hd_out_printf(w->out, "E\t%" PRIu32 "\t0\t%s\n", n->id, stage_names[n->stage]);
    n->stage = NONE;
}

static void end_wait(struct writer *w, struct insn *n, uint64_t cycle)
{
    hd_out_printf(w->out,
                  "E\t%" PRIu32 "\t1\t%s\nL\t%" PRIu32 "\t1\t\\nwaited %" PRIu64
                  " cycles from cycle %" PRIu64 " on: %s\n",
                  n->id, wait_names[n->wait], n->id, cycle - n->since, n->since,
                  wait_helps[n->wait]);
    n->wait = NONE;
}

static void finish(struct writer *w, struct insn *n, bool retires, const char *why)
{
    end_stage(w, n);
    if (why)
        hd_out_printf(w->out, "L\t%" PRIu32 "\t1\t\\n%s\n", n->id, why);
    hd_out_printf(w->out, "R\t%" PRIu32 "\t%" PRIu32 "\t%d\n", n->id, w->n_retired, !retires);
    w->n_retired += retires;
}

static void enter(struct writer *w, struct insn *n, const struct hd_pipeview_event *e,
                  uint32_t lanes)
{
    end_stage(w, n);
    hd_out_printf(w->out, "S\t%" PRIu32 "\t0\t%s\n", n->id, stage_names[e->which]);
    n->stage = e->which;
    if (e->which == HD_PIPEVIEW_ISSUE)
        hd_out_printf(w->out,
                      "L\t%" PRIu32 "\t1\t\\nissued in cycle %" PRIu64 " for lanes 0x%08x\n", n->id,
                      e->cycle, lanes);
}

static void put_event(struct writer *w, const struct part *p, const struct hd_pipeview_event *e)
{
    struct insn *n = &p->insns[e->insn];

    if (n->id == UNSEEN)
        introduce(w, p, n, &p->records.insns[e->insn]);
    switch ((enum hd_pipeview_what)e->what) {
    case HD_PIPEVIEW_ENTERS:
        enter(w, n, e, p->records.insns[e->insn].lanes);
        break;
    case HD_PIPEVIEW_WAITS_FOR:
        n->wait = e->which;
        n->since = e->cycle;
        hd_out_printf(w->out, "S\t%" PRIu32 "\t1\t%s\n", n->id, wait_names[e->which]);
        break;
    case HD_PIPEVIEW_GOES_ON:
        end_wait(w, n, e->cycle);
        break;
    case HD_PIPEVIEW_NEEDED:
        hd_out_printf(w->out, "W\t%" PRIu32 "\t%" PRIu32 "\t0\n", n->id, p->insns[e->other].id);
        break;
    case HD_PIPEVIEW_RETIRES:
        finish(w, n, true, NULL);
        break;
    case HD_PIPEVIEW_FLUSHED:
        finish(w, n, false, "not executed: the warp went on elsewhere");
        break;
    case HD_PIPEVIEW_FAULTED:
        finish(w, n, false, "its execution faulted");
        break;
    case HD_PIPEVIEW_CUT:
        finish(w, n, false, "the recording ended here; the instruction had not");
        break;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void put_all(struct writer *w, uint64_t first)
{
    struct hd_arena *a = w->out->arena;
    uint64_t n = 0, cycle = first;
    uint32_t k = 0;

    for (uint32_t i = 0; i < w->n_parts; i++)
        n += w->parts[i].records.n_events;
    struct place *order = HD_ARRAY(a, struct place, n);
    struct all_event *all = HD_ARRAY(a, struct all_event, n);
    for (uint32_t i = 0; i < w->n_parts; i++)
        for (uint64_t e = 0; e < w->parts[i].records.n_events; e++, k++) {
            all[k] = (struct all_event){&w->parts[i].records.events[e], i};
            order[k] = (struct place){all[k].event->cycle, k};
        }
    qsort(order, n, sizeof *order, by_time);
    hd_out_printf(w->out, "C=\t%" PRIu64 "\n", cycle);
    for (uint64_t i = 0; i < n; i++) {
        if (order[i].cycle != cycle)
            hd_out_printf(w->out, "C\t%" PRIu64 "\n", order[i].cycle - cycle);
        cycle = order[i].cycle;
        put_event(w, &w->parts[all[order[i].number].part], all[order[i].number].event);
    }
}

static struct writer collect(const struct hd_runreport *r, struct hd_arena *a)
{
    struct hd_gpu *g = r->run->gpu;
    unsigned sms = r->options->gpu.config->sm.sms;
    const struct hd_pipeviews_options *o = hd_gpu_pipeviews(g);
    struct writer w = {.gpu = g,
                       .parts = HD_ARRAY(a, struct part, sms),
                       .warps = r->options->gpu.config->sm.warps};

    for (unsigned i = 0; o && i < sms; i++)
        if (hd_has(o->sms[i / 64], (int)(i % 64)))
            w.parts[w.n_parts++] = (struct part){.sm = i, .records = hd_gpu_pipeview(g, i, &w.end)};
    return w;
}

void hd_konata_write(const struct hd_runreport *r, struct hd_out *out)
{
    struct writer w = collect(r, out->arena);
    const struct hd_pipeviews_options *o = hd_gpu_pipeviews(r->run->gpu);

    w.out = out;
    w.kernels = hd_runreport_kernels(r->run, out->arena);
    for (uint32_t i = 0; i < w.n_parts; i++) {
        struct part *p = &w.parts[i];
        p->insns = HD_ARRAY(out->arena, struct insn, p->records.n_insns);
        for (uint32_t k = 0; k < p->records.n_insns; k++)
            p->insns[k] = (struct insn){.id = UNSEEN, .stage = NONE, .wait = NONE};
    }
    hd_out_printf(out, "Kanata\t0004\n");
    put_all(&w, o ? o->first : 0);
}

const char *hd_konata_doubt(const struct hd_runreport *r, struct hd_arena *a)
{
    const struct hd_pipeviews_options *o = hd_gpu_pipeviews(r->run->gpu);
    struct writer w = collect(r, a);
    uint64_t n = 0;

    if (!o)
        return NULL;
    for (uint32_t i = 0; i < w.n_parts; i++)
        n += w.parts[i].records.n_insns;
    if (n >= HD_PIPEVIEW_INSNS)
        return hd_arena_printf(a,
                               "the recording of the pipelines ended before cycle %" PRIu64
                               ", with %s instructions; record fewer SMs or cycles at a time",
                               w.end, hd_out_count(a, n));
    if (!n)
        return hd_arena_printf(a,
                               "the recording of the pipelines is empty: the chosen SMs had no "
                               "instructions in the chosen cycles, and the run ended in cycle "
                               "%" PRIu64,
                               hd_gpu_cycle(r->run->gpu));
    return NULL;
}
