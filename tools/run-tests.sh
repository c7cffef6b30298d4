#!/usr/bin/env bash
# run-tests.sh - run test files side by side, count what they say, end with one line:
#   N passed, N failed[, N skipped]
#
#   tools/run-tests.sh BUILD_DIR TEST...
#
# A test file is a program or a script. tests/FOLDER/test_NAME, with or without ".c", means the program that
# is built of that source in BUILD_DIR. If it prints TAP lines ("ok 1 - name", "not ok 2 - name",
# "ok 3 # SKIP reason", plan "1..3") those are counted; otherwise its exit status is its one
# result: 0 passed, 77 skipped (last line = the reason), anything else failed. A planned test that
# never reported, a crash and a time-out are failures. Everything runs from the root of the tree
# with HEDDLE (the program), HEDDLE_BUILD (its build folder) and TMPDIR (empty, its own) set.
#
# Reports come in the order of the arguments, each as soon as it and all before it have finished; at
# a terminal a line below them says what is running. After more than ten test files the ten that cost most
# processor time are listed above the last line. The full output of a test is kept in BUILD_DIR/test-logs/. JOBS=n sets how many run at once, TEST_TIMEOUT=s the limit of one.
set -u

one() { # LOG_DIR TEST: run one; its output goes to LOG_DIR/name.out, its status to .rc, what it took to .time
    local log=$1/${2//\//_} status TIMEFORMAT="%R %U %S $2"
    mkdir -p "$log.tmp"
    { time TMPDIR=$log.tmp CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 5 "${TEST_TIMEOUT:-300}" \
        "./$2" </dev/null >"$log.out" 2>&1; } 2>"$log.time"
    status=$?
    echo "$status" >"$log.rc"
    [ "$status" -eq 0 ] && rm -rf "$log.tmp"
}

if [ "$1" = --one ]; then
    one "$2" "$3"
    exit 0
fi

build=$1
shift
tests=()
for test in "$@"; do
    if [ ! -x "$test" ] && [ -e "${test%.c}.c" ]; then
        test=$build/${test%.c}
        [ -x "$test" ] || { echo "$test is not built; 'make check-build' builds all tests" >&2; exit 1; }
    fi
    tests+=("$test")
done
set -- "${tests[@]}"
logs=$PWD/$build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
HEDDLE=$PWD/$build/heddle
HEDDLE_BUILD=$PWD/$build
export HEDDLE HEDDLE_BUILD TEST_TIMEOUT LC_ALL=C

set -m # a group of its own, which can be ended as a whole
xargs -0 -r -n 1 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" "$0" --one "$logs" < <(printf '%s\0' "$@") &
runner=$!
set +m
trap 'kill -- -$runner 2>/dev/null' EXIT
trap 'exit 130' INT TERM

# Until the log of a test is whole, or nobody is left who could finish it.
wait_for() {
    local log=$1 f running
    while [ ! -s "$log.rc" ] && kill -0 $runner 2>/dev/null; do
        if [ -t 2 ]; then
            running=
            for f in "$logs"/*.out; do
                [ -e "$f" ] && [ ! -s "${f%.out}.rc" ] && running="$running ${f##*_}"
            done
            printf '\r%d of %d files done, %d s, now:%.50s\033[K' \
                "$(find "$logs" -maxdepth 1 -name '*.rc' | wc -l)" "$n_tests" $SECONDS "${running//.out/}" >&2
        fi
        sleep 0.2
    done
    [ -s "$log.rc" ] || echo "ended without a status" >>"$log.out"
    [ -s "$log.rc" ] || echo 1 >"$log.rc"
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

n_tests=$#
passed=0 failed=0 skipped=0
for test in "$@"; do
    log=$logs/${test//\//_}
    wait_for "$log"
    read -r p f s lost <<<"$(awk -v status="$(cat "$log.rc")" '
        /^1\.\.[0-9]+/ { planned += substr($1, 4); tap = 1 }
        /^(not )?ok( |$)/ {
            tap = 1
            if (/# *[Ss][Kk][Ii][Pp]/) skip++
            else if (/^ok/) pass++
            else fail++
        }
        END {
            if (!tap) {
                pass = status == 0; skip = status == 77; fail = !pass && !skip
            } else {
                missing = planned - pass - fail - skip
                if (missing > 0) fail += missing
                if (status != 0 && fail == 0) fail = 1
                if (pass + fail + skip == 0) fail = 1 # an empty plan tests nothing
            }
            print pass + 0, fail + 0, skip + 0, (missing > 0 ? missing : 0)
        }' "$log.out")"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    if [ "$f" -gt 0 ]; then
        printf 'FAILED  %3d of %-4d %s (exit status %s)\n' "$f" $((p + f)) "$test" "$(cat "$log.rc")"
        grep -v -E '^(ok |1\.\.)' "$log.out" | head -n 40 | sed 's/^/        /'
        grep -q -E '^1\.\.0' "$log.out" && echo "        it ran no test at all"
        [ "$lost" -gt 0 ] && echo "        $lost planned tests never reported"
        [ "$(cat "$log.rc")" -eq 124 ] && echo "        took longer than ${TEST_TIMEOUT:-300} s"
        printf '        to see it alone: HEDDLE=%s/heddle HEDDLE_BUILD=%s ./%s\n' "$build" "$build" \
            "$test"
    else
        printf 'ok      %3d         %s\n' "$p" "$test"
    fi
    if [ "$s" -gt 0 ]; then
        reasons=$(grep -E '^(not )?ok.*# *[Ss][Kk][Ii][Pp]' "$log.out" | sed -E 's/^.*# *SKIP *//I')
        [ -n "$reasons" ] || reasons=$(tail -n 1 "$log.out")
        printf '%s\n' "$reasons" | sed "s|^|skipped             $test: |"
    fi
done

if [ "$n_tests" -gt 10 ]; then
    # On a busy machine only the second column says what a test costs.
    awk '{ cpu += $2 + $3 } END { printf "processor seconds in all: %.0f\n", cpu }' "$logs"/*.time
    echo "the ten most expensive of $n_tests test files, seconds and processor seconds:"
    awk '{ printf "%9.1f %9.1f  %s\n", $1, $2 + $3, $4 }' "$logs"/*.time | sort -k 2,2nr -k 3 | head -n 10
fi
line="$passed passed, $failed failed"
[ "$skipped" -gt 0 ] && line="$line, $skipped skipped"
echo "$line" | tee "$build/test-summary"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
