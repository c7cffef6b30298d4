#!/usr/bin/env bash
# --metrics and --timeline: what is summed is what the records say, worked out a second time here;
# looking changes nothing; the files are bounded and well formed.
. tests/shared/cases.sh
one=(--set sm.sms=1 --metrics) # all blocks on the SM that is recorded closely

run() { # NAME ARGUMENT...
    local name=$1
    shift
    "$heddle" run "$@" --quiet --no-host --out "$work" --json "$work/$name.json"
}
python() { /usr/bin/python3 - "$work" "$@"; }

ok "a run with metrics" run full matmul "${one[@]}" --timeline "$work/full.trace"
ok "PRO with metrics" run pro matmul "${one[@]}" --sched pro
ok "several kernels" run jacobi jacobi "${one[@]}"
ok "every cycle stepped" run stepped matmul "${one[@]}" --no-skip
ok "the warps of some kernels" run chosen btree --gpu debug-flatmem --size test "${one[@]}" --metrics-kernels "none,find"
ok "the warps of all kernels" run whole btree --gpu debug-flatmem --size test "${one[@]}"
ok "lists that turn in every cycle" run turning scan "${one[@]}" --sched two_level_active
ok "lists that turn in every cycle, stepped" run turning-stepped scan "${one[@]}" --sched two_level_active --no-skip

recomputed() { # every kernel's sums, from the records of warps and blocks
    python "$@" <<'PYTHON'
import json, sys
from collections import defaultdict
def close(a, b):
    return abs(a - b) < 1e-6
for name in sys.argv[2:]:
    run = json.load(open(f"{sys.argv[1]}/{name}.json"))
    m = run["metrics"]
    assert not any(m["lost"].values())
    for k in run["kernels"]:
        blocks = {b["block"]: b for b in m["blocks"] if b["launch"] == k["launch"]}
        rows = [w for w in m["warps"] if w["launch"] == k["launch"]]
        grid = k["grid"][0] * k["grid"][1] * k["grid"][2]
        assert len(blocks) == grid
        assert sum(b["thread_insts"] for b in blocks.values()) == k["thread_insts"]
        assert sorted(b["sequence"] for b in blocks.values()) == list(range(grid))
        waited, ended, phases = defaultdict(int), {}, defaultdict(list)
        for w in rows:
            key = (w["block"], w["warp"])
            assert w["start"] <= w["arrival"] <= w["end"]
            if w["ended"]:
                ended[key] = w["arrival"]
            else:
                waited[key] += w["end"] - w["arrival"]
            phases[w["block"], w["end"]].append(w["arrival"] - w["start"])
        life = {b: v["end"] - v["start"] for b, v in blocks.items()}
        n = len(ended)
        assert n == k["metrics"]["warps"] == sum(b["warps"] for b in blocks.values())
        assert close(sum(waited[i] / life[i[0]] for i in ended) / n, k["metrics"]["barrier_share"])
        assert close(sum((blocks[i[0]]["end"] - t) / life[i[0]] for i, t in ended.items()) / n,
                     k["metrics"]["exit_share"])
        rtru = [sum(max(t) - x for x in t) / (len(t) * max(t)) for t in phases.values()]
        assert close(sum(rtru) / len(rtru), k["metrics"]["rtru"])
        assert len(rtru) == sum(p["blocks"] for p in k["metrics"]["phases"])
        assert len(rows) == sum(p["warps"] for p in k["metrics"]["phases"])
        assert close(k["metrics"]["long_share"], k["long_insts"] / k["thread_insts"])
        assert 1 <= k["metrics"]["mshrs"] <= 32
PYTHON
}
ok "the sums are those of the records" recomputed full jacobi pro
ok "matmul has seventeen phases" grep -q '"phase": 17' "$work/full.json"
none_more() { ! grep -q '"phase": 18' "$work/full.json"; }
ok "and no more" none_more

sampled() { # each 1000 cycles; blocks stand by their state in PRO
    python <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1] + "/pro.json"))
m = run["metrics"]
assert m["sm"] == 0 and m["interval"] == 1000
assert [s["cycle"] for s in m["order"]] == [1000 * (i + 1) for i in range(len(m["order"]))]
assert len(m["order"]) == run["kernels"][0]["cycles"] // 1000
changes = sum(a["blocks"] != b["blocks"] for a, b in zip(m["order"], m["order"][1:]))
assert changes == m["order_changes"] > 0
blocks = {b["sequence"]: b for b in m["blocks"]}
at = {}
for w in m["warps"]:
    at.setdefault(w["block"], []).append(w)
