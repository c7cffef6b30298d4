// chart.c - writes scripts for gnuplot, and reads what it draws. See chart.h.
#include "present/chart.h"

#include "base/file.h"
#include "present/out.h"
#include "present/palette.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Usually the base of a comparison is first and the subject of the figure is last.
static const char *const colours[] = {"#d9d9d9", "#0072b2", "#56b4e9", "#f0e442",
                                      "#009e73", "#e69f00", "#d55e00", "#cc79a7"};
#define N_COLOURS (sizeof colours / sizeof *colours)

// Are labels rows, and values along the x axis?
static bool in_rows(const struct hd_chart *c)
{
    return c->kind == HD_CHART_SPANS || c->kind == HD_CHART_DOTS;
}

static const char *colour(const struct hd_chart *c, unsigned series)
{
    const char *own = c->kind == HD_CHART_STACKS ? hd_palette_colour(c->series[series]) : NULL;

    if (own)
        return own;
    // With few series, the last one gets the last colour of the list.
    if (c->kind == HD_CHART_BARS && c->n_series < 7 && series + 1 == c->n_series && series)
        return colours[6];
    // The hatches of the lightest colour would not be seen.
    return series && series % N_COLOURS == 0 ? "#595959" : colours[series % N_COLOURS];
}

// A string of gnuplot's, in double quotes.
static void quote(struct hd_out *o, const char *text)
{
    struct hd_out clean = {.arena = o->arena};

    hd_out_add_utf8(&clean, text);
    hd_out_add(o, "\"", 1);
    for (const char *p = clean.bytes ? clean.text : ""; *p; p++) {
        if (*p == '"' || *p == '\\')
            hd_out_add(o, "\\", 1);
        hd_out_add(o, (unsigned char)*p < ' ' ? " " : p, 1);
    }
    hd_out_add(o, "\"", 1);
}

// Positions in units of the figure: pixels of an SVG, points of a page. The height of the plot's
// area does not depend on what is around it.
struct layout {
    double width, height, left, right, top, bottom;
    double letter, line; // of text: the width of a letter, the height of a line
    unsigned slots;      // bars or clusters beside each other, with the gaps between groups
    bool lean, stand;    // labels do not fit side by side
    bool names_lean;     // nor do those of groups
    unsigned columns;    // of the key
    bool numbered;       // values are written on the bars
    double from;         // start of the value axis, unless the chart sets it
};

#define GAP 0.8 // between groups, in bars
#define CAPITALS                                                                                   \
    0.6            // more for standing names, in lines: capitals are wider than the average letter
#define NUMBER 0.6 // height of a value on a bar, in lines
#define NUMBER_PAGE 0.48 // its font on a page, whose text is drawn larger than it is called

// Of series that share a colour the later ones are hatched.
static const char *fill(struct hd_arena *a, unsigned series)
{
    return series < N_COLOURS ? "solid" : hd_arena_printf(a, "pattern %zu", 3 + series / N_COLOURS);
}

static double longest(const char *const *texts, unsigned n)
{
    size_t most = 0;

    for (unsigned i = 0; i < n; i++)
        if (texts[i] && strlen(texts[i]) > most)
            most = strlen(texts[i]);
    return (double)most;
}

static double place_of(const struct hd_chart *c, unsigned label)
{
    unsigned group = c->groups ? label / c->per_group : 0;

    return label + group * GAP;
}

// The least and the greatest value, or sum of a stack.
static void extremes(const struct hd_chart *c, double *least, double *most)
{
    *least = HUGE_VAL;
    *most = 0;
    for (unsigned i = 0; i < c->n_labels; i++) {
        double sum = 0;
        for (unsigned s = 0; s < c->n_series; s++) {
            double v = c->values[i * c->n_series + s];
            if (isnan(v))
                continue;
            sum = c->kind == HD_CHART_STACKS ? sum + v : v;
            *least = sum < *least ? sum : *least;
            *most = sum > *most ? sum : *most;
        }
    }
}

