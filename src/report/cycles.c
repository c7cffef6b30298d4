// cycles.c - a recording as JSON. See cycles.h.
//
// The pieces of a row are a flat list: length, what, length, what, ... from the first cycle of the
// recording on, without a gap. For a scheduler "what" is the number of a class, or of "no kernel".
// For a warp it is an index into `states`, whose entries are a state and an index into `code`;
// entry 0 is an empty slot.
#include "report/cycles.h"

#include "base/cxxname.h"
#include "heddle/bits.h"
#include "present/json.h"
#include "report/ptxtext.h"

#include <inttypes.h>
#include <string.h>

struct word {
    const char *name, *label, *help;
};

static const struct word classes[] = {
    {"issued", "issued", "A warp instruction was issued."},
    {"idle", "idle",
     "No warp that the policy looked at had a valid instruction: empty buffers, barriers, no "
     "warps."},
    {"scoreboard", "scoreboard",
     "There were valid instructions, but all of them waited for registers."},
    {"pipeline", "pipeline", "An instruction was ready, but its pipe was full."},
    {"inactive", "inactive",
     "The SM had nothing to do: no live thread, and no block left to dispatch."},
    {"none", "no kernel", "No kernel ran. These cycles are counted in no class."},
};

enum group { ISSUED, READY, MEMORY, REGISTER, PIPE, FETCH, BARRIER, SYNC, ENDED, EMPTY };
static const struct word groups[] = {
    [ISSUED] = {"issued", "issued", "The warp's instruction was issued."},
    [READY] = {"ready", "ready, not chosen",
               "The next instruction could go, but the scheduler issued another warp, or the "
               "policy held this one back."},
    [MEMORY] = {"memory", "waits for memory",
                "The next instruction needs a register that a memory instruction has not written "
                "yet."},
    [REGISTER] = {"register", "waits for a register",
                  "The next instruction needs a register that an instruction other than a memory "
                  "instruction has not written yet."},
    [PIPE] = {"pipe", "pipe full", "The next instruction is ready, but its pipe has no room."},
    [FETCH] = {"fetch", "no instruction",
               "The next instruction has not been fetched, or the fetched one is not on the "
               "warp's path."},
    [BARRIER] = {"barrier", "at a barrier", "The warp waits for other warps of its block."},
    [SYNC] = {"sync", "fence, atomic, copy",
              "The warp waits at a memory fence, for an atomic, for asynchronous copies, or for "
              "kernels that its block launched."},
    [ENDED] = {"ended", "ended",
               "The warp has ended. Its slot is taken until its stores are acknowledged and its "
               "block ends."},
    [EMPTY] = {"empty", "empty slot", "There is no warp in this slot."},
};

#define HELP(ENUM, name, help) [HD_PIPEVIEW_WAIT_##ENUM] = "waits " help,
static const char *const state_helps[HD_N_CYCLEVIEW_STATES] = {
    HD_PIPEVIEW_WAITS(HELP)[HD_CYCLEVIEW_ISSUED] = "issued",
    [HD_CYCLEVIEW_FETCH] = "waits for its instruction to be fetched",
    [HD_CYCLEVIEW_ENDED] = "has ended; waits for its stores and its block",
    [HD_CYCLEVIEW_EMPTY] = "no warp",
};
#undef HELP

static const uint8_t group_of[HD_N_CYCLEVIEW_STATES] = {[HD_PIPEVIEW_WAIT_PATH] = FETCH,
                                                        [HD_PIPEVIEW_WAIT_BARRIER] = BARRIER,
                                                        [HD_PIPEVIEW_WAIT_FENCE] = SYNC,
                                                        [HD_PIPEVIEW_WAIT_ATOMIC] = SYNC,
                                                        [HD_PIPEVIEW_WAIT_COPY] = SYNC,
                                                        [HD_PIPEVIEW_WAIT_CHILDREN] = SYNC,
                                                        [HD_PIPEVIEW_WAIT_HELD] = SYNC,
                                                        [HD_PIPEVIEW_WAIT_MEMORY] = MEMORY,
                                                        [HD_PIPEVIEW_WAIT_REGISTER] = REGISTER,
                                                        [HD_PIPEVIEW_WAIT_OTHER] = READY,
                                                        [HD_PIPEVIEW_WAIT_PIPE] = PIPE,
                                                        [HD_PIPEVIEW_WAIT_POLICY] = READY,
                                                        [HD_PIPEVIEW_WAIT_REFUSED] = PIPE,
                                                        [HD_CYCLEVIEW_ISSUED] = ISSUED,
                                                        [HD_CYCLEVIEW_FETCH] = FETCH,
                                                        [HD_CYCLEVIEW_ENDED] = ENDED,
                                                        [HD_CYCLEVIEW_EMPTY] = EMPTY};

