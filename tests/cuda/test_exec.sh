#!/usr/bin/env bash
# test_exec.sh - heddle exec: a program that knows nothing of heddle, its output, status and results;
# heddle inspect: what a file carries.
set -u
. tests/shared/cases.sh
. tests/shared/programs.sh

# Linked with a library of NVIDIA's name that is not heddle's: exec puts heddle's in its place.
build() {
    mkdir -p "$work/stub"
    nm -D --defined-only "$library" | sed -n 's/.* T \(cu.*\)/void \1(void) { __builtin_trap(); }/p' \
        >"$work/stub.c"
    gcc -w -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$work/stub/libcuda.so.1" "$work/stub.c" &&
        gcc -std=c11 -O1 "${san[@]}" -Wl,-rpath,"$work/stub" -o "$work/vecadd" \
            tests/cuda/programs/vecadd.c "$work/stub/libcuda.so.1"
}
elf=tests/fuzz/corpus/executable

ok "a program linked with another libcuda builds" build
case_is "a variable where an option is meant" 0 "out:1000 sums on heddle rtx2060" "err:scheduler gto" \
    "err:HEDDLE_SCHED has no effect on heddle exec; use its option --sched" -- \
    env HEDDLE_SCHED=lrr "$heddle" exec -- "$work/vecadd"
case_is "runs on the machine of programs" 0 "out:1000 sums on heddle rtx2060" "err:vecadd on rtx2060, scheduler gto" "err:add" "no:nothing to check" -- \
    "$heddle" exec -- "$work/vecadd"
case_is "runs on another machine" 0 "out:1000 sums on heddle gtx480" "err:vecadd on gtx480, scheduler gto" -- \
    "$heddle" exec --gpu gtx480 -- "$work/vecadd"
mkdir -p "$work/folder/rtx2060" "$work/folder/gtx480"
case_is "where something else is called so" 0 "out:1000 sums on heddle rtx2060" -- env -C "$work/folder" "$(realpath "$heddle")" exec ../vecadd
case_is "and so" 0 "out:1000 sums on heddle gtx480" -- env -C "$work/folder" "$(realpath "$heddle")" exec --gpu gtx480 ../vecadd
case_is "options" 0 "out:on heddle debug-flatmem" "err:on debug-flatmem, scheduler lrr" -- \
    "$heddle" exec --gpu debug-flatmem --sched lrr "$work/vecadd"
case_is "what was changed is named" 0 "err:vecadd on rtx2060 sm.sms=2 copy-bandwidth=10 max-cycles=1000000, scheduler gto, --tb fill_first" -- \
    "$heddle" exec --set sm.sms=2 --copy-bandwidth 10 --max-cycles 1000000 --tb fill_first --db "$work/named.db" "$work/vecadd"
case_is "also in the database" 0 "out:rtx2060 sm.sms=2 copy-bandwidth=10 max-cycles=1000000 " -- "$heddle" show "$work/named.db"
case_is "quiet" 0 "out:1000 sums" "no:scheduler" -- "$heddle" exec --quiet "$work/vecadd"
case_is "without timing" 0 "out:1000 sums" "err:functional only" -- \
    "$heddle" exec --functional-only "$work/vecadd"
case_is "metrics" 0 "err:RTRU" -- "$heddle" exec --metrics "$work/vecadd"
case_is "the library knows every option" 0 "out:1000 sums" "no:means nothing" -- \
    "$heddle" exec --quiet --fetch rr --tb rr --kernel-policy rr --set sm.sms=2 --strict --no-skip --max-cycles 1000000 \
    --max-insts 1000000 --metrics --metrics-sm 1 --timeline "$work/every.trace.json" --no-host "$work/vecadd"

# What the program copies is in the L2 when its kernel starts, if the machine says so: 8000 bytes of
# two vectors need no read of 32 bytes from the DRAM.
dram_reads() { # OPTION...
    "$heddle" exec --quiet --no-host --gpu rtx2060 "$@" --json "$work/copied.json" "$work/vecadd" >/dev/null &&
        /usr/bin/python3 -c 'import json, sys
k = json.load(open(sys.argv[1]))["kernels"][0]
print(k["dram"]["reads"], k["l2"]["misses"])' "$work/copied.json"
}
ok "copies of the host fill the L2: no reads, only the stores miss" test "$(dram_reads)" = "0 125"
ok "without l2.copies the DRAM has them" test "$(dram_reads --set l2.copies=0)" = "250 375"

