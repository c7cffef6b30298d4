#!/usr/bin/env bash
# Values don't depend on the policy nor on how large the queues are: every job that checks its
# results checks out under every policy, and so do the workloads and the jobs of the accuracy
# measurement, which are longer, under two. Meant for the stress build (make check-stress), which
# shrinks every capacity to its minimum; true in any build.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob

value() { # JOB SCHED [OPTION...]
    local job=$1 sched=$2
    shift 2
    "$HEDDLE" run "$job" --sched "$sched" "$@" --quiet --no-host --max-cycles 50000000 --out "$work" \
        --json "$work/run.json"
}

jobs=(workloads/kernels/*/*.job)
[ ${#jobs[@]} -gt 0 ] || { echo "no jobs"; exit 77; }
policies=$("$HEDDLE" list policies | awk '$2 ~ /sched/ { print $1 }')
ok "there are policies" test -n "$policies"
for job in "${jobs[@]}"; do
    grep -q '^[ \t]*check ' "$job" || {
        skip "$(basename "$job" .job)" "the job checks nothing"
        continue
    }
    for sched in $policies; do
        ok "$(basename "$job" .job) $sched" value "$job" "$sched"
    done
done
longer=(tests/accuracy/jobs/*/*.job)
workloads=$("$HEDDLE" list workloads | awk 'NR > 1 && !/[(]a job[)]/ { print $1 }')
ok "there are workloads and longer jobs" test -n "$workloads" -a "${#longer[@]}" -gt 10
for sched in lrr gto; do
    for workload in $workloads; do
        ok "$workload $sched" value "$workload" "$sched" --size test
    done
    for job in "${longer[@]}"; do
        grep -q '^[ \t]*check ' "$job" && ok "$(basename "$job" .job) $sched" value "$job" "$sched"
    done
done
finish
