// cmd_check_policy.c - heddle check-policy: checks whether a policy keeps the rules of
// heddle/policy.h.
#include "cmd/cmd.h"

#include "contract/verdict.h"
#include "present/out.h"

#include <string.h>

// A word is a file to load, or the name of a policy with its parameters.
static bool is_file(const char *word)
{
    size_t n = strlen(word);

    return strchr(word, '/') || (n > 3 && !strcmp(word + n - 3, ".so"));
}

static bool read_words(struct hd_cmd_options *o, struct hd_cmd_list *names, struct hd_diag *d)
{
    struct hd_cmd_list files = {0};
    bool good = hd_cmd_machine_plugins(o, d);

    for (size_t i = 0; i < o->args.n && good; i++) {
        const char *word = o->args.items[i];
        if (!is_file(word)) {
            *HD_PUSH(o->arena, names->items, names->n, names->cap) = word;
            continue;
        }
        good = hd_registry_plugin(word, d);
        *HD_PUSH(o->arena, files.items, files.n, files.cap) = word;
    }
    bool named = names->n != 0;
    for (unsigned i = 0; good && !named && i < hd_registry_count(); i++)
        if (hd_registry_file(hd_registry_at(i)))
            *HD_PUSH(o->arena, names->items, names->n, names->cap) = hd_registry_at(i)->name;
    if (good && !names->n) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "which policy is to be checked?"),
                     "expected FILE.so, or a name of 'heddle list policies'");
        good = false;
    }
    return good;
}

int hd_cmd_check_policy(struct hd_cmd_options *o)
{
    struct hd_cmd_list names = {0};
    struct hd_diag d = {0};
    struct hd_policy_choice c;
    unsigned broken = 0;

    if (!read_words(o, &names, &d))
        return hd_cmd_options_fail(&d);
    for (size_t i = 0; i < names.n; i++)
        if (!hd_registry_parse(o->arena, names.items[i], &c, &d))
            return hd_cmd_options_fail(&d);
    for (size_t i = 0; i < names.n; i++) {
        hd_registry_parse(o->arena, names.items[i], &c, &d);
        broken += !hd_verdict_print(&c, hd_registry_file(c.policy), stdout);
    }
    if (!hd_out_flush())
        return HD_EXIT_USER;
    return broken ? HD_EXIT_CHECK : HD_EXIT_OK;
}
