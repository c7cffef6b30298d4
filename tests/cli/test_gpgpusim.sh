#!/usr/bin/env bash
# Configurations of GPGPU-Sim 3: the machine that they become, what is refused, and wrong input.
. tests/shared/cases.sh

fermi=$data/gtx480/gpgpusim.config

# variant NAME [SED-SCRIPT]: the GTX 480's configuration in a folder of its own, changed
variant() {
    mkdir -p "$work/$1"
    sed "${2:-}" "$fermi" >"$work/$1/gpgpusim.config"
    cp "$data/gtx480/config_fermi_islip.icnt" "$work/$1/"
}
# refused NAME SED-SCRIPT EXPECTATION...: the changed configuration is refused
refused() {
    local name=$1 script=$2
    shift 2
    variant "v" "$script"
    case_is "$name" 2 "$@" -- "$heddle" gpu convert "$work/v/gpgpusim.config"
}
# keys MACHINE: all its keys, without its name
keys() {
    "$heddle" explain "$1" 2>/dev/null | tail -n +2
}

# The machine of 3.2.2.
keys gtx480 >"$work/keys"
ok "gtx480 has keys" test -s "$work/keys"
keys "$fermi" >"$work/read"
same "the GTX 480 of 3.2.2 has the keys of gtx480" "$work/keys" "$work/read"
case_is "it is converted" 0 "out:sms = 15" "out:# -gpgpu_n_clusters 15" "out:--sched gto" \
    "out:-gpuwattch_xml_file gpuwattch_gtx480.xml: there is no model of power" \
    "err:warning: -power_simulation_enabled has no effect" -- "$heddle" gpu convert "$fermi"
cp "$work/.out" "$work/converted.ini"
keys "$work/converted.ini" >"$work/read"
same "the machine file has them too" "$work/keys" "$work/read"
"$heddle" run vecadd --no-host --json "$work/own.json" >/dev/null
case_is "it runs" 0 "out:vecadd on gtx480, scheduler gto" "err:warning: -power_sim" -- \
    "$heddle" run vecadd --no-host --json "$work/read.json" --gpu "$fermi"
same "its results are those of gtx480, byte by byte" "$work/own.json" "$work/read.json"
case_is "--set changes it" 0 "out:vecadd on gtx480" -- \
    "$heddle" run vecadd --gpu "$fermi" --set sm.sms=4
variant crlf 's/$/\r/'
keys "$work/crlf/gpgpusim.config" >"$work/read"
same "lines may end with CR LF" "$work/keys" "$work/read"
cp "$fermi" "$work/my.config"
cp "$data/gtx480/config_fermi_islip.icnt" "$work/"
case_is "a name of its own, in this folder" 0 "out:machine my.config" "out:sm.sms" -- \
    env -C "$work" "$(realpath "$heddle")" explain my.config
case_is "a results file cannot replace the network's file" 2 "err:config_fermi_islip.icnt" -- \
    "$heddle" run vecadd --gpu "$work/my.config" --json "$work/config_fermi_islip.icnt"
printf -- '-config my.config\n-gpgpu_n_clusters 7\n' >"$work/outer.config"
case_is "-config names another file" 0 "out:sms = 7" "err:-gpgpu_n_clusters is given again" -- \
    "$heddle" gpu convert "$work/outer.config"

# Its scheduler.
variant lrr 's/^-gpgpu_scheduler.*/-gpgpu_scheduler lrr/'
case_is "the scheduler of the file" 0 "out:vecadd on lrr, scheduler lrr" -- \
    "$heddle" run vecadd --gpu "$work/lrr/gpgpusim.config"
case_is "--sched wins" 0 "out:scheduler gto" -- \
    "$heddle" run vecadd --gpu "$work/lrr/gpgpusim.config" --sched gto
variant two 's/^-gpgpu_scheduler.*/-gpgpu_scheduler two_level_active:6:0:1/'
case_is "a scheduler with numbers" 0 "out:--sched two_level_active:6:0:1" -- \
    "$heddle" gpu convert "$work/two/gpgpusim.config"
refused "an unknown scheduler" 's/^-gpgpu_scheduler.*/-gpgpu_scheduler rrr/' \
    "err:-gpgpu_scheduler rrr: heddle knows no such scheduler"

