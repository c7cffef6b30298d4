// cmd_inspect.c - heddle inspect: the device code that a program, library or container carries.
#include "cmd/cmd.h"

#include "base/config.h"
#include "fatbin/cubin.h"
#include "fatbin/executable.h"
#include "fatbin/kernellibs.h"
#include "gpu/gpu.h"
#include "present/json.h"
#include "present/table.h"
#include "ptx/ptx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEVICE 75 // whose PTX runs, as libcuda.so.1 chooses it by default

struct code { // an entry as it is shown
    const struct hd_executable_code *of;
    const char *kind, *packed;
    char arch[24];
    size_t bytes; // unpacked
    struct hd_cmd_list kernels;
    bool runtime;               // NVIDIA's device runtime, which is left out
    bool chosen;                // what a device like DEVICE runs
    struct hd_program *program; // NULL: it cannot run, or is one unit of many
    const char *trouble;        // why it would not run; NULL: it would, or it is not PTX
    struct hd_cubin cubin;      // of machine code
};

static const char *kind_name(uint32_t kind)
{
    return kind == HD_FATBIN_PTX    ? "PTX"
           : kind == HD_FATBIN_SASS ? "machine code"
           : kind == HD_FATBIN_LTO  ? "LTO code"
                                    : "unknown";
}

// Finds names after `.entry`, even if the rest cannot be parsed.
static void find_kernels(struct hd_arena *a, struct code *c, const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";
    static const char word[] = ".entry";

    for (const char *at = text; (at = strstr(at, word)) != NULL;) {
        at += sizeof word - 1;
        at += strspn(at, " \t\r\n");
        size_t n = strspn(at, letters);
        if (n)
            *HD_PUSH(a, c->kernels.items, c->kernels.n, c->kernels.cap) =
                hd_arena_strndup(a, at, n);
    }
}

// Whether heddle can run it. Units of relocatable code need each other and are not tried.
static void try_ptx(struct hd_arena *a, const char *path, struct code *c)
{
    struct hd_diag d = {0};
    size_t bytes;
    const uint8_t *text;

    if (!strcmp(c->of->section, "__nv_relfatbin") || c->trouble)
        return;
    text = hd_fatbin_unpack(a, &c->of->entry, &bytes, &d);
    if (!text)
        return;
    c->program = hd_ptx_load(a, path, text, bytes, &d);
    if (!c->program)
        c->trouble = hd_arena_printf(a, "line %u: %s", d.entries[0].line, d.entries[0].text);
}

// Machine code that is not packed is read where it lies.
static void look_at_cubin(struct hd_arena *a, struct code *c)
{
    const struct hd_fatbin_entry *e = &c->of->entry;
    struct hd_arena *scratch = hd_arena_new();
    const uint8_t *file = e->payload;
    struct hd_diag d = {0};

    c->bytes = (size_t)e->stored;
    if (e->unpacked)
        file = hd_fatbin_unpack(scratch, e, &c->bytes, &d);
    if (!file || !hd_cubin_read(a, file, c->bytes, &c->cubin))
        c->trouble = "the machine code is damaged";
    for (size_t i = 0; i < c->cubin.n_kernels; i++)
        *HD_PUSH(a, c->kernels.items, c->kernels.n, c->kernels.cap) = c->cubin.kernels[i].name;
    hd_arena_free(scratch);
}

static void look_at_ptx(struct hd_arena *a, struct code *c)
{
    struct hd_arena *scratch = hd_arena_new();
    struct hd_diag d = {0};
    const uint8_t *text = hd_fatbin_unpack(scratch, &c->of->entry, &c->bytes, &d);

    if (!text) {
        c->trouble = hd_arena_strdup(a, d.entries[0].text);
    } else if (hd_fatbin_is_runtime((const char *)text)) {
        c->runtime = true;
        c->kind = "device runtime";
    } else {
        find_kernels(a, c, (const char *)text);
    }
    hd_arena_free(scratch);
}

static void look_at(struct hd_arena *a, struct code *c)
{
    const struct hd_fatbin_entry *e = &c->of->entry;

    c->kind = kind_name(e->kind);
    c->packed = !e->unpacked                ? "-"
                : e->flags & HD_FATBIN_ZSTD ? "zstd"
                : e->flags & HD_FATBIN_LZ4  ? "lz4"
                                            : "?";
    snprintf(c->arch, sizeof c->arch, "%s%u", e->kind == HD_FATBIN_PTX ? "compute_" : "sm_",
             e->arch);
    c->bytes = e->unpacked ? (size_t)e->unpacked : (size_t)e->stored;
    if (e->kind == HD_FATBIN_PTX)
        look_at_ptx(a, c);
    else if (e->kind == HD_FATBIN_SASS)
        look_at_cubin(a, c);
}

