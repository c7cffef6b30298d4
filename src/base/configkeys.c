// configkeys.c - the tables of heddle/config.h as data, and the key that a wrong word means.
#include "base/configkeys.h"

#include "base/fields.h"
#include "heddle/bits.h"

#include <string.h>

#define WORD(NAME, name, ...) #name,
static const char *const mem_models[] = {HD_MEM_MODELS(WORD) NULL};
static const char *const bounds[] = {HD_BOUNDS(WORD) NULL};
static const char *const owners[] = {HD_OWNERS(WORD) NULL};
static const char *const dram_commands[] = {HD_DRAM_COMMANDS(WORD) NULL};
static const char *const dram_indexings[] = {HD_DRAM_INDEXINGS(WORD) NULL};
static const char *const collector_heads[] = {HD_COLLECTOR_HEADS(WORD) NULL};
static const char *const launch_streams[] = {HD_LAUNCH_STREAMS(WORD) NULL};
static const char *const units[] = {HD_PIPE_UNITS(WORD) NULL};
static const char *const replacements[] = {HD_REPLACEMENTS(WORD) NULL};
static const char *const point_merges[] = {HD_POINTS_MERGES(WORD) NULL};
static const char *const point_bits[] = {HD_POINTS_BITS(WORD) NULL};
static const char *const point_ats[] = {HD_POINTS_ATS(WORD) NULL};
static const char *const point_jumps[] = {HD_POINTS_JUMPS(WORD) NULL};
static const char *const point_pers[] = {HD_POINTS_PERS(WORD) NULL};
static const char *const requeue_orders[] = {HD_REQUEUE_ORDERS(WORD) NULL};
static const char *const requeue_units[] = {HD_REQUEUE_UNITS(WORD) NULL};
static const char *const requeue_idles[] = {HD_REQUEUE_IDLES(WORD) NULL};
static const char *const requeue_retries[] = {HD_REQUEUE_RETRIES(WORD) NULL};
#undef WORD

#define U(at, key, def, lo, hi, unit, help)                                                        \
    {#key, unit, help, NULL, def, lo, hi, offsetof(struct hd_config, at.key), HD_FIELD_U32},
#define E(at, key, words, def, help)                                                               \
    {#key, "", help, words, def, 0, 0, offsetof(struct hd_config, at.key), HD_FIELD_ENUM},
#define LAT(key, class, column, def)                                                               \
    {key,                                                                                          \
     "cycles",                                                                                     \
     "latency/initiation interval",                                                                \
     NULL,                                                                                         \
     def,                                                                                          \
     1,                                                                                            \
     900,                                                                                          \
     offsetof(struct hd_config, latency[HD_LAT(class, column)]),                                   \
     HD_FIELD_PAIR},
#define L(key, class, i, f, d)                                                                     \
    LAT(#key ".int", class, HD_COL_INT, i)                                                         \
    LAT(#key ".fp32", class, HD_COL_FP32, f) LAT(#key ".fp64", class, HD_COL_FP64, d)
#define PIPE(key, class, type, def)                                                                \
    {key,                                                                                          \
     "",                                                                                           \
     "pipe that serves these operations",                                                          \
     units,                                                                                        \
     def,                                                                                          \
     0,                                                                                            \
     0,                                                                                            \
     offsetof(struct hd_config, pipe[HD_PIPE_CLASS(class, type)]),                                 \
     HD_FIELD_ENUM},
#define P(key, class, i, h, f, d)                                                                  \
    PIPE(#key ".int", class, HD_PIPE_TYPE_INT, i)                                                  \
    PIPE(#key ".fp16", class, HD_PIPE_TYPE_FP16, h)                                                \
    PIPE(#key ".fp32", class, HD_PIPE_TYPE_FP32, f) PIPE(#key ".fp64", class, HD_PIPE_TYPE_FP64, d)
#define ROWS(at, KEYS) static const struct hd_field at##_rows[] = {KEYS(U, E) HD_FIELD_END};
#define LATENCY_ROWS(at)                                                                           \
    static const struct hd_field at##_rows[] = {HD_LATENCY_KEYS(L) HD_FIELD_END};
#define PIPE_ROWS(at) static const struct hd_field at##_rows[] = {HD_PIPE_KEYS(P) HD_FIELD_END};
HD_CONFIG_SECTIONS(ROWS, LATENCY_ROWS, PIPE_ROWS)

#define SECTION(at, ...) {#at, at##_rows},
static const struct hd_config_section sections[] = {
    HD_CONFIG_SECTIONS(SECTION, SECTION, SECTION){NULL, NULL},
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

// Other names of keys: words of other simulators, of CUDA and of data sheets. A word with a dot is
// valid in that section only; without a dot it is valid in all sections.
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
// The same for a key in any section that has the right one, and for sections.
static const char *const key_words[][2] = {
    {"assoc", "ways"},      {"associativity", "ways"}, {"bytes", "size"},
    {"capacity", "size"},   {"line_size", "line"},     {"line_bytes", "line"},
    {"block_size", "line"}, {"mshr", "mshrs"},         {"mshr_entries", "mshrs"},
    {"hash", "hashed"},     {"n_sets", "sets"},        {"n_ways", "ways"},
    {"enable", "enabled"},  {"off", "enabled"},
};
static const char *const section_words[][2] = {
    {"core", "sm"},        {"shader", "sm"},    {"l1", "l1d"},     {"dl1", "l1d"},
    {"dcache", "l1d"},     {"il1", "l1i"},      {"icache", "l1i"}, {"const", "l1c"},
    {"tex", "l1t"},        {"texture", "l1t"},  {"dl2", "l2"},     {"llc", "l2"},
    {"memory", "dram"},    {"mem", "dram"},     {"icnt", "net"},   {"noc", "net"},
    {"network", "net"},    {"clocks", "clock"}, {"cdp", "launch"}, {"car", "requeue"},
    {"newcar", "requeue"},
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

// A cache also has a size, which determines its sets (configsize.h).
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
