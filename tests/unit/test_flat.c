// test_flat.c - memory of fixed latency, and with it the contract of heddle/port.h.
#include "heddle/config.h"
#include "heddle/stats.h"
#include "mem/flat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { PORTS = 3 };

static struct hd_arena *arena;
static struct hd_config config;
static struct hd_mem mem;
static struct hd_req served[64];
static unsigned n_served;
static uint64_t cycle; // next to run

static void serve(void *ctx, const struct hd_req *r)
{
    assert_ptr_equal(ctx, &config);
    served[n_served++] = *r;
}

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    memset(&config, 0, sizeof config);
    config.sm.sms = PORTS;
    config.flat.latency = 20;
    config.flat.inject = 1;
    mem = hd_flat_new(arena, &config, &(struct hd_mem_listener){.ctx = &config, .serve = serve});
    n_served = 0;
    cycle = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static void push(unsigned port, unsigned kind, uint32_t tag)
{
    struct hd_req r = {.addr = 0x80000000u + tag * 128,
                       .issued = cycle,
                       .tag = tag,
                       .port = (uint16_t)port,
                       .kind = (uint8_t)kind,
                       .bytes = kind == HD_REQ_READ ? 0 : 128,
                       .lanes = tag};

    assert_true(mem.ops->room(mem.self, port, kind, r.bytes));
    mem.ops->push(mem.self, port, &r);
    mem.ops->settle(mem.self, port);
}

static bool pop(unsigned port, uint32_t *tag)
{
    struct hd_req r;
    bool got = mem.ops->pop(mem.self, port, &r);

    if (got)
        *tag = r.tag;
    return got;
}

// The rest of a cycle in which nobody pushes; pops of the next one come after it.
static void tick(void)
{
    hd_mem_tick(&mem, cycle);
}

// Tags in the order and cycle in which port 0 gets them, until nothing is left.
static unsigned collect(uint32_t *tags, uint64_t *when)
{
    unsigned n = 0;

    while (!mem.ops->idle(mem.self) && cycle < 10000) {
        cycle++;
        if (pop(0, &tags[n]))
            when[n++] = cycle;
        tick();
    }
    return n;
}

static void latency_from_push_to_pop(void **state)
{
    uint32_t tag = 0;

    (void)state;
    assert_true(mem.ops->idle(mem.self));
    tick();
    push(0, HD_REQ_READ, 7); // in cycle 1, after the tick, as an SM does
    assert_false(mem.ops->idle(mem.self));
    for (cycle = 2; cycle < 21; cycle++) {
        assert_false(pop(0, &tag));
        tick();
    }
    assert_false(pop(1, &tag)); // others get nothing
    assert_true(pop(0, &tag));
    assert_int_equal(tag, 7);
    tick();
    assert_true(mem.ops->idle(mem.self));
    assert_int_equal(mem.ops->stats(mem.self).requests, 1);
    assert_int_equal(mem.ops->stats(mem.self).replies, 1);
    assert_int_equal(mem.ops->stats(mem.self).latency_cycles, 20);
}

static void a_port_takes_one_request_a_cycle(void **state)
{
    uint32_t tags[8] = {0};
    uint64_t when[8] = {0};

    (void)state;
    tick();
    push(0, HD_REQ_READ, 1);
    assert_false(mem.ops->room(mem.self, 0, HD_REQ_READ, 0));
    assert_true(mem.ops->room(mem.self, 1, HD_REQ_READ, 0));
    cycle++;
    tick();
    push(0, HD_REQ_WRITE, 2);
    assert_int_equal(collect(tags, when), 2);
    assert_int_equal(tags[0], 1);
    assert_int_equal(when[0], 21);
    assert_int_equal(tags[1], 2);
    assert_int_equal(when[1], 22);
}

// SMs may step in any order: what counts among ports is the order in which they are settled.
static void requests_are_performed_in_the_order_of_the_ports(void **state)
{
    (void)state;
    tick();
    for (unsigned port = PORTS; port--;) {
        const struct hd_req r = {
            .tag = port, .port = (uint16_t)port, .kind = HD_REQ_ATOMIC, .issued = cycle};
        mem.ops->push(mem.self, port, &r);
        assert_int_equal(mem.ops->stats(mem.self).requests, 0);
    }
    for (unsigned port = 0; port < PORTS; port++)
        mem.ops->settle(mem.self, port);
    assert_int_equal(mem.ops->stats(mem.self).requests, PORTS);
    while (n_served < PORTS && cycle++ < 100)
        tick();
    for (unsigned port = 0; port < PORTS; port++)
        assert_int_equal(served[port].tag, port);
}

