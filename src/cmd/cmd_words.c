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

static void add_word(struct hd_out *to, const char *key, const char *value)
{
    if (value)
        hd_out_printf(to, "%s%s%s", to->bytes ? " " : "", key, value);
}

static struct hd_out keys(const struct hd_cmd_options *o)
{
    struct hd_out text = {.arena = o->arena};

    hd_out_add(&text, "", 0);
    for (size_t i = 0; i < o->sets.n; i++)
        add_word(&text, "", o->sets.items[i]);
    return text;
}

const char *hd_cmd_words_keys(const struct hd_cmd_options *o)
{
    return keys(o).text;
}

const char *hd_cmd_words_machine(const struct hd_cmd_options *o)
{
    struct hd_out text = keys(o);

    add_word(&text, "regs=", o->regs);
    add_word(&text, "ptx=", o->ptx);
    add_word(&text, "copy-bandwidth=", o->copy_bandwidth);
    for (size_t i = 0; i < o->plugins.n; i++)
        add_word(&text, "plugin=", o->plugins.items[i]);
    return text.text;
}

const char *hd_cmd_words_input(const struct hd_cmd_options *o)
{
    struct hd_out text = {.arena = o->arena};

    hd_out_add(&text, "", 0);
    if (o->size)
        hd_out_printf(&text, " --size %s", hd_cmd_words_quoted(o->arena, o->size));
    if (o->ptx)
        hd_out_printf(&text, " --ptx %s", hd_cmd_words_quoted(o->arena, o->ptx));
    if (o->seed_given)
        hd_out_printf(&text, " --seed %llu", (unsigned long long)o->seed);
    return text.text;
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
    if (o->regs)
        hd_out_printf(&text, " --regs %s", hd_cmd_words_quoted(o->arena, o->regs));
    for (size_t i = 0; i < o->sets.n; i++)
        hd_out_printf(&text, " --set %s", hd_cmd_words_quoted(o->arena, o->sets.items[i]));
    for (size_t i = 0; i < o->plugins.n; i++)
        hd_out_printf(&text, " --plugin %s", hd_cmd_words_quoted(o->arena, o->plugins.items[i]));
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
