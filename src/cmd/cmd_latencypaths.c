// cmd_latencypaths.c - the times of instructions that do more than pass a pipe: accesses to memory,
// asynchronous copies, barriers, launches. And what papers measured on GPUs.
//
// A part without a key is a property of the model. Its source says whether the reference has it too
// (docs/timing-model/07-execution.md), or that it is a guess.
#include "cmd/cmd_latencies.h"

#define GLOBAL                                                                                     \
    "ld.global ld.local st.global st.local atom.global red.global ldu tex tld4 suld sust ld st "   \
    "atom red"
#define CACHED "ld.global ld.local st.global st.local ldu cp.async ld st"
#define COPIES "cp.async cp.async.bulk.shared.global cp.async.bulk.global.shared"
#define REFUSED "not executed: programs with it are refused (docs/ptx.md)"

const struct hd_cmd_latencypath hd_cmd_latencypaths[] = {
    {"ld.shared wmma.load", "no bank conflict", "sm.shared_latency", NULL, "1", NULL,
     HD_CMD_ALWAYS},
    {"ld.shared st.shared atom.shared red.shared wmma.load wmma.store",
     "each further access to a bank", NULL, "1", "1",
     "GPGPU-Sim's source: an instruction takes a cycle for each word of one bank", HD_CMD_ALWAYS},
    {"ldmatrix stmatrix", "an access of 16 bytes a lane", "sm.shared_latency", NULL, "1",
     "a guess: GPGPU-Sim does not have it; as ld.shared", HD_CMD_ALWAYS},
    {"ld.param ld.const", "hit in the L1C", NULL, "0", "1",
     "GPGPU-Sim's source: registers are there in the cycle of the access", HD_CMD_ALWAYS},
    {CACHED, "queue in front of the L1D", "l1d.latency", NULL, "1", NULL, HD_CMD_L1D},
    {GLOBAL " " COPIES, "in front of the L2", "l2.rop", NULL, "1", NULL, HD_CMD_CROSSBAR},
    {GLOBAL " " COPIES, "in front of the DRAM", "dram.latency", NULL, "1", NULL, HD_CMD_CROSSBAR},
    {GLOBAL " " COPIES, "memory", "flat.latency", NULL, "1", NULL, HD_CMD_FLAT},
    {"atom.shared red.shared", "as a load", "sm.shared_latency", NULL, "1",
     "GPGPU-Sim's source: as ld.shared", HD_CMD_ALWAYS},
    {"atom.global red.global atom red", "the operation, at the L2", NULL, "0", "1",
     "GPGPU-Sim's source: an atomic is a read and a write of its line", HD_CMD_ALWAYS},
    {"txq suq", "the answer", NULL, "0", "1", "a guess: as a load that needs no access",
     HD_CMD_ALWAYS},
    {"membar fence", "after the warp's last load", NULL, "0", "1",
     "GPGPU-Sim's source: the warp waits for its registers", HD_CMD_ALWAYS},
    {"bar.sync bar.arrive bar.red barrier", "after the last arrival", NULL, "0", "1",
     "GPGPU-Sim's source: all warps may issue at once", HD_CMD_ALWAYS},
    {"cp.async cp.async.bulk.shared.global", "writing to shared memory", "sm.copy_latency", NULL,
     "1", NULL, HD_CMD_ALWAYS},
    {"cp.async.bulk.shared.global cp.async.bulk.global.shared", "each line of 128 bytes", NULL, "1",
     "1", "a guess: a line leaves in each cycle, past the L1D, and the load/store unit is busy",
     HD_CMD_ALWAYS},
    {"cp.async.bulk.tensor tma tensormap", "", NULL, "-", "-", REFUSED, HD_CMD_ALWAYS},
    {"mbarrier.init mbarrier.inval mbarrier.expect_tx mbarrier.complete_tx mbarrier.arrive "
     "mbarrier.arrive_drop mbarrier.test_wait mbarrier.try_wait cp.async.mbarrier.arrive",
     "as atom.shared", "sm.shared_latency", NULL, "1",
     "a guess: GPGPU-Sim does not have it; as an atomic on shared memory", HD_CMD_ALWAYS},
    {"mbarrier.try_wait", "longest sleep", "sm.try_wait", NULL, "-", NULL, HD_CMD_ALWAYS},
    {"ld.shared::cluster st.shared::cluster atom.shared::cluster mapa dsm cluster clusters",
     "in a cluster of one block", "sm.shared_latency", NULL, "1",
     "a guess: as ld.shared; launches with larger clusters are refused", HD_CMD_ALWAYS},
    {"barrier.cluster cluster clusters", "", NULL, "-", "-", REFUSED, HD_CMD_ALWAYS},
    {"wgmma tcgen05", "", NULL, "-", "-", REFUSED, HD_CMD_ALWAYS},
    {"launch cuLaunchKernel", "of the host, until a block starts", "launch.latency", NULL, "-",
     NULL, HD_CMD_ALWAYS},
    {"launch cuLaunchKernel", "in addition, for each block", "launch.per_block", NULL, "-", NULL,
     HD_CMD_ALWAYS},
    {"cudaLaunchDevice cudaLaunchDeviceV2 launch", "by a kernel", "launch.base", NULL, "-", NULL,
     HD_CMD_ALWAYS},
    {"cudaLaunchDevice cudaLaunchDeviceV2 launch", "for each kernel that a warp launches",
     "launch.per_child", NULL, "-", NULL, HD_CMD_ALWAYS},
    {NULL, NULL, NULL, NULL, NULL, NULL, HD_CMD_ALWAYS},
};

