#!/usr/bin/env bash
# ptx-regs.sh [FILE.ptx...] - write NAME.regs beside NAME.ptx: registers and static shared memory of
# each kernel as ptxas counts them, and the threads of the blocks that a job or workload launches.
#
# Without arguments: all shipped jobs and workloads. Needs NVIDIA's ptxas, $PTXAS or in
# /usr/local/cuda/bin, and for workloads a built heddle. ptxas of CUDA 13 knows sm_75 and later only, so
# the numbers are those of sm_75, for PTX written for sm_20 too. The files are in the repository;
# nobody needs this to build.
set -u
cd "$(dirname "$0")/.." || exit 2
ptxas=${PTXAS:-$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)}
heddle=${HEDDLE:-./heddle}
[ -x "$ptxas" ] || { echo "no ptxas: *.regs left as they are"; exit 0; }
new=$(mktemp -d) || exit 2
trap 'rm -rf "$new"' EXIT
status=0

# The workloads of a folder of workloads/.
names_of() {
    tools/workload-names.sh --folders | sed -n "s/ $1\$//p"
}

# "KERNEL THREADS" of each launch of a job or workload that the module belongs to.
launches() {
    local job=${1%.ptx}.job name
    name=$(basename "$(dirname "$1")")
    if [ -e "$job" ]; then
        awk '{ sub("\r$", "") } $1 == "launch" { print $2, $6 * $7 * $8 }' "$job"
    elif [ -e "workloads/$name/host.c" ]; then
        for name in $(names_of "$name"); do
            "$heddle" run "$name" --size test --functional-only --csv - |
                awk -F, 'NR > 1 { print $5, $9 * $10 * $11 }'
        done
    fi
}

for ptx in "${@:-}"; do
    [ -n "$ptx" ] && files+=("$ptx")
done
[ $# -gt 0 ] || files=(workloads/kernels/*/*.ptx tests/accuracy/jobs/*/*.ptx workloads/*/*.sm_75.ptx)
for ptx in "${files[@]}"; do
    name=$(basename "$(dirname "$ptx")")
    if [ ! -e "${ptx%.ptx}.job" ] && [ -e "workloads/$name/host.c" ] &&
        ! "$heddle" list workloads 2>/dev/null | grep -q "^$(names_of "$name" | head -n 1) "; then
        echo "$heddle does not know workload $name, whose launches say how many threads a block has: run make first" >&2
        status=1
        continue
    fi
    separate=() # functions of the device's runtime are linked later
    grep -q '__cudaCDP2LaunchDevice' "$ptx" && separate=(-c)
    "$ptxas" -v "${separate[@]}" -arch=sm_75 -o "$new/cubin" "$ptx" 2>"$new/talk" || { status=1; continue; }
    launches "$ptx" | sort -u >"$new/threads"
    {
        echo "# registers per thread and bytes of static shared memory by ptxas for sm_75; threads of a block"
        sed -n -E "s/.*entry function '([^']*)'.*/\1/p
            s/.*Used ([0-9]+) registers.*, ([0-9]+) bytes smem.*/ regs \1 smem \2/p; t
            s/.*Used ([0-9]+) registers.*/ regs \1 smem 0/p" "$new/talk" | paste -d '' - - | sort |
            awk 'NR == FNR { t[$1] = $2; next } { print "kernel " $0 (($1 in t) ? " threads " t[$1] : "") }' \
                "$new/threads" -
    } >"$new/regs"
    old=${ptx%.ptx}.regs
    cmp -s "$new/regs" "$old" && continue
    [ -e "$old" ] && echo "$old: $(diff "$old" "$new/regs" | grep -c '^[<>]') lines differ" || echo "$old: new"
    cp "$new/regs" "$old"
done
exit $status
