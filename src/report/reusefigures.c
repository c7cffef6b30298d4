// reusefigures.c - the reuse of a run as tables with figures. See reusefigures.h.
#include "report/reusefigures.h"

#include "present/json.h"
#include "reuse/reuse.h"

#include <math.h>
#include <string.h>

#define RELATIONS 4 // of a level, at most

static const struct {
    const char *key, *name, *series;
} distances[] = {{"self", "SELF %", "self"},
                 {"parent_child", "PARENT-CHILD %", "parent-child"},
                 {"sibling", "SIBLING %", "sibling-sibling"}};
#define N_DISTANCES (sizeof distances / sizeof *distances)

static void add_percent(struct hd_sheet *s, double v)
{
    if (isnan(v))
        hd_sheet_add(s, NULL);
    else
        hd_sheet_addf(s, "%.1f", v);
}

static void shares_sheet(const json_t *found, struct hd_sheets *out)
{
    static const char *const keys[] = {"self", "parent_child", "sibling"};
    static const char *const names[] = {"that their kernel accesses more than once",
                                        "that a parent and its child access",
                                        "that two children of one block access"};
    static const char *const labels[] = {"one kernel", "parent and child", "siblings"};
    const json_t *shares = json_object_get(found, "aggregate");

    if (!json_is_object(shares))
        return;
    struct hd_sheet *s = hd_sheet_new(out, "shares", "Accesses to lines that are shared", "lr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, 3, 1);
    c->y_label = "% of the accesses";
    c->series[0] = "to lines of";
    hd_sheet_add(s, "ACCESSES TO LINES");
    hd_sheet_add(s, "% OF ALL");
    for (unsigned i = 0; i < 3; i++) {
        c->labels[i] = labels[i];
        c->values[i] = 100 * hd_json_number(shares, keys[i]);
        hd_sheet_add(s, names[i]);
        add_percent(s, c->values[i]);
    }
}

// The relations of a level that have pairs.
struct level {
    const char *names[RELATIONS];
    const json_t *relations[RELATIONS];
    unsigned n;
};

static void take(struct level *l, const json_t *of, const char *name)
{
    const json_t *relation = json_object_get(of, name);

    if (l->n < RELATIONS && hd_json_number(relation, "pairs") > 0) {
        l->names[l->n] = name;
        l->relations[l->n++] = relation;
    }
}

static void ratios_sheet(const json_t *found, const char *name, enum hd_reuse_level which,
                         struct hd_sheets *out)
{
    const json_t *of = json_object_get(json_object_get(found, "levels"), name);
    struct level l = {.n = 0};

#define X(L, R, relation_name, what)                                                               \
    if (HD_REUSE_##L == which)                                                                     \
        take(&l, of, relation_name);
    HD_REUSE_RELATIONS(X)
#undef X
    if (!l.n)
        return;
    struct hd_sheet *s = hd_sheet_new(
        out, name, hd_arena_printf(out->arena, "Reuse ratios of %ss", name), "lrrrrrrrrrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, HD_REUSE_BINS, l.n);
    c->y_label = "% of the pairs";
    c->x_label = "reuse ratio from";
    hd_sheet_add(s, "RELATION");
    hd_sheet_add(s, "PAIRS");
    for (unsigned i = 0; i < HD_REUSE_BINS; i++) {
        c->labels[i] = hd_arena_printf(out->arena, "%.1f", i / (double)HD_REUSE_BINS);
        hd_sheet_add(s, c->labels[i]);
    }
    for (unsigned k = 0; k < l.n; k++) {
        double pairs = hd_json_number(l.relations[k], "pairs");
        const json_t *bins = json_object_get(l.relations[k], "bins");
        c->series[k] = l.names[k];
        hd_sheet_add(s, l.names[k]);
        hd_sheet_addf(s, "%.0f", pairs);
        for (unsigned i = 0; i < HD_REUSE_BINS; i++) {
            double v = 100 * json_number_value(json_array_get(bins, i)) / pairs;
            c->values[i * l.n + k] = v;
            add_percent(s, v);
        }
    }
    hd_sheet_note(s,
                  "For each relation, how many per cent of its pairs have a ratio in each tenth.");
}

// How many of the bins of distances are used.
static unsigned used_bins(const json_t *distance)
{
    unsigned used = 0;

    for (size_t k = 0; k < N_DISTANCES; k++) {
        const json_t *bins = json_object_get(json_object_get(distance, distances[k].key), "bins");
        for (unsigned i = used; i < HD_REUSEDISTANCE_BINS; i++)
            if (json_number_value(json_array_get(bins, i)) > 0)
                used = i + 1;
    }
    return used;
}

static void distance_sheet(const json_t *found, struct hd_sheets *out)
{
    const json_t *distance = json_object_get(found, "distance");
    unsigned rows = used_bins(distance);
    double below[N_DISTANCES] = {0};

    if (!rows)
        return;
    struct hd_sheet *s = hd_sheet_new(out, "distance", "Reuse distances of lines", "rrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, rows, N_DISTANCES);
    c->y_label = "% of the lines";
    c->x_label = "mean distance below 2^n other lines";
    hd_sheet_add(s, "BELOW");
    for (size_t k = 0; k < N_DISTANCES; k++) {
        c->series[k] = distances[k].series;
        hd_sheet_add(s, distances[k].name);
    }
    for (unsigned i = 0; i < rows; i++) {
        c->labels[i] = hd_arena_printf(out->arena, "%u", i + 1);
        hd_sheet_addf(s, "2^%u", i + 1);
        for (size_t k = 0; k < N_DISTANCES; k++) {
            const json_t *of = json_object_get(distance, distances[k].key);
            double lines = hd_json_number(of, "lines");
            below[k] += json_number_value(json_array_get(json_object_get(of, "bins"), i));
            double v = lines > 0 ? 100 * below[k] / lines : (double)NAN;
            c->values[i * N_DISTANCES + k] = v;
            add_percent(s, v);
        }
    }
    hd_sheet_note(s, "Of each line that is used again, the mean of its distances: how many other "
                     "lines were accessed in between.");
}

void hd_reusefigures_make(const json_t *found, struct hd_sheets *out)
{
    shares_sheet(found, out);
#define X(L, name) ratios_sheet(found, name, HD_REUSE_##L, out);
    HD_REUSE_LEVELS(X)
#undef X
    distance_sheet(found, out);
}
