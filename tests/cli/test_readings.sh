#!/usr/bin/env bash
# heddle paper --readings: claims under every reading of a paper's file. The numbers are those of the runs whose
# commands the page names, computed here by other hands; the bytes do not depend on the order of the runs.
. tests/shared/cases.sh
export LC_ALL=C
mkdir -p "$work/data/papers"
ln -s "$PWD/gpus" "$PWD/workloads" "$work/data/"
head='[paper]
title = T
authors = A
venue = V
gpu = baws
[policy LRR]
spec = lrr
[policy GTO]
spec = gto
[policy BAWS]
spec = baws
[app SP]
seconds.test = 0.02
[app MM]
seconds.test = 0.02
[set all]
apps = SP MM
[figure f]
kind = ipc
title = F
policies = LRR, GTO, BAWS
base = LRR
apps = all
[claim lrr]
figure = f
policy = BAWS
over = LRR
apps = all
percent = 17
place = abstract
[claim gto]
figure = f
policy = BAWS
over = GTO
apps = all
percent = 1
place = abstract
'
axes='[axis cff]
title = whom CFF fetches for
default = always
[reading waiting]
axis = cff
policy.1 = BAWS | cff=waiting
[axis wrap]
title = the search of LRR
default = wraps
says = "a sentence"
[reading short]
axis = wrap
title = ends at the last slot
policy.1 = LRR | wrap=0
[axis place]
title = where arrays lie
default = one after the other
says = not told
[reading spread]
axis = place
set.1 = mem.spread=4352
[axis registers]
title = registers
default = as compiled
says = not told
[reading twenty]
axis = registers
regs = 20
[axis compiler]
title = instructions
default = nvcc
says = not told
[reading clang]
axis = compiler
ptx = sm_20
[axis input]
title = the random input
default = seed 1
says = not told
[reading seed-2]
axis = input
seed = 2
full = test
'
paper() { # TEXT: after the head
    printf '%s%s' "$head" "$1" >"$work/data/papers/baws.ini"
}
readings() { # NAME OPTION...: files of that name
    local name=$1
    shift
    HEDDLE_DATA="$work/data" "$heddle" paper baws --size test --readings "$@" --json "$work/$name.json" \
        --csv "$work/$name.csv" --markdown "$work/$name.md" >"$work/$name.txt" 2>"$work/$name.err" ||
        { cat "$work/$name.err" && return 1; }
}

paper "$axes"
ok "the claims under each reading" readings one --db "$work/one.db" --jobs 1
ok "says how many readings and runs before" grep -Eq '^heddle: 6 readings: [23][0-9] distinct runs, 0 stored before: about [0-9]+ s at 1' \
    "$work/one.err"
ok "and at most how many more" grep -Eq 'then pairs of readings of the two axes that turn out strongest: at most 6 runs, about [0-9]+ s' \
    "$work/one.err"
ok "then the pairs" grep -Eq '^heddle: 1 pair: [246] distinct runs, 0 stored before' "$work/one.err"
ok "values are in files only" test "$(grep -c '^values,' "$work/one.csv")" -gt 8 -a "$(grep -c 'Each claim under' "$work/one.txt")" -eq 0
ok "names what is left out at this size" grep -q "Left out with inputs of size test: seed-2;" "$work/one.txt"
ok "the words of the parameter, if the file has none" grep -q '"CFF builds on top of MWF' "$work/one.txt"

