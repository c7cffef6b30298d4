// test_l2.c - one sub-partition alone, the test being network and DRAM (timing-model 9.2, 9.3).
#include "mem/l2.h"
#include "mem/polyhash.h"

#include "shared/mem_bench.h"

#define LINE(n) (UINT64_C(0x80000000) + (uint64_t)(n)*12 * 256) // lines of one sub-partition
// Lines of one set of one sub-partition.
#define SET(n) (UINT64_C(0x80000000) + (uint64_t)(n)*6 * 16384)

static struct hd_arena *arena;
static struct hd_config config;
static struct hd_addrmap map;
static struct hd_mem_stats stats;
static struct hd_l2 l2;
static uint64_t cycle;          // next to be stepped
static unsigned from_l2;        // requests that went to the DRAM
static struct hd_dram_req last; // of them

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    mem_bench_config(&config);
    stats = (struct hd_mem_stats){0};
    hd_addrmap_init(&map, &config.dram);
    hd_l2_init(&l2, arena, &config, &map, &stats);
    cycle = 1000;
    from_l2 = 0;
    return 0;
}

static int setup_sectors(void **state)
{
    setup(state);
    config.sm.segment = config.l2.sector = 32;
    hd_l2_init(&l2, arena, &config, &map, &stats);
    return 0;
}

