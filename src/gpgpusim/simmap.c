// simmap.c - see simmap.h.
#include "gpgpusim/simmap.h"

#include "gpgpusim/simnumber.h"
#include "gpgpusim/simparts.h"

#include <inttypes.h>
#include <string.h>

static const struct hd_simsetting *setting(const struct hd_simmap *m, const struct hd_simoption *o)
{
    return &m->file->settings[hd_simoptions_index(o)];
}

// How many numbers the pipeline widths have: the reference of version 3 has three kinds of pipes.
static unsigned widths(const struct hd_simfile *file, const struct hd_simoption *o)
{
    const char *text = file->settings[hd_simoptions_index(o)].value;
    unsigned n = text != NULL;

    for (; text && *text; text++)
        n += *text == ',';
    return n;
}

// Cache strings of version 4 begin with a letter, those of 2014 have five letters.
static enum hd_simversion by_cache(const char *text)
{
    const char *comma = strchr(text, ',');
    unsigned colons = 0;

    if (text[0] && text[1] == ':' && (text[0] < '0' || text[0] > '9'))
        return HD_SIM_4;
    for (const char *c = comma ? comma + 1 : ""; *c && *c != ','; c++)
        colons += *c == ':';
    return colons == 4 ? HD_SIM_2014 : HD_SIM_322;
}

static void find_version(struct hd_simmap *m)
{
    const struct hd_simoption *pipes = hd_simoptions_find("-gpgpu_pipeline_widths");
    unsigned n = widths(m->file, pipes);
    bool only4 = false;

    m->version = HD_SIM_322;
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        const char *given = setting(m, o)->value;
        bool cache = o->how == HD_SIM_PART && strstr(o->name, "cache:");
        enum hd_simversion is = given && cache ? by_cache(given) : HD_SIM_322;
        bool later = given && o->how == HD_SIM_LACK && !o->default3;
        if (is > m->version)
            m->version = is;
        if ((is == HD_SIM_4 || later) && !m->shown4)
            m->shown4 = o;
        only4 |= later;
    }
    if (n > 7)
        m->shown4 = pipes;
    if (n > 7 || (only4 && n != 7))
        m->version = HD_SIM_4;
}

// Options that need no function of their own.
static void plain(struct hd_simmap *m, const struct hd_simoption *o)
{
    const char *value = hd_simkeys_value(m, o), *absent = o->default4;
    uint64_t v = 0;

    // Version 3 does not have it: only a file can give it. Text of version 3 has defaults.
    if (!setting(m, o)->value && (m->version == HD_SIM_4 ? !absent : !o->default3))
        return;
    if (o->how == HD_SIM_KEY) {
        if (hd_simnumber_read(value, strlen(value), UINT32_MAX, &v))
            hd_simkeys_emit(m, o, o->keys, "%" PRIu64, v);
        else
            hd_simkeys_refuse(m, o, "expected a number from 0 to %" PRIu32, UINT32_MAX);
    } else if (o->how == HD_SIM_MUST && !hd_simoptions_accepts(o->keys, value)) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "heddle models only %s",
                                       hd_simoptions_values(m->arena, o->keys)),
                     "%s", o->note);
    } else if (o->how == HD_SIM_LACK && !hd_simoptions_accepts(o->keys, value)) {
        hd_simkeys_lack(m, o, (enum hd_simlack)o->which, "");
    }
}

// One diagnostic for each part that is missing, with its options.
static void report_lacks(struct hd_simmap *m)
{
    for (unsigned i = 0; i < HD_N_SIMLACKS; i++) {
        const struct hd_simlackname *name = &hd_simoptions_lacks[i];
        const struct hd_simsetting *first = NULL;
        const char *text = "";
        for (size_t k = 0; k < m->lacks[i].n; k++) {
            const struct hd_simlackitem *item = &m->lacks[i].items[k];
            const struct hd_simsetting *s = setting(m, item->option);
            const char *line = s->value ? hd_arena_printf(m->arena, "line %u", s->line) : "";
            first = s->value && !first ? s : first;
            text = hd_arena_printf(
                m->arena, "%s%s%s%s%s%s%s%s", text, k ? ", " : "", hd_simkeys_from(m, item->option),
                *line || *item->detail ? " (" : "", line, *line && *item->detail ? ": " : "",
                item->detail, *line || *item->detail ? ")" : "");
        }
        if (!m->lacks[i].n)
            continue;
        struct hd_diag_entry *e =
            hd_diag_add(m->diag, first ? first->file : m->file->path, first ? first->line : 0, 0,
                        "heddle does not read %s from a file of GPGPU-Sim: %s", name->what, text);
        hd_diag_hint(e, "%s", name->hint);
    }
}

// What no option says: the same in all machines of the version.
static void fixed(struct hd_simmap *m)
{
    static const char *const lines[][3] = {
        {"sm.reg_round", "4", "occupancy rounds registers up to 4"},
        {"sm.fetch_insts", "2", "two 8-byte instructions for each fetch"},
        {"l1i.refill", "0", "3.2.2 fetches again after a miss"},
        {"latency.fma.int", "1/1", "version 3 does not list fma"},
        {"latency.fma.fp32", "1/1", "version 3 does not list fma"},
        {"latency.fma.fp64", "1/1", "version 3 does not list fma"},
        {"net.header", "8", "of a packet, in the source of the reference"},
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        hd_simkeys_line(m, NULL, lines[i][0], lines[i][1], lines[i][2]);
    hd_simkeys_line(m, NULL, "sm.path_order", m->version == HD_SIM_322 ? "0" : "1",
                    m->version == HD_SIM_322 ? "3.2.2: the path of the highest lane runs last"
                                             : "since July 2014: the not-taken path runs last");
}

static void warn_later(struct hd_simmap *m)
{
    if (m->version != HD_SIM_2014)
        return;
    struct hd_diag_entry *e =
        hd_diag_add(m->diag, m->file->path, 0, 0,
                    "the caches' strings are those of July 2014 and later, so sm.path_order is 1");
    e->warning = true;
    hd_diag_hint(e, "for versions since February 2015, add --set l1i.refill=1");
}

static void warn_power(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-power_simulation_enabled");
    const struct hd_simsetting *s = setting(m, o);

    if (s->value && strcmp(s->value, "0") != 0)
        hd_diag_add(m->diag, s->file, s->line, 0, "%s has no effect: heddle has no model of power",
                    o->name)
            ->warning = true;
}

bool hd_simmap_make(struct hd_arena *a, const struct hd_simfile *file, struct hd_simmap *out,
                    struct hd_diag *d)
{
    struct hd_simmap *m = out;

    *m = (struct hd_simmap){.arena = a, .file = file, .diag = d};
    find_version(m);
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++)
        plain(m, o);
    hd_simparts_read(m);
    hd_simcaches_read(m);
    hd_simnet_read(m);
    hd_simdram_read(m);
    fixed(m);
    if (m->version == HD_SIM_4)
        hd_simkeys_lack(m, m->shown4, HD_SIMLACK_VERSION4, "");
    report_lacks(m);
    if (m->bad)
        return false;
    warn_later(m);
    warn_power(m);
    return true;
}
