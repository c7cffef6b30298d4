#!/usr/bin/env bash
# Configurations of GPGPU-Sim 4: the machines that they become, what warnings say, what is refused.
. tests/shared/cases.sh

turing=$data/rtx2060/gpgpusim.config

# variant NAME SED-SCRIPT: the RTX 2060's configuration in a folder of its own, changed
variant() {
    mkdir -p "$work/$1"
    sed "$2" "$turing" >"$work/$1/gpgpusim.config"
}
# becomes NAME SED-SCRIPT EXPECTATION...: the changed configuration is a machine
becomes() {
    local name=$1 script=$2
    shift 2
    variant v "$script"
    case_is "$name" 0 "$@" -- "$heddle" gpu convert "$work/v/gpgpusim.config"
}
# refused NAME SED-SCRIPT EXPECTATION...: it is refused
refused() {
    local name=$1 script=$2
    shift 2
    variant v "$script"
    case_is "$name" 2 "$@" -- "$heddle" gpu convert "$work/v/gpgpusim.config"
}
# keys MACHINE: all its keys, without its name. Sizes of caches that always hit are left out: the
# files of the reference give them, and heddle's machines do not, because they have no effect.
keys() {
    "$heddle" explain "$1" 2>/dev/null | tail -n +2 |
        grep -Ev '^ +l1[ic]\.(sets|ways|line|mshrs|merges|miss_queue) '
}

# The RTX 2060.
keys rtx2060 >"$work/keys"
ok "rtx2060 has keys" test -s "$work/keys"
keys "$turing" >"$work/read"
same "the RTX 2060 of 4.2 has the keys of rtx2060" "$work/keys" "$work/read"
case_is "it is converted, and warnings say what surprises" 0 "out:(version 4)" "out:--sched lrr" \
    "out:collectors_any = 2        # -gpgpu_operand_collector_num_units_gen 8, of 4 sub-cores" \
    "out:ways = 192                # -gpgpu_unified_l1d_size 96, -gpgpu_adaptive_cache_config 1" \
    "out:kernels = 32              # -gpgpu_max_concurrent_kernel 128; heddle runs at most 32" \
    "out:# -gpgpu_occupancy_sm_number 75: an argument for ptxas" \
    "out:# -icnt_arbiter_algo 1: as heddle models it" \
    "err:warning: -ptx_opcode_latency_int 4,4,4,4,21: the sixth number, shfl's, is missing" \
    "err:heddle takes 21 cycles, one in 4" \
    "err:warning: -gpgpu_kernel_launch_latency 5000: 5000 cycles of each kernel pass before its first block" \
    "err:--set launch.latency=0" \
    "err:warning: -gpgpu_perf_sim_memcpy 1: what the host copies to memory is in the L2" \
    "err:--set l2.copies=0" -- "$heddle" gpu convert "$turing"
cp "$work/.out" "$work/converted.ini"
"$heddle" explain "$work/converted.ini" | tail -n +2 >"$work/again"
"$heddle" explain "$turing" 2>/dev/null | tail -n +2 >"$work/read"
same "the machine file is the same machine" "$work/read" "$work/again"
sed -n 's/^\(-[^ ]*\).*/\1/p' "$turing" | while read -r option; do
    grep -q -- "# .*$option " "$work/converted.ini" || echo "$option"
done >"$work/missing"
: >"$work/none"
same "it names each option of the configuration" "$work/none" "$work/missing"
"$heddle" run vecadd --no-host --gpu rtx2060 --sched lrr >"$work/own"
case_is "it runs with its scheduler" 0 "out:vecadd on rtx2060, scheduler lrr" -- \
    "$heddle" run vecadd --no-host --gpu "$turing"
same "in the cycles of rtx2060" "$work/own" "$work/.out"

