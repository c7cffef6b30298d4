// test_contract.c - every registered policy keeps the promises of heddle/policy.h.
//
// Each policy, in several settings, lives through thousands of cycles of a random world. In each of
// them all promises are checked on random masks. The checks themselves are checked with policies
// that break one promise each.
#include "contract/contract.h"
#include "registry/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CYCLES 20000 // per setting; 2 schedulers, several masks each
#define BROKEN_CYCLES 300

// Settings beside the defaults. A name that is gone makes the test fail.
static const char *const settings[] = {"lrr:wrap=0",
                                       "lfws:age=1:greedy=prev",
                                       "lfws:greedy=always:filter=memory:spaces=memory:loads=1",
                                       "lpi:walk=rr",
                                       "lpi:walk=strict",
                                       "lpi:age=1:walk=rr:spaces=declared",
                                       "llos:pointers=restart",
                                       "llos:longnext:pointers=restart:loads=1",
                                       "two_level_opt:4:in_place=1",
                                       "two_level_opt:2:greedy=1:age=1:in_place=1:loads=1",
                                       "pro:threshold=5:reenter=2:inherit=1",
                                       "pro:threshold=5:barrier=2:finish_stays=1",
                                       "pro:threshold=5:barrier=3",
                                       "pro:threshold=5:phase_seen=lines",
                                       "pro:threshold=5:phase_seen=lines:sort_on_phase=0:no_wait=1",
                                       "pro_nb:threshold=5:phase_seen=lines",
                                       "mwf:ties=id",
                                       "mwf:last=block:unwaited=base",
                                       "mwf:lrr:last=scheduler:unwaited=base",
                                       "baws:last=block:unwaited=base",
                                       "baws:unwaited=base:exit=1",
                                       "baws:lrr:last=scheduler:unwaited=base:ties=id",
                                       "saws:all",
                                       "baws:cff=always",
                                       "baws:lrr:cff=always:ties=id",
                                       "two_level_active:2",
                                       "two_level_active:3:fixed=1",
                                       "two_level_active:1:skip_dead=1",
                                       "two_level_active:24",
                                       "ccws:cross=0",
                                       "ccws:base=7:k_throttle=40",
                                       "pro:threshold=3",
                                       "pro:threshold=7:resort=1:reenter=0",
                                       "pro:barrier=0:finish=0",
                                       "pro:progress=0:sort_on_phase=0:threshold=5",
                                       "elf:lead=0",
                                       "elf:far=count:jump=0",
                                       "elf:tie=oldest",
                                       "two_level_opt:2:greedy=1",
                                       "two_level_opt:3:fixed=1:skip_dead=1",
                                       "two_level_groups:1",
                                       "two_level_groups:3",
                                       "two_level_groups:4:loose",
                                       "two_level_groups:64",
                                       "lpi:stalled",
                                       "lpi:age=1",
                                       "llos:literal:read_only=1",
                                       "llos:sticky:read_only=1",
                                       "llos:longnext:read_only=1",
                                       "mwf:lrr",
                                       "mwf:gto:exit=1",
                                       "baws:lrr:exit=1:lead=0",
                                       "swl:1",
                                       "swl:3",
                                       "owl:1:1:7",
                                       "owl:3:20:1",
                                       "caws:behind",
                                       "pro_nb:threshold=5",
                                       "pro_nf:threshold=4:resort=1",
                                       "pro_nl:threshold=3",
                                       "pro_dyn:threshold=5:window=11:every=2",
                                       "pro_dyn:threshold=50:window=3:warmup=0:every=1",
                                       "dyncta:period=13:t_idle=3:t_mem_low=1:t_mem_high=2",
                                       "dyncta:period=7:t_idle=7:t_mem_low=0:t_mem_high=1",
                                       "dyncta:period=9:t_mem_low=1:t_mem_high=2:base=lrr",
                                       "dyncta:period=5:t_mem_low=0:t_mem_high=1:waits=awake",
                                       "laser:warm=0:threshold=10:entries=10:patience=0",
                                       "laser:ties=first:equal=order:patience=50:steal=head",
                                       "laser:keyed=all:scope=sm:ss=spread:groups=none:ties=first",
                                       "laser:keyed=all:warm=0:threshold=1:equal=order",
                                       "laser:reset=complete:warm=0:threshold=1",
                                       "oracle:chains=ended",
                                       "oracle:chains=running:order=kernel:patience=0"};

static uint64_t total_masks;

