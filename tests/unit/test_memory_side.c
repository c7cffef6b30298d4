// test_memory_side.c - the whole memory side behind its ports: unloaded latencies as composed in
// timing-model 9.4 and 18, atomics, what is idle, and that skipping time changes nothing.
#include "mem/crossbar.h"
#include "shared/mem_bench.h"

#include "heddle/stats.h"

#define BASE UINT64_C(0x80000000) // of the first buffer

enum { SMS = 15 };

static struct hd_arena *arena;
static struct hd_config config;
static struct hd_mem mem;
static uint64_t cycle; // next to be stepped
static uint32_t served[64], n_served;

static void serve(void *ctx, const struct hd_req *req)
{
    (void)ctx;
    served[n_served++ % 64] = req->tag;
}

static struct hd_mem build(void)
{
    struct hd_mem m = hd_crossbar_new(arena, &config, &(struct hd_mem_listener){NULL, serve});

    m.ops->restart(m.self);
    return m;
}

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    mem_bench_config(&config);
    mem = build();
    cycle = 0;
    n_served = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static struct hd_req request(enum hd_req_kind kind, uint64_t addr, unsigned bytes, unsigned port)
{
    bool store = kind == HD_REQ_WRITE || kind == HD_REQ_WRITEBACK;
    bool data = store || kind == HD_REQ_ATOMIC;

    return (struct hd_req){.addr = addr,
                           .issued = cycle,
                           .tag = 42,
                           .port = (uint16_t)port,
                           .kind = (uint8_t)kind,
                           .bytes = data ? (uint8_t)bytes : 0,
                           .reply_bytes = store ? 0 : (uint8_t)bytes};
}

static void between(void) // two cycles
{
    if (mem.ops->between)
        mem.ops->between(mem.self);
}

// One cycle without the SM's part. Returns true if the port had a reply.
static bool step(unsigned port)
{
    struct hd_req r;

    between();
    bool got = mem.ops->pop(mem.self, port, &r);
    hd_mem_tick(&mem, cycle++);
    return got;
}

// Cycles from the push of a request to the pop of its answer.
static unsigned latency(enum hd_req_kind kind, uint64_t addr, unsigned bytes)
{
    struct hd_req r;
    uint64_t pushed = cycle;

    step(3);
    r = request(kind, addr, bytes, 3);
    r.issued = pushed;
    assert_true(mem.ops->room(mem.self, 3, r.kind, r.bytes));
    mem.ops->push(mem.self, 3, &r);
    mem.ops->settle(mem.self, 3);
    while (!step(3))
        assert_true(cycle < pushed + 5000);
    return (unsigned)(cycle - 1 - pushed);
}

static void rest(void) // until fills that nobody waits for are done
{
    for (unsigned i = 0; i < 400; i++)
        assert_false(step(3));
}

static void l2_hits(void **state)
{
    static const struct {
        enum hd_req_kind kind;
        unsigned bytes, cycles;
    } table[] = {
        {HD_REQ_READ, 128, 141}, // 8 + 120 + 1 + 1 + 11: network, ROP, L2, into and through it back
        {HD_REQ_INST, 128, 141},  {HD_REQ_CONST, 64, 139},
        {HD_REQ_READ, 32, 138},   {HD_REQ_TEX, 128, 20}, // no ROP delay, accessed as it arrives
        {HD_REQ_WRITE, 32, 138},  {HD_REQ_WRITE, 128, 141},
        {HD_REQ_ATOMIC, 32, 139}, {HD_REQ_ATOMIC, 128, 145},
    };

    (void)state;
    latency(HD_REQ_READ, BASE, 128);
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(latency(table[i].kind, BASE, table[i].bytes), table[i].cycles);
    assert_int_equal(mem.ops->stats(mem.self).l2_misses, 1);
    assert_int_equal(mem.ops->stats(mem.self).dram_reads, 2);
}

