// fuzz_gpgpusim.c - any bytes as a configuration of GPGPU-Sim and its network's: a machine or
// diagnostics.
//
// The bytes after a line "%%" are the network's file, net.icnt, which lies beside.
#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"
#include "fuzz/replay.h"
#include "gpgpusim/simmachine.h"
#include "gpgpusim/simtext.h"

#include <stdlib.h>
#include <string.h>

static void put(const char *path, const uint8_t *data, size_t size)
{
    char err[HD_FILE_WHY];

    HD_BUG_IF(!hd_file_write(path, data, size, err), "%s", err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_config *config = HD_NEW(a, hd_config), *again = HD_NEW(a, hd_config);
    struct hd_simfile *file = HD_NEW(a, hd_simfile);
    struct hd_simmap *map = HD_NEW(a, hd_simmap);
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    const char *path = hd_arena_printf(a, "%s/gpgpusim.config", folder);
    const uint8_t *net = memmem(data, size, "\n%%\n", 4);
    bool errors = false;

    put(path, data, net ? (size_t)(net - data) + 1 : size);
    put(hd_arena_printf(a, "%s/net.icnt", folder), net ? net + 4 : data,
        net ? size - (size_t)(net - data) - 4 : 0);
    bool good = hd_simmachine_read(a, path, file, map, config, d);
    for (unsigned i = 0; i < d->n; i++)
        errors |= !d->entries[i].warning;
    HD_BUG_IF(good == errors, "%s %u diagnostics", good ? "accepted with" : "refused with", d->n);
    if (good) { // the machine file that it becomes is the same machine
        char err[HD_FILE_WHY];
        const char *text = hd_simtext_make(file, map);
        path = hd_arena_printf(a, "%s/heddle-fuzz-sim.ini", folder);
        HD_BUG_IF(!hd_file_write(path, text, strlen(text), err), "%s", err);
        HD_BUG_IF(!hd_config_load(a, path, NULL, 0, again, d), "converted: %s",
                  d->n ? d->entries[d->n - 1].text : "");
        memcpy(again->name, config->name, sizeof again->name);
        HD_BUG_IF(memcmp(again, config, sizeof *again) != 0, "converted to another machine");
    }
    hd_arena_free(a);
    return 0;
}
