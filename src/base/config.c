// config.c - the table of every key of the modelled machine, and the reader of gpus/*.ini.
//
// Defaults are the GTX 480 of GPGPU-Sim 3.2.2 where the key exists there; the files repeat the
// numbers with their sources. "include = other.ini" at the top of a file reads that one first.
#include "base/config.h"

#include "base/bug.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/inifile.h"
#include "heddle/bits.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INCLUDE_DEPTH 8
#define INCLUDE_FILES 64

// A row whose key differs from the member's name.
#define ROW(key, member, kind, def, lo, hi, unit, help)                                            \
    {                                                                                              \
        key, unit, help, NULL, def, lo, hi, offsetof(struct hd_config, member), kind               \
    }
#define U32(section, m, def, lo, hi, unit, help)                                                   \
    ROW(#m, section.m, HD_FIELD_U32, def, lo, hi, unit, help)

static const char *const mem_models[] = {"flat", "crossbar", NULL};
static const char *const bounds[] = {"exact", "pages", NULL};

// clang-format off
static const struct hd_field gpu_rows[] = {
    {"memory", "", "what is behind the SMs' ports", mem_models, "flat", 0, 0,
     offsetof(struct hd_config, mem_model), HD_FIELD_ENUM},
    {"bounds", "", "global memory that a kernel may touch: what is allocated, or all of its 2 MiB pages, as on a GPU",
     bounds, "exact", 0, 0, offsetof(struct hd_config, bounds), HD_FIELD_ENUM},
    ROW("deadlock_after", deadlock_after, HD_FIELD_U32, "2000000", 1000, UINT32_MAX, "cycles",
        "without progress and without an issued instruction: the run is a deadlock"),
    ROW("livelock_after", livelock_after, HD_FIELD_U32, "20000000", 1000, UINT32_MAX, "cycles",
        "without progress while instructions issue, after which to look for a proof that this will never end: a livelock"),
    HD_FIELD_END,
};
static const struct hd_field sm_rows[] = {
    U32(sm, sms, "15", 1, HD_MAX_SMS, "SMs", "streaming multiprocessors; at most 64 in front of a crossbar"),
    U32(sm, warps, "48", 1, HD_MAX_WARPS, "warps", "warp slots of one SM"),
    U32(sm, tbs, "8", 1, HD_MAX_TBS, "blocks", "resident thread blocks of one SM"),
    U32(sm, registers, "32768", 1, 1 << 24, "registers", "32-bit registers of one SM"),
    U32(sm, reg_round, "4", 1, 256, "registers", "registers per thread are rounded up to a multiple"),
    U32(sm, shared_bytes, "48K", 0, 1 << 24, "bytes", "shared memory of one SM"),
    U32(sm, schedulers, "2", 1, 4, "schedulers", "warp schedulers; scheduler i owns slots i, i + n, ..."),
    U32(sm, id_oc_sp, "2", 1, 4, "instructions", "register between issue and SP operand collection"),
    U32(sm, id_oc_sfu, "1", 1, 4, "instructions", "register between issue and SFU operand collection"),
    U32(sm, id_oc_mem, "1", 1, 4, "instructions", "register between issue and LDST operand collection"),
    U32(sm, oc_ex_sp, "2", 1, 4, "instructions", "register between operand collection and the SP units"),
    U32(sm, oc_ex_sfu, "1", 1, 4, "instructions", "register between operand collection and the SFU"),
    U32(sm, oc_ex_mem, "1", 1, 4, "instructions", "register between operand collection and LDST"),
    U32(sm, sp_units, "2", 1, 4, "units", "SP pipes"),
    U32(sm, result_buses, "2", 1, 4, "buses", "SP and SFU results that reach writeback per cycle"),
    U32(sm, collectors_sp, "6", 1, 14, "units", "operand collector units of the SP pipes"),
    U32(sm, collectors_sfu, "8", 1, 14, "units", "operand collector units of the SFU"),
    U32(sm, collectors_mem, "2", 1, 14, "units", "operand collector units of LDST"),
    U32(sm, collector_ports_sp, "2", 1, 4, "per cycle", "instructions into and out of the SP collectors"),
    U32(sm, collector_ports_sfu, "1", 1, 4, "per cycle", "instructions into and out of the SFU collectors"),
    U32(sm, collector_ports_mem, "1", 1, 4, "per cycle", "instructions into and out of the LDST collectors"),
    U32(sm, reg_banks, "16", 1, 32, "banks", "register file banks; a power of two"),
    U32(sm, shared_banks, "32", 1, 32, "banks", "shared memory banks, 4 bytes wide; a power of two"),
    U32(sm, fetch_insts, "2", 1, 4, "instructions", "fetched and buffered at once"),
    U32(sm, reply_fifo, "8", 1, 4096, "packets", "response FIFO in front of an SM"),
    U32(sm, ldst_fifo, "2", 1, 4096, "packets", "response FIFO of the load/store unit"),
    U32(sm, path_order, "0", 0, 1, "", "divergence: 0 the path of the highest lane runs last, 1 the not-taken path"),
    U32(sm, dynamic_shared, "1", 0, 1, "", "count dynamic shared memory in occupancy"),
    U32(sm, try_wait, "1000", 1, 1000000000, "cycles", "that mbarrier.try_wait sleeps at most before it says no (ours: the manual leaves it open)"),
    U32(sm, clear_long, "0", 0, 1, "", "a load that returns clears its long-operation mark; 3.2.2: 0"),
    HD_FIELD_END,
};
static const struct hd_field l1i_rows[] = {
    U32(l1i, perfect, "0", 0, 1, "", "every instruction fetch hits"),
    U32(l1i, refill, "0", 0, 1, "", "a line that arrives goes straight to the fetch register, as since February 2015"),
    U32(l1i, prefetch, "0", 0, 1024, "misses", "fetch the next line too while fewer misses than this are in flight in L1I and L1D; 0: never"),
    U32(l1i, prefetch_missed, "0", 0, 1, "", "only behind a fetch that missed, not behind every one"),
    U32(l1i, sets, "4", 1, 4096, "sets", "L1 instruction cache sets; a power of two"),
    U32(l1i, ways, "4", 1, 64, "ways", "L1 instruction cache associativity"),
    U32(l1i, line, "128", 32, 128, "bytes", "L1 instruction cache line; a power of two"),
    U32(l1i, mshrs, "2", 1, 256, "entries", "lines in flight"),
    U32(l1i, merges, "32", 1, 256, "requests", "requests merged into one line in flight"),
    U32(l1i, miss_queue, "4", 1, 256, "requests", "misses waiting for the network"),
    HD_FIELD_END,
};
static const struct hd_field l1c_rows[] = {
    U32(l1c, perfect, "0", 0, 1, "", "every constant and parameter access hits"),
    U32(l1c, sets, "64", 1, 4096, "sets", "constant cache sets; a power of two"),
    U32(l1c, ways, "2", 1, 64, "ways", "constant cache associativity"),
    U32(l1c, line, "64", 32, 128, "bytes", "constant cache line; a power of two"),
    U32(l1c, mshrs, "2", 1, 256, "entries", "lines in flight"),
    U32(l1c, merges, "32", 1, 256, "requests", "requests merged into one line in flight"),
    U32(l1c, miss_queue, "4", 1, 256, "requests", "misses waiting for the network"),
    HD_FIELD_END,
};
static const struct hd_field l1d_rows[] = {
    U32(l1d, enabled, "1", 0, 1, "", "0: global and local accesses go past the L1 data cache"),
    U32(l1d, sets, "32", 1, 4096, "sets", "L1 data cache sets; a power of two"),
    U32(l1d, ways, "4", 1, 64, "ways", "L1 data cache associativity"),
    U32(l1d, line, "128", 128, 128, "bytes", "L1 data cache line; coalescing makes 128-byte segments"),
    U32(l1d, mshrs, "32", 1, 256, "entries", "lines in flight"),
    U32(l1d, merges, "8", 1, 256, "requests", "requests merged into one line in flight"),
    U32(l1d, miss_queue, "8", 3, 256, "requests", "misses and writes waiting for the network"),
    U32(l1d, hashed, "0", 0, 1, "", "set index hashed as in versions after July 2014 (32 or 64 sets)"),
    HD_FIELD_END,
};
static const struct hd_field l1t_rows[] = {
    U32(l1t, perfect, "0", 0, 1, "", "every texture access hits"),
    U32(l1t, sets, "4", 1, 4096, "sets", "texture cache sets; a power of two"),
    U32(l1t, ways, "24", 1, 64, "ways", "texture cache associativity"),
    U32(l1t, line, "128", 32, 128, "bytes", "texture cache line; a power of two"),
    U32(l1t, fragments, "128", 1, 4096, "accesses", "accesses in order, hits and misses"),
    U32(l1t, requests, "4", 1, 256, "requests", "misses waiting for the network"),
    U32(l1t, rob, "128", 1, 4096, "lines", "lines awaited, in order"),
    U32(l1t, results, "2", 1, 256, "accesses", "finished accesses waiting for writeback"),
    HD_FIELD_END,
};
static const struct hd_field flat_rows[] = {
    U32(flat, latency, "100", 2, 1000000, "cycles", "from a request's push to its reply's pop"),
    U32(flat, inject, "1", 1, 64, "requests", "requests a port accepts per cycle"),
    HD_FIELD_END,
};
static const struct hd_field clock_rows[] = {
    U32(clock, core, "700", 1, 100000, "MHz", "clock of SMs, network and L2"),
    U32(clock, dram, "924", 1, 100000, "MHz", "command clock of the DRAM"),
    HD_FIELD_END,
};
static const struct hd_field net_rows[] = {
    U32(net, flit, "32", 8, 1024, "bytes", "what a network link carries per cycle; a power of two"),
    U32(net, header, "8", 1, 1024, "bytes", "of a packet, in front of its data"),
    U32(net, source, "9", 1, 4096, "flits", "source queue of a network port; takes whole packets"),
    U32(net, router, "8", 1, 4096, "flits", "input buffer of the router, per port"),
    U32(net, eject, "8", 1, 4096, "flits", "ejection buffer of a network port"),
    U32(net, boundary, "16", 1, 4096, "flits", "boundary buffer of a network port; holds whole packets"),
    HD_FIELD_END,
};
static const struct hd_field l2_rows[] = {
    U32(l2, sets, "64", 1, 65536, "sets", "L2 bank sets; a power of two"),
    U32(l2, ways, "8", 1, 64, "ways", "L2 bank associativity"),
    U32(l2, line, "128", 128, 128, "bytes", "L2 line; an L1 miss fetches 128 bytes"),
    U32(l2, mshrs, "32", 1, 1024, "entries", "lines in flight of an L2 bank"),
    U32(l2, merges, "4", 1, 256, "requests", "requests merged into one line in flight"),
    U32(l2, miss_queue, "4", 3, 256, "requests", "L2 misses, writes and write-backs waiting for a queue"),
    U32(l2, port, "32", 1, 128, "bytes", "data port of an L2 bank per cycle; a power of two"),
    U32(l2, rop, "120", 0, 10000, "cycles", "delay of a request in front of the L2 (raster operations)"),
    U32(l2, from_net, "8", 1, 4096, "requests", "queue between network and L2"),
    U32(l2, to_net, "8", 1, 4096, "requests", "queue between L2 and network"),
    U32(l2, to_dram, "8", 1, 4096, "requests", "queue between L2 and DRAM"),
    U32(l2, from_dram, "8", 1, 4096, "requests", "queue between DRAM and L2"),
    HD_FIELD_END,
};
static const struct hd_field dram_rows[] = {
    U32(dram, channels, "6", 1, 64, "channels", "DRAM channels (memory partitions)"),
    U32(dram, subs, "2", 1, 8, "per channel", "L2 banks and network ports of a channel; a power of two"),
    U32(dram, interleave, "256", 128, 1 << 20, "bytes", "before the next channel's turn; a power of two"),
    U32(dram, bank_mask, "0xE100", 0, UINT32_MAX, "", "bits of the address inside a channel that choose the bank"),
    U32(dram, row_mask, "0x0FFF0000", 0, UINT32_MAX, "", "bits of the address inside a channel that choose the row"),
    U32(dram, bank_groups, "2", 1, 64, "groups", "bank groups of a channel; a power of two"),
    U32(dram, queue, "16", 1, 1024, "requests", "waiting in the FR-FCFS scheduler of a channel"),
    U32(dram, returns, "116", 1, 4096, "requests", "return queue of a channel"),
    U32(dram, latency, "100", 0, 10000, "cycles", "fixed, core clock, in front of the scheduler"),
    U32(dram, burst, "64", 8, 1024, "bytes", "of one column command; a power of two"),
    U32(dram, burst_cycles, "2", 1, 64, "cycles", "DRAM cycles a column command holds the data bus"),
    U32(dram, ccd, "2", 1, 255, "cycles", "column command to column command"),
    U32(dram, ccdl, "3", 0, 255, "cycles", "the same, in one bank group"),
    U32(dram, rrd, "6", 0, 255, "cycles", "activate to activate of another bank"),
    U32(dram, rcd, "12", 1, 255, "cycles", "activate to read"),
    U32(dram, ras, "28", 0, 255, "cycles", "activate to precharge"),
    U32(dram, rp, "12", 0, 255, "cycles", "precharge to activate"),
    U32(dram, rc, "40", 0, 255, "cycles", "activate to activate of the same bank"),
    U32(dram, cl, "12", 1, 255, "cycles", "read latency"),
    U32(dram, wl, "4", 1, 255, "cycles", "write latency"),
    U32(dram, cdlr, "5", 0, 255, "cycles", "end of write data to read"),
    U32(dram, wr, "12", 0, 255, "cycles", "end of write data to precharge"),
    U32(dram, rtpl, "2", 0, 255, "cycles", "read to precharge in one bank group"),
    HD_FIELD_END,
};
static const struct hd_field launch_rows[] = {
    U32(launch, kernels, "8", 1, HD_MAX_KERNELS, "kernels", "running at one time"),
    U32(launch, base, "20210", 0, 100000000, "cycles", "until a kernel that a kernel launched may start"),
    U32(launch, per_child, "1721", 0, 10000000, "cycles", "more, for each kernel that the same warp instruction launched"),
    HD_FIELD_END,
};
#define LAT(key, op, col, def) \
    ROW(key, latency[HD_LAT(op, col)], HD_FIELD_PAIR, def, 1, 900, "cycles", "latency/initiation interval")
#define LATS(key, op, i, f, d) \
    LAT(key ".int", op, HD_COL_INT, i), LAT(key ".fp32", op, HD_COL_FP32, f), LAT(key ".fp64", op, HD_COL_FP64, d)
static const struct hd_field latency_rows[] = {
    LATS("add", HD_LAT_ADD, "4/1", "4/1", "8/8"),
    LATS("minmax", HD_LAT_MINMAX, "13/2", "13/2", "19/16"),
    LATS("mul", HD_LAT_MUL, "4/2", "4/1", "8/8"),
    LATS("mad", HD_LAT_MAD, "5/1", "5/1", "8/8"),
    LATS("fma", HD_LAT_FMA, "1/1", "1/1", "1/1"),
    LATS("div", HD_LAT_DIV, "145/8", "39/4", "330/130"),
    LATS("trans", HD_LAT_TRANS, "8/8", "8/8", "8/8"),
    LATS("other", HD_LAT_OTHER, "1/1", "1/1", "1/1"),
    LATS("mma", HD_LAT_MMA, "12/8", "12/8", "64/64"),
    HD_FIELD_END,
};
// clang-format on

static const struct hd_config_section sections[] = {
    {"gpu", gpu_rows},       {"sm", sm_rows},   {"l1i", l1i_rows},         {"l1c", l1c_rows},
    {"l1d", l1d_rows},       {"l1t", l1t_rows}, {"latency", latency_rows}, {"flat", flat_rows},
    {"clock", clock_rows},   {"net", net_rows}, {"l2", l2_rows},           {"dram", dram_rows},
    {"launch", launch_rows}, {NULL, NULL},
};

const struct hd_config_section *hd_config_sections(void)
{
    return sections;
}

static const struct hd_config_section *find_section(const char *name)
{
    for (const struct hd_config_section *s = sections; s->name; s++)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}

static bool no_section(const char *section, struct hd_diag *d, const char *file, uint32_t line)
{
    const char *names[sizeof sections / sizeof *sections];

    for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++)
        names[i] = sections[i].name;
    hd_diag_nearest(hd_diag_add(d, file, line, 0, "there is no section '%.60s'", section), section,
                    names);
    return false;
}

