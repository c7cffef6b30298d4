#!/usr/bin/env bash
# check-headers.sh - every header compiles alone, with gcc and with clang where it is installed.
set -u
cd "$(dirname "$0")/.." || exit 2
flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Wshadow -Werror -Iinclude -Isrc -fsyntax-only"
status=0
for cc in gcc clang; do
    command -v "$cc" >/dev/null || continue
    for header in $(find include src -name '*.h' | sort); do
        # Included from an empty file, so that unused static inline functions are no warning.
        echo "#include \"${header#*/}\"" | $cc $flags -x c - || {
            echo "$header: does not compile alone with $cc"
            status=1
        }
    done
done
exit $status
