// cmd_manual.c - heddle manual: the command line as a page and as a manual, completion for shells,
// and the pages that list counters and GPGPU-Sim's options (cmd_manualstats.c, cmd_gpu.c).
//
// Everything comes from the tables that the program parses with (main.c, cmd_options.c), so
// that none of it can be out of date. A command that reads its own words has its options in its
// details, in lines that begin with "  --".
#include "cmd/cmd.h"

#include "heddle/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// The i-th option of a command, also of one that reads its own words.
static bool option_at(struct hd_arena *a, const struct hd_cmd *cmd, size_t i,
                      struct hd_cmd_option *out)
{
    if (!cmd->raw)
        return hd_cmd_options_at(cmd, i, out);
    for (const char *line = cmd->details; line && *line;) {
        const char *end = line + strcspn(line, "\n");
        if (!strncmp(line, "  --", 4) && !i--) {
            const char *name = line + 4;
            size_t n = strcspn(name, " \n");
            const char *value = name + n + strspn(name + n, " ");
            bool takes = value == name + n + 1; // more than one blank: the help begins
            const char *help = takes ? value + strcspn(value, " \n") : value;
            help += strspn(help, " ");
            *out = (struct hd_cmd_option){hd_arena_strndup(a, name, n),
                                          takes ? hd_arena_strndup(a, value, strcspn(value, " \n"))
                                                : NULL,
                                          hd_arena_strndup(a, help, (size_t)(end - help)), false};
            return true;
        }
        line = *end ? end + 1 : NULL;
    }
    return false;
}

// The lines of a command's details that are no options.
static const char *details_of(struct hd_arena *a, const struct hd_cmd *cmd)
{
    const char *details = cmd->details ? cmd->details : "";
    const char *options = cmd->raw ? strstr(details, "options:\n") : NULL;

    return options ? hd_arena_strndup(a, details, (size_t)(options - details)) : details;
}

static const char *left_of(struct hd_arena *a, const struct hd_cmd_option *opt)
{
    if (!opt->value)
        return hd_arena_printf(a, "--%s", opt->name);
    return hd_arena_printf(a, opt->may ? "--%s[=%s]" : "--%s %s", opt->name, opt->value);
}

static void commands_page(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    struct hd_cmd_option opt;

    printf(
        "# Commands\n\n"
        "*Reference: every command of heddle and its options, as `heddle manual commands` prints "
        "them. `make pages` writes this page.*\n\n"
        "Options may stand before and after other words, as `--name value` or `--name=value`; "
        "if one is given twice, the last counts.\n`--` ends them. `heddle help COMMAND` shows "
        "the same for one command.\n\n| command | |\n|---|---|\n");
    for (size_t i = 0; i < o->n_commands; i++)
        printf("| [%s](#heddle-%s) | %s |\n", o->commands[i].name, o->commands[i].name,
               o->commands[i].brief);
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        const char *details = details_of(a, cmd);
        printf("\n## heddle %s\n\n%s\n\n```\nheddle %s\n", cmd->name, cmd->brief, cmd->usage);
        printf("%s%s```\n", *details ? "\n" : "", details);
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
            printf("%s| `", k ? "" : "\n| option | |\n|---|---|\n");
            hd_cmd_wrap_cell(left_of(a, &opt));
            printf("` | ");
            hd_cmd_wrap_cell(opt.help);
            printf(" |\n");
        }
    }
}

// Text of a manual: a backslash, a hyphen and a dot or quote at the start of a line mean something.
static void man_text(const char *text)
{
    bool start = true;

    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
        start = *text == '\n';
    }
}

static void man(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    struct hd_cmd_option opt;

    printf(".TH HEDDLE 1 \"\" \"heddle %s\" \"User Commands\"\n.SH NAME\n"
           "heddle \\- run CUDA kernels cycle by cycle on a GPU that you design\n"
           ".SH SYNOPSIS\n.B heddle\n.I COMMAND\n[options]\n.SH DESCRIPTION\n"
           "Options may stand before and after other words, as\n.B \\-\\-name value\nor\n"
           ".BR \\-\\-name=value ;\nif one is given twice, the last counts.\n",
           HD_VERSION);
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        printf(".SH \"HEDDLE %s\"\n.B heddle ", cmd->name);
        man_text(cmd->usage);
        printf("\n.PP\n");
        man_text(cmd->brief);
        const char *details = details_of(a, cmd);
        if (*details) {
            printf("\n.PP\n.nf\n");
            man_text(details);
            printf(".fi");
        }
        printf("\n");
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
            printf(".TP\n.B ");
            man_text(left_of(a, &opt));
            printf("\n");
            man_text(opt.help);
            printf("\n");
        }
    }
    printf(".SH FILES\nHEDDLE_DATA names a folder with gpus, papers and workloads, if they are not "
           "beside the program.\n");
}

