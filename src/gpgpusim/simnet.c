// simnet.c - the network: -network_mode and the file that -inter_config_file names. See simparts.h.
//
// The file has lines "name = value;", // and /* */ comments. heddle's network is a butterfly of one
// stage, which is a crossbar, with iSLIP allocators; sizes of its buffers are read, everything else
// must be as the model has it.
#include "base/file.h"
#include "gpgpusim/simnumber.h"
#include "gpgpusim/simparts.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN 60
#define N_FIELDS (sizeof fields / sizeof *fields)

enum use { SIZE, MUST, IGNORED };

static const struct field {
    const char *name, *absent; // what holds if the file does not give it
    const char *values;        // MUST: the accepted ones
    enum use use;
} fields[] = {
    {"flit_size", "32", "", SIZE},
    {"vc_buf_size", "8", "", SIZE},
    {"input_buffer_size", "0", "", SIZE},
    {"ejection_buffer_size", "0", "", SIZE},
    {"boundary_buffer_size", "16", "", SIZE},
    {"k", "8", "", SIZE},
    {"topology", "torus", "fly", MUST},
    {"n", "2", "1", MUST},
    {"c", "1", "1", MUST},
    {"routing_function", "none", "dest_tag", MUST},
    {"subnets", "1", "2", MUST},
    {"num_vcs", "16", "1", MUST},
    {"vc_allocator", "islip", "islip", MUST},
    {"sw_allocator", "islip", "islip", MUST},
    {"alloc_iters", "1", "1", MUST},
    {"credit_delay", "0", "0", MUST},
    {"routing_delay", "1", "0", MUST},
    {"vc_alloc_delay", "1", "1", MUST},
    {"sw_alloc_delay", "1", "1", MUST},
    {"st_prepare_delay", "0", "0", MUST},
    {"st_final_delay", "1", "1", MUST},
    {"output_delay", "0", "0", MUST},
    {"output_extra_latency", "0", "0", MUST},
    {"input_speedup", "1", "1|2", MUST},
    {"output_speedup", "1", "1", MUST},
    {"internal_speedup", "1.0", "1.0|1|2.0|2", MUST},
    {"output_buffer_size", "-1", "-1", MUST},
    {"buf_size", "-1", "-1", MUST},
    {"buffer_policy", "private", "private", MUST},
    {"router", "iq", "iq", MUST},
    {"arb_type", "round_robin", "round_robin", MUST},
    {"wait_for_tail_credit", "0", "0", MUST},
    {"vc_busy_when_full", "0", "0", MUST},
    {"hold_switch_for_packet", "0", "0", MUST},
    {"speculative", "0", "0", MUST},
    {"noq", "0", "0", MUST},
    {"priority", "none", "none", MUST},
    {"use_map", "1", "0", MUST},
    {"perfect_icnt", "0", "0", MUST},
    {"fixed_lat_per_hop", "0", "0", MUST},
    {"sim_type", "latency", "gpgpusim", MUST},
    {"read_request_subnet", "0", "0", MUST},
    {"read_reply_subnet", "0", "1", MUST},
    {"write_request_subnet", "0", "0", MUST},
    {"write_reply_subnet", "0", "1", MUST},
    {"read_request_begin_vc", "0", "0", MUST},
    {"read_request_end_vc", "5", "0", MUST},
    {"write_request_begin_vc", "2", "0", MUST},
    {"write_request_end_vc", "7", "0", MUST},
    {"read_reply_begin_vc", "8", "0", MUST},
    {"read_reply_end_vc", "13", "0", MUST},
    {"write_reply_begin_vc", "10", "0", MUST},
    {"write_reply_end_vc", "15", "0", MUST},
    {"network_count", "2", "", IGNORED},
    {"traffic", "uniform", "", IGNORED},
    {"packet_size", "1", "", IGNORED},
    {"packet_size_rate", "1", "", IGNORED},
    {"injection_rate", "0.1", "", IGNORED},
    {"injection_process", "bernoulli", "", IGNORED},
    {"use_read_write", "0", "", IGNORED},
    {"seed", "0", "", IGNORED},
    {"print_activity", "0", "", IGNORED},
    {"viewer_trace", "0", "", IGNORED},
    {"watch_out", "", "", IGNORED},
    {"sim_power", "0", "", IGNORED},
    {"enable_link_stats", "0", "", IGNORED},
    {"MATLAB_OUTPUT", "0", "", IGNORED},
    {"DISPLAY_LAT_DIST", "0", "", IGNORED},
    {"DISPLAY_HOP_DIST", "0", "", IGNORED},
    {"DISPLAY_PAIR_LATENCY", "0", "", IGNORED},
};

struct given {
    const char *value; // NULL: not in the file
    uint32_t line;
};