// 256-byte chunks take turns over 12 sub-partitions; a channel's banks together open 64 KB at once.
// The two clocks meet differently each time.
static void dram_latencies(void **state)
{
    const uint64_t rows = 6 * 65536, first = 6000 * rows;

    (void)state;
    assert_in_range(latency(HD_REQ_READ, first, 32), 261, 263); // closed row
    rest();
    for (uint64_t i = 1; i < 8; i++) {
        assert_in_range(latency(HD_REQ_READ, first + i * 12 * 256, 32), 253, 255); // open row
        rest();
    }
    for (uint64_t i = 1; i < 50; i++) {
        assert_in_range(latency(HD_REQ_READ, first + i * rows, 32), 270, 273); // conflict
        rest();
    }
}

static void a_store_that_misses_is_acknowledged_by_the_dram(void **state)
{
    (void)state;
    assert_in_range(latency(HD_REQ_WRITE, BASE, 32), 240, 260);
    rest();
    assert_int_equal(mem.ops->stats(mem.self).dram_writes, 1);
    assert_int_equal(mem.ops->stats(mem.self).dram_reads, 2); // and its line is fetched
    assert_int_equal(latency(HD_REQ_READ, BASE, 32), 138);
}

static void atomics_are_performed_as_they_leave_the_l2(void **state)
{
    struct hd_req r = request(HD_REQ_ATOMIC, BASE, 32, 0);
    uint64_t performed = 0;

    (void)state;
    latency(HD_REQ_READ, BASE, 32);
    step(0);
    r.tag = 7;
    mem.ops->push(mem.self, 0, &r);
    mem.ops->settle(mem.self, 0);
    r.tag = 8;
    r.port = 1;
    mem.ops->push(mem.self, 1, &r);
    mem.ops->settle(mem.self, 1);
    for (uint64_t from = cycle; !performed || n_served < 2;) {
        bool got = step(0);
        if (n_served == 1 && !performed)
            performed = cycle - from;
        assert_true(cycle < from + 1000 && !got);
    }
    assert_int_equal(performed, 9 + 120 + 1 + 1);
    assert_int_equal(served[0], 7);
    assert_int_equal(served[1], 8);
}

// As in the reference, the fill that a store asks for does not hold up the end of a kernel.
static void idle_means_that_nobody_waits(void **state)
{
    struct hd_req r = request(HD_REQ_WRITEBACK, BASE, 128, 2);

    (void)state;
    assert_true(mem.ops->idle(mem.self));
    assert_int_equal(mem.ops->wakes(mem.self, 0), UINT64_MAX);
    step(2);
    mem.ops->push(mem.self, 2, &r);
    mem.ops->settle(mem.self, 2);
    assert_false(mem.ops->idle(mem.self));
    for (unsigned i = 0; !mem.ops->idle(mem.self); i++) {
        assert_false(step(2)); // no answer
        assert_true(i < 1000);
    }
    assert_int_equal(mem.ops->stats(mem.self).dram_writes, 2);
    rest();
    assert_int_equal(mem.ops->stats(mem.self).dram_reads, 2);
    assert_int_equal(mem.ops->wakes(mem.self, cycle - 1), UINT64_MAX);
}

// ---- Traffic

struct traffic {
    const char *name;
    unsigned push, pop; // percent of cycles in which an SM wants to
    unsigned stores, atomics, textures, constants, writebacks, small; // percent
    bool stream;                                                      // else random
    uint64_t bytes;
    unsigned cycles;
    uint64_t hash; // of (cycle, port, tag) of every reply, as the reference's own code gives it
};

static const struct traffic traffics[] = {
    {"mixed", 100, 100, 40, 5, 5, 5, 5, 30, false, 8 << 20, 6000, UINT64_C(0xf0a35e2758ae9fc6)},
    {"light", 2, 100, 20, 0, 0, 0, 0, 30, false, 64 << 20, 4000, UINT64_C(0x60d188d1a0e1f472)},
    {"copy", 60, 100, 50, 0, 0, 0, 0, 10, true, 16 << 20, 4000, UINT64_C(0xe38684a71e0bc0b2)},
    {"in the L2", 100, 100, 30, 5, 0, 5, 5, 50, false, 512 << 10, 8000,
     UINT64_C(0x186708581ec06464)},
    {"slow SMs", 100, 20, 40, 5, 5, 5, 5, 30, false, 8 << 20, 8000, UINT64_C(0x0d3d114aa9a4a97c)},
};

