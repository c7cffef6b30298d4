// cmd_explain.c - heddle explain NAME: prints what the tables contain about a policy, a counter, a
// machine or one of its keys, or an instruction. A name that is in several tables is explained from
// each.
#include "cmd/cmd.h"

#include "base/config.h"
#include "base/configsize.h"
#include "base/fields.h"
#include "cmd/cmd_latencies.h"
#include "gpgpusim/simmachine.h"
#include "heddle/stats.h"
#include "isa/op.h"
#include "present/table.h"

#include <inttypes.h>
#include <string.h>

#define WHAT_THERE_IS                                                                              \
    "expected a policy, a counter, the head of a column, a key of JSON, a GPU, a component such "  \
    "as l1d, a key such as sm.warps, an instruction such as shfl or a term of the glossary"

static const char *range(struct hd_arena *a, const struct hd_field *f)
{
    const char *text = "";

    switch ((enum hd_field_type)f->type) {
    case HD_FIELD_ENUM:
        for (unsigned i = 0; f->choices[i]; i++)
            text = hd_arena_printf(a, "%s%s%s", text, i ? "|" : "", f->choices[i]);
        return text;
    case HD_FIELD_BOOL:
        return "0 or 1";
    case HD_FIELD_NAME:
        return "a name";
    case HD_FIELD_PLAN:
        return "a file";
    case HD_FIELD_PAIR:
    case HD_FIELD_U32:
    case HD_FIELD_U64:
        break;
    }
    if (f->max == UINT64_MAX)
        return hd_arena_printf(a, "from %" PRIu64, f->min);
    return hd_arena_printf(a, "%" PRIu64 " to %" PRIu64, f->min, f->max);
}

static void print_params(struct hd_arena *a, const struct hd_policy *p)
{
    struct hd_table t = hd_table_new(a, "lllll");

    printf("\nparameters (%s", p->name);
    for (const struct hd_field *f = p->params; f->name; f++)
        printf(":%s", f->name);
    printf(", or %s:key=value):\n", p->name);
    for (const struct hd_field *f = p->params; f->name; f++) {
        hd_table_add(&t, hd_arena_printf(a, "  %s", f->name));
        hd_table_add(&t, hd_arena_printf(a, "default %s", f->default_text));
        hd_table_add(&t, range(a, f));
        hd_table_add(&t, f->unit);
        hd_table_add(&t, f->help);
    }
    hd_table_print(&t, stdout);
}

// Prints the sentences of the source that parameters interpret. For a policy with some parameters
// fixed, those of the fixed ones are left out.
static void print_readings(struct hd_arena *a, const struct hd_policy *p)
{
    bool any = false;

    for (const struct hd_reading *r = p->readings; r && r->param; r++) {
        if (!hd_fields_find(p->params, r->param))
            continue;
        if (!any)
            printf("\nwhat these read:\n");
        any = true;
        hd_cmd_wrap_print(hd_arena_printf(a, "%s: %s", r->param, r->sentence), 2);
    }
}

static void print_counters(struct hd_arena *a, const struct hd_field *rows, const char *per)
{
    struct hd_table t = hd_table_new(a, "lll");

    if (!rows || !rows->name)
        return;
    printf("\ncounters of each %s:\n", per);
    for (const struct hd_field *f = rows; f->name; f++) {
        hd_table_add(&t, hd_arena_printf(a, "  %s", f->name));
        hd_table_add(&t, f->unit);
        hd_table_add(&t, f->help);
    }
    hd_table_print(&t, stdout);
}

static char *bits_text(struct hd_arena *a, uint64_t bits)
{
    return bits ? hd_arena_printf(a, "%" PRIu64, bits) : NULL;
}

// One row; returns the bits that it needs in an SM. A row without bits is a remark.
static uint64_t cost_row(struct hd_arena *a, struct hd_table *t, const struct hd_cost *cost,
                         const struct hd_config *c)
{
    uint64_t sm = hd_registry_bits(cost, c->sm.warps, c->sm.tbs, c->sm.schedulers);

    if (!sm && !cost->per_gpu)
        return 0;
    hd_table_add(t, hd_arena_printf(a, "  %s", cost->what));
    hd_table_add(t, bits_text(a, cost->per_warp));
    hd_table_add(t, bits_text(a, cost->per_tb));
    hd_table_add(t, bits_text(a, cost->per_scheduler));
    hd_table_add(t, bits_text(a, sm));
    hd_table_add(t, bits_text(a, sm * c->sm.sms + cost->per_gpu));
    return sm;
}

