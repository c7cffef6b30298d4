// test_laser.c - LASER's Bloom filters and hash, its counters, the types of children, queues and
// groups, on states that are made by hand.
#include "heddle/policy/bloom.h"
#include "registry/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { HOST, PC, SS, SELF, NONE, WARM, LATER }; // marks
#define SMS 3
#define LINE 128

static void hashes_are_murmur2(void **unused)
{
    static const uint32_t first[] = {2624, 3405, 4186, 127}, second[] = {1088, 515, 4782, 4209};
    const uint8_t low[8] = {0x80}, high[8] = {0, 0, 0, 0x10};
    struct bloom_line a = bloom_line(0x80, 4840), b = bloom_line(0x10000000, 4840);

    (void)unused;
    assert_int_equal(bloom_murmur2((const uint8_t *)"", 0, 1), 0x5bd15e36);
    assert_int_equal(bloom_murmur2(low, 8, 0x9747b28c), 0x4ceeaa78);
    assert_int_equal(bloom_murmur2(low, 8, 0x1b873593), 0x7a9f543d);
    assert_int_equal(bloom_murmur2(high, 8, 0x9747b28c), 0xe6c3eb08);
    assert_int_equal(bloom_murmur2(high, 8, 0x1b873593), 0x8b28c1eb);
    assert_memory_equal(a.at, first, sizeof first);
    assert_memory_equal(b.at, second, sizeof second);
    assert_int_equal(BLOOM_BITS(1000), 4840);
    assert_int_equal((BLOOM_BITS(1000) + 7) / 8, 605);
}

// A thousand lines, neighbours or far apart, leave a tenth of all others looking present.
static void false_positives_are_a_tenth(void **unused)
{
    static const uint64_t strides[] = {LINE, 997 * UINT64_C(4096) + LINE};

    (void)unused;
    for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
        uint64_t filter[BLOOM_WORDS(1000)] = {0};
        unsigned present = 0, tests = 20000;
        for (uint64_t n = 0; n < 1000; n++) {
            struct bloom_line line = bloom_line(n * strides[i], BLOOM_BITS(1000));
            bloom_add(filter, &line);
            assert_true(bloom_has(filter, &line));
        }
        for (uint64_t n = 0; n < tests; n++) {
            struct bloom_line line =
                bloom_line((UINT64_C(1) << 40) + n * strides[i], BLOOM_BITS(1000));
            present += bloom_has(filter, &line);
        }
        assert_in_range(present * 1000 / tests, 80, 120);
    }
}

// A machine of SMS SMs without any warps, and the policy's state on it.
struct bench {
    struct hd_arena *arena;
    struct hd_policy_choice choice;
    void *gpu, *sms[SMS];
    struct hd_view views[SMS];
    const struct hd_view *view_of[SMS];
    struct hd_tb_view tbs[SMS][HD_MAX_TBS];
    uint8_t tb_of[HD_MAX_WARPS];
    uint32_t age[HD_MAX_WARPS];
    struct hd_kernel_view kernels[32];
    struct hd_gpu_view v;
};

static struct bench *new_bench(const char *spec)
{
    struct hd_arena *a = hd_arena_new();
    struct bench *b = HD_NEW(a, bench);
    struct hd_diag d = {0};

    b->arena = a;
    if (!hd_registry_parse(a, spec, &b->choice, &d))
        fail_msg("%s: %s", spec, d.entries[0].text);
    b->gpu = hd_arena_get(a, 1, b->choice.policy->gpu_bytes + 1);
    for (unsigned i = 0; i < SMS; i++) {
        b->sms[i] = hd_arena_get(a, 1, b->choice.policy->sm_bytes + 1);
        b->views[i] = (struct hd_view){.tbs = b->tbs[i], .tb_of = b->tb_of, .age = b->age};
        b->view_of[i] = &b->views[i];
        memset(b->views[i].last_issued, HD_NONE, sizeof b->views[i].last_issued);
    }
    b->v = (struct hd_gpu_view){
        .n_sms = SMS, .sms = b->view_of, .kernels = b->kernels, .last_kernel = HD_NONE};
    return b;
}