static int setup_hashed(void **state)
{
    setup_sectors(state);
    config.l2.hashed = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static struct hd_req request(enum hd_req_kind kind, uint64_t addr, unsigned bytes, uint32_t tag)
{
    bool store = kind == HD_REQ_WRITE || kind == HD_REQ_WRITEBACK;

    return (struct hd_req){.addr = addr,
                           .tag = tag,
                           .kind = (uint8_t)kind,
                           .bytes = (uint8_t)bytes,
                           .reply_bytes = store ? 0 : (uint8_t)bytes};
}

// Straight into the queue behind the ROP delay, to be accessed in the next step.
static void put(enum hd_req_kind kind, uint64_t addr, unsigned bytes, uint32_t tag)
{
    struct hd_req r = request(kind, addr, bytes, tag);

    hd_req_ring_push(&l2.in, r);
}

static void step(void)
{
    hd_l2_step(&l2, cycle++);
}

// The DRAM takes what there is; returns the request it took.
static bool dram_takes(struct hd_dram_req *r)
{
    if (hd_dram_ring_empty(&l2.to_dram))
        return false;
    *r = hd_dram_ring_pop(&l2.to_dram);
    last = *r;
    from_l2++;
    return true;
}

static void expect_to_dram(enum hd_dram_kind kind, uint64_t addr, unsigned bursts)
{
    struct hd_dram_req r;

    for (unsigned i = 0; hd_dram_ring_empty(&l2.to_dram); i++) {
        assert_true(i < 10);
        step();
    }
    assert_true(dram_takes(&r));
    assert_int_equal(r.kind, kind);
    assert_int_equal(r.req.addr, addr);
    assert_int_equal(r.bursts, bursts);
}

static void expect_nothing_to_dram(void)
{
    for (unsigned i = 0; i < 5; i++)
        step();
    assert_true(hd_dram_ring_empty(&l2.to_dram));
}

static void expect_reply(uint32_t tag)
{
    for (unsigned i = 0; hd_req_ring_empty(&l2.out); i++) {
        assert_true(i < 10);
        step();
    }
    assert_int_equal(hd_req_ring_pop(&l2.out).tag, tag);
}

// Brings a line in: a read, its fill, its reply.
static void load(uint64_t addr)
{
    put(HD_REQ_READ, addr, 128, 99);
    expect_to_dram(HD_DRAM_FILL, addr, 2);
    hd_dram_ring_push(&l2.from_dram, last);
    expect_reply(99);
    for (unsigned i = 0; i < 8; i++) // ports are free again
        step();
}

static void a_request_waits_for_the_rop_units(void **state)
{
    struct hd_req r = request(HD_REQ_READ, LINE(0), 128, 1);
    uint64_t pushed = cycle;

    (void)state;
    load(LINE(0));
    pushed = cycle;
    hd_l2_push(&l2, &r, cycle);
    while (hd_req_ring_empty(&l2.out)) {
        assert_true(hd_l2_wakes(&l2, cycle - 1) <= pushed + 121);
        step();
    }
    assert_int_equal(cycle - 1, pushed + 121);
    hd_req_ring_pop(&l2.out);
    for (unsigned i = 0; i < 4; i++) // the port is free again
        step();
    r.kind = HD_REQ_TEX;
    hd_l2_push(&l2, &r, cycle);
    step();
    assert_int_equal(hd_req_ring_fill(&l2.out), 1); // at once
}

static void a_miss_fetches_the_line_and_answers_behind_it(void **state)
{
    (void)state;
    put(HD_REQ_READ, LINE(0) + 32, 32, 1);
    step(); // miss
    step(); // to the DRAM's queue
    assert_int_equal(hd_dram_ring_fill(&l2.to_dram), 1);
    expect_to_dram(HD_DRAM_FILL, LINE(0), 2);
    hd_dram_ring_push(&l2.from_dram, last);
    step(); // fill
    assert_true(hd_req_ring_empty(&l2.out));
    step();
    expect_reply(1);
    assert_int_equal(stats.l2_accesses, 1);
    assert_int_equal(stats.l2_misses, 1);
}

// Replies per 24 cycles of back-to-back hits: the data port carries 32 bytes a cycle.
static void a_hit_holds_the_data_port(void **state)
{
    static const struct {
        enum hd_req_kind kind;
        unsigned bytes, replies;
    } table[] = {{HD_REQ_READ, 128, 6},  {HD_REQ_READ, 64, 12},  {HD_REQ_READ, 32, 24},
                 {HD_REQ_WRITE, 128, 6}, {HD_REQ_WRITE, 32, 24}, {HD_REQ_ATOMIC, 64, 12}};

    (void)state;
    load(LINE(0));
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        unsigned replies = 0;
        for (unsigned c = 0; c < 24; c++) {
            put(table[i].kind, LINE(0), table[i].bytes, c);
            step();
            while (hd_req_ring_fill(&l2.in) > 4)
                hd_req_ring_pop(&l2.in);
            for (; !hd_req_ring_empty(&l2.out); replies++)
                hd_req_ring_pop(&l2.out);
        }
        assert_int_equal(replies, table[i].replies);
        while (!hd_req_ring_empty(&l2.in))
            hd_req_ring_pop(&l2.in);
        for (unsigned k = 0; k < 8; k++)
            step();
    }
}

static void a_fill_holds_the_fill_port(void **state)
{
    struct hd_dram_req fills[2];
    uint64_t first;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        put(HD_REQ_READ, LINE(i), 128, i);
        expect_to_dram(HD_DRAM_FILL, LINE(i), 2);
        fills[i] = last;
    }
    hd_dram_ring_push(&l2.from_dram, fills[0]);
    hd_dram_ring_push(&l2.from_dram, fills[1]);
    first = cycle;
    while (!hd_dram_ring_empty(&l2.from_dram))
        step();
    assert_int_equal(cycle - 1, first + 4);
}

static void a_store_that_misses_writes_and_fetches(void **state)
{
    struct hd_dram_req write, fill;

    (void)state;
    put(HD_REQ_WRITE, LINE(0) + 64, 64, 5);
    step();
    expect_to_dram(HD_DRAM_WRITE, LINE(0) + 64, 1); // its own bytes, first
    write = last;
    expect_to_dram(HD_DRAM_FILL, LINE(0), 2);
    fill = last;
    expect_nothing_to_dram();
    hd_dram_ring_push(&l2.from_dram, fill);
    for (unsigned i = 0; i < 5; i++)
        step();
    assert_true(hd_req_ring_empty(&l2.out)); // the fill answers nobody
    hd_dram_ring_push(&l2.from_dram, write);
    step();
    expect_reply(5);
    assert_int_equal(hd_req_ring_fill(&l2.out), 0);
    put(HD_REQ_READ, LINE(0), 128, 6); // the line is there
    step();
    expect_reply(6);
}

