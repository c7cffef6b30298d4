#!/usr/bin/env bash
# test_toolkits.sh - older toolkits: layouts of structures against tables made with NVIDIA's headers,
# and, where HEDDLE_NVCC11 and HEDDLE_NVCC12 name compilers of CUDA 11.8 and 12.x, their headers,
# libraries and programs. tests/cudart/test_cudart.sh does the same for the toolkit of today.
set -u
. tests/shared/tap.sh

nvcc11=${HEDDLE_NVCC11-} nvcc12=${HEDDLE_NVCC12-}
libraries=$HEDDLE_BUILD
programs=tests/cudart/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!HEDDLE_@}" 2>/dev/null
export LD_LIBRARY_PATH=$libraries:$work HEDDLE_NO_HOST=1

# says NAME STATUS TEXT COMMAND...: it ends with the status, and its output has the text
says() {
    local name=$1 status=$2 text=$3 out got
    shift 3
    out=$(timeout "${TEST_TIMEOUT:-120}" "$@" 2>&1)
    got=$?
    ok "$name" test "$got" -eq "$status" -a -z "${out##*"$text"*}"
    [ "$got" -eq "$status" ] || printf '%s\n' "$out" | sed 's/^/# /'
}

for major in 11 12 13; do
    gcc -std=c11 -Wall -Wextra -Werror -Isrc "-DHD_CUDART=$major" -o "$work/layouts" "$programs/layouts.c" &&
        "$work/layouts" >"$work/ours"
    same "structures of CUDA $major have NVIDIA's layout" "$work/ours" "tests/cudart/layouts/$major.txt"
done

# toolkit MAJOR SONAME NVCC: the headers and the library beside it, and every program
toolkit() {
    local major=$1 version=$2 nvcc=$3 home name source flags
    home=$(dirname "$(dirname "$("$nvcc" --dryrun -c "$programs/small/small.cu" 2>&1 |
        sed -n 's/^#\$ _HERE_=//p')/x")")
    gcc -std=c11 -w -DTHEIRS "-DHD_CUDART=$major" -I"$home/include" -o "$work/layouts" "$programs/layouts.c" &&
        "$work/layouts" >"$work/theirs"
    same "the table of CUDA $major is that of its headers" "tests/cudart/layouts/$major.txt" "$work/theirs"

    nm -D --defined-only "$home/lib64/libcudart.so.$version" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' |
        LC_ALL=C sort -u >"$work/real"
    ok "libcudart.so.$version is found" test -s "$work/real"
    LC_ALL=C comm -13 "src/cudart/names$version.txt" "$work/real" >"$work/missing"
    same "it exports nothing that ours does not" /dev/null "$work/missing"

    build() { "$nvcc" -cudart shared -Wno-deprecated-gpu-targets -Wno-deprecated-declarations -o "$work/$1" "${@:2}"; }
    for source in "$programs"/*.cu "$programs/cuda$major"/*.cu; do
        name=$(basename "$source" .cu) flags=()
        case $name in
        '*') continue ;;
        children | graphs)
            # Tail launches, and the forms of cuGraph* that the program asks for, came with 12.
            if [ "$major" = 11 ]; then
                skip "11: $name" "the program is of later times"
                continue
            fi
            [ "$name" = graphs ] || flags=(-rdc=true -lcudadevrt)
            ;;
        algorithms) flags=(-std=c++17 -gencode "arch=compute_75,code=compute_75") ;;
        historic) flags=(-I sdk/compat -include heddle_legacy.h) ;;
        esac
        ok "$major: $name builds" build "$name" "$source" "${flags[@]}"
        case $name in
        historic) says "$major: $name runs" 0 "PASSED, 3 rounds" "$work/$name" --rounds=3 ;;
        algorithms)
            says "$major: $name runs" 0 "all right" env HEDDLE_FUNCTIONAL=1 HEDDLE_SET=sm.registers=65536 "$work/$name"
            ;;
        *)
            says "$major: $name runs" 0 "all right" "$work/$name"
            says "$major: $name runs without timing" 0 "all right" env HEDDLE_FUNCTIONAL=1 "$work/$name"
            ;;
        esac
    done
    for name in first second; do
        ok "$major: the $name library builds" build "lib$name.so" -shared -Xcompiler -fPIC \
            "-DNAME=${name}_library" "-DFACTOR=$([ $name = first ] && echo 2 || echo 3)" "$programs/units/library.cu"
    done
    ok "$major: a program of units builds" build units -rdc=true "$programs"/units/{main,other,third}.cu \
        -L"$work" -lfirst -lsecond
    says "$major: units and libraries run" 0 "all right" "$work/units"
    while read -r name flags; do
        # shellcheck disable=SC2086 # flags are words
        ok "$major: small builds, $name" build small $flags "$programs/small/small.cu"
        says "$major: small runs, $name" 0 "10000 launches" env HEDDLE_FUNCTIONAL=1 "$work/small"
        ok "$major: heddle inspect reads it" bash -c "'$HEDDLE' inspect '$work/small' | grep 'can run'"
    done <<'END'
default
debug -G
packed -Xfatbin -compress-all
raw -Xfatbin --compress=false
several -gencode arch=compute_60,code=sm_60 -gencode arch=compute_70,code=[sm_70,compute_70]
lines -lineinfo
streams -default-stream per-thread
END
    ok "$major: small builds, machine code" build small -gencode arch=compute_60,code=sm_60 "$programs/small/small.cu"
    says "$major: small is told what is wrong" 1 "cudaErrorNoKernelImageForDevice" "$work/small"
}

for major in 11 12; do
    version=$major nvcc=nvcc$major
    [ "$major" = 11 ] && version=11.0
    if [ ! -x "${!nvcc}" ]; then
        skip "programs of CUDA $major" "HEDDLE_NVCC$major names no compiler"
    elif nm -D "$libraries/libcuda.so.1" | grep -q __asan_init; then
        skip "programs of CUDA $major" "they are not built with sanitizers"
    else
        toolkit "$major" "$version" "${!nvcc}"
    fi
done
finish