# Other machines of 4.2: what differs in their files.
volta='s/^\(-gpgpu_n_clusters\).*/\1 80/; s/^\(-gpgpu_n_mem\) .*/\1 32/; s/^\(-gpgpu_clock_domains\).*/\1 1132.0:1132.0:1132.0:850.0/
s/1024:32/2048:32/; s/^\(-gpgpu_shader_cta\).*/\1 32/; s/^\(-gpgpu_num_reg_banks\).*/\1 16/
s/^\(-ptx_opcode_latency_int\).*/\1 4,13,4,5,145,21/; s/^\(-ptx_opcode_initiation_int\).*/\1 2,2,2,2,8,4/
s/^\(-ptx_opcode_latency_fp\).*/\1 4,13,4,5,39/; s/^\(-ptx_opcode_latency_dp\).*/\1 8,19,8,8,330/
s/^\(-ptx_opcode_initiation_dp\).*/\1 4,4,4,4,130/; s/^\(-ptx_opcode_latency_sfu\).*/\1 100/
s/^\(-gpgpu_shmem_size[a-zA-Z]*\) .*/\1 98304/; s/^\(-gpgpu_smem_latency\).*/\1 20/; s/^\(-gpgpu_coalesce_arch\).*/\1 70/
s/A:256:32/A:512:8/; s/^\(-gpgpu_shmem_option\).*/\1 0,8,16,32,64,96/; s/^\(-gpgpu_unified_l1d_size\).*/\1 128/; s/^\(-gpgpu_l1_latency\).*/\1 20/
s/S:64:128:16,L:B/S:32:128:24,L:B/; s/^\(-gpgpu_l2_rop_latency\).*/\1 160/; s/^\(-gpgpu_memory_partition_indexing\).*/\1 2/
s/RBBBCCCC.BCCSSSSS/RBBBCCCB.CCCSSSSS/; s/^\(-dram_latency\).*/\1 100/; s/^\(-gpgpu_dram_buswidth\).*/\1 16/; s/^\(-gpgpu_dram_burst_length\).*/\1 2/
s/^\(-dram_data_command_freq_ratio\).*/\1 2  # HBM is DDR/; s/^\(-dram_dual_bus_interface\).*/\1 1/
s/^\(-gpgpu_dram_timing_opt\).*/\1 "nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:\n    CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3"/'
ampere='s/^\(-gpgpu_n_clusters\).*/\1 46/; s/^\(-gpgpu_n_mem\) .*/\1 16/; s/1365/1132/g; s/1024:32/1536:32/; s/^\(-gpgpu_shader_cta\).*/\1 32/
s/^\(-ptx_opcode_initiation_fp\).*/\1 1,1,1,1,2/; s/^\(-gpgpu_shmem_size[a-zA-Z]*\) .*/\1 102400/; s/^\(-gpgpu_smem_latency\).*/\1 29/
s/^\(-gpgpu_coalesce_arch\).*/\1 86/; s/S:4:128:64/S:4:128:256/; s/A:256:32/A:384:48/; s/^\(-gpgpu_shmem_option\).*/\1 0,8,16,32,64,100/
s/^\(-gpgpu_unified_l1d_size\).*/\1 128/; s/^\(-gpgpu_l1_latency\).*/\1 39/; s/^\(-gpgpu_l2_rop_latency\).*/\1 187/
s/^\(-gpgpu_memory_partition_indexing\).*/\1 2/; s/^\(-dram_latency\).*/\1 254/'
# another NAME SED-SCRIPT: the file is the machine, or its partitions are refused
another() {
    variant "$1" "$2"
    if "$heddle" explain "$1" >/dev/null 2>&1; then
        keys "$1" >"$work/keys"
        keys "$work/$1/gpgpusim.config" >"$work/read"
        same "the file of 4.2 has the keys of $1" "$work/keys" "$work/read"
    elif ! "$heddle" explain dram.indexing >/dev/null 2>&1; then
        case_is "the partitions of $1" 2 "err:does not model partitions that such a hash chooses: -gpgpu_memory_partition_indexing 2 (line" -- \
            "$heddle" gpu convert "$work/$1/gpgpusim.config"
    fi
}
another qv100 "$volta"
another rtx3070 "$ampere"

# The GTX 480 of 4.2: an L2 with sectors for accesses of 128 bytes, a network of intersim2.
fermi=$data/gtx480-v4/gpgpusim.config
"$heddle" explain gtx480-v4 | tail -n +2 >"$work/keys"
"$heddle" explain "$fermi" 2>/dev/null | tail -n +2 >"$work/read"
same "the GTX 480 of 4.2 has the keys of gtx480-v4" "$work/keys" "$work/read"
case_is "it is converted" 0 "out:segment_uncached = 32     # -gpgpu_coalesce_arch 20" "out:internal_speedup = 2      # internal_speedup 2.0" \
    "out:flit = 40                 # flit_size 40" "out:stores_pass = 1" "out:victims_astray = 1" "out:halves_astray = 1" \
    "out:--sched gto" -- "$heddle" gpu convert "$fermi"