static void a_line_fetched_for_a_store_is_clean(void **state)
{
    (void)state;
    put(HD_REQ_WRITE, SET(0), 128, 5);
    step();
    expect_to_dram(HD_DRAM_WRITE, SET(0), 2);
    expect_to_dram(HD_DRAM_FILL, SET(0), 2);
    hd_dram_ring_push(&l2.from_dram, last);
    for (unsigned i = 0; i < 8; i++)
        step();
    for (unsigned i = 1; i <= 8; i++)
        load(SET(i)); // the last evicts it
    expect_nothing_to_dram();
}

static void a_dirty_line_is_written_back(void **state)
{
    static const enum hd_req_kind kinds[] = {HD_REQ_WRITE, HD_REQ_ATOMIC, HD_REQ_WRITEBACK};

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        load(SET(100 * k));
        put(kinds[k], SET(100 * k), 128, 1);
        step();
        if (kinds[k] == HD_REQ_WRITEBACK) {
            assert_int_equal(l2.written_back, 1);
            assert_true(hd_req_ring_empty(&l2.out)); // no answer
        } else {
            expect_reply(1);
        }
        for (unsigned i = 1; i <= 7; i++)
            load(SET(100 * k + i));
        put(HD_REQ_READ, SET(100 * k + 8), 128, 2);
        put(HD_REQ_READ, SET(100 * k + 7), 32, 3); // hits, but the victim is being read out
        step();
        uint64_t missed = cycle - 1;
        while (hd_req_ring_empty(&l2.out))
            step();
        assert_int_equal(cycle - 1, missed + 4);
        expect_reply(3);
        expect_to_dram(HD_DRAM_FILL, SET(100 * k + 8), 2);
        hd_dram_ring_push(&l2.from_dram, last);
        expect_to_dram(HD_DRAM_WRITEBACK, SET(100 * k), 2);
        expect_reply(2);
        for (unsigned i = 9; i < 17; i++) // only clean lines stay for the next round
            load(SET(100 * k + i));
    }
}

static void an_atomic_s_miss_arrives_dirty(void **state)
{
    (void)state;
    put(HD_REQ_READ, SET(0), 128, 1);
    put(HD_REQ_ATOMIC, SET(0), 32, 2); // merged into the read's miss
    expect_to_dram(HD_DRAM_FILL, SET(0), 2);
    step();
    hd_dram_ring_push(&l2.from_dram, last);
    expect_reply(1);
    expect_reply(2);
    for (unsigned i = 1; i <= 7; i++)
        load(SET(i));
    put(HD_REQ_READ, SET(8), 128, 3);
    expect_to_dram(HD_DRAM_FILL, SET(8), 2);
    expect_to_dram(HD_DRAM_WRITEBACK, SET(0), 2);
}

static void four_merge_and_the_fifth_blocks_those_behind_it(void **state)
{
    (void)state;
    load(LINE(9));
    for (uint32_t i = 0; i < 5; i++)
        put(HD_REQ_READ, LINE(0), 32, i);
    put(HD_REQ_READ, LINE(9), 32, 5); // would hit
    for (unsigned i = 0; i < 10; i++)
        step();
    assert_int_equal(hd_req_ring_fill(&l2.in), 2);
    assert_true(hd_req_ring_empty(&l2.out));
    assert_int_equal(stats.l2_accesses, 1 + 4);
    assert_int_equal(stats.l2_pending, 3);
    assert_int_equal(stats.l2_reservation_fails, 6);
    expect_to_dram(HD_DRAM_FILL, LINE(0), 2);
    hd_dram_ring_push(&l2.from_dram, last);
    // From now on the line is there: the fifth hits while the merged drain.
    for (unsigned i = 0; i < 10; i++)
        step();
    assert_int_equal(hd_req_ring_fill(&l2.out), 6);
    assert_true(hd_req_ring_empty(&l2.in));
}

