#!/usr/bin/env bash
# heddle explain for instructions: pipe, latency, interval, key and source on a machine, and what is
# called a guess.
. tests/shared/cases.sh

case_is "a product of matrices" 0 "out:latencies on rtx2060" "out:TENSOR" "out:latency.mma.fp32" \
    "out:ptx_opcode_latency_tesnor" "out:a guess: GPGPU-Sim does not have it; as wmma.mma" "out:m16n8k16" \
    -- "$heddle" explain mma --gpu rtx2060
case_is "of one type alone" 0 "out:latency.mma.int" "no:latency.mma.fp64" "no:wmma.mma.sync" -- \
    "$heddle" explain mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --gpu rtx2060
case_is "a machine that has none" 0 "out:a guess: a GTX 480 multiplies no matrices" "out:takes 2^n intervals" -- \
    "$heddle" explain wmma
case_is "an asynchronous copy" 0 "out:l1d.latency" "out:gpgpu_l1_latency" \
    "out:a guess: a cp.async is complete when its last data arrive" -- "$heddle" explain cp.async --gpu qv100
case_is "a bulk copy goes past the L1D" 0 "no:l1d.latency" "out:each line of 128 bytes" -- \
    "$heddle" explain cp.async.bulk.shared.global.mbarrier --gpu qv100
case_is "an mbarrier" 0 "out:sm.shared_latency" "out:sm.try_wait" "out:a guess: PTX leaves the time" -- \
    "$heddle" explain mbarrier --gpu rtx3070
case_is "clusters" 0 "out:not executed: programs with it are refused" "out:cluster of 2 to 16" "out:2501.12084" -- \
    "$heddle" explain clusters
case_is "what no reference has" 0 "out:latency.other.int" "out:a guess: GPGPU-Sim does not have it" -- \
    "$heddle" explain redux
case_is "what it has" 0 "out:latency.other.int" "no:a guess" -- "$heddle" explain vote --gpu qv100
case_is "a type by its name" 0 "out:latency.add.fp32" "no:latency.add.int" -- "$heddle" explain add.rn.f32
case_is "a generic access" 0 "out:l2.rop" "no:sm.shared_latency" -- "$heddle" explain atom.add.u32
case_is "an access to a space" 0 "no:l2.rop" "out:sm.shared_latency" -- "$heddle" explain ld.shared.u32
case_is "a class" 0 "out:rcp" "out:latency.trans.fp32" -- "$heddle" explain trans
case_is "a number of the command line" 0 "out:5         1  latency.add.fp32  --set on the command line" -- \
    "$heddle" explain add.f32 --gpu rtx3070 --set latency.add.fp32=5/1
case_is "memory of fixed latency" 0 "out:flat.latency" "no:l2.rop" -- "$heddle" explain ld.global --gpu debug-flatmem
case_is "a launch by a kernel" 0 "out:launch.per_child" "out:a guess: LASER" "no:launch.latency" -- \
    "$heddle" explain cudaLaunchDevice --gpu rtx2060

# A user's own files: what they say counts, and what they do not say is a guess.
printf 'include = rtx2060\n[latency]  # measured on my desk\nadd.int = 6/2\n# no source\nmul.int = 6/2 # my notes,\nmul.fp32 = 7/2 # page 3\n[l2]\nrop = 90\n' \
    >"$work/mine.ini"
case_is "the comment of a section" 0 "out:mine.ini:3: measured on my desk" -- "$heddle" explain add --gpu "$work/mine.ini"
case_is "comments of neighbours" 0 "out:mine.ini:6: my notes, page 3" "out:rtx2060.ini" -- \
    "$heddle" explain mul --gpu "$work/mine.ini"
case_is "no comment at all" 0 "out:mine.ini:8: a guess: the file names no source" -- \
    "$heddle" explain ld.global --gpu "$work/mine.ini"
printf '[gpu]\nmemory = crossbar\n' >"$work/small.ini"
case_is "a default" 0 "out:default, as gtx480.ini:" -- "$heddle" explain add --gpu "$work/small.ini"
case_is "a configuration of GPGPU-Sim" 0 "out:gpgpusim.config:" "out:-ptx_opcode_latency_int" -- \
    "$heddle" explain add --gpu tests/cli/data/rtx2060/gpgpusim.config

# Every instruction that heddle executes has a row, and every number a source.
every_instruction() {
    local name
    for name in $("$heddle" list instructions | awk 'NR > 1 && !$0 { exit } NR > 1 { print $1 }'); do
        "$heddle" explain "$name" | grep -q "^latencies on gtx480" || { echo "$name" && return 1; }
    done
}
ok "every instruction is explained" every_instruction
every_number() {
    local gpu
    for gpu in gtx480 laser elf++ rtx2060 rtx3070 qv100 debug-flatmem; do
        "$heddle" explain latency --gpu "$gpu" --json - | python3 -c '
import json, sys
rows = json.load(sys.stdin)[0]["rows"]
bad = [r for r in rows if not r[6] or r[6].endswith(": ") or "names no source" in r[6]]
print(bad)
sys.exit(1 if bad or len(rows) < 50 else 0)' || return 1
    done
}
ok "every number has a source or is a guess" every_number
case_is "all of them after the component" 0 "out:component latency:" "out:measured on GPUs" -- "$heddle" explain latency
case_is "as CSV" 0 "no:latencies on" "out:latencies,shfl" -- "$heddle" explain shfl --csv -
case_is "the source of a key" 0 "out:default 100, range" "out:on rtx2060: 96 (rtx2060.ini:" "out:dram_latency)" -- \
    "$heddle" explain dram.latency --gpu rtx2060
case_is "of one that is a guess" 0 "out:a guess: a GTX 480" -- "$heddle" explain latency.mma.int
case_is "of one that the command line sets" 0 "out:on gtx480: 3 (--set on the command line)" -- \
    "$heddle" explain dram.queue --set dram.queue=3
case_is "options of another subject" 2 "err:--gpu, --set, --json and --csv are for instructions, and 'gto' is none" -- \
    "$heddle" explain gto --gpu rtx2060
case_is "a machine that there is not" 2 "err:there is no GPU 'rtx2061'" -- "$heddle" explain shfl --gpu rtx2061
case_is "an instruction that there is not" 2 "err:did you mean 'shfl" -- "$heddle" explain shlf.up
finish
