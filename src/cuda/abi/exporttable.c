// exporttable.c - cuGetExportTable: private tables of NVIDIA's driver. They are not part of its
// public interface, and heddle does not have them. A program that asks for them contains NVIDIA's
// own runtime: it was linked statically, or it uses one of NVIDIA's libraries of kernels, which is
// often loaded while the program runs.
#include "cuda/abi/driver.h"
#include "fatbin/kernellibs.h"

#include "base/diag.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void say(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = hd_kernellibs_name(file);
    struct hd_diag d = {.n = 0};

    file = slash ? slash + 1 : file;
    if (name)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                                 "%s (%s) has machine code only and cannot run here", name, file),
                     HD_KERNELLIBS_HINT);
    else
        hd_diag_hint(
            hd_diag_add(&d, NULL, 0, 0,
                        "%s carries NVIDIA's runtime inside, which asks for private tables "
                        "of NVIDIA's driver (cuGetExportTable)",
                        file),
            "rebuild it with: NVCC_APPEND_FLAGS=\"-cudart shared\" make");
    hd_diag_print(&d, stderr);
}

CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    Dl_info info;

    (void)id;
    if (table)
        *table = NULL;
    if (!atomic_flag_test_and_set(&said))
        say(dladdr(__builtin_return_address(0), &info) && info.dli_fname ? info.dli_fname
                                                                         : "the program");
    return CUDA_ERROR_NOT_SUPPORTED;
}
