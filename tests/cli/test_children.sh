#!/usr/bin/env bash
# test_children.sh - kernels that launch kernels, from a job: every policy in every slot computes the
# same, skipping idle cycles changes nothing, and results say who launched whom.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$HEDDLE_BUILD/heddle

words() { python3 -c 'import struct, sys; sys.stdout.buffer.write(b"".join(struct.pack("<I", eval(x)) for x in sys.argv[1:]))' "$@"; }
words 6 0 1 2 3 4 5 >"$work/in_order"
words 6 1 1 1 100 101 102 >"$work/tail"
# shellcheck disable=SC2046 # words are wanted
words $(for i in $(seq 0 31); do echo "10+1000102*$i"; done) >"$work/mixed"
words 40 >"$work/flood"
cat >"$work/children.job" <<END
ptx $PWD/tests/cuda/children.ptx
buf ordered 32768 zero
buf tail 16384 zero
buf mixed 128 zero
buf seen 128 zero
buf notes 16384 zero
buf failed 4 zero
launch in_order 2 1 1 1 1 1 0 p:ordered u:6
launch tail 1 1 1 1 1 1 0 p:tail
launch give_mixed 1 1 1 32 1 1 0 p:mixed p:seen
launch flood 4 1 1 10 1 1 0 p:notes p:failed u:1
check ordered 28 in_order exact
check tail 28 tail exact
check mixed 128 mixed exact
check notes 4 flood exact
END

run() { timeout 120 "$heddle" run "$work/children.job" --no-host "$@" >"$work/out" 2>&1; }
# Short launches, so that children and parents meet.
soon=(--set launch.base=300 --set launch.per_child=20)

ok "a job runs" run --json "$work/run.json"
ok "results say who launched whom" python3 - "$work/run.json" <<'END'
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
assert [k["launch"] for k in kernels] == list(range(len(kernels)))
for k in kernels:
    parent = k["parent"]
    if parent is None:
        assert k["depth"] == 0 and k["name"] in ("in_order", "tail", "give_mixed", "flood")
        continue
    of = kernels[parent["launch"]]
    assert of["launch"] < k["launch"] and k["depth"] == of["depth"] + 1
    assert parent["block"] < of["grid"][0]
    assert of["start_cycle"] < parent["cycle"] < of["end_cycle"]
    assert parent["cycle"] + 20210 + 1721 <= k["start_cycle"] < k["end_cycle"]
    assert k["complete_cycle"] <= of["complete_cycle"]
assert sum(k["name"] == "note" and k["depth"] == 2 for k in kernels) == 2
assert sum(k["parent"] is not None for k in kernels) == 12 + 8 + 32 + 40
END
# Between kernels the SMs are idle for no kernel, in the counters and in the profile.
ok "a profile of them adds up" timeout 120 "$heddle" annotate "$work/children.job" --sched gto --no-host --quiet \
    --json "$work/profile.json"
ok "in the database too" timeout 120 "$heddle" compare "$work/children.job" --sched gto --no-host --quiet --db "$work/children.db"
ok "they fit their schema" python3 -c '
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit()
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open("docs/run.schema.json")))' "$work/run.json"
ok "with every cycle stepped" run --no-skip "${soon[@]}" --json "$work/steps.json"
ok "and with idle ones skipped" run "${soon[@]}" --json "$work/skips.json"
sed -i 's/"no_skip": true/"no_skip": false/' "$work/steps.json"
same "the results are the same" "$work/steps.json" "$work/skips.json"
cat >"$work/totals.py" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
totals, kernels = run["totals"], run["kernels"]
# Kernels run at the same time, so that their sum is not the time that passed.
assert totals["cycles"] == sum(k["cycles"] for k in kernels)
assert totals["elapsed_cycles"] != totals["cycles"]
host = [k for k in kernels if k["parent"] is None]
assert totals["elapsed_cycles"] == sum(k["complete_cycle"] - k["start_cycle"] for k in host)
for k in kernels:
    c = k["counters"]
    assert c["l1d_read_hits"] <= c["l1d_reads"] <= c["l1d_accesses"]
