#!/usr/bin/env bash
# check-text.sh - what a reader meets: each C file says on its first line what it is; comments are
# `//`; no tabs, trailing blanks or missing last newline; a TODO gives its reason after a colon; the
# phrases of tools/quaint.txt are in no page, and in ever fewer comments and strings of src/ (--write
# lowers the numbers there); sentences of pages and of comments in headers have at most 45 words.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
while IFS= read -r file; do
    base=$(basename "$file")
    head -n 1 "$file" | grep -q -E "^// ${base//./\\.}( \([^)]*\))? - " || {
        echo "$file:1: the first line is not \"// $base - what it is\""
        status=1
    }
    [ -z "$(tail -c 1 "$file")" ] || {
        echo "$file: no newline at the end"
        status=1
    }
done < <(find src include examples tests -name '*.[ch]' -o -name '*.def' | sort)

find src include examples tests -name '*.[ch]' -o -name '*.def' | sort | xargs awk '
    /\t/ { print FILENAME ":" FNR ": tab"; bad = 1 }
    /[ \t]$/ { print FILENAME ":" FNR ": blank at the end of the line"; bad = 1 }
    {
        code = $0
        gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
        line = code
        sub(/\/\/.*/, "", line)
        # In a macro of many lines a // would swallow the rest.
        if (line ~ /\/\*/ && line !~ /\\$/) { print FILENAME ":" FNR ": comments are //"; bad = 1 }
        if (code ~ /(TODO|FIXME)/ && code !~ /TODO: .*(because|until|when)/) {
            print FILENAME ":" FNR ": a TODO says \"TODO: what, because/until/when ...\""; bad = 1
        }
    }
    END { exit bad }' || status=1
if [ "${1:-}" = --write ]; then
    tools/quaint.py --write || status=1
elif command -v python3 >/dev/null; then
    tools/quaint.py || status=1
    tools/check-sentences.py || status=1
fi
exit $status
