// ptxtext.c - finds the text of an instruction by its line. See ptxtext.h.
//
// The decoded program has the line in which an instruction begins. Several may share it, so
// statements are counted from the start of the line; declarations, braces and labels are no
// statements.
#include "report/ptxtext.h"

#include "base/file.h"
#include "isa/op.h"

#include <string.h>

#define TEXT_MAX 255 // of a statement or source line; the rest is cut

static void cut_lines(struct hd_arena *a, struct hd_ptxtext_lines *l, const char *text,
                      size_t bytes)
{
    const char *end = text + bytes;

    l->text = text;
    l->bytes = bytes;
    for (const char *at = text; at && at < end;) {
        *HD_PUSH(a, l->lines, l->n, l->cap) = at;
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
}

struct hd_ptxtext hd_ptxtext_new(struct hd_arena *a, const struct hd_program *p)
{
    struct hd_ptxtext t = {.arena = a,
                           .program = p,
                           .ptx = HD_ARRAY(a, struct hd_ptxtext_lines, p->n_texts + 1),
                           .sources = HD_ARRAY(a, struct hd_ptxtext_lines, p->n_files + 1)};

    for (uint32_t i = 0; i < p->n_texts; i++)
        cut_lines(a, &t.ptx[i], (const char *)p->texts[i].text, p->texts[i].bytes);
    return t;
}

// Of the module that the instruction stands in.
static const struct hd_ptxtext_lines *lines_of(const struct hd_ptxtext *t, uint32_t pc)
{
    return &t->ptx[hd_program_text(t->program, pc) - t->program->texts];
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%';
}

static bool is_comment(const char *at, const char *end)
{
    return end - at > 1 && at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

// The first character from `at` on that is neither blank nor in a comment.
static const char *skip_blank(const char *at, const char *end)
{
    while (at < end) {
        if ((unsigned char)*at <= ' ') {
            at++;
        } else if (!is_comment(at, end)) {
            break;
        } else {
            const char *close = at[1] == '/' ? "\n" : "*/";
            const char *stop = memmem(at + 2, (size_t)(end - at - 2), close, strlen(close));
            at = stop ? stop + strlen(close) : end;
        }
    }
    return at;
}

static const char *end_of_word(const char *at, const char *end)
{
    while (at < end && is_word(*at))
        at++;
    return at;
}

static bool is_label(const char *at, const char *end)
{
    const char *stop = end_of_word(at, end);

    return stop > at && stop < end && *stop == ':' && !(end - stop > 1 && stop[1] == ':');
}

static const char *after(const char *at, const char *end, char c)
{
    const char *found = memchr(at, c, (size_t)(end - at));

    return found ? found + 1 : end;
}

// From `at` on, the next instruction: past labels and declarations.
static const char *next_instruction(const char *at, const char *end)
{
    for (at = skip_blank(at, end); at < end; at = skip_blank(at, end)) {
        if (*at == '{' || *at == '}')
            at++;
        else if (is_label(at, end))
            at = end_of_word(at, end) + 1;
        else if (*at == '.') // .loc and .pragma-like lines end with the line, declarations with ;
            at = end - at > 4 && (!memcmp(at, ".loc", 4) || !memcmp(at, ".file", 5))
                     ? after(at, end, '\n')
                     : after(at, end, ';');
        else
            break;
    }
    return at;
}

// Copy without comments, each run of blanks as one.
static char *squeeze(struct hd_arena *a, const char *from, const char *end)
{
    char *text = hd_arena_get(a, TEXT_MAX + 1, 1);
    size_t n = 0;

    while (from < end && n < TEXT_MAX) {
        if ((unsigned char)*from <= ' ' || is_comment(from, end)) {
            from = skip_blank(from, end);
            if (from < end)
                text[n++] = ' ';
        } else {
            text[n++] = *from++;
        }
    }
    return text;
}

const char *hd_ptxtext_statement(struct hd_ptxtext *t, uint32_t pc)
{
    const struct hd_place *places = t->program->places;
    const struct hd_ptxtext_lines *ptx = lines_of(t, pc);
    uint32_t line = places[pc].line, before = 0;
    const char *end = ptx->text + ptx->bytes;

    while (before < pc && places[pc - before - 1].line == line &&
           places[pc - before - 1].func == places[pc].func)
        before++;
    if (line >= 1 && line <= ptx->n) {
        const char *limit = line < ptx->n ? ptx->lines[line] : end; // it begins in this line
        const char *at = next_instruction(ptx->lines[line - 1], end);
        for (; before && at < limit; before--)
            at = next_instruction(after(at, end, ';'), end);
        if (at < limit)
            return squeeze(t->arena, at, after(at, end, ';') - 1);
    }
    char *text = hd_arena_get(t->arena, TEXT_MAX + 1, 1);
    return hd_op_text(t->program, pc, text, TEXT_MAX + 1);
}

const char *hd_ptxtext_label(struct hd_ptxtext *t, uint32_t pc)
{
    const struct hd_place *places = t->program->places;
    const struct hd_ptxtext_lines *ptx = lines_of(t, pc);
    bool first = !pc || places[pc - 1].func != places[pc].func;
    uint32_t from = first ? t->program->funcs[places[pc].func].line : places[pc - 1].line + 1;
    const char *label = NULL;

    for (uint32_t line = from; line >= 1 && line <= places[pc].line && line <= ptx->n; line++) {
        const char *end = line < ptx->n ? ptx->lines[line] : ptx->text + ptx->bytes;
        const char *at = skip_blank(ptx->lines[line - 1], end);
        if (is_label(at, end))
            label = hd_arena_strndup(t->arena, at, (size_t)(end_of_word(at, end) - at));
    }
    return label;
}

// The line without surrounding blanks and without bytes that control a terminal.
static const char *trimmed(struct hd_arena *a, const struct hd_ptxtext_lines *l, size_t line)
{
    const char *from = l->lines[line - 1], *end = l->text + l->bytes;
    const char *stop = memchr(from, '\n', (size_t)(end - from));
    char *text = hd_arena_get(a, TEXT_MAX + 1, 1);
    size_t n = 0;

    for (stop = stop ? stop : end; from < stop && (unsigned char)*from <= ' ';)
        from++;
    while (stop > from && (unsigned char)stop[-1] <= ' ')
        stop--;
    for (; from < stop && n < TEXT_MAX; from++)
        text[n++] = (unsigned char)*from < ' ' || *from == 0x7f ? ' ' : *from;
    return text;
}

const char *hd_ptxtext_ptx_line(struct hd_ptxtext *t, uint32_t pc)
{
    const struct hd_ptxtext_lines *l = lines_of(t, pc);
    uint32_t line = t->program->places[pc].line;

    return line && line <= l->n ? trimmed(t->arena, l, line) : "";
}

static void read_source(struct hd_ptxtext *t, uint32_t file)
{
    struct hd_ptxtext_lines *l = &t->sources[file];
    const char *name = t->program->files[file], *slash = strrchr(name, '/');
    char err[HD_FILE_WHY];
    size_t bytes;

    l->tried = true;
    // In the compiler's folder, else beside the PTX.
    const uint8_t *text =
        hd_file_read(t->arena, hd_file_beside(t->arena, t->program->path, name), &bytes, err);
    if (!text && slash)
        text = hd_file_read(t->arena, hd_file_beside(t->arena, t->program->path, slash + 1), &bytes,
                            err);
    if (text)
        cut_lines(t->arena, l, (const char *)text, bytes);
}

const char *hd_ptxtext_line(struct hd_ptxtext *t, uint32_t file, uint32_t line)
{
    struct hd_ptxtext_lines *l = t->sources + file;

    if (!line || file >= t->program->n_files)
        return NULL;
    if (!l->tried)
        read_source(t, file);
    if (line > l->n)
        return NULL;
    return trimmed(t->arena, l, line);
}

const char *hd_ptxtext_source(struct hd_ptxtext *t, uint32_t pc)
{
    const struct hd_place *at = &t->program->places[pc];

    return hd_ptxtext_line(t, at->source_file, at->source_line);
}
