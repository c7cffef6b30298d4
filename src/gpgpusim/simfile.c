// simfile.c - see simfile.h.
#include "gpgpusim/simfile.h"

#include "base/file.h"
#include "gpgpusim/simnumber.h"

#include <string.h>

#define CONFIG_DEPTH 8
#define CONFIG_FILES 64
#define SHOWN 60 // characters of a word in a message

struct word {
    const char *text; // NULL: the file has ended
    uint32_t line;
    bool quoted, open; // open: its closing quote is missing
};

struct reading { // of one file
    struct hd_simfile *into;
    struct hd_diag *diag;
    const char *path, *rest;
    uint32_t line;
    unsigned depth;
    bool bad;
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip(struct reading *r)
{
    for (; *r->rest; r->rest++) {
        if (*r->rest == '#')
            r->rest += strcspn(r->rest, "\n");
        r->line += *r->rest == '\n';
        if (!*r->rest || !is_blank(*r->rest))
            return;
    }
}

// The bytes up to the next blank or comment.
static char *piece(struct reading *r)
{
    const char *from = r->rest;

    while (*r->rest && *r->rest != '#' && !is_blank(*r->rest))
        r->rest++;
    return hd_arena_strndup(r->into->arena, from, (size_t)(r->rest - from));
}

// A quoted value ends with the piece whose last character is a quote. Its pieces are joined by a
// blank each.
static struct word quoted(struct reading *r, char *first)
{
    struct word w = {.line = r->line, .quoted = true};
    const char **pieces = NULL;
    size_t n = 0, cap = 0, bytes = 1, at = 0;
    char *text = first;

    for (;;) {
        size_t length = strlen(text);
        bool last = length > (text == first) && text[length - 1] == '"';
        *HD_PUSH(r->into->arena, pieces, n, cap) = text;
        bytes += length + 1;
        if (last)
            break;
        skip(r);
        if (!*r->rest) {
            w.open = true;
            break;
        }
        text = piece(r);
    }
    char *all = HD_ARRAY(r->into->arena, char, bytes);
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(pieces[i]);
        if (i)
            all[at++] = ' ';
        memcpy(all + at, pieces[i], length);
        at += length;
    }
    all[at - !w.open] = '\0';
    w.text = all + 1; // without the opening quote
    return w;
}

static struct word next_word(struct reading *r)
{
    skip(r);
    if (!*r->rest)
        return (struct word){.line = r->line};
    struct word w = {.line = r->line};
    char *text = piece(r);
    if (*text == '"')
        return quoted(r, text);
    w.text = text;
    return w;
}

// "-name"; "-1" is a number.
static bool is_option(const struct word *w)
{
    const char *t = w->text;

    return t && !w->quoted && t[0] == '-' &&
           (t[1] == '_' || (t[1] >= 'a' && t[1] <= 'z') || (t[1] >= 'A' && t[1] <= 'Z'));
}

static struct hd_diag_entry *refuse(struct reading *r, uint32_t line, const char *text,
                                    const char *word)
{
    r->bad = true;
    return hd_diag_add(r->diag, r->path, line, 0, text, SHOWN, word);
}

static bool read_path(struct hd_simfile *into, const char *path, unsigned depth, struct hd_diag *d);

static void unknown(struct reading *r, const struct word *w)
{
    struct hd_diag_entry *e =
        is_option(w) ? refuse(r, w->line, "GPGPU-Sim has no option '%.*s'", w->text)
                     : refuse(r, w->line, "'%.*s' stands where an option is expected", w->text);

    if (is_option(w))
        hd_diag_nearest(e, w->text, hd_simoptions_names());
    if (!e->hint[0])
        hd_diag_hint(e,
                     "a value with blanks needs quotes; 'heddle list gpgpusim' shows all options");
}