# Other machines of version 3.
variant l1 's/^-gpgpu_cache:dl1 .*/-gpgpu_cache:dl1 64:128:6,L:L:m:N:H,A:32:8,8/; s/^-gpgpu_shmem_size .*/-gpgpu_shmem_size 16384/'
case_is "48 KB of L1D, hashed, as in versions of 2014" 0 "out:ways = 6" "out:hashed = 1" "out:path_order = 1" \
    "err:warning: the caches' strings are those of July 2014" "err:l1i.refill=1" -- \
    "$heddle" gpu convert "$work/l1/gpgpusim.config"
variant none 's/^-gpgpu_cache:dl1 .*/-gpgpu_cache:dl1 none/; s/^-rop_latency/-gpgpu_l2_rop_latency/'
case_is "no L1D" 0 "out:enabled = 0" "out:rop = 120" -- "$heddle" gpu convert "$work/none/gpgpusim.config"

# What heddle does not model is reported at once.
refused "values that are not modelled" 's/^-gpgpu_n_cores_per_cluster.*/-gpgpu_n_cores_per_cluster 3/; s/^-gpgpu_dram_scheduler.*/-gpgpu_dram_scheduler 0/; s/^-gpgpu_shmem_warp_parts.*//' \
    "err:gpgpusim.config:8: error: -gpgpu_n_cores_per_cluster 3: heddle models only 1" \
    "err:-gpgpu_dram_scheduler 0: heddle models only 1; FR-FCFS" \
    "err:the file does not give -gpgpu_shmem_warp_parts, and its default is '2'"
refused "a clock that is no whole number" 's/700.0:700.0:700.0/700.5:700.5:700.5/' "err:'700.5' is no whole number of MHz" "err:multiply all four by 2"
variant half 's/924.0/924.5/'
case_is "half a MHz of the DRAM" 0 "out:dram = 924 " "out:dram_khz = 500" -- "$heddle" gpu convert "$work/half/gpgpusim.config"
variant fast 's/700.0:700.0:700.0/700.0:1400.0:700.0/'
case_is "a network of twice the clock, as in 3.2.1" 0 "out:core = 700 " "out:net = 1400 " -- "$heddle" gpu convert "$work/fast/gpgpusim.config"
refused "a clock of the network" 's/700.0:700.0:700.0/700.0:1000.0:700.0/' "err:the network has it or a multiple" "err:give all three 700"
refused "a clock of the L2" 's/700.0:700.0:700.0/700.0:700.0:1400.0/' "err:core and L2 have one clock" "err:give all three 700"
refused "another cache" 's/^-gpgpu_cache:il1 .*/-gpgpu_cache:il1 4:128:4,F:R:f:N,A:2:32,4/' \
    "err:replacement F (first in, first out) is not heddle's l1i" "err:--set l1i.replace=fifo"
refused "a cache without numbers" 's/^-gpgpu_cache:dl2 .*/-gpgpu_cache:dl2 64:128,L:B:m:W,A:32:4,4/' "err:expected sets:line:ways"
refused "queues without limit" 's/^-gpgpu_frfcfs.*//' "err:does not give -gpgpu_frfcfs_dram_sched_queue_size" "err:a queue without limit is not modelled"
refused "a mapping with letters for the channel" 's/^-gpgpu_mem_addr_mapping.*/-gpgpu_mem_addr_mapping RRRR/' "err:letters D for the channel"
refused "a mapping that is too short" 's/dramid@8;0000/dramid@8;/' "err:expected 64 letters, there are 60"
refused "another number of banks" 's/nbk=16/nbk=8/' "err:nbk is 8, but the mapping of addresses has 4 bank bits"
refused "a timing that does not exist" 's/:RRD=6/:RDD=6/' "err:there is no timing 'RDD'; did you mean 'RRD'?"
refused "a timing is missing" 's/:RRD=6//' "err:RRD is missing"

# Wrong files.
refused "an unknown option" 's/^-gpgpu_n_mem 6/-gpgpu_n_mems 6/' \
    "err:gpgpusim.config:9: error: GPGPU-Sim has no option '-gpgpu_n_mems'; did you mean '-gpgpu_n_mem'?"
refused "a value is missing" 's/^-gpgpu_n_mem 6/-gpgpu_n_mem/' \
    "err:gpgpusim.config:9: error: '-gpgpu_n_mem' has no value; the next word is the option -gpgpu_n_sub_partition"
refused "a word too many" 's/^-gpgpu_n_mem 6/-gpgpu_n_mem 6 7/' "err:9: error: '7' stands where an option is expected"
refused "a number that is too large" 's/^-gpgpu_n_mem 6/-gpgpu_n_mem 99999999999999999999999/' "err:is not a valid value of -gpgpu_n_mem; a number"
refused "a number out of a key's range" 's/^-gpgpu_num_sched_per_core.*/-gpgpu_num_sched_per_core 9/' \
    "err:error: -gpgpu_num_sched_per_core 9: section [sm]: '9' is not a valid value of schedulers"
