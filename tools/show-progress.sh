#!/usr/bin/env bash
# show-progress.sh - what make is doing, on one line of a terminal, or a line now and then in a log.
#
#   make ... 2>&1 | tools/show-progress.sh WHAT TOTAL
#
# Every line of make's is one thing that it begins to make, "  build/release/src/sm/core.o" or a command; WHAT
# says what all of it is, TOTAL how many there will be (0: not known). What has begun and is not written yet is
# named, so that a long compilation is seen. Warnings and errors are passed on as they are, on standard error.
set -u
what=$1 total=$2 n=0 begin=$SECONDS last=0 line= part= names=
making=() # what was begun
mark=$(mktemp)
trap 'rm -f "$mark"' EXIT

unfinished() { # sets `making` to what was not written since the start, and `names` to their names
    local file left=()
    names=
    for file in "${making[@]}"; do
        [ "$file" -nt "$mark" ] && continue
        left+=("$file")
        file=${file#build/*/}
        file=${file%.o}
        names+=${names:+, }${file#src/}
    done
    making=("${left[@]}")
}

show() {
    local of=$n now=$((SECONDS - begin))
    [ "$total" -ge "$n" ] && of="$n of $total"
    if [ -t 1 ]; then
        unfinished
        printf '\r%s: %s, %d s (%.60s)\033[K' "$what" "$of" "$now" "$names"
    elif [ $((now - last)) -ge 10 ]; then
        unfinished
        printf '%s: %s, %d s (%.80s)\n' "$what" "$of" "$now" "$names"
        last=$now
    fi
}

while true; do
    IFS= read -r -t 1 line
    status=$?
    if [ $status -gt 128 ]; then # nothing new for a second
        part+=$line
        [ $n -eq 0 ] || show
        continue
    fi
    line=$part$line part=
    [ $status -eq 0 ] || [ -n "$line" ] || break
    case $line in
    *error:* | *warning:* | *Error\ * | make:* | make\[* | *:[0-9]*:* | ' '*'|'* | *': In function'*)
        [ -t 2 ] && printf '\r\033[K' >&2
        printf '%s\n' "$line" >&2
        continue
        ;;
    esac
    n=$((n + 1))
    making+=("${line##* }")
    show
done
if [ -t 1 ]; then printf '\r\033[K'; fi
[ $n -eq 0 ] || printf '%s: %d made in %d s\n' "$what" $n $((SECONDS - begin))
