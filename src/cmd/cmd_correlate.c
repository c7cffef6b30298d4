// cmd_correlate.c - heddle correlate: measurements of a GPU beside those of a modelled machine.
#include "cmd/cmd.h"

#include "heddle/version.h"
#include "present/html.h"
#include "report/correlate.h"

static bool write_figures(const struct hd_cmd_options *o, const struct hd_sheets *sheets)
{
    struct hd_sheets none = {.arena = o->arena};
    struct hd_html h = {
        .title = hd_arena_printf(o->arena, "%s beside %s", o->args.items[1], o->args.items[0]),
        .subtitle = hd_arena_printf(o->arena, "heddle %s, model %d.", HD_VERSION, HD_MODEL),
        .sheets = sheets,
        .details = &none,
        .command = o->line};
    struct hd_diag d = {0};
    bool good = true;

    if (o->plot && !hd_html_plot(sheets, o->plot, !o->quiet, &d)) {
        hd_diag_print(&d, stderr);
        good = false;
    }
    return (!o->html || hd_cmd_html_write(o, &h)) && good;
}

static bool write_all(const struct hd_cmd_options *o, const struct hd_sheets *sheets)
{
    bool good = hd_cmd_sheets_write(o, sheets);

    return write_figures(o, sheets) && good;
}

int hd_cmd_correlate(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_measured gpu, model;
    struct hd_sheets sheets = {.arena = o->arena};
    struct hd_config config;

    if (o->args.n != 2)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "correlate takes two files of measurements"),
                     "first the GPU's, then the model's; hardware/run.sh writes both");
    else if (hd_cmd_places_check(o, true, &d) &&
             hd_measured_read(o->arena, o->args.items[0], &gpu, &d) &&
             hd_measured_read(o->arena, o->args.items[1], &model, &d) &&
             (!o->gpu || hd_cmd_machine_config(o, &config, &d)) &&
             hd_correlate_explain(&gpu, &model, o->gpu ? &config : NULL, &sheets, &d))
        return write_all(o, &sheets) ? HD_EXIT_OK : HD_EXIT_USER;
    return hd_cmd_options_fail(&d);
}
