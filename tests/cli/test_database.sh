#!/usr/bin/env bash
# heddle compare --db and heddle show: what is kept, what is not run again, and files that are none.
. tests/cli/cases.sh
export LC_ALL=C
db=$work/study.db

# query FILE SQL: its rows, a blank between columns
query() {
    /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)' "$@"
}
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
    "${compare[@]}" vecadd jobs/vecadd/vecadd.job --sched gto --db "$work/twice.db"
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
ok "tables: inputs are what sha256sum says" is "$(sha256sum <jobs/vecadd/vecadd.job | cut -c1-64)" \
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

cp jobs/vecadd/* "$work/"
"${compare[@]}" "$work/vecadd.job" --sched gto --db "$work/edit.db" --quiet
sed 's/add.f32/sub.f32/' jobs/vecadd/vecadd.ptx >"$work/vecadd.ptx"
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
ok "and it says how to go on" grep -q "2 of 4 runs are in .*killed.db, the same command goes on" "$work/err"
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
    [ "$status" -eq 70 ] && grep -q 'ended by signal 9' "$work/err" &&
        is "forever|bug vecadd|ok" "$work/child.db" "select workload || '|' || status from run order by id"
}
ok "a child that is killed takes only its run with it" child_killed
case_is "which is tried again" 0 "out:1 run: 0 stored before, 1 simulated now" "out:limit" -- \
    "${compare[@]}" "$work/forever.job" --sched gto --max-cycles 2000 --db "$work/child.db"

case_is "show: all" 0 "out:RUN" "out:gtx480 l1d.ways=2" "out:fault" -- "$heddle" show "$db"
case_is "show: one" 0 "out:repeat   heddle run vecadd --sched lrr" "out:l1d.ways" "out:module 0" -- \
    "$heddle" show "$db" 1
"$heddle" show "$db" 1 --json "$work/one.json"
ok "show: its JSON is the run's" "$heddle" run vecadd --sched lrr --no-host --quiet --json "$work/run.json"
same "to the byte" "$work/run.json" "$work/one.json"
case_is "show: no such run" 2 "err:there is no run 99 in it" -- "$heddle" show "$db" 99
case_is "show: no number" 2 "err:'x' is no number of a run" -- "$heddle" show "$db" x
case_is "show: no file" 2 "err:No such file" -- "$heddle" show "$work/none.db"
case_is "show: which?" 2 "err:which database" -- "$heddle" show
ok "show makes no file" test ! -e "$work/none.db"

# Files that are no database of heddle's, or not one any more: told, left as they are, nothing run.
refused() { # NAME FILE TEXT
    cp "$2" "$work/before"
    case_is "$1" 2 "err:$3" "no:WORKLOAD" -- "${compare[@]}" vecadd --sched gto --db "$2"
    same "$1: left as it was" "$work/before" "$2"
    case_is "$1: show" 2 "err:$3" -- "$heddle" show "$2"
}
printf 'ptx vecadd.ptx\nbuf A 4 zero, and a few more bytes so that it is no empty file\n' >"$work/text"
refused "a text file" "$work/text" "this is no SQLite database"
query "$work/foreign.db" "create table run(id)"
refused "a database of others" "$work/foreign.db" "none of heddle's"
cp "$db" "$work/later.db"
query "$work/later.db" "pragma user_version = 2"
refused "one of a later heddle" "$work/later.db" "of version 2, this heddle knows version 1"
cp "$db" "$work/damaged.db"
for page in 2 3 4 5; do
    head -c 4096 /dev/zero | tr '\0' '\245' |
        dd of="$work/damaged.db" bs=4096 seek=$page conv=notrunc status=none
done
refused "a damaged one" "$work/damaged.db" "the database is damaged"
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
    "${compare[@]}" vecadd --sched gto --db "$1" >"$work/out" 2>"$work/err"
    status=$?
    kill $holder
    wait $holder 2>/dev/null
    [ $status -eq 2 ] && grep -q "locked by another program" "$work/err" && ! [ -s "$work/out" ]
}
ok "a locked one" locked "$db"
: >"$work/empty.db"
case_is "an empty file becomes one" 0 "out:0 stored before" -- \
    "${compare[@]}" vecadd --sched gto --db "$work/empty.db"
mkfifo "$work/pipe.db"
case_is "a pipe is no database" 2 "err:cannot open the database" "err:not a regular file" -- \
    timeout 10 "$heddle" show "$work/pipe.db"
finish
