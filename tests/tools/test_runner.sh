#!/usr/bin/env bash
# The test runner tells the truth: failures, crashes, lost tests, time-outs and skips are seen.
. tests/shared/tap.sh
root=$PWD
work=$(mktemp -d)
mkdir -p "$work/build/x"
cd "$work" || exit 1

fake() { # NAME BODY: a test script
    printf '#!/bin/sh\n%s\n' "$2" >"$1.sh"
    chmod +x "$1.sh"
}
fake good 'echo 1..2; echo "ok 1 - a"; echo "ok 2 - b"'
fake bad 'echo 1..2; echo "ok 1 - a"; echo "not ok 2 - b"; exit 1'
fake lost 'echo 1..3; echo "ok 1 - a"'
fake quiet 'exit 0'
fake crash 'kill -SEGV $$'
fake liar 'echo 1..1; echo "ok 1 - a"; exit 9'
fake skips 'echo "there is no GPU here"; exit 77'
fake old_skip 'echo 1..1; echo "not ok 1 # SKIP no GPU"' # as cmocka before 1.1.6 spells it
fake slow 'sleep 20'

# verdict WANTED TEST...: the last line is WANTED, and the exit status fits it
verdict() {
    local wanted=$1 out status
    shift
    out=$(TEST_TIMEOUT=1 "$root/tools/run-tests.sh" build/x "$@")
    status=$?
    [ "$(tail -n 1 <<<"$out")" = "$wanted" ] || { echo "$out"; return 1; }
    case $wanted in *" 0 failed"*) [ $status -eq 0 ] ;; *) [ $status -ne 0 ] ;; esac
}
ok "counts passes" verdict "2 passed, 0 failed" good.sh
ok "counts a failure" verdict "1 passed, 1 failed" bad.sh
ok "a planned test that never reports is a failure" verdict "1 passed, 2 failed" lost.sh
ok "without TAP the exit status is the result" verdict "1 passed, 0 failed" quiet.sh
ok "a crash is a failure" verdict "0 passed, 1 failed" crash.sh
ok "a bad exit status after good lines is a failure" verdict "1 passed, 1 failed" liar.sh
ok "a skip is neither" verdict "2 passed, 0 failed, 1 skipped" good.sh skips.sh
ok "a skip as old cmocka spells it" verdict "2 passed, 0 failed, 1 skipped" good.sh old_skip.sh
ok "a time-out is a failure" verdict "0 passed, 1 failed" slow.sh

mkdir -p tests/a build/x/tests/a
touch tests/a/test_c.c tests/a/test_unbuilt.c
fake build/x/tests/a/test_c 'exit 0' && mv build/x/tests/a/test_c.sh build/x/tests/a/test_c
ok "a C test by its source is the program that is built of it" verdict "2 passed, 0 failed" tests/a/test_c.c tests/a/test_c
unbuilt() {
    local out
    out=$("$root/tools/run-tests.sh" build/x good.sh tests/a/test_unbuilt.c 2>&1) && return 1
    [ "$out" = "build/x/tests/a/test_unbuilt is not built; 'make check-build' builds all tests" ]
}
ok "one that is not built says how to build it" unbuilt

reason() {
    "$root/tools/run-tests.sh" build/x good.sh skips.sh | grep -q 'skips.sh: there is no GPU here'
}
ok "a skip prints its reason" reason
alone() {
    "$root/tools/run-tests.sh" build/x bad.sh | grep -q 'to see it alone: .*\./bad\.sh'
}
ok "a failure prints the command that shows it alone" alone
fake waits 'while [ ! -e go ]; do sleep 0.05; done'
as_they_end() { # the report of the first is there while the second still waits for it
    local i
    rm -f go
    (TEST_TIMEOUT=60 "$root/tools/run-tests.sh" build/x good.sh waits.sh >lines; echo $? >status) &
    for i in $(seq 200); do
        grep -q '^ok  *2  *good.sh' lines 2>/dev/null && break
        sleep 0.05
    done
    cp lines before
    touch go
    wait
    grep -q good.sh before && ! grep -q waits.sh before && [ "$(cat status)" = 0 ] && grep -q '^3 passed' lines
}
ok "reports are printed as tests end" as_they_end
costs() { # ten of eleven are listed, the one that computes most first, and not after the last line
    local i many=()
    for i in 1 2 3 4 5 6 7 8 9; do
        fake "many$i" 'exit 0'
        many+=("many$i.sh")
    done
    fake nap 'sleep 1'
    fake busy 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
    "$root/tools/run-tests.sh" build/x "${many[@]}" nap.sh busy.sh >lines || return 1
    grep -q '^processor seconds in all: [0-9]*$' lines &&
        grep -A 1 '^the ten most expensive of 11 ' lines | tail -n 1 | grep -q ' [0-9]*\.[1-9]  busy\.sh$' &&
        [ "$(grep -c '^ *[0-9]*\.[0-9]  *[0-9]*\.[0-9]  [a-z0-9]*\.sh$' lines)" -eq 10 ] &&
        [ "$(tail -n 1 lines)" = "11 passed, 0 failed" ]
}
ok "after many tests the most expensive are listed above the last line" costs
few() {
    "$root/tools/run-tests.sh" build/x good.sh >lines && ! grep -q expensive lines
}
ok "after few they are not" few
fake begun 'touch begun; sleep 5; touch ended'
interrupted() { # what runs side by side is ended with the runner: none of the later tests begins
    local i runner status
    rm -f begun ended
    JOBS=1 TEST_TIMEOUT=60 "$root/tools/run-tests.sh" build/x begun.sh good.sh >/dev/null &
    runner=$!
    for i in $(seq 200); do [ -e begun ] && break; sleep 0.05; done
    kill -TERM $runner
    wait $runner
    status=$?
    sleep 0.3
    [ $status -eq 130 ] && [ ! -e build/x/test-logs/good.sh.out ]
}
ok "an interrupt ends it" interrupted

counted() { # a line of make's is a thing made; what it says of errors goes on
    printf '  build/x/a.o\n  build/x/b.o\na.c:3:1: warning: odd\n' |
        "$root/tools/show-progress.sh" building 2 >out 2>err
    grep -q '^building: 2 made in [0-9]* s$' out && [ "$(cat err)" = "a.c:3:1: warning: odd" ]
}
ok "show-progress counts, and passes warnings on" counted
pending() { # what has begun and is not written yet is named, also while make says nothing
    mkdir -p build/x/src/emu
    {
        printf '  build/x/src/emu/slow.o\n  build/x/src/emu/quick.o\n'
        sleep 0.2
        touch build/x/src/emu/quick.o
        sleep 11
    } | "$root/tools/show-progress.sh" building 5 >out 2>err
    grep -q '^building: 2 of 5, 1[0-9] s (emu/slow)$' out
}
ok "show-progress names what takes long" pending
finish
