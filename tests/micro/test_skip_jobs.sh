#!/usr/bin/env bash
# Every policy on the shipped jobs: stepping each cycle (--no-skip) and sleeping through empty ones
# give the same results, byte for byte. The whole matrix would take long: each policy gets two
# jobs, in turn, so that each job meets most policies.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

alike() { # JOB POLICY OPTION...
    local job=$1 policy=$2 how
    shift 2
    for how in --quiet --no-skip; do
        "$HEDDLE" run "$job" --sched "$policy" "$@" $how --quiet --no-host --out "$work" \
            --json "$work/run$how.json" || return 1
        grep -v '"no_skip"' "$work/run$how.json" >"$work/run$how.txt"
    done
    [ -s "$work/run--quiet.txt" ] && cmp "$work/run--quiet.txt" "$work/run--no-skip.txt"
}

jobs=(workloads/kernels/*/*.job)
mapfile -t policies < <("$HEDDLE" list policies | awk 'NR > 1 && $2 ~ /sched/ { print $1 }')
ok "there are jobs and policies" test "${#jobs[@]}" -ge 3 -a "${#policies[@]}" -ge 3
n=0
for policy in "${policies[@]}"; do
    for _ in 1 2; do
        job=${jobs[n++ % ${#jobs[@]}]}
        ok "$(basename "$job" .job) $policy" alike "$job" "$policy"
    done
done
for job in "${jobs[@]}"; do
    ok "$(basename "$job" .job) lfws:greedy=prev" alike "$job" lfws:greedy=prev
done
ok "fetch by policy" alike workloads/kernels/scan/scan.job elf --fetch elf
ok "memory far away" alike workloads/kernels/matmul/matmul.job two_level_active --set flat.latency=3000
ok "L1 data cache" alike workloads/kernels/transpose/transpose.job ccws --set l1d.enabled=1
# Lines that push each other out before their warps had a turn: every warp gets on nevertheless.
ok "an instruction cache of one line" alike workloads/kernels/jacobi/jacobi.job gto --set l1i.sets=1 --set l1i.ways=1
ok "more instruction lines in flight than the cache holds" alike workloads/kernels/vecadd/vecadd.job lrr \
    --set l1i.sets=2 --set l1i.ways=1 --set l1i.line=32 --set l1i.mshrs=16
# The policy sorts when the last block is placed; its clock starts there, in a sleeping SM too.
ok "the last block meets a sleeping SM" alike workloads/kernels/transpose/transpose.job pro_nf \
    --set sm.registers=8192
# An SM sleeps too while what is in it finds no room: atomics, constants, full pipes and networks.
stuck=tests/accuracy/jobs
ok "atomics in each other's way" alike $stuck/hist_global/hist_global.job lrr
ok "constants that miss" alike $stuck/sbox_const/sbox_const.job gto
ok "a full memory" alike $stuck/copy4/copy4.job two_level_active
ok "a full memory, without data cache" alike $stuck/copy4/copy4.job gto --set l1d.enabled=0
ok "full pipes" alike $stuck/stencil_f64/stencil_f64.job lrr
finish
