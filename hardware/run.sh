#!/usr/bin/env bash
# run.sh - measures a GPU, or a modelled machine in the same way, for heddle correlate.
#
# usage: hardware/run.sh [--model GPU] [--size test|small|paper] [--only NAME,...] [--set KEY=VALUE,...] [--quick] OUT.csv
#
# Without --model it needs a GPU from Turing on with its driver, a C compiler, and cuda.h
# (CUDA=/usr/local/cuda, or where the toolkit is). With --model the same programs, which need no GPU
# then, run under heddle exec. --only chooses parts: micro and names of workloads (default: micro and
# every workload that runs on a GPU). --quick leaves out measurements that take long in a model. Each
# part is appended to OUT.csv when it ends; a part that is there already is not measured again. Exit
# status 0, 1 if a workload's results were wrong, 2 if something could not run.
set -u
cd "$(dirname "$0")/.." || exit 2

usage() {
    sed -n '4p' "$0" | sed 's/^# //' >&2
    exit 2
}
model='' size=small only='' sets='' quick=''
while [ $# -gt 1 ]; do
    case $1 in
    --quick) quick=quick && shift && continue ;;
    --model) model=$2 ;;
    --size) size=$2 ;;
    --only) only=$2 ;;
    --set) sets=$2 ;;
    *) usage ;;
    esac
    shift 2
done
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || usage
case $1 in /*) out=$1 ;; *) out=${OLDPWD:-.}/$1 ;; esac

build=$(make -s hardware-folder) || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chosen() { [ -z "$only" ] || [[ ",$only," == *",$1,"* ]]; }
done_already() { [ -f "$out" ] && grep -q "^# done $1\$" "$out"; }

# Only what is chosen is built.
targets=()
chosen micro && targets+=("$build/hardware/measure")
while read -r name; do
    chosen "$name" && targets+=("$build/workloads/$name/real")
done < <(tools/workload-names.sh --static)
[ ${#targets[@]} -gt 0 ] || { echo "run.sh: nothing is called $only" >&2; exit 2; }
make -s "${targets[@]}" || exit 2

# on_machine FOLDER COMMAND...: on the GPU, or under heddle exec with the registers of the workload's file
on_machine() {
    local folder=$1 word words=()
    shift
    if [ -z "$model" ]; then
        "$@"
        return
    fi
    [ -z "$folder" ] || for word in $(sed -n 's/^kernel \([^ ]*\) regs \([0-9]*\).*/kernel.\1.regs=\2/p' \
        "workloads/$folder/$folder.sm_75.regs"); do
        words+=(--set "$word")
    done
    for word in ${sets//,/ }; do
        words+=(--set "$word")
    done
    "${HEDDLE:-$build/heddle}" exec --gpu "$model" --quiet "${words[@]}" -- "$@"
}

# keep PART FILE: what was measured, at once, so that an interruption loses only one part
keep() {
    { cat "$2" && echo "# done $1"; } >>"$out" && rm -f "$2" || exit 2
}

status=0
if chosen micro && ! done_already micro; then
    on_machine '' "$build/hardware/measure" $quick >"$work/times" || exit 2
    keep micro "$work/times"
fi
while read -r name folder; do
    [ -x "$build/workloads/$name/real" ] && chosen "$name" && ! done_already "$name $size" || continue
    : >"$work/times"
    LAUNCH_TIMES=$work/times on_machine "$folder" "$build/workloads/$name/real" "$size" >"$work/said" 2>&1
    case $? in
    0) keep "$name $size" "$work/times" ;;
    1) status=1 && echo "run.sh: $name: the results differ from the host's; its times are left out" >&2 ;;
    *) status=2 && sed "s/^/run.sh: $name: /" "$work/said" >&2 ;;
    esac
done < <(tools/workload-names.sh --folders)
exit $status
