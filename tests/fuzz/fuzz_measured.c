// fuzz_measured.c - any bytes as measurements of a GPU: rows that can be compared, or a diagnostic.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "report/correlate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_sheets sheets = {.arena = a};
    struct hd_measured m;
    char *text = hd_arena_get(a, size + 1, 1);

    for (size_t i = 0; i < size; i++)
        text[i] = (char)data[i];
    if (!hd_measured_parse(a, "measured", text, size, &m, d))
        HD_BUG_IF(d->n == 0, "refused without a reason");
    else if (!hd_correlate_explain(&m, &m, NULL, &sheets, d))
        HD_BUG_IF(d->n == 0, "not compared without a reason");
    hd_arena_free(a);
    return 0;
}
