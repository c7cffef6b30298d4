// graph.c - the call graph of a module. An indirect call is assumed to reach every function whose
// address is taken anywhere. Prototypes are not compared, so the graph has all real edges and may
// have more.
#include "ptx/graph.h"

static void add_edge(struct hd_arena *a, struct hd_graph_node *from, uint32_t to)
{
    for (uint32_t i = 0; i < from->n_callees; i++)
        if (from->callees[i] == to)
            return;
    *HD_PUSH(a, from->callees, from->n_callees, from->cap) = to;
}

// Marks the functions that an operand names, including the operands inside it.
static void take_addresses(struct hd_graph *g, const struct hd_ast_operand *o)
{
    for (; o; o = o->next) { // nesting is bounded by the parser
        if (o->kind == HD_AST_FUNC)
            g->nodes[o->index].taken = true;
        if (o->child)
            take_addresses(g, o->child);
    }
}

static void find_calls(struct hd_graph *g, struct hd_arena *a, const struct hd_ast *ast, uint32_t f)
{
    const struct hd_ast_func *func = &ast->funcs[f];

    for (uint32_t i = 0; i < func->n_insns; i++) {
        const struct hd_ast_insn *in = &func->insns[i];
        if (!hd_lex_is(in->op, "call")) {
            take_addresses(g, in->operands);
            continue;
        }
        for (const struct hd_ast_operand *o = in->operands; o; o = o->next) {
            if (o->kind == HD_AST_FUNC)
                add_edge(a, &g->nodes[f], o->index);
            else if (o->kind == HD_AST_REG)
                g->nodes[f].indirect = true;
            else if (o->child)
                take_addresses(g, o->child);
        }
    }
}

enum colour { WHITE, GREY, BLACK };

// Depth first, without recursion. Callees come before their caller in the order.
static void visit(struct hd_graph *g, uint32_t *stack, uint32_t *next, uint32_t root,
                  uint8_t *colour, uint32_t *n_order)
{
    uint32_t depth = 0;

    colour[root] = GREY;
    stack[depth++] = root;
    while (depth) {
        uint32_t f = stack[depth - 1];
        struct hd_graph_node *node = &g->nodes[f];
        if (next[f] == node->n_callees) {
            colour[f] = BLACK;
            g->order[(*n_order)++] = f;
            depth--;
            if (depth)
                g->nodes[stack[depth - 1]].cyclic |= node->cyclic;
            continue;
        }
        uint32_t to = node->callees[next[f]++];
        node->cyclic |= colour[to] == GREY || g->nodes[to].cyclic;
        if (colour[to] == WHITE) {
            colour[to] = GREY;
            stack[depth++] = to;
        }
    }
}

struct hd_graph *hd_graph_build(struct hd_arena *scratch, const struct hd_ast *ast)
{
    struct hd_graph *g = HD_NEW(scratch, hd_graph);
    uint8_t *colour = HD_ARRAY(scratch, uint8_t, ast->n_funcs);
    uint32_t *stack = HD_ARRAY(scratch, uint32_t, ast->n_funcs), n_order = 0;
    uint32_t *next = HD_ARRAY(scratch, uint32_t, ast->n_funcs);

    g->n = ast->n_funcs;
    g->nodes = HD_ARRAY(scratch, struct hd_graph_node, g->n);
    g->order = HD_ARRAY(scratch, uint32_t, g->n);
    for (uint32_t f = 0; f < g->n; f++)
        find_calls(g, scratch, ast, f);
    for (uint32_t v = 0; v < ast->n_vars; v++)
        for (uint32_t i = 0; i < ast->vars[v].n_addresses; i++)
            if (ast->vars[v].addresses[i].func != HD_AST_NONE)
                g->nodes[ast->vars[v].addresses[i].func].taken = true;
    for (uint32_t f = 0; f < g->n; f++)
        for (uint32_t to = 0; to < g->n && g->nodes[f].indirect; to++)
            if (g->nodes[to].taken && !ast->funcs[to].is_kernel) // kernels are launched, not called
                add_edge(scratch, &g->nodes[f], to);
    for (uint32_t f = 0; f < g->n; f++)
        if (colour[f] == WHITE)
            visit(g, stack, next, f, colour, &n_order);
    return g;
}