// If many bars hardly differ, or ratios whose values stand on them, the axis begins near them, and
// its label says so. Shares that can be read keep their zero.
static double zoomed(const struct hd_chart *c, const struct layout *l)
{
    double least, most;

    extremes(c, &least, &most);
    if (c->kind != HD_CHART_BARS || (l->numbered && !(c->line > 0)) || c->from < c->to ||
        !(most > 0) || !(least > most / 2))
        return c->from;
    return floor((least - (most - least) / 4) * 20 - 0.2) / 20; // so that the least has a bar
}

// How far names that lean to the right would reach beyond the figure, each the middle of `each`
// labels; `slope`: of their width.
static double overhang(const struct hd_chart *c, const struct layout *l, const char *const *names,
                       unsigned each, double slope)
{
    double most = 0, all = place_of(c, c->n_labels - 1) + 1.4;

    for (unsigned i = 0; (i + 1) * each <= c->n_labels; i++) {
        double middle = (place_of(c, i * each) + place_of(c, (i + 1) * each - 1)) / 2 + 0.7;
        double text = names[i] ? slope * l->letter * ((double)strlen(names[i]) + 1) : 0;
        // The margin at which it would end at the edge.
        double right = l->width - l->left - (l->width - text - l->left) * all / middle;
        most = right > most ? right : most;
    }
    return most > l->width / 4 ? l->width / 4 : most;
}

static double room_below(const struct hd_chart *c, struct layout *l)
{
    double slot = (l->width - l->left - l->right) / place_of(c, c->n_labels);
    double text = longest(c->labels, c->n_labels) * l->letter, below;

    l->stand = text + l->letter > slot && c->groups;
    l->lean = text + l->letter > slot && !c->groups;
    below = l->stand ? text + CAPITALS * l->line : l->lean ? text * 0.72 + l->line : l->line;
    if (c->groups) {
        unsigned n = (c->n_labels + c->per_group - 1) / c->per_group;
        double name = longest(c->groups, n) * l->letter;
        l->names_lean = name + l->letter > slot * (c->per_group + GAP);
        below += l->line + (l->names_lean ? name * 0.5 : 0);
        if (l->names_lean)
            l->right = fmax(l->right, overhang(c, l, c->groups, c->per_group, 0.87));
    }
    if (l->lean)
        l->right = fmax(l->right, overhang(c, l, c->labels, 1, 0.72));
    return below + (c->x_label ? 2.7 : 1) * l->line;
}

static struct layout lay_out(const struct hd_chart *c, bool page, bool title)
{
    unsigned bars = c->kind == HD_CHART_BARS ? c->n_labels * (c->n_series + 1) : c->n_labels * 2;
    struct layout l = {.letter = 7, .line = 17, .right = 16};
    double plot = 260, key;

    l.width = bars * 14 < 640 ? 720 : bars * 14 + 80 > 1800 ? 1800 : bars * 14 + 80;
    if (page) {
        l = (struct layout){.letter = 5.2, .line = 10, .right = 10, .width = 510};
        plot = 170;
    }
    l.left = (c->kind == HD_CHART_POINTS ? 12 : 9) * l.letter + (c->y_label ? l.line : 0);
    if (c->kind == HD_CHART_POINTS)
        plot = l.width - l.left - l.right; // a square
    l.numbered = c->kind == HD_CHART_BARS && (l.width - l.left - l.right) / bars >= NUMBER * l.line;
    if (in_rows(c)) {
        l.left = (longest(c->labels, c->n_labels) + 3) * l.letter;
        plot = c->n_labels * l.line * (c->kind == HD_CHART_DOTS ? 1.5 : 1);
        plot = plot > 1200 ? 1200 : plot;
    }
    key = (longest(c->series, c->n_series) + 9) * l.letter;
    l.columns = (unsigned)((l.width - l.left - l.right) / key);
    l.columns = l.columns ? l.columns : 1;
    l.top = l.line * (1.5 + ceil((double)c->n_series / l.columns) + (title ? 1.5 : 0));
    bool free = in_rows(c) || c->kind == HD_CHART_POINTS; // no labels below the axis
    l.bottom = free ? 3.5 * l.line : room_below(c, &l);
    l.height = l.top + plot + l.bottom;
    l.from = free ? c->from : zoomed(c, &l);
    return l;
}

