// test_toy.c - the toy engine: its file format, and what must hold for every policy on every
// example.
#include "toy/toy.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hd_toy *parse(struct hd_arena *a, const char *text)
{
    struct hd_diag d = {0};
    struct hd_toy *toy = hd_toy_parse(a, "example", text, strlen(text), &d);

    if (!toy)
        fail_msg("line %u: %s", d.entries[0].line, d.entries[0].text);
    return toy;
}

static struct hd_toy_result run(struct hd_arena *a, const struct hd_toy *toy, const char *sched,
                                const char *fetch, bool no_skip)
{
    struct hd_toy_options o = {.no_skip = no_skip};
    struct hd_toy_result r;
    struct hd_diag d = {0};

    if (!hd_registry_parse_slot(a, HD_SLOT_SCHED, sched, &o.sched, &d) ||
        !hd_registry_parse_slot(a, HD_SLOT_FETCH, fetch, &o.fetch, &d))
        fail_msg("%s", d.entries[0].text);
    hd_toy_run(a, toy, &o, &r);
    return r;
}

static const char *const specs[] = {"lrr",
                                    "lrr:wrap=0",
                                    "srr",
                                    "gto",
                                    "gtrr",
                                    "oldest",
                                    "lfws",
                                    "lfws:age=1:greedy=prev",
                                    "two_level_active",
                                    "two_level_active:2",
                                    "two_level_active:1:fixed=1",
                                    "two_level_active:3:skip_dead=1",
                                    "ccws",
                                    "ccws:cross=0:k_throttle=30",
                                    "pro",
                                    "pro:threshold=7",
                                    "pro:threshold=5:resort=1:reenter=0",
                                    "pro:barrier=0",
                                    "elf",
                                    "elf:lead=0"};
#define N_SPECS (sizeof specs / sizeof *specs)

// Skipping idle cycles changes nothing: issues, classes, the policy's memory.
static void skip_is_exact(struct hd_arena *a, const struct hd_toy *toy, const char *spec,
                          const char *fetch)
{
    struct hd_toy_result r = run(a, toy, spec, fetch, false), q = run(a, toy, spec, fetch, true);
    struct hd_diag d = {0};
    struct hd_policy_choice c;

    assert_true(hd_registry_parse(a, spec, &c, &d));
    if (r.status != HD_TOY_DONE || r.finish != q.finish || r.idle != q.idle ||
        r.scoreboard != q.scoreboard || r.fetches != q.fetches || r.l1_hits != q.l1_hits ||
        strcmp(hd_toy_trace(a, toy, &r), hd_toy_trace(a, toy, &q)) != 0)
        fail_msg("%s on %s: skipping changes the result", spec, toy->name);
    if (memcmp(r.state.sched, q.state.sched, c.policy->sched_bytes * toy->schedulers) ||
        memcmp(r.state.sm, q.state.sm, c.policy->sm_bytes))
        fail_msg("%s on %s: skipping changes the policy's memory", spec, toy->name);
    assert_int_equal(r.n_issues + r.idle + r.scoreboard + r.pipeline,
                     r.finish * toy->schedulers * toy->sms);
    assert_int_equal(r.stalls, r.idle + r.scoreboard + r.pipeline);
}

static int only_toys(const struct dirent *e)
{
    return strstr(e->d_name, ".toy") != NULL;
}

static void every_policy_skips_exactly_on_every_example(void **unused)
{
    struct dirent **files;
    int n = scandir("examples/toys", &files, only_toys, alphasort);

    (void)unused;
    assert_true(n >= 5);
    for (int i = 0; i < n; i++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_diag d = {0};
        struct hd_toy *toy =
            hd_toy_load(a, hd_arena_printf(a, "examples/toys/%s", files[i]->d_name), &d);
        if (!toy)
            fail_msg("%s: %s", files[i]->d_name, d.entries[0].text);
        assert_true(*toy->title && *toy->source);
        for (unsigned k = 0; k < N_SPECS; k++) {
            skip_is_exact(a, toy, specs[k], "rr");
            skip_is_exact(a, toy, specs[k], "elf");
        }
        free(files[i]);
        hd_arena_free(a);
    }
    free(files);
}

