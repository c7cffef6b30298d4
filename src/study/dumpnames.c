// dumpnames.c - see dumpnames.h.
#include "study/dumpnames.h"

#include "report/runreport.h"

#include <string.h>

struct name { // that was given, or asked for
    const char *text;
    bool given;
    unsigned next; // the least number that may be free after it
};

struct names { // a table of names by their hash, at most half full
    struct name **slots;
    size_t n_slots; // a power of two
};

static struct name *find(struct hd_arena *a, struct names *t, const char *text)
{
    size_t i = 14695981039346656037U; // FNV-1a

    for (const char *p = text; *p; p++)
        i = (i ^ (unsigned char)*p) * 1099511628211U;
    for (i &= t->n_slots - 1; t->slots[i]; i = (i + 1) & (t->n_slots - 1))
        if (!strcmp(t->slots[i]->text, text))
            return t->slots[i];
    t->slots[i] = HD_NEW(a, name);
    *t->slots[i] = (struct name){.text = text, .next = 2};
    return t->slots[i];
}

static const char *folder_of(const struct hd_study *s, const struct hd_study_run *run)
{
    const char *sched = hd_runreport_policy(&run->options.gpu.sched, "lrr");
    const char *machine = run->machine ? run->machine : "";
    char *name = hd_arena_printf(s->arena, "%s-%s", run->work->name, sched);

    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        if (hd_runreport_other(&run->options, i))
            name = hd_arena_printf(s->arena, "%s-%s", name, hd_runreport_other(&run->options, i));
    name = hd_arena_printf(s->arena, "%s%s%s", name, *machine ? "-" : "", machine);

    for (char *c = name; *c; c++)
        if (*c == '/' || *c == ' ')
            *c = '_';
    return hd_arena_printf(s->arena, "%s/%s", s->out, name);
}

// Adds a number to a name that another run has. A name that was given stays given, so numbers that
// were not free for an earlier run of the same name need not be tried again.
static const char *name_dumps(struct hd_study *s, struct names *t, const struct hd_study_run *run)
{
    struct name *wanted = find(s->arena, t, folder_of(s, run)), *own = wanted;

    while (own->given)
        own = find(s->arena, t, hd_arena_printf(s->arena, "%s-%u", wanted->text, wanted->next++));
    own->given = true;
    return own->text;
}

void hd_dumpnames_give(struct hd_study *s)
{
    struct names t = {.n_slots = 16};

    // Each run adds the name that it asks for and the one that it is given; names that it tried
    // were there before.
    while (t.n_slots < 4 * (size_t)s->n_runs)
        t.n_slots *= 2;
    t.slots = HD_ARRAY(s->arena, struct name *, t.n_slots);
    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_run *run = &s->runs[i];
        if (run->same)
            run->dumps = run->same->dumps;
        else if (run->work->item.job && run->work->item.job->n_dumps)
            run->dumps = name_dumps(s, &t, run);
    }
}