static bool set_key(struct hd_config *c, const char *section, const char *key, const char *value,
                    struct hd_diag *d, const char *file, uint32_t line)
{
    const struct hd_config_section *s = find_section(section);
    char what[80];

    if (s) {
        snprintf(what, sizeof what, "section [%.60s]", section);
        return hd_fields_set(s->rows, c, what, key, value, d, file, line);
    }
    return no_section(section, d, file, line);
}

struct reading { // of one file
    struct hd_arena *arena;
    struct hd_config *config;
    struct hd_diag *diag;
    const char *path;
    unsigned depth;
    unsigned *files; // read so far, all together
};

static bool read_file(struct hd_arena *a, const char *path, struct hd_config *c, struct hd_diag *d,
                      unsigned depth, unsigned *files);

static bool on_section(void *ctx, const char *name, uint32_t line)
{
    struct reading *r = ctx;

    return find_section(name) || no_section(name, r->diag, r->path, line);
}

static bool on_key(void *ctx, const char *section, const char *key, const char *value,
                   uint32_t line)
{
    struct reading *r = ctx;

    if (*section)
        return set_key(r->config, section, key, value, r->diag, r->path, line);
    if (strcmp(key, "include") != 0) {
        hd_diag_add(r->diag, r->path, line, 0, "'%s' stands before any [section]", key);
        return false;
    }
    if (r->depth >= INCLUDE_DEPTH) {
        hd_diag_add(r->diag, r->path, line, 0, "files include each other more than %d deep",
                    INCLUDE_DEPTH);
        return false;
    }
    // Depth alone is no bound: a file with many includes of itself would be read many^depth times.
    if (*r->files >= INCLUDE_FILES) {
        hd_diag_add(r->diag, r->path, line, 0, "more than %d files are included", INCLUDE_FILES);
        return false;
    }
    return read_file(r->arena, hd_file_beside(r->arena, r->path, value), r->config, r->diag,
                     r->depth + 1, r->files);
}

