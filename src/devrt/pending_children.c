// pending_children.c - blocks that wait for what they have launched (cudaDeviceSynchronize in
// kernels, as until CUDA 11), and the number of tasks that each waits for.
//
// The pending children of a block are the tasks that its threads have requested and that are not
// done. A warp that synchronises waits until its block has none. When no warp of a block can
// continue, the machine may park the block (emu/parked_block.h) and let it return on another SM.
#include "base/bug.h"
#include "devrt/devrt_internal.h"

enum state { FREE, HERE, AWAY, ENDED };

struct hd_pending_children {
    uint32_t open; // tasks that have not happened
    uint32_t next; // index, in the list of free ones
    uint32_t sm;   // where the block is
    uint8_t slot, state;
    struct hd_parked_block *parked; // of a block that is away
};

static uint32_t new_one(struct hd_devrt *d)
{
    uint32_t i = d->free_children;

    if (i) {
        d->free_children = d->children[i].next;
        return i;
    }
    if (!d->n_children) // number 0 means none
        HD_PUSH(d->arena, d->children, d->n_children, d->cap_children);
    HD_PUSH(d->arena, d->children, d->n_children, d->cap_children);
    return (uint32_t)d->n_children - 1;
}

static void drop(struct hd_devrt *d, uint32_t i)
{
    d->children[i] = (struct hd_pending_children){.next = d->free_children};
    d->free_children = i;
}

uint32_t hd_children_add(const struct hd_device_call *c)
{
    struct hd_devrt_block *b = &c->own->blocks[c->from.slot];

    if (!b->children) {
        b->children = new_one(c->d);
        c->d->children[b->children] = (struct hd_pending_children){
            .sm = c->from.sm, .slot = (uint8_t)c->from.slot, .state = HERE};
    }
    c->d->children[b->children].open++;
    return b->children;
}

void hd_children_tail(struct hd_devrt *d, struct hd_devrt_task *t)
{
    d->children[t->children].open--;
    t->children = 0;
}

bool hd_children_open(const struct hd_devrt *d, uint32_t children)
{
    return children && d->children[children].open;
}

void hd_children_block_ended(struct hd_devrt *d, uint32_t children)
{
    if (children && d->children[children].open)
        d->children[children].state = ENDED;
    else if (children)
        drop(d, children);
}

void hd_children_block_left(struct hd_devrt *d, struct hd_parked_block *b)
{
    HD_BUG_IF(!b->children, "a block without children waits for them");
    d->children[b->children].state = AWAY;
    d->children[b->children].parked = b;
    *HD_PUSH(d->arena, d->parked, d->n_parked, d->cap_parked) = b;
}

void hd_children_block_returned(struct hd_devrt *d, uint32_t children, unsigned sm, unsigned slot)
{
    d->children[children] = (struct hd_pending_children){
        .open = d->children[children].open, .sm = sm, .slot = (uint8_t)slot, .state = HERE};
}

// --- the machine's side

enum hd_children_news hd_devrt_task_happened(struct hd_devrt *d, uint32_t children, uint32_t *sm,
                                             unsigned *slot, struct hd_parked_block **parked)
{
    struct hd_pending_children *x = &d->children[children];

    if (!children || --x->open)
        return HD_CHILDREN_OPEN;
    if (x->state == ENDED) {
        drop(d, children);
        return HD_CHILDREN_OPEN;
    }
    *sm = x->sm;
    *slot = x->slot;
    *parked = x->parked;
    return x->state == AWAY ? HD_CHILDREN_AWAY : HD_CHILDREN_HERE;
}

const size_t *hd_devrt_n_parked(const struct hd_devrt *d)
{
    return &d->n_parked;
}

struct hd_parked_block *const *hd_devrt_parked(const struct hd_devrt *d)
{
    return d->parked;
}

void hd_devrt_parked_taken(struct hd_devrt *d)
{
    d->n_parked = 0;
}

bool hd_devrt_may_return(const struct hd_devrt *d, const struct hd_parked_block *b)
{
    return !d->children[b->children].open;
}