static uint64_t seed, cursor[SMS];

static uint64_t draw(void) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned percent(void)
{
    return (unsigned)(draw() % 100);
}

static struct hd_req generate(const struct traffic *t, unsigned sm, uint32_t tag)
{
    enum hd_req_kind kind = percent() < t->stores ? HD_REQ_WRITE : HD_REQ_READ;
    const unsigned limits[] = {t->atomics, t->textures, t->constants, t->writebacks};
    static const enum hd_req_kind kinds[] = {HD_REQ_ATOMIC, HD_REQ_TEX, HD_REQ_CONST,
                                             HD_REQ_WRITEBACK};
    unsigned p = percent(), sum = 0, bytes = 128;
    uint64_t line;
    struct hd_req r;

    for (unsigned i = 0; i < 4; i++) {
        if (p >= sum && p < sum + limits[i])
            kind = kinds[i];
        sum += limits[i];
    }
    line = t->stream ? (cursor[sm]++ * SMS + sm) % (t->bytes / 128) : draw() % (t->bytes / 128);
    if (t->stream && kind == HD_REQ_WRITE)
        line += (64 << 20) / 128;
    line = BASE + line * 128;
    if (kind == HD_REQ_CONST) {
        bytes = 64;
        line += 64 * (draw() & 1);
    } else if (kind != HD_REQ_WRITEBACK && kind != HD_REQ_TEX && percent() < t->small) {
        bytes = draw() & 1 ? 32 : 64;
        line += bytes * (draw() % (128 / bytes));
    }
    r = request(kind, line, bytes, sm);
    r.tag = tag;
    return r;
}

static uint64_t mix(uint64_t hash, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++, v >>= 8)
        hash = (hash ^ (v & 255)) * UINT64_C(0x100000001b3);
    return hash;
}

// If not zero, the second part of a cycle is divided into at most so many pieces, of which the last
// one is done first.
static unsigned divide_into, pieces;

static void tick(void)
{
    uint64_t due;

    if (!divide_into) {
        hd_mem_tick(&mem, cycle);
        return;
    }
    due = mem.ops->tick(mem.self, cycle);
    assert_false(due & ~hd_low(pieces));
    for (unsigned k = pieces; k--;)
        if (hd_has(due, (int)k))
            mem.ops->finish(mem.self, k);
}

// Runs the traffic until 3000 cycles after its end; returns the hash of all replies.
static uint64_t run(const struct traffic *t, bool skipping, uint64_t *skipped)
{
    struct hd_req held[SMS], r;
    bool holds[SMS] = {false};
    uint32_t tag = 0;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    seed = 1;
    memset(cursor, 0, sizeof cursor);
    mem = build();
    pieces = divide_into ? mem.ops->divide(mem.self, divide_into) : 1;
    for (cycle = 0; cycle < t->cycles + 3000 || !mem.ops->idle(mem.self); cycle++) {
        assert_true(cycle < 1000000);
        between();
        for (unsigned i = 0; i < SMS; i++)
            if (percent() < t->pop && mem.ops->pop(mem.self, i, &r))
                hash = mix(mix(mix(hash, cycle), i), r.tag);
        if (skipping && cycle && mem.ops->wakes(mem.self, cycle - 1) > cycle) {
            (mem.ops->skip)(mem.self, 1); // cmocka has a macro of that name
            ++*skipped;
        } else {
            tick();
        }
        for (unsigned i = 0; cycle < t->cycles && i < SMS; i++) {
            if (!holds[i] && percent() < t->push) {
                held[i] = generate(t, i, tag++);
                holds[i] = true;
            }
            if (holds[i] && mem.ops->room(mem.self, i, held[i].kind, held[i].bytes)) {
                held[i].issued = cycle;
                mem.ops->push(mem.self, i, &held[i]);
                mem.ops->settle(mem.self, i);
                holds[i] = false;
            }
        }
    }
    return hash;
}

