// fuzz_studyplan.c - any bytes as the plan of a study: a plan that, written and read again, is the
// same, or a diagnostic.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "study/studyplan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_studyplan plan, again;
    bool good = hd_studyplan_parse(a, "plan.json", (const char *)data, size, &plan, d);
    struct hd_out out = {.arena = a};

    HD_BUG_IF(good != (d->n == 0), "refused without a reason, or accepted with a complaint");
    if (good) {
        hd_studyplan_write(&plan, a, &out);
        HD_BUG_IF(!hd_studyplan_parse(a, "plan.json", out.text, out.bytes, &again, d),
                  "what was written is refused: %s", d->entries[0].text);
        HD_BUG_IF(!hd_studyplan_same(&plan, "plan.json", &again, d), "another plan came back");
    }
    hd_arena_free(a);
    return 0;
}
