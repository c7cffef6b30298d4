// test_access.c - loads and stores at arbitrary addresses: which are legal, what they read and
// write, and that all others trap and change nothing. A model of a few lines says what is right;
// under the address sanitizer nothing outside simulated memory may be touched. Arguments: rounds,
// first seed.
#include "base/arena.h"
#include "emu/emu.h"
#include "isa/op.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CONST_START 0x100 // of .const variables
#define CONST_BYTES 80
#define SHARED_BYTES 208
#define LOCAL_BYTES 48
#define N_BLOCKS 4   // of global memory
#define OUT_BYTES 32 // of each thread

static uint64_t seed = 1;
static unsigned rounds = 3000;

static uint64_t rnd(void) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

struct world {
    struct hd_arena *arena;
    struct hd_memory *memory;
    struct hd_emu *emu;
    struct hd_diag diag;
    uint64_t block[N_BLOCKS]; // addresses; number 2 is released
    uint64_t table, out;      // what the threads read their addresses from, and write results to
    uint8_t *want, *got;      // all bytes from the first block on
    uint64_t bytes;
};

static const char *const space_names[] = {"", ".global", ".shared", ".local", ".const"};
static const unsigned spaces[] = {HD_SPACE_GENERIC, HD_SPACE_GLOBAL, HD_SPACE_SHARED,
                                  HD_SPACE_LOCAL, HD_SPACE_CONST};

static void build(struct world *w)
{
    static const uint64_t sizes[N_BLOCKS] = {100, 300, 256, 700};

    memset(w, 0, sizeof *w);
    w->arena = hd_arena_new();
    w->memory = hd_memory_new(w->arena);
    w->emu =
        hd_emu_new(w->arena, &(struct hd_emu_config){.sms = 1, .warps = 8, .tbs = 1}, w->memory);
    for (unsigned i = 0; i < N_BLOCKS; i++)
        w->block[i] = hd_memory_alloc(w->memory, sizes[i], "block");
    w->table = hd_memory_alloc(w->memory, 8 * HD_LANES, "table");
    w->out = hd_memory_alloc(w->memory, OUT_BYTES * HD_LANES, "out");
    hd_memory_release(w->memory, w->block[2]);
    w->bytes = w->out + OUT_BYTES * HD_LANES - w->block[0];
    w->want = hd_arena_get(w->arena, w->bytes, 1);
    w->got = hd_memory_view(w->memory).bytes + (w->block[0] - HD_MEMORY_BASE);
    for (uint64_t at = w->block[0]; at < w->table; at++)
        if (at < w->block[2] || at >= w->block[3])
            w->got[at - w->block[0]] = (uint8_t)rnd();
}

// Inside a space, at its edges, beyond them, anywhere.
static uint64_t some_address(const struct world *w, unsigned space, unsigned bytes)
{
    const uint64_t starts[] = {w->block[0],
                               w->block[1],
                               w->block[2],
                               w->block[3],
                               HD_WINDOW_SHARED,
                               HD_WINDOW_LOCAL,
                               HD_WINDOW_CONST + CONST_START};
    uint64_t r = rnd(), at;

    if (space == HD_SPACE_GLOBAL || space == HD_SPACE_GENERIC)
        at = starts[r % (space == HD_SPACE_GENERIC ? 7 : 4)] + (r >> 8) % 800;
    else
        at = (r >> 8) % 260 + (space == HD_SPACE_CONST ? CONST_START : 0);
    switch (r >> 40 & 63) {
    case 0:
        return rnd();
    case 1:
        return at - 300;
    case 2:
        return at; // mostly not aligned
    case 3:
        return UINT64_MAX - (r >> 8) % 64;
    case 4: // right but for its upper half
        return (at & ~(uint64_t)(bytes - 1)) + ((r >> 8) % 7 + 1) * (UINT64_C(1) << 32);
    default:
        return at & ~(uint64_t)(bytes - 1);
    }
}

static unsigned space_of(unsigned space, uint64_t *address)
{
    static const unsigned windows[] = {HD_SPACE_SHARED, HD_SPACE_LOCAL, HD_SPACE_CONST};

    for (unsigned i = 0; space == HD_SPACE_GENERIC && i < 3; i++)
        if (*address >> HD_WINDOW_SHIFT == hd_window(windows[i]) >> HD_WINDOW_SHIFT) {
            *address -= hd_window(windows[i]);
            return windows[i];
        }
    return space == HD_SPACE_GENERIC ? HD_SPACE_GLOBAL : space;
}

