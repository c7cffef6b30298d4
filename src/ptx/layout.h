// layout.h - addresses and offsets of variables in their state spaces.
#ifndef HEDDLE_PTX_LAYOUT_H
#define HEDDLE_PTX_LAYOUT_H

#include "base/arena.h"
#include "base/diag.h"
#include "heddle/program.h"
#include "ptx/ast.h"
#include "ptx/graph.h"

#define HD_LAYOUT_BASE 0x100 // place of a module's first .const or .global variable

struct hd_layout {
    struct hd_arena *arena, *scratch;
    struct hd_diag *diag;
    struct hd_ast *ast;
    uint32_t module; // for messages
    const struct hd_graph *graph;
    const uint32_t *numbers; // of functions in the program, by index in the syntax tree

    struct hd_symbol *symbols; // .global and .const variables of the module
    uint32_t n_symbols;
    struct hd_reloc *relocs; // of their initial bytes
    uint32_t n_relocs;
    struct hd_layout_reach *reach; // by function
    uint64_t shared_start;         // of the variables that functions mention
};

// Shared memory of a function and of all that it may call.
struct hd_layout_reach {
    uint64_t end;   // of the variables that functions mention
    uint64_t align; // of dynamic shared memory; 0 if none of them mentions it
    bool reserves;  // one of them uses the memory that is reserved for the system
};

// Places of .const and .global variables, initial bytes of all, shared memory of functions.
void hd_layout_module(struct hd_layout *l);

// Offsets of the function's parameters, .local and .shared variables; fills those fields of *out.
// The offset of a shared variable is valid until the next function is laid out.
void hd_layout_func(struct hd_layout *l, uint32_t func, struct hd_func *out);

#endif