refused "digits that are not octal" 's/^-gpgpu_n_mem 6/-gpgpu_n_mem 08/' "err:one that begins with 0 is octal"
refused "a flag that is neither 0 nor 1" 's/^-visualizer_enabled.*/-visualizer_enabled 2/' "err:'2' is not a valid value of -visualizer_enabled; 0 or 1"
refused "an open quote" 's/RTPL=2"/RTPL=2/' "err:the closing quote"
variant twice 's/^-gpgpu_n_mem 6/-gpgpu_n_mem 5\n-gpgpu_n_mem 6/'
case_is "an option given twice" 0 "out:channels = 6" \
    "err:gpgpusim.config:10: warning: -gpgpu_n_mem is given again, and this value counts; the other one is '5' in" -- \
    "$heddle" gpu convert "$work/twice/gpgpusim.config"
variant flag 's/^-visualizer_enabled.*/-visualizer_enabled/'
case_is "a flag without a value" 0 "out:-visualizer_enabled 1" -- "$heddle" gpu convert "$work/flag/gpgpusim.config"
printf -- '-config loop.config\n' >"$work/loop.config"
case_is "files that name themselves" 2 "err:files name each other deeper than 8" -- "$heddle" gpu convert "$work/loop.config"
case_is "a file that is missing" 2 "err:cannot read the machine" -- "$heddle" gpu convert "$work/missing.config"

# The network's file.
# network NAME SED-SCRIPT EXPECTATION...
network() {
    local name=$1 script=$2
    shift 2
    variant n
    sed "$script" "$data/gtx480/config_fermi_islip.icnt" >"$work/n/config_fermi_islip.icnt"
    case_is "$name" 2 "$@" -- "$heddle" gpu convert "$work/n/gpgpusim.config"
}
network "another topology" 's/fly/mesh/' "err:config_fermi_islip.icnt:5: error: topology = mesh: heddle models only fly"
network "a parameter that is not given" '/^num_vcs/d' "err:num_vcs = 16 (default): heddle models only 1"
network "too few ports" 's/k = 27/k = 20/' "err:k = 20 ports are fewer than the 15 SMs and 12 sub-partitions; k = 27;"
network "an unknown parameter" 's/^vc_buf_size/vc_buff_size/' "err:'vc_buff_size' is no parameter" "err:did you mean 'vc_buf_size'?"
network "a line without its end" 's/k = 27;/k = 27/' "err:icnt:6: error: the line of 'k' has no ';'"
variant n
rm "$work/n/config_fermi_islip.icnt"
case_is "it is missing" 2 "err:-inter_config_file config_fermi_islip.icnt:" "err:beside the file that names it" -- \
    "$heddle" gpu convert "$work/n/gpgpusim.config"
variant n
sed -i 's/^flit_size.*/flit_size = 16;\ninput_buffer_size = 20; ejection_buffer_size = 5;/' "$work/n/config_fermi_islip.icnt"
case_is "sizes of its buffers" 0 "out:flit = 16" "out:source = 20" "out:eject = 5" "out:router = 8" -- \
    "$heddle" gpu convert "$work/n/gpgpusim.config"

# Help.
case_is "an option is explained" 0 "out:option -gpgpu_n_mem of GPGPU-Sim" "out:dram.channels" -- "$heddle" explain -gpgpu_n_mem
case_is "an older spelling, without its dash" 0 "out:option -gpgpu_l2_rop_latency" -- "$heddle" explain rop_latency
case_is "an option that is missing" 0 "out:not modelled" "out:version 4" -- "$heddle" explain -dram_bnk_indexing_policy
case_is "an option of version 4" 0 "out:follow the keys l1d.latency" "out:(no such option), in version 4: 1" -- "$heddle" explain -gpgpu_l1_latency
case_is "an unknown option is explained" 2 "err:did you mean '-gpgpu_n_mem'?" -- "$heddle" explain -gpgpu_n_mm
case_is "all options" 0 "out:-gpgpu_cache:dl1" "out:-accelwattch_xml_file" -- "$heddle" list gpgpusim
case_is "gpu without a command" 2 "err:gpu convert takes one file" -- "$heddle" gpu
case_is "gpu with another command" 2 "err:did you mean 'convert'?" -- "$heddle" gpu convrt "$fermi"
finish
