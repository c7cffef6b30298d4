// simcaches.c - the caches of an SM and the L2. See simparts.h.
#include "gpgpusim/simcache.h"
#include "gpgpusim/simnumber.h"
#include "gpgpusim/simparts.h"

#include <inttypes.h>
#include <string.h>

// What a cache of heddle's is, in the letters of the reference.
struct kind {
    const char *option, *section;
    char write, allocate, write_allocate, mshr;
    const char *sets; // set index functions that heddle has
    enum hd_simlack lack;
};

static const struct kind kinds[] = {
    {"-gpgpu_cache:il1", "l1i", 'R', 'f', 'N', 'A', "L", HD_SIMLACK_CACHES},
    {"-gpgpu_const_cache:l1", "l1c", 'R', 'f', 'N', 'A', "L", HD_SIMLACK_CACHES},
    {"-gpgpu_cache:dl1", "l1d", 'L', 'm', 'N', 'A', "LH", HD_SIMLACK_L1},
    {"-gpgpu_tex_cache:l1", "l1t", 'R', 'm', 'N', 'F', "L", HD_SIMLACK_CACHES},
    {"-gpgpu_cache:dl2", "l2", 'B', 'm', 'W', 'A', "L", HD_SIMLACK_L2},
};
// The same with sectors, in version 4. A miss fetches a sector, also one that was stored to.
static const struct kind sectored[] = {
    {"-gpgpu_cache:dl1", "l1d", 'T', 'm', 'L', 'A', "L", HD_SIMLACK_L1},
    {"-gpgpu_cache:dl2", "l2", 'B', 'm', 'L', 'A', "LP", HD_SIMLACK_L2},
};

struct letters { // that differ from heddle's cache
    struct hd_simmap *m;
    const char *text;
};

static const char *meaning(char got)
{
    switch (got) {
    case 'F':
        return "first in, first out";
    case 'S':
        return "sectors";
    case 'T':
        return "through";
    case 'E':
        return "evict";
    case 's':
        return "streaming";
    case 'B':
        return "back";
    case 'H':
    case 'P':
    case 'X':
        return "a hash";
    case 'W':
        return "allocate";
    default:
        return "";
    }
}

static void letter(struct letters *l, const char *what, char got, char wanted)
{
    const char *means = meaning(got);

    if (got != wanted)
        l->text = hd_arena_printf(l->m->arena, "%s%s%s %c%s%s%s", l->text, *l->text ? ", " : "",
                                  what, got, *means ? " (" : "", means, *means ? ")" : "");
}

static bool has_sectors(const struct kind *k)
{
    return k >= sectored && k < sectored + sizeof sectored / sizeof *sectored;
}

static bool adaptive(const struct hd_simmap *m)
{
    return m->version == HD_SIM_4 && hd_simkeys_on(m, "-gpgpu_adaptive_cache_config");
}

// False if the letters describe another cache than heddle's.
static bool same_cache(struct hd_simmap *m, const struct hd_simoption *o, const struct kind *k,
                       const struct hd_simcache *c)
{
    struct letters l = {.m = m, .text = ""};
    bool four = m->version == HD_SIM_4;

    if (four && c->kind && !has_sectors(k))
        letter(&l, "kind", c->kind, 'N');
    letter(&l, "replacement", c->replace, 'L');
    letter(&l, "writes", c->write, k->write);
    letter(&l, "allocation", c->allocate, k->allocate);
    letter(&l, "allocation by writes", c->write_allocate, k->write_allocate);
    if (c->set && !strchr(k->sets, c->set))
        letter(&l, "set index", c->set, 'L');
    // In version 4, S and T ask a sectored cache for lines that have one sector.
    if (!four || (c->mshr != 'S' && c->mshr != 'T'))
        letter(&l, "MSHRs", c->mshr, k->mshr);
    if (!*l.text)
        return true;
    if (four)
        hd_simkeys_lack(m, o, k->lack, l.text);
    else
        hd_diag_hint(hd_simkeys_refuse(m, o, "%s is not heddle's %s", l.text, k->section),
                     "which is ...,L:%c:%c:%c,%c:...%s", k->write, k->allocate, k->write_allocate,
                     k->mshr,
                     c->replace != 'L' ? hd_arena_printf(m->arena,
                                                         "; with L, --set %s.replace=fifo "
                                                         "replaces lines in their order",
                                                         k->section)
                                       : "");
    return false;
}

static void key(struct hd_simmap *m, const struct hd_simoption *o, const struct kind *k,
                const char *name, uint32_t value)
{
    hd_simkeys_emit(m, o, hd_arena_printf(m->arena, "%s.%s", k->section, name), "%" PRIu32, value);
}

