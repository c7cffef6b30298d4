// fields.c - one reader for every table of struct hd_field. See fields.h.
#include "base/fields.h"

#include "base/bug.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Whole text as an unsigned number: decimal or 0x, one optional K or M (1024-based), trailing
// blanks.
static bool parse_number(const char *text, uint64_t *out)
{
    char *end;
    unsigned shift = 0;

    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    uint64_t v = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
    if (errno)
        return false;
    if (*end == 'K' || *end == 'k')
        shift = 10, end++;
    else if (*end == 'M')
        shift = 20, end++;
    while (isblank((unsigned char)*end))
        end++;
    if (*end || v > UINT64_MAX >> shift)
        return false;
    *out = v << shift;
    return true;
}

static bool parse_bool(const char *text, uint64_t *out)
{
    static const char *const words[] = {"0", "1", "off", "on", "false", "true", "no", "yes"};

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(text, words[i])) {
            *out = i & 1;
            return true;
        }
    return false;
}

static bool parse_choice(const struct hd_field *f, const char *text, uint64_t *out)
{
    for (uint64_t i = 0; f->choices[i]; i++)
        if (!strcmp(f->choices[i], text)) {
            *out = i;
            return true;
        }
    return false;
}

static bool in_range(const struct hd_field *f, uint64_t v)
{
    return v >= f->min && v <= f->max;
}

// "4/1" or "4" (then the second is 1).
static bool parse_pair(const struct hd_field *f, const char *text, uint32_t out[2])
{
    const char *slash = strchr(text, '/');
    char first[32];
    uint64_t a, b = 1;
    size_t n = slash ? (size_t)(slash - text) : strlen(text);

    if (n >= sizeof first)
        return false;
    memcpy(first, text, n);
    first[n] = '\0';
    if (!parse_number(first, &a) || (slash && !parse_number(slash + 1, &b)))
        return false;
    if (!in_range(f, a) || !in_range(f, b))
        return false;
    out[0] = (uint32_t)a;
    out[1] = (uint32_t)b;
    return true;
}

// Parse `text` for row f into the struct; false if it does not fit.
static bool store(const struct hd_field *f, void *into, const char *text)
{
    uint8_t *at = (uint8_t *)into + f->offset;
    uint64_t v = 0;
    uint32_t pair[2];

    switch ((enum hd_field_type)f->type) {
    case HD_FIELD_NAME:
        if (strlen(text) >= HD_FIELD_NAME_MAX)
            return false;
        memset(at, 0, HD_FIELD_NAME_MAX);
        memcpy(at, text, strlen(text));
        return true;
    case HD_FIELD_PLAN:
        if (strlen(text) >= HD_FIELD_PLAN_MAX)
            return false;
        memset(at, 0, HD_FIELD_PLAN_MAX);
        memcpy(at, text, strlen(text));
        return true;
    case HD_FIELD_PAIR:
        if (!parse_pair(f, text, pair))
            return false;
        memcpy(at, pair, sizeof pair);
        return true;
    case HD_FIELD_BOOL:
        if (!parse_bool(text, &v))
            return false;
        break;
    case HD_FIELD_ENUM:
        if (!parse_choice(f, text, &v))
            return false;
        break;
    case HD_FIELD_U32:
    case HD_FIELD_U64:
        if (!parse_number(text, &v) || !in_range(f, v))
            return false;
        break;
    }
    if (f->type == HD_FIELD_U64) {
        memcpy(at, &v, sizeof v);
    } else {
        uint32_t narrow = (uint32_t)v;
        memcpy(at, &narrow, sizeof narrow);
    }
    return true;
}

void hd_fields_defaults(const struct hd_field *table, void *into)
{
    for (const struct hd_field *f = table; f && f->name; f++)
        HD_BUG_IF(!store(f, into, f->default_text), "default '%s' of %s does not parse",
                  f->default_text, f->name);
}

static size_t width(const struct hd_field *f)
{
    return f->type == HD_FIELD_NAME                              ? HD_FIELD_NAME_MAX
           : f->type == HD_FIELD_PLAN                            ? HD_FIELD_PLAN_MAX
           : f->type == HD_FIELD_U64 || f->type == HD_FIELD_PAIR ? 8
                                                                 : 4;
}

_Static_assert(HD_FIELD_NAME_MAX <= HD_FIELD_PLAN_MAX, "a plan's path is the widest type");

// Whether the default would be accepted as a user's value.
static bool default_parses(const struct hd_field *f)
{
    uint8_t scratch[HD_FIELD_PLAN_MAX]; // the widest type
    struct hd_field alone = *f;

    alone.offset = 0;
    return f->default_text && store(&alone, scratch, f->default_text);
}

