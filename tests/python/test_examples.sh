#!/usr/bin/env bash
# The scripts of python/examples run, and print what heddle prints for the same runs.
. tests/shared/cases.sh
export HEDDLE=$heddle PYTHONDONTWRITEBYTECODE=1
examples=$PWD/python/examples
python=/usr/bin/python3
"$python" -c 'import sqlite3' 2>/dev/null || { echo "no module sqlite3 for /usr/bin/python3"; exit 77; }

case_is "schedulers on workloads" 0 "out:arithmetic mean" -- \
    env SCHEDS=lrr,gto DB="$work/study.db" "$python" "$examples/compare_schedulers.py" vecadd scan
cp "$work/.out" "$work/schedulers"
"$heddle" compare vecadd scan --sched lrr,gto --db "$work/study.db" --no-host >"$work/heddle" 2>/dev/null
ratio_of() { # what heddle's table says of a workload under gto
    awk -v workload="$1" '$1 == workload { at = 1 } at && $1 == "gto" { print $4; exit }' "$work/heddle"
}
for workload in vecadd scan; do
    ok "$workload: the ratio of heddle's table" grep -qE "^$workload +1\.000 +$(ratio_of "$workload")$" "$work/schedulers"
done
case_is "a sweep of a key" 0 "out:L1D MISS RATE" "out:L1D.WAYS" -- \
    "$python" "$examples/sweep_machine.py" l1d.ways 4,2 vecadd
ok "each value is a machine" bash -c "words() { tr -s ' ' <'$work/.out'; }
    words | grep -qE '^vecadd 4 .* 1\.000$' && words | grep -qE '^vecadd 2 '"
ok "the options say so" grep -qE '^vecadd +gtx480 +l1d\.ways=2 +gto +2$' "$work/.out"
case_is "a wrong key is refused with heddle's words" 1 "err:did you mean 'ways'" -- \
    "$python" "$examples/sweep_machine.py" l1d.wasy 4,2 vecadd
case_is "stall classes of a study" 0 "out:loses most to" -- "$python" "$examples/stall_classes.py" "$work/study.db"
ok "they add up" awk '/^(vecadd|scan) +gtx480/ { n++; if ($NF != "1.000") bad = 1 } END { exit bad || n != 4 }' "$work/.out"
case_is "stall classes of a run" 0 "out:scan" -- "$python" "$examples/stall_classes.py" scan
finish
