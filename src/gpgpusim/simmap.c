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

// An option of version 4 that changes cycles. -gpgpu_shmem_sizeDefault and the like (CORE) do not:
// files of version 3 that were written before version 4 have them, too.
static bool only_in_4(const struct hd_simoption *o)
{
    return !o->default3 && (o->how == HD_SIM_KEY || o->how == HD_SIM_LACK ||
                            (o->how == HD_SIM_PART && o->which != HD_SIMPART_CORE));
}

static void find_version(struct hd_simmap *m)
{
    unsigned n = widths(m->file, hd_simoptions_find("-gpgpu_pipeline_widths"));
    bool later = false;

    m->version = HD_SIM_322;
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        const char *given = setting(m, o)->value;
        bool cache = o->how == HD_SIM_PART && strstr(o->name, "cache:");
        enum hd_simversion is = given && cache ? by_cache(given) : HD_SIM_322;
        if (is > m->version)
            m->version = is;
        later |= given && only_in_4(o);
    }
    if (n > 7 || (later && n != 7))
        m->version = HD_SIM_4;
}

static void key(struct hd_simmap *m, const struct hd_simoption *o)
{
    uint32_t v = 0;

    if (hd_simkeys_number(m, o->name, &v))
        hd_simkeys_emit(m, o, o->keys, "%" PRIu32, v);
}

// Options that need no function of their own.
static void plain(struct hd_simmap *m, const struct hd_simoption *o)
{
    const char *value = hd_simkeys_value(m, o);
    bool given = hd_simkeys_given(m, o), four = m->version == HD_SIM_4, holes = m->holes;

    if (!given && (four ? !o->default4 : !o->default3))
        return;
    if (given && !four && only_in_4(o)) {
        hd_simkeys_lack(m, o, HD_SIMLACK_VERSION4, "");
        return;
    }
    if (o->how == HD_SIM_KEY) {
        key(m, o);
    } else if (o->how == HD_SIM_MUST && !hd_simoptions_accepts(o->keys, value)) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "heddle models only %s",
                                       hd_simoptions_values(m->arena, o->keys)),
                     "%s", o->note);
        m->holes = holes;
    } else if (o->how == HD_SIM_LACK && !hd_simoptions_accepts(o->keys, value)) {
        hd_simkeys_lack(m, o, (enum hd_simlack)o->which, "");
        m->holes = holes;
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
                        "heddle does not model %s: %s", name->what, text);
        hd_diag_hint(e, "%s", name->hint);
    }
}

struct line {
    const char *key, *value, *from;
};

static void lines(struct hd_simmap *m, const struct line *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hd_simkeys_line(m, NULL, rows[i].key, rows[i].value, rows[i].from);
}

// What no option says: the same in all machines of the version.
static void fixed(struct hd_simmap *m)
{
    static const struct line all[] = {
        {"sm.reg_round", "4", "occupancy rounds registers up to 4"},
        {"sm.fetch_insts", "2", "two 8-byte instructions for each fetch"},
        {"net.header", "8", "of a packet, in the source of the reference"},
    };
    static const struct line three[] = {
        {"l1i.refill", "0", "3.2.2 fetches again after a miss"},
        {"latency.fma.int", "1/1", "version 3 does not list fma"},
        {"latency.fma.fp32", "1/1", "version 3 does not list fma"},
        {"latency.fma.fp64", "1/1", "version 3 does not list fma"},
    };
    // From the source of 4.2; gpus/rtx2060.ini names the functions.
    static const struct line four[] = {
        {"l1i.refill", "1", "since February 2015"},
        {"sm.path_order", "1", "since July 2014: the not-taken path runs last"},
        {"sm.issue_rotates", "1", "version 4: another scheduler goes first in each cycle"},
        {"sm.collector_late", "1", "version 4: collectors work after execution"},
        {"sm.collector_wide", "1", "version 4: a collector reads several banks at once"},
        {"sm.collector_once", "1", "version 4: equal source registers are read once"},
        {"sm.writes_apart", "1", "version 4: registers of a load in one bank are written apart"},
        {"sm.whole_vectors", "0", "version 4: an access has the size of one element of a vector"},
        {"sm.mma_fixed", "1", "version 4: matrices of all shapes take the same time"},
        {"latency.other.int", "1/1", "version 4 lists no others"},
        {"latency.other.fp32", "1/1", "version 4 lists no others"},
        {"latency.other.fp64", "1/1", "version 4 lists no others"},
        {"l2.load_readout", "0", "version 4: reads of a line that a load replaces are free"},
        {"launch.first_sm", "0", "version 4: the first block goes to SM 0"},
        {"mem.base", "0xC0000000", "version 4: where global memory begins"},
        {"mem.local_base", "0x1F880000", "version 4: where local memory begins"},
    };

    lines(m, all, sizeof all / sizeof *all);
    if (m->version == HD_SIM_4) {
        lines(m, four, sizeof four / sizeof *four);
        return;
    }
    lines(m, three, sizeof three / sizeof *three);
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

// Properties of version 4's machines that surprise when cycles are compared with other simulators.
static void warn_about_version_4(struct hd_simmap *m)
{
    const struct hd_simoption *o = hd_simoptions_find("-gpgpu_kernel_launch_latency");
    const char *value = hd_simkeys_value(m, o);

    if (m->version != HD_SIM_4)
        return;
    if (m->shuffles)
        hd_simkeys_warn(m, m->shuffles,
                        "the sixth number, shfl's, is missing, and the reference then reads one "
                        "that nothing has set",
                        "heddle takes 21 cycles, one in 4, as the reference's QV100 has them; six "
                        "numbers in -ptx_opcode_latency_int and -ptx_opcode_initiation_int set "
                        "others");
    if (!hd_simoptions_accepts("0", value))
        hd_simkeys_warn(m, o,
                        hd_arena_printf(m->arena,
                                        "%s cycles of each kernel pass before its first block",
                                        value),
                        "as in the reference, they count in its cycles; --set launch.latency=0 is "
                        "without them");
    if (hd_simkeys_on(m, "-gpgpu_perf_sim_memcpy"))
        hd_simkeys_warn(m, hd_simoptions_find("-gpgpu_perf_sim_memcpy"),
                        "what the host copies to memory is in the L2 when a kernel starts",
                        "--set l2.copies=0 leaves it in the DRAM");
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
    hd_simpipes_read(m);
    hd_simcaches_read(m);
    hd_simnet_read(m);
    hd_simdram_read(m);
    fixed(m);
    report_lacks(m);
    if (m->bad)
        return false;
    warn_later(m);
    warn_power(m);
    warn_about_version_4(m);
    return true;
}
