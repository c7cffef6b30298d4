#!/usr/bin/env bash
# The module python/heddle: what it returns is what heddle prints and stores, in frames and in lists; what it refuses,
# and with which words. The system's Python, with its pandas where that is installed.
. tests/shared/cases.sh
export HEDDLE=$heddle PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD/python:$PWD/tests/python WORK=$work DATA=$data
python=/usr/bin/python3
"$python" -c 'import sqlite3' 2>/dev/null || { echo "no module sqlite3 for /usr/bin/python3"; exit 77; }

# python "name": the lines on standard input as a program, with the module and pieces for it
python() {
    cat tests/python/pieces.py - >"$work/case.py"
    ok "$1" "$python" "$work/case.py"
}
# refuses "name" TEXT: the last line of the input ends in a heddle.Error that has TEXT
refuses() {
    { cat tests/python/pieces.py && echo "def case():" && sed 's/^/    /' && printf 'refused(case, %s)\n' "'''$2'''"; } >"$work/case.py"
    ok "$1" "$python" "$work/case.py"
}

job poke "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
ok "a study to read" "$heddle" compare vecadd scan --sched lrr,gto --set l1d.ways=4,2 --db "$work/study.db" --no-host \
    --quiet --json "$work/compare.json" --csv "$work/compare.csv"
ok "a run to read" "$heddle" run scan --sched lrr --no-host --quiet --json "$work/run.json"

python "run JSON: the object, and what is computed of it" <<'PYTHON'
(run,) = heddle.open_json(work("run.json"))
assert run == json.load(open(work("run.json")))
assert run.good and not run.limited and run.name == "scan under lrr on gtx480", run.name
assert run.cycles == run["totals"]["cycles"] and abs(run.ipc - run["kernels"][0]["ipc"]) < 1e-5
assert abs(sum(run.stalls.values()) - 1) < 1e-12
assert run.counter("l1d_misses") == run["kernels"][0]["l1d"]["misses"]
assert run.counter("requeue_hits") is None  # this machine has no such part
PYTHON
python "ratios and means are those that heddle prints" <<'PYTHON'
runs = heddle.open_json(work("compare.json"))
rows = heddle.normalised(heddle.summary(runs, frame=False), base="lrr", frame=False)
shown = list(csv.DictReader(open(work("compare.csv"))))
assert len(rows) == len(shown) == 8
for ours, theirs in zip(rows, shown):
    for name in ("workload", "gpu", "set", "sched"):
        assert ours[name] == theirs[name], (ours, theirs)
    assert ours["cycles"] == int(theirs["cycles"])
    assert abs(ours["ipc"] - float(theirs["ipc"])) < 1e-4
    assert abs(ours["relative"] - float(theirs["relative"])) < 1e-6
of_file = json.load(open(work("compare.json")))["means"]
means = heddle.means(rows, by=("gpu", "set", "sched"), frame=False)
assert len(means) == len(of_file) == 4
for ours, theirs in zip(means, of_file):
    assert (ours["set"], ours["sched"]) == (theirs["set"], theirs["sched"])
    assert abs(ours["arithmetic"] - theirs["arithmetic"]) < 1e-6
    assert abs(ours["geometric"] - theirs["geometric"]) < 1e-6
PYTHON
python "a study has the runs of the JSON" <<'PYTHON'
with heddle.Study(work("study.db")) as study:
    stored = list(study)
    assert len(study) == len(stored) == 8
    table = study.runs(frame=False)
    for number, (run, row) in enumerate(zip(stored, table), 1):
        assert run["id"] == row["id"] == number
        for name in ("workload", "gpu", "set", "sched", "status", "exit_status", "command"):
            assert run[name] == row[name], name
        assert row["cycles"] == run.cycles and abs(row["ipc"] - run.ipc) < 1e-9 and row["verified"] is True
        assert "json" not in row and "key" not in row
    counters = {r["run"]: r["n"] for r in study.query(
        "SELECT run, sum(value) AS n FROM counter WHERE name = ? GROUP BY run", "l1d_misses", frame=False)}
    assert counters == {run["id"]: run.counter("l1d_misses") for run in stored}
    names = lambda runs: sorted((r["workload"], r["set"], r["sched"], r.cycles) for r in runs)
    assert names(stored) == names(heddle.open_json(work("compare.json")))
