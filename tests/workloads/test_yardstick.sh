#!/usr/bin/env bash
# test_yardstick.sh - the LFWS paper's applications, with the paper's input, execute about what its
# Table 2 (papers/lfws.ini) says: all instructions, and the share of long operations, within 20 %.
# Without timing, and the quick ones only; YARDSTICK=all takes those of more than 700 million
# instructions too. Where ours cannot meet it, the reason stands below and in the workload's README.
. tests/shared/tap.sh
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
: "${HEDDLE:?is the program to test}"

quick=700
[ "${YARDSTICK:-}" = all ] && quick=1000000
declare -A missed=(
    [AES]="ours counts its texture fetches as long operations, the paper's number leaves no room for them"
    [MUM]="the same, and nodes by number in a row instead of packed ones by coordinates take half the instructions"
)

# LABEL LONG PERCENT of every application
apps() {
    awk '/^\[/ { if (label) print label, long, percent; label = "" }
        /^\[app / { label = substr($2, 1, length($2) - 1) }
        $1 == "long" { long = $3 } $1 == "percent" { percent = $3 }' papers/lfws.ini
}

near() { # LABEL LONG PERCENT
    "$HEDDLE" run "@lfws:$1" --size paper --functional-only --quiet --no-host --json - |
        python3 -c '
import json, sys
run, long, percent = json.load(sys.stdin), float(sys.argv[1]), float(sys.argv[2])
ours = [sum(k[key] for k in run["kernels"]) for key in ("thread_insts", "long_insts")]
rows = ("instructions", ours[0], 100 * long / percent), ("percent long", 100 * ours[1] / ours[0], percent)
for name, mine, paper in rows:
    print("%s: %g, in the paper %g" % (name, mine, paper))
within = all(0.8 <= mine / paper <= 1.2 for _, mine, paper in rows)
sys.exit(0 if run["verified"] and within else 1)' "$2" "$3"
}

while read -r label long percent; do
    million=$(awk -v l="$long" -v p="$percent" 'BEGIN { printf "%d", l / p / 1e4 }')
    if ! "$HEDDLE" list workloads | grep -qw "lfws:$label"; then
        echo "# $label is no workload yet"
    elif [ -n "${missed[$label]:-}" ]; then
        echo "# $label: ${missed[$label]}"
    elif [ "$million" -le "$quick" ]; then
        ok "$label within 20 % of Table 2" near "$label" "$long" "$percent"
    fi
done < <(apps)
finish
