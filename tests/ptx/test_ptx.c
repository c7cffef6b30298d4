// test_ptx.c - what PTX programs compute: runs every tests/ptx/*.t through the front end and the
// emulator without timing. Each file is one test; expected values come from the PTX manual and
// IEEE 754, never from heddle.
//
// A file holds any number of parts of two kinds. Lines that start with # are comments.
//
//   -- body REG           instructions; REG is the register with the result. One thread per case.
//     add.s32 %d, %a, %b;   inputs: %a %b %c (32 bits), %A %B %C (64), %ha %hb %hc (16),
//   -- cases                the same values at three widths; results: %d, %D, %hd or %p;
//     1 -2 -> -1            free: %x %y %z, %X %Y %Z, %hx %hy, %q. Values: 7, -7, 0x7f, 1.5f
//                           (bits of a float), 1.5d (double). Results are compared at the width
//                           of REG. Whole kernel bodies may follow the same pattern with labels.
//
//   -- kernel GRID BLOCK  the body of a kernel (.param .u64 in, .param .u64 out) with registers
//                           %r0.. %rd0.. %f0.. and %p;  -- module GRID BLOCK: the whole text
//   -- in, -- out         32-bit words of the two buffers, in any number of lines. With
//   -- trap KIND [LANE]   instead of -- out the program must fault: out_of_bounds, misaligned,
//                           illegal, user, stack, sync, assert; LANE is the thread's x
#include "base/arena.h"
#include "devrt/devrt.h"
#include "emu/emu.h"
#include "isa/op.h"
#include "ptx/ptx.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_CASES 64
#define MAX_WORDS 1024
#define MAX_FILES 400

static char folder[400];
static const char *file; // being run
static int line;

// One part of a file while it is being read.
static struct part {
    char text[16384]; // body or module
    char reg[8];
    uint32_t grid, block;
    uint64_t in[MAX_CASES][3], out[MAX_CASES];
    unsigned cases, from_line;
    uint32_t words_in[MAX_WORDS], words_out[MAX_WORDS];
    unsigned n_in, n_out;
    char trap[32];
    int lane;
    bool kernel, module, any;
} part;

