#!/usr/bin/env bash
# --threads changes no byte of what a run prints or writes: results, metrics, timelines, traces, lines of
# PTX with their cycles, what kernels print and ask of the device, faults, hangs, and the end of a run
# whose policy is wrong. More threads than processors, or than SMs, only take longer. Under the thread
# sanitizer (make check-tsan) the same runs must have no races.
#
# Each row runs with two of the four numbers of threads, with each commit with others: ROTATION=N is
# the choice of the N-th commit again, and TEST_ALL=1 (make check-all) runs with all four. The thread
# sanitizer makes runs twenty times as long, so there each row runs with one, for fewer cycles.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/determinism/programs.sh

# Blocks on several SMs fault in the same cycle; two kinds of programs that never end.
cat >"$work/ends.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry faults(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    shl.b32 %r2, %r1, 20;
    cvt.u64.u32 %rd2, %r2;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3+4096], %r1;
    ret;
}
.visible .entry circles(.param .u64 out)
{
HERE:
    bra HERE;
    ret;
}
.visible .entry waits(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .pred %p<2>;
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra ONE;
    bar.sync 0;
    ret;
ONE:
    bar.sync 1;
    ret;
}
END
while read -r kernel shape; do
    printf '%s\n' "ptx $work/ends.ptx" "buf out 64 zero" "launch $kernel $shape 0 p:out" \
        >"$work/$kernel.job"
done <<END
faults 60 1 1 64 1 1
circles 18 1 1 32 1 1
waits 60 1 1 64 1 1
END

# Runs write to the same folder, because messages name their files.
all() { # NAME COMMAND...: all that a command prints and writes, in the folder NAME
    local name=$1 status
    shift
    rm -rf "$work/now" "${work:?}/$name"
    mkdir "$work/now"
    timeout 600 "$@" >"$work/now/printed" 2>&1
    status=$?
    echo "exit status $status" >>"$work/now/printed"
    mv "$work/now" "$work/$name"
    [ $status -ne 124 ] && [ $status -ne 66 ] # too slow; a race
}
as_first() { # COMMAND...
    all again "$@" && diff -ra "$work/first" "$work/again" | head -n 20 && cmp_all
}
cmp_all() {
    diff -rq "$work/first" "$work/again"
}
simulate() { # WORKLOAD GPU SCHED [OPTION...]: the command in `run`
    run=("$HEDDLE" run "$1" --out "$work/now" --gpu "$2" --sched "$3" --no-host "${limit[@]}"
        --json "$work/now/results.json" "${@:4}")
}
said() { # STATUS WORDS: of the first run
    grep -qx "exit status $1" "$work/first/printed" && grep -qF -- "$2" "$work/first/printed" && return
    cat "$work/first/printed"
    return 1
}
reached() { # the first run has results
    grep -q '"cycles"' "$work/first/results.json"
}

numbers=(2 3 7 16)
limit=() san=()
if nm "$HEDDLE" 2>/dev/null | grep -q '__tsan_init'; then
    limit=(--max-cycles 3000) san=(-fsanitize=thread)
