// cmd_cc.c - heddle cc: build a CUDA program with clang and the headers in sdk/, without a toolkit.
//
// sdk/bin/nvcc does the work, for makefiles too; this file only finds it and the libraries.
#include "cmd/cmd.h"

#include "base/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_cmd_cc(int argc, char **argv)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {0};
    const char *data = hd_config_data(a, "sdk/bin/nvcc"), *libraries = hd_cmd_exec_libraries(a);
    const char **words = HD_ARRAY(a, const char *, (size_t)argc + 2);

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
