#!/usr/bin/env bash
# check-format.sh - the sources are as clang-format 14 lays them out (other versions differ).
set -u
cd "$(dirname "$0")/.." || exit 2
format=
for candidate in clang-format-14 clang-format; do
    if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then
        format=$candidate
        break
    fi
done
if [ -z "$format" ]; then
    echo "clang-format 14 is not installed (package clang-format-14)"
    exit 77
fi
bad=$(find src include examples tests -name '*.[ch]' | sort |
    xargs "$format" --dry-run --Werror 2>&1 | grep 'error:' | cut -d: -f1 | sort | uniq -c)
[ -z "$bad" ] && exit 0
awk -v format="$format" '{ print $2 ": " $1 " places not as " format " lays them out; run " format " -i " $2 }' <<<"$bad"
exit 1