# Kernels that run at the same time: everything says the cycles that passed.
ok "a program with two kernels at the same time builds" \
    gcc -std=c11 -O1 "${san[@]}" -Isrc -o "$work/side" tests/cuda/programs/side.c "$library"
passed() {
    "$heddle" exec --no-host --db "$work/side.db" --annotate "$work/side.txt" --json "$work/side.json" "$work/side" 2>"$work/side.table" &&
        "$heddle" exec --quiet --stats gpgpusim "$work/side" >"$work/side.names" &&
        PYTHONPATH=python /usr/bin/python3 - "$work" <<'END'
import heddle, re, sys
of = lambda name: open(f"{sys.argv[1]}/side.{name}").read()
run = heddle.open_json(f"{sys.argv[1]}/side.json")[0]
totals = run["totals"]
want = totals["elapsed_cycles"]
assert totals["cycles"] > 1.5 * want, totals
number = lambda pattern, text: int(re.findall(pattern, text)[-1].replace(",", ""))
assert run.cycles == want, run.cycles
assert number(r"total +([0-9,]+)", of("table")) == want, of("table")
assert number(r"sum over the launches is ([0-9,]+)", of("table")) == totals["cycles"]
assert number(r"gpu_tot_sim_cycle = (\d+)", of("names")) == want
assert number(r"2 launches, ([0-9,]+) cycles", of("txt")) == want
print(want)
END
}
ok "cycles of kernels at the same time count once" passed
stored() { # in the database
    "$heddle" show "$work/side.db" | grep -qw "$(sed ':a;s/\B[0-9]\{3\}\>/,&/;ta' <<<"$(passed)")"
}
ok "in the database, too" stored

recorded() {
    "$heddle" exec --quiet --gpu gtx480 --konata "$work/exec.log" --konata-sm 1-2 --konata-cycles 0: --no-host "$work/vecadd" &&
        /usr/bin/python3 tests/shared/konata.py "$work/exec.log" | grep '^retired [1-9]'
}
ok "pipelines" recorded
case_is "pipelines need timing" 2 "err:nothing is recorded" "no:1000 sums" -- \
    "$heddle" exec --functional-only --konata x "$work/vecadd"
case_is "pipelines of SMs that there are" 2 "err:--konata-sm 99: expected SMs" "no:1000 sums" -- \
    "$heddle" exec --konata x --konata-sm 99 "$work/vecadd"

# 8 MiB at 10 GB/s are 838.9 us; a kernel has none of it.
copies() { gcc -std=c11 -O1 "${san[@]}" -Isrc -o "$work/copies" tests/cuda/programs/copies.c "$library"; }
ok "a program that times its copies builds" copies
times() { "$heddle" exec --quiet "$@" "$work/copies" >"$work/times"; }
is_time() { # description, line
    ok "$1: $2" grep -qxE "$2" "$work/times"
}
times --json "$work/free.json" --no-host
is_time "copies without a bandwidth" "(to device|to host|inside|same way|both ways) 0.0 us"
kernel=$(sed -n 's/^kernel \(.*\)\..* us/\1/p' "$work/times")
times --json "$work/timed.json" --no-host --copy-bandwidth 10
is_time "a copy with one" "to device 838.9 us"
is_time "a copy with one" "to host 838.9 us"
is_time "a copy with one" "inside 0.0 us"
is_time "in one stream one after the other" "copy, kernel, copy $((1678 + kernel - 1))\\.[0-9] us|copy, kernel, copy $((1678 + kernel))\\.[0-9] us"
is_time "in two streams one after the other" "same way 167[78]\\.[0-9] us"
is_time "but for two directions" "both ways 838.9 us"
is_time "who waits for a value waits for the copy before it" "value written 838.9 us"
is_time "also who began to wait first" "value awaited 838.9 us"
is_time "and kernels" "beside a kernel 838.9 us"
is_time "in a graph" "graph $((838 + kernel))\\.[0-9] us|graph $((839 + kernel))\\.[0-9] us"
sed 's/"set": "copy-bandwidth=10"/"set": ""/' "$work/timed.json" >"$work/timed_set.json"
same "the kernels see none of it" "$work/free.json" "$work/timed_set.json"
times --functional-only --copy-bandwidth 20
is_time "also without timing" "to device 419.[45] us"
case_is "times without timing are no measurements" 0 "err:so its times and rates are not measurements" -- \
    "$heddle" exec --quiet --functional-only "$work/copies"
