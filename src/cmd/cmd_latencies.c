// cmd_latencies.c - heddle explain for instructions: pipe, latency and interval on a machine, the
// keys that hold them, and where the numbers come from.
//
// Sources are the comments of the machine's files (base/configsource.h), so that they stand beside
// the numbers, also in a user's own file. A number without a source is called a guess.
#include "cmd/cmd_latencies.h"

#include "base/configsource.h"
#include "base/fields.h"
#include "gpgpusim/simmachine.h"
#include "isa/op.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#define ALL "latency"
#define MOST_NAMES 8 // of mnemonics in a cell

static const struct {
    const char *key, *insns; // insns: what stands in the list of all classes
} classes[HD_N_LAT_OPS] = {
    [HD_LAT_ADD] = {"add", "add, sub"},
    [HD_LAT_MINMAX] = {"minmax", "min, max"},
    [HD_LAT_MUL] = {"mul", "mul"},
    [HD_LAT_MAD] = {"mad", "mad"},
    [HD_LAT_FMA] = {"fma", "fma"},
    [HD_LAT_DIV] = {"div", "div"},
    [HD_LAT_TRANS] = {"trans", "rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh"},
    [HD_LAT_OTHER] = {"other", "all others: mov, setp, cvt, vote, bra ..."},
    [HD_LAT_MMA] = {"mma", "wmma.mma"},
    [HD_LAT_SHFL] = {"shfl", "shfl"},
};
static const char *const types[HD_N_PIPE_TYPES] = {"int", "fp16", "fp32", "fp64"};
static const char *const columns[HD_N_PIPE_TYPES] = {"int", "int", "fp32", "fp64"};
static const char *const matrices[HD_N_PIPE_TYPES] = {"s8, u8, s4, u4, b1", NULL,
                                                      "f16, bf16, tf32, fp8", "f64"};

// What GPGPU-Sim 4.2 does not execute, so that no latency of its is meant for it.
static const char unknown[] = "mma.sync movmatrix match redux elect cp.async mbarrier setmaxnreg "
                              "griddepcontrol";

struct cell { // operations of one class and type
    const char *names[MOST_NAMES];
    unsigned n;
};

struct show {
    const struct hd_cmd_options *o;
    struct hd_arena *arena;
    const char *name;
    size_t most; // of it that is a word of the tables
    bool all;
    struct hd_config config;
    const struct hd_config_line *lines, *base; // of the machine, and of the default one
    size_t n_lines, n_base;
    struct hd_sheet *sheet;
    bool matrices; // some are shown
    bool key;      // any key of the machine, not a latency
};

static bool begins(const char *text, size_t n, const char *with, size_t m)
{
    return n >= m && !strncasecmp(text, with, m) && (n == m || text[m] == '.' || text[m] == ':');
}

// How much of the name the longest of the words is that it begins with.
static size_t longest(const char *words, const char *name, size_t most)
{
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n > most && begins(name, strlen(name), at, n))
            most = n;
        at += n;
    }
    return most;
}

// An operation of PTX that a pipe serves, not the load/store unit.
static bool in_pipe(int op)
{
    return hd_op_info[op].name[0] != '(' && hd_op_info[op].unit != HD_UNIT_LDST;
}

// Whether the name is the beginning of one of the words at a dot, or one of the words is as much of
// the name as any word is (`most`): "cp.async.bulk.shared.global.L2" does not mean cp.async.
static bool named(const char *words, const char *name, size_t most)
{
    size_t length = strlen(name);

    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (length && (begins(at, n, name, length) || (n == most && begins(name, length, at, n))))
            return true;
        at += n;
    }
    return false;
}

static size_t longest_of_all(const char *name)
{
    size_t most = 0;

    for (int op = 0; op < HD_N_OPS; op++)
        if (in_pipe(op))
            most = longest(hd_op_info[op].name, name, most);
    for (const struct hd_cmd_latencypath *p = hd_cmd_latencypaths; p->names; p++)
        most = longest(p->names, name, most);
    return most;
}

bool hd_cmd_latencies_means(const char *name)
{
    size_t most = longest_of_all(name);
    bool found = !strcasecmp(name, ALL);

    for (int op = 0; op < HD_N_OPS && !found; op++)
        found = in_pipe(op) && named(hd_op_info[op].name, name, most);
    for (unsigned i = 0; i < HD_N_LAT_OPS && !found; i++)
        found = !strcasecmp(classes[i].key, name);
    for (const struct hd_cmd_latencypath *p = hd_cmd_latencypaths; p->names && !found; p++)
        found = named(p->names, name, most);
    return found;
}

