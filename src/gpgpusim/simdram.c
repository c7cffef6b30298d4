// simdram.c - DRAM: queues, bursts, the mapping of addresses, timings. See simparts.h.
#include "gpgpusim/simnumber.h"
#include "gpgpusim/simparts.h"

#include <inttypes.h>
#include <string.h>

// A number of at least 1; 0 after a diagnostic.
static uint32_t positive(struct hd_simmap *m, const char *name, const char *zero)
{
    const struct hd_simoption *o = hd_simoptions_find(name);
    const char *text = hd_simkeys_value(m, o);
    uint64_t v = 0;

    if (hd_simnumber_read(text, strlen(text), UINT32_MAX, &v) && v)
        return (uint32_t)v;
    hd_simkeys_refuse(m, o, "expected a number from 1 on%s", zero);
    return 0;
}

static void queues(struct hd_simmap *m)
{
    static const char *const keys[4] = {"l2.from_net", "l2.to_dram", "l2.from_dram", "l2.to_net"};
    static const char *const sizes[2][2] = {{"-gpgpu_frfcfs_dram_sched_queue_size", "dram.queue"},
                                            {"-gpgpu_dram_return_queue_size", "dram.returns"}};
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_dram_partition_queues");
    uint32_t v[4] = {0};

    if (hd_simnumber_list(hd_simkeys_value(m, o), ':', 4, v) == 4)
        for (unsigned i = 0; i < 4; i++)
            hd_simkeys_emit(m, o, keys[i], "%" PRIu32, v[i]);
    else
        hd_simkeys_refuse(m, o, "expected four numbers, network to L2, to DRAM, back, to network");
    for (unsigned i = 0; i < 2; i++) {
        uint32_t n = positive(m, sizes[i][0], "; a queue without limit is not modelled");
        if (n)
            hd_simkeys_emit(m, hd_simoptions_find(sizes[i][0]), sizes[i][1], "%" PRIu32, n);
    }
}

static void bursts(struct hd_simmap *m)
{
    static const char *const names[4] = {"-gpgpu_dram_burst_length", "-gpgpu_dram_buswidth",
                                         "-gpgpu_n_mem_per_ctrlr", "-dram_data_command_freq_ratio"};
    const struct hd_simoption *o[4];
    uint32_t v[4];

    for (unsigned i = 0; i < 4; i++) {
        o[i] = hd_simoptions_find(names[i]);
        v[i] = positive(m, names[i], "");
    }
    if (!v[0] || !v[1] || !v[2] || !v[3])
        return;
    uint64_t bytes = (uint64_t)v[0] * v[1]; // at most 64 bits; 2^20 is more than any machine takes
    bytes = bytes < 1 << 20 && v[2] < 1 << 20 ? bytes * v[2] : UINT32_MAX;
    hd_simkeys_line(m, o[0], "dram.burst", hd_arena_printf(m->arena, "%" PRIu64, bytes),
                    hd_arena_printf(m->arena, "%s x %s x %s", hd_simkeys_from(m, o[0]),
                                    hd_simkeys_from(m, o[1]), hd_simkeys_from(m, o[2])));
    if (v[0] % v[3])
        hd_simkeys_refuse(m, o[3], "%s is no multiple of it", hd_simkeys_from(m, o[0]));
    else
        hd_simkeys_line(m, o[0], "dram.burst_cycles",
                        hd_arena_printf(m->arena, "%" PRIu32, v[0] / v[3]),
                        hd_arena_printf(m->arena, "%s / %s", hd_simkeys_from(m, o[0]),
                                        hd_simkeys_from(m, o[3])));
}

struct masks {
    uint64_t bank, row, chip;
    int bits; // that the text still has to give
    char bad; // a letter that means nothing
};

static struct masks read_masks(const char *text)
{
    struct masks k = {.bits = 64};

