#!/usr/bin/env bash
# The order in which SMs step within a cycle changes no byte of a result: HEDDLE_STEP_ORDER draws it
# anew in every cycle, from a seed. Policies with state of an SM and of the whole machine, workloads
# with atomics, textures and several kernels, memory with and without a network, metrics, traces, and
# what kernels ask of the device: memory, text, kernels of their own.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/asks.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[14] = {98, 108, 111, 99, 107, 32, 37, 100, 58, 32, 37, 100, 10, 0};
.visible .entry asks(.param .u64 out)
{
    .local .align 8 .b8 values[8];
    .reg .b32 %r<8>;
    .reg .b64 %rd<16>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 64, %r2;
    mul.wide.u32 %rd2, %r3, 8;
    add.u64 %rd3, %rd1, %rd2;
    and.b32 %r4, %r3, 3;
    mad.lo.u32 %r4, %r4, 48, 16;
    cvt.u64.u32 %rd4, %r4;
    { .param .b64 n; .param .b64 r; st.param.b64 [n], %rd4; call.uni (r), malloc, (n); ld.param.b64 %rd5, [r]; }
    st.u32 [%rd5], %r3;
    st.global.u64 [%rd3], %rd5;
    ld.u32 %r5, [%rd5];
    setp.ne.u32 %p1, %r2, 5;
    @%p1 bra quiet;
    mov.u64 %rd6, values;
    cvta.local.u64 %rd7, %rd6;
    st.local.u32 [%rd6], %r1;
    st.local.u32 [%rd6+4], %r5;
    mov.u64 %rd8, text;
    cvta.global.u64 %rd9, %rd8;
    { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd9; st.param.b64 [a], %rd7;
      call.uni (r), vprintf, (f, a); ld.param.b32 %r6, [r]; }
quiet:
    and.b32 %r7, %r2, 1;
    setp.ne.u32 %p1, %r7, 0;
    @%p1 bra keeps;
    { .param .b64 p; st.param.b64 [p], %rd5; call.uni free, (p); }
keeps:
    ret;
}
PTX
printf '%s\n' "ptx $work/asks.ptx" "buf out 30720 zero" "launch asks 60 1 1 64 1 1 0 p:out" \
    "dump out 30720 asks.bin" >"$work/asks.job"
printf '%s\n' "ptx $PWD/tests/cuda/children.ptx" "buf ordered 32768 zero" "buf notes 16384 zero" \
    "buf failed 4 zero" "launch in_order 2 1 1 1 1 1 0 p:ordered u:6" \
    "launch flood 4 1 1 10 1 1 0 p:notes p:failed u:1" >"$work/children.job"

run() { # NAME WORKLOAD GPU SCHED [OPTION...]: the results in NAME.json
    local name=$1 workload=$2 gpu=$3 sched=$4
    shift 4
    rm -f "$work/$name.json"
    "$HEDDLE" run "$workload" --out "$work" --gpu "$gpu" --sched "$sched" --no-host --quiet \
        --json "$work/$name.json" "$@" >"$work/$name.txt" 2>&1 || cat "$work/$name.txt"
    [ -s "$work/$name.json" ]
}

# The device's runtime: addresses that malloc returns, text that is printed (some of it without
# room), blocks that are freed, kernels that launch kernels and wait for them.
cat >"$work/runtime.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 p) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.global .align 1 .b8 text[10] = {37, 100, 58, 32, 37, 108, 108, 120, 10, 0};
.visible .entry heap (.param .u64 out)
{
    .local .align 8 .b8 args[16];
    .reg .b64 %rd<9>;
    .reg .b32 %r<9>;
    .param .b64 n; .param .b64 q; .param .b64 f; .param .b64 a; .param .b64 p; .param .b32 r;
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;
    mul.wide.u32 %rd1, %r1, 24; add.u64 %rd1, %rd1, 8;
    st.param.b64 [n], %rd1; call.uni (q), malloc, (n); ld.param.b64 %rd2, [q];
    st.u64 [%rd2], %rd2;
    mov.u64 %rd3, args; cvta.local.u64 %rd4, %rd3;
    st.local.u32 [%rd3], %r3; st.local.u64 [%rd3+8], %rd2;
    mov.u64 %rd5, text; cvta.global.u64 %rd5, %rd5;
    st.param.b64 [f], %rd5; st.param.b64 [a], %rd4; call.uni (r), vprintf, (f, a);
    ld.param.b32 %r4, [r]; cvt.s64.s32 %rd8, %r4; add.u64 %rd2, %rd2, %rd8; sub.u64 %rd8, %rd2, %rd8;
    ld.param.u64 %rd6, [out]; mul.wide.u32 %rd7, %r3, 8; add.u64 %rd6, %rd6, %rd7;
    st.u64 [%rd6], %rd2;
    st.param.b64 [p], %rd8; call.uni free, (p);
    ret;
}
END
cat >"$work/heap.job" <<END
ptx $work/runtime.ptx
buf out 65536 zero
launch heap 60 1 1 64 1 1 0 p:out
dump out 30720 heap.out
END
cat >"$work/children.job" <<END
ptx $PWD/tests/cuda/children.ptx
buf ordered 32768 zero
buf mixed 128 zero
buf seen 128 zero
buf notes 16384 zero
buf failed 4 zero
launch in_order 2 1 1 1 1 1 0 p:ordered u:6
launch give_mixed 1 1 1 32 1 1 0 p:mixed p:seen
launch flood 4 1 1 10 1 1 0 p:notes p:failed u:1
END

