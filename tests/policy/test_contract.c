// test_contract.c - every registered policy keeps the promises of heddle/policy.h.
//
// Each policy, in several settings, lives through thousands of cycles of a random world. In each of
// them all promises are checked on random masks. The checks themselves are checked with policies
// that break one promise each.
#include "policy/world.h"

#include "registry/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define CYCLES 20000 // per setting; 2 schedulers, several masks each
#define BROKEN_CYCLES 300
#define MAX_STATE 32768
#define LONGEST_SKIP 200

struct state { // everything a policy may write: gpu, SM, schedulers behind each other
    uint64_t words[MAX_STATE / 8];
};
struct subject {
    const struct hd_policy *policy;
    const void *params;
    struct state state;
    unsigned masks;      // asked about
    const char *failure; // first broken promise
};

// Settings beside the defaults. A name that is gone makes the test fail.
static const char *const settings[] = {"lrr:wrap=0",
                                       "lfws:age=1:greedy=prev",
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
                                       "llos:longnext",
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
                                       "dyncta:period=7:t_idle=7:t_mem_low=0:t_mem_high=1"};

static size_t whole(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static struct hd_pstate pstate(const struct subject *x, struct state *st, int s)
{
    const struct hd_policy *p = x->policy;
    char *gpu = (char *)st->words, *sm = gpu + whole(p->gpu_bytes);

    return (struct hd_pstate){gpu, sm, sm + whole(p->sm_bytes) + (size_t)s * p->sched_bytes,
                              x->params};
}

// Bytes of it that this policy has, and some behind that it must leave alone.
static size_t used(const struct subject *x)
{
    const struct hd_policy *p = x->policy;

    return whole(p->gpu_bytes) + whole(p->sm_bytes) + HD_MAX_SCHEDULERS * p->sched_bytes + 64;
}

static void copy_state(const struct subject *x, struct state *to, const struct state *from)
{
    memcpy(to, from, used(x));
}

static void broken_promise(struct subject *x, const char *what)
{
    if (!x->failure)
        x->failure = what;
}

static void expect_pure(struct subject *x, const struct state *before, const char *what)
{
    if (memcmp(&x->state, before, used(x)) != 0)
        broken_promise(x, what);
}

static void on_event(struct world *w, const struct hd_event *e)
{
    struct subject *x = w->teller;

    if (x->policy->events & HD_ON(e->kind))
        x->policy->on(pstate(x, &x->state, 0), &w->v, e);
}

// first() and fetch() have the same promises. s = HD_NONE: fetch.
static int ask(struct subject *x, struct world *w, struct state *st, int s, uint64_t mask)
{
    x->masks++;
    return s == HD_NONE ? x->policy->fetch(pstate(x, st, 0), &w->v, mask)
                        : x->policy->first(pstate(x, st, s), &w->v, s, mask);
}

static void check_order(struct subject *x, struct world *w, int s)
{
    static struct state before, copy;
    uint64_t own = s == HD_NONE ? hd_low(w->v.n_warps) : w->v.mine[s];
    uint64_t m1 = own & world_draw(w) & world_draw(w), m2 = own & world_draw(w);

    if (!m1 || !m2)
        return;
    copy_state(x, &before, &x->state);
    copy_state(x, &copy, &x->state);
    int both = ask(x, w, &x->state, s, m1 | m2), one = ask(x, w, &x->state, s, m1);
    if (!hd_has(m1 | m2, both) || !hd_has(m1, one))
        broken_promise(x, "chooses a warp outside the mask");
    else if (hd_has(m1, both) && one != both)
        broken_promise(x, "its choices are no order");
    expect_pure(x, &before, s == HD_NONE ? "fetch is not pure" : "first is not pure");
    if (ask(x, w, &copy, s, m1 | m2) != both)
        broken_promise(x, "a copied state chooses another warp");
}

// A policy for blocks: it names an SM with room or none, whatever was placed in this cycle.
static void check_place(struct subject *x, struct world *w)
{
    enum { SMS = 130 };
    static struct state copy;
    const struct hd_view *views[SMS];
    uint64_t room[(SMS + 63) / 64] = {0};
    struct hd_kernel_view kernel = {.tbs = 1000, .tbs_started = w->next_tb};
    struct hd_gpu_view v = {.cycle = w->v.cycle,
                            .n_sms = 1 + world_below(w, SMS),
                            .sms = views,
                            .kernels = &kernel,
                            .running = 1};

    for (unsigned i = 0; i < v.n_sms; i++) {
        views[i] = &w->v;
        room[i / 64] |= world_below(w, 4) ? 0 : hd_bit((int)(i % 64));
    }
    for (;;) {
        copy_state(x, &copy, &x->state);
        int sm = x->policy->place(pstate(x, &x->state, 0), &v, 0, room);
        x->masks++;
        if (x->policy->place(pstate(x, &copy, 0), &v, 0, room) != sm)
            broken_promise(x, "a copied state places on another SM");
        if (sm == HD_NONE)
            return;
        if (sm < 0 || sm >= (int)v.n_sms || !hd_has(room[sm / 64], sm % 64)) {
            broken_promise(x, "places on an SM without room");
            return;
        }
        room[sm / 64] &= ~hd_bit(sm % 64);
        v.last_sm = (uint32_t)sm;
        kernel.tbs_started++;
    }
}

// A policy for kernels: it names one that has blocks.
static void check_next_kernel(struct subject *x, struct world *w)
{
    enum { SLOTS = 8 };
    static struct state copy;
    struct hd_kernel_view kernels[SLOTS];
    struct hd_gpu_view v = {.cycle = w->v.cycle,
                            .n_sms = 1,
                            .kernels = kernels,
                            .running = hd_low(SLOTS),
                            .last_kernel = (int32_t)world_below(w, SLOTS + 1u) - 1};
    uint64_t runnable = 1 + world_below(w, (1u << SLOTS) - 1);

    for (unsigned k = 0; k < SLOTS; k++)
        kernels[k] = (struct hd_kernel_view){.id = k * 7 % SLOTS + w->next_tb,
                                             .stream = world_below(w, 4),
                                             .tbs = 100,
                                             .tbs_started = world_below(w, 100),
                                             .start_cycle = world_below(w, 5)};
    copy_state(x, &copy, &x->state);
    int k = x->policy->next_kernel(pstate(x, &x->state, 0), &v, runnable);
    x->masks++;
    if (x->policy->next_kernel(pstate(x, &copy, 0), &v, runnable) != k)
        broken_promise(x, "a copied state chooses another kernel");
    if (k < 0 || !hd_has(runnable, k))
        broken_promise(x, "chooses a kernel without blocks");
}

static void check_tb_limit(struct subject *x, struct world *w)
{
    static struct state before, copy;

    copy_state(x, &before, &x->state);
    copy_state(x, &copy, &x->state);
    unsigned limit = x->policy->tb_limit(pstate(x, &x->state, 0), &w->v);
    if (!limit)
        broken_promise(x, "allows no block at all");
    expect_pure(x, &before, "tb_limit is not pure");
    if (x->policy->tb_limit(pstate(x, &copy, 0), &w->v) != limit)
        broken_promise(x, "a copied state has another limit");
}

static uint64_t eligible(struct subject *x, struct world *w, struct state *st, int s)
{
    return x->policy->eligible ? x->policy->eligible(pstate(x, st, s), &w->v, s) : w->v.mine[s];
}

static void check_eligible(struct subject *x, struct world *w, int s)
{
    static struct state before, copy;

    copy_state(x, &before, &x->state);
    copy_state(x, &copy, &x->state);
    uint64_t e = eligible(x, w, &x->state, s);
    if (e & ~w->v.mine[s])
        broken_promise(x, "eligible names slots of another scheduler");
    expect_pure(x, &before, "eligible is not pure");
    if (eligible(x, w, &copy, s) != e)
        broken_promise(x, "a copied state has other eligible warps");
    if (!x->policy->begin) { // then the core remembers the answer while the warps stay as they are
        struct hd_view kept = w->v;
        w->v.last_fetch = (int8_t)(w->v.last_fetch + 1);
        w->v.imiss = ~w->v.imiss;
        w->v.l1d_mshr ^= 1;
        w->v.l1i_mshr ^= 1;
        w->v.mem_saturated ^= 1;
        if (eligible(x, w, &x->state, s) != e)
            broken_promise(x, "eligible depends on what only begin may look at");
        w->v = kept;
    }
}

static unsigned lost_class(struct subject *x, struct world *w, struct state *st, int s)
{
    uint64_t e = eligible(x, w, st, s);

    return e & hd_ready(&w->v)   ? HD_STALL_PIPELINE
           : e & hd_valid(&w->v) ? HD_STALL_SCOREBOARD
                                 : HD_STALL_IDLE;
}

// n cycles without issue, told at once.
static void pass(struct subject *x, struct world *w, struct state *st, uint64_t n)
{
    const struct hd_policy *p = x->policy;

    for (int s = 0; s < w->v.n_sched; s++) {
        if (p->begin)
            p->begin(pstate(x, st, s), &w->v, s, n);
        if (p->end)
            p->end(pstate(x, st, s), &w->v, s, n, lost_class(x, w, st, s), eligible(x, w, st, s));
    }
}

static uint64_t earliest_wake(struct subject *x, struct world *w)
{
    static struct state before, copy;
    uint64_t wake = UINT64_MAX;

    copy_state(x, &before, &x->state);
    copy_state(x, &copy, &x->state);
    for (int s = 0; s < w->v.n_sched && x->policy->wakes; s++) {
        uint64_t at = x->policy->wakes(pstate(x, &x->state, s), &w->v, s);
        if (at <= w->v.cycle)
            broken_promise(x, "wakes in the past");
        if (x->policy->wakes(pstate(x, &copy, s), &w->v, s) != at)
            broken_promise(x, "a copied state wakes in another cycle");
        wake = at < wake ? at : wake;
    }
    expect_pure(x, &before, "wakes is not pure");
    return wake;
}

// The cycles up to the next wake: nothing the core relies on may change in them, and telling them
// at once must be the same as one by one, or as the first alone if that was promised.
static void check_skip(struct subject *x, struct world *w)
{
    static struct state one_by_one, at_once, once;
    uint64_t now = w->v.cycle, wake = earliest_wake(x, w), n = 1 + world_below(w, LONGEST_SKIP);
    uint64_t ready[HD_MAX_SCHEDULERS];
    bool valid[HD_MAX_SCHEDULERS];

    if (x->failure || wake == now + 1)
        return;
    n = n < wake - now - 1 ? n : wake - now - 1;
    copy_state(x, &one_by_one, &x->state);
    copy_state(x, &at_once, &x->state);
    for (int s = 0; s < w->v.n_sched; s++) {
        uint64_t e = eligible(x, w, &x->state, s);
        ready[s] = e & hd_ready(&w->v);
        valid[s] = (e & hd_valid(&w->v)) != 0;
    }
    for (uint64_t k = 0; k < n; k++) {
        w->v.cycle++;
        for (int s = 0; s < w->v.n_sched; s++) {
            if (x->policy->begin)
                x->policy->begin(pstate(x, &one_by_one, s), &w->v, s, 1);
            uint64_t e = eligible(x, w, &one_by_one, s);
            if ((e & hd_ready(&w->v)) != ready[s] || ((e & hd_valid(&w->v)) != 0) != valid[s])
                broken_promise(x, "wakes too late");
            if (x->policy->end)
                x->policy->end(pstate(x, &one_by_one, s), &w->v, s, 1,
                               lost_class(x, w, &one_by_one, s), e);
        }
        if (!k)
            copy_state(x, &once, &one_by_one);
    }
    if (n && (x->policy->needs & HD_LOST_ONCE) && memcmp(&one_by_one, &once, used(x)) != 0)
        broken_promise(x, "HD_LOST_ONCE, but a lost cycle repeated changes something");
    w->v.cycle = now + 1;
    pass(x, w, &at_once, n);
    w->v.cycle = now;
    if (memcmp(&one_by_one, &at_once, used(x)) != 0)
        broken_promise(x, "n cycles at once differ from n single ones");
}

// A scheduler's cycle as the core runs it.
static void schedule(struct subject *x, struct world *w, int s)
{
    const struct hd_policy *p = x->policy;
    struct hd_pstate st = pstate(x, &x->state, s);

    if (!p->first) { // only watches
        if (w->v.mine[s] & hd_ready(&w->v))
            world_issue(w, hd_first(w->v.mine[s] & hd_ready(&w->v)));
        return;
    }
    if (p->begin)
        p->begin(st, &w->v, s, 1);
    check_eligible(x, w, s);
    check_order(x, w, s);
    uint64_t seen = eligible(x, w, &x->state, s), among = seen & hd_ready(&w->v);
    unsigned outcome = lost_class(x, w, &x->state, s);
    if (among && world_below(w, 8)) {
        int chosen = ask(x, w, &x->state, s, among);
        if (!hd_has(among, chosen)) {
            broken_promise(x, "chooses a warp outside the mask");
            return;
        }
        seen = hd_bit(chosen);
        outcome = HD_ISSUED;
        world_issue(w, chosen);
    }
    if (p->end)
        p->end(st, &w->v, s, 1, outcome, seen);
}

static const char *live_through(struct subject *x, uint64_t seed, unsigned n_cycles)
{
    static struct world w;

    memset(&x->state, 0, sizeof x->state);
    x->failure = NULL;
    world_init(&w, seed, on_event, x);
    world_event(&w, HD_EV_KERNEL_START, HD_NONE, (struct hd_event){0});
    for (unsigned i = 0; i < n_cycles && !x->failure; i++) {
        w.v.cycle++;
        world_end_blocks(&w);
        if (!world_below(&w, 4))
            world_start_block(&w);
        for (unsigned k = world_below(&w, 6); k; k--)
            world_stir(&w);
        for (int s = 0; s < w.v.n_sched && !x->failure; s++)
            schedule(x, &w, s);
        w.v.last_fetch = (int8_t)((int)world_below(&w, w.v.n_warps + 1u) - 1);
        if (x->policy->fetch && !x->failure)
            check_order(x, &w, HD_NONE);
        if (x->policy->place && !x->failure)
            check_place(x, &w);
        if (x->policy->next_kernel && !x->failure)
            check_next_kernel(x, &w);
        if (x->policy->tb_limit && !x->failure)
            check_tb_limit(x, &w);
        if (!x->failure && !world_below(&w, 4))
            check_skip(x, &w);
        if (!world_below(&w, 50)) { // let time pass for real now and then
            uint64_t wake = earliest_wake(x, &w), left = wake - w.v.cycle - 1;
            uint64_t n = left < 30 ? left : 30;
            w.v.cycle++;
            if (n)
                pass(x, &w, &x->state, n);
            w.v.cycle += n ? n - 1 : UINT64_MAX;
        }
    }
    return x->failure;
}

static void check_tables(const struct hd_policy *p)
{
    const struct hd_field *const counters[] = {p->counters, p->sm_counters};
    const size_t bytes[] = {p->sched_bytes, p->sm_bytes};

    assert_true(p->name && p->brief && p->source);
    assert_true(p->first || p->fetch || p->place || p->tb_limit || p->next_kernel);
    assert_true(!(p->needs & HD_NEED_FETCH_SLOT) || (p->first && p->fetch));
    assert_true(!(p->needs & HD_LOST_ONCE) || (p->end && !p->begin));
    assert_int_equal(p->abi, HD_POLICY_ABI);
    assert_true(!p->events || p->on || p->on_gpu);
    assert_true(p->sm_bytes <= MAX_STATE / 2 && p->sched_bytes <= 1024 && p->gpu_bytes <= 1024);
    for (unsigned i = 0; i < 2; i++)
        for (const struct hd_field *f = counters[i]; f && f->name; f++)
            assert_true(f->type == HD_FIELD_U64 && f->offset + 8 <= bytes[i] && f->help && f->unit);
    for (const struct hd_field *f = p->params; f && f->name; f++)
        assert_true(f->offset + 4 <= p->params_bytes && f->help && f->default_text);
}

static unsigned total_masks;

static void keeps_contract(const char *spec)
{
    static struct subject x;
    struct hd_arena *a = hd_arena_new();
    struct hd_policy_choice c;
    struct hd_diag d = {0};

    if (!hd_registry_parse(a, spec, &c, &d)) {
        hd_diag_print(&d, stderr);
        fail_msg("%s does not parse", spec);
    }
    check_tables(c.policy);
    memset(&x, 0, sizeof x);
    x.policy = c.policy;
    x.params = c.params;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        const char *failure = live_through(&x, seed, CYCLES / 2);
        if (failure)
            fail_msg("%s: %s", spec, failure);
    }
    total_masks += x.masks;
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
        {{BROKEN, .first = middle}, "its choices are no order"},
        {{BROKEN, .first = remembers_elsewhere}, NULL}, // an order it is not, or a copy differs
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
        {{BROKEN, .first = lowest, .tb_limit = no_block}, "allows no block at all"},
    };
    static struct subject x;

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *failure = NULL;
        x.policy = &cases[i].policy;
        x.params = NULL;
        for (uint64_t seed = 1; seed <= 4 && !failure; seed++)
            failure = live_through(&x, seed, BROKEN_CYCLES);
        assert_non_null(failure);
        if (cases[i].failure)
            assert_string_equal(failure, cases[i].failure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_policies_are_caught),
        cmocka_unit_test(every_policy_keeps_the_contract),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
