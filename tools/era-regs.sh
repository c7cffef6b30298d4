#!/usr/bin/env bash
# era-regs.sh [NAME...] - write NAME.sm_20.regs of these workloads, or of all: registers per thread as a
# compiler for sm_20 of the papers' time would give them, each number with its source.
#
# A line "# paper: ..." stays as it is: the paper prints how many blocks are on an SM, and the number is
# the greatest with which they fit. All other numbers are made here:
#
#   estimate  ptxas of CUDA 12 and later knows no target of that time. We take the lower of what it gives
#             to the same kernel compiled twice: NAME.sm_75.regs, and NAME.sm_20.ptx assembled for sm_75,
#             with the 63 registers that a thread of sm_20 may have. Compilers unroll and load ahead
#             where registers allow it; those of the time had fewer, and did so less.
#   measured  with an older ptxas: PTXAS=/opt/cuda-8.0/bin/ptxas TARGET=sm_20 tools/era-regs.sh
#             (CUDA 8 was the last to know sm_20, CUDA 11 the last to know sm_35).
#
# Needs ptxas, $PTXAS or in /usr/local/cuda/bin. The files are in the repository; nobody needs this to build.
set -u
cd "$(dirname "$0")/.." || exit 2
ptxas=${PTXAS:-$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)}
target=${TARGET:-sm_75}
[ -x "$ptxas" ] || { echo "no ptxas: *.sm_20.regs left as they are"; exit 0; }
version="ptxas $("$ptxas" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')"
new=$(mktemp -d) || exit 2
trap 'rm -rf "$new"' EXIT
status=0

[ $# -gt 0 ] || for file in workloads/*/kernel.cu; do
    set -- "$@" "$(basename "$(dirname "$file")")"
done
for name in "$@"; do
    base=workloads/$name/$name
    grep -q '<<<' "workloads/$name/kernel.cu" && continue # no kernel of sm_20 launches kernels
    [ -e "$base.sm_75.regs" ] && [ -e "$base.sm_20.ptx" ] || { echo "$name: make its PTX first"; status=1; continue; }
    "$ptxas" -v -arch="$target" -maxrregcount 63 -o "$new/cubin" "$base.sm_20.ptx" 2>"$new/talk" ||
        { cat "$new/talk"; status=1; continue; }
    sed -n -E "s/.*entry function '([^']*)'.*/\1/p; s/.*Used ([0-9]+) registers.*/\1/p" "$new/talk" |
        paste -d ' ' - - >"$new/old"
    grep -s '# paper: ' "$base.sm_20.regs" >"$new/kept"
    {
        echo "# registers per thread as a compiler for sm_20 of the papers' time gives them; the rest as in $name.sm_75.regs"
        awk -v kept="$new/kept" -v given="$new/old" -v version="$version" -v target="$target" -v ptx="$name.sm_20.ptx" '
            BEGIN {
                while ((getline line <kept) > 0) { split(line, w, " "); paper[w[2]] = line }
                while ((getline line <given) > 0) { split(line, w, " "); n[w[1]] = w[2] }
            }
            $1 != "kernel" { next }
            $2 in paper { print paper[$2]; next }
            !($2 in n) { print ptx " has no kernel " $2 >"/dev/stderr"; exit 1 }
            {
                now = $4 + 0
                was = n[$2] + 0
                if (target != "sm_75")
                    why = "measured: " version " for " target " gives " was " to " ptx
                else
                    why = "estimate: " version " gives " now " to the PTX for sm_75, " was " to " ptx
                $4 = target != "sm_75" || was < now ? was : now
                if ($4 > 63) $4 = 63
                print $0 " # " why
            }' "$base.sm_75.regs" || status=1
    } >"$new/regs"
    old=$base.sm_20.regs
    cmp -s "$new/regs" "$old" && continue
    [ -e "$old" ] && echo "$old: $(diff "$old" "$new/regs" | grep -c '^[<>]') lines differ" || echo "$old: new"
    cp "$new/regs" "$old"
done
exit $status