// Takes the names from a list of 'heddle list'; of the policies those for a slot, if one is given.
#define NAMES "'NR > 1 && (!slot || index(\",\" $2 \",\", \",\" slot \",\")) { print $1 }'"

// What a shell offers after an option whose value it is. Lists of names come from heddle itself.
enum offer { NOTHING, FILES, FOLDERS, GPUS, POLICIES, WORDS };

static enum offer offer_of(const struct hd_cmd_option *opt)
{
    static const char *const folders[] = {"out", NULL};
    static const char *const policies[] = {"sched", "fetch", "tb", "kernel-policy", "base", NULL};

    for (size_t i = 0; folders[i]; i++)
        if (!strcmp(opt->name, folders[i]))
            return FOLDERS;
    for (size_t i = 0; policies[i]; i++)
        if (!strcmp(opt->name, policies[i]))
            return POLICIES;
    if (!strcmp(opt->name, "gpu"))
        return GPUS;
    if (!opt->value || opt->may)
        return NOTHING;
    if (strstr(opt->value, "FILE"))
        return FILES;
    for (const char *c = opt->value; *c; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && !strchr("|_-", *c))
            return NOTHING;
    return WORDS; // test|small|paper
}

// The slot whose policies the option takes, as 'heddle list policies' names it.
static const char *slot_of(const struct hd_cmd_option *opt)
{
    return !strcmp(opt->name, "base") ? "sched" : opt->name;
}

static bool takes_files(const struct hd_cmd *cmd)
{
    return strstr(cmd->usage, "FILE") || strstr(cmd->usage, "PROGRAM");
}

static const char *words_of(struct hd_arena *a, const char *value)
{
    char *words = hd_arena_strndup(a, value, strlen(value));

    for (char *bar = words; (bar = strchr(bar, '|'));)
        *bar++ = ' ';
    return words;
}

// The words that may follow a command's name: of "list gpus|policies" or "db check FILE | db add
// FILE" those in small letters. "" if there are none.
static const char *usage_words(struct hd_arena *a, const struct hd_cmd *cmd)
{
    const char *words = "";
    size_t name = strlen(cmd->name);

    for (const char *at = cmd->usage; at; at = strstr(at, " | ") ? strstr(at, " | ") + 3 : NULL) {
        if (strncmp(at, cmd->name, name) != 0 || at[name] != ' ')
            continue; // a bar between options
        const char *word = at + name + 1;
        size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz|-");
        if (n && (!word[n] || word[n] == ' '))
            words = hd_arena_printf(a, "%s%s%s", words, *words ? " " : "",
                                    words_of(a, hd_arena_strndup(a, word, n)));
    }
    return words;
}

// The list of 'heddle list' whose names a command takes, or NULL.
static const char *list_of(const struct hd_cmd *cmd)
{
    if (strstr(cmd->usage, "WORKLOAD"))
        return "workloads";
    if (!strcmp(cmd->name, "paper"))
        return "papers";
    return !strcmp(cmd->name, "explain") || !strcmp(cmd->name, "check-policy") ? "policies" : NULL;
}