# The page has every run with its cycles and command; ratios, ranges and strengths follow from them.
by_other_hands() {
    /usr/bin/python3 - "$work/one.json" "$work/one.md" "$heddle" <<'PYTHON'
import json, re, shlex, statistics, subprocess, sys
sheets = {s["id"]: s["printed"] for s in json.load(open(sys.argv[1]))["sheets"]}
runs, commands = {}, {}
for line in open(sys.argv[2]):
    m = re.match(r"\| (\w+) under (\w+)(?:, reading (.*?))? \| ([\d,]+) \| yes \| `heddle (.*)` \|", line)
    if m:
        runs[m[1], m[2], m[3] or "default"] = int(m[4].replace(",", ""))
        commands[m[1], m[2], m[3] or "default"] = m[5]
changed = {"waiting": {"BAWS"}, "short": {"LRR"}, "spread": {"LRR", "GTO", "BAWS"}, "twenty": {"LRR", "GTO", "BAWS"},
           "clang": {"LRR", "GTO", "BAWS"}}
def cycles(app, policy, reading):
    parts = [p for p in reading.split(" + ") if policy in changed.get(p, ())]
    return runs[app, policy, " + ".join(parts) or "default"]
def gain(policy, over, reading):
    return 100 * (sum(cycles(a, over, reading) / cycles(a, policy, reading) for a in ("SP", "MM")) / 2 - 1)
claims = {"lrr": ("LRR", 17.0), "gto": ("GTO", 1.0)}
values = {}
for claim, reading, ours, diff, verdict in sheets["values"][1:]:
    values.setdefault(claim, {})[reading] = float(ours.split()[0])
    assert abs(values[claim][reading] - gain("BAWS", claims[claim][0], reading)) < 0.006, (claim, reading, ours)
alone = set(changed)
assert {r for r in values["lrr"] if "+" not in r} == alone | {"default"}, values["lrr"]
assert {r for r in values["gto"] if "+" not in r} == alone - {"short"} | {"default"}, "a claim without LRR"
head = sheets["readings-percent"][0]
strength = dict.fromkeys(("waiting", "short", "spread", "twenty", "clang"), 0)
for row in sheets["readings-percent"][1:]:
    row = dict(zip(head, row))
    v, paper = values[row["CLAIM"]], claims[row["CLAIM"]][1]
    for name, of in (("LEAST", min), ("MEDIAN", statistics.median), ("MOST", max)):
        assert abs(float(row[name].split()[0]) - of(v.values())) < 0.011, (row, name)
    agree = sum(abs(x - paper) <= max(1, paper / 4) for x in v.values())
    assert row["AGREE"] == "%d of %d" % (agree, len(v)), (row, v)
    moves = {r: abs(v[r] - v["default"]) for r in alone if r in v}
    axis = dict(waiting="cff", short="wrap", spread="place", twenty="registers", clang="compiler")[max(moves, key=moves.get)]
    assert row["MOVED MOST BY"].startswith(axis + ", "), row
    assert abs(float(row["MOVED MOST BY"].split(", ")[1]) - max(moves.values())) < 0.011, row
    for r in moves:
        strength[r] += moves[r] / max(1, paper / 4)
for row in sheets["axes"][1:]:
    if row[3]:
        of = dict(cff="waiting", wrap="short", place="spread", registers="twenty", compiler="clang").get(row[0].split(":")[0])
        assert of is None or abs(float(row[3]) - strength[of]) < 0.02, (row, strength)
order = list(strength)
two = sorted(sorted(order, key=lambda r: -strength[r])[:2], key=order.index)
pairs = {r for c in values.values() for r in c if "+" in r}
assert pairs <= {" + ".join(two)} and pairs, (pairs, strength)
for key in list(commands)[::3]:  # and the commands repeat the cycles
    out = subprocess.run([sys.argv[3]] + shlex.split(commands[key]) + ["--quiet", "--json", "-"],
                         stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(out)["totals"]["cycles"] == runs[key], key
PYTHON
}
ok "are those of the runs" by_other_hands

ok "from the database" readings again --db "$work/one.db"
ok "nothing is run" grep -Eq '^heddle: 6 readings: [23][0-9] distinct runs, 2[0-9] stored before$' "$work/again.err"
ok "several at a time, without a database or replays" readings other --jobs 3 --no-replay
for kind in txt csv json md; do
    same "the same bytes: $kind from the database" "$work/one.$kind" "$work/again.$kind"
    same "the same bytes: $kind in another order" "$work/one.$kind" "$work/other.$kind"
done
ok "a claim alone" readings gto --db "$work/one.db" --claim gto
ok "is shown with its values" grep -Eq '^gto +default +[-+][0-9.]+ % ' "$work/gto.txt"
ok "and no others" test "$(grep -c '^lrr' "$work/gto.txt")" -eq 0
full() { HEDDLE_DATA="$work/data" "$heddle" paper baws --size test --readings=full --db "$work/one.db" --csv "$work/full.csv" --quiet; }
ok "all pairs of all readings" full
ok "of six axes with a reading each" test "$(grep -c '^values,lrr,' "$work/full.csv")" -eq 22
# A claim that takes many runs: `full` before the claim gto's own keys.
printf '%s%s' "${head/\[claim gto\]/[claim gto]
full = test}" "$axes" >"$work/data/papers/baws.ini"
ok "a claim of the full set is left out" readings without --db "$work/one.db"
ok "it has no row" test "$(grep -c '^readings-percent,gto,' "$work/without.csv")" -eq 0 -a "$(grep -c '^readings-percent,lrr,' "$work/without.csv")" -eq 1
ok "and this is said" grep -q 'Left out: 1 claim that only --readings=full or --claim judges' "$work/without.txt"
ok "it is there if it is named" readings named --db "$work/one.db" --claim gto
ok "with its row" test "$(grep -c '^readings-percent,gto,' "$work/named.csv")" -eq 1
ok "and in the full set" full
ok "with its row, too" test "$(grep -c '^readings-percent,gto,' "$work/full.csv")" -eq 1
paper "$axes"
if command -v gnuplot >/dev/null; then
    figure() {
        HEDDLE_DATA="$work/data" "$heddle" paper baws --size test --readings --db "$work/one.db" --quiet \
            --plot "$work/fig.svg" --html "$work/page.html" && grep -q 'the default reading' "$work/fig.svg" &&
            grep -q '<svg' "$work/page.html"
    }
    ok "a dot for each reading" figure
