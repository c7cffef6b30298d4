#!/usr/bin/env bash
# test_policies.sh - every workload, size test, under two warp policies: others with every commit, so
# that all pairs come round in as many commits as there are policies, halved. ROTATION=N is the choice
# of the N-th commit again; `make matrix` runs all pairs.
. tests/tap.sh
: "${HEDDLE:?is the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
each=2

rotation=${ROTATION:-$(git rev-list --count HEAD 2>/dev/null || echo 0)}
mapfile -t policies < <("$HEDDLE" list policies | awk 'NR > 1 && $2 ~ /(^|,)sched(,|$)/ { print $1 }')
names=(workloads/*/host.c)
echo "# rotation $rotation: $each of ${#policies[@]} policies for each of ${#names[@]} workloads"
[ ${#policies[@]} -gt 1 ] || exit 1

verifies() { # NAME POLICY
    "$HEDDLE" run "$1" --size test --sched "$2" --no-host --quiet --json "$work/run.json" &&
        grep -q '"verified": true' "$work/run.json"
}

for i in "${!names[@]}"; do
    name=$(basename "$(dirname "${names[i]}")")
    for ((k = 0; k < each; k++)); do
        policy=${policies[((i + rotation) * each + k) % ${#policies[@]}]}
        ok "$name under $policy" verifies "$name" "$policy"
    done
done
finish