static void put_text(struct hd_out *o, const char *what, const char *text)
{
    if (!text)
        return;
    hd_out_printf(o, "set %s ", what);
    quote(o, text);
    hd_out_printf(o, "\n");
}

static void put_axes(const struct hd_chart *c, const struct layout *l, bool title, struct hd_out *o)
{
    const char *value_axis = in_rows(c) ? "x" : "y", *y_label = c->y_label;
    double least, most;

    hd_out_printf(o,
                  "set encoding utf8\nset border 3 lc rgb 'black'\n"
                  "set tics nomirror scale 0.5\n"
                  "set style fill solid 1.0 border lc rgb 'black'\n"
                  "set datafile missing '?'\n"
                  "set key at screen %.4f, screen %.4f center top horizontal maxcols %u "
                  "samplen 1.2\n",
                  (l->left + l->width - l->right) / 2 / l->width,
                  1 - (title ? 2 : 0.5) * l->line / l->height, l->columns);
    hd_out_printf(o, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", l->left / l->width,
                  1 - l->right / l->width);
    hd_out_printf(o, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
                  1 - l->top / l->height, l->bottom / l->height);
    hd_out_printf(o, "set grid %s lc rgb 'gray' lw 0.5\n", value_axis);
    if (c->from < c->to) {
        hd_out_printf(o, "set %srange [%.6g:%.6g]\n", value_axis, c->from, c->to);
    } else if (l->numbered) { // with room for the numbers
        extremes(c, &least, &most);
        hd_out_printf(o, "set yrange [%.6g:%.6g]\n", l->from,
                      most > 0 ? l->from + (most - l->from) * 1.2 : 1);
    } else {
        hd_out_printf(o, "set %srange [%.6g:*]\n", value_axis, l->from);
    }
    if (c->kind == HD_CHART_BARS && l->from > c->from) {
        y_label = hd_arena_printf(o->arena, "%s, from %.2f", y_label ? y_label : "value", l->from);
        for (int k = 0; k < 2; k++) // shows that the axis is cut
            hd_out_printf(o,
                          "set arrow from graph -0.008, graph %.3f to graph 0.008, graph %.3f "
                          "nohead lc rgb 'black' front\n",
                          0.02 + 0.02 * k, 0.04 + 0.02 * k);
    }
    if (title) {
        put_text(o, "label 1", c->title);
        hd_out_printf(o, "set label 1 at screen %.4f, screen %.4f center\n",
                      (l->left + l->width - l->right) / 2 / l->width, 1 - l->line / l->height);
    }
    put_text(o, "xlabel", c->x_label);
    put_text(o, "ylabel", y_label);
}

// A row for each label: its place, then the values; for stacks, the sums from below.
static void put_values(const struct hd_chart *c, struct hd_out *o)
{
    hd_out_printf(o, "$d << EOD\n");
    for (unsigned i = 0; i < c->n_labels; i++) {
        double sum = 0;
        hd_out_printf(o, "%.6g", place_of(c, i));
        for (unsigned s = 0; s < c->n_series; s++) {
            double v = c->values[i * c->n_series + s];
            sum = c->kind == HD_CHART_STACKS && !isnan(v) ? sum + v : v;
            if (isnan(v))
                hd_out_printf(o, " ?");
            else
                hd_out_printf(o, " %.9g", sum);
        }
        hd_out_printf(o, "\n");
    }
    hd_out_printf(o, "EOD\n");
}

