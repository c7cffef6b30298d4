#!/usr/bin/env bash
# heddle compare --db and heddle show: what is kept, what is not run again, and files that are none.
. tests/shared/cases.sh
export LC_ALL=C
db=$work/study.db

query :memory: "select 1" >/dev/null 2>&1 || { echo "no module sqlite3 for /usr/bin/python3"; exit 77; }
# is TEXT FILE SQL
is() { [ "$(query "$2" "$3" | paste -sd ' ')" = "$1" ] || { query "$2" "$3" && return 1; }; }

job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
job forever "buf A 4 zero" "launch forever 60 1 1 1024 1 1 0"
compare=("$heddle" compare --no-host)

case_is "runs are stored" 0 "out:4 runs: 0 stored before, 4 simulated now" -- \
    "${compare[@]}" vecadd scan --sched lrr,gto --jobs 1 --db "$db" --json "$work/first.json"
case_is "and not repeated" 0 "out:4 runs: 4 stored before, 0 simulated now" -- \
    "${compare[@]}" vecadd scan --sched lrr,gto --db "$db" --json "$work/again.json"
same "their results are the same bytes" "$work/first.json" "$work/again.json"
case_is "only what is new is run" 0 "out:9 runs: 4 stored before, 5 simulated now" -- \
    "${compare[@]}" vecadd scan jacobi --sched lrr,gto,oldest --db "$db"
case_is "another machine is another run" 0 "out:2 runs: 1 stored before, 1 simulated now" -- \
    "${compare[@]}" vecadd --sched gto --set l1d.ways=4,2 --db "$db"
case_is "another name of the same machine is not" 0 "out:1 run: 1 stored before" -- \
    "${compare[@]}" vecadd --sched gto --gpu lfws --db "$db"
case_is "one run under two names is run once" 0 "out:1 run: 0 stored before, 1 simulated now" -- \
    "${compare[@]}" vecadd workloads/kernels/vecadd/vecadd.job --sched gto --db "$work/twice.db"
case_is "a workload, its seed" 0 "out:2 runs: 0 stored before, 2 simulated now" -- \
    "${compare[@]}" vectoradd --size test --sched lrr,gto --db "$work/seed.db"
case_is "another seed is another input" 0 "out:1 run: 0 stored before, 1 simulated now" -- \
    "${compare[@]}" vectoradd --size test --seed 2 --sched gto --db "$work/seed.db"
ok "tables: runs" is 10 "$db" "select count(*) from run"
ok "tables: counters add up to cycles x schedulers x SMs" is "" "$db" "select * from
    (select run, launch, sum(value) as classes from counter where name in
     ('issued', 'idle', 'scoreboard', 'pipeline', 'inactive') group by run, launch)
    join kernel using (run, launch) where classes != cycles * 2 * 15"
ok "tables: options" is "gto lrr:wrap=1" "$db" "select distinct value from option
    where name = 'sched' and run <= 4 order by value"
ok "tables: inputs are what sha256sum says" is "$(sha256sum <workloads/kernels/vecadd/vecadd.job | cut -c1-64)" \
    "$db" "select distinct sha256 from input join run on run.id = input.run
    where name = 'job' and workload = 'vecadd'"

# A single run is kept, too: always simulated, and what compare would have kept.
run_db=$work/run.db
case_is "run --db" 0 "out:verified" -- "$heddle" run vecadd --sched lrr --no-host --db "$run_db"
case_is "annotate --db" 0 -- "$heddle" annotate vecadd --sched gto --no-host --db "$run_db"
case_is "compare finds both" 0 "out:2 runs: 2 stored before, 0 simulated now" -- \
    "${compare[@]}" vecadd --sched lrr,gto --db "$run_db" --json "$work/found.json"
"${compare[@]}" vecadd --sched lrr,gto --quiet --json "$work/made.json"
same "with the same bytes" "$work/made.json" "$work/found.json"
case_is "diff has their lines" 0 "out:line" -- "$heddle" diff "$run_db" 1 2
case_is "the same run again takes its place" 0 -- "$heddle" run vecadd --sched lrr --quiet --db "$run_db"
case_is "a fault is kept, with what it said" 3 "err:fault in kernel" -- \
    "$heddle" run "$work/poke.job" --db "$run_db" --quiet