static bool read_file(struct hd_arena *a, const char *path, struct hd_config *c, struct hd_diag *d,
                      unsigned depth, unsigned *files)
{
    struct reading r = {
        .arena = a, .config = c, .diag = d, .path = path, .depth = depth, .files = files};
    struct hd_inifile file = {.arena = a,
                              .path = path,
                              .what = "the machine",
                              .section = on_section,
                              .key = on_key,
                              .ctx = &r};

    ++*files;
    return hd_inifile_read(&file, d);
}

static bool power_of_two(uint32_t v)
{
    return v && !(v & (v - 1));
}

#ifdef HD_STRESS
// The stress build: every queue and table of the machine at its smallest, so that back-pressure
// that is rare otherwise happens all the time. Values must not change, cycles may.
static void shrink(struct hd_config *c)
{
    struct hd_config_sm *s = &c->sm;

    s->id_oc_sp = s->id_oc_sfu = s->id_oc_mem = s->oc_ex_sp = s->oc_ex_sfu = s->oc_ex_mem = 1;
    s->collectors_sp = s->collectors_sfu = s->collectors_mem = 1;
    s->collector_ports_sp = s->collector_ports_sfu = s->collector_ports_mem = 1;
    s->result_buses = s->reply_fifo = s->ldst_fifo = 1;
    c->l1i.sets = c->l1i.ways = c->l1i.mshrs = c->l1i.merges = c->l1i.miss_queue = 1;
    c->l1c.sets = c->l1c.ways = c->l1c.mshrs = c->l1c.merges = c->l1c.miss_queue = 1;
    c->l1d.sets = c->l1d.ways = c->l1d.mshrs = c->l1d.merges = 1;
    c->l1d.miss_queue = 3; // a dirty victim needs a place beside its miss
    c->l1d.hashed = 0;
    c->l1t.sets = c->l1t.ways = 1;
    c->l1t.fragments = c->l1t.requests = c->l1t.rob = c->l1t.results = 1;
    c->net.source = c->net.eject = c->net.boundary = 5; // the longest packet of the GTX 480
    c->net.router = 1;
    c->l2.sets = c->l2.ways = c->l2.mshrs = c->l2.merges = 1;
    c->l2.miss_queue = 3; // a store that misses asks for so many places
    c->l2.from_net = c->l2.to_net = c->l2.to_dram = c->l2.from_dram = 1;
    c->dram.queue = c->dram.returns = 1;
}
#endif