// Every instruction of every warp issues once per pass, whatever the policy.
static void policies_change_the_order_only(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, "schedulers 2\nfetch 2\nresident 2\nl1 2 2\n"
                                  "program p top: C L@2w M@1 bra(top,3) B W@1 C\n"
                                  "program q C*3 bra(on) L skip: B E\n"
                                  "program q on: M bra(skip)\n"
                                  "tb p q p\ntb q\ntb p p\n");

    (void)unused;
    for (unsigned k = 0; k < N_SPECS; k++) {
        struct hd_toy_result r = run(a, toy, specs[k], "rr", false);
        unsigned counts[6] = {0};
        assert_int_equal(r.status, HD_TOY_DONE);
        for (size_t i = 0; i < r.n_issues; i++)
            counts[r.issues[i].warp]++;
        for (unsigned w = 0; w < 6; w++) // p: 3 * 4 + 3; q: 3 C, bra, M, bra, B, E
            assert_int_equal(counts[w], toy->warps[w].end == toy->programs[0].end ? 15 : 8);
    }
    hd_arena_free(a);
}

static void a_barrier_holds_until_all_warps_are_there(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, "program a C B C\nprogram b L B C\nprogram c C\ntb a b c\n");
    struct hd_toy_result r = run(a, toy, "gto", "rr", false);

    (void)unused; // w2 ends without arriving; w1 arrives behind its load; both go on after it
    assert_string_equal(hd_toy_trace(a, toy, &r), "1:0C 2:0B 3:1L 4:2C 13:1B 14:1C 15:0C");
    hd_arena_free(a);
}

static void blocks_wait_for_room(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, "resident 1\nlatency L=5\nprogram a L C\ntb a\ntb a\n");
    struct hd_toy_result r = run(a, toy, "gto", "rr", false);

    (void)unused;
    assert_string_equal(hd_toy_trace(a, toy, &r), "1:0L 6:0C 7:1L 12:1C");
    hd_arena_free(a);
}

static void the_l1_hits_misses_and_forgets(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    // One set of two ways: 1 and 2 fit, 3 displaces 1; the store takes 3 out again.
    struct hd_toy *toy = parse(a, "l1 1 2 2\nprogram a L@1 L@2 L@2 L@1 L@3 L@1 W@3 L@3\ntb a\n");
    struct hd_toy_result r = run(a, toy, "gto", "rr", false);

    (void)unused;
    assert_int_equal(r.l1_hits, 3);
    assert_int_equal(r.l1_misses, 4);
    assert_int_equal(r.finish, 10 + 10 + 2 + 2 + 10 + 2 + 1 + 10);
    hd_arena_free(a);
}

static int lowest(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st, (void)v, (void)s;
    return hd_first(among);
}

static uint64_t nobody(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st, (void)v, (void)s;
    return 0;
}

static void runs_without_end_are_ended(void **unused)
{
    static const struct hd_policy never = {
        .name = "never", .brief = "", .source = "", .first = lowest, .eligible = nobody};
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, "limit 1000\nprogram a top: C bra(top)\ntb a\n");
    struct hd_toy_options o = {.sched = {.policy = &never, .spec = "never", .resolved = "never"}};
    struct hd_toy_result r = run(a, toy, "gto", "rr", false);

    (void)unused;
    assert_int_equal(r.status, HD_TOY_LIMIT); // an endless loop
    assert_int_equal(r.finish, 1000);
    hd_toy_run(a, toy, &o, &r);
    assert_int_equal(r.status, HD_TOY_DEADLOCK); // a policy that lets nobody issue
    assert_int_equal(r.finish, 1);
    hd_arena_free(a);
}

// LFWS is GTO when no head goes off chip (ages and ids agree), the remark of its paper on HSP.
static void lfws_is_gto_without_long_operations(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, "schedulers 2\nprogram a top: C/3 S C/7 B S bra(top,5)\n"
                                  "program b top: C C/5 S/2 B C bra(top,5)\n"
                                  "tb a b a b a\ntb b a b\n");
    struct hd_toy_result gto = run(a, toy, "gto", "rr", false);

    (void)unused;
    for (unsigned k = 0; k < 2; k++) {
        struct hd_toy_result r = run(a, toy, k ? "lfws:age=1" : "lfws", "rr", false);
        assert_string_equal(hd_toy_trace(a, toy, &r), hd_toy_trace(a, toy, &gto));
    }
    hd_arena_free(a);
}