fi
rotation=${ROTATION:-$(git rev-list --count HEAD 2>/dev/null || echo 0)}
choose() { # sets counts
    counts=("${numbers[@]}")
    [ -n "${TEST_ALL:-}" ] || counts=("${numbers[@]:rotation++ % 3:2}")
    [ ${#limit[@]} -eq 0 ] || counts=(3)
}
while read -r workload gpu sched options; do
    name="$workload $gpu $sched $options"
    [ "${workload%.job}" != "$workload" ] && workload=$work/$workload || options="--size test $options"
    # shellcheck disable=SC2086 # options are words
    simulate "$workload" "$gpu" "$sched" ${options//@/$work/now}
    ok "$name" all first "${run[@]}" --threads 1
    ok "$name: there are results" reached
    choose
    for n in "${counts[@]}"; do
        ok "$name: $n threads" as_first "${run[@]}" --threads "$n"
    done
done <<END
bfs gtx480 gto
bfs gtx480 lrr --timeline @/timeline.json
histogram gtx480 two_level_active
histogram debug-flatmem gto
hotspot gtx480 pro --metrics
hotspot gtx480 gto --tb fill_first
matmul_tiled gtx480 ccws
mummer gtx480 owl --record @/run.trace
needle gtx480 elf --fetch elf
needle gtx480 lrr --no-skip
bfs elf gto --set requeue.entries=32 --metrics
matmul_tiled elf elf --set requeue.entries=32 --set l1i.prefetch=16
sobel gtx480 saws
scalar_prod gtx480 baws
reduction gtx480 lrr --max-cycles 700
bfs rtx2060 gto
histogram qv100 lrr
asks.job gtx480 lrr
heap.job gtx480 gto
heap.job debug-flatmem lrr
children.job gtx480 gto
children.job debug-flatmem lrr
faults.job gtx480 gto
faults.job debug-flatmem lrr
circles.job gtx480 lrr --set gpu.livelock_after=2000
waits.job gtx480 gto
END

# A trace is replayed, which unpacks it while SMs step.
ok "a trace is written" "$HEDDLE" run hotspot --size test --quiet --record "$work/hotspot.trace"
simulate "$work/hotspot.trace" gtx480 lrr
ok "it is replayed" all first "${run[@]}"
choose
for n in "${counts[@]}"; do
    ok "it is replayed on $n threads" as_first "${run[@]}" --threads "$n"
done

ok "annotate" all first "$HEDDLE" annotate bfs --size test --json "$work/now/lines.json" --no-host
ok "annotate on 3 threads" as_first "$HEDDLE" annotate bfs --size test --json "$work/now/lines.json" \
    --no-host --threads 3
compare=("$HEDDLE" compare vecadd,bfs --sched lrr,gto --size test --no-host --quiet --jobs 2
    --json "$work/now/study.json" --csv "$work/now/study.csv")
ok "compare" all first "${compare[@]}"
ok "compare on 3 threads each" as_first "${compare[@]}" --threads 3
ok "compare on as many threads as pay" as_first "${compare[@]}" --threads 0
if command -v gcc >/dev/null && gcc -std=c11 -O1 "${san[@]}" -o "$work/vecadd" tests/cuda/programs/vecadd.c \
    "$HEDDLE_BUILD/libcuda.so.1" 2>/dev/null; then
    execute=("$HEDDLE" exec --no-host --json "$work/now/results.json")
    ok "exec" all first "${execute[@]}" "$work/vecadd"
    ok "exec: there are results" reached
    ok "exec on 4 threads" as_first "${execute[@]}" --threads 4 "$work/vecadd"
    ok "exec on as many threads as pay" as_first "${execute[@]}" --threads 0 "$work/vecadd"
    alone=(env "HEDDLE_DATA=$PWD" "LD_LIBRARY_PATH=$HEDDLE_BUILD" HEDDLE_NO_HOST=1
        "HEDDLE_JSON=$work/now/results.json")
    ok "a program alone" all first "${alone[@]}" "$work/vecadd"
    ok "a program alone: there are results" reached
    for n in 0 5; do
        ok "a program alone, HEDDLE_THREADS=$n" as_first "${alone[@]}" HEDDLE_THREADS="$n" "$work/vecadd"
    done
    ok "a program that ends badly" gcc -std=c11 -D_GNU_SOURCE -O1 "${san[@]}" -Isrc \
        -o "$work/ends" tests/cuda/programs/ends.c "$HEDDLE_BUILD/libcuda.so.1"
    execute+=(--set gpu.livelock_after=2000)
    while read -r how status words; do
        ok "exec, $how" all first "${execute[@]}" "$work/ends" "$how"
        ok "exec, $how: $words, status $status" said "$status" "$words"
        for n in 4 16; do
            ok "exec, $how, $n threads" as_first "${execute[@]}" --threads "$n" "$work/ends" "$how"
        done
    done <<END
fault 3 fault: error 700
circle 3 circle: error 702
leave 7 count
END
    # Where the signal comes is not the same in two runs. The sanitizer puts it off until a kernel ends.
    for n in 1 4; do
        [ ${#san[@]} -eq 0 ] || continue
        ok "exec, exit() in a signal handler, $n threads" all first "${execute[@]}" --threads "$n" \
            "$work/ends" signal
        ok "$n threads: the results so far" said 9 interrupted
        ok "$n threads: in the file too" grep -q '"status": "interrupted"' "$work/first/results.json"
    done
else
    skip "exec" "no gcc, or programs of this build need its sanitizer"
fi

# Sixteen threads on one processor: those that wait give it to those that work.
simulate hotspot gtx480 gto --size test
ok "hotspot" all first "${run[@]}"
if taskset -c 0 true 2>/dev/null; then
    ok "16 threads on one processor" as_first taskset -c 0 "${run[@]}" --threads 16
else
    skip "16 threads on one processor" "taskset is not allowed here"
fi
ok "as many threads as pay" as_first "${run[@]}" --threads 0

# Policies that are wrong: the message is that of the SM with the lowest number, whichever thread
# found an error first, and the run ends.
plugin() { # NAME STATEMENT
    printf '#include "heddle/policy.h"\n#include <stdlib.h>\n
static int deep(int n) { volatile char room[4096]; room[n %% 4096] = 1;
    return n < 0 ? 0 : deep(n + 1) + room[0]; }
static int f(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)
{ (void)st, (void)v, (void)s, (void)deep; %s return hd_first(m); }
HD_POLICY(%s, .brief = "bad", .source = "a test", .first = f);\n' "$2" "$1" >"$work/$1.c"
    cc -std=c11 -w -shared -fPIC -Iinclude "$work/$1.c" -o "$work/$1.so"
}
ends() { # NAME STATUS WORDS
    all again "$HEDDLE" run hotspot --size test --plugin "$work/$1.so" --sched "$1" --threads 4
    grep -qx "exit status $2" "$work/again/printed" && grep -qF "$3" "$work/again/printed" && return
    cat "$work/again/printed"
    return 1
}
if command -v cc >/dev/null; then
    plugin astray 'if (v->cycle > 40) return 63 - (int)(v->cycle % 5);'
    astray=("$HEDDLE" run hotspot --size test --plugin "$work/astray.so" --sched astray)
    ok "a policy answers wrongly" all first "${astray[@]}"
    ok "the message names it" grep -q "the plug-in .*astray.so: first() of policy astray" "$work/first/printed"
    choose
    for n in "${counts[@]}"; do
        ok "the same message on $n threads" as_first "${astray[@]}" --threads "$n"
    done
    # Once: C leaves open what a second exit() does that another thread calls meanwhile.
    plugin leaves 'static int gone; if (v->cycle > 40 && !__sync_lock_test_and_set(&gone, 1)) exit(0);'
    ok "a policy calls exit()" ends leaves 2 "called exit() in the middle of the run"
    # In another program's process it is that program that ends, with the results so far.
    for n in 1 4; do
        [ -x "$work/ends" ] || continue
        ok "exec, a policy calls exit(), $n threads" all first "${execute[@]}" --threads "$n" \
            --plugin "$work/leaves.so" --sched leaves "$work/ends" count
        ok "exec, a policy calls exit(), $n threads: the results so far" said 0 interrupted
        ok "exec, a policy calls exit(), $n threads: in the file too" \
            grep -q '"status": "interrupted"' "$work/first/results.json"
    done
    if ! nm "$HEDDLE" 2>/dev/null | grep -q '__[at]san_init'; then
        plugin wild 'if (v->cycle > 40) return *(int *)8;'
        ok "a policy reads nowhere" ends wild 2 "the plug-in $work/wild.so: invalid access"
        plugin deep 'if (v->cycle > 40) return deep(0);'
        ok "a policy runs out of stack" ends deep 2 "the plug-in $work/deep.so: invalid access"
        for bad in wild deep; do
            [ -x "$work/ends" ] || continue
            ok "exec, a policy of the kind $bad" all first "${execute[@]}" --plugin "$work/$bad.so" \
                --sched "$bad" "$work/ends" count
            ok "exec, a policy of the kind $bad: message" said 2 "the plug-in $work/$bad.so: invalid access"
            ok "exec, a policy of the kind $bad, 4 threads" as_first "${execute[@]}" --threads 4 \
                --plugin "$work/$bad.so" --sched "$bad" "$work/ends" count
        done
    fi
fi

# Wrong numbers.
for n in abc -1 1025 9999 1.5 ''; do
    ok "--threads '$n' is refused" all first "$HEDDLE" run vecadd "--threads=$n"
    ok "--threads '$n': what is allowed" said 2 "--threads $n: expected a number"
    [ -x "$work/ends" ] && [ -n "$n" ] || continue # an empty variable is none
    ok "HEDDLE_THREADS=$n: no device" all first "${alone[@]}" HEDDLE_THREADS="$n" "$work/ends" count
    ok "HEDDLE_THREADS=$n: what is allowed" said 1 "HEDDLE_THREADS=$n in the environment"
done
finish
