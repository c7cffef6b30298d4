// streams.c - streams as objects; what they hold is in queue.c.
#include "cuda/core/process.h"

void hd_streams_init(struct hd_cuda_stream *s, struct hd_cuda_context *c, unsigned flags)
{
    s->context = c;
    s->id = hd_cuda.next_stream++;
    s->flags = flags;
}

// The per-thread default stream, made when it is first used.
static struct hd_cuda_stream *of_thread(struct hd_cuda_context *c)
{
    unsigned me = hd_current_thread();
    struct hd_cuda_stream *s = c->threads;

    while (s && s->thread != me)
        s = s->next;
    if (!s) {
        s = HD_NEW(hd_cuda.arena, hd_cuda_stream);
        hd_streams_init(s, c, 0);
        s->handle = CU_STREAM_PER_THREAD;
        s->thread = me;
        s->next = c->threads;
        c->threads = s;
    }
    return s;
}

struct hd_cuda_stream *hd_streams_get(CUstream handle)
{
    struct hd_cuda_context *c = hd_current_context();
    struct hd_cuda_stream *s;

    if (!handle || handle == CU_STREAM_LEGACY)
        return &c->legacy;
    if (handle == CU_STREAM_PER_THREAD)
        return of_thread(c);
    s = hd_handles_get(hd_cuda.handles, HD_HANDLE_STREAM, handle);
    return s && !s->destroyed ? s : NULL;
}
