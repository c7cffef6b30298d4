// studyplan.c - the plan of a study as a file. See studyplan.h.
#include "study/studyplan.h"

#include "heddle/version.h"
#include "present/json.h"

#include <sha256.h>
#include <string.h>

#define KEY_LETTERS 64
#define AGAIN "give the command that planned the study again: it writes the file again"

bool hd_studyplan_make(const struct hd_study *s, const char *folder, const char **words,
                       unsigned n_words, struct hd_studyplan *out, struct hd_diag *d)
{
    *out = (struct hd_studyplan){.heddle = HD_VERSION, .folder = folder, .n_words = n_words};
    out->words = words;
    out->runs = HD_ARRAY(s->arena, struct hd_studyplan_run, s->n_runs + 1);
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_run *run = &s->runs[i];
        if (!run->key) {
            *d = *run->work->error;
            return false;
        }
        if (!run->same)
            out->runs[out->n_runs++] =
                (struct hd_studyplan_run){.key = run->key, .label = run->label};
    }
    return true;
}

static const char *in_json(struct hd_arena *a, const char *text)
{
    struct hd_out out = {.arena = a};

    hd_json_add(hd_json_text(text), &out);
    return out.text;
}

void hd_studyplan_write(const struct hd_studyplan *p, struct hd_arena *a, struct hd_out *out)
{
    char sum[SHA256_DIGEST_STRING_LENGTH];
    size_t start = out->bytes;

    hd_out_printf(out, "{\"study\": %d,\n\"heddle\": %s,\n\"folder\": %s,\n\"words\": [",
                  HD_STUDYPLAN_VERSION, in_json(a, p->heddle), in_json(a, p->folder));
    for (unsigned i = 0; i < p->n_words; i++)
        hd_out_printf(out, "%s%s", i ? ", " : "", in_json(a, p->words[i]));
    hd_out_printf(out, "],\n\"runs\": [");
    for (unsigned i = 0; i < p->n_runs; i++)
        hd_out_printf(out, "%s\n[\"%s\", %s, %s]", i ? "," : "", p->runs[i].key,
                      p->runs[i].stored ? "true" : "false", in_json(a, p->runs[i].label));
    hd_out_printf(out, "\n],\n");
    SHA256Data((const uint8_t *)out->text + start, out->bytes - start, sum);
    hd_out_printf(out, "\"sum\": \"%s\"}\n", sum);
}

static bool wrong(const char *path, struct hd_diag *d, const char *what)
{
    hd_diag_hint(hd_diag_add(d, path, 0, 0, "this is no plan of a study: %s", what), AGAIN);
    return false;
}

static const char *text_of(struct hd_arena *a, const json_t *v)
{
    return json_is_string(v) ? hd_arena_strdup(a, json_string_value(v)) : NULL;
}

static bool is_key(const char *key)
{
    return key && strlen(key) == KEY_LETTERS && strspn(key, "0123456789abcdef") == KEY_LETTERS;
}

static bool read_runs(struct hd_arena *a, const char *path, const json_t *runs,
                      struct hd_studyplan *out, struct hd_diag *d)
{
    size_t i;
    json_t *run;

    out->runs = HD_ARRAY(a, struct hd_studyplan_run, json_array_size(runs) + 1);
    json_array_foreach(runs, i, run)
    {
        struct hd_studyplan_run *to = &out->runs[out->n_runs++];
        const json_t *stored = json_array_get(run, 1);
        to->key = text_of(a, json_array_get(run, 0));
        to->stored = json_is_true(stored);
        to->label = text_of(a, json_array_get(run, 2));
        if (json_array_size(run) != 3 || !is_key(to->key) || !json_is_boolean(stored) || !to->label)
            return wrong(path, d,
                         hd_arena_printf(a, "run %zu is not [KEY, true or false, NAME]", i + 1));
    }
    return true;
}

// The checksum is that of the bytes before the last line.
static bool right_sum(const char *text, size_t bytes, const char *sum)
{
    char hex[SHA256_DIGEST_STRING_LENGTH];
    const char *last = bytes > 1 ? memrchr(text, '\n', bytes - 1) : NULL;

    return last && sum &&
           !strcmp(SHA256Data((const uint8_t *)text, (size_t)(last + 1 - text), hex), sum);
}

static bool read_plan(struct hd_arena *a, const char *path, const json_t *all,
                      struct hd_studyplan *out, struct hd_diag *d)
{
    const json_t *version = json_object_get(all, "study"), *words = json_object_get(all, "words");
    json_t *word;
    size_t i;

