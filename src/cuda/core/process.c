// process.c - the state that the files of src/cuda share, and how they talk to people.
#include "cuda/core/process.h"

#include <stdio.h>

struct hd_cuda hd_cuda;

void hd_cuda_say(const struct hd_diag *d)
{
    hd_diag_print(d, stderr);
}