static void thirty_two_lines_are_in_flight_at_most(void **state)
{
    struct hd_dram_req r;

    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        put(HD_REQ_READ, LINE(i), 128, i);
        for (unsigned k = 0; k < 4; k++) {
            step();
            dram_takes(&r);
        }
        if (i >= 32)
            hd_req_ring_pop(&l2.in);
    }
    assert_int_equal(from_l2, 32);
}

// Reads ask for two free places in the miss queue, stores for three, whatever they use.
static void the_miss_queue_fills(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        put(HD_REQ_READ, LINE(i), 128, i);
        step();
        step();
    }
    assert_int_equal(hd_dram_ring_fill(&l2.to_dram), 8);
    // The DRAM's queue is full: no access starts at all.
    put(HD_REQ_READ, LINE(20), 128, 9);
    step();
    assert_int_equal(hd_req_ring_fill(&l2.in), 1);
    assert_int_equal(stats.l2_reservation_fails, 0);
    assert_true(hd_req_ring_empty(&l2.cache.out));
    // Two stores put four requests into the miss queue faster than it drains.
    struct hd_dram_req r;
    while (dram_takes(&r))
        ;
    hd_req_ring_pop(&l2.in);
    put(HD_REQ_WRITE, LINE(30), 128, 1);
    put(HD_REQ_WRITE, LINE(31), 128, 2);
    put(HD_REQ_READ, LINE(32), 128, 3);
    step(); // 2 queued
    step(); // 1 queued, and two more
    assert_int_equal(hd_req_ring_fill(&l2.cache.out), 3);
    step(); // 2 queued: the read may
    assert_int_equal(hd_req_ring_fill(&l2.cache.out), 3);
    assert_int_equal(stats.l2_reservation_fails, 0);
    put(HD_REQ_WRITE, LINE(33), 128, 4);
    step(); // 2 queued: the store may not
    assert_int_equal(stats.l2_reservation_fails, 1);
    step();
    assert_int_equal(stats.l2_reservation_fails, 1);
    assert_true(hd_req_ring_empty(&l2.in));
}

static void a_set_of_reserved_lines_refuses(void **state)
{
    struct hd_dram_req r;

    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        put(HD_REQ_READ, SET(i), 128, i);
        for (unsigned k = 0; k < 3; k++) {
            step();
            dram_takes(&r);
        }
    }
    assert_int_equal(hd_req_ring_fill(&l2.in), 1);
    assert_int_equal(stats.l2_misses, 8);
    assert_int_equal(stats.l2_reservation_fails, 3);
}

// Worked by hand from the mapping string (timing-model 9.1).
static void addresses_map_as_in_the_reference(void **state)
{
    static const struct {
        uint64_t addr;
        uint32_t partition, bank, row, set;
    } table[] = {
        {0x00000000, 0, 0, 0, 0},
        {0x00000080, 0, 0, 0, 1},                        // A[7]: next set of the same chunk
        {0x00000100, 2, 0, 0, 0},                        // next channel
        {0x00000600, 1, 1, 0, 0},                        // R[8]: the other sub-partition
        {0x00000c00, 0, 0, 0, 2},                        // R[9]
        {(uint64_t)6 << 13, 0, 2, 0, 32},                // R[13]: bank bit 1
        {(uint64_t)6 << 14, 0, 4, 0, 0},                 // R[14]: not part of the set
        {(uint64_t)6 << 16, 0, 0, 1, 0},                 // R[16]: row
        {((uint64_t)6 << 27) + 5 * 256, 10, 0, 2048, 0}, // R[27], channel 5
        {UINT64_C(0x600000000000), 0, 0, 0, 0},          // far beyond 32 bits of chunks
    };

    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct hd_dram_place p = hd_addrmap_find(&map, table[i].addr);
        assert_int_equal(p.partition, table[i].partition);
        assert_int_equal(p.bank, table[i].bank);
        assert_int_equal(p.row, table[i].row);
        assert_int_equal(p.inside >> 7 & 63, table[i].set);
    }
    for (uint64_t a = 0; a < 0x300000000; a += 0x1234567) { // the reciprocal against division
        struct hd_dram_place p = hd_addrmap_find(&map, a);
        assert_int_equal(p.partition >> 1, (a >> 8) % 6);
        assert_int_equal(p.row, (a >> 8) / 6 >> 8 & 0xfff);
    }
}

