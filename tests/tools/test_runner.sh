#!/usr/bin/env bash
# The test runner tells the truth: failures, crashes, lost tests, time-outs and skips are seen.
. tests/tap.sh
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

reason() {
    "$root/tools/run-tests.sh" build/x good.sh skips.sh | grep -q 'skips.sh: there is no GPU here'
}
ok "a skip prints its reason" reason
alone() {
    "$root/tools/run-tests.sh" build/x bad.sh | grep -q 'to see it alone: .*\./bad\.sh'
}
ok "a failure prints the command that shows it alone" alone
finish