// A multiplication of matrices takes up to eight intervals; function units book 1000 cycles ahead.
static void check_matrices(const struct hd_config *c, struct hd_diag *d)
{
    for (unsigned col = 0; col < HD_N_LAT_COLS; col++) {
        const struct hd_latency *l = &c->latency[HD_LAT(HD_LAT_MMA, col)];
        if (l->latency + 7 * l->interval > 1000)
            hd_diag_add(d, NULL, 0, 0,
                        "latency.mma: latency plus seven intervals are %u cycles, more than 1000",
                        l->latency + 7 * l->interval);
    }
}

// The memory behind a crossbar: masks of ports are 64 bits wide, shifts stand for divisions.
static void check_crossbar(const struct hd_config *c, struct hd_diag *d)
{
    const struct hd_config_dram *m = &c->dram;
    uint32_t banks = 1U << (__builtin_popcount(m->bank_mask) & 31);

    if (c->sm.sms > 64)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "a crossbar has at most 64 ports on a side, sm.sms is %u",
                                 c->sm.sms),
                     "fewer SMs, or gpu.memory=flat, which has no network");
    if (m->channels * m->subs > 64)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "a crossbar has at most 64 ports on a side, dram.channels x "
                                 "dram.subs is %u x %u",
                                 m->channels, m->subs),
                     "fewer channels with a larger L2 bank (l2.sets) each");
    if (!power_of_two(c->net.flit) || !power_of_two(c->l2.port) || !power_of_two(c->l2.sets))
        hd_diag_add(d, NULL, 0, 0, "net.flit, l2.port and l2.sets must be powers of two");
    if (c->net.header + 128 > c->net.flit * c->net.source ||
        c->net.header + 128 > c->net.flit * c->net.boundary)
        hd_diag_add(d, NULL, 0, 0,
                    "net.source and net.boundary must hold a packet of 128 bytes and its header");
    if (!power_of_two(m->subs) || !power_of_two(m->interleave) || !power_of_two(m->burst))
        hd_diag_add(d, NULL, 0, 0,
                    "dram.subs, dram.interleave and dram.burst must be powers of two");
    if (__builtin_popcount(m->bank_mask) > 6 || m->subs > banks)
        hd_diag_add(d, NULL, 0, 0,
                    "dram.bank_mask must have at most 6 bits, enough for %u sub-partitions",
                    m->subs);
    if (!power_of_two(m->bank_groups) || m->bank_groups > banks)
        hd_diag_add(d, NULL, 0, 0, "dram.bank_groups must be a power of two, at most %u", banks);
    if (m->bank_mask & (c->l2.line - 1))
        hd_diag_add(d, NULL, 0, 0, "dram.bank_mask has bits inside a line of the L2");
    if (m->bank_mask & m->row_mask)
        hd_diag_add(d, NULL, 0, 0, "dram.bank_mask and dram.row_mask have bits in common");
    // Each sub-partition has a credit of its own; what the queues hold beyond that is shared.
    if (m->queue + m->returns < m->subs - 1)
        hd_diag_add(d, NULL, 0, 0,
                    "dram.queue and dram.returns together must hold a request of each of %u "
                    "sub-partitions but one",
                    m->subs);
    if (m->wl > m->cl || m->rcd <= m->wl)
        hd_diag_add(d, NULL, 0, 0, "dram.wl must be at most dram.cl and below dram.rcd");
}

