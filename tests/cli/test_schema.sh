#!/usr/bin/env bash
# Every JSON of a run is what docs/run.schema.json says, and the schema is strict enough to notice.
. tests/shared/cases.sh
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || {
    echo "no module jsonschema for /usr/bin/python3 (package python3-jsonschema)"
    exit 77
}

valid() { # FILE... against $schema
    /usr/bin/python3 - "docs/${schema:-run}.schema.json" "$@" <<'PYTHON'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
bad = 0
for name in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(name))):
        print(name, "/".join(map(str, error.absolute_path)), error.message[:200])
        bad = 1
sys.exit(bad)
PYTHON
}

run() { # NAME ARGUMENT...
    local name=$1
    shift
    "$heddle" run "$@" --quiet --out "$work" --json "$work/$name.json" 2>/dev/null
    [ -s "$work/$name.json" ]
}

job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
job stuck "buf A 4 zero" "launch stuck 1 1 1 32 1 1 0"
printf '\1\0\0\0' >"$work/one"
job wrong "buf A 4 zero" "launch poke 1 1 1 1 1 1 0 p:A i:0" "check A 4 one exact"
ok "jacobi" run jacobi jacobi --sched two_level_active:6
ok "no host" run nohost matmul --no-host --set kernel.matmul.regs=20
ok "metrics" run metrics scan --metrics --sched pro
ok "metrics of a run that stopped" run early scan --metrics --max-cycles 500
ok "functional" run functional vecadd --functional-only
ok "a re-execution queue" run requeue scan --gpu elf++
ok "a sample" run sample needle --size test --sample 4 --sample-warm 1
ok "a sample that faults" run sample_fault "$work/poke.job" --sample 4
ok "limit" run limit vecadd --max-cycles 100
ok "fault" run fault "$work/poke.job"
ok "policy counters" run elf scan --sched elf --fetch elf
ok "deadlock" run deadlock "$work/stuck.job" --set gpu.deadlock_after=1000
ok "check failed" run wrong "$work/wrong.job"
ok "all are valid" valid "$work"/*.json

invalid() { # PYTHON STATEMENT on `run`: the changed file must be refused
    /usr/bin/python3 -c "import json, sys
run = json.load(open('$work/jacobi.json'))
$1
json.dump(run, open('$work/changed.json', 'w'))"
    ! valid "$work/changed.json" >/dev/null
}
ok "the schema misses a key" invalid "del run['totals']['cycles']"
ok "the schema refuses a sample without an error" \
    invalid "run['sample'] = dict(launches=1, measured=1, warm_up=0, measured_cycles=1, cycles=1, kernels=[])"
ok "the schema refuses a negative count" invalid "run['kernels'][0]['cycles'] = -1"
ok "the schema refuses a text for a number" invalid "run['kernels'][0]['stalls']['idle'] = '1'"
ok "the schema refuses a class that ELF does not have" \
    invalid "run['kernels'][0]['stalls_elf'].pop('other')"
ok "the schema refuses a policy counter that is no number" \
    invalid "run['policy_counters']['sched'] = {'visits': None}"
ok "the schema refuses a share above 1" \
    invalid "run['kernels'][0]['metrics'] = json.load(open('$work/metrics.json'))['kernels'][0]['metrics']
run['kernels'][0]['metrics']['rtru'] = 1.5"
ok "the schema refuses points without their number" \
    invalid "run['kernels'][0]['points'] = json.load(open('$work/elf.json'))['kernels'][0]['points']
del run['kernels'][0]['points']['before']"
ok "the schema misses a rule of the classes" \
    invalid "run['kernels'][0]['metrics'] = json.load(open('$work/metrics.json'))['kernels'][0]['metrics']
del run['kernels'][0]['metrics']['stalls_elf_share']"
ok "the schema refuses an unknown status" invalid "run['status'] = 'fine'"

# heddle annotate --json: the same, for docs/annotate.schema.json.
schema=annotate
annotate() { # NAME ARGUMENT...
    local name=$1
    shift
    "$heddle" annotate "$@" --quiet --out "$work" --json "$work/lines_$name.json" 2>/dev/null
    [ -s "$work/lines_$name.json" ]
}
annotated_invalid() { # PYTHON STATEMENT on `run` and its first kernel `k`
    /usr/bin/python3 -c "import json, sys
run = json.load(open('$work/lines_jacobi.json'))
k = run['kernels'][0]
$1
json.dump(run, open('$work/changed.json', 'w'))"
    ! valid "$work/changed.json" >/dev/null
}
ok "annotate jacobi" annotate jacobi jacobi --sched elf --fetch elf
ok "annotate flat memory" annotate flat matmul --gpu debug-flatmem --no-host
ok "annotate a fault" annotate fault "$work/poke.job"
ok "annotate a deadlock" annotate deadlock "$work/stuck.job" --set gpu.deadlock_after=1000
ok "annotate a limit" annotate limit vecadd --max-cycles 100
ok "all of annotate are valid" valid "$work"/lines_*.json
not_valid() { ! valid "$@" >/dev/null; }
ok "a run is no annotation" not_valid "$work/jacobi.json"
for change in "del k['instructions'][0]['function']" "k['instructions'][0]['issued'] = -1" \
    "del k['schedulers']" "k['schedulers'][0].pop('idle')" "k['idle'].pop('fetch')" \
    "k['idle_elf']['fetch'].pop('other')" "del k['sources']" "k['sources'][0]['extra'] = 1" \
    "k['launches'] = 0" "run['status'] = 'fine'" "del run['gpu']"; do
    ok "the schema of annotate refuses: $change" annotated_invalid "$change"
done

# heddle paper --json: numbers are numbers, with the printed text beside them.
schema=paper
"$heddle" paper baws --size test --figure fig1 --quiet --json "$work/paper.json" 2>/dev/null
ok "paper is valid" valid "$work/paper.json"
numbers() {
    /usr/bin/python3 - "$work/paper.json" <<'PYTHON'
import json, re, sys
for sheet in json.load(open(sys.argv[1]))["sheets"]:
    assert len(sheet["rows"]) == len(sheet["printed"]) and sheet["rows"][0] == sheet["printed"][0]
    for row, printed in zip(sheet["rows"][1:], sheet["printed"][1:]):
        for value, text in zip(row, printed):
            assert not isinstance(value, str) or not re.fullmatch(r"[-+]?[0-9,]+(\.[0-9]+)?( %)?", value), (sheet["id"], row)
            if isinstance(value, (int, float)):
                assert abs(value - float(text.rstrip(" %").replace(",", ""))) < 1e-9, (value, text)
PYTHON
}
ok "its numbers are numbers, as printed" numbers
finish
