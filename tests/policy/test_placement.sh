#!/usr/bin/env bash
# test_placement.sh - policies that place blocks where their data are do so, and the L1 gains by it: kernels
# whose blocks share data by design (jobs/family.cu) hit more often and take fewer cycles.
set -u
. tests/shared/tap.sh
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$HEDDLE_BUILD/heddle

# job NAME LINES REGIONS OUTS WALKS LAUNCH...: REGIONS regions of LINES lines; each of OUTS sums is that of WALKS
# walks over a region, unless WALKS is 0.
job() {
    python3 - "$work/$1" "${@:2:4}" <<'END'
import struct, sys
lines, regions, outs, walks = map(int, sys.argv[2:])
region = [(i + 1) % lines * 32 + t for i in range(lines) for t in range(32)]
open(sys.argv[1] + ".regions", "wb").write(struct.pack(f"<{lines * 32}I", *region) * regions)
walk = sum((i + 1) % lines * 32 for i in range(lines))
open(sys.argv[1] + ".sums", "wb").write(struct.pack("<I", walk * walks & 0xffffffff) * outs)
END
    {
        echo "ptx $PWD/tests/policy/jobs/family.ptx"
        echo "buf regions $(($2 * $3 * 128)) file $work/$1.regions"
        echo "buf sums $(($4 * 4)) zero"
        echo "launch ${*:6}"
        [ "$5" = 0 ] || echo "check sums $(($4 * 4)) $work/$1.sums exact"
    } >"$work/$1.job"
}
job parents 32 26 26 4 parents 26 1 1 32 1 1 0 p:regions p:sums u:32 u:3
job many 32 104 104 3 parents 104 1 1 32 1 1 0 p:regions p:sums u:32 u:2
job deep 8 600 600 2 parents 600 1 1 32 1 1 0 p:regions p:sums u:8 u:1
job blocks 32 100 25600 0 twins 200 1 1 128 1 1 0 p:regions p:sums u:32 u:100 u:0
job warps 256 16 4096 0 twins 32 1 1 128 1 1 0 p:regions p:sums u:256 u:16 u:12
job siblings 32 32 32 3 siblings 1 1 1 32 1 1 0 p:regions p:sums u:32 u:3

plan() { # JOB OPTION...
    "$heddle" reuse "$work/$1.job" --gpu laser --sched gto --plan "$work/$1.plan" --no-host --quiet "${@:2}"
}
run() { # NAME JOB OPTION...
    "$heddle" run "$work/$2.job" --gpu laser --no-host --quiet --json "$work/$1.json" "${@:3}"
}
than() { # A B CONDITION: on hits (of 100 reads), misses and cycles of both
    python3 - "$work/$1.json" "$work/$2.json" "$3" <<'END'
import json, sys
def numbers(path):
    d = json.load(open(path))
    of = lambda key: sum(k["counters"][key] for k in d["kernels"])
    assert d["verified"] in (True, None), path
    return 100 * of("l1d_read_hits") / of("l1d_reads"), of("l1d_misses"), d["totals"]["elapsed_cycles"]
names = [f"{what}_{which}" for which in "ab" for what in ("hits", "misses", "cycles")]
values = dict(zip(names, numbers(sys.argv[1]) + numbers(sys.argv[2])))
print(values)
sys.exit(not eval(sys.argv[3], values))
END
}
gains="hits_a > 70 > 35 > hits_b and cycles_a * 1.1 < cycles_b"

# Each child walks the region of its parent, which has just done so on some SM.
base=(--sched gto --kernel-policy fcfs)
ok "parents: a plan" plan parents
ok "parents: baseline" run parents.base parents "${base[@]}"
ok "parents: oracle" run parents.oracle parents --sched gto --tb "oracle:plan=$work/parents.plan"
ok "bring hits and cycles" than parents.oracle parents.base "$gains"
for policy in bind laperm; do
    ok "parents: $policy" run "parents.$policy" parents --sched gto --tb "$policy"
    ok "brings as much as the oracle" than "parents.$policy" parents.oracle "(hits_a, cycles_a) == (hits_b, cycles_b)"
done
ok "parents: laser that binds every child" run parents.laser parents --sched laser:warm=1000000:groups=none
ok "brings as much as the oracle" than parents.laser parents.oracle "(hits_a, cycles_a) == (hits_b, cycles_b)"

