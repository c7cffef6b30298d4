#!/usr/bin/env bash
# test_corpus.sh - programs of tests/corpus, built by clang with the headers in sdk/: every word that
# they write, as check-corpus does for the stored PTX of other compilers.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$(readlink -f "$HEDDLE_BUILD") heddle=$(readlink -f "$HEDDLE")
clang=${HEDDLE_TEST_CLANG:-$(command -v clang++)}
unset "${!HEDDLE_@}" 2>/dev/null
if [ -z "$clang" ] || nm -D "$build/libcuda.so.1" | grep -q __asan_init; then
    skip "corpus programs" "there is no clang, or there are sanitizers"
    finish
fi
export HEDDLE_CLANG=$clang
mkdir -p "$work/tests/corpus/ptx"
ln -s "$PWD/tests/corpus/expect" "$work/tests/corpus/expect"
ln -s "$PWD/gpus" "$work/gpus"
for name in bits convert fast float32 float64 groups half images math mathf memory simd surfaces vectors warp; do
    ok "$name builds" "$heddle" cc -ptx -O3 -w -D__NVCC__ -Itests/corpus -o "$work/tests/corpus/ptx/$name.sdk.ptx" \
        "tests/corpus/$name.cu"
done
cd "$work" || exit 1
ok "every word is right" timeout 240 "$build/tests/corpus/test_corpus"
cd / || exit 1
finish
