// simcaches.c - the caches of an SM and the L2. See simparts.h.
#include "gpgpusim/simcache.h"
#include "gpgpusim/simparts.h"

#include <inttypes.h>
#include <string.h>

// What a cache of heddle's is, in the letters of the reference.
struct kind {
    const char *option, *section;
    char write, allocate, write_allocate, mshr;
    enum hd_simlack lack; // of version 4: the part that its letters ask for
};

static const struct kind kinds[] = {
    {"-gpgpu_cache:il1", "l1i", 'R', 'f', 'N', 'A', HD_SIMLACK_ICACHE},
    {"-gpgpu_const_cache:l1", "l1c", 'R', 'f', 'N', 'A', HD_SIMLACK_ICACHE},
    {"-gpgpu_cache:dl1", "l1d", 'L', 'm', 'N', 'A', HD_SIMLACK_L1},
    {"-gpgpu_tex_cache:l1", "l1t", 'R', 'm', 'N', 'F', HD_SIMLACK_L1},
    {"-gpgpu_cache:dl2", "l2", 'B', 'm', 'W', 'A', HD_SIMLACK_L2},
};

struct letters { // that differ from heddle's cache
    struct hd_simmap *m;
    const struct hd_simoption *o;
    enum hd_simlack lack;
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

// False if the letters describe another cache than heddle's.
static bool same_cache(struct hd_simmap *m, const struct hd_simoption *o, const struct kind *k,
                       const struct hd_simcache *c)
{
    struct letters l = {.m = m, .o = o, .lack = k->lack, .text = ""};
    bool four = m->version == HD_SIM_4, l1d = !strcmp(k->section, "l1d");

    if (four && c->kind)
        letter(&l, "kind", c->kind, 'N');
    letter(&l, "replacement", c->replace, 'L');
    letter(&l, "writes", c->write, k->write);
    letter(&l, "allocation", c->allocate, k->allocate);
    letter(&l, "allocation by writes", c->write_allocate, k->write_allocate);
    if (c->set && !(l1d && c->set == 'H'))
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
    bool texture = !strcmp(k->section, "l1t"), l2 = !strcmp(k->section, "l2");

    key(m, o, k, "sets", c->sets);
    key(m, o, k, "ways", c->ways);
    key(m, o, k, "line", c->line);
    key(m, o, k, texture ? "fragments" : "mshrs", c->entries);
    key(m, o, k, texture ? "requests" : "merges", c->merges);
    key(m, o, k, texture ? "rob" : "miss_queue", c->queue);
    if (texture && c->results)
        key(m, o, k, "results", c->results);
    else if (texture)
        hd_simkeys_refuse(m, o, "a texture cache needs a result queue, ...:ENTRIES at its end");
    if (l2) // without a width the port is as wide as a line
        key(m, o, k, "port", c->port ? c->port : c->line);
    if (!strcmp(k->section, "l1d"))
        key(m, o, k, "hashed", c->set == 'H');
    if (!strcmp(k->section, "l1i") || !strcmp(k->section, "l1c"))
        key(m, o, k, "perfect", 0);
}

void hd_simcaches_read(struct hd_simmap *m)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        const struct hd_simoption *o = hd_simoptions_find(k->option);
        const char *text = hd_simkeys_value(m, o), *wrong;
        bool l1d = !strcmp(k->section, "l1d");
        struct hd_simcache c;
        if (l1d)
            key(m, o, k, "enabled", strcmp(text, "none") != 0);
        if (!strcmp(text, "none")) {
            if (!l1d)
                hd_diag_hint(hd_simkeys_refuse(m, o, "only the L1 data cache can be left out"),
                             "l1i.perfect, l1c.perfect and l1t.perfect are caches that always hit");
            continue;
        }
        wrong = hd_simcache_read(text, &c);
        if (wrong)
            hd_diag_hint(hd_simkeys_refuse(m, o, "%s", wrong),
                         "sets:line:ways,L:%c:%c:%c,%c:entries:merges,queue", k->write, k->allocate,
                         k->write_allocate, k->mshr);
        else if (same_cache(m, o, k, &c))
            keys(m, o, k, &c);
    }
}
