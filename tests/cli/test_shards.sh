#!/usr/bin/env bash
# heddle compare|paper --study and heddle study: runs that several processes share out give the bytes of one
# process; what dies is continued; what was changed is refused.
. tests/shared/cases.sh
export LC_ALL=C

query :memory: "select 1" >/dev/null 2>&1 || { echo "no module sqlite3 for /usr/bin/python3"; exit 77; }
mkdir "$work/a b'c"
study="$work/a b'c/my \"study\""
job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
job forever "buf A 4 zero" "launch forever 60 1 1 1024 1 1 0"
compare=("$heddle" compare --no-host)
words=(vecadd scan jacobi --sched lrr,gto)

# A study of six runs in three shares, one of them in another working folder and before the others.
"${compare[@]}" "${words[@]}" --json "$work/local.json" --csv "$work/local.csv" --html "$work/local.html" --html-cycles none \
    >"$work/local.out" 2>"$work/local.err"
"${compare[@]}" "${words[@]}" --db "$work/local.db" --quiet
plan=("${compare[@]}" "${words[@]}" --json "$work/merged.json" --csv "$work/merged.csv" --html "$work/merged.html" --html-cycles none)
case_is "plan" 0 "out:6 runs planned in" "out:0 of them done" "no:VERIFIED" -- "${plan[@]}" --study "$study"
case_is "status of a plan" 1 "out:6 runs: 0 done, 0 ended without a result, 6 missing" \
    "out:heddle compare --no-host vecadd" -- "$heddle" study status "$study"
case_is "nothing to merge yet" 2 "err:6 of 6 runs are missing" "no:VERIFIED" -- "$heddle" study merge "$study"
case_is "a share, from anywhere" 0 "out:share 2 of 3: 2 runs: 0 stored before, 2 simulated now" -- \
    env -C / "$heddle" study run "$study" --shard 2/3
case_is "again: nothing is left to do" 0 "out:share 2 of 3: 2 runs: 2 stored before, 0 simulated now" -- \
    "$heddle" study run "$study" --shard 2/3
ok "a share writes no results" test ! -e "$work/merged.json"
case_is "not all of them" 2 "err:4 of 6 runs are missing" -- "$heddle" study merge "$study"
ok "and no results" test ! -e "$work/merged.json"
case_is "a share" 0 "out:share 1 of 3: 2 runs" -- "$heddle" study run "$study" --shard 1/3
case_is "status on the way" 1 "out:6 runs: 4 done, 0 ended without a result, 2 missing" -- \
    "$heddle" study status "$study"
# Planned again, the four are done, and the rest is dealt anew: to one share.
case_is "planned again" 0 "out:6 runs planned in" "out:4 of them done" -- "${plan[@]}" --study "$study"
case_is "the rest, in another number of shares" 0 "out:share 1 of 1: 2 runs: 0 stored before, 2 simulated now" -- \
    "$heddle" study run "$study" --shard 1/1
case_is "status at the end" 0 "out:6 runs: 6 done" -- "$heddle" study status "$study"
"$heddle" study merge "$study" >"$work/merged.out" 2>"$work/merged.err"
same "merged: the same table" "$work/local.out" "$work/merged.out"
sed 's/local\.html/merged.html/' "$work/local.err" >"$work/local2.err"
same "merged: the same messages" "$work/local2.err" "$work/merged.err"
same "merged: the same JSON" "$work/local.json" "$work/merged.json"
same "merged: the same CSV" "$work/local.csv" "$work/merged.csv"
sed 's/local\.\(json\|csv\|html\)/merged.\1/g' "$work/local.html" >"$work/local2.html"
same "merged: the same report" "$work/local2.html" "$work/merged.html"
content() { # of a database, by value
    query "$1" "select key, identity, heddle, model, workload, size, seed, gpu, sets, sched, fetch, tb, kernel_policy,
        status, verified, exit_status, message, cycles, warp_insts, thread_insts, seconds, command, json, profile, sum
        from run order by key"
}
content "$work/local.db" >"$work/local.rows"
content "$study/results.db" >"$work/merged.rows"
same "merged: the same rows in the database" "$work/local.rows" "$work/merged.rows"
ok "with the plan's numbers" [ "$(query "$study/results.db" "select id, workload, sched from run order by id" |
    paste -sd ,)" = "1 vecadd lrr,2 vecadd gto,3 scan lrr,4 scan gto,5 jacobi lrr,6 jacobi gto" ]