"$heddle" run vecadd --no-host --gpu gtx480-v4 --sched gto | sed 1d >"$work/own"
"$heddle" run vecadd --no-host --gpu "$fermi" 2>/dev/null | sed 1d >"$work/read"
same "it runs in the cycles of gtx480-v4" "$work/own" "$work/read"
mkdir -p "$work/faster"
cp "$fermi" "$work/faster"
sed 's/internal_speedup = 2.0/internal_speedup = 1.5/' "$data/gtx480-v4/config_fermi_islip.icnt" >"$work/faster/config_fermi_islip.icnt"
case_is "another speed-up of the router" 2 "err:internal_speedup = 1.5: heddle models only 1.0" -- \
    "$heddle" gpu convert "$work/faster/gpgpusim.config"
becomes "a bus for row commands and one for column commands" 's/^\(-dram_dual_bus_interface\).*/\1 1/' \
    "out:commands = dual           # -dram_dual_bus_interface 1"
refused "another hash of partitions" 's/^\(-gpgpu_memory_partition_indexing\).*/\1 4/' \
    "err:does not model partitions that such a hash chooses: -gpgpu_memory_partition_indexing 4 (line 86)"

# Pipes and operand collectors.
becomes "without pipes for doubles, integers and matrices" \
    's/^\(-gpgpu_pipeline_widths\).*/\1 4,0,0,4,4,4,0,0,4,4,8/; s/^\(-gpgpu_num_int_units\).*/\1 0/; s/^\(-gpgpu_num_dp_units\).*/\1 0/; s/^\(-gpgpu_tensor_core_avail\).*/\1 0/' \
    "out:dp_units = 0" "out:int_units = 0" "out:tensor_units = 0" "out:result_buses = 2" \
    "out:add.int = sp" "out:add.fp64 = sfu" "out:other.fp32 = sp" "out:mma.fp16 = sp"
becomes "an SM without sub-cores, collectors of each pipe" \
    's/^\(-gpgpu_pipeline_widths\).*/\1 4,1,2,1,1,4,1,2,1,1,8,1,1/; s/^\(-gpgpu_sub_core_model\).*/\1 0/; s/^\(-gpgpu_num_[a-z_]*_units\).*/\1 1/
s/^-gpgpu_enable_specialized.*/-gpgpu_operand_collector_num_units_dp 1\n-gpgpu_operand_collector_num_in_ports_dp 1\n-gpgpu_operand_collector_num_out_ports_dp 1/
s/^-gpgpu_operand_collector.*gen.*/-gpgpu_operand_collector_num_units_int 1\n-gpgpu_operand_collector_num_in_ports_int 1\n-gpgpu_operand_collector_num_out_ports_int 1/' \
    "out:subcores = 1" "out:result_buses = 8" "out:collectors_tensor = 4" "out:collectors_dp = 1" "out:id_oc_sp = 4" "out:reg_banks = 8"
refused "a width that is not that of the schedulers" 's/^\(-gpgpu_pipeline_widths\).*/\1 4,4,4,2,4,4,4,4,4,4,8,4,4/' \
    "err:must be that of -gpgpu_num_sched_per_core, 4; it is 2 and 4 for sfu"
refused "too few widths" 's/^\(-gpgpu_pipeline_widths\).*/\1 4,4,4,4,4,4,4,4,4,4,8/' "err:expected 13 numbers; ID_OC for SP, DP, INT"
refused "units that cannot be divided" 's/^\(-gpgpu_num_sp_units\).*/\1 6/' \
    "err:-gpgpu_num_sp_units 6: 6 cannot be divided among 4 sub-cores"
refused "collectors of each pipe in sub-cores, beside common ones" 's/^\(-gpgpu_enable_specialized_operand_collector\).*/\1 1/' \
    "err:does not model such operand collectors: -gpgpu_enable_specialized_operand_collector 1 (line 29: in sub-cores), -gpgpu_operand_collector_num_units_gen 8 (line 30: beside"
refused "fewer ports than collectors" 's/^\(-gpgpu_operand_collector_num_in_ports_gen\).*/\1 4/' \
    "err:-gpgpu_operand_collector_num_in_ports_gen 4 (line 31: as many as units are modelled)"