static void put_labels(const struct hd_chart *c, const struct layout *l, struct hd_out *o)
{
    double plot = l->height - l->top - l->bottom;
    double text = longest(c->labels, c->n_labels) * l->letter + CAPITALS * l->line;
    double below = (l->stand ? text : l->line) + l->line;

    hd_out_printf(o, "set xtics scale 0 rotate by %d %s (",
                  l->stand  ? 90
                  : l->lean ? -45
                            : 0,
                  l->stand  ? "right"
                  : l->lean ? "left"
                            : "center");
    for (unsigned i = 0; i < c->n_labels; i++) {
        hd_out_printf(o, "%s", i ? ", " : "");
        quote(o, c->labels[i] ? c->labels[i] : "");
        hd_out_printf(o, " %.6g", place_of(c, i));
    }
    hd_out_printf(o, ")\nset xrange [-0.7:%.6g]\n", place_of(c, c->n_labels - 1) + 0.7);
    for (unsigned i = 0; c->groups && i < c->n_labels; i += c->per_group) {
        double middle = (place_of(c, i) + place_of(c, i + c->per_group - 1)) / 2;
        hd_out_printf(o, "set label ");
        quote(o, c->groups[i / c->per_group]);
        hd_out_printf(o, " at first %.6g, graph %.4f %s\n", middle, -below / plot,
                      l->names_lean ? "left rotate by -30" : "center");
    }
}

static void plot_stacks(const struct hd_chart *c, struct hd_out *o)
{
    hd_out_printf(o, "set boxwidth 0.8\nplot ");
    for (unsigned s = c->n_series; s--;) { // higher bars are drawn before those that hide them
        hd_out_printf(
            o, "%s$d using 1:%u with boxes notitle lc rgb '%s' fs solid border lc rgb 'black'",
            s + 1 < c->n_series ? ", " : "", s + 2, colour(c, s));
    }
    for (unsigned s = 0; s < c->n_series; s++) {
        hd_out_printf(o, ", NaN with boxes title ");
        quote(o, c->series[s]);
        hd_out_printf(o, " lc rgb '%s' fs solid border lc rgb 'black'", colour(c, s));
    }
}

static void plot_clusters(const struct hd_chart *c, const struct layout *l, struct hd_out *o)
{
    double width = 0.84 / c->n_series, least, most;

    extremes(c, &least, &most);
    hd_out_printf(o, "set boxwidth %.6g\nplot ", width);
    for (unsigned s = 0; s < c->n_series; s++) {
        double aside = (s - (c->n_series - 1) / 2.0) * width;
        hd_out_printf(o, "%s$d using ($1%+.6g):%u with boxes title ", s ? ", " : "", aside, s + 2);
        quote(o, c->series[s]);
        hd_out_printf(o, " lc rgb '%s' fs %s border lc rgb 'black'", colour(c, s),
                      fill(o->arena, s));
        if (l->numbered)
            hd_out_printf(o,
                          ", $d using ($1%+.6g):%u:(valid(%u) ? sprintf('%%.%df', $%u) : '') with "
                          "labels rotate by 90 left offset 0,0.4 font ',%.0f' notitle",
                          aside, s + 2, s + 2,
                          most < 10    ? 3
                          : most < 100 ? 2
                                       : 0,
                          s + 2, l->line * (l->line < 12 ? NUMBER_PAGE : NUMBER));
    }
}

static void plot_bars(const struct hd_chart *c, const struct layout *l, struct hd_out *o)
{
    put_values(c, o);
    put_labels(c, l, o);
    if (c->kind == HD_CHART_STACKS)
        plot_stacks(c, o);
    else
        plot_clusters(c, l, o);
    if (c->line > 0)
        hd_out_printf(o, ", %.6g with lines lc rgb 'black' lw 0.7 notitle", c->line);
    hd_out_printf(o, "\n");
}

