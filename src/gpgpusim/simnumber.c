// simnumber.c - see simnumber.h.
#include "gpgpusim/simnumber.h"

#include <string.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

bool hd_simnumber_read(const char *text, size_t n, uint64_t max, uint64_t *out)
{
    unsigned base = 10;
    uint64_t v = 0;
    size_t i = 0;

    if (n > 2 && text[0] == '0' && text[1] == 'x') {
        base = 16;
        i = 2;
    } else if (n > 1 && text[0] == '0') {
        base = 8;
        i = 1;
    }
    if (i >= n)
        return false;
    for (; i < n; i++) {
        unsigned d = (unsigned)digit(text[i]);
        if (d >= base || v > (max - d) / base)
            return false;
        v = v * base + d;
    }
    *out = v;
    return v <= max;
}

unsigned hd_simnumber_list(const char *text, char separator, unsigned most, uint32_t *out)
{
    const char stops[] = {separator, '\0'};

    for (unsigned found = 0; found < most;) {
        size_t n, whole = strcspn(text, stops);
        uint64_t v = 0;
        const char *word = text + strspn(text, " ");
        n = word > text + whole ? 0 : (size_t)(text + whole - word);
        while (n && word[n - 1] == ' ')
            n--;
        if (!hd_simnumber_read(word, n, UINT32_MAX, &v))
            return 0;
        out[found++] = (uint32_t)v;
        text += whole;
        if (!*text)
            return found;
        text++;
    }
    return 0;
}

bool hd_simnumber_thousandths(const char *text, size_t n, uint64_t *out)
{
    const char *point = memchr(text, '.', n);
    size_t whole = point ? (size_t)(point - text) : n;
    uint64_t v = 0, scale = 100;

    for (size_t i = 0; i < whole; i++) { // "0700.0" is 700: a fraction is never octal
        if (text[i] < '0' || text[i] > '9' || v > UINT32_MAX)
            return false;
        v = v * 10 + (uint64_t)(text[i] - '0');
    }
    if (!whole || v > UINT32_MAX)
        return false;
    *out = v * 1000;
    for (size_t i = whole + 1; i < n; i++, scale /= 10) {
        if (text[i] < '0' || text[i] > '9' || (!scale && text[i] != '0'))
            return false;
        *out += (uint64_t)(text[i] - '0') * scale;
    }
    return true;
}
