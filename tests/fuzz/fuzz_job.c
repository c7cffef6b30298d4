// fuzz_job.c - any bytes as a job file: a job or diagnostics. Its files are not opened.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "job/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_job *job = hd_job_parse(a, "fuzz.job", (const char *)data, size, d);

    HD_BUG_IF(!job && d->n == 0, "refused without a reason");
    HD_BUG_IF(job && d->n > 0, "accepted with a complaint: %s", d->entries[0].text);
    hd_arena_free(a);
    return 0;
}
