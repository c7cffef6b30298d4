// timeline.c - the records of gpu/metrics.h as a trace for chrome://tracing and Perfetto: the JSON
// array format, one event per line, a cycle shown as a microsecond.
//
// Processes are the machine (a row per stream: kernels; those that kernels launched have separate
// rows, one per running slot), its SMs (a row per block slot: blocks) and the SM that was recorded
// in detail (a row per warp: phases and waiting; a counter per slot). The records are bounded, and
// so is the file.
#include "report/runreport.h"

#include "present/json.h"

#include <inttypes.h>

#define MAX_KERNELS 16384
#define PID_KERNELS 0
#define PID_SM(i) (1 + (i))
#define PID_WARPS 1000000
#define PID_CHILDREN 1000001

struct writer {
    struct hd_out *out;
    const struct hd_runreport *report;
    bool some;
};

static void begin_event(struct writer *w)
{
    hd_out_printf(w->out, w->some ? ",\n" : "\n");
    w->some = true;
}

static void name_process(struct writer *w, unsigned pid, const char *name, int number)
{
    begin_event(w);
    hd_out_printf(w->out,
                  "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":0,\"ts\":0,"
                  "\"args\":{\"name\":\"%s",
                  pid, name);
    if (number >= 0)
        hd_out_printf(w->out, " %d", number);
    hd_out_printf(w->out, "\"}}");
}

// Text in quotes, as JSON writes it.
static void put_text(struct writer *w, const char *text)
{
    hd_json_add(hd_json_text(text), w->out);
}

static void begin_slice(struct writer *w, unsigned pid, unsigned tid, uint64_t start, uint64_t end)
{
    begin_event(w);
    hd_out_printf(
        w->out,
        "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"name\":", pid,
        tid, start, end - start);
}

static void put_kernels(struct writer *w)
{
    const struct hd_gpu *g = w->report->run->gpu;
    unsigned n = hd_gpu_n_results(g);
    const char **names = hd_runreport_kernels(w->report->run, w->out->arena);

    name_process(w, PID_KERNELS, "kernels", -1);
    if (n && hd_gpu_launched(g))
        name_process(w, PID_CHILDREN, "kernels launched by kernels", -1);
    for (unsigned i = 0; i < n && i < MAX_KERNELS; i++) {
        const struct hd_kernel_result *k = hd_gpu_result(g, i);
        if (k->launch->parent) // they overlap; those in a running slot follow each other
            begin_slice(w, PID_CHILDREN, k->slot, k->start_cycle, k->end_cycle);
        else
            begin_slice(w, PID_KERNELS, k->launch->stream, k->start_cycle, k->end_cycle);
        put_text(w, names[i]);
        hd_out_printf(w->out, ",\"args\":{\"launch\":%u,\"cycles\":%" PRIu64 "}}", i, k->cycles);
    }
}

static void put_blocks(struct writer *w, unsigned sm, const struct hd_metrics_records *r)
{
    if (!r->n_blocks)
        return;
    name_process(w, PID_SM(sm), "SM", (int)sm);
    for (uint32_t i = 0; i < r->n_blocks; i++) {
        const struct hd_metrics_block *b = &r->blocks[i];
        begin_slice(w, PID_SM(sm), b->slot, b->start, b->end);
        hd_out_printf(
            w->out,
            "\"block %u\",\"args\":{\"launch\":%u,\"sequence\":%u,\"thread_insts\":%" PRIu64 "}}",
            b->block, b->launch, b->sequence, b->thread_insts);
    }
}

static void put_warps(struct writer *w, unsigned sm, const struct hd_metrics_records *r)
{
    if (!r->n_warps)
        return;
    name_process(w, PID_WARPS, "warps of SM", (int)sm);
    for (uint32_t i = 0; i < r->n_warps; i++) {
        const struct hd_metrics_warp *p = &r->warps[i];
        begin_slice(w, PID_WARPS, p->warp, p->start, p->arrival);
        hd_out_printf(w->out, "\"phase %u\",\"args\":{\"launch\":%u,\"block\":%u}}", p->phase,
                      p->launch, p->block);
        if (p->end == p->arrival)
            continue;
        begin_slice(w, PID_WARPS, p->warp, p->arrival, p->end);
        hd_out_printf(w->out, "\"%s\"}", p->ended ? "ended" : "at the barrier");
    }
}

static void put_samples(struct writer *w, unsigned sm, const struct hd_metrics_records *r)
{
    for (uint32_t i = 0; i < r->n_samples; i++) {
        const struct hd_metrics_sample *s = &r->samples[i];
        begin_event(w);
        hd_out_printf(w->out,
                      "{\"ph\":\"C\",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64
                      ",\"name\":\"thread instructions of a slot\",\"args\":{",
                      PID_SM(sm), s->cycle);
        for (uint32_t k = 0; k < s->n; k++)
            hd_out_printf(w->out, "%s\"%u\":%" PRIu64, k ? "," : "", s->slot[k],
                          s->thread_insts[k]);
        hd_out_printf(w->out, "}}");
        begin_event(w);
        hd_out_printf(w->out,
                      "{\"ph\":\"i\",\"s\":\"p\",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64
                      ",\"name\":\"order of the blocks\",\"args\":{\"sequence\":[",
                      PID_SM(sm), s->cycle);
        for (uint32_t k = 0; k < s->n; k++)
            hd_out_printf(w->out, "%s%u", k ? "," : "", s->sequence[k]);
        hd_out_printf(w->out, "]}}");
    }
}

void hd_timeline_write(const struct hd_runreport *r, struct hd_out *out)
{
    const struct hd_gpu_options *o = &r->options->gpu;
    struct writer w = {.out = out, .report = r};
    unsigned kernels = hd_gpu_n_results(r->run->gpu);
    uint64_t lost = kernels > MAX_KERNELS ? kernels - MAX_KERNELS : 0;

    hd_out_printf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    put_kernels(&w);
    for (unsigned i = 0; i < o->config->sm.sms; i++) {
        const struct hd_metrics_records *rec = hd_gpu_metrics_records(r->run->gpu, i);
        if (!rec)
            break;
        put_blocks(&w, i, rec);
        put_warps(&w, i, rec);
        put_samples(&w, i, rec);
        lost += rec->blocks_lost + rec->warps_lost + rec->samples_lost;
    }
    hd_out_printf(out, "\n],\n\"otherData\":{\"unit\":\"1 us is 1 cycle\",\"workload\":");
    put_text(&w, hd_runreport_workload(r, out->arena));
    hd_out_printf(out, ",\"gpu\":");
    put_text(&w, hd_runreport_machine(r->options, out->arena));
    hd_out_printf(out, ",\"sched\":");
    put_text(&w, hd_arena_printf(out->arena, "%s%s", hd_runreport_policy(&o->sched, "lrr"),
                                 hd_runreport_others(r->options, out->arena)));
    if (r->run->status == HD_RUN_STOPPED) // the launches that ran are cut off
        hd_out_printf(out, ",\"status\":\"%s\"", hd_runreport_status(r->run));
    hd_out_printf(out, ",\"lost\":%" PRIu64 "}}\n", lost);
}
