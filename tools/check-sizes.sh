#!/usr/bin/env bash
# check-sizes.sh - a function fits in the eye, a file does one thing.
#
# Ceilings, not aims: functions 80 lines (aim 40), files 1200 (aim 200 to 800). A function is what
# stands between a `{` and a `}` in the first column, as .clang-format lays it out.
set -u
cd "$(dirname "$0")/.." || exit 2
find src include examples tests -name '*.[ch]' | sort | xargs awk '
    FNR == 1 { name = ""; start = 0 }
    FNR == 1201 { print FILENAME ": longer than 1200 lines"; bad = 1 }
    /^[A-Za-z_].*\(/ { name = $0 }
    /^\{$/ { start = FNR }
    /^\}$/ && start {
        if (FNR - start - 1 > 80) {
            printf "%s:%d: %d lines in one function: %s\n", FILENAME, start, FNR - start - 1, name
            bad = 1
        }
        start = 0
    }
    END { exit bad }'