ok "which is said once" test "$("$heddle" exec --quiet --functional-only "$work/copies" 2>&1 | grep -c measurements)" -eq 1
case_is "with timing they are" 0 "no:measurements" -- "$heddle" exec --quiet "$work/copies"
case_is "in a sample, some are" 0 "err:launches outside the sample take no time" -- \
    "$heddle" exec --quiet --sample 2 "$work/copies"
case_is "no bandwidth" 2 "err:--copy-bandwidth 0: not a bandwidth; expected gigabytes per second" \
    "err:from 0.000001 to 1000000" -- \
    "$heddle" exec --copy-bandwidth 0 "$work/copies"
case_is "no bandwidth in the environment" 1 "err:HEDDLE_COPY_BANDWIDTH=fast in the environment; expected gigabytes" -- \
    env LD_PRELOAD="$library" HEDDLE_COPY_BANDWIDTH=fast "$work/copies"
case_is "a limit" 1 "err:stopped at the limit" -- "$heddle" exec --max-cycles 10 "$work/vecadd"

(cd "$work" && "$heddle" exec --quiet --sched lrr --set sm.sms=2 --json a.json --no-host ./vecadd &&
    "$heddle" exec --quiet --timeline a.trace.json ./vecadd) >/dev/null
case_is "results file" 0 'out:"sm.sms": 2' -- cat "$work/a.json"
case_is "timeline" 0 "out:traceEvents" -- head -c 300 "$work/a.trace.json"
"$heddle" exec --quiet --db "$work/s.db" --json "$work/b.json" --no-host --sched lrr --set sm.sms=2 \
    "$work/vecadd" >/dev/null
same "the same with a database" "$work/a.json" "$work/b.json"
case_is "the database has it" 0 "out:vecadd" "out:sm.sms=2" -- "$heddle" show "$work/s.db"
case_is "and how to repeat it" 0 "out:heddle exec --quiet" -- "$heddle" show "$work/s.db" 1

# Two programs under one heddle: each keeps its results.
mkdir "$work/two"
two() { # OPTION...
    "$heddle" exec --no-host "$@" -- sh -c '"$0"; HEDDLE_SCHED=gto "$0"' "$work/vecadd"
}
case_is "two programs, one name" 0 "err:2 processes used the GPU: $work/two/r.json has the results of process" \
    "err:with %p in its name" "err:$work/two/r.trace has" -- two --quiet --sched lrr --json "$work/two/r.json" \
    --timeline "$work/two/r.timeline" --record "$work/two/r.trace" --annotate "$work/two/r.lines"
schedulers() {
    local other=("$work"/two/r.json.*)
    [ "${#other[@]}" = 1 ] && grep -q '"sched": "lrr"' "$work/two/r.json" && grep -q '"sched": "gto"' "${other[0]}" &&
        [ "$(find "$work/two" -type f | wc -l)" = 8 ]
}
ok "the first has it, the other stands beside it" schedulers
ok "and each of the other results" ls "$work/two/r.timeline" "$work/two/r.trace" "$work/two/r.lines"
case_is "one program: one file, nothing said" 0 "no:processes used" -- \
    "$heddle" exec --quiet --json "$work/two/one.json" "$work/vecadd"
ok "under its own name" test "$(echo "$work"/two/one.json*)" = "$work/two/one.json"
mkdir "$work/left"
case_is "a file that an earlier heddle with the same number left" 0 "no:processes used" -- \
    sh -c 'echo old >"$1/left/r.json.$$-5"; exec "$0" exec --quiet --json "$1/left/r.json" "$1/vecadd"' "$heddle" "$work"
ok "is not taken for a result" eval 'grep -q sched "$work/left/r.json" && grep -q old "$work"/left/r.json.*-5 &&
    [ "$(find "$work/left" -type f | wc -l)" = 2 ]'
mkdir "$work/wrap"
case_is "a process whose number is small, because the numbers began again" 0 "err:2 processes used the GPU" -- \
    "$heddle" exec --quiet --json "$work/wrap/r.json" sh -c '"$0/vecadd"; echo last >"$0/wrap/r.json.$PPID-1"' "$work"
