#!/usr/bin/env bash
# Cycle counts beside GPGPU-Sim 3.2.2's: every launch of tests/accuracy/*.csv under three schedulers has
# its very number of cycles and instructions, and the pages that show them are up to date. Machines
# rtx2060, rtx3070, qv100 and gtx480-v4 beside GPGPU-Sim 4.2's: the small kernels, and some programs;
# with TEST_ALL=1 all of them.
. tests/shared/tap.sh
python=/usr/bin/python3
if [ -x "$python" ]; then
    ok "launches agree with the reference" "$python" tools/accuracy.py --exact --check --heddle "$HEDDLE"
    some=(--only bfs_queue copy4 hist_global jacobi mc_local transpose vecadd wave_sum)
    [ -z "${TEST_ALL:-}" ] || some=()
    for gpu in rtx2060 rtx3070 qv100 gtx480-v4; do
        modern=("$python" tools/modern.py --heddle "$HEDDLE" --gpu "$gpu" --exact '*')
        ok "small kernels of $gpu" "${modern[@]}"
        ok "programs of $gpu" "${modern[@]}" --jobs "${some[@]}"
    done
    ok "programs of rtx2060, cold L2" "$python" tools/modern.py --cold --exact '*' --heddle "$HEDDLE" \
        --only bfs_queue copy4 hist_global mc_local transpose_naive vecadd wave_sum
else
    skip "launches agree with the reference" "no $python"
    skip "machines of GPGPU-Sim 4.2" "no $python"
fi
finish