// Storage per unit as the policy declares it, and the total on the default machine.
static void print_cost(struct hd_arena *a, const struct hd_cost *cost)
{
    static const char *const heads[] = {"  BITS OF",   "A WARP", "A BLOCK",
                                        "A SCHEDULER", "THE SM", "THE GPU"};
    struct hd_table t = hd_table_new(a, "lrrrrr");
    struct hd_config config;
    struct hd_diag d = {0};
    uint64_t sm = 0, gpu = 0;

    if (!hd_config_load(a, HD_CMD_DEFAULT_GPU, NULL, 0, &config, &d))
        return;
    for (int i = 0; i < 6; i++)
        hd_table_add(&t, heads[i]);
    for (const struct hd_cost *row = cost; row->what; row++) {
        sm += cost_row(a, &t, row, &config);
        gpu += row->per_gpu;
    }
    printf("\nstorage in hardware, on a %s:\n", HD_CMD_DEFAULT_GPU);
    hd_table_print(&t, stdout);
    gpu += sm * config.sm.sms;
    printf("  together %" PRIu64 " bits (%" PRIu64 " bytes) in an SM, %" PRIu64 " bits in all %u\n",
           sm, (sm + 7) / 8, gpu, config.sm.sms);
    for (; cost->what; cost++)
        if (!cost->per_warp && !cost->per_tb && !cost->per_scheduler && !cost->per_sm &&
            !cost->per_gpu)
            hd_cmd_wrap_print(cost->what, 2);
}

static void explain_policy(struct hd_arena *a, const struct hd_policy *p)
{
    const char *chooses = "";

    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        if (hd_registry_fills(p, s))
            chooses = hd_arena_printf(a, "%s%s%s (--%s)", chooses, *chooses ? ", " : "",
                                      hd_slots[s].chooses, hd_slots[s].option);
    hd_cmd_wrap_print(hd_arena_printf(a, "policy %s: %s", p->name, p->brief ? p->brief : ""), 0);
    hd_cmd_wrap_print(hd_arena_printf(a, "chooses %s", chooses), 2);
    if (p->flags & HD_FETCH_TOO)
        hd_cmd_wrap_print("--sched alone chooses its fetch order too, unless --fetch is given", 2);
    if ((p->flags & HD_TB_TOO) && (p->flags & HD_KERNEL_TOO))
        hd_cmd_wrap_print("--sched alone chooses its placement of blocks and its order of kernels "
                          "too, unless --tb and --kernel-policy are given",
                          2);
    else if (p->flags & HD_KERNEL_TOO)
        hd_cmd_wrap_print("--tb alone chooses its order of kernels too, unless --kernel-policy is "
                          "given",
                          2);
    if (p->source)
        hd_cmd_wrap_print(hd_arena_printf(a, "from: %s", p->source), 2);
    if (p->params && p->params->name)
        print_params(a, p);
    if (p->params)
        print_readings(a, p);
    print_counters(a, p->counters, "scheduler");
    print_counters(a, p->sm_counters, "SM");
    if (p->cost && p->cost->what)
        print_cost(a, p->cost);
}

static void explain_stat(struct hd_arena *a, const struct hd_stat *s)
{
    hd_cmd_wrap_print(hd_arena_printf(a, "counter %s, in %s: %s", s->name, s->unit, s->help), 0);
    printf("  counted %s\n", strcmp(s->group, "mem") ? "in every SM, summed for each kernel"
                                                     : "outside the SMs, for each kernel");
}

