// out.c - standard output, files and growing text. See out.h.
#include "present/out.h"

#include "base/bug.h"
#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int why_lost; // errno of the first write that failed

bool hd_out_flush(void)
{
    static bool reported; // reported once only
    bool lost = ferror(stdout) != 0;

    if (fflush(stdout) != 0) { // what an earlier write lost is still in the buffer: the same reason
        if (!why_lost)
            why_lost = errno;
    } else if (!lost) {
        return true;
    }
    if (!reported)
        fprintf(stderr, "heddle: standard output: %s\n",
                why_lost ? strerror(why_lost) : "could not be written");
    reported = true;
    return false;
}

char *hd_out_path(struct hd_arena *a, const char *pattern)
{
    struct hd_out path = {.arena = a};

    for (const char *p = pattern; *p;) {
        const char *mark = strstr(p, "%p");
        size_t n = mark ? (size_t)(mark - p) : strlen(p);
        hd_out_add(&path, p, n);
        p += n;
        if (mark) {
            hd_out_printf(&path, "%d", (int)getpid());
            p += 2;
        }
    }
    return path.text;
}

bool hd_out_write(const char *path, const void *data, size_t bytes)
{
    char err[HD_FILE_WHY];

    if (!strcmp(path, "-")) {
        if (fwrite(data, 1, bytes, stdout) != bytes && !why_lost)
            why_lost = errno;
        return hd_out_flush();
    }
    if (hd_file_write(path, data, bytes, err))
        return true;
    fprintf(stderr, "heddle: cannot write %s\n", err);
    return false;
}

#define GATHERED (1U << 20) // bytes of text before they are written

struct hd_out_file {
    struct hd_file_pieces pieces;
    bool standard, opened;
    char err[HD_FILE_WHY];
};

static void write_gathered(struct hd_out *o)
{
    struct hd_out_file *f = o->file;

    if (f->standard && fwrite(o->text, 1, o->bytes, stdout) != o->bytes && !why_lost)
        why_lost = errno;
    else if (f->opened)
        hd_file_add(&f->pieces, o->text, o->bytes);
    o->bytes = 0;
}

void hd_out_open(struct hd_out *o, const char *path)
{
    struct hd_out_file *f = o->file = HD_NEW(o->arena, hd_out_file);

    f->standard = !strcmp(path, "-");
    f->opened = !f->standard && hd_file_begin(&f->pieces, path, f->err);
}

bool hd_out_close(struct hd_out *o)
{
    struct hd_out_file *f = o->file;

    if (o->bytes)
        write_gathered(o);
    o->file = NULL;
    if (f->standard)
        return hd_out_flush();
    if (f->opened && hd_file_end(&f->pieces, f->err))
        return true;
    fprintf(stderr, "heddle: cannot write %s\n", f->err);
    return false;
}

void hd_out_add(struct hd_out *o, const char *text, size_t bytes)
{
    if (o->file && o->bytes + bytes > GATHERED && o->bytes)
        write_gathered(o);
    if (!o->text || o->bytes + bytes + 1 > o->cap) {
        size_t cap = (o->bytes + bytes + 1) * 2;
        char *grown = hd_arena_get(o->arena, cap, 1);
        if (o->text)
            memcpy(grown, o->text, o->bytes);
        o->text = grown;
        o->cap = cap;
    }
    memcpy(o->text + o->bytes, text, bytes);
    o->bytes += bytes;
    o->text[o->bytes] = '\0';
}

void hd_out_printf(struct hd_out *o, const char *fmt, ...)
{
    char line[1024], *text = line;
    va_list args, again;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(line, sizeof line, fmt, args);
    HD_BUG_IF(n < 0, "cannot print '%s'", fmt);
    if ((size_t)n >= sizeof line) { // names of template kernels are long
        text = hd_arena_get(o->arena, (size_t)n + 1, 1);
        vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    va_end(args);
    hd_out_add(o, text, (size_t)n);
}

// Bytes of the well-formed character at the start; 0: there is none (RFC 3629).
static unsigned utf8_bytes(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

    if ((p[0] >= 0x80 && p[0] < 0xc2) || p[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || // too long, half a pair
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))   // too long, too large
        return 0;
    return n;
}

void hd_out_add_utf8(struct hd_out *o, const char *text)
{
    static const char unknown[] = "\xef\xbf\xbd";

    while (*text) {
        unsigned n = utf8_bytes(text);
        unsigned char first = (unsigned char)*text;
        bool steers = n == 1 && ((first < ' ' && first != '\n' && first != '\t') || first == 127);
        if (n && !steers)
            hd_out_add(o, text, n);
        else
            hd_out_add(o, unknown, 3);
        text += n ? n : 1;
    }
}

void hd_out_say(const struct hd_out *o)
{
    if (o->bytes)
        fwrite(o->text, 1, o->bytes, stderr);
}

char *hd_out_count(struct hd_arena *a, uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
    char *text = hd_arena_get(a, (size_t)length + (size_t)length / 3 + 1, 1), *to = text;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    return text;
}

void hd_out_csv(struct hd_out *o, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        hd_out_add(o, field, strlen(field));
        return;
    }
    hd_out_add(o, "\"", 1);
    for (const char *p = field; *p; p++) {
        if (*p == '"')
            hd_out_add(o, "\"", 1);
        hd_out_add(o, p, 1);
    }
    hd_out_add(o, "\"", 1);
}

unsigned hd_out_columns(void)
{
    struct winsize size = {0};

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool hd_out_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (int i = 0; i < 3; i++) { // the first variable that is set decides, as in the C library
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}