    *out = (struct hd_studyplan){.heddle = text_of(a, json_object_get(all, "heddle")),
                                 .folder = text_of(a, json_object_get(all, "folder"))};
    if (!json_is_integer(version))
        return wrong(path, d, "\"study\" is missing");
    if (json_integer_value(version) != HD_STUDYPLAN_VERSION) {
        hd_diag_hint(hd_diag_add(d, path, 0, 0, "a plan of version %lld, this heddle knows %d",
                                 (long long)json_integer_value(version), HD_STUDYPLAN_VERSION),
                     "use the heddle that made it, or plan in another folder");
        return false;
    }
    if (!out->heddle || !out->folder || *out->folder != '/')
        return wrong(path, d, "\"heddle\" or \"folder\" is missing");
    if (!json_array_size(words))
        return wrong(path, d, "\"words\" is missing");
    out->words = HD_ARRAY(a, const char *, json_array_size(words) + 1);
    json_array_foreach(
        words, i, word) if (!(out->words[out->n_words++] =
                                  text_of(a, word))) return wrong(path, d,
                                                                  "\"words\" are not all text");
    if (!json_is_array(json_object_get(all, "runs")))
        return wrong(path, d, "\"runs\" is missing");
    return read_runs(a, path, json_object_get(all, "runs"), out, d);
}

bool hd_studyplan_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                        struct hd_studyplan *out, struct hd_diag *d)
{
    json_error_t error;
    json_t *all = json_loadb(text, bytes, 0, &error);

    if (!all) {
        hd_diag_hint(hd_diag_add(d, path, error.line > 0 ? (uint32_t)error.line : 0,
                                 error.line > 0 && error.column > 0 ? (uint32_t)error.column : 0,
                                 "this is no plan of a study: %.160s", error.text),
                     AGAIN);
        return false;
    }
    bool good = read_plan(a, path, all, out, d);
    if (good && !right_sum(text, bytes, json_string_value(json_object_get(all, "sum")))) {
        hd_diag_hint(hd_diag_add(d, path, 0, 0,
                                 "the plan was changed or damaged after it was written: its "
                                 "checksum is another one"),
                     AGAIN);
        good = false;
    }
    json_decref(all);
    return good;
}

bool hd_studyplan_same(const struct hd_studyplan *stored, const char *path,
                       const struct hd_studyplan *now, struct hd_diag *d)
{
    static const char hint[] = "restore what was changed, or plan a new study with --study "
                               "ANOTHER-FOLDER; this one keeps its results";
    unsigned i = 0;

    while (i < stored->n_runs && i < now->n_runs && !strcmp(stored->runs[i].key, now->runs[i].key))
        i++;
    if (i == stored->n_runs && i == now->n_runs)
        return true;
    const char *was = i < stored->n_runs ? stored->runs[i].label : NULL;
    const char *is = i < now->n_runs ? now->runs[i].label : NULL;
    if (strcmp(stored->heddle, now->heddle) != 0)
        hd_diag_hint(hd_diag_add(d, path, 0, 0,
                                 "the study was planned by heddle %.40s, and this is heddle %s",
                                 stored->heddle, now->heddle),
                     hint);
    else if (was && is && !strcmp(was, is))
        hd_diag_hint(hd_diag_add(d, path, 0, 0,
                                 "heddle, a policy, a machine or an input was changed after the "
                                 "study was planned: run %u (%.100s) is another run now",
                                 i + 1, is),
                     hint);
    else
        hd_diag_hint(hd_diag_add(d, path, 0, 0,
                                 "the folder belongs to another study: run %u is %.100s there, and "
                                 "%.100s here",
                                 i + 1, was ? was : "missing", is ? is : "missing"),
                     "--study ANOTHER-FOLDER keeps both");
    return false;
}

unsigned hd_studyplan_share(const struct hd_studyplan *p, struct hd_study *s, unsigned share,
                            unsigned shares)
{
    unsigned mine = 0, at = 0, left = 0;

    for (unsigned i = 0; i < s->n_runs; i++) {
        if (s->runs[i].same)
            continue;
        bool stored = p->runs[at++].stored;
        s->runs[i].others = stored || left % shares != share - 1;
        left += !stored;
        mine += !s->runs[i].others;
    }
    // A run whose policy needs the plan of another run (plans.h) makes that run here, too.
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_run *run = &s->runs[i];
        struct hd_study_run *by = run->plan ? &s->runs[run->plan - 1] : NULL;
        if (!by || run->same || run->others)
            continue;
        if (by->same)
            by = &s->runs[by->same - s->runs];
        mine += by->others;
        by->others = false;
    }
    return mine;
}

void hd_studyplan_check(const struct hd_studyplan *p, struct hd_study *s)
{
    unsigned at = 0;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (!s->runs[i].same)
            s->runs[i].checked = p->runs[at++].checked;
}

unsigned hd_studyplan_left(const struct hd_studyplan *p)
{
    unsigned n = 0;

    for (unsigned i = 0; i < p->n_runs; i++)
        n += !p->runs[i].stored;
    return n;
}