struct code { // of a program
    const struct hd_program *program;
    struct hd_ptxtext text;
    uint32_t *entries; // by pc * states + state: one plus the index into `states`; 0: not yet
    uint32_t *lines;   // by pc: one plus the index into `code`; 0: not yet
};

struct state { // an entry of `states`
    int64_t code;
    unsigned state;
};

struct writer {
    struct hd_out *out;
    struct hd_arena *arena;
    const struct hd_runreport *report;
    struct hd_gpu *gpu;
    struct code *codes;
    size_t n_codes, cap_codes;
    struct state *states;
    size_t n_states, cap_states;
    struct hd_out lines; // the entries of `code`
    uint32_t n_lines;
    uint64_t first, end; // cycles
};

// JSON in which '<' stands only as an escape: in a page it cannot end the element around it.
static void put_json(struct hd_out *out, json_t *value)
{
    struct hd_out plain = {.arena = out->arena};
    const char *from, *at;

    hd_json_add(value, &plain);
    for (from = plain.text; (at = strchr(from, '<')); from = at + 1) {
        hd_out_add(out, from, (size_t)(at - from));
        hd_out_add(out, "\\u003c", 6);
    }
    hd_out_add(out, from, strlen(from));
}

void hd_cycles_text(struct hd_out *out, const char *text)
{
    put_json(out, hd_json_text(text));
}

static void put_word(struct hd_out *out, const struct word *w)
{
    hd_out_printf(out, "{\"name\":\"%s\",\"label\":\"%s\",\"help\":\"%s\"}", w->name, w->label,
                  w->help);
}

void hd_cycles_words(struct hd_out *out)
{
    hd_out_printf(out, "{\"classes\":[");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        hd_out_printf(out, i ? ",\n" : "");
        put_word(out, &classes[i]);
    }
    hd_out_printf(out, "],\n\"groups\":[");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        hd_out_printf(out, i ? ",\n" : "");
        put_word(out, &groups[i]);
    }
    hd_out_printf(out, "],\n\"states\":[");
    for (unsigned i = 0; i < HD_N_CYCLEVIEW_STATES; i++)
        hd_out_printf(out, "%s{\"group\":%u,\"help\":\"%s\"}", i ? ",\n" : "", group_of[i],
                      state_helps[i]);
    hd_out_printf(out, "]}");
}

static struct code *code_of(struct writer *w, uint32_t launch)
{
    const struct hd_program *p = hd_gpu_result(w->gpu, launch)->launch->program;

    for (size_t i = 0; i < w->n_codes; i++)
        if (w->codes[i].program == p)
            return &w->codes[i];
    struct code *c = HD_PUSH(w->arena, w->codes, w->n_codes, w->cap_codes);
    *c = (struct code){
        .program = p,
        .text = hd_ptxtext_new(w->arena, p),
        .entries = HD_ARRAY(w->arena, uint32_t, ((size_t)p->n_insns + 2) * HD_N_CYCLEVIEW_STATES),
        .lines = HD_ARRAY(w->arena, uint32_t, (size_t)p->n_insns + 1)};
    return c;
}

