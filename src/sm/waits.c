// waits.c - why a warp does not go on. See waits.h.
#include "sm/waits.h"

#include "sm/sm_internal.h"

static bool pipe_free(const struct hd_sm *sm, unsigned w, uint32_t pc)
{
    static const uint8_t pipes[HD_N_UNITS] = {[HD_UNIT_SP] = 1u << HD_PIPE_SP,
                                              [HD_UNIT_SFU] = 1u << HD_PIPE_SFU,
                                              [HD_UNIT_SP_OR_SFU] =
                                                  1u << HD_PIPE_SP | 1u << HD_PIPE_SFU,
                                              [HD_UNIT_LDST] = 1u << HD_PIPE_MEM,
                                              [HD_UNIT_TENSOR] = 1u << HD_PIPE_TENSOR,
                                              [HD_UNIT_DP] = 1u << HD_PIPE_DP,
                                              [HD_UNIT_INT] = 1u << HD_PIPE_INT};

    return pipes[sm->units[pc]] & ~hd_subcore_of(sm, w)->full;
}

enum hd_pipeview_wait hd_waits_apart(const struct hd_sm *sm, unsigned warp)
{
    int w = (int)warp;

    if (hd_has(sm->view.at_barrier, w))
        return HD_PIPEVIEW_WAIT_BARRIER;
    if (hd_has(sm->membar, w))
        return HD_PIPEVIEW_WAIT_FENCE;
    if (hd_has(sm->atomic, w))
        return HD_PIPEVIEW_WAIT_ATOMIC;
    if (hd_has(sm->asleep, w))
        return HD_PIPEVIEW_WAIT_COPY;
    if (hd_has(sm->children, w))
        return HD_PIPEVIEW_WAIT_CHILDREN;
    if (hd_has(sm->held, w))
        return HD_PIPEVIEW_WAIT_HELD;
    return HD_N_PIPEVIEW_WAITS;
}

enum hd_pipeview_wait hd_waits_reason(const struct hd_sm *sm, unsigned warp, uint32_t pc,
                                      bool taken)
{
    enum hd_pipeview_wait apart = hd_waits_apart(sm, warp);
    int w = (int)warp;

    if (apart != HD_N_PIPEVIEW_WAITS)
        return apart;
    if (hd_has(sm->view.wrong_path, w) || pc >= sm->program->n_insns)
        return HD_PIPEVIEW_WAIT_PATH;
    if (hd_has(sm->view.sb_block, w))
        return hd_has(sm->mem_block, w) ? HD_PIPEVIEW_WAIT_MEMORY : HD_PIPEVIEW_WAIT_REGISTER;
    if (taken)
        return HD_PIPEVIEW_WAIT_OTHER;
    return pipe_free(sm, warp, pc) ? HD_PIPEVIEW_WAIT_POLICY : HD_PIPEVIEW_WAIT_PIPE;
}