static bool explain_key(const struct hd_cmd_options *o, const char *section,
                        const struct hd_field *f, struct hd_diag *d)
{
    struct hd_arena *a = o->arena;

    hd_cmd_wrap_print(hd_arena_printf(a, "machine key %s.%s%s%s: %s", section, f->name,
                                      *f->unit ? ", in " : "", f->unit, f->help),
                      0);
    printf("  default %s, range %s; change it with --set %s.%s=VALUE\n", f->default_text,
           range(a, f), section, f->name);
    return hd_cmd_latencies_key(o, hd_arena_printf(a, "%s.%s", section, f->name), d);
}

static void explain_size(struct hd_arena *a, const char *section, const struct hd_field *f)
{
    hd_cmd_wrap_print(
        hd_arena_printf(a, "machine key %s.%s, in %s: %s", section, f->name, f->unit, f->help), 0);
    printf("  another way to give %s.sets; change it with --set %s.size=VALUE\n", section, section);
}

// False after a diagnostic.
static bool explain_keys(const struct hd_cmd_options *o, const char *name, bool *found,
                         struct hd_diag *d)
{
    const char *dot = strchr(name, '.');

    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++) {
        size_t n = strlen(s->name);
        bool here = dot && (size_t)(dot - name) == n && !strncmp(s->name, name, n);
        for (const struct hd_field *f = s->rows; f->name; f++)
            if (!strcmp(f->name, name) || (here && !strcmp(f->name, dot + 1))) {
                *found = true;
                if (!explain_key(o, s->name, f, d))
                    return false;
            }
        const struct hd_field *size = hd_configsize_row(s->name);
        if (size && (!strcmp(name, "size") || (here && !strcmp(dot + 1, "size")))) {
            explain_size(o->arena, s->name, size);
            *found = true;
        }
    }
    return true;
}

// Whether it is "section.key".
static bool is_key(struct hd_arena *a, const char *name)
{
    const char *dot = strchr(name, '.');
    const struct hd_config_section *s =
        dot ? hd_configkeys_find(hd_arena_strndup(a, name, (size_t)(dot - name))) : NULL;

    return s && hd_fields_find(s->rows, dot + 1);
}

static bool is_gpu(struct hd_arena *a, const char *name, bool found)
{
    struct hd_cmd_list names = hd_cmd_workloads_names(a, "gpus", ".ini");
    size_t n = strlen(name);

    for (size_t i = 0; i < names.n; i++)
        if (!strcmp(names.items[i], name))
            return true;
    if (hd_simmachine_is(a, name))
        return true;
    // A file of the user; heads of columns may have a stroke, too.
    return (strchr(name, '/') && !found) || (n > 4 && !strcmp(name + n - 4, ".ini"));
}

static bool explain_gpu(struct hd_arena *a, const char *name, struct hd_diag *d)
{
    struct hd_table t = hd_table_new(a, "llll");
    struct hd_config config;
    char value[HD_FIELD_NAME_MAX];

    if (!hd_simmachine_load(a, name, NULL, 0, &config, d))
        return false;
    hd_diag_print(d, stderr);
    printf("machine %s:\n", name);
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        for (const struct hd_field *f = s->rows; f->name; f++) {
            hd_fields_text(f, &config, value, sizeof value);
            hd_table_add(&t, hd_arena_printf(a, "  %s.%s", s->name, f->name));
            hd_table_add(&t, hd_arena_strdup(a, value));
            hd_table_add(&t, f->unit);
            hd_table_add(&t, f->help);
        }
    hd_table_print(&t, stdout);
    if (config.requeue.entries) {
        uint32_t bits = config.requeue.entries * HD_REQUEUE_ENTRY_BITS;
        printf("storage in hardware of the re-execution queue: %u bits (%u bytes) in an SM, %u "
               "bits in all %u\n",
               bits, (bits + 7) / 8, bits * config.sm.sms, config.sm.sms);
    }
    return true;
}