PYTHON
python "launches, stall classes, counters and options as tables" <<'PYTHON'
runs = heddle.open_json(work("compare.json"))
for row, run in zip(heddle.kernels(runs, frame=False), runs):
    kernel = run["kernels"][0]
    assert row["kernel"] == kernel["name"] and row["grid"] == "x".join(map(str, kernel["grid"]))
    assert row["idle"] == kernel["stalls"]["idle"] and row["l1d_misses"] == kernel["l1d"]["misses"]
for row, run in zip(heddle.stalls(runs, frame=False), runs):
    assert abs(row["scoreboard"] - run.stalls["scoreboard"]) < 1e-12
for row, run in zip(heddle.counters(runs, frame=False), runs):
    assert row["l2_misses"] == run.counter("l2_misses")
rows = heddle.options(runs, frame=False)
assert sorted({row["l1d.ways"] for row in rows}) == [2, 4] and "l2.ways" not in rows[0], rows[0]
assert rows[0]["option.sched"] == "lrr:wrap=1", rows[0]
assert "l2.ways" in heddle.options(runs, all_of_them=True, frame=False)[0]
PYTHON
python "text: aligned, numbers on the right, empty columns left out" <<'PYTHON'
shown = heddle.text([{"a": "x", "n": 1234, "e": None, "r": 0.5}, {"a": "long", "n": 7, "e": "", "r": None}])
assert shown == "A         N      R\nx     1,234  0.500\nlong      7", repr(shown)
PYTHON

# The program.
python "run: one workload" <<'PYTHON'
run = heddle.run("scan", sched="lrr", no_host=True)
assert run == heddle.open_json(work("run.json"))[0]
run = heddle.run("scan", set={"l1d.ways": 8}, max_cycles=2000, check=True)
assert run.limited and run["options"]["l1d.ways"] == 8 and run.cycles == 2000
run = heddle.run("vecadd", functional_only=True)
assert run.good and run.ipc is None and run.cycles is None and run.stalls is None
assert heddle.summary(run, frame=False)[0]["ipc"] is None
PYTHON
python "compare and each: what the study holds is not run again" <<'PYTHON'
os.environ["PATH"] = "/nowhere"
made = heddle.compare(["vecadd", "scan"], sched=["lrr", "gto"], set={"l1d.ways": [4, 2]}, db=work("study.db"), no_host=True)
assert made == heddle.open_json(work("compare.json"))
steps = heddle.each(["vecadd", "scan"], sched="lrr,gto", db=work("study.db"), set=["l1d.ways=4"])
assert [(r["workload"], r["sched"]) for r in steps] == [(w, s) for w in ("vecadd", "scan") for s in ("lrr", "gto")]
assert len(heddle.Study(work("study.db"))) == 8
PYTHON
python "a run that faults is Failed, and kept on request" <<'PYTHON'
poke = work("poke.job")
try:
    heddle.compare(["vecadd", poke], sched="gto")
    raise AssertionError("no exception")
except heddle.Failed as e:
    assert e.status == 3 and len(e.runs) == 2 and "poke under gto on gtx480 (fault)" in str(e), str(e)
    assert "fault in kernel poke" in str(e) and "fault in kernel poke" in e.messages
good, bad = heddle.compare(["vecadd", poke], sched="gto", check=False)
assert good.good and not bad.good and bad["fault"]["kind"] == "out_of_bounds"
assert not heddle.run(poke, check=False).good
PYTHON
python "the program: HEDDLE, beside the module, PATH" <<'PYTHON'
assert heddle.find() == os.path.abspath(os.environ["HEDDLE"])
given = os.environ.pop("HEDDLE")
import shutil
shutil.copytree("python/heddle", work("tree/python/heddle"))
os.symlink(given, work("tree/heddle"))
find = "import heddle; print(heddle.find())"
def found(module, **names):
    return subprocess.run([sys.executable, "-c", find], env=dict(os.environ, PYTHONPATH=work(module), **names),
                          capture_output=True, text=True)
assert found("tree/python").stdout.strip() == work("tree/heddle")
# Deep enough that four folders up there is no bin/heddle of an installation.
alone = "far/from/bin/alone"
shutil.copytree("python/heddle", work(alone + "/heddle"))
os.makedirs(work("bin"))
os.symlink(given, work("bin/heddle"))
assert found(alone, PATH=work("bin")).stdout.strip() == work("bin/heddle")
assert "neither beside this module nor in PATH" in found(alone, PATH="/nowhere").stderr
assert "HEDDLE is '/nowhere/heddle', which is no program" in found(alone, HEDDLE="/nowhere/heddle").stderr
PYTHON

