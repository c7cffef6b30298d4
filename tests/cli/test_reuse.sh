#!/usr/bin/env bash
# test_reuse.sh - heddle reuse, from outside: numbers worked out by hand, the same ratios under every
# policy, levels that are dropped, the plan, programs, and what is refused.
. tests/shared/cases.sh

library=$HEDDLE_BUILD/libcuda.so.1
unset "${!HEDDLE_@}" 2>/dev/null
export HEDDLE_DATA=$PWD TMPDIR=$work/tmp
mkdir "$TMPDIR"

# 128 x 128 floats in tiles of 16 x 16, so 8 x 8 blocks. A block makes 8 steps of two loads, and a
# store at the end; each of its 8 warps takes 2 rows, which are half lines: 8 * 8 * 2 * 2 + 16 = 272
# accesses. It reads 64 lines of A twice, 128 of B once, and writes 16: 208 lines, ratio 64 / 272. Two blocks of a
# row share the 128 accesses to A, two of a pair of columns the 128 to B, and the pair in one row
# everything: 64 ordered pairs; 64 * 6 in the rest of the row, 64 * 14 in the other rows: 0.47.
case_is "a job by hand" 0 "out:17,408 accesses to 1,536 lines of 128 bytes, by 1 kernel and 64 blocks" \
    "out:results verified" -- "$heddle" reuse matmul --json "$work/matmul.json" --plan "$work/matmul.plan"
ok "its ratios" python3 - "$work/matmul.json" "$work/matmul.plan" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
level = r["levels"]
bins = lambda of, **counts: of["bins"] == [counts.get(f"b{i}", 0) for i in range(10)]
assert r["accesses"] == 17408 and r["lines"] == 1536 and r["kernels"] == 1 and r["blocks"] == 64
assert bins(level["kernel"]["self"], b9=1)
assert bins(level["block"]["self"], b2=64)
assert bins(level["block"]["intra_kernel"], b0=4032 - 64 * 21, b4=64 * 20, b9=64)
assert bins(level["block"]["sibling"]) and level["kernel"]["parent_child"]["pairs"] == 0
assert "resident" not in level["warp"] and level["warp"]["intra"]["pairs"] == 512
assert abs(r["aggregate"].pop("repeated") - (1 - 1536 / 17408)) < 1e-8
assert r["children_at_once"] is None
assert r["aggregate"] == {"self": 1, "parent_child": 0, "sibling": 0}
assert r["chains"]["block"]["component"] == {"chains": 1, "max": 64, "mean": 64}
assert sum(r["distance"]["self"]["bins"]) == r["distance"]["self"]["lines"] == 1536
assert r["distance"]["l1_lines"] == 128 and r["distance"]["l2_lines"] == 64 * 8 * 12
plan = [line.split() for line in open(sys.argv[2]) if not line.startswith("#")]
assert plan.pop(0) == ["heddle-reuse-plan", "1"]
assert len(plan) == 64 * 21 and plan == sorted(plan, key=lambda p: [int(k.split("/")[1]) for k in p[2:4]])
for level, relation, x, y, part, whole in plan:
    assert (level, relation, whole) == ("block", "intra_kernel", "272") and part in ("128", "272")
    assert x.split("/")[0] == y.split("/")[0] and len(x.split("/")[0]) == 16 and x != y
END
# Sectors of a line are one access.
case_is "on a machine with sectors" 0 "out:17,408 accesses to 1,536 lines of 128 bytes" -- "$heddle" reuse matmul --gpu rtx2060
case_is "nothing is used again" 0 "out:    0.0 %  that their kernel accesses more than once" -- \
    "$heddle" reuse vectoradd --size test --gpu rtx2060