static void traffic_is_served_as_by_the_reference(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof traffics / sizeof *traffics; i++) {
        uint64_t hash = run(&traffics[i], false, NULL);
        if (hash != traffics[i].hash)
            fail_msg("%s: hash of the replies is 0x%016llx", traffics[i].name,
                     (unsigned long long)hash);
    }
}

static void skipping_changes_nothing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof traffics / sizeof *traffics; i++) {
        struct hd_mem_stats stepped, skipping;
        uint64_t skipped = 0, hash = run(&traffics[i], false, NULL);

        stepped = mem.ops->stats(mem.self);
        assert_int_equal(run(&traffics[i], true, &skipped), hash);
        skipping = mem.ops->stats(mem.self);
        assert_memory_equal(&skipping, &stepped, sizeof stepped);
        assert_true(skipped > 1000);
    }
}

static void dividing_changes_nothing(void **state)
{
    static const unsigned made[] = {1, 1, 2, 3, 4, 5, 6, 7, 7, 7}; // of six channels

    (void)state;
    for (unsigned i = 0; i < sizeof traffics / sizeof *traffics; i++) {
        struct hd_mem_stats whole, parts;

        run(&traffics[i], false, NULL);
        whole = mem.ops->stats(mem.self);
        for (unsigned n = 1; n < sizeof made / sizeof *made; n++) {
            uint64_t skipped = 0;
            divide_into = n;
            assert_int_equal(run(&traffics[i], n % 2, &skipped), traffics[i].hash);
            assert_int_equal(pieces, made[n]);
            parts = mem.ops->stats(mem.self);
            assert_memory_equal(&parts, &whole, sizeof whole);
        }
        divide_into = 0;
    }
}

// Twice the clock of the SMs: a hop takes half a cycle. How time passes changes nothing there, too.
static void a_faster_network(void **state)
{
    const struct traffic *t = &traffics[0];
    uint64_t skipped = 0, hash;

    (void)state;
    config.clock.net = 2 * config.clock.core;
    mem = build();
    latency(HD_REQ_READ, BASE, 128);
    assert_int_equal(latency(HD_REQ_READ, BASE, 128), 4 + 120 + 1 + 1 + 5); // see l2_hits
    config.clock.net = config.clock.core;                                   // the same as 0
    mem = build();
    assert_null(mem.ops->between);
    assert_int_equal(run(t, false, NULL), t->hash);
    config.clock.net = 2 * config.clock.core;
    hash = run(t, false, NULL);
    assert_int_not_equal(hash, t->hash);
    assert_int_equal(run(t, true, &skipped), hash);
    divide_into = 3;
    assert_int_equal(run(t, true, &skipped), hash);
    divide_into = 0;
}

// GB/s that SMs receive from the L2 of machine elf: each bank has an SM that reads a line there,
// again and again. Without the ROP delay, in which requests would come in bursts.
static double from_l2(const char *set)
{
    const unsigned cycles = 4000, warm = 1000;
    uint64_t bytes = 0;
    const char *sets[] = {set, "l2.rop=0"};
    struct hd_diag d;
    struct hd_req r;

    memset(&d, 0, sizeof d);
    assert_true(hd_config_load(arena, "gpus/elf.ini", sets, 2, &config, &d));
    mem = build();
    for (cycle = 0; cycle < warm + cycles; cycle++) {
        between();
        for (unsigned i = 0; i < config.dram.channels * config.dram.subs; i++)
            if (mem.ops->pop(mem.self, i, &r) && cycle >= warm)
                bytes += 128;
        tick();
        for (unsigned i = 0; i < config.dram.channels * config.dram.subs; i++) {
            if (!mem.ops->room(mem.self, i, HD_REQ_READ, 0))
                continue;
            r = request(HD_REQ_READ, BASE + (uint64_t)i * config.dram.interleave, 128, i);
            mem.ops->push(mem.self, i, &r);
            mem.ops->settle(mem.self, i);
        }
    }
    return (double)bytes / cycles * config.clock.core / 1000;
}

