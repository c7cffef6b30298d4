// cmd_run.c - heddle run: simulates one workload and reports the result.
#include "cmd/cmd.h"

#include "present/out.h"

#include <string.h>

static bool write_text(const struct hd_cmd_options *o, const char *file,
                       void (*write)(const struct hd_runreport *, struct hd_out *),
                       const struct hd_runreport *r)
{
    struct hd_out text = {.arena = o->arena};

    if (!file)
        return true;
    write(r, &text);
    return hd_out_write(hd_out_path(o->arena, file), text.text, text.bytes);
}

// Prints the program's output; if a result goes to standard output, it goes to standard error.
static void pass_on_printed(const struct hd_runreport *r, bool taken)
{
    FILE *to = taken ? stderr : stdout;
    uint64_t lost;
    size_t bytes;

    if (!r->run->gpu)
        return;
    const char *text = hd_gpu_printed(r->run->gpu, &bytes, &lost);
    fwrite(text, 1, bytes, to);
    if (bytes && text[bytes - 1] != '\n')
        putc('\n', to);
    if (bytes && !taken)
        putc('\n', to);
    if (lost)
        fprintf(stderr, "heddle: %llu printf texts lost: the device's buffer was full\n",
                (unsigned long long)lost);
}

static bool is_stdout(const char *file)
{
    return file && !strcmp(file, "-");
}

// Result files and the table; false if one could not be written.
static bool write_results(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s)
{
    const struct hd_runreport *r = &s->report;
    bool taken = is_stdout(o->json) || is_stdout(o->csv) || is_stdout(o->timeline) ||
                 is_stdout(o->konata) || is_stdout(o->html) || o->stats;
    struct hd_diag doubts = {0};

    hd_gpu_doubts(r->run->gpu, &doubts);
    hd_diag_print(&doubts, stderr);
    pass_on_printed(r, taken);
    // A result on standard output replaces the table.
    if (!o->quiet && !taken)
        hd_runtable_print(r, o->arena, stdout);
    bool good = hd_cmd_simulate_keep(o, s);
    good = write_text(o, o->json, hd_runjson_write, r) && good;
    good = write_text(o, o->csv, hd_runtable_csv, r) && good;
    good = write_text(o, o->timeline, hd_timeline_write, r) && good;
    good = write_text(o, o->konata, hd_konata_write, r) && good;
    good = (!o->html || hd_cmd_html_run(o, r)) && good;
    const char *doubt = o->konata ? hd_konata_doubt(r, o->arena) : NULL;
    if (doubt)
        fprintf(stderr, "heddle: %s\n", doubt);
    return write_text(o, o->stats ? "-" : NULL, hd_runnames_write, r) && good;
}

int hd_cmd_run(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_cmd_simulation s = {0};
    bool profile = o->db && !o->functional_only && !o->sample; // `heddle diff` needs it

    if (hd_cmd_options_stats(o, &d) && hd_cmd_places_check(o, false, &d) &&
        hd_cmd_html_choose(o, &d) && hd_cmd_simulate_start(o, "run", profile, &s, &d))
        return hd_cmd_simulate_exit(&s, write_results(o, &s));
    return hd_cmd_simulate_fail(&s, &d);
}