__attribute__((format(printf, 1, 2), noreturn)) static void wrong(const char *fmt, ...)
{
    char s[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(s, sizeof s, fmt, ap);
    va_end(ap);
    fail_msg("%s:%d: %s", file, line, s);
    abort(); // fail_msg does not return
}

static uint64_t value(const char *s)
{
    size_t n = strlen(s);
    bool hex = n > 2 && s[1] == 'x';
    char *end;
    uint64_t v;

    if (!hex && n && s[n - 1] == 'f') {
        float f = strtof(s, &end);
        uint32_t u;
        memcpy(&u, &f, 4);
        v = u;
        end++;
    } else if (!hex && n && s[n - 1] == 'd') {
        double d = strtod(s, &end);
        memcpy(&v, &d, 8);
        end++;
    } else if (s[0] == '-') {
        v = (uint64_t)strtoll(s, &end, 10);
    } else {
        v = strtoull(s, &end, 0);
    }
    if (!n || *end)
        wrong("not a value: %s", s);
    return v;
}

static const char wrapper_head[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b16 %ha, %hb, %hc, %hd, %hx, %hy;\n.reg .b32 %a, %b, %c, %d, %x, %y, %z, %thread;\n"
    ".reg .b64 %A, %B, %C, %D, %X, %Y, %Z, %in, %out;\n.reg .pred %p, %q;\n"
    "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %thread, %tid.x;\n"
    "mad.wide.u32 %in, %thread, 24, %in;\nmad.wide.u32 %out, %thread, 8, %out;\n"
    "ld.global.u64 %A, [%in];\nld.global.u64 %B, [%in+8];\nld.global.u64 %C, [%in+16];\n"
    "ld.global.u32 %a, [%in];\nld.global.u32 %b, [%in+8];\nld.global.u32 %c, [%in+16];\n"
    "ld.global.u16 %ha, [%in];\nld.global.u16 %hb, [%in+8];\nld.global.u16 %hc, [%in+16];\n";

static const char kernel_head[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n.reg .f32 %f<10>;\n.reg .pred %p;\n";

struct machine {
    struct hd_arena *arena;
    struct hd_memory *memory;
    struct hd_emu *emu;
    struct hd_devrt *devrt;
    struct hd_emu_result result;
};

// Load the text, give the kernel both buffers, run it.
static void run(struct machine *m, const char *text, uint32_t grid, uint32_t block, const void *in,
                size_t in_bytes, size_t out_bytes, uint64_t *out)
{
    struct hd_diag d = {0};
    uint64_t params[2];

    m->arena = hd_arena_new();
    m->memory = hd_memory_new(m->arena);
    m->emu =
        hd_emu_new(m->arena, &(struct hd_emu_config){.sms = 1, .warps = 48, .tbs = 8}, m->memory);
    m->devrt = hd_devrt_new(m->arena, m->emu, m->memory);
    hd_emu_strict(m->emu, true); // what is undefined is a fault
    struct hd_program *p = hd_ptx_load(m->arena, file, (const uint8_t *)text, strlen(text), &d);
    if (!p || !hd_emu_load(m->emu, p, &d)) {
        hd_diag_print(&d, stderr);
        wrong("the program does not load");
    }
    if (!hd_program_find(p, "test"))
        wrong("the module has no kernel `test`");
    params[0] = hd_memory_alloc(m->memory, in_bytes, "in");
    params[1] = *out = hd_memory_alloc(m->memory, out_bytes, "out");
    hd_memory_write(m->memory, params[0], in, in_bytes);
    struct hd_launch l = {.program = p,
                          .kernel = hd_program_find(p, "test"),
                          .grid = {grid, 1, 1},
                          .block = {block, 1, 1},
                          .params = (const uint8_t *)params};
    hd_emu_run(m->emu, &l, &(struct hd_emu_patience){.warp_insts = 1000000}, &m->result);
}

static void close_machine(struct machine *m)
{
    hd_devrt_free(m->devrt);
    hd_emu_free(m->emu);
    hd_memory_free(m->memory);
    hd_arena_free(m->arena);
}

static void check_cases(void)
{
    static const struct {
        const char *reg, *tail;
        uint64_t width;
    } kinds[] = {
        {"%d", "cvt.u64.u32 %D, %d;\n", UINT32_MAX},
        {"%D", "", UINT64_MAX},
        {"%hd", "cvt.u64.u16 %D, %hd;\n", UINT16_MAX},
        {"%p", "selp.b64 %D, 1, 0, %p;\n", 1},
    };
    char text[sizeof part.text + 4096];
    uint64_t width = 0, at;
    struct machine m;

    for (unsigned i = 0; i < 4; i++)
        if (!strcmp(kinds[i].reg, part.reg)) {
            width = kinds[i].width;
            snprintf(text, sizeof text, "%s%s%sst.global.u64 [%%out], %%D;\nret;\n}\n",
                     wrapper_head, part.text, kinds[i].tail);
        }
    if (!width)
        wrong("no result register `%s`", part.reg);
    run(&m, text, 1, part.cases, part.in, sizeof part.in[0] * part.cases, 8 * part.cases, &at);
    if (m.result.trap.kind || m.result.deadlock || m.result.limit)
        wrong("did not run through: trap %u, %s", m.result.trap.kind, m.result.trap.detail);
    for (unsigned i = 0; i < part.cases; i++) {
        uint64_t got = 0;
        hd_memory_read(m.memory, at + 8 * i, &got, 8);
        if ((got ^ part.out[i]) & width)
            wrong("case %u (0x%llx 0x%llx 0x%llx): 0x%llx, not 0x%llx", i + 1,
                  (unsigned long long)part.in[i][0], (unsigned long long)part.in[i][1],
                  (unsigned long long)part.in[i][2], (unsigned long long)(got & width),
                  (unsigned long long)(part.out[i] & width));
    }
    close_machine(&m);
}

static void check_kernel(void)
{
    static const char *const kinds[] = {"none", "out_of_bounds", "misaligned", "illegal",
                                        "user", "stack",         "sync",       "assert"};
    char text[sizeof part.text + 1024];
    uint64_t at;
    struct machine m;

    snprintf(text, sizeof text, "%s%s%s", part.module ? "" : kernel_head, part.text,
             part.module ? "" : "}\n");
    run(&m, text, part.grid, part.block, part.words_in, 4 * part.n_in, 4 * part.n_out, &at);
    const struct hd_trap *t = &m.result.trap;
    const char *got = t->kind < 8 ? kinds[t->kind] : "another trap";
    if (m.result.deadlock || m.result.limit)
        wrong("%s", m.result.deadlock ? "deadlock" : "does not end");
    if (strcmp(got, part.trap[0] ? part.trap : "none"))
        wrong("trap %s (%s)", got, t->detail);
    if (part.lane >= 0 && t->thread[0] != (uint32_t)part.lane)
        wrong("thread %u faults, not %d", t->thread[0], part.lane);
    for (unsigned i = 0; i < part.n_out; i++) {
        uint32_t v = 0;
        hd_memory_read(m.memory, at + 4 * i, &v, 4);
        if (v != part.words_out[i])
            wrong("word %u: 0x%x, not 0x%x", i, v, part.words_out[i]);
    }
    close_machine(&m);
}

static void finish_part(void)
{
    if (!part.any)
        return;
    if (part.kernel)
        check_kernel();
    else if (part.cases)
        check_cases();
    else
        wrong("no cases");
    memset(&part, 0, sizeof part);
}

static void add_text(const char *s)
{
    size_t n = strlen(part.text);

    if (n + strlen(s) >= sizeof part.text)
        wrong("part too long");
    memcpy(part.text + n, s, strlen(s) + 1);
}

static void add_case(char *s)
{
    unsigned n = 0;
    bool result = false, done = false;

    if (part.cases >= MAX_CASES)
        wrong("too many cases");
    for (char *w = strtok(s, " \t\n"); w; w = strtok(NULL, " \t\n")) {
        if (!strcmp(w, "->"))
            result = true;
        else if (result && !done)
            part.out[part.cases] = value(w), done = true;
        else if (!result && n < 3)
            part.in[part.cases][n++] = value(w);
        else
            wrong("too many values");
    }
    if (!done && (n || result))
        wrong("no result");
    part.cases += done;
}

static void add_words(char *s, uint32_t *words, unsigned *n)
{
    for (char *w = strtok(s, " \t\n"); w; w = strtok(NULL, " \t\n")) {
        if (*n >= MAX_WORDS)
            wrong("too many words");
        words[(*n)++] = (uint32_t)value(w);
    }
}

static bool is_text(const char *word)
{
    return !strcmp(word, "body") || !strcmp(word, "kernel") || !strcmp(word, "module");
}

static void run_file(void **state)
{
    char path[800], s[1000], word[32] = "", arg[32], arg2[32];
    FILE *f;

    file = *state;
    line = 0;
    memset(&part, 0, sizeof part);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(s, sizeof s, f)) {
        line++;
        if (s[0] == '#')
            continue;
        if (!strncmp(s, "-- ", 3)) {
            arg[0] = arg2[0] = 0;
            sscanf(s, "-- %31s %31s %31s", word, arg, arg2);
            if (is_text(word)) {
                finish_part();
                part.any = true;
                part.lane = -1;
                part.module = word[0] == 'm';
                part.kernel = part.module || word[0] == 'k';
                snprintf(part.reg, sizeof part.reg, "%.7s", arg);
                part.grid = (uint32_t)strtoul(arg, NULL, 10);
                part.block = (uint32_t)strtoul(arg2, NULL, 10);
            } else if (!strcmp(word, "trap")) {
                snprintf(part.trap, sizeof part.trap, "%s", arg);
                part.lane = arg2[0] ? atoi(arg2) : -1;
            }
        } else if (is_text(word)) {
            add_text(s);
        } else if (!strcmp(word, "cases")) {
            add_case(s);
        } else if (!strcmp(word, "in")) {
            add_words(s, part.words_in, &part.n_in);
        } else if (!strcmp(word, "out")) {
            add_words(s, part.words_out, &part.n_out);
        } else if (s[strspn(s, " \t\n")]) {
            wrong("what is this line for?");
        }
    }
    fclose(f);
    finish_part();
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct CMUnitTest *)a)->name, ((const struct CMUnitTest *)b)->name);
}

int main(void)
{
    static struct CMUnitTest tests[MAX_FILES];
    static char names[MAX_FILES][80];
    const char *slash = strrchr(__FILE__, '/');
    size_t n = 0;
    struct dirent *e;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - __FILE__) : 1,
             slash ? __FILE__ : ".");
    DIR *d = opendir(folder);
    if (!d) {
        fprintf(stderr, "cannot read %s: run from the root of the tree\n", folder);
        return 1;
    }
    while ((e = readdir(d)) && n < MAX_FILES) {
        size_t len = strlen(e->d_name);
        if (len < 3 || len >= sizeof names[0] || strcmp(e->d_name + len - 2, ".t"))
            continue;
        memcpy(names[n], e->d_name, len + 1);
        tests[n] =
            (struct CMUnitTest){.name = names[n], .test_func = run_file, .initial_state = names[n]};
        n++;
    }
    closedir(d);
    qsort(tests, n, sizeof tests[0], by_name);
    return _cmocka_run_group_tests("ptx", tests, n, NULL, NULL);
}