placed = max(b["start"] for b in blocks.values())
def rank(b, now):  # 0: a warp has ended, while blocks wait outside; 1: at a barrier; 2: others
    warps = at[blocks[b]["block"]]
    if now < placed and any(w["ended"] and w["arrival"] <= now for w in warps):
        return 0
    return 1 if any(not w["ended"] and w["arrival"] <= now < w["end"] for w in warps) else 2
seen = set()
for s in m["order"]:
    assert all(blocks[b]["start"] < s["cycle"] <= blocks[b]["end"] for b in s["blocks"])
    ranks = [rank(b, s["cycle"]) for b in s["blocks"]]
    assert ranks == sorted(ranks), s
    seen |= set(ranks)
assert seen == {0, 1, 2}
PYTHON
}
ok "the order of blocks that PRO sorts" sampled

only_those() { # the warps of the kernels that were named, as without the choice, and all the rest
    python <<'PYTHON'
import json, sys
chosen, whole = (json.load(open(f"{sys.argv[1]}/{n}.json")) for n in ("chosen", "whole"))
names = {k["launch"]: k["name"] for k in whole["kernels"]}
assert len(set(names.values())) > 1
assert chosen["options"].pop("metrics_kernels") == "none,find"
rows = whole["metrics"]["warps"]
assert chosen["metrics"]["warps"] == [w for w in rows if names[w["launch"]] == "find"] != rows
chosen["metrics"]["warps"] = whole["metrics"]["warps"] = chosen["set"] = whole["set"] = None
chosen["metrics"]["lost"] = whole["metrics"]["lost"] = None
assert chosen == whole
PYTHON
}
ok "--metrics-kernels keeps the warps of these" only_those

same_runs() { # NAME NAME: but for how it was run
    diff <(grep -v '"no_skip"' "$work/$1.json") <(grep -v '"no_skip"' "$work/$2.json")
}
ok "skipping idle cycles is exact" same_runs full stepped
ok "also with lists that turn in every cycle" same_runs turning turning-stepped
nothing_changed() {
    run off matmul --set sm.sms=1 && python <<'PYTHON'
import json, sys
a, b = (json.load(open(f"{sys.argv[1]}/{n}.json")) for n in ("full", "off"))
assert a["metrics"] and b["metrics"] is None and b["kernels"][0]["metrics"] is None
for run in a, b:
    run["metrics"] = run["kernels"][0]["metrics"] = run["options"]["metrics"] = None
assert a == b
PYTHON
}
ok "looking changes nothing" nothing_changed

# The cycles without issue, in ELF's classes by three rules: the sums are the same.
ok "a policy whose order changes with time" run owl scan "${one[@]}" --sched owl:1:8:7
ok "a policy that pauses blocks" run dyncta scan "${one[@]}" --sched dyncta
classes() {
    python "$@" <<'PYTHON'
import json, sys
for name in sys.argv[2:]:
    for k in json.load(open(f"{sys.argv[1]}/{name}.json"))["kernels"]:
        lost = sum(k["stalls"][c] for c in ("idle", "scoreboard", "pipeline"))
        head, share = (k["metrics"]["stalls_elf_" + rule] for rule in ("head", "share"))
        assert lost > 0 and lost == sum(k["stalls_elf"].values()) == sum(head.values())
        assert abs(sum(share.values()) - lost) < 1e-6 * lost
        # The first class that any warp is in: no rule gives more to the first class.
        for rule in head, share:
            assert rule["memory_conflict"] <= k["stalls_elf"]["memory_conflict"] + 1e-6
            assert rule["other"] >= k["stalls_elf"]["other"] - 1e-6
        assert head != share != k["stalls_elf"] != head
PYTHON
}
ok "ELF's classes add up under each rule" classes full pro jacobi owl dyncta

