#!/usr/bin/env bash
# Words on the command line: commands, options, what is refused and how.
. tests/shared/cases.sh

case_is "no command" 2 "err:usage: heddle COMMAND" -- "$heddle"
case_is "version" 0 "out:heddle 0." "out:model" -- "$heddle" --version
case_is "help of no command" 2 "err:did you mean 'run'?" -- "$heddle" help rum
case_is "help" 0 "out:usage: heddle COMMAND" "out:compare" -- "$heddle" --help
for command in run annotate reuse compare list explain ptx toy exec inspect check-policy; do
    case_is "$command --help" 0 "out:usage: heddle $command" -- "$heddle" $command --help
    case_is "help $command" 0 "out:usage: heddle $command" -- "$heddle" help $command
done
case_is "unknown command, near" 2 "err:did you mean 'compare'?" -- "$heddle" comapre
case_is "unknown command, far" 2 "err:there is no command 'frobnicate'" -- "$heddle" frobnicate

case_is "unknown option, near" 2 "err:no option --scehd; did you mean --sched?" -- \
    "$heddle" run vecadd --scehd lrr
case_is "the beginning of an option" 2 "err:no option --funct; did you mean --functional-only?" -- \
    "$heddle" run vecadd --funct
case_is "the short name of --functional-only" 0 "out:functional" -- \
    "$heddle" run vectoradd --size test --functional
case_is "it is no option of compare" 2 "err:'heddle compare' has no option --functional" -- \
    "$heddle" compare vecadd --functional
alike() { # messages begin with "heddle: " or a place; \r is the line of progress and what goes on with it
    ! grep -rnE 'fprintf\(stderr, *"|fputs\("[^"]*", stderr|perror\(' src --include=*.c |
        grep -vE '"(heddle: |\\r|, |: about )|src/base/(bug|diag)\.c'
}
ok "messages begin alike" alike
case_is "unknown short option" 2 "err:unknown option '-x'" -- "$heddle" run -x vecadd
case_is "an option of another command" 2 "err:'heddle run' has no option --jobs" -- \
    "$heddle" run vecadd --jobs 2
case_is "an unknown one" 2 "err:'heddle run' has no option --check" -- \
    "$heddle" run vecadd --check x
case_is "value missing" 2 "err:--sched: expected NAME after it" -- "$heddle" run vecadd --sched
case_is "value empty" 2 "err:--sched: expected NAME" -- "$heddle" run vecadd --sched=
case_is "value where none belongs" 2 "err:--quiet takes no value" -- \
    "$heddle" run vecadd --quiet=1
case_is "no number" 2 "err:--max-cycles 1k: expected a number" -- \
    "$heddle" run vecadd --max-cycles 1k
case_is "number too small" 2 "err:from 1 to" -- "$heddle" run vecadd --max-cycles 0
case_is "negative number" 2 "err:expected a number" -- "$heddle" compare vecadd --jobs -1
case_is "size of a job" 2 "err:a job has one input" -- "$heddle" run vecadd --size small
case_is "no workload" 2 "err:which workload" -- "$heddle" run
case_is "two workloads" 2 "err:run takes one workload" -- "$heddle" run vecadd scan
case_is "two workloads to annotate" 2 "err:annotate takes one workload" -- \
    "$heddle" annotate vecadd scan
case_is "annotate without timing" 2 "err:'heddle annotate' has no option --functional-only" -- \
    "$heddle" annotate vecadd --functional-only
case_is "names of nobody" 2 "err:did you mean 'gpgpusim'?" -- \
    "$heddle" run vecadd --stats gpgpu-sim
case_is "names without timing" 2 "err:needs timing" -- \
    "$heddle" run vecadd --stats gpgpusim --functional-only
case_is "unknown workload, near" 2 "err:did you mean 'vecadd'?" -- "$heddle" run vecad
case_is "missing job" 2 "err:No such file" -- "$heddle" run "$work/none.job"

case_is "several policies where one stands" 2 "err:expected one policy; heddle compare takes several" -- \
    "$heddle" run vecadd --sched gto --tb rr,fill_first
case_is "unknown policy" 2 "err:there is no policy 'gtp'; did you mean 'gto'?" -- \
    "$heddle" run vecadd --sched gtp
case_is "an unknown parameter like none" 2 "err:has no parameter 'foo'; its parameters are warps" -- \
    "$heddle" run vecadd --sched swl:foo=3
case_is "unknown parameter" 2 "err:has no parameter 'wrp'; did you mean 'wrap'?" -- \
    "$heddle" run vecadd --sched lrr:wrp=1
case_is "a parameter twice" 2 "err:policy lrr: wrap is given twice" -- \
    "$heddle" run vecadd --sched lrr:wrap=1:wrap=0
case_is "a parameter by place and by name" 2 "err:policy lrr: wrap is given twice" -- \
    "$heddle" run vecadd --sched lrr:1:wrap=0