ok "came after the others" eval 'grep -q sched "$work/wrap/r.json" && grep -q last "$work/wrap/r.json.1"'
ln -s one.json "$work/two/link.json"
case_is "a link is followed" 0 silent -- \
    sh -c '"$0" exec --quiet --sched gto --json "$1/two/link.json" "$1/vecadd" >/dev/null' "$heddle" "$work"
ok "and stays one" eval '[ -L "$work/two/link.json" ] && grep -q "\"sched\": \"gto\"" "$work/two/one.json"'
case_is "with a database, too" 0 "no:was not written" -- two --quiet --sched lrr --db "$work/two.db" --json "$work/two/d.json"
ok "both are there" eval '[ "$(grep -l "\"sched\"" "$work"/two/d.json* | wc -l)" = 2 ]'

case_is "changes to the machine, and a sample" 0 "err:on rtx2060 l1d.ways=2, scheduler gto, a sample" -- \
    "$heddle" exec --set l1d.ways=2 --sample 8 "$work/vecadd"
# The database is locked when both results come: each is kept beside it.
hold() { # until the file `end` exists
    for ((i = 0; i < 600; i++)); do [ -e "$work/ran" ] && break; sleep 0.05; done
    /usr/bin/python3 -c 'import os, sqlite3, sys, time
c = sqlite3.connect(sys.argv[1] + "/two.db", isolation_level=None)
c.execute("begin exclusive")
open(sys.argv[1] + "/locked", "w").close()
while not os.path.exists(sys.argv[1] + "/end"): time.sleep(0.05)' "$work"
}
kept() {
    hold &
    "$heddle" exec --no-host --quiet --sched lrr --db "$work/two.db" --db-wait 1 -- sh -c \
        '"$0/vecadd"; HEDDLE_SCHED=gto "$0/vecadd"; touch "$0/ran"
        for i in $(seq 600); do [ -e "$0/locked" ] && break; sleep 0.05; done' \
        "$work" >"$work/out" 2>&1
    local status=$?
    touch "$work/ran" "$work/end"
    wait
    [ "$status" -eq 2 ] && [ "$(cat "$work"/two.db.unstored.*.jsonl | grep -c vecadd)" -eq 2 ]
}
ok "with a database that is locked, both are kept beside it" kept
case_is "and can be added" 0 "out:2 results of" -- "$heddle" db add "$work/two.db" "$work"/two.db.unstored.*.jsonl

# A program, recorded: replayed as it would have run itself, wherever that is the same.
record() { "$heddle" exec --quiet --gpu gtx480 --no-host "$@" >/dev/null; }
record --sched gto --json "$work/own.json" --record "$work/add.trace" "$work/vecadd"
record --functional-only --record "$work/fast.trace" "$work/vecadd"
record --sched lrr --json "$work/own-lrr.json" "$work/vecadd"
for run in add/gto/own add/lrr/own-lrr fast/lrr/own-lrr; do
    IFS=/ read -r trace sched own <<<"$run"
    case_is "the trace $trace.trace runs with $sched" 0 silent -- "$heddle" run "$work/$trace.trace" \
        --sched "$sched" --quiet --no-host --json "$work/replayed.json"
    sed 's/"source": "trace"/"source": "program"/' "$work/replayed.json" >"$work/as-own.json"
    same "as the program does" "$work/as-own.json" "$work/$own.json"
done
"$heddle" exec --quiet --no-host --json "$work/own.json" --record "$work/modern.trace" "$work/vecadd" >/dev/null
"$heddle" run "$work/modern.trace" --gpu rtx2060 --quiet --no-host --json "$work/replayed.json"
sed 's/"source": "trace"/"source": "program"/' "$work/replayed.json" >"$work/as-own.json"
same "a trace of the machine of programs, replayed there" "$work/as-own.json" "$work/own.json"
case_is "and on a machine whose paths have another order" 2 "err:modern.trace: error: recorded with sm.path_order=1" \
    "err:a machine with this key, such as --gpu rtx2060" -- "$heddle" run "$work/modern.trace"
case_is "its name stays" 0 "out:vecadd on gtx480" "out:replayed" -- "$heddle" run "$work/add.trace"
case_is "a trace of a stopped program" 1 "err:cut.trace was not written" -- \
    "$heddle" exec --max-cycles 10 --record "$work/cut.trace" "$work/vecadd"
