// test_network.c - latencies and throughputs of the network, as measured on the reference's
// (timing-model 8.4, 8.5), fairness, back-pressure, and that nothing is lost or reordered.
#include "mem/network.h"

#include "shared/mem_bench.h"

enum { SMS = 15, PARTS = 12 };

static struct hd_arena *arena;
static struct hd_config config;

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    mem_bench_config(&config);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static struct hd_packet packet(unsigned to, unsigned flits, uint32_t tag)
{
    return (struct hd_packet){.req = {.tag = tag}, .flits = (uint16_t)flits, .to = (uint16_t)to};
}

static void packets_have_the_reference_s_sizes(void **state)
{
    static const struct {
        uint32_t bytes, flits;
    } table[] = {{0, 1}, {32, 2}, {64, 3}, {128, 5}};
    struct hd_network n;

    (void)state;
    hd_network_init(&n, arena, &config.net, SMS, PARTS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(hd_network_flits(&n, table[i].bytes), table[i].flits);
}

// A request is pushed after the step of its cycle and popped before the step of another; a reply is
// pushed before the step.
static unsigned latency(unsigned flits, bool reply)
{
    struct hd_network n;
    struct hd_packet p = packet(3, flits, 77);
    struct hd_req r;

    hd_network_init(&n, arena, &config.net, SMS, PARTS);
    hd_network_push(&n, 4, &p);
    if (reply)
        hd_network_step(&n);
    for (unsigned c = 1;; c++) {
        if (hd_network_pop(&n, 3, &r)) {
            assert_int_equal(r.tag, 77);
            return c;
        }
        assert_true(c < 100);
        hd_network_step(&n);
    }
}

static void zero_load_latency(void **state)
{
    static const struct {
        unsigned flits, request, reply;
    } table[] = {{1, 8, 7}, {2, 9, 8}, {3, 10, 9}, {5, 12, 11}};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(latency(table[i].flits, false), table[i].request);
        assert_int_equal(latency(table[i].flits, true), table[i].reply);
    }
}

static uint64_t seed;
static uint32_t random_below(uint32_t n) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) % n);
}

// Packets per 1000 steps with every source always full and every node popping. `to` < 0: random.
static unsigned throughput(unsigned inputs, unsigned outputs, unsigned sources, int to,
                           unsigned flits)
{
    enum { WARM = 200, STEPS = 50000 };
    struct hd_network n;
    struct hd_req r;
    unsigned popped = 0;

    seed = 1;
    hd_network_init(&n, arena, &config.net, inputs, outputs);
    for (unsigned s = 0; s < WARM + STEPS; s++) {
        for (unsigned o = 0; o < outputs; o++)
            popped += hd_network_pop(&n, o, &r) && s >= WARM;
        for (unsigned i = 0; i < sources; i++)
            while (hd_network_room(&n, i, flits)) {
                struct hd_packet p =
                    packet(to < 0 ? random_below(outputs) : (unsigned)to, flits, 0);
                hd_network_push(&n, i, &p);
            }
        hd_network_step(&n);
    }
    return (popped + STEPS / 2000) / (STEPS / 1000);
}

static void one_bubble_per_packet(void **state)
{
    (void)state;
    assert_int_equal(throughput(SMS, PARTS, 1, 5, 1), 500);
    assert_int_equal(throughput(SMS, PARTS, 1, -1, 1), 500);
    assert_int_equal(throughput(SMS, PARTS, 1, 5, 2), 333);
    assert_int_equal(throughput(SMS, PARTS, 1, -1, 5), 167);
    assert_int_equal(throughput(SMS, PARTS, SMS, 0, 1), 500);
    assert_int_equal(throughput(SMS, PARTS, SMS, 11, 5), 167);
}

static void assert_near(unsigned is, unsigned expected) // within 1 %: the traffic is random
{
    assert_in_range(is, expected - expected / 100, expected + expected / 100);
}

static void random_traffic(void **state)
{
    (void)state;
    assert_near(throughput(SMS, PARTS, SMS, -1, 1), 4030);
    assert_near(throughput(SMS, PARTS, SMS, -1, 5), 1330);
    assert_near(throughput(PARTS, SMS, PARTS, -1, 1), 4020);
    assert_near(throughput(PARTS, SMS, PARTS, -1, 2), 2670);
    assert_near(throughput(PARTS, SMS, PARTS, -1, 5), 1335);
}