// Chooses the best code of one kind in a container, whose entries are codes[0] to codes[n - 1].
static struct code *best_of(struct code *codes, size_t n, uint32_t kind)
{
    struct code *best = NULL;

    for (size_t k = 0; k < n; k++) {
        const struct hd_fatbin_entry *e = &codes[k].of->entry;
        if (e->kind == kind && !codes[k].runtime &&
            (!best || hd_fatbin_better(DEVICE, best->of->entry.arch, e->arch)))
            best = &codes[k];
    }
    return best;
}

// Reads the PTX of each container that would run, if the file can run at all, and gives its kernels
// the registers of the machine code beside it.
static struct code *look(struct hd_arena *a, const char *path, const struct hd_executable *x,
                         bool runs)
{
    struct code *codes = HD_ARRAY(a, struct code, x->n_codes + 1);
    size_t n;

    for (size_t i = 0; i < x->n_codes; i++) {
        codes[i].of = &x->codes[i];
        look_at(a, &codes[i]);
    }
    for (size_t i = 0; i < x->n_codes; i += n) {
        n = 1;
        while (i + n < x->n_codes && x->codes[i + n].container == x->codes[i].container)
            n++;
        struct code *best = best_of(codes + i, n, HD_FATBIN_PTX);
        struct code *built = best_of(codes + i, n, HD_FATBIN_SASS);
        if (!best)
            continue;
        best->chosen = true;
        if (runs)
            try_ptx(a, path, best);
        if (built && built->cubin.linked)
            best->cubin = built->cubin;
        if (best->program)
            hd_cubin_give(a, best->cubin.kernels, best->cubin.n_kernels, best->program);
    }
    return codes;
}

static const char *runtime_text(struct hd_arena *a, const struct hd_executable *x)
{
    switch (x->runtime) {
    case HD_RUNTIME_SHARED:
        return hd_arena_printf(a, "CUDA runtime %s", x->cudart);
    case HD_RUNTIME_STATIC:
        return "with a statically linked CUDA runtime";
    case HD_RUNTIME_NONE:
        break;
    }
    return x->driver ? "CUDA driver API" : "no CUDA runtime";
}

static const char *verdict(struct hd_arena *a, const char *path, const struct hd_executable *x,
                           const struct code *c)
{
    size_t ptx = 0, trouble = 0;

    for (size_t i = 0; i < x->n_codes; i++) {
        ptx += c[i].of->entry.kind == HD_FATBIN_PTX && !c[i].runtime;
        trouble += c[i].chosen && c[i].trouble;
    }
    if (x->damage)
        return hd_arena_printf(a, "damaged: %s", x->damage);
    if (hd_kernellibs_name(path))
        return hd_arena_printf(a, "cannot run: %s", hd_kernellibs_why(hd_kernellibs_name(path)));
    if (x->runtime == HD_RUNTIME_STATIC)
        return "cannot run: rebuild it with NVCC_APPEND_FLAGS=\"-cudart shared\"";
    if (x->n_codes && !ptx)
        return "cannot run: machine code only; rebuild it with -gencode "
               "arch=compute_75,code=compute_75 (CMake: CUDA_ARCHITECTURES 75-virtual)";
    if (trouble)
        return hd_arena_printf(a, "%zu of its PTX texts cannot be run", trouble);
    return x->n_codes ? "can run" : "carries no device code";
}

// Prints what the machine gives a thread if no job and no option sets more; of code that cannot
// run, what ptxas gave it.
static void print_kernel(const struct hd_config *config, const struct code *c, const char *name)
{
    const struct hd_func *f = c->program ? hd_program_find(c->program, name) : NULL;
    const struct hd_cubin_kernel *built = hd_cubin_find(&c->cubin, name);
    const char *source = "cubin";
    uint32_t regs = f && config ? hd_registers_of(config, f, &source) : built ? built->regs : 0;

    printf("  %s", name);
    if (regs)
        printf(", %u registers per thread (%s)", regs,
               !strcmp(source, "computed") ? "estimate"
               : !strcmp(source, "cubin")  ? "of its machine code"
                                           : "a directive's limit");
    putchar('\n');
}