END
ok "their time is counted once" python3 "$work/totals.py" "$work/skips.json"
cat >"$work/waits.py" <<'END'
import json, sys
from collections import Counter
kernels, waits = json.load(open(sys.argv[1]))["kernels"], sys.argv[2] == "1"
base, each = map(int, sys.argv[3:])
# Each block of these kernels is one warp.
launches = {}
for k in kernels:
    if k["parent"]:
        p = k["parent"]
        launches.setdefault((p["launch"], p["block"]), Counter())[p["cycle"]] += 1
steps = [
    (next_cycle - cycle, base + each * of[cycle])
    for of in launches.values()
    for cycle, next_cycle in zip(sorted(of), sorted(of)[1:])
]
assert steps
if waits:
    assert all(step > wait for step, wait in steps), steps
    # Other warps and memory may keep it from the next launch for some time, but not always.
    assert any(step < wait + 1000 for step, wait in steps), steps
else:
    assert any(step <= wait for step, wait in steps), steps
END
ok "a warp goes on after a launch" python3 "$work/waits.py" "$work/skips.json" 0 300 20
ok "launch.wait" run --set launch.wait=1 "${soon[@]}" --json "$work/waits.json"
ok "lets it wait" python3 "$work/waits.py" "$work/waits.json" 1 300 20
ok "launch.wait, every cycle stepped" run --set launch.wait=1 --no-skip "${soon[@]}" --json "$work/steps.json"
sed -i 's/"no_skip": true/"no_skip": false/' "$work/steps.json"
same "with the same results" "$work/steps.json" "$work/waits.json"
cat >"$work/meets.py" <<'END'
import json, sys
kernels, one = json.load(open(sys.argv[1]))["kernels"], sys.argv[2] == "block"
of = {}
for k in kernels:
    if k["parent"]:
        of.setdefault((k["parent"]["launch"], k["parent"]["block"]), []).append((k["start_cycle"], k["complete_cycle"]))
meet = sum(b[0] < a[1] for children in of.values() for a, b in zip(sorted(children), sorted(children)[1:]))
print(meet)
sys.exit(bool(meet) == one)
END
for streams in program block; do
    ok "launch.streams=$streams" run --set launch.streams=$streams --gpu laser "${soon[@]}" --json "$work/streams.json"
    ok "says whether children of a block may meet" python3 "$work/meets.py" "$work/streams.json" $streams
    ok "launch.streams=$streams without timing" run --set launch.streams=$streams --functional-only
done
ok "a wait longer than the watchdog's" run --set launch.wait=1 --set launch.base=3000 --set gpu.deadlock_after=1000
for wait in 0 1; do
    ok "launch.wait=$wait: than both of the watchdog's" run --set launch.wait=$wait --set launch.base=50000 \
        --set gpu.deadlock_after=3000 --set gpu.livelock_after=4000
done
ok "without timing" run --functional-only
ok "with the whole memory system" run --gpu gtx480 "${soon[@]}"
ok "one kernel at a time" run --set launch.kernels=1 "${soon[@]}"
ok "32 at a time" run --gpu laser "${soon[@]}"
ok "what launches cost in LASER's Table 1" run --gpu laser --json "$work/laser.json"
ok "is how long a warp waits there" python3 "$work/waits.py" "$work/laser.json" 1 20210 1721
ok "with recorded metrics" run --metrics --timeline "$work/timeline" "${soon[@]}"

while read -r policy slots; do
    for slot in ${slots//,/ }; do
        ok "--$slot $policy" run --gpu debug-flatmem "--$slot" "$policy" "${soon[@]}"
    done
done < <("$heddle" list policies | awk 'NR > 1 && $2 { print $1, $2 }')

ok "a child's registers can be chosen" run --set kernel.note.regs=20 --json "$work/regs.json"
ok "and count for it" python3 -c '
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
assert {(k["regs"], k["regs_source"]) for k in kernels if k["name"] == "note"} == {(20, "set")}
' "$work/regs.json"
run --record "$work/trace"
ok "a trace is refused" test $? -eq 2
ok "with the reason" grep -q "a trace cannot hold kernels that kernels launch" "$work/out"
ok "and not written" test ! -e "$work/trace"
finish