static void an_output_serves_its_inputs_in_turn(void **state)
{
    struct hd_network n;
    struct hd_req r;
    unsigned got = 0;

    (void)state;
    hd_network_init(&n, arena, &config.net, SMS, PARTS);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            struct hd_packet p = packet(7, 1, i * 5 * 100 + k);
            hd_network_push(&n, i * 5, &p);
        }
    for (unsigned s = 0; s < 60; s++) {
        if (hd_network_pop(&n, 7, &r)) {
            assert_int_equal(r.tag, got % 3 * 500 + got / 3); // inputs 0, 5, 10, 0, 5, ...
            got++;
        }
        hd_network_step(&n);
    }
    assert_int_equal(got, 9);
    assert_false(n.busy);
}

static void a_node_that_does_not_pop_stops_its_sources(void **state)
{
    struct hd_network n;
    struct hd_req r;
    unsigned pushed = 0, popped = 0;

    (void)state;
    hd_network_init(&n, arena, &config.net, SMS, PARTS);
    for (unsigned s = 0; s < 300; s++) {
        if (hd_network_room(&n, 0, 1)) {
            struct hd_packet p = packet(2, 1, pushed++);
            hd_network_push(&n, 0, &p);
        }
        hd_network_step(&n);
    }
    // Boundary buffer, ejection buffer, router buffer, source queue.
    assert_int_equal(pushed, 16 + 8 + 8 + 9);
    for (unsigned s = 0; s < 300; s++) {
        if (hd_network_pop(&n, 2, &r))
            assert_int_equal(r.tag, popped++); // nothing lost, in order
        hd_network_step(&n);
    }
    assert_int_equal(popped, pushed);
    assert_false(n.busy);
}

static void a_packet_is_popped_whole(void **state)
{
    struct hd_network n;
    struct hd_packet p = packet(1, 5, 9);
    struct hd_req r;

    (void)state;
    hd_network_init(&n, arena, &config.net, SMS, PARTS);
    hd_network_push(&n, 0, &p);
    assert_false(hd_network_room(&n, 0, 5)); // 9 flits: no two packets of a line
    assert_true(hd_network_room(&n, 0, 4));
    for (unsigned s = 0; s < 10; s++) {
        hd_network_step(&n);
        assert_false(hd_network_pop(&n, 1, &r)); // four of its flits are there by now
    }
    hd_network_step(&n);
    assert_true(hd_network_pop(&n, 1, &r));
}

// The router makes two steps in each of the network's: a packet arrives a step earlier, and one of
// one flit needs no second step for its grant. Its channels still carry one flit in a step.
static void an_internal_speedup(void **state)
{
    static const struct {
        unsigned flits, request, reply;
    } table[] = {{1, 7, 6}, {2, 8, 7}, {3, 9, 8}, {5, 11, 10}};

    (void)state;
    config.net.internal_speedup = 2;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(latency(table[i].flits, false), table[i].request);
        assert_int_equal(latency(table[i].flits, true), table[i].reply);
    }
    assert_int_equal(throughput(SMS, PARTS, 1, 5, 1), 1000);
    assert_int_equal(throughput(SMS, PARTS, SMS, 0, 1), 1000);
    assert_int_equal(throughput(SMS, PARTS, SMS, 11, 4), 250);
    an_output_serves_its_inputs_in_turn(state);
    a_node_that_does_not_pop_stops_its_sources(state);
    config.net.internal_speedup = 1;
}

static void flits_of_40_bytes(void **state)
{
    static const uint32_t table[][2] = {{0, 1}, {32, 1}, {33, 2}, {64, 2}, {72, 2}, {128, 4}};
    struct hd_config_net net = config.net;
    struct hd_network n;

    (void)state;
    net.flit = 40;
    hd_network_init(&n, arena, &net, SMS, PARTS);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(hd_network_flits(&n, table[i][0]), table[i][1]);
    for (net.flit = 8; net.flit <= 1024; net.flit++) {
        hd_network_init(&n, arena, &net, SMS, PARTS);
        for (uint32_t bytes = 0; bytes < 256; bytes++)
            assert_int_equal(hd_network_flits(&n, bytes),
                             (net.header + bytes + net.flit - 1) / net.flit);
    }
}

