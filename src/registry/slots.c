// slots.c - the slots of the machine, from the table in heddle/policy.h, and which policy fills
// which. See registry.h.
#include "registry/registry.h"

#define X(NAME, key_, option_, function, baseline_, does_, chooses_, help)                         \
    [HD_SLOT_##NAME] = {.key = #key_,                                                              \
                        .option = option_,                                                         \
                        .variable = "HEDDLE_" #NAME,                                               \
                        .baseline = baseline_,                                                     \
                        .does = does_,                                                             \
                        .chooses = chooses_},
const struct hd_slot_info hd_slots[HD_N_SLOTS] = {HD_POLICY_SLOTS(X)};
#undef X

bool hd_registry_decides(const struct hd_policy *p, enum hd_slot slot)
{
#define X(NAME, key, option, function, ...) [HD_SLOT_##NAME] = p->function != NULL,
    const bool has[HD_N_SLOTS] = {HD_POLICY_SLOTS(X)};
#undef X

    return has[slot] || (slot == HD_SLOT_TB && p->feed) ||
           (slot == HD_SLOT_KERNEL_POLICY && (p->admit || p->mark || p->remark));
}

// A policy that limits the blocks of an SM may fill the slot of the warp order, or else that of
// placement.
bool hd_registry_fills(const struct hd_policy *p, enum hd_slot slot)
{
    return hd_registry_decides(p, slot) || (slot == HD_SLOT_TB && p->tb_limit && !p->first);
}

const char *hd_registry_resolved(const struct hd_policy_choice *c, enum hd_slot slot)
{
    return c->policy ? c->resolved : hd_slots[slot].baseline;
}

uint64_t hd_registry_bits(const struct hd_cost *row, uint32_t warps, uint32_t tbs,
                          uint32_t schedulers)
{
    return (uint64_t)row->per_warp * warps + (uint64_t)row->per_tb * tbs +
           (uint64_t)row->per_scheduler * schedulers + row->per_sm;
}
