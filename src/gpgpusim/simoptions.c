// simoptions.c - finds options of GPGPU-Sim. See simoptions.h.
#include "gpgpusim/simoptions.h"

#include "gpgpusim/simnumber.h"

#include <string.h>

// clang-format off
#define KEY(type, name, d3, d4, key, note) {name, d3, d4, key, note, HD_SIM_##type, HD_SIM_KEY, 0},
#define PART(type, name, d3, d4, part, keys, note) {name, d3, d4, keys, note, HD_SIM_##type, HD_SIM_PART, HD_SIMPART_##part},
#define IGNORE(type, name, d3, d4, note) {name, d3, d4, "", note, HD_SIM_##type, HD_SIM_IGNORE, 0},
#define MUST(type, name, d3, d4, values, note) {name, d3, d4, values, note, HD_SIM_##type, HD_SIM_MUST, 0},
#define LACK(type, name, d3, d4, values, lack, note) {name, d3, d4, values, note, HD_SIM_##type, HD_SIM_LACK, HD_SIMLACK_##lack},
#define ALIAS(name, option) {name, NULL, NULL, option, "an older spelling", HD_SIM_TEXT, HD_SIM_ALIAS, 0},
// clang-format on
const struct hd_simoption hd_simoptions[] = {
#include "gpgpusim/simoptions.def"
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0}};
_Static_assert(sizeof hd_simoptions / sizeof *hd_simoptions < HD_SIMOPTIONS_MAX,
               "too many options");

#define LACK_NAME(NAME, what, hint) {what, hint},
const struct hd_simlackname hd_simoptions_lacks[HD_N_SIMLACKS] = {HD_SIM_LACKS(LACK_NAME)};

const struct hd_simoption *hd_simoptions_find(const char *name)
{
    name += *name == '-';
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++)
        if (!strcmp(o->name + 1, name))
            return o->how == HD_SIM_ALIAS ? hd_simoptions_find(o->keys) : o;
    return NULL;
}

const char *const *hd_simoptions_names(void)
{
    static const char *const names[] = {
#undef KEY
#undef PART
#undef IGNORE
#undef MUST
#undef LACK
#undef ALIAS
#define KEY(type, name, ...) name,
#define PART(type, name, ...) name,
#define IGNORE(type, name, ...) name,
#define MUST(type, name, ...) name,
#define LACK(type, name, ...) name,
#define ALIAS(name, option) name,
#include "gpgpusim/simoptions.def"
        NULL};

    return names;
}

unsigned hd_simoptions_index(const struct hd_simoption *o)
{
    return (unsigned)(o - hd_simoptions);
}

bool hd_simoptions_accepts(const char *values, const char *value)
{
    uint64_t is = 0, wanted = 0;
    bool number = hd_simnumber_read(value, strlen(value), UINT64_MAX, &is);

    for (;; values++) {
        size_t n = strcspn(values, "|");
        if ((strlen(value) == n && !strncmp(values, value, n)) ||
            (number && hd_simnumber_read(values, n, UINT64_MAX, &wanted) && wanted == is))
            return true;
        values += n;
        if (!*values)
            return false;
    }
}

const char *hd_simoptions_values(struct hd_arena *a, const char *values)
{
    const char *text = "";

    for (bool first = true;; first = false) {
        size_t n = strcspn(values, "|");
        const char *word = hd_arena_strndup(a, values, n);
        text = hd_arena_printf(a, "%s%s%s", text, first ? "" : values[n] ? ", " : " or ", word);
        if (!values[n])
            return text;
        values += n + 1;
    }
}

const char *hd_simoptions_how(const struct hd_simoption *o)
{
    switch ((enum hd_simhow)o->how) {
    case HD_SIM_KEY:
        return "key";
    case HD_SIM_PART:
        return "derived";
    case HD_SIM_IGNORE:
        return "ignored";
    case HD_SIM_MUST:
        return "fixed";
    case HD_SIM_LACK:
        return "missing";
    case HD_SIM_ALIAS:
        return "alias";
    }
    return "";
}
