#!/usr/bin/env bash
# heddle manual: pages, the manual and completion have every command and option; man and the shells take them, and
# the shells complete what a user types. tests/docs/test_docs.sh compares the pages in docs/ with what is printed.
. tests/shared/cases.sh
heddle=$(realpath "$heddle")
for form in commands stats gpgpusim man bash zsh fish; do
    ok "manual $form" bash -c "'$heddle' manual $form >'$work/$form'"
done
case_is "no such manual" 2 "err:there is no manual 'fihs'; did you mean 'fish'?" -- "$heddle" manual fihs
case_is "no manual at all like it" 2 "err:expected commands, stats, gpgpusim, man, bash, zsh or fish" -- "$heddle" manual x
case_is "manual of nothing" 2 "err:manual takes one word" -- "$heddle" manual

# Each command and option that a command's own help shows is in each form.
missing=0 options=0
commands=$("$heddle" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p')
for command in $commands; do
    grep -q "^## heddle $command$" "$work/commands" || { echo "# $command is not in commands" && missing=1; }
    grep -q "^.SH \"HEDDLE $command\"" "$work/man" || { echo "# $command is not in man" && missing=1; }
    for option in $("$heddle" help "$command" | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        options=$((options + 1))
        sed -n "/^## heddle $command\$/,/^## /p" "$work/commands" | grep -q "^| .--$option[ \`[]" &&
            sed -n "/^.SH \"HEDDLE $command\"/,/^.SH /p" "$work/man" | tr -d '\\' | grep -q "^.B --$option\\b" &&
            sed -n "/^    $command)/,/;;/p" "$work/bash" | grep -q -e "--$option[ \"]" &&
            sed -n "/^    $command)/,/;;/p" "$work/zsh" | grep -q -e "'\*--$option[=[]" &&
            grep -q "_from $command' -l $option " "$work/fish" && continue
        echo "# --$option of $command is not in each form" && missing=1
    done
done
ok "each option of each command is in each form" test "$missing" -eq 0 -a "$options" -gt 150
"$heddle" list stats | awk 'NR > 1 { print $1 }' >"$work/counters"
grep -c . "$work/counters" >"$work/n"
ok "each counter is on its page" test "$(grep -cf <(sed 's/.*/^| `&` |/' "$work/counters") "$work/stats")" -eq "$(cat "$work/n")"
ok "each option of GPGPU-Sim is on its page" \
    test "$(grep -c '^| `-' "$work/gpgpusim")" -eq "$("$heddle" list gpgpusim | grep -c '^-')"

if command -v groff >/dev/null; then
    rendered() {
        groff -man -ww -Tascii -P-cbou "$work/man" >"$work/rendered" 2>"$work/warnings" && [ ! -s "$work/warnings" ] &&
            grep -q -e "HEDDLE compare" "$work/rendered"
    }
    ok "groff takes the manual without a warning" rendered
else
    skip "groff takes the manual without a warning" "no groff"
fi

# bash, as it calls a completion: with the words, of which the last is being typed.
mkdir "$work/here" && : >"$work/here/a b.job" && mkdir "$work/here/results"
cat >"$work/complete.bash" <<'END'
cd "$1" || exit
. "$2"
shift 2
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_heddle
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END
completes() { # "WANTED " WORD...: exactly these
    local want=$1 got
    shift
    got=$(bash "$work/complete.bash" "$work/here" "$work/bash" "$heddle" "$@" 2>&1)
    [ "$got" = "$want" ] || { echo "$* offers '$got', expected '$want'" && false; }
}
offers() { # "TEXT" WORD...: this and others
    local want=$1 got
    shift
    got=" $(bash "$work/complete.bash" "$work/here" "$work/bash" "$heddle" "$@" 2>&1)"
    [[ $got = *" $want "* ]] || { echo "$* offers '$got', not '$want'" && false; }
}
fails() { ! "$@"; }
ok "bash: commands" completes "check-policy " che
ok "bash: words of a command" completes "gpgpusim gpus " list gp
ok "bash: only one of them" completes " " list gpus gp
ok "bash: options" completes "--max-cycles --max-insts --metrics --metrics-kernels --metrics-sm " run vecadd --m
ok "bash: values" completes "small " run vecadd --size s
ok "bash: values after an equals sign" completes "small " run vecadd --size = s
ok "bash: all values after an equals sign" completes "paper small test " run vecadd --size =
ok "bash: policies" completes "gto gtrr " run vecadd --sched gt
ok "bash: policies after a comma" completes "lrr,gto,oldest lrr,gto,oracle lrr,gto,owl " compare vecadd --sched lrr,gto,o
tb=$("$heddle" list policies | awk 'NR > 1 && $2 !~ /sched/ { print $1; exit }')
ok "bash: policies that choose warps" offers "mwf" run vecadd --sched ""
ok "bash: and no others" fails offers "$tb" run vecadd --sched ""
ok "bash: machines" offers "gtx480" run vecadd --gpu g
ok "bash: workloads" completes "vecadd vectoradd " run vec
ok "bash: files with blanks in their names" completes "a b.job " run "a "
ok "bash: folders" completes "results " run vecadd --out ""
ok "bash: nothing after a number" completes " " run vecadd --seed ""
ok "bash: files of another program" completes "a b.job " exec -- ./program a

if command -v zsh >/dev/null; then
    mkdir "$work/functions" && cp "$work/zsh" "$work/functions/_heddle"
    cat >"$work/complete.zsh" <<'END'
zmodload zsh/zpty
zmodload zsh/datetime
zpty shell zsh -f -i
line() { zpty -w shell "$1"; }
await() { # TEXT: until the shell has written it; it never waits for ever
    local seen= piece
    local -F end=$((EPOCHREALTIME + 60))
    while ((EPOCHREALTIME < end)); do
        while zpty -r -t shell piece; do
            seen+=$piece
            print -rn -- $piece
        done
        [[ $seen == *$1* ]] && return
        sleep 0.05
    done
    print "no '$1' in a minute"
    exit 1
}
line 'PROMPT=; unset zle_bracketed_paste; unsetopt prompt_cr; stty -echo; cd '$1
line 'fpath=('$2' $fpath); autoload -Uz compinit; compinit -u -D'
line 'show() { zle -I; print -r -- "line=[$BUFFER]" }; zle -N show; bindkey "^Xs" show'
line "PATH=$3:\$PATH; echo re''ady"
await ready
zpty -w -n shell "$4"$'\t\C-Xs'
await 'line=['
zpty -d shell
END
    zsh_completes() { # WANTED LINE: what the line is after a tab
        zsh -f "$work/complete.zsh" "$work/here" "$work/functions" "${heddle%/*}" "$2" >"$work/terminal" 2>&1
        grep -aqF -e "line=[$1]" "$work/terminal" || { cat -v "$work/terminal" && false; }
    }
    ok "zsh: commands" zsh_completes "heddle check-policy " "heddle che"
    ok "zsh: options" zsh_completes "heddle run vecadd --max-cycles=" "heddle run vecadd --max-c"
    ok "zsh: values" zsh_completes "heddle run vecadd --size small " "heddle run vecadd --size sm"
    ok "zsh: values after an equals sign" zsh_completes "heddle run vecadd --size=small " "heddle run vecadd --size=sm"
    # The comma is one that zsh takes back when a blank follows.
    ok "zsh: policies" zsh_completes "heddle run vecadd --sched oldest," "heddle run vecadd --sched old"
    ok "zsh: policies after a comma" zsh_completes "heddle compare vecadd --sched lrr,oldest," \
        "heddle compare vecadd --sched lrr,old"
    ok "zsh: workloads" zsh_completes "heddle run vectoradd " "heddle run vecto"
    ok "zsh: files with blanks in their names" zsh_completes 'heddle run a\ b.job ' 'heddle run a\ '
    ok "zsh: words of a command" zsh_completes "heddle study status " "heddle study st"
else
    skip "zsh completes" "no zsh"
fi
if command -v fish >/dev/null; then
    fish_completes() { # "WANTED " LINE: exactly these
        local got
        got=$(cd "$work/here" && HOME=$work PATH=${heddle%/*}:$PATH fish --no-config \
            -c "source $work/fish; complete -C '$2'" | cut -f 1 | sort | tr '\n' ' ')
        [ "$got" = "$1" ] || { echo "$2 offers '$got', expected '$1'" && false; }
    }
    ok "fish: commands" fish_completes "check-policy " "heddle check"
    ok "fish: options" fish_completes "--max-cycles --max-insts " "heddle run vecadd --max"
    ok "fish: values" fish_completes "small " "heddle run vecadd --size sm"
    ok "fish: policies" fish_completes "oldest " "heddle run vecadd --sched old"
    ok "fish: workloads" fish_completes "vectoradd " "heddle run vecto"
    ok "fish: machines" fish_completes "rtx2060 " "heddle run vecadd --gpu rtx2"
    ok "fish: words of a command" fish_completes "status " "heddle study st"
    ok "fish: files with blanks in their names" fish_completes "a b.job " 'heddle run a\\ '
    ok "fish: options of one command only" fish_completes "" "heddle study --sch"
else
    skip "fish completes" "no fish"
fi
finish