// Rows from the top down, in the order of the labels.
static void plot_spans(const struct hd_chart *c, struct hd_out *o)
{
    static const char *const dots[] = {"#56b4e9", "#0072b2", "#d55e00", "#009e73"};

    hd_out_printf(o, "set yrange [%.1f:-0.6]\nset ytics (", c->n_labels - 0.4);
    for (unsigned i = 0; i < c->n_labels; i++) {
        hd_out_printf(o, "%s", i ? ", " : "");
        quote(o, c->labels[i]);
        hd_out_printf(o, " %u", i);
    }
    hd_out_printf(o, ")\n");
    for (unsigned s = 0; s < c->n_series; s++) {
        hd_out_printf(o, "$d%u << EOD\n", s);
        for (size_t i = 0; i < c->n_spans; i++)
            if (c->spans[i].series == s)
                hd_out_printf(o, "%.9g %u %.9g %.9g\n", c->spans[i].start, c->spans[i].row,
                              c->spans[i].start, c->spans[i].end);
        hd_out_printf(o, "EOD\n");
    }
    hd_out_printf(o, "plot ");
    for (unsigned s = 0; s < c->n_series; s++) {
        if (c->kind == HD_CHART_DOTS)
            hd_out_printf(o, "%s$d%u using 1:2 with points title ", s ? ", " : "", s);
        else
            hd_out_printf(o, "%s$d%u using 1:2:3:4:($2-0.38):($2+0.38) with boxxyerror title ",
                          s ? ", " : "", s);
        quote(o, c->series[s]);
        if (c->kind == HD_CHART_DOTS) // circles, discs, diamonds, squares
            hd_out_printf(o, " pt %u ps 0.9 lc rgb '%s'",
                          s % 4 == 0   ? 6
                          : s % 4 == 1 ? 7
                          : s % 4 == 2 ? 13
                                       : 5,
                          dots[s % 4]);
        else
            hd_out_printf(o, " fc rgb '%s'", colour(c, s + 1));
    }
    hd_out_printf(o, "\n");
}

static void plot_points(const struct hd_chart *c, struct hd_out *o)
{
    double least = HUGE_VAL, most = 0;

    for (size_t i = 0; i < c->n_spans; i++) {
        const struct hd_chart_span *s = &c->spans[i];
        least = fmin(least, fmin(s->start, s->end));
        most = fmax(most, fmax(s->start, s->end));
    }
    if (!(least > 0 && most < HUGE_VAL))
        least = most = 1;
    hd_out_printf(o, "set logscale xy\nset xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n",
                  least / 1.5, most * 1.5, least / 1.5, most * 1.5);
    for (size_t i = 0; i < c->n_spans; i++) {
        const struct hd_chart_span *s = &c->spans[i];
        if (s->row >= c->n_labels)
            continue;
        hd_out_printf(o, "set label ");
        quote(o, c->labels[s->row]);
        hd_out_printf(o, " at first %.9g, first %.9g offset 0.8,0\n", s->start, s->end);
    }
    for (unsigned s = 0; s < c->n_series; s++) {
        hd_out_printf(o, "$d%u << EOD\n", s);
        for (size_t i = 0; i < c->n_spans; i++)
            if (c->spans[i].series == s)
                hd_out_printf(o, "%.9g %.9g\n", c->spans[i].start, c->spans[i].end);
        hd_out_printf(o, "EOD\n");
    }
    hd_out_printf(o, "plot x with lines lc rgb 'black' lw 0.7 notitle");
    for (unsigned s = 0; s < c->n_series; s++) {
        hd_out_printf(o, ", $d%u with points pt %u ps 0.9 lc rgb '%s' title ", s, 5 + 2 * (s % 5),
                      colour(c, s + 1));
        quote(o, c->series[s]);
    }
    hd_out_printf(o, "\n");
}

// gnuplot takes a name of letters, digits and underscores.
static const char *plain_name(struct hd_arena *a, const char *name)
{
    char *plain = hd_arena_strdup(a, name);

    for (char *p = plain; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *p))
            *p = '_';
    return plain;
}

