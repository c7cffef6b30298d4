#!/usr/bin/env bash
# The style checks catch what they are there for, each on a small tree with one fault in it.
. tests/shared/tap.sh
root=$PWD
work=$(mktemp -d)
mkdir -p "$work"/{tools,include/heddle,src/base,src/sm/inner,src/mem,src/emu,src/policy,examples,tests,docs}
cp tools/check-*.sh tools/banned.txt tools/quaint.py tools/check-sentences.py tools/tree.py "$work/tools/"
sed 's/ | [0-9]*$/ | 0/' tools/quaint.txt >"$work/tools/quaint.txt" # a clean tree has none left
cp include/heddle/bits.h "$work/include/heddle/"
printf 'base:\nsm/inner: base\nsm: base sm/inner\nmem: base\nemu: base\npolicy:\n' >"$work/src/LAYERS"
cd "$work" || exit 1

# file NAME LINE...: a C file that says what it is
file() {
    local name=$1
    shift
    { echo "// $(basename "$name") - for the test"; printf '%s\n' "$@"; } >"$name"
}
file src/base/a.h '#ifndef A_H' '#define A_H' 'int hd_a_get(void);' '#endif'
file src/sm/b.h '#ifndef B_H' '#define B_H' '#include "base/a.h"' '#endif'
file src/sm/inner/e.h '#ifndef E_H' '#define E_H' '#include "base/a.h"' '#endif'
file src/sm/f.c '#include "sm/inner/e.h"'
good() { for check in layers banned text sizes headers; do tools/check-$check.sh || return 1; done; }
ok "a clean tree passes" good

# caught CHECK PATTERN FILE LINE...: with that file the check fails and says so; then it is removed
caught() {
    local check=$1 pattern=$2 name=$3 out status
    shift 2
    file "$@"
    out=$(tools/check-"$check".sh 2>&1)
    status=$?
    rm "$name"
    [ $status -ne 0 ] && grep -q "$pattern" <<<"$out" && return
    echo "status $status: $out"
    return 1
}
ok "a sideways include" caught layers 'src/mem/c.c:2: mem must not include sm/b.h' \
    src/mem/c.c '#include "sm/b.h"'
ok "an upward include" caught layers 'base must not include' src/base/c.c '#include "sm/b.h"'
ok "an inner folder that sees the outer one" caught layers 'sm/inner must not include sm/b.h' \
    src/sm/inner/c.c '#include "sm/b.h"'
ok "an inner folder that only the outer one may see" caught layers 'mem must not include sm/inner/e.h' \
    src/mem/c.c '#include "sm/inner/e.h"'
unlisted() {
    mkdir src/sm/other
    caught layers 'src/sm/other: not in src/LAYERS' src/sm/other/c.c 'int x;'
    local status=$?
    rmdir src/sm/other
    return $status
}
ok "an inner folder that LAYERS does not know" unlisted
ok "a public header that sees src" caught layers 'heddle must not include' \
    include/heddle/c.h '#include "base/a.h"'
ok "a policy that sees more than policy.h" caught layers 'heddle/policy\*.h only' \
    src/policy/c.c '#include "heddle/bits.h"'
ok "a name taken twice" caught layers 'the name a.h is taken' src/mem/a.h ''
ok "malloc outside the arena" caught banned 'src/sm/c.c:2: malloc' src/sm/c.c 'p = malloc(3);'
ok "a call hidden behind a string" caught banned 'strcpy' src/sm/c.c 'f("x", strcpy(a, b));'
ok "host libm in the emulator" caught banned 'sinf' src/emu/c.c 'x = sinf(y);'
ok "the clock" caught banned 'time' src/sm/c.c 'x = time(NULL);'
ok "a block comment" caught text 'comments are //' src/sm/c.c '/* no */'
ok "a TODO without reason" caught text 'TODO' src/sm/c.c '// TODO faster'
ok "a tab" caught text 'tab' src/sm/c.c "$(printf 'int\tx;')"
ok "a phrase that readers stumble over, in a comment" caught text "src/sm/c.c:2: 'behind': write after" \
    src/sm/c.c '// what comes behind it'
