#!/usr/bin/env bash
# The style checks catch what they are there for, each on a small tree with one fault in it.
. tests/tap.sh
root=$PWD
work=$(mktemp -d)
mkdir -p "$work"/{tools,include/heddle,src/base,src/sm,src/mem,src/emu,src/policy,examples,tests,docs}
cp tools/check-*.sh tools/banned.txt tools/quaint.py "$work/tools/"
sed 's/ | [0-9]*$/ | 0/' tools/quaint.txt >"$work/tools/quaint.txt" # a clean tree has none left
cp include/heddle/bits.h "$work/include/heddle/"
printf 'base:\nsm: base\nmem: base\nemu: base\npolicy:\n' >"$work/LAYERS"
cd "$work" || exit 1

# file NAME LINE...: a C file that says what it is
file() {
    local name=$1
    shift
    { echo "// $(basename "$name") - for the test"; printf '%s\n' "$@"; } >"$name"
}
file src/base/a.h '#ifndef A_H' '#define A_H' 'int hd_a_get(void);' '#endif'
file src/sm/b.h '#ifndef B_H' '#define B_H' '#include "base/a.h"' '#endif'
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
ok "a public header that sees src" caught layers 'heddle must not include' \
    include/heddle/c.h '#include "base/a.h"'
ok "a policy that sees more than policy.h" caught layers 'heddle/policy.h only' \
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
cd "$root" && rm -rf "$work"
finish
