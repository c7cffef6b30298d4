#!/usr/bin/env bash
# A machine with a re-execution queue in its load/store units: workloads give the right results
# whatever its keys say, the same bytes stepped, skipped, replayed and in any order of the steps, and
# what enters the queue leaves it. Without entries, nothing of it shows.
. tests/shared/cases.sh

# With a linear index and a slow L2, so that accesses are refused.
linear="--gpu elf --set l1d.hashed=0 --set l2.port=32 --set clock.net=0"
run() { # OUT WORKLOAD SCHED "KEY=VALUE ..." [OPTION...]
    local out=$1 workload=$2 sched=$3 sets=() key
    for key in $4; do sets+=(--set "requeue.$key"); done
    "$heddle" run "$workload" $linear --sched "$sched" "${sets[@]}" --no-host --quiet \
        --json "$work/$out.json" "${@:5}"
}

sound() { # the results are right, and the queue was used and is empty again
    /usr/bin/python3 - "$work/first.json" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
assert run["verified"] is True, run["status"]
used = 0
for kernel in run["kernels"]:
    c = {name[8:]: n for name, n in kernel["counters"].items() if name.startswith("requeue_")}
    assert c["refused"] + c["ordered"] == c["completed"], c
    assert c["full"] * run["options"]["requeue.entries"] <= c["used"], c
    used += c["completed"]
assert used, "nothing was ever refused"
PYTHON
}

stepped() { # but for the option itself
    diff -a <(grep -v '"no_skip"' "$work/first.json") <(grep -v '"no_skip"' "$work/again.json")
}

replayed() { # the kernels of the trace are those of the program
    /usr/bin/python3 - "$work/first.json" "$work/again.json" <<'PYTHON'
import json, sys
one, two = [json.load(open(f)) for f in sys.argv[1:]]
assert two["source"] == "trace" and one["kernels"] == two["kernels"]
PYTHON
}

while read -r workload sched keys; do
    name="$workload, $sched, $keys"
    ok "$name" run first "$workload" "$sched" "$keys" --size test
    ok "$name: right results, nothing left" sound
    ok "$name, stepped" run again "$workload" "$sched" "$keys" --size test --no-skip
    ok "$name: the same, stepped" stepped
    HEDDLE_STEP_ORDER=5 ok "$name, SMs in any order" run again "$workload" "$sched" "$keys" --size test
    same "$name: the same, in any order" "$work/first.json" "$work/again.json"
done <<END
bfs gto entries=32
bfs lrr entries=1
histogram pro entries=4 idle=port
mummer elf entries=32 retry=oldest
srad ccws entries=32 per_warp=1 order=fifo
page_view_rank two_level_active entries=48 unit=access
hotspot gto entries=4 unit=access idle=port per_warp=1
convolution_separable lrr entries=32 patience=3
END

# Warps read a flag, in shared memory or in lines that are in the cache, until another warp has written it whose load
# waits in the queue: it must have its turn.
waits=tests/cli/data/requeue
for job in spin_shared spin_global; do
    ok "$job ends" run first "$waits/$job.job" gto "entries=32 patience=3000" --max-cycles 300000
    ok "$job has ended" grep -q '"status": "ok"' "$work/first.json"
    ok "$job ends, stepped" run again "$waits/$job.job" gto "entries=32 patience=3000" --max-cycles 300000 --no-skip
    ok "$job: the same, stepped" stepped
done
case_is "without patience it never ends" 3 "err:requeue.patience = 0" -- \
    "$heddle" run "$waits/spin_shared.job" $linear --sched gto --set requeue.entries=32 --set requeue.patience=0 \
    --set gpu.livelock_after=20000
# Asynchronous copies never enter the queue, and wait for the same cache.
for keys in "entries=1 per_warp=1 order=fifo unit=access idle=port" "entries=4 idle=port" "entries=32 patience=2"; do
    ok "copies, $keys" run first "$waits/copies.job" gto "$keys" --set l1d.mshrs=2
    ok "copies, $keys, stepped" run again "$waits/copies.job" gto "$keys" --set l1d.mshrs=2 --no-skip
    ok "copies, $keys: the same, stepped" stepped
done

while read -r workload sched keys; do
    ok "$workload is recorded" run first "$workload" "$sched" "$keys" --size test --record "$work/t.trace"
    ok "the trace of $workload runs" run again "$work/t.trace" "$sched" "$keys"
    ok "the trace of $workload: the same kernels" replayed
done <<END
hotspot gto entries=32
mummer lrr entries=4 per_warp=1 order=fifo
END

# Without entries the other keys do not matter, and what is counted in the queue is null.
ok "no queue" run first bfs gto "" --size test
ok "no queue, whatever its keys" run again bfs gto "entries=0 per_warp=1 order=fifo unit=access idle=port" \
    --size test
ok "the same but for the keys" diff <(grep -vE '"requeue\.|^ "set": ' "$work/first.json") \
    <(grep -vE '"requeue\.|^ "set": ' "$work/again.json")
ok "no queue, no counts" test "$(grep -c '"requeue_[a-z]*": null' "$work/first.json")" -gt 5
ok "no queue, none other" eval '! grep "\"requeue_[a-z]*\": [0-9]" "$work/first.json"'

case_is "the machine of ELF++" 0 "out:results verified" -- "$heddle" run vecadd --gpu elf++ --sched elf
case_is "its storage" 0 "out:re-execution queue: 9632 bits (1204 bytes) in an SM, 144480 bits in all 15" -- \
    "$heddle" explain elf++
case_is "a machine without one has none" 0 "out:requeue.entries" "no:re-execution queue:" -- "$heddle" explain elf
case_is "explain the queue" 0 "out:component requeue:" "out:per_warp" "out:requeue_ordered" \
    "out:301 bits an entry; 9632 bits (1204 bytes) in an SM with 32 entries" -- "$heddle" explain requeue
case_is "too many entries" 2 "err:requeue" "err:48" -- "$heddle" run vecadd --set requeue.entries=49
case_is "an order that there is not" 2 "err:expected one of weak, fifo" -- \
    "$heddle" run vecadd --set requeue.order=lifo
case_is "another name of the section" 2 "err:did you mean requeue.entries?" -- \
    "$heddle" run vecadd --set newcar.entries=32
finish