ok "in a message" caught text "src/sm/c.c:2: 'told'" src/sm/c.c 'f("it is told here");'
ok "in a page" caught text "docs/a.md:2: 'but for'" docs/a.md 'all but for one'
words() { # NUMBER: a sentence of so many
    printf 'a%.0s ' $(seq 2 "$1")
    echo "end."
}
ok "a sentence of 46 words in a page" caught text 'docs/a.md:[0-9]*: a sentence of 4[0-9] words' docs/a.md "" "$(words 46)"
ok "in a header" caught text 'src/sm/c.h:[0-9]*: a sentence of 46 words' src/sm/c.h "//" "// $(words 46)"
brief() { # of 45, in code, and in the cells of a table
    file docs/a.md "" "$(words 45) $(words 45)" "" '```' "$(words 60)" '```' "" "| $(words 30) | $(words 30) |"
    file src/sm/c.h "//" "// $(words 45)" "int x; // $(words 30)" "int y; // $(words 30)"
    tools/check-text.sh
    local status=$?
    rm docs/a.md src/sm/c.h
    return $status
}
ok "shorter ones pass" brief
fewer() { # one is listed, none is there: the list must shrink
    sed -i '0,/ | 0$/s// | 1/' tools/quaint.txt
    ! tools/check-text.sh >/dev/null && tools/check-text.sh --write && tools/check-text.sh
}
ok "the list of those that are left only shrinks" fewer
ok "a long function" caught sizes '90 lines' src/sm/c.c 'int f(void)' '{' \
    "$(yes '    g();' | head -n 90)" '}'
ok "a header that leans on its includer" caught headers 'does not compile alone' \
    src/sm/c.h 'uint32_t hd_c_get(void);'

harmless() {
    file src/sm/c.c '// malloc(3) in a comment' 's = "malloc(3)"; x.free(y); p->time(z); hd_free(a);'
    tools/check-banned.sh
}
ok "comments, strings and members are no calls" harmless
no_doc() {
    echo 'int x;' >src/sm/d.c
    ! tools/check-text.sh >/dev/null
}
ok "a file that doesn't say what it is" no_doc
rm -f src/sm/d.c

# tests PATTERN LINE...: with these lines in tests/covers.txt the check says so; without a pattern it passes
tests() {
    local pattern=$1 out
    shift
    printf '%s\n' "$@" >tests/covers.txt
    out=$(HEDDLE_BUILD=$work/build tools/check-tests.sh 2>&1) && [ -z "$pattern" ] && return
    [ -n "$pattern" ] && grep -q "$pattern" <<<"$out" && return
    echo "$out"
    return 1
}
rm -f src/sm/c.c src/sm/f.c
mkdir -p build/src/sm tests/unit tests/policy/goldens
file src/sm/used.c 'int hd_used_get(void);' 'int hd_used_get(void) { return 1; }'
file src/sm/inner.c 'int hd_inner_get(void);' 'int hd_inner_get(void) { return 1; }'
for name in used inner; do gcc -c -o build/src/sm/$name.o src/sm/$name.c; done
file tests/unit/test_used.c 'int x = hd_used_get();'
ok "a source file without a test" tests '^src/sm/inner.c: no test uses a name of it' '# none'
ok "a source file that is reached through another" tests '' 'tests/unit/test_used.c: inner'
ok "a line about a source file that is gone" tests 'no source file gone.c' 'tests/unit/test_used.c: inner gone'
ok "a line about a test that is gone" tests 'no test tests/unit/test_gone.c' \
    'tests/unit/test_used.c: inner' 'tests/unit/test_gone.c: inner'
file src/policy/mine.c 'int hd_policy_mine = 1;'
ok "a policy without an example" tests '^src/policy/mine.c: no example of tests/policy/goldens/ names' \
    'tests/unit/test_used.c: inner'
echo 'script mine 1' >tests/policy/goldens/mine.golden
ok "a policy with one" tests '' 'tests/unit/test_used.c: inner'
printed() {
    HEDDLE_BUILD=$work/build tools/check-tests.sh --table | grep -qx 'src/sm/used.c: tests/unit/test_used.c'
}
ok "the table names the test" printed
cd "$root" && rm -rf "$work"
finish