static void keeps_contract(const char *spec)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_policy_choice c;
    struct hd_diag d = {0};

    if (!hd_registry_parse(a, spec, &c, &d)) {
        hd_diag_print(&d, stderr);
        fail_msg("%s does not parse", spec);
    }
    struct hd_contract out = {.doing = ""};
    const char *slip = hd_contract_tables(c.policy);
    if (slip)
        fail_msg("%s: %s", spec, slip);
    for (uint64_t seed = 1; seed <= 2; seed++)
        hd_contract_live(&out, c.policy, c.params, seed, CYCLES / 2);
    hd_contract_interleave(&out, c.policy, c.params, 3, CYCLES / 10);
    for (unsigned i = 0; i < HD_N_CONTRACT; i++)
        if (out.broken[i])
            fail_msg("%s: %s: %s", spec, out.broken[i], out.where[i]);
    total_masks += out.masks;
    hd_arena_free(a);
}

static void every_policy_keeps_the_contract(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < hd_registry_count(); i++)
        keeps_contract(hd_registry_at(i)->name);
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++)
        keeps_contract(settings[i]);
    assert_true(total_masks >= 100000);
}

// Policies that break one promise each.
struct broken {
    uint64_t count;
};
static int lowest(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    (void)st, (void)v, (void)s;
    return hd_first(m);
}
static int counts_calls(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    ((struct broken *)st.sched)->count++;
    return lowest(st, v, s, m);
}
static int lowest_of_all(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    (void)st, (void)m;
    return hd_first(v->mine[s]);
}
static int middle(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    (void)st, (void)v, (void)s;
    for (int skip = hd_count(m) / 2; skip; skip--)
        m &= m - 1;
    return hd_first(m);
}
static int remembers_elsewhere(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    static int last;
    (void)st, (void)v, (void)s;
    return last = hd_rotate_from(m, last + 1);
}
static void counts_begins(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    (void)v, (void)s, (void)n;
    ((struct broken *)st.sched)->count++;
}
static void notes_cycle(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    (void)s, (void)n;
    ((struct broken *)st.sched)->count = v->cycle;
}
static void counts_if_saturated(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    (void)s, (void)n;
    ((struct broken *)st.sched)->count += v->mem_saturated;
}
static uint64_t every_other_cycle(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st;
    return v->cycle / 3 & 1 ? v->mine[s] : 0;
}
static uint64_t everybody(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st, (void)v, (void)s;
    return UINT64_MAX;
}
static int first_sm(struct hd_pstate st, const struct hd_gpu_view *v, int slot,
                    const uint64_t *room)
{
    (void)st, (void)v, (void)slot, (void)room;
    return 0;
}
static int first_kernel(struct hd_pstate st, const struct hd_gpu_view *v, uint64_t runnable)
{
    (void)st, (void)v, (void)runnable;
    return 0;
}
static unsigned no_block(struct hd_pstate st, const struct hd_view *v)
{
    (void)st, (void)v;
    return 0;
}
static uint64_t unless_saturated(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st;
    return v->mem_saturated ? 0 : v->mine[s];
}
static int writes_beside(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    ((struct broken *)st.sched)[HD_MAX_SCHEDULERS].count = 1;
    return lowest(st, v, s, m);
}
static void writes_to_neighbour(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    (void)v, (void)s, (void)n;
    ((struct broken *)st.sched)[s ? -1 : 1].count = 1;
}
static int writes_view(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    ((struct hd_view *)(uintptr_t)v)->sb_block ^= 1;
    return lowest(st, v, s, m);
}
static void writes_ages(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)st;
    ((uint32_t *)(uintptr_t)v->age)[e->warp]++;
}
static bool feeds_any(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                      struct hd_pick *pick)
{
    (void)st, (void)v, (void)sm, (void)fits;
    pick->slot = 0;
    return true;
}
static bool feeds_the_first_block(struct hd_pstate st, const struct hd_gpu_view *v, int sm,
                                  uint64_t fits, struct hd_pick *pick)
{
    (void)st, (void)v, (void)sm;
    *pick = (struct hd_pick){hd_first(fits), 0};
    return true;
}
static uint32_t times_asked;
static bool feeds_by_turns(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                           struct hd_pick *pick)
{
    (void)st, (void)v, (void)sm;
    pick->slot = hd_rotate_from(fits, (int)(times_asked++ % 64));
    return true;
}
static bool feeds_into_the_view(struct hd_pstate st, const struct hd_gpu_view *v, int sm,
                                uint64_t fits, struct hd_pick *pick)
{
    (void)st, (void)sm;
    pick->slot = hd_first(fits);
    ((struct hd_kernel_view *)(uintptr_t)&v->kernels[pick->slot])->tbs_started++;
    return true;
}
static size_t admits_the_next(struct hd_pstate st, const struct hd_gpu_view *v,
                              const struct hd_ready *ready, size_t n)
{
    (void)st, (void)v, (void)ready;
    return n;
}
static size_t admits_by_turns(struct hd_pstate st, const struct hd_gpu_view *v,
                              const struct hd_ready *ready, size_t n)
{
    (void)st, (void)v, (void)ready;
    return times_asked++ % n;
}
static uint32_t marks_by_turns(struct hd_pstate st, const struct hd_gpu_view *v,
                               const struct hd_event *e, int sm)
{
    (void)st, (void)v, (void)e, (void)sm;
    return times_asked++;
}
static uint32_t remarks_by_turns(struct hd_pstate st, const struct hd_gpu_view *v,
                                 const struct hd_ready *kernel, enum hd_mark_time now, int sm)
{
    (void)st, (void)v, (void)kernel, (void)now, (void)sm;
    return times_asked++;
}
static uint32_t events_seen; // of all SMs
static void counts_events(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)st, (void)v, (void)e;
    events_seen++;
}
static int by_events(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{
    (void)st, (void)v, (void)s;
    return hd_rotate_from(m, (int)(events_seen % 64));
}
static uint64_t yesterday(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st, (void)s;
    return v->cycle;
}

static void broken_policies_are_caught(void **unused)
{
#define BROKEN .sched_bytes = sizeof(struct broken)
    static const struct {
        struct hd_policy policy;
        const char *failure;
    } cases[] = {
        {{BROKEN, .first = counts_calls}, "first is not pure"},
        {{BROKEN, .first = lowest_of_all}, "chooses a warp outside the mask"},
        {{BROKEN, .first = middle}, "its choices are not an order"},
        {{BROKEN, .first = remembers_elsewhere}, NULL}, // an order it is not, or a copy differs
        {{BROKEN, .first = writes_beside}, "bytes outside its state have changed"},
        {{BROKEN, .first = lowest, .begin = writes_to_neighbour},
         "another scheduler's state has changed"},
        {{BROKEN, .first = writes_view}, "the view has changed"},
        {{BROKEN, .first = lowest, .events = HD_ON(HD_EV_ISSUE), .on = writes_ages},
         "the view has changed"},
        {{BROKEN, .first = by_events, .events = HD_ON(HD_EV_ISSUE), .on = counts_events},
         "the same life beside another SM's gives other answers"},
        {{BROKEN, .first = lowest, .begin = counts_begins},
         "n cycles at once differ from n single ones"},
        {{BROKEN, .first = lowest, .eligible = every_other_cycle}, "wakes too late"},
        {{BROKEN, .first = lowest, .eligible = everybody},
         "eligible names slots of another scheduler"},
        {{BROKEN, .first = lowest, .eligible = unless_saturated},
         "eligible depends on what only begin may look at"},
        {{BROKEN, .first = lowest, .wakes = yesterday}, "wakes in the past"},
        {{BROKEN, .place = first_sm}, "places on an SM without room"},
        {{BROKEN, .next_kernel = first_kernel}, "chooses a kernel without blocks"},
        {{BROKEN, .feed = feeds_any}, "feeds a block of a kernel that does not fit"},
        {{BROKEN, .feed = feeds_the_first_block}, "starts a block that does not exist, or twice"},
        {{BROKEN, .feed = feeds_by_turns}, "a copied state feeds another block"},
        {{BROKEN, .feed = feeds_into_the_view}, "the view of the kernels has changed"},
        {{BROKEN, .admit = admits_the_next}, "admits a kernel that is not in the list"},
        {{BROKEN, .admit = admits_by_turns}, "a copied state admits another kernel"},
        {{BROKEN, .mark = marks_by_turns}, "a copied state marks with another word"},
        {{BROKEN, .remark = remarks_by_turns}, "a copied state marks again with another word"},
        {{BROKEN, .first = lowest, .tb_limit = no_block}, "allows no block at all"},
        {{BROKEN, .first = counts_calls, .flags = HD_EVERY_CYCLE}, "first is not pure"},
        {{BROKEN, .first = lowest, .begin = notes_cycle, .flags = HD_LOST_SINGLY},
         "HD_LOST_SINGLY, but a lost cycle depends on more than the warps"},
        {{BROKEN, .first = lowest, .eligible = every_other_cycle, .flags = HD_LOST_SINGLY},
         "HD_LOST_SINGLY, but a lost cycle depends on more than the warps"},
        {{BROKEN, .first = lowest, .begin = counts_if_saturated, .flags = HD_LOST_SINGLY},
         "HD_LOST_SINGLY, but a lost cycle depends on more than the warps"},
    };

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_contract out = {.doing = ""};
        for (uint64_t seed = 1; seed <= 4 && !out.failure; seed++)
            hd_contract_live(&out, &cases[i].policy, NULL, seed, BROKEN_CYCLES);
        hd_contract_interleave(&out, &cases[i].policy, NULL, 5, BROKEN_CYCLES);
        if (!out.failure || (cases[i].failure && strcmp(out.failure, cases[i].failure) != 0))
            fail_msg("case %u: %s instead of %s", i, out.failure ? out.failure : "nothing",
                     cases[i].failure);
    }
}