    for (; *text; text++) {
        uint64_t bit = k.bits > 0 ? UINT64_C(1) << (k.bits - 1) : 0;
        switch (*text) {
        case 'B':
        case 'b':
            k.bank |= bit;
            break;
        case 'R':
        case 'r':
            k.row |= bit;
            break;
        case 'D':
        case 'd':
            k.chip |= bit;
            break;
        case 'C':
        case 'c':
        case 'S':
        case 's':
        case '0':
            break;
        case '|':
        case ' ':
        case '.':
            continue;
        default:
            k.bad = *text;
            return k;
        }
        if (k.bits-- == 0)
            return k;
    }
    return k;
}

// "dramid@8;" and 64 letters from the highest bit on: the channel above bit 8, Bank, Row, Column
// and the bytes of a burSt inside the channel. Returns the bank bits, -1 after a diagnostic.
static int mapping(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_mem_addr_mapping");
    const char *text = hd_simkeys_value(m, o), *end = strchr(text, ';');
    bool named = !strncmp(text, "dramid@", 7) && end;
    struct masks k = read_masks(end ? end + 1 : text);
    uint64_t at = 0;

    if (!*text)
        hd_diag_hint(hd_simkeys_refuse(m, o, "the mapping of addresses must be given"),
                     "dramid@8; and 64 letters, as in GPGPU-Sim's files");
    else if (k.chip || !named)
        hd_diag_hint(hd_simkeys_refuse(m, o, "letters D for the channel are not modelled"),
                     "dramid@N; in front of the letters puts the channel above N bits");
    else if (!hd_simnumber_read(text + 7, (size_t)(end - text - 7), 31, &at))
        hd_simkeys_refuse(m, o, "expected a number of bits after dramid@");
    else if (k.bad)
        hd_diag_hint(hd_simkeys_refuse(m, o, "the letter '%c' means nothing", k.bad),
                     "R, B, C, S, 0, and dots between them");
    else if (k.bits)
        hd_simkeys_refuse(m, o, "expected 64 letters, there are %s%d",
                          k.bits < 0 ? "more than " : "", k.bits < 0 ? 64 : 64 - k.bits);
    else if ((k.bank | k.row) >> 32)
        hd_simkeys_refuse(m, o, "banks and rows must be in the lower 32 bits");
    else {
        hd_simkeys_emit(m, o, "dram.interleave", "%" PRIu64, UINT64_C(1) << at);
        hd_simkeys_emit(m, o, "dram.bank_mask", "0x%" PRIX64, k.bank);
        hd_simkeys_emit(m, o, "dram.row_mask", "0x%" PRIX64, k.row);
        return __builtin_popcountll(k.bank);
    }
    return -1;
}

#define N_TIMINGS 14
#define NBK 0
#define NBKGRP 11
static const char *const timings[N_TIMINGS][2] = {
    {"nbk", NULL},         {"CCD", "dram.ccd"},   {"RRD", "dram.rrd"}, {"RCD", "dram.rcd"},
    {"RAS", "dram.ras"},   {"RP", "dram.rp"},     {"RC", "dram.rc"},   {"CL", "dram.cl"},
    {"WL", "dram.wl"},     {"CDLR", "dram.cdlr"}, {"WR", "dram.wr"},   {"nbkgrp", NULL},
    {"CCDL", "dram.ccdl"}, {"RTPL", "dram.rtpl"}};

// "nbk=16:CCD=2:...", words between ':', ';' or blanks. False after a diagnostic.
static bool named_timings(struct hd_simmap *m, const struct hd_simoption *o, const char *text,
                          uint32_t v[N_TIMINGS])
{
    const char *names[N_TIMINGS + 1];
    bool given[N_TIMINGS] = {[NBKGRP] = true, [NBKGRP + 1] = true, [NBKGRP + 2] = true};

    v[NBKGRP] = 1;
    for (unsigned i = 0; i <= N_TIMINGS; i++)
        names[i] = i < N_TIMINGS ? timings[i][0] : NULL;
    for (text += strspn(text, ":; "); *text; text += strspn(text, ":; ")) {
        size_t n = strcspn(text, ":; "), name = strcspn(text, "=");
        unsigned i = 0;
        uint64_t value = 0;
        while (i < N_TIMINGS && (strlen(names[i]) != name || strncmp(names[i], text, name) != 0))
            i++;
        if (name >= n || !hd_simnumber_read(text + name + 1, n - name - 1, UINT32_MAX, &value)) {
            hd_simkeys_refuse(m, o, "'%.*s' is not of the form NAME=NUMBER", n < 40 ? (int)n : 40,
                              text);
            return false;
        }
        if (i == N_TIMINGS) {
            const char *word = hd_arena_strndup(m->arena, text, name);
            hd_diag_nearest(hd_simkeys_refuse(m, o, "there is no timing '%.40s'", word), word,
                            names);
            return false;
        }
        given[i] = true;
        v[i] = (uint32_t)value;
        text += n;
    }
    for (unsigned i = 0; i < N_TIMINGS; i++)
        if (!given[i]) {
            hd_simkeys_refuse(m, o, "%s is missing", names[i]);
            return false;
        }
    return true;
}

