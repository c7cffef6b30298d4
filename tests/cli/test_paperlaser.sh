#!/usr/bin/env bash
# heddle paper laser: the analyser of reuse runs as a part of a study, and the figures are what it found.
. tests/shared/cases.sh
export LC_ALL=C

# The paper with three of its applications, two of which are one program with two inputs.
mkdir -p "$work/data/papers"
for part in gpus workloads examples; do
    ln -s "$PWD/$part" "$work/data/$part"
done
awk '/^\[/ { section = $0; text = ""; keep = 1 }
    { line = $0 }
    section ~ /^\[set/ && /^apps/ { line = "apps = " (section ~ /compute/ ? "Mandel" : section ~ /all/ ? "compute others" : "SPMM-small SPMM-large") }
    section ~ /^\[claim/ && /^apps = .*(AMR|BFS|GC|JOIN|Quick|Radix|SA|SSSP)/ { keep = 0 }
    section ~ /^\[claim/ { text = text line "\n"; if (/^says/ && keep) printf "%s", text; next }
    { print line }' papers/laser.ini >"$work/data/papers/laser.ini"
paper() {
    HEDDLE_DATA="$work/data" "$heddle" paper laser --size test --no-host "$@"
}
figures=table1,table2,table2-chains,fig4,fig5,fig6,fig7,fig8,fig9,fig10

case_is "one analysis of each application serves all figures of reuse, a run without it the claims about launches" 0 "err:6 distinct runs, 0 stored" "err:at 1 runs a time on idle processors" "out:Figure 10" -- \
    paper --figure $figures --db "$work/laser.db" --csv "$work/one.csv" --json "$work/one.json" --jobs 1
case_is "again: nothing is run" 0 "err:6 distinct runs, 6 stored before" -- \
    paper --figure $figures --db "$work/laser.db" --csv "$work/again.csv"
same "the same from the database" "$work/one.csv" "$work/again.csv"
ok "three at a time" paper --figure $figures --db "$work/other.db" --csv "$work/three.csv" --jobs 3 --quiet
same "the same bytes" "$work/one.csv" "$work/three.csv"
"$heddle" reuse dp_spmm_large --size test --gpu laser --sched gto --kernel-policy fcfs --no-host --json "$work/reuse.json" --quiet
as_the_command_says() { # the stored analysis is that of heddle reuse, and the sheets have its numbers
    /usr/bin/python3 - "$work/laser.db" "$work/reuse.json" "$work/one.json" <<'PYTHON'
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
runs = {w: json.loads(j) for w, j in db.execute("select workload, json from run where json like '%\"aggregate\"%'")}
plain = db.execute("select count(*) from run where json not like '%\"aggregate\"%'").fetchone()[0]
assert plain == 3, plain # of the claims about launches: an analysed run does not stand for one that is not
assert sorted(runs) == ["dp_mandel", "dp_spmm_large", "dp_spmm_small"], list(runs)
own, sheets = json.load(open(sys.argv[2])), {s["id"]: s["printed"] for s in json.load(open(sys.argv[3]))["sheets"]}
stored = runs["dp_spmm_large"]["reuse"]
for key in ("accesses", "lines", "kernels", "blocks", "children_at_once", "aggregate", "levels", "distance", "chains"):
    assert stored[key] == own[key], key
assert runs["dp_spmm_large"]["options"]["reuse"] == "warps=block,pairs=1000000,memory=1073741824,plan"
row = lambda sheet, *head: next(r for r in sheets[sheet] if r[:len(head)] == list(head))
a = stored["aggregate"]
assert row("fig4", "SPMM-large")[1:-1] == ["%.1f" % (100 * a[k]) for k in ("self", "parent_child", "sibling", "repeated")]
assert row("fig4", "SPMM-large")[-1] == "%.1f" % stored["children_at_once"] and stored["children_at_once"] > 2
assert row("fig4", "SPMM-large") != row("fig4", "SPMM-small")
at = next(i for i, r in enumerate(sheets["fig7"]) if r[0] == "SPMM-large")
for i, name in enumerate(("self", "parent_child", "sibling")):
    r = stored["levels"]["kernel"][name]
    shown = sheets["fig7"][at + i]
    assert shown[1] == name and shown[2].replace(",", "") == str(r["pairs"])
    assert shown[3:] == ["%.1f" % (100 * b / r["pairs"]) for b in r["bins"]], shown
d = stored["distance"]["sibling"]
below = [[sum(runs[w]["reuse"]["distance"]["sibling"]["bins"][:n + 1]) / runs[w]["reuse"]["distance"]["sibling"]["lines"]
          for w in runs] for n in range(24)]
assert [r[3] for r in sheets["fig5"][1:]] == ["%.1f" % (100 * sum(b) / 3) for b in below]
k = runs["dp_spmm_large"]["kernels"]
assert row("table2", "SPMM-large")[1] == str(len(k)) and row("table2", "Mandel")[4:7] == ["II", "II", "3"]
c = stored["chains"]["kernel"]["component"]
whole = stored["kernels"] / (c["chains"] + stored["kernels"] - c["chains"] * c["mean"])
assert row("table2-chains", "SPMM-large")[2:4] == [str(c["max"]), "%.1f" % whole]
PYTHON
}
ok "the stored analysis is that of heddle reuse, and the sheets have its numbers" as_the_command_says
ok "figure 6 is the paper's, exactly" test "$(grep '^fig6,R' "$work/one.csv" | cut -d, -f2,5 | paste -sd' ')" = \
    "R(c2-c1),0.6 R(c1-c2),0.4 R(c3-c1),0.6"
ok "Table 3 needs no run" paper --figure table3 --csv "$work/table3.csv" --quiet
verdict() { # CLAIM
    awk -F, -v id="$1" '$1 == "claims" && $2 == id { print $NF }' "$work/one.csv"
}
ok "and its claim agrees" test "$(verdict fig6-ratios)" = agrees
ok "the launch latencies are the paper's" test "$(verdict launch-one) $(verdict launch-wavefront)" = "agrees agrees"
ok "whole numbers have all their digits" test "$(grep -c -e '^table1,L2,.*,1572864,1536KB,0$' -e '^claims,registers,.*,65536,262144,196608,' "$work/one.csv")" = 2
ok "Table 3 has the inputs of this size and of the paper's" test "$(grep '^table3,SPMM-small,' "$work/table3.csv")" = \
    "table3,SPMM-small,Small Matrices,Matrix 1: 512*512 Matrix 2: 512*512,64 x 512 times 512 x 512,512 x 512 times 512 x 512,same"
all_inputs() { # the whole table, which needs no run: ratios of size paper, and a cell for each number
    "$heddle" paper laser --figure table3 --size small --no-host --quiet --csv "$work/inputs.csv" &&
        grep -q '^table3,AMR,.*"19,200 cells, 300 patches, 12 levels","80,704 cells, 1261 patches, 24 levels",x 0.000538$' "$work/inputs.csv" &&
        grep -q '^table3,BFS-small,.*"512 vertices, 261,632 edges","1024 vertices, 1,047,552 edges",same$' "$work/inputs.csv" &&
        grep -q '^table3,GC-citation,.*"227,320 authors, 804,148 edges","x 1, x 0.988"$' "$work/inputs.csv" &&
        grep -q '^table3,JOIN-uniform,.*"204,800 rows",same$' "$work/inputs.csv" &&
        grep -q '^table3,SA,Arabidopsis Thaliana,,"262,144 bases, 12 batches","4,194,304 bases, 23 batches",$' "$work/inputs.csv" &&
        grep -q '^claims,table3,cells of table3,,,25,24,-1,.*,differs$' "$work/inputs.csv"
}
ok "Table 3 compares each number of an input, and only AMR's differs" all_inputs
ablations() { # each change of the machine and of LASER that the paper's text leaves open is a reading
    paper --readings --claim fig12-mandel-laser --jobs 2 --quiet --csv "$work/readings.csv" || return 1
    for reading in one-kernel no-wait one-stream 64kb flush tenth warm-none warm-13 threshold-25 threshold-75 keyed; do
        grep -q "^values,fig12-mandel-laser,$reading,-\?[0-9]" "$work/readings.csv" || { echo "$reading"; return 1; }
    done
}
ok "the ablations are readings" ablations
ok "what LASER costs is what the paper says" paper --figure cost --csv "$work/cost.csv" --quiet
ok "its claims agree" test "$(grep -c '^claims,cost-.*,agrees$' "$work/cost.csv")" = 4
ok "claims of another size are none" test "$(verdict chain-most)" = "other size"

# The limit study: its runs get a plan, which the study makes first, out of the analysed run.
planned() { # the cycles are those of the plan of heddle reuse
    local run="$heddle run dp_spmm_large --size test --gpu laser --quiet --no-host" cycles
    "$heddle" reuse dp_spmm_large --size test --gpu laser --sched gto --kernel-policy fcfs --plan "$work/of.plan" --quiet || return 1
    $run --sched gto --tb "oracle:plan=$work/of.plan" --kernel-policy "oracle:plan=$work/of.plan" --json "$work/run.json" || return 1
    cycles=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["elapsed_cycles"])' "$work/run.json")
    /usr/bin/python3 - "$work/laser.db" "$cycles" <<'PYTHON'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "select cycles, sched, command from run where workload = 'dp_spmm_large' and tb = 'oracle'").fetchall()
assert sorted(r[1] for r in rows) == ["gto", "oracle"], rows
assert [r[0] for r in rows if r[1] == "gto"] == [int(sys.argv[2])], (rows, sys.argv[2])
assert "--plan plan --quiet && heddle run dp_spmm_large --sched gto --tb oracle:plan=plan" in rows[0][2] + rows[1][2], rows
PYTHON
}
case_is "the limit study and LASER" 0 "out:kernel+WG+wavefront" "err:18 distinct runs, 6 stored before" -- \
    paper --figure fig12,fig13 --db "$work/laser.db" --csv "$work/limit.csv"
ok "runs with a plan are those of heddle reuse --plan" planned
case_is "again: nothing is run" 0 "no:a time" "err:stored before" -- \
    paper --figure fig12,fig13 --db "$work/laser.db" --csv "$work/limit2.csv"
same "the same" "$work/limit.csv" "$work/limit2.csv"
lean() { # a result is given up when its numbers are taken: the study needs less than twice the memory of their texts
    HEDDLE_DATA="$work/data" /usr/bin/python3 - "$work/laser.db" "$heddle" paper laser --size test --no-host --quiet --db "$work/laser.db" --figure <<'PYTHON'
import resource, sqlite3, subprocess, sys
def peak(figures): # in bytes; the children's greatest so far
    subprocess.run(sys.argv[2:] + [figures], stdout=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
texts = sqlite3.connect(sys.argv[1]).execute("select sum(length(json)) from run").fetchone()[0]
without = peak("table1")
extra = peak("table2,table2-chains,fig4,fig5,fig7,fig8,fig9,fig10,fig12,fig13") - without
assert extra < 2 * texts, (extra, texts)
PYTHON
}
nm "$heddle" 2>/dev/null | grep -q __asan_init || ok "a study does not keep the results of its runs in memory" lean
case_is "without a database, three at a time" 0 -- paper --figure fig12,fig13 --csv "$work/limit3.csv" --jobs 3
same "the same bytes again" "$work/limit.csv" "$work/limit3.csv"

# A reading changes the parameter of a policy in the slot that has it.
case_is "readings of policies in other slots" 0 "out:fig12-wg" -- \
    paper --readings --claim fig12-wg --db "$work/readings.db" --json "$work/readings.json"
query "$work/readings.db" "select distinct sched, tb, kernel_policy from run where tb = 'oracle:chains=running'" >"$work/slots"
echo "gto oracle:chains=running oracle:chains=running" >"$work/slots.want"
same "that of blocks and that of kernels" "$work/slots" "$work/slots.want"

# Wrong data.
refused() { # NAME SED MESSAGE
    mkdir -p "$work/$1/papers"
    for part in gpus workloads examples; do
        ln -sfn "$PWD/$part" "$work/$1/$part"
    done
    sed "$2" papers/laser.ini >"$work/$1/papers/laser.ini"
    case_is "$1" 2 "err:$3" -- env HEDDLE_DATA="$work/$1" "$heddle" paper laser --size test --figure fig6,fig7
}
refused relation 's/^relation = kernel.sibling/relation = kernel.cousin/' "not 'kernel.cousin'"
refused bins 's/^bins = 8-9/bins = 9-8/' "bins '9-8' should be N or N-M, from 0 to 9"
refused relations 's/^relations = kernel.self/relations = kernel.itself/' "there is no relation 'kernel.itself'"
refused plan 's/^plan = baseline/plan = kernel/' "no plan can be made under 'kernel'"
refused unit 's/^unit.c2 = .*/unit.c2 = c2 | 29-0/' "unit.c2 'c2 | 29-0' is not understood"
refused row 's/^row.1 = R(c2-c1) | c2/row.1 = R(c2-c1) | c9/' "expected label | unit | unit"
finish
