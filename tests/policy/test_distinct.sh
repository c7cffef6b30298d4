#!/usr/bin/env bash
# Each policy does something of its own: over a few small jobs no two have the same cycles and
# stalls everywhere. And where what tells two apart does not occur, they are the same to the cycle.
# Every policy's results are the same whether idle cycles are skipped or stepped.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
own=tests/policy/jobs
jobs=(scan transpose matmul $own/reuse.job dp_bfs_citation)
declare -A size=([dp_bfs_citation]="--size test")
mapfile -t scheds < <("$HEDDLE" list policies | awk 'NR > 1 && $2 ~ /sched/ { print $1 }')

# run NAME JOB OPTION...: cycles and stalls into the file NAME, all results into NAME.json.
run() {
    local name=$work/$1 job=$2
    shift 2
    "$HEDDLE" run "$job" "$@" --quiet --no-host --out "$work" --json "$name.json" || return
    grep -E '"(status|cycles|issued|idle|scoreboard|pipeline|inactive)":' "$name.json" >"$name"
    [ -s "$name" ]
}

# one SCHED JOB: run and, for the first job, once more with every cycle stepped.
one() {
    local name=$1.$(basename "$2" .job)
    # shellcheck disable=SC2086 # an option and its value, or nothing
    run "$name" "$2" --sched "$1" ${size[$2]:-} || return
    [ "$2" = "${jobs[0]}" ] && run "$name.stepped" "$2" --sched "$1" --no-skip
    return 0
}

for sched in "${scheds[@]}"; do # two at a time
    for job in "${jobs[@]}"; do
        one "$sched" "$job" >"$work/$sched.$(basename "$job" .job).said" 2>&1 &
        [ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
    done
done
wait

# As in the JSON but for the one line that says how it was run.
exact() {
    diff <(grep -v '"no_skip"' "$work/$1.json") <(grep -v '"no_skip"' "$work/$1.stepped.json")
}

all_run() {
    for job in "${jobs[@]}"; do
        cat "$work/$1.$(basename "$job" .job)" >>"$work/$1.all" || return
    done
}
for sched in "${scheds[@]}"; do
    ok "$sched runs" all_run "$sched"
    ok "$sched: skipping is exact" exact "$sched.${jobs[0]}"
done

# Pairs that may be the same on all of these jobs, with the reason. None so far.
declare -A excused=()
distinct() {
    local a b bad=0
    for a in "${scheds[@]}"; do
        for b in "${scheds[@]}"; do
            [[ $a < $b ]] && [ -z "${excused[$a $b]:-}" ] && cmp -s "$work/$a.all" "$work/$b.all" &&
                echo "$a and $b are the same on ${jobs[*]}" && bad=1
        done
    done
    return $bad
}
ok "${#scheds[@]} policies, no two the same" distinct

same_cycles() { # JOB SCHED SCHED
    run a "$1" --sched "$2" && run b "$1" --sched "$3" && diff "$work/a" "$work/b"
}
differ() {
    run a "$1" --sched "$2" && run b "$1" --sched "$3" && ! cmp -s "$work/a" "$work/b"
}
ok "LFWS is GTO where nothing leaves the SM" same_cycles $own/onchip.job gto lfws
ok "there the order matters all the same" differ $own/onchip.job gto lrr
ok "BAWS is GTO without barriers" same_cycles vecadd gto baws:cff=waiting
ok "BAWS is round robin without barriers" same_cycles vecadd lrr baws:lrr:cff=waiting
ok "SAWS is GTO without barriers" same_cycles vecadd gto saws
ok "PRO-NB is PRO without its barrier handling" same_cycles scan pro:barrier=0 pro_nb
ok "LLOS word for word is round robin" same_cycles scan lrr llos:literal
ok "LPI of stalled warps is the order by age" same_cycles scan oldest lpi:stalled
ok "or by slot" differ scan oldest lpi:stalled:age=0
ok "a limit of all warps is none" same_cycles scan gto swl:24

# Presets: a scheduler of two parts brings its fetch order along, unless told otherwise.
fetch_is() { # WANTED OPTION...
    local wanted=$1
    shift
    run fetch scan "$@" && grep -q "\"fetch\": \"$wanted" "$work/fetch.json"
}
ok "--sched baws fetches for critical warps" fetch_is baws --sched baws
ok "--sched elf fetches for its warps" fetch_is elf --sched elf
ok "--fetch rr wins" fetch_is rr --sched baws --fetch rr
ok "wherever it stands" fetch_is rr --fetch rr --sched elf
ok "others fetch in round robin" fetch_is rr --sched mwf
with_fetch() {
    run a scan --sched "$1" && run b scan --sched "$1" --fetch "$1" &&
        run c scan --sched "$1" --fetch rr && cmp "$work/a" "$work/b" && ! cmp -s "$work/a" "$work/c"
}
ok "BAWS: the fetch order matters" with_fetch baws
ok "ELF: the fetch order matters" with_fetch elf

# Hardware cost as the papers give it: a bit a warp; 240 bytes an SM; 6 bytes, and the last warps of two schedulers;
# 0.16 + 0.05 KB.
costs() { # NAME TEXT
    "$HEDDLE" explain "$1" | grep -qF "$2"
}
ok "storage of LFWS" costs lfws "together 48 bits (6 bytes) in an SM, 720 bits"
ok "storage of PRO" costs pro "together 1920 bits (240 bytes) in an SM"
ok "storage of BAWS" costs baws "together 60 bits (8 bytes) in an SM"
ok "storage of ELF" costs elf "together 1728 bits (216 bytes) in an SM"

documented() {
    local p bad=0
    for p in $("$HEDDLE" list policies | awk 'NR > 1 { print $1 }'); do
        grep -q "^| \`$p\` |" docs/policies.md || { echo "docs/policies.md: nothing on $p" && bad=1; }
    done
    return $bad
}
ok "every policy is in docs/policies.md" documented

placed() { # fill_first goes its own way, to the right result
    run a scan --sched gto && run b scan --sched gto --tb fill_first && ! cmp -s "$work/a" "$work/b" &&
        grep -q '"status": "ok"' "$work/b.json"
}
ok "--tb fill_first places blocks its own way" placed
refused() {
    "$HEDDLE" run scan --tb dyncta --quiet 2>&1 | grep -q 'dyncta does not place thread blocks'
}
ok "a limit that needs the warp slot is refused in the other" refused
finish
