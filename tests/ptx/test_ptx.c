// test_ptx.c - what PTX programs compute: runs every tests/ptx/*.t (shared/ptx_parts.h says what is
// in them) through the front end and the emulator without timing. Each file is one test; expected
// values come from the PTX manual and IEEE 754, never from heddle.
#include "base/arena.h"
#include "devrt/devrt.h"
#include "emu/emu.h"
#include "isa/op.h"
#include "ptx/ptx.h"
#include "shared/ptx_parts.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_FILES 400

static char folder[400];

__attribute__((format(printf, 2, 3), noreturn)) static void wrong(const struct ptx_part *part,
                                                                  const char *fmt, ...)
{
    char s[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(s, sizeof s, fmt, ap);
    va_end(ap);
    fail_msg("%s:%d: %s", part->file, part->line, s);
    abort(); // fail_msg does not return
}

struct machine {
    struct hd_arena *arena;
    struct hd_memory *memory;
    struct hd_emu *emu;
    struct hd_devrt *devrt;
    struct hd_emu_result result;
};

// Load the text, give the kernel both buffers, run it.
static void run(struct machine *m, const struct ptx_part *part, const char *text, uint32_t grid,
                uint32_t block, const void *in, size_t in_bytes, size_t out_bytes, uint64_t *out)
{
    struct hd_diag d = {0};
    uint64_t params[2];

    m->arena = hd_arena_new();
    m->memory = hd_memory_new(m->arena);
    m->emu =
        hd_emu_new(m->arena, &(struct hd_emu_config){.sms = 1, .warps = 48, .tbs = 8}, m->memory);
    m->devrt = hd_devrt_new(m->arena, m->emu, m->memory);
    hd_emu_strict(m->emu, true); // what is undefined is a fault
    struct hd_program *p =
        hd_ptx_load(m->arena, part->file, (const uint8_t *)text, strlen(text), &d);
    if (!p || !hd_emu_load(m->emu, p, &d)) {
        hd_diag_print(&d, stderr);
        wrong(part, "the program does not load");
    }
    if (!hd_program_find(p, "test"))
        wrong(part, "the module has no kernel `test`");
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

static void check_cases(const struct ptx_part *part, const char *text)
{
    uint64_t mask = ptx_part_mask(part), at;
    struct machine m;

    run(&m, part, text, 1, part->cases, part->in, sizeof part->in[0] * part->cases, 8 * part->cases,
        &at);
    if (m.result.trap.kind || m.result.deadlock || m.result.limit)
        wrong(part, "did not run through: trap %u, %s", m.result.trap.kind, m.result.trap.detail);
    for (unsigned i = 0; i < part->cases; i++) {
        uint64_t got = 0;
        hd_memory_read(m.memory, at + 8 * i, &got, 8);
        if ((got ^ part->out[i]) & mask)
            wrong(part, "case %u (0x%llx 0x%llx 0x%llx): 0x%llx, not 0x%llx", i + 1,
                  (unsigned long long)part->in[i][0], (unsigned long long)part->in[i][1],
                  (unsigned long long)part->in[i][2], (unsigned long long)(got & mask),
                  (unsigned long long)(part->out[i] & mask));
    }
    close_machine(&m);
}

static void check_kernel(const struct ptx_part *part, const char *text)
{
    static const char *const kinds[] = {"none", "out_of_bounds", "misaligned", "illegal",
                                        "user", "stack",         "sync",       "assert"};
    uint64_t at;
    struct machine m;

    run(&m, part, text, part->grid, part->block, part->words_in, 4 * part->n_in, 4 * part->n_out,
        &at);
    const struct hd_trap *t = &m.result.trap;
    const char *got = t->kind < 8 ? kinds[t->kind] : "another trap";
    if (m.result.deadlock || m.result.limit)
        wrong(part, "%s", m.result.deadlock ? "deadlock" : "does not end");
    if (strcmp(got, part->trap[0] ? part->trap : "none"))
        wrong(part, "trap %s (%s)", got, t->detail);
    if (part->lane >= 0 && t->thread[0] != (uint32_t)part->lane)
        wrong(part, "thread %u faults, not %d", t->thread[0], part->lane);
    for (unsigned i = 0; i < part->n_out; i++) {
        uint32_t v = 0;
        hd_memory_read(m.memory, at + 4 * i, &v, 4);
        if (v != part->words_out[i])
            wrong(part, "word %u: 0x%x, not 0x%x", i, v, part->words_out[i]);
    }
    close_machine(&m);
}

static void check_part(const struct ptx_part *part, void *context)
{
    static char text[PTX_PART_MODULE];

    (void)context;
    if (!ptx_part_module(part, text))
        wrong(part, "no result register `%s`", part->reg);
    if (part->kernel)
        check_kernel(part, text);
    else
        check_cases(part, text);
}

static void run_file(void **state)
{
    char path[800], why[400];

    snprintf(path, sizeof path, "%s/%s", folder, (const char *)*state);
    if (!ptx_parts_read(path, check_part, NULL, why, sizeof why))
        fail_msg("%s", why);
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