static enum hd_pipe_type type_of(unsigned type)
{
    switch (type) {
    case HD_F16:
    case HD_F16X2:
    case HD_BF16:
    case HD_BF16X2:
        return HD_PIPE_TYPE_FP16;
    case HD_F32:
        return HD_PIPE_TYPE_FP32;
    case HD_F64:
        return HD_PIPE_TYPE_FP64;
    default:
        return HD_PIPE_TYPE_INT;
    }
}

// The first type that the name has after a mnemonic ("f32" of "add.rn.f32"), HD_N_TYPES if none.
static unsigned type_named(const char *name)
{
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
        for (unsigned t = 0; t < HD_N_TYPES; t++) {
            size_t n = strlen(hd_type_names[t]);
            if (!strncasecmp(dot + 1, hd_type_names[t], n) && (!dot[1 + n] || dot[1 + n] == '.'))
                return t;
        }
    return HD_N_TYPES;
}

// Whether an operation of this class comes in operands of the type. The type of a product of
// matrices is that of its result, and halves count as fp32 (docs/sm.md).
static bool has_type(const struct show *s, int op, enum hd_pipe_type t)
{
    bool mma = hd_op_info[op].lat_op == HD_LAT_MMA;
    unsigned wanted = s->all ? HD_N_TYPES : type_named(s->name);

    if (wanted < HD_N_TYPES) {
        enum hd_pipe_type w = type_of(wanted);
        if (t != (mma && w == HD_PIPE_TYPE_FP16 ? HD_PIPE_TYPE_FP32 : w))
            return false;
    }
    return mma ? t != HD_PIPE_TYPE_FP16 : type_of(hd_op_info[op].type) == t;
}

static bool is_meant(const struct show *s, int op)
{
    const struct hd_op_info *o = &hd_op_info[op];

    return in_pipe(op) && (s->all || named(o->name, s->name, s->most) ||
                           !strcasecmp(classes[o->lat_op].key, s->name));
}

// Enters the first n letters of the name.
static void note(struct hd_arena *a, struct cell *c, const char *name, size_t n)
{
    for (unsigned i = 0; i < c->n && i < MOST_NAMES; i++)
        if (strlen(c->names[i]) == n && !strncmp(c->names[i], name, n))
            return;
    if (c->n < MOST_NAMES)
        c->names[c->n] = hd_arena_strndup(a, name, n);
    c->n++;
}

// Whether all instructions of the class are meant.
static bool whole(const struct show *s, enum hd_lat_op class)
{
    return s->all || !strcasecmp(classes[class].key, s->name);
}

static struct cell collect(const struct show *s, enum hd_lat_op class, enum hd_pipe_type t,
                           bool guessed)
{
    struct cell c = {.n = 0};

    for (int op = 0; op < HD_N_OPS; op++) {
        const char *name = hd_op_info[op].name;
        size_t n = longest(unknown, name, 0);
        if (hd_op_info[op].lat_op == class && is_meant(s, op) && has_type(s, op, t) &&
            (n > 0) == guessed)
            note(s->arena, &c, name, whole(s, class) && guessed ? n : strlen(name));
    }
    return c;
}

static const char *names_text(const struct show *s, const struct cell *c)
{
    const char *text = "";

    if (c->n > MOST_NAMES)
        return hd_arena_printf(s->arena, "%s%s", s->all ? c->names[0] : s->name,
                               s->all ? " ..." : ".*");
    for (unsigned i = 0; i < c->n && i < MOST_NAMES; i++)
        text = hd_arena_printf(s->arena, "%s%s%s", text, i ? ", " : "", c->names[i]);
    return text;
}

static bool overridden(const struct show *s, const char *key)
{
    size_t n = strlen(key);

    for (size_t i = 0; i < s->o->sets.n; i++)
        if (!strncmp(s->o->sets.items[i], key, n) && s->o->sets.items[i][n] == '=')
            return true;
    return false;
}

// Where the value of a key comes from. A key that no file sets has the default, which is the value
// of the default machine; that machine's file may have the source.
static const char *source_of(const struct show *s, const char *key)
{
    if (overridden(s, key))
        return "--set on the command line";
    struct hd_configsource at = hd_configsource_find(s->arena, s->lines, s->n_lines, key);
    const char *who = "";
    if (!at.file) {
        at = hd_configsource_find(s->arena, s->base, s->n_base, key);
        who = "default, as ";
    }
    if (!at.file)
        return s->key ? "the default" : "a guess: heddle's default, which no file sets";
    const char *slash = strrchr(at.file, '/'), *file = slash ? slash + 1 : at.file;
    return hd_arena_printf(s->arena, at.line ? "%s%s:%" PRIu32 ": %s" : "%s%s%.0" PRIu32 ": %s",
                           who, file, at.line,
                           *at.text ? at.text
                           : s->key ? "no source is named"
                                    : "a guess: the file names no source");
}

