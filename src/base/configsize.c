// configsize.c - sizes of caches. See configsize.h.
#include "base/configsize.h"

#include "base/configkeys.h"
#include "base/fields.h"

#include <inttypes.h>
#include <string.h>

// clang-format off
#define ROWS(name, help) \
    static const struct hd_field name[] = { \
        {"size", "bytes", help, NULL, "0", 32, UINT32_MAX, offsetof(struct hd_configsize, bytes), HD_FIELD_U64}, \
        HD_FIELD_END, \
    }
ROWS(of_one, "the whole cache; its sets are size / (ways x line)");
ROWS(of_all, "the whole L2, all its banks; the sets of a bank are size / (dram.channels x dram.subs x ways x line)");
// clang-format on

static const struct {
    const char *section;
    const struct hd_field *rows;
    size_t sets, ways, line; // in struct hd_config
} caches[HD_CONFIG_CACHES] = {
#define CACHE(name, rows)                                                                          \
    {                                                                                              \
#name, rows, offsetof(struct hd_config, name.sets), offsetof(struct hd_config, name.ways), \
            offsetof(struct hd_config, name.line)                                                  \
    }
    CACHE(l1i, of_one), CACHE(l1c, of_one), CACHE(l1d, of_one),
    CACHE(l1t, of_one), CACHE(l2, of_all),
};

static unsigned find(const char *section)
{
    unsigned i = 0;

    while (i < HD_CONFIG_CACHES && strcmp(caches[i].section, section))
        i++;
    return i;
}

const struct hd_field *hd_configsize_row(const char *section)
{
    unsigned i = find(section);

    return i < HD_CONFIG_CACHES ? caches[i].rows : NULL;
}

bool hd_configsize_set(struct hd_configsizes *s, const char *section, const char *value,
                       struct hd_diag *d, const char *file, uint32_t line)
{
    struct hd_configsize *into = &s->of[find(section)];
    char what[80];

    snprintf(what, sizeof what, "section [%.60s]", section);
    into->file = file;
    into->line = line;
    return hd_fields_set(hd_configsize_row(section), into, what, "size", value, d, file, line);
}

void hd_configsize_forget(struct hd_configsizes *s, const char *section)
{
    if (hd_configsize_row(section))
        s->of[find(section)].bytes = 0;
}

static uint32_t *at(struct hd_config *c, size_t offset)
{
    return (uint32_t *)(void *)((char *)c + offset);
}

static bool power_of_two(uint64_t v)
{
    return v && !(v & (v - 1));
}

// Suggests possible sizes near it with these ways, and ways that make this size.
static void suggest(struct hd_diag_entry *e, const char *name, uint64_t bytes, uint64_t set,
                    uint32_t ways, uint64_t max)
{
    uint64_t way = set / ways, low = 1;
    uint32_t other = 0;

    for (uint32_t w = 1; w <= 64; w++) {
        uint64_t sets = bytes / (way * w), to = w > ways ? w - ways : ways - w;
        if (bytes % (way * w) == 0 && power_of_two(sets) && sets <= max &&
            (!other || to < (other > ways ? other - ways : ways - other)))
            other = w;
    }
    while (low * 2 <= max && low * 2 * set <= bytes)
        low *= 2;
    if (other)
        hd_diag_hint(e,
                     "with %s.ways=%u it is %" PRIu64 " sets; with %u ways, sizes are %" PRIu64
                     ", %" PRIu64 " and so on",
                     name, other, bytes / (way * other), ways, low * set, 2 * low * set);
    else
        hd_diag_hint(e, "with %u ways, sizes are %" PRIu64 ", %" PRIu64 " and so on", ways,
                     low * set, 2 * low * set);
}

bool hd_configsize_apply(const struct hd_configsizes *s, struct hd_config *c, struct hd_diag *d)
{
    unsigned before = d->n;

    for (unsigned i = 0; i < HD_CONFIG_CACHES; i++) {
        const struct hd_configsize *want = &s->of[i];
        const char *name = caches[i].section;
        uint64_t banks = caches[i].rows == of_all ? (uint64_t)c->dram.channels * c->dram.subs : 1;
        uint32_t ways = *at(c, caches[i].ways), line = *at(c, caches[i].line);
        uint64_t set = banks * ways * line, sets = want->bytes / set;
        uint64_t max = hd_fields_find(hd_configkeys_find(name)->rows, "sets")->max;
        if (!want->bytes)
            continue;
        if (want->bytes % set || !power_of_two(sets) || sets > max)
            suggest(hd_diag_add(d, want->file, want->line, 0,
                                "%s.size: %" PRIu64 " bytes are not a power of two of sets of %u "
                                "x %u bytes%s%s",
                                name, want->bytes, ways, line, banks > 1 ? " in each bank" : "",
                                sets > max ? ", or too many of them" : ""),
                    name, want->bytes, set, ways, max);
        else
            *at(c, caches[i].sets) = (uint32_t)sets;
    }
    return d->n == before;
}