static void free_bench(struct bench *b)
{
    hd_arena_free(b->arena);
}

static struct hd_pstate state(const struct bench *b, unsigned sm)
{
    return (struct hd_pstate){.gpu = b->gpu, .sm = b->sms[sm], .params = b->choice.params};
}

static void event(struct bench *b, unsigned sm, const struct hd_event *e)
{
    b->choice.policy->on(state(b, sm), &b->views[sm], e);
}

// A block with so many warps, in the next warp slots of SM 0.
static void block(struct bench *b, unsigned sm, unsigned slot, struct hd_tb_view tb, unsigned warps)
{
    unsigned first = (unsigned)hd_count(b->views[sm].live);
    int w;

    tb.n_warps = (uint8_t)warps;
    tb.warps = hd_low(warps) << first;
    b->tbs[sm][slot] = tb;
    b->views[sm].tb_live |= hd_bit((int)slot);
    b->views[sm].live |= tb.warps;
    HD_EACH(w, tb.warps) {
        b->tb_of[w] = (uint8_t)slot;
        b->age[w] = (uint32_t)w;
    }
    event(b, sm, &(struct hd_event){.kind = HD_EV_TB_START, .tb = (uint8_t)slot});
}

static void reads(struct bench *b, unsigned sm, unsigned slot, const char *lines)
{
    for (; *lines; lines++)
        event(b, sm,
              &(struct hd_event){.kind = HD_EV_L1_READ,
                                 .tb = (uint8_t)slot,
                                 .line = (uint64_t)(unsigned char)*lines * LINE});
}

static uint64_t counter(const struct bench *b, unsigned sm, const char *name)
{
    uint64_t n;

    for (const struct hd_field *f = b->choice.policy->sm_counters; f->name; f++)
        if (!strcmp(f->name, name)) {
            memcpy(&n, (const char *)b->sms[sm] + f->offset, sizeof n);
            return n;
        }
    fail_msg("no counter %s", name);
    return 0;
}

#define HOSTS .parent_kernel = UINT32_MAX, .parent_tb = UINT32_MAX

static void host_and_child(struct bench *b)
{
    block(b, 0, 0, (struct hd_tb_view){.kernel = 0, .launches = 1, HOSTS}, 1);
    block(b, 0, 1, (struct hd_tb_view){.kernel = 1, .parent_kernel = 0, .parent_tb = 0}, 1);
}

static uint32_t launch(struct bench *b, unsigned sm)
{
    return b->choice.policy->mark(state(b, sm), &b->v,
                                  &(struct hd_event){.kind = HD_EV_CHILD_LAUNCH}, (int)sm);
}

static uint32_t remark(struct bench *b, unsigned sm, uint32_t mark, enum hd_mark_time now)
{
    struct hd_ready child = {.id = 9, .mark = mark, .depth = 1};

    return b->choice.policy->remark(state(b, sm), &b->v, &child, now, (int)sm);
}

// The parent reads three lines, its child two of them and another: two of three reads hit in PC,
// none in SS. No kernel has read a line twice, so none of six reads hits in SELF.
static void rates_of_a_parent_and_its_child(void **unused)
{
    struct bench *b = new_bench("laser:warm=0");

    (void)unused;
    host_and_child(b);
    assert_int_equal(launch(b, 0), NONE);
    reads(b, 0, 0, "abc");
    reads(b, 0, 1, "abd");
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    assert_int_equal(counter(b, 0, "pc_tests"), 3);
    assert_int_equal(counter(b, 0, "ss_hits"), 0);
    assert_int_equal(counter(b, 0, "ss_tests"), 3);
    assert_int_equal(counter(b, 0, "self_hits"), 0);
    assert_int_equal(counter(b, 0, "self_tests"), 6);
    assert_int_equal(counter(b, 0, "pc_fill"), 3);
    assert_int_equal(counter(b, 0, "ss_fill"), 3);
    assert_int_equal(counter(b, 0, "self_fill"), 6);
    assert_int_equal(launch(b, 0), PC);
    assert_int_equal(launch(b, 1), NONE); // another SM has read nothing
    assert_int_equal(counter(b, 0, "marked_pc"), 1);
    free_bench(b);
}

