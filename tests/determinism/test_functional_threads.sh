#!/usr/bin/env bash
# --threads changes no byte of what a run without timing prints or writes: the values of all workloads,
# what kernels print and ask of the device, faults, and kernels that never end.
#
# Each row runs with one of three numbers of threads, with each commit with another one: ROTATION=N is
# the choice of the N-th commit again, and TEST_ALL=1 (make check-all) runs with all. Under the thread
# sanitizer only workloads run whose blocks do not meet: others lose rounds, and in these, threads
# access the same bytes of simulated memory at the same time (src/emu/touched.h).
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/determinism/programs.sh

cat >"$work/ends.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry faults(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .reg .pred %p<2>;
    mov.u32 %r2, 0;
AGAIN:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 300;
    @%p1 bra AGAIN;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mul.lo.u32 %r2, %r1, 4;
    cvt.u64.u32 %rd2, %r2;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
.visible .entry circles(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .pred %p<2>;
    mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p1, %r1, 300;
HERE:
    @%p1 bra HERE;
    ret;
}
END
for kernel in faults circles; do
    printf '%s\n' "ptx $work/ends.ptx" "buf out 1024 zero" "launch $kernel 600 1 1 64 1 1 0 p:out" \
        "dump out 1024 out.bin" >"$work/$kernel.job"
done

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
    all again "$@" && diff -ra "$work/first" "$work/again"
}
said() { # STATUS WORDS: of the first run
    grep -qx "exit status $1" "$work/first/printed" && grep -qF -- "$2" "$work/first/printed"
}

numbers=(2 3 16)
rotation=${ROTATION:-$(git rev-list --count HEAD 2>/dev/null || echo 0)}
choose() { # sets counts
    counts=("${numbers[@]}")
    [ -n "${TEST_ALL:-}" ] || counts=("${numbers[rotation++ % 3]}")
}
row() { # NAME STATUS WORDS JOB OPTION...
    local run=("$HEDDLE" run "$4" --functional-only --no-host --out "$work/now"
        --json "$work/now/results.json" "${@:5}")
    ok "$1" all first "${run[@]}" --threads 1
    ok "$1: status $2, '$3'" said "$2" "$3"
    choose
    for n in "${counts[@]}"; do
        ok "$1: $n threads" as_first "${run[@]}" --threads "$n"
    done
}

if nm "$HEDDLE" 2>/dev/null | grep -q '__tsan_init'; then
    workloads=(blackscholes matmul_tiled mri_q sgemm)
else
    mapfile -t workloads < <("$HEDDLE" list workloads | awk 'NR > 1 && !/ \(a job\) / { print $1 }')
fi
for w in "${workloads[@]}"; do
    row "$w" 0 "" "$w" --size test
done
for job in scan transpose jacobi; do
    row "$job" 0 "" "$job"
done
row "a fault" 3 "faults" "$work/faults.job"
row "a block that never ends" 3 "circles" "$work/circles.job"
if ! nm "$HEDDLE" 2>/dev/null | grep -q '__tsan_init'; then
    row "printf and malloc" 0 "block" "$work/asks.job"
    row "malloc" 0 "" "$work/heap.job"
    row "kernels that launch kernels" 0 "" "$work/children.job"
fi
finish