static void replies_come_one_a_cycle(void **state)
{
    uint32_t tags[8] = {0};
    uint64_t when[8] = {0};

    (void)state;
    config.flat.inject = 4;
    tick();
    for (uint32_t i = 0; i < 4; i++)
        push(0, HD_REQ_READ, i);
    assert_false(mem.ops->room(mem.self, 0, HD_REQ_READ, 0));
    assert_int_equal(collect(tags, when), 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tags[i], i);
        assert_int_equal(when[i], 21 + i);
    }
}

// In the order (cycle, port), each exactly once, before its reply can be popped.
static void atomics_are_performed_in_order(void **state)
{
    (void)state;
    tick();
    push(2, HD_REQ_ATOMIC, 1);
    cycle++;
    tick();
    push(0, HD_REQ_ATOMIC, 2);
    push(1, HD_REQ_READ, 3);
    push(2, HD_REQ_ATOMIC, 4);
    for (cycle++; cycle < 21; cycle++)
        tick();
    assert_int_equal(n_served, 1);
    assert_int_equal(served[0].port, 2);
    assert_int_equal(served[0].lanes, 1);
    for (; cycle < 25; cycle++)
        tick();
    assert_int_equal(n_served, 3);
    assert_int_equal(served[1].tag, 2);
    assert_int_equal(served[2].tag, 4);
}

static void write_backs_are_not_answered(void **state)
{
    uint32_t tags[8] = {0};
    uint64_t when[8] = {0};

    (void)state;
    tick();
    push(0, HD_REQ_WRITEBACK, 1);
    assert_int_equal(collect(tags, when), 0);
    assert_true(cycle < 100);
    assert_int_equal(mem.ops->stats(mem.self).requests, 1);
    assert_int_equal(mem.ops->stats(mem.self).replies, 0);
    assert_int_equal(n_served, 0);
}

// Going straight to the cycles that wakes() names gives every reply in the same cycle.
static void sleeping_changes_nothing(void **state)
{
    static const uint64_t pushes[] = {1, 2, 9, 40, 41, 300};
    uint64_t stepped[8] = {0}, slept[8] = {0};

    for (int skip = 0; skip < 2; skip++) {
        uint64_t *when = skip ? slept : stepped;
        unsigned sent = 0, n = 0, ticks = 0;
        uint32_t tag;

        teardown(state);
        setup(state);
        assert_true(mem.ops->wakes(mem.self, 0) == UINT64_MAX);
        for (cycle = 0; n < 6; cycle++) {
            assert_true(cycle < 1000);
            if (pop(0, &tag)) {
                assert_int_equal(tag, n);
                when[n++] = cycle;
            }
            tick();
            ticks++;
            if (sent < 6 && pushes[sent] == cycle)
                push(0, HD_REQ_READ, sent++);
            if (skip && n < 6) {
                uint64_t next = mem.ops->wakes(mem.self, cycle);
                assert_true(next > cycle);
                if (sent < 6 && pushes[sent] < next)
                    next = pushes[sent];
                // In brackets: skip() is a macro of cmocka.
                (mem.ops->skip)(mem.self, next - cycle - 1);
                cycle = next - 1;
            }
        }
        if (skip)
            assert_true(ticks < 30);
    }
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(stepped[i], pushes[i] + 20);
        assert_int_equal(slept[i], stepped[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(latency_from_push_to_pop, setup, teardown),
        cmocka_unit_test_setup_teardown(a_port_takes_one_request_a_cycle, setup, teardown),
        cmocka_unit_test_setup_teardown(replies_come_one_a_cycle, setup, teardown),
        cmocka_unit_test_setup_teardown(atomics_are_performed_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(write_backs_are_not_answered, setup, teardown),
        cmocka_unit_test_setup_teardown(sleeping_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(requests_are_performed_in_the_order_of_the_ports, setup,
                                        teardown),
    };
    return cmocka_run_group_tests_name("flat", tests, NULL, NULL);
}