// Combinations that no single key's range can refuse.
static bool check(const struct hd_config *c, struct hd_diag *d)
{
    const struct hd_config_sm *s = &c->sm;
    unsigned before = d->n;

    if (!power_of_two(s->reg_banks) || !power_of_two(s->shared_banks))
        hd_diag_add(d, NULL, 0, 0, "sm.reg_banks and sm.shared_banks must be powers of two");
    if (!power_of_two(c->l1i.sets) || !power_of_two(c->l1i.line))
        hd_diag_add(d, NULL, 0, 0, "l1i.sets and l1i.line must be powers of two");
    if (!power_of_two(c->l1t.sets) || !power_of_two(c->l1t.line))
        hd_diag_add(d, NULL, 0, 0, "l1t.sets and l1t.line must be powers of two");
    if (!power_of_two(c->l1c.sets) || !power_of_two(c->l1c.line) || !power_of_two(c->l1d.sets))
        hd_diag_add(d, NULL, 0, 0, "l1c.sets, l1c.line and l1d.sets must be powers of two");
    if (c->l1d.hashed && c->l1d.sets != 32 && c->l1d.sets != 64)
        hd_diag_add(d, NULL, 0, 0, "l1d.hashed is defined for 32 and 64 sets, not for %u",
                    c->l1d.sets);
    if (s->collectors_sp + s->collectors_sfu + s->collectors_mem > 16)
        hd_diag_add(d, NULL, 0, 0, "more than 16 operand collector units in all");
    if (s->warps % s->schedulers)
        hd_diag_add(d, NULL, 0, 0, "sm.warps (%u) must be a multiple of sm.schedulers (%u)",
                    s->warps, s->schedulers);
    check_matrices(c, d);
    if (c->mem_model == HD_MEM_CROSSBAR)
        check_crossbar(c, d);
    return d->n == before;
}

