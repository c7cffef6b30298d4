#!/usr/bin/env bash
# check-banned.sh - no call of a function that tools/banned.txt bans.
#
# Comments and string literals don't count. Prints file:line, the function and the reason.
set -u
cd "$(dirname "$0")/.." || exit 2

find src include examples -name '*.[ch]' -o -name '*.def' -path 'src/*' | sort |
    xargs awk '
        BEGIN {
            while ((getline line < "tools/banned.txt") > 0) {
                if (line ~ /^[ \t]*(#|$)/) continue
                if (split(line, part, /[ \t]*\|[ \t]*/) != 4) {
                    print "tools/banned.txt: not four columns: " line
                    bad = 1
                    continue
                }
                n_names = split(part[1], names, /[ \t]+/)
                for (i = 1; i <= n_names; i++) {
                    scope[names[i]] = part[2]
                    except[names[i]] = part[3]
                    reason[names[i]] = part[4]
                }
            }
        }
        # Is the file inside one of the blank-separated path prefixes?
        function inside(file, prefixes,    n, p, i) {
            n = split(prefixes, p, /[ \t]+/)
            for (i = 1; i <= n; i++)
                if (p[i] != "-" && index(file, p[i]) == 1) return 1
            return 0
        }
        {
            code = $0
            gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
            sub(/\/\/.*/, "", code)
            while (match(code, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
                name = substr(code, RSTART, RLENGTH - 1)
                sub(/[ \t]+$/, "", name)
                before = RSTART > 1 ? substr(code, RSTART - 1, 1) : " "
                code = substr(code, RSTART + RLENGTH)
                # x.time(...) and x->free(...) call a member of ours, not the library.
                if (before == "." || before == ">") continue
                if (name in scope && inside(FILENAME, scope[name]) &&
                    !inside(FILENAME, except[name])) {
                    printf "%s:%d: %s: %s\n", FILENAME, FNR, name, reason[name]
                    bad = 1
                }
            }
        }
        END { exit bad }'
