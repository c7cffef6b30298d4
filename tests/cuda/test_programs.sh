#!/usr/bin/env bash
# test_programs.sh - programs that know nothing of heddle, compiled with gcc alone and linked with
# libcuda.so.1: results, environment, messages, results file.
set -u
. tests/shared/tap.sh

library=$HEDDLE_BUILD/libcuda.so.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!HEDDLE_@}" 2>/dev/null
export LD_LIBRARY_PATH=${library%/*} HEDDLE_NO_HOST=1

# A library with sanitizers needs a program with them.
san=()
nm -D "$library" | grep -q __asan_init && san=(-fsanitize=address,undefined)

build() { # NAME SOURCE FLAGS...: the program $work/NAME
    local name=$1 source=$2
    shift 2
    gcc -std=c11 -Wall -Wextra -Werror -O1 "${san[@]}" "$@" -o "$work/$name" \
        "tests/cuda/programs/$source.c" "$library" -lm
}
# says NAME STATUS TEXT COMMAND...: it ends with the status, and its output has the text
says() {
    local name=$1 status=$2 text=$3 out got
    shift 3
    out=$("$@" 2>&1)
    got=$?
    ok "$name" test "$got" -eq "$status" -a -z "${out##*"$text"*}"
    [ "$got" -eq "$status" ] || printf '%s\n' "$out" | sed 's/^/# /'
}

ok "vecadd builds" build vecadd vecadd
says "vecadd runs" 0 "1000 sums on heddle rtx2060" "$work/vecadd"
says "machine by name" 0 "on heddle debug-flatmem" env HEDDLE_GPU=debug-flatmem "$work/vecadd"
says "without timing" 0 "1000 sums" env HEDDLE_FUNCTIONAL=1 "$work/vecadd"
says "unknown machine" 1 "there is no GPU 'gtx999'" env HEDDLE_GPU=gtx999 "$work/vecadd"
says "unknown policy" 1 "did you mean 'gto'" env HEDDLE_SCHED=gt0 "$work/vecadd"
says "a name with a slip" 0 "HEDDLE_SHED in the environment is not a variable of heddle's; did you mean HEDDLE_SCHED?" \
    env HEDDLE_SHED=lrr "$work/vecadd"
says "neither yes nor no" 1 "HEDDLE_FUNCTIONAL=maybe in the environment; expected 1 or 0" \
    env HEDDLE_FUNCTIONAL=maybe "$work/vecadd"
says "wrong number" 1 "HEDDLE_MAX_CYCLES=many" env HEDDLE_MAX_CYCLES=many "$work/vecadd"
says "limit of cycles" 1 "CUDA_ERROR_LAUNCH_TIMEOUT" env HEDDLE_MAX_CYCLES=10 "$work/vecadd"
says "too little memory" 1 "CUDA_ERROR_OUT_OF_MEMORY" env HEDDLE_MEMORY=8K "$work/vecadd"

HEDDLE_JSON=$work/%p.json HEDDLE_SCHED=lrr HEDDLE_SET=sm.sms=2,kernel.add.regs=17 "$work/vecadd" \
    >/dev/null
mv "$work"/[0-9]*.json "$work/a.json"
says "results file" 0 '"regs": 17' cat "$work/a.json"
says "results name the options" 0 '"sm.sms": 2' cat "$work/a.json"
HEDDLE_JSON=$work/b.json HEDDLE_SCHED=lrr HEDDLE_SET="sm.sms=2 kernel.add.regs=17" \
    "$work/vecadd" >/dev/null
same "the same run, the same bytes" "$work/a.json" "$work/b.json"

ok "tour builds with heddle's header" build own tour -Isrc
says "tour runs" 0 "streams: 4 16380, 1 call, time passes" "$work/own"
nvidia=${CUDA_HOME:-/usr/local/cuda}/include
if [ ! -f "$nvidia/cuda.h" ]; then
    skip "tour with NVIDIA's header" "there is no $nvidia/cuda.h"
elif ! grep -q 'define CUDA_VERSION 13' "$nvidia/cuda.h"; then
    skip "tour with NVIDIA's header" "$nvidia/cuda.h is not that of CUDA 13"
else
    ok "tour builds with NVIDIA's header" build theirs tour -DWITH_NVIDIA -I"$nvidia"
    "$work/own" >"$work/own.txt" 2>&1
    "$work/theirs" >"$work/theirs.txt" 2>&1
    same "both say the same" "$work/own.txt" "$work/theirs.txt"
    ok "per-thread default streams" build ptds tour -DWITH_NVIDIA -DCUDA_API_PER_THREAD_DEFAULT_STREAM \
        -I"$nvidia"
    "$work/ptds" >"$work/ptds.txt" 2>&1
    same "with per-thread default streams too" "$work/own.txt" "$work/ptds.txt"
fi

# Every name of NVIDIA's library is there, if only to say no: a program that needs one must start.
stub=${CUDA_HOME:-/usr/local/cuda}/lib64/stubs/libcuda.so
if [ -f "$stub" ]; then
    names() { nm -D --defined-only "$1" | awk '{ print $3 }' | sort -u; }
    comm -23 <(names "$stub") <(names "$library") >"$work/missing.txt"
    ok "all names of NVIDIA's library" test ! -s "$work/missing.txt"
    sed 's/^/# missing: /' "$work/missing.txt"
else
    skip "all names of NVIDIA's library" "there is no $stub"
fi

ok "a program of many ways to end builds" build life life -D_GNU_SOURCE -Isrc -pthread
# The sanitizer's search for leaks waits for ever in a child that was forked while another thread
# allocated memory, so children make none.
life() {
    case $1 in child | before) local ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 ;; esac
    timeout 60 env ASAN_OPTIONS="${ASAN_OPTIONS-}" HEDDLE_JSON="$work/life.json" "$work/life" "$@"
}
# written NAME: it left results, once
written() {
    ok "$1" grep -q '"status": "ok"' "$work/life.json"
    rm -f "$work/life.json"
}
says "rounding, flushing and traps of the host are not the kernel's" 0 "3eaaaaab 3f000000 7f800000
1.50
00244bfa 003671f7 7f800000
host: 2.5, rounding up
rounding up, control dd40" life surround
says "threads that outlive main" 0 "" life threads
written "their results"
says "a child is told that it has no device" 0 "child: CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED
it ended with 7" life child
written "results of the parent"
says "a child may start afresh" 0 "3eaaaaab 3f000000 7f800000" life before
written "results of the child"
ok "quick_exit" life quick
written "hands out results"
says "exit in a host function" 4 "ended inside a host function: no results" life host
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >/dev/null 2>&1; then
    comma() { timeout 60 env LOCPATH="$work" LC_ALL=de_DE.UTF-8 HEDDLE_JSON="$work/life.json" "$work/life" locale; }
    says "numbers with commas" 0 "1.50
3eaaaaab 3f000000 7f800000
1,5" comma
    written "are not in results"
else
    skip "numbers with commas" "this system cannot make a locale"
fi

nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
if [ -x "$nvcc" ]; then
    # compile NAME FLAGS...: fatbins as nvcc packs them
    compile() {
        "$nvcc" -fatbin "${@:2}" -o "$work/$1" tests/cuda/programs/axpy.cu
    }
    ok "a program that loads a file builds" build load load -Isrc
    ok "nvcc, default packing" compile both.fatbin -arch=sm_75
    says "its kernel runs and prints" 0 "n is 1000
2 sin(1) = 1.6829" "$work/load" "$work/both.fatbin"
    ok "nvcc, LZ4" compile lz4.fatbin -gencode arch=compute_75,code=compute_75 -compress-mode=speed
    says "runs too" 0 "2 sin(1) = 1.6829" "$work/load" "$work/lz4.fatbin"
    ok "nvcc, not packed" compile raw.fatbin -gencode arch=compute_75,code=compute_75 -no-compress
    says "runs as well" 0 "2 sin(1) = 1.6829" "$work/load" "$work/raw.fatbin"
    # As many registers as ptxas says, in every packing, and with several architectures.
    counted() { # NAME FLAGS...
        local said
        said=$(compile "$1" -Xptxas -v "${@:2}" 2>&1 | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | head -1)
        HEDDLE_JSON="$work/regs.json" "$work/load" "$work/$1" >"$work/out" 2>&1
        grep -q "\"regs\": $said," "$work/regs.json" && grep -q '"regs_source": "cubin"' "$work/regs.json"
    }
    ok "registers of machine code" counted regs.fatbin -arch=sm_75
    ok "not packed" counted raw.fatbin -arch=sm_75 -no-compress
    ok "packed well" counted size.fatbin -arch=sm_75 -compress-mode=size
    ok "of several" counted many.fatbin -gencode 'arch=compute_75,code=[sm_75,compute_75]' -gencode arch=compute_86,code=sm_86
    ok "nvcc, machine code only" compile sass.fatbin -gencode arch=compute_75,code=sm_75
    says "is refused, with advice" 1 "code=compute_75" "$work/load" "$work/sass.fatbin"
    ok "nvcc, machine code of two" compile two.fatbin -gencode arch=compute_75,code=sm_75 -gencode arch=compute_86,code=sm_86
    says "names both" 1 "machine code for sm_75, sm_86, no PTX" "$work/load" "$work/two.fatbin"
else
    skip "modules made by nvcc" "there is no nvcc"
fi

ok "missing builds" build missing missing
says "what is missing is refused" 0 "801 801 801" "$work/missing"
ok "and said once" test "$("$work/missing" 2>&1 | grep -c 'cuGraphAddBatchMemOpNode is not supported')" -eq 1

finish