static bool apply(struct hd_arena *a, const char *set, struct hd_config *c, struct hd_diag *d)
{
    const char *dot = strchr(set, '.'), *equals = strchr(set, '=');

    if (!dot || !equals || dot > equals) {
        hd_diag_add(d, NULL, 0, 0, "--set %s: expected section.key=value", set);
        return false;
    }
    return set_key(c, hd_arena_strndup(a, set, (size_t)(dot - set)),
                   hd_arena_strndup(a, dot + 1, (size_t)(equals - dot - 1)), equals + 1, d, NULL,
                   0);
}

// Where this code lies: in the program, or in a shared library (libcuda.so.1) that somebody else's
// program has loaded.
static char *program_folder(struct hd_arena *a)
{
    static const char here;
    char path[PATH_MAX];
    Dl_info info;
    ssize_t n;

    if (dladdr(&here, &info) && info.dli_fname && strstr(info.dli_fname, ".so") &&
        realpath(info.dli_fname, path))
        n = (ssize_t)strlen(path);
    else
        n = readlink("/proc/self/exe", path, sizeof path - 1);

    while (n > 0 && path[n - 1] != '/')
        n--;
    return n > 1 ? hd_arena_strndup(a, path, (size_t)n - 1) : NULL;
}

const char *hd_config_data(struct hd_arena *a, const char *what)
{
    const char *given = getenv("HEDDLE_DATA"), *self = program_folder(a);
    // Beside the program; or two folders up, where it stands in the build tree.
    const char *roots[] = {given, self, self ? hd_arena_printf(a, "%s/../..", self) : NULL,
                           self ? hd_arena_printf(a, "%s/../../share/heddle", self) : NULL,
                           self ? hd_arena_printf(a, "%s/../share/heddle", self) : NULL};

    for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++)
        if (roots[i] && !access(hd_arena_printf(a, "%s/%s", roots[i], what), R_OK))
            return roots[i];
    return NULL;
}

