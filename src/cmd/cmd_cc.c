// cmd_cc.c - heddle cc: build a CUDA program with clang and the headers in sdk/, without a toolkit.
//
// sdk/bin/nvcc does the work, for makefiles too; this file only finds it and the libraries. For
// kernels that launch kernels, that script calls heddle: `heddle cc --launches device|host FROM TO`
// rewrites text that the preprocessor has written.
#include "cmd/cmd.h"

#include "base/config.h"
#include "base/file.h"
#include "cc/launches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rewrite(struct hd_arena *a, char **argv, struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(a, argv[2], &bytes, err), *out = NULL;

    if (text)
        out = hd_launches_rewrite(a, text, bytes, !strcmp(argv[1], "device"));
    if (!out || !hd_file_write(argv[3], out, strlen(out), err))
        hd_diag_add(d, NULL, 0, 0, "%s", err);
    return d->n ? hd_cmd_options_fail(d) : HD_EXIT_OK;
}

int hd_cmd_cc(int argc, char **argv)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {0};
    const char *data = hd_config_data(a, "sdk/bin/nvcc"), *libraries = hd_cmd_exec_libraries(a);
    const char **words = HD_ARRAY(a, const char *, (size_t)argc + 2);

    if (argc == 4 && !strcmp(argv[0], "--launches")) {
        int status = rewrite(a, argv, &d);
        hd_arena_free(a);
        return status;
    }
    if (!data || !libraries) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "%s not beside heddle",
                                 data ? "its CUDA libraries are" : "its headers, sdk/, are"),
                     data ? "make builds them" : "HEDDLE_DATA can name the folder that has sdk/");
        return hd_cmd_options_fail(&d);
    }
    words[0] = hd_arena_printf(a, "%s/sdk/bin/nvcc", data);
    memcpy(words + 1, argv, (size_t)argc * sizeof *words);
    setenv("HEDDLE_CC_NAME", "heddle cc", 1);
    setenv("HEDDLE_LIBRARIES", libraries, 0);
    fflush(NULL);
    execv(words[0], (char *const *)(uintptr_t)words);
    hd_diag_add(&d, NULL, 0, 0, "cannot start %s: %s", words[0], strerror(errno));
    return hd_cmd_options_fail(&d);
}
