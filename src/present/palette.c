// palette.c - see palette.h.
#include "present/palette.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word, *light, *dark;
} colours[] = {
    {"issued", "#00795a", "#23b58a"},
    // A scheduler's cycle without issue.
    {"idle", "#6bbcf0", "#3a86b8"},
    {"scoreboard", "#dc7231", "#ee7a35"},
    {"pipeline", "#7a3fa8", "#b583e6"},
    {"inactive", "#bdbdbd", "#585858"},
    // What a warp waits for.
    {"ready", "#a5dac8", "#235f4e"},
    {"memory", "#dc7231", "#ee7a35"},
    {"register", "#f6d9a6", "#8f6326"},
    {"pipe", "#7a3fa8", "#b583e6"},
    {"fetch", "#6bbcf0", "#3a86b8"},
    {"barrier", "#1b4f9c", "#6f9df2"},
    {"sync", "#d48ab0", "#b0638a"},
    {"ended", "#bdbdbd", "#585858"},
};
#define N_COLOURS (sizeof colours / sizeof *colours)

const char *hd_palette_colour(const char *word)
{
    for (size_t i = 0; i < N_COLOURS; i++)
        if (!strcasecmp(word, colours[i].word))
            return colours[i].light;
    return NULL;
}

static void add_variables(struct hd_out *o, bool dark)
{
    hd_out_printf(o, ":root{");
    for (size_t i = 0; i < N_COLOURS; i++)
        hd_out_printf(o, "--%s:%s;", colours[i].word, dark ? colours[i].dark : colours[i].light);
    hd_out_printf(o, "}\n");
}

void hd_palette_style(struct hd_out *o)
{
    add_variables(o, false);
    hd_out_printf(o, "@media(prefers-color-scheme:dark){");
    add_variables(o, true);
    hd_out_printf(o, "}\n");
    for (size_t i = 0; i < N_COLOURS; i++) { // as gnuplot writes them
        unsigned long rgb = strtoul(colours[i].light + 1, NULL, 16);
        hd_out_printf(o, "svg [fill='rgb(%3lu, %3lu, %3lu)']{fill:var(--%s)}\n", rgb >> 16,
                      rgb >> 8 & 255, rgb & 255, colours[i].word);
    }
}