#define ABDELKHALIK "Abdelkhalik and others, HPEC 2022, arXiv 2208.11174, Table IV"
#define BURTCHELL "Burtchell and Burtscher, IISWC 2024, the authors' logs"
#define CREDIT "Li, Huang and Ogras, HPEC 2026, arXiv 2609.01864, Table II"
#define JIA "Jia and others, arXiv 1903.07486, Table 4.2"
#define LUO "Luo and others, IPDPS 2024, arXiv 2402.13499, Table "
#define LUO25 "Luo and others, arXiv 2501.12084, section "
#define SUN "Sun and others, TPDS 2023, arXiv 2206.02874, Table "
#define ZHANG "Zhang and others, IPDPS 2020, arXiv 2004.05371, Table II"

// Each row names the paper's table or section. The numbers were copied from public digests that
// quote these; of the papers' own material only the log for distributed shared memory was read.
// They are shown beside the model's numbers and change none: a measured latency contains issue,
// operands and writeback, which the model has apart.
const struct hd_cmd_latencymeasured hd_cmd_latencymeasured[] = {
    {"mma.sync", "f16, m16n8k16", "A100", "24.6", LUO "VII"},
    {"mma.sync", "f16, m16n8k16", "RTX 4090", "24.6", LUO "VII"},
    {"mma.sync", "f16, m16n8k16", "H800", "24.1", LUO "VII"},
    {"mma.sync", "s8, m16n8k32", "A100", "26.0", LUO "VII"},
    {"mma.sync", "s8, m16n8k32", "RTX 4090", "24.5", LUO "VII"},
    {"mma.sync", "s8, m16n8k32", "H800", "24.0", LUO "VII"},
    {"wgmma", "f16, m64n256k16; 8 bits, m64n256k32", "H800", "128.0", LUO "VIII"},
    {"ldmatrix", "x1, x2, x4", "A100", "23.1, 25.1, 29.3", SUN "9"},
    {"ld.shared", "u32, no conflict", "A100", "23.0", SUN "10"},
    {"ld.shared", "pointers", "A100", "29.0", LUO "IV"},
    {"ld.shared", "pointers", "RTX 4090", "30.1", LUO "IV"},
    {"ld.shared", "pointers", "H800", "29.0", LUO "IV"},
    {"st.shared", "u32", "A100", "19", ABDELKHALIK},
    {"ld.global", "L1, L2, DRAM", "A100", "37.9, 261.5, 466.3", LUO "IV"},
    {"ld.global", "L1, L2, DRAM", "RTX 4090", "43.4, 273.0, 541.5", LUO "IV"},
    {"ld.global", "L1, L2, DRAM", "H800", "40.7, 263.0, 478.8", LUO "IV"},
    {"shfl", "", "A100", "25", BURTCHELL},
    {"shfl", "", "V100", "22", ZHANG},
    {"bar.sync barrier", "1 warp, 32 warps", "A100", "23, 85", BURTCHELL},
    {"bar.sync barrier", "1 warp", "V100", "22", ZHANG},
    {"bar.warp.sync", "", "A100", "5", BURTCHELL},
    {"atom.shared", "without contention", "V100", "6", JIA},
    {"atom.shared", "without contention", "T4", "8", JIA},
    {"atom.global", "without contention", "V100", "36", JIA},
    {"atom.global", "without contention", "T4", "76", JIA},
    {"ld.shared::cluster dsm cluster clusters", "another block, of a cluster of 2", "H800", "181",
     LUO25 "7.1"},
    {"ld.shared::cluster dsm cluster clusters", "another block, of a cluster of 2 to 16", "H800",
     "184 to 213", LUO25 "7.1"},
    {"ld.shared::cluster dsm cluster clusters", "another block, of a cluster of 2", "H100", "191",
     CREDIT},
    {"barrier.cluster cluster clusters", "cluster of 2", "H100", "851", CREDIT},
    {"cp.async.bulk.tensor tma", "beyond an ordinary load", "H800", "about 170", LUO25 "5.1"},
    {NULL, NULL, NULL, NULL, NULL},
};