static void keys(struct hd_simmap *m, const struct hd_simoption *o, const struct kind *k,
                 const struct hd_simcache *c)
{
    bool texture = !strcmp(k->section, "l1t"), l1d = !strcmp(k->section, "l1d");
    bool l2 = !strcmp(k->section, "l2");

    key(m, o, k, "sets", c->sets);
    if (!l1d || !adaptive(m))
        key(m, o, k, "ways", c->ways);
    key(m, o, k, "line", c->line);
    if (l1d || l2)
        key(m, o, k, "sector", has_sectors(k) ? 32 : c->line);
    key(m, o, k, texture ? "fragments" : "mshrs", c->entries);
    key(m, o, k, texture ? "requests" : "merges", c->merges);
    key(m, o, k, texture ? "rob" : "miss_queue", c->queue);
    if (texture && c->results)
        key(m, o, k, "results", c->results);
    else if (texture)
        hd_simkeys_refuse(m, o, "a texture cache needs a result queue, ...:ENTRIES at its end");
    if (l2) // without a width the port is as wide as a line
        key(m, o, k, "port", c->port ? c->port : c->line);
    if (l1d || l2)
        key(m, o, k, "hashed", c->set == 'H' || c->set == 'P');
}

// The KB that shared memory may have, as bits of 4 KB each; 0 after a diagnostic.
static uint32_t shared_sizes(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_shmem_option");
    uint32_t kb[16], mask = 0;
    unsigned n = hd_simnumber_list(hd_simkeys_value(m, o), ',', 16, kb);

    if (!n)
        hd_simkeys_refuse(m, o, "expected numbers of KB, at most 16 of them");
    for (unsigned i = 0; i < n; i++) {
        if (kb[i] % 4 || kb[i] >= 128) {
            hd_simkeys_refuse(m, o, "%" PRIu32 " KB are no multiple of 4 below 128", kb[i]);
            return 0;
        }
        mask |= UINT32_C(1) << kb[i] / 4;
    }
    return mask;
}

// The L1D has what shared memory leaves of the memory of both; as many ways as if that were all.
static void unified(struct hd_simmap *m, const struct hd_simcache *c)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_unified_l1d_size");
    const struct hd_simoption *l1d = hd_simoptions_find("-gpgpu_cache:dl1");
    const struct hd_simoption *sizes = hd_simoptions_find("-gpgpu_shmem_option");
    uint32_t kb = 0, mask = shared_sizes(m);
    uint64_t set = (uint64_t)c->sets * c->line, own = set * c->ways;

    if (!hd_simkeys_number(m, o->name, &kb))
        return;
    if (!kb || kb > 1 << 20 || !own || kb * UINT64_C(1024) % own) {
        hd_simkeys_refuse(m, o, "expected KB that are a multiple of the %" PRIu64 " bytes of %s",
                          own, hd_simkeys_from(m, l1d));
        return;
    }
    hd_simkeys_line(
        m, o, "l1d.ways", hd_arena_printf(m->arena, "%" PRIu64, kb * UINT64_C(1024) / set),
        hd_arena_printf(m->arena, "%s, -gpgpu_adaptive_cache_config 1", hd_simkeys_from(m, o)));
    hd_simkeys_emit(m, o, "l1d.unified", "%" PRIu64, kb * UINT64_C(1024));
    hd_simkeys_emit(m, sizes, "l1d.shared_sizes", "0x%" PRIX32, mask);
}

// What version 4 says of the L1D beside its string.
static void l1d_of_4(struct hd_simmap *m, const struct hd_simcache *c)
{
    const struct hd_simoption *ratio = hd_simoptions_find("-gpgpu_l1_cache_write_ratio");
    const struct hd_simoption *latency = hd_simoptions_find("-gpgpu_l1_latency");
    const struct hd_simoption *banks = hd_simoptions_find("-gpgpu_l1_banks");
    uint32_t n = 0;

    if (adaptive(m) && c->kind == 'S')
        unified(m, c);
    else if (adaptive(m))
        hd_simkeys_lack(m, hd_simoptions_find("-gpgpu_adaptive_cache_config"), HD_SIMLACK_L1,
                        "without sectors");
    if (hd_simkeys_number(m, ratio->name, &n) && (!n || c->kind == 'S'))
        hd_simkeys_emit(m, ratio, "l1d.dirty_limit", "%" PRIu32, n);
    else if (n)
        hd_simkeys_lack(m, ratio, HD_SIMLACK_L1, "without sectors");
    if (!hd_simkeys_number(m, latency->name, &n))
        return;
    hd_simkeys_emit(m, latency, "l1d.latency", "%" PRIu32, n);
    if (c->kind != 'S') {
        hd_simkeys_line(m, NULL, "l1d.stores_pass", "1", "version 4: stores need no line");
        hd_simkeys_line(m, NULL, "l1d.victims_astray", "1",
                        "version 4: the address that they are sent to is the new line's");
    }
    if (n && hd_simkeys_number(m, banks->name, &n)) // without queues there are no banks
        hd_simkeys_emit(m, banks, "l1d.banks", "%" PRIu32, n);
}

