// host.c (btree) - look-ups of keys and of ranges of keys in a B+ tree.
#include "workload/work.h"

#include <limits.h>

#define ORDER 256
#define GAP 8 // between neighbouring keys, in the mean

struct node { // as in kernel.cu
    int keys[ORDER + 1];
    int children[ORDER + 1];
};

struct tree {
    struct node *nodes; // the root first, then level by level
    unsigned n_nodes, levels;
    int *keys, *records; // in order of the keys
    unsigned n;
};

struct find { // queries for one key each
    unsigned n;
    int *wanted, *expected;
};
struct ranges { // the ends of all ranges, low ones first; expected: first records, then lengths
    unsigned n;
    int *wanted, *expected;
};

static unsigned nodes_for(unsigned entries, unsigned fill)
{
    return (entries + fill - 1) / fill;
}

static void fill_node(struct node *node, const int *keys, unsigned entries, int child)
{
    for (unsigned i = 0; i <= ORDER; i++) {
        node->keys[i] = i < entries ? keys[i] : INT_MAX;
        node->children[i] = i < entries ? child + (int)i : 0;
    }
}

// A tree whose nodes have `fill` entries each, the last ones of a level excepted.
static void plant(struct hd_work *w, struct tree *tree, unsigned n, unsigned fill)
{
    unsigned width[16], depth = 0, step = fill;

    tree->n = n;
    tree->keys = hd_work_array(w, n, sizeof *tree->keys);
    tree->records = hd_work_array(w, n, sizeof *tree->records);
    for (unsigned i = 0; i < n; i++) {
        tree->keys[i] = (int)(i * GAP + hd_work_random(w) % GAP);
        tree->records[i] = (int)hd_work_random(w);
    }
    for (unsigned entries = n; depth == 0 || entries > 1; depth++)
        tree->n_nodes += entries = width[depth] = nodes_for(entries, fill);
    tree->nodes = hd_work_array(w, tree->n_nodes, sizeof *tree->nodes);
    tree->levels = depth - 1;

    // From the leaves up; a level lies behind the one above it.
    int *lowest = hd_work_array(w, n, sizeof *lowest); // keys of this level's entries
    for (unsigned i = 0; i < n; i++)
        lowest[i] = tree->keys[i];
    unsigned entries = n, base = tree->n_nodes;
    int child = 0;
    for (unsigned level = 0; level < depth; level++) {
        base -= width[level];
        for (unsigned i = 0; i < width[level]; i++) {
            unsigned start = i * step, left = entries - start;
            fill_node(&tree->nodes[base + i], lowest + start, left < step ? left : step,
                      child + (int)start);
            lowest[i] = lowest[start];
            if (level > 0 && i == 0)
                tree->nodes[base].keys[0] = INT_MIN; // for keys below all
        }
        entries = width[level];
        child = (int)base;
    }
}

// Half of the look-ups are for keys that may not be there.
static void ask(struct hd_work *w, const struct tree *tree, struct find *find)
{
    find->wanted = hd_work_array(w, find->n, sizeof *find->wanted);
    find->expected = hd_work_array(w, find->n, sizeof *find->expected);
    for (unsigned q = 0; q < find->n; q++) {
        unsigned i = hd_work_random(w) % tree->n;
        find->wanted[q] = q % 2 ? tree->keys[i] : (int)(i * GAP + hd_work_random(w) % GAP);
        find->expected[q] = find->wanted[q] == tree->keys[i] ? tree->records[i] : -1;
    }
}

static void ask_ranges(struct hd_work *w, const struct tree *tree, struct ranges *ranges)
{
    ranges->wanted = hd_work_array(w, 2 * ranges->n, sizeof *ranges->wanted);
    ranges->expected = hd_work_array(w, 2 * ranges->n, sizeof *ranges->expected);
    for (unsigned q = 0; q < ranges->n; q++) {
        unsigned first = hd_work_random(w) % tree->n;
        unsigned last = first + hd_work_random(w) % (tree->n - first);
        ranges->wanted[q] = tree->keys[first];
        ranges->wanted[ranges->n + q] = tree->keys[last];
        ranges->expected[q] = (int)first;
        ranges->expected[ranges->n + q] = (int)(last - first) + 1;
    }
}

static CUdeviceptr zeroed(struct hd_work *w, unsigned n)
{
    return hd_work_upload(w, hd_work_array(w, n, sizeof(int)), n * sizeof(int));
}

static int *run_find(struct hd_work *w, const struct tree *tree, CUdeviceptr nodes,
                     const struct find *find)
{
    size_t bytes = find->n * sizeof(int);
    int *got = hd_work_array(w, find->n, sizeof *got);

    for (unsigned q = 0; q < find->n; q++)
        got[q] = -1;
    CUdeviceptr at = zeroed(w, 2 * find->n);
    CUdeviceptr wanted = hd_work_upload(w, find->wanted, bytes);
    CUdeviceptr records = hd_work_upload(w, tree->records, tree->n * sizeof *tree->records);
    CUdeviceptr answers = hd_work_upload(w, got, bytes);
    unsigned levels = tree->levels;
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "find"), ((struct hd_work_grid){find->n, 1, ORDER, 1}),
                   &nodes, &levels, &at, &wanted, &records, &answers);
    hd_work_read(w, got, answers, bytes);
    return got;
}

static int *run_ranges(struct hd_work *w, const struct tree *tree, CUdeviceptr nodes,
                       const struct ranges *ranges)
{
    size_t bytes = 2 * ranges->n * sizeof(int);
    int *got = hd_work_array(w, 2 * ranges->n, sizeof *got);

    CUdeviceptr ends = zeroed(w, 4 * ranges->n), answers = zeroed(w, 2 * ranges->n);
    CUdeviceptr wanted = hd_work_upload(w, ranges->wanted, bytes);
    unsigned levels = tree->levels;
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "find_range"),
                   ((struct hd_work_grid){ranges->n, 1, ORDER, 1}), &nodes, &levels, &ends, &wanted,
                   &answers);
    hd_work_read(w, got, answers, bytes);
    return got;
}

static void run(struct hd_work *w)
{
    // Keys, entries of a node, ranges, look-ups. The root is two levels above the leaves.
    static const unsigned sizes[HD_WORK_SIZES][4] = {
        {4096, 16, 60, 100}, {262144, 64, 1500, 2500}, {1000000, 128, 6000, 10000}};
    const unsigned *size = sizes[w->size];
    struct tree tree = {0};
    struct ranges ranges = {.n = size[2]};
    struct find find = {.n = size[3]};

    plant(w, &tree, size[0], size[1]);
    ask_ranges(w, &tree, &ranges);
    ask(w, &tree, &find);
    CUdeviceptr nodes = hd_work_upload(w, tree.nodes, tree.n_nodes * sizeof *tree.nodes);
    int *got_ranges = run_ranges(w, &tree, nodes, &ranges);
    int *got = run_find(w, &tree, nodes, &find);
    hd_work_same(w, "ranges", got_ranges, ranges.expected, 2 * ranges.n);
    hd_work_same(w, "records", got, find.expected, find.n);
}

const struct hd_workload hd_workload_btree = {
    .name = "btree",
    .brief = "look-ups in a B+ tree: a block reads a node, two barriers a level, one lane finds",
    .groups = "pro:b+tree baws:BT elf:BT",
    .sizes = {"4096 keys, 60 ranges, 100 keys", "262144 keys, 1500 ranges, 2500 keys",
              "1000000 keys, 6000 ranges, 10000 keys"},
    .run = run,
};