case_is "loads only" 0 "out:16,384 accesses" "out:loads only" -- "$heddle" reuse matmul --reuse-loads
case_is "warps of other blocks" 0 "out:warp    resident " -- "$heddle" reuse matmul --reuse-warps sm
case_is "quiet" 0 silent -- "$heddle" reuse matmul --quiet
case_is "JSON in place of the text" 0 'out:"levels"' "no:LEVEL" -- "$heddle" reuse matmul --json -
case_is "the plan in place of the text" 0 "out:block intra_kernel " "no:PAIRS" -- \
    "$heddle" reuse matmul --plan -
"$heddle" reuse matmul --json "$work/a" --quiet --no-skip
"$heddle" reuse matmul --json "$work/b" --quiet
sed -i 's/"no_skip": true/"no_skip": false/' "$work/a"
same "with every cycle stepped" "$work/a" "$work/b"
HEDDLE_STEP_ORDER=7 "$heddle" reuse matmul --json "$work/a" --quiet
same "with SMs that step in another order" "$work/a" "$work/b"


# Figures: one for the shares, one for each level that has pairs, one for the distances.
if command -v gnuplot >/dev/null; then
    case_is "figures" 0 "err:wrote $work/matmul-shares.svg" "err:wrote $work/matmul-kernel.svg" \
        "err:wrote $work/matmul-block.svg" "err:wrote $work/matmul-warp.svg" \
        "err:wrote $work/matmul-distance.svg" "out:results verified" -- \
        "$heddle" reuse matmul --plot "$work/matmul.svg"
    ok "they show the relations that have pairs" grep -q intra_kernel "$work/matmul-block.svg"
    no_sibling() { ! grep -q sibling "$work/matmul-block.svg"; }
    ok "and no other" no_sibling
    case_is "no figure without numbers" 2 "err:there is no figure to draw" -- \
        "$heddle" reuse matmul --quiet --reuse-memory 1K --plot "$work/none.svg"
else
    skip "figures" "no gnuplot"
fi
case_is "a page" 0 "err:wrote $work/matmul.html" -- "$heddle" reuse matmul --html "$work/matmul.html"
# 4032 pairs of two blocks: 64 * 20 with 0.47, and 64 with 1.
page() {
    grep -q '<td[^>]*>intra_kernel</td><td[^>]*>4032</td><td[^>]*>66.7</td>.*<td[^>]*>31.7</td>.*<td[^>]*>1.6</td>' \
        <(tr -d '\n' <"$work/matmul.html" | sed 's/<tr/\n<tr/g')
}
ok "has the ratios worked out above" page

