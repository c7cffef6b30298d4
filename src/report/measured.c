// measured.c - reads measurements of a GPU. See measured.h.
#include "report/measured.h"

#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 5

const char *const hd_measured_words[HD_MEASURED_N_KINDS] = {
#define X(NAME, word) word,
    HD_MEASURED_KINDS(X)
#undef X
};

struct place {
    const char *path;
    uint32_t line;
    struct hd_diag *diag;
};

static bool number(const char *text, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return *text && !*end && isfinite(*out);
}

static bool launch_number(const char *text, unsigned *out)
{
    char *end;
    unsigned long v = strtoul(text, &end, 10);

    *out = (unsigned)v;
    return !*text || (*text >= '0' && *text <= '9' && !*end && v < UINT_MAX);
}

static bool kind_of(const char *word, enum hd_measured_kind *out)
{
    for (unsigned k = 0; k < HD_MEASURED_N_KINDS; k++)
        if (!strcmp(word, hd_measured_words[k])) {
            *out = (enum hd_measured_kind)k;
            return true;
        }
    return false;
}

static bool read_line(struct hd_arena *a, const struct place *at, char *line,
                      struct hd_measured *out)
{
    char *fields[FIELDS + 1];
    size_t n = 0;
    struct hd_measured_row row;

    for (char *p = line, *comma; p && n <= FIELDS; p = comma, n++) {
        fields[n] = p;
        comma = strchr(p, ',');
        if (comma)
            *comma++ = '\0';
    }
    if (n != FIELDS) {
        hd_diag_hint(hd_diag_add(at->diag, at->path, at->line, 1, "%s fields than five",
                                 n > FIELDS ? "more" : "fewer"),
                     "expected KIND,NAME,LAUNCH,VALUE,UNIT, as hardware/run.sh writes");
        return false;
    }
    if (!kind_of(fields[0], &row.kind)) {
        hd_diag_hint(
            hd_diag_add(at->diag, at->path, at->line, 1, "'%.40s' is no kind of measurement",
                        fields[0]),
            "expected machine, latency, interval, chase, lanes, bandwidth, launch or kernel");
        return false;
    }
    if (!launch_number(fields[2], &row.launch)) {
        hd_diag_add(at->diag, at->path, at->line, 1, "'%.40s' is no number of a launch", fields[2]);
        return false;
    }
    if (!number(fields[3], &row.value)) {
        if (row.kind != HD_MEASURED_MACHINE) {
            hd_diag_add(at->diag, at->path, at->line, 1, "'%.40s' is no number", fields[3]);
            return false;
        }
        row.value = (double)NAN;
    }
    row.name = fields[1];
    row.text = fields[3];
    row.unit = fields[4];
    *HD_PUSH(a, out->rows, out->n, out->cap) = row;
    return true;
}

bool hd_measured_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                       struct hd_measured *out, struct hd_diag *d)
{
    struct place at = {.path = path, .diag = d};
    bool good = true;

    *out = (struct hd_measured){.path = path};
    if (memchr(text, 0, bytes)) {
        hd_diag_add(d, path, 0, 0, "this is no text: it has a byte of zero");
        return false;
    }
    for (char *line = hd_arena_strndup(a, text, bytes), *next; line; line = next) {
        at.line++;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        size_t length = strlen(line);
        if (length && line[length - 1] == '\r')
            line[--length] = '\0';
        if (length && *line != '#')
            good = read_line(a, &at, line, out) && good;
    }
    if (good && !out->n)
        hd_diag_hint(hd_diag_add(d, path, 0, 0, "no measurement is in it"),
                     "hardware/run.sh writes such files");
    return good && out->n;
}

bool hd_measured_read(struct hd_arena *a, const char *path, struct hd_measured *out,
                      struct hd_diag *d)
{
    char why[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(a, path, &bytes, why);

    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read measurements: %s", why);
        return false;
    }
    return hd_measured_parse(a, path, text, bytes, out, d);
}

const struct hd_measured_row *hd_measured_find(const struct hd_measured *m,
                                               enum hd_measured_kind kind, const char *name,
                                               unsigned launch)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->rows[i].kind == kind && m->rows[i].launch == launch &&
            !strcmp(m->rows[i].name, name))
            return &m->rows[i];
    return NULL;
}
