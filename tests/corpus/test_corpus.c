// test_corpus.c - compiled CUDA programs against what the same source computes on the host.
//
// tests/corpus/ptx/NAME.LEVEL.ptx are programs of compilers, tests/corpus/expect/NAME what each
// kernel must write, row by row: made by tools/corpus.sh, nothing of it is needed here. Every
// launch runs without timing; of the programs that end in .O3 (or $HEDDLE_CORPUS_TIMED) also on a
// machine. $HEDDLE_CORPUS, a part of a file name, chooses programs.
//
//   launch KERNEL GX GY GZ BX BY BZ DYNAMIC WORDS    the rows follow the columns, in hex
//   column LINE KIND TOLERANCE                       what corpus.h says about kinds
//   fails ERROR                                      instead of rows: the last launch, which fails
//   printed BYTES                                    the text follows
//   texture|surface N GEOMETRY FORMAT CHANNELS W H D FILTER EDGE COORDINATES READ
//                                                    first of all: what kernels find behind `out`
//
// NAME.LEVEL.other, where it is there, is another module, to be linked with the first.
#include "base/arena.h"
#include "base/config.h"
#include "base/file.h"
#include "cuda/abi/driver.h"
#include "cuda/cuda.h"

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

enum { MAX_FILES = 300, MAX_COLUMNS = 160, MAX_IMAGES = 24 };

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

static struct images { // as kernels get them
    CUtexObject textures[MAX_IMAGES];
    CUsurfObject surfaces[MAX_IMAGES];
} images;

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
    static struct hd_run_options options;
    struct hd_diag d = {.n = 0};

    program = name;
    arena = hd_arena_new();
    if (!hd_config_load(arena, "gpus/debug-flatmem.ini", NULL, 0, &config, &d))
        wrong("no machine");
    options = (struct hd_run_options){
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

// --- textures and surfaces

struct image {
    char what[8], geometry[8], format[8], filter[8], edge[8], coordinates[16], read[16];
    unsigned number, channels, w, h, d;
};

// Channel k of image `number`, as tests/corpus/host.cpp makes it too.
static uint32_t image_bits(const struct image *i, unsigned number, uint32_t k)
{
    uint32_t r = 1000u * number + k;
    float f;

    r = (r ^ r >> 16) * 0x7feb352du;
    r = (r ^ r >> 15) * 0x846ca68bu;
    r ^= r >> 16;
    if (!strcmp(i->format, "f16"))
        return 0x3c00u | (r & 0x83ffu);
    if (strcmp(i->format, "f32") != 0)
        return r;
    f = (float)(r >> 20) / 16 - 64;
    memcpy(&r, &f, sizeof r);
    return r;
}

static unsigned find_word(const char *word, const char *const *words, unsigned n)
{
    unsigned i = 0;

    while (i < n && strcmp(words[i], word) != 0)
        i++;
    if (i == n)
        wrong("'%s' is nothing known", word);
    return i;
}

static uint8_t *texels_of(const struct image *i, unsigned element, size_t n)
{
    uint8_t *texels = hd_arena_get(arena, n * element, 1);
    unsigned bytes = element / i->channels, number = i->number;

    if (!strcmp(i->what, "surface"))
        number += MAX_IMAGES;
    for (size_t k = 0; k < n * i->channels; k++) {
        uint32_t v = image_bits(i, number, (uint32_t)k);
        memcpy(texels + k * bytes, &v, bytes);
    }
    return texels;
}

static void resource_of(const struct image *i, CUarray_format format, unsigned element,
                        CUDA_RESOURCE_DESC *r)
{
    size_t rows = i->h ? i->h : 1, slices = i->d ? i->d : 1, row = (size_t)i->w * element, pitch;
    bool cube = strstr(i->geometry, "cube"), layered = i->geometry[0] == 'a';
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = texels_of(i, element, i->w * rows * slices),
                       .srcPitch = row,
                       .srcHeight = rows,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = row,
                       .Height = rows,
                       .Depth = slices};
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = i->w,
        .Height = i->h,
        .Depth = i->d,
        .Format = format,
        .NumChannels = i->channels,
        .Flags = (cube ? CUDA_ARRAY3D_CUBEMAP : 0u) | (layered ? CUDA_ARRAY3D_LAYERED : 0u) |
                 (strcmp(i->what, "surface") ? 0u : CUDA_ARRAY3D_SURFACE_LDST)};

    if (!strcmp(i->geometry, "line") || !strcmp(i->geometry, "pitch")) {
        bool line = !strcmp(i->geometry, "line");
        c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        ok(line ? cuMemAlloc(&c.dstDevice, row)
                : cuMemAllocPitch(&c.dstDevice, &pitch, row, rows, element),
           "memory");
        c.dstPitch = line ? row : pitch;
        r->resType = line ? CU_RESOURCE_TYPE_LINEAR : CU_RESOURCE_TYPE_PITCH2D;
        r->res.linear.devPtr = c.dstDevice; // both begin alike
        r->res.linear.format = format;
        r->res.linear.numChannels = i->channels;
        if (line)
            r->res.linear.sizeInBytes = row;
        else
            r->res.pitch2D.width = i->w, r->res.pitch2D.height = rows,
            r->res.pitch2D.pitchInBytes = pitch;
    } else {
        ok(cuArray3DCreate(&c.dstArray, &d), "cuArray3DCreate");
        r->resType = CU_RESOURCE_TYPE_ARRAY;
        r->res.array.hArray = c.dstArray;
    }
    ok(cuMemcpy3D(&c), "cuMemcpy3D");
}