// The remainder of a polynomial over GF(2) by another one.
static uint64_t remainder_of(uint64_t value, uint64_t by)
{
    for (int i = 63; i >= 0; i--)
        if (value >> i && __builtin_clzll(value) <= __builtin_clzll(by))
            value ^= by << (__builtin_clzll(by) - __builtin_clzll(value));
    return value;
}

// The hash is the remainder of all bits by x^6 + x + 1 or x^5 + x^2 + 1, as long as the bits above
// the index are those that the reference looks at.
static void hashes_are_remainders(void **state)
{
    (void)state;
    for (uint64_t above = 0; above < 1 << 19; above += 37)
        for (uint32_t index = 0; index < 64; index += 9) {
            assert_int_equal(hd_polyhash_of(above, index, 64),
                             remainder_of(above << 6 | index, 0x43));
            if (above < 1 << 15 && index < 32)
                assert_int_equal(hd_polyhash_of(above, index, 32),
                                 remainder_of(above << 5 | index, 0x25));
        }
}

// A Quadro V100's 32 channels of two sub-partitions, and an RTX 3070's 16. The index is the channel
// (bits 8 and up) and the lowest bank bit: bit 13 and bit 7.
static void hashed_sub_partitions(void **state)
{
    static const struct {
        uint32_t channels, bank_mask;
        uint64_t addr;
        uint32_t partition, bank;
    } table[] = {
        {32, 0x7100, 0x100, 2, 0},  // channel 1
        {32, 0x7100, 0x2000, 1, 1}, // bank bit 0
        {32, 0x7100, 0x4000, 3, 0}, // the lowest bit of the turn: x^6 is x + 1
        {32, 0x7100, 0x8000, 6, 0}, // x^7 is x^2 + x
        {32, 0x7100, 0x86100, 35,
         9}, // x^11 is x^5 + x + 1; x^6 is 3, which channel and bank are, too
        {32, 0x7100, 0x20000, 24, 2}, // x^9 is x^4 + x^3; bit 12 inside the channel: a bank bit
        {16, 0x7080, 0x100, 2, 0},    // channel 1
        {16, 0x7080, 0x80, 1, 1},     // bank bit 0
        {16, 0x7080, 0x2000, 5, 0},   // x^5 is x^2 + 1
        {16, 0x7080, 0x10080, 12, 3}, // x^8 is x^3 + x^2 + 1; bank bits 0 and 1
    };
    struct hd_config_dram c = config.dram;

    (void)state;
    c.indexing = HD_INDEXING_POLYNOMIAL;
    c.row_mask = 0x0FFF8000;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct hd_dram_place p;
        c.channels = table[i].channels;
        c.bank_mask = table[i].bank_mask;
        hd_addrmap_init(&map, &c);
        p = hd_addrmap_find(&map, table[i].addr);
        assert_int_equal(p.partition, table[i].partition);
        assert_int_equal(p.bank, table[i].bank);
    }
}

// A store of these bytes of a sector.
static void store(uint64_t addr, uint32_t bytes, uint32_t tag)
{
    struct hd_req r = request(HD_REQ_WRITE, addr, 32, tag);

    r.lanes = bytes;
    hd_req_ring_push(&l2.in, r);
    expect_reply(tag);
}

