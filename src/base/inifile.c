// inifile.c - lines for inih, and back from it. See inifile.h.
#include "base/inifile.h"

#include "base/file.h"

#include <ini.h>
#include <string.h>

struct reading { // of one file, for inih's callbacks
    const struct hd_inifile *file;
    struct hd_diag *diag;
    const char *rest; // what is left of the text
    uint32_t line;    // of what was read last
    uint32_t refused; // first line that we did not like, 0 if none
    bool unknown;     // in a section that was refused
};

// Where the comment of a line begins: at a '#' or ';' that starts it or stands behind a blank.
static size_t comment(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((line[i] == '#' || line[i] == ';') &&
            (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
            return i;
    return n;
}

static void refuse(struct reading *r)
{
    r->refused = r->refused ? r->refused : r->line;
}

// A section's head is told whether or not a key follows.
static void check_head(struct reading *r, const char *text)
{
    const char *end;

    if (r->line == 1 && !strncmp(text, "\xef\xbb\xbf", 3)) // the byte order mark, as inih
        text += 3;
    end = *text == '[' ? strchr(text, ']') : NULL;
    if (*text == '[' && !end)
        r->unknown = true; // inih refuses the head; its keys are in no section that we know
    if (!end || !r->file->section)
        return;
    const char *name = hd_arena_strndup(r->file->arena, text + 1, (size_t)(end - text) - 1);
    r->unknown = !r->file->section(r->file->ctx, name, r->line);
    if (r->unknown)
        refuse(r);
}

// fgets() on the text, line by line: without comments and leading blanks (inih takes '#' for a
// comment only at the start of a line, and an indented line for more of the last value), counting
// (Debian's inih does not tell its handler where it is).
static char *next_line(char *to, int size, void *stream)
{
    struct reading *r = stream;
    const char *line = r->rest + strspn(r->rest, " \t");
    size_t n = strcspn(line, "\n"), used = comment(line, n);

    if (!*r->rest)
        return NULL;
    r->line++;
    if (used >= (size_t)size) {
        hd_diag_add(r->diag, r->file->path, r->line, 0, "the line is longer than %d characters",
                    size - 1);
        refuse(r);
        used = 0;
    }
    memcpy(to, line, used);
    to[used] = '\0';
    check_head(r, to);
    r->rest = line + n + (line[n] == '\n');
    return to;
}

static int on_key(void *user, const char *section, const char *key, const char *value)
{
    struct reading *r = user;
    // What is in a refused section was refused at its head.
    bool good = r->unknown || r->file->key(r->file->ctx, section, key, value, r->line);

    if (!good)
        refuse(r);
    return good;
}

bool hd_inifile_read(const struct hd_inifile *f, struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(f->arena, f->path, &bytes, err);
    struct reading r = {.file = f, .diag = d, .rest = text};

    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read %s: %s", f->what, err);
        return false;
    }
    if (strlen(text) != bytes) {
        hd_diag_add(d, f->path, 0, 0, "byte 0x00 in the text");
        return false;
    }
    int line = ini_parse_stream(next_line, &r, on_key, &r); // first line not liked by it or us
    if (line && (uint32_t)line != r.refused)
        hd_diag_add(d, f->path, (uint32_t)line, 0, "expected '[section]' or 'key = value'");
    return line == 0 && !r.refused;
}
