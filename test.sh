#!/usr/bin/env bash
# test.sh - install what is missing, build, run the tests. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")" || exit 2

jobs=$(getconf _NPROCESSORS_ONLN)
# make's own error lines come after the summary; the summary is repeated so that it stays last.
summary=build/release/test-summary
rm -f "$summary"
# How many things there are to make is how many commands have an output.
build() {
    set -o pipefail
    local total
    total=$(make -n check-build 2>/dev/null | grep -c -e ' -o ')
    make -j "$jobs" check-build 2>&1 | tools/show-progress.sh building "$total"
}
if ! tools/setup.sh build test || ! build; then
    echo "0 passed, 1 failed"
    exit 1
fi
make -s check && exit 0
[ -s "$summary" ] && cat "$summary" || echo "0 passed, 1 failed"
exit 1
