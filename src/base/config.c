// config.c - the reader of machine files: gpus/*.ini and a user's own.
//
// "include = other.ini" at the top of a file reads that file first: one in the same folder, else
// one of heddle's own.
#include "base/config.h"

#include "base/configsize.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/inifile.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INCLUDE_DEPTH 8
#define INCLUDE_FILES 64
#define DEFAULT_BASE "gtx480.ini" // what a message suggests to include

struct load { // of a machine, with all its files
    struct hd_arena *arena;
    struct hd_config *config;
    struct hd_diag *diag;
    struct hd_configsizes sizes;
    const char **files; // read so far
    size_t n_files, cap_files;
    bool memory_named; // gpu.memory was given
    bool listing;      // each key is noted
    struct hd_config_line *lines;
    size_t n_lines, cap_lines;
};

// Reports a section that does not exist, with or without a key (NULL: without).
static bool no_section(const char *section, const char *key, struct hd_diag *d, const char *file,
                       uint32_t line)
{
    struct hd_diag_entry *e = hd_diag_add(d, file, line, 0, "there is no section '%.60s'", section);
    const struct hd_config_section *all = hd_configkeys_sections();
    const char *names[64];
    unsigned n = 0;

    for (; n < 63 && all[n].name; n++)
        names[n] = all[n].name;
    names[n] = NULL;
    hd_diag_nearest(e, section, names);
    hd_configkeys_near(e, section, key ? key : ""); // its meaning matters more than its spelling
    return false;
}

// The hint for a key that its section does not have. Sizes of caches are keys, too.
static void near_key(struct hd_diag_entry *e, const struct hd_config_section *s, const char *key)
{
    const char *names[130];
    unsigned n = 0;

    for (const struct hd_field *f = s->rows; f->name && n < 128; f++)
        names[n++] = f->name;
    if (hd_configsize_row(s->name))
        names[n++] = "size";
    names[n] = NULL;
    hd_diag_nearest(e, key, names);
    hd_configkeys_near(e, s->name, key);
    if (!e->hint[0] || !*key)
        hd_diag_hint(e, "'heddle explain %.60s' lists its keys", s->name);
}

static bool set_key(struct load *l, const char *section, const char *key, const char *value,
                    const char *file, uint32_t line)
{
    const struct hd_config_section *s = hd_configkeys_find(section);
    char what[80];

    if (!s)
        return no_section(section, key, l->diag, file, line);
    if (l->listing)
        *HD_PUSH(l->arena, l->lines, l->n_lines, l->cap_lines) = (struct hd_config_line){
            .key = hd_arena_printf(l->arena, "%s.%s", section, key), .file = file, .line = line};
    if (!strcmp(key, "size") && hd_configsize_row(section))
        return hd_configsize_set(&l->sizes, section, value, l->diag, file, line);
    if (!strcmp(key, "sets"))
        hd_configsize_forget(&l->sizes, section);
    l->memory_named |= !strcmp(section, "gpu") && !strcmp(key, "memory");
    snprintf(what, sizeof what, "section [%.60s]", section);
    if (hd_fields_set(s->rows, l->config, what, key, value, l->diag, file, line))
        return true;
    if (!strcmp(key, "include") && !l->diag->dropped)
        hd_diag_hint(&l->diag->entries[l->diag->n - 1],
                     "'include = FILE' stands at the top of a file, before the first section");
    else if (!hd_fields_find(s->rows, key) && !l->diag->dropped)
        near_key(&l->diag->entries[l->diag->n - 1], s, key);
    return false;
}

struct reading { // of one file
    struct load *load;
    const char *path;
    unsigned depth;
    const struct reading *includer; // NULL: none
};

static bool read_file(struct load *l, const char *path, unsigned depth,
                      const struct reading *includer);

static bool on_section(void *ctx, const char *name, uint32_t line)
{
    struct reading *r = ctx;

    return hd_configkeys_find(name) || no_section(name, NULL, r->load->diag, r->path, line);
}

static bool same_file(const char *a, const char *b)
{
    struct stat is, other;

    return !stat(a, &is) && !stat(b, &other) && is.st_dev == other.st_dev &&
           is.st_ino == other.st_ino;
}