run_job() { # NAME JOB GPU SCHED: results, what was printed and what memory holds in NAME.all
    rm -f "$work/$1.json" "$work/heap.out"
    "$HEDDLE" run "$work/$2.job" --gpu "$3" --sched "$4" --no-host --out "$work" --json "$work/$1.json" \
        >"$work/$1.txt" 2>&1 || cat "$work/$1.txt"
    cat "$work/$1.json" "$work/$1.txt" "$work/heap.out" >"$work/$1.all" 2>/dev/null
    [ -s "$work/$1.json" ] && [ "$(wc -l <"$work/$1.txt")" -gt 3 ]
}

job_shuffled() { # SEED JOB GPU SCHED
    HEDDLE_STEP_ORDER=$1 run_job shuffled "${@:2}" || return 1
    sed "s,$work/shuffled,$work/first," "$work/shuffled.all" | cmp "$work/first.all" -
}

while read -r job gpu sched; do
    ok "$job $gpu $sched" run_job first "$job" "$gpu" "$sched"
    for seed in 1 77; do
        ok "$job $gpu $sched: order of steps $seed" job_shuffled $seed "$job" "$gpu" "$sched"
    done
done <<END
heap gtx480 gto
heap debug-flatmem lrr
children gtx480 gto
children gtx480 two_level_active
END

shuffled() { # SEED WORKLOAD GPU SCHED [OPTION...]
    HEDDLE_STEP_ORDER=$1 run shuffled "${@:2}" && cmp "$work/first.json" "$work/shuffled.json" &&
        cmp "$work/first.txt" "$work/shuffled.txt"
}

while read -r workload gpu sched options; do
    [ "${workload%.job}" != "$workload" ] && workload=$work/$workload || options="--size test $options"
    # shellcheck disable=SC2086 # options are words
    ok "$workload $gpu $sched $options" run first "$workload" "$gpu" "$sched" $options
    for seed in 1 77; do
        # shellcheck disable=SC2086
        ok "$workload $gpu $sched $options: order of steps $seed" \
            shuffled $seed "$workload" "$gpu" "$sched" $options
    done
done <<END
bfs gtx480 gto
bfs debug-flatmem lrr
histogram gtx480 two_level_active
histogram debug-flatmem gto
hotspot gtx480 pro
hotspot gtx480 gto --tb fill_first --metrics
matmul_tiled gtx480 ccws
mummer gtx480 owl
sobel gtx480 saws
needle gtx480 lrr --no-skip
reduction gtx480 caws
monte_carlo gtx480 gto
asks.job gtx480 lrr
asks.job debug-flatmem gto
children.job gtx480 gto
children.job debug-flatmem lrr
END
# The values that a kernel leaves.
ok "values in order" run first "$work/asks.job" gtx480 gto
mv "$work/asks.bin" "$work/first.bin"
HEDDLE_STEP_ORDER=9 ok "values in any order" run shuffled "$work/asks.job" gtx480 gto
ok "the same values" cmp "$work/first.bin" "$work/asks.bin"

# The trace of a run: blocks that end, streams that are long, and runs that cannot be replayed, for a
# reason that the trace names.
recorded() { # SEED WORKLOAD GPU SCHED [OPTION...]
    HEDDLE_STEP_ORDER=$1 run shuffled "${@:2}" --record "$work/shuffled.trace" &&
        cmp "$work/first.json" "$work/shuffled.json" && cmp "$work/first.trace" "$work/shuffled.trace"
}
while read -r workload gpu sched options; do
    [ "${workload%.job}" != "$workload" ] && workload=$work/$workload || options="--size test $options"
    # shellcheck disable=SC2086 # options are words
    ok "the trace of $workload $gpu $sched" \
        run first "$workload" "$gpu" "$sched" $options --record "$work/first.trace"
    for seed in 1 77; do
        # shellcheck disable=SC2086
        ok "the trace of $workload $gpu $sched: order of steps $seed" \
            recorded $seed "$workload" "$gpu" "$sched" $options
    done
done <<END
asks.job gtx480 gto
bfs gtx480 gto
histogram gtx480 lrr
hotspot gtx480 two_level_active
matmul_tiled debug-flatmem gto
sobel gtx480 gto
END
finish