static void add_class(struct show *s, enum hd_lat_op class, enum hd_pipe_type t, bool guessed)
{
    struct cell c = collect(s, class, t, guessed);
    struct hd_sheet *sheet = s->sheet;
    unsigned column = t == HD_PIPE_TYPE_FP32   ? HD_COL_FP32
                      : t == HD_PIPE_TYPE_FP64 ? HD_COL_FP64
                                               : HD_COL_INT;
    const struct hd_latency *l = &s->config.latency[HD_LAT(class, column)];

    if (!c.n)
        return;
    s->matrices |= class == HD_LAT_MMA;
    const char *key = hd_arena_printf(s->arena, "latency.%s.%s", classes[class].key, columns[t]);
    hd_sheet_add(sheet, whole(s, class) && !guessed ? classes[class].insns : names_text(s, &c));
    hd_sheet_add(sheet, class == HD_LAT_MMA ? matrices[t] : types[t]);
    hd_sheet_add(sheet, hd_unit_names[s->config.pipe[HD_PIPE_CLASS(class, t)]]);
    hd_sheet_addf(sheet, "%" PRIu32, l->latency);
    hd_sheet_addf(sheet, "%" PRIu32, l->interval);
    hd_sheet_add(sheet, key);
    hd_sheet_add(sheet, hd_arena_printf(s->arena, "%s%s%s",
                                        guessed ? "a guess: GPGPU-Sim does not have it; as " : "",
                                        !guessed              ? ""
                                        : class == HD_LAT_MMA ? "wmma.mma: "
                                                              : "all others: ",
                                        source_of(s, key)));
}

// The value of "section.key" as text.
static const char *value_of(const struct show *s, const char *key)
{
    const char *dot = strchr(key, '.');
    const struct hd_config_section *section =
        hd_configkeys_find(hd_arena_strndup(s->arena, key, (size_t)(dot - key)));
    char text[HD_FIELD_NAME_MAX];

    return hd_arena_strdup(s->arena, hd_fields_text(hd_fields_find(section->rows, dot + 1),
                                                    &s->config, text, sizeof text));
}

static bool holds(const struct hd_config *c, enum hd_cmd_when when)
{
    switch (when) {
    case HD_CMD_CROSSBAR:
        return c->gpu.memory == HD_MEM_CROSSBAR;
    case HD_CMD_FLAT:
        return c->gpu.memory != HD_MEM_CROSSBAR;
    case HD_CMD_L1D:
        return c->l1d.enabled;
    case HD_CMD_ALWAYS:
        break;
    }
    return true;
}

// The words of a row that were asked for.
static const char *shown(const struct show *s, const char *names, size_t most)
{
    struct cell c = {.n = 0};

    for (const char *at = names; *at; at += strspn(at, " ")) {
        const char *word = hd_arena_strndup(s->arena, at, strcspn(at, " "));
        if (s->all || named(word, s->name, most))
            note(s->arena, &c, word, strlen(word));
        at += strlen(word);
    }
    if (s->all && c.n > 3)
        return hd_arena_printf(s->arena, "%s ...", c.names[0]);
    return names_text(s, &c);
}

static void add_path(struct show *s, const struct hd_cmd_latencypath *p)
{
    struct hd_sheet *sheet = s->sheet;

    if (!holds(&s->config, p->when) || (!s->all && !named(p->names, s->name, s->most)))
        return;
    hd_sheet_add(sheet, shown(s, p->names, s->most));
    hd_sheet_add(sheet, p->of);
    hd_sheet_add(sheet, strcmp(p->interval, "-") ? "LDST" : "-");
    hd_sheet_add(sheet, p->key ? value_of(s, p->key) : p->cycles);
    hd_sheet_add(sheet, p->interval);
    hd_sheet_add(sheet, p->key ? p->key : "-");
    const char *own = p->key ? source_of(s, p->key) : NULL;
    hd_sheet_add(sheet, !p->source ? own
                        : !own     ? p->source
                                   : hd_arena_printf(s->arena, "%s: %s", p->source, own));
}

