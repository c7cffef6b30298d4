#!/usr/bin/env bash
# --regs: what a compiler for another GPU gave each kernel, or one number for all, in every command that
# runs workloads; where the numbers come from; what is refused.
. tests/shared/cases.sh
cp "$data/kernels.ptx" "$work/k.ptx"
printf '%s\n' "ptx k.ptx" "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:1" >"$work/k.job"
echo "kernel poke regs 12 smem 0" >"$work/k.regs"
job=$work/k.job

slots() { # WORKLOAD OPTION...: how many blocks are on the only SM at once
    "$heddle" run "$@" --size test --set sm.sms=1 --metrics --quiet --no-host --json - |
        sed -n 's/^ *"slot": \([0-9]*\),*$/\1/p' | sort -u | wc -l
}
ok "matmul_tiled has 2 blocks on an SM as compiled for sm_75" test "$(slots matmul_tiled)" -eq 2
ok "matmul_tiled has 6 with 20 registers" test "$(slots matmul_tiled --regs 20)" -eq 6
ok "matmul_tiled has 6 as compiled for sm_20" test "$(slots matmul_tiled --regs sm_20)" -eq 6
ok "AES has 6 on PRO's machine, as its Table IV" test "$(slots aes --gpu pro --regs sm_20)" -eq 6
ok "AES had 4 there" test "$(slots aes --gpu pro)" -eq 4

fits() { # KERNEL WORKLOAD: blocks of it on an SM of BAWS's machine, with registers of the papers' time
    "$heddle" ptx regs --gpu baws --regs sm_20 "workloads/$2/$2.sm_75.ptx" | awk -v k="$1" '$1 == k { print $8 }'
}
ok "FWT has 3 on BAWS's machine, as its Figure 4" test "$(fits near_steps fast_walsh)" -eq 3

# Of what is off no byte may tell.
run() { "$heddle" run "$@" --no-host --quiet --json -; }
run vectoradd --size test | grep -v "^ \"set\": " >"$work/plain"
run vectoradd --size test --regs sm_75 | grep -v "^ \"set\": " >"$work/sm_75"
run vectoradd --size test --regs sm_20 >"$work/sm_20"
same "sm_75 is the default of --regs" "$work/plain" "$work/sm_75"
ok "and is not mentioned" test "$(grep -c '^  "regs"' "$work/plain")" -eq 0
ok "sm_20 is" grep -q '^  "regs": "sm_20"' "$work/sm_20"
for name in $(tools/workload-names.sh --static); do
    file=workloads/$name/$name.sm_20.regs
    ok "$name: each number for sm_20 has its source" \
        test "$(grep -c '^kernel ' "$file")" -eq \
        "$(grep -cE '^kernel .* # (paper: [A-Z]|measured: ptxas|estimate: ptxas)' "$file")"
    ok "$name: no more registers than sm_20 has" \
        test -z "$(awk '$1 == "kernel" && $4 > 63' "$file")"
    case_is "$name: every kernel has one" 0 -- \
        "$heddle" ptx regs --regs sm_20 "workloads/$name/$name.sm_75.ptx"
done

# A number is of every kernel, whatever else says one; only a kernel by its name comes before it.
for i in $(seq 70); do
    printf '.version 6.0\n.target sm_20\n.address_size 64\n.visible .entry k%d() { ret; }\n' "$i" >"$work/m$i.ptx"
    echo "kernel k$i regs 9 smem 0" >"$work/m$i.sm_20.regs"
    echo "ptx $work/m$i.ptx"
done >"$work/many.job"
echo "launch k1 1 1 1 32 1 1 0" >>"$work/many.job"
case_is "a job of 70 modules with files of registers" 0 -- \
    "$heddle" compare "$work/many.job" --sched lrr,gto --regs sm_20 --quiet
case_is "N comes before the file" 0 'out:"regs": 33' 'out:"regs_source": "set"' 'out:"regs": "33"' -- \
    run "$job" --regs 33
sed "s/^launch/kernel poke regs 44\n&/" "$job" >"$work/own.job"
case_is "a job without --regs" 0 'out:"regs": 12' -- run "$job"
case_is "with a number of its own" 0 'out:"regs": 44' -- run "$work/own.job"
case_is "N comes before the job" 0 'out:"regs": 33' 'no:"regs": 44' -- run "$work/own.job" --regs 33
case_is "a kernel's own comes before N" 0 'out:"regs": 22' -- \
    run "$job" --regs 33 --set "kernel.poke.regs=22"
case_is "a recorded trace" 0 silent -- "$heddle" run "$job" --record "$work/v.trace" --quiet
case_is "N of a trace" 0 'out:"regs": 33' -- run "$work/v.trace" --regs 33

# A target's file.
case_is "there is none" 2 "err:no registers of sm_20: there is no file $work/k.sm_20.regs" \
    "err:--regs N" -- "$heddle" run "$job" --regs sm_20
echo "kernel poke regs 31 smem 0 # paper: none" >"$work/k.sm_20.regs"
case_is "a job with a target" 0 'out:"regs": 31' 'out:"regs_source": "file"' -- run "$job" --regs sm_20
case_is "the target that was asked for comes before the job" 0 'out:"regs": 31' -- \
    run "$work/own.job" --regs sm_20