bool hd_config_data_check(struct hd_diag *d)
{
    static const char *const folders[] = {"gpus", "jobs", "toys", "workloads"};
    const char *given = getenv("HEDDLE_DATA");
    char path[PATH_MAX];

    if (!given || !*given)
        return true;
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
        if (snprintf(path, sizeof path, "%s/%s", given, folders[i]) < (int)sizeof path &&
            !access(path, R_OK))
            return true;
    hd_diag_hint(
        hd_diag_add(d, NULL, 0, 0, "HEDDLE_DATA is '%.150s', which is no data folder", given),
        "expected a folder with gpus, jobs, toys or workloads inside");
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **hd_config_names(struct hd_arena *a, const char *folder, const char *suffix, size_t *n)
{
    const char **names = NULL, *data = hd_config_data(a, folder);
    DIR *dir = data ? opendir(hd_arena_printf(a, "%s/%s", data, folder)) : NULL;
    size_t found = 0, cap = 0;

    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t length = strlen(e->d_name), tail = suffix ? strlen(suffix) : 0;
        if (e->d_name[0] == '.' || length <= tail)
            continue;
        if (suffix
                ? strcmp(e->d_name + length - tail, suffix)
                : access(hd_arena_printf(a, "%s/%s/%s/%s.job", data, folder, e->d_name, e->d_name),
                         R_OK))
            continue;
        *HD_PUSH(a, names, found, cap) = hd_arena_strndup(a, e->d_name, length - tail);
    }
    if (dir)
        closedir(dir);
    if (found)
        qsort(names, found, sizeof *names, by_name);
    if (n)
        *n = found;
    *HD_PUSH(a, names, found, cap) = NULL;
    return names;
}

