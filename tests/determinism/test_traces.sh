#!/usr/bin/env bash
# A replay has the cycles and counters of the program, whatever the policy: every job, and a third of
# the workloads that changes with every commit (ROTATION=N is the choice of the N-th commit again,
# TEST_ALL=1 takes all), recorded without timing, under policies that take turns. What depends on time
# must be refused, and replays on the machine it was recorded on.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob

mapfile -t policies < <("$HEDDLE" list policies | awk 'NR > 1 && $2 ~ /^sched/ { print $1 }')
[ "${#policies[@]}" -gt 9 ] || { echo "not the policies"; exit 1; }
turn=0

alike() { # JSON JSON: but for what a replay cannot know
    /usr/bin/python3 - "$@" <<'PYTHON'
import json, sys
one, two = [json.load(open(f)) for f in sys.argv[1:]]
assert two["source"] == "trace" and two["verified"] is None, two["source"]
for run in one, two:
    del run["source"], run["verified"], run["checks"], run["options"]["no_skip"]
assert one["kernels"], "nothing ran"
assert one == two, [k for k in one if one[k] != two.get(k)]
PYTHON
}

replays() { # TRACE OPTION...: as the program $what does
    local trace=$1
    shift
    "$HEDDLE" run "${what[@]}" "$@" --no-host --quiet --out "$work" --json "$work/a.json" &&
        "$HEDDLE" run "$trace" "$@" $no_skip --no-host --quiet --json "$work/b.json" &&
        alike "$work/a.json" "$work/b.json"
}

refused() { # TRACE OPTION...
    "$HEDDLE" run "$@" --quiet 2>"$work/why"
    [ $? -eq 2 ] && grep -q "not replayable" "$work/why"
}

try() { # NAME
    local sched=${policies[turn % ${#policies[@]}]} other=${policies[(turn + 5) % ${#policies[@]}]}
    no_skip=
    [ $((turn % 4)) -eq 0 ] && no_skip=--no-skip
    rm -f "$work/t.trace"
    "$HEDDLE" run "${what[@]}" --functional-only --quiet --out "$work" --record "$work/t.trace" ||
        return 1
    refused "$work/t.trace" || { replays "$work/t.trace" --sched "$sched"; return; }
    echo "$1" >>"$work/dependent"
    "$HEDDLE" run "${what[@]}" --sched "$other" --quiet --out "$work" --record "$work/u.trace" &&
        refused "$work/u.trace" --sched "$sched" && replays "$work/u.trace" --sched "$other"
}

for job in workloads/kernels/*/*.job tests/accuracy/jobs/*/*.job; do
    what=("$job")
    turn=$((turn + 1))
    ok "$(basename "$job" .job)" try "$(basename "$job" .job)"
done
# In these, atomics take turns, or a flag is raised while others look at it.
depend=(bfs_queue bfs reduction)
rotation=${ROTATION:-$(git rev-list --count HEAD 2>/dev/null || echo 0)}
for host in workloads/*/host.c; do
    name=$(basename "$(dirname "$host")")
    what=("$name" --size test)
    turn=$((turn + 1))
    [[ -n ${TEST_ALL:-} || $(((turn + rotation) % 3)) -eq 0 || " ${depend[*]} " = *" $name "* ]] || continue
    ok "$name" try "$name"
done
for name in "${depend[@]}"; do
    ok "$name depends on time" grep -qx "$name" "$work/dependent"
done
ok "few do" test "$(wc -l <"$work/dependent")" -lt $((turn / 4))
finish
