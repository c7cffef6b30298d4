#!/usr/bin/env bash
# Cycle counts beside GPGPU-Sim 3.2.2's: every launch of tests/accuracy/*.csv under three schedulers has
# its very number of cycles and instructions, and the pages that show them are up to date. Machine
# rtx2060 beside GPGPU-Sim 4.2's: the small kernels, and some programs.
. tests/shared/tap.sh
python=/usr/bin/python3
if [ -x "$python" ]; then
    ok "launches agree with the reference" "$python" tools/accuracy.py --exact --check --heddle "$HEDDLE"
    ok "small kernels of rtx2060" "$python" tools/modern.py --exact '*' --heddle "$HEDDLE"
    ok "programs of rtx2060" "$python" tools/modern.py --jobs --exact '*' --heddle "$HEDDLE" \
        --only bfs_queue copy4 jacobi mc_local transpose vecadd wave_sum
    ok "programs of rtx2060, cold L2" "$python" tools/modern.py --cold --exact '*' --heddle "$HEDDLE" \
        --only bfs_queue copy4 hist_global mc_local transpose_naive vecadd wave_sum
else
    skip "launches agree with the reference" "no $python"
    skip "machine rtx2060" "no $python"
fi
finish
