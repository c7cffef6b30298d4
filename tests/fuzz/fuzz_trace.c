// fuzz_trace.c - any bytes as a trace, or as the inside of one behind right checksums: it runs for
// a limited time, or there are diagnostics.
//
// The first byte chooses what the others stand for: 0 the streams of a block, 1 the summary, 2 the
// index, anything else the whole file. The rest is that of a trace recorded at start.
#include "base/arena.h"
#include "base/bug.h"
#include "base/config.h"
#include "base/file.h"
#include "fuzz/replay.h"
#include "job/jobresolve.h"
#include "registry/registry.h"
#include "run/jobrun.h"
#include "run/tracerun.h"
#include "trace/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#define CYCLES 20000
#define MOST ((size_t)1 << 16)

static const char job_text[] = "ptx tests/cli/data/traces.ptx\n"
                               "buf A 256 zero\n"
                               "launch neighbour 1 1 1 64 1 1 0 p:A u:1\n"
                               "launch sum 1 1 1 40 1 1 0 p:A\n";

static struct hd_config config;

struct part {
    uint8_t *bytes;
    size_t n;
};
static struct part chunks[2], summary, order;

static struct hd_run_options options_of(struct hd_arena *a)
{
    struct hd_run_options o = {.gpu = {.config = &config, .max_cycles = CYCLES}};
    struct hd_diag d = {0};

    HD_BUG_IF(!hd_registry_parse_slot(a, HD_SLOT_SCHED, "lrr", &o.gpu.sched, &d), "no lrr");
    return o;
}

static uint64_t little(const uint8_t *b)
{
    uint64_t v = 0;

    for (int i = 7; i >= 0; i--)
        v = v << 8 | b[i];
    return v;
}

static struct part unpack(const uint8_t *frame, size_t n)
{
    struct part p = {malloc(MOST), 0};

    HD_BUG_IF(!p.bytes, "no memory");
    p.n = ZSTD_decompress(p.bytes, MOST, frame, n);
    HD_BUG_IF(ZSTD_isError(p.n), "%s", ZSTD_getErrorName(p.n));
    return p;
}

// Take the parts out of a trace of the job.
static void start(void)
{
    struct hd_arena *a = hd_arena_new();
    char folder[] = "/tmp/fuzz-trace-XXXXXX", path[64], err[HD_FILE_WHY];
    struct hd_diag d = {0};
    struct hd_run run;
    size_t bytes;

    HD_BUG_IF(!hd_config_load(a, "gpus/debug-flatmem.ini", NULL, 0, &config, &d), "no machine");
    struct hd_job *j = hd_job_parse(a, "fuzz.job", job_text, sizeof job_text - 1, &d);
    HD_BUG_IF(!j || !hd_jobresolve_names(j, a, &d) || !mkdtemp(folder), "no job: %s",
              d.entries[0].text);
    snprintf(path, sizeof path, "%s/x", folder);
    struct hd_run_options o = options_of(a);
    o.gpu.max_cycles = 0;
    o.gpu.record = hd_record_new(a, path, &d);
    HD_BUG_IF(!o.gpu.record || !hd_jobrun_start(&run, j, a, &o, &d) ||
                  !hd_tracerun_record(&run, a, &o, "fuzz", NULL, 0, &d),
              "no trace: %s", d.entries[0].text);
    hd_runs_end(&run);
    const uint8_t *file = hd_file_read(a, path, &bytes, err);
    HD_BUG_IF(!file, "%s", err);
    unlink(path);
    rmdir(folder);
    const uint8_t *tail = file + bytes - 64;
    size_t first = ZSTD_findFrameCompressedSize(file + 16, bytes - 16);
    chunks[0] = unpack(file + 16, first);
    chunks[1] = unpack(file + 16 + first, little(tail) - 16 - first);
    summary = unpack(file + little(tail), little(tail + 8));
    order = unpack(file + little(tail + 24), little(tail + 32));
    hd_arena_free(a);
}

