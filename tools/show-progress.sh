#!/usr/bin/env bash
# show-progress.sh - what make is doing, on one line of a terminal, or a line now and then in a log.
#
#   make ... 2>&1 | tools/show-progress.sh WHAT TOTAL
#
# Every line of make's is one thing made, "  build/release/src/sm/core.o" or a command; WHAT says what
# all of it is, TOTAL how many there will be (0: not known). Warnings and errors are passed on as they
# are, on standard error.
set -u
what=$1 total=$2 n=0 begin=$SECONDS last=0

while IFS= read -r line; do
    case $line in
    *error:* | *warning:* | *Error\ * | make:* | make\[* | *:[0-9]*:* | ' '*'|'* | *': In function'*)
        [ -t 2 ] && printf '\r\033[K' >&2
        printf '%s\n' "$line" >&2
        continue
        ;;
    esac
    n=$((n + 1))
    of="$n"
    [ "$total" -ge "$n" ] && of="$n of $total"
    if [ -t 1 ]; then
        name=${line##* }
        printf '\r%s: %s, %d s (%.40s)\033[K' "$what" "$of" $((SECONDS - begin)) "${name#build/*/}"
    elif [ $((SECONDS - last)) -ge 10 ]; then
        printf '%s: %s, %d s\n' "$what" "$of" $((SECONDS - begin))
        last=$SECONDS
    fi
done
if [ -t 1 ]; then printf '\r\033[K'; fi
[ $n -eq 0 ] || printf '%s: %d made in %d s\n' "$what" $n $((SECONDS - begin))
