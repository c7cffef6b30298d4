// configkeys.c - the table of every key of the modelled machine, and which key a wrong word means.
//
// Defaults are the GTX 480 of GPGPU-Sim 3.2.2 where the key exists there; the files in gpus/ repeat
// the numbers with their sources.
#include "base/configkeys.h"

#include "base/fields.h"
#include "heddle/bits.h"

#include <string.h>

// A row whose key differs from the member's name.
#define ROW(key, member, kind, def, lo, hi, unit, help)                                            \
    {                                                                                              \
        key, unit, help, NULL, def, lo, hi, offsetof(struct hd_config, member), kind               \
    }
#define U32(section, m, def, lo, hi, unit, help)                                                   \
    ROW(#m, section.m, HD_FIELD_U32, def, lo, hi, unit, help)

static const char *const mem_models[] = {"flat", "crossbar", NULL};
static const char *const owners[] = {"modulo", "ranges", NULL};
static const char *const units[] = {"sp", "sfu", "sp_or_sfu", NULL}; // enum hd_unit
static const char *const bounds[] = {"exact", "pages", NULL};
#define NAME(NAME, name, help) #name,
static const char *const replacements[] = {HD_REPLACEMENTS(NAME) NULL};
#undef NAME
#define REPLACE(section)                                                                           \
    {                                                                                              \
        "replace", "",                                                                             \
            "which line of a set goes: least recently used, first come, any, re-reference "        \
            "interval prediction",                                                                 \
            replacements, "lru", 0, 0, offsetof(struct hd_config, section.replace), HD_FIELD_ENUM  \
    }

// clang-format off
static const struct hd_field gpu_rows[] = {
    {"memory", "", "what the SMs' ports lead to", mem_models, "flat", 0, 0,
     offsetof(struct hd_config, mem_model), HD_FIELD_ENUM},
    {"bounds", "", "global memory that a kernel may touch: what is allocated, or all of its 2 MiB pages, as on a GPU",
     bounds, "exact", 0, 0, offsetof(struct hd_config, bounds), HD_FIELD_ENUM},
    ROW("seed", seed, HD_FIELD_U32, "1", 0, UINT32_MAX, "", "of what the machine draws: replacement by random"),
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
    U32(sm, schedulers, "2", 1, 4, "schedulers", "warp schedulers; a multiple of sm.subcores"),
    {"owner", "", "which scheduler owns a warp slot: modulo (slots i, i + n, ... are scheduler i's) or ranges (the first slots are scheduler 0's)",
     owners, "modulo", 0, 0, offsetof(struct hd_config, sm.owner), HD_FIELD_ENUM},
    U32(sm, subcores, "1", 1, 4, "sub-cores", "parts of an SM with schedulers, pipeline registers, pipes, collectors and register banks of their own; keys about these count what each part has"),
    U32(sm, id_oc_sp, "2", 1, 4, "instructions", "register between issue and SP operand collection"),
    U32(sm, id_oc_sfu, "1", 1, 4, "instructions", "register between issue and SFU operand collection"),
    U32(sm, id_oc_mem, "1", 1, 4, "instructions", "register between issue and LDST operand collection"),
    U32(sm, oc_ex_sp, "2", 1, 4, "instructions", "register between operand collection and the SP units"),
    U32(sm, oc_ex_sfu, "1", 1, 4, "instructions", "register between operand collection and the SFU"),
    U32(sm, oc_ex_mem, "1", 1, 4, "instructions", "register between operand collection and LDST"),
    U32(sm, sp_units, "2", 1, 4, "units", "SP pipes"),
    U32(sm, sfu_units, "1", 1, 4, "units", "SFU pipes"),
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
    U32(l1i, prefetch_missed, "0", 0, 1, "", "only after a fetch that missed, not after every one"),
    U32(l1i, sets, "4", 1, 4096, "sets", "L1 instruction cache sets; a power of two"),
    U32(l1i, ways, "4", 1, 64, "ways", "L1 instruction cache associativity"),
    U32(l1i, line, "128", 32, 128, "bytes", "L1 instruction cache line; a power of two"),
    U32(l1i, mshrs, "2", 1, 256, "entries", "lines in flight"),
    U32(l1i, merges, "32", 1, 256, "requests", "requests merged into one line in flight"),
    U32(l1i, miss_queue, "4", 1, 256, "requests", "misses waiting for the network"),
    REPLACE(l1i),
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
    REPLACE(l1c),
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
    REPLACE(l1d),
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
    REPLACE(l1t),
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
    REPLACE(l2),
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
#define PIPE(key, op, type, def) \
    {key, "", "pipe that serves these operations", units, def, 0, 0, offsetof(struct hd_config, pipe[HD_PIPE_CLASS(op, type)]), HD_FIELD_ENUM}
#define PIPES(key, op, i, h, f, d) \
    PIPE(key ".int", op, HD_PIPE_INT, i), PIPE(key ".fp16", op, HD_PIPE_FP16, h), \
    PIPE(key ".fp32", op, HD_PIPE_FP32, f), PIPE(key ".fp64", op, HD_PIPE_FP64, d)
static const struct hd_field pipe_rows[] = {
    PIPES("add", HD_LAT_ADD, "sp", "sp", "sp", "sp"),
    PIPES("minmax", HD_LAT_MINMAX, "sp", "sp", "sp", "sp"),
    PIPES("mul", HD_LAT_MUL, "sfu", "sp_or_sfu", "sp_or_sfu", "sp_or_sfu"),
    PIPES("mad", HD_LAT_MAD, "sfu", "sp", "sp", "sp"),
    PIPES("fma", HD_LAT_FMA, "sp", "sp", "sp", "sp"),
    PIPES("div", HD_LAT_DIV, "sfu", "sfu", "sfu", "sfu"),
    PIPES("trans", HD_LAT_TRANS, "sfu", "sfu", "sfu", "sfu"),
    PIPES("other", HD_LAT_OTHER, "sp", "sp", "sp", "sp"),
    PIPES("mma", HD_LAT_MMA, "sp", "sp", "sp", "sp"),
    HD_FIELD_END,
};
// clang-format on

static const struct hd_config_section sections[] = {
    {"gpu", gpu_rows},         {"sm", sm_rows},         {"l1i", l1i_rows},
    {"l1c", l1c_rows},         {"l1d", l1d_rows},       {"l1t", l1t_rows},
    {"latency", latency_rows}, {"pipe", pipe_rows},     {"flat", flat_rows},
    {"clock", clock_rows},     {"net", net_rows},       {"l2", l2_rows},
    {"dram", dram_rows},       {"launch", launch_rows}, {NULL, NULL},
};

const struct hd_config_section *hd_configkeys_sections(void)
{
    return sections;
}

const struct hd_config_section *hd_configkeys_find(const char *name)
{
    for (const struct hd_config_section *s = sections; s->name; s++)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}

// What people call a key: words of other simulators, of CUDA and of data sheets. A word with a dot
// means that section's only; without one it is looked for whatever the section was.
static const struct {
    const char *word, *key;
} meanings[] = {
    {"cores", "sm.sms"},
    {"clusters", "sm.sms"},
    {"num_sms", "sm.sms"},
    {"n_sms", "sm.sms"},
    {"sm_count", "sm.sms"},
    {"cus", "sm.sms"},
    {"regs", "sm.registers"},
    {"regfile", "sm.registers"},
    {"register_file", "sm.registers"},
    {"smem", "sm.shared_bytes"},
    {"shmem", "sm.shared_bytes"},
    {"shared", "sm.shared_bytes"},
    {"shared_size", "sm.shared_bytes"},
    {"shared_memory", "sm.shared_bytes"},
    {"shared.size", "sm.shared_bytes"},
    {"threads", "sm.warps (a warp has 32 threads)"},
    {"max_threads", "sm.warps (a warp has 32 threads)"},
    {"max_warps", "sm.warps"},
    {"blocks", "sm.tbs"},
    {"ctas", "sm.tbs"},
    {"max_blocks", "sm.tbs"},
    {"thread_blocks", "sm.tbs"},
    {"warp_schedulers", "sm.schedulers"},
    {"n_schedulers", "sm.schedulers"},
    {"frequency", "clock.core"},
    {"freq", "clock.core"},
    {"mhz", "clock.core"},
    {"sm.clock", "clock.core"},
    {"gpu.clock", "clock.core"},
    {"dram.clock", "clock.dram"},
    {"memory.clock", "clock.dram"},
    {"bandwidth", "dram.channels, dram.burst or clock.dram"},
    {"bus_width", "dram.channels or dram.burst"},
    {"partitions", "dram.channels"},
    {"controllers", "dram.channels"},
    {"banks", "dram.bank_mask"},
    {"slices", "dram.subs"},
    {"memory_latency", "flat.latency or dram.latency"},
};
// The same of a key in any section that has the right one, and of sections.
static const char *const key_words[][2] = {
    {"assoc", "ways"},      {"associativity", "ways"}, {"bytes", "size"},
    {"capacity", "size"},   {"line_size", "line"},     {"line_bytes", "line"},
    {"block_size", "line"}, {"mshr", "mshrs"},         {"mshr_entries", "mshrs"},
    {"hash", "hashed"},     {"n_sets", "sets"},        {"n_ways", "ways"},
    {"enable", "enabled"},  {"off", "enabled"},
};
static const char *const section_words[][2] = {
    {"core", "sm"}, {"shader", "sm"},   {"l1", "l1d"},       {"dl1", "l1d"},    {"dcache", "l1d"},
    {"il1", "l1i"}, {"icache", "l1i"},  {"const", "l1c"},    {"tex", "l1t"},    {"texture", "l1t"},
    {"dl2", "l2"},  {"llc", "l2"},      {"memory", "dram"},  {"mem", "dram"},   {"icnt", "net"},
    {"noc", "net"}, {"network", "net"}, {"clocks", "clock"}, {"cdp", "launch"},
};

static const char *meaning(const char *section, const char *key)
{
    char both[80];

    snprintf(both, sizeof both, "%s.%s", section, key);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (!strcmp(meanings[i].word, both))
            return meanings[i].key;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (!strcmp(meanings[i].word, key))
            return meanings[i].key;
    return NULL;
}

static const char *reworded(const char *const (*words)[2], size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(words[i][0], word))
            return words[i][1];
    return word;
}

// A cache has a size too, which chooses its sets (configsize.h).
static bool has(const struct hd_config_section *s, const char *key)
{
    return hd_fields_find(s->rows, !strcmp(key, "size") ? "sets" : key) != NULL;
}

// Every section that has the key, "l1d.sets or l2.sets"; false if none has.
static bool elsewhere(const char *key, char *text, size_t bytes)
{
    size_t n = 0;

    for (const struct hd_config_section *s = sections; s->name; s++)
        if (has(s, key) && n < bytes)
            n += (size_t)snprintf(text + n, bytes - n, "%s%s.%s", n ? " or " : "", s->name, key);
    return n > 0 && n < bytes;
}

void hd_configkeys_near(struct hd_diag_entry *e, const char *section, const char *key)
{
    const char *word = reworded(key_words, sizeof key_words / sizeof *key_words, key);
    const char *named =
        reworded(section_words, sizeof section_words / sizeof *section_words, section);
    const struct hd_config_section *s = hd_configkeys_find(named);
    const char *meant = meaning(section, key);
    char all[100];

    if (!*key && s)
        hd_diag_hint(e, "did you mean '%s'?", named);
    if (!*key)
        return;
    if (s && has(s, word))
        hd_diag_hint(e, "did you mean %s.%s?", named, word);
    else if (meant)
        hd_diag_hint(e, "did you mean %s?", meant);
    else if (elsewhere(word, all, sizeof all))
        hd_diag_hint(e, "did you mean %s?", all);
}