// The file that "include = NAME" names: one in the same folder, else heddle's own of that name,
// with or without its ".ini". A file that includes its own name means heddle's. NULL after a
// diagnostic.
static const char *included(const struct reading *r, const char *name, uint32_t line)
{
    struct hd_arena *a = r->load->arena;
    const char *beside = hd_file_beside(a, r->path, name), *data;
    size_t n = strlen(name);
    bool whole = n > 4 && !strcmp(name + n - 4, ".ini"), is_there = !access(beside, R_OK);
    const char *inside = hd_arena_printf(a, "gpus/%s%s", name, whole ? "" : ".ini");

    if (is_there && !same_file(beside, r->path))
        return beside;
    data = strchr(name, '/') || !*name ? NULL : hd_config_data(a, inside);
    if (data)
        return hd_arena_printf(a, "%s/%s", data, inside);
    if (is_there)
        return beside;
    struct hd_diag_entry *e = hd_diag_add(
        r->load->diag, r->path, line, 0,
        "include: '%.80s' is neither a file beside this one nor a machine of heddle's", name);
    hd_diag_nearest(e, whole ? hd_arena_strndup(a, name, n - 4) : name,
                    hd_config_names(a, "gpus", ".ini", NULL));
    if (!e->hint[0])
        hd_diag_hint(e, "'heddle list gpus' shows heddle's machines");
    return NULL;
}

// Whether `path` is one of the files that are being read: that of `r`, or one that includes it.
static bool is_circle(const struct reading *r, const char *path)
{
    while (r && !same_file(r->path, path))
        r = r->includer;
    return r != NULL;
}

static bool on_key(void *ctx, const char *section, const char *key, const char *value,
                   uint32_t line)
{
    struct reading *r = ctx;
    struct hd_diag *d = r->load->diag;

    if (*section)
        return set_key(r->load, section, key, value, r->path, line);
    if (strcmp(key, "include") != 0) {
        struct hd_diag_entry *e =
            hd_diag_add(d, r->path, line, 0, "'%.80s' comes before any [section]", key);
        hd_configkeys_near(e, "", key);
        return false;
    }
    if (r->depth >= INCLUDE_DEPTH) {
        hd_diag_add(d, r->path, line, 0, "files include each other to a depth of more than %d",
                    INCLUDE_DEPTH);
        return false;
    }
    // Depth alone is no bound: a file with many includes of itself would be read many^depth times.
    if (r->load->n_files >= INCLUDE_FILES) {
        hd_diag_add(d, r->path, line, 0, "more than %d files are included", INCLUDE_FILES);
        return false;
    }
    const char *path = included(r, value, line);
    if (path && is_circle(r, path)) {
        hd_diag_add(d, r->path, line, 0, "'%.80s' includes itself%s", value,
                    same_file(path, r->path) ? "" : ", through the files that it includes");
        return false;
    }
    return path && read_file(r->load, path, r->depth + 1, r);
}

bool hd_config_is_gpgpusim(const char *text)
{
    static const char *const words[] = {"-gpgpu_", "-gpu_", "-ptx_opcode_", "-network_mode"};

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (!strncmp(line, words[i], strlen(words[i])))
                return true;
    }
    return false;
}

// A machine file cannot include a configuration of GPGPU-Sim; src/gpgpusim/ reads one that is
// given as the machine.
static bool refuse_gpgpusim(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(a, path, &bytes, err);

    if (!text || !hd_config_is_gpgpusim(text))
        return false;
    hd_diag_hint(
        hd_diag_add(d, path, 0, 0,
                    "this is a configuration of GPGPU-Sim, not a machine file of heddle's"),
        "'heddle gpu convert FILE > NAME.ini' makes it one, which can be included");
    return true;
}

static bool read_file(struct load *l, const char *path, unsigned depth,
                      const struct reading *includer)
{
    struct reading r = {.load = l, .path = path, .depth = depth, .includer = includer};
    struct hd_inifile file = {.arena = l->arena,
                              .path = path,
                              .what = "the machine",
                              .section = on_section,
                              .key = on_key,
                              .ctx = &r};

    *HD_PUSH(l->arena, l->files, l->n_files, l->cap_files) = path;
    return !refuse_gpgpusim(l->arena, path, l->diag) && hd_inifile_read(&file, l->diag);
}

