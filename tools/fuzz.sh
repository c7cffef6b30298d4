#!/usr/bin/env bash
# fuzz.sh - run libFuzzer programs one after the other and say what each did.
#
#   tools/fuzz.sh BUILD SECONDS [TARGET...]      `make fuzz` builds them first
#
# Inputs found stay in BUILD/fuzz/<target>/ and are where the next run goes on; what breaks something
# is BUILD/fuzz/found-<target>-*. Exit status 1 if there is any. One line per target: executions, per
# second, inputs kept, findings.
set -u
cd "$(dirname "$0")/.." || exit 2
build=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(cd tests/fuzz && printf '%s\n' fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
out=$build/fuzz
mkdir -p "$out" || exit 2
tools/fuzz-dict.sh "$out" || exit 2
# Blocks of an arena are large: a long quarantine would only cost memory.
export ASAN_OPTIONS=quarantine_size_mb=4:malloc_context_size=2${ASAN_OPTIONS:+:$ASAN_OPTIONS}
status=0
for target; do
    mkdir -p "$out/$target"
    dict=()
    [ -e "$out/$target.dict" ] && dict=(-dict="$out/$target.dict")
    nice -n 19 "$build/tests/fuzz/fuzz_$target" ${dict[@]+"${dict[@]}"} -max_total_time="$seconds" \
        -max_len="${FUZZ_BYTES:-4096}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$out/found-$target-" "$out/$target" "tests/fuzz/corpus/$target" \
        >"$out/$target.log" 2>&1 || status=1
    awk -v target="$target" -v kept="$(find "$out/$target" -type f | wc -l)" \
        -v found="$(find "$out" -maxdepth 1 -name "found-$target-*" | wc -l)" '
        /^#[0-9]+/ { done = substr($1, 2) + 0 }
        /number_of_executed_units/ { done = $2 }
        /average_exec_per_sec/ { rate = $2 }
        END { printf "%-8s %10d executions %7d/s %6d inputs %3d found\n", target, done, rate, kept, found }
    ' "$out/$target.log"
done
exit $status
