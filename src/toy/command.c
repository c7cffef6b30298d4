// command.c - `heddle toy`: run an example under some policies and show what they did.
#include "toy/toy.h"

#include <inttypes.h>
#include <string.h>

#define MAX_POLICIES 32

struct command {
    const char *example, *sched, *fetch, *tb, *kernel_policy;
    bool trace, timeline, no_skip;
    struct hd_arena *arena;
    struct hd_diag diag;
    struct hd_policy_choice choices[MAX_POLICIES], fetch_choice, tb_choice, kernel_choice;
    unsigned n;
};

static const char *const options[] = {"--sched",         "--fetch",   "--tb",
                                      "--kernel-policy", "--plugin",  "--trace",
                                      "--no-timeline",   "--no-skip", NULL};

// The value of an option: after its '=' or in the next word. NULL if `arg` is another option.
static const char *value_of(const char *option, const char *arg, int argc, char **argv, int *i)
{
    size_t n = strlen(option);

    if (strncmp(arg, option, n) != 0 || (arg[n] && arg[n] != '='))
        return NULL;
    if (arg[n] == '=')
        return arg + n + 1;
    return *i + 1 < argc ? argv[++*i] : "";
}

static void read_arguments(struct command *c, int argc, char **argv)
{
    const char *value;

    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        if (arg[0] != '-' && !c->example)
            c->example = arg;
        else if ((value = value_of("--sched", arg, argc, argv, &i)) != NULL)
            c->sched = value;
        else if ((value = value_of("--fetch", arg, argc, argv, &i)) != NULL)
            c->fetch = value;
        else if ((value = value_of("--tb", arg, argc, argv, &i)) != NULL)
            c->tb = value;
        else if ((value = value_of("--kernel-policy", arg, argc, argv, &i)) != NULL)
            c->kernel_policy = value;
        else if ((value = value_of("--plugin", arg, argc, argv, &i)) != NULL)
            hd_registry_plugin(value, &c->diag);
        else if (!strcmp(arg, "--trace"))
            c->trace = true;
        else if (!strcmp(arg, "--no-timeline"))
            c->timeline = false;
        else if (!strcmp(arg, "--no-skip"))
            c->no_skip = true;
        else
            hd_diag_nearest(hd_diag_add(&c->diag, NULL, 0, 0, "heddle toy does not know '%s'", arg),
                            arg, options);
    }
    if (!c->example)
        hd_diag_hint(
            hd_diag_add(&c->diag, NULL, 0, 0, "which example?"),
            "heddle toy NAME|FILE.toy --sched LIST, as in heddle toy lfws-fig1 --sched gto");
}

// A comma separates policies.
static void read_policies(struct command *c)
{
    const char *p = c->sched;

    for (bool more = true; more;) {
        size_t n = strcspn(p, ",");
        const char *spec = hd_arena_strndup(c->arena, p, n);
        more = p[n] == ',';
        p += n + more;
        if (c->n == MAX_POLICIES) {
            hd_diag_add(&c->diag, NULL, 0, 0, "--sched: more than %d policies", MAX_POLICIES);
            return;
        }
        if (hd_registry_parse_slot(c->arena, HD_SLOT_SCHED, spec, &c->choices[c->n], &c->diag))
            c->n++;
    }
    if (c->fetch)
        hd_registry_parse_slot(c->arena, HD_SLOT_FETCH, c->fetch, &c->fetch_choice, &c->diag);
    if (c->tb)
        hd_registry_parse_slot(c->arena, HD_SLOT_TB, c->tb, &c->tb_choice, &c->diag);
    if (c->kernel_policy)
        hd_registry_parse_slot(c->arena, HD_SLOT_KERNEL_POLICY, c->kernel_policy, &c->kernel_choice,
                               &c->diag);
}

static const char *verdict(const struct hd_toy_result *r)
{
    static const char *const texts[] = {"", "  deadlock", "  gave up at the limit"};

    return texts[r->status];
}

static int run_all(const struct command *c, const struct hd_toy *toy)
{
    struct hd_toy_result results[MAX_POLICIES];
    int code = HD_EXIT_OK;

    printf("%s: %s\n", toy->name, toy->title);
    if (*toy->source)
        printf("source: %s\n", toy->source);
    printf("\n%-28s %8s %8s %8s %8s %10s\n", "policy", "finish", "stalls", "issued", "idle",
           "scoreboard");
    for (unsigned i = 0; i < c->n; i++) {
        struct hd_toy_result *r = &results[i];
        struct hd_toy_options o = {.sched = c->choices[i],
                                   .fetch = c->fetch_choice,
                                   .no_skip = c->no_skip,
                                   .tb = c->tb_choice,
                                   .kernel_policy = c->kernel_choice};
        hd_registry_preset_slot(&o.sched, HD_SLOT_FETCH, &o.fetch);
        hd_registry_preset_slot(&o.sched, HD_SLOT_TB, &o.tb);
        hd_registry_preset_slot(&o.sched, HD_SLOT_KERNEL_POLICY, &o.kernel_policy);
        hd_registry_preset_slot(&o.tb, HD_SLOT_KERNEL_POLICY, &o.kernel_policy);
        hd_toy_run(c->arena, toy, &o, r);
        printf("%-28s %8" PRIu64 " %8" PRIu64 " %8zu %8" PRIu64 " %10" PRIu64 "%s\n",
               c->choices[i].spec, r->finish, r->stalls, r->n_issues, r->idle, r->scoreboard,
               verdict(r));
        if (r->status != HD_TOY_DONE)
            code = HD_EXIT_FAULT;
    }
    for (unsigned i = 0; i < c->n && (c->trace || c->timeline); i++) {
        printf("\n%s\n", c->choices[i].spec);
        if (c->trace)
            printf("  %s\n", hd_toy_trace(c->arena, toy, &results[i]));
        if (c->timeline)
            hd_toy_timeline(stdout, toy, &results[i]);
    }
    return code;
}

int hd_toy_main(int argc, char **argv)
{
    struct hd_arena *a = hd_arena_new();
    struct command *c = HD_NEW(a, command);
    const struct hd_toy *toy = NULL;
    int code = HD_EXIT_USER;

    c->arena = a;
    c->sched = "lrr,gto";
    c->timeline = true;
    read_arguments(c, argc, argv);
    if (!c->diag.n)
        read_policies(c);
    if (!c->diag.n)
        toy = hd_toy_load(a, c->example, &c->diag);
    if (toy)
        code = run_all(c, toy);
    hd_diag_print(&c->diag, stderr);
    hd_arena_free(a);
    return code;
}
