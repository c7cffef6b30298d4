// simtext.c - see simtext.h.
#include "gpgpusim/simtext.h"

#include <inttypes.h>
#include <string.h>

#define KEY_WIDTH 25

// A comment on a line of its own may come from the file: it must not end the line.
static void put(const char *text, FILE *to)
{
    hd_diag_put(text, to);
}

static void print_key(const struct hd_simmap *map, const struct hd_config_line *line, FILE *to)
{
    const char *key = strchr(line->key, '.') + 1;
    const char *text = hd_arena_printf(map->arena, "%s = %s", key, line->value);

    fprintf(to, "%-*s # ", KEY_WIDTH, text);
    put(line->from, to);
    putc('\n', to);
}

static void print_section(const struct hd_simmap *map, const char *section, FILE *to)
{
    size_t n = strlen(section);
    bool any = false;

    for (size_t i = 0; i < map->n_lines; i++) {
        const char *key = map->lines[i].key;
        if (strncmp(key, section, n) != 0 || key[n] != '.')
            continue;
        if (!any)
            fprintf(to, "\n[%s]\n", section);
        any = true;
        print_key(map, &map->lines[i], to);
    }
}

// Options that are in the file and have no key.
static void print_rest(const struct hd_simfile *file, FILE *to)
{
    bool any = false;

    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        const struct hd_simsetting *s = &file->settings[hd_simoptions_index(o)];
        if (!s->value || o->how == HD_SIM_KEY || (o->how == HD_SIM_PART && *o->keys))
            continue;
        if (!any)
            fprintf(to, "\n# Options without a key:\n");
        any = true;
        fprintf(to, "# %s ", o->name);
        put(s->value, to);
        fprintf(to, ": %s\n",
                o->how == HD_SIM_MUST || o->how == HD_SIM_LACK ? "as heddle models it" : o->note);
    }
}

void hd_simtext_print(const struct hd_simfile *file, const struct hd_simmap *map, FILE *to)
{
    static const char *const versions[] = {"3.2.2", "3, of July 2014 or later", "4"};

    fputs("# From ", to);
    put(file->path, to);
    for (size_t i = 1; i < file->n_files; i++) {
        fputs(", ", to);
        put(file->files[i], to);
    }
    if (map->net) {
        fputs(" and ", to);
        put(map->net, to);
    }
    fprintf(to, ", a configuration of GPGPU-Sim (version %s).\n", versions[map->version]);
    fprintf(to, "# Its scheduler is --sched %s. Written by 'heddle gpu convert'.\n", map->sched);
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        print_section(map, s->name, to);
    print_rest(file, to);
}