// Functions that the rest of the completion for bash calls. bash splits --name=value into three
// words, and the completion undoes that.
static const char bash_functions[] =
    "# Completion of heddle for bash, printed by 'heddle manual bash'.\n"
    "_heddle_words() { # WORDS: those that begin with what was typed\n"
    "    local -a found\n"
    "    mapfile -t found < <(compgen -W \"$1\" -- \"$word\")\n"
    "    COMPREPLY+=(\"${found[@]}\")\n"
    "}\n"
    "_heddle_files() { # -f or -d: files or folders\n"
    "    local -a found\n"
    "    mapfile -t found < <(compgen \"$1\" -- \"$word\")\n"
    "    COMPREPLY+=(\"${found[@]}\")\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "_heddle_names() { # LIST [SLOT]: names of 'heddle list'; those before a comma stay\n"
    "    local before= names\n"
    "    local -a found\n"
    "    [[ $word != *,* ]] || before=${word%,*},\n"
    "    names=$(\"${COMP_WORDS[0]}\" list \"$1\" 2>/dev/null | awk -v slot=\"$2\" " NAMES ")\n"
    "    mapfile -t found < <(compgen -P \"$before\" -W \"$names\" -- \"${word##*,}\")\n"
    "    COMPREPLY+=(\"${found[@]}\")\n"
    "}\n"
    "_heddle() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} i\n"
    "    COMPREPLY=()\n"
    "    if [ \"$word\" = = ]; then\n"
    "        word=\n"
    "    elif [ \"$previous\" = = ]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do # words of another program\n"
    "        if [ \"${COMP_WORDS[i]}\" = -- ]; then\n"
    "            _heddle_files -f\n"
    "            return\n"
    "        fi\n"
    "    done\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; then\n";

// What follows the options that take a value.
static void bash_values(struct hd_arena *a, const struct hd_cmd *cmd)
{
    static const char *const offered[] = {
        [NOTHING] = "",
        [FILES] = " _heddle_files -f;",
        [FOLDERS] = " _heddle_files -d;",
        [GPUS] = " _heddle_names gpus; _heddle_files -f;",
        [POLICIES] = " _heddle_names policies ",
    };
    struct hd_cmd_option opt;

    for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
        if (!opt.value || opt.may)
            continue;
        printf("    %s:--%s)", cmd->name, opt.name);
        if (offer_of(&opt) == WORDS)
            printf(" _heddle_words \"%s\";", words_of(a, opt.value));
        else
            printf("%s", offered[offer_of(&opt)]);
        if (offer_of(&opt) == POLICIES)
            printf("%s;", slot_of(&opt));
        printf(" return ;;\n");
    }
}

static void bash(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    struct hd_cmd_option opt;

    printf("%s", bash_functions);
    printf("        _heddle_words \"help");
    for (size_t i = 0; i < o->n_commands; i++)
        printf(" %s", o->commands[i].name);
    printf("\"\n        return\n    fi\n    case ${COMP_WORDS[1]}:$previous in\n");
    for (size_t i = 0; i < o->n_commands; i++)
        bash_values(a, &o->commands[i]);
    printf("    esac\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        const char *list = list_of(cmd), *words = usage_words(a, cmd);
        printf("    %s)\n        if [[ $word = -* ]]; then\n            _heddle_words \"",
               cmd->name);
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++)
            printf("%s--%s", k ? " " : "", opt.name);
        printf("\"\n        else\n");
        if (*words)
            printf("            [ \"$COMP_CWORD\" -gt 2 ] || _heddle_words \"%s\"\n", words);
        if (list)
            printf("            _heddle_names %s\n", list);
        printf(takes_files(cmd) ? "            _heddle_files -f\n        fi ;;\n"
                                : "            :\n        fi ;;\n");
    }
    printf("    esac\n}\ncomplete -F _heddle heddle\n");
}

// A word between single quotes, as zsh and fish read it; zsh's brackets and colons are masked.
static void quoted(const char *text, bool zsh)
{
    for (; *text; text++)
        if (*text == '\'')
            printf(zsh ? "'\\''" : "\\'");
        else if (zsh && strchr("[]:\\", *text))
            printf("\\%c", *text);
        else if (*text == '\\')
            printf("\\\\");
        else
            putchar(*text);
}

static const char zsh_functions[] =
    "#compdef heddle\n"
    "# Completion of heddle for zsh, printed by 'heddle manual zsh'.\n"
    "_heddle_list() {\n"
    "    reply=(${(f)\"$(${~program} list $1 2>/dev/null | awk -v slot=$2 " NAMES ")\"})\n"
    "}\n"
    "_heddle_names() { # with commas between them\n"
    "    local -a reply\n"
    "    _heddle_list $1 $2\n"
    "    _values -s , $1 $reply\n"
    "}\n"
    "_heddle_words() {\n"
    "    local -a reply\n"
    "    _heddle_list $1\n"
    "    compadd -a reply\n"
    "    _files\n"
    "}\n"
    "_heddle() {\n"
    "    local program=$words[1]\n"
    "    local -a commands=(\n";