// Prints the kernels that would run, and errors in them.
static void print_kernels(struct hd_arena *a, const struct hd_executable *x,
                          const struct code *codes)
{
    const char *head = "\nkernels, with their registers on a " HD_CONFIG_PROGRAM_GPU ":\n";
    struct hd_config config;
    struct hd_diag d = {0};
    bool known = hd_config_load(a, HD_CONFIG_PROGRAM_GPU, NULL, 0, &config, &d);

    for (size_t i = 0; i < x->n_codes; i++)
        for (size_t k = 0; codes[i].chosen && k < codes[i].kernels.n; k++, head = "") {
            fputs(head, stdout);
            print_kernel(known ? &config : NULL, &codes[i], codes[i].kernels.items[k]);
        }
    for (size_t i = 0; i < x->n_codes; i++)
        if (codes[i].chosen && codes[i].trouble)
            printf("\nPTX of container %u: %s\n", codes[i].of->container, codes[i].trouble);
}

static void print_libraries(struct hd_arena *a, const char *path)
{
    size_t n;
    const struct hd_kernellibs_use *uses = hd_kernellibs_of(a, path, getenv("LD_LIBRARY_PATH"), &n);

    for (size_t i = 0; i < n; i++)
        printf("%s  %s (%s%s%s)\n", i ? "" : "\nlibraries that cannot run here:\n", uses[i].name,
               uses[i].file, *uses[i].by ? ", for " : "", uses[i].by);
    if (n)
        printf("%s;\n" HD_KERNELLIBS_HINT "\n", hd_kernellibs_why(uses[0].name),
               n > 1 ? "them" : "it");
}

// What a cubin says of its kernels.
static void print_cubin(struct hd_arena *a, const struct code *c)
{
    static const char *const heads[] = {"KERNEL", "REGISTERS", "SHARED", "BANK 0"};
    struct hd_table t = hd_table_new(a, "lrrr");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_table_add(&t, heads[i]);
    for (size_t i = 0; i < c->cubin.n_kernels; i++) {
        const struct hd_cubin_kernel *k = &c->cubin.kernels[i];
        hd_table_add(&t, k->name);
        hd_table_add(&t, hd_out_count(a, k->regs));
        hd_table_add(&t, hd_out_count(a, k->shared));
        hd_table_add(&t, hd_out_count(a, k->constants));
    }
    putchar('\n');
    hd_table_print(&t, stdout);
    printf("\nregisters of a thread; static shared memory of a block in bytes; bytes of constant "
           "bank 0,\nwhich has the parameters; %s bytes of __constant__ variables\n",
           hd_out_count(a, c->cubin.constants));
}

static void print(struct hd_arena *a, const char *path, const struct hd_executable *x,
                  const struct code *codes)
{
    static const char *const heads[] = {"SECTION", "NO",    "CODE",   "FOR",
                                        "PACKED",  "BYTES", "KERNELS"};
    struct hd_table t = hd_table_new(a, "lrlllrr");

    printf("%s: %s%s\n", path,
           x->kind == HD_EXECUTABLE_FATBIN ? "a container of device code"
           : x->kind == HD_EXECUTABLE_CUBIN
               ? hd_arena_printf(a, "%smachine code for sm_%u (a cubin)",
                                 codes->cubin.linked ? "" : "relocatable ", codes->of->entry.arch)
           : x->kind == HD_EXECUTABLE_OTHER
               ? "a script; 'heddle exec' runs the programs that it starts"
           : x->program ? "a program, "
                        : "a library or object, ",
           x->kind == HD_EXECUTABLE_ELF ? runtime_text(a, x) : "");
    if (x->kind == HD_EXECUTABLE_CUBIN) {
        print_cubin(a, codes);
    } else if (x->n_codes) {
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            hd_table_add(&t, heads[i]);
        for (size_t i = 0; i < x->n_codes; i++) {
            const struct code *c = &codes[i];
            hd_table_add(&t, *c->of->section ? c->of->section : "-");
            hd_table_add(&t, hd_arena_printf(a, "%u%s", c->of->container, c->chosen ? "*" : " "));
            hd_table_add(&t, c->kind);
            hd_table_add(&t, c->arch);
            hd_table_add(&t, c->packed);
            hd_table_add(&t, hd_out_count(a, c->bytes));
            bool listed = c->of->entry.kind == HD_FATBIN_PTX ? !c->runtime
                                                             : c->of->entry.kind == HD_FATBIN_SASS;
            hd_table_add(&t, listed ? hd_out_count(a, c->kernels.n) : "-");
        }
        putchar('\n');
        hd_table_print(&t, stdout);
        printf("\n* what heddle runs (as a device of compute capability %d.%d)\n", DEVICE / 10,
               DEVICE % 10);
    }
    print_kernels(a, x, codes);
    print_libraries(a, path);
    printf("\n%s\n", verdict(a, path, x, codes));
}

static json_t *built_json(const struct hd_cubin_kernel *k)
{
    json_t *o = json_object();

    hd_json_put(o, "name", hd_json_text(k->name));
    hd_json_put(o, "regs", hd_json_count(k->regs));
    hd_json_put(o, "shared_bytes", hd_json_count(k->shared));
    hd_json_put(o, "bank0_bytes", hd_json_count(k->constants));
    return o;
}

