// simcache.c - see simcache.h.
#include "gpgpusim/simcache.h"

#include "gpgpusim/simnumber.h"

#include <string.h>

// Reads one number up to the next ':' or ','. False if there is none.
static bool number(const char **text, uint32_t *out)
{
    size_t n = strcspn(*text, ":,");
    uint64_t v = 0;

    if (!hd_simnumber_read(*text, n, UINT32_MAX, &v))
        return false;
    *out = (uint32_t)v;
    *text += n;
    return true;
}

static bool sign(const char **text, char c)
{
    if (**text != c)
        return false;
    (*text)++;
    return true;
}

static bool letter(const char **text, char *out)
{
    char c = **text;

    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z'))
        return false;
    *out = c;
    (*text)++;
    return true;
}

const char *hd_simcache_read(const char *text, struct hd_simcache *out)
{
    struct hd_simcache *c = out;

    memset(c, 0, sizeof *c);
    if (letter(&text, &c->kind) && !sign(&text, ':'))
        return "expected ':' after the first letter";
    if (!number(&text, &c->sets) || !sign(&text, ':') || !number(&text, &c->line) ||
        !sign(&text, ':') || !number(&text, &c->ways) || !sign(&text, ','))
        return "expected sets:line:ways, three numbers, and a comma";
    if (!letter(&text, &c->replace) || !sign(&text, ':') || !letter(&text, &c->write) ||
        !sign(&text, ':') || !letter(&text, &c->allocate) || !sign(&text, ':') ||
        !letter(&text, &c->write_allocate))
        return "expected four or five letters: replacement, writes, allocation, allocation by "
               "writes, set index";
    if (sign(&text, ':') && !letter(&text, &c->set))
        return "expected the letter of the set index function";
    if (!sign(&text, ',') || !letter(&text, &c->mshr) || !sign(&text, ':') ||
        !number(&text, &c->entries) || !sign(&text, ':') || !number(&text, &c->merges))
        return "expected the MSHRs: a letter, entries and merges";
    if (!sign(&text, ',') || !number(&text, &c->queue))
        return "expected the entries of the miss queue";
    if (sign(&text, ':') && !number(&text, &c->results))
        return "expected the entries of the result queue";
    if (sign(&text, ',') && !number(&text, &c->port))
        return "expected the bytes of the data port";
    return *text ? "unexpected text at its end" : NULL;
}