// What SELF and SS make of a child that reads a line twice, of its parent's lines, and of its
// sibling's: only with keyed=none is every line that anybody has read a hit of SELF, and a child's
// own line a hit of SS.
static void self_has_only_a_kernels_own_lines(void **unused)
{
    static const struct {
        const char *spec;
        uint64_t self_hits, ss_hits, ss_tests;
        uint32_t type;
    } cases[] = {{"laser:warm=0", 2, 1, 3, PC}, {"laser:warm=0:keyed=none", 5, 3, 5, PC}};

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench *b = new_bench(cases[i].spec);
        host_and_child(b);
        block(b, 0, 2, (struct hd_tb_view){.kernel = 2, .parent_kernel = 0, .parent_tb = 0}, 1);
        reads(b, 0, 0, "ab");
        reads(b, 0, 1, "aab"); // its parent's lines, one of them twice
        reads(b, 0, 2, "aa");  // its sibling's line, twice
        assert_int_equal(counter(b, 0, "pc_hits"), 5);
        assert_int_equal(counter(b, 0, "self_hits"), cases[i].self_hits);
        assert_int_equal(counter(b, 0, "ss_hits"), cases[i].ss_hits);
        assert_int_equal(counter(b, 0, "ss_tests"), cases[i].ss_tests);
        assert_int_equal(launch(b, 0), cases[i].type);
        free_bench(b);
    }
}

// Only parents fill to the parent-child Bloom filter": not one of the host that launches
// nothing.
static void only_parents_fill_pc(void **unused)
{
    struct bench *b = new_bench("laser");

    (void)unused;
    block(b, 0, 0, (struct hd_tb_view){.kernel = 0, HOSTS}, 1);
    block(b, 0, 1, (struct hd_tb_view){.kernel = 1, .parent_kernel = 5, .parent_tb = 0}, 1);
    reads(b, 0, 0, "a");
    reads(b, 0, 1, "a");
    assert_int_equal(counter(b, 0, "pc_fill"), 0);
    assert_int_equal(counter(b, 0, "pc_hits"), 0);
    free_bench(b);
}

static void keys_tell_kernels_apart(void **unused)
{
    struct bench *b = new_bench("laser:warm=0:keyed=all");

    (void)unused;
    host_and_child(b);
    block(b, 0, 2, (struct hd_tb_view){.kernel = 2, .parent_kernel = 0, .parent_tb = 1}, 1);
    block(b, 0, 3, (struct hd_tb_view){.kernel = 3, .parent_kernel = 0, .parent_tb = 0}, 1);
    reads(b, 0, 0, "abc");
    reads(b, 0, 1, "abd");
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    assert_int_equal(counter(b, 0, "self_hits"), 0); // other kernels' lines are not its own
    reads(b, 0, 2, "ab"); // a child of another block: nothing of its parent's or siblings'
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    assert_int_equal(counter(b, 0, "ss_hits"), 0);
    reads(b, 0, 3, "dd"); // its sibling has read the line; the second read is a hit of SELF
    assert_int_equal(counter(b, 0, "ss_hits"), 1);
    assert_int_equal(counter(b, 0, "self_hits"), 1);
    assert_int_equal(counter(b, 0, "ss_tests"), 3 + 2 + 1);
    free_bench(b);
}