# Kernels that launch kernels. What each kernel accesses does not depend on a policy; which of them
# come at the same time, and so the distances, do.
cat >"$work/children.job" <<END
ptx $PWD/tests/cuda/children.ptx
buf ordered 32768 zero
buf tail 16384 zero
buf notes 16384 zero
buf failed 4 zero
launch in_order 2 1 1 1 1 1 0 p:ordered u:6
launch tail 1 1 1 1 1 1 0 p:tail
launch flood 4 1 1 10 1 1 0 p:notes p:failed u:1
END
soon=(--set launch.base=300 --set launch.per_child=20)
reuse() { # NAME ARGUMENT...
    local name=$1
    shift
    timeout 120 "$heddle" reuse "$work/children.job" --no-host --quiet --json "$work/$name.json" \
        --plan "$work/$name.plan" "${soon[@]}" "$@"
}
ok "kernels that launch kernels" reuse gto
ok "their families" python3 - "$work/gto.json" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
kernel = r["levels"]["kernel"]
# The parents keep what they pass to the runtime in local memory. The parameters that they write for their children, 133
# accesses to 40 lines, do not count, so nothing is left that a parent and its child share.
assert kernel["self"]["pairs"] == r["kernels"] == 12 + 8 + 40 + 3, r["kernels"]
assert r["accesses"] == 504 and r["lines"] == 361 and r["aggregate"]["parent_child"] == 0, r["aggregate"]
# Six children of each of two blocks, six of the tail and one of each of two of these, ten of each of four.
assert kernel["parent_child"]["pairs"] == 60
assert kernel["sibling"]["pairs"] == 2 * 6 * 5 + 6 * 5 + 4 * 10 * 9
assert r["aggregate"]["sibling"] > 0.1
assert r["distance"]["sibling"]["lines"] > 0
assert r["chains"]["kernel"]["component"]["max"] >= 10
END
at_once() { # the cycles of all children over those in which one of them runs, counted cycle by cycle
    timeout 120 "$heddle" run "$work/children.job" --no-host --quiet --json "$work/spans.json" "${soon[@]}" --sched gto &&
        timeout 120 "$heddle" reuse "$work/children.job" --no-host "${soon[@]}" --sched gto >"$work/spans.out" &&
        python3 - "$work/spans.json" "$work/gto.json" "$work/spans.out" <<'END'
import json, sys
run, found = (json.load(open(name)) for name in sys.argv[1:3])
cycles = [c for k in run["kernels"] if k["parent"] for c in range(k["start_cycle"], k["end_cycle"])]
mean = len(cycles) / len(set(cycles))
assert abs(found["children_at_once"] - mean) < 1e-6 and mean > 1, (found["children_at_once"], mean)
assert "\nChildren that run at one time, while any runs: %.1f in the mean\n" % mean in open(sys.argv[3]).read()
END
}
ok "how many children run at one time" at_once
same_kernels() { # NAME: the ratios of its kernels are those of the first run
    python3 - "$work/gto.json" "$work/$1.json" <<'END'
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
for key in ("accesses", "lines", "kernels", "blocks", "aggregate"):
    assert a[key] == b[key], (key, a[key], b[key])
assert a["levels"] == b["levels"]
assert a["chains"]["kernel"]["component"] == b["chains"]["kernel"]["component"]
END
}
# On the machine laser children start at other times, and get other buffers of parameters.
for choice in "--sched lrr" "--sched two_level_active" "--sched owl" "--sched caws" "--tb fill_first" \
    "--gpu debug-flatmem" "--gpu laser" "--gpu laser --sched laser"; do
    # shellcheck disable=SC2086
    ok "$choice" reuse other $choice
    ok "$choice: the same ratios" same_kernels other
done
"$heddle" reuse jacobi --plan "$work/lrr.plan" --quiet --sched lrr
"$heddle" reuse jacobi --plan "$work/gto.plan" --quiet --sched gto
ok "a plan has pairs of blocks" grep -q "^block intra_kernel " "$work/gto.plan"
same "which another policy does not change" "$work/lrr.plan" "$work/gto.plan"

# Memory.
for memory in 1 100K 300K 600K 2M; do
    ok "memory $memory" reuse memory --reuse-memory $memory --reuse-warps sm
    cp "$work/memory.json" "$work/reuse_$memory.json"
done
ok "what does not fit is dropped" python3 - "$work/reuse_1.json" "$work/gto.json" <<'END'
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
assert a["accesses"] == b["accesses"] and a["kernels"] is None and a["distance"] == "dropped"
assert set(a["levels"].values()) == {"dropped"} == set(a["chains"].values())
END
ok "and the rest stays" python3 - "$work"/reuse_*.json "$work/gto.json" <<'END'
import json, sys
runs = [json.load(open(name)) for name in sys.argv[1:]]
dropped = set()
for r in runs:
    levels = r["levels"]
    dropped.add(sum(l == "dropped" for l in levels.values()))
    assert levels["warp"] == "dropped" or levels["block"] != "dropped"
    assert levels["block"] == "dropped" or levels["kernel"] != "dropped"
    for name in ("kernel", "block"):
        assert levels[name] in ("dropped", runs[-1]["levels"][name]), name
assert len(dropped) > 1, dropped
END
case_is "the page says so" 0 "out:Dropped: the limit of memory is too low" "out:17,408 accesses" -- \
    "$heddle" reuse matmul --reuse-memory 1