case_is "which is in order" 0 "out:6 runs, nothing is wrong" -- "$heddle" db check "$study/results.db"
case_is "planned when it is done" 0 "out:6 of them done" "out:heddle study merge" "no:--shard" -- \
    "${plan[@]}" --study "$study"

# Failures are results, with the exit status of one process.
"${compare[@]}" "$work/poke.job" vecadd --sched gto >"$work/local.out" 2>"$work/local.err"
failing=$?
case_is "a study with a fault" 0 -- "${compare[@]}" "$work/poke.job" vecadd --sched gto --study "$work/poke"
case_is "its shares are done" 0 "out:share 1 of 2: 1 run" -- "$heddle" study run "$work/poke" --shard 1/2
"$heddle" study run "$work/poke" --shard 2/2 --quiet
"$heddle" study merge "$work/poke" >"$work/merged.out" 2>"$work/merged.err"
ok "its exit status is that of one process" [ $? -eq $failing ]
same "and its table" "$work/local.out" "$work/merged.out"
same "and its messages" "$work/local.err" "$work/merged.err"

# A share that is killed: its lock is free, what had ended is stored, and the rest is done by the next.
killed() { # SIGNAL STATUS
    local parent i
    rm -rf "$work/killed"
    "${compare[@]}" vecadd "$work/forever.job" --sched lrr,gto --study "$work/killed" --quiet || return 1
    "$heddle" study run "$work/killed" --shard 1/1 --jobs 1 >"$work/out" 2>"$work/err" &
    parent=$!
    for i in $(seq 600); do
        "$heddle" study status "$work/killed" >"$work/status"
        grep -q "share 1 of 1: running, 2 of 4 done, process $parent on" "$work/status" && break
        sleep 0.05
    done
    cat "$work/status"
    if "$heddle" study run "$work/killed" --shard 1/1 --db-wait 0 2>"$work/second"; then return 1; fi
    grep -q "process $parent on .* simulates this share" "$work/second" || { cat "$work/second" && return 1; }
    kill "-$1" $parent
    wait $parent 2>/dev/null
    [ $? -eq "$2" ] && "$heddle" study status "$work/killed" >"$work/status"
    grep -q "4 runs: 2 done, 0 ended without a result, 2 missing" "$work/status" && ! grep -q running "$work/status"
}
ok "kill -9 of a share" killed KILL 137
ok "SIGTERM" killed TERM 130
ok "says how it goes on" grep -q "2 of 4 runs are in .*shards/1-of-1.db, the same command continues" "$work/err"
child_killed() {
    local parent child i
    rm -rf "$work/child"
    "${compare[@]}" "$work/forever.job" vecadd --sched gto --study "$work/child" --quiet || return 1
    "$heddle" study run "$work/child" --shard 1/1 --jobs 1 >"$work/out" 2>"$work/err" &
    parent=$!
    for i in $(seq 100); do
        child=$(pgrep -P $parent) && [ -n "$child" ] && break
        sleep 0.05
    done
    kill -KILL "$child"
    wait $parent
    [ $? -eq 137 ] && "$heddle" study status "$work/child" >"$work/status"
    grep -q "2 runs: 1 done, 1 ended without a result, 0 missing" "$work/status"
}
ok "a run that is killed is no result" child_killed
case_is "it can be shown as any study shows it" 137 "out:killed" "err:SIGKILL" -- "$heddle" study merge "$work/child"
case_is "and is left over when the study is planned again" 0 "out:2 runs planned" "out:1 of them done" -- \
    "${compare[@]}" "$work/forever.job" vecadd --sched gto --study "$work/child"

# The same command with other runs.
case_is "another study" 2 "err:the folder belongs to another study: run 5 is jacobi under lrr there, and missing here" -- \
    "${compare[@]}" vecadd scan --sched lrr,gto --study "$study"
