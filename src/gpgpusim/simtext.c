// simtext.c - see simtext.h.
#include "gpgpusim/simtext.h"

#include <string.h>

#define KEY_WIDTH 25

struct text { // pieces that are joined at the end
    struct hd_arena *arena;
    const char **pieces;
    size_t n, cap, bytes;
};

// What comes from the user's files is in comments: it must neither end the line nor act on a
// terminal.
static void add(struct text *t, const char *piece)
{
    size_t n = strlen(piece);
    char *copy = hd_arena_strndup(t->arena, piece, n);

    for (size_t i = 0; i < n; i++)
        if ((unsigned char)copy[i] < ' ' || copy[i] == 0x7f)
            copy[i] = '?';
    *HD_PUSH(t->arena, t->pieces, t->n, t->cap) = copy;
    t->bytes += n;
}

static void end_line(struct text *t)
{
    *HD_PUSH(t->arena, t->pieces, t->n, t->cap) = "\n";
    t->bytes++;
}

static void add_key(struct text *t, const struct hd_config_line *line)
{
    const char *key = strchr(line->key, '.') + 1;
    const char *both = hd_arena_printf(t->arena, "%s = %s", key, line->value);

    add(t, hd_arena_printf(t->arena, "%-*s # %s", KEY_WIDTH, both, line->from));
    end_line(t);
}

static void add_section(struct text *t, const struct hd_simmap *map, const char *section)
{
    size_t n = strlen(section);
    bool any = false;

    for (size_t i = 0; i < map->n_lines; i++) {
        const char *key = map->lines[i].key;
        if (strncmp(key, section, n) != 0 || key[n] != '.')
            continue;
        if (!any) {
            end_line(t);
            add(t, hd_arena_printf(t->arena, "[%s]", section));
            end_line(t);
        }
        any = true;
        add_key(t, &map->lines[i]);
    }
}

// Whether the text has the name with a blank after it.
static bool names(const char *text, const char *name)
{
    size_t n = strlen(name);

    for (text = strstr(text, name); text; text = strstr(text + 1, name))
        if (text[n] == ' ')
            return true;
    return false;
}

static const char *why(const struct hd_simoption *o)
{
    if (o->how == HD_SIM_MUST || o->how == HD_SIM_LACK)
        return "as heddle models it";
    return *o->note ? o->note : "no key follows from it here";
}

// Options that are in the file and stand beside no key.
static void add_rest(struct text *t, const struct hd_simfile *file, const struct hd_simmap *map)
{
    bool any = false;

    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        const struct hd_simsetting *s = &file->settings[hd_simoptions_index(o)];
        bool shown = false;
        for (size_t i = 0; i < map->n_lines && s->value && !shown; i++)
            shown = names(map->lines[i].from, o->name);
        if (!s->value || shown)
            continue;
        if (!any) {
            end_line(t);
            add(t, "# Options without a key:");
            end_line(t);
        }
        any = true;
        add(t, hd_arena_printf(t->arena, "# %s %s: %s", o->name, s->value, why(o)));
        end_line(t);
    }
}

const char *hd_simtext_make(const struct hd_simfile *file, const struct hd_simmap *map)
{
    static const char *const versions[] = {"3.2.2", "3, of July 2014 or later", "4"};
    struct text t = {.arena = map->arena};
    size_t at = 0;

    add(&t, "# From ");
    for (size_t i = 0; i < file->n_files; i++)
        add(&t, hd_arena_printf(t.arena, "%s%s", i ? ", " : "", file->files[i]));
    if (map->net)
        add(&t, hd_arena_printf(t.arena, " and %s", map->net));
    add(&t, hd_arena_printf(t.arena, ", a configuration of GPGPU-Sim (version %s).",
                            versions[map->version]));
    end_line(&t);
    add(&t,
        hd_arena_printf(t.arena, "# Its scheduler is --sched %s. Written by 'heddle gpu convert'.",
                        map->sched));
    end_line(&t);
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        add_section(&t, map, s->name);
    add_rest(&t, file, map);
    char *all = HD_ARRAY(t.arena, char, t.bytes + 1);
    for (size_t i = 0; i < t.n; i++) {
        size_t n = strlen(t.pieces[i]);
        memcpy(all + at, t.pieces[i], n);
        at += n;
    }
    all[at] = '\0';
    return all;
}
