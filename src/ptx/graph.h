// graph.h - which function may call which.
#ifndef HEDDLE_PTX_GRAPH_H
#define HEDDLE_PTX_GRAPH_H

#include "base/arena.h"
#include "ptx/ast.h"

struct hd_graph_node { // a function of the syntax tree, by its index there
    uint32_t *callees;
    uint32_t n_callees;
    size_t cap;
    bool indirect; // it calls through a register: possibly any function whose address is taken
    bool taken;    // its address is taken
    bool cyclic;   // it, or a function that it may call, is part of a recursion
};

struct hd_graph {
    struct hd_graph_node *nodes;
    uint32_t *order; // all functions; callees before their callers where there is no cycle
    uint32_t n;
};

struct hd_graph *hd_graph_build(struct hd_arena *scratch, const struct hd_ast *ast);

#endif
