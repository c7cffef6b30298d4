#!/usr/bin/env bash
# docs/ptx-isa.md: ptxas accepts what stands there as PTX. The other half, what heddle does with it, is
# tests/unit/test_ptx_isa.c, which also writes the examples for this test.
. tests/shared/cases.sh
ptxas=$(command -v ptxas || command -v /usr/local/cuda/bin/ptxas)
newest=$(${ptxas:-false} --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')

accepts() { # FILE: as ptxas sees it; the name says the target, and whether it is only compiled
    local name=${1##*/} flags=
    case $name in *.c.ptx) flags=--compile-only ;; esac
    "$ptxas" $flags -O0 -arch="${name%%.*}" "$1" -o "$work/x.cubin"
}

if [ "${newest:-0}" -lt 13 ]; then
    skip "ptxas accepts the forms of docs/ptx-isa.md" "there is no ptxas of CUDA 13 or later"
else
    "$HEDDLE_BUILD/tests/unit/test_ptx_isa" modules "$work" || exit
    for file in "$work"/*.ptx; do
        ok "ptxas accepts ${file##*/}" accepts "$file"
    done
fi
finish
