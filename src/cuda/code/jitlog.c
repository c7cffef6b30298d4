// jitlog.c - see jitlog.h.
#include "cuda/code/jitlog.h"

#include "cuda/core/process.h"

#include <stdio.h>
#include <string.h>

static const CUjit_option buffers[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER};
static const CUjit_option sizes[] = {CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                                     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};

struct hd_jitlog hd_jitlog_begin(const CUjit_option *options, void **values, unsigned n)
{
    struct hd_jitlog l = {.options = options, .values = values, .n = n};

    for (unsigned i = 0; i < n && options && values; i++)
        for (int k = 0; k < HD_N_JITLOGS; k++)
            if (options[i] == buffers[k])
                l.logs[k].to = values[i];
            else if (options[i] == sizes[k])
                l.logs[k].room = (size_t)(uint32_t)(uintptr_t)values[i];
    return l;
}

static void append(const struct hd_diag *d, char *to, size_t room)
{
    FILE *f = room > 1 && d->n ? fmemopen(to, room, "w") : NULL;

    to[0] = '\0';
    if (f) {
        hd_diag_print(d, f);
        fclose(f);
    }
    to[room - 1] = '\0';
}

void hd_jitlog_tell(struct hd_jitlog *l, const struct hd_diag *d)
{
    static const struct hd_diag nothing = {.n = 0};

    for (int k = 0; k < HD_N_JITLOGS; k++) {
        char *to = l->logs[k].to;
        size_t *used = &l->logs[k].used;
        if (to && l->logs[k].room) {
            append(k == HD_JITLOG_ERROR ? d : &nothing, to + *used, l->logs[k].room - *used);
            *used += strlen(to + *used);
        }
        for (unsigned i = 0; i < l->n; i++)
            if (l->options[i] == sizes[k])
                l->values[i] = (void *)(uintptr_t)*used;
    }
    if (d->n && !(l->logs[HD_JITLOG_ERROR].to && l->logs[HD_JITLOG_ERROR].room))
        hd_cuda_say(d);
}
