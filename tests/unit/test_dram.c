// test_dram.c - one DRAM channel: command timings and the order of FR-FCFS (timing-model 10).
//
// Expected ticks are sums of the data sheet's numbers: RCD 12, RP 12, RAS 28, RC 40, RRD 6, CL 12,
// WL 4, CCD 2, CCDL 3, read to write 12, write to read 11, write to precharge 18.
#include "mem/dram.h"

#include "shared/mem_bench.h"

static struct hd_arena *arena;
static struct hd_config config;
static struct hd_mem_stats stats;
static struct hd_dram dram;
static uint64_t now; // tick of the next step

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    mem_bench_config(&config);
    stats = (struct hd_mem_stats){0};
    hd_dram_init(&dram, arena, &config.dram, &stats);
    now = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static void step(void)
{
    hd_dram_step(&dram, now++);
}

static void send(uint32_t tag, unsigned bank, uint32_t row, unsigned bytes, enum hd_dram_kind kind)
{
    struct hd_dram_req r = {.req = {.tag = tag},
                            .bank = (uint8_t)bank,
                            .row = row,
                            .bursts = (uint16_t)(bytes / 64),
                            .kind = (uint8_t)kind};

    assert_false(hd_dram_full(&dram));
    hd_dram_push(&dram, &r);
}

static void read_line(uint32_t tag, unsigned bank, uint32_t row)
{
    send(tag, bank, row, 128, HD_DRAM_FILL);
}

// Steps until a request is in the return queue; the tick of that step. *tag: whose.
static uint64_t until_done(uint32_t *tag)
{
    while (hd_dram_ring_empty(&dram.done)) {
        assert_true(now < 5000);
        step();
    }
    *tag = hd_dram_ring_pop(&dram.done).req.tag;
    return now - 1;
}

static uint64_t latency(unsigned bank, uint32_t row, unsigned bytes)
{
    uint64_t from = now; // the step in which it can get its first command
    uint32_t tag;

    send(5, bank, row, bytes, HD_DRAM_FILL);
    from = until_done(&tag) - from;
    assert_int_equal(tag, 5);
    return from;
}

static void closed_open_and_conflicting_rows(void **state)
{
    (void)state;
    step();
    assert_int_equal(latency(3, 7, 64), 12 + 12);           // activate, read
    assert_int_equal(latency(3, 7, 64), 12);                // open
    assert_int_equal(latency(3, 7, 128), 3 + 12);           // second burst CCDL later
    assert_int_equal(latency(3, 8, 128), 12 + 12 + 3 + 12); // precharge, activate, two reads
    assert_int_equal(stats.dram_reads, 6);
    assert_int_equal(stats.dram_activates, 2);
    assert_int_equal(stats.dram_row_hits, 4);
    assert_int_equal(stats.dram_busy, 12);
}

static void a_row_stays_open_for_ras_and_a_bank_opens_rows_rc_apart(void **state)
{
    uint32_t tag;

    (void)state;
    step();
    send(1, 0, 1, 64, HD_DRAM_FILL);
    step();                          // activate at tick 1
    send(2, 0, 2, 64, HD_DRAM_FILL); // waits for its bank
    assert_int_equal(until_done(&tag), 1 + 12 + 12);
    // Precharge RAS after the activate, the next activate RP later, which is RC.
    assert_int_equal(until_done(&tag), 1 + 28 + 12 + 12 + 12);
    assert_int_equal(tag, 2);
}

static void banks_overlap_rrd_apart(void **state)
{
    uint32_t tag;

    (void)state;
    step();
    send(1, 0, 1, 64, HD_DRAM_FILL);
    step(); // activate at tick 1
    send(2, 1, 1, 64, HD_DRAM_FILL);
    assert_int_equal(until_done(&tag), 25);
    assert_int_equal(until_done(&tag), 25 + 6);
}

// Two open banks, four bursts each: in one group CCDL apart, in two groups CCD.
static void column_commands_interleave_over_bank_groups(void **state)
{
    static const struct {
        unsigned other;
        uint64_t ticks;
    } table[] = {{7, 3 * 3}, {8, 3 * 2}};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t tag;
        uint64_t first;

        step();
        latency(0, 1, 64);
        latency(table[i].other, 1, 64);
        first = now;
        read_line(1, 0, 1);
        step();
        read_line(2, table[i].other, 1);
        until_done(&tag);
        assert_int_equal(until_done(&tag) - first, table[i].ticks + 12);
        teardown(state);
        setup(state);
    }
}

// A tick in which bank 0 may send a read, and another bank, which is looked at after it (1) or
// before it (5), an activate.
static void commands_of_a_tick(void **state)
{
    static const struct {
        enum hd_dram_commands commands;
        unsigned other;
        uint64_t reads, activates;
    } table[] = {{HD_COMMANDS_ONE, 1, 1, 0},     {HD_COMMANDS_ONE, 5, 0, 1},
                 {HD_COMMANDS_ORDERED, 1, 1, 0}, {HD_COMMANDS_ORDERED, 5, 1, 1},
                 {HD_COMMANDS_DUAL, 1, 1, 1},    {HD_COMMANDS_DUAL, 5, 1, 1}};

    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct hd_mem_stats before;
        config.dram.commands = table[i].commands;
        step();
        latency(0, 1, 64);
        read_line(1, 0, 1);
        for (unsigned k = 0; k < 3; k++) // the first of its two bursts; the second is CCDL later
            step();
        send(2, table[i].other, 1, 64, HD_DRAM_FILL);
        before = stats;
        step();
        assert_int_equal(stats.dram_reads - before.dram_reads, table[i].reads);
        assert_int_equal(stats.dram_activates - before.dram_activates, table[i].activates);
        teardown(state);
        setup(state);
    }
}