struct net {
    struct hd_simmap *m;
    const char *path, *rest;
    uint32_t line;
    struct given given[N_FIELDS];
    uint64_t sizes[N_FIELDS]; // of rows SIZE
};

static struct hd_diag_entry *refuse(struct net *n, uint32_t line, const char *what)
{
    n->m->bad = true;
    return hd_diag_add(n->m->diag, n->path, line, 0, "%s", what);
}

// Blanks and comments.
static void skip(struct net *n)
{
    for (;; n->rest++) {
        if (n->rest[0] == '/' && n->rest[1] == '/') {
            n->rest += strcspn(n->rest, "\n");
        } else if (n->rest[0] == '/' && n->rest[1] == '*') {
            const char *end = strstr(n->rest + 2, "*/");
            end = end ? end + 1 : n->rest + strlen(n->rest) - 1;
            for (; n->rest < end; n->rest++)
                n->line += *n->rest == '\n';
            continue;
        }
        n->line += *n->rest == '\n';
        if (*n->rest != ' ' && (*n->rest < '\t' || *n->rest > '\r'))
            return;
    }
}

// Up to a character of `stops`, without blanks at its end.
static const char *until(struct net *n, const char *stops)
{
    size_t all = strcspn(n->rest, stops), used = all;

    while (used &&
           (n->rest[used - 1] == ' ' || (n->rest[used - 1] >= '\t' && n->rest[used - 1] <= '\r')))
        used--;
    const char *word = hd_arena_strndup(n->m->arena, n->rest, used);
    for (size_t i = 0; i < all; i++)
        n->line += n->rest[i] == '\n';
    n->rest += all;
    return word;
}

static void store(struct net *n, const char *name, const char *value, uint32_t line)
{
    const char *names[N_FIELDS + 1];
    size_t i = 0;

    for (size_t k = 0; k <= N_FIELDS; k++)
        names[k] = k < N_FIELDS ? fields[k].name : NULL;
    while (i < N_FIELDS && strcmp(fields[i].name, name) != 0)
        i++;
    if (i < N_FIELDS) {
        n->given[i] = (struct given){value, line};
        return;
    }
    struct hd_diag_entry *e = refuse(
        n, line,
        hd_arena_printf(n->m->arena, "'%.*s' is no parameter of the network that heddle knows",
                        SHOWN, name));
    hd_diag_nearest(e, name, names);
    if (!e->hint[0])
        hd_diag_hint(e, "it may change the network; heddle's is a crossbar with iSLIP allocators");
}

static bool read_lines(struct net *n)
{
    for (skip(n); *n->rest; skip(n)) {
        uint32_t line = n->line;
        const char *name = until(n, "=;\n");
        if (*n->rest != '=') {
            refuse(n, line,
                   hd_arena_printf(n->m->arena, "expected 'name = value;', found '%.*s'", SHOWN,
                                   name));
            return false;
        }
        n->rest++;
        n->rest += strspn(n->rest, " \t");
        const char *value = until(n, ";\n");
        if (*n->rest != ';') {
            hd_diag_hint(
                refuse(n, line,
                       hd_arena_printf(n->m->arena, "the line of '%.*s' has no ';'", SHOWN, name)),
                "expected 'name = value;'");
            return false;
        }
        n->rest++;
        store(n, name, value, line);
    }
    return true;
}

static const char *value_of(const struct net *n, size_t i)
{
    return n->given[i].value ? n->given[i].value : fields[i].absent;
}

static void check(struct net *n)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        const char *value = value_of(n, i);
        const char *absent = n->given[i].value ? "" : " (default)";
        if (fields[i].use == MUST && !hd_simoptions_accepts(fields[i].values, value))
            hd_diag_hint(
                refuse(n, n->given[i].line,
                       hd_arena_printf(n->m->arena, "%s = %.*s%s: heddle models only %s",
                                       fields[i].name, SHOWN, value, absent,
                                       hd_simoptions_values(n->m->arena, fields[i].values))),
                "the network is a crossbar as in the configurations of a GTX 480");
        if (fields[i].use == SIZE &&
            !hd_simnumber_read(value, strlen(value), UINT32_MAX, &n->sizes[i]))
            refuse(n, n->given[i].line,
                   hd_arena_printf(n->m->arena, "%s = %.*s: expected a number", fields[i].name,
                                   SHOWN, value));
    }
}

static size_t field(const char *name)
{
    size_t i = 0;

    while (strcmp(fields[i].name, name) != 0)
        i++;
    return i;
}

static void key(struct net *n, size_t i, const char *key, uint64_t value, const char *why)
{
    struct hd_simmap *m = n->m;
    const char *from = hd_arena_printf(m->arena, "%s %s%s%s", fields[i].name, value_of(n, i),
                                       n->given[i].value ? "" : " (default)", why);

    hd_simkeys_line(m, NULL, key, hd_arena_printf(m->arena, "%" PRIu64, value), from);
    m->lines[m->n_lines - 1].file = n->path;
    m->lines[m->n_lines - 1].line = n->given[i].line;
}

