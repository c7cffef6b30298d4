// inifile.c - passes lines to inih, and its results back. See inifile.h.
#include "base/inifile.h"

#include "base/file.h"

#include <ini.h>
#include <string.h>

struct reading { // of one file, for inih's callbacks
    const struct hd_inifile *file;
    struct hd_diag *diag;
    const char *rest; // the rest of the text
    uint32_t line;    // of the last line that was read
    uint32_t refused; // first line with an error, 0 if none
    bool unknown;     // in a section that was refused
};

// Where the comment of a line begins: at a '#' or ';' at its start or after a blank.
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

// Reports a section's head, whether or not a key follows.
static void check_head(struct reading *r, const char *text)
{
    const char *end;

    if (r->line == 1 && !strncmp(text, "\xef\xbb\xbf", 3)) // skips the byte order mark, like inih
        text += 3;
    end = *text == '[' ? strchr(text, ']') : NULL;
    if (*text == '[' && !end)
        r->unknown = true; // inih refuses the head; its keys are in no known section
    if (!end || !r->file->section)
        return;
    const char *name = hd_arena_strndup(r->file->arena, text + 1, (size_t)(end - text) - 1);
    r->unknown = !r->file->section(r->file->ctx, name, r->line);
    if (r->unknown)
        refuse(r);
}

// fgets() on the text, line by line. It removes comments and leading blanks, because inih
// recognises '#' as a comment only at the start of a line, and takes an indented line for a
// continuation of the last value. It counts lines, because Debian's inih does not pass their
// numbers to its handler.
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
    // What is in a refused section was already reported at its head.
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
    int line = ini_parse_stream(next_line, &r, on_key, &r); // first line that is wrong
    if (line && (uint32_t)line != r.refused)
        hd_diag_add(d, f->path, (uint32_t)line, 0, "expected '[section]' or 'key = value'");
    return line == 0 && !r.refused;
}
