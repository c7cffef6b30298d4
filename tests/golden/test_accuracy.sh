#!/usr/bin/env bash
# Cycle counts beside GPGPU-Sim 3.2.2's: every launch of tests/accuracy/*.csv under three schedulers has
# its very number of cycles and instructions, and the pages that show them are up to date.
. tests/shared/tap.sh
python=/usr/bin/python3
if [ -x "$python" ]; then
    ok "launches agree with the reference" "$python" tools/accuracy.py --exact --check --heddle "$HEDDLE"
else
    skip "launches agree with the reference" "no $python"
fi
finish
