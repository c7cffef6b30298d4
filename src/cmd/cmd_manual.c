// cmd_manual.c - heddle manual: the command line as a page, as a manual and as completion for
// shells.
//
// Everything comes from the tables that the program parses with (cmd_table.c, cmd_options.c), so
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

// Text in a cell of a table of Markdown: bars would end the cell.
static void markdown_cell(const char *text)
{
    for (; *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}

static void markdown(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    struct hd_cmd_option opt;

    printf("# Commands\n\n"
           "*Reference: every command of heddle and its options. The page is what `heddle manual "
           "markdown` prints; a test compares them.*\n\n"
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
            markdown_cell(left_of(a, &opt));
            printf("` | ");
            markdown_cell(opt.help);
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

static const char *words_of(struct hd_arena *a, const char *value)
{
    char *words = hd_arena_strndup(a, value, strlen(value));

    for (char *bar = words; (bar = strchr(bar, '|'));)
        *bar++ = ' ';
    return words;
}

// The words that a command's usage lists after its name, as in "list gpus|policies", or "".
static const char *usage_words(struct hd_arena *a, const struct hd_cmd *cmd)
{
    const char *at = cmd->usage + strcspn(cmd->usage, " ");
    size_t n;

    at += strspn(at, " ");
    n = strcspn(at, " ");
    for (size_t i = 0; i < n; i++)
        if (!islower((unsigned char)at[i]) && at[i] != '|')
            return "";
    const char *words = words_of(a, hd_arena_strndup(a, at, n));
    return strcmp(cmd->name, "db") != 0 ? words : "check add";
}

static bool takes_workloads(const struct hd_cmd *cmd)
{
    return strstr(cmd->usage, "WORKLOAD") != NULL;
}

static void bash(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    static const char *const offered[] = {
        [NOTHING] = ":",
        [FILES] = "COMPREPLY=($(compgen -f -- \"$word\"))",
        [FOLDERS] = "COMPREPLY=($(compgen -d -- \"$word\"))",
        [GPUS] = "_heddle_names gpus; COMPREPLY+=($(compgen -f -- \"$word\"))",
        [POLICIES] = "_heddle_names policies"};
    struct hd_cmd_option opt;

    printf("# Completion of heddle for bash, printed by 'heddle manual bash'.\n"
           "_heddle_names() { # a list of 'heddle list', after the last comma\n"
           "    local before= names\n"
           "    [[ $word != *,* ]] || before=${word%%,*},\n"
           "    names=$(\"${COMP_WORDS[0]}\" list \"$1\" 2>/dev/null | awk 'NR > 1 { print $1 }')\n"
           "    COMPREPLY=($(compgen -P \"$before\" -W \"$names\" -- \"${word##*,}\"))\n"
           "}\n"
           "_heddle() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$previous\" = help ]; then\n"
           "        COMPREPLY=($(compgen -W \"help");
    for (size_t i = 0; i < o->n_commands; i++)
        printf(" %s", o->commands[i].name);
    printf("\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]}:$previous in\n");
    for (size_t i = 0; i < o->n_commands; i++)
        for (size_t k = 0; option_at(a, &o->commands[i], k, &opt); k++) {
            if (!opt.value || opt.may)
                continue;
            printf("    %s:--%s)", o->commands[i].name, opt.name);
            if (offer_of(&opt) == WORDS)
                printf(" COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))", words_of(a, opt.value));
            else
                printf(" %s", offered[offer_of(&opt)]);
            printf("; return ;;\n");
        }
    printf("    esac\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        printf("    %s)\n        if [[ $word = -* ]]; then\n"
               "            COMPREPLY=($(compgen -W \"",
               cmd->name);
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++)
            printf("%s--%s", k ? " " : "", opt.name);
        printf("\" -- \"$word\"))\n        else\n");
        if (takes_workloads(cmd))
            printf("            _heddle_names workloads\n");
        else if (!strcmp(cmd->name, "paper"))
            printf("            _heddle_names papers\n");
        printf("            COMPREPLY+=($(compgen -W \"%s\" -- \"$word\") $(compgen -f -- "
               "\"$word\"))\n        fi ;;\n",
               usage_words(a, cmd));
    }
    printf("    esac\n}\ncomplete -o filenames -F _heddle heddle\n");
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

static void zsh(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    static const char *const offered[] = {[NOTHING] = " ",
                                          [FILES] = "_files",
                                          [FOLDERS] = "_files -/",
                                          [GPUS] = "_heddle_names gpus",
                                          [POLICIES] = "_heddle_names policies"};
    struct hd_cmd_option opt;

    printf(
        "#compdef heddle\n# Completion of heddle for zsh, printed by 'heddle manual zsh'.\n"
        "_heddle_names() {\n"
        "    local -a names=(${(f)\"$(heddle list $1 2>/dev/null | awk 'NR > 1 { print $1 }')\"})\n"
        "    _values -s , $1 $names\n}\n"
        "_heddle_words() {\n"
        "    local -a names=(${(f)\"$(heddle list $1 2>/dev/null | awk 'NR > 1 { print $1 }')\"})\n"
        "    compadd -a names\n    _files\n}\n"
        "_heddle() {\n    local -a commands=(\n");
    for (size_t i = 0; i < o->n_commands; i++) {
        printf("        '%s:", o->commands[i].name);
        quoted(o->commands[i].brief, true);
        printf("'\n");
    }
    printf("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n"
           "        return\n    fi\n    local command=$words[2]\n    shift words\n"
           "    ((CURRENT--))\n    case $command in\n");
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        const char *words = usage_words(a, cmd);
        printf("    %s)\n        _arguments", cmd->name);
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
            printf(" \\\n            '*--%s[", opt.name);
            quoted(opt.help, true);
            printf("]");
            if (opt.value && !opt.may) {
                printf(":");
                quoted(opt.value, true);
                if (offer_of(&opt) == WORDS)
                    printf(":(%s)", words_of(a, opt.value));
                else
                    printf(":%s", offered[offer_of(&opt)]);
            }
            printf("'");
        }
        if (*words)
            printf(" \\\n            '*:word:(%s)'", words);
        else
            printf(" \\\n            '*:word:%s'",
                   takes_workloads(cmd) ? "_heddle_words workloads" : "_files");
        printf("\n        ;;\n");
    }
    printf("    esac\n}\n_heddle \"$@\"\n");
}

