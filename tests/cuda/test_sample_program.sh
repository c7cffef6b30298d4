#!/usr/bin/env bash
# test_sample_program.sh - heddle exec --sample: a program with many launches in streams and graphs. The
# estimate beside a full run, the same bytes each time, what is no estimate, what it excludes, variables.
set -u
. tests/shared/cases.sh
. tests/shared/programs.sh
. tests/shared/samples.sh

ok "a program with many launches builds" gcc -std=c11 -O1 "${san[@]}" -Isrc -o "$work/many" \
    tests/cuda/programs/many.c "$library"

run() { # NAME OPTION... -- WORD...
    local name=$1
    shift
    "$heddle" exec --quiet --no-host --gpu gtx480 --json "$work/$name.json" "$@" >"$work/$name.out"
}

ok "in full" run full -- "$work/many"
ok "as a sample" run sample --sample 8 --sample-warm 1 -- "$work/many"
ok "without launches that warm caches" run cold --sample 8 -- "$work/many"
ok "the estimate is as near as its error says" says \
    "abs(a['totals']['cycles'] - b['sample']['cycles']) <= b['sample']['error'] < 0.15 * a['totals']['cycles']" full cold
ok "and nearer with them" says "abs(a['totals']['cycles'] - b['sample']['cycles']) < 0.01 * a['totals']['cycles']" full sample
ok "each of the launches is there, those of graphs and cooperative ones too" says \
    "len(b['kernels']) == 90 == b['sample']['launches'] and 0 < b['sample']['measured'] < 20 and
     [k['warp_insts'] for k in a['kernels']] == [k['warp_insts'] for k in b['kernels']]" full sample
ok "which have timing and which have none" says \
    "all((k['cycles'] is None) == (k['sample'] == 'untimed') for k in a['kernels']) and
     {k['sample'] for k in a['kernels']} == {'measured', 'warm-up', 'untimed'} and
     a['options']['sample'] == 8 and a['options']['sample_warm'] == 1 and a['totals']['cycles'] is None" sample
ok "they are of one kind" says "{k['sample_kind'] for k in a['kernels']} == {0}" sample
ok "the results do not say of a full run that it is a sample" says \
    "'sample' not in a and 'sample' not in a['options'] and 'sample_kind' not in a['kernels'][0]" full
ok "again" run again --sample 8 --sample-warm 1 --sample-seed 1 -- "$work/many"
same "the same bytes each time" "$work/sample.json" "$work/again.json"
ok "with threads" run threads --sample 8 --sample-warm 1 --threads 3 -- "$work/many"
same "the same bytes" "$work/sample.json" "$work/threads.json"
ok "another seed chooses other launches" run seed --sample 8 --sample-warm 1 --sample-seed 5 -- "$work/many"
ok "and says so" says "[k['sample'] for k in a['kernels']] != [k['sample'] for k in b['kernels']]" sample seed
ok "another scheduler has the same ones" run lrr --sample 8 --sample-warm 1 --sched lrr -- "$work/many"
ok "of the same kinds" says "[k['sample'] for k in a['kernels']] == [k['sample'] for k in b['kernels']]" sample lrr
shorter() {
    awk 'NR == FNR { full = $1; next } { exit !($1 > 0 && $1 < full / 3) }' "$work/full.out" "$work/sample.out"
}
ok "events have the cycles of the launches with timing" shorter

case_is "the table says that it is a sample" 0 "err:scheduler gto, a sample" "err:step x 90" "err:~" \
    "err:of 90 launches (--sample 8 --sample-seed 1). Error of the total: +-" -- \
    "$heddle" exec --sample 8 "$work/many"
case_is "kernels of one name in two modules" 0 "err:step x 30" "no:x 60" "err:total" -- \
    "$heddle" exec --sample 8 -- "$work/many" modules
ok "have estimates of their own" run modules --sample 8 -- "$work/many" modules
ok "that add up" says "len(a['sample']['kernels']) == 2 and
    abs(sum(k['cycles'] for k in a['sample']['kernels']) - a['sample']['cycles']) <= 2 and
    a['sample']['kernels'][1]['cycles'] > 3 * a['sample']['kernels'][0]['cycles']" modules
case_is "a device that is reset" 0 "err:of 60 launches" -- "$heddle" exec --sample 8 -- "$work/many" reset
case_is "a fault: no estimate" 3 "out:fault: 700" "err:fault in kernel step, launch 10" \
    "err:did not come to its end: no estimate" -- "$heddle" exec --sample 8 -- "$work/many" fault

# A launch that failed shows in the exit status although the program ends with 0.
case_is "a fault that the program ignores" 3 "out:fault: 700" "err:ended with status 0, but a launch failed: the status is 3" -- \
    "$heddle" exec --quiet -- "$work/many" fault
