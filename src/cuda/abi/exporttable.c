// exporttable.c - cuGetExportTable: private tables of NVIDIA's driver, which are not part of its
// public interface and which heddle does not have. A program that asks for them contains NVIDIA's
// runtime, because it was linked with it, or uses one of NVIDIA's libraries of kernels, often
// loaded while the program runs. NVIDIA's run-time compiler asks for them too, but works without
// them, so heddle reports nothing then.
#include "cuda/abi/driver.h"
#include "cuda/abi/loaded.h"
#include "fatbin/kernellibs.h"

#include "base/diag.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void say(const char *file)
{
    const char *slash = strrchr(file, '/');
    struct hd_diag d = {.n = 0};

    hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                             "%s carries NVIDIA's runtime inside, which asks for private tables of "
                             "NVIDIA's driver (cuGetExportTable)",
                             slash ? slash + 1 : file),
                 "rebuild it with: NVCC_APPEND_FLAGS=\"-cudart shared\" make");
    hd_diag_print(&d, stderr);
}

static bool does_without(const char *file)
{
    const char *slash = strrchr(file, '/');

    return !strncmp(slash ? slash + 1 : file, "libnvrtc.", strlen("libnvrtc."));
}

CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    Dl_info info;
    const char *file = dladdr(__builtin_return_address(0), &info) && info.dli_fname ? info.dli_fname
                                                                                    : "the program";

    (void)id;
    if (table)
        *table = NULL;
    if (hd_kernellibs_name(file))
        hd_loaded_note(); // unless it was named before
    else if (!does_without(file) && !atomic_flag_test_and_set(&said))
        say(file);
    return CUDA_ERROR_NOT_SUPPORTED;
}