case_is "compare knows it" 3 "out:1 run: 1 stored before" "err:fault in kernel" -- \
    "${compare[@]}" "$work/poke.job" --sched gto --db "$run_db"
case_is "without timing" 0 -- "$heddle" run vecadd --functional-only --quiet --db "$run_db"
ok "four runs" is 4 "$run_db" "select count(*) from run"
case_is "no results, no room" 2 "err:cannot" -- "$heddle" run vecadd --db "$work/nowhere/run.db"

cp workloads/kernels/vecadd/* "$work/"
"${compare[@]}" "$work/vecadd.job" --sched gto --db "$work/edit.db" --quiet
sed 's/add.f32/sub.f32/' workloads/kernels/vecadd/vecadd.ptx >"$work/vecadd.ptx"
case_is "an edited kernel is another run" 1 "out:1 run: 0 stored before, 1 simulated now" -- \
    "${compare[@]}" "$work/vecadd.job" --sched gto --db "$work/edit.db"
case_is "a failed check is a result, too" 1 "out:1 run: 1 stored before" "out:no" -- \
    "${compare[@]}" "$work/vecadd.job" --sched gto --db "$work/edit.db"
cp "$HEDDLE_BUILD/examples/youngest.so" "$work/p.so"
plugin=(vecadd --plugin "$work/p.so" --sched youngest --db "$work/edit.db")
case_is "a plug-in" 0 "out:0 stored before" -- "${compare[@]}" "${plugin[@]}"
case_is "is known again" 0 "out:1 stored before" -- "${compare[@]}" "${plugin[@]}"
printf 'x' >>"$work/p.so" # behind the end of what is loaded
case_is "and a plug-in of other bytes is another" 0 "out:0 stored before" -- \
    "${compare[@]}" "${plugin[@]}"

case_is "a fault is stored, beside the others" 3 "out:fault" "err:out of bounds" -- \
    "${compare[@]}" "$work/poke.job" vecadd --sched gto --db "$db"
case_is "and told again" 3 "out:2 runs: 2 stored before" "err:out of bounds" -- \
    "${compare[@]}" "$work/poke.job" vecadd --sched gto --db "$db"
case_is "what does not exist is no run" 2 "err:there is no workload 'nope'" "no:stored before" -- \
    "${compare[@]}" nope vecadd --sched gto --db "$db"
ok "and has no row" is "" "$db" "select * from run where workload = 'nope'"

# A run that never ends, behind two that do: ended by signal $1 once those are stored.
killed() {
    local parent children i stored status
    rm -f "$work/killed.db"
    "${compare[@]}" vecadd "$work/forever.job" --sched lrr,gto --jobs 1 --db "$work/killed.db" \
        >"$work/out" 2>"$work/err" &
    parent=$!
    for i in $(seq 100); do
        stored=$(query "$work/killed.db" "select count(*) from run" 2>/dev/null)
        [ "$stored" = 2 ] && break
        sleep 0.05
    done
    sleep 0.1
    children=$(pgrep -P $parent)
    kill "-$1" $parent
    wait $parent 2>/dev/null
    status=$?
    [ "$status" -eq "$2" ] || { echo "exit status $status" && return 1; }
    [ -n "$children" ] || { echo "no child seen" && return 1; }
    for i in $(seq 40); do kill -0 $children 2>/dev/null || break && sleep 0.05; done
    ! kill -0 $children 2>/dev/null || { echo "the child is alive" && return 1; }
    is 2 "$work/killed.db" "select count(*) from run"
}
ok "killed: what had ended is there" killed KILL 137
case_is "and the next start goes on" 0 "out:3 runs: 2 stored before, 1 simulated now" -- \
    "${compare[@]}" vecadd --sched lrr,gto,oldest --db "$work/killed.db"
ok "interrupted: the same" killed TERM 130 # scripts' background jobs ignore SIGINT; both are handled alike
ok "and it says how to go on" grep -q "2 of 4 runs are in .*killed.db, the same command continues" "$work/err"
child_killed() { # the child alone: its run is lost, the others are not
    local parent child i status
    rm -f "$work/child.db"
    "${compare[@]}" "$work/forever.job" vecadd --sched gto --jobs 1 --db "$work/child.db" \
        >"$work/out" 2>"$work/err" &
    parent=$!
    for i in $(seq 100); do
        child=$(pgrep -P $parent) && [ -n "$child" ] && break
        sleep 0.05
    done
    kill -KILL "$child"
    wait $parent
    status=$?
    [ "$status" -eq 137 ] && grep -q 'ended by signal 9 (SIGKILL: Killed), having used .* memory ran out' "$work/err" &&
        is "forever|killed vecadd|ok" "$work/child.db" "select workload || '|' || status from run order by id"
}
ok "a child that is killed takes only its run with it" child_killed
case_is "which is tried again" 4 "out:1 run: 0 stored before, 1 simulated now" "out:limit: stopped after 2000 cycles" -- \
    "${compare[@]}" "$work/forever.job" --sched gto --max-cycles 2000 --db "$work/child.db"

case_is "show: all" 0 "out:RUN" "out:gtx480 l1d.ways=2" "out:fault" -- "$heddle" show "$db"
case_is "show: one" 0 "out:repeat   heddle run vecadd --sched lrr" "out:l1d.ways" "out:module 0" -- \
    "$heddle" show "$db" 1
"$heddle" show "$db" 1 --json "$work/one.json"
ok "show: its JSON is the run's" "$heddle" run vecadd --sched lrr --no-host --quiet --json "$work/run.json"
same "to the byte" "$work/run.json" "$work/one.json"
case_is "show: no such run" 2 "err:there is no run 99 in it" -- "$heddle" show "$db" 99
case_is "show: no number" 2 "err:'x' is not the number of a run" -- "$heddle" show "$db" x
case_is "show: no file" 2 "err:No such file" -- "$heddle" show "$work/none.db"
case_is "show: which?" 2 "err:which database" -- "$heddle" show
ok "show makes no file" test ! -e "$work/none.db"

# Files that are no database of heddle's, or not one any more: told, left as they are, nothing run.
refused() { # NAME FILE TEXT
    cp "$2" "$work/before"
    case_is "$1" 2 "err:$3" "no:WORKLOAD" -- "${compare[@]}" vecadd --sched gto --db "$2"
    same "$1: left as it was" "$work/before" "$2"
    case_is "$1: show" 2 "err:$3" -- "$heddle" ${4:-show} "$2"
}
printf 'ptx vecadd.ptx\nbuf A 4 zero, and a few more bytes so that it is no empty file\n' >"$work/text"
refused "a text file" "$work/text" "this is no SQLite database"
query "$work/foreign.db" "create table run(id)"
refused "a database of others" "$work/foreign.db" "that heddle did not make"
cp "$db" "$work/later.db"
query "$work/later.db" "pragma user_version = 3"
refused "one of a later heddle" "$work/later.db" "of version 3, this heddle knows version 2"
cp "$db" "$work/damaged.db"
for page in 2 3 4 5; do
    head -c 4096 /dev/zero | tr '\0' '\245' |
        dd of="$work/damaged.db" bs=4096 seek=$page conv=notrunc status=none
done
refused "a damaged one" "$work/damaged.db" "the database is damaged" "db check"
head -c 6000 "$db" >"$work/cut.db"
refused "one cut short" "$work/cut.db" "the database is damaged"
case_is "a folder" 2 "err:$work" "no:WORKLOAD" -- "${compare[@]}" vecadd --sched gto --db "$work"
case_is "a folder that is not there" 2 "err:none/x.db" -- \
    "${compare[@]}" vecadd --sched gto --db "$work/none/x.db"
locked() {
    /usr/bin/python3 -c 'import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("begin exclusive")
print("locked", flush=True)
time.sleep(60)' "$1" >"$work/lock" &
    local holder=$! status
    until grep -q locked "$work/lock"; do sleep 0.05; done
    "${compare[@]}" vecadd --sched gto --db "$1" --db-wait 3 >"$work/out" 2>"$work/err"
    status=$?
    kill $holder
    wait $holder 2>/dev/null
    [ $status -eq 2 ] && grep -q "locked by another program; waiting for up to 3 s" "$work/err" &&
        grep -q "error: the database is locked by another program" "$work/err" && ! [ -s "$work/out" ]
}
ok "a locked one is waited for" locked "$db"
# hold FILE SECONDS: lock it for so long; returns once it is locked
hold() {
    rm -f "$work/lock"
    /usr/bin/python3 -c 'import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("begin exclusive")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))' "$1" "$2" >"$work/lock" &
    until grep -q locked "$work/lock" 2>/dev/null; do sleep 0.05; done
}
cp "$run_db" "$work/held.db"
hold "$work/held.db" 3
case_is "a lock of three seconds only takes time" 0 "out:1 run: 0 stored before, 1 simulated now" \
    -- "${compare[@]}" scan --sched oldest --db "$work/held.db"
wait

# The lock comes while the run goes on, and stays: the result is kept beside the file.
kept() {
    local study
    rm -f "$work"/kept.db*
    "${compare[@]}" vecadd --sched gto --db "$work/kept.db" --quiet
    "$heddle" run hotspot --no-host --quiet --db "$work/kept.db" --db-wait 1 2>"$work/err" &
    study=$!
    sleep 0.3
    hold "$work/kept.db" 60
    local holder=$!
    wait $study
    status=$?
    kill $holder
    wait $holder 2>/dev/null
    [ "$status" -eq 2 ] && grep -q "the result of hotspot is kept in .*kept.db.unstored" "$work/err" &&
        grep -q "heddle db add DATABASE FILE" "$work/err" && is 1 "$work/kept.db" "select count(*) from run"
}
ok "a result that cannot be stored is kept beside the file" kept
case_is "and can be added" 0 "out:1 result of" "out:not needed any more" -- \
    "$heddle" db add "$work/kept.db" "$work"/kept.db.unstored.*.jsonl
# The folder of the database goes while the run goes on: the result is kept in the folder of temporary files.
elsewhere() {
    mkdir -p "$work/gone" "$work/tmp"
    TMPDIR=$work/tmp "$heddle" run hotspot --no-host --quiet --db "$work/gone/x.db" 2>"$work/err" &
    local study=$!
    sleep 0.3
    rm -r "$work/gone"
    wait $study
    grep -q "the result of hotspot is kept in $work/tmp/x.db.unstored" "$work/err" &&
        grep -q '"workload": *"hotspot"' "$work"/tmp/x.db.unstored.*.jsonl
}
ok "or in another folder" elsewhere
case_is "so that it is not simulated again" 0 "out:1 run: 1 stored before" -- \
    "${compare[@]}" hotspot --sched gto --db "$work/kept.db"
case_is "which is as good as any" 0 "out:2 runs, nothing is wrong" -- "$heddle" db check "$work/kept.db"
sed 's/"cycles":[0-9]*,/"cycles":1,/' "$work"/kept.db.unstored.*.jsonl >"$work/forged.jsonl"
echo '{"key": 1' >>"$work/forged.jsonl"
case_is "lines that hold no result are named" 2 "err:forged.jsonl:1: error: this line holds no result: its numbers" \
    "err:forged.jsonl:2: error: this line holds no result" -- "$heddle" db add "$work/kept.db" "$work/forged.jsonl"
case_is "db: which command?" 2 "err:there is no command 'db chekc'; did you mean 'check'?" -- "$heddle" db chekc
case_is "db: no command" 2 "err:what is to be done with which database?" "no:there is no command" -- "$heddle" db
echo garbage >"$work/garbage" && echo more >>"$work/garbage"
case_is "a file of something else" 2 "err:garbage: error: none of its lines holds a result" "no:this line" -- \
    "$heddle" db add "$work/kept.db" "$work/garbage"
case_is "no new database for it" 2 "err:none of its lines holds a result" "err:No such file" -- \
    "$heddle" db add "$work/unmade.db" "$work/garbage" "$work/nothing"
ok "nor an empty one" bash -c "! compgen -G '$work/unmade.db*'"
case_is "for a result there is one" 2 "out:1 result of" "err:none of its lines" -- \
    "$heddle" db add "$work/made.db" "$work/garbage" "$work"/kept.db.unstored.*.jsonl
ok "with the result in it" test -s "$work/made.db"
case_is "db: which file?" 2 "err:db check takes one database" -- "$heddle" db check

# Many processes open one new file at once, and together do each run once.
many() {
    local i n=0 pids=()
    rm -f "$work"/many*
    for i in $(seq 12); do
        "${compare[@]}" vecadd scan --sched lrr,gto --jobs 1 --db "$work/many.db" >"$work/many.out$i" \
            2>"$work/many.err$i" &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i" || n=$((n + 1)); done
    cat "$work"/many.err*
    [ $n -eq 0 ] || { echo "$n of 12 failed" && return 1; }
    n=$(cat "$work"/many.out* | sed -n 's/.*before, \([0-9]*\) simulated now.*/\1/p' |
        awk '{ n += $1 } END { print n + 0 }')
    [ "$n" -eq 4 ] || { echo "$n runs simulated" && return 1; }
    for i in $(seq 2 12); do diff <(sed 2d "$work/many.out1") <(sed 2d "$work/many.out$i") || return 1; done
    is "4 0 0" "$work/many.db" "select (select count(*) from run), (select count(*) from claim), (select count(*) from worker)"
}
ok "twelve processes on one new database: nobody fails, four runs are simulated, all see the same" many