used=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["analysis"]["used"])' "$work/matmul.json")
case_is "of a level" 0 "out:warp    dropped: the limit of memory was reached" "out:kernel  self " -- \
    "$heddle" reuse matmul --reuse-memory $((used - 1))
case_is "all that is needed is enough" 0 "out:warp    inter " "no:dropped" -- \
    "$heddle" reuse matmul --reuse-memory "$used"
case_is "a sample of pairs" 0 "out:~ estimated from a sample" -- "$heddle" reuse matmul --reuse-pairs 100

# What goes wrong in a run.
job poke "buf A 128 zero guard 256" "buf B 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:40"
job stuck "buf A 4 zero" "launch stuck 1 1 1 32 1 1 0"
case_is "a fault" 3 "out:LEVEL" "err:out of bounds" -- "$heddle" reuse "$work/poke.job"
case_is "a deadlock" 3 "out:0 accesses" "err:deadlock" -- "$heddle" reuse "$work/stuck.job"
case_is "a limit" 1 "out:stopped at the limit" -- "$heddle" reuse matmul --max-cycles 3000

# What is refused.
case_is "an unknown option" 2 "err:did you mean --reuse-memory?" -- "$heddle" reuse matmul --reuse-memori 1
case_is "no size" 2 "err:--reuse-memory 1GB: not understood" "err:such as 512M or 2G" -- \
    "$heddle" reuse matmul --reuse-memory 1GB
case_is "no memory" 2 "err:--reuse-memory 0" -- "$heddle" reuse matmul --reuse-memory 0
case_is "no pairs" 2 "err:--reuse-pairs 0: expected a number" -- "$heddle" reuse matmul --reuse-pairs 0
case_is "other warps" 2 "err:--reuse-warps all" "err:expected block or sm" -- \
    "$heddle" reuse matmul --reuse-warps all
case_is "without timing" 2 "err:'heddle reuse' has no option --functional-only" -- \
    "$heddle" reuse matmul --functional-only
case_is "of another command" 2 "err:'heddle run' has no option --reuse-loads" -- \
    "$heddle" run matmul --reuse-loads
case_is "two workloads" 2 "err:reuse takes one workload" -- "$heddle" reuse matmul scan
case_is "no workload" 2 "err:which workload" -- "$heddle" reuse
case_is "one place for two" 2 "err:--json and --plan both go to" -- \
    "$heddle" reuse matmul --json "$work/x" --plan "$work/x"
case_is "a place that is none" 2 "err:--plan: cannot write" -- \
    "$heddle" reuse matmul --plan "$work/none/x"
if [ -w /dev/full ]; then
    case_is "a full disk" 2 "err:/dev/full" -- "$heddle" reuse matmul --quiet --plan /dev/full
fi

# CUDA programs.
san=()
if nm -D "$library" | grep -q __asan_init; then
    san=(-fsanitize=address,undefined)
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
fi
ok "a program that launches builds" gcc -std=c11 -D_GNU_SOURCE -O1 "${san[@]}" -Isrc -o "$work/lines" \
    tests/cuda/programs/lines.c "$library"
cat >"$work/step.ptx" <<'PTX'
.version 7.0
.target sm_75
.address_size 64
.visible .entry step(.param .u64 p, .param .u32 n)
{
    .reg .b64 %rd<4>; .reg .b32 %r<8>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [%rd3];
    st.global.u32 [%rd3], %r3;
    ret;
}
PTX
program=("$work/lines" plain "$work/step.ptx")
case_is "a program" 0 "out:status 0" "out:lines on rtx2060, scheduler gto" "out:kernel  self " -- \
    "$heddle" reuse --json "$work/program.json" --plan "$work/program.plan" -- "${program[@]}"
ok "its words come first" eval '[ "$(head -n 1 "$work/.out")" = "status 0" ]'
ok "its plan" grep -qx "heddle-reuse-plan 1" "$work/program.plan"
case_is "a program's JSON" 0 "out:status 0" 'out:"warps": "sm"' "no:LEVEL" -- \
    "$heddle" reuse --json - --reuse-warps sm --reuse-pairs 5 -- "${program[@]}"
