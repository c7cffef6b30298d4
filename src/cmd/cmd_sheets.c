// cmd_sheets.c - the sheets of a command that simulates nothing: printed, and as CSV and JSON.
#include "cmd/cmd.h"

#include <string.h>

bool hd_cmd_sheets_write(const struct hd_cmd_options *o, const struct hd_sheets *sheets)
{
    bool taken = (o->json && !strcmp(o->json, "-")) || (o->csv && !strcmp(o->csv, "-"));
    struct hd_out csv = {.arena = o->arena}, text = {.arena = o->arena};
    bool good = true;

    for (size_t i = 0; i < sheets->n && !taken && !o->quiet; i++)
        hd_sheet_print(sheets->items[i], stdout);
    for (size_t i = 0; i < sheets->n; i++)
        hd_sheet_csv(sheets->items[i], &csv);
    if (o->csv)
        good = hd_out_write(hd_out_path(o->arena, o->csv), csv.text, csv.bytes);
    if (!o->json)
        return good;
    json_t *all = json_array();
    for (size_t i = 0; i < sheets->n; i++)
        json_array_append_new(all, hd_sheet_json(sheets->items[i]));
    hd_json_write(all, &text);
    return hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes) && good;
}
