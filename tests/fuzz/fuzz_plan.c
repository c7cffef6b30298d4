// fuzz_plan.c - any bytes as the plan of a policy: pairs in their order, or a diagnostic.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "registry/plan.h"

static bool in_order(const struct hd_plan_pair *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int order = i ? hd_plan_order(&p[i - 1].x, &p[i].x) : -1;
        if (order > 0 || (!order && hd_plan_order(&p[i - 1].y, &p[i].y) >= 0) ||
            hd_plan_pair(p, n, &p[i].x, &p[i].y) != &p[i] || p[i].part > p[i].whole)
            return false;
    }
    return true;
}

static bool chained(const struct hd_plan *plan)
{
    for (size_t i = 0; i < plan->n_links; i++) {
        const struct hd_plan_unit *x = hd_plan_chain(plan, &plan->links[i].x);
        const struct hd_plan_unit *y = hd_plan_chain(plan, &plan->links[i].y), *first;
        if (!x || !y || hd_plan_order(x, y) || hd_plan_order(x, &plan->links[i].x) > 0)
            return false;
        first = hd_plan_chain(plan, x);
        if (!first || hd_plan_order(first, x))
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    char *text = hd_arena_get(a, size + 1, 1);
    const struct hd_plan *plan;

    for (size_t i = 0; i < size; i++)
        text[i] = (char)data[i];
    plan = hd_plan_parse(a, "plan", text, size, d);
    if (!plan) {
        HD_BUG_IF(d->n == 0, "refused without a reason");
    } else {
        HD_BUG_IF(!in_order(plan->kernels, plan->n_kernels) ||
                      !in_order(plan->blocks, plan->n_blocks) ||
                      !in_order(plan->links, plan->n_links),
                  "the pairs are not in their order");
        HD_BUG_IF(!chained(plan), "a chain is not named by its first block");
    }
    hd_arena_free(a);
    return 0;
}