static bool power_of_two(uint32_t v)
{
    return v && !(v & (v - 1));
}

#ifdef HD_STRESS
// The stress build: every queue and table of the machine has its smallest size, so that
// back-pressure that is rare otherwise happens all the time. Values must not change, cycles may.
static void shrink(struct hd_config *c)
{
    struct hd_config_sm *s = &c->sm;

#define LEAST(NAME, key)                                                                           \
    s->id_oc_##key = s->oc_ex_##key = s->collector_ports_##key = 1;                                \
    s->collectors_##key = s->collectors_##key ? 1 : 0;
    HD_PIPES(LEAST)
#undef LEAST
    s->collectors_any = s->collectors_any ? 1 : 0;
    s->shared_buses = s->shared_buses ? 1 : 0;
    s->result_buses = s->reply_fifo = s->ldst_fifo = 1;
    c->l1i.sets = c->l1i.ways = c->l1i.mshrs = c->l1i.merges = c->l1i.miss_queue = 1;
    c->l1c.sets = c->l1c.ways = c->l1c.mshrs = c->l1c.merges = c->l1c.miss_queue = 1;
    c->l1d.sets = c->l1d.ways = c->l1d.mshrs = c->l1d.merges = 1;
    c->l1d.unified = 0;
    c->l1d.miss_queue = 3; // a dirty victim needs an entry in addition to its miss
    c->l1d.hashed = 0;
    c->l1t.sets = c->l1t.ways = 1;
    c->l1t.fragments = c->l1t.requests = c->l1t.rob = c->l1t.results = 1;
    c->requeue.entries = c->requeue.entries ? 1 : 0;
    c->net.source = c->net.eject = c->net.boundary = 5; // the longest packet of the GTX 480
    c->net.router = 1;
    c->l2.sets = c->l2.ways = c->l2.mshrs = c->l2.merges = 1;
    c->l2.miss_queue = 3; // a store that misses needs this many entries
    c->l2.from_net = c->l2.sector < 128 ? 4 : 1;
    c->l2.hashed = 0;
    c->l2.to_net = c->l2.to_dram = c->l2.from_dram = 1;
    c->dram.queue = c->dram.returns = 1;
}
#endif

// A matrix multiplication takes up to eight intervals; function units are reserved up to 1000
// cycles ahead.
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

#define NET_TIMES 8 // the network's clock over that of the SMs, at most

// A memory with a crossbar: masks of ports have a size, and shifts replace divisions.
static void check_crossbar(const struct hd_config *c, struct hd_diag *d)
{
    const struct hd_config_dram *m = &c->dram;
    uint32_t most = c->net.local ? 256 : 64;
    uint32_t banks = 1U << (__builtin_popcount(m->bank_mask) & 31);

    if (c->sm.sms > most)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "a crossbar has at most %u ports on a side, sm.sms is %u", most,
                                 c->sm.sms),
                     "fewer SMs, or gpu.memory=flat, which has no network%s",
                     c->net.local ? "" : ", or net.local=1, a crossbar of up to 256 ports");
    if (m->channels * m->subs > most)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "a crossbar has at most %u ports on a side, dram.channels x "
                                 "dram.subs is %u x %u",
                                 most, m->channels, m->subs),
                     "fewer channels with a larger L2 bank (l2.sets) each");
    if (!power_of_two(c->l2.port) || !power_of_two(c->l2.sets))
        hd_diag_add(d, NULL, 0, 0, "l2.port and l2.sets must be powers of two");
    if (c->clock.net % c->clock.core || c->clock.net > NET_TIMES * c->clock.core)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "clock.net must be 1 to %d times clock.core, they are %u and %u",
                                 NET_TIMES, c->clock.net, c->clock.core),
                     "clock.net=%u, or 0 for the clock of the SMs", 2 * c->clock.core);
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
    if (m->indexing == HD_INDEXING_POLYNOMIAL && m->channels * m->subs != 32 &&
        m->channels * m->subs != 64)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "dram.indexing=polynomial is defined for 32 and 64 "
                                 "sub-partitions, dram.channels x dram.subs is %u x %u",
                                 m->channels, m->subs),
                     "dram.indexing=linear");
    if (m->bank_mask & m->row_mask)
        hd_diag_add(d, NULL, 0, 0, "dram.bank_mask and dram.row_mask have bits in common");
    // Each sub-partition has its own credit; the rest of the queues' room is shared.
    if (m->queue + m->returns < m->subs - 1)
        hd_diag_add(d, NULL, 0, 0,
                    "dram.queue and dram.returns together must hold a request of each of %u "
                    "sub-partitions but one",
                    m->subs);
    if (m->wl > m->cl || m->rcd <= m->wl)
        hd_diag_add(d, NULL, 0, 0, "dram.wl must be at most dram.cl and below dram.rcd");
}

