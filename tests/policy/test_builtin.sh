#!/usr/bin/env bash
# The example policy of the README as people are told to use it: at most thirty lines in one new file;
# copied into src/policy/ it is built in after `make`, as a shared object it is a plug-in, and both
# are the same policy. In a copy of the tree, from the objects that are there.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=examples/youngest.c build=${HEDDLE_BUILD#"$PWD"/} tree=$work/tree

short() { [ "$(wc -l <$file)" -le 30 ]; }
ok "the example has at most thirty lines" short
shown() { # it stands in README.md line by line, and docs/policies.md leads there
    [[ $(cat README.md) == *"$(cat $file)"* ]] && grep -q '](../README.md#a-policy-of-your-own)' docs/policies.md
}
ok "README shows it, docs/policies.md leads there" shown

other_shown() {
    [[ $(cat docs/policies.md) == *"$(cat examples/fewest.c)"* ]]
}
ok "docs/policies.md shows the other example" other_shown
other() { # EXPECTED OPTION...: it runs, and the results file says this
    local expected=$1
    shift
    "$HEDDLE" run scan --plugin "$HEDDLE_BUILD/examples/fewest.so" "$@" --quiet --no-host \
        --json "$work/other.json" && grep -q "$expected" "$work/other.json" &&
        grep -q '"verified": true' "$work/other.json"
}
ok "a fetch order, which counts" other '"blocks": 256' --fetch fewest
ok "a placement with a parameter" other '"tb": "fewest:most=2"' --tb fewest:2
ok "a choice of kernels" other '"kernel_policy": "fewest:most=0"' --kernel-policy fewest

copy_tree() {
    local f
    mkdir -p "$tree/src" "$tree/$build"
    for f in include gpus workloads tests examples tools docs Makefile; do
        ln -s "$PWD/$f" "$tree/$f" || return
    done
    for f in src/*; do
        [ "$f" = src/policy ] || ln -s "$PWD/$f" "$tree/$f" || return
    done
    cp -a src/policy "$tree/src/policy"
    # Posix archives keep parts of a second, without which an object looks older than its source.
    (cd "$build" && find . -path ./tests -prune -o \( -name '*.[od]' -o -name '*.inc' -o -name flags \) -print |
        tar --format=posix -cf - -T -) | tar -C "$tree/$build" -xpf -
}
make_it() { make -C "$tree" "$build/heddle"; }
compiled() { # N: so many object files are newer than the mark, which is then set anew
    local n
    n=$(find "$tree/$build" -name '*.o' -newer "$work/mark" | tee "$work/new" | wc -l)
    touch "$work/mark"
    [ "$n" -eq "$1" ] || { cat "$work/new" && return 1; }
}
ok "a copy of the tree" copy_tree
touch "$work/mark"
ok "make" make_it
# Under make the options of the build are handed on, and there is no other excuse.
if [ -n "${MAKELEVEL:-}" ] || cmp -s "$build/flags" "$tree/$build/flags"; then
    ok "compiles nothing" compiled 0
else
    skip "compiles nothing" "built with other options; 'make check-policy' hands them on"
    touch "$work/mark"
fi
cp $file "$tree/src/policy/"
ok "make with the new file" make_it
ok "compiles it and the lists of policies and of sources" compiled 3

run() { # NAME HEDDLE OPTION...
    local name=$1 program=$2
    shift 2
    "$program" run scan --sched youngest "$@" --quiet --no-host --out "$work" --json "$work/$name.json" &&
        grep -q '"verified": true' "$work/$name.json"
}
ok "built in it runs" run in "$tree/$build/heddle"
plug_in() {
    cc -std=c11 -shared -fPIC -Iinclude $file -o "$work/youngest.so" &&
        run so "$HEDDLE" --plugin "$work/youngest.so"
}
ok "as a shared object it runs" plug_in
ok "with the same result" cmp <(grep -v '^ "set": ' "$work/in.json") <(grep -v '^ "set": ' "$work/so.json")
listed() { "$tree/$build/heddle" explain youngest | grep -q 'youngest warp that can issue'; }
ok "and is explained" listed
finish
