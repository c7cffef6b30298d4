// test_corpus.c - compiled CUDA programs against what the same source computes on the host.
//
// tests/corpus/ptx/NAME.LEVEL.ptx are programs of compilers, tests/corpus/expect/NAME what each
// kernel must write, row by row: made by tools/corpus.sh, nothing of it is needed here. Every
// launch runs without timing; of the programs that end in .O3 (or $HEDDLE_CORPUS_TIMED) also on a
// machine. $HEDDLE_CORPUS, a part of a file name, chooses programs.
//
//   launch KERNEL GX GY GZ BX BY BZ DYNAMIC WORDS    the rows follow the columns, in hex
//   column LINE KIND TOLERANCE                       what corpus.h says about kinds
//   printed BYTES                                    the text follows
#include "base/arena.h"
#include "base/config.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "cuda/driver.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_FILES = 300, MAX_COLUMNS = 160 };

struct column {
    int line;
    char kind[8];
    double tolerance;
};
struct launch {
    char kernel[64];
    unsigned grid[3], block[3], dynamic, words;
    struct column columns[MAX_COLUMNS];
    unsigned n_columns;
};

static struct hd_arena *arena;
static const char *program;      // file being run
static int standard_output = -1; // while it is caught

__attribute__((format(printf, 1, 2), noreturn)) static void wrong(const char *fmt, ...)
{
    char s[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(s, sizeof s, fmt, ap);
    va_end(ap);
    fail_msg("tests/corpus/ptx/%s: %s", program, s);
    abort(); // fail_msg does not return
}

static void ok(CUresult r, const char *what)
{
    const char *name = "?";

    if (r != CUDA_SUCCESS) {
        cuGetErrorName(r, &name);
        wrong("%s: %s", what, name);
    }
}

// --- comparing

static double as_double(uint64_t bits, bool wide)
{
    uint32_t word = (uint32_t)bits;
    double d;
    float f;

    if (wide) {
        memcpy(&d, &bits, 8);
        return d;
    }
    memcpy(&f, &word, 4);
    return (double)f;
}

// Numbers in the order of the floats of `size` bits that they are the bits of.
static int64_t in_order(uint64_t bits, unsigned size)
{
    uint64_t sign = UINT64_C(1) << (size - 1), magnitude = bits & (sign - 1);

    return bits & sign ? -(int64_t)magnitude : (int64_t)magnitude;
}

static bool is_nan(uint64_t bits, unsigned size)
{
    unsigned fraction = size == 16 ? 10 : size == 32 ? 23 : 52;
    uint64_t infinity = ((UINT64_C(1) << (size - 1 - fraction)) - 1) << fraction;

    return (bits & ((UINT64_C(1) << (size - 1)) - 1)) > infinity;
}

static bool near(const struct column *c, uint64_t want, uint64_t have)
{
    unsigned size = !strcmp(c->kind, "f64") ? 64 : !strcmp(c->kind, "f16") ? 16 : 32;

    if (want == have)
        return true;
    if (c->kind[0] == 'u')
        return false;
    if (is_nan(want, size) || is_nan(have, size))
        return is_nan(want, size) && is_nan(have, size);
    if (c->kind[0] == 'f') {
        // Zeros of both signs are neighbours, but with no tolerance not the same.
        int64_t a = in_order(want, size), b = in_order(have, size);
        uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
        return c->tolerance > 0 && (double)apart <= c->tolerance;
    }
    double a = as_double(want, false), b = as_double(have, false);
    return fabs(a - b) <= c->tolerance * (c->kind[0] == 'r' ? fabs(a) : 1.0);
}

// The rows of one launch, from `*at` on.
static void compare(const struct launch *l, const uint32_t *out, const char **at)
{
    unsigned threads =
        l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] * l->block[2];

    for (unsigned t = 0; t < threads; t++, out += l->words) {
        const uint32_t *have = out;
        for (unsigned i = 0; i < l->n_columns; i++) {
            const struct column *c = &l->columns[i];
            bool wide = !strcmp(c->kind + 1, "64");
            char *end;
            uint64_t want = strtoul(*at, &end, 16), got = *have++;
            if (wide) {
                want |= (uint64_t)strtoul(end, &end, 16) << 32;
                got |= (uint64_t)*have++ << 32;
            }
            *at = end;
            if (!near(c, want, got))
                wrong("%s, thread %u, value %u (%s, line %d of the source): 0x%" PRIx64
                      ", expected 0x%" PRIx64,
                      l->kernel, t, i, c->kind, c->line, got, want);
        }
    }
}

// --- running

static void begin(const char *name, bool timed)
{
    static struct hd_config config;
    static struct hd_job_options options;
    struct hd_diag d = {.n = 0};

    program = name;
    arena = hd_arena_new();
    if (!hd_config_load(arena, "gpus/debug-flatmem.ini", NULL, 0, &config, &d))
        wrong("no machine");
    options = (struct hd_job_options){
        .gpu = {.config = &config, .functional_only = !timed, .max_insts = 1 << 24}};
    if (!hd_registry_parse_slot(arena, HD_SLOT_SCHED, "gto", &options.gpu.sched, &d))
        wrong("no policy");
    hd_cuda_use(&options);
}