// The network has a port for each SM and each sub-partition.
static void check_ports(struct net *n, size_t i)
{
    uint64_t sms = 0, channels = 0, subs = 0;
    const char *a = hd_simkeys_named(n->m, "-gpgpu_n_clusters");
    const char *b = hd_simkeys_named(n->m, "-gpgpu_n_mem");
    const char *c = hd_simkeys_named(n->m, "-gpgpu_n_sub_partition_per_mchannel");

    if (!hd_simnumber_read(a, strlen(a), 1 << 20, &sms) ||
        !hd_simnumber_read(b, strlen(b), 1 << 20, &channels) ||
        !hd_simnumber_read(c, strlen(c), 1 << 20, &subs))
        return; // reported with the key
    if (n->sizes[i] < sms + channels * subs)
        hd_diag_hint(refuse(n, n->given[i].line,
                            hd_arena_printf(n->m->arena,
                                            "k = %" PRIu64 " ports are fewer than the %" PRIu64
                                            " SMs and %" PRIu64 " sub-partitions",
                                            n->sizes[i], sms, channels * subs)),
                     "k = %" PRIu64 ";", sms + channels * subs);
}

static void read_file(struct hd_simmap *m, const struct hd_simoption *o, const char *path)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(m->arena, path, &bytes, err);
    struct net *n = HD_NEW(m->arena, net);
    size_t i;

    *n = (struct net){.m = m, .path = path, .rest = text, .line = 1};
    if (!text) {
        hd_diag_hint(hd_simkeys_refuse(m, o, "%s", err),
                     "the network's file is looked for beside the file that names it");
        return;
    }
    m->net = path;
    if (strlen(text) != bytes) {
        refuse(n, 0, "byte 0x00 in the text");
        return;
    }
    if (!read_lines(n))
        return;
    check(n);
    check_ports(n, 5);
    key(n, 0, "net.flit", n->sizes[0], "");
    key(n, 1, "net.router", n->sizes[1], "");
    key(n, 2, "net.source", n->sizes[2] ? n->sizes[2] : 9, n->sizes[2] ? "" : ": 9");
    if (n->sizes[3])
        key(n, 3, "net.eject", n->sizes[3], "");
    else
        key(n, 1, "net.eject", n->sizes[1], ", because ejection_buffer_size is 0");
    key(n, 4, "net.boundary", n->sizes[4], "");
    i = field("internal_speedup");
    key(n, i, "net.internal_speedup", (uint64_t)(value_of(n, i)[0] - '0'), "");
}

// The built-in crossbar of version 4.
static void local(struct hd_simmap *m, const struct hd_simoption *mode)
{
    static const char *const queues[][3] = {
        {"-icnt_in_buffer_limit", "net.source", "net.router"},
        {"-icnt_out_buffer_limit", "net.boundary", "net.eject"}};
    uint32_t n = 0;

    hd_simkeys_emit(m, mode, "gpu.memory", "crossbar");
    hd_simkeys_emit(m, mode, "net.local", "1");
    hd_simkeys_line(m, mode, "net.flit", "256", "version 4: a packet of any size is one unit");
    for (unsigned i = 0; i < 2; i++) {
        if (!hd_simkeys_number(m, queues[i][0], &n))
            continue;
        hd_simkeys_emit(m, hd_simoptions_find(queues[i][0]), queues[i][1], "%" PRIu32, n);
        hd_simkeys_emit(m, hd_simoptions_find(queues[i][0]), queues[i][2], "%" PRIu32, n);
    }
}

void hd_simnet_read(struct hd_simmap *m)
{
    const struct hd_simoption *mode = hd_simoptions_find("-network_mode");
    const struct hd_simoption *o = hd_simoptions_find("-inter_config_file");
    const struct hd_simsetting *s = &m->file->settings[hd_simoptions_index(o)];
    const char *which = hd_simkeys_value(m, mode);

    bool four = m->version == HD_SIM_4;

    if (four && hd_simoptions_accepts("2", which)) {
        local(m, mode);
        return;
    }
    if (!hd_simoptions_accepts("1", which)) {
        hd_diag_hint(hd_simkeys_refuse(m, mode, "heddle models only %s", four ? "1 and 2" : "1"),
                     "1 is a network of intersim2, described by -inter_config_file%s",
                     four ? "; 2 is the built-in crossbar" : "");
        return;
    }
    hd_simkeys_emit(m, mode, "gpu.memory", "crossbar");
    if (!s->value)
        hd_diag_hint(hd_simkeys_refuse(m, o, "a mesh is not modelled"),
                     "name the file of a crossbar, such as config_fermi_islip.icnt");
    else
        read_file(m, o, hd_file_beside(m->arena, s->file, s->value));
}
