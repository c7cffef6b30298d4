#!/usr/bin/env bash
# run --sample: an estimate with its error beside a full run, the same bytes each time, faults and hangs
# as in any run, results that say that they are a sample, and what it excludes. compare --sample: the same
# launches under each scheduler, and the errors of their ratios.
. tests/shared/cases.sh
. tests/shared/samples.sh

run() { # NAME ARGUMENT...
    local name=$1
    shift
    "$heddle" run "$@" --quiet --no-host --json "$work/$name.json"
}

for w in needle streamcluster; do
    ok "$w in full" run "$w" "$w" --size small
    ok "$w as a sample" run "$w.sample" "$w" --size small --sample 8 --sample-warm 1
    ok "$w: the estimate is as near as its error says" says \
        "abs(a['totals']['cycles'] - b['sample']['cycles']) <= b['sample']['error'] < 0.06 * a['totals']['cycles']" \
        "$w" "$w.sample"
    ok "$w: less than a fifth of the launches count" says \
        "0 < a['sample']['measured'] < a['sample']['launches'] / 5 and a['sample']['warm_up'] > 0" "$w.sample"
    ok "$w: the program is the same" says \
        "all(a['totals'][k] == b['totals'][k] for k in ('warp_insts', 'thread_insts')) and b['verified'] and
         [k['warp_insts'] for k in a['kernels']] == [k['warp_insts'] for k in b['kernels']]" "$w" "$w.sample"
    ok "$w: the first launch is that of the full run" says \
        "all(a['kernels'][0][k] == b['kernels'][0][k] for k in ('cycles', 'stalls', 'l1d', 'l2'))" "$w" "$w.sample"
done
ok "launches without timing have no cycles, and the totals neither" says \
    "all((k['cycles'] is None) == (k['sample'] == 'untimed') for k in a['kernels']) and
     a['totals']['cycles'] is None and a['totals']['elapsed_cycles'] is None" needle.sample
ok "kernels have estimates of their own" says \
    "[k['name'] for k in a['sample']['kernels']] == ['upper_left', 'lower_right'] and
     abs(sum(k['cycles'] for k in a['sample']['kernels']) - a['sample']['cycles']) <= 2" needle.sample

again() { # OPTION...
    run again needle --size test --sample 4 "$@" && cmp "$work/again.json" "$work/base.json"
}
run base needle --size test --sample 4
ok "the same bytes each time" again
ok "with the seed that is the default" again --sample-seed 1
ok "with 2 threads" again --threads 2
ok "with 5 threads" again --threads 5
ok "another seed chooses other launches" run seed needle --size test --sample 4 --sample-seed 2
ok "and says so" says \
    "[k['sample'] for k in a['kernels']] != [k['sample'] for k in b['kernels']] and
     a['options']['sample_seed'] == 2" seed base
ok "stepping idle cycles changes nothing" run noskip needle --size test --sample 4 --no-skip
ok "but the option's name" says "a['kernels'] == b['kernels'] and a['sample'] == b['sample']" noskip base
for policy in lrr pro pro_dyn dyncta ccws two_level_active lfws:age=0 "elf --fetch elf"; do
    # shellcheck disable=SC2086
    case_is "policies that keep a state: $policy" 0 "out:results verified" -- \
        "$heddle" run streamcluster --size test --sample 4 --sched $policy
done

case_is "the table says that it is a sample" 0 "out:scheduler gto, a sample" "out:total" \
    "out:(--sample 8 --sample-seed 1). Error of the total: +-" "out:results verified" -- \
    "$heddle" run streamcluster --size test --sample 8
case_is "and if the error is not known" 0 "out:Too few to know the error." -- \
    "$heddle" run bfs --size test --sample 1000
case_is "one launch" 0 "out:Error of the total: +-0.00 %" -- "$heddle" run vecadd --sample 2
case_is "the CSV says which launches have timing" 0 "out:,status,size,seed,sample,set" "out:,ok,test,1,measured" \
    "out:,,,,,,ok,test,1,untimed" -- "$heddle" run needle --size test --sample 4 --csv -
