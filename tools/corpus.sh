#!/usr/bin/env bash
# corpus.sh - make the corpus again: what each tests/corpus/*.cu must compute, and its PTX; say what changed.
#
#   tools/corpus.sh [NAME...]      all programs without names
#
# tests/corpus/expect/NAME needs g++; tests/corpus/ptx/NAME.{O3,O1,G,fast}.ptx need NVIDIA's nvcc, $NVCC
# or in /usr/local/cuda/bin: optimised; at -O1 with line numbers; unoptimised with debug information; with
# fast mathematics. NAME.clang-*.ptx need a clang with the NVPTX back end, $CLANG. A tool that is not there
# is skipped. NAME.other.cu, where it is there, is a second module: both are compiled with -rdc=true, the PTX of
# the second is NAME.LEVEL.other. The files are in the repository; nobody needs this to build or to test.
set -u
cd "$(dirname "$0")/.." || exit 2
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
clang=${CLANG:-clang}
cxx=${CXX:-g++}
new=$(mktemp -d) || exit 2
trap 'rm -rf "$new"' EXIT
status=0

# Programs without NVIDIA's headers and library, for clang; where -G makes little of interest of its own.
for_clang="int32 narrow vectors structs local calls switches loops blocks hash linear"
debugged="narrow vectors structs local calls virtuals switches loops warp barriers globals spaces kernels inline heap hash two asserts"

# Put $new/$2 in place of tests/corpus/$1/$2 if it differs.
place() {
    local old=tests/corpus/$1/$2
    mkdir -p "tests/corpus/$1"
    cmp -s "$new/$2" "$old" && return
    if [ -e "$old" ]; then
        echo "$old: $(diff "$old" "$new/$2" | grep -c '^[<>]') lines differ"
    else
        echo "$old: new"
    fi
    cp "$new/$2" "$old"
}

expect() {
    local sources=("tests/corpus/$1.cu")
    [ -e "tests/corpus/$1.other.cu" ] && sources+=("tests/corpus/$1.other.cu")
    "$cxx" -x c++ -std=c++17 -O1 -mfma -frounding-math -ffp-contract=off -fwrapv -fno-builtin -w -Itests/corpus \
        -o "$new/run" "${sources[@]}" -x c++ tests/corpus/host.cpp && "$new/run" >"$new/$1" && place expect "$1"
}

# by_nvcc NAME LEVEL FLAG...; paths of this machine and its date stay out.
by_nvcc() {
    local name=$1 level=$2
    shift 2
    if [ -e "tests/corpus/$name.other.cu" ]; then
        one_by_nvcc "$name.other.cu" "$name.$level.other" -rdc=true "$@" || return 1
        set -- -rdc=true "$@"
    fi
    one_by_nvcc "$name.cu" "$name.$level.ptx" "$@"
}

# one_by_nvcc SOURCE RESULT FLAG...
one_by_nvcc() {
    local source=$1 result=$2
    shift 2
    (cd tests/corpus && "$nvcc" -ptx -arch=sm_75 -std=c++17 -w "$@" -o "$new/raw" "$source") || return 1
    sed -E '/^\/\/ (Compiler Build|Cuda compilation|Based on)/d; /^\t\.file/s@"/[^"]*/@"@; /^\t\.file/s@, [0-9]+, [0-9]+$@@' \
        "$new/raw" >"$new/$result" && place ptx "$result"
}

# by_clang NAME LEVEL ARCH FLAG...
by_clang() {
    local name=$1 level=$2 arch=$3
    shift 3
    "$clang" -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=11.5 -std=c++17 -w \
        -ffp-contract=off \
        -Itests/corpus --cuda-device-only --cuda-gpu-arch="$arch" "$@" -S -o "$new/$name.$level.ptx" \
        "tests/corpus/$name.cu" && place ptx "$name.$level.ptx"
}

[ $# -gt 0 ] || set -- $(cd tests/corpus && printf '%s\n' *.cu | grep -v '\.other\.cu$' | sed 's/\.cu$//')
for name; do
    if command -v "$cxx" >/dev/null; then
        expect "$name" || status=1
    fi
    if [ -x "$nvcc" ]; then
        by_nvcc "$name" O3 -O3 || status=1
        case $name in
        fast) by_nvcc "$name" fast -O3 -use_fast_math || status=1 ;;
        math | mathf | convert | half | float32 | float64) ;; # hardly another program at -O1
        *) by_nvcc "$name" O1 -Xcicc -O1 -lineinfo || status=1 ;;
        esac
        case " $debugged " in *" $name "*) by_nvcc "$name" G -G -O0 || status=1 ;; esac
    fi
    if command -v "$clang" >/dev/null; then
        case " $for_clang " in
        *" $name "*)
            by_clang "$name" clang-O0 sm_35 -O0 || status=1
            by_clang "$name" clang-O2 sm_75 -O2 || status=1
            ;;
        esac
    fi
done
[ -x "$nvcc" ] || echo "no nvcc: its programs left as they are"
command -v "$clang" >/dev/null || echo "no clang: its programs left as they are"
exit $status
