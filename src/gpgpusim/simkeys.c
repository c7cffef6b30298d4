// simkeys.c - see simkeys.h.
#include "gpgpusim/simkeys.h"

#include "gpgpusim/simnumber.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 120 // characters of a value in a message

static const struct hd_simsetting *setting(const struct hd_simmap *m, const struct hd_simoption *o)
{
    return &m->file->settings[hd_simoptions_index(o)];
}

const char *hd_simkeys_value(const struct hd_simmap *m, const struct hd_simoption *o)
{
    const char *given = setting(m, o)->value;
    const char *absent = m->version == HD_SIM_4 ? o->default4 : o->default3;

    return given ? given : absent ? absent : "";
}

const char *hd_simkeys_named(const struct hd_simmap *m, const char *name)
{
    return hd_simkeys_value(m, hd_simoptions_find(name));
}

bool hd_simkeys_number(struct hd_simmap *m, const char *name, uint32_t *out)
{
    const struct hd_simoption *o = hd_simoptions_find(name);
    const char *text = hd_simkeys_value(m, o);
    uint64_t v = 0;
    bool good = hd_simnumber_read(text, strlen(text), UINT32_MAX, &v);

    if (!good)
        hd_simkeys_refuse(m, o, "expected a number from 0 to %" PRIu32, UINT32_MAX);
    *out = (uint32_t)v;
    return good;
}

bool hd_simkeys_given(const struct hd_simmap *m, const struct hd_simoption *o)
{
    return setting(m, o)->value != NULL;
}

bool hd_simkeys_on(const struct hd_simmap *m, const char *name)
{
    return hd_simoptions_accepts("1", hd_simkeys_named(m, name));
}

const char *hd_simkeys_from(const struct hd_simmap *m, const struct hd_simoption *o)
{
    return hd_arena_printf(m->arena, "%s %.*s%s", o->name, SHOWN, hd_simkeys_value(m, o),
                           setting(m, o)->value ? "" : " (default)");
}

void hd_simkeys_line(struct hd_simmap *m, const struct hd_simoption *place, const char *key,
                     const char *value, const char *from)
{
    struct hd_config_line line = {.key = key, .value = value, .from = from, .file = m->file->path};

    if (place && setting(m, place)->value) {
        line.file = setting(m, place)->file;
        line.line = setting(m, place)->line;
    }
    *HD_PUSH(m->arena, m->lines, m->n_lines, m->cap_lines) = line;
}

void hd_simkeys_emit(struct hd_simmap *m, const struct hd_simoption *o, const char *key,
                     const char *fmt, ...)
{
    char value[64];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    hd_simkeys_line(m, o, key, hd_arena_strdup(m->arena, value), hd_simkeys_from(m, o));
}

struct hd_diag_entry *hd_simkeys_refuse(struct hd_simmap *m, const struct hd_simoption *o,
                                        const char *fmt, ...)
{
    const struct hd_simsetting *s = setting(m, o);
    char why[300];
    va_list ap;

    m->bad = m->holes = true;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    if (s->value)
        return hd_diag_add(m->diag, s->file, s->line, 0, "%s: %s", hd_simkeys_from(m, o), why);
    return hd_diag_add(m->diag, m->file->path, 0, 0,
                       "the file does not give %s, and its default is '%s': %s", o->name,
                       hd_simkeys_value(m, o), why);
}

void hd_simkeys_lack(struct hd_simmap *m, const struct hd_simoption *o, enum hd_simlack lack,
                     const char *detail)
{
    const struct hd_simlackitem item = {o, detail};
    size_t at = m->lacks[lack].n;

    m->bad = m->holes = true;
    *HD_PUSH(m->arena, m->lacks[lack].items, m->lacks[lack].n, m->lacks[lack].cap) = item;
    struct hd_simlackitem *items = m->lacks[lack].items;
    for (; at && setting(m, items[at - 1].option)->line > setting(m, o)->line; at--)
        items[at] = items[at - 1];
    items[at] = item; // in the order of their lines
}

void hd_simkeys_warn(struct hd_simmap *m, const struct hd_simoption *o, const char *what,
                     const char *hint)
{
    const struct hd_simsetting *s = setting(m, o);
    struct hd_diag_entry *e =
        hd_diag_add(m->diag, s->value ? s->file : m->file->path, s->value ? s->line : 0, 0,
                    "%s: %s", hd_simkeys_from(m, o), what);

    e->warning = true;
    hd_diag_hint(e, "%s", hint);
}