static void flush(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_flush_l1_cache");
    bool on = hd_simkeys_on(m, o->name);

    if (m->version == HD_SIM_4)
        hd_simkeys_emit(m, o, "l1d.flush", "%d", on);
    else if (on)
        hd_diag_hint(hd_simkeys_refuse(m, o, "heddle models only 0 in version 3"),
                     "the L1D keeps its lines from kernel to kernel");
}

static void perfect(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_perfect_inst_const_cache");
    bool on = m->version == HD_SIM_4 && hd_simkeys_on(m, o->name);

    hd_simkeys_line(m, o, "l1i.perfect", on ? "1" : "0",
                    m->version == HD_SIM_4 ? hd_simkeys_from(m, o) : "version 3");
    hd_simkeys_line(m, o, "l1c.perfect", on ? "1" : "0",
                    m->version == HD_SIM_4 ? hd_simkeys_from(m, o) : "version 3");
    if (on)
        hd_simkeys_emit(m, o, "l1c.at_once", "1");
}

// Whether accesses may be longer than a sector.
static bool long_accesses(struct hd_simmap *m)
{
    const char *arch = hd_simkeys_named(m, "-gpgpu_coalesce_arch");
    uint64_t below;

    return hd_simnumber_read(arch, strlen(arch), 39, &below);
}

// Requests of 64 bytes come from stores, or from constants.
static void halves(struct hd_simmap *m, const struct hd_simcache *l2)
{
    if (l2->kind == 'S' &&
        (long_accesses(m) || !hd_simkeys_on(m, "-gpgpu_perfect_inst_const_cache")))
        hd_simkeys_line(m, NULL, "l2.halves_astray", "1",
                        "version 4: the addresses of their sectors are not their own");
}

static void copies(struct hd_simmap *m, const struct hd_simcache *l2)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_perf_sim_memcpy");
    bool on = hd_simkeys_on(m, o->name);

    if (on && l2->kind != 'S')
        hd_simkeys_lack(m, o, HD_SIMLACK_L2, "without sectors");
    else
        hd_simkeys_emit(m, o, "l2.copies", "%d", on);
}

static void read_cache(struct hd_simmap *m, const struct kind *k)
{
    const struct hd_simoption *o = hd_simoptions_find(k->option);
    const char *text = hd_simkeys_value(m, o), *wrong;
    bool l1d = !strcmp(k->section, "l1d"), four = m->version == HD_SIM_4;
    struct hd_simcache c;

    if (l1d)
        key(m, o, k, "enabled", strcmp(text, "none") != 0);
    if (!strcmp(text, "none")) {
        if (!l1d)
            hd_diag_hint(hd_simkeys_refuse(m, o, "only the L1 data cache can be left out"),
                         "l1i.perfect, l1c.perfect and l1t.perfect are caches that always hit");
        return;
    }
    wrong = hd_simcache_read(text, &c);
    if (!wrong && four && !c.kind)
        wrong = "version 4 expects N: or S:, without or with sectors, in front";
    if (wrong) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "%s", wrong),
                     "%ssets:line:ways,L:%c:%c:%c%s,%c:entries:merges,queue", four ? "N:" : "",
                     k->write, k->allocate, k->write_allocate, four ? ":L" : "", k->mshr);
        return;
    }
    for (size_t i = 0; four && c.kind == 'S' && i < sizeof sectored / sizeof *sectored; i++)
        if (!strcmp(sectored[i].section, k->section))
            k = &sectored[i];
    if (!same_cache(m, o, k, &c))
        return;
    if (l1d && has_sectors(k) && long_accesses(m))
        hd_simkeys_lack(m, o, HD_SIMLACK_SECTORS, "");
    keys(m, o, k, &c);
    if (four && l1d)
        l1d_of_4(m, &c);
    if (four && !strcmp(k->section, "l2")) {
        halves(m, &c);
        copies(m, &c);
    }
}

void hd_simcaches_read(struct hd_simmap *m)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        read_cache(m, &kinds[i]);
    perfect(m);
    flush(m);
}
