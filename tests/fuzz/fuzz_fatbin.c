// fuzz_fatbin.c - any bytes as a fatbin: an entry and its text, or diagnostics.
#include "base/arena.h"
#include "base/bug.h"
#include "fatbin/fatbin.h"
#include "fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {.n = 0};
    struct hd_fatbin_entry e;
    size_t n;
    bool sass;

    if (hd_fatbin_choose(data, size, 75, &e, &sass, &d)) {
        HD_BUG_IF(d.n, "accepted with %u diagnostics", d.n);
        const uint8_t *text = hd_fatbin_unpack(a, &e, &n, &d);
        HD_BUG_IF(!text != (d.n > 0), "text without, or none with %u diagnostics", d.n);
    } else {
        HD_BUG_IF(!d.n, "refused without a diagnostic");
    }
    hd_arena_free(a);
    return 0;
}
