// version.c - the versions of PTX: MAJOR.MINOR, of which 1.10 is newer than 1.9.
#include "ptx/version.h"

#include "ptx/ptx.h"

#include <string.h>

// The number at *at, which moves past it and past a dot.
static uint32_t take_number(struct hd_slice s, uint32_t *at)
{
    uint32_t n = 0;

    for (; *at < s.n && s.s[*at] >= '0' && s.s[*at] <= '9'; ++*at)
        n = n < 100000 ? 10 * n + (uint32_t)(s.s[*at] - '0') : n;
    ++*at;
    return n;
}

bool hd_version_newer(struct hd_slice number)
{
    const struct hd_slice newest = HD_SLICE(HD_PTX_NEWEST);
    uint32_t at = 0, known_at = 0;
    uint32_t major = take_number(number, &at), known = take_number(newest, &known_at);

    if (major != known)
        return major > known;
    return take_number(number, &at) > take_number(newest, &known_at);
}

bool hd_ptx_too_new(const struct hd_text *text)
{
    struct hd_lex lx = {0};
    struct hd_token t;

    hd_lex_init(&lx, text->path, text->text, text->bytes, NULL);
    hd_lex_next(&lx, &t);
    if (t.kind != HD_TOK_DOT || !hd_lex_is(t.text, "version"))
        return false;
    hd_lex_next(&lx, &t);
    return t.kind == HD_TOK_F64 && hd_version_newer(t.text);
}