ok "leaves nothing" test ! -e "$work/cut.trace" -a -z "$(find "$work" -name '.heddle.*.part')"
case_is "a trace that cannot be written" 2 "no:1000 sums" "err:--record: cannot write" -- \
    "$heddle" exec --quiet --record "$work/no/add.trace" "$work/vecadd"
case_is "by the environment" 0 "out:1000 sums" -- \
    env "LD_PRELOAD=$library" "HEDDLE_RECORD=$work/%p.trace" "$work/vecadd"
ok "the process's number in its name" compgen -G "$work/[0-9]*.trace"
case_is "the names of GPGPU-Sim" 0 "out:1000 sums" "out:gpu_sim_cycle = " "out:gpgpu_simulation_rate" \
    "no:KERNEL" -- "$heddle" exec --stats gpgpusim "$work/vecadd"
case_is "by the environment too" 0 "out:gpu_tot_sim_insn = " "no:gpgpu_simulation_rate" -- \
    env "LD_PRELOAD=$library" HEDDLE_STATS=gpgpusim HEDDLE_NO_HOST=1 "$work/vecadd"
case_is "names of nobody" 2 "err:--stats foo: no such set of names" "no:1000 sums" -- \
    "$heddle" exec --stats foo "$work/vecadd"
case_is "names without timing" 2 "err:needs timing: remove --functional-only" -- \
    "$heddle" exec --stats gpgpusim --functional-only "$work/vecadd"
"$heddle" exec --quiet --json "$work/host.json" "$work/vecadd" >/dev/null
ok "seconds and speed of the host" python3 -c 'import json, sys
host = json.load(open(sys.argv[1]))["host"]
assert host["seconds"] > 0 and host["warp_insts_per_second"] > 0, host' "$work/host.json"
case_is "results over the program" 2 "err:--json would overwrite $work/vecadd, the program" \
    "no:1000 sums" -- "$heddle" exec --json "$work/vecadd" "$work/vecadd"
case_is "no GPU used, nothing kept" 0 "err:used no GPU" -- \
    "$heddle" exec --db "$work/s.db" -- true

ok "a program of many ways to end builds" gcc -std=c11 -D_GNU_SOURCE -O1 "${san[@]}" -Isrc \
    -o "$work/life" tests/cuda/programs/life.c "$library" -pthread -lm
printf 'none\n' >"$work/text"
chmod +x "$work/text"
case_is "results of a program that was ended" 0 "err:l.json was not written" "err:returns from main" -- \
    "$heddle" exec --json "$work/l.json" "$work/life" "at once"
"$heddle" exec --quiet --json "$work/l.json" "$work/life" >/dev/null
case_is "and those of another day" 0 "err:l.json was not written; it holds the results of an earlier run" \
    "err:returns from main" -- "$heddle" exec --json "$work/l.json" "$work/life" "at once"
case_is "those of a program without a GPU" 0 "err:n.json was not written" "err:used no GPU" "no:returns from main" -- \
    "$heddle" exec --json "$work/n.json" true
case_is "nothing is added to a program's own complaint" 1 "no:not written" -- \
    "$heddle" exec --json "$work/n.json" false
case_is "nor to a program that is none" 126 "err:neither a program" "no:not written" -- \
    "$heddle" exec --json "$work/n.json" "$work/text"
echo '{}' >"$work/n.json"
case_is "but an old file is named" 1 "err:n.json was not written; it holds the results of an earlier run" -- \
    "$heddle" exec --json "$work/n.json" false
case_is "results as they should be" 0 "out:3eaaaaab" "no:not written" -- \
    "$heddle" exec --json "$work/l.json" "$work/life"
"$heddle" exec --quiet --gpu gtx480 --record "$work/life.trace" "$work/life" >/dev/null
case_is "a program that prints is replayed as it ran" 0 silent -- \
    "$heddle" run "$work/life.trace" --quiet --sched gto
case_is "and not otherwise" 2 "err:not replayable with sched=lrr" "err:prints" -- \
    "$heddle" run "$work/life.trace" --quiet --sched lrr
case_is "nor in a database" 0 "err:nothing to keep" -- \
    "$heddle" exec --db "$work/s.db" "$work/life" "at once"