case_is "the database keeps it apart" 0 silent -- \
    "$heddle" run needle --size test --sample 4 --db "$work/runs.db" --quiet
case_is "from a run of all launches" 0 silent -- \
    "$heddle" run needle --size test --db "$work/runs.db" --quiet
case_is "and shows it" 0 "out:gtx480 sample=4" -- "$heddle" show "$work/runs.db"
ok "without cycles" [ "$(query "$work/runs.db" 'SELECT cycles IS NULL FROM run ORDER BY id')" = "1
0" ]
case_is "compare does not take it for a full run" 0 "out:1 stored before, 1 simulated now" -- \
    "$heddle" compare needle --size test --sched gto,lrr --db "$work/runs.db"
case_is "diff refuses it" 2 "err:run 1 is a sample" "err:diff takes runs without --sample" -- \
    "$heddle" diff "$work/runs.db" 1 2
ok "a run without the option says nothing of samples" says \
    "'sample' not in a and 'sample' not in a['options'] and 'sample' not in a['kernels'][0]" needle

# A fault in one of the first launches, of which some have timing and some have none.
for bad in 0 1 2 3 4; do
    lines=()
    for i in 0 1 2 3 4 5; do
        lines+=("launch poke 1 1 1 32 1 1 0 p:A i:$((i == bad ? 64 : 0))")
    done
    job "poke$bad" "buf A 128 zero" "${lines[@]}"
    same_fault() {
        "$heddle" run "$work/poke$bad.job" >/dev/null 2>"$work/full"
        "$heddle" run "$work/poke$bad.job" --sample 1000 >"$work/table" 2>"$work/sampled"
        [ $? = 3 ] && cmp "$work/full" "$work/sampled" && grep -q "launch $bad" "$work/full" &&
            grep -q "did not come to its end: no estimate" "$work/table"
    }
    ok "a fault in launch $bad" same_fault
done
stuck=()
for i in 1 2 3 4 5; do
    stuck+=("launch poke 1 1 1 32 1 1 0 p:A i:0" "launch stuck 1 1 1 32 1 1 0")
done
job stuck "buf A 128 zero" "${stuck[@]}"
case_is "a hang" 3 "err:deadlock in kernel stuck, launch 1" -- \
    "$heddle" run "$work/stuck.job" --sample 4 --set gpu.deadlock_after=1000

for other in --functional-only --metrics "--timeline $work/x" "--konata $work/x" "--html $work/x" \
    "--stats gpgpusim" "--record $work/x" "--max-cycles 5" "--max-insts 5"; do
    # shellcheck disable=SC2086
    case_is "not with ${other%% *}" 2 "err:${other%% *} and --sample exclude each other" -- \
        "$heddle" run needle --size test --sample 4 $other
done
ok "nothing is left of them" [ ! -e "$work/x" ]
case_is "one in one is no sample" 2 "err:every launch would have timing" -- "$heddle" run vecadd --sample 1
case_is "a share is no number" 2 "err:expected a number" -- "$heddle" run vecadd --sample 5%
case_is "a seed alone" 2 "err:--sample-seed without --sample" -- "$heddle" run vecadd --sample-seed 2
case_is "a warm-up alone" 2 "err:--sample-warm without --sample" -- "$heddle" run vecadd --sample-warm 2
case_is "kernels that launch kernels" 2 "err:kernels of dp_sa launch kernels" -- \
    "$heddle" run dp_sa --size test --sample 4
printf '%s\n' "ptx $PWD/workloads/dp_sa/dp_sa.sm_75.ptx" "buf A 1024 zero" \
    "launch align_batches 1 1 1 32 1 1 0 p:A p:A p:A p:A i:0 i:0 p:A p:A i:0" >"$work/dp.job"
case_is "in a job" 2 "err:kernel align_batches may launch kernels" -- \
    "$heddle" run "$work/dp.job" --sample 4
"$heddle" run vecadd --functional-only --quiet --record "$work/v.trace"
case_is "a trace" 2 "err:a trace has no values" -- "$heddle" run "$work/v.trace" --sample 4
case_is "other commands do not have it" 2 "err:'heddle annotate' has no option --sample" -- \
    "$heddle" annotate vecadd --sample 4

# Several schedulers on the same launches.
compare() { # NAME OPTION...
    local name=$1
    shift
    "$heddle" compare "$@" --no-host --json "$work/$name.json" --csv "$work/$name.csv" >"$work/$name.table"
}
pairs() { # PYTHON EXPRESSION over `compare` of file NAME, as c; its runs as r
    /usr/bin/python3 - "$1" "$work/$2.json" <<'PYTHON'
import json, math, sys
c = json.load(open(sys.argv[2]))
r = c["runs"]
names = {"c": c, "r": r, "json": json, "math": math, "file": lambda n: json.load(open(f"{sys.argv[2].rsplit('/', 1)[0]}/{n}.json"))}
if not eval(f"({sys.argv[1]})", names):
    print(c["means"], [(x["sched"], x.get("sample") and x["sample"]["cycles"], x["relative_ipc"], x.get("relative_ipc_error")) for x in r])
    sys.exit(1)
PYTHON
}
five=lrr,gto,lfws,two_level_active,pro
ok "five schedulers, which would have been replays" compare five streamcluster --size test --sched $five --sample 3
ok "each measures the same launches" pairs "len(r) == 5 and
    all([k['sample'] for k in x['kernels']] == [k['sample'] for k in r[0]['kernels']] for x in r)" five
ok "is an execution and a sample" pairs "c['sample'] == {'every': 3, 'warm': 0, 'seed': 1} and
    all(x['source'] == 'program' and x['verified'] and x['options']['sample'] == 3 and x['totals']['cycles'] is None for x in r)" five
ok "the ratio is that of the estimates, its error that of pairs" pairs "all(x['relative_ipc_paired'] and
    abs(x['relative_ipc'] * x['sample']['cycles'] / r[0]['sample']['cycles'] - 1) < 1e-6 for x in r) and
    r[0]['relative_ipc'] == 1 and r[0]['relative_ipc_error'] == 0" five