// Brings a sector in.
static void load_sector(uint64_t addr, enum hd_req_kind kind)
{
    put(kind, addr, 32, 98);
    expect_to_dram(HD_DRAM_FILL, addr, 1);
    hd_dram_ring_push(&l2.from_dram, last);
    expect_reply(98);
}

static void a_miss_fetches_a_sector(void **state)
{
    (void)state;
    load_sector(LINE(0) + 32, HD_REQ_READ);
    put(HD_REQ_READ, LINE(0) + 32, 32, 1);
    expect_reply(1);
    expect_nothing_to_dram();
    put(HD_REQ_READ, LINE(0), 32, 2);
    put(HD_REQ_READ, LINE(0), 32, 3);
    expect_to_dram(HD_DRAM_FILL, LINE(0), 1);
    expect_nothing_to_dram();
    hd_dram_ring_push(&l2.from_dram, last);
    expect_reply(2);
    expect_reply(3);
    assert_int_equal(stats.l2_accesses, 4);
    assert_int_equal(stats.l2_misses, 2);
    assert_int_equal(stats.l2_pending, 1);
}

static void a_store_into_sectors_fetches_nothing(void **state)
{
    (void)state;
    store(LINE(0), UINT32_MAX, 1);
    store(LINE(0) + 32, 0xff, 2);
    expect_nothing_to_dram();
    put(HD_REQ_READ, LINE(0), 32, 3);
    expect_reply(3);
    expect_nothing_to_dram();
    // Of a sector that was written in part, the rest is needed.
    load_sector(LINE(0) + 32, HD_REQ_READ);
    put(HD_REQ_READ, LINE(0) + 32, 32, 4);
    expect_reply(4);
}

// As many lines of a set as there are ways; then the first of them goes.
static void modified_sectors_are_written_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < config.l2.ways; i++)
        for (unsigned n = 0; n < 3; n++)
            store(SET(i) + n * 32, UINT32_MAX, i);
    expect_nothing_to_dram();
    store(SET(config.l2.ways), 1, 1);
    expect_to_dram(HD_DRAM_WRITEBACK, SET(0), 2); // 96 bytes in bursts of 64
    assert_int_equal(last.req.bytes, 96);
    expect_nothing_to_dram();
    // A sector that an atomic has fetched is modified too.
    put(HD_REQ_ATOMIC, SET(config.l2.ways + 1), 32, 5);
    expect_to_dram(HD_DRAM_FILL, SET(config.l2.ways + 1), 1);
    struct hd_dram_req fill = last;
    expect_to_dram(HD_DRAM_WRITEBACK, SET(1), 2);
    hd_dram_ring_push(&l2.from_dram, fill);
    expect_reply(5);
    assert_int_equal(l2.sectors->dirty, config.l2.ways);
}

static void a_victim_is_read_out(void **state)
{
    (void)state;
    for (config.l2.load_readout = 0; config.l2.load_readout < 2; config.l2.load_readout++) {
        unsigned first = config.l2.load_readout * 20;
        for (unsigned i = 0; i < config.l2.ways; i++)
            for (unsigned n = 0; n < 4; n++)
                store(SET(first + i) + n * 32, UINT32_MAX, i);
        for (unsigned i = 0; i < 20; i++) { // what was replaced on the way
            step();
            dram_takes(&last);
        }
        put(HD_REQ_READ, SET(first + config.l2.ways), 32, 1);
        step();
        // Four sectors take four cycles.
        assert_int_equal(l2.data_free_at > cycle, config.l2.load_readout);
        for (unsigned i = 0; i < 20; i++) {
            step();
            if (dram_takes(&last) && last.kind == HD_DRAM_FILL)
                hd_dram_ring_push(&l2.from_dram, last);
        }
        expect_reply(1);
    }
    config.l2.load_readout = 1;
}