static size_t frame(uint8_t *to, size_t room, struct part p)
{
    size_t n = ZSTD_compress(to, room, p.bytes, p.n, 1);

    HD_BUG_IF(ZSTD_isError(n), "%s", ZSTD_getErrorName(n));
    return n;
}

static void put_number(struct part *p, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        p->bytes[p->n++] = (uint8_t)(v | 0x80);
    p->bytes[p->n++] = (uint8_t)v;
}

// The index of the two chunks, of these sizes.
static struct part make_index(uint8_t bytes[64], const size_t packed[2], const size_t raw[2])
{
    struct part p = {bytes, 0};

    put_number(&p, 2);
    for (uint64_t i = 0; i < 2; i++) {
        put_number(&p, i); // launch
        put_number(&p, 0); // block
        put_number(&p, 0); // the rest of all
        put_number(&p, packed[i]);
        put_number(&p, raw[i]);
    }
    return p;
}

static struct part build(unsigned which, struct part given)
{
    struct part out = {malloc(16 * MOST), 16}, c[2] = {chunks[0], chunks[1]}, s = summary, x;
    size_t packed[2], raw[2];
    uint64_t numbers[6], sum = UINT64_C(0xcbf29ce484222325);
    uint8_t bytes[64];

    HD_BUG_IF(!out.bytes, "no memory");
    if (which == 0)
        c[0] = c[1] = given;
    if (which == 1)
        s = given;
    memcpy(out.bytes, "hdtrace\n\1\0\0\0\0\0\0\0", 16);
    for (int i = 0; i < 2; i++) {
        packed[i] = frame(out.bytes + out.n, 4 * MOST, c[i]);
        raw[i] = c[i].n;
        out.n += packed[i];
    }
    x = which == 2 ? given : make_index(bytes, packed, raw);
    numbers[0] = out.n;
    numbers[2] = s.n;
    out.n += numbers[1] = frame(out.bytes + out.n, 4 * MOST, s);
    numbers[3] = out.n;
    numbers[5] = x.n;
    out.n += numbers[4] = frame(out.bytes + out.n, 4 * MOST, x);
    for (int i = 0; i < 48; i++) {
        out.bytes[out.n + (size_t)i] = (uint8_t)(numbers[i / 8] >> (8 * (i % 8)));
        sum = (sum ^ out.bytes[out.n + (size_t)i]) * UINT64_C(0x100000001b3);
    }
    out.n += 48;
    for (int k = 0; k < 8; k++)
        out.bytes[out.n++] = (uint8_t)(sum >> (8 * k));
    memcpy(out.bytes + out.n, "hdtrace.", 8);
    out.n += 8;
    return out;
}

static void try_file(const uint8_t *data, size_t n)
{
    struct hd_arena *a = hd_arena_new();
    int fd = memfd_create("trace", MFD_CLOEXEC);
    struct hd_diag d = {0};
    struct hd_run run = {0};
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    HD_BUG_IF(fd < 0 || write(fd, data, n) != (ssize_t)n, "no memory for a file");
    struct hd_traceread *t = hd_traceread_open(a, path, &d);
    HD_BUG_IF(!t && !d.n, "refused without a reason");
    if (t) {
        struct hd_run_options o = options_of(a);
        bool good = hd_tracerun_start(&run, t, a, &o, &d);
        HD_BUG_IF(!good && !d.n, "failed without a reason");
        hd_runs_end(&run);
    }
    close(fd);
    hd_arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct part given, file;

    if (!order.bytes)
        start();
    if (!size || size > MOST)
        return 0;
    given = (struct part){malloc(size), size - 1};
    HD_BUG_IF(!given.bytes, "no memory");
    memcpy(given.bytes, data + 1, size - 1);
    if (data[0] > 2) {
        try_file(given.bytes, given.n);
    } else {
        file = build(data[0], given);
        try_file(file.bytes, file.n);
        free(file.bytes);
    }
    free(given.bytes);
    return 0;
}