// What would be broken in a policy that skips cycles.
// A policy is only checked with the events that the random SM sends.
static uint32_t kinds_seen;
static void notes_kinds(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)st, (void)v;
    kinds_seen |= HD_ON(e->kind);
}

static void the_world_sends_every_event(void **unused)
{
    static const struct hd_policy p = {BROKEN, .events = HD_ON(HD_N_EVENTS) - 1, .first = lowest,
                                       .on = notes_kinds};
    struct hd_contract out = {.doing = ""};

    (void)unused;
    for (uint64_t seed = 1; seed <= 20 && kinds_seen != p.events; seed++)
        hd_contract_live(&out, &p, NULL, seed, CYCLES);
    for (unsigned kind = 0; kind < HD_N_EVENTS; kind++)
        if (!(kinds_seen & HD_ON(kind)))
            fail_msg("event %u of enum hd_event_kind never happens in src/contract/world.h", kind);
}

static void every_cycle_frees_from_skipping(void **unused)
{
    static const struct hd_policy cases[] = {
        {BROKEN, .flags = HD_EVERY_CYCLE, .first = lowest, .begin = counts_begins},
        {BROKEN, .flags = HD_EVERY_CYCLE, .first = lowest, .eligible = every_other_cycle},
        {BROKEN, .flags = HD_EVERY_CYCLE, .first = lowest, .eligible = unless_saturated},
        {BROKEN, .flags = HD_LOST_SINGLY, .first = lowest, .begin = counts_begins},
    };

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_contract out = {.doing = ""};
        for (uint64_t seed = 1; seed <= 4; seed++)
            hd_contract_live(&out, &cases[i], NULL, seed, BROKEN_CYCLES);
        if (out.failure)
            fail_msg("case %u: %s", i, out.failure);
    }
}

