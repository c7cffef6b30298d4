#!/usr/bin/env bash
# Simulated cycles and instruction counts are what was reviewed: each shipped job (workloads/kernels/)
# on each machine of GPUS under each of SCHEDS against tests/golden/GPU/JOB.SCHED.golden. With
# --write the goldens are written instead (`make golden`); a moved number is a diff that someone
# signs.
. tests/shared/tap.sh
GPUS="debug-flatmem gtx480"
SCHEDS="lrr gto"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob

facts() { # JOB GPU SCHED: its facts on standard output
    local json
    json=$work/$(basename "$1" .job).json
    "$HEDDLE" run "$1" --gpu "$2" --sched "$3" --quiet --no-host --out "$work" --json "$json" \
        >"$work/log" 2>&1 || {
        echo "heddle run $1 --gpu $2 --sched $3: exit status $?"
        tail -n 3 "$work/log"
        return 1
    }
    "$HEDDLE_BUILD/tests/golden/facts" "$json"
}

compare() { # JOB GPU SCHED GOLDEN
    [ -f "$4" ] || {
        echo "no $4; if the numbers are right, make golden"
        return 1
    }
    facts "$1" "$2" "$3" >"$work/now" || {
        cat "$work/now"
        return 1
    }
    diff -u --label "$4" --label "this build" "$4" "$work/now"
}

write() { # JOB GPU SCHED GOLDEN
    facts "$1" "$2" "$3" >"$work/new" || {
        cat "$work/new"
        exit 1
    }
    mkdir -p "$(dirname "$4")"
    cmp -s "$work/new" "$4" || { cp "$work/new" "$4" && echo "wrote $4"; }
}

jobs=(workloads/kernels/*/*.job)
[ ${#jobs[@]} -gt 0 ] || { echo "no jobs"; exit 77; }
for job in "${jobs[@]}"; do
    name=$(basename "$job" .job)
    for gpu in $GPUS; do
        for sched in $SCHEDS; do
            golden=tests/golden/$gpu/$name.$sched.golden
            if [ "${1:-}" = --write ]; then
                write "$job" "$gpu" "$sched" "$golden"
            else
                ok "$name $gpu $sched" compare "$job" "$gpu" "$sched" "$golden"
            fi
        done
    done
done
[ "${1:-}" = --write ] && exit 0

# A golden of a job that is gone would never be looked at again.
orphans() {
    local golden name status=0
    for golden in tests/golden/*/*.golden; do
        name=$(basename "$golden" | cut -d. -f1)
        compgen -G "workloads/kernels/*/$name.job" >/dev/null || {
            echo "$golden: no such job"
            status=1
        }
    done
    return $status
}
ok "every golden has its job" orphans
finish