// A line of code, the first time that it is met.
static void put_code(struct writer *w, struct code *c, uint32_t pc)
{
    const struct hd_program *p = c->program;
    const struct hd_place *at = &p->places[pc];
    const char *name = p->funcs[at->func].name, *whole = hd_cxxname_whole(w->arena, name);
    bool source = at->source_line && at->source_file < p->n_files;
    struct hd_out *out = &w->lines;

    hd_out_printf(out, "%s{\"function\":", w->n_lines ? ",\n" : "");
    hd_cycles_text(out, whole ? whole : name);
    hd_out_printf(out, ",\"line\":%" PRIu32 ",\"ptx\":", at->line);
    hd_cycles_text(out, hd_ptxtext_statement(&c->text, pc));
    if (source) {
        hd_out_printf(out, ",\"source_line\":%" PRIu32 ",\"file\":", at->source_line);
        hd_cycles_text(out, p->files[at->source_file]);
        hd_out_printf(out, ",\"source\":");
        hd_cycles_text(out, hd_ptxtext_source(&c->text, pc));
    }
    hd_out_printf(out, "}");
    c->lines[pc] = ++w->n_lines;
}

static uint32_t entry_of(struct writer *w, const struct hd_cycleview_piece *p,
                         const struct hd_cycleview_stay *stays)
{
    struct code *c = code_of(w, stays[p->stay].launch);
    bool inside = p->pc < c->program->n_insns;
    uint32_t pc = inside ? p->pc : c->program->n_insns;
    uint32_t *entry = &c->entries[(size_t)pc * HD_N_CYCLEVIEW_STATES + p->what];

    if (*entry)
        return *entry - 1;
    if (inside && !c->lines[pc])
        put_code(w, c, pc);
    *HD_PUSH(w->arena, w->states, w->n_states, w->cap_states) =
        (struct state){inside ? (int64_t)c->lines[pc] - 1 : -1, p->what};
    *entry = (uint32_t)w->n_states;
    return *entry - 1;
}

// The pieces of a row one after the other; `gap` stands between those that do not touch.
struct row {
    uint64_t at;
    bool some;
};

static void put_piece(struct writer *w, struct row *r, uint64_t cycles, uint32_t what)
{
    if (cycles)
        hd_out_printf(w->out, "%s%" PRIu64 ",%" PRIu32, r->some ? "," : "", cycles, what);
    r->some |= cycles > 0;
    r->at += cycles;
}

static void put_schedulers(struct writer *w, const struct hd_cycleview_records *rec, unsigned n)
{
    hd_out_printf(w->out, ",\n\"schedulers\":[");
    for (unsigned s = 0; s < n; s++) {
        struct row r = {.at = w->first};
        hd_out_printf(w->out, "%s[", s ? ",\n" : "");
        for (uint32_t i = 0; i < rec->n_scheds; i++) {
            const struct hd_cycleview_piece *p = &rec->scheds[i];
            if (p->row != s)
                continue;
            put_piece(w, &r, p->start - r.at, HD_N_CYCLEVIEW_CLASSES);
            put_piece(w, &r, p->cycles, p->what);
        }
        put_piece(w, &r, w->end - r.at, HD_N_CYCLEVIEW_CLASSES);
        hd_out_printf(w->out, "]");
    }
    hd_out_printf(w->out, "]");
}

static void put_stays(struct writer *w, const struct hd_cycleview_records *rec, unsigned warp)
{
    bool some = false;

    hd_out_printf(w->out, "],\"stays\":[");
    for (uint32_t i = 0; i < rec->n_stays; i++) {
        const struct hd_cycleview_stay *s = &rec->stays[i];
        if (s->row != warp || s->end == s->start)
            continue;
        hd_out_printf(w->out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%u]",
                      some ? "," : "", s->start, s->end, s->launch, s->block, s->number);
        some = true;
    }
}

// Lists of the pieces of each row: next[i] is the piece after i of the same row.
static uint32_t *chain(struct writer *w, const struct hd_cycleview_records *rec,
                       uint32_t first[HD_MAX_WARPS])
{
    uint32_t *next = HD_ARRAY(w->arena, uint32_t, (size_t)rec->n_warps + 1);

    for (unsigned i = 0; i < HD_MAX_WARPS; i++)
        first[i] = UINT32_MAX;
    for (uint32_t i = rec->n_warps; i--;) {
        next[i] = first[rec->warps[i].row];
        first[rec->warps[i].row] = i;
    }
    return next;
}