// ELF with exact columns: the distance kept by counting is always the one of the table.
static const struct hd_policy *elf;
static unsigned compared;
static void elf_watched(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const uint64_t *rank = st.sm; // the first thing in its state: distance << 32 | age

    elf->on(st, v, e);
    if (e->kind == HD_EV_ISSUE && e->next_pc < v->prog->n && hd_has(v->live, e->warp)) {
        assert_int_equal(rank[e->warp] >> 32, v->prog->load_distance[e->next_pc]);
        compared++;
    }
}

static void elf_counts_what_the_table_says(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    // K1 and K2 of the goldens, and a nest with a forward branch; every program goes on after
    // loops.
    struct hd_toy *toy = parse(a, "program k1 C C a: L C L C C bra(a,4) C C C E\n"
                                  "program k2 b: C L C C C C bra(b,3) C L E\n"
                                  "program n o: C i: M C bra(s,2) C s: C bra(i,3) C C bra(o,2) E\n"
                                  "tb k1 k2 n k1 k2 n\n");
    struct hd_toy_options o = {0};
    struct hd_toy_result r;
    struct hd_diag d = {0};

    (void)unused;
    assert_true(hd_registry_parse(a, "elf", &o.sched, &d));
    elf = o.sched.policy;
    struct hd_policy watched = *elf;
    watched.on = elf_watched;
    o.sched.policy = &watched;
    hd_toy_run(a, toy, &o, &r);
    assert_int_equal(r.status, HD_TOY_DONE);
    assert_true(compared > 100);
    hd_arena_free(a);
}

// Two SMs whose parents launch a kernel each. In turn, each child comes to the SM of the other
// parent.
static const char children[] = "sms 2\nresident 2\nl1 2 2\nlaunch 5\nlatency L=20\n"
                               "program left L@0 C C run(a) C\nprogram right L@1 run(b) C\n"
                               "program reads0 C L@0 C\nprogram reads1 C L@1 C\n"
                               "kernel parent\ntb left\ntb right\n"
                               "kernel a\ntb reads0\nkernel b\ntb reads1\n";

static struct hd_toy_result run_machine(struct hd_arena *a, const struct hd_toy *toy,
                                        const char *const specs_of[HD_N_SLOTS])
{
    struct hd_toy_options o = {0}, stepped;
    struct hd_policy_choice *const slots[] = {&o.sched, &o.fetch, &o.tb, &o.kernel_policy};
    struct hd_toy_result r, q;
    struct hd_diag d = {0};

    for (unsigned i = 0; i < HD_N_SLOTS; i++)
        if (specs_of[i] && !hd_registry_parse_slot(a, (enum hd_slot)i, specs_of[i], slots[i], &d))
            fail_msg("%s", d.entries[0].text);
    hd_registry_preset_slot(&o.sched, HD_SLOT_TB, &o.tb);
    hd_registry_preset_slot(&o.sched, HD_SLOT_KERNEL_POLICY, &o.kernel_policy);
    hd_registry_preset_slot(&o.tb, HD_SLOT_KERNEL_POLICY, &o.kernel_policy);
    hd_toy_run(a, toy, &o, &r);
    stepped = o;
    stepped.no_skip = true;
    hd_toy_run(a, toy, &stepped, &q);
    assert_string_equal(hd_toy_trace(a, toy, &r), hd_toy_trace(a, toy, &q));
    assert_int_equal(r.finish, q.finish);
    return r;
}

static void children_run_where_policies_say(void **unused)
{
    static const struct {
        const char *specs[HD_N_SLOTS];
        uint32_t finish, hits, sm_of_a, sm_of_b;
    } cases[] = {{{"gto", NULL, NULL, "fcfs"}, 49, 0, 1, 0},
                 {{"gto", NULL, NULL, NULL}, 49, 0, 1, 0},
                 {{"gto", NULL, "bind", "fcfs"}, 30, 2, 0, 1},
                 {{"gto", NULL, "laperm", NULL}, 30, 2, 0, 1},
                 {{"laser", NULL, NULL, NULL}, 30, 2, 0, 1},
                 // Not bound, and the shortest of two empty queues is always that of the first SM.
                 {{"laser:warm=0:ties=first", NULL, NULL, NULL}, 47, 1, 0, 0}};
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, children);

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_toy_result r = run_machine(a, toy, cases[i].specs);
        assert_int_equal(r.status, HD_TOY_DONE);
        if (r.finish != cases[i].finish || r.l1_hits != cases[i].hits ||
            r.sm[2] != cases[i].sm_of_a || r.sm[3] != cases[i].sm_of_b)
            fail_msg("case %u: %u cycles, %u hits, SMs %u and %u", i, (unsigned)r.finish,
                     (unsigned)r.l1_hits, r.sm[2], r.sm[3]);
        assert_int_equal(r.n_issues, 4 + 3 + 3 + 3 + 1);
    }
    hd_arena_free(a);
}

