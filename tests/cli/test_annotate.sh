#!/usr/bin/env bash
# heddle annotate: every scheduler cycle stands at one line, the text is the PTX that was written.
. tests/shared/cases.sh

case_is "vecadd" 0 "out:kernel vecadd: 1 launch" "out:ld.global.f32" "out:all scheduler cycles" \
    "out:results verified" -- "$heddle" annotate vecadd
case_is "several launches of a kernel" 0 "out:kernel jacobi: 6 launches" -- "$heddle" annotate jacobi
case_is "quiet" 0 silent -- "$heddle" annotate vecadd --quiet
case_is "JSON in place of the text" 0 'out:"instructions"' "no:ISSUED" -- \
    "$heddle" annotate vecadd --json -
job wrong "buf A 4 zero" "launch poke 1 1 1 1 1 1 0 p:A i:0" "check A 4 ones exact"
printf '\1\0\0\0' >"$work/ones"
case_is "a failed check" 1 "out:results differ" "err:1 of 1 words differ" -- \
    "$heddle" annotate "$work/wrong.job"
job poke "buf A 128 zero guard 256" "buf B 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:40"
case_is "a fault" 3 "out:issued, but ended in a fault" "err:out of bounds" -- \
    "$heddle" annotate "$work/poke.job" --json "$work/fault.json"
job stuck "buf A 4 zero" "launch stuck 1 1 1 32 1 1 0"
case_is "a deadlock" 3 "out:waiting at a barrier" "err:deadlock" -- "$heddle" annotate "$work/stuck.job"

# Where lines come from: labels, several statements in one, comments, .loc with a readable source.
cat >"$work/source.ptx" <<'PTX'
.version 3.2
.target sm_20
.address_size 64
.file 1 "/nowhere/on/this/machine/source.cu"
.file 2 "lost.cu"
.visible .entry first(.param .u64 p)
{
    .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .pred %q;
    .loc 1 2 1
    ld.param.u64 %rd1, [p];  cvta.to.global.u64 %rd2, %rd1; // both
    mov.u32 %r1, %tid.x;
LOOP: add.u32   %r1,  /* a comment */ %r1, 32;
    .loc 1 4 1
    ld.global.v2.f32 {%f1, %f2},
        [%rd2];
    setp.lt.u32 %q, %r1, 100; @%q bra LOOP;
    .loc 2 1 1
    st.global.u32 [%rd2], %r1;
    ret;
}
.visible .entry second(.param .u64 p)
{
    bar.sync 0;
    ret;
}
PTX
printf '%s\n' "// source.cu" "  one line	with a tab" "" "last = line;" >"$work/source.cu"
printf '%s\n' "ptx source.ptx" "buf A 256 zero" "launch first 2 1 1 32 1 1 0 p:A" \
    "launch second 40 1 1 96 1 1 0 p:A" "launch first 1 1 1 32 1 1 0 p:A" >"$work/source.job"
# A function that two kernels call is charged to each of them for itself.
cat >"$work/call.ptx" <<'PTX'
.version 3.2
.target sm_20
.address_size 64
.func (.reg .u32 %out) twice(.reg .u32 %in)
{
    add.u32 %out, %in, %in;
    ret;
}
.func never() { ret; }
.visible .entry one(.param .u64 p)
{
    .reg .b64 %rd<3>; .reg .b32 %r<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    call (%r2), twice, (%r1);
    st.global.u32 [%rd1], %r2;
    ret;
}
.visible .entry two(.param .u64 p)
{
    .reg .b64 %rd<3>; .reg .b32 %r<4>;
    ld.param.u64 %rd1, [p];
    call (%r2), twice, (7);
    call (%r2), twice, (%r2);
    st.global.u32 [%rd1], %r2;
    ret;
}
PTX
printf '%s\n' "ptx call.ptx" "buf A 128 zero" "launch one 1 1 1 64 1 1 0 p:A" \
    "launch two 1 1 1 64 1 1 0 p:A" >"$work/call.job"
case_is "called functions" 0 "out:function twice" "no:function never" -- \
    "$heddle" annotate "$work/call.job" --json "$work/call.json"
if [ -x /usr/bin/python3 ]; then
    called() {
        /usr/bin/python3 -c 'import json, sys
for k, calls in zip(json.load(open(sys.argv[1]))["kernels"], (1, 2)):
    rows = [r for r in k["instructions"] if r["function"] == "twice"]
    assert [r["issued"] for r in rows] == [2 * calls, 2 * calls], (k["name"], rows)' "$work/call.json"
    }
    ok "called functions by kernel" called
fi
case_is "the source" 0 "out:source.cu:2:  one line with a tab" "out:source.cu:4:  last = line;" \
    "out:by line of source:" "out:(lost.cu)" "out:kernel first: 2 launches" "out:kernel second: 1 launch," -- \
    "$heddle" annotate "$work/source.job" --json "$work/source.json"
"$heddle" annotate "$work/source.job" >"$work/source.out"
statements() {
    awk '/^kernel/ { on = $2 == "first:" }
        on && / PTX$/ { column = length($0) - 2 }
        / all instructions$/ { on = 0 }
        on && substr($0, column - 3, 1) ~ /[0-9]/ { print substr($0, column) }' "$work/source.out"
}
printf '%s\n' 'ld.param.u64 %rd1, [p]' 'cvta.to.global.u64 %rd2, %rd1' 'mov.u32 %r1, %tid.x' \
    'add.u32 %r1, %r1, 32' 'ld.global.v2.f32 {%f1, %f2}, [%rd2]' 'setp.lt.u32 %q, %r1, 100' \
    '@%q bra LOOP' 'st.global.u32 [%rd2], %r1' 'ret' >"$work/statements"
