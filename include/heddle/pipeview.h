// pipeview.h - where each warp instruction of an SM was in every cycle of a recording, for viewers
// of pipelines.
//
// An instruction begins when its fetch begins, and ends when its registers are written (a store or
// a fence: when the load/store unit has sent it), when its warp turns out to be on another path, or
// with the recording. Its stages follow each other without a gap. A second row of stages says why
// an instruction does not go on.
#ifndef HEDDLE_PIPEVIEW_H
#define HEDDLE_PIPEVIEW_H

#include <stdbool.h>
#include <stdint.h>

// Name in files, and what it means. Names with an X are those of execution: viewers draw
// dependences from the last one of the producer to the first one of the consumer.
#define HD_PIPEVIEW_STAGES(X)                                                                      \
    X(LINE, "Fm", "waits for a line of the instruction cache")                                     \
    X(FETCH, "F", "fetch")                                                                         \
    X(DECODE, "D", "decode")                                                                       \
    X(BUFFER, "B", "in the instruction buffer of its warp")                                        \
    X(ISSUE, "Is", "issued; in front of the operand collector")                                    \
    X(COLLECT, "Oc", "operand collection")                                                         \
    X(DISPATCH, "Ds", "has its operands; in front of its pipe")                                    \
    X(EXECUTE, "X", "execution in an SP or SFU pipe")                                              \
    X(LDST, "Xm", "load/store unit: sends its accesses")                                           \
    X(SHARED, "Xs", "shared memory")                                                               \
    X(REQUEUE, "Xq", "re-execution queue")                                                         \
    X(L1_QUEUE, "X1", "missed in the L1; waits for room in the network")                           \
    X(NETWORK, "Xn", "on the way to memory")                                                       \
    X(L2, "X2", "L2")                                                                              \
    X(DRAM, "Xd", "missed in the L2; DRAM")                                                        \
    X(RETURN, "Xr", "the data are on their way back")                                              \
    X(WRITEBACK, "Wb", "writeback")

// The second row: reasons of waiting.
#define HD_PIPEVIEW_WAITS(X)                                                                       \
    X(PATH, "path", "for its end: the warp has left this path")                                    \
    X(BARRIER, "bar", "at a barrier")                                                              \
    X(FENCE, "fence", "at a memory fence")                                                         \
    X(ATOMIC, "atom", "for an atomic in flight")                                                   \
    X(COPY, "copy", "for asynchronous copies or the phase of an mbarrier")                         \
    X(CHILDREN, "kids", "for kernels that its block launched")                                     \
    X(HELD, "held", "after a launch, for the device's runtime")                                    \
    X(MEMORY, "mem", "for a register that a memory instruction writes")                            \
    X(REGISTER, "reg", "for a register")                                                           \
    X(OTHER, "oth", "for its turn: the scheduler issued another warp")                             \
    X(PIPE, "pipe", "for room in the register in front of its pipe")                               \
    X(POLICY, "pol", "for the policy, which did not choose it")                                    \
    X(REFUSED, "ref", "for a cache or the network, which refused its access")

#define HD_PIPEVIEW_ENUM(NAME, text, help) HD_PIPEVIEW_##NAME,
enum hd_pipeview_stage { HD_PIPEVIEW_STAGES(HD_PIPEVIEW_ENUM) HD_N_PIPEVIEW_STAGES };
#undef HD_PIPEVIEW_ENUM
#define HD_PIPEVIEW_ENUM(NAME, text, help) HD_PIPEVIEW_WAIT_##NAME,
enum hd_pipeview_wait { HD_PIPEVIEW_WAITS(HD_PIPEVIEW_ENUM) HD_N_PIPEVIEW_WAITS };
#undef HD_PIPEVIEW_ENUM

enum hd_pipeview_what {
    HD_PIPEVIEW_ENTERS,    // .which: the stage
    HD_PIPEVIEW_WAITS_FOR, // .which: the reason
    HD_PIPEVIEW_GOES_ON,   // .which: the reason that is over
    HD_PIPEVIEW_NEEDED,    // its issue waited for instruction .other
    HD_PIPEVIEW_RETIRES,
    HD_PIPEVIEW_FLUSHED,
    HD_PIPEVIEW_FAULTED, // its execution faulted
    HD_PIPEVIEW_CUT,     // the recording ended
};

struct hd_pipeview_event {
    uint64_t cycle;
    uint32_t insn, other; // indices into the instructions of the SM
    uint8_t what, which;
};

struct hd_pipeview_insn {
    uint32_t launch, block, pc; // the program is the launch's; pc may be after its end
    uint32_t lanes;             // that executed it; 0 before it was issued
    uint8_t warp, number;       // slot; number in its block
    uint8_t sched;
    bool begun_before; // the recording began when it was in the buffer already
};

struct hd_pipeview_records { // of an SM
    const struct hd_pipeview_insn *insns;
    const struct hd_pipeview_event *events; // for each instruction in the order of time
    uint32_t n_insns;
    uint64_t n_events;
};

#define HD_PIPEVIEW_INSNS 500000u // of all SMs of a recording, which ends when it has more

#endif
