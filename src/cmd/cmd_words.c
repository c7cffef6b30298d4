// cmd_words.c - options as text again: for the command that repeats a run, and for the names of
// machines in results.
#include "cmd/cmd.h"

#include <inttypes.h>
#include <string.h>

const char *hd_cmd_words_quoted(struct hd_arena *a, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:=@,%";
    struct hd_out text = {.arena = a};

    if (*word && !word[strspn(word, plain)])
        return word;
    hd_out_add(&text, "'", 1);
    for (const char *p = word; *p; p++) {
        if (*p == '\'')
            hd_out_add(&text, "'\\''", 4);
        else
            hd_out_add(&text, p, 1);
    }
    hd_out_add(&text, "'", 1);
    return text.text;
}

const char *hd_cmd_words_machine(const struct hd_cmd_options *o)
{
    struct hd_out text = {.arena = o->arena};

    hd_out_add(&text, "", 0);
    for (size_t i = 0; i < o->sets.n; i++)
        hd_out_printf(&text, "%s%s", i ? " " : "", o->sets.items[i]);
    if (o->regs)
        hd_out_printf(&text, "%sregs=%s", text.bytes ? " " : "", o->regs);
    if (o->ptx)
        hd_out_printf(&text, "%sptx=%s", text.bytes ? " " : "", o->ptx);
    return text.text;
}

const char *hd_cmd_words_sets(const struct hd_cmd_options *o)
{
    const char *machine = hd_cmd_words_machine(o);

    if (!o->sample)
        return machine;
    return hd_arena_printf(o->arena, "%s%ssample=%" PRIu64, machine, *machine ? " " : "",
                           o->sample);
}

const char *hd_cmd_words_repeat(const struct hd_cmd_options *o)
{
    struct hd_out text = {.arena = o->arena};

    hd_out_add(&text, "", 0);
    if (o->gpu)
        hd_out_printf(&text, " --gpu %s", hd_cmd_words_quoted(o->arena, o->gpu));
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        if (s != HD_SLOT_SCHED && o->slot[s])
            hd_out_printf(&text, " --%s %s", hd_slots[s].option,
                          hd_cmd_words_quoted(o->arena, o->slot[s]));
    if (o->size)
        hd_out_printf(&text, " --size %s", hd_cmd_words_quoted(o->arena, o->size));
    if (o->ptx)
        hd_out_printf(&text, " --ptx %s", hd_cmd_words_quoted(o->arena, o->ptx));
    if (o->regs)
        hd_out_printf(&text, " --regs %s", hd_cmd_words_quoted(o->arena, o->regs));
    for (size_t i = 0; i < o->sets.n; i++)
        hd_out_printf(&text, " --set %s", hd_cmd_words_quoted(o->arena, o->sets.items[i]));
    for (size_t i = 0; i < o->plugins.n; i++)
        hd_out_printf(&text, " --plugin %s", hd_cmd_words_quoted(o->arena, o->plugins.items[i]));
    if (o->seed_given)
        hd_out_printf(&text, " --seed %llu", (unsigned long long)o->seed);
    if (o->sample)
        hd_out_printf(&text, " --sample %" PRIu64, o->sample);
    if (o->sample_warm)
        hd_out_printf(&text, " --sample-warm %" PRIu64, o->sample_warm);
    if (o->sample_seed)
        hd_out_printf(&text, " --sample-seed %" PRIu64, o->sample_seed);
    if (o->max_cycles)
        hd_out_printf(&text, " --max-cycles %llu", (unsigned long long)o->max_cycles);
    if (o->max_insts)
        hd_out_printf(&text, " --max-insts %llu", (unsigned long long)o->max_insts);
    if (o->no_skip)
        hd_out_printf(&text, " --no-skip");
    return text.text;
}