# A warp alone is in one class at a time: the rules agree. Two warps, one of which waits at a barrier
# for the other, which waits for memory: half of the cycles are shared, none is the barrier's by the
# other rules.
cat >"$work/pair.ptx" <<'PTX'
.version 3.2
.target sm_20
.address_size 64
.visible .entry pair(.param .u64 out)
{
    .reg .pred %p; .reg .b64 %rd<4>; .reg .b32 %r<9>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
    setp.ge.u32 %p, %r1, 32;
    @%p bra WAIT;
AGAIN:
    mul.wide.u32 %rd2, %r2, 4096;
    add.s64 %rd2, %rd1, %rd2;
    ld.global.u32 %r3, [%rd2];
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p, %r2, 60;
    @%p bra AGAIN;
WAIT:
    bar.sync 0;
    st.global.u32 [%rd1], %r2;
    ret;
}
PTX
printf '%s\n' "ptx pair.ptx" "buf A 262144 zero" "launch pair 1 1 1 32 1 1 0 p:A" >"$work/alone.job"
sed 's/ 32 / 64 /' "$work/alone.job" >"$work/pair.job"
ok "a warp" run alone "$work/alone.job" "${one[@]}" --set sm.schedulers=1 --set l1i.perfect=1
ok "two warps" run pair "$work/pair.job" "${one[@]}" --set sm.schedulers=1 --set l1i.perfect=1
rules() {
    python <<'PYTHON'
import json, sys
def kernel(name):
    k = json.load(open(f"{sys.argv[1]}/{name}.json"))["kernels"][0]
    return k["stalls_elf"], k["metrics"]["stalls_elf_head"], k["metrics"]["stalls_elf_share"]
first, head, share = kernel("alone")
assert first == head == share and first["memory_dependency"] > 10000
first, head, share = kernel("pair")
m = "memory_dependency"
assert first[m] > 10000 and abs(head[m] - first[m]) < 0.01 * first[m]
assert abs(share[m] - first[m] / 2) < 0.02 * first[m]
assert share["other"] > first["other"] + 0.48 * first[m]
PYTHON
}
ok "one warp, two warps" rules

trace() {
    python <<'PYTHON'
import json, sys
trace = json.load(open(sys.argv[1] + "/full.trace"))
run = json.load(open(sys.argv[1] + "/full.json"))
events = trace["traceEvents"]
assert trace["otherData"]["lost"] == 0 and trace["otherData"]["workload"] == "matmul"
rows = {}
for e in events:
    assert e["ph"] in "MXCi" and e["ts"] >= 0 and {"name", "pid", "tid"} <= e.keys()
    if e["ph"] == "X":
        assert e["dur"] >= 0
        rows.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
for slices in rows.values():  # nothing overlaps in a row
    slices.sort()
    assert all(a[1] <= b[0] for a, b in zip(slices, slices[1:]))
names = [e["name"] for e in events]
assert names.count("matmul") == 1
assert sum(n.startswith("block ") for n in names) == len(run["metrics"]["blocks"])
assert sum(n.startswith("phase ") for n in names) == len(run["metrics"]["warps"])
assert names.count("order of the blocks") == len(run["metrics"]["order"])
PYTHON
}
ok "the timeline is a trace of the same" trace

# More blocks than there is room for: the file stays small and says what is missing.
cat >"$work/many.ptx" <<'PTX'
.version 2.3
.target sm_20
.address_size 64
.entry many () { exit; }
PTX
printf 'ptx %s\nlaunch many 70000 1 1 32 1 1 0\n' "$work/many.ptx" >"$work/many.job"
bounded() {
    "$heddle" run "$work/many.job" --set sm.sms=1 --quiet --timeline "$work/many.trace" --gpu debug-flatmem &&
        grep -q '"lost":'$((70000 - 65536 + 70000 - 16384)) "$work/many.trace" &&
        [ "$(stat -c %s "$work/many.trace")" -lt 16000000 ]
}
ok "the timeline is bounded" bounded

case_is "the table" 0 "out:BARRIER" "out:RTRU" -- "$heddle" run scan --metrics
case_is "no table of it otherwise" 0 "no:RTRU" -- "$heddle" run scan
case_is "standard output" 0 'out:"traceEvents"' "no:CYCLES" -- "$heddle" run vecadd --timeline -
case_is "not without timing" 2 "err:nothing is recorded" -- "$heddle" run vecadd --functional-only --metrics
case_is "no such SM" 2 "err:no such SM" "err:0 to 14" -- "$heddle" run vecadd --metrics --metrics-sm 15
case_is "an SM for nothing" 2 "err:add --metrics" -- "$heddle" run vecadd --metrics-sm 1
case_is "kernels for nothing" 2 "err:--metrics-kernels without metrics" "err:add --metrics" -- \
    "$heddle" run vecadd --metrics-kernels vecadd
case_is "a kernel that is not there" 0 "out:no kernel 'vecad' was launched" "no:'vecadd' was" -- \
    "$heddle" run vecadd --metrics --metrics-kernels vecad,vecadd
case_is "two results in one place" 2 "err:--json and --timeline both go to" -- \
    "$heddle" run vecadd --json x --timeline x
finish