// Each pipe needs operand collectors, its own or those of all pipes.
static void check_collectors(const struct hd_config_sm *s, struct hd_diag *d)
{
#define COLLECTORS(NAME, key) s->collectors_##key,
#define WORD(NAME, key) #key,
    const uint32_t load_store_units = 1;
    const uint32_t units[] = {s->sp_units,     s->sfu_units, load_store_units,
                              s->tensor_units, s->dp_units,  s->int_units}; // as in HD_PIPES
    const uint32_t own[] = {HD_PIPES(COLLECTORS)};
    static const char *const words[] = {HD_PIPES(WORD)};
#undef COLLECTORS
#undef WORD
    uint32_t sum = s->collectors_any, pipes = 0;

    for (unsigned p = 0; p < sizeof own / sizeof *own; p++) {
        sum += own[p];
        pipes += strcmp(words[p], "mem") ? units[p] : 0;
        if (own[p] && s->collectors_any)
            hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                     "sm.collectors_%s is %u, but sm.collectors_any has units for "
                                     "all pipes",
                                     words[p], own[p]),
                         "sm.collectors_%s=0, or sm.collectors_any=0", words[p]);
        if (units[p] && !own[p] && !s->collectors_any)
            hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "the %s pipes have no operand collector units",
                                     words[p]),
                         "sm.collectors_%s or sm.collectors_any", words[p]);
    }
    if (sum > 16)
        hd_diag_add(d, NULL, 0, 0, "more than 16 operand collector units in all");
    if (pipes > 8)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "a sub-core has at most 8 pipes, not %u", pipes),
                     "with more of sm.subcores, each has fewer");
}

// An operation needs a pipe that the machine has.
static void check_pipes(const struct hd_config *c, struct hd_diag *d)
{
    static const char *const words[] = {
        [HD_UNIT_TENSOR] = "tensor", [HD_UNIT_DP] = "dp", [HD_UNIT_INT] = "int"};
    const uint32_t units[] = {[HD_UNIT_TENSOR] = c->sm.tensor_units,
                              [HD_UNIT_DP] = c->sm.dp_units,
                              [HD_UNIT_INT] = c->sm.int_units};
    const struct hd_config_section *s = hd_configkeys_find("pipe");

    for (const struct hd_field *f = s->rows; f->name; f++) {
        uint32_t unit;
        memcpy(&unit, (const char *)c + f->offset, sizeof unit);
        if (unit < sizeof words / sizeof *words && words[unit] && !units[unit])
            hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "pipe.%s is %s, but sm.%s_units is 0", f->name,
                                     words[unit], words[unit]),
                         "sm.%s_units=1 gives each sub-core one", words[unit]);
    }
}

// Lines and the ends of their lists have numbers of 16 bits, of which one is none (hw/sectors.c).
#define SECTOR_LINES 65534

static void check_lines(const char *cache, uint32_t sets, uint32_t ways, struct hd_diag *d)
{
    if ((uint64_t)sets * ((uint64_t)ways + 1) > SECTOR_LINES)
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "%s has too many lines for a cache with sectors", cache),
            "%s.sets x (%s.ways + 1) may be %u", cache, cache, SECTOR_LINES);
}