ok "one is the run with --sample" run alone streamcluster --size test --sched lfws --sample 3
ok "to the byte" pairs "[x for x in r if x['sched'] == 'lfws'][0]['kernels'] == file('alone')['kernels'] and
    [x for x in r if x['sched'] == 'lfws'][0]['sample'] == file('alone')['sample']" five
ok "two of a larger input" compare small streamcluster --size small --sched lrr,gto --sample 8
ok "the error of pairs is smaller than that of both" pairs "0 < r[1]['relative_ipc_error'] / r[1]['relative_ipc'] <
    0.8 * math.hypot(*(y['sample']['error'] / y['sample']['cycles'] for y in r))" small
ok "the full run of the base" run lrr streamcluster --size small --sched lrr
ok "the ratio is as near as its error says" pairs "abs(r[1]['relative_ipc'] - file('lrr')['totals']['cycles'] /
    file('streamcluster')['totals']['cycles']) <= r[1]['relative_ipc_error']" small
ok "full runs" compare full needle --size test --sched lrr,gto
ok "say nothing of samples" pairs "'sample' not in c and 'relative_ipc_error' not in r[0] and
    'geometric_error' not in c['means'][0]" full
case_is "the table marks estimates" 0 "out:/ lrr   +-%  VERIFIED" "out:  ~" "out:IPC relative to lrr, estimated" \
    "out:~: estimated from a sample of the launches (--sample 8 --sample-seed 1). +-%: the error, in % with a confidence of 95 %." \
    -- cat "$work/small.table"
case_is "those of full runs have none" 0 "no:~" "no:+-" -- cat "$work/full.table"
ok "the CSV has the errors" grep -Eq '^streamcluster,gtx480,gto,ok,yes,[0-9]+,[0-9.]+,[0-9.]+,sample=8,small,1,estimated,[0-9.]+,[0-9.]+,yes$' \
    "$work/small.csv"
ok "that of full runs has no such columns" grep -qx "workload,gpu,sched,status,verified,cycles,ipc,relative,set,size,seed" "$work/full.csv"

