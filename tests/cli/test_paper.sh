#!/usr/bin/env bash
# heddle paper: ours beside the paper's, what is missing is named, and the numbers are those of the runs.
. tests/shared/cases.sh
export LC_ALL=C
db=$work/lfws.db

case_is "figure 1 is the paper's" 0 "out:Figure 1" "no:Table 1" "no:distinct" -- \
    "$heddle" paper lfws --figure fig1 --csv "$work/fig1.csv"
ok "cycle by cycle" test "$(cut -d, -f4,5,7,8 "$work/fig1.csv" | paste -sd' ')" = \
    "CYCLES,PAPER,STALLS,PAPER 45,45,21,21 39,39,15,15 41,41,17,17 37,37,13,13"
case_is "table 1 is the machine's" 0 "out:786432" -- \
    "$heddle" paper lfws --figure table1 --csv "$work/table1.csv"
ok "number by number" test "$(awk -F, 'NR > 1 && $NF != 0' "$work/table1.csv" | wc -l)" -eq 0
case_is "another machine is seen" 0 "out:+1" -- \
    "$heddle" paper lfws --figure table1 --set sm.sms=16

case_is "figure 4 and table 2" 0 "err:distinct runs, 0 stored before" "out:arith. mean, all" \
    "out:geo. mean, long" "out:LFWS / LRR, GTO, 2-level" "out:lfws-classic" -- \
    "$heddle" paper lfws --figure fig4,table2 --size test --db "$db" --csv "$work/fig4.csv" \
    --json "$work/fig4.json"
case_is "again: nothing is run, the same is printed" 0 "err:stored before" "no:a time" -- \
    "$heddle" paper lfws --figure fig4,table2 --size test --db "$db" --csv "$work/again.csv"
same "to the byte" "$work/fig4.csv" "$work/again.csv"
for app in AES BFS_1 BFS_2 BP CP EPP HSP LIB LPS MUM NN NNEI NQU NW PF RAY SAOP SC SP STO; do
    echo $app
done >"$work/labels"
grep '^fig4,' "$work/fig4.csv" | grep -v '^fig4,APP' | cut -d, -f2 | sed -n 1,20p >"$work/shown"
same "every application of the paper has its row" "$work/labels" "$work/shown"
bad_rows() { # neither a ratio nor a reason
    awk -F, '$1 == "fig4" && $2 ~ /^[A-Z0-9_]*$/ && $2 != "APP"' "$work/fig4.csv" |
        grep -Ev '^fig4,[A-Z0-9_]+(,(missing|[0-9.]+)){7}$'
}
ok "each has a ratio or is named as missing" test -z "$(bad_rows)"

# The same from the database, with the means made by other hands.
recompute() {
    /usr/bin/python3 - "$db" "$work/fig4.json" <<'PYTHON'
import json, sqlite3, sys
runs = {(w, s): t / c for w, s, t, c in sqlite3.connect(sys.argv[1]).execute(
    "select workload, sched, thread_insts, cycles from run")}
sheets = {s["id"]: s["rows"] for s in json.load(open(sys.argv[2]))["sheets"]}
words = {r[0]: r[1] for r in sheets["table2"][1:]}
specs = ["lrr", "gto", "two_level_active", "two_level_opt", "lpi", "llos", "lfws"]
bad, columns = 0, [[] for _ in specs]
for row in sheets["fig4"][1:21]:
    for i, spec in enumerate(specs):
        if row[i + 1] == "missing" or row[0] == "NN":  # of NN not all launches count
            continue
        r = runs[words[row[0]], spec] / runs[words[row[0]], "lrr"]
        bad += abs(r - float(row[i + 1])) > 6e-5
    for i in range(len(specs)):
        if row[i + 1] != "missing":
            columns[i].append(float(row[i + 1]))
mean = next(r for r in sheets["fig4"] if r[0].startswith("arith. mean, all"))
for i, column in enumerate(columns):
    bad += abs(sum(column) / len(column) - float(mean[i + 1])) > 2e-4
claim = dict(zip(sheets["claims"][0], next(r for r in sheets["claims"] if r[0] == "lfws-lrr")))
ours = float(claim["OURS"].rstrip(" %"))
bad += abs((float(mean[7]) - 1) * 100 - ours) > 0.01
bad += abs(ours - 10.60 - float(claim["DIFF"])) > 0.011
sys.exit(bad > 0)
PYTHON
}
ok "ratios, means and claims follow from the runs" recompute

