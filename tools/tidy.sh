#!/usr/bin/env bash
# tidy.sh - clang-tidy on one file; silent when it is clean. tidy.sh CLANG_TIDY FILE FLAGS...
tidy=$1 file=$2
shift 2
case $file in src/policy/*) set -- "$@" -DHD_IN_TREE ;; esac
out=$("$tidy" --quiet --warnings-as-errors='*' "$file" -- "$@" 2>&1)
status=$?
if [ $status -ne 0 ]; then
    printf '%s\n' "$out" | grep -v -E '^[0-9]+ warnings? |^Suppressed |^Use -header-filter'
    exit 1
fi