const char *hd_fields_wrong(const struct hd_field *table, size_t struct_bytes, bool counters,
                            char *why, size_t bytes)
{
    for (const struct hd_field *f = table; f && f->name; f++) {
        if (!f->unit || !f->help)
            snprintf(why, bytes, "'%s' lacks a unit or a line of help", f->name);
        else if (f->type > HD_FIELD_PLAN || (counters && f->type != HD_FIELD_U64))
            snprintf(why, bytes, "'%s' has a type that %s", f->name,
                     counters ? "is not HD_FIELD_U64" : "there is not");
        else if (f->type == HD_FIELD_ENUM && !f->choices)
            snprintf(why, bytes, "'%s' has no choices", f->name);
        else if (f->offset > struct_bytes || width(f) > struct_bytes - f->offset)
            snprintf(why, bytes, "'%s' lies at byte %u of a struct of %zu", f->name, f->offset,
                     struct_bytes);
        else if (!counters && !default_parses(f))
            snprintf(why, bytes, "the default of '%s', \"%s\", is not one of its values", f->name,
                     f->default_text ? f->default_text : "");
        else if (f - table >= HD_FIELDS_MAX)
            snprintf(why, bytes, "there are more than %d rows", HD_FIELDS_MAX);
        else
            continue;
        return why;
    }
    return NULL;
}

const struct hd_field *hd_fields_find(const struct hd_field *table, const char *name)
{
    for (const struct hd_field *f = table; f && f->name; f++)
        if (!strcmp(f->name, name))
            return f;
    return NULL;
}

// For a number with another unit than read_number knows: "32KB", "1e6".
static const char *unit_note(const char *value)
{
    const char *unit = value + strspn(value, "0123456789");

    return unit > value && *unit && !(strchr("KkM", *unit) && !unit[1])
               ? "; the only units are K and M, 1024 and 1024 x 1024"
               : "";
}

static void explain_range(struct hd_diag_entry *e, const struct hd_field *f, const char *value)
{
    size_t n = 0;

    switch ((enum hd_field_type)f->type) {
    case HD_FIELD_ENUM:
        for (unsigned i = 0; f->choices[i] && n < sizeof e->hint; i++)
            n += (size_t)snprintf(e->hint + n, sizeof e->hint - n, "%s%s",
                                  i ? ", " : "expected one of ", f->choices[i]);
        return;
    case HD_FIELD_BOOL:
        hd_diag_hint(e, "expected 0 or 1");
        return;
    case HD_FIELD_NAME:
        hd_diag_hint(e, "at most %d characters", HD_FIELD_NAME_MAX - 1);
        return;
    case HD_FIELD_PLAN:
        hd_diag_hint(e, "at most %d characters", HD_FIELD_PLAN_MAX - 1);
        return;
    case HD_FIELD_PAIR:
        hd_diag_hint(e, "expected two numbers as in 4/1, each %" PRIu64 " to %" PRIu64, f->min,
                     f->max);
        return;
    case HD_FIELD_U32:
    case HD_FIELD_U64:
        hd_diag_hint(e, "expected a number from %" PRIu64 " to %" PRIu64 "%s", f->min, f->max,
                     unit_note(value));
    }
}

#define LISTED 12 // names that a hint may list

static void list_names(struct hd_diag_entry *e, const char *const *names)
{
    char list[HD_DIAG_TEXT] = "";
    size_t n = 0;

    for (unsigned i = 0; names[i] && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", names[i]);
    hd_diag_hint(e, names[0] ? "its parameters are %.200s" : "it has none", list);
}

bool hd_fields_set(const struct hd_field *table, void *into, const char *what, const char *name,
                   const char *value, struct hd_diag *d, const char *file, uint32_t line)
{
    const struct hd_field *f = hd_fields_find(table, name);
    const char *names[128];
    unsigned n = 0;

    if (f && store(f, into, value))
        return true;
    if (f) {
        explain_range(
            *value ? hd_diag_add(d, file, line, 0, "%s: '%s' is not a valid value of %s", what,
                                 value, name)
                   : hd_diag_add(d, file, line, 0, "%s: a value of %s is missing", what, name),
            f, value);
        return false;
    }
    for (f = table; f && f->name && n < 127; f++)
        names[n++] = f->name;
    names[n] = NULL;
    struct hd_diag_entry *e = hd_diag_add(d, file, line, 0, "%s has no parameter '%s'", what, name);
    hd_diag_nearest(e, name, names);
    if (!e->hint[0] && n <= LISTED)
        list_names(e, names);
    return false;
}

char *hd_fields_text(const struct hd_field *f, const void *from, char *buf, size_t bytes)
{
    const uint8_t *at = (const uint8_t *)from + f->offset;
    uint32_t pair[2];
    uint64_t wide;

    memcpy(pair, at, f->type == HD_FIELD_PAIR ? 8 : 4);
    switch ((enum hd_field_type)f->type) {
    case HD_FIELD_NAME:
        snprintf(buf, bytes, "%.*s", HD_FIELD_NAME_MAX, (const char *)at);
        break;
    case HD_FIELD_PLAN:
        snprintf(buf, bytes, "%.*s", HD_FIELD_PLAN_MAX, (const char *)at);
        break;
    case HD_FIELD_PAIR:
        snprintf(buf, bytes, "%u/%u", pair[0], pair[1]);
        break;
    case HD_FIELD_ENUM:
        snprintf(buf, bytes, "%s", f->choices[pair[0]]);
        break;
    case HD_FIELD_U64:
        memcpy(&wide, at, sizeof wide);
        snprintf(buf, bytes, "%" PRIu64, wide);
        break;
    case HD_FIELD_U32:
    case HD_FIELD_BOOL:
        snprintf(buf, bytes, "%u", pair[0]);
        break;
    }
    return buf;
}