parts_add_up() { # the classes to the change in cycles, within what rounding to a tenth leaves
    awk -F, '$1 == "fig4-LFWS" && $3 ~ /^[-+]/ { n++; d = $4 + $5 + $6 + $7 + $8 - $3
        if (d > 0.31 || d < -0.31) { print; bad = 1 } } END { exit bad || n < 15 }' "$work/fig4.csv"
}
ok "what a change is made of adds up to it" parts_add_up

case_is "as a page" 0 -- "$heddle" paper lfws --size test --db "$db" --quiet --markdown "$work/page.md"
repeated() { # the commands of the page's runs give its cycles
    local line command cycles
    while read -r line; do
        command=$(sed 's/.*`heddle \(.*\)`.*/\1/' <<<"$line")
        cycles=$(cut -d'|' -f3 <<<"$line" | tr -d ' ,')
        "$heddle" $command --quiet --json "$work/one.json" || return 1
        grep -q "^ *\"cycles\": $cycles,$" <(sed -n '/"totals"/,/}/p' "$work/one.json") ||
            { echo "$line" && return 1; }
    done < <(grep -E '^\| (NQU|NNEI|SP) under (LFWS|2-level opt) ' "$work/page.md")
    [ -n "$cycles" ]
}
ok "its commands repeat its numbers" repeated
ok "its tables are whole" awk -F'|' '/^\|/ { if (before && NF != n) { print; exit 1 } n = NF; before = 1; next } { before = 0 }' \
    "$work/page.md"
ok "it counts the verdicts" grep -Eq '^Of [0-9]+ claims [0-9]+ agree' "$work/page.md"

case_is "PRO: blocks over time and their order" 0 "out:Table IV" "out:CYCLE" "out:under PRO" -- \
    "$heddle" paper pro --figure fig2,table4 --size small --db "$work/pro.db" --json "$work/pro.json"
"$heddle" run aes --gpu pro --regs sm_20 --sched pro --size small --metrics --json "$work/aes.json" --quiet
of_the_run() {
    /usr/bin/python3 - "$work/pro.json" "$work/aes.json" <<'PYTHON'
import json, sys
sheets = {s["id"]: s["rows"] for s in json.load(open(sys.argv[1]))["sheets"]}
metrics = json.load(open(sys.argv[2]))["metrics"]
blocks = [[str(b[k]) for k in ("sequence", "start", "end")] for b in metrics["blocks"]]
order = [" ".join(map(str, o["blocks"])) for o in metrics["order"]]
assert [r[:3] for r in sheets["fig2-PRO"][1:]] == blocks[:48] and len(blocks) > 6, blocks
shown = [r[1] for r in sheets["table4"][1:]]
assert shown == (order + ["-"] * 16)[:16] and len(order) > 3, order
PYTHON
}
ok "are those of the run" of_the_run
case_is "PRO: stalls, ratios, kernels" 0 "out:find_range" "out:sha1_overlap" "out:geo. mean of 25" -- \
    "$heddle" paper pro --figure fig1,table3,fig4 --size test --csv "$work/pro.csv"
total_is_the_sum() { # shares of stall cycles are 100 %
    awk -F, '$1 == "fig1" && $4 ~ /^[0-9.]+$/ { n++; d = $4 + $5 + $6 - 100
        if (d > 0.16 || d < -0.16) { print; bad = 1 } } END { exit bad || n < 20 }' "$work/pro.csv"
}
ok "PRO: shares are 100 %" total_is_the_sum
case_is "PRO: claims are over kernels, as the paper's means" 0 "out:25/25 kernels" -- \
    "$heddle" paper pro --figure fig4,gains --size test --db "$work/claims.db" --json "$work/claims.json"