static void check_l2_sectors(const struct hd_config *c, struct hd_diag *d)
{
    const struct hd_config_l2 *k = &c->l2;

    if (k->sector == k->line) {
        if (k->hashed || k->copies || k->halves_astray)
            hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                     "l2.hashed, l2.copies and l2.halves_astray are for an L2 with "
                                     "sectors"),
                         "l2.sector=32");
        return;
    }
    if (k->sector != 32)
        hd_diag_add(d, NULL, 0, 0, "l2.sector must be 32 or 128, not %u", k->sector);
    if (k->replace != HD_REPLACE_LRU)
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "an L2 with sectors has no other replacement than lru"),
            "l2.replace=lru");
    if (k->hashed && k->sets != 32 && k->sets != 64)
        hd_diag_add(d, NULL, 0, 0, "l2.hashed is defined for 32 and 64 sets, not for %u", k->sets);
    if (k->from_net < 4)
        hd_diag_add(d, NULL, 0, 0, "l2.from_net must hold the four sectors of a line");
    check_lines("l2", k->sets, k->ways, d);
}

// A cache with sectors.
static void check_sectors(const struct hd_config *c, struct hd_diag *d)
{
    const struct hd_config_l1d *k = &c->l1d;

    if (!power_of_two(k->banks))
        hd_diag_add(d, NULL, 0, 0, "l1d.banks must be a power of two, not %u", k->banks);
    if (k->banks > 1 && !k->latency)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "l1d.banks is %u, but there are no queues of banks",
                                 k->banks),
                     "l1d.latency gives each bank a queue");
    if (k->latency && c->requeue.entries)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "requeue.entries and l1d.latency exclude each other: what the "
                                 "cache refuses has left the load/store unit"),
                     "requeue.entries=0, or l1d.latency=0");
    check_l2_sectors(c, d);
    if (k->sector == k->line && k->unified)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "l1d.unified is for an L1D with sectors"),
                     "l1d.sector=32");
    if (k->sector == k->line)
        return;
    check_lines("l1d", k->sets, k->ways, d);
    if (k->unified &&
        (!k->shared_sizes || (32U - (unsigned)__builtin_clz(k->shared_sizes)) * 4096 > k->unified))
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "l1d.shared_sizes must name sizes below l1d.unified = %u",
                                 k->unified),
                     "bit i is for i x 4 KB: 0x10100 for 32 and 64 KB");
    if (k->sector != 32)
        hd_diag_add(d, NULL, 0, 0, "l1d.sector must be 32 or 128, not %u", k->sector);
    if (c->sm.segment != k->sector)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "l1d.sector is %u, but accesses may have sm.segment = %u bytes",
                                 k->sector, c->sm.segment),
                     "sm.segment=%u", k->sector);
    if (k->hashed || k->replace != HD_REPLACE_LRU)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "an L1D with sectors has neither hashed sets nor another "
                                 "replacement than lru"),
                     "l1d.hashed=0, l1d.replace=lru");
}

