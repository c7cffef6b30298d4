#!/usr/bin/env bash
# The sources whose checksums decide whether a stored result is still good (RESULT_SRCS in the Makefile):
# exactly those of the objects that make a result and read its input, by what these link.
. tests/shared/tap.sh
make -s --no-print-directory result-lists >"$TMPDIR/lists" || { echo "make result-lists failed"; exit 1; }

linked() { # every object that src/study/simulate.o and src/job/job.o lead to, as its source file
    /usr/bin/python3 - "$HEDDLE_BUILD" <<'PYTHON'
import os, subprocess, sys
build = sys.argv[1]
objects = subprocess.run(["find", build + "/src", build + "/workloads", "-name", "*.o"],
                         capture_output=True, text=True, check=True).stdout.split()
needs, makes = {}, {}
for o in objects:
    needs[o] = set()
    for line in subprocess.run(["nm", "-g", o], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 2:
            needs[o].add(words[1])
        elif len(words) == 3:
            makes.setdefault(words[2], o)
todo, seen = [build + "/src/study/simulate.o", build + "/src/job/job.o"], set()
while todo:
    o = todo.pop()
    if o not in seen:
        seen.add(o)
        todo += [makes[s] for s in needs[o] if s in makes]
for o in seen:
    source = os.path.relpath(o, build)[:-2]
    for variant in ("-avx2", "-avx512"):
        source = source.removesuffix(variant)
    print(source + ".c")
PYTHON
}
linked | sort -u >"$TMPDIR/linked"
awk '{ print $2 }' "$TMPDIR/lists" | grep '\.c$' | sort -u >"$TMPDIR/named"
awk '$1 == "source" { print $2 }' "$TMPDIR/lists" | sort >"$TMPDIR/sources"
sed 's/X("\(.*\)", ".*/\1/' "$HEDDLE_BUILD/sources.inc" | sort >"$TMPDIR/built"

ok "something is linked" test "$(wc -l <"$TMPDIR/linked")" -gt 200
same "what makes results is what the Makefile names" "$TMPDIR/linked" "$TMPDIR/named"
same "and what is built in" "$TMPDIR/sources" "$TMPDIR/built"
ok "the JSON's writer is in it" grep -qx src/report/runjson.c "$TMPDIR/built"
ok "names of errors are not" bash -c "! grep -qx src/cuda/abi/errors.c '$TMPDIR/built'"
of_folders() { # headers and tables of the folders that have a source in it
    local f
    for f in $(sed -n 's|^\(src/.*\)/.*|\1|p' "$TMPDIR/linked" | sort -u | grep -v src/study); do
        ls "$f"/*.h "$f"/*.def 2>/dev/null
    done | sort | comm -23 - "$TMPDIR/built" >"$TMPDIR/missing"
    cat "$TMPDIR/missing"
    [ ! -s "$TMPDIR/missing" ]
}
ok "headers of its folders are in it" of_folders
finish