two=(needle streamcluster --size test --sched lrr,gto --sample 3 --sample-seed 1)
case_is "two workloads have means with errors" 0 "out:geometric mean" "out:4 runs: 0 stored before, 4 simulated now" -- \
    "$heddle" compare "${two[@]}" --db "$work/compare.db" --no-host --json "$work/first.json" --html "$work/c.html"
ok "in the JSON" pairs "c['means'][1]['geometric_error'] > 0 and c['means'][1]['arithmetic_error'] > 0" first
case_is "taken from the database" 0 "out:4 runs: 4 stored before, 0 simulated now" -- \
    "$heddle" compare "${two[@]}" --db "$work/compare.db" --no-host --json "$work/second.json"
same "the same bytes" "$work/first.json" "$work/second.json"
case_is "another sample is another run" 0 "out:4 runs: 0 stored before, 4 simulated now" -- \
    "$heddle" compare "${two[@]}" --sample-warm 1 --db "$work/compare.db"
case_is "and a full run" 0 "out:4 runs: 0 stored before, 4 simulated now" "no:~" -- \
    "$heddle" compare needle streamcluster --size test --sched lrr,gto --db "$work/compare.db"
case_is "the database says which are samples" 0 "out:gtx480 sample=3" -- "$heddle" show "$work/compare.db"
case_is "and how to repeat one" 0 "out:heddle run needle --sched " "out: --sample 3 --sample-seed 1 --size test" -- \
    "$heddle" show "$work/compare.db" 1
ok "the page says it" grep -q "estimated from a sample of the launches (--sample 3 --sample-seed 1)" "$work/c.html"
ok "and has no cycles of warps" eval '! grep -q "\"missing\":" "$work/c.html"'
case_is "machines with other kinds of launches are no pairs" 0 "out:*" "out:have not measured the same launches" -- \
    "$heddle" compare needle --size test --sched gto --set sm.sms=1,15 --sample 3 --csv "$work/machines.csv"
ok "as the CSV says" grep -q ",sm.sms=15 sample=3,test,1,estimated,.*,no$" "$work/machines.csv"
case_is "other caches have the same launches" 0 "no:*" -- \
    "$heddle" compare streamcluster --size test --sched lrr,gto --set l1d.ways=2,4 --sample 4
case_is "an error that is not known" 0 "out:?" -- "$heddle" compare bfs --size test --sched lrr,gto --sample 1000
case_is "a fault has no estimate" 3 "out:fault" -- \
    "$heddle" compare "$work/poke3.job" --sched lrr,gto --sample 4 --csv "$work/fault.csv"
ok "nor an error" grep -qx "poke3,gtx480,gto,fault,,,,,sample=4,,,,,," "$work/fault.csv"
shared() {
    "$heddle" compare "${two[@]}" --no-host --json "$work/shared.json" --study "$work/study" &&
        "$heddle" study run "$work/study" --shard 1/1 && "$heddle" study merge "$work/study"
}
ok "several processes" shared
same "have the same bytes" "$work/first.json" "$work/shared.json"
for other in "--max-cycles 5" "--max-insts 5" "--html $work/x --html-cycles 0:" "--html $work/x --html-sm 1"; do
    excluded=${other##*"$work/x "}
    # shellcheck disable=SC2086
    case_is "compare: not with ${excluded%% *}" 2 "err:${excluded%% *} and --sample exclude each other" -- \
        "$heddle" compare needle --size test --sched lrr --sample 4 $other
done
case_is "compare: kernels that launch kernels" 2 "err:kernels of dp_sa launch kernels" "no:WORKLOAD" -- \
    "$heddle" compare needle dp_sa --size test --sched lrr --sample 4
case_is "compare: in a job" 2 "err:kernel align_batches may launch kernels" "out:error" -- \
    "$heddle" compare "$work/dp.job" --sched lrr --sample 4
case_is "compare: a trace" 2 "err:a trace has no values" -- "$heddle" compare "$work/v.trace" --sched lrr --sample 4
case_is "compare: one in one is no sample" 2 "err:every launch would have timing" -- \
    "$heddle" compare vecadd --sched lrr --sample 1
finish
