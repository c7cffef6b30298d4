// names.h - a symbol table: the meaning of names in nested blocks.
//
// A scope is a pair of braces. A name is looked up from the current scope outwards. Register ranges
// such as %r<100> are one entry, under their prefix.
#ifndef HEDDLE_PTX_NAMES_H
#define HEDDLE_PTX_NAMES_H

#include "base/arena.h"
#include "ptx/lex.h"

// Names of different kinds do not collide.
enum hd_name_kind {
    HD_NAME_REG,
    HD_NAME_RANGE, // prefix of a declaration like %r<6>; found through hd_names_range
    HD_NAME_VAR,
    HD_NAME_FUNC,
    HD_NAME_LABEL,
    HD_NAME_PROTO, // .callprototype, .calltargets
    HD_NAME_TABLE, // .branchtargets
    HD_N_NAME_KINDS
};

struct hd_name {
    struct hd_slice text;
    uint32_t scope;
    uint8_t kind;
    uint32_t value;        // index of whatever it names; for a range: number of registers
    uint8_t type;          // of a range
    uint64_t first;        // of a range: number of its first register
    uint8_t vec;           // of a range: elements of each register; 0 or 1: scalars
    uint32_t line, column; // of the declaration
};

struct hd_names {
    struct hd_arena *arena;
    struct hd_name *list; // in order of declaration
    uint32_t n;
    size_t cap;
    uint32_t *slots; // hash table: index into list, plus 1
    uint32_t n_slots;
    uint32_t *parents; // of each scope; scope 0, the module, is its own parent
    uint32_t n_scopes;
    size_t scope_cap;
};

void hd_names_init(struct hd_names *t, struct hd_arena *a);
uint32_t hd_names_open(struct hd_names *t, uint32_t parent); // a new scope inside `parent`

// Declare a name. Returns NULL, or the earlier declaration if there is one; then nothing changes.
const struct hd_name *hd_names_add(struct hd_names *t, const struct hd_name *name);
// Look the name up in the scope and outwards. NULL if there is none.
const struct hd_name *hd_names_find(const struct hd_names *t, uint32_t scope,
                                    enum hd_name_kind kind, struct hd_slice text);
// The declaration prefix<n> that a name like %r12 falls under, in `scope` alone; *number is 12.
// A range that is too small counts if `beyond`.
const struct hd_name *hd_names_range(const struct hd_names *t, uint32_t scope, struct hd_slice text,
                                     bool beyond, uint32_t *number);
// The visible name of one of the kinds (bits 1 << kind) that is most similar to `text`, or NULL.
const char *hd_names_nearest(const struct hd_names *t, uint32_t scope, unsigned kinds,
                             struct hd_slice text);

#endif
