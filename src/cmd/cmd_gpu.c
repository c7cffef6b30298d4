// cmd_gpu.c - heddle gpu convert: a configuration of GPGPU-Sim as a machine file of heddle's.
// Also the list of its options, and the explanation of one.
#include "cmd/cmd.h"

#include "gpgpusim/simmachine.h"
#include "gpgpusim/simtext.h"
#include "present/table.h"

#include <string.h>

#define WHAT_IT_TAKES                                                                              \
    "expected 'heddle gpu convert FILE', as in 'heddle gpu convert gpgpusim.config'"

static int convert(const struct hd_cmd_options *o, const char *path)
{
    struct hd_simfile *file = HD_NEW(o->arena, hd_simfile);
    struct hd_simmap *map = HD_NEW(o->arena, hd_simmap);
    struct hd_config *config = HD_NEW(o->arena, hd_config);
    struct hd_diag d = {0};

    if (!hd_simmachine_read(o->arena, path, file, map, config, &d))
        return hd_cmd_options_fail(&d);
    hd_diag_print(&d, stderr);
    fputs(hd_simtext_make(file, map), stdout);
    return HD_EXIT_OK;
}

int hd_cmd_gpu(struct hd_cmd_options *o)
{
    static const char *const verbs[] = {"convert", NULL};
    struct hd_diag d = {0};

    if (o->args.n == 2 && !strcmp(o->args.items[0], "convert"))
        return convert(o, o->args.items[1]);
    if (!o->args.n || !strcmp(o->args.items[0], "convert")) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "gpu convert takes one file"), WHAT_IT_TAKES);
    } else {
        struct hd_diag_entry *e =
            hd_diag_add(&d, NULL, 0, 0, "'gpu' has no command '%.60s'", o->args.items[0]);
        hd_diag_nearest(e, o->args.items[0], verbs);
        if (!e->hint[0])
            hd_diag_hint(e, WHAT_IT_TAKES);
    }
    return hd_cmd_options_fail(&d);
}

// What an option becomes, in a few words.
static const char *becomes(struct hd_arena *a, const struct hd_simoption *o)
{
    switch ((enum hd_simhow)o->how) {
    case HD_SIM_KEY:
    case HD_SIM_PART:
    case HD_SIM_ALIAS:
        return *o->keys ? o->keys : NULL;
    case HD_SIM_MUST:
    case HD_SIM_LACK:
        return hd_arena_printf(a, "only %s", hd_simoptions_values(a, o->keys));
    case HD_SIM_IGNORE:
        break;
    }
    return NULL;
}

static const char *becomes_and_note(struct hd_arena *a, const struct hd_simoption *o)
{
    const char *to = becomes(a, o);

    return hd_arena_printf(a, "%s%s%s", to ? to : "", to && *o->note ? "; " : "", o->note);
}

void hd_cmd_gpu_list(struct hd_arena *a)
{
    struct hd_table t = hd_table_new(a, "lll");

    hd_table_add(&t, "OPTION");
    hd_table_add(&t, "HOW");
    hd_table_add(&t, "WHAT IT BECOMES");
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        hd_table_add(&t, o->name);
        hd_table_add(&t, hd_simoptions_how(o));
        hd_table_add(&t, becomes_and_note(a, o));
    }
    hd_table_print(&t, stdout);
}

void hd_cmd_gpu_page(struct hd_arena *a)
{
    printf(
        "# Options of GPGPU-Sim\n\n"
        "*Reference: every option of GPGPU-Sim's configuration files, and what heddle makes of "
        "it, as `heddle manual gpgpusim`\nprints them. `make pages` writes this page. "
        "[from-gpgpusim.md](from-gpgpusim.md#configuration-keys) explains how to use the "
        "files.*\n\n"
        "| how | meaning |\n|---|---|\n"
        "| key | its number is the value of a key of the [machine](machine.md) |\n"
        "| derived | keys follow from it, alone or with other options |\n"
        "| ignored | it changes no cycles |\n"
        "| fixed | the model is that of these values; others are refused |\n"
        "| missing | other values need a part of GPGPU-Sim 4 that heddle does not have; they are "
        "refused |\n"
        "| alias | an older spelling of another option |\n\n"
        "| option | how | what it becomes |\n|---|---|---|\n");
    for (const struct hd_simoption *o = hd_simoptions; o->name; o++) {
        printf("| `%s` | %s | ", o->name, hd_simoptions_how(o));
        hd_cmd_wrap_cell(becomes_and_note(a, o));
        printf(" |\n");
    }
}

bool hd_cmd_gpu_explain(struct hd_arena *a, const char *name)
{
    static const char *const what[] = {
        [HD_SIM_KEY] = "its number is the value of the key",
        [HD_SIM_PART] = "from it, alone or with other options, follow the keys",
        [HD_SIM_IGNORE] = "ignored, because it changes no cycles",
        [HD_SIM_MUST] = "heddle's machine is that of the value",
        [HD_SIM_LACK] = "not modelled, except for the value",
    };
    const struct hd_simoption *o = hd_simoptions_find(name);

    if (!o)
        return false;
    hd_cmd_wrap_print(hd_arena_printf(a, "option %s of GPGPU-Sim: %s%s%s", o->name,
                                      o->how == HD_SIM_PART && !*o->keys ? "derived" : what[o->how],
                                      *o->keys ? " " : "", hd_simoptions_values(a, o->keys)),
                      0);
    if (*o->note)
        hd_cmd_wrap_print(o->note, 2);
    if (o->how == HD_SIM_LACK)
        hd_cmd_wrap_print(hd_arena_printf(a, "missing: %s; %s", hd_simoptions_lacks[o->which].what,
                                          hd_simoptions_lacks[o->which].hint),
                          2);
    const char *three = o->default3 ? o->default3 : "(no such option)";
    const char *four = o->default4 ? o->default4 : "(no such option)";
    printf("  default in version 3.2.2: %s, in version 4: %s\n", *three ? three : "none",
           *four ? four : "none");
    return true;
}
