#!/usr/bin/env bash
# test_policies.sh - every workload, size test, under two warp policies: others with every commit, so
# that all pairs come round in as many commits as there are policies, halved. ROTATION=N is the choice
# of the N-th commit again; `make matrix` runs all pairs.
#
# The run under the first is recorded, and replayed under the second: that gives the results of the run
# under the second. What a program does may depend on time; then the trace must be refused there, and
# its replay under the first gives the results of the run it was recorded from. A workload whose kernels
# launch kernels cannot be recorded: it launches the same under both.
. tests/shared/tap.sh
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
: "${HEDDLE:?is the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
each=2

rotation=${ROTATION:-$(git rev-list --count HEAD 2>/dev/null || echo 0)}
mapfile -t policies < <("$HEDDLE" list policies | awk 'NR > 1 && $2 ~ /(^|,)sched(,|$)/ { print $1 }')
mapfile -t names < <(tools/workload-names.sh)
dynamic=" $(tools/workload-names.sh --dynamic | tr '\n' ' ')"
echo "# rotation $rotation: $each of ${#policies[@]} policies for each of ${#names[@]} workloads"
[ ${#policies[@]} -gt 1 ] || exit 1

simulate() { # WHAT POLICY JSON OPTION...
    "$HEDDLE" run "$1" --sched "$2" --no-host --quiet --json "$work/$3" "${@:4}"
}
verifies() { # NAME POLICY JSON OPTION...
    simulate "$1" "$2" "$3" --size test "${@:4}" && grep -q '"verified": true' "$work/$3"
}
# JSON JSON: alike, but that a replay has no values to verify
alike() {
    python3 - "$work/$1" "$work/$2" <<'PYTHON'
import json, sys
direct, replayed = [json.load(open(f)) for f in sys.argv[1:]]
assert (direct["source"], replayed["source"]) == ("program", "trace")
for run in direct, replayed:
    del run["source"], run["verified"], run["checks"]
assert direct["kernels"], "nothing ran"
assert direct == replayed, [k for k in direct if direct[k] != replayed.get(k)]
PYTHON
}
replays() { # POLICY POLICY: those of recorded.json and direct.json
    rm -f "$work/replayed.json"
    if simulate "$work/trace.trace" "$2" replayed.json 2>"$work/said"; then
        alike direct.json replayed.json
    else
        grep -q 'not replayable with' "$work/said" || { cat "$work/said" && return 1; }
        simulate "$work/trace.trace" "$1" replayed.json && alike recorded.json replayed.json
    fi
}

# JSON JSON: whatever the policy, the same kernels were launched from the same places
same_launches() {
    python3 - "$work/$1" "$work/$2" <<'PYTHON'
import json, sys
runs = [json.load(open(f))["kernels"] for f in sys.argv[1:]]
def key(kernels, k):
    p = k["parent"]
    above = key(kernels, kernels[p["launch"]]) + (p["block"],) if p else ()
    return above + (k["name"], tuple(k["grid"]), tuple(k["block"]))
one, two = [sorted(key(r, k) for k in r) for r in runs]
assert any(k["parent"] for k in runs[0]), "no kernel was launched by a kernel"
assert one == two, "%d and %d kernels" % (len(one), len(two))
PYTHON
}

for i in "${!names[@]}"; do
    name=${names[i]}
    first=${policies[((i + rotation) * each) % ${#policies[@]}]}
    second=${policies[((i + rotation) * each + 1) % ${#policies[@]}]}
    rm -f "$work"/*
    if [[ $dynamic = *" $name "* ]]; then # a trace cannot hold it
        ok "$name under $first" verifies "$name" "$first" one.json --gpu laser
        ok "$name under $second" verifies "$name" "$second" two.json --gpu laser
        ok "$name launches the same" same_launches one.json two.json
        continue
    fi
    ok "$name under $first" verifies "$name" "$first" recorded.json --record "$work/trace.trace"
    ok "$name under $second" verifies "$name" "$second" direct.json
    ok "$name replayed" replays "$first" "$second"
done
finish
