#!/usr/bin/env bash
# workloads-ptx.sh [NAME...] - make the PTX of these workloads, or of all, again, and say what changed.
#
# NAME.sm_75.ptx and NAME.sm_75.regs (tools/ptx-regs.sh) need NVIDIA's nvcc, $NVCC or in
# /usr/local/cuda/bin; NAME.sm_20.ptx needs a clang with the NVPTX back end, $CLANG. NAME.sm_20.regs
# (tools/era-regs.sh) is made of both. Kernels that launch kernels have no files for sm_20.
# A tool that is not there is skipped. The files are in the repository; nobody needs this to build.
set -u
cd "$(dirname "$0")/.." || exit 2
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
ptxas=$(dirname "$nvcc")/ptxas
clang=${CLANG:-clang}
new=$(mktemp -d) || exit 2
trap 'rm -rf "$new"' EXIT
status=0

# Put $new/$2 in place of workloads/$1/$2 if it differs.
place() {
    local old=workloads/$1/$2
    if cmp -s "$new/$2" "$old"; then
        return
    fi
    if [ -e "$old" ]; then
        echo "$old: $(diff "$old" "$new/$2" | grep -c '^[<>]') lines differ"
    else
        echo "$old: new"
    fi
    cp "$new/$2" "$old"
}

# Kernels that launch kernels: nvcc makes a module to be linked of them, and sm_20 cannot do it.
is_dynamic() {
    grep -q '<<<' "workloads/$1/kernel.cu"
}

by_nvcc() {
    local separate=
    is_dynamic "$1" && separate=-rdc=true
    "$nvcc" -ptx -arch=sm_75 -O3 $separate -o "$new/$1.sm_75.ptx" "workloads/$1/kernel.cu" || return 1
    place "$1" "$1.sm_75.ptx"
    PTXAS=$ptxas tools/ptx-regs.sh "workloads/$1/$1.sm_75.ptx"
}

by_clang() {
    "$clang" -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=11.5 \
        -O2 --cuda-device-only --cuda-gpu-arch=sm_20 -include workloads/clang.h -S \
        -o "$new/$1.sm_20.ptx" "workloads/$1/kernel.cu" && place "$1" "$1.sm_20.ptx"
}

[ $# -gt 0 ] || for file in workloads/*/kernel.cu; do
    set -- "$@" "$(basename "$(dirname "$file")")"
done
for name in "$@"; do
    if [ -x "$nvcc" ]; then
        by_nvcc "$name" || status=1
    fi
    if command -v "$clang" >/dev/null && ! is_dynamic "$name"; then
        by_clang "$name" || status=1
    fi
done
PTXAS=$ptxas tools/era-regs.sh "$@" || status=1
[ -x "$nvcc" ] || echo "no nvcc: *.sm_75.ptx and *.regs left as they are"
command -v "$clang" >/dev/null || echo "no clang: *.sm_20.ptx left as they are"
exit $status
