// field.h - one table row is declaration, parser, help text, range check and printing of a value.
//
// Machine configuration (gpus/*.ini), policy parameters and counters are all described by arrays of
// struct hd_field that end with HD_FIELD_END. A row gives the place of the value in a struct;
// base/fields.c reads, checks, sets defaults and prints through it, so the cycle loop sees only
// plain integers. What no row describes cannot be set: unknown names are errors.
// integers only. A field nothing describes cannot be set: unknown names are errors.
#ifndef HEDDLE_FIELD_H
#define HEDDLE_FIELD_H

#include <stddef.h>
#include <stdint.h>

enum hd_field_type {
    HD_FIELD_U32,  // decimal or 0x..., with an optional K or M (1024-based) suffix
    HD_FIELD_U64,  // the same, 64 bit
    HD_FIELD_BOOL, // uint32_t 0 or 1; also on/off, true/false, yes/no
    HD_FIELD_ENUM, // uint32_t index into `choices`
    HD_FIELD_PAIR, // two uint32_t, "latency/interval" as in 4/1; range applies to both
    HD_FIELD_NAME, // char[HD_FIELD_NAME_MAX], a policy or file name
    HD_FIELD_PLAN, // char[HD_FIELD_PLAN_MAX], a file that `heddle reuse --plan` wrote, or nothing
};

#define HD_FIELD_NAME_MAX 96
#define HD_FIELD_PLAN_MAX 1024

struct hd_field {
    const char *name;           // within its section or policy; NULL ends the table
    const char *unit;           // "cycles", "bytes", ...; "" when it is a plain number
    const char *help;           // one line, what it changes
    const char *const *choices; // HD_FIELD_ENUM only: NULL-terminated
    const char *default_text;   // parsed like user input, so it is checked like user input
    uint64_t min, max;          // inclusive; ignored for names and enums
    uint32_t offset;            // of the value in the struct the table describes
    uint32_t type;              // enum hd_field_type
};

#define HD_FIELD_END                                                                               \
    {                                                                                              \
        NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0                                                   \
    }

// Rows for `type` with member `m`; the name of the option is the name of the member.
#define HD_F_U32(type, m, def, lo, hi, unit, help)                                                 \
    {                                                                                              \
#m, unit, help, NULL, def, lo, hi, offsetof(struct type, m), HD_FIELD_U32                  \
    }
#define HD_F_U64(type, m, def, lo, hi, unit, help)                                                 \
    {                                                                                              \
#m, unit, help, NULL, def, lo, hi, offsetof(struct type, m), HD_FIELD_U64                  \
    }
#define HD_F_BOOL(type, m, def, help)                                                              \
    {                                                                                              \
#m, "", help, NULL, def, 0, 1, offsetof(struct type, m), HD_FIELD_BOOL                     \
    }
#define HD_F_ENUM(type, m, def, choices, help)                                                     \
    {                                                                                              \
#m, "", help, choices, def, 0, 0, offsetof(struct type, m), HD_FIELD_ENUM                  \
    }
#define HD_F_PAIR(type, m, def, lo, hi, unit, help)                                                \
    {                                                                                              \
#m, unit, help, NULL, def, lo, hi, offsetof(struct type, m), HD_FIELD_PAIR                 \
    }
// Only for a policy's parameters: the file's contents become hd_pstate.data.
#define HD_F_PLAN(type, m, help)                                                                   \
    {                                                                                              \
#m, "", help, NULL, "", 0, 0, offsetof(struct type, m), HD_FIELD_PLAN                      \
    }
// A counter: no default, no range; only read.
#define HD_F_COUNT(type, m, unit, help)                                                            \
    {                                                                                              \
#m, unit, help, NULL, NULL, 0, UINT64_MAX, offsetof(struct type, m), HD_FIELD_U64          \
    }

#endif
