#!/usr/bin/env bash
# test_share.sh - sm.share: an SM holds blocks of several kernels. Children start beside blocks of their
# parents, every policy computes the same, what the blocks need never exceeds the SM (checked in debug
# builds), and faults, hangs, timelines and counters name the right kernel.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$HEDDLE_BUILD/heddle

python3 - "$work" <<'END'
import struct, sys
def words(name, values):
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
rounds, own, values = 100, [], []
for i in range(26 * 96):
    x = i // 96 * 1000 + i % 96
    for k in range(rounds):
        x = x * 5 + k & 0xffffffff
    own.append(x)
for block in range(2):
    x = [block * 7 + t for t in range(64)]
    for k in range(20):
        x = [x[63 - t] * 3 + k & 0xffffffff for t in range(64)]
    values += x
words("own", own)
words("values", values * 26)
END
job() { # FILE WHICH
    cat >"$work/$1" <<END
ptx $PWD/tests/cli/data/beside.ptx
buf own 9984 zero
buf values 13312 zero
buf clocks 416 zero
launch parent 26 1 1 96 1 1 0 p:own p:values p:clocks u:100 u:$2
END
}
job beside.job 0
job faulty.job 1
job stuck.job 2
cat >>"$work/beside.job" <<END
check own 9984 own exact
check values 13312 values exact
dump clocks 416 clocks
END
# 13 SMs with two parents each; launches are short, so that children and parents meet.
machine=(--gpu debug-flatmem --set sm.sms=13 --set launch.kernels=32 --set launch.base=300 --set launch.per_child=20)
run() {
    timeout 120 "$heddle" run "$work/$1" --no-host --out "$work" "${machine[@]}" "${@:2}" >"$work/out" 2>&1
}
cat >"$work/starts.py" <<'END'
import json, struct, sys
run, shared = json.load(open(sys.argv[1])), sys.argv[3] == "1"
kernels = run["kernels"]
clocks = struct.unpack("<52Q", open(sys.argv[2], "rb").read())
parent, children = kernels[0], kernels[1:]
assert len(children) == 26
late = [min(clocks[2 * k["parent"]["block"]:][:2]) - (k["parent"]["cycle"] + 320) for k in children]
assert all(x >= 0 for x in late)
if shared:
    assert max(late) < 1000, late
    assert max(clocks) < parent["end_cycle"]
    # Each kernel has the instructions and blocks of its own.
    assert {k["counters"]["tbs"] for k in children} == {2} and parent["counters"]["tbs"] == 26
    assert len({k["counters"]["warp_insts"] for k in children}) == 1
else:
    assert min(late) > 1000, late
END
ok "without it" run beside.job --json "$work/apart.json"
ok "children wait for SMs" python3 "$work/starts.py" "$work/apart.json" "$work/clocks" 0
ok "with it" run beside.job --set sm.share=1 --json "$work/shared.json"
ok "they start beside their parents" python3 "$work/starts.py" "$work/shared.json" "$work/clocks" 1
cat >"$work/insts.py" <<'END'
import json, sys
def insts(path):
    kernels = json.load(open(path))["kernels"]
    return sorted((k["name"], k["counters"]["warp_insts"], k["counters"]["thread_insts"],
                   k["counters"]["long_insts"], k["counters"]["tbs"]) for k in kernels)
assert insts(sys.argv[1]) == insts(sys.argv[2])
END
ok "both execute the same instructions" python3 "$work/insts.py" "$work/apart.json" "$work/shared.json"
ok "with every cycle stepped" run beside.job --set sm.share=1 --no-skip --json "$work/steps.json"
sed -i 's/"no_skip": true/"no_skip": false/' "$work/steps.json"
same "the results are the same" "$work/steps.json" "$work/shared.json"
ok "on four threads" run beside.job --set sm.share=1 --threads 4 --json "$work/threads.json"
same "the results are the same" "$work/threads.json" "$work/shared.json"
ok "with the whole memory system" run beside.job --set sm.share=1 --gpu gtx480 --json "$work/whole.json"
ok "each kernel has the reads of its own blocks" python3 - "$work/whole.json" <<'END'
import json, sys
counters = [k["counters"] for k in json.load(open(sys.argv[1]))["kernels"]]
# A child's 4 warps load from local memory 20 times, the parent's 78 five times in each of 100 calls (two are
# arguments, one the result), and one warp of each block three times for what its launch returns.
assert {c["l1d_reads"] for c in counters[1:]} == {80}, [c["l1d_reads"] for c in counters]
assert counters[0]["l1d_reads"] == 5 * 100 * 78 + 3 * 26, counters[0]["l1d_reads"]
assert all(0 < c["l1d_read_hits"] <= c["l1d_reads"] for c in counters)
END
ok "on LASER's machine" run beside.job --gpu laser --set launch.base=300
ok "where few registers are left" run beside.job --set sm.share=1 --set kernel.parent.regs=80 --set kernel.child.regs=40
ok "where shared memory holds one child" run beside.job --set sm.share=1 --set sm.shared_bytes=256 --json "$work/one.json"
ok "each kernel has what its own blocks count" python3 "$work/insts.py" "$work/apart.json" "$work/one.json"
ok "a profile adds up" timeout 120 "$heddle" annotate "$work/beside.job" --out "$work" --sched gto --no-host --quiet "${machine[@]}" \
    --set sm.share=1 --json "$work/profile.json"
ok "and has each kernel's own lines" python3 - "$work/profile.json" "$work/shared.json" <<'END'
import json, sys
profile, run = (json.load(open(p)) for p in sys.argv[1:])
names = {k["name"] for k in profile["kernels"]}
assert names == {"parent", "child"}, names
END
ok "with metrics and a timeline" run beside.job --set sm.share=1 --metrics --timeline "$work/timeline"
ok "which names both kernels" python3 - "$work/timeline" <<'END'
import sys
text = open(sys.argv[1]).read()
assert "parent" in text and "child" in text
END
run faulty.job --set sm.share=1
ok "a child's fault is status 3" test $? -eq 3
ok "and names the child" grep -q "fault in kernel faulty, launch [1-9]" "$work/out"
run stuck.job --set sm.share=1 --set gpu.livelock_after=20000 --set gpu.deadlock_after=20000
ok "a child's hang is status 3" test $? -eq 3
ok "and names its warps" grep -q "(kernel stuck, block [01]): PTX line" "$work/out"
while read -r policy slots; do
    for slot in ${slots//,/ }; do
        ok "--$slot $policy" run beside.job --set sm.share=1 "--$slot" "$policy"
    done
done < <("$heddle" list policies | awk 'NR > 1 && $2 { print $1, $2 }')
finish