// The machine of that name in the data folder; NULL with a diagnostic if there is none.
static const char *find_machine(struct hd_arena *a, const char *gpu, struct hd_diag *d)
{
    char *inside = hd_arena_printf(a, "gpus/%s.ini", gpu);
    const char *data = hd_config_data(a, inside);

    if (data)
        return hd_arena_printf(a, "%s/%s", data, inside);
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no GPU '%.100s'", gpu);
    hd_diag_nearest(e, gpu, hd_config_names(a, "gpus", ".ini", NULL));
    if (!e->hint[0])
        hd_diag_hint(e, "'heddle list gpus' shows those that are known");
    return NULL;
}

bool hd_config_load(struct hd_arena *a, const char *gpu, const char *const *sets, unsigned n_sets,
                    struct hd_config *out, struct hd_diag *d)
{
    unsigned files = 0;
    size_t n = strlen(gpu);
    bool is_path = strchr(gpu, '/') || (n > 4 && !strcmp(gpu + n - 4, ".ini"));
    const char *path = gpu, *base = strrchr(gpu, '/');

    memset(out, 0, sizeof *out);
    for (const struct hd_config_section *s = sections; s->name; s++)
        hd_fields_defaults(s->rows, out);
    if (!hd_config_data_check(d))
        return false;
    if (!is_path)
        path = find_machine(a, gpu, d);
    if (!path)
        return false;
    base = base ? base + 1 : gpu;
    snprintf(out->name, sizeof out->name, "%s", base);
    if (is_path && n > 4 && !strcmp(out->name + strlen(out->name) - 4, ".ini"))
        out->name[strlen(out->name) - 4] = '\0';
    if (!read_file(a, path, out, d, 0, &files))
        return false;
    for (unsigned i = 0; i < n_sets; i++)
        if (!apply(a, sets[i], out, d))
            return false;
#ifdef HD_STRESS
    shrink(out);
#endif
    return check(out, d);
}