cp workloads/kernels/vecadd/* "$work/"
"${compare[@]}" "$work/vecadd.job" scan --sched gto --study "$work/edit" --quiet
sed 's/add.f32/sub.f32/' workloads/kernels/vecadd/vecadd.ptx >"$work/vecadd.ptx"
case_is "an edited input: a share refuses" 2 "err:was changed after the study was planned: run 1 (vecadd under gto)" \
    "no:share 1" -- "$heddle" study run "$work/edit" --shard 1/1
case_is "an edited input: the plan is not overwritten" 2 "err:was changed after the study was planned" -- \
    "${compare[@]}" "$work/vecadd.job" scan --sched gto --study "$work/edit"
case_is "an edited input: nor merged" 2 "err:was changed after" -- "$heddle" study merge "$work/edit"
cp workloads/kernels/vecadd/vecadd.ptx "$work/"
case_is "and restored" 0 "out:2 runs: 0 stored before, 2 simulated now" -- \
    "$heddle" study run "$work/edit" --shard 1/1
"${compare[@]}" "$work/vecadd.job" scan --sched gto --study "$work/edit" --csv "$work/later.csv" --quiet
case_is "other outputs of the same runs" 0 "out:VERIFIED" -- "$heddle" study merge "$work/edit"
ok "are those of the last command" test -s "$work/later.csv"

# Folders, plans and words that are wrong.
case_is "no folder" 2 "err:none: No such file or directory; expected the folder of a study" -- \
    "$heddle" study status "$work/none"
case_is "no study" 2 "err:holds no study: it has no plan.json" -- "$heddle" study status "$work"
case_is "a file" 2 "err:Not a directory" -- "$heddle" study merge "$work/vecadd.job"
case_is "to plan in a file" 2 "err:cannot make the folder of the study" -- \
    "${compare[@]}" vecadd --sched gto --study "$work/vecadd.job"
case_is "no share" 2 "err:study run needs --shard I/N" -- "$heddle" study run "$study"
for bad in 0/3 4/3 3 3/ /3 a/b 1/0 -1/3 1/3x 1/99999999999999999999; do
    case_is "share $bad" 2 "err:--shard $bad: " "err:for example --shard 3/16" -- "$heddle" study run "$study" --shard "$bad"
done
case_is "merge takes no share" 2 "err:--shard is for 'heddle study run'" -- "$heddle" study merge "$study" --shard 1/2
case_is "study: which command?" 2 "err:there is no command 'study merg'; did you mean 'merge'?" -- \
    "$heddle" study merg "$study"
case_is "study: no command" 2 "err:what is to be done with which study?" -- "$heddle" study
case_is "study: no folder" 2 "err:study status takes one folder" -- "$heddle" study status
case_is "--db" 2 "err:--db cannot be used with --study; results are in FOLDER/results.db" -- \
    "${compare[@]}" vecadd --sched gto --study "$work/new" --db "$work/new.db"
case_is "--out" 2 "err:--out cannot be used with --study" -- "${compare[@]}" vecadd --sched gto --study "$work/new" --out "$work"
case_is "--readings" 2 "err:--readings cannot be used with --study" -- \
    "$heddle" paper lfws --readings --study "$work/new"
ok "and no folder is made" test ! -e "$work/new"

broken() { # NAME TEXT SED: a plan changed by sed is refused by all, and written again by the command
    sed "$3" "$work/edit/plan.json" >"$work/plan" && cp "$work/plan" "$work/edit/plan.json"
    case_is "$1: status" 2 "err:$2" "err:it writes the file again" -- "$heddle" study status "$work/edit"
    case_is "$1: run" 2 "err:plan.json" -- "$heddle" study run "$work/edit" --shard 1/1
    case_is "$1: planned again" 0 "err:$2" "err:the plan of the study is written again" "out:2 of them done" -- \
        "${compare[@]}" "$work/vecadd.job" scan --sched gto --study "$work/edit"
}
broken "a plan cut short" "plan.json:5" '5,$d'
broken "a plan with another run" "checksum" 's/vecadd under/vecbdd under/'
broken "a plan without words" 'this is no plan of a study: "words" is missing' 's/^"words"/"wordy"/'
broken "a key that is none" "run 1 is not [KEY, true or false, NAME]" 's/^\["[0-9a-f]/["x/'
broken "an empty plan" "plan.json" d
sed 's/"study": 1/"study": 2/' "$work/edit/plan.json" >"$work/plan" && cp "$work/plan" "$work/edit/plan.json"
case_is "a plan of a later heddle" 2 "err:a plan of version 2, this heddle knows 1" -- \
    "$heddle" study status "$work/edit"

# A share whose file is damaged: the others are merged, and it says what to do.
"${compare[@]}" vecadd scan --sched gto --study "$work/hurt" --quiet
"$heddle" study run "$work/hurt" --shard 1/2 --quiet
"$heddle" study run "$work/hurt" --shard 2/2 --quiet
head -c 5000 /dev/urandom >"$work/hurt/shards/1-of-2.db"
case_is "a damaged share" 2 "err:1-of-2.db: error: this is no SQLite database" \
    "err:remove this file, and its runs are done again" -- "$heddle" study merge "$work/hurt"
ok "the other is merged" [ "$(query "$work/hurt/results.db" "select count(*) from run")" = 1 ]
rm "$work/hurt/shards/1-of-2.db"
case_is "it is done again" 0 "out:1 simulated now" -- "$heddle" study run "$work/hurt" --shard 1/2
/usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update run set cycles = cycles - 1")
c.commit()' "$work/hurt/shards/1-of-2.db"
case_is "a changed row is not merged" 2 "err:1 of 2 runs are missing" -- "$heddle" study merge "$work/hurt"
case_is "but simulated again" 2 "err:it is simulated again" "out:1 simulated now" -- \
    "$heddle" study run "$work/hurt" --shard 1/2
case_is "then all is there" 0 "out:VERIFIED" -- "$heddle" study merge "$work/hurt"

# A paper, in three shares that run at the same time.
paper=("$heddle" paper pro --size test --figure table3 --no-host --max-insts 2000)
"${paper[@]}" --quiet --json "$work/paper.json" --csv "$work/paper.csv" --markdown "$work/paper.md"
"${paper[@]}" --quiet --json "$work/paper2.json" --csv "$work/paper2.csv" --markdown "$work/paper2.md" --study "$work/pro"
for i in 1 2 3; do
    "$heddle" study run "$work/pro" --shard $i/3 --quiet --jobs 1 &
done
wait
case_is "a paper is merged" 4 "out:PRO" -- "$heddle" study merge "$work/pro"
for form in json csv md; do
    same "a paper: the same $form" "$work/paper.$form" "$work/paper2.$form"
done

# One report of several studies, whatever their working folders.
report=("$heddle" study report)
case_is "a report needs a file" 2 "err:study report needs --html FILE or --plot FILE" -- "${report[@]}" "$study"
case_is "a report needs a study" 2 "err:study report takes the folders of studies" -- "${report[@]}" --html "$work/r.html"
case_is "merge writes no report" 2 "err:--html and --plot are for 'heddle study report'" -- \
    "$heddle" study merge "$study" --html "$work/r.html"
rm -f "$work/merged.json" "$work/paper2.json"
case_is "a report" 4 "err:heddle: wrote $work/r.html" "no:VERIFIED" -- env -C "$work" \
    "$(realpath "$heddle")" study report "a b'c/my \"study\"" pro --html r.html
ok "it has the sheets of both, and says of which" /usr/bin/python3 -c '
import re, sys
page = open(sys.argv[1]).read()
ids = re.findall(r"<section id=\"([^\"]*)\">\n<h2>([^<]*)", page)
assert ids[0][0] == "study1-ipc" and ids[0][1].startswith("my &quot;study&quot;: IPC relative to lrr"), ids
assert any(i.startswith("study2-") and t.startswith("pro: ") for i, t in ids), ids
assert len(set(ids)) == len(ids)
assert len(re.findall("<summary>.*: Configuration, as the first run has it<", page)) == 2, re.findall(".*Configuration, as.*", page)
assert page.count(": Runs<") == 2 and "my &quot;study&quot;: Runs<" in page, re.findall("<summary>.*", page)
assert "heddle compare --no-host vecadd" in page and "heddle paper pro" in page' "$work/r.html"
ok "files of each study are not written" test ! -e "$work/merged.json" -a ! -e "$work/paper2.json"
"${compare[@]}" "${words[@]}" --quiet --study "$work/unfinished"
case_is "a report of an unfinished study" 2 "err:6 of 6 runs are missing" "no:wrote" -- "${report[@]}" \
    "$study" "$work/unfinished" --html "$work/r2.html"
ok "is not written" test ! -e "$work/r2.html"

# Sixteen processes plan in one new folder at once.
many() {
    local i n=0 pids=()
    for i in $(seq 16); do
        "${compare[@]}" vecadd scan --sched lrr,gto --study "$work/many" >"$work/many.out$i" 2>&1 &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i" || n=$((n + 1)); done
    cat "$work"/many.out* | sort | uniq -c
    [ $n -eq 0 ]
}
ok "sixteen processes plan one new study at once" many
# A plan holds little of each run: 10,000 of them fit into 200 MB of addresses. Sanitizers need more.
large() (
    ulimit -v 200000
    "${compare[@]}" matmul vecadd scan jacobi transpose --sched lrr,gto --set l1d.mshrs="$(seq -s, 1 40)" \
        --set flat.latency="$(seq -s, 100 124)" --study "$work/large" --quiet &&
        [ "$(grep -c '^\[' "$work/large/plan.json")" -eq 10000 ]
)
if grep -q __asan_init "$heddle"; then
    skip "a plan of 10,000 runs is small" "a build with sanitizers needs more memory"
else
    ok "a plan of 10,000 runs is small" large
fi

# A merge of many runs holds little of each: 2,000 results would be 340 MB as objects. They are made from a
# few that were simulated. `compact`: the JSON is stored in another form, and shown in the same.
cat >"$work/copy.py" <<'PYTHON'
import hashlib, json, sqlite3, sys
folder, template, form = sys.argv[1:]
source = sqlite3.connect(template)
names = [r[1] for r in source.execute("pragma table_info(run)") if r[1] not in ("id", "sum")]
rows = {}
for row in source.execute("select %s from run" % ",".join(names)):
    row = dict(zip(names, row))
    rows[row["workload"], row["sched"]] = row
def checksum(values):
    total = hashlib.sha256()
    for v in values:
        kind = 5 if v is None else 1 if isinstance(v, int) else 2 if isinstance(v, float) else 3
        text = ("" if v is None else "%.17g" % v if kind == 2 else str(v)).encode()
        total.update(b"%d %d " % (kind, len(text)) + text)
    return total.hexdigest()
share = sqlite3.connect(folder + "/shards/1-of-1.db")
for (sql,) in source.execute("select sql from sqlite_master where sql is not null and name not like 'sqlite_%'"):
    share.execute(sql)
share.execute("pragma application_id = %d" % source.execute("pragma application_id").fetchone()[0])
share.execute("pragma user_version = 2")
for n, (key, stored, label) in enumerate(json.load(open(folder + "/plan.json"))["runs"]):
    workload, rest = label.split(" under ")
    row = dict(rows[workload, rest.split(",")[0]], key=key)
    if form == "compact":
        row["json"] = json.dumps(json.loads(row["json"]), separators=(",", ":"))
    values = [row[c] for c in names]
    share.execute("insert into run(%s, sum) values(%s)" % (",".join(names), ",".join("?" * (len(names) + 1))),
                  values + [checksum(values)])
share.commit()
PYTHON
"${compare[@]}" vecadd scan jacobi transpose --sched lrr,gto --db "$work/few.db" --quiet
copied() { # NAME FORM: plans 2,000 runs and gives each a result
    "${compare[@]}" vecadd scan jacobi transpose --sched lrr,gto --set l1d.mshrs="$(seq -s, 1 25)" \
        --set flat.latency="$(seq -s, 100 109)" --study "$work/$1" --json "$work/$1.json" --csv "$work/$1.csv" --quiet &&
        /usr/bin/python3 "$work/copy.py" "$work/$1" "$work/few.db" "$2"
}
merged() ( # NAME: in little memory
    grep -q __asan_init "$heddle" || ulimit -v 150000
    "$heddle" study merge "$work/$1" >"$work/$1.out" && [ "$(wc -l <"$work/$1.csv")" -eq 2001 ]
)
ok "2,000 runs with results" copied many2 written
ok "are merged in 150 MB" merged many2
ok "the JSON is whole" /usr/bin/python3 -c 'import json, sys
runs = json.load(open(sys.argv[1]))["runs"]
sys.exit(len(runs) != 2000 or not all(r["kernels"] and r["relative_ipc"] > 0 and r["set"] for r in runs))' "$work/many2.json"
cp "$work/many2.json" "$work/first.json"
ok "again: what was merged before is checked" merged many2
same "with the same bytes" "$work/first.json" "$work/many2.json"
/usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update run set message = \"x\" where id = 7")
c.commit()' "$work/many2/results.db"
case_is "a row that was changed after it was merged is refused" 2 "err:it was changed after it was stored" \
    "err:1 of 2000 runs are missing" -- "$heddle" study merge "$work/many2"
ok "2,000 results in another form" copied many3 compact
ok "are merged, too" merged many3
same "and written in the same" "$work/first.json" "$work/many3.json"
finish
