// html.c - the page. See html.h.
#include "present/html.h"
#include "present/cyclespage.h"
#include "present/palette.h"

#include <string.h>

// Lines and text inside figures have the colours of the page: gnuplot writes "black" and "gray" for
// everything that is not data.
static const char style[] =
    ":root{color-scheme:light dark;--fg:#1a1a1a;--bg:#fff;--soft:#5c5c5c;--rule:#d8d8d8;"
    "--code:#f3f3f3}\n"
    "@media(prefers-color-scheme:dark){:root{--fg:#e8e8e8;--bg:#161616;--soft:#a8a8a8;"
    "--rule:#3a3a3a;--code:#242424}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);margin:0 auto;"
    "padding:1rem;max-width:120rem;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem;margin-top:2.5rem;"
    "white-space:pre-line}\n"
    ".soft,.note{color:var(--soft)}.note{font-size:.9rem;margin:.4rem 0;max-width:50rem}\n"
    ".wide{overflow-x:auto;overflow-wrap:normal}.wide svg{max-width:max(100%,44rem);"
    "height:auto}\n"
    // A value beside a lower bar than its neighbour's can be read.
    ".wide svg text{paint-order:stroke;stroke:var(--bg);stroke-width:2px;stroke-linejoin:round}\n"
    // A figure and its table stand side by side where there is room for both.
    "section{display:flex;flex-wrap:wrap;gap:0 1.5rem;align-items:flex-start}"
    "section>h2,section>p{flex:1 0 100%}section>.wide{max-width:100%}\n"
    ".columns{display:flex;flex-wrap:wrap;gap:0 2rem;align-items:flex-start;flex:1 1 "
    "60rem;min-width:0;max-width:100%}"
    ".columns>.wide{max-width:100%;margin-bottom:1rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\n"
    "th,td{padding:.2rem .45rem;text-align:left;border-bottom:1px solid var(--rule);"
    "white-space:nowrap}th{border-bottom:2px solid var(--soft)}.r{text-align:right}\n"
    "pre{background:var(--code);padding:.6rem;overflow-x:auto;overflow-wrap:normal}\n"
    "summary{cursor:pointer;margin:.8rem 0}a{color:inherit}\n"
    "svg [stroke='black'],svg [stroke='rgb(  0,   0,   0)']{stroke:var(--fg)}\n"
    "svg [fill='black'],svg [fill='rgb(0,0,0)']{fill:var(--fg)}\n"
    "svg [stroke='gray'],svg [stroke='rgb(190, 190, 190)']{stroke:var(--rule)}\n"
    "@media print{.wide{overflow:visible}.wide svg{min-width:0}}\n";

static void add(struct hd_out *o, const char *text)
{
    hd_out_add(o, text, strlen(text));
}

static void add_tagged(struct hd_out *o, const char *open, const char *text, const char *close)
{
    add(o, open);
    hd_sheet_html_text(o, text);
    add(o, close);
}

// An SVG inside a page must not have the XML head.
static bool add_figure(const struct hd_sheet *s, struct hd_out *o, struct hd_diag *d)
{
    size_t bytes;
    unsigned before = d->n;
    if (!s->chart->title)
        s->chart->title = s->title;
    const char *svg = hd_chart_draw(o->arena, s->chart, "inline", s->id, &bytes, d);
    const char *element = svg ? strstr(svg, "<svg") : NULL;

    if (!element) {
        add_tagged(o, "<p class=\"note\">No figure here: ",
                   d->n > before ? d->entries[before].text : "gnuplot drew nothing", ".</p>\n");
        return false;
    }
    add(o, "<div class=\"wide\">");
    hd_out_add(o, element, bytes - (size_t)(element - svg));
    add(o, "</div>\n");
    return true;
}

static void add_contents(const struct hd_html *h, struct hd_out *o)
{
    const struct hd_sheets *sheets = h->sheets;

    add(o, "<ul>\n");
    if (h->cycles)
        add(o, "<li><a href=\"#cycles\">Where the cycles went</a></li>\n");
    for (size_t i = 0; i < sheets->n; i++) {
        add(o, "<li><a href=\"#");
        hd_sheet_html_text(o, sheets->items[i]->id);
        add_tagged(o, "\">", sheets->items[i]->title, "</a></li>\n");
    }
    add(o, "</ul>\n");
}

bool hd_html_report(const struct hd_html *h, struct hd_out *o, struct hd_diag *d)
{
    bool good = true;

    add(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    add_tagged(o, "<title>", h->title, "</title>\n<style>\n");
    add(o, style);
    hd_palette_style(o);
    if (h->cycles)
        hd_cyclespage_style(o);
    add_tagged(o, "</style>\n</head>\n<body>\n<h1>", h->title, "</h1>\n");
    add_tagged(o, "<p class=\"soft\">", h->subtitle, "</p>\n");
    add_contents(h, o);
    if (h->cycles)
        hd_cyclespage_add(h->cycles, o);
    for (size_t i = 0; i < h->sheets->n; i++) {
        const struct hd_sheet *s = h->sheets->items[i];
        add(o, "<section id=\"");
        hd_sheet_html_text(o, s->id);
        add_tagged(o, "\">\n<h2>", s->title, "</h2>\n");
        if (s->chart && good)
            good = add_figure(s, o, d);
        hd_sheet_html(s, o);
        add(o, "</section>\n");
    }
    add_tagged(o, "<h2>How to repeat it</h2>\n<pre>", h->command, "</pre>\n");
    for (size_t i = 0; i < h->details->n; i++) {
        add_tagged(o, "<details><summary>", h->details->items[i]->title, "</summary>\n");
        hd_sheet_html(h->details->items[i], o);
        add(o, "</details>\n");
    }
    add(o, "</body>\n</html>\n");
    return good;
}

static unsigned count_charts(const struct hd_sheets *sheets)
{
    unsigned charts = 0;

    for (size_t i = 0; i < sheets->n; i++)
        charts += sheets->items[i]->chart != NULL;
    return charts;
}

const char *hd_html_plot_file(const struct hd_sheets *sheets, const struct hd_sheet *s,
                              const char *path)
{
    const char *dot = strrchr(path, '.');

    if (count_charts(sheets) == 1 || !dot)
        return path;
    return hd_arena_printf(s->arena, "%.*s-%s%s", (int)(dot - path), path, s->id, dot);
}

bool hd_html_plot(const struct hd_sheets *sheets, const char *path, bool announce,
                  struct hd_diag *d)
{
    const char *format = hd_chart_format(path, d);
    bool good = format != NULL;

    if (good && !count_charts(sheets)) {
        hd_diag_add(d, NULL, 0, 0, "%s: there is no figure to draw", path);
        return false;
    }
    for (size_t i = 0; i < sheets->n && good; i++) {
        const struct hd_sheet *s = sheets->items[i];
        size_t bytes;
        if (!s->chart)
            continue;
        if (!s->chart->title)
            s->chart->title = s->title;
        const char *figure = hd_chart_draw(s->arena, s->chart, format, s->id, &bytes, d);
        const char *file = hd_html_plot_file(sheets, s, path);
        good = figure && hd_out_write(file, figure, bytes);
        if (good && announce)
            fprintf(stderr, "heddle: wrote %s\n", file);
    }
    return good;
}