# A claim ends with its process: at once if that is of this host, else when its beat stops.
claimed() { # SQL for a worker and a claim, seconds it may take at least and at most
    local begin
    rm -f "$work/claim.db"
    "${compare[@]}" vecadd --sched gto --db "$work/claim.db" --quiet
    query "$work/claim.db" "select 1" >/dev/null
    /usr/bin/python3 - "$work/claim.db" "$1" <<'PYTHON'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
key, = c.execute("select key from run").fetchone()
c.execute("delete from run")
c.execute(sys.argv[2])
c.execute("insert into claim values(?, 99)", (key,))
c.commit()
PYTHON
    begin=$(date +%s%N)
    "${compare[@]}" vecadd --sched gto --db "$work/claim.db" >"$work/out" || return 1
    local took=$((($(date +%s%N) - begin) / 1000000))
    grep -q "0 stored before, 1 simulated now" "$work/out" || { cat "$work/out" && return 1; }
    [ $took -ge "$2" ] || { echo "took $took ms only" && return 1; }
    is 0 "$work/claim.db" "select count(*) from claim"
}
ok "a claim of a silent process of another host is taken when its lease is over" claimed \
    "insert into worker values(99, 'elsewhere', 1, 1, 2.0, 7)" 2000
ok "a claim without its process is taken" claimed "insert into worker values(98, 'x', 1, 1, 1000.0, 7)" 0
taken_over() { # kill -9 of a study that has claimed both runs
    local study i
    rm -f "$work/dead.db"
    "${compare[@]}" "$work/forever.job" hotspot --sched gto --jobs 2 --db "$work/dead.db" \
        >/dev/null 2>&1 &
    study=$!
    for i in $(seq 600); do
        [ "$(query "$work/dead.db" "select count(*) from claim" 2>/dev/null)" = 2 ] && break
        sleep 0.05
    done
    kill -KILL $study
    wait $study 2>/dev/null
    is "2" "$work/dead.db" "select count(*) from claim" || return 1
    timeout 60 "${compare[@]}" hotspot --sched gto --db "$work/dead.db" >"$work/out" || return 1
    grep -q "0 stored before, 1 simulated now" "$work/out" && is 0 "$work/dead.db" "select count(*) from claim"
}
ok "kill -9 ends its claims" taken_over