static void fish(const struct hd_cmd_options *o)
{
    struct hd_arena *a = o->arena;
    struct hd_cmd_option opt;

    printf("# Completion of heddle for fish, printed by 'heddle manual fish'.\n"
           "function __heddle_names\n"
           "    heddle list $argv[1] 2>/dev/null | awk 'NR > 1 { print $1 }'\nend\n");
    for (size_t i = 0; i < o->n_commands; i++) {
        const struct hd_cmd *cmd = &o->commands[i];
        printf("complete -c heddle -n __fish_use_subcommand -f -a %s -d '", cmd->name);
        quoted(cmd->brief, false);
        printf("'\n");
        const char *when =
            hd_arena_printf(a, "complete -c heddle -n '__fish_seen_subcommand_from %s'", cmd->name);
        if (takes_workloads(cmd))
            printf("%s -a '(__heddle_names workloads)'\n", when);
        if (*usage_words(a, cmd))
            printf("%s -a '%s'\n", when, usage_words(a, cmd));
        for (size_t k = 0; option_at(a, cmd, k, &opt); k++) {
            printf("%s -l %s", when, opt.name);
            enum offer offer = offer_of(&opt);
            if (opt.value && !opt.may)
                printf(" %s", offer == FILES || offer == FOLDERS ? "-r" : "-x");
            if (offer == WORDS)
                printf(" -a '%s'", words_of(a, opt.value));
            else if (offer == GPUS || offer == POLICIES)
                printf(" -a '(__heddle_names %s)'", offer == GPUS ? "gpus" : "policies");
            printf(" -d '");
            quoted(opt.help, false);
            printf("'\n");
        }
    }
}

int hd_cmd_manual(struct hd_cmd_options *o)
{
    static const char *const names[] = {"markdown", "man", "bash", "zsh", "fish", NULL};
    static void (*const print[])(const struct hd_cmd_options *) = {markdown, man, bash, zsh, fish};
    struct hd_diag d = {0};
    struct hd_diag_entry *e;

    for (size_t i = 0; o->args.n == 1 && names[i]; i++)
        if (!strcmp(names[i], o->args.items[0])) {
            print[i](o);
            return HD_EXIT_OK;
        }
    e = o->args.n == 1 ? hd_diag_add(&d, NULL, 0, 0, "there is no manual '%.60s'", o->args.items[0])
                       : hd_diag_add(&d, NULL, 0, 0, "manual takes one word");
    if (o->args.n == 1)
        hd_diag_nearest(e, o->args.items[0], names);
    if (!e->hint[0])
        hd_diag_hint(e, "expected markdown, man, bash, zsh or fish");
    return hd_cmd_options_fail(&d);
}