static void put_warps(struct writer *w, const struct hd_cycleview_records *rec)
{
    unsigned n = w->report->options->gpu.config->sm.warps;
    uint32_t first[HD_MAX_WARPS], *next = chain(w, rec, first);

    hd_out_printf(w->out, ",\n\"warps\":[");
    for (unsigned k = 0; k < n; k++) {
        struct row r = {.at = w->first};
        hd_out_printf(w->out, "%s{\"scheduler\":%u,\"pieces\":[", k ? ",\n" : "", rec->sched_of[k]);
        for (uint32_t i = first[k]; i != UINT32_MAX; i = next[i]) {
            const struct hd_cycleview_piece *p = &rec->warps[i];
            put_piece(w, &r, p->start - r.at, 0);
            put_piece(w, &r, p->cycles, entry_of(w, p, rec->stays));
        }
        put_piece(w, &r, w->end - r.at, 0);
        put_stays(w, rec, k);
        hd_out_printf(w->out, "]}");
    }
    hd_out_printf(w->out, "]");
}

static void put_totals(struct hd_out *out, const uint64_t counts[HD_N_CYCLEVIEW_CLASSES])
{
    hd_out_printf(out, "{");
    for (unsigned c = 0; c < HD_N_CYCLEVIEW_CLASSES; c++)
        hd_out_printf(out, "%s\"%s\":%" PRIu64, c ? "," : "", classes[c].name, counts[c]);
    hd_out_printf(out, "}");
}

static void put_sms(struct writer *w, const struct hd_cycleviews_options *o)
{
    const struct hd_config *config = w->report->options->gpu.config;
    bool some = false;

    hd_out_printf(w->out, ",\n\"sms\":[");
    for (unsigned i = 0; i < config->sm.sms; i++) {
        if (!hd_has(o->where.sms[i / 64], (int)(i % 64)))
            continue;
        struct hd_cycleview_records rec = hd_gpu_cycleview(w->gpu, i);
        hd_out_printf(w->out, "%s{\"sm\":%u,\"totals\":", some ? ",\n" : "", i);
        put_totals(w->out, rec.totals);
        put_schedulers(w, &rec, config->sm.schedulers);
        put_warps(w, &rec);
        hd_out_printf(w->out, "}");
        some = true;
    }
    hd_out_printf(w->out, "]");
}

static void put_states(struct writer *w)
{
    hd_out_printf(w->out, ",\n\"states\":[");
    for (size_t i = 0; i < w->n_states; i++)
        hd_out_printf(w->out, "%s[%u,%" PRId64 "]", i ? "," : "", w->states[i].state,
                      w->states[i].code);
    hd_out_printf(w->out, "],\n\"code\":[%s]", w->n_lines ? w->lines.text : "");
}

#define MOST_LAUNCHES 1000u

// Launches that ran in the recorded cycles, as [number, name, start, end].
static void put_launches(struct writer *w)
{
    const char **names = hd_runreport_kernels(w->report->run, w->arena);
    unsigned n = hd_gpu_n_results(w->gpu), shown = 0;

    hd_out_printf(w->out, ",\n\"launches\":[");
    for (unsigned i = 0; i < n && shown < MOST_LAUNCHES; i++) {
        const struct hd_kernel_result *k = hd_gpu_result(w->gpu, i);
        bool ended = k->end_cycle > k->start_cycle;
        if (k->start_cycle >= w->end || (ended && k->end_cycle <= w->first))
            continue;
        hd_out_printf(w->out, "%s[%u,", shown++ ? ",\n" : "", i);
        hd_cycles_text(w->out, names[i]);
        hd_out_printf(w->out, ",%" PRIu64 ",%" PRIu64 "]", k->start_cycle,
                      ended ? k->end_cycle : hd_gpu_cycle(w->gpu));
    }
    hd_out_printf(w->out, "]");
}

// The counters of the whole machine: what the classes have in each stretch of the run.
static void put_overview(struct writer *w, const struct hd_cycleviews_records *r)
{
    hd_out_printf(w->out, ",\n\"overview\":{\"ends\":[");
    for (uint32_t i = 1; i < r->n_samples; i++)
        hd_out_printf(w->out, "%s%" PRIu64, i > 1 ? "," : "", r->samples[i].cycle);
    hd_out_printf(w->out, "]");
    for (unsigned c = 0; c < HD_N_CYCLEVIEW_CLASSES; c++) {
        hd_out_printf(w->out, ",\n\"%s\":[", classes[c].name);
        for (uint32_t i = 1; i < r->n_samples; i++)
            hd_out_printf(w->out, "%s%" PRIu64, i > 1 ? "," : "",
                          r->samples[i].counts[c] - r->samples[i - 1].counts[c]);
        hd_out_printf(w->out, "]");
    }
    hd_out_printf(w->out, "}");
}

