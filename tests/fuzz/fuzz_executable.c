// fuzz_executable.c - any bytes as a file that may carry device code.
#include "base/arena.h"
#include "base/bug.h"
#include "fatbin/executable.h"
#include "fuzz/replay.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    uint8_t *copy = hd_arena_get(a, size + 1, 1); // libelf asks for bytes that it may write
    struct hd_diag d = {.n = 0};
    struct hd_executable x;

    memcpy(copy, data, size);
    bool good = hd_executable_parse(a, "input", copy, size, &x, &d);
    HD_BUG_IF(good != !d.n, "%s with %u diagnostics", good ? "read" : "refused", d.n);
    for (size_t i = 0; good && i < x.n_codes; i++) {
        const struct hd_fatbin_entry *e = &x.codes[i].entry;
        HD_BUG_IF(e->payload < x.bytes || e->payload + e->stored > x.bytes + x.n_bytes,
                  "a payload outside the file");
    }
    hd_arena_free(a);
    return 0;
}