static void a_line_comes_in_parts(void **state)
{
    struct hd_req r = request(HD_REQ_READ, LINE(0), 128, 6);

    (void)state;
    load_sector(LINE(0) + 64, HD_REQ_READ);
    hd_l2_push(&l2, &r, cycle);
    for (unsigned i = 0; i < config.l2.rop + 10; i++)
        step();
    for (unsigned i = 0; i < 3; i++) {
        struct hd_dram_req fill;
        assert_true(hd_req_ring_empty(&l2.out));
        assert_true(dram_takes(&fill));
        hd_dram_ring_push(&l2.from_dram, fill);
        for (unsigned n = 0; n < 8; n++)
            step();
    }
    expect_reply(6);
    assert_true(hd_req_ring_empty(&l2.out));
    assert_int_equal(stats.l2_accesses, 1 + 4);
}

// Each part is answered with a sector's bytes, as soon as it is there.
static void parts_of_a_texture_are_answered(void **state)
{
    struct hd_req r = request(HD_REQ_TEX, LINE(0), 128, 6);
    unsigned answered = 1;

    (void)state;
    load_sector(LINE(0) + 64, HD_REQ_READ);
    hd_l2_push(&l2, &r, cycle);
    assert_int_equal(l2.divided, 3); // replies besides the first
    for (unsigned i = 0; i < 10; i++)
        step();
    expect_reply(6); // that of the sector that was there
    assert_true(hd_req_ring_empty(&l2.out));
    for (; answered < 4; answered++) {
        struct hd_dram_req fill;
        assert_true(dram_takes(&fill));
        hd_dram_ring_push(&l2.from_dram, fill);
        for (unsigned n = 0; n < 8; n++)
            step();
        assert_int_equal(hd_req_ring_head(&l2.out)->reply_bytes, 32);
        expect_reply(6);
        assert_true(hd_req_ring_empty(&l2.out));
    }
    assert_int_equal(stats.l2_accesses, 1 + 4);
}

// HD_REQ_APART: as those of a texture. A store's `lanes` say which bytes of each it writes.
static void parts_are_answered_apart(void **state)
{
    struct hd_req r = request(HD_REQ_WRITE, LINE(0), 128, 6);

    (void)state;
    r.part = HD_REQ_APART;
    r.lanes = 0x00ff0fff; // words of sectors 0 and 2, half of those of sector 1
    hd_l2_push(&l2, &r, cycle);
    assert_int_equal(l2.divided, 3);
    for (unsigned i = 0; i < config.l2.rop + 10; i++)
        step();
    for (unsigned i = 0; i < 4; i++)
        expect_reply(6);
    assert_true(hd_req_ring_empty(&l2.out));
    put(HD_REQ_READ, LINE(0), 32, 1);
    expect_reply(1);
    put(HD_REQ_READ, LINE(0) + 64, 32, 2);
    expect_reply(2);
    expect_nothing_to_dram();
    load_sector(LINE(0) + 32, HD_REQ_READ);
    load_sector(LINE(0) + 96, HD_REQ_READ);
    r = request(HD_REQ_WRITEBACK, LINE(1), 128, 7);
    r.part = HD_REQ_APART;
    l2.divided = 0;
    hd_l2_push(&l2, &r, cycle);
    for (unsigned i = 0; i < config.l2.rop + 10; i++)
        step();
    assert_int_equal(l2.divided, 3);
    assert_int_equal(l2.written_back, 4);
    assert_true(hd_req_ring_empty(&l2.out));
}

