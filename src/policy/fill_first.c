// fill_first.c - thread blocks fill one SM before the next gets any.
//
// The opposite of the usual round robin over SMs: blocks with neighbouring indices, which often
// share data, run on one SM, and a small grid leaves SMs idle. It shows how much placement matters.
//
//   A baseline of heddle's.
//
// One block per cycle goes to the first SM with room. Round robin gives one to every SM per cycle.
#include "heddle/policy_gpu.h"

struct fill_first {
    uint64_t placed; // cycle of the last block, plus one
};

static int fill_first_place(struct hd_pstate st, const struct hd_gpu_view *v, int slot,
                            const uint64_t *room)
{
    struct fill_first *fill = st.gpu;

    (void)slot;
    if (fill->placed == v->cycle + 1)
        return HD_NONE;
    for (unsigned i = 0; i < v->n_sms; i += 64)
        if (room[i / 64]) {
            fill->placed = v->cycle + 1;
            return (int)i + hd_first(room[i / 64]);
        }
    return HD_NONE;
}

HD_POLICY(fill_first, .brief = "thread blocks fill one SM before the next gets any",
          .source = "a baseline of heddle's", .gpu_bytes = sizeof(struct fill_first),
          .place = fill_first_place);