over_kernels() { # the claims' means are those of Figure 4's table, column by column; medians and the rest by other hands
    /usr/bin/python3 - "$work/claims.json" <<'PYTHON'
import json, math, statistics, sys
sheets = {s["id"]: s["rows"] for s in json.load(open(sys.argv[1]))["sheets"]}
fig4, claims = sheets["fig4"], sheets["claims"]
kernels = [r for r in fig4[1:] if r[3]]
assert len(kernels) == 25, len(kernels)
claims = {r[0]: dict(zip(claims[0], r)) for r in claims[1:]}
number = lambda cell: float(cell.rstrip(" %").removeprefix("x "))
for policy in ("TL", "LRR", "GTO"):
    v = sorted(float(r[fig4[0].index(policy)]) for r in kernels)
    geo = lambda v: math.exp(sum(map(math.log, v)) / len(v))
    mean, less, median = (next(float(r[fig4[0].index(policy)]) for r in fig4 if r[0] and r[0].strip().startswith(w))
                          for w in ("geo. mean of 25", "without the two largest", "median"))
    assert abs(mean - geo(v)) < 1e-3 and abs(less - geo(v[:-2])) < 2e-3 and abs(median - v[12]) < 2e-3
    claim = claims[policy.lower()]
    for name, value in (("OURS", mean), ("LESS 2", less), ("MEDIAN", median), ("GEO.", mean)):
        assert abs(number(claim[name]) - 100 * (value - 1)) < 0.06, (policy, name, claim)
largest = max(float(r[fig4[0].index("LRR")]) for r in kernels)
claim = claims["lrr-max"]
assert abs(number(claim["OURS"]) - 100 * (largest - 1)) < 0.06 and not claim["LESS 2"], claim
PYTHON
}
ok "PRO: and follow from Figure 4" over_kernels
case_is "BAWS: Figure 3 has the warps of the SM's first block" 0 "out:Block 0 of those that came to the SM is block" \
    "no:No warps" -- "$heddle" paper baws --figure fig3 --size test --csv "$work/fig3.csv"
ok "in six phases, eight warps each" test "$(awk -F, '$1 == "fig3-LRR" && $2 ~ /^[0-9]+$/ { n[$2]++ }
    END { for (p in n) print n[p] }' "$work/fig3.csv" | sort | uniq -c | awk '{ print $1 " x " $2 }' | paste -sd' ')" = "6 x 8"
