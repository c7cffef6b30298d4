// reuseoptions.c - see reuseoptions.h.
#include "reuse/reuseoptions.h"

#include <inttypes.h>
#include <string.h>

#define WORD_BYTES 64

struct hd_reuse_options hd_reuseoptions_default(void)
{
    return (struct hd_reuse_options){
        .plan_above = HD_REUSE_PLAN_ABOVE, .pairs = HD_REUSE_PAIRS, .memory = HD_REUSE_MEMORY};
}

bool hd_reuseoptions_warps(struct hd_reuse_options *o, const char *value)
{
    o->resident = !strcmp(value, "sm");
    return o->resident || !strcmp(value, "block");
}

// A number with at most 18 digits; *end is what follows it.
static bool number(const char *text, uint64_t *out, const char **end)
{
    size_t n = strspn(text, "0123456789");

    *out = 0;
    for (size_t i = 0; i < n && n <= 18; i++)
        *out = *out * 10 + (uint64_t)(text[i] - '0');
    *end = text + n;
    return n && n <= 18;
}

bool hd_reuseoptions_memory(struct hd_reuse_options *o, const char *value)
{
    static const char units[] = "KMGT";
    const char *end, *unit;
    unsigned shift = 0;

    if (!number(value, &o->memory, &end) || !o->memory)
        return false;
    if (*end && (unit = strchr(units, *end))) {
        shift = 10 * (unsigned)(unit - units + 1);
        end++;
    }
    if (*end || o->memory > UINT64_MAX / 2 >> shift)
        return false;
    o->memory <<= shift;
    return true;
}

static bool read_word(struct hd_reuse_options *o, const char *word)
{
    const char *end;
    uint64_t above;

    if (!strcmp(word, "loads")) {
        o->loads = true;
        return true;
    }
    if (!strncmp(word, "warps=", 6))
        return hd_reuseoptions_warps(o, word + 6);
    if (!strncmp(word, "memory=", 7))
        return hd_reuseoptions_memory(o, word + 7);
    if (!strncmp(word, "above=", 6) && number(word + 6, &above, &end) && !*end) {
        o->plan_above = (unsigned)above;
        return above && above <= HD_REUSEOPTIONS_ABOVE_MOST;
    }
    return !strncmp(word, "pairs=", 6) && number(word + 6, &o->pairs, &end) && !*end && o->pairs &&
           o->pairs <= HD_REUSEOPTIONS_PAIRS_MOST;
}

bool hd_reuseoptions_read(struct hd_reuse_options *o, const char *words)
{
    while (*words) {
        char word[WORD_BYTES] = "";
        size_t n = strcspn(words, ",");
        if (n >= sizeof word)
            return false;
        memcpy(word, words, n);
        if (!read_word(o, word))
            return false;
        words += n + (words[n] == ',');
    }
    return true;
}

const char *hd_reuseoptions_words(const struct hd_reuse_options *o, struct hd_arena *a)
{
    const char *above =
        o->plan_above == HD_REUSE_PLAN_ABOVE ? "" : hd_arena_printf(a, ",above=%u", o->plan_above);

    return hd_arena_printf(a, "%swarps=%s,pairs=%" PRIu64 ",memory=%" PRIu64 "%s",
                           o->loads ? "loads," : "", o->resident ? "sm" : "block", o->pairs,
                           o->memory, above);
}