// The third child is launched before its siblings have read anything, may start when both have read
// the same lines, and gets a slot when the first has ended, which may have read a line many times
// by then. Only type SS sends it to their SM, and only there does it hit.
static void the_type_of_a_child_is_decided_once(void **unused)
{
    static const struct {
        const char *spec, *first; // of the policy; what the first sibling does after its reads
        uint32_t sm, hits;
    } cases[] = {{"laser:threshold=40", "", 1, 0},
                 {"laser:threshold=40:decide=pool", "", 0, 1},
                 {"laser:threshold=40:decide=slot", "", 0, 1},
                 {"laser:threshold=40", "L@0*12", 1, 12},
                 {"laser:threshold=40:decide=pool", "L@0*12", 0, 13},
                 {"laser:threshold=40:decide=slot", "L@0*12", 1, 12}};
    struct hd_arena *a = hd_arena_new();

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *of[HD_N_SLOTS] = {cases[i].spec};
        struct hd_toy *toy =
            parse(a, hd_arena_printf(a,
                                     "sms 2\nresident 4\nslots 3\nl1 4 2\nlaunch 30\nlatency L=10\n"
                                     "program parent run(first) run(second) C*24 run(third) C*140\n"
                                     "program long L@0 L@1 C*30 %s\nprogram short L@0 L@1 C*100\n"
                                     "program last L@0 C\nkernel host\ntb parent\nkernel first\n"
                                     "tb long\nkernel second\ntb short\nkernel third\ntb last\n",
                                     cases[i].first));
        struct hd_toy_result r = run_machine(a, toy, of);
        assert_int_equal(r.status, HD_TOY_DONE);
        if (r.sm[3] != cases[i].sm || r.l1_hits != cases[i].hits)
            fail_msg("case %u: SM %u, %u hits", i, r.sm[3], (unsigned)r.l1_hits);
    }
    hd_arena_free(a);
}

// One running slot: the host's second kernel waits for the first, and children, which are launched
// in between, for both, unless a policy admits another.
static size_t admits_the_last(struct hd_pstate st, const struct hd_gpu_view *v,
                              const struct hd_ready *ready, size_t n)
{
    (void)st, (void)v;
    assert_int_equal(ready[0].parent_kernel == UINT32_MAX, !ready[0].depth);
    return n - 1;
}
static void kernels_wait_for_a_slot(void **unused)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_toy *toy = parse(a, "slots 1\nlaunch 1\nprogram p run(c) C C C\nprogram q C\n"
                                  "kernel first\ntb p\nkernel second\ntb q\nkernel c\ntb q\n");
    struct hd_policy last = {.name = "last", .admit = admits_the_last};

    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        struct hd_toy_options o = {0};
        struct hd_toy_result r;
        struct hd_diag d = {0};
        assert_true(hd_registry_parse(a, "lrr", &o.sched, &d));
        if (i)
            o.kernel_policy =
                (struct hd_policy_choice){.policy = &last, .spec = "last", .resolved = "last"};
        hd_toy_run(a, toy, &o, &r);
        assert_int_equal(r.status, HD_TOY_DONE);
        assert_int_equal(r.n_issues, 6);
        if (!i)
            assert_true(r.start[0] < r.start[1] && r.start[1] < r.start[2]);
        else // the second kernel of the host goes first, then the first, then the child
            assert_true(r.start[1] < r.start[0] && r.start[0] < r.start[2]);
    }
    hd_arena_free(a);
}

