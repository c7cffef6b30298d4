#!/usr/bin/env bash
# Values don't depend on the policy nor on how large the queues are: every job that checks its
# results checks out under every policy. Meant for the stress build (make check-stress), which
# shrinks every capacity to its minimum; true in any build.
. tests/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob

value() { # JOB SCHED
    "$HEDDLE" run "$1" --sched "$2" --quiet --no-host --max-cycles 50000000 --out "$work" \
        --json "$work/run.json"
}

jobs=(jobs/*/*.job tests/jobs/*.job)
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
finish