# What was changed from outside is reported, not shown as a result; then simulated again.
tampered() { # NAME SQL TEXT
    cp "$run_db" "$work/tampered.db"
    query "$work/tampered.db" "select 1" >/dev/null
    /usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update run set " + sys.argv[2] + " where id = 1")
c.commit()' "$work/tampered.db" "$2"
    case_is "$1: compare reports it and simulates again" 2 "err:run 1" "err:$3" \
        "err:it is simulated again" "out:1 run: 0 stored before, 1 simulated now" -- \
        "${compare[@]}" vecadd --sched lrr --db "$work/tampered.db"
    case_is "$1: and is good from then on" 0 "out:1 run: 1 stored before" -- \
        "${compare[@]}" vecadd --sched lrr --db "$work/tampered.db"
    /usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("update run set " + sys.argv[2] + " where id = 1")
c.commit()' "$work/tampered.db" "$2"
    case_is "$1: show" 2 "err:run 1: " "err:$3" -- "$heddle" show "$work/tampered.db" 1
    case_is "$1: db check" 2 "err:run 1: " "err:$3" -- "$heddle" db check "$work/tampered.db"
}
tampered "cycles" "cycles = cycles - 1" "its checksum is not that of its values"
tampered "an impossible number" "cycles = -5" "'cycles' holds a value that cannot be there"
tampered "a word for a number" "thread_insts = 'many'" "'thread_insts' holds a value that cannot be there"
tampered "a status" "status = 'fine'" "there is no status 'fine'"
tampered "JSON" "json = substr(json, 1, 100)" "its checksum is not that of its values"
tampered "JSON without a checksum" "json = substr(json, 1, 100), sum = NULL" "its checksum is not"
case_is "show: all of them, and what is wrong" 2 "out:vecadd" "err:run 1" -- \
    bash -c "cp '$run_db' '$work/t.db' && /usr/bin/python3 -c 'import sqlite3