// Is [address, address + bytes) readable (writable)?
static bool legal(const struct world *w, unsigned space, uint64_t address, unsigned bytes,
                  bool write)
{
    uint64_t first = 0, end = 0;

    if (address & (bytes - 1))
        return false;
    switch (space) {
    case HD_SPACE_SHARED:
        end = SHARED_BYTES;
        break;
    case HD_SPACE_LOCAL:
        end = LOCAL_BYTES;
        break;
    case HD_SPACE_CONST: // what lies below the first variable is there, too
        end = write ? 0 : CONST_START + CONST_BYTES;
        break;
    default:
        first = address < w->block[2] ? w->block[0] : w->block[3];
        end = address < w->block[2] ? w->block[2] : w->block[0] + w->bytes;
    }
    return address >= first && address < end && bytes <= end - address;
}

static const char *const types[] = {"u8", "u16", "u32", "u64"};

struct access {
    unsigned space, log_bytes, vec;
    bool write;
    bool narrow;    // the address register has 32 bits
    uint32_t lanes; // that take part
    uint64_t address[HD_LANES];
};

static struct hd_program *program(struct world *w, const struct access *x)
{
    static char text[4096];
    static const char *const registers[] = {
        [1] = "%v0", [2] = "{%v0, %v1}", [4] = "{%v0, %v1, %v2, %v3}"};
    static const char *const vectors[] = {[1] = "", [2] = ".v2", [4] = ".v4"};
    const char *t = types[x->log_bytes], *space = space_names[x->space];
    const char *address = x->narrow ? "%n" : "%x";
    unsigned bytes = 1u << x->log_bytes, bits = bytes < 2 ? 16 : 8 * bytes;
    char *to = text, *end = text + sizeof text;

#define PUT(...) to += snprintf(to, (size_t)(end - to), __VA_ARGS__)
    PUT(".version 7.0\n.target sm_70\n.address_size 64\n.const .align 16 .b8 c[%d] = {1, 2, 3};\n",
        CONST_BYTES);
    PUT(".entry k(.param .u64 table, .param .u64 out) {\n.shared .align 16 .b8 s[%d];\n",
        SHARED_BYTES);
    PUT(".local .align 16 .b8 l[%d];\n.reg .b64 %%a, %%x;\n.reg .b32 %%t, %%n, %%m;\n"
        ".reg .pred %%p;\n.reg .b%u %%v<4>;\n",
        LOCAL_BYTES, bits);
    PUT("mov.u32 %%t, %%tid.x;\nld.param.u64 %%a, [table];\nmad.wide.u32 %%a, %%t, 8, %%a;\n");
    PUT("ld.global.u64 %%x, [%%a];\nld.param.u64 %%a, [out];\nmad.wide.u32 %%a, %%t, %d, %%a;\n",
        OUT_BYTES);
    for (unsigned i = 0; i < x->vec; i++)
        PUT("cvt.u%u.u32 %%v%u, %%t;\n", bits, i);
    PUT("cvt.u32.u64 %%n, %%x;\nmov.u32 %%m, %u;\nshr.u32 %%m, %%m, %%t;\n", x->lanes);
    PUT("and.b32 %%m, %%m, 1;\nsetp.ne.u32 %%p, %%m, 0;\n%s", x->lanes == UINT32_MAX ? "" : "@%p ");
    if (x->write)
        PUT("st%s%s.%s [%s], %s;\n", space, vectors[x->vec], t, address, registers[x->vec]);
    else
        PUT("ld%s%s.%s %s, [%s];\n", space, vectors[x->vec], t, registers[x->vec], address);
    for (unsigned i = 0; i < x->vec; i++)
        PUT("st.global.%s [%%a+%u], %%v%u;\n", t, i * bytes, i);
    PUT("ret;\n}\n");
#undef PUT
    struct hd_program *p =
        hd_ptx_load(w->arena, "access", (const uint8_t *)text, (size_t)(to - text), &w->diag);
    if (!p || !hd_emu_load(w->emu, p, &w->diag)) {
        hd_diag_print(&w->diag, stderr);
        fail_msg("does not load:\n%s", text);
    }
    return p;
}

// What one lane does, in the model. False: it faults.
static bool expect(struct world *w, const struct access *x, unsigned l)
{
    static const uint8_t constants[] = {1, 2, 3};
    unsigned bytes = 1u << x->log_bytes, all = bytes * x->vec;
    uint64_t at = x->narrow ? (uint32_t)x->address[l] : x->address[l];
    unsigned space = space_of(spaces[x->space], &at);
    bool takes_part = x->lanes >> l & 1;
    uint8_t value[16] = {0};

    if (takes_part && !legal(w, space, at, all, x->write))
        return false;
    for (unsigned i = 0; i < all; i++)
        if (x->write || !takes_part)
            value[i] = i % bytes ? 0 : (uint8_t)l;
        else if (space == HD_SPACE_GLOBAL)
            value[i] = w->got[at + i - w->block[0]];
        else if (space == HD_SPACE_CONST)
            value[i] = at + i - CONST_START < 3 ? constants[at + i - CONST_START] : 0;
    if (takes_part && x->write && space == HD_SPACE_GLOBAL)
        memcpy(w->want + (at - w->block[0]), value, all);
    memcpy(w->want + (w->out + OUT_BYTES * l - w->block[0]), value, all);
    return true;
}

