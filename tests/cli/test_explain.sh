#!/usr/bin/env bash
# heddle explain knows every word that heddle prints: heads of tables, keys of JSON, CSV and databases,
# values of status, terms of the glossary. And words in a wrong place get a useful answer.
. tests/shared/cases.sh
export LC_ALL=C

known() { # WORD...
    local word bad=0
    for word in "$@"; do
        "$heddle" explain "$word" >"$work/said" 2>&1 || { echo "$word: $(head -1 "$work/said")"; bad=1; }
    done
    return $bad
}

if [ -x /usr/bin/python3 ]; then
    words() { # makes results of all kinds, and lists their words
        "$heddle" run matmul --metrics --json "$work/run.json" --csv "$work/run.csv" --quiet
        "$heddle" run needle --size test --sample 2 --json "$work/sample.json" --csv "$work/sample.csv" --quiet
        "$heddle" annotate matmul --json "$work/lines.json" --quiet
        "$heddle" reuse dp_spmm_small --gpu laser --size test --json "$work/reuse.json" --quiet
        "$heddle" compare matmul scan --sched lrr,gto --json "$work/c.json" --csv "$work/c.csv" --db "$work/c.db" --quiet
        "$heddle" compare needle --size test --sched lrr,gto --sample 2 --json "$work/cs.json" --csv "$work/cs.csv" --quiet
        "$heddle" paper lfws --figure fig1 --json "$work/p.json" --csv "$work/p.csv" --quiet
        "$heddle" explain latency --json "$work/latency.json" --csv "$work/latency.csv" >"$work/said"
        /usr/bin/python3 - "$work" <<'PYTHON'
import glob, json, re, sqlite3, sys

work, words = sys.argv[1], set()


def keys(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            words.add(key)
            if key not in ("options", "policy_counters"):
                keys(inner)
    elif isinstance(value, list):
        for inner in value:
            keys(inner)


def schema(value):
    if isinstance(value, dict):
        words.update(w for w in value.get("enum", ()) if isinstance(w, str)) if isinstance(value.get("enum"), list) else None
        words.update(value["properties"]) if isinstance(value.get("properties"), dict) else None
        for inner in value.values():
            schema(inner)
    elif isinstance(value, list):
        for inner in value:
            schema(inner)


for name in glob.glob(work + "/*.json"):
    keys(json.load(open(name)))
for name in glob.glob("docs/*.schema.json"):
    schema(json.load(open(name)))
for name in glob.glob(work + "/*.csv"):
    words.update(open(name).readline().rstrip("\n").split(","))
for table in ("run", "option", "input", "kernel", "counter"):
    words.update(c[1] for c in sqlite3.connect(work + "/c.db").execute("pragma table_info(%s)" % table))
for name in glob.glob("src/**/*.c", recursive=True):  # heads of tables
    text = open(name).read()
    for heads in re.findall(r"\bheads\w*\[\] = \{(.*?)\}", text, re.S):
        words.update(re.findall(r'"([^"]*)"', heads))
    words.update(re.findall(r'hd_(?:sheet|table)_add\([^,]*, "([A-Z][^"%]*)"\)', text))
for line in open("docs/glossary.md"):
    entry = re.match(r"- ((?:\*\*[^*]+\*\*[^*:]*)+?):", line)
    for terms in re.findall(r"\*\*([^*]+)\*\*", entry.group(1)) if entry else ():
        words.update(terms.split(", "))
words = sorted({w.strip() for w in words} - {""})
assert len(words) > 450, len(words)
print("\n".join(words))
PYTHON
    }
    words >"$work/words"
    mapfile -t all <"$work/words"
    ok "there are words" test "${#all[@]}" -gt 450
    ok "every one is explained" known "${all[@]}"
fi
ok "statuses" known ok check_failed fault deadlock livelock limit interrupted error killed bug
ok "exit statuses" known "exit status" 0 1 2 3 4 70 130 137 143
ok "file formats" known .ptx ptx .job .trace traceg .regs .ini .config .db .json .jsonl .csv .svg .pdf .html .md .so .toy .plan .cubin .fatbin konata perfetto
ok "what idle cycles were lost to" known fetch barrier memory order stores empty "held back by the policy"
ok "classes" known issued idle scoreboard pipeline inactive between memory_conflict memory_dependency other

case_is "a term of the glossary" 0 "out:occupancy: how many blocks or warps are resident on an SM" -- "$heddle" explain occupancy
case_is "of several words, quoted or not" 0 "out:cycles until a pipe can take the next instruction" -- "$heddle" explain initiation interval
case_is "in an entry of several" 0 "out:ID/OC, OC/EX, EX/WB: pipeline registers" -- "$heddle" explain OC/EX
case_is "with capitals or without" 0 "out:MSHR, miss register" -- "$heddle" explain mshr
case_is "a thing that heddle does not model" 0 "out:no model of power" -- "$heddle" explain power
case_is "what cannot be read" 0 "out:a trace of Accel-Sim. heddle cannot read it" -- "$heddle" explain traceg
case_is "one letter wrong" 2 "err:did you mean 'occupancy'?" -- "$heddle" explain ocupancy
case_is "a long one" 2 "err:did you mean 'initiation interval'?" -- "$heddle" explain initation interval
case_is "two names" 2 "err:explain takes one name" -- "$heddle" explain gto lrr
case_is "nothing like it" 2 "err:expected a policy, a counter" -- "$heddle" explain qqqqqqqqqqqqqq

# Words in a wrong place.
case_is "two words where a list was meant" 2 "err:there is no workload 'gto'; 'gto' is a policy (--sched); values in a list have commas and no blanks" -- \
    "$heddle" compare vecadd --sched lrr gto
case_is "a list after a comma and a blank" 2 "err:a list has commas and no blanks: --sched A,B" -- "$heddle" compare vecadd --sched lrr, gto
case_is "machines" 2 "err:'elf' is a policy (--sched), or a machine (--gpu), or a paper (heddle paper)" -- \
    "$heddle" compare vecadd --sched lrr --gpu gtx480 elf
case_is "values of a key" 2 "err:a number belongs to an option" -- "$heddle" compare vecadd --sched lrr --set l1d.ways=2 4
case_is "a key without its option" 2 "err:--set sm.warps=24 sets a key of the machine" -- "$heddle" compare vecadd sm.warps=24 --sched lrr
case_is "a size without its option" 2 "err:'small' is a size (--size)" -- "$heddle" compare vecadd small --sched lrr
case_is "a policy beside the one workload" 2 "err:run takes one workload; 'gto' is a policy (--sched)" -- "$heddle" run vecadd gto
case_is "a list there" 2 "err:'lrr,gto' is a list of policies (--sched)" -- "$heddle" run vecadd lrr,gto
case_is "a workload as a command" 2 "err:there is no command 'vecadd'; 'heddle run vecadd' runs the workload" -- "$heddle" vecadd
case_is "as a program" 2 "err:'heddle run vecadd' runs the workload" -- "$heddle" exec vecadd
case_is "a program as a workload" 2 "err:'heddle exec -- $heddle' runs a CUDA program" -- "$heddle" run "$heddle"
case_is "files of other kinds" 2 "err:'heddle cc' compiles a CUDA program" -- "$heddle" run x.cu
case_is "a database" 2 "err:'heddle show FILE.db'" -- "$heddle" run x.db
case_is "another simulator's trace" 2 "err:a trace of Accel-Sim" -- "$heddle" run kernel-1.traceg
case_is "a figure without its option" 2 "err:--figure fig4 shows a figure of it" -- "$heddle" paper lfws fig4

# Values that are missing, with a unit, keys with a wrong letter.
case_is "a key like a size" 2 "err:section [l1d] has no parameter 'sizes'; did you mean 'size'?" -- "$heddle" run vecadd --set l1d.sizes=
case_is "one letter wrong there" 2 "err:did you mean 'size'?" -- "$heddle" run vecadd --set l1d.sise=32768
case_is "no key like it" 2 "err:'heddle explain l1d' lists its keys" -- "$heddle" run vecadd --set l1d.qqqqqqqq=3
case_is "no key" 2 "err:'heddle explain l1d' lists its keys" -- "$heddle" run vecadd --set l1d.=3
case_is "no value" 2 "err:a value of size is missing; expected a number" -- "$heddle" run vecadd --set l1d.size=
case_is "nor the sign before it" 2 "err:a value is missing: l1d.ways=VALUE" -- "$heddle" run vecadd --set l1d.ways
case_is "no key at all" 2 "err:as in --set sm.warps=24" -- "$heddle" run vecadd --set l1d
case_is "a parameter without a value" 2 "err:a value of warps is missing" -- "$heddle" run vecadd --sched swl:warps=
case_is "a unit" 2 "err:expected a number from 32 to 4294967295; the only units are K and M, 1024 and 1024 x 1024" -- "$heddle" run vecadd --set l1d.size=32KB
case_is "in an option" 2 "err:written without a unit" -- "$heddle" run vecadd --max-cycles 1M
every_key() { # with one letter too many, each key of each section has itself as the hint
    local key bad=0
    for key in sm.warps sm.schedulers l1d.ways l1d.mshrs l2.ways dram.channels net.flit clock.core launch.latency gpu.memory; do
        "$heddle" run vecadd --set "${key}x=1" 2>"$work/said"
        grep -q "did you mean.*${key#*.}" "$work/said" || { cat "$work/said"; bad=1; }
    done
    return $bad
}
ok "keys that are misspelt by a letter" every_key
finish