case_is "and is to ignore" 0 "out:fault: 700" "no:a launch failed" -- "$heddle" exec --quiet --keep-status -- "$work/many" fault
case_is "a fault in a process that it started" 3 "err:a launch failed" -- \
    "$heddle" exec --quiet -- sh -c '"$0" fault; true' "$work/many"
case_is "a program with a status of its own" 5 "no:a launch failed" -- \
    "$heddle" exec --quiet -- sh -c '"$0" fault; exit 5' "$work/many"
case_is "a limit is no failure" 0 "no:a launch failed" -- \
    "$heddle" exec --quiet --max-cycles 1000 -- sh -c '"$0"; true' "$work/many"
mkdir "$work/two"
case_is "two processes" 0 "err:2 processes used the GPU" -- "$heddle" exec --quiet --sample 8 \
    --json "$work/two/r.json" -- sh -c '"$0"; "$0" modules' "$work/many"
ok "have a sample each" eval '[ "$(cat "$work"/two/r.json* | grep -c "\"measured_cycles\"")" = 5 ]'

case_is "a kernel that launches kernels" 2 "out:launch: 801" "out:after it: 801" \
    "err:heddle: kernel nest may launch kernels, which a sample cannot contain; run it without --sample" "no:a sample," -- \
    "$heddle" exec --sample 8 --json "$work/child.json" --db "$work/child.db" -- "$work/many" child tests/cuda/children.ptx
ok "leaves no result" [ ! -e "$work/child.json" ]
case_is "in the database neither" 0 "no:many" -- "$heddle" show "$work/child.db"

case_is "the database keeps it apart" 0 "out: us" -- \
    "$heddle" exec --quiet --sample 8 --db "$work/runs.db" --gpu gtx480 -- "$work/many"
case_is "from a full run" 0 "out: us" -- "$heddle" exec --quiet --db "$work/runs.db" --gpu gtx480 -- "$work/many"
case_is "and shows it" 0 "out:gtx480 sample=8" -- "$heddle" show "$work/runs.db"
ok "without cycles" [ "$(query "$work/runs.db" 'SELECT cycles IS NULL FROM run ORDER BY id')" = "1
0" ]
case_is "diff refuses it" 2 "err:run 1 is a sample" -- "$heddle" diff "$work/runs.db" 1 2

for other in --functional-only --metrics "--timeline $work/x" "--konata $work/x" "--annotate $work/x" \
    "--stats gpgpusim" "--record $work/x" "--max-cycles 5" "--max-insts 5"; do
    # shellcheck disable=SC2086
    case_is "not with ${other%% *}" 2 "err:${other%% *} and --sample exclude each other" "no: us" -- \
        "$heddle" exec --sample 4 $other "$work/many"
done
ok "nothing is left of them" [ ! -e "$work/x" ]
case_is "a seed alone" 2 "err:--sample-seed without --sample" -- "$heddle" exec --sample-seed 2 "$work/many"

alone() { # VARIABLE=VALUE...
    env LD_PRELOAD="$library" HEDDLE_GPU=gtx480 HEDDLE_NO_HOST=1 "$@"
}
ok "without heddle exec" alone HEDDLE_SAMPLE=8 HEDDLE_SAMPLE_WARM=1 HEDDLE_SAMPLE_SEED=1 \
    HEDDLE_JSON="$work/alone.json" "$work/many"
same "the same bytes" "$work/sample.json" "$work/alone.json"
case_is "a variable where an option is meant" 0 "err:HEDDLE_SAMPLE has no effect on heddle exec; use its option --sample" \
    "no:a sample" -- env HEDDLE_SAMPLE=8 "$heddle" exec "$work/many"
for wrong in "HEDDLE_SAMPLE=1:2 to 1000000" "HEDDLE_SAMPLE=x:a number" "HEDDLE_SAMPLE_SEED=2:HEDDLE_SAMPLE beside it" \
    "HEDDLE_SAMPLE_WARM=2:HEDDLE_SAMPLE beside it"; do
    case_is "not ${wrong%%:*}" 1 "err:${wrong%%:*} in the environment; expected ${wrong#*:}" -- alone "${wrong%%:*}" "$work/many"
done
for other in HEDDLE_FUNCTIONAL=1 HEDDLE_METRICS=1 "HEDDLE_TIMELINE=$work/x" HEDDLE_MAX_CYCLES=9 "HEDDLE_ANNOTATE=$work/x" \
    "HEDDLE_REUSE=$work/x"; do
    case_is "not with ${other%%=*}" 1 "err:${other%%=*}=" "err:none beside HEDDLE_SAMPLE" -- \
        alone HEDDLE_SAMPLE=8 "$other" "$work/many"
done
ok "a variable that is 0" alone HEDDLE_SAMPLE=8 HEDDLE_METRICS=0 "$work/many"
finish
