// chart.c - a script for gnuplot, and what it draws. See chart.h.
#include "report/chart.h"

#include "report/out.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// The base of a comparison is usually first, what the figure is about last.
static const char *const colours[] = {"#d9d9d9", "#0072b2", "#56b4e9", "#f0e442",
                                      "#009e73", "#e69f00", "#d55e00", "#cc79a7"};
#define N_COLOURS (sizeof colours / sizeof *colours)

static const char *colour(const struct hd_chart *c, unsigned series)
{
    // With few series the last of the list stays the last.
    if (c->kind == HD_CHART_BARS && c->n_series < 7 && series + 1 == c->n_series && series)
        return colours[6];
    return colours[series % N_COLOURS];
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

static void put_axes(const struct hd_chart *c, struct hd_out *o)
{
    const char *value_axis = c->kind == HD_CHART_SPANS ? "x" : "y";

    hd_out_printf(o, "set encoding utf8\nset border 3 lc rgb 'black'\n"
                     "set tics nomirror scale 0.5\n"
                     "set style fill solid 1.0 border lc rgb 'black'\n"
                     "set datafile missing '?'\n"
                     "set key outside top center horizontal samplen 1.2\n");
    hd_out_printf(o, "set grid %s lc rgb 'gray' lw 0.5\n", value_axis);
    if (c->from < c->to)
        hd_out_printf(o, "set %srange [%.6g:%.6g]\n", value_axis, c->from, c->to);
    else if (c->from > 0 || c->to < 0)
        hd_out_printf(o, "set %srange [%.6g:*]\n", value_axis, c->from);
    else
        hd_out_printf(o, "set %srange [0:*]\n", value_axis);
    if (c->title) {
        hd_out_printf(o, "set title ");
        quote(o, c->title);
        hd_out_printf(o, "\n");
    }
    if (c->x_label) {
        hd_out_printf(o, "set xlabel ");
        quote(o, c->x_label);
        hd_out_printf(o, "\n");
    }
    if (c->y_label) {
        hd_out_printf(o, "set ylabel ");
        quote(o, c->y_label);
        hd_out_printf(o, "\n");
    }
}

static void put_values(const struct hd_chart *c, struct hd_out *o)
{
    hd_out_printf(o, "$d << EOD\n");
    for (unsigned i = 0; i < c->n_labels; i++) {
        quote(o, c->labels[i]);
        for (unsigned s = 0; s < c->n_series; s++) {
            double v = c->values[i * c->n_series + s];
            if (isnan(v))
                hd_out_printf(o, " ?");
            else
                hd_out_printf(o, " %.9g", v);
        }
        hd_out_printf(o, "\n");
    }
    hd_out_printf(o, "EOD\n");
}

static void plot_bars(const struct hd_chart *c, struct hd_out *o)
{
    put_values(c, o);
    hd_out_printf(o, "set style data histograms\nset style histogram %s\nset boxwidth %s\n",
                  c->kind == HD_CHART_STACKS ? "rowstacked" : "clustered gap 1",
                  c->kind == HD_CHART_STACKS ? "0.8" : "0.95");
    // Labels lie, lean or stand, as they have room.
    bool stand = c->kind == HD_CHART_STACKS && c->n_labels > 12, lean = c->n_labels > 6;
    hd_out_printf(o, "set xtics rotate by %d %s\nset xrange [-0.7:%.1f]\nplot ",
                  stand  ? 90
                  : lean ? -45
                         : 0,
                  stand  ? "right"
                  : lean ? "left"
                         : "center",
                  c->n_labels - 0.3);
    for (unsigned s = 0; s < c->n_series; s++) {
        hd_out_printf(o, "%s$d using %u%s title ", s ? ", " : "", s + 2, s ? "" : ":xtic(1)");
        quote(o, c->series[s]);
        hd_out_printf(o, " lc rgb '%s'", colour(c, s));
    }
    if (c->line > 0)
        hd_out_printf(o, ", %.6g with lines lc rgb 'black' lw 0.7 notitle", c->line);
    hd_out_printf(o, "\n");
}

// Rows from the top down, in the order of the labels.
static void plot_spans(const struct hd_chart *c, struct hd_out *o)
{
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
        hd_out_printf(o, "%s$d%u using 1:2:3:4:($2-0.38):($2+0.38) with boxxyerror title ",
                      s ? ", " : "", s);
        quote(o, c->series[s]);
        hd_out_printf(o, " fc rgb '%s'", colour(c, s + 1));
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

// Wide enough for its bars, on paper as wide as a page.
static void put_terminal(const struct hd_chart *c, const char *format, const char *name,
                         struct hd_out *o)
{
    unsigned bars = c->kind == HD_CHART_BARS ? c->n_labels * (c->n_series + 1) : c->n_labels * 3;
    unsigned width = bars * 8 < 560 ? 640 : bars * 8 + 80 > 1500 ? 1500 : bars * 8 + 80;
    unsigned height = c->kind == HD_CHART_SPANS ? c->n_labels * 16 + 110 : 340;

    if (c->kind == HD_CHART_SPANS)
        width = 760;
    if (!strcmp(format, "pdf"))
        hd_out_printf(o, "set terminal pdfcairo noenhanced size 18cm,%.1fcm font 'Sans,8' lw 0.4\n",
                      18.0 * height / width < 6 ? 6 : 18.0 * height / width);
    else
        hd_out_printf(o,
                      "set terminal svg noenhanced fixed size %u,%u font 'Sans,13' name '%s' %s\n",
                      width, height > 1400 ? 1400 : height, plain_name(o->arena, name),
                      strcmp(format, "inline") != 0 ? "background 'white'" : "");
}

static char *slurp(struct hd_arena *a, int fd, size_t *bytes)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = hd_arena_get(a, (size_t)(size > 0 ? size : 0) + 1, 1);
    ssize_t n = size > 0 ? pread(fd, text, (size_t)size, 0) : 0;

    *bytes = n > 0 ? (size_t)n : 0;
    return text;
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

// Its exit status; 127: there is none.
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

    put_terminal(c, format, name, &script);
    put_axes(c, &script);
    if (c->kind == HD_CHART_SPANS)
        plot_spans(c, &script);
    else
        plot_bars(c, &script);
    int status = in < 0 || out < 0 || err < 0 ? 126 : run_gnuplot(&script, in, out, err);
    char *figure = slurp(a, out, bytes), *talk = slurp(a, err, &talk_bytes);
    close(in);
    close(out);
    close(err);
    if (!status && *bytes)
        return figure;
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
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%.100s: what kind of figure?", path),
                 "expected a name that ends in .svg or .pdf");
    return NULL;
}