if [ ${#san[@]} -eq 0 ]; then
    cat >"$work/taken.c" <<'END'
#include <sys/mman.h>
__attribute__((constructor)) static void take(void)
{
    mmap((void *)0x80000000ul, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}
END
    gcc -D_GNU_SOURCE -shared -fPIC -o "$work/taken.so" "$work/taken.c"
    cat >"$work/managed.c" <<'END'
#include "cuda/abi/driver.h"
int main(void)
{
    CUcontext c;
    CUdeviceptr p;
    return cuInit(0) || cuCtxCreate(&c, 0, 0, 0) ? 1 : (int)cuMemAllocManaged(&p, 64, CU_MEM_ATTACH_GLOBAL);
}
END
    gcc -std=c11 -Isrc -o "$work/managed" "$work/managed.c" "$library"
    case_is "managed memory" 0 silent -- "$heddle" exec "$work/managed"
    case_is "its place is taken" 33 "err:no managed memory" "err:at address 0x" -- \
        env LD_PRELOAD="$work/taken.so" "$heddle" exec "$work/managed"
    limited() { (ulimit -v 900000 && "$heddle" exec "$work/managed"); }
    case_is "no room for it" 2 "err:no address space for the GPU's memory; raise" -- limited
fi
case_is "a program that aborts" 134 "err:life: Aborted" -- "$heddle" exec "$work/life" abort

case_is "words of the program" 7 "out:-x --sched two words" "no:scheduler" -- \
    "$heddle" exec sh -c 'echo "$@"; exit 7' sh -x --sched "two words"
case_is "status of a signal" 143 -- "$heddle" exec sh -c 'kill -TERM $$'
case_is "a script finds the library too" 0 "out:1000 sums" -- \
    "$heddle" exec sh -c "cd / && '$work/vecadd'"
case_is "no program" 2 "err:which program" -- "$heddle" exec
case_is "not in PATH" 2 "err:no-such-program: not found in PATH" -- "$heddle" exec no-such-program
case_is "no such file" 2 "err:./no-such-program: No such file" -- "$heddle" exec ./no-such-program
case_is "not executable" 126 "err:it is not executable" -- "$heddle" exec tests/shared/tap.sh
case_is "a folder" 126 "err:tests/cuda: Is a directory" -- "$heddle" exec tests/cuda
case_is "no name" 2 "err:the program's name is empty" -- "$heddle" exec ""
printf '#!/no/such/shell\n' >"$work/lost.sh" && echo garbage >"$work/garbage"
chmod +x "$work/lost.sh" "$work/garbage"
case_is "a script without its shell" 127 "err:lost.sh: the program that runs it" -- "$heddle" exec "$work/lost.sh"
case_is "no program at all" 126 "err:neither a program for this system nor a script" -- "$heddle" exec "$work/garbage"
case_is "options are checked first" 2 "err:did you mean 'gto'" "no:1000 sums" -- \
    "$heddle" exec --sched gt0 "$work/vecadd"
case_is "metrics need timing" 2 "err:nothing is recorded" "no:1000 sums" -- \
    "$heddle" exec --functional-only --timeline "$work/t.json" "$work/vecadd"
case_is "metrics of an SM that there is" 2 "err:no such SM" "no:1000 sums" -- \
    "$heddle" exec --gpu gtx480 --metrics --metrics-sm 15 "$work/vecadd"
case_is "nowhere to write, said first" 2 "err:--json: cannot write $work/none/a.json" "no:1000 sums" -- \
    "$heddle" exec --json "$work/none/a.json" "$work/vecadd"
mkdir -p "$work/path/vecadd"
case_is "a folder in PATH is no program" 0 "out:1000 sums" -- \
    env PATH="$work/path:$work:$PATH" "$heddle" exec vecadd
cat >"$work/names.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *driver = dlopen("libcuda.so", RTLD_NOW), *runtime = dlopen("libcudart.so", RTLD_NOW);
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(driver, "cuInit");
    int (*release)(void *) = (int (*)(void *))dlsym(runtime, "cudaFree");
    printf("%d %d\n", init(0), release(0));
    return 0;
}
END
gcc -w "${san[@]}" -o "$work/names" "$work/names.c" -ldl
case_is "names without a version" 0 "out:0 0" -- "$heddle" exec --quiet "$work/names"
case_is "a static runtime" 2 'err:rebuild it with: NVCC_APPEND_FLAGS="-cudart shared" make' -- \
    "$heddle" exec $elf/static.elf
# A library of kernels, as NVIDIA's are: it asks for tables of the driver that are not public.
cat >"$work/blas.c" <<'END'
#include <dlfcn.h>
int cublasCreate_v2(void)
{
    int (*get)(const char *, void **, int, unsigned long, void *), (*table)(void *, void *);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *found = 0;
    get = (int (*)(const char *, void **, int, unsigned long, void *))dlsym(driver, "cuGetProcAddress_v2");
    int r = get("cuGetExportTable", &found, 12000, 0, 0);
    table = (int (*)(void *, void *))found;
    return r ? r : table(&driver, 0);
}
END
echo 'int cublasCreate_v2(void); int solve(void) { return cublasCreate_v2(); }' >"$work/solver.c"
echo 'int solve(void); int main(void) { return solve() != 801; }' >"$work/solves.c"
cat >"$work/loads.c" <<'END'
#include <dlfcn.h>
int main(void)
{
    int (*f)(void) = (int (*)(void))dlsym(dlopen("libcublas.so.12", RTLD_NOW), "cublasCreate_v2");
    return f() != 801;
}
END
mkdir -p "$work/libs"
gcc -w "${san[@]}" -shared -fPIC -o "$work/libs/libcublas.so.12" -Wl,-soname,libcublas.so.12 "$work/blas.c" -ldl
gcc -w "${san[@]}" -shared -fPIC -o "$work/libs/libsolver.so" -Wl,-soname,libsolver.so "$work/solver.c" \
    "$work/libs/libcublas.so.12" -Wl,-rpath,'$ORIGIN'
gcc -w "${san[@]}" -o "$work/solves" "$work/solves.c" "$work/libs/libsolver.so" -Wl,-rpath,'$ORIGIN/libs' \
    -Wl,-rpath-link,"$work/libs"
gcc -w "${san[@]}" -o "$work/loads" "$work/loads.c" -ldl
advice="build the program without it"
case_is "a library of kernels, said first" 0 "err:it uses cuBLAS (libcublas.so.12, for libsolver.so)" "err:$advice" \
    "err:contain NVIDIA's runtime, which checks that the driver is NVIDIA's" -- "$heddle" exec "$work/solves"
ok "is said once" test "$("$heddle" exec --quiet "$work/solves" 2>&1 | grep -c cuBLAS)" -eq 1
case_is "one that is loaded" 0 "err:the program has loaded cuBLAS (libcublas.so.12)" "err:$advice" "no:it uses" -- \
    env LD_LIBRARY_PATH="$work/libs" "$heddle" exec "$work/loads"
# Named at the first call after it was loaded, whether the program uses it or not, and once.
cat >"$work/keeps.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int cuInit(unsigned), cuDriverGetVersion(int *), cuDeviceGetCount(int *);
int main(void)
{
    int n;
    cuInit(0);
    fprintf(stderr, "before ");
    void *there = dlopen("libcublas.so.12", RTLD_NOW), *gone = dlopen("libcudnn.so.99", RTLD_NOW);
    cuDeviceGetCount(&n);
    fprintf(stderr, "after ");
    cuDeviceGetCount(&n);
    return !there || gone;
}
END
gcc -w "${san[@]}" -o "$work/keeps" "$work/keeps.c" "$library" -ldl
case_is "one that is loaded and not used" 0 "err:before heddle: the program has loaded cuBLAS (libcublas.so.12), which" \
    "err:$advice" "no:cuDNN" -- env LD_LIBRARY_PATH="$work/libs" "$heddle" exec --quiet "$work/keeps"
ok "is named once" test "$(env LD_LIBRARY_PATH="$work/libs" "$heddle" exec --quiet "$work/keeps" 2>&1 | grep -c cuBLAS)" -eq 1
gcc -w "${san[@]}" -o "$work/linked" "$work/keeps.c" "$library" -ldl -Wl,--no-as-needed "$work/libs/libcublas.so.12" \
    -Wl,-rpath,"$work/libs"
case_is "one that is linked is not named again" 0 "err:it uses cuBLAS" "no:has loaded" -- \
    "$heddle" exec --quiet "$work/linked"
case_is "inspect a program that uses one" 0 "out:  cuBLAS (libcublas.so.12, for libsolver.so)" "out:$advice" -- \
    "$heddle" inspect "$work/solves"
case_is "inspect a library that does, as JSON" 0 'out:"name": "cuBLAS"' 'out:"for": null' -- \
    "$heddle" inspect "$work/libs/libsolver.so" --json -
sed 's/libcudart\.so\.13/libcudart.so.99/' $elf/shared.elf >"$work/old.elf"
case_is "a runtime of another version" 2 "err:it asks for libcudart.so.99" -- \
    "$heddle" exec "$work/old.elf"

# A compiler in the process that makes machine code gives its PTX.
build_compiled() {
    gcc -w -shared -fPIC -o "$work/libnvrtc.so" tests/cuda/programs/compiler.c &&
        gcc -std=c11 -O1 "${san[@]}" -Wl,-rpath,"$work/stub:$work" -o "$work/compiled" \
            tests/cuda/programs/compiled.c "$work/libnvrtc.so" "$work/stub/libcuda.so.1"
}
ok "a program that compiles its kernels builds" build_compiled
case_is "it gets PTX for a cubin" 0 "out:80 bytes, kernel: 0" "no:cuGetExportTable" -- \
    "$heddle" exec --quiet "$work/compiled" real
case_is "no cubin, no PTX" 0 "out:no machine code" -- \
    "$heddle" exec --quiet "$work/compiled" virtual
case_is "a cubin without PTX is one" 4 "out:64 bytes, refused: 209" -- \
    "$heddle" exec --quiet "$work/compiled" linked
case_is "the compiler's error" 2 -- "$heddle" exec --quiet "$work/compiled" uncompiled

case_is "inspect a program" 0 "out:CUDA runtime libcudart.so.13" "out:compute_75  zstd" \
    "out:can run" "out:registers per thread (estimate)" -- "$heddle" inspect $elf/shared.elf
case_is "inspect a static one" 0 "out:cannot run: rebuild it" -- "$heddle" inspect $elf/static.elf
case_is "inspect an object" 0 "out:a library or object" -- "$heddle" inspect $elf/object.elf
case_is "inspect a fatbin" 0 "out:a container of device code" -- \
    "$heddle" inspect tests/fuzz/corpus/fatbin/several.fatbin
case_is "machine code only" 0 "out:cannot run: machine code only" -- \
    "$heddle" inspect tests/fuzz/corpus/fatbin/sass.fatbin
case_is "inspect a cubin" 0 "out:kernels.cubin: machine code for sm_86 (a cubin)" "out:scale           8       0     364" \
    "out:sum            12     256     360" "out:128 bytes of __constant__ variables" "out:cannot run: machine code only" \
    "no:no device code" -- "$heddle" inspect $elf/kernels.cubin
case_is "as JSON" 0 'out:"shared_bytes": 256' 'out:"constant_bytes": 128' 'out:"arch": 86' -- \
    "$heddle" inspect $elf/kernels.cubin --json -
head -c 1000 $elf/kernels.cubin >"$work/cut.cubin"
case_is "a damaged cubin" 2 "err:a damaged cubin" -- "$heddle" inspect "$work/cut.cubin"
cp $elf/shared.elf "$work/libcufft.so.12"
case_is "inspect a library of NVIDIA's" 0 "out:cannot run: it asks for private tables" "no:can run$" -- \
    "$heddle" inspect "$work/libcufft.so.12"
case_is "inspect a script" 0 "out:a script" "out:carries no device code" -- "$heddle" inspect tools/setup.sh
case_is "inspect garbage" 2 "err:garbage: error: neither a program nor a container of device code" \
    "no:carries no device code" -- "$heddle" inspect "$work/garbage"
: >"$work/empty"
case_is "inspect an empty file" 2 "err:neither a program nor" -- "$heddle" inspect "$work/empty"
case_is "inspect PTX" 2 "err:heddle ptx check" -- "$heddle" inspect tests/cli/data/kernels.ptx
case_is "inspect nothing" 2 "err:inspect takes one file" -- "$heddle" inspect
case_is "inspect a missing file" 2 "err:No such file" -- "$heddle" inspect "$work/none"
case_is "JSON" 0 'out:"chosen": true' 'out:"kernels": [' -- \
    "$heddle" inspect $elf/shared.elf --json -
head -c 700 $elf/object.elf >"$work/cut.elf"
case_is "a damaged file" 2 "err:a damaged ELF file" -- "$heddle" inspect "$work/cut.elf"
finish