else
    skip "a dot for each reading" "no gnuplot"
fi

case_is "papers have readings" 2 "err:paper lfws has no claim 'lfws-lr'; did you mean 'lfws-lrr'?" -- \
    "$heddle" paper lfws --readings --claim lfws-lr
case_is "no claim without readings" 2 "err:--claim x without --readings" -- "$heddle" paper lfws --claim x
case_is "no figures of readings" 2 "err:--readings shows no figures" -- "$heddle" paper lfws --readings --figure fig1
case_is "half of them" 2 "err:--readings=half: expected nothing or full" -- "$heddle" paper lfws --readings=half

# Something wrong in the file: its place, before anything runs.
axis='[axis a]
title = a
default = b
says = c
'
wrong() { # NAME TEXT STDERR
    paper "$2"
    case_is "$1" 2 "err:$3" "no:readings:" "no:internal" -- env HEDDLE_DATA="$work/data" "$heddle" paper baws --size test --readings
}
wrong "another workload for nobody" "$axes[reading r]
axis = cff
app.1 = NM | scan" "there is no application 'NM'; did you mean 'MM'?"
wrong "an application alone" "$axes[reading r]
axis = cff
app.1 = MM" "[reading r]: 'MM' says too little; expected LABEL | WORKLOAD"
wrong "no axes" "" "papers/baws.ini: error: paper baws has no readings"
wrong "an axis without a default" "[axis a]
title = a" "baws.ini:38: error: [axis a] needs a key 'default'"
wrong "an unknown axis" "$axis[reading r]
axis = b
seed = 2" "baws.ini:42: error: [reading r]: there is no axis 'b'; did you mean 'a'?"
wrong "no change" "$axis[reading r]
axis = a" "baws.ini:42: error: [reading r] changes nothing; expected policy.*"
wrong "an unknown key" "$axis[reading r]
axis = a
polcy.1 = LRR | wrap=0" "baws.ini:44: error: a section [reading ...] has no key 'polcy.1'; did you mean 'policy.'?"
wrong "an unknown policy" "$axis[reading r]
axis = a
policy.1 = BAW | cff=waiting" "baws.ini:44: error: [reading r]: there is no policy 'BAW'; did you mean 'BAWS'?"
wrong "an unknown parameter" "$axis[reading r]
axis = a
policy.1 = BAWS | cfg=waiting" "baws.ini:42: error: policy baws has no parameter 'cfg'; did you mean 'cff'?"
wrong "a bad value" "$axis[reading r]
axis = a
policy.1 = BAWS | cff=never" "baws.ini:42: error: policy baws: 'never' is not a valid value of cff"
wrong "no parameter" "$axis[reading r]
axis = a
policy.1 = BAWS | waiting" "baws.ini:44: error: [reading r]: 'waiting' changes no parameter; expected LABEL"
wrong "half a change" "$axis[reading r]
axis = a
policy.1 = BAWS" "baws.ini:44: error: [reading r]: 'BAWS' says too little; expected LABEL, ... | KEY=VALUE"
wrong "no such scheduler" "$axis[reading r]
axis = a
spec.1 = BAWS | bawz" "baws.ini:42: error: there is no policy 'bawz'"
wrong "an unknown key of the machine" "$axis[reading r]
axis = a
set.1 = mem.sprea=4096" "baws.ini:42: error: section [mem] has no parameter 'sprea'; did you mean 'spread'?"
wrong "no value" "$axis[reading r]
axis = a
set.1 = mem.spread" "baws.ini:44: error: [reading r]: 'mem.spread' sets no key"
wrong "an unknown size" "$axis[reading r]
axis = a
size = huge" "baws.ini:42: error: --size huge: no such size; expected test, small or paper"
wrong "a bad seed" "$axis[reading r]
axis = a
seed = two" "baws.ini:42: error: seed two: expected a number"
wrong "bad registers" "$axis[reading r]
axis = a
regs = sm_2x" "baws.ini:42: error: --regs sm_2x"
wrong "a size that only the full set has" "$axis[reading r]
axis = a
full = huge
seed = 3" "baws.ini:42: error: [reading r]: full = huge; expected 0, 1 or the size"
wrong "a claim that only a full set has" "[claim more]
figure = f
policy = BAWS
over = LRR
apps = all
percent = 1
full = always
${axis}[reading r]
axis = a
seed = 3" "baws.ini:38: error: [claim more]: full = always; expected 0, 1 or the size"
wrong "PTX that no workload has" "$axis[reading r]
axis = a
ptx = sm_80" "baws.ini:42: error: --ptx sm_80: workloads have no such PTX; expected sm_20 or sm_75"
# How many cells can be compared depends on the inputs: the paper's number is that of the default's.
head=${head/seconds.test = 0.02/seconds.test = 0.02
instructions = 22 M
percent = 1}
paper '[figure t]
kind = mix
title = M
policy = LRR
apps = all
[claim cells]
figure = t
cells = all
place = Table 1
[axis size]
title = size of the inputs
default = that of --size
says = not told
[reading paper]
axis = size
size = paper
'
ok "cells of a table under inputs of two sizes" readings cells --claim cells
ok "of the default, one" grep -q '^readings-counts,cells,cells of t,1,' "$work/cells.csv"
ok "of the larger ones, more" grep -q '^values,cells,paper,[12],' "$work/cells.csv"
# An application may be a job beside the paper's file, or some kernels of a workload; a reading takes another one.
mkdir "$work/data/papers/x"
for rows in 32 64; do
    printf '%s\n' "ptx ../../workloads/matmul_tiled/matmul_tiled.sm_75.ptx" "buf a 16384 randf32 1 -1 1" "buf b 16384 randf32 2 -1 1" \
        "buf c 16384 zero" "launch matmul_tiled $((rows / 16)) $((rows / 16)) 1 16 16 1 0 p:a p:b p:c u:$rows" >"$work/data/papers/x/mm_$rows.job"
