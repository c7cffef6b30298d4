// long.h - which operations are long: two parameters of the policies of LFWS's study.
//
// "Long-latency operations mainly refer to the access operations to global memory, local memory or
// texture memory" (LFWS, IEICE 2023, section 2.2). Its Algorithm 2 decides by the space that the
// instruction names (spaces=declared). A generic address names none, but may lead there, too, so
// `any` is the default.
#ifndef HEDDLE_POLICY_LONG_H
#define HEDDLE_POLICY_LONG_H

#include "heddle/policy.h"

enum long_spaces { LONG_ANY, LONG_DECLARED, LONG_MEMORY };
static const char *const long_names[] = {"any", "declared", "memory", NULL};

struct long_params {
    uint32_t spaces; // enum long_spaces
    uint32_t loads;
};

// Warps whose next instruction is a long operation.
static inline uint64_t long_heads(const struct long_params *p, const struct hd_view *v)
{
    static const unsigned spaces[] = {HD_LONG_ANY, HD_LONG_DECLARED | HD_LONG_TEXTURE,
                                      HD_LONG_DECLARED};

    return hd_long(v, spaces[p->spaces]) & (p->loads ? v->head_load : UINT64_MAX);
}

// Rows for a struct `type` with a member `longs` of that kind.
#define LONG_ROWS(type)                                                                            \
    {"spaces",                                                                                     \
     "",                                                                                           \
     "long operations: any that may leave the SM, those that name their space, "                   \
     "or those without textures",                                                                  \
     long_names,                                                                                   \
     "any",                                                                                        \
     0,                                                                                            \
     0,                                                                                            \
     offsetof(struct type, longs.spaces),                                                          \
     HD_FIELD_ENUM},                                                                               \
    {                                                                                              \
        "loads", "", "1: only loads are long operations", NULL, "0", 0, 1,                         \
            offsetof(struct type, longs.loads), HD_FIELD_BOOL                                      \
    }

#define LONG_READINGS                                                                              \
    {"spaces",                                                                                     \
     "\"mem_type <- inst.space_type()\" (LFWS, Algorithm 2, line 10): the space that the "         \
     "instruction names; a generic address names none"},                                           \
    {                                                                                              \
        "loads", "\"access operations to global memory, local memory or texture memory\" (LFWS, "  \
                 "section 2.2): an access may be a store"                                          \
    }

#endif