static bool parse_image(const char **at)
{
    static const char *const formats[] = {"u8", "u16", "u32", "s8", "s16", "s32", "f16", "f32"};
    static const CUarray_format numbers[] = {
        CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32,
        CU_AD_FORMAT_SIGNED_INT8,   CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_SIGNED_INT32,
        CU_AD_FORMAT_HALF,          CU_AD_FORMAT_FLOAT};
    static const char *const edges[] = {"wrap", "clamp", "mirror", "border"};
    struct image i;
    int n = 0;

    if (sscanf(*at, " %7s %u %7s %7s %u %u %u %u %7s %7s %15s %15s%n", i.what, &i.number,
               i.geometry, i.format, &i.channels, &i.w, &i.h, &i.d, i.filter, i.edge, i.coordinates,
               i.read, &n) != 12 ||
        (strcmp(i.what, "texture") && strcmp(i.what, "surface")))
        return false;
    *at += n;
    CUaddress_mode edge = (CUaddress_mode)find_word(i.edge, edges, 4);
    CUDA_RESOURCE_DESC r = {.flags = 0};
    CUDA_TEXTURE_DESC t = {
        .addressMode = {edge, edge, edge},
        .filterMode =
            strcmp(i.filter, "linear") ? CU_TR_FILTER_MODE_POINT : CU_TR_FILTER_MODE_LINEAR,
        .flags = (strcmp(i.coordinates, "normalized") ? 0u : CU_TRSF_NORMALIZED_COORDINATES) |
                 (strcmp(i.read, "fraction") ? CU_TRSF_READ_AS_INTEGER : 0u)};

    if (i.number >= MAX_IMAGES)
        wrong("image %u", i.number);
    unsigned element = i.channels * (unsigned)atoi(i.format + 1) / 8;
    resource_of(&i, numbers[find_word(i.format, formats, 8)], element, &r);
    if (strcmp(i.what, "surface"))
        ok(cuTexObjectCreate(&images.textures[i.number], &r, &t, NULL), "cuTexObjectCreate");
    else
        ok(cuSurfObjectCreate(&images.surfaces[i.number], &r), "cuSurfObjectCreate");
    return true;
}

// --- launches

static void run_launch(CUmodule module, const struct launch *l, const char **at)
{
    size_t bytes = (size_t)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] *
                   l->block[2] * l->words * 4;
    uint32_t *out = hd_arena_get(arena, bytes, 1);
    const char *name = "?";
    char error[40];
    CUdeviceptr p;
    CUfunction f;
    int n = 0;

    ok(cuModuleGetFunction(&f, module, l->kernel), l->kernel);
    ok(cuMemAlloc(&p, bytes), "cuMemAlloc");
    ok(cuMemsetD8(p, 0, bytes), "cuMemsetD8");
    ok(cuLaunchKernel(f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                      l->dynamic, NULL, (void *[]){&p, &images}, NULL),
       l->kernel);
    if (sscanf(*at, " fails %39s%n", error, &n) == 1) {
        CUresult r = cuCtxSynchronize();
        cuGetErrorName(r, &name);
        if (strcmp(name, error) != 0)
            wrong("%s: %s, expected %s", l->kernel, name, error);
        *at += n;
        return;
    }
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

static void load(CUmodule *module, const char *name)
{
    char path[300], other[300];
    CUlinkState link;
    void *image;

    snprintf(path, sizeof path, "tests/corpus/ptx/%s", name);
    snprintf(other, sizeof other, "%.*s.other", (int)strlen(path) - 4, path);
    if (access(other, R_OK) != 0) {
        ok(cuModuleLoad(module, path), "cuModuleLoad");
        return;
    }
    ok(cuLinkCreate(0, NULL, NULL, &link), "cuLinkCreate");
    ok(cuLinkAddFile(link, CU_JIT_INPUT_PTX, path, 0, NULL, NULL), path);
    ok(cuLinkAddFile(link, CU_JIT_INPUT_PTX, other, 0, NULL, NULL), other);
    ok(cuLinkComplete(link, &image, NULL), "cuLinkComplete");
    ok(cuModuleLoadData(module, image), "cuModuleLoadData");
    ok(cuLinkDestroy(link), "cuLinkDestroy");
}

static void run_program(const char *name, bool timed)
{
    char path[300], err[HD_FILE_WHY];
    size_t bytes;
    CUcontext context;
    CUmodule module;

    begin(name, timed);
    snprintf(path, sizeof path, "tests/corpus/expect/%.*s", (int)strcspn(name, "."), name);
    const char *at = (const char *)hd_file_read(arena, path, &bytes, err);
    if (!at)
        wrong("%s", err);
    ok(cuInit(0), "cuInit");
    ok(cuCtxCreate(&context, NULL, 0, 0), "cuCtxCreate");
    load(&module, name);
    memset(&images, 0, sizeof images);
    while (parse_image(&at))
        ;
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