// Checks combinations, which the range of a single key cannot exclude.
static bool check(const struct hd_config *c, struct hd_diag *d)
{
    const struct hd_config_sm *s = &c->sm;
    unsigned before = d->n;

    if (!power_of_two(s->reg_banks) || !power_of_two(s->shared_banks))
        hd_diag_add(d, NULL, 0, 0, "sm.reg_banks and sm.shared_banks must be powers of two");
    if (!power_of_two(c->l1i.sets) || !power_of_two(c->l1i.line))
        hd_diag_add(d, NULL, 0, 0, "l1i.sets and l1i.line must be powers of two");
    if (c->l1i.prefetch_missed && c->l1i.prefetch_tagged)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "l1i.prefetch_missed and l1i.prefetch_tagged exclude each other"),
                     "with l1i.prefetch_tagged=1 lines are fetched ahead after misses too");
    if (!power_of_two(c->l1t.sets) || !power_of_two(c->l1t.line))
        hd_diag_add(d, NULL, 0, 0, "l1t.sets and l1t.line must be powers of two");
    if (!power_of_two(c->l1c.sets) || !power_of_two(c->l1c.line) || !power_of_two(c->l1d.sets))
        hd_diag_add(d, NULL, 0, 0, "l1c.sets, l1c.line and l1d.sets must be powers of two");
    if (c->l1c.at_once && !c->l1c.perfect)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "l1c.at_once is for caches that always hit"),
                     "l1c.perfect=1");
    if (!power_of_two(s->segment) || !power_of_two(s->segment_uncached))
        hd_diag_add(d, NULL, 0, 0, "sm.segment and sm.segment_uncached must be 32, 64 or 128");
    if (c->l1d.hashed && c->l1d.sets != 32 && c->l1d.sets != 64)
        hd_diag_add(d, NULL, 0, 0, "l1d.hashed is defined for 32 and 64 sets, not for %u",
                    c->l1d.sets);
    check_sectors(c, d);
    if (!power_of_two(c->mem.align) || c->mem.spread % 256)
        hd_diag_add(d, NULL, 0, 0,
                    "mem.align must be a power of two, mem.spread a multiple of 256");
    else if (c->mem.base % c->mem.align || c->mem.local_base % 4096)
        hd_diag_add(d, NULL, 0, 0,
                    "mem.base must be a multiple of mem.align, mem.local_base of 4096");
    check_collectors(s, d);
    check_pipes(c, d);
    if (s->schedulers % s->subcores)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "sm.schedulers (%u) must be a multiple of sm.subcores (%u)",
                                 s->schedulers, s->subcores),
                     "each sub-core has as many schedulers as the others; sm.schedulers=%u gives "
                     "each one",
                     s->subcores);
    if (s->warps % s->schedulers)
        hd_diag_add(d, NULL, 0, 0, "sm.warps (%u) must be a multiple of sm.schedulers (%u)",
                    s->warps, s->schedulers);
    check_matrices(c, d);
    if (c->gpu.memory == HD_MEM_CROSSBAR)
        check_crossbar(c, d);
    return d->n == before;
}

static bool apply(struct load *l, const char *set)
{
    const char *dot = strchr(set, '.'), *equals = strchr(set, '=');
    struct hd_arena *a = l->arena;

    if (!dot || !equals || dot > equals) {
        struct hd_diag_entry *e =
            hd_diag_add(l->diag, NULL, 0, 0, "--set %.150s: expected section.key=value", set);
        if (equals)
            hd_configkeys_near(e, "", hd_arena_strndup(a, set, (size_t)(equals - set)));
        else if (dot)
            hd_diag_hint(e, "a value is missing: %.80s=VALUE", set);
        if (!e->hint[0])
            hd_diag_hint(e, "as in --set sm.warps=24; 'heddle explain sm' lists the keys of an SM");
        return false;
    }
    return set_key(l, hd_arena_strndup(a, set, (size_t)(dot - set)),
                   hd_arena_strndup(a, dot + 1, (size_t)(equals - dot - 1)), equals + 1, NULL, 0);
}

// The folder of this code: that of the program, or of a shared library (libcuda.so.1) that another
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
    // Beside the program; or two folders up, as in the build tree.
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
    static const char *const folders[] = {"gpus", "papers", "workloads"};
    const char *given = getenv("HEDDLE_DATA");
    char path[PATH_MAX];

    if (!given || !*given)
        return true;
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
        if (snprintf(path, sizeof path, "%s/%s", given, folders[i]) < (int)sizeof path &&
            !access(path, R_OK))
            return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "HEDDLE_DATA is '%s', which is no data folder", given),
                 "expected a folder with gpus, papers or workloads inside");
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
    struct stat is;

    if (data)
        return hd_arena_printf(a, "%s/%s", data, inside);
    bool is_file = !stat(gpu, &is) && S_ISREG(is.st_mode);
    if (is_file && refuse_gpgpusim(a, gpu, d))
        return NULL;
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no GPU '%s'", gpu);
    if (is_file)
        hd_diag_hint(e, "did you mean the file ./%s?", gpu);
    else
        hd_diag_nearest(e, gpu, hd_config_names(a, "gpus", ".ini", NULL));
    if (!e->hint[0])
        hd_diag_hint(e, "'heddle list gpus' shows those that are known");
    return NULL;
}

// A machine that does not name its memory would get one of fixed latency, with cycles that mean
// nothing.
static bool names_memory(const struct load *l, const char *path)
{
    if (!l->memory_named)
        hd_diag_hint(
            hd_diag_add(l->diag, path, 0, 0, "this machine has no memory: nothing sets gpu.memory"),
            "'include = " DEFAULT_BASE "' as the first line makes it a GTX 480 with "
            "the file's changes; docs/machine.md");
    return l->memory_named;
}

