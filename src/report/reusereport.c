// reusereport.c - the reuse of a run as JSON, and its plan. See reusereport.h.
#include "report/reusereport.h"

#include "base/bug.h"
#include "present/json.h"
#include "reuse/reuseatonce.h"

#include <inttypes.h>
#include <math.h>

static json_t *share(uint64_t part, uint64_t whole)
{
    return whole ? json_real((double)part / (double)whole) : json_null();
}

static json_t *bins(const uint64_t *counts, unsigned n)
{
    json_t *all = json_array();

    for (unsigned i = 0; i < n; i++)
        json_array_append_new(all, hd_json_count(counts[i]));
    return all;
}

static json_t *relation(const struct hd_reuse_relation *r)
{
    json_t *json = json_object();

    hd_json_put(json, "pairs", hd_json_count(r->pairs));
    hd_json_put(json, "sampled", hd_json_count(r->sampled));
    hd_json_put(json, "bins", bins(r->bins, HD_REUSE_BINS));
    return json;
}

static json_t *levels(const struct hd_reuse_result *r, bool resident)
{
    json_t *level[HD_REUSE_N_LEVELS], *all = json_object();

    for (unsigned i = 0; i < HD_REUSE_N_LEVELS; i++)
        level[i] = r->dropped[i] ? json_string("dropped") : json_object();
#define X(L, R, name, what)                                                                        \
    if (!r->dropped[HD_REUSE_##L] && (HD_REUSE_##L##_##R != HD_REUSE_WARP_RESIDENT || resident))   \
        hd_json_put(level[HD_REUSE_##L], name, relation(&r->relations[HD_REUSE_##L##_##R]));
    HD_REUSE_RELATIONS(X)
#undef X
#define X(L, name) hd_json_put(all, name, level[HD_REUSE_##L]);
    HD_REUSE_LEVELS(X)
#undef X
    return all;
}

static json_t *distance(const struct hd_reusedistance_result *d, const struct hd_reuse_options *o)
{
    json_t *json = json_object();

    hd_json_put(json, "lines", hd_json_count(d->lines));
    hd_json_put(json, "bins", bins(d->bins, HD_REUSEDISTANCE_BINS));
    hd_json_put(json, "beyond_l1", o->l1_lines ? share(d->beyond[0], d->lines) : json_null());
    hd_json_put(json, "beyond_l2", o->l2_lines ? share(d->beyond[1], d->lines) : json_null());
    return json;
}

static json_t *distances(const struct hd_reuse_result *r, const struct hd_reuse_options *o)
{
    json_t *all;

    if (r->distances_dropped)
        return json_string("dropped");
    all = json_object();
    hd_json_put(all, "l1_lines", hd_json_count(o->l1_lines));
    hd_json_put(all, "l2_lines", hd_json_count(o->l2_lines));
    hd_json_put(all, "self", distance(&r->distances[HD_REUSEDISTANCE_SELF], o));
    hd_json_put(all, "parent_child", distance(&r->distances[HD_REUSEDISTANCE_PARENT_CHILD], o));
    hd_json_put(all, "sibling", distance(&r->distances[HD_REUSEDISTANCE_SIBLING], o));
    return all;
}

static json_t *chain(const struct hd_reusechains_result *c)
{
    json_t *json = json_object();

    hd_json_put(json, "chains", hd_json_count(c->chains));
    hd_json_put(json, "max", hd_json_count(c->longest));
    hd_json_put(json, "mean", share(c->units, c->chains));
    return json;
}

static json_t *chains(const struct hd_reuse_result *r, enum hd_reuse_level level)
{
    json_t *json;

    if (r->dropped[level])
        return json_string("dropped");
    json = json_object();
    hd_json_put(json, "component", chain(&r->components[level]));
    hd_json_put(json, "path", chain(&r->paths[level]));
    return json;
}

static json_t *aggregate(const struct hd_reuse_result *r)
{
    json_t *json;

    if (r->dropped[HD_REUSE_KERNEL])
        return json_string("dropped");
    json = json_object();
    hd_json_put(json, "self", share(r->self, r->accesses));
    hd_json_put(json, "repeated", share(r->repeated, r->accesses));
    hd_json_put(json, "parent_child", share(r->parent_child, r->accesses));
    hd_json_put(json, "sibling", share(r->sibling, r->accesses));
    return json;
}

static json_t *analysis(const struct hd_reuse_options *o, uint64_t used)
{
    json_t *json = json_object();

    hd_json_put(json, "loads", json_boolean(o->loads));
    hd_json_put(json, "warps", json_string(o->resident ? "sm" : "block"));
    hd_json_put(json, "pairs", hd_json_count(o->pairs));
    hd_json_put(json, "memory", hd_json_count(o->memory));
    hd_json_put(json, "used", hd_json_count(used));
    return json;
}

double hd_reusereport_children_at_once(struct hd_gpu *gpu, struct hd_arena *a)
{
    unsigned n = hd_gpu_n_results(gpu);
    struct hd_reuseatonce_span *spans = HD_ARRAY(a, struct hd_reuseatonce_span, n + 1);
    size_t children = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct hd_kernel_result *k = hd_gpu_result(gpu, i);
        if (k->launch->parent)
            spans[children++] = (struct hd_reuseatonce_span){k->start_cycle, k->end_cycle};
    }
    return hd_reuseatonce_mean(spans, children);
}

json_t *hd_reusereport_found(const struct hd_runreport *report)
{
    const struct hd_reuse_result *r = hd_gpu_reuse_result(report->run->gpu);
    const struct hd_reuse_options *o = hd_gpu_reuse_options(report->run->gpu);
    json_t *found = json_object(), *of_levels = json_object();
    bool kernels = !r->dropped[HD_REUSE_KERNEL], blocks = !r->dropped[HD_REUSE_BLOCK];
    struct hd_arena *a = hd_arena_new();
    double at_once = hd_reusereport_children_at_once(report->run->gpu, a);

    hd_arena_free(a);
    hd_json_put(found, "analysis", analysis(o, r->memory));
    hd_json_put(found, "accesses", hd_json_count(r->accesses));
    hd_json_put(found, "lines", hd_json_count_if(kernels, r->lines));
    hd_json_put(found, "kernels", hd_json_count_if(kernels, r->kernels));
    hd_json_put(found, "blocks", hd_json_count_if(blocks, r->blocks));
    hd_json_put(found, "children_at_once", isnan(at_once) ? json_null() : json_real(at_once));
    hd_json_put(found, "aggregate", aggregate(r));
    hd_json_put(found, "levels", levels(r, o->resident));
    hd_json_put(found, "distance", distances(r, o));
    hd_json_put(of_levels, "kernel", chains(r, HD_REUSE_KERNEL));
    hd_json_put(of_levels, "block", chains(r, HD_REUSE_BLOCK));
    hd_json_put(found, "chains", of_levels);
    return found;
}

void hd_reusereport_json(const struct hd_runreport *report, struct hd_out *out)
{
    json_t *run = hd_runjson_head(report), *found = hd_reusereport_found(report);

    HD_BUG_IF(json_object_update(run, found), "JSON of the reuse");
    json_decref(found);
    hd_json_write(run, out);
}

static const char *name_of(uint32_t relation_id)
{
    static const char *const names[] = {
#define X(L, R, name, what) name,
        HD_REUSE_RELATIONS(X)
#undef X
    };

    return names[relation_id];
}

static bool is_of_kernels(uint32_t relation_id)
{
    return relation_id <= HD_REUSE_KERNEL_SIBLING;
}

void hd_reusereport_plan(const struct hd_runreport *report, struct hd_out *out)
{
    const struct hd_reuse_result *r = hd_gpu_reuse_result(report->run->gpu);

    hd_out_printf(out, HD_PLAN_FIRST_LINE "\n# LEVEL RELATION X Y PART WHOLE: PART of X's WHOLE "
                                          "accesses are to lines that Y accesses too\n");
#define X(L, name)                                                                                 \
    if (HD_REUSE_##L != HD_REUSE_WARP && r->dropped[HD_REUSE_##L])                                 \
        hd_out_printf(out, "# " name " dropped: the limit of memory was reached\n");
    HD_REUSE_LEVELS(X)
#undef X
    for (uint64_t i = 0; i < r->n_plan; i++) {
        const struct hd_reuse_pair *p = &r->plan[i];
        if (is_of_kernels(p->relation))
            hd_out_printf(out, "kernel %s %016" PRIx64 " %016" PRIx64, name_of(p->relation), p->x,
                          p->y);
        else
            hd_out_printf(out, "block %s %016" PRIx64 "/%" PRIu32 " %016" PRIx64 "/%" PRIu32,
                          name_of(p->relation), p->x, p->x_block, p->y, p->y_block);
        hd_out_printf(out, " %" PRIu64 " %" PRIu64 "\n", p->part, p->whole);
    }
}
