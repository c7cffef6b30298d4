// configsource.c - see configsource.h. It reads the text of the files again, since the reader of
// machine files drops comments.
#include "base/configsource.h"

#include "base/file.h"

#include <string.h>

// Line `n`, counted from 1, without what surrounds it; "" beyond the end.
static const char *line_at(struct hd_arena *a, const char *text, uint32_t n)
{
    for (; n > 1 && text; n--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!n || !text)
        return "";
    text += strspn(text, " \t");
    return hd_arena_strndup(a, text, strcspn(text, "\r\n"));
}

// What follows a '#' or ';' after a blank; "" if nothing does.
static const char *comment(const char *line)
{
    for (const char *at = line; *at; at++)
        if ((*at == '#' || *at == ';') && at > line && (at[-1] == ' ' || at[-1] == '\t'))
            return at + 1 + strspn(at + 1, " \t");
    return "";
}

// Whether the line sets a key that begins so.
static bool of_class(const char *line, const char *prefix)
{
    return !strncmp(line, prefix, strlen(prefix));
}

static const char *join(struct hd_arena *a, const char *text, const char *more)
{
    return !*more ? text : !*text ? more : hd_arena_printf(a, "%s %s", text, more);
}

// The comments of all neighbouring lines of the key's class.
static const char *of_lines(struct hd_arena *a, const char *file, uint32_t line, const char *key)
{
    const char *dot = strchr(key, '.'), *text = "";
    const char *prefix = dot ? hd_arena_strndup(a, key, (size_t)(dot - key) + 1) : NULL;

    if (!prefix)
        return comment(line_at(a, file, line));
    while (line > 1 && of_class(line_at(a, file, line - 1), prefix))
        line--;
    for (; of_class(line_at(a, file, line), prefix); line++)
        text = join(a, text, comment(line_at(a, file, line)));
    return text;
}

static const char *of_head(struct hd_arena *a, const char *file, uint32_t line)
{
    while (line > 1 && *line_at(a, file, line) != '[')
        line--;
    return comment(line_at(a, file, line));
}

struct hd_configsource hd_configsource_find(struct hd_arena *a, const struct hd_config_line *lines,
                                            size_t n, const char *key)
{
    struct hd_configsource none = {.text = ""};
    char err[HD_FILE_WHY];
    size_t bytes;

    while (n && strcmp(lines[n - 1].key, key) != 0)
        n--;
    if (!n)
        return none;
    const struct hd_config_line *l = &lines[n - 1];
    struct hd_configsource s = {.file = l->file, .line = l->line, .text = l->from ? l->from : ""};
    if (l->from || !l->file)
        return s;
    const char *text = (const char *)hd_file_read(a, l->file, &bytes, err);
    const char *dot = strchr(key, '.');
    if (!text || !dot)
        return s;
    s.text = of_lines(a, text, l->line, dot + 1);
    if (!*s.text)
        s.text = of_head(a, text, l->line);
    return s;
}