// The file that `gpu` means; NULL with a diagnostic if it is a name without a file.
static const char *machine_path(struct hd_arena *a, const char *gpu, struct hd_diag *d)
{
    size_t n = strlen(gpu);
    bool is_path = strchr(gpu, '/') || (n > 4 && !strcmp(gpu + n - 4, ".ini"));

    return is_path ? gpu : find_machine(a, gpu, d);
}

static void take_defaults(struct hd_config *out)
{
    memset(out, 0, sizeof *out);
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        hd_fields_defaults(s->rows, out);
}

const char **hd_config_files(struct hd_arena *a, const char *gpu)
{
    struct load l = {.arena = a, .config = HD_NEW(a, hd_config), .diag = HD_NEW(a, hd_diag)};
    const char *path = machine_path(a, gpu, l.diag);

    take_defaults(l.config);
    if (path)
        read_file(&l, path, 0, NULL);
    *HD_PUSH(a, l.files, l.n_files, l.cap_files) = NULL;
    return l.files;
}

const struct hd_config_line *hd_config_lines(struct hd_arena *a, const char *gpu, size_t *n)
{
    struct load l = {
        .arena = a, .config = HD_NEW(a, hd_config), .diag = HD_NEW(a, hd_diag), .listing = true};
    const char *path = machine_path(a, gpu, l.diag);

    take_defaults(l.config);
    if (path)
        read_file(&l, path, 0, NULL);
    *n = l.n_lines;
    return l.lines;
}

// What comes after the keys of files: those of the command line, and checks.
static bool finish(struct load *l, const char *path, const char *const *sets, unsigned n_sets)
{
    for (unsigned i = 0; i < n_sets; i++)
        if (!apply(l, sets[i]))
            return false;
    if (!names_memory(l, path) || !hd_configsize_apply(&l->sizes, l->config, l->diag))
        return false;
#ifdef HD_STRESS
    shrink(l->config);
#endif
    return check(l->config, l->diag);
}

bool hd_config_load(struct hd_arena *a, const char *gpu, const char *const *sets, unsigned n_sets,
                    struct hd_config *out, struct hd_diag *d)
{
    struct load l = {.arena = a, .config = out, .diag = d};
    const char *base = strrchr(gpu, '/');

    take_defaults(out);
    if (!hd_config_data_check(d))
        return false;
    const char *path = machine_path(a, gpu, d);
    if (!path)
        return false;
    size_t n = strlen(gpu);
    bool is_path = path == gpu;
    base = base ? base + 1 : gpu;
    snprintf(out->name, sizeof out->name, "%s", base);
    if (is_path && n > 4 && !strcmp(out->name + strlen(out->name) - 4, ".ini"))
        out->name[strlen(out->name) - 4] = '\0';
    if (!read_file(&l, path, 0, NULL))
        return false;
    return finish(&l, path, sets, n_sets);
}

// Sets one key of another reader's. Messages name its source.
static bool build_line(struct load *l, const struct hd_config_line *line)
{
    const char *dot = strchr(line->key, '.');
    unsigned before = l->diag->n;

    if (set_key(l, hd_arena_strndup(l->arena, line->key, (size_t)(dot - line->key)), dot + 1,
                line->value, line->file, line->line))
        return true;
    if (l->diag->n > before) {
        struct hd_diag_entry *e = &l->diag->entries[before];
        const char *why = hd_arena_strdup(l->arena, e->text);
        snprintf(e->text, sizeof e->text, "%s: %s", line->from, why);
    }
    return false;
}

bool hd_config_build(struct hd_arena *a, const char *name, const char *path,
                     const struct hd_config_line *lines, size_t n_lines, const char *const *sets,
                     unsigned n_sets, struct hd_config *out, struct hd_diag *d)
{
    struct load l = {.arena = a, .config = out, .diag = d};
    bool good = true;

    take_defaults(out);
    snprintf(out->name, sizeof out->name, "%s", name);
    for (size_t i = 0; i < n_lines; i++)
        good = build_line(&l, &lines[i]) && good;
    return good && finish(&l, path, sets, n_sets);
}
