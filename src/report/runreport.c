// runreport.c - names and sums that every form of a run's report shares.
#include "report/runreport.h"

#include "base/bug.h"
#include "base/cxxname.h"

#include <inttypes.h>
#include <string.h>

const char *hd_runreport_status(const struct hd_run *r)
{
    switch (r->status) {
    case HD_RUN_OK:
        return r->checked && !r->verified ? "check_failed" : "ok";
    case HD_RUN_FAULT:
        return "fault";
    case HD_RUN_DEADLOCK:
        return "deadlock";
    case HD_RUN_LIVELOCK:
        return "livelock";
    case HD_RUN_LIMIT:
        return "limit";
    case HD_RUN_STOPPED:
        return "interrupted";
    }
    HD_BUG("run status %d", (int)r->status);
}

const char **hd_runreport_kernels(const struct hd_run *r, struct hd_arena *a)
{
    unsigned n = hd_gpu_n_results(r->gpu);
    const char **names = HD_ARRAY(a, const char *, n + 1);

    for (unsigned i = 0; i < n; i++)
        names[i] = hd_gpu_result(r->gpu, i)->name;
    hd_cxxname_shorten(a, names, n);
    return names;
}

const char *hd_runreport_source(const struct hd_run *r)
{
    return r->source == HD_FROM_PROGRAM ? "program"
           : r->source == HD_FROM_TRACE ? "trace"
                                        : "forced_trace";
}

const char *hd_runreport_policy(const struct hd_policy_choice *c, const char *baseline)
{
    return c->policy ? c->spec : baseline;
}

static void add_word(struct hd_out *to, const char *word)
{
    hd_out_printf(to, "%s%s", to->bytes ? " " : "", word);
}

// `value` is not written if it is `usual`.
static void add_number(struct hd_out *to, const char *name, uint64_t value, uint64_t usual)
{
    if (value != usual)
        hd_out_printf(to, "%s%s=%" PRIu64, to->bytes ? " " : "", name, value);
}

static void add_changes(const struct hd_run_options *o, struct hd_out *to)
{
    if (o->sets && *o->sets)
        add_word(to, o->sets);
    add_number(to, "max-cycles", o->gpu.max_cycles, 0);
    add_number(to, "max-insts", o->gpu.max_insts, 0);
    if (o->gpu.strict)
        add_word(to, "strict");
}

const char *hd_runreport_sets(const struct hd_run_options *o, struct hd_arena *a)
{
    const struct hd_sample_options *sample = o->gpu.sample;
    struct hd_out text = {.arena = a};

    add_changes(o, &text);
    if (sample) {
        add_number(&text, "sample", sample->every, 0);
        add_number(&text, "sample-warm", sample->warm, 0);
        add_number(&text, "sample-seed", sample->seed, 1);
    }
    if (o->gpu.functional_only)
        add_word(&text, "functional-only");
    return text.bytes ? text.text : "";
}

const char *hd_runreport_machine(const struct hd_run_options *o, struct hd_arena *a)
{
    struct hd_out text = {.arena = a};

    add_word(&text, o->gpu.config->name);
    add_changes(o, &text);
    return text.text;
}

const char *hd_runreport_workload(const struct hd_runreport *r, struct hd_arena *a)
{
    return r->size ? hd_arena_printf(a, "%s (%s, seed %" PRIu64 ")", r->workload, r->size, r->seed)
                   : r->workload;
}

const char *hd_runreport_other(const struct hd_run_options *o, enum hd_slot slot)
{
    const struct hd_policy_choice *slots = o->gpu.slot;
    const char *usual = hd_registry_usual(slots, slot);

    if (slot == HD_SLOT_SCHED || !strcmp(hd_registry_resolved(&slots[slot], slot), usual))
        return NULL;
    return hd_runreport_policy(&slots[slot], hd_slots[slot].baseline);
}

const char *hd_runreport_others(const struct hd_run_options *o, struct hd_arena *a)
{
    const char *text = "", *other;

    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        if ((other = hd_runreport_other(o, i)) != NULL)
            text = hd_arena_printf(a, "%s, --%s %s", text, hd_slots[i].option, other);
    return text;
}

void hd_runreport_csv_others(const struct hd_run_options *o, bool head, struct hd_out *out)
{
    const char *other;

    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        if ((other = hd_runreport_other(o, i)) != NULL) {
            hd_out_add(out, ",", 1);
            hd_out_csv(out, head ? hd_slots[i].key : other);
        }
}

const char *hd_runreport_trap(uint32_t kind)
{
    static const char *const names[HD_N_TRAPS] = {
        "none", "out_of_bounds",  "misaligned",     "illegal_instruction",
        "trap", "stack_overflow", "divergent_sync", "assertion",
        "trace"};

    HD_BUG_IF(kind >= HD_N_TRAPS, "trap kind %u", kind);
    return names[kind];
}

double hd_runreport_ipc(uint64_t thread_insts, uint64_t cycles)
{
    return cycles ? (double)thread_insts / (double)cycles : 0;
}

struct hd_runreport_totals hd_runreport_sum(const struct hd_run *r)
{
    struct hd_runreport_totals t = {.cycles_with_drain = hd_gpu_cycle(r->gpu),
                                    .elapsed_cycles = hd_gpu_elapsed(r->gpu)};

    for (unsigned i = 0; i < hd_gpu_n_results(r->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(r->gpu, i);
        t.cycles += k->cycles;
        t.warp_insts += k->sm.warp_insts;
        t.thread_insts += k->sm.thread_insts;
    }
    return t;
}

void hd_runreport_span_add(struct hd_runreport_span *span, const struct hd_kernel_result *k)
{
    uint64_t counted = span->until > k->start_cycle ? span->until - k->start_cycle : 0;

    span->cycles += counted < k->cycles ? k->cycles - counted : 0;
    if (k->start_cycle + k->cycles > span->until)
        span->until = k->start_cycle + k->cycles;
}

int64_t hd_runreport_json_cycles(const json_t *run)
{
    const json_t *totals = json_object_get(run, "totals");
    const json_t *cycles = json_object_get(totals, "elapsed_cycles");

    if (!cycles) // results of older versions have only the sum
        cycles = json_object_get(totals, "cycles");
    return json_is_integer(cycles) ? (int64_t)json_integer_value(cycles) : -1;
}
