# shellcheck shell=bash
# tap.sh - for test scripts: report in TAP, so that tools/run-tests.sh can count.
#
#   . tests/shared/tap.sh
#   ok "name" COMMAND...       passes if the command succeeds; its output is shown if not
#   same "name" FILE FILE      passes if the bytes are equal; shows the first differing lines
#   skip "name" "reason"
#   finish                     the plan, last line of the script
tap_n=0 tap_failed=0

ok() {
    local name=$1 out
    shift
    tap_n=$((tap_n + 1))
    if out=$("$@" 2>&1); then
        echo "ok $tap_n - $name"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_n - $name"
        printf '%s\n' "$out" | head -n 20 | sed 's/^/# /'
    fi
}

same() {
    ok "$1" diff -a --label "$2" --label "$3" -U 1 "$2" "$3"
}

skip() {
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1 # SKIP $2"
}

finish() {
    echo "1..$tap_n"
    [ "$tap_failed" -eq 0 ]
    exit
}