// Takes what the output has; 0 if it has nothing.
static uint32_t popped(struct hd_network *n, unsigned out)
{
    struct hd_req r;

    return hd_network_pop(n, out, &r) ? r.tag : 0;
}

// With net.local a packet of any size is at its output after one step, an input serves several
// outputs in a step if the later packets go to higher outputs, outputs take turns among inputs, and
// a full boundary buffer holds back what goes there.
static void the_local_crossbar(void **state)
{
    struct hd_config_net net = config.net;
    const struct hd_packet all[] = {packet(3, 1, 1), packet(5, 1, 2), packet(4, 1, 3),
                                    packet(3, 1, 4)};
    struct hd_network n;

    (void)state;
    net.local = 1;
    net.boundary = 1;
    hd_network_init(&n, arena, &net, SMS, PARTS);
    for (unsigned i = 0; i < 3; i++)
        hd_network_push(&n, 7, &all[i]);
    hd_network_push(&n, 9, &all[3]);
    hd_network_step(&n);
    assert_int_equal(n.ready[0], 1u << 3 | 1u << 5);
    hd_network_step(&n); // output 3 is full, and 4 comes after 5
    assert_int_equal(n.ready[0], 1u << 3 | 1u << 4 | 1u << 5);
    assert_int_equal(popped(&n, 3), 1);
    assert_int_equal(popped(&n, 4), 3);
    assert_int_equal(popped(&n, 5), 2);
    assert_true(n.busy);
    hd_network_step(&n);
    assert_int_equal(popped(&n, 3), 4);
    assert_false(n.busy);
    hd_network_push(&n, 7, &all[0]); // input 9 was the last one, 7 comes after it
    hd_network_push(&n, 9, &all[3]);
    hd_network_step(&n);
    assert_int_equal(popped(&n, 3), 1);
}

// More than 64 ports on a side: turns pass from one word of a set to the next and from the last to
// the first, and an input serves a higher output in the same step, but not a lower one.
static void a_large_local_crossbar(void **state)
{
    static const unsigned from[] = {79, 3, 64, 63, 130, 191};
    static const uint32_t order[] = {3, 63, 64, 79, 130, 191, 3};
    struct hd_config_net net = config.net;
    struct hd_network n;

    (void)state;
    net.local = 1;
    hd_network_init(&n, arena, &net, 192, 66);
    for (unsigned i = 0; i < sizeof from / sizeof *from; i++) {
        struct hd_packet p = packet(64, 1, from[i]);
        hd_network_push(&n, from[i], &p);
        hd_network_push(&n, from[i], &p);
    }
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        hd_network_step(&n);
        assert_int_equal(popped(&n, 64), order[i]);
    }
    hd_network_init(&n, arena, &net, 80, 66);
    for (unsigned i = 0; i < 3; i++) {
        static const uint16_t to[] = {5, 65, 7};
        struct hd_packet p = packet(to[i], 1, i + 1);
        hd_network_push(&n, 70, &p);
    }
    hd_network_step(&n);
    assert_int_equal(n.ready[0], 1u << 5);
    assert_int_equal(n.ready[1], 1u << 1);
    assert_true(n.busy);
    hd_network_step(&n);
    assert_int_equal(n.ready[0], 1u << 5 | 1u << 7);
    assert_false(n.busy);
    assert_int_equal(popped(&n, 65), 2);
    assert_int_equal(n.ready[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_have_the_reference_s_sizes),
        cmocka_unit_test(zero_load_latency),
        cmocka_unit_test(one_bubble_per_packet),
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(an_output_serves_its_inputs_in_turn),
        cmocka_unit_test(a_node_that_does_not_pop_stops_its_sources),
        cmocka_unit_test(a_packet_is_popped_whole),
        cmocka_unit_test(an_internal_speedup),
        cmocka_unit_test(flits_of_40_bytes),
        cmocka_unit_test(the_local_crossbar),
        cmocka_unit_test(a_large_local_crossbar),
    };
    return cmocka_run_group_tests_name("network", tests, setup, teardown);
}
