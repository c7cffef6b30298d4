#!/usr/bin/env bash
# glossary.sh FILE - the entries of docs/glossary.md as rows X("term, term", "text") of C, without
# links and emphasis. An entry begins with "- **term**" and may have several lines.
set -u
awk '
    function flush(    at, terms, text, n) {
        if (entry == "") return
        at = index(entry, ":")
        terms = substr(entry, 1, at - 1)
        text = substr(entry, at + 1)
        n = ""
        while (match(terms, /\*\*[^*]*\*\*/)) {
            n = n (n == "" ? "" : ", ") substr(terms, RSTART + 2, RLENGTH - 4)
            terms = substr(terms, RSTART + RLENGTH)
        }
        gsub(/\]\([^)]*\)/, "]", text)
        gsub(/[\[\]*`]/, "", text)
        sub(/^ +/, "", text)
        gsub(/[\\"]/, "\\\\&", text)
        printf "X(\"%s\", \"%s\")\n", n, text
        entry = ""
    }
    /^- \*\*/ { flush(); entry = substr($0, 3); next }
    entry != "" && /^  / { sub(/^ +/, " "); entry = entry $0; next }
    { flush() }
    END { flush() }' "$1"
