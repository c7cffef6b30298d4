#!/usr/bin/env bash
# hardware/run.sh: the programs that measure a GPU build against NVIDIA's header and stub library, run
# below heddle, continue where they stopped, and say of the model what is known of it.
. tests/shared/cases.sh
export LC_ALL=C

toolkit=${CUDA_HOME:-/usr/local/cuda}
if [ ! -f "$toolkit/include/cuda.h" ] || [ ! -f "$toolkit/lib64/stubs/libcuda.so" ]; then
    skip "measuring" "there is no cuda.h with a stub library in $toolkit"
    finish
    exit
fi
if nm -D "$HEDDLE_BUILD/libcuda.so.1" | grep -qE '__(asan|tsan)_init'; then
    skip "measuring" "heddle's library has a sanitizer, and the program has none"
    finish
    exit
fi
out=$work/out.csv
value() { sed -n "s/^$1,,*\\([0-9.]*\\),.*/\\1/p" "$out"; }
between() { awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(v != "" && v >= low && v <= high) }'; }

case_is "a model is measured" 0 -- hardware/run.sh --model rtx2060 --size test --only micro,vectoradd,lud --quick "$out"
ok "its clock is that of the machine file" between "$(value machine,clock)" 1364 1366
# A latency of 4 and what an instruction passes besides, as the micro kernels of the accuracy tests show.
ok "a dependent addition takes 9 cycles" between "$(value latency,add.s32)" 8.9 9.2
ok "shared memory takes 35" between "$(value latency,ld.shared)" 34.9 35.1
ok "a ring in the L1" between "$(value chase,8K)" 50 65
ok "and one beyond it" between "$(value chase,64K)" 70 250
ok "lanes 128 bytes apart take 32 cycles" between "$(value lanes,128B)" 31 34
ok "every launch of a workload has its time" test "$(grep -c '^kernel,lud,' "$out")" -gt 5
lines=$(wc -l <"$out")
case_is "what is there is not measured again" 0 -- hardware/run.sh --model rtx2060 --size test --only micro,vectoradd,lud --quick "$out"
ok "and nothing is added" test "$(wc -l <"$out")" -eq "$lines"
case_is "the file can be compared" 0 "out:vectoradd" -- "$heddle" correlate "$out" "$out"
case_is "a wrong option" 2 "err:usage: hardware/run.sh" -- hardware/run.sh --modl rtx2060 "$out"
case_is "an unknown workload" 2 "err:nothing is called nosuch" -- hardware/run.sh --only nosuch "$work/no.csv"

# The programs of tests/ptx on what is a GPU for them.
ok "values builds" make -s "$(make -s hardware-folder)/hardware/values"
# Programs that must fault are among them, so a failed launch says nothing.
values() { "$heddle" exec --functional-only --quiet --keep-status -- "$HEDDLE_BUILD/hardware/values" "$@"; }
printf -- '-- body %%d\nadd.u32 %%d, %%a, %%b;\n-- cases\n1 2 -> 4\n-- body %%d\nmov.u32 %%d, 1;\n-- cases\n0 -> 1\n' >"$work/wrong.t"
printf -- '-- kernel 1 1\ntrap;\nret;\n-- trap user\n-- kernel 1 1\nret;\n-- trap user\n' >"$work/trap.t"
case_is "programs give what the tests expect" 0 "out:23 programs, 0 complaints" -- values tests/ptx/add_*.t tests/ptx/trap_misaligned.t
case_is "another value is reported" 1 "out:wrong.t:1: case 1 (0x1 0x2 0x0): 0x3, not 0x4" "out:2 programs, 1 complaints" -- values "$work/wrong.t"
case_is "the programs after a fault run, and one that does not fault is reported" 1 "out:trap.t:5: no fault" \
    "out:2 programs, 1 complaints" -- values "$work/trap.t"
case_is "no such file" 2 "err:cannot read" -- values "$work/nowhere.t"
case_is "approximate functions" 0 "out:rcp.approx.f32 40000000 3f000000" -- values --approx 0x40000000
finish