static void store(struct reading *r, const struct hd_simoption *o, const char *name,
                  const char *value, uint32_t line)
{
    struct hd_simsetting *s = &r->into->settings[hd_simoptions_index(o)];

    // Warnings must leave room for errors.
    if (s->value && r->diag->n >= HD_DIAG_MAX / 2) {
        r->diag->dropped++;
    } else if (s->value) {
        struct hd_diag_entry *e = hd_diag_add(r->diag, r->path, line, 0,
                                              "%s is given again, and this value counts", name);
        e->warning = true;
        hd_diag_hint(e, "the other one is '%.*s' in %s:%u", SHOWN, s->value, s->file, s->line);
    }
    *s = (struct hd_simsetting){.value = value, .file = r->path, .line = line};
    s->spelled_old = strcmp(o->name, name) != 0;
}

// A number or a flag of the reference; text may be anything.
static bool good_value(struct reading *r, const struct hd_simoption *o, const char *name,
                       const char *value, uint32_t line)
{
    const char *digits = value + (*value == '-');
    uint64_t v = 0;

    if (o->type == HD_SIM_TEXT)
        return true;
    bool number = hd_simnumber_read(digits, strlen(digits), UINT64_MAX, &v);
    if (number && (o->type != HD_SIM_FLAG || (v <= 1 && digits == value)))
        return true;
    hd_diag_hint(hd_diag_add(r->diag, r->path, line, 0, "'%.*s' is not a valid value of %s", SHOWN,
                             value, name),
                 "%s",
                 o->type == HD_SIM_FLAG ? "0 or 1"
                 : *digits == '0'       ? "a number; one that begins with 0 is octal"
                                        : "a number");
    r->bad = true;
    return false;
}

// "-config FILE": its options come in this place.
static void other_file(struct reading *r, const struct word *value)
{
    const char *path = hd_file_beside(r->into->arena, r->path, value->text);

    if (r->depth >= CONFIG_DEPTH)
        refuse(r, value->line, "files name each other deeper than 8 with -config%.*s", "");
    else if (r->into->n_files >= CONFIG_FILES)
        refuse(r, value->line, "more than 64 files are named with -config%.*s", "");
    else
        r->bad |= !read_path(r->into, path, r->depth + 1, r->diag);
}

// `o` is NULL for -config. Returns the word after the option and its value.
static struct word read_option(struct reading *r, struct word name, const struct hd_simoption *o)
{
    struct word value = next_word(r);
    bool flag = o && o->type == HD_SIM_FLAG;

    if (value.open) {
        refuse(r, value.line, "the closing quote of the value '\"%.*s' is missing", value.text);
        return (struct word){.line = r->line};
    }
    if (flag && (!value.text || is_option(&value))) { // a flag alone
        store(r, o, name.text, "1", name.line);
        return value;
    }
    if (!value.text || is_option(&value)) {
        struct hd_diag_entry *e = refuse(r, name.line, "'%.*s' has no value", name.text);
        if (value.text)
            hd_diag_hint(e, "the next word is the option %.*s", SHOWN, value.text);
        return value;
    }
    if (!o)
        other_file(r, &value);
    else if (good_value(r, o, name.text, value.text, value.line))
        store(r, o, name.text, value.text, name.line);
    return next_word(r);
}

static bool read_path(struct hd_simfile *into, const char *path, unsigned depth, struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(into->arena, path, &bytes, err);
    struct reading r = {.into = into, .diag = d, .path = path, .line = 1, .depth = depth};

    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read the machine: %s", err);
        return false;
    }
    *HD_PUSH(into->arena, into->files, into->n_files, into->cap_files) = path;
    if (strlen(text) != bytes) {
        hd_diag_add(d, path, 0, 0, "byte 0x00 in the text");
        return false;
    }
    r.rest = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3); // a byte order mark
    for (struct word w = next_word(&r); w.text;) {
        bool config = is_option(&w) && !strcmp(w.text, "-config");
        const struct hd_simoption *o = is_option(&w) && !config ? hd_simoptions_find(w.text) : NULL;
        if (o || config) {
            w = read_option(&r, w, o);
            continue;
        }
        unknown(&r, &w);
        do // the values of an unknown option are reported with it
            w = next_word(&r);
        while (w.text && !is_option(&w));
    }
    return !r.bad;
}

bool hd_simfile_read(struct hd_arena *a, const char *path, struct hd_simfile *out,
                     struct hd_diag *d)
{
    *out = (struct hd_simfile){.arena = a, .path = path};
    return read_path(out, path, 0, d);
}