becomes "pipes of SASS change nothing" 's/^\(-gpgpu_num_sp_units.*\)/\1\n-specialized_unit_1 1,4,4,4,4,BRA/' "out:# -specialized_unit_1 1,4,4,4,4,BRA: pipes for instructions of SASS"

# Latencies.
variant shfl 's/^\(-ptx_opcode_latency_int\).*/\1 4,4,4,4,21,9/; s/^\(-ptx_opcode_initiation_int\).*/\1 2,2,2,2,2,3/'
case_is "six numbers of integers" 0 "out:shfl.int = 9/3" "no:shfl's" -- "$heddle" gpu convert "$work/shfl/gpgpusim.config"
becomes "an interval of shfl is missing" 's/^\(-ptx_opcode_latency_int\).*/\1 4,4,4,4,21,9/' \
    "out:shfl.int = 9/4" "err:warning: -ptx_opcode_initiation_int 2,2,2,2,2: the sixth number"
refused "six numbers of floats" 's/^\(-ptx_opcode_latency_fp\).*/\1 4,4,4,4,39,9/' "err:expected 5 numbers" "err:for integers of version 4 only"
becomes "launches without latency, copies without an effect" 's/^\(-gpgpu_kernel_launch_latency\).*/\1 0/; s/^\(-gpgpu_perf_sim_memcpy\).*/\1 0/' \
    "out:latency = 0" "out:copies = 0" "no:pass before its first block" "no:is in the L2 when"

# Caches.
refused "a streaming L1D" 's/S:4:128:64,L:T:m:L:L/S:1:128:512,L:L:s:N:L/' \
    "err:does not model such an L1 data cache: -gpgpu_cache:dl1 S:1:128:512,L:L:s:N:L,A:256:32,16:0,32 (line 57: writes L, allocation s (streaming), allocation by writes N)"
becomes "an L1D of its own" 's/^\(-gpgpu_adaptive_cache_config\).*/\1 0/' "out:ways = 64" "no:unified = " \
    "out:# -gpgpu_shmem_option 32,64: KB of shared memory to choose from; no effect"
becomes "an L1D without queues" 's/^\(-gpgpu_l1_latency\).*/\1 0/' "out:latency = 0" "no:banks = 4" \
    "out:# -gpgpu_l1_banks 4: no effect without -gpgpu_l1_latency"
becomes "an L1D of whole lines" 's/S:4:128:64,L:T:m:L:L,A:256:32/N:64:128:4,L:L:m:N:H,A:256:32/; s/^\(-gpgpu_adaptive_cache_config\).*/\1 0/; s/^\(-gpgpu_l1_cache_write_ratio\).*/\1 0/' \
    "out:hashed = 1" "out:sector = 128"
becomes "an L2 of whole lines" 's/S:64:128:16,L:B:m:L:P/N:64:128:16,L:B:m:W:L/; s/^\(-gpgpu_perf_sim_memcpy\).*/\1 0/' "out:sector = 128" "out:copies = 0"
refused "its copies" 's/S:64:128:16,L:B:m:L:P/N:64:128:16,L:B:m:W:L/' "err:such an L2 cache: -gpgpu_perf_sim_memcpy 1 (line 82: without sectors)"
refused "sectors behind long accesses" 's/^\(-gpgpu_coalesce_arch\).*/\1 35/' "err:an L1D with sectors for accesses of 128 bytes: -gpgpu_cache:dl1" "no:-gpgpu_cache:dl2"
refused "a cache without its first letter" 's/N:64:128:16/64:128:16/' "err:-gpgpu_cache:il1 64:128:16,L:R:f:N:L,S:2:48,4: version 4 expects N: or S:" \
    "err:N:sets:line:ways,L:R:f:N:L,A:entries:merges,queue"
refused "a cache that is not given" '/^-gpgpu_cache:dl2 /d' "err:the file does not give -gpgpu_cache:dl2, and its default is '64:128:8,L:B:m:N,A:16:4,4': version 4 expects N: or S:"
refused "sizes of shared memory" 's/^\(-gpgpu_shmem_option\).*/\1 32,62/' "err:62 KB are no multiple of 4 below 128"
refused "memory that both share" 's/^\(-gpgpu_unified_l1d_size\).*/\1 100/' "err:expected KB that are a multiple of the 32768 bytes of -gpgpu_cache:dl1"
refused "a split that follows the kernel" 's/^\(-gpgpu_shmem_sizeDefault\).*/\1 65536\n-gpgpu_shmem_size_PrefL1 32768/' \
    "err:-gpgpu_shmem_size_PrefL1 32768: differs from -gpgpu_shmem_size 65536"