static void put_terminal(const struct layout *l, const char *format, const char *name,
                         struct hd_out *o)
{
    if (!strcmp(format, "pdf"))
        hd_out_printf(
            o,
            "set terminal pdfcairo noenhanced size 18cm,%.2fcm font 'Sans,7' fontscale 1 lw 0.4\n",
            18.0 * l->height / l->width);
    else
        hd_out_printf(
            o, "set terminal svg noenhanced fixed size %.0f,%.0f font 'Sans,13' name '%s' %s\n",
            l->width, l->height, plain_name(o->arena, name),
            strcmp(format, "inline") != 0 ? "background 'white'" : "");
}

// gnuplot only supports the ids' name.
static char *with_title(struct hd_arena *a, const struct hd_chart *c, char *figure, size_t *bytes)
{
    char *at = c->title ? strstr(figure, "<title>") : NULL,
         *end = at ? strstr(at, "</title>") : NULL;
    struct hd_out o = {.arena = a};

    if (!end)
        return figure;
    hd_out_add(&o, figure, (size_t)(at - figure));
    hd_out_printf(&o, "<title>");
    for (const char *p = c->title; *p; p++)
        hd_out_printf(&o, *p == '<' ? "&lt;" : *p == '&' ? "&amp;" : "%c", *p);
    hd_out_add(&o, end, strlen(end));
    *bytes = o.bytes;
    return o.text;
}

__attribute__((noreturn)) static void be_gnuplot(int in, int out, int err)
{
    char program[] = "gnuplot", plain[] = "-";
    char *words[] = {program, plain, NULL};

    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execvp(program, words);
    _exit(127);
}

// Returns its exit status; 127: gnuplot is not installed.
static int run_gnuplot(const struct hd_out *script, int in, int out, int err)
{
    int status = 0;
    pid_t pid;

    if (write(in, script->text, script->bytes) != (ssize_t)script->bytes || lseek(in, 0, SEEK_SET))
        return 126;
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        be_gnuplot(in, out, err);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

char *hd_chart_draw(struct hd_arena *a, const struct hd_chart *c, const char *format,
                    const char *name, size_t *bytes, struct hd_diag *d)
{
    struct hd_out script = {.arena = a};
    int in = memfd_create("heddle-script", MFD_CLOEXEC);
    int out = memfd_create("heddle-figure", MFD_CLOEXEC);
    int err = memfd_create("heddle-talk", MFD_CLOEXEC);
    size_t talk_bytes;

    bool page = !strcmp(format, "pdf"), title = strcmp(format, "inline") != 0 && c->title;
    struct layout l = lay_out(c, page, title);
    put_terminal(&l, format, name, &script);
    put_axes(c, &l, title, &script);
    if (in_rows(c))
        plot_spans(c, &script);
    else if (c->kind == HD_CHART_POINTS)
        plot_points(c, &script);
    else
        plot_bars(c, &l, &script);
    int status = in < 0 || out < 0 || err < 0 ? 126 : run_gnuplot(&script, in, out, err);
    char *figure = hd_file_all(a, out, bytes), *talk = hd_file_all(a, err, &talk_bytes);
    close(in);
    close(out);
    close(err);
    if (!status && *bytes)
        return page ? figure : with_title(a, c, figure, bytes);
    if (status == 127)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "figures are drawn by gnuplot, which is missing"),
                     "apt-get install gnuplot-nox; tables, CSV and JSON need none");
    else
        hd_diag_add(d, NULL, 0, 0, "gnuplot could not draw the figure %.40s: %.120s", name,
                    strlen(talk) > 120 ? talk + strlen(talk) - 120 : talk);
    return NULL;
}

const char *hd_chart_format(const char *path, struct hd_diag *d)
{
    const char *dot = strrchr(path, '.');

    if (dot && !strcmp(dot, ".svg"))
        return "svg";
    if (dot && !strcmp(dot, ".pdf"))
        return "pdf";
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s: what kind of figure?", path),
                 "expected a name that ends in .svg or .pdf");
    return NULL;
}
