// jitlog.c - see jitlog.h.
#include "cuda/jitlog.h"

#include "cuda/process.h"

#include <stdio.h>
#include <string.h>

static size_t size_option(const struct hd_jitlog *l, CUjit_option option)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->options[i] == option)
            return (size_t)(uint32_t)(uintptr_t)l->values[i];
    return 0;
}

static void write_log(const struct hd_jitlog *l, CUjit_option buffer, CUjit_option size,
                      const struct hd_diag *d)
{
    size_t room = size_option(l, size), written = 0;

    for (unsigned i = 0; i < l->n; i++) {
        char *to = l->options[i] == buffer ? l->values[i] : NULL;
        if (!to || !room)
            continue;
        to[0] = '\0';
        FILE *f = room > 1 && d ? fmemopen(to, room, "w") : NULL;
        if (f) {
            hd_diag_print(d, f);
            fclose(f);
        }
        to[room - 1] = '\0';
        written = strlen(to);
    }
    for (unsigned i = 0; i < l->n; i++)
        if (l->options[i] == size)
            l->values[i] = (void *)(uintptr_t)written;
}

void hd_jitlog_tell(const struct hd_jitlog *l, const struct hd_diag *d)
{
    bool heard = size_option(l, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) != 0;

    write_log(l, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, NULL);
    write_log(l, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, d->n ? d : NULL);
    if (d->n && !heard)
        hd_cuda_say(d);
}
