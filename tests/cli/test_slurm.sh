#!/usr/bin/env bash
# heddle compare --cluster slurm: against the real daemons of Slurm on the loopback address, with tasks, nodes and
# controllers that are killed; and against commands that fail.
. tests/shared/cases.sh
. tests/shared/slurm.sh
export LC_ALL=C
job forever "buf A 4 zero" "launch forever 60 1 1 1024 1 1 0"
compare=("$heddle" compare --no-host)

# Without a cluster: what is missing or fails is reported, and nothing is lost.
mkdir "$work/bin"
command_is() { # NAME LINE...: a command of that name
    { echo '#!/bin/sh' && printf '%s\n' "${@:2}"; } >"$work/bin/$1" && chmod +x "$work/bin/$1"
}
plain=("${compare[@]}" vecadd --sched gto --study "$work/plain" --cluster slurm)
case_is "no Slurm" 2 "err:cannot start sbatch: No such file" "err:'heddle study run' does the shares" -- env PATH=/nowhere "${plain[@]}"
case_is "status without jobs asks nobody" 1 "out:1 run: 0 done" -- env PATH=/nowhere "$heddle" study status "$work/plain"
command_is sbatch 'echo "sbatch: error: invalid partition specified: no" >&2' 'exit 1'
PATH=$work/bin:$PATH case_is "sbatch refuses" 2 "err:sbatch failed, exit status 1: sbatch: error: invalid partition" -- "${plain[@]}"
command_is sbatch 'echo hello'
PATH=$work/bin:$PATH case_is "sbatch says something else" 2 "err:printed no number of a job, but 'hello'" -- "${plain[@]}"
command_is sbatch 'case "$*" in *merge*) echo full >&2; exit 1 ;; esac; echo 17\;cluster'
command_is squeue 'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2' 'exit 1'
PATH=$work/bin:$PATH case_is "only the array is accepted" 2 "err:sbatch failed, exit status 1: full" \
    "err:job 17 does the runs, but there is no job that merges them" -- "${plain[@]}"
PATH=$work/bin:$PATH case_is "the queue cannot be asked" 2 "out:1 run: 0 done" "err:squeue failed, exit status 1: slurm_load_jobs" -- \
    "$heddle" study status "$work/plain"
PATH=$work/bin:$PATH case_is "so nothing is submitted" 2 "err:squeue failed" "no:job 17 does" -- "${plain[@]}"
command_is squeue 'echo "16 RUNNING"; echo "17 PENDING"; echo "17 RUNNING"; echo "170 RUNNING"'
PATH=$work/bin:$PATH case_is "jobs are in the queue" 0 "out:job 17 of this study is in the queue: 1 tasks wait, 1 run; nothing is submitted" -- "${plain[@]}"
command_is scancel 'echo "scancel: error: no" >&2' 'exit 1'
PATH=$work/bin:$PATH case_is "scancel fails" 2 "err:scancel failed, exit status 1: scancel: error: no" -- "$heddle" study cancel "$work/plain"
echo garbage >"$work/plain/slurm"
case_is "the file of jobs is damaged" 2 "err:slurm:1: error: expected 'array', a blank and the number of a job" -- \
    "$heddle" study status "$work/plain"
case_is "cancel: no study of a cluster" 2 "err:the study was not submitted to a cluster" -- \
    bash -c "'$heddle' compare vecadd --sched gto --study '$work/own' --quiet && '$heddle' study cancel '$work/own'"
case_is "another cluster" 2 "err:--cluster slrum: heddle cannot submit jobs there; did you mean 'slurm'?" -- \
    "${compare[@]}" vecadd --sched gto --cluster slrum
case_is "options of a cluster alone" 2 "err:--time is for jobs of a cluster" -- "${compare[@]}" vecadd --sched gto --time 1

missing=$(slurm_missing)
[ -z "$missing" ] || { skip "the real Slurm" "$missing" && finish; }
trap 'slurm_stop; rm -rf "$work"' EXIT
slurm_start >"$work/started" || { ok "Slurm starts" cat "$work/started" && ok "Slurm starts" false; finish; }

until_ended() { # wait until no job is in the queue
    local i
    for i in $(seq 400); do
        [ -z "$(squeue -h 2>/dev/null)" ] && squeue -h >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    squeue
    return 1
}

# A study with blanks and quotes in its name, in another folder than its inputs.
mkdir "$work/it's here"
study="$work/it's here/50% \"of it\""
words=(vecadd scan --sched lrr,gto)
"${compare[@]}" "${words[@]}" --json "$work/local.json" --csv "$work/local.csv" >"$work/local.out"
"${compare[@]}" "${words[@]}" --db "$work/local.db" --quiet
cluster=("${compare[@]}" "${words[@]}" --json "$work/merged.json" --csv "$work/merged.csv" --study "$study" --cluster slurm)
case_is "submitted" 0 "out:4 runs planned in" "out:does the rest in 3 tasks, then job" -- \
    "${cluster[@]}" --array 3 --time 5 --partition long