static void add_measured(const struct show *s, struct hd_sheets *sheets)
{
    static const char *const heads[] = {"INSTRUCTION", "OF", "GPU", "CYCLES", "SOURCE"};
    struct hd_sheet *sheet = NULL;
    size_t most = 0;

    for (const struct hd_cmd_latencymeasured *m = hd_cmd_latencymeasured; m->names; m++)
        most = longest(m->names, s->name, most);
    for (const struct hd_cmd_latencymeasured *m = hd_cmd_latencymeasured; m->names; m++) {
        if (!s->all && !named(m->names, s->name, most))
            continue;
        if (!sheet) {
            sheet = hd_sheet_new(sheets, "measured", "measured on GPUs, for comparison", "lllrl");
            for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
                hd_sheet_add(sheet, heads[i]);
        }
        hd_sheet_add(sheet, shown(s, m->names, most));
        hd_sheet_add(sheet, m->of);
        hd_sheet_add(sheet, m->gpu);
        hd_sheet_add(sheet, m->cycles);
        hd_sheet_add(sheet, m->source);
    }
    if (sheet)
        hd_sheet_note(sheet, "The model does not use these numbers. A measured latency contains "
                             "issue, operands and writeback, which the model has apart. They are "
                             "copied from digests: look into the paper before you cite one.");
}

// Reads the machine of the options.
static bool read_machine(struct show *s, struct hd_diag *d)
{
    const char *gpu = s->o->gpu ? s->o->gpu : HD_CMD_DEFAULT_GPU;

    if (!hd_cmd_machine_config(s->o, &s->config, d))
        return false;
    s->lines = hd_simmachine_lines(s->arena, gpu, &s->n_lines);
    s->base = hd_config_lines(s->arena, HD_CMD_DEFAULT_GPU, &s->n_base);
    return true;
}

static void make(struct show *s, struct hd_sheets *sheets)
{
    static const char *const heads[] = {"INSTRUCTION", "OF",  "PIPE",  "CYCLES",
                                        "INTERVAL",    "KEY", "SOURCE"};

    s->sheet =
        hd_sheet_new(sheets, "latencies",
                     hd_arena_printf(s->arena, "latencies on %s", s->config.name), "lllrrll");
    for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s->sheet, heads[i]);
    for (unsigned class = 0; class < HD_N_LAT_OPS; class ++)
        for (unsigned t = 0; t < HD_N_PIPE_TYPES; t++)
            for (unsigned guessed = 0; guessed < 2; guessed++)
                add_class(s, (enum hd_lat_op) class, (enum hd_pipe_type)t, guessed);
    for (const struct hd_cmd_latencypath *p = hd_cmd_latencypaths; p->names; p++)
        add_path(s, p);
    hd_sheet_note(s->sheet,
                  "CYCLES: in the pipe or the part. INTERVAL: cycles until that pipe accepts the "
                  "next instruction. Reading operands and writing results take further cycles "
                  "(docs/sm.md). SOURCE: what the machine's file says; words with underscores are "
                  "options of GPGPU-Sim.");
    if (s->matrices && !s->config.sm.mma_fixed)
        hd_sheet_note(s->sheet, "Matrices: a product with 2^n times the work of the smallest one "
                                "takes 2^n intervals (docs/sm.md).");
    add_measured(s, sheets);
}

int hd_cmd_latencies_show(const struct hd_cmd_options *o, const char *name)
{
    struct show s = {.o = o,
                     .arena = o->arena,
                     .name = name,
                     .most = longest_of_all(name),
                     .all = !strcasecmp(name, ALL)};
    struct hd_sheets sheets = {.arena = o->arena};
    struct hd_diag d = {0};

    if (!hd_cmd_places_check(o, false, &d) || !read_machine(&s, &d))
        return hd_cmd_options_fail(&d);
    make(&s, &sheets);
    return hd_cmd_sheets_write(o, &sheets) ? HD_EXIT_OK : HD_EXIT_USER;
}

bool hd_cmd_latencies_key(const struct hd_cmd_options *o, const char *key, struct hd_diag *d)
{
    struct show s = {
        .o = o, .arena = o->arena, .name = key, .key = strncmp(key, ALL ".", strlen(ALL ".")) != 0};

    if (!read_machine(&s, d))
        return false;
    hd_cmd_wrap_print(hd_arena_printf(o->arena, "on %s: %s (%s)", s.config.name, value_of(&s, key),
                                      source_of(&s, key)),
                      2);
    return true;
}
