// test_ptx_isa.c - keeps docs/ptx-isa.md true: every form that stands there is loaded, or refused
// with the message that stands there.
//
// The page explains its lines. Two of them here, where <a|b> stands for either:
//   works    sm_100  fma.<rn|rz>.f32x2 %rd1, %rd2, %rd3, %rd4;
//   refused  sm_90a  wgmma.fence.sync.aligned;
//            instruction 'wgmma' is not supported
//
// With arguments `modules DIR` it writes the examples to files instead, DIR/TARGET.N.ptx or
// DIR/TARGET.N.c.ptx, which tests/cli/test_ptx_isa.sh gives to ptxas; `.c`: with --compile-only.
#include "shared/ptx_text.h"

#include <stdio.h>

#define PAGE "docs/ptx-isa.md"
#define MOST 512      // examples of one line
#define TEXT 1200     // bytes of one
#define TOGETHER 1500 // kernels in one file

// What examples may use.
#define REGISTERS                                                                                  \
    ".reg .pred %p<9>; .reg .b8 %c<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; "      \
    ".reg .f32 %f<40>; .reg .f64 %fd<9>; .reg .b128 %q<4>; .param .b32 pa; .param .b32 pr;\n"
#define AROUND                                                                                     \
    ".global .align 16 .b8 g[64]; .const .align 16 .b8 cc[64]; .shared .align 16 .b8 sm[64];\n"    \
    ".global .texref tr; .global .surfref sr; .func fun() { ret; }\n"                              \
    ".func (.reg .b32 r) fun2(.reg .b32 a) { mov.b32 r, a; ret; }\n"                               \
    ".func (.param .b32 r) fun3(.param .b32 a) { ret; }\n.entry kernel() { ret; }\n"

struct row {
    int line;
    bool works;
    char target[24]; // sm_90; the others are for whole modules
    bool module, file, skipped;
    char form[TEXT], why[TEXT];
};

static char examples[MOST][TEXT];
static unsigned n_examples;

// Replaces the first <a|b|...> by each alternative. A `<` whose `>` comes after another `<` is
// itself.
static void expand(const char *form)
{
    const char *open = strchr(form, '<'), *close = NULL;

    for (; open; open = strchr(open + 1, '<')) {
        close = open + 1 + strcspn(open + 1, "<>");
        if (*close == '>')
            break;
    }
    if (!open) {
        if (n_examples < MOST)
            snprintf(examples[n_examples++], TEXT, "%s", form);
        return;
    }
    for (const char *at = open + 1; at <= close; at++) {
        size_t n = strcspn(at, "|>");
        char one[TEXT];
        snprintf(one, sizeof one, "%.*s%.*s%s", (int)(open - form), form, (int)n, at, close + 1);
        expand(one);
        at += n;
    }
}

static const char *text_of(const struct row *r, const char *example)
{
    if (r->file)
        return example;
    if (r->module)
        return hd_arena_printf(arena, ".version 9.0\n.target %s\n.address_size 64\n" AROUND "%s\n",
                               r->target, example);
    return hd_arena_printf(arena,
                           ".version 9.0\n.target %s\n.address_size 64\n" AROUND
                           ".entry k(.param .u64 out) {\n%s%s\nL1: L2: ret; }\n",
                           r->target, REGISTERS, example);
}

static bool said(const char *why)
{
    for (unsigned i = 0; i < diag.n; i++)
        if (strstr(diag.entries[i].text, why))
            return true;
    return false;
}

static unsigned wrong, checked;

static void check(const struct row *r)
{
    n_examples = 0;
    expand(r->form);
    hd_arena_free(arena); // programs of the last line
    arena = hd_arena_new();
    for (unsigned i = 0; i < n_examples; i++, checked++) {
        const char *text = text_of(r, examples[i]);
        bool loads = ptx_load_bytes(text, strlen(text)) != NULL;

        if (loads == r->works && (loads || (r->why[0] && said(r->why))))
            continue;
        if (wrong++ > 20)
            continue;
        print_error(PAGE ":%d: %s: %s\n", r->line, examples[i],
                    loads        ? "is accepted"
                    : r->works   ? "is refused"
                    : !r->why[0] ? "the page does not say how it is refused"
                                 : "is refused with another message");
        if (!loads)
            hd_diag_print(&diag, stderr);
    }
}

