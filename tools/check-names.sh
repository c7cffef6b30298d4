#!/usr/bin/env bash
# check-names.sh - every symbol the library exports begins with hd_, so that a plug-in or an embedding
# program never meets another name of ours; the CUDA driver API, which is its own, with cu (and two of NVRTC).
# HEDDLE_BUILD is the build folder.
set -u
cd "$(dirname "$0")/.." || exit 2
library=${HEDDLE_BUILD:-build/release}/libheddle.a
bad=$(nm -g --defined-only "$library" 2>/dev/null | awk '
    /\.o:$/ { object = $0 }
    NF == 3 && $3 !~ /^(hd_|cu[A-Z]|nvrtcGetCUBIN)/ && $3 !~ /^(__asan|__odr_asan|__ubsan|__gcov)/ {
        print object " " $3 ": exported names begin with hd_; is this one meant to be static?"
    }')
[ -z "$bad" ] && exit 0
printf '%s\n' "$bad"
exit 1