// One instruction by one warp. Results are written after all lanes have stored, so a lane's own
// result stands over what was stored there.
static void one_access(struct world *w, const struct access *x)
{
    struct hd_program *p = program(w, x);
    uint64_t params[2] = {w->table, w->out};
    struct hd_launch launch = {.program = p,
                               .kernel = &p->funcs[0],
                               .grid = {1, 1, 1},
                               .block = {HD_LANES, 1, 1},
                               .params = (const uint8_t *)params};
    struct hd_emu_result r;
    int fault = -1;

    hd_memory_write(w->memory, w->table, x->address, sizeof x->address);
    memcpy(w->want, w->got, w->bytes);
    for (int pass = 0; pass < 2; pass++)
        for (unsigned l = 0; l < HD_LANES && fault < 0; l++)
            fault = expect(w, x, l) ? -1 : (int)l;
    if (fault >= 0)
        memcpy(w->want, w->got, w->bytes);
    else if (x->write) // the first pass's stores, then the results
        for (unsigned l = 0; l < HD_LANES; l++)
            for (unsigned i = 0; i < x->vec << x->log_bytes; i++)
                w->want[w->out + OUT_BYTES * l - w->block[0] + i] =
                    i % (1u << x->log_bytes) ? 0 : (uint8_t)l;
    hd_emu_run(w->emu, &launch, &(struct hd_emu_patience){.warp_insts = 100}, &r);
    if ((r.trap.kind != HD_TRAP_NONE) != (fault >= 0) ||
        (fault >= 0 && r.trap.thread[0] != (uint32_t)fault))
        fail_msg("%s%s of %u x %u bytes: trap %u of thread %u, expected thread %d, address %llx",
                 x->write ? "st" : "ld", space_names[x->space], x->vec, 1u << x->log_bytes,
                 r.trap.kind, r.trap.thread[0], fault,
                 (unsigned long long)(fault >= 0 ? x->address[fault] : 0));
    if (memcmp(w->want, w->got, w->bytes))
        fail_msg("%s%s of %u x %u bytes: memory is another", x->write ? "st" : "ld",
                 space_names[x->space], x->vec, 1u << x->log_bytes);
}

static uint64_t good_address(const struct world *w, const struct access *x, unsigned bytes)
{
    uint64_t at, inside;
    unsigned tries = 0;

    do {
        at = inside = some_address(w, spaces[x->space], bytes);
    } while (!legal(w, space_of(spaces[x->space], &inside), inside, bytes, x->write) &&
             ++tries < 1000);
    return at;
}

// A row of elements; one address for all; anything; groups of eight lanes that are a row, or have
// one address, or good addresses, so that values are compared.
static void choose(const struct world *w, struct access *x)
{
    enum { ROW, SAME, ANY, GROUPS, GOOD, WAYS };
    unsigned bytes = x->vec << x->log_bytes, way = (unsigned)(rnd() % WAYS), group = way;
    uint64_t first = some_address(w, spaces[x->space], bytes), start = 0;

    for (unsigned l = 0; l < HD_LANES; l++) {
        if (way == GROUPS && l % 8 == 0) {
            static const unsigned groups[] = {ROW, SAME, GOOD};
            group = groups[rnd() % 3];
            first = good_address(w, x, bytes);
            start = l;
        }
        x->address[l] = group == ROW    ? first + (l - start) * bytes
                        : group == SAME ? first
                        : group == ANY  ? some_address(w, spaces[x->space], bytes)
                                        : good_address(w, x, bytes);
    }
}

static void any_address(void **state)
{
    struct world w;

    (void)state;
    for (unsigned i = 0; i < rounds; i++) {
        struct access x = {.space = (unsigned)(rnd() % 5), .log_bytes = (unsigned)(rnd() % 4)};
        x.vec = 1u << rnd() % 3;
        x.write = spaces[x.space] != HD_SPACE_CONST && rnd() & 1;
        while (x.vec << x.log_bytes > 16)
            x.vec /= 2;
        x.narrow = rnd() % 4 == 0;
        x.lanes = rnd() & 1 ? UINT32_MAX : (uint32_t)(rnd() | (rnd() & 1 ? 0xff00ff : 0));
        build(&w);
        choose(&w, &x);
        one_access(&w, &x);
        hd_emu_free(w.emu);
        hd_memory_free(w.memory);
        hd_arena_free(w.arena);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_address)};

    if (argc > 1)
        rounds = (unsigned)strtoul(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