# Parents that have ended when their children get a slot: only a policy that remembers where they ran finds it.
gone=(--set launch.wait=0)
ok "parents that do not wait: baseline" run gone.base parents "${base[@]}" "${gone[@]}"
ok "bind" run gone.bind parents --sched gto --tb bind "${gone[@]}"
ok "brings hits and cycles" than gone.bind gone.base "$gains"
ok "oracle" run gone.oracle parents --sched gto --tb "oracle:chains=running:plan=$work/parents.plan" "${gone[@]}"
ok "brings none" than gone.oracle gone.base "hits_a <= hits_b + 5"
ok "oracle that remembers" run gone.memory parents --sched gto --tb "oracle:chains=ended:plan=$work/parents.plan" "${gone[@]}"
ok "brings as much as bind" than gone.memory gone.bind "(hits_a, cycles_a) == (hits_b, cycles_b)"
ok "oracle with whole chains" run gone.whole parents --sched gto --tb "oracle:plan=$work/parents.plan" "${gone[@]}"
ok "brings as much, too" than gone.whole gone.bind "(hits_a, cycles_a) == (hits_b, cycles_b)"

# More families than running slots: parents end before their children run, although they wait for the launch.
ok "many parents: a plan" plan many
ok "bind" run many.bind many --sched gto --tb bind
ok "oracle" run many.oracle many --sched "oracle:chains=running:plan=$work/many.plan"
ok "oracle that remembers" run many.memory many --sched "oracle:chains=ended:plan=$work/many.plan"
ok "hits as often as bind, in about as many cycles" than many.memory many.bind "hits_a >= hits_b and cycles_a < cycles_b * 1.03"
ok "and far more often than one that does not" than many.memory many.oracle "hits_a > hits_b * 1.5 and cycles_a < cycles_b"

ok "oracle with whole chains" run many.whole many --sched "oracle:plan=$work/many.plan"
ok "hits as often, too" than many.whole many.bind "hits_a >= hits_b and cycles_a < cycles_b * 1.03"

# More parents than the SMs hold, and children that may start at once: before or after the parents that wait?
now=(--set launch.base=0 --set launch.per_child=0 --set launch.wait=0)
ok "waiting parents: a plan" plan deep "${now[@]}"
ok "oracle" run deep.chain deep --sched gto --tb "oracle:plan=$work/deep.plan" "${now[@]}"
ok "oracle that keeps the order of kernels" run deep.kernel deep --sched gto --tb "oracle:order=kernel:plan=$work/deep.plan" "${now[@]}"
ok "hits less often and takes more cycles" than deep.chain deep.kernel "hits_a > hits_b * 1.1 and cycles_a * 1.04 < cycles_b"

# Blocks i and i + 100 of a kernel of the host go to different SMs in turn.
ok "blocks: a plan" plan blocks
ok "blocks: baseline" run blocks.base blocks "${base[@]}"
ok "blocks: oracle" run blocks.oracle blocks --sched gto --tb "oracle:plan=$work/blocks.plan"
ok "saves misses and cycles" than blocks.oracle blocks.base "misses_a * 1.5 < misses_b and cycles_a * 1.1 < cycles_b"

# On two SMs all such blocks meet in any case, but only groups read the same lines at the same time.
ok "warps: a plan" plan warps --set sm.sms=2
ok "warps: baseline" run warps.base warps "${base[@]}" --set sm.sms=2
ok "warps: oracle" run warps.oracle warps --sched "oracle:plan=$work/warps.plan" --tb rr --kernel-policy fcfs --set sm.sms=2
ok "halves the misses" than warps.oracle warps.base "misses_a * 1.8 < misses_b"

# Children 32 launches apart share a region; with four slots only the choice of kernels brings them together.
few=(--set launch.kernels=4 --set launch.base=0 --set launch.per_child=0 --sched gto --tb "oracle:chains=running:plan=$work/siblings.plan")
ok "kernels: a plan" plan siblings
ok "kernels: by arrival" run siblings.base siblings "${few[@]}" --kernel-policy fcfs
ok "kernels: oracle" run siblings.oracle siblings "${few[@]}" --kernel-policy "oracle:plan=$work/siblings.plan"
ok "brings hits and cycles" than siblings.oracle siblings.base "hits_a > 25 > 5 > hits_b and cycles_a * 1.05 < cycles_b"
finish