case_is "a program's plan" 0 "out:heddle-reuse-plan 1" "no:PAIRS" -- \
    "$heddle" reuse --plan - -- "${program[@]}"
if command -v gnuplot >/dev/null; then
    case_is "a program's figures" 0 "out:status 0" "err:wrote $work/program-kernel.svg" -- \
        "$heddle" reuse --plot "$work/program.svg" --json "$work/drawn.json" -- "${program[@]}"
    case_is "and without its JSON" 0 "err:wrote $work/only.html" -- \
        "$heddle" reuse --html "$work/only.html" -- "${program[@]}"
    nothing_left() { [ -s "$work/drawn.json" ] && [ -z "$(ls -A "$TMPDIR")" ]; }
    ok "no temporary file is left" nothing_left
    case_is "a program that uses no GPU" 2 "err:no figure was drawn" -- \
        "$heddle" reuse --plot "$work/idle.svg" -- /bin/true
fi
case_is "figures of several files" 2 "err:--json $work/%p.json: figures are drawn of one file" "no:status" -- \
    "$heddle" reuse --html "$work/p.html" --json "$work/%p.json" -- "${program[@]}"
case_is "by the environment" 0 "out:kernel  self " -- \
    env "LD_PRELOAD=$library" HEDDLE_REUSE=- HEDDLE_REUSE_OPTIONS=loads "${program[@]}"
case_is "not without timing" 2 "err:HEDDLE_REUSE_PLAN=- in the environment; expected a run with timing" -- \
    env "LD_PRELOAD=$library" HEDDLE_FUNCTIONAL=1 HEDDLE_REUSE_PLAN=- "${program[@]}"
case_is "wrong options there" 2 "err:HEDDLE_REUSE_OPTIONS=pairs=x" -- \
    env "LD_PRELOAD=$library" HEDDLE_REUSE=- HEDDLE_REUSE_OPTIONS=pairs=x "${program[@]}"
case_is "an option of workloads" 2 "err:--seed is for workloads, not for a program" "no:status" -- \
    "$heddle" reuse --seed 0 -- "${program[@]}"
case_is "no program" 2 "err:heddle reuse [options] -- PROGRAM" -- "$heddle" reuse --
case_is "a workload and a program" 2 "err:reuse takes a workload or, after --, a program" -- \
    "$heddle" reuse matmul -- "${program[@]}"
case_is "a plan over the program" 2 "err:--plan would overwrite $work/lines, the program" "no:status" -- \
    "$heddle" reuse --plan "$work/lines" -- "${program[@]}"

# The schema.
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    valid() {
        /usr/bin/python3 -c '
import json, sys
import jsonschema
schema = json.load(open("docs/reuse.schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
for name in sys.argv[1:]:
    jsonschema.validate(json.load(open(name)), schema)' "$@"
    }
    invalid() { # PYTHON STATEMENT on `r`
        /usr/bin/python3 -c "import json
r = json.load(open('$work/matmul.json'))
$1
json.dump(r, open('$work/changed.json', 'w'))"
        ! valid "$work/changed.json" >/dev/null 2>&1
    }
    ok "all of them are valid" valid "$work"/matmul.json "$work"/gto.json "$work"/other.json \
        "$work"/reuse_*.json "$work"/program.json
    for change in "del r['levels']['warp']" "r['levels']['block'] = 'gone'" "r['aggregate']['self'] = 1.5" \
        "r['levels']['kernel']['self']['bins'].pop()" "del r['analysis']" "r['accesses'] = -1" \
        "r['distance']['self']['more'] = 1" "r['chains']['block']['path']['mean'] = 1"; do
        ok "the schema refuses: $change" invalid "$change"
    done
else
    skip "the schema" "no module jsonschema"
fi
finish
