#!/usr/bin/env bash
# fuzz-dict.sh - libFuzzer dictionaries, one per target that has one, into the folder $1.
#
# PTX words come from the list of operations and the front end's own tables, so that they are
# never older than these; words of job files from the job parser.
set -u
cd "$(dirname "$0")/.." || exit 2
to=$1
mkdir -p "$to" || exit 2

# Every word in quotes on standard input as a line of a dictionary.
words() {
    grep -o '"[A-Za-z0-9_.%:@$ ]*"' | grep -v '""' | sort -u
}

{
    sed -n -E 's/^(OP|HD_OP_PLAIN)\([^"]*("[^"(]+").*/\2/p' src/isa/ops.def
    cat src/isa/op.c src/ptx/declare.c src/ptx/select.c src/ptx/parse.c src/ptx/names.c src/ptx/lex.c |
        grep -v '#include' | grep -v 'diag\|complain\|wrong' | words
    for type in b8 u8 s8 b16 u16 s16 f16 f16x2 b32 u32 s32 f32 b64 u64 s64 f64 pred; do
        printf '".%s"\n".reg .%s %%r<8>;"\n' "$type" "$type"
    done
    printf '"%s"\n' '.version 7.0' '.target sm_70' '.address_size 64' '.visible .entry k(' \
        '.param .u64 p' '.shared .align 8 .b8 s[64];' '.local .b32 l[8];' '.global .u64 g = ' \
        '@%p bra ' '@!%p ' 'call.uni (r), f, (a);' '.func (.reg .b32 r) f(.reg .b32 a)' '{' '}' \
        'brx.idx' '.branchtargets' '.callprototype' '0f3f800000' '0dbff0000000000000' '0xffffffff' \
        '%tid.x' '%clock64' '%ntid.y' 'bar.sync 0;' 'ret;' 'exit;' '|%p' '_'
} | sort -u >"$to/ptx.dict"
cp "$to/ptx.dict" "$to/exec.dict"
words <src/job/job.c >"$to/job.dict"
words <src/job/jobdata.c >>"$to/job.dict"
words <src/base/configkeys.c >"$to/config.dict"
words <src/toy/load.c >"$to/toy.dict"
