#!/usr/bin/env bash
# test_suites.sh - tools/suites: a suite of four little programs is built by clang, run, recorded and
# made into a page.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libraries=$(readlink -f "$HEDDLE_BUILD") heddle=$(readlink -f "$HEDDLE")
clang=${HEDDLE_TEST_CLANG:-$(command -v clang++)}
unset "${!HEDDLE_@}" 2>/dev/null
export PYTHONDONTWRITEBYTECODE=1
if ! command -v python3 >/dev/null; then
    skip "suites" "there is no python3"
    finish
fi

run() { python3 tools/suites/run.py --heddle "$heddle" --compiler heddle --results "$work/results/polybench.json" "$@"; }
# has TEXT FILE
has() { grep -qF -- "$1" "$2"; }

run polybench "$work/none" >"$work/out" 2>&1
ok "a folder that is not there is the user's mistake" test $? -eq 2
ok "and is named" has "$work/none: no such folder" "$work/out"
run no-such-suite "$work" >"$work/out" 2>&1
ok "so is a suite without a table" test $? -eq 2
if [ -z "$clang" ] || nm -D "$libraries/libcuda.so.1" | grep -q __asan_init; then
    skip "programs of a suite" "there is no clang, or there are sanitizers"
    finish
fi
export HEDDLE_CLANG=$clang

# make NAME BODY: a program of PolyBench's form
make_program() {
    mkdir -p "$work/suite/CUDA/$1"
    : >"$work/suite/CUDA/$1/Makefile"
    printf '%s\n' '__global__ void k(int *a) { a[threadIdx.x] = SIZE; }' "$2" >"$work/suite/CUDA/$1/program.cu"
}
say='int *a; cudaMallocManaged(&a, 128); k<<<1, 32>>>(a); int status = cudaDeviceSynchronize();'
make_program GOOD "int main() { $say printf(\"Threshold of 0.05 Percent: %d\\n\", status + a[3] - 64); }"
make_program WRONG "int main() { $say printf(\"Threshold of 0.05 Percent: %d\\n\", status + 7); }"
make_program FAULT "__global__ void w(int *a) { a[1 << 28] = 1; } int main() { $say w<<<1, 1>>>(a); return cudaDeviceSynchronize() != 0; }"
make_program BROKEN "int main() { return undeclared; }"

run polybench "$work/suite" GOOD NONE >"$work/out" 2>&1
ok "a program that the suite does not have" has "polybench has no program NONE" "$work/out"
run polybench "$work/suite" >"$work/out" 2>&1
ok "the suite runs" test $? -eq 0
ok "a result that the program finds right" bash -c "grep '^\"GOOD\"' '$work/results/polybench.json' | grep -qF '\"check\": \"right\"'"
ok "a wrong one" bash -c "grep '^\"WRONG\"' '$work/results/polybench.json' | grep -qF '\"cause\": \"wrong\", \"check\": \"wrong\"'"
ok "a fault" bash -c "grep '^\"FAULT\"' '$work/results/polybench.json' | grep -qF '\"cause\": \"fault\"'"
ok "a program that does not compile" bash -c "grep '^\"BROKEN\"' '$work/results/polybench.json' | grep -qF '\"cause\": \"compiler\"'"
ok "with the compiler's words" bash -c "grep '^\"BROKEN\"' '$work/results/polybench.json' | grep -qF undeclared"
cp "$work/results/polybench.json" "$work/before"
run polybench "$work/suite" >"$work/out" 2>&1
same "what is known is not run again" "$work/before" "$work/results/polybench.json"
ok "and not reported" test ! -s "$work/out"
run --timing polybench "$work/suite" GOOD >"$work/out" 2>&1
ok "with timing it is recorded beside" bash -c "grep '^\"GOOD\"' '$work/results/polybench.json' | grep -q 'functional.*timing'"

python3 tools/suites/page.py "$work/results" >"$work/page.md"
ok "the page counts" has "| PolyBench/GPU (sgrauerg) | 4 | 3 | 1 | 1 | 1 | 0 |" "$work/page.md"
ok "and says what did not run" has "| \`WRONG\` | wrong | Threshold of 0.05 Percent: 7 |" "$work/page.md"
python3 tools/suites/page.py >"$work/programs.md"
same "docs/programs.md is what the records make of it" "$work/programs.md" docs/programs.md
finish
