// reusetable.c - the reuse of a run as a page for people.
#include "report/reusereport.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_share(struct hd_out *to, uint64_t part, uint64_t whole, const char *what)
{
    hd_out_printf(to, "  %5.1f %%  %s\n", percent(part, whole), what);
}

// In a program without kernels that launch kernels there is nothing to say.
static void print_at_once(double children, struct hd_out *to)
{
    if (!isnan(children))
        hd_out_printf(to, "\nChildren that run at one time, while any runs: %.1f in the mean\n",
                      children);
}

static void print_aggregate(const struct hd_reuse_result *r, struct hd_out *to)
{
    struct hd_arena *a = to->arena;

    hd_out_printf(to, "%s accesses", hd_out_count(a, r->accesses));
    if (r->dropped[HD_REUSE_KERNEL]) {
        hd_out_printf(to, "\n\nDropped: the limit of memory is too low for any other number.\n");
        return;
    }
    hd_out_printf(to, " to %s lines of %d bytes, by %s kernel%s", hd_out_count(a, r->lines),
                  HD_REUSE_LINE, hd_out_count(a, r->kernels), r->kernels == 1 ? "" : "s");
    if (!r->dropped[HD_REUSE_BLOCK])
        hd_out_printf(to, " and %s block%s", hd_out_count(a, r->blocks), r->blocks == 1 ? "" : "s");
    hd_out_printf(to, "\n\nShare of the accesses that are to lines\n");
    print_share(to, r->self, r->accesses, "that their kernel accesses more than once");
    print_share(to, r->parent_child, r->accesses, "that a parent and its child access");
    print_share(to, r->sibling, r->accesses, "that two children of one block access");
}

static void print_relation(const struct hd_reuse_relation *r, const char *level, const char *name,
                           struct hd_out *to)
{
    hd_out_printf(to, "%-7s %-12s  %13s", level, name, hd_out_count(to->arena, r->pairs));
    for (unsigned i = 0; i < HD_REUSE_BINS && r->pairs; i++)
        hd_out_printf(to, " %5.1f", percent(r->bins[i], r->pairs));
    hd_out_printf(to, "%s\n", r->sampled < r->pairs ? " ~" : "");
}

static void print_levels(const struct hd_reuse_result *r, bool resident, struct hd_out *to)
{
    static const struct {
        enum hd_reuse_level level;
        enum hd_reuse_relation_id id;
        const char *level_name, *name;
    } rows[] = {
#define X(L, R, name, what) {HD_REUSE_##L, HD_REUSE_##L##_##R, #L, name},
        HD_REUSE_RELATIONS(X)
#undef X
    };
    static const char *const names[] = {
#define X(L, name) name,
        HD_REUSE_LEVELS(X)
#undef X
    };
    bool sampled = false;

    hd_out_printf(to, "\nReuse ratios: pairs, and how many per cent of them have a ratio from\n\n"
                      "LEVEL   RELATION              PAIRS   0.0   0.1   0.2   0.3   0.4   0.5   "
                      "0.6   0.7   0.8   0.9\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct hd_reuse_relation *of = &r->relations[rows[i].id];
        if (r->dropped[rows[i].level] || (rows[i].id == HD_REUSE_WARP_RESIDENT && !resident))
            continue;
        print_relation(of, names[rows[i].level], rows[i].name, to);
        sampled |= of->sampled < of->pairs;
    }
    for (unsigned i = 0; i < HD_REUSE_N_LEVELS; i++)
        if (r->dropped[i])
            hd_out_printf(to, "%-7s dropped: the limit of memory was reached\n", names[i]);
    if (sampled)
        hd_out_printf(to, "\n~ estimated from a sample of the pairs\n");
}

static void print_beyond(struct hd_out *to, uint64_t beyond, uint64_t lines, uint64_t limit)
{
    if (limit && lines)
        hd_out_printf(to, "  %9.1f", percent(beyond, lines));
    else
        hd_out_printf(to, "  %9s", "-");
}