// Half of the children's reads are of lines that their parent read, and half of those that SELF
// misses are of lines that a sibling read: "larger than" is true of neither.
static void equal_rates_give_no_type(void **unused)
{
    static const struct {
        const char *spec;
        uint32_t type;
    } cases[] = {{"laser:warm=0:keyed=all:threshold=40", NONE},
                 {"laser:warm=0:keyed=all:threshold=40:equal=order", PC},
                 {"laser:warm=0:keyed=all:threshold=50:equal=order", NONE}};

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench *b = new_bench(cases[i].spec);
        host_and_child(b);
        block(b, 0, 2, (struct hd_tb_view){.kernel = 2, .parent_kernel = 0, .parent_tb = 0}, 1);
        reads(b, 0, 0, "a");
        reads(b, 0, 1, "ab");
        reads(b, 0, 2, "ab");
        assert_int_equal(counter(b, 0, "pc_hits"), 2);
        assert_int_equal(counter(b, 0, "pc_tests"), 4);
        assert_int_equal(counter(b, 0, "ss_hits"), 2);
        assert_int_equal(counter(b, 0, "ss_tests"), 4);
        assert_int_equal(launch(b, 0), cases[i].type);
        reads(b, 0, 1, "b"); // a hit of SELF, which SS does not count: now SS has the larger rate
        assert_int_equal(launch(b, 0), i < 2 ? SS : NONE);
        free_bench(b);
    }
}

static void the_first_children_are_warm(void **unused)
{
    struct bench *gpu = new_bench("laser"), *sm = new_bench("laser:scope=sm");

    (void)unused;
    assert_int_equal(launch(gpu, 0), WARM);
    assert_int_equal(launch(gpu, 1), WARM);
    assert_int_equal(launch(gpu, 2), NONE);
    for (unsigned i = 0; i < 2 * SMS; i++)
        assert_int_equal(launch(sm, i % SMS), WARM);
    assert_int_equal(launch(sm, 0), NONE);
    free_bench(gpu);
    free_bench(sm);
}

// A child is launched before its sibling has read what their parent read, and may start, and gets
// its slot, after that. Its type is what was known when it was decided, on the SM that launched it.
static void the_type_is_decided_when_asked(void **unused)
{
    static const struct {
        const char *spec;
        uint32_t launched, ready, slot;
    } cases[] = {{"laser:warm=0:threshold=40", NONE, NONE, NONE},
                 {"laser:warm=0:threshold=40:decide=pool", LATER, SS, SS},
                 {"laser:warm=0:threshold=40:decide=slot", LATER, LATER, PC},
                 {"laser:warm=1:decide=slot", WARM, WARM, WARM}};

    (void)unused;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench *b = new_bench(cases[i].spec);
        host_and_child(b);
        block(b, 0, 2, (struct hd_tb_view){.kernel = 2, .parent_kernel = 0, .parent_tb = 0}, 1);
        reads(b, 0, 0, "wxyz");
        uint32_t mark = launch(b, 0);
        assert_int_equal(mark, cases[i].launched);
        reads(b, 0, 1, "abcd"); // two siblings read the same lines, which their parent has not read
        reads(b, 0, 2, "abcd");
        mark = remark(b, 0, mark, HD_MARK_READY);
        assert_int_equal(mark, cases[i].ready);
        for (int n = 0; n < 8; n++)
            reads(b, 0, 1, "wxyz"); // and one of them its parent's lines
        mark = remark(b, 0, mark, HD_MARK_SLOT);
        assert_int_equal(mark, cases[i].slot);
        assert_int_equal(remark(b, 0, mark, HD_MARK_SLOT), mark); // once
        assert_int_equal(counter(b, 0, "marked_none") + counter(b, 0, "marked_ss") +
                             counter(b, 0, "marked_pc") + counter(b, 0, "marked_warm"),
                         1);
        free_bench(b);
    }
}