case_is "a trace with a target" 0 'out:"regs": 31' -- run "$work/v.trace" --regs sm_20
case_is "another one is suggested" 2 "err:there are those of sm_20" -- "$heddle" run "$job" --regs sm_35
case_is "not over the file that is read" 2 "err:k.sm_20.regs" -- \
    "$heddle" run "$job" --regs sm_20 --json "$work/k.sm_20.regs"
echo "kernel other regs 31 smem 0" >"$work/k.sm_20.regs"
case_is "a kernel that is left out" 2 "err:k.sm_20.regs: error: has no line for kernel 'poke'" \
    "err:k.regs has one" -- "$heddle" run "$job" --regs sm_20
echo "kernel poke regs 0 smem 0" >"$work/k.sm_20.regs"
case_is "a wrong line" 2 "err:k.sm_20.regs:1:" "err:from 1 to 65535" -- \
    "$heddle" run "$job" --regs sm_20
case_is "before anything runs" 2 "err:k.sm_20.regs:1:" "no:vectoradd" -- \
    "$heddle" compare vectoradd "$job" --sched lrr --regs 20,sm_20

for wrong in 0 -1 020 20x 65536 99999999999999999999 sm_ sm_2 sm_20x sm20 SM_20 'sm_20 ' ../sm_20; do
    case_is "--regs '$wrong'" 2 "err:--regs $wrong: expected registers per thread, from 1 to 65535" -- \
        "$heddle" run vectoradd --size test --regs="$wrong"
done
case_is "nearest target" 2 "err:did you mean 'sm_20'?" -- "$heddle" run vectoradd --regs sm20
case_is "an empty word" 2 "err:not an empty word" -- "$heddle" run vectoradd --regs ''
case_is "too many for the machine" 2 "err:its threads need no more" "err:(set)" -- \
    "$heddle" run vectoradd --size test --regs 200
case_is "not of a program" 2 "err:--regs is for workloads" -- "$heddle" annotate --regs 20 -- true
case_is "unknown to exec" 2 "err:has no option --regs" -- "$heddle" exec --regs 20 true

# Papers.
first() { "$heddle" paper pro --figure table4 --size small --quiet --csv - "$@" | sed -n 's/^table4,1000,//p' | cut -d, -f1 | wc -w; }
ok "PRO's Table IV: six blocks are on SM 0, as in the paper" test "$(first)" -eq 6
ok "four, as compiled for sm_75" test "$(first --regs sm_75)" -eq 4
for paper in lfws pro baws; do
    ok "$paper: registers of the paper's time" grep -q '^regs = sm_20$' "papers/$paper.ini"
done
case_is "the commands say which" 0 "out:--regs sm_20" -- \
    "$heddle" paper pro --figure table4 --size test --quiet --markdown -
mkdir -p "$work/data/papers" && ln -s "$PWD/gpus" "$PWD/workloads" "$work/data/"
sed 's/^regs = .*/regs = sm20/' papers/pro.ini >"$work/data/papers/pro.ini"
case_is "a paper's file" 2 "err:papers/pro.ini:4: error: regs = sm20: expected registers per thread" \
    -- env HEDDLE_DATA="$work/data" "$heddle" paper pro --figure table4 --size test
case_is "an option" 2 "err:--regs sm20: expected registers per thread" -- \
    "$heddle" paper pro --figure table4 --size test --regs sm20

for axis in "--seed 7" "--set mem.align=4096" "--set mem.spread=256" "--regs 16"; do
    case_is "a paper's runs with $axis" 0 -- \
        "$heddle" paper pro --figure table4 --size test --quiet --db "$work/axes" $axis
done
ok "are four" test "$(query "$work/axes" 'select count(distinct key) from run')" -eq 4
ok "and can be told apart" test "$(query "$work/axes" 'select seed, sets from run order by id' | paste -sd' ')" = \
    "7 regs=sm_20 1 mem.align=4096 regs=sm_20 1 mem.spread=256 regs=sm_20 1 regs=16"

# Several beside each other; another run is another row of the database.
case_is "a list" 0 "out:regs=sm_75" "out:regs=20" "out:regs=sm_20" -- \
    "$heddle" compare matmul_tiled --size test --sched gto --set sm.sms=1 \
    --regs sm_75,20,sm_20 --db "$work/db" --csv "$work/csv"
ok "three runs are kept" test "$(query "$work/db" 'select count(*) from run')" -eq 3
ok "what each has is shown" \
    test "$(query "$work/db" 'select sets from run order by sets' | paste -sd' ')" = \
    "sm.sms=1 regs=20 sm.sms=1 regs=sm_20 sm.sms=1 regs=sm_75"
ok "62 registers take longer than 20" test \
    "$(query "$work/db" "select (select cycles from run where sets like '%regs=sm_75') > (select cycles from run where sets like '%regs=20')")" = 1
case_is "again" 0 "no:regs=63" -- \
    "$heddle" compare matmul_tiled --size test --sched gto --set sm.sms=1 --regs 20 --db "$work/db"
ok "nothing new" test "$(query "$work/db" 'select count(*) from run')" -eq 3
case_is "a comma too many" 2 "err:--regs : expected registers" -- \
    "$heddle" compare matmul_tiled --sched gto --regs 20,
case_is "the base" 0 "out:relative to gto on regs=20" -- \
    "$heddle" compare matmul_tiled --size test --sched lrr,gto --regs sm_75,20 --base gto@regs=20
finish