static int unknown(struct hd_arena *a, const char *name)
{
    struct hd_cmd_list all = hd_cmd_workloads_names(a, "gpus", ".ini");
    struct hd_diag d = {0};
    struct hd_diag_entry *e;

    for (unsigned i = 0; i < hd_registry_count(); i++)
        *HD_PUSH(a, all.items, all.n, all.cap) = hd_registry_at(i)->name;
    for (const struct hd_stat *s = hd_stats_sm; s->name; s++)
        *HD_PUSH(a, all.items, all.n, all.cap) = s->name;
    for (const struct hd_stat *s = hd_stats_mem; s->name; s++)
        *HD_PUSH(a, all.items, all.n, all.cap) = s->name;
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        for (const struct hd_field *f = s->rows; f->name; f++)
            *HD_PUSH(a, all.items, all.n, all.cap) =
                strchr(name, '.') ? hd_arena_printf(a, "%s.%s", s->name, f->name) : f->name;
    for (const char *const *option = hd_simoptions_names(); *option; option++)
        *HD_PUSH(a, all.items, all.n, all.cap) = *name == '-' ? *option : *option + 1;
    for (const char *const *op = hd_op_mnemonics(); *op; op++)
        *HD_PUSH(a, all.items, all.n, all.cap) = *op;
    hd_cmd_explain_words(a, &all);
    *HD_PUSH(a, all.items, all.n, all.cap) = NULL;
    e = hd_diag_add(&d, NULL, 0, 0, "nothing here is named '%.60s'", name);
    hd_diag_nearest(e, name, all.items);
    if (strchr(name, ' ') && !strchr(e->hint + strcspn(e->hint, "'"), ' '))
        hd_diag_hint(e, "explain takes one name, or a term such as 'warp instruction'");
    const char *dot = strchr(name, '.'), *key = dot ? dot + 1 : name;
    if (*key)
        hd_configkeys_near(e, dot ? hd_arena_strndup(a, name, (size_t)(dot - name)) : "", key);
    if (!e->hint[0])
        hd_diag_hint(e, WHAT_THERE_IS);
    return hd_cmd_options_fail(&d);
}

// Whether an option is given that only the latencies of instructions have, and of a machine (--gpu,
// --set) also its keys.
static bool only_latencies(const struct hd_cmd_options *o, const char *name)
{
    return ((o->gpu || o->sets.n) && !is_key(o->arena, name)) || o->json || o->csv;
}

// A term of several words need not be quoted.
static const char *joined(const struct hd_cmd_options *o)
{
    const char *name = o->args.items[0];

    for (size_t i = 1; i < o->args.n; i++)
        name = hd_arena_printf(o->arena, "%s %s", name, o->args.items[i]);
    return name;
}

int hd_cmd_explain(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    bool found = false;

    if (!hd_cmd_machine_plugins(o, &d))
        return hd_cmd_options_fail(&d);
    if (!o->args.n) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "explain takes one name"), WHAT_THERE_IS);
        return hd_cmd_options_fail(&d);
    }
    const char *name = joined(o);
    bool instruction = hd_cmd_latencies_means(name);
    if (only_latencies(o, name) && instruction)
        return hd_cmd_latencies_show(o, name);
    if (only_latencies(o, name)) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                                 "--gpu, --set, --json and --csv are for instructions, and '%.60s' "
                                 "is none",
                                 name),
                     "'heddle explain %.60s' without them, or 'heddle explain latency' with them",
                     name);
        return hd_cmd_options_fail(&d);
    }
    const char *bare = hd_arena_strndup(o->arena, name, strcspn(name, ":")); // gto:... is gto
    const struct hd_policy *p = hd_registry_find(bare);
    const struct hd_stat *s = hd_stats_find(name);
    if (p) {
        explain_policy(o->arena, p);
        found = true;
    }
    if (s) {
        explain_stat(o->arena, s);
        found = true;
    }
    found = hd_cmd_explain_word(o->arena, name) || found;
    if (!explain_keys(o, name, &found, &d))
        return hd_cmd_options_fail(&d);
    found = hd_cmd_gpu_explain(o->arena, name) || found;
    if (is_gpu(o->arena, name, found)) {
        found = true;
        if (!explain_gpu(o->arena, name, &d))
            return hd_cmd_options_fail(&d);
    }
    if (instruction) {
        printf("%s", found ? "\n" : "");
        return hd_cmd_latencies_show(o, name);
    }
    return found ? HD_EXIT_OK : unknown(o->arena, name);
}
