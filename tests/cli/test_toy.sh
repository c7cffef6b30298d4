#!/usr/bin/env bash
# heddle toy: worked examples of papers from outside.
. tests/shared/cases.sh

case_is "an example by its name" 0 "out:lrr                                37       13       24        9          4" \
    "out:gto                                41       17       24        9          8" \
    "out:  w2    .SSL---------L---------" -- "$heddle" toy lfws-fig1 --sched lrr,gto
case_is "by its path, only numbers" 0 "out:lrr                                37 " "no:w2" -- \
    "$heddle" toy examples/toys/lfws-fig1.toy --sched lrr --no-timeline
case_is "issues as text" 0 "out:1:1" -- "$heddle" toy lfws-fig1 --sched lrr --no-timeline --trace
alike() { # skipping idle cycles changes nothing
    "$heddle" toy elf-fetch --sched elf >"$work/skip" &&
        "$heddle" toy elf-fetch --sched elf --no-skip >"$work/step" && cmp "$work/skip" "$work/step"
}
ok "with and without skipping" alike
case_is "no such example" 2 "err:there is no example 'lfws-fig'; did you mean 'lfws-fig1'?" -- \
    "$heddle" toy lfws-fig --sched lrr
case_is "no such policy" 2 "err:there is no policy 'lrrr'; did you mean 'lrr'?" -- \
    "$heddle" toy lfws-fig1 --sched lrrr
case_is "a name like none" 2 "err:a name of 'heddle list toys'" -- "$heddle" toy xyzzy --sched lrr
case_is "the list of them" 0 "out:lfws-fig1       Long operations first" -- "$heddle" list toys
case_is "no example" 2 "err:which example?" -- "$heddle" toy
case_is "no such option" 2 "err:does not know '--tracee'; did you mean '--trace'?" -- \
    "$heddle" toy lfws-fig1 --tracee
finish
