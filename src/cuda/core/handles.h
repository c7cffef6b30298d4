// handles.h - numbers that programs hold instead of pointers to our objects.
//
// A handle consists of kind, generation and slot. So a handle that is wrong, of another kind, or of
// an object destroyed long ago is recognised without reading memory, and programs see no addresses.
#ifndef HEDDLE_CUDA_HANDLES_H
#define HEDDLE_CUDA_HANDLES_H

#include "base/arena.h"

enum hd_handle_kind {
    HD_HANDLE_CONTEXT = 1,
    HD_HANDLE_MODULE,
    HD_HANDLE_FUNCTION,
    HD_HANDLE_STREAM,
    HD_HANDLE_EVENT,
    HD_HANDLE_ARRAY,
    HD_HANDLE_LINK,
    HD_HANDLE_GRAPH,
    HD_HANDLE_NODE,
    HD_HANDLE_EXEC,
    HD_HANDLE_USER_OBJECT,
    HD_HANDLE_MEMORY,
    HD_HANDLE_TEXREF,
    HD_HANDLE_SURFREF,
    HD_HANDLE_LIBRARY,
    HD_HANDLE_KERNEL,
    HD_HANDLE_POOL,
    HD_N_HANDLES
};

struct hd_handles;

struct hd_handles *hd_handles_new(struct hd_arena *a);
// A new object of `bytes` zeroed bytes (a fixed number for each kind). *handle receives its handle.
// The memory of dropped objects is reused.
void *hd_handles_add(struct hd_handles *h, enum hd_handle_kind kind, size_t bytes, void **handle);
// The object; NULL if the handle is not a live one of that kind.
void *hd_handles_get(const struct hd_handles *h, enum hd_handle_kind kind, const void *handle);
void hd_handles_drop(struct hd_handles *h, enum hd_handle_kind kind, const void *handle);
// The live objects of a kind, in the order of their slots: start with *at = 0; NULL at the end.
void *hd_handles_next(const struct hd_handles *h, enum hd_handle_kind kind, size_t *at);

#endif