static void a_parents_end_empties_the_filters(void **unused)
{
    struct bench *b = new_bench("laser:warm=0");
    struct hd_event end = {.kind = HD_EV_KERNEL_END, .kernel = 0};

    (void)unused;
    host_and_child(b);
    reads(b, 0, 0, "abc");
    b->v.running = 1;
    b->kernels[0] = (struct hd_kernel_view){.id = 0};
    b->choice.policy->on_gpu(state(b, 0), &b->v, &end, 0); // has launched nothing
    reads(b, 0, 1, "ab");
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    b->kernels[0].children = 1;
    b->choice.policy->on_gpu(state(b, 0), &b->v, &end, 0);
    reads(b, 0, 1, "ab");
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    assert_int_equal(counter(b, 0, "pc_tests"), 4); // the counters stay
    assert_int_equal(counter(b, 0, "ss_hits"), 0);
    free_bench(b);
}

static void or_the_end_of_all_that_it_launched(void **unused)
{
    struct bench *b = new_bench("laser:warm=0:reset=complete");
    struct hd_event end = {.kind = HD_EV_KERNEL_END, .kernel = 0};
    struct hd_event complete = {.kind = HD_EV_KERNEL_COMPLETE, .kernel = 0};

    (void)unused;
    host_and_child(b);
    reads(b, 0, 0, "abc");
    b->v.running = 1;
    b->kernels[0] = (struct hd_kernel_view){.id = 0, .children = 1};
    b->choice.policy->on_gpu(state(b, 0), &b->v, &end, 0); // its children still run
    b->v.running = 0;
    b->choice.policy->on_gpu(state(b, 0), &b->v, &complete, 0); // one that has launched nothing
    reads(b, 0, 1, "ab");
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    complete.flags = HD_KERNEL_PARENT;
    b->choice.policy->on_gpu(state(b, 0), &b->v, &complete, 0);
    reads(b, 0, 1, "ab");
    assert_int_equal(counter(b, 0, "pc_hits"), 2);
    free_bench(b);
}

static void high_priority_is_admitted_first(void **unused)
{
    struct bench *b = new_bench("laser");
    struct hd_ready ready[] = {{.mark = LATER}, {.mark = NONE}, {.mark = SS}, {.mark = PC}};

    (void)unused;
    assert_int_equal(b->choice.policy->admit(state(b, 0), &b->v, ready, 4), 2);
    assert_int_equal(b->choice.policy->admit(state(b, 0), &b->v, ready, 2), 0);
    ready[1].mark = HOST;
    assert_int_equal(b->choice.policy->admit(state(b, 0), &b->v, ready, 4), 1);
    free_bench(b);
}

static void fed(struct bench *b, int sm, uint64_t fits, int slot, uint32_t tb)
{
    struct hd_pick pick = {HD_NONE, HD_NEXT_TB};
    struct hd_pstate st = state(b, (unsigned)sm);

    st.sched = NULL;
    if (!b->choice.policy->feed(st, &b->v, sm, fits, &pick)) {
        assert_int_equal(slot, HD_NONE);
        return;
    }
    assert_int_equal(pick.slot, slot);
    assert_int_equal(pick.tb, tb);
    b->kernels[slot].tbs_started++;
}

static void kernel(struct bench *b, int slot, struct hd_kernel_view k)
{
    b->kernels[slot] = k;
    b->v.running |= hd_bit(slot);
}

#define CHILD .depth = 1, .parent_kernel = 0

