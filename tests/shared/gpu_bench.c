// gpu_bench.c - see gpu_bench.h.
#include "shared/gpu_bench.h"

#include "base/config.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define BUFFER_BYTES (1 << 20)

static const char start[] = ".version 3.2\n.target sm_20\n.address_size 64\n";
static const char head[] = ".visible .entry k(.param .u64 buffer)\n{\n"
                           ".reg .b32 %r<64>;\n.reg .b64 %rd<16>;\n"
                           ".reg .f32 %f<16>;\n.reg .f64 %fd<8>; .reg .pred %p<8>;\n"
                           ".shared .align 4 .b8 shared[1024];\n";

static void configure(struct gpu_bench *b, const struct gpu_bench_setup *s)
{
    const char *sets[128] = {"l1i.perfect=1"};
    unsigned n = 1;
    struct hd_diag d = {.n = 0};

    for (unsigned i = 0; s->sets && s->sets[i]; i++)
        sets[n++] = s->sets[i];
    if (!hd_config_load(b->arena, "gpus/debug-flatmem.ini", sets, n, &b->config, &d))
        fail_msg("%s", d.entries[0].text);
}

static void load(struct gpu_bench *b, const struct gpu_bench_setup *s)
{
    const char *text = hd_arena_printf(b->arena, "%s%s%s%s\n}\n", start,
                                       s->globals ? s->globals : "", head, s->body);
    struct hd_diag d = {.n = 0};

    b->program = hd_ptx_load(b->arena, "k.ptx", (const uint8_t *)text, strlen(text), &d);
    if (!b->program || !hd_gpu_load(b->gpu, b->program, &d))
        fail_msg("line %u: %s", d.entries[0].line, d.entries[0].text);
}

struct gpu_bench *gpu_bench_new(const struct gpu_bench_setup *s)
{
    struct hd_arena *a = hd_arena_new();
    struct gpu_bench *b = HD_NEW(a, gpu_bench);
    struct hd_gpu_options o = {.config = &b->config,
                               .no_skip = s->no_skip,
                               .functional_only = s->functional_only,
                               .threads = s->host_threads,
                               .max_cycles = s->max_cycles,
                               .max_insts = s->max_insts};
    struct hd_diag d = {.n = 0};

    b->arena = a;
    configure(b, s);
    if (s->watch)
        o.sched.policy = s->watch;
    else if (!hd_registry_parse(a, s->sched ? s->sched : "gto", &o.sched, &d))
        fail_msg("%s", d.entries[0].text);
    o.tb.policy = s->tb;
    o.kernel_policy.policy = s->kernel;
    b->gpu = hd_gpu_new(&o);
    b->buffer = hd_memory_alloc(hd_gpu_memory(b->gpu), BUFFER_BYTES, "buffer");
    load(b, s);
    return b;
}

bool gpu_bench_launch(struct gpu_bench *b, const struct gpu_bench_setup *s, struct hd_diag *d)
{
    struct hd_launch_request r = {.program = b->program,
                                  .kernel = hd_program_find(b->program, "k"),
                                  .grid = {s->blocks ? s->blocks : 1, 1, 1},
                                  .block = {s->threads ? s->threads : HD_LANES, 1, 1},
                                  .params = (const uint8_t *)&b->buffer,
                                  .regs = s->regs,
                                  .regs_source = "set",
                                  .shared_static = UINT32_MAX};

    return hd_gpu_submit(b->gpu, &r, d);
}

struct gpu_bench *gpu_bench_ran(const struct gpu_bench_setup *s, enum hd_run_status *status)
{
    struct gpu_bench *b = gpu_bench_new(s);
    struct hd_diag d = {.n = 0};

    if (!gpu_bench_launch(b, s, &d))
        fail_msg("%s", d.entries[0].text);
    *status = hd_gpu_run(b->gpu);
    return b;
}

void gpu_bench_free(struct gpu_bench *b)
{
    hd_gpu_free(b->gpu);
    hd_arena_free(b->arena);
}

uint32_t gpu_bench_word(const struct gpu_bench *b, uint32_t index)
{
    uint32_t word = 0;

    assert_true(hd_memory_read(hd_gpu_memory(b->gpu), b->buffer + 4 * (uint64_t)index, &word, 4));
    return word;
}
