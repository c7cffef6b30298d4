// ptx_text.h - PTX text to program for the tests of the front end.
#ifndef HEDDLE_TESTS_PTX_TEXT_H
#define HEDDLE_TESTS_PTX_TEXT_H

#include "base/arena.h"
#include "base/diag.h"
#include "isa/op.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PTX_HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
// Line 4 begins a kernel; its body begins at line 5.
#define PTX_KERNEL(body) PTX_HEAD ".entry k(.param .u64 p, .param .u32 n) {\n" body "}\n"

static struct hd_arena *arena;
static struct hd_diag diag;

static inline int ptx_setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    memset(&diag, 0, sizeof diag);
    return 0;
}

static inline int ptx_teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

// From an exact copy, so that a byte read too many is seen.
static inline struct hd_program *ptx_load_bytes(const char *text, size_t bytes)
{
    uint8_t *copy = hd_arena_get(arena, bytes, 1);

    memcpy(copy, text, bytes);
    memset(&diag, 0, sizeof diag);
    return hd_ptx_load(arena, "t.ptx", copy, bytes, &diag);
}

static inline const struct hd_program *ptx_load(const char *text)
{
    struct hd_program *p = ptx_load_bytes(text, strlen(text));

    if (!p)
        hd_diag_print(&diag, stderr);
    assert_non_null(p);
    return p;
}

#endif