same "statements as written, one by one" <(statements) "$work/statements"
ok "a label before its instruction" bash -c \
    "grep -A1 '^ *LOOP:\$' '$work/source.out' | grep -q 'add.u32 %r1'"
ok "hot lines are marked" bash -c "'$heddle' annotate matmul | grep -Eq '^> .*st.shared.f32 \[%rd5\]'"
wide() { # every shipped job on 100 columns
    local name
    for name in vecadd transpose matmul scan jacobi; do
        "$heddle" annotate $name | awk -v n=$name '
            length($0) > 100 { print n ": " $0; bad = 1 } END { exit bad }' || return 1
    done
    awk 'length($0) > 100 { exit 1 }' "$work/source.out"
}
ok "100 columns" wide

# The numbers are the stall counters, class by class and kernel by kernel, under any policy.
exact() { # ARGUMENT...
    "$heddle" annotate "$@" --quiet --json "$work/lines.json" --out "$work" 2>/dev/null
    "$heddle" run "$@" --quiet --no-host --json "$work/run.json" --out "$work" 2>/dev/null
    /usr/bin/python3 -c 'import json, sys
lines, run = (json.load(open(name)) for name in sys.argv[1:])
assert lines["status"] == run["status"], (lines["status"], run["status"])
assert len({k["name"] for k in run["kernels"]}) == len(lines["kernels"]) > 0
for k in lines["kernels"]:
    launches = [r for r in run["kernels"] if r["name"] == k["name"]]
    rows = k["instructions"]
    assert k["launches"] == len(launches)
    assert k["cycles"] == sum(r["cycles"] for r in launches)
    want = {c: sum(r["stalls"][c] for r in launches) for c in k["stalls"]}
    assert k["stalls"] == want, (k["name"], k["stalls"], want)
    assert sum(r["issued"] for r in rows) + k["faulted"] == want["issued"]
    assert sum(r["scoreboard"] for r in rows) == want["scoreboard"]
    assert sum(r["pipeline"] for r in rows) == want["pipeline"]
    assert sum(k["idle"].values()) == want["idle"] and "inactive" not in k["idle"]
    assert k["faulted"] == 0 or run["status"] == "fault"
    if run["status"] == "ok":
        assert sum(r["lanes"] for r in rows) == sum(r["thread_insts"] for r in launches)
    assert all(r["lanes"] <= 32 * r["issued"] and r["ptx"] for r in rows)
    # The same cycles in ELF'"'"'s classes, by scheduler, and by line of source.
    elf = {c: sum(r["stalls_elf"][c] for r in launches) for c in k["stalls_elf"]}
    assert k["stalls_elf"] == elf and sum(elf.values()) > 0
    for c in elf:
        assert sum(r["stalls_elf"][c] for r in rows) + \
            sum(r[c] for r in k["idle_elf"].values()) == elf[c], c
        assert sum(s["stalls_elf"][c] for s in k["schedulers"]) == elf[c], c
    for r in rows + k["sources"]:
        assert sum(r["stalls_elf"].values()) == r["scoreboard"] + r["pipeline"], r
    for reason, n in k["idle"].items():
        assert sum(k["idle_elf"][reason].values()) == n, reason
    for c in want:
        assert sum(s[c] for s in k["schedulers"]) == want[c], c
    classes = len(k["schedulers"]) * sum(k["schedulers"][0][c] for c in want)
    assert len(k["schedulers"]) == 2
    assert classes == sum(want.values()) or run["status"] == "fault" # ends within a cycle
    named = {(r["source"] or {}).get("line") for r in rows}
    assert named == {s["line"] for s in k["sources"]}
    for s in k["sources"]:
        mine = [r for r in rows if (r["source"] or {"file": None, "line": None})["line"] == s["line"]
                and (r["source"] or {"file": None})["file"] == s["file"]]
        for c in ("issued", "lanes", "scoreboard", "pipeline"):
            assert sum(r[c] for r in mine) == s[c], (s, c)' \
        "$work/lines.json" "$work/run.json"
}
# These orders change with time alone, so the warp that a lost cycle is charged to does too.
for sched in caws owl:interval=50 lfws:greedy=prev two_level_active two_level_opt:greedy=1; do
    job=workloads/kernels/scan/scan.job
    "$HEDDLE" annotate $job --sched "$sched" >"$work/skip.txt"
    "$HEDDLE" annotate $job --sched "$sched" --no-skip >"$work/no-skip.txt"
    ok "$sched: the same lines when every cycle is stepped" eval \
        '[ -s "$work/skip.txt" ] && cmp "$work/skip.txt" "$work/no-skip.txt"'
done

if [ -x /usr/bin/python3 ]; then
    for arguments in "matmul" "scan --sched lrr" "jacobi --sched elf" "jacobi --no-skip" \
        "transpose --gpu debug-flatmem --sched two_level_active" "vecadd --sched pro" \
        "matmul --max-cycles 3000" "$work/source.job" "$work/call.job" "$work/poke.job" "$work/stuck.job"; do
        # shellcheck disable=SC2086
        ok "exact: ${arguments##*/}" exact $arguments
    done
    source_is() {
        /usr/bin/python3 -c 'import json, sys
rows = json.load(open(sys.argv[1]))["kernels"][0]["instructions"]
assert rows[0]["source"] == {"file": "/nowhere/on/this/machine/source.cu", "line": 2,
                             "text": "one line with a tab"}, rows[0]
assert rows[7]["source"]["text"] is None, rows[7]
assert rows[0]["line"] == rows[1]["line"] == 10' "$work/source.json"
    }
    ok "JSON: source lines" source_is
else
    skip "exact numbers" "no /usr/bin/python3"
fi
finish