# One application of four makes the mean: said with its name.
carried() {
    printf '%s' '[paper]
title = T
gpu = gtx480
[policy LRR]
spec = lrr
[policy GTO]
spec = gto
[app SP]
[app MM]
[app STN]
[app SRAD2]
[set all]
apps = SP MM STN SRAD2
[figure f]
kind = ipc
title = F
policies = LRR, GTO
base = LRR
apps = all
[claim c]
figure = f
policy = GTO
over = LRR
apps = all
percent = PERCENT
' | sed "s/PERCENT/$1/" >"$work/data/papers/baws.ini"
    HEDDLE_DATA="$work/data" "$heddle" paper baws --size test --db "$work/carried.db" --json "$work/carried.json" \
        --markdown "$work/carried.md" >"$work/out" 2>"$work/err" || { cat "$work/err" && return 1; }
}
carried_by() {
    carried 1 || return 1
    local percent
    percent=$(/usr/bin/python3 -c 'import json, sys
s = {s["id"]: s["rows"] for s in json.load(open(sys.argv[1]))["sheets"]}["claims"]
print(s[1][s[0].index("OURS")].rstrip(" %"))' "$work/carried.json")
    carried "$percent" || return 1 # claimed is what comes out: it agrees
    /usr/bin/python3 - "$work/carried.json" "$work/carried.md" <<'PYTHON'
import json, sys
s = {s["id"]: s["rows"] for s in json.load(open(sys.argv[1]))["sheets"]}
rows = {r[0]: float(r[2]) for r in s["f"][1:5]}
far = max(rows, key=lambda k: abs(rows[k] - sum(rows.values()) / 4))
rest = 100 * (sum(v for k, v in rows.items() if k != far) / 3 - 1)
claim = dict(zip(s["claims"][0], s["claims"][1]))
paper = float(claim["PAPER"].rstrip(" %"))
assert abs(rest - paper) > max(1, abs(paper) / 4), rest # or this would be no such mean
assert claim["VERDICT"] == "agrees only by " + far, (claim, rows)
text = open(sys.argv[2]).read()
assert "1 agree (1 of them only by one application or kernel)" in text
print(claim["VERDICT"])
PYTHON
}
case_is "BAWS: barriers and RTRU, what is missing is named" 0 "out:RTRU" "out:OCTP   LRR       missing" -- \
    "$heddle" paper baws --figure fig1,fig3,fig5 --size test

case_is "no such paper" 2 "err:there is no paper 'lfsw'; did you mean 'lfws'?" -- "$heddle" paper lfsw
case_is "no such figure" 2 "err:has no figure 'fig9'; it has fig1, table1, table2, fig4" -- \
    "$heddle" paper lfws --figure fig9
case_is "no paper" 2 "err:paper takes one name" -- "$heddle" paper
case_is "no path" 2 "err:there is no paper '../papers/lfws'" -- "$heddle" paper ../papers/lfws
case_is "list" 0 "out:lfws   available" -- "$heddle" list papers

# Data files with something wrong: told with its line. The data folder has all but papers/.
mkdir "$work/data" "$work/data/papers"
ln -s "$PWD/gpus" "$PWD/workloads" "$work/data/"
head='[paper]
title = T
gpu = lfws
[policy LRR]
spec = lrr
[app X]
'
wrong() { # NAME TEXT STDERR
    printf '%s%s\n' "$head" "$2" >"$work/data/papers/x.ini"
    case_is "$1" 2 "err:$3" "no:internal" -- env HEDDLE_DATA="$work/data" "$heddle" paper x
}
wrong "an unknown section" "[figur a]" "x.ini:7: error: there is no kind of section 'figur'; did you mean 'figure'?"
wrong "an unknown key" "colour = 1" "x.ini:7: error: a section [app ...] has no key 'colour'"
wrong "a section twice" "[app X]" "x.ini:7: error: section [app X] is there twice"
wrong "no kind" "[figure a]" "x.ini:7: error: [figure a] needs a key 'kind'"
wrong "an unknown kind" "[figure a]
kind = bar" "there is no kind 'bar'"
wrong "an unknown application" "[figure a]
kind = mix
apps = X Y
policy = LRR" "[figure a]: there is no application 'Y'"
wrong "an unknown policy" "[figure a]
kind = mix
apps = X
policy = GTO" "[figure a]: there is no policy 'GTO'"
wrong "no policy at all" "[figure a]
kind = ipc
apps = X
policies = ,
base = LRR" "[figure a]: the list of what is called policy is empty"
wrong "a bad policy" "[policy Z]
spec = zto" "there is no policy 'zto'"
wrong "a key the machine lacks" "[figure a]
kind = machine
row.1 = a | sm.sm | 1 | 1" "the machine has no key 'sm.sm'"
wrong "an unknown mean" "[figure a]
kind = ipc
apps = X
policies = LRR
base = LRR
[claim c]
figure = a
policy = LRR
over = LRR
apps = X
percent = 1
mean = middle" "x.ini:12: error: [claim c]: there is no mean 'middle'"
wrong "an unknown unit" "[figure a]
kind = ipc
apps = X
policies = LRR
base = LRR
[claim c]
figure = a
policy = LRR
over = LRR
apps = X
percent = 1
unit = threads" "x.ini:12: error: [claim c]: there is no unit 'threads'"
ok "a mean that one application makes is said to be its" carried_by
wrong "no example" "[figure a]
kind = toy
toy = none" "none"
finish