c = sqlite3.connect(\"$work/t.db\")
c.execute(\"update run set cycles = -5 where id = 1\")
c.commit()' && '$heddle' show '$work/t.db'"

# A file of version 1 has no checksums, claims or index: it can be read, and gets them when written.
cp "$run_db" "$work/old.db"
/usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
for sql in ("drop index run_seconds", "drop table claim", "drop table worker",
            "alter table run drop column sum", "pragma user_version = 1"):
    c.execute(sql)
c.commit()' "$work/old.db"
case_is "tables of version 1 are read" 0 "out:vecadd" -- "$heddle" show "$work/old.db" 1
ok "and left as they are" is 1 "$work/old.db" "pragma user_version"
case_is "their runs are known" 0 "out:1 run: 1 stored before" -- \
    "${compare[@]}" vecadd --sched lrr --db "$work/old.db"
ok "and they are of version 2 from then on" is "2 run_seconds 0" "$work/old.db" "select
    (select user_version from pragma_user_version), (select name from sqlite_master where type = 'index'
     and sql is not null), (select count(*) from run where sum is null)"
ok "the estimate is made from the index alone" bash -c "/usr/bin/python3 -c 'import sqlite3
for row in sqlite3.connect(\"$work/old.db\").execute(\"explain query plan select avg(seconds) \"
    \"from run where workload = ? and size is ?\", (1, 2)): print(row)' | grep -q 'COVERING INDEX run_seconds'"

# Opening reads a few pages of a large file.
cheap() {
    local reads
    cp "$run_db" "$work/large.db"
    /usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("create table ballast(b)")
for i in range(200): c.execute("insert into ballast values(randomblob(200000))")
c.commit()' "$work/large.db"
    reads=$(strace -f -e trace=pread64,read -o /dev/stdout "$heddle" show "$work/large.db" 1 2>&1 | grep -c pread64)
    [ "$reads" -lt 500 ] || { echo "$reads reads" && return 1; }
}
if command -v strace >/dev/null; then ok "opening does not read the whole file" cheap
else skip "opening does not read the whole file" "no strace"; fi
: >"$work/empty.db"
case_is "an empty file becomes one" 0 "out:0 stored before" -- \
    "${compare[@]}" vecadd --sched gto --db "$work/empty.db"
mkfifo "$work/pipe.db"
case_is "a pipe is no database" 2 "err:cannot open the database" "err:not a regular file" -- \
    timeout 10 "$heddle" show "$work/pipe.db"

# The inputs of a workload are the files of its folder: one that cannot be listed must not pass for empty.
mkdir -m 777 "$work/free"
mkdir -p "$work/free/data/workloads"
cp -r gpus papers "$work/free/data/"
cp -r workloads/vectoradd "$work/free/data/workloads/"
chmod -R a+rX "$work/free/data" # whatever the user's umask was when the tree was made
chmod 711 "$work" && chmod 311 "$work/free/data/workloads/vectoradd"
# The user must reach the tree, which may lie in a home that only root may enter; whether a command of
# his writes shows it (setpriv starts programs that he could not).
user=()
[ "$(id -u)" -eq 0 ] && user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${user[@]}" true 2>/dev/null && ! "${user[@]}" ls "$work/free/data/workloads/vectoradd" >/dev/null 2>&1 &&
    "${user[@]}" touch "$work/free/reached" 2>/dev/null; then
    case_is "a workload's folder that cannot be listed" 2 "err:cannot read the folder of a workload" \
        "err:Permission denied" -- env HEDDLE_DATA="$work/free/data" "${user[@]}" \
        "${compare[@]}" vectoradd --size test --sched gto --db "$work/free/x.db"
else
    skip "a workload's folder that cannot be listed" "no user for whom it cannot be"
fi
chmod 711 "$work/free/data/workloads/vectoradd"
finish