static void zsh_command(struct hd_arena *a, const struct hd_cmd *cmd)
{
    static const char *const offered[] = {[NOTHING] = " ",
                                          [FILES] = "_files",
                                          [FOLDERS] = "_files -/",
                                          [GPUS] = " _heddle_names gpus",
                                          [POLICIES] = " _heddle_names policies "};
    const char *words = usage_words(a, cmd), *list = list_of(cmd);
    struct hd_cmd_option opt;

    printf("    %s)\n        _arguments", cmd->name);
    for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
        printf(" \\\n            '*--%s%s[", opt.name, !opt.value ? "" : opt.may ? "=-" : "=");
        quoted(opt.help, true);
        printf("]");
        if (opt.value) {
            printf(opt.may ? "::" : ":");
            quoted(opt.value, true);
            if (opt.may || offer_of(&opt) == WORDS)
                printf(":(%s)", words_of(a, opt.value));
            else
                printf(":%s%s", offered[offer_of(&opt)],
                       offer_of(&opt) == POLICIES ? slot_of(&opt) : "");
        }
        printf("'");
    }
    if (*words)
        printf(" \\\n            '1:word:(%s)'", words);
    printf(" \\\n            '*:word:");
    printf("%s%s'", list ? " _heddle_words " : takes_files(cmd) ? "_files" : " ", list ? list : "");
    printf("\n        ;;\n");
}

static void zsh(const struct hd_cmd_options *o)
{
    printf("%s", zsh_functions);
    for (size_t i = 0; i < o->n_commands; i++) {
        printf("        '%s:", o->commands[i].name);
        quoted(o->commands[i].brief, true);
        printf("'\n");
    }
    printf("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n"
           "        return\n    fi\n    local command=$words[2]\n    shift words\n"
           "    ((CURRENT--))\n    case $command in\n");
    for (size_t i = 0; i < o->n_commands; i++)
        zsh_command(o->arena, &o->commands[i]);
    printf("    esac\n}\n_heddle \"$@\"\n");
}

static void fish(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    struct hd_cmd_option opt;

    printf("# Completion of heddle for fish, printed by 'heddle manual fish'.\n"
           "function __heddle_names\n"
           "    set -l words (commandline -opc)\n"
           "    command $words[1] list $argv[1] 2>/dev/null | awk -v slot=\"$argv[2]\" " NAMES
           "\nend\n");
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        printf("complete -c heddle -n __fish_use_subcommand -f -a %s -d '", cmd->name);
        quoted(cmd->brief, false);
        printf("'\n");
        const char *when =
            hd_arena_printf(a, "complete -c heddle -n '__fish_seen_subcommand_from %s'", cmd->name);
        if (list_of(cmd))
            printf("%s -a '(__heddle_names %s)'\n", when, list_of(cmd));
        if (*usage_words(a, cmd))
            printf("%s -a '%s'\n", when, usage_words(a, cmd));
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
            printf("%s -l %s", when, opt.name);
            enum offer offer = offer_of(&opt);
            if (opt.value && !opt.may)
                printf(" %s", offer == FILES || offer == FOLDERS ? "-r" : "-x");
            if (offer == WORDS)
                printf(" -a '%s'", words_of(a, opt.value));
            else if (offer == GPUS)
                printf(" -a '(__heddle_names gpus)'");
            else if (offer == POLICIES)
                printf(" -a '(__heddle_names policies %s)'", slot_of(&opt));
            printf(" -d '");
            quoted(opt.help, false);
            printf("'\n");
        }
    }
}

static void stats_page(const struct hd_cmd_options *o)
{
    hd_cmd_manualstats_print(o->arena);
}

static void gpgpusim_page(const struct hd_cmd_options *o)
{
    hd_cmd_gpu_page(o->arena);
}

#define FORMS "commands, stats, gpgpusim, man, bash, zsh or fish"

int hd_cmd_manual(struct hd_cmd_options *o)
{
    static const char *const names[] = {"commands", "stats", "gpgpusim", "man",
                                        "bash",     "zsh",   "fish",     NULL};
    static void (*const print[])(const struct hd_cmd_options *) = {
        commands_page, stats_page, gpgpusim_page, man, bash, zsh, fish};
    struct hd_diag d = {0};

    for (size_t i = 0; o->args.n == 1 && names[i]; i++)
        if (!strcmp(names[i], o->args.items[0])) {
            print[i](o);
            return HD_EXIT_OK;
        }
    if (o->args.n != 1) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "manual takes one word"), "expected " FORMS);
        return hd_cmd_options_fail(&d);
    }
    struct hd_diag_entry *e =
        hd_diag_add(&d, NULL, 0, 0, "there is no manual '%.60s'", o->args.items[0]);
    hd_diag_nearest(e, o->args.items[0], names);
    if (!e->hint[0])
        hd_diag_hint(e, "expected " FORMS);
    return hd_cmd_options_fail(&d);
}