// A line of the page, if it is a row: a word, where it is valid, and the form.
static bool read_row(struct row *r, const char *s, int line)
{
    char word[16], where[24];
    int at = 0;

    if (sscanf(s, "%15s %23s %n", word, where, &at) != 2 || !at ||
        (strcmp(word, "works") && strcmp(word, "refused")))
        return false;
    memset(r, 0, sizeof *r);
    r->line = line;
    r->works = word[0] == 'w';
    r->module = !strcmp(where, "module");
    r->file = !strncmp(where, "file", 4);
    r->skipped = !strcmp(where, "file");
    snprintf(r->target, sizeof r->target, "%s",
             r->module                  ? "sm_90"
             : r->file && !r->skipped   ? where + 5
             : !strncmp(where, "sm", 2) ? where
                                        : "sm_90");
    snprintf(r->form, sizeof r->form, "%.*s", (int)strcspn(s + at, "\n"), s + at);
    return true;
}

static void each_row(void (*act)(const struct row *r))
{
    FILE *f = fopen(PAGE, "r");
    static struct row r;
    bool open = false;
    char s[TEXT];

    if (!f)
        fail_msg("cannot read " PAGE);
    for (int line = 1; fgets(s, sizeof s, f); line++) {
        struct row next;
        bool more = open && s[0] == ' ' && s[strspn(s, " ")] != '\n';
        if (more) { // the message, under a row that is refused
            snprintf(r.why, sizeof r.why, "%.*s", (int)strcspn(s + strspn(s, " "), "\n"),
                     s + strspn(s, " "));
            continue;
        }
        if (open)
            act(&r);
        open = read_row(&next, s, line);
        if (open)
            r = next;
    }
    fclose(f);
}

static void the_page_is_true(void **state)
{
    (void)state;
    checked = 0;
    each_row(check);
    print_message("%u examples\n", checked);
    assert_true(checked > 4000);
    assert_int_equal(wrong, 0);
}

// --- files for ptxas

static const char *folder;
static FILE *out;
static char out_target[24];
static unsigned in_file, n_files;

static void begin(const char *target, const char *ending, bool head)
{
    char path[600];

    if (out)
        fclose(out);
    snprintf(path, sizeof path, "%s/%s.%u%s.ptx", folder, target, n_files++, ending);
    out = fopen(path, "w");
    if (!out)
        fail_msg("cannot write %s", path);
    snprintf(out_target, sizeof out_target, "%s", target);
    in_file = 0;
    if (head)
        fprintf(out, ".version 9.0\n.target %s\n.address_size 64\n" AROUND, target);
}

static void write_row(const struct row *r)
{
    if (r->skipped)
        return;
    n_examples = 0;
    expand(r->form);
    for (unsigned i = 0; i < n_examples; i++) {
        if (r->module || r->file) {
            begin(r->target, r->module ? ".c" : "", r->module);
            fprintf(out, "%s\n", examples[i]);
            out_target[0] = '\0'; // only this
            continue;
        }
        if (strcmp(out_target, r->target) || in_file >= TOGETHER)
            begin(r->target, "", true);
        fprintf(out, ".entry k%u(.param .u64 out) { // line %d\n%s%s\nL1: L2: ret; }\n", in_file++,
                r->line, REGISTERS, examples[i]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_page_is_true, ptx_setup, ptx_teardown)};

    if (argc == 3 && !strcmp(argv[1], "modules")) {
        folder = argv[2];
        each_row(write_row);
        return out && fclose(out) ? 1 : 0;
    }
    return cmocka_run_group_tests_name("ptx_isa", tests, NULL, NULL);
}
