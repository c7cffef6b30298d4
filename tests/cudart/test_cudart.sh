#!/usr/bin/env bash
# test_cudart.sh - programs of the runtime API on libcudart.so.13: one in plain C that needs no CUDA
# compiler, and those of nvcc, where it is. Each checks its own results.
set -u
. tests/shared/tap.sh

libraries=$HEDDLE_BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!HEDDLE_@}" 2>/dev/null
export LD_LIBRARY_PATH=$libraries HEDDLE_NO_HOST=1

# A library with sanitizers needs a program with them.
san=()
nm -D "$libraries/libcuda.so.1" | grep -q __asan_init && san=(-fsanitize=address,undefined)

# says NAME STATUS TEXT COMMAND...: it ends with the status, and its output has the text
says() {
    local name=$1 status=$2 text=$3 out got
    shift 3
    out=$("$@" 2>&1)
    got=$?
    ok "$name" test "$got" -eq "$status" -a -z "${out##*"$text"*}"
    [ "$got" -eq "$status" ] || printf '%s\n' "$out" | sed 's/^/# /'
}

exports() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u; }
for names in src/cudart/names*.txt; do
    version=${names##*/names}
    version=${version%.txt}
    exports "$libraries/libcudart.so.$version" >"$work/exports"
    LC_ALL=C sort -c "$names" && sort "$names" >"$work/names"
    same "libcudart.so.$version exports what its list names" "$work/exports" "$work/names"
    ok "under one version node" bash -c "nm -D '$libraries/libcudart.so.$version' |
        grep -q ' cudaMalloc@@libcudart.so.$version\$'"
done
real=${CUDA_HOME:-/usr/local/cuda}/lib64/libcudart.so.13
if [ -f "$real" ]; then
    exports "$real" >"$work/real"
    sort src/cudart/names13.txt >"$work/names"
    same "the list is that of NVIDIA's library" "$work/names" "$work/real"
else
    skip "the list is that of NVIDIA's library" "there is no $real"
fi

for old in 12 11.0; do
    ok "a program in plain C for $old builds" gcc -std=c11 -Wall -Wextra -Werror -O1 "${san[@]}" -Isrc \
        "-DHD_CUDART=${old%.*}" -o "$work/old" tests/cudart/programs/plain.c "$libraries/libcudart.so.$old" \
        "$libraries/libcuda.so.1"
    says "it runs on libcudart.so.$old" 0 "mixed" "$work/old"
done
ok "a program in plain C builds" gcc -std=c11 -Wall -Wextra -Werror -O1 "${san[@]}" -Isrc \
    -o "$work/plain" tests/cudart/programs/plain.c "$libraries/libcudart.so.13" "$libraries/libcuda.so.1"
says "it runs" 0 "values
properties of heddle rtx2060
mixed" "$work/plain"
says "without timing" 0 "values" env HEDDLE_FUNCTIONAL=1 "$work/plain"
says "machine code only" 0 "cudaErrorNoKernelImageForDevice cudaErrorNoKernelImageForDevice" "$work/plain" sass
says "is told with advice" 0 "code=compute_75" "$work/plain" sass
ok "once, with the kernel's name" test "$("$work/plain" sass 2>&1 | grep -c 'kernel scale')" -eq 1
says "what is missing is refused" 0 "801 801" "$work/plain" missing
ok "and said once" test "$("$work/plain" missing 2>&1 | grep -c 'cudaGraphAddExternalSemaphoresSignalNode is not supported')" -eq 1
bad=0
for seed in $(seq 1 "${HEDDLE_DAMAGES:-60}"); do
    "$work/plain" damage "$seed" >/dev/null 2>&1 || bad=$seed
done
ok "damaged fatbins do no harm" test "$bad" -eq 0
says "no device" 0 "" env HEDDLE_GPU=gtx999 "$work/plain" damage 1

ok "a program of threads and callbacks builds" gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 "${san[@]}" \
    -Isrc -o "$work/locks" tests/cudart/programs/locks.c "$libraries/libcudart.so.13" \
    "$libraries/libcuda.so.1" -lpthread -ldl
ok "its plug-in" gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 "${san[@]}" -DPLUGIN -shared -fPIC -Isrc \
    -o "$work/plugin.so" tests/cudart/programs/locks.c "$libraries/libcudart.so.13"
says "nobody waits for ever" 0 "host function 1
plugin
user object 2
occupancy 1 1
asked 1" timeout 60 "$work/locks" "$work/plugin.so"
ok "a program of the management library builds" gcc -std=c11 -Wall -Wextra -Werror -O1 "${san[@]}" -Isrc \
    -o "$work/nvml" tests/cudart/programs/nvml.c "$libraries/libnvidia-ml.so.1" "$libraries/libcuda.so.1"
says "it knows name, memory and clocks, and what it does not" 0 "all right" "$work/nvml"

nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
if [ ! -x "$nvcc" ]; then
    skip "programs of nvcc" "there is no nvcc"
    finish
    exit
fi
if [ "${#san[@]}" -gt 0 ]; then
    skip "programs of nvcc" "they are not built with sanitizers"
    finish
    exit
fi
export PATH=${nvcc%/*}:$PATH
# build NAME FLAGS...: a program of nvcc
build() { nvcc -cudart shared -Wno-deprecated-declarations -o "$work/$1" "${@:2}"; }
programs=tests/cudart/programs

for source in "$programs"/*.cu; do
    name=$(basename "$source" .cu)
    case $name in algorithms | children) continue ;; esac
    ok "$name builds" build "$name" "$source"
    says "$name runs" 0 "all right" "$work/$name"
    says "$name runs without timing" 0 "all right" env HEDDLE_FUNCTIONAL=1 "$work/$name"
done

ok "a program of CUDA 3 builds" build historic -I sdk/compat -include heddle_legacy.h "$programs/historic/cutil.cu"
says "a program of CUDA 3 runs" 0 "heddle rtx2060: 1365000 kHz, mode 0, overlap 1, timeout 0
PASSED, 3 rounds" "$work/historic" --rounds=3

ok "a program of SDK 4 builds" build sdk4 -I sdk/compat -include heddle_legacy.h "$programs/historic/sdk4.cu"
says "a program of SDK 4 runs" 0 "[sdk4] starting...

four: 4 rounds
[sdk4] test results...
PASSED" "$work/sdk4" --rounds=4 -name=four

# A makefile of 2010: an architecture that is gone, device emulation, gcc links.
old_nvcc=$PWD/sdk/compat/bin/nvcc
for flags in "-arch=sm_20" "-arch sm_13 -deviceemu" "-gencode arch=compute_20,code=sm_20 -gencode=arch=compute_75,code=compute_75"; do
    # shellcheck disable=SC2086 # flags are words
    ok "the CUDA half builds with $flags" "$old_nvcc" $flags -c -o "$work/kernel.o" "$programs/historic/kernel.cu"
done
# Texture and surface references, which the language has lost; a program that has errors keeps its own.
ok "references build" "$old_nvcc" -w -arch=sm_20 -o "$work/references" "$programs/cuda11/references.cu"
says "references run" 0 "all right" "$work/references"
says "references run without timing" 0 "all right" env HEDDLE_FUNCTIONAL=1 "$work/references"
echo 'int texture = 1; int main() { return missing; }' >"$work/broken.cu"
refuses_it() { ! "$old_nvcc" -o "$work/broken" "$work/broken.cu" 2>"$work/broken.txt" && grep -q '"missing" is undefined' "$work/broken.txt"; }
ok "errors of a program come through once" refuses_it
ok "gcc builds and links the C half" gcc -o "$work/halves" "$programs/historic/main.c" "$work/kernel.o" \
    "$libraries/libcudart.so.13" "$libraries/libcuda.so.1"
says "both halves run" 1 "0 wrong
$programs/historic/kernel.cu:" "$work/halves"
# The toolkit's folder in the makefile's own words comes before what the wrapper adds.
ok "what CUDA 13 has taken out of its headers is there" "$old_nvcc" -arch=sm_75 -std=c++11 -I "$(dirname "$nvcc")/../include" \
    -o "$work/removed" "$programs/historic/removed.cu" "$programs/historic/removed_host.cpp" -L "$libraries" -lcuda -lnvidia-ml \
    -L "$(dirname "$nvcc")/../lib64/stubs"
says "and works" 0 "all right" "$work/removed"
says "a wrapper without an nvcc behind it" 127 "no other nvcc" env PATH=/usr/bin:/bin CUDA_HOME= \
    bash -c "sed 's|/usr/local/cuda/bin|/nowhere|' '$old_nvcc' >'$work/nvcc' && chmod +x '$work/nvcc' && '$work/nvcc' -V"
ok "a program whose kernels launch kernels builds" build children -rdc=true "$programs/children.cu" -lcudadevrt
says "it runs" 0 "all right" "$work/children"
says "and without timing" 0 "all right" env HEDDLE_FUNCTIONAL=1 "$work/children"
says "inspect leaves the device's runtime out" 0 "device runtime" "$HEDDLE" inspect "$work/children"
ok "and understands the rest" bash -c "'$HEDDLE' inspect '$work/children' | tail -n 1 | grep -qx 'can run'"
says "a trace of it is refused" 2 "a trace cannot hold kernels that kernels launch" "$HEDDLE" exec --quiet \
    --record "$work/trace" -- "$work/children"
says "and with streams of threads" 0 "all right" bash -c "cd '$PWD' && '$nvcc' -cudart shared -rdc=true \
    -default-stream per-thread -o '$work/children' $programs/children.cu -lcudadevrt && '$work/children'"

# CUB's kernels for sm_75 want the registers of an sm_75.
ok "algorithms builds" build algorithms -std=c++17 -gencode arch=compute_75,code=compute_75 "$programs/algorithms.cu"
says "algorithms runs" 0 "all right" env HEDDLE_FUNCTIONAL=1 HEDDLE_SET=sm.registers=65536 "$work/algorithms"

for library in first second; do
    ok "the $library library builds" build "lib$library.so" -shared -Xcompiler -fPIC "-DNAME=${library}_library" \
        "-DFACTOR=$([ $library = first ] && echo 2 || echo 3)" "$programs/units/library.cu"
done
ok "a program of units builds" build units -rdc=true "$programs/units/main.cu" "$programs/units/other.cu" \
    "$programs/units/third.cu" -L"$work" -lfirst -lsecond
export LD_LIBRARY_PATH=$libraries:$work
says "units and libraries run" 0 "thread 3 of heddle says 0.50" "$work/units"
says "and are right" 0 "all right" "$work/units"

# What nvcc may do to device code on its way into the program.
while read -r what flags; do
    # shellcheck disable=SC2086 # flags are words
    ok "small builds, $what" build small $flags "$programs/small/small.cu"
    says "small runs, $what" 0 "10000 launches" env HEDDLE_FUNCTIONAL=1 "$work/small"
done <<'END'
lz4 -gencode arch=compute_75,code=compute_75 -Xfatbin -compress-mode=speed
raw -gencode arch=compute_75,code=compute_75 -no-compress
debug -G -arch=sm_75
several -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=[sm_80,compute_80]
streams -default-stream per-thread
END
ok "small builds, machine code" build small -gencode arch=compute_75,code=sm_75 "$programs/small/small.cu"
says "small is told what is wrong" 1 "code=compute_75" "$work/small"
says "with the kernel's name" 1 "kernel _Z9incrementPi" "$work/small"
says "and by the error's name" 1 "cudaErrorNoKernelImageForDevice" "$work/small"
finish
