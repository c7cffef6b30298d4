#!/usr/bin/env bash
# Cycle counts beside GPGPU-Sim 3.2.2's: every launch of tests/accuracy/reference.csv under three
# schedulers within the limits of tools/accuracy.py. docs/accuracy.md shows the table.
. tests/tap.sh
python=/usr/bin/python3
if [ -x "$python" ]; then
    ok "launches agree with the reference" "$python" tools/accuracy.py --heddle "$HEDDLE"
else
    skip "launches agree with the reference" "no $python"
fi
finish
