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
says "and who can build kernels that launch kernels" 2 "Kernels that launch kernels need NVIDIA's nvcc" "$HEDDLE" cc -rdc=true a.cu
says "separate compilation is refused" 2 "-rdc=true: separate compilation" "$HEDDLE" cc -rdc=true a.cu
says "machine code is refused" 2 "-ptx makes PTX" "$HEDDLE" cc -cubin a.cu
says "an option without its value" 2 "-Xcompiler: expected a value" "$HEDDLE" cc a.cu -Xcompiler

if nm -D "$libraries/libcuda.so.1" | grep -q __asan_init; then
    skip "programs of clang" "they are not built with sanitizers"
    finish
fi
export HEDDLE_CLANG=$clang
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")

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
for program in cudart/programs/textures cudart/programs/together cudart/programs/workloads cudart/programs/cuda11/references; do
    ok "${program##*/} builds" "$HEDDLE" cc -o "$work/program" "tests/$program.cu"
    says "${program##*/} runs" 0 "all right" timeout 120 "$work/program"
done
says "a program finds the libraries by itself" 0 "42 words 1.50 x 1099511627776" "$work/language"
says "a failed assertion names its place" 0 "language.cu:$(grep -n 'assert(v' tests/sdk/language.cu | cut -d: -f1): assertion \`v[0] == 7\` failed" "$work/language" fail
says "and is the error it should be" 0 "cudaErrorAssert" "$work/language" fail
finish