static void flags_that_contradict_are_slips(void **unused)
{
#define TABLE .abi = HD_POLICY_ABI, .name = "x", .brief = "x", .source = "x", .first = lowest
    static const struct hd_policy good = {TABLE, .flags = HD_EVERY_CYCLE};
    static const struct hd_policy cases[] = {
        {TABLE, .flags = HD_EVERY_CYCLE, .wakes = yesterday},
        {TABLE, .flags = HD_EVERY_CYCLE | HD_LOST_ONCE},
        {TABLE, .flags = HD_LOST_ONCE, .begin = counts_begins},
        {TABLE, .flags = HD_LOST_SINGLY | HD_EVERY_CYCLE},
        {TABLE, .flags = HD_LOST_SINGLY, .wakes = yesterday},
        {TABLE, .flags = HD_LOST_SINGLY, .sm_bytes = 8},
        {TABLE, .flags = HD_LOST_SINGLY, .events = HD_ON(HD_EV_PHASE_SLOW), .on = notes_kinds},
        {TABLE, .flags = HD_FETCH_TOO},
    };

    (void)unused;
    assert_null(hd_contract_tables(&good));
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_non_null(hd_contract_tables(&cases[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_world_sends_every_event),
        cmocka_unit_test(every_cycle_frees_from_skipping),
        cmocka_unit_test(flags_that_contradict_are_slips),
        cmocka_unit_test(broken_policies_are_caught),
        cmocka_unit_test(every_policy_keeps_the_contract),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
