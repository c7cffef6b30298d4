#!/usr/bin/env bash
# Every switch of the model does something: cycles differ from those of the default, results don't,
# and the default, written out, is the default (docs/sm.md, "Switches").
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One path loads what both need behind it, the other computes for long: which goes first matters.
cat >"$work/paths.ptx" <<'PTX'
.version 3.2
.target sm_20
.address_size 64
.visible .entry paths(.param .u64 p)
{
    .reg .pred %q; .reg .b64 %rd<4>; .reg .b32 %r<8>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r5, 1;
    mov.u32 %r6, 7;
    setp.ge.u32 %q, %r1, 16;
    @%q bra HIGH;
    div.u32 %r6, %r6, 3;
    div.u32 %r6, %r6, 2;
    div.u32 %r6, %r6, 5;
    bra JOIN;
HIGH:
    ld.global.u32 %r5, [%rd3];
JOIN:
    add.u32 %r4, %r5, %r6;
    st.global.u32 [%rd3], %r4;
    ret;
}
PTX
for i in $(seq 0 31); do # 0 + 7 for the lanes that load zeros, 1 + 0 for the others
    if [ "$i" -ge 16 ]; then printf '\7\0\0\0'; else printf '\1\0\0\0'; fi
done >"$work/paths.out"
printf '%s\n' "ptx paths.ptx" "buf A 128 zero" "launch paths 1 1 1 32 1 1 0 p:A" \
    "check A 128 paths.out exact" >"$work/paths.job"
# 24 KB of dynamic shared memory: two blocks of an SM with it counted, eight without.
printf '%s\n' "ptx paths.ptx" "buf A 128 zero" "launch paths 200 1 1 32 1 1 24576 p:A" >"$work/dynamic.job"

cycles() { # ARGUMENT...
    "$HEDDLE" run "$@" --quiet --no-host --json "$work/run.json" &&
        sed -n '/"totals"/,/}/s/.*"cycles": \([0-9]*\).*/\1/p' "$work/run.json"
}

switch() { # KEY DEFAULT OTHER ARGUMENT...
    local key=$1 default=$2 other=$3 without written switched
    shift 3
    without=$(cycles "$@") && written=$(cycles "$@" --set "$key=$default") &&
        switched=$(cycles "$@" --set "$key=$other") || return 1
    echo "$without cycles, $written with $key=$default, $switched with $key=$other"
    [ -n "$without" ] && [ "$without" = "$written" ] && [ "$without" != "$switched" ]
}
ok "L1D sets by a hash" switch l1d.hashed 0 1 workloads/kernels/jacobi/jacobi.job
ok "order of divergent paths" switch sm.path_order 0 1 "$work/paths.job"
ok "an instruction line goes straight to the fetch register" \
    switch l1i.refill 0 1 workloads/kernels/vecadd/vecadd.job
ok "fma with the latency of mad" switch latency.fma.fp32 1/1 5/1 workloads/kernels/matmul/matmul.job
ok "long marks end when the load returns" \
    switch sm.clear_long 0 1 workloads/kernels/jacobi/jacobi.job --sched two_level_active
ok "dynamic shared memory in occupancy" switch sm.dynamic_shared 1 0 "$work/dynamic.job"
# Which line of a set goes: every cache, every policy (src/hw/replace_*.c).
small() { # KEY ARGUMENT...: with each policy other cycles than with lru, and the same when nothing is skipped
    local key=$1 policy
    shift
    for policy in fifo random srrip; do
        switch "$key" lru $policy "$@" || return 1
    done
    [ "$(cycles "$@" --set "$key=random")" = "$(cycles "$@" --set "$key=random" --no-skip)" ] &&
        [ "$(cycles "$@" --set "$key=random")" != "$(cycles "$@" --set "$key=random" --set gpu.seed=2)" ]
}
ok "replacement in the data cache" small l1d.replace workloads/kernels/matmul/matmul.job
ok "replacement in the instruction cache" small l1i.replace workloads/kernels/scan/scan.job --set l1i.sets=1
ok "replacement in the texture cache" small l1t.replace sobel --size test --set l1t.sets=1 --set l1t.ways=4
ok "replacement in L2" small l2.replace workloads/kernels/jacobi/jacobi.job --set l2.sets=1
# A warp alone in code without a branch waits for every line of it, unless they are fetched ahead.
{
    sed -n '1,/^    mov.u32 %r1/p' "$work/paths.ptx" | sed s/paths/straight/
    for i in $(seq 400); do echo "    xor.b32 %r1, %r1, $((i * 77));"; done
    printf '    st.global.u32 [%%rd1], %%r1;\n    ret;\n}\n'
} >"$work/straight.ptx"
printf '%s\n' "ptx straight.ptx" "buf A 128 zero" "launch straight 1 1 1 1 1 1 0 p:A" >"$work/straight.job"
faster() { # KEY=VALUE...: fewer cycles and misses than without; $without is the cycles without
    local n settings=()
    for n; do settings+=(--set "$n"); done
    n=$(cycles "$work/straight.job" "${settings[@]}") || return 1
    echo "$n cycles, $without without"
    grep -E '"l1i_(misses|prefetch)' "$work/run.json"
    [ "$n" -lt "$without" ]
}
counter() { sed -n "0,/\"$1\": /s/.*\"$1\": \([0-9]*\).*/\1/p" "$work/run.json"; }
without=$(cycles "$work/straight.job") misses=$(counter l1i_misses)
ok "instruction lines are fetched ahead" faster l1i.prefetch=16
ok "each was used but the last" test "$(counter l1i_prefetches)" -eq $(($(counter l1i_prefetches_used) + 1))
ok "one line of all is not fetched ahead" test $(($(counter l1i_prefetches_used) + 1)) -eq "$misses"
ok "behind a miss alone half of the lines are" faster l1i.prefetch=16 l1i.prefetch_missed=1
before=$(counter l1i_prefetches)
ok "tagged, as many as after every fetch" faster l1i.prefetch=16 l1i.prefetch_tagged=1
ok "that is more than behind misses alone" test "$(counter l1i_prefetches)" -gt "$before"
ok "each was used but the last, tagged" test "$(counter l1i_prefetches)" -eq $(($(counter l1i_prefetches_used) + 1))
# 16 instructions take less time than a line, so every second line is asked for while it is under way;
# with slow instructions, none is.
ok "each miss after the first met a line under way" \
    test "$(counter l1i_misses)" -eq $(($(counter l1i_prefetches_late) + 1))
ok "that is half of them" test "$(counter l1i_prefetches_late)" -gt 10
early() {
    sed 's/xor.b32/div.u32/' "$work/straight.ptx" >"$work/slow.ptx" &&
        sed 's/straight.ptx/slow.ptx/' "$work/straight.job" >"$work/slow.job" &&
        cycles "$work/slow.job" --set l1i.prefetch=16 &&
        [ "$(counter l1i_prefetches_used)" -gt 20 ] && [ "$(counter l1i_prefetches_late)" -eq 0 ]
}
ok "with slower instructions the lines come in time" early
contradicts() { ! cycles "$work/straight.job" --set l1i.prefetch_missed=1 --set l1i.prefetch_tagged=1; }
ok "only after misses and tagged exclude each other" contradicts
ok "with one miss in flight there is no room to" eval '! faster l1i.prefetch=1 l1i.prefetch_missed=1'
finish