case_is "a policy in the wrong slot" 2 "err:policy lrr does not" -- "$heddle" run vecadd --fetch lrr
case_is "unknown machine" 2 "err:there is no GPU 'none'" -- "$heddle" run vecadd --gpu none
case_is "unknown machine, near" 2 "err:there is no GPU 'gtx48'; did you mean 'gtx480'?" -- \
    "$heddle" run vecadd --gpu gtx48
printf '[sm]\nwarps = 16\n\n[typo]\n' >"$work/typo.ini"
case_is "a section without keys" 2 "err:typo.ini:4: error: there is no section 'typo'" -- \
    "$heddle" run vecadd --gpu "$work/typo.ini"
for command in "run vecadd" "list gpus" "explain gtx480" "compare vecadd --sched lrr,gto"; do
    # shellcheck disable=SC2086 # words
    case_is "HEDDLE_DATA is nowhere: $command" 2 \
        "err:HEDDLE_DATA is '/nowhere', which is no data folder" -- \
        env HEDDLE_DATA=/nowhere "$heddle" $command
done
case_is "HEDDLE_DATA is empty" 0 -- env HEDDLE_DATA= "$heddle" list gpus
case_is "HEDDLE_DATA is somewhere" 0 "out:gtx480" -- env HEDDLE_DATA="$PWD" "$heddle" list gpus
case_is "unknown key" 2 "err:did you mean 'warps'?" -- "$heddle" run vecadd --set sm.warp=8
case_is "unknown section" 2 "err:there is no section 'sn'" -- "$heddle" run vecadd --set sn.warps=8
case_is "key out of range" 2 "err:from 1 to 64" -- "$heddle" run vecadd --set sm.warps=65
case_is "unknown kernel in an override" 2 "err:no such kernel" "err:did you mean 'vecadd'?" -- \
    "$heddle" run vecadd --set kernel.vecad.regs=8
case_is "override without a value" 2 "err:expected kernel.NAME.regs=N" -- \
    "$heddle" run vecadd --set kernel.vecadd.regs
case_is "override out of range" 2 "err:from 1 to 65535" -- \
    "$heddle" run vecadd --set kernel.vecadd.regs=0
case_is "a plug-in that is none" 2 "err:cannot load plug-in" -- \
    "$heddle" run vecadd --plugin "$data/kernels.ptx"

case_is "list policies" 0 "out:gto" "out:sched" -- "$heddle" list policies
case_is "list gpus" 0 "out:debug-flatmem" "out:gtx480" -- "$heddle" list gpus
case_is "list workloads" 0 "out:jacobi" "out:vecadd" -- "$heddle" list workloads
case_is "list stats" 0 "out:shared_conflict_cycles" -- "$heddle" list stats
case_is "list papers" 0 "out:lfws " "out:laser " -- "$heddle" list papers
case_is "list nothing" 2 "err:expected gpus, policies" -- "$heddle" list
case_is "list of something else" 2 "err:did you mean 'policies'?" -- "$heddle" list polices
names_only() { # every first word below the head is a name that can be given back
    local names name
    names=$("$heddle" list policies | awk 'NR > 1 { print $1 }')
    [ -n "$names" ] || return 1
    for name in $names; do
        "$heddle" explain "$name" >/dev/null || return 1
    done
}
ok "explain knows every listed policy" names_only
case_is "explain a column" 0 "out:column CYCLES: core cycles" -- "$heddle" explain cycles
case_is "in its own letters" 0 "out:column IPC: thread instructions per cycle" -- "$heddle" explain IPC
case_is "that stands for a counter" 0 "out:column SCORE: scoreboard: valid instructions" -- \
    "$heddle" explain SCORE
case_is "explain a component as a paper calls it" 0 "out:component requeue: the re-execution" \
    "out:requeue.KEY" -- "$heddle" explain NewCAR
case_is "explain a component" 0 "out:component l1d: the data cache" "out:mshrs" "out:l1d_misses" -- \
    "$heddle" explain l1d
each_component() {
    local section
    for section in $("$heddle" explain gtx480 | sed -n 's/^  \([a-z0-9]*\)\..*/\1/p' | sort -u); do
        "$heddle" explain "$section" | grep -q "^component $section: " || { echo "$section" && return 1; }
    done
}
ok "every section of a machine is a component" each_component
each_column() {
    local head
    for head in $("$heddle" run vecadd | sed -n 's/^KERNEL/&/p') $("$heddle" annotate vecadd |
        sed -n 's/^  ISSUED/&/p') $("$heddle" run vecadd --metrics | sed -n 's/^KERNEL  WARPS/&/p') \
        $("$heddle" compare vecadd scan --sched lrr --set l1d.ways=2,4 --size test | sed -n '/^WORKLOAD/s:  / .*::p') \
        RUN GPU CLASS "B - A" "% OF IT"; do
        "$heddle" explain "$head" | grep -q "^column $head: " || { echo "$head" && return 1; }
    done
}
ok "every head of a column is explained" each_column
case_is "a column of ratios" 0 "out:column / BASE: IPC divided by" -- "$heddle" explain "/ lrr"
case_is "explain a key that is called otherwise" 2 "err:did you mean sm.sms?" -- \
    "$heddle" explain gpu.sms