static void blocks_wait_in_the_queues_of_sms(void **unused)
{
    struct bench *b = new_bench("laser");

    (void)unused;
    b->v.last_sm = 0;
    b->v.cycle = 1;
    kernel(b, 0, (struct hd_kernel_view){.id = 0, .tbs = 7, .parent_sm = HD_NO_SM, HOSTS});
    fed(b, 1, 1, 0, 0); // dealt from the SM after the last one on: 0 3 6 | 1 4 | 2 5
    fed(b, 2, 1, 0, 1);
    fed(b, 0, 1, 0, 2);
    fed(b, 1, 1, 0, 3);
    // A child of type PC goes to its parent's SM, where it queues behind what is there.
    kernel(b, 1,
           (struct hd_kernel_view){
               .id = 1, .tbs = 2, .mark = PC, .parent_sm = 2, .parent_tb = 9, CHILD});
    fed(b, 2, 3, 0, 4);
    fed(b, 2, 3, 1, 0);
    // Its sibling of type SS follows it, although another SM has launched it.
    kernel(b, 2,
           (struct hd_kernel_view){
               .id = 2, .tbs = 2, .mark = SS, .parent_sm = 0, .parent_tb = 9, CHILD});
    fed(b, 0, 7, 0, 5);
    fed(b, 1, 7, 0, 6);
    b->v.cycle = 2;
    fed(b, 1, 7, 2, 1); // an SM without blocks takes the last one of the longest queue
    fed(b, 2, 4, 2, 0); // the first does not fit
    fed(b, 2, 0, HD_NONE, 0);
    fed(b, 2, 2, 1, 1);
    assert_int_equal(counter(b, 2, "bound"), 3);
    assert_int_equal(counter(b, 1, "stolen"), 1);
    assert_int_equal(counter(b, 1, "bound"), 0);
    // The parent's block is somewhere else by now, as after a wait for its children.
    block(b, 0, 0, (struct hd_tb_view){.kernel = 0, .global_id = 4, HOSTS}, 1);
    kernel(b, 3,
           (struct hd_kernel_view){
               .id = 3, .tbs = 1, .mark = WARM, .parent_sm = 2, .parent_tb = 4, CHILD});
    kernel(b, 4,
           (struct hd_kernel_view){
               .id = 4, .tbs = 1, .mark = NONE, .parent_sm = 0, .parent_tb = 5, CHILD});
    fed(b, 0, 24, 3, 0);
    fed(b, 1, 24, 4, 0); // dealt to the shortest queue, the first of two
    free_bench(b);
}

// In the cycle in which a kernel gets its slot, only the SM whose queue it joins may take a block.
static void a_queues_own_sm_has_the_first_chance(void **unused)
{
    struct bench *b = new_bench("laser:patience=3");

    (void)unused;
    b->v.cycle = 10;
    kernel(b, 0,
           (struct hd_kernel_view){.id = 0,
                                   .tbs = 3,
                                   .mark = PC,
                                   .parent_sm = 2,
                                   .parent_tb = 9,
                                   .start_cycle = 10,
                                   CHILD});
    fed(b, 0, 1, HD_NONE, 0);
    fed(b, 1, 1, HD_NONE, 0);
    fed(b, 2, 1, 0, 0);
    b->v.cycle = 12;
    fed(b, 0, 1, HD_NONE, 0);
    b->v.cycle = 13;
    fed(b, 0, 1, 0, 2);
    fed(b, 2, 1, 0, 1);
    free_bench(b);
    b = new_bench("laser:patience=0");
    kernel(b, 0,
           (struct hd_kernel_view){
               .id = 0, .tbs = 1, .mark = PC, .parent_sm = 2, .parent_tb = 9, CHILD});
    fed(b, 0, 1, 0, 0);
    free_bench(b);
}

// Children of no type that come one by one, when all queues are empty, do not all go to one SM,
// unless that is asked for.
static void give_equal_queues(const char *spec, bool turns)
{
    struct bench *b = new_bench(spec);

    for (int i = 0; i < SMS; i++) {
        int sm = turns ? (i + 1) % SMS : 0;
        b->v.last_sm = (uint32_t)i;
        kernel(b, 0,
               (struct hd_kernel_view){
                   .id = 1 + (uint32_t)i, .tbs = 1, .mark = NONE, .parent_sm = 0, CHILD});
        fed(b, sm, 1, 0, 0);
        assert_int_equal(counter(b, (unsigned)sm, "stolen"), 0);
    }
    free_bench(b);
}

static void equal_queues(void **unused)
{
    (void)unused;
    give_equal_queues("laser", true);
    give_equal_queues("laser:ties=first", false);
}

