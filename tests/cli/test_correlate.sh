#!/usr/bin/env bash
# heddle correlate: measurements of a GPU beside a model's; errors by kind and workload, keys that would
# bring the model nearer; what is no measurement is refused with its line.
. tests/shared/cases.sh
export LC_ALL=C

cat >"$work/gpu.csv" <<'END'
machine,name,,A real GPU,
machine,sms,,30,SMs
machine,clock,,2000,MHz
launch,nothing,,2.000,us
latency,add.s32,,4.000,cycles
latency,fma.f32,,4.100,cycles
latency,only.here,,4.000,cycles
chase,8K,,33.000,cycles
chase,1024K,,200.000,cycles
chase,32768K,,500.000,cycles
kernel,bfs,0,3.000,us
kernel,bfs,1,4.000,us
kernel,lud,0,12.000,us
# done lud small
END
# At half the clock: 2000 and 1000, 2000 and 4000 cycles of bfs; 20000 and 10000 of lud.
cat >"$work/model.csv" <<'END'
machine,name,,A model,
machine,sms,,30,SMs
machine,clock,,1000,MHz
launch,nothing,,1.000,us
latency,add.s32,,9.000,cycles
latency,fma.f32,,4.100,cycles
chase,8K,,30.000,cycles
chase,1024K,,220.000,cycles
chase,32768K,,500.000,cycles
kernel,bfs,0,2.000,us
kernel,bfs,1,5.000,us
kernel,lud,0,11.000,us
END

correlate() { # as a user would, with blanks that do not depend on the widest cell
    "$heddle" correlate "$@" | tr -s ' '
}
export -f correlate
export heddle
case_is "errors by kind" 0 "out:latency 2 1.500 62.5 add.s32: x 2.250" "out:1 values were left out" \
    -- bash -c "correlate '$work/gpu.csv' '$work/model.csv'"
case_is "workloads in cycles, without an empty kernel" 0 "out:bfs 2 6000 5000 0.833 0: x 0.500" "out:lud 1 20000 10000 0.500" \
    -- bash -c "correlate '$work/gpu.csv' '$work/model.csv' --csv '$work/c.csv' --json '$work/c.json'"
ok "CSV has the tables" grep -q '^kernels,bfs,2,6000,5000,0.833' "$work/c.csv"
ok "JSON can be read" /usr/bin/python3 -m json.tool "$work/c.json" "$work/again.json"
# add.int is 4/1 and takes 5 cycles too many; l2.rop 194 takes 20 too many; dram.latency 96 then 20 too few.
case_is "keys that would bring the model nearer" 0 "out:latency.add.int 4/2 1/2 latency add.s32 4.0 9.0" "out:l2.rop 194 174" \
    "out:dram.latency 96 116 chase 32768K beyond 1024K" "out:l1d.latency 32 35" \
    -- bash -c "correlate '$work/gpu.csv' '$work/model.csv' --gpu rtx2060"
no_fma() { ! "$heddle" correlate "$work/gpu.csv" "$work/model.csv" --gpu rtx2060 | grep -q latency.fma; }
ok "what is right is left out" no_fma
if command -v gnuplot >"$work/void"; then
    ok "a figure" "$heddle" correlate "$work/gpu.csv" "$work/model.csv" --plot "$work/f.svg" --html "$work/f.html" --quiet
    ok "with the names of what is far off" grep -q ">lud<" "$work/f.svg"
else
    skip "a figure" "gnuplot is not installed"
fi

printf 'machine,clock,,1000,MHz\nlatencie,add.s32,,9,cycles\nlatency,add.s32,9\nlatency,x,,fast,cycles\nkernel,bfs,-1,2,us\n' >"$work/wrong.csv"
case_is "every wrong line is named" 2 "err:wrong.csv:2:1: error: 'latencie' is no kind of measurement" "err:wrong.csv:3:1: error: fewer fields than five" \
    "err:wrong.csv:4:1: error: 'fast' is no number" "err:wrong.csv:5:1: error: '-1' is no number of a launch" \
    -- "$heddle" correlate "$work/wrong.csv" "$work/model.csv"
echo '# nothing' >"$work/empty.csv"
case_is "an empty file" 2 "err:no measurement is in it" -- "$heddle" correlate "$work/gpu.csv" "$work/empty.csv"
case_is "one file" 2 "err:correlate takes two files" -- "$heddle" correlate "$work/gpu.csv"
case_is "a file that is not there" 2 "err:cannot read measurements" -- "$heddle" correlate "$work/gpu.csv" "$work/no.csv"
echo 'latency,other,,1,cycles' >"$work/other.csv"
case_is "nothing in common" 2 "err:have no measurement in common" -- "$heddle" correlate "$work/gpu.csv" "$work/other.csv"
finish
