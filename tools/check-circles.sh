#!/usr/bin/env bash
# check-circles.sh - inside a folder of src/, at any depth, files depend on each other in one direction.
#
# A file depends on another of its folder if it uses a symbol that the other defines (nm on the object
# files of the library; inline functions of headers count for the file that uses them). Files that
# reach each other both ways form a circle. tools/circles.txt lists the circles that may stay, each
# with its reason; a circle that grew, and a line there that is no longer needed, fail.
# HEDDLE_BUILD is the build folder.
set -u
cd "$(dirname "$0")/.." || exit 2
objects=${HEDDLE_BUILD:-build/release}/src

find src -name '*.c' -printf '%P\n' | sed -n 's|/[^/]*$||p' | sort -u | while read -r folder; do
    # Of sources that are there: an object of one that has moved away may lie about. (The lane loops
    # are one source, built several times; once is enough.)
    for source in "src/$folder"/*.c; do
        source=${source#src/}
        [ ! -f "$objects/${source%.c}.o" ] || echo "$objects/${source%.c}.o"
    done | xargs -r nm -A | awk -v folder="$folder" '
        {
            file = $1
            sub(/:.*/, "", file)
            sub(/.*\//, "", file)
            sub(/\.o$/, "", file)
            kind = $(NF - 1)
            if (kind == "U") uses[file, $NF] = 1
            else if (kind ~ /^[TDBRV]$/) owner[$NF] = file
        }
        END {
            for (key in uses) {
                split(key, part, SUBSEP)
                if (part[2] in owner && owner[part[2]] != part[1])
                    print folder, part[1], owner[part[2]], part[2]
            }
        }'
done | LC_ALL=C sort | awk '
    # Reads "folder user owner symbol"; says which files lie on circles.
    function visit(root, at,    i, n, next_files) { # marks in seen[] all that root reaches
        n = split(edges[at], next_files, " ")
        for (i = 1; i <= n; i++)
            if (!((root, next_files[i]) in seen)) {
                seen[root, next_files[i]] = 1
                visit(root, next_files[i])
            }
    }
    {
        user = $1 "/" $2
        owner = $1 "/" $3
        edges[user] = edges[user] " " owner
        why[user, owner] = why[user, owner] " " $4
        if (!(user in known)) order[++n_files] = user
        known[user] = 1
    }
    END {
        while ((getline line < "tools/circles.txt") > 0) {
            if (line ~ /^[ \t]*(#|$)/) continue
            if (line !~ /: ./) { print "tools/circles.txt: no reason in: " line; continue }
            sub(/:.*/, "", line)
            n_circles++
            listed[n_circles] = line
            n = split(line, part, " ")
            for (i = 2; i <= n; i++) may[part[1] "/" part[i]] = n_circles
        }
        for (i = 1; i <= n_files; i++) visit(order[i], order[i])
        for (i = 1; i <= n_files; i++) {
            file = order[i]
            if (!((file, file) in seen)) continue
            for (j = 1; j <= n_files; j++) {
                other = order[j]
                if (!((file, other) in seen) || !((other, file) in seen)) continue
                if ((file in may) && may[file] == may[other]) { needed[may[file]] = 1; continue }
                if ((file, other) in why)
                    print "src/" file ".c uses" why[file, other] " of src/" other \
                          ".c, which needs it in turn"
            }
        }
        for (i = 1; i <= n_circles; i++)
            if (!(i in needed)) print "tools/circles.txt: there is no such circle any more: " listed[i]
    }' >"${TMPDIR:-/tmp}/circles.$$"
bad=$(cat "${TMPDIR:-/tmp}/circles.$$")
rm -f "${TMPDIR:-/tmp}/circles.$$"
[ -z "$bad" ] && exit 0
printf '%s\n' "$bad"
exit 1