// One bank and one port in each of six partitions: at the clock of the SMs they would not.
static void the_l2_of_elf_delivers_what_the_dram_does(void **state)
{
#ifdef HD_STRESS
    skip(); // bandwidth of queues that were not shrunk
#endif
    const struct hd_config_dram *m = &config.dram;

    (void)state;
    double slow = from_l2("clock.net=0"), fast = from_l2("clock.net=1400");
    double dram = m->channels * m->burst / (double)m->burst_cycles * config.clock.dram / 1000;
    if (fast < dram || slow > 0.6 * dram)
        fail_msg("%.1f GB/s from the L2, with a slow network %.1f, and %.1f from the DRAM", fast,
                 slow, dram);
}

// Every queue and table at its smallest: everything waits for everything, and all are answered.
static void the_smallest_queues_do_not_lock_up(void **state)
{
    (void)state;
    config.net.source = config.net.boundary = 5; // a packet
    config.net.router = config.net.eject = 1;
    config.l2.sets = config.l2.ways = config.l2.mshrs = config.l2.merges = 1;
    config.l2.miss_queue = 3;
    config.l2.from_net = config.l2.to_net = config.l2.to_dram = config.l2.from_dram = 1;
    config.dram.queue = config.dram.returns = 1;
    for (unsigned i = 0; i < sizeof traffics / sizeof *traffics; i++) {
        uint64_t skipped = 0, hash = run(&traffics[i], false, NULL);

        assert_true(mem.ops->stats(mem.self).requests > 100 &&
                    mem.ops->stats(mem.self).replies > 100);
        assert_int_equal(run(&traffics[i], true, &skipped), hash);
    }
}

static void the_file_and_the_defaults_agree(void **state)
{
    struct hd_config c;
    struct hd_diag d;

    (void)state;
    memset(&d, 0, sizeof d);
    assert_true(hd_config_load(arena, "gpus/gtx480.ini", NULL, 0, &c, &d));
    assert_int_equal(c.gpu.memory, HD_MEM_CROSSBAR);
    assert_memory_equal(&c.clock, &config.clock, sizeof c.clock);
#ifndef HD_STRESS
    assert_memory_equal(&c.net, &config.net, sizeof c.net);
    assert_memory_equal(&c.l2, &config.l2, sizeof c.l2);
    assert_memory_equal(&c.dram, &config.dram, sizeof c.dram);
#endif
}

static void impossible_machines_are_refused(void **state)
{
    static const char *const sets[] = {
        "sm.sms=65",        "dram.channels=40",   "l2.port=24",     "dram.subs=3",
        "clock.net=1000",   "clock.net=350",      "clock.net=6300", "dram.bank_mask=0",
        "dram.row_mask=1M", "dram.bank_groups=3", "dram.wl=13",
#ifndef HD_STRESS // the stress build shrinks every queue itself, whatever the file says
        "net.source=4",
#endif
    };

    (void)state;
    for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct hd_config c;
        struct hd_diag d;
        const char *set[] = {sets[i], "dram.bank_mask=0x10E100"};
        bool row = strstr(sets[i], "row_mask") != NULL;

        memset(&d, 0, sizeof d);
        if (hd_config_load(arena, "gpus/gtx480.ini", set, row ? 2 : 1, &c, &d))
            fail_msg("%s was taken", sets[i]);
        assert_true(d.n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(l2_hits, setup, teardown),
        cmocka_unit_test_setup_teardown(dram_latencies, setup, teardown),
        cmocka_unit_test_setup_teardown(a_store_that_misses_is_acknowledged_by_the_dram, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(atomics_are_performed_as_they_leave_the_l2, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(idle_means_that_nobody_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(traffic_is_served_as_by_the_reference, setup, teardown),
        cmocka_unit_test_setup_teardown(skipping_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(dividing_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_faster_network, setup, teardown),
        cmocka_unit_test_setup_teardown(the_l2_of_elf_delivers_what_the_dram_does, setup, teardown),
        cmocka_unit_test_setup_teardown(the_smallest_queues_do_not_lock_up, setup, teardown),
        cmocka_unit_test_setup_teardown(the_file_and_the_defaults_agree, setup, teardown),
        cmocka_unit_test_setup_teardown(impossible_machines_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("memory side", tests, NULL, NULL);
}
