// fuzz_config.c - any bytes as a machine file (gpus/*.ini): a machine or diagnostics.
#include "base/arena.h"
#include "base/bug.h"
#include "base/config.h"
#include "base/file.h"
#include "fuzz/replay.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_config *config = HD_NEW(a, hd_config);
    const char *folder = getenv("TMPDIR");
    const char *path = hd_arena_printf(a, "%s/heddle-fuzz.ini", folder ? folder : "/tmp");
    char err[HD_FILE_WHY];

    HD_BUG_IF(!hd_file_write(path, data, size, err), "%s", err);
    bool good = hd_config_load(a, path, NULL, 0, config, d);
    HD_BUG_IF(good == (d->n > 0), "%s %u diagnostics", good ? "accepted with" : "refused with",
              d->n);
    hd_arena_free(a);
    return 0;
}
