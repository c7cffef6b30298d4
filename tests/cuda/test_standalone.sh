#!/usr/bin/env bash
# test_standalone.sh - the workloads' host code as programs of their own: with heddle's header and
# library, on the PTX of both compilers; and built as for a machine with a GPU, against NVIDIA's
# header and stub library, where these are. There each says and takes what `heddle run` does.
set -u
. tests/shared/tap.sh

library=$HEDDLE_BUILD/libcuda.so.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!HEDDLE_@}" 2>/dev/null
export LD_LIBRARY_PATH=${library%/*} HEDDLE_NO_HOST=1
flags=(-std=c11 -D_GNU_SOURCE -O1 -Iinclude -Isrc)
nm -D "$library" | grep -q __asan_init && flags+=(-fsanitize=address,undefined)
sources=(workloads/standalone.c src/workload/work.c src/workload/work_driver.c src/run/check.c src/base/arena.c src/base/bug.c)
toolkit=${CUDA_HOME:-/usr/local/cuda}

build() { # NAME FOLDER PROGRAM FLAGS...
    gcc "${flags[@]}" -DHD_WORKLOAD="hd_workload_$1" -o "$3" "workloads/$2/host.c" "${@:4}" -lm
}
names() { tools/workload-names.sh --folders; }
dynamic=" $(tools/workload-names.sh --dynamic | tr '\n' ' ')" # have no PTX for sm_20
verifies() { "$@" 2>&1 | grep -qx "results verified"; }
# cycles FILE: of the whole run
cycles() { sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p' "$1" | head -1; }
same_cycles() { [ -n "$(cycles "$1")" ] && [ "$(cycles "$1")" = "$(cycles "$2")" ]; }

for source in "${sources[@]}"; do
    [ "$source" = workloads/standalone.c ] ||
        gcc "${flags[@]}" -c -o "$work/$(basename "$source" .c).o" "$source" || exit 1
done
while read -r name folder; do
    ok "$name builds" build "$name" "$folder" "$work/$name" workloads/standalone.c "$work"/*.o "$library"
    for target in sm_75 sm_20; do
        [ $target = sm_20 ] && [[ $dynamic = *" $name "* ]] && continue
        ok "$name, PTX for $target" env HEDDLE_FUNCTIONAL=1 bash -c "$(declare -f verifies)
            verifies $work/$name test 3 workloads/$folder/$folder.$target.ptx"
    done
done < <(names)
ok "a wrong size is told" bash -c "! $work/bfs huge 2>/dev/null"

if [ ! -f "$toolkit/include/cuda.h" ] || [ ! -f "$toolkit/lib64/stubs/libcuda.so" ]; then
    skip "workloads for NVIDIA's driver" "there is no cuda.h with a stub library in $toolkit"
    finish
    exit
fi
while read -r name folder; do
    ok "$name links with NVIDIA's library" build "$name" "$folder" "$work/$name.real" "${sources[@]}" \
        -DHD_REAL_CUDA -isystem "$toolkit/include" -L"$toolkit/lib64/stubs" -lcuda
    # The registers are those of the workload's file, which heddle run takes.
    set=$(sed -n 's/^kernel \([^ ]*\) regs \([0-9]*\).*/kernel.\1.regs=\2/p' "workloads/$folder/$folder.sm_75.regs")
    "$HEDDLE" run "$name" --size test --gpu gtx480 --sched gto --no-host --quiet --json "$work/inside.json" >/dev/null
    ok "$name verifies" env HEDDLE_GPU=gtx480 HEDDLE_SET="${set//$'\n'/,}" HEDDLE_JSON="$work/outside.json" \
        "$work/$name.real" test
    ok "$name takes the cycles of heddle run" same_cycles "$work/inside.json" "$work/outside.json"
done < <(names)
finish