static void wrong_files_are_explained(void **unused)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *message, *hint;
    } cases[] = {
        {"", 0, 0, "no thread block", ""},
        {"program a C\n", 0, 0, "no thread block", ""},
        {"program a C\n\ntb aa\n", 3, 4, "no program 'aa'", "did you mean 'a'"},
        {"schedulrs 2\n", 1, 1, "'schedulrs' is not a statement", "schedulers"},
        {"schedulers 9\n", 1, 12, "'9' is not a valid number", "1 to 4"},
        {"schedulers\n", 1, 11, "a number is missing", ""},
        {"program a C Q\n", 1, 13, "'Q' is not an operation", "SCLMWBE"},
        {"program a C/0\n", 1, 11, "'C/0'", ""},
        {"program a C@3\n", 1, 11, "'C@3'", ""},
        {"program a L@\n", 1, 11, "'L@'", ""},
        {"program a C#33\n", 1, 11, "'C#33'", ""},
        {"program a C*99999999999999\n", 1, 11, "not an operation", ""},
        {"program a x: C bra(y,2)\ntb a\n", 1, 16, "no label 'y'", "did you mean 'x'"},
        {"program a x: x: C\n", 1, 14, "is twice", ""},
        {"program a bra(x,0)\n", 1, 11, "'bra(x,0)'", ""},
        {"program a C\ntb a@1\n", 2, 4, "'1' is not a start", "0 to 0"},
        {"program a C\ntb\n", 2, 3, "at least one warp", ""},
        {"program\n", 1, 8, "a name", ""},
        {"latency L=x\n", 1, 9, "'L=x' is not a latency", ""},
        {"sms 9\n", 1, 5, "'9' is not a valid number", "1 to 8"},
        {"kernel\n", 1, 7, "a name", ""},
        {"program a run(b\n", 1, 11, "'run(b'", "run(KERNEL)"},
        {"program a run(kk)\nkernel k\ntb a\n", 1, 11, "no kernel 'kk'", "did you mean 'k'"},
        {"program a C\nkernel k\ntb a\nkernel l\n", 0, 0, "kernel l has no thread block", ""},
        {"program a run(k)\nkernel k\ntb a\n", 0, 0, "kernel k is launched by itself", "the host"},
        {"number 1 2\n", 1, 10, "'2' is not expected here", ""},
        {"program a C\ntb a a a\ntb a\ntb a\n" // 33 blocks
         "tb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\n"
         "tb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\ntb a\n",
         0, 0, "do not fit", "resident"},
    };

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_diag d = {0};
        const struct hd_diag_entry *e = &d.entries[0];
        assert_null(hd_toy_parse(a, "x.toy", cases[i].text, strlen(cases[i].text), &d));
        assert_true(d.n > 0);
        if (!strstr(e->text, cases[i].message) || !strstr(e->hint, cases[i].hint) ||
            e->line != cases[i].line || e->column != cases[i].column)
            fail_msg("case %u: %u:%u: %s (%s)", i, e->line, e->column, e->text, e->hint);
        hd_arena_free(a);
    }
}

// Any bytes give an example or a diagnostic.
static void random_bytes_do_no_harm(void **unused)
{
    static const char pieces[][12] = {
        "program ", "tb ", "a", " ",   "\n", "bra(", "x:",      ",2)",    "L",
        "@",        "3",   "w", "l1 ", "*",  "/",    "#",       "fetch ", "2",
        "C",        "B",   "E", ")",   "\r", "9999", "kernel ", "sms ",   "run(a)"};
    uint64_t seed = 1;

    (void)unused;
    for (unsigned i = 0; i < 3000; i++) {
        struct hd_arena *a = hd_arena_new();
        struct hd_diag *d = HD_NEW(a, hd_diag);
        char text[400] = "program a C L x: M bra(x,2)\ntb a\n";
        size_t n = i % 2 ? strlen(text) : 0;
        while (n + 12 < sizeof text && (seed >> 40) % 40) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
            const char *piece = pieces[(seed >> 33) % (sizeof pieces / sizeof *pieces)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
        struct hd_toy *toy = hd_toy_parse(a, "random", text, n, d);
        assert_true(toy || d->n);
        if (toy) {
            toy->limit = 2000;
            run(a, toy, "two_level_active:2", "elf", false);
        }
        hd_arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_skips_exactly_on_every_example),
        cmocka_unit_test(policies_change_the_order_only),
        cmocka_unit_test(a_barrier_holds_until_all_warps_are_there),
        cmocka_unit_test(blocks_wait_for_room),
        cmocka_unit_test(the_l1_hits_misses_and_forgets),
        cmocka_unit_test(runs_without_end_are_ended),
        cmocka_unit_test(lfws_is_gto_without_long_operations),
        cmocka_unit_test(elf_counts_what_the_table_says),
        cmocka_unit_test(children_run_where_policies_say),
        cmocka_unit_test(the_type_of_a_child_is_decided_once),
        cmocka_unit_test(kernels_wait_for_a_slot),
        cmocka_unit_test(wrong_files_are_explained),
        cmocka_unit_test(random_bytes_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