refuses "input that heddle refuses: its own words" "did you mean 'scan'?" <<'PYTHON'
heddle.compare("scna", sched="gto")
PYTHON
refuses "an option that there is not" "has no option --schedd" <<'PYTHON'
heddle.run("scan", schedd="gto")
PYTHON
refuses "no file" "no such file" <<'PYTHON'
heddle.Study(work("nowhere.db"))
PYTHON
refuses "a file that is no database" "not a database" <<'PYTHON'
heddle.Study(work("run.json"))
PYTHON
refuses "another program's database" "not one of heddle" <<'PYTHON'
sqlite3.connect(work("other.db")).execute("CREATE TABLE run(id)")
heddle.Study(work("other.db"))
PYTHON
refuses "a database of a later heddle" "use the module of a newer heddle" <<'PYTHON'
shutil.copy(work("study.db"), work("later.db"))
sqlite3.connect(work("later.db")).execute("PRAGMA user_version = 99")
heddle.Study(work("later.db"))
PYTHON
refuses "a changed number" "run 3 is damaged" <<'PYTHON'
shutil.copy(work("study.db"), work("changed.db"))
with sqlite3.connect(work("changed.db")) as db:
    db.execute("UPDATE run SET cycles = cycles - 1 WHERE id = 3")
heddle.Study(work("changed.db")).runs()
PYTHON
refuses "a run that there is not" "there is no run 99" <<'PYTHON'
heddle.Study(work("study.db")).run(99)
PYTHON
refuses "SQL with a mistake" "no such column: cycels" <<'PYTHON'
heddle.Study(work("study.db")).query("SELECT cycels FROM run")
PYTHON
refuses "a study cannot be written" "readonly" <<'PYTHON'
heddle.Study(work("study.db")).query("DELETE FROM run")
PYTHON
refuses "JSON that is cut off" "not JSON, or cut off" <<'PYTHON'
open(work("cut.json"), "w").write(open(work("run.json")).read()[:1000])
heddle.open_json(work("cut.json"))
PYTHON
refuses "other JSON" "no result of" <<'PYTHON'
open(work("list.json"), "w").write("[1, 2]")
heddle.open_json(work("list.json"))
PYTHON
refuses "no such base" "sched is one of gto, lrr" <<'PYTHON'
heddle.normalised(heddle.summary(heddle.open_json(work("compare.json"))), base="owl")
PYTHON
refuses "two bases" "two rows are the base" <<'PYTHON'
heddle.normalised(heddle.summary(heddle.open_json(work("compare.json"))), base="lrr", by="workload")
PYTHON
refuses "no such column" "no column 'ipcs' to divide" <<'PYTHON'
heddle.normalised(heddle.summary(heddle.open_json(work("compare.json"))), base="lrr", value="ipcs")
PYTHON

if "$python" -c 'import pandas' 2>/dev/null; then
    python "frames of pandas have the numbers of the lists" <<'PYTHON'
import pandas
runs = heddle.open_json(work("compare.json"))
for make in (heddle.summary, heddle.stalls, heddle.kernels, heddle.counters, heddle.options):
    frame, rows = make(runs), make(runs, frame=False)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(rows[0]) and heddle.records(frame) == heddle.records(rows), make
frame = heddle.normalised(heddle.summary(runs), base="lrr")
rows = heddle.normalised(heddle.summary(runs, frame=False), base="lrr", frame=False)
assert isinstance(frame, pandas.DataFrame) and heddle.records(frame) == rows
assert heddle.records(heddle.means(frame)) == heddle.means(rows, frame=False)
assert heddle.text(frame) == heddle.text(rows)
study = heddle.Study(work("study.db"))
assert list(study.runs()["cycles"]) == [row["cycles"] for row in study.runs(frame=False)]
assert heddle.records(study.runs()) == study.runs(frame=False)
assert isinstance(study.query("SELECT 1 AS one"), pandas.DataFrame)
matrix = frame.pivot(index=["workload", "set"], columns="sched", values="relative")
assert (matrix["lrr"] == 1).all() and matrix.shape == (4, 2)
PYTHON
else
    python "without pandas: lists of dicts" <<'PYTHON'
assert isinstance(heddle.summary(heddle.open_json(work("compare.json"))), list)
PYTHON
    refuses "frame=True demands pandas" "apt-get install python3-pandas" <<'PYTHON'
heddle.summary([], frame=True)
PYTHON
    skip "frames of pandas have the numbers of the lists" "/usr/bin/python3 has no pandas (python3-pandas)"
fi
finish