static json_t *code_json(const struct code *c)
{
    json_t *o = json_object(), *kernels = json_array(), *built = json_array();
    bool machine = c->of->entry.kind == HD_FATBIN_SASS;

    for (size_t i = 0; machine && i < c->cubin.n_kernels; i++)
        json_array_append_new(built, built_json(&c->cubin.kernels[i]));

    for (size_t i = 0; i < c->kernels.n; i++)
        json_array_append_new(kernels, hd_json_text(c->kernels.items[i]));
    hd_json_put(o, "section", json_string(c->of->section));
    hd_json_put(o, "container", hd_json_count(c->of->container));
    hd_json_put(o, "kind", json_string(c->kind));
    hd_json_put(o, "arch", hd_json_count(c->of->entry.arch));
    hd_json_put(o, "packed", hd_json_text(c->of->entry.unpacked ? c->packed : NULL));
    hd_json_put(o, "bytes", hd_json_count(c->bytes));
    hd_json_put(o, "chosen", json_boolean(c->chosen));
    hd_json_put(o, "kernels", kernels);
    hd_json_put(o, "resources", built);
    hd_json_put(o, "constant_bytes", hd_json_count(machine ? c->cubin.constants : 0));
    hd_json_put(o, "trouble", hd_json_text(c->trouble));
    return o;
}

static json_t *libraries_json(struct hd_arena *a, const char *path)
{
    json_t *list = json_array();
    size_t n;
    const struct hd_kernellibs_use *uses = hd_kernellibs_of(a, path, getenv("LD_LIBRARY_PATH"), &n);

    for (size_t i = 0; i < n; i++) {
        json_t *o = json_object();
        hd_json_put(o, "name", json_string(uses[i].name));
        hd_json_put(o, "file", hd_json_text(uses[i].file));
        hd_json_put(o, "for", hd_json_text(*uses[i].by ? uses[i].by : NULL));
        json_array_append_new(list, o);
    }
    return list;
}

static bool write_json(const struct hd_cmd_options *o, const char *path,
                       const struct hd_executable *x, const struct code *codes)
{
    static const char *const runtimes[] = {"none", "shared", "static"};
    json_t *root = json_object(), *list = json_array();
    struct hd_out text = {.arena = o->arena};

    for (size_t i = 0; i < x->n_codes; i++)
        json_array_append_new(list, code_json(&codes[i]));
    hd_json_put(root, "file", hd_json_text(path));
    hd_json_put(root, "program", json_boolean(x->program));
    hd_json_put(root, "runtime", json_string(runtimes[x->runtime]));
    hd_json_put(root, "cudart", hd_json_text(x->cudart));
    hd_json_put(root, "driver", json_boolean(x->driver));
    hd_json_put(root, "code", list);
    hd_json_put(root, "libraries_without_ptx", libraries_json(o->arena, path));
    hd_json_put(root, "verdict", json_string(verdict(o->arena, path, x, codes)));
    hd_json_write(root, &text);
    return hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes);
}

int hd_cmd_inspect(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_executable x;

    if (o->args.n != 1) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "inspect takes one file"),
                     "a CUDA program, a library, a fatbin or a cubin");
        return hd_cmd_options_fail(&d);
    }
    const char *path = o->args.items[0];
    if (!hd_cmd_places_check(o, true, &d) || !hd_executable_read(o->arena, path, &x, &d))
        return hd_cmd_options_fail(&d);
    if (x.kind == HD_EXECUTABLE_PTX) {
        hd_diag_hint(hd_diag_add(&d, path, 0, 0, "a PTX module"), "see 'heddle ptx check %s'",
                     path);
        return hd_cmd_options_fail(&d);
    }
    bool script = x.n_bytes > 2 && !memcmp(x.bytes, "#!", 2);
    if (x.kind == HD_EXECUTABLE_OTHER && !script) {
        hd_diag_hint(
            hd_diag_add(&d, path, 0, 0, "neither a program nor a container of device code"),
            "expected a CUDA program, a library, an object file, a fatbin or a cubin");
        return hd_cmd_options_fail(&d);
    }
    bool runs = x.runtime != HD_RUNTIME_STATIC && !hd_kernellibs_name(path);
    struct code *codes = look(o->arena, path, &x, runs);
    if (!o->json || strcmp(o->json, "-") != 0)
        print(o->arena, path, &x, codes);
    if (o->json && !write_json(o, path, &x, codes))
        return HD_EXIT_USER;
    return x.damage ? HD_EXIT_USER : HD_EXIT_OK;
}
