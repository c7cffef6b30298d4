#!/usr/bin/env bash
# test_sdk.sh - CUDA programs built by clang and heddle's own headers, without NVIDIA's toolkit. Each
# checks its own results. Where nvcc is, it builds the same sources, and both must say the same.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libraries=$(readlink -f "$HEDDLE_BUILD")
clang=${HEDDLE_TEST_CLANG:-$(command -v clang++)}
unset "${!HEDDLE_@}" 2>/dev/null
export HEDDLE_NO_HOST=1

# says NAME STATUS TEXT COMMAND...: it ends with the status, and its output has the text
says() {
    local name=$1 status=$2 text=$3 out got
    shift 3
    out=$("$@" 2>&1)
    got=$?
    ok "$name" test "$got" -eq "$status" -a -z "${out##*"$text"*}"
    [ "$got" -eq "$status" ] || printf '%s\n' "$out" | head -n 20 | sed 's/^/# /'
}

says "without a compiler there is advice" 127 "apt-get install clang" env HEDDLE_CLANG=no-such-clang "$HEDDLE" cc a.cu
if [ -z "$clang" ]; then
    skip "programs of clang" "there is no clang"
    finish
fi
says "no file" 2 "which file" "$HEDDLE" cc -O2
says "a link step of its own is refused" 2 "-dlink: there is no separate link step" "$HEDDLE" cc -dlink a.o
says "machine code is refused" 2 "-ptx makes PTX" "$HEDDLE" cc -cubin a.cu
says "an option without its value" 2 "-Xcompiler: expected a value" "$HEDDLE" cc a.cu -Xcompiler

printf '%s\n' '__attribute__((global)) void k(int);' '__attribute__((device)) void f() { k<<<1, 2>>>(3); }' >"$work/text.cu"
ok "launches in the preprocessor's text are rewritten" "$HEDDLE" cc --launches device "$work/text.cu" "$work/out.cu"
ok "and nothing else" grep -qx '__attribute__((device)) void f() { ::heddle_launch(::heddle_kernel<decltype(+k), k >(), 1, 2)(3); }' \
    "$work/out.cu"

# The headers declare what the library has, except what belongs to headers of graphics, what came after
# 11.5, and what only compilers call.
printf '%s\n' '#include <cuda_runtime_api.h>' '#include <cuda_profiler_api.h>' >"$work/api.c"
gcc -std=c11 -Wall -Wextra -Werror -Isdk/include -E -P "$work/api.c" | grep -oE '\bcuda[A-Za-z0-9_]+' | LC_ALL=C sort -u >"$work/declared"
grep -vE '^__|_pt[sd][sz]$|EGL|Egl|GL[A-Z]|VDPAU|MemoryRequirements|Clusters?(Size)?$|ExternalSemaphoresAsync$' src/cudart/names11.0.txt |
    LC_ALL=C sort | LC_ALL=C comm -23 - "$work/declared" >"$work/undeclared"
same "all functions of the library are declared" /dev/null "$work/undeclared"
ok "to C too" gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -Isdk/include -fsyntax-only "$work/api.c"

if nm -D "$libraries/libcuda.so.1" | grep -q __asan_init; then
    skip "programs of clang" "they are not built with sanitizers"
    finish
fi
export HEDDLE_CLANG=$clang
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")

echo '__global__ void k() {}' >"$work/arch.cu"
for words in "-Werror cross-execution-space-call,reorder" "--Werror=reorder" "-arch=sm_999" "-gencode arch=compute_999,code=sm_999 -gencode arch=compute_80,code=sm_80"; do
    # shellcheck disable=SC2086 # several words
    ok "nvcc's $words" "$HEDDLE" cc $words -ptx -o "$work/arch.ptx" "$work/arch.cu"
