#!/usr/bin/env bash
# check-tests.sh - every source file has a test, and which one is written down.
#
#   tools/check-tests.sh            complain about source files without a test
#   tools/check-tests.sh --table    print the table: source file, then its tests (`make test-table`)
#
# A test covers a source file if it uses a name that the file exports: a function or table in a C test,
# a function of CUDA in a program of tests/*/programs/, a command of heddle in a script (which is
# src/cmd/cmd_COMMAND.c), or a policy in an example of tests/policy/goldens/. What tests/shared/ uses
# counts for the tests that include it. Files that are reached only through others stand in
# tests/covers.txt with the tests that would fail if they were wrong. HEDDLE_BUILD is the build folder.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${HEDDLE_BUILD:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

find src -name '*.c' | sort >"$work/sources"

# "NAME SOURCE" for every exported name. Object files of sources that are gone do not count.
find "$build" -path '*/src/*' -name '*.o' ! -name '*-avx*' -exec nm -A -g --defined-only {} + 2>/dev/null |
    awk 'NF == 3 {
        source = $1
        sub(/\.o:.*/, ".c", source)
        sub(/.*\/src\//, "src/", source)
        print $3, source
    }' | sort -u >"$work/names"

# "NAME TEST" for every name of ours or of CUDA in C files.
grep -rohE --include='*.c' --include='*.h' --include='*.cu' --include='*.cpp' -H \
    '\b(hd_|cu|nvml|nvrtc|__cuda)[A-Za-z0-9_]+' tests | awk -F: '!($0 in seen) { seen[$0] = 1; print $2, $1 }' |
    sort >"$work/uses"

{
    join "$work/names" "$work/uses" | awk '{ print $2, $3 }'
    # Commands of the program in scripts.
    grep -rnoE --include='*.sh' '(heddle|HEDDLE)"? [a-z-]+' tests | awk -F: '{
        command = $3
        sub(/.* /, "", command)
        gsub("-", "_", command)
        print "src/cmd/cmd_" command ".c", $1
    }'
    # Policies in examples that tests/policy/test_goldens.c steps.
    grep -rhoE '\b[a-z][a-z0-9_]+\b' tests/policy/goldens | sort -u |
        sed 's|.*|src/policy/&.c tests/policy/test_goldens.c|'
} | sort -u >"$work/direct"

# From files to tests: a shared file stands for the tests that include it, a program for the scripts of
# its folder.
grep -roE --include='*.c' '#include "shared/[a-z_]+' tests | sed 's/:#include "/ tests\//' >"$work/includes"
awk -v covers="$work/covers" -v includes="$work/includes" -v sources="$work/sources" -v direct="$work/direct" '
    function cover(source, test) {
        if (!(source in known)) return
        if (!((source, test) in has)) tests[source] = tests[source] " " test
        has[source, test] = 1
    }
    # The first six of its tests; those that carry its name come first.
    function shown(source,    name, k, i, all, own, others, n_others) {
        name = source
        sub(/.*\//, "", name)
        sub(/\.c$/, "", name)
        k = split(tests[source], all, " ")
        for (i = 1; i <= k; i++)
            if (index(all[i], "_" name ".")) own = own " " all[i]
            else if (++n_others <= 6) others = others " " all[i]
        return own others (n_others > 6 ? " and " n_others - 6 " more" : "")
    }
    BEGIN {
        while ((getline line < sources) > 0) {
            known[line] = 1
            order[++n] = line
            name = line
            sub(/.*\//, "", name)
            sub(/\.c$/, "", name)
            where[name] = line
        }
        while ((getline line < includes) > 0) {
            split(line, part, " ")
            users[part[2]] = users[part[2]] " " part[1]
        }
        while ((getline line < direct) > 0) {
            split(line, part, " ")
            test = part[2]
            if (test ~ /^tests\/shared\//) {
                sub(/\.[ch]$/, "", test)
                k = split(users[test], user, " ")
                for (i = 1; i <= k; i++) if (user[i] ~ /\/(test|fuzz)_/) cover(part[1], user[i])
            } else if (match(test, /\/programs\//)) {
                cover(part[1], substr(test, 1, RSTART) "programs")
            } else if (test ~ /\/(test|fuzz)_[a-z0-9_]*\.(c|sh)$/) {
                cover(part[1], test)
            }
        }
        while ((getline line < "tests/covers.txt") > 0) {
            if (line ~ /^[ \t]*(#|$)/) continue
            k = split(line, part, /[: ]+/)
            if ((getline dummy < part[1]) < 0) print "! tests/covers.txt: there is no test " part[1]
            close(part[1])
            for (i = 2; i <= k; i++)
                if (part[i] == "") continue
                else if (!(part[i] in where))
                    print "! tests/covers.txt: there is no source file " part[i] ".c, said to be covered by " part[1]
                else cover(where[part[i]], part[1])
        }
        for (i = 1; i <= n; i++)
            if (tests[order[i]] == "" && order[i] ~ /^src\/policy\//)
                print "! " order[i] ": no example of tests/policy/goldens/ names this policy; tests/policy/test_goldens.c says how to write one"
            else if (tests[order[i]] == "")
                print "! " order[i] ": no test uses a name of it; say in tests/covers.txt which test would fail if it were wrong"
            else print order[i] ":" shown(order[i])
    }' >"$work/table"

bad=$(sed -n 's/^! //p' "$work/table")
if [ "${1:-}" = --table ]; then
    grep -v '^! ' "$work/table"
fi
[ -z "$bad" ] && exit 0
printf '%s\n' "$bad" >&2
exit 1