becomes "a split that is always the same" 's/^\(-gpgpu_shmem_sizeDefault\).*/\1 65536\n-gpgpu_shmem_size_PrefL1 65536/' "out:# -gpgpu_shmem_size_PrefL1 65536:"
refused "a capability that no rule of accesses has" 's/^\(-gpgpu_coalesce_arch\).*/\1 39/' "err:expected a number from 13 to 37, or from 40 on"

# The network.
becomes "queues of the crossbar" 's/^\(-icnt_in_buffer_limit\).*/\1 100/; s/^\(-icnt_out_buffer_limit\).*/\1 200/' "out:source = 100" "out:boundary = 200"
refused "another arbiter" 's/^\(-icnt_arbiter_algo\).*/\1 0/' "err:-icnt_arbiter_algo 0: heddle models only 1"
refused "a network that does not exist" 's/^\(-network_mode\).*/\1 3/' "err:-network_mode 3: heddle models only 1 and 2"
variant icnt 's/^-network_mode.*/-network_mode 1\n-inter_config_file config_fermi_islip.icnt/'
sed 's/k = 27/k = 54/' "$data/gtx480/config_fermi_islip.icnt" >"$work/icnt/config_fermi_islip.icnt"
case_is "a network of intersim2" 0 "out:flit = 32 " "out:memory = crossbar" "no:local = 1" \
    "out:# -icnt_flit_size 40" -- "$heddle" gpu convert "$work/icnt/gpgpusim.config"

# All refusals come at once, with their lines.
refused "several refusals" 's/^\(-gpgpu_max_insn_issue_per_warp\).*/\1 2/; s/^\(-gpgpu_n_cores_per_cluster\).*/\1 2/; s/^\(-gpgpu_gmem_skip_L1D\).*/\1 1/; s/^\(-dram_bnk_indexing_policy\).*/\1 1/
s/^\(-gpgpu_n_clusters\).*/\1 300/; s/^\(-gpgpu_l1_latency\).*/\1 100/; s/^-gpgpu_runtime_stat/-gpgpu_runtime_stats/' \
    "err:gpgpusim.config:5: error: -gpgpu_n_cores_per_cluster 2: heddle models only 1" \
    "err:gpgpusim.config:19: error: -gpgpu_max_insn_issue_per_warp 2: heddle models only 1" \
    "err:-gpgpu_gmem_skip_L1D 1: heddle models only 0" \
    "err:does not model such a DRAM: -dram_bnk_indexing_policy 1 (line 99)" \
    "err:GPGPU-Sim has no option '-gpgpu_runtime_stats'; did you mean '-gpgpu_runtime_stat'?"
refused "numbers out of range beside them" 's/^\(-gpgpu_max_insn_issue_per_warp\).*/\1 2/; s/^\(-gpgpu_n_clusters\).*/\1 300/; s/^\(-gpgpu_l1_latency\).*/\1 100/' \
    "err:-gpgpu_max_insn_issue_per_warp 2" "err:gpgpusim.config:62: error: -gpgpu_l1_latency 100: section [l1d]: '100' is not a valid value of latency"
refused "what does not go together beside them" 's/^\(-gpgpu_max_insn_issue_per_warp\).*/\1 2/; s/^\(-gpgpu_n_clusters\).*/\1 300/' \
    "err:-gpgpu_max_insn_issue_per_warp 2" "err:a crossbar has at most"
refused "an option of version 4 in a file of version 3" 's/^\(-gpgpu_pipeline_widths\).*/\1 2,1,1,2,1,1,2/; s/^\(-gpgpu_[a-z_]*cache:[a-z0-9]*\) .*/\1 none/' \
    "err:heddle does not model options of version 4 in a file of version 3: -gpgpu_inst_fetch_throughput 4 (line 16)" \
    "err:-gpgpu_l1_latency 32 (line 62)" "err:its -gpgpu_pipeline_widths has 7 numbers; version 4's has 13"
case_is "a results file cannot replace the configuration" 2 "err:gpgpusim.config" -- \
    "$heddle" run vecadd --gpu "$work/icnt/gpgpusim.config" --json "$work/icnt/gpgpusim.config"
finish