done
ok "an older architecture that clang knows comes before its newest" grep -q '^\.target sm_80' "$work/arch.ptx"
for source in tests/sdk/*.cu; do
    name=$(basename "$source" .cu)
    ok "$name builds" "$HEDDLE" cc -O2 -o "$work/$name" "$source"
    says "$name runs" 0 "all right" timeout 120 "$HEDDLE" exec --quiet -- "$work/$name"
    says "$name runs without timing" 0 "all right" timeout 120 "$HEDDLE" exec --quiet --functional-only -- "$work/$name"
    [ -x "$nvcc" ] || continue
    ok "$name builds by nvcc" "$nvcc" -std=c++17 --extended-lambda -Wno-deprecated-gpu-targets -w -cudart shared \
        -o "$work/$name.nvcc" "$source"
    timeout 120 "$HEDDLE" exec --quiet --functional-only -- "$work/$name" >"$work/ours" 2>&1
    timeout 120 "$HEDDLE" exec --quiet --functional-only -- "$work/$name.nvcc" >"$work/theirs" 2>&1
    same "$name says the same as by nvcc" "$work/theirs" "$work/ours"
done
ok "reductions of sm_80 build" "$HEDDLE" cc -arch=sm_80 -o "$work/reductions" tests/sdk/sm_80/reductions.cu
says "and run" 0 "all right" timeout 120 "$HEDDLE" exec --quiet -- "$work/reductions"
# Kernels that launch kernels. What is wrong with a launch is said with its file and line.
kernels=tests/sdk/launches
ok "kernels that launch kernels build" "$HEDDLE" cc -rdc=true -w -o "$work/launches" "$kernels/launches.cu" -lcudadevrt
says "they run" 0 "all right" timeout 120 "$HEDDLE" exec --quiet -- "$work/launches"
says "and without timing" 0 "all right" timeout 120 "$HEDDLE" exec --quiet --functional-only -- "$work/launches"
if [ -x "$nvcc" ]; then
    ok "they build by nvcc" "$nvcc" -rdc=true -std=c++17 -Wno-deprecated-gpu-targets -w -cudart shared \
        -o "$work/launches.nvcc" "$kernels/launches.cu" -lcudadevrt
    says "and say the same" 0 "all right" timeout 120 "$HEDDLE" exec --quiet -- "$work/launches.nvcc"
fi
ok "larger ones build" "$HEDDLE" cc -rdc=true -default-stream per-thread -o "$work/children" tests/cudart/programs/children.cu
says "and run" 0 "all right" timeout 120 "$work/children"
for source in tests/cuda/children.cu tests/cuda/waiting.cu workloads/dp_spmm/kernel.cu; do
    ok "$source as PTX" "$HEDDLE" cc -rdc=true -ptx -o "$work/device.ptx" "$source"
    ok "which heddle reads" "$HEDDLE" ptx check "$work/device.ptx"
done
ok "from a makefile, through an object file" env "HEDDLE_LIBRARIES=$(realpath "$(dirname "$HEDDLE")")" bash -c "sdk/bin/nvcc -rdc=true -w -MD -c -o '$work/launches.o' $kernels/launches.cu &&
    sdk/bin/nvcc -o '$work/linked' '$work/launches.o' -lcudadevrt &&
    grep -q '^$work/launches.o:' '$work/launches.d' && grep -q '$kernels/launches.cu' '$work/launches.d'"
says "it runs too" 0 "all right" timeout 120 "$work/linked"
# Device code of several files.
parts="$kernels/parts_a.cu $kernels/parts_b.cu"
# shellcheck disable=SC2086 # two files
ok "device code of two files is linked" "$HEDDLE" cc -rdc=true -o "$work/parts" $parts
says "and runs" 0 "all right" timeout 120 "$HEDDLE" exec --quiet -- "$work/parts"
ok "from object files and an archive" bash -c "cd '$work' && for p in a b; do
    '$(readlink -f "$HEDDLE")' cc -dc -o part_\$p.o '$PWD/$kernels/parts_'\$p.cu || exit; done &&
    ar rcs libpart.a part_b.o && '$(readlink -f "$HEDDLE")' cc -o archived part_a.o -L. -lpart -lcudadevrt"
says "they run too" 0 "all right" timeout 120 "$HEDDLE" exec --quiet --functional-only -- "$work/archived"
ok "with the source's lines, and without a word" bash -c "! '$HEDDLE' cc -rdc=true -lineinfo -o '$work/parts' $parts 2>&1 | grep ."
# A C++ file in their company is compiled for the host alone.
printf '%s\n' '#include <cuda_runtime.h>' 'int devices() { int n; return cudaGetDeviceCount(&n), n; }' >"$work/devices.cpp"
ok "objects of C++ files are made too" bash -c "cd '$work' &&
    '$(readlink -f "$HEDDLE")' cc -dc '$PWD/$kernels/parts_a.cu' devices.cpp && test -e parts_a.o -a -e devices.o"
says "several files, one name" 2 "-o $work/x.o: there would be 2 files of this name" \
    "$HEDDLE" cc -dc -o "$work/x.o" $kernels/parts_a.cu $kernels/parts_b.cu
says "neither true nor false" 2 "-rdc: 'maybe' is neither true nor false" "$HEDDLE" cc -rdc=maybe a.cu
ok "half of it builds" bash -c "'$HEDDLE' cc -dc -o '$work/half.o' $kernels/parts_b.cu &&
    printf '%s\n' 'void other_half(int *); int main() { int *p = 0; other_half(p); }' >'$work/main.cpp' &&
    '$HEDDLE' cc -rdc=true -o '$work/half' '$work/half.o' '$work/main.cpp'"
says "what is missing has a name" 1 "'common'" "$work/half"
says "without the option there is advice" 1 "heddle cc: kernels that launch kernels are compiled with -rdc=true" \
    "$HEDDLE" cc -c -o "$work/wrong.o" "$kernels/launches.cu"
# wrong NUMBER TEXT: the launch of wrong.cu that is compiled with WRONG=NUMBER.
wrong() {
    local line
    line=$(grep -n "WRONG == $1\$" "$kernels/wrong.cu" | cut -d: -f1)
    says "wrong: $2" 1 "wrong.cu:$((line + 1))" "$HEDDLE" cc -rdc=true "-DWRONG=$1" -o "$work/wrong" "$kernels/wrong.cu"
    says "its words" 1 "$2" "$HEDDLE" cc -rdc=true "-DWRONG=$1" -o "$work/wrong" "$kernels/wrong.cu"
}
wrong 1 "kernel call to non-global function 'function'"
wrong 2 "too few arguments to function call, expected 2, have 1"
wrong 3 "cannot initialize a parameter of type 'int *' with an rvalue of type 'int'"
wrong 4 "too few execution configuration arguments"
wrong 5 "use of undeclared identifier 'nothing'"
wrong 6 "could not match 'T *' against 'int'"
wrong 7 "no matching function for call to 'child'"
wrong 8 "reference to __global__ function 'child'"
wrong 9 "no viable conversion from 'int *' to 'dim3'"
wrong 10 "requires 2 arguments, but 1 was provided"
# PTX for a job: named as nvcc names it, and its kernel as C++ does.
(cd "$work" && "$(readlink -f "$HEDDLE")" cc -ptx "$OLDPWD/examples/vecadd.cu")
ok "cc -ptx writes FILE.ptx" "$HEDDLE" ptx check "$work/vecadd.ptx"
printf '%s\n' "ptx vecadd.ptx" "buf a 400 seq32" "buf b 400 zero" "buf c 400 zero" "check c 400 c.expect exact" \
    "launch _Z6vecaddPKfS0_Pfi 1 1 1 128 1 1 0 p:a p:b p:c i:100" >"$work/vecadd.job"
python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("100I", *range(100)))' >"$work/c.expect"
says "a job runs it" 0 "results verified" "$HEDDLE" run "$work/vecadd.job"
ok "the README's program builds" "$HEDDLE" cc -o "$work/vecadd" examples/vecadd.cu
timeout 120 "$HEDDLE" exec -- "$work/vecadd" >"$work/shown" 2>"$work/table"
sed -n '/^\$ \.\/heddle exec -- \.\/vecadd$/,/^```$/p' README.md | sed '1d; $d' >"$work/readme"
case $("$clang" --version) in
*"version 14."*) same "and prints what is shown there" "$work/readme" <(cat "$work/shown" "$work/table") ;;
*) skip "and prints what is shown there" "the README shows it for clang 14" ;;
esac
for program in cudart/programs/graphs cudart/programs/textures cudart/programs/together cudart/programs/workloads cudart/programs/cuda11/references; do
    ok "${program##*/} builds" "$HEDDLE" cc -o "$work/program" "tests/$program.cu"
    says "${program##*/} runs" 0 "all right" timeout 120 "$work/program"
done
says "a program finds the libraries by itself" 0 "42 words 1.50 x 1099511627776" "$work/language"
says "a failed assertion names its place" 0 "language.cu:$(grep -n 'assert(v' tests/sdk/language.cu | cut -d: -f1): assertion \`v[0] == 7\` failed" "$work/language" fail
says "and is the error it should be" 0 "cudaErrorAssert" "$work/language" fail
finish