static void the_bus_turns_around(void **state)
{
    uint32_t tag;
    uint64_t t;

    (void)state;
    step();
    latency(0, 1, 64);
    for (unsigned i = 0; i < 30; i++)
        step();
    t = now;
    send(1, 0, 1, 64, HD_DRAM_FILL);
    step();
    send(2, 0, 1, 64, HD_DRAM_WRITE);
    step();
    send(3, 0, 1, 64, HD_DRAM_FILL);
    assert_int_equal(until_done(&tag), t + 12);
    assert_int_equal(until_done(&tag), t + 12 + 4); // the write 12 after the read, WL
    assert_int_equal(tag, 2);
    assert_int_equal(until_done(&tag), t + 12 + 11 + 12); // the read 11 after the write, CL
    assert_int_equal(stats.dram_writes, 1);
}

static void a_write_keeps_its_row_open(void **state)
{
    uint32_t tag;
    uint64_t t;

    (void)state;
    step();
    latency(0, 1, 64);
    for (unsigned i = 0; i < 40; i++)
        step();
    t = now;
    send(1, 0, 1, 64, HD_DRAM_WRITE);
    step();
    send(2, 0, 2, 64, HD_DRAM_FILL);
    assert_int_equal(until_done(&tag), t + 4);
    assert_int_equal(until_done(&tag), t + 18 + 12 + 12 + 12);
}

static void writing_into_a_closed_row_is_sooner(void **state)
{
    uint32_t tag;

    (void)state;
    step();
    send(1, 0, 1, 64, HD_DRAM_WRITE);
    assert_int_equal(until_done(&tag), 1 + 7 + 4); // RCD - (WL + 1)
}

static void row_hits_overtake_without_limit(void **state)
{
    static const uint32_t rows[] = {1, 2, 1, 3, 1, 2};
    static const uint32_t order[] = {0, 2, 4, 1, 5, 3};
    uint32_t tag;

    (void)state;
    step();
    for (uint32_t i = 0; i < 6; i++) {
        send(i, 4, rows[i], 64, HD_DRAM_FILL);
        step();
    }
    for (unsigned i = 0; i < 6; i++) {
        until_done(&tag);
        assert_int_equal(tag, order[i]);
    }
}

static void sixteen_wait_and_no_more(void **state)
{
    (void)state;
    step();
    for (uint32_t i = 0; i < 17; i++) { // the first is given to the bank at once
        send(i, 0, i + 1, 128, HD_DRAM_FILL);
        assert_false(hd_dram_full(&dram));
        step();
        if (now == 14) // its row is open: it gets its two reads and the next takes its place
            assert_int_equal(dram.n_queued, 12);
    }
    assert_int_equal(dram.n_queued, 15);
    send(17, 0, 1, 64, HD_DRAM_FILL);
    step();
    assert_true(hd_dram_full(&dram));
}

// Nothing of what a step would do is missed by sleeping until hd_dram_wakes.
static void sleeping_misses_nothing(void **state)
{
    struct hd_dram other;
    struct hd_mem_stats other_stats = {0};
    uint64_t seed = 1, wakes = 0, slept = 0;

    (void)state;
    hd_dram_init(&other, arena, &config.dram, &other_stats);
    for (uint64_t t = 0; t < 20000; t++) {
        bool push;

        hd_dram_step(&dram, t);
        if (t >= wakes || !hd_dram_ring_empty(&other.done)) {
            hd_dram_step(&other, t);
            wakes = hd_dram_wakes(&other, t);
        } else {
            slept++;
        }
        seed = seed * UINT64_C(6364136223846793005) + 1;
        push = (seed >> 40) % (t % 2000 < 1000 ? 5 : 60) == 0 && !hd_dram_full(&dram);
        assert_int_equal(hd_dram_full(&dram), hd_dram_full(&other));
        if (push) {
            struct hd_dram_req r = {.req = {.tag = (uint32_t)t},
                                    .bank = (uint8_t)(seed >> 50 & 15),
                                    .row = (uint32_t)(seed >> 60 & 1),
                                    .bursts = (uint16_t)(1 + (seed >> 58 & 1)),
                                    .kind = (uint8_t)(seed >> 56 & 1)};
            hd_dram_push(&dram, &r);
            hd_dram_push(&other, &r);
            wakes = 0;
        }
        assert_int_equal(hd_dram_ring_fill(&dram.done), hd_dram_ring_fill(&other.done));
        if (!hd_dram_ring_empty(&dram.done))
            assert_int_equal(hd_dram_ring_pop(&dram.done).req.tag,
                             hd_dram_ring_pop(&other.done).req.tag);
    }
    assert_memory_equal(&stats, &other_stats, sizeof stats);
    assert_true(stats.dram_reads > 500 && stats.dram_writes > 500 && slept > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(closed_open_and_conflicting_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(a_row_stays_open_for_ras_and_a_bank_opens_rows_rc_apart,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(banks_overlap_rrd_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(commands_of_a_tick, setup, teardown),
        cmocka_unit_test_setup_teardown(column_commands_interleave_over_bank_groups, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_bus_turns_around, setup, teardown),
        cmocka_unit_test_setup_teardown(a_write_keeps_its_row_open, setup, teardown),
        cmocka_unit_test_setup_teardown(writing_into_a_closed_row_is_sooner, setup, teardown),
        cmocka_unit_test_setup_teardown(row_hits_overtake_without_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(sixteen_wait_and_no_more, setup, teardown),
        cmocka_unit_test_setup_teardown(sleeping_misses_nothing, setup, teardown),
    };
    return cmocka_run_group_tests_name("dram", tests, NULL, NULL);
}
