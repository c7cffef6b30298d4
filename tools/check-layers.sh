#!/usr/bin/env bash
# check-layers.sh - the folder order of src/LAYERS holds.
#
# Each `#include "folder/file"` in src/ must name the folder itself, one that src/LAYERS lists for it, or
# heddle/. A folder inside another one is a folder of its own ("cuda/memory"), with a line of its own:
# being inside gives no rights. src/LAYERS itself must be an order: a folder names only folders above it.
# include/heddle sees only itself. A policy sees heddle/policy.h and nothing else of ours, but for headers of its folder
# that variants share. File names are unique over src/, because an exported name carries the name of
# its file.
set -u
cd "$(dirname "$0")/.." || exit 2

bad=$({
    awk '
        /^[ \t]*(#|$)/ { next }
        {
            folder = $1
            sub(":", "", folder)
            seen[folder] = 1
            for (i = 2; i <= NF; i++)
                if (!($i in seen))
                    printf "src/LAYERS: %s names %s, which is not above it\n", folder, $i
        }' src/LAYERS

    find src -name '*.[ch]' -printf '%h\n' | sort -u | while read -r dir; do
        grep -q "^${dir#src/}:" src/LAYERS || echo "$dir: not in src/LAYERS"
    done

    grep -rn --include='*.[ch]' --include='*.def' '^[ \t]*#[ \t]*include[ \t]*"' src include |
        awk '
            BEGIN {
                while ((getline line < "src/LAYERS") > 0) {
                    if (line ~ /^[ \t]*(#|$)/) continue
                    n = split(line, part, /[: \t]+/)
                    may[part[1], part[1]] = 1
                    for (i = 2; i <= n; i++) may[part[1], part[i]] = 1
                }
            }
            {
                split($0, at, ":")
                file = at[1]
                folder = file
                sub(/\/[^\/]*$/, "", folder)
                if (!sub(/^src\//, "", folder)) folder = "heddle" # include/heddle and its folders
                name = $0
                sub(/^[^"]*"/, "", name)
                sub(/".*/, "", name)
                target = name
                if (!sub(/\/[^\/]*$/, "", target)) target = ""
                where = file ":" at[2] ": "
                if (target == "") {
                    if (!(folder == "registry" && name == "policies.inc") &&
                        !(folder == "workload" && name == "workloads.inc") &&
                        !(folder == "present" && name ~ /^page_(style|script)\.inc$/) &&
                        !(folder == "study" && name == "sources.inc") &&
                        !(folder == "cmd" && name == "glossary.inc"))
                        print where "includes \"" name "\" without its folder"
                } else if (folder == "policy") {
                    if (name !~ /^heddle\/policy(_gpu)?\.h$/ && name !~ /^heddle\/policy\//)
                        print where "a policy includes heddle/policy*.h only, not " name
                } else if (target !~ /^heddle(\/|$)/ && !((folder, target) in may))
                    print where folder " must not include " name " (src/LAYERS)"
            }'

    find src -name '*.[ch]' -printf '%f %p\n' | sort |
        awk '$1 == last { print $2 ": the name " $1 " is taken by " where }
             { last = $1; where = $2 }'
})
[ -z "$bad" ] && exit 0
printf '%s\n' "$bad"
exit 1