// l2.halves_astray, as the reference has it.
static void halves_of_lines_go_astray(void **state)
{
    struct hd_req r = request(HD_REQ_WRITE, LINE(0) + 64, 64, 6);

    (void)state;
    config.l2.halves_astray = 1;
    r.part = HD_REQ_APART;
    r.lanes = UINT32_MAX;
    hd_l2_push(&l2, &r, cycle);
    for (unsigned i = 0; i < config.l2.rop + 10; i++)
        step();
    expect_reply(6);
    expect_reply(6);
    put(HD_REQ_READ, LINE(0) + 128 + 64, 32, 1); // where the store went
    expect_reply(1);
    load_sector(LINE(0) + 64, HD_REQ_READ);
    // Both sectors of a constant line wait for the first one's data, and only that arrives.
    r = request(HD_REQ_CONST, LINE(1), 64, 7);
    r.part = HD_REQ_APART;
    hd_l2_push(&l2, &r, cycle);
    for (unsigned i = 0; i < config.l2.rop; i++)
        step();
    expect_to_dram(HD_DRAM_FILL, LINE(1), 1);
    expect_nothing_to_dram();
    hd_dram_ring_push(&l2.from_dram, last);
    expect_reply(7);
    expect_reply(7);
    put(HD_REQ_CONST, LINE(1), 32, 8);
    expect_reply(8);
    put(HD_REQ_CONST, LINE(1) + 32, 32, 9);
    expect_to_dram(HD_DRAM_FILL, LINE(1), 1);
    hd_dram_ring_push(&l2.from_dram, last);
    expect_reply(9);
    put(HD_REQ_CONST, LINE(1) + 32, 32, 10);
    expect_reply(10);
    expect_nothing_to_dram();
}

static void copies_of_the_host_are_here(void **state)
{
    (void)state;
    hd_l2sectors_copy(&l2, LINE(0), cycle);
    put(HD_REQ_READ, LINE(0), 32, 1);
    expect_reply(1);
    expect_nothing_to_dram();
    // What was copied first goes first, also if it was all in one cycle.
    for (unsigned i = 0; i <= config.l2.ways; i++)
        hd_l2sectors_copy(&l2, SET(i + 1), cycle);
    load_sector(SET(1), HD_REQ_READ);
    put(HD_REQ_READ, SET(3), 32, 2);
    expect_reply(2);
    expect_nothing_to_dram();
}

// Lines that all lie in one set without the hash.
static void sets_may_be_hashed(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= config.l2.ways; i++)
        store(SET(i), UINT32_MAX, i);
    expect_nothing_to_dram();
}

#define SECTORS(f) cmocka_unit_test_setup_teardown(f, setup_sectors, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_request_waits_for_the_rop_units, setup, teardown),
        cmocka_unit_test_setup_teardown(a_miss_fetches_the_line_and_answers_behind_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_hit_holds_the_data_port, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fill_holds_the_fill_port, setup, teardown),
        cmocka_unit_test_setup_teardown(a_store_that_misses_writes_and_fetches, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_fetched_for_a_store_is_clean, setup, teardown),
        cmocka_unit_test_setup_teardown(a_dirty_line_is_written_back, setup, teardown),
        cmocka_unit_test_setup_teardown(an_atomic_s_miss_arrives_dirty, setup, teardown),
        cmocka_unit_test_setup_teardown(four_merge_and_the_fifth_blocks_those_behind_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(thirty_two_lines_are_in_flight_at_most, setup, teardown),
        cmocka_unit_test_setup_teardown(the_miss_queue_fills, setup, teardown),
        cmocka_unit_test_setup_teardown(a_set_of_reserved_lines_refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(addresses_map_as_in_the_reference, setup, teardown),
        cmocka_unit_test(hashes_are_remainders),
        cmocka_unit_test_setup_teardown(hashed_sub_partitions, setup, teardown),
        SECTORS(a_miss_fetches_a_sector),
        SECTORS(a_store_into_sectors_fetches_nothing),
        SECTORS(modified_sectors_are_written_back),
        SECTORS(a_victim_is_read_out),
        SECTORS(a_line_comes_in_parts),
        SECTORS(parts_of_a_texture_are_answered),
        SECTORS(parts_are_answered_apart),
        SECTORS(halves_of_lines_go_astray),
        SECTORS(copies_of_the_host_are_here),
        cmocka_unit_test_setup_teardown(sets_may_be_hashed, setup_hashed, teardown),
    };
    return cmocka_run_group_tests_name("L2", tests, NULL, NULL);
}
