// graph.h - which function may call which.
#ifndef HEDDLE_PTX_GRAPH_H
#define HEDDLE_PTX_GRAPH_H

#include "base/arena.h"
#include "ptx/ast.h"

struct hd_graph_node { // a function of the syntax tree, by its index there
    uint32_t *callees;
    uint32_t n_callees;
    size_t cap;
    bool indirect; // calls through a register: whatever function has its address taken
    bool taken;    // its address is taken
    bool cyclic;   // it, or one it may call, may be called again before it has returned
};

struct hd_graph {
    struct hd_graph_node *nodes;
    uint32_t *order; // all functions; callees before their callers where there is no cycle
    uint32_t n;
};

struct hd_graph *hd_graph_build(struct hd_arena *scratch, const struct hd_ast *ast);

#endif