static void read_timings(struct hd_simmap *m, int bank_bits)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_dram_timing_opt");
    const char *text = hd_simkeys_value(m, o);
    uint32_t v[N_TIMINGS] = {0};

    if (!strchr(text, '=')) { // the older form: the numbers in this order
        if (hd_simnumber_list(text, ':', N_TIMINGS, v) != N_TIMINGS) {
            hd_diag_hint(hd_simkeys_refuse(m, o, "expected 14 numbers or names"),
                         "nbk=16:CCD=2:RRD=6:..., all in one word or in quotes");
            return;
        }
    } else if (!named_timings(m, o, text, v)) {
        return;
    }
    uint32_t groups = v[NBKGRP];
    if (bank_bits >= 0 && (bank_bits > 31 || v[NBK] != 1U << bank_bits))
        hd_diag_hint(hd_simkeys_refuse(m, o,
                                       "nbk is %" PRIu32 ", but the mapping of addresses has "
                                       "%d bank bits",
                                       v[NBK], bank_bits),
                     "-gpgpu_mem_addr_mapping has one B for each bit");
    if (!groups || (groups & (groups - 1)))
        hd_simkeys_refuse(m, o, "nbkgrp must be a power of two");
    for (unsigned i = 0; i < N_TIMINGS; i++)
        if (timings[i][1])
            hd_simkeys_emit(m, o, timings[i][1], "%" PRIu32, v[i]);
    // 3.2.2 computes the shift from banks to groups one too large: half as many groups.
    if (m->version != HD_SIM_4 && groups > 1)
        groups /= 2;
    hd_simkeys_emit(m, o, "dram.bank_groups", "%" PRIu32, groups);
}

static bool has_key(const char *section, const char *key)
{
    for (const struct hd_field *f = hd_configkeys_find(section)->rows; f->name; f++)
        if (!strcmp(f->name, key))
            return true;
    return false;
}

// The partition of an address, in version 4: as the mapping says, or by one of several hashes.
static void indexing(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_memory_partition_indexing");
    bool polynomial = hd_simoptions_accepts("2", hd_simkeys_value(m, o));
    bool linear = hd_simoptions_accepts("0", hd_simkeys_value(m, o));
    bool known = has_key("dram", "indexing"), holes = m->holes;

    if (m->version != HD_SIM_4)
        return;
    if (known && (polynomial || linear)) {
        hd_simkeys_emit(m, o, "dram.indexing", "%s", linear ? "linear" : "polynomial");
    } else if (!linear) {
        hd_simkeys_lack(m, o, HD_SIMLACK_INDEXING, "");
        m->holes = holes;
    }
}

// Version 4 sends a row command and a column command in a tick. Without the dual bus, the row
// command must come first in the order of the banks.
static void commands(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-dram_dual_bus_interface");

    if (m->version == HD_SIM_4)
        hd_simkeys_emit(m, o, "dram.commands", "%s",
                        hd_simkeys_on(m, o->name) ? "dual" : "ordered");
}

void hd_simdram_read(struct hd_simmap *m)
{
    queues(m);
    bursts(m);
    indexing(m);
    commands(m);
    read_timings(m, mapping(m));
}