// {w0 w1 w2 w3 w4} are a parent, its child and the child's child, {w5 w6} are others.
static void groups_issue_round_robin(void **unused)
{
    static const int expected[] = {2, 3, 4, 0, 1, 5, 6};
    struct bench *b = new_bench("laser");
    const struct hd_policy *p = b->choice.policy;
    uint64_t left = hd_low(7);

    (void)unused;
    block(b, 0, 0, (struct hd_tb_view){.kernel = 0, HOSTS}, 2);
    block(b, 0, 2, (struct hd_tb_view){.kernel = 1, .parent_kernel = 0, .mark = PC}, 2);
    block(b, 0, 3, (struct hd_tb_view){.kernel = 2, .parent_kernel = 1, .mark = WARM}, 1);
    block(b, 0, 1, (struct hd_tb_view){.kernel = 3, .parent_kernel = 0, .mark = SELF}, 2);
    b->views[0].last_issued[0] = 1;
    for (unsigned i = 0; i < 7; i++) {
        int w = p->first(state(b, 0), &b->views[0], 0, left);
        assert_int_equal(w, expected[i]);
        left &= ~hd_bit(w);
    }
    // With the other group greedy, the rest still follows by its oldest warp.
    b->views[0].last_issued[0] = 5;
    assert_int_equal(p->first(state(b, 0), &b->views[0], 0, hd_low(7)), 6);
    assert_int_equal(p->first(state(b, 0), &b->views[0], 0, hd_bit(5) | 1), 5);
    free_bench(b);
}

// Two siblings of type SS stay apart, and with groups=all issue in turn: then warp 1 follows warp
// 0.
static void siblings_are_a_group_on_request(void **unused)
{
    static const char *const specs[] = {"laser", "laser:groups=all"};

    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct bench *b = new_bench(specs[i]);
        block(b, 0, 0, (struct hd_tb_view){.kernel = 1, .parent_kernel = 0, .mark = SS}, 1);
        block(b, 0, 1, (struct hd_tb_view){.kernel = 2, .parent_kernel = 0, .mark = SS}, 1);
        b->views[0].last_issued[0] = 0;
        assert_int_equal(b->choice.policy->first(state(b, 0), &b->views[0], 0, 3), i);
        free_bench(b);
    }
}

static void without_groups_it_is_gto(void **unused)
{
    struct bench *b = new_bench("laser:groups=none");

    (void)unused;
    block(b, 0, 0, (struct hd_tb_view){.kernel = 0, HOSTS}, 3);
    b->views[0].last_issued[0] = 1;
    assert_int_equal(b->choice.policy->first(state(b, 0), &b->views[0], 0, 7), 1);
    assert_int_equal(b->choice.policy->first(state(b, 0), &b->views[0], 0, 5), 0);
    free_bench(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_murmur2),
        cmocka_unit_test(false_positives_are_a_tenth),
        cmocka_unit_test(rates_of_a_parent_and_its_child),
        cmocka_unit_test(self_has_only_a_kernels_own_lines),
        cmocka_unit_test(only_parents_fill_pc),
        cmocka_unit_test(keys_tell_kernels_apart),
        cmocka_unit_test(equal_rates_give_no_type),
        cmocka_unit_test(the_first_children_are_warm),
        cmocka_unit_test(the_type_is_decided_when_asked),
        cmocka_unit_test(a_parents_end_empties_the_filters),
        cmocka_unit_test(or_the_end_of_all_that_it_launched),
        cmocka_unit_test(high_priority_is_admitted_first),
        cmocka_unit_test(blocks_wait_in_the_queues_of_sms),
        cmocka_unit_test(a_queues_own_sm_has_the_first_chance),
        cmocka_unit_test(equal_queues),
        cmocka_unit_test(groups_issue_round_robin),
        cmocka_unit_test(siblings_are_a_group_on_request),
        cmocka_unit_test(without_groups_it_is_gto),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