ok "with the limit" bash -c "squeue -h -o '%l' | grep -q '^5:00$' || [ -z \"\$(squeue -h)\" ]"
ok "it ends" until_ended
same "the same table" "$work/local.out" "$study/result.txt"
same "the same JSON" "$work/local.json" "$work/merged.json"
same "the same CSV" "$work/local.csv" "$work/merged.csv"
columns="key, identity, workload, gpu, sched, status, exit_status, cycles, warp_insts, command, json, profile, sum"
query "$work/local.db" "select $columns from run order by key" >"$work/local.rows"
query "$study/results.db" "select $columns from run order by key" >"$work/merged.rows"
same "the same rows" "$work/local.rows" "$work/merged.rows"
case_is "status" 0 "out:4 runs: 4 done" "out:0 tasks wait, 0 run" -- "$heddle" study status "$study"
"${cluster[@]}" >"$work/again.out"
same "the same command again shows the results" "$work/local.out" "$work/again.out"
case_is "cancel has nothing to do" 0 "out:is not in the queue any more" -- "$heddle" study cancel "$study"

# Two tasks, of which one never ends. It is killed, then the node's daemon and the controller are.
long=("${compare[@]}" "$work/forever.job" vecadd --sched gto --study "$work/long" --cluster slurm --array 2)
case_is "a study with a run that does not end" 0 "out:in 2 tasks" -- "${long[@]}"
task() { # the process of the share that never ends, other than $1, once it has started its run
    local i line
    for i in $(seq 150); do
        line=$("$heddle" study status "$work/long" | sed -n 's/^share 1 of [12]: running, 0 of 1 done, process \([0-9]*\) on.*/\1/p')
        [ -n "$line" ] && [ "$line" != "${1:-}" ] && pgrep -P "$line" >/dev/null && echo "$line" && return 0
        sleep 0.1
    done
    return 1
}
first=$(task)
ok "its share runs" [ -n "$first" ]
case_is "the same command again: it is in the queue" 0 "out:nothing is submitted" -- "${long[@]}"
ok "kill -9 of the task" kill -KILL "$first"
ok "the merging job comes after it" until_ended
ok "and says what is missing" grep -q "1 of 2 runs are missing" "$work"/long/logs/*.log
ok "and shows nothing" test ! -e "$work/long/result.txt"
case_is "status" 1 "out:2 runs: 1 done, 0 ended without a result, 1 missing" -- "$heddle" study status "$work/long"
case_is "the same command again submits what is missing" 0 "out:1 of them done" "out:in 1 task," -- "${long[@]}"
second=$(task)
# The controller stores its state every few seconds; a younger job is lost with it.
touch "$work/now"
for i in $(seq 200); do
    [ "$slurm_at/state/job_state" -nt "$work/now" ] && break
    [ $((i % 20)) -eq 1 ] && scontrol update "jobid=$(squeue -h -t PD -o %A | head -n 1)" "comment=$i" 2>/dev/null
    sleep 0.1
done
slurm_kill9 slurmd
ok "kill -9 of the node's daemon: the task goes on" kill -0 "$second"
slurm_daemon slurmd
slurm_kill9 slurmctld
case_is "kill -9 of the controller: squeue says so" 2 "err:squeue failed" -- \
    env SLURM_CONF="$SLURM_CONF" timeout 60 "${long[@]}"
slurm_daemon slurmctld
ok "the controller knows its jobs again" bash -c 'for i in $(seq 300); do squeue -h 2>/dev/null | grep -q . && exit 0; sleep 0.1; done; exit 1'
ok "the task still runs" kill -0 "$second"
case_is "cancel" 0 "out:was cancelled" -- "$heddle" study cancel "$work/long"
ok "no job is left" until_ended
ok "nor a task" bash -c "for i in \$(seq 100); do kill -0 $second 2>/dev/null || exit 0; sleep 0.1; done; exit 1"
case_is "what had ended is still there" 1 "out:2 runs: 1 done, 0 ended without a result, 1 missing" -- \
    "$heddle" study status "$work/long"

# A task that is preempted comes back by itself: Slurm ends it and puts it into the queue again.
case_is "once more" 0 "out:in 1 task," -- "${long[@]}"
third=$(task)
again=$(squeue -h -t R -o %i | head -n 1)
ok "requeued" scontrol requeue "$again"
# Slurm would let it wait for two minutes. A node's daemon refuses what starts in the second in which the job was killed
# ("already killed, do not launch batch job"), and then the job is gone; so this one waits for another second.
sleep 2
for i in $(seq 100); do
    squeue -h -t PD -o %i | grep -qxF "$again" && scontrol update "jobid=$again" StartTime=now 2>/dev/null && break
    sleep 0.1
done
ok "its share runs again, in another process" [ -n "$(task "$third")" ]
case_is "cancel again" 0 "out:was cancelled" -- "$heddle" study cancel "$work/long"
ok "and all is quiet" until_ended
finish