static void print_distances(const struct hd_reuse_result *r, const struct hd_reuse_options *o,
                            struct hd_out *to)
{
    static const char *const names[] = {"self", "parent_child", "sibling"};
    static const unsigned powers[] = {4, 8, 12, 16};

    hd_out_printf(to, "\nReuse distances: lines that are accessed again, and for how many per cent "
                      "of them\nso many other lines come between, in the mean\n\n");
    if (r->distances_dropped) {
        hd_out_printf(to, "dropped: the limit of memory was reached\n");
        return;
    }
    hd_out_printf(to, "RELATION            LINES    < 16   < 256  < 4096  < 64 K  BEYOND L1  "
                      "BEYOND L2\n");
    for (unsigned i = 0; i < HD_REUSEDISTANCE_N; i++) {
        const struct hd_reusedistance_result *d = &r->distances[i];
        uint64_t below = 0;
        hd_out_printf(to, "%-12s  %11s", names[i], hd_out_count(to->arena, d->lines));
        for (unsigned k = 0, bin = 0; k < 4 && d->lines; k++) {
            for (; bin < powers[k]; bin++)
                below += d->bins[bin];
            hd_out_printf(to, "  %6.1f", percent(below, d->lines));
        }
        if (d->lines) {
            print_beyond(to, d->beyond[0], d->lines, o->l1_lines);
            print_beyond(to, d->beyond[1], d->lines, o->l2_lines);
        }
        hd_out_printf(to, "\n");
    }
}

static void print_chain(const char *level, const char *kind, const struct hd_reusechains_result *c,
                        struct hd_out *to)
{
    struct hd_arena *a = to->arena;

    hd_out_printf(to, "%-7s %-10s  %11s  %11s  ", level, kind, hd_out_count(a, c->chains),
                  hd_out_count(a, c->longest));
    if (c->chains)
        hd_out_printf(to, "%9.1f\n", (double)c->units / (double)c->chains);
    else
        hd_out_printf(to, "%9s\n", "-");
}

static void print_chains(const struct hd_reuse_result *r, struct hd_out *to)
{
    static const char *const names[] = {"kernel", "block"};

    hd_out_printf(to, "\nChains of units with ratios above 0.4\n\n"
                      "LEVEL   KIND             CHAINS      LONGEST       MEAN\n");
    for (unsigned i = 0; i < HD_REUSE_WARP; i++) {
        if (r->dropped[i])
            continue;
        print_chain(names[i], "component", &r->components[i], to);
        print_chain(names[i], "path", &r->paths[i], to);
    }
}

void hd_reusetable_write(const struct hd_runreport *report, struct hd_out *to)
{
    const struct hd_reuse_result *r = hd_gpu_reuse_result(report->run->gpu);
    const struct hd_reuse_options *o = hd_gpu_reuse_options(report->run->gpu);
    const struct hd_gpu_options *g = &report->options->gpu;
    const char *verdict = hd_runtable_verdict(to->arena, report->run);

    hd_out_add_utf8(to, hd_runreport_workload(report, to->arena));
    hd_out_printf(to, " on %s, scheduler %s%s%s\n\n",
                  hd_runreport_machine(report->options, to->arena),
                  hd_runreport_policy(&g->slot[HD_SLOT_SCHED], hd_slots[HD_SLOT_SCHED].baseline),
                  hd_runreport_others(report->options, to->arena), o->loads ? ", loads only" : "");
    print_aggregate(r, to);
    print_at_once(hd_reusereport_children_at_once(report->run->gpu, to->arena), to);
    if (!r->dropped[HD_REUSE_KERNEL]) {
        print_levels(r, o->resident, to);
        print_distances(r, o, to);
        print_chains(r, to);
    }
    hd_out_printf(to, "\n%s\n", verdict);
}