case_is "parameters behind a comma" 2 "err:there is a comma" "err:separated from the name, and from each other, by ':', as in NAME:a=1:b=2" -- \
    "$heddle" run vecadd --sched two_level_active:active=4,order=1
case_is "and in a list of policies" 2 "err:no policy 'order=1'" "err:separated from the name, and from each other, by ':'" -- \
    "$heddle" compare vecadd --sched two_level_active:active=4,order=1
case_is "explain a policy with parameters" 0 "out:two_level_active:active" "out:default 6" \
    "out:storage in hardware" -- "$heddle" explain two_level_active
case_is "explain a policy as it was given" 0 "out:policy lrr" -- "$heddle" explain lrr:wrap=0
case_is "explain a counter" 0 "out:in scheduler cycles" -- "$heddle" explain scoreboard
case_is "explain a key" 0 "out:machine key sm.warps" "out:range 1 to 64" -- \
    "$heddle" explain sm.warps
case_is "explain a key without its section" 0 "out:machine key flat.latency" -- \
    "$heddle" explain latency
case_is "explain a machine" 0 "out:sm.schedulers" -- "$heddle" explain debug-flatmem
case_is "explain an unknown name" 2 "err:did you mean 'scoreboard'?" -- "$heddle" explain scorebord

# Two results for one place, and files that are none.
case_is "two results in one file" 2 "err:--json and --csv both go to $work/x" -- \
    "$heddle" run vecadd --json "$work/x" --csv "$work/x"
case_is "two results on standard output" 2 "err:--json and --stats both go to standard output" -- \
    "$heddle" run vecadd --json - --stats gpgpusim
case_is "two results of a comparison" 2 "err:--json and --csv both go to standard output" -- \
    "$heddle" compare vecadd --sched lrr --json - --csv -
printf 'ptx x.ptx\nbuf A -4 zero\nlaunch k 1 1 1 1 1 1 0 p:A\n' >"$work/size.job"
case_is "one mistake, one message" 2 "err:'-4' is not" "no:there is no buffer" -- \
    "$heddle" run "$work/size.job"
long=$work/$(head -c 250 /dev/zero | tr '\0' n).json
case_is "a result with a name as long as names can be" 0 -- \
    "$heddle" run vecadd --functional-only --quiet --json "$long"
ok "it was written" test -s "$long"
case_is "a longer name" 2 "err:File name too long" -- \
    "$heddle" run vecadd --functional-only --quiet --json "${long}x"
mkfifo "$work/fifo.job"
case_is "a FIFO is no job" 2 "err:not a regular file" -- timeout 20 "$heddle" run "$work/fifo.job"
case_is "a FIFO is no plug-in" 2 "err:not a regular file" -- \
    timeout 20 "$heddle" list policies --plugin "$work/fifo.job"
cp "$heddle" "$work/alone"
case_is "no data beside the program" 2 "err:HEDDLE_DATA" -- "$work/alone" list gpus
case_is "more SMs than a crossbar has ports" 2 "err:sm.sms is 65; fewer SMs, or gpu.memory=flat" -- \
    "$heddle" run vecadd --set sm.sms=65
case_is "more L2 banks than a crossbar has ports" 2 "err:dram.channels x dram.subs is 33 x 2" -- \
    "$heddle" run vecadd --set dram.channels=33
case_is "as many SMs as it has" 0 -- "$heddle" run vecadd --quiet --set sm.sms=64
case_is "more SMs without a network" 0 -- "$heddle" run vecadd --quiet --gpu debug-flatmem --set sm.sms=100
case_is "no room for a sub-partition's credit" 2 "err:dram.queue and dram.returns" -- "$heddle" \
    run vecadd --set dram.queue=1 --set dram.returns=1 --set dram.subs=4 --set dram.bank_mask=768

if [ -w /dev/full ]; then
    for command in "list stats" "explain gto" "--help" "run vecadd --functional-only" \
        "run vecadd --functional-only --quiet --json -" "ptx dump workloads/kernels/scan/scan.ptx"; do
        case_is "full disk: $command" 2 "err:standard output: " -- \
            bash -c "'$heddle' $command >/dev/full"
    done
    case_is "full disk: --json FILE" 2 "err:No space left" -- \
        "$heddle" run vecadd --functional-only --json /dev/full
fi
closed_pipe() { # the reader is gone before anything is written
    { sleep 0.2 && "$heddle" list stats && true; echo $? >"$work/status"; } 2>"$work/talk" | true
    [ "$(cat "$work/status")" -eq 2 ] && grep -q "Broken pipe" "$work/talk"
}
ok "closed pipe" closed_pipe
finish