done
jobs_paper() { # COMMAND OPTION...
    printf '%s' '[paper]
title = T
authors = A
venue = V
gpu = baws
regs = sm_20
[policy LRR]
spec = lrr
[policy GTO]
spec = gto
[app MM]
workload = x/mm_32.job
[app NEAR]
workload = fast_walsh
only = near_steps
[figure f]
kind = counter
title = F
of = cycles
policies = LRR
apps = MM NEAR
[claim mm]
of = cycles
policy = LRR
apps = MM
value = 1
[claim near]
of = cycles
policy = LRR
apps = NEAR
value = 1
[axis rows]
title = rows
default = 32
[reading rows-64]
axis = rows
app.1 = MM | x/mm_64.job
' >"$work/data/papers/baws.ini"
    HEDDLE_DATA="$work/data" "$heddle" paper baws --size test --db "$work/jobs.db" --quiet "$@"
}
cycles_of() { # of JSON: all launches, or those of the kernel KERNEL
    /usr/bin/python3 -c 'import json, sys
print(sum(k["cycles"] for k in json.load(open(sys.argv[1]))["kernels"] if k["name"] in sys.argv[2:]))' "$@"
}
of_jobs() {
    local rows
    jobs_paper --json "$work/jobs.json" --markdown "$work/jobs.md" >"$work/out" &&
        jobs_paper --readings --claim mm,near --json "$work/rows.json" >"$work/out" || return 1
    for rows in 32 64; do
        "$heddle" run "$work/data/papers/x/mm_$rows.job" --gpu baws --regs sm_20 --sched lrr --quiet --json "$work/mm$rows.json" || return 1
    done
    "$heddle" run fast_walsh --size test --gpu baws --regs sm_20 --sched lrr --quiet --json "$work/fwt.json" || return 1
    /usr/bin/python3 - "$work/jobs.json" "$work/rows.json" "$(cycles_of "$work/mm32.json" matmul_tiled)" \
        "$(cycles_of "$work/mm64.json" matmul_tiled)" "$(cycles_of "$work/fwt.json" near_steps)" <<'PYTHON'
import json, sys
default, readings = (json.load(open(f)) for f in sys.argv[1:3])
small, large, near = map(int, sys.argv[3:])
claims = {r[0]: r for r in next(s for s in default["sheets"] if s["id"] == "claims")["printed"]}
number = lambda cell: int(str(cell).replace(",", "").split(".")[0])
ours = claims["CLAIM"].index("OURS")
assert number(claims["mm"][ours]) == small and number(claims["near"][ours]) == near, (claims, small, near)
text = json.dumps(readings)
assert small != large and str(large) in text, (large, text[-2000:])
PYTHON
    grep -q 'heddle run papers/x/mm_32.job --sched lrr --gpu baws --regs sm_20`' "$work/jobs.md"
}
ok "jobs, some kernels, another workload by a reading" of_jobs
finish