// The counters of the run's JSON.
static void put_run_totals(struct writer *w)
{
    uint64_t counts[HD_N_CYCLEVIEW_CLASSES] = {0};

    for (unsigned i = 0; i < hd_gpu_n_results(w->gpu); i++) {
        const struct hd_sm_stats *s = &hd_gpu_result(w->gpu, i)->sm;
#define ADD(name) counts[HD_CYCLEVIEW_##name] += s->name;
        HD_CYCLEVIEW_CLASSES(ADD)
#undef ADD
    }
    hd_out_printf(w->out, ",\n\"totals\":");
    put_totals(w->out, counts);
}

static void put_head(struct writer *w, const char *label)
{
    const struct hd_runreport *r = w->report;
    const struct hd_config *c = r->options->gpu.config;
    struct hd_runreport_totals totals = hd_runreport_sum(r->run);

    hd_out_printf(w->out, "{\"label\":");
    hd_cycles_text(w->out, label);
    hd_out_printf(w->out, ",\"workload\":");
    hd_cycles_text(w->out, hd_runreport_workload(r, w->arena));
    hd_out_printf(w->out, ",\"gpu\":");
    hd_cycles_text(w->out, hd_runreport_machine(r->options, w->arena));
    hd_out_printf(w->out, ",\"sched\":");
    hd_cycles_text(w->out, hd_arena_printf(w->arena, "%s%s",
                                           hd_runreport_policy(&r->options->gpu.sched, "lrr"),
                                           hd_runreport_others(r->options, w->arena)));
    hd_out_printf(w->out,
                  ",\"status\":\"%s\",\"machine_sms\":%u,\"machine_schedulers\":%u,"
                  "\"elapsed_cycles\":%" PRIu64 ",\"warp_insts\":%" PRIu64,
                  hd_runreport_status(r->run), c->sm.sms, c->sm.schedulers, totals.elapsed_cycles,
                  totals.warp_insts);
}

void hd_cycles_write(const struct hd_runreport *r, const char *label, struct hd_out *out)
{
    struct hd_gpu *g = r->run->gpu;
    const struct hd_cycleviews_options *o = hd_gpu_cycleviews(g);
    struct hd_cycleviews_records records = hd_gpu_cycleviews_records(g);
    struct writer w = {.out = out,
                       .arena = out->arena,
                       .report = r,
                       .gpu = g,
                       .lines = {.arena = out->arena},
                       .first = records.first,
                       .end = records.end};

    *HD_PUSH(w.arena, w.states, w.n_states, w.cap_states) = (struct state){-1, HD_CYCLEVIEW_EMPTY};
    put_head(&w, label);
    hd_out_printf(out,
                  ",\n\"window\":{\"first\":%" PRIu64 ",\"end\":%" PRIu64
                  ",\"full\":%s,\"machine_end\":%" PRIu64 "}",
                  records.first, records.end, records.full ? "true" : "false", hd_gpu_cycle(g));
    put_run_totals(&w);
    put_overview(&w, &records);
    put_launches(&w);
    put_sms(&w, o);
    put_states(&w);
    hd_out_printf(out, "}");
}

const char *hd_cycles_doubt(const struct hd_runreport *r, struct hd_arena *a)
{
    const struct hd_cycleviews_options *o = hd_gpu_cycleviews(r->run->gpu);

    if (!o)
        return NULL;
    struct hd_cycleviews_records records = hd_gpu_cycleviews_records(r->run->gpu);
    if (records.full)
        return hd_arena_printf(a,
                               "the page shows warps up to cycle %" PRIu64
                               ", where the recording had %" PRIu32
                               " pieces; record fewer SMs or other cycles (--html-cycles)",
                               records.end, o->pieces);
    if (records.first == records.end)
        return hd_arena_printf(a,
                               "the page shows no warps: the run ended in cycle %" PRIu64
                               ", before the cycles of --html-cycles",
                               hd_gpu_cycle(r->run->gpu));
    return NULL;
}