static void release_output(void);

static int end(void **state)
{
    (void)state;
    release_output();
    hd_cuda_end();
    hd_arena_free(arena);
    arena = NULL;
    return 0;
}

static bool parse_launch(const char **at, struct launch *l)
{
    int n = 0;

    memset(l, 0, sizeof *l);
    if (sscanf(*at, " launch %63s %u %u %u %u %u %u %u %u%n", l->kernel, &l->grid[0], &l->grid[1],
               &l->grid[2], &l->block[0], &l->block[1], &l->block[2], &l->dynamic, &l->words,
               &n) != 9)
        return false;
    for (*at += n; l->n_columns < MAX_COLUMNS; *at += n) {
        struct column *c = &l->columns[l->n_columns];
        if (sscanf(*at, " column %d %7s %lf%n", &c->line, c->kind, &c->tolerance, &n) != 3)
            break;
        l->n_columns++;
    }
    return true;
}

static void run_launch(CUmodule module, const struct launch *l, const char **at)
{
    size_t bytes = (size_t)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] *
                   l->block[2] * l->words * 4;
    uint32_t *out = hd_arena_get(arena, bytes, 1);
    CUdeviceptr p;
    CUfunction f;

    ok(cuModuleGetFunction(&f, module, l->kernel), l->kernel);
    ok(cuMemAlloc(&p, bytes), "cuMemAlloc");
    ok(cuMemsetD8(p, 0, bytes), "cuMemsetD8");
    ok(cuLaunchKernel(f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                      l->dynamic, NULL, (void *[]){&p}, NULL),
       l->kernel);
    ok(cuCtxSynchronize(), l->kernel);
    ok(cuMemcpyDtoH(out, p, bytes), "cuMemcpyDtoH");
    compare(l, out, at);
}

// What the program prints goes to the standard output, which is a file meanwhile.
static FILE *catch_output(void)
{
    FILE *f = tmpfile();

    fflush(stdout);
    standard_output = dup(1);
    if (!f || standard_output < 0 || dup2(fileno(f), 1) < 0)
        wrong("cannot catch the output");
    return f;
}

static void release_output(void)
{
    fflush(stdout);
    if (standard_output >= 0) {
        dup2(standard_output, 1);
        close(standard_output);
        standard_output = -1;
    }
}

static void check_output(FILE *f, const char *at)
{
    char text[4096];
    size_t want = 0;
    int n = 0;

    release_output();
    rewind(f);
    size_t have = fread(text, 1, sizeof text, f);
    fclose(f);
    if (sscanf(at, " printed %zu%n", &want, &n) == 1)
        n++; // the end of that line
    if (have != want || memcmp(text, at + n, want) != 0)
        wrong("printed %zu bytes, expected %zu:\n%.*s", have, want, (int)(have < 200 ? have : 200),
              text);
}

static void run_program(const char *name, bool timed)
{
    char path[300], err[160];
    size_t bytes;
    CUcontext context;
    CUmodule module;

    begin(name, timed);
    snprintf(path, sizeof path, "tests/corpus/expect/%.*s", (int)strcspn(name, "."), name);
    const char *at = (const char *)hd_file_read(arena, path, &bytes, err);
    if (!at)
        wrong("%s", err);
    snprintf(path, sizeof path, "tests/corpus/ptx/%s", name);
    ok(cuInit(0), "cuInit");
    ok(cuCtxCreate(&context, NULL, 0, 0), "cuCtxCreate");
    ok(cuModuleLoad(&module, path), "cuModuleLoad");
    struct launch l;
    FILE *f = catch_output();
    while (parse_launch(&at, &l))
        run_launch(module, &l, &at);
    check_output(f, at);
    end(NULL);
}

static void run_file(void **state)
{
    const char *name = *state, *timed = getenv("HEDDLE_CORPUS_TIMED");

    run_program(name, false);
    if (timed || strstr(name, ".O3."))
        run_program(name, true);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct CMUnitTest *)a)->name, ((const struct CMUnitTest *)b)->name);
}

int main(void)
{
    static struct CMUnitTest tests[MAX_FILES];
    static char names[MAX_FILES][80];
    const char *only = getenv("HEDDLE_CORPUS");
    size_t n = 0;
    struct dirent *e;
    DIR *d = opendir("tests/corpus/ptx");

    if (!d) {
        fprintf(stderr, "cannot read tests/corpus/ptx: run from the root of the tree\n");
        return 1;
    }
    while ((e = readdir(d)) && n < MAX_FILES) {
        size_t len = strlen(e->d_name);
        if (len < 5 || len >= sizeof names[0] || strcmp(e->d_name + len - 4, ".ptx") ||
            (only && !strstr(e->d_name, only)))
            continue;
        memcpy(names[n], e->d_name, len + 1);
        tests[n] = (struct CMUnitTest){.name = names[n],
                                       .test_func = run_file,
                                       .teardown_func = end,
                                       .initial_state = names[n]};
        n++;
    }
    closedir(d);
    qsort(tests, n, sizeof tests[0], by_name);
    return _cmocka_run_group_tests("corpus", tests, n, NULL, NULL);
}
