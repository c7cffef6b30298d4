#!/usr/bin/env python3
"""Builds the programs of a public CUDA suite, runs them under heddle exec and records what came of it.

usage: tools/suites/run.py [options] SUITE FOLDER [NAME...]

SUITE is a table of tools/suites/tables, FOLDER a copy of the suite beside this tree, in which programs
are built and run. What is known goes to docs/programs/SUITE.json, a line for each program; a later call
goes on with what is missing there. NAMEs choose programs, and then also those that are already known.
tools/suites/page.py makes docs/programs.md from these files.
"""
import argparse
import concurrent.futures
import importlib
import json
import os
import sys
import threading

import runner

HERE = os.path.dirname(os.path.abspath(__file__))


def tables():
    return sorted(f[:-3] for f in os.listdir(os.path.join(HERE, "tables")) if f.endswith(".py"))


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def store(path, known):
    """A line for each program, sorted: changes are easy to read."""
    head = {k: v for k, v in known.items() if k != "programs"}
    lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(p, sort_keys=True)}"
                       for n, p in sorted(known["programs"].items()))
    text = json.dumps(head, sort_keys=True)[:-1] + (", " if head else "") + '"programs": {\n' + lines + "\n}}\n"
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(path + ".new", path)


def attempt(program, setting, entry):
    """Builds and runs one program; entry is what is known of it with this compiler."""
    if program.needs:
        return {"built": False, "cause": "library", "note": program.needs}
    place = os.path.join(setting.work, setting.suite, setting.compiler, (program.build or program.name).replace("/", "_"))
    built = runner.build(program, setting, place)
    entry = {k: v for k, v in entry.items() if k in ("functional", "timing")} | built
    if built["built"]:
        entry["timing" if setting.timing else "functional"] = runner.run(program, setting, place)
    return entry


def line(name, entry, mode):
    ran = entry.get(mode, entry)
    words = ["built" if entry["built"] else "not built", ran.get("cause") or "check: " + ran.get("check", "none"),
             f"{ran['seconds']:.1f} s" if mode in entry else "", ran.get("note", "")]
    return "\t".join([name] + words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", choices=("nvcc", "heddle"), default="nvcc",
                        help="nvcc (through sdk/compat/bin/nvcc where programs are older), or heddle cc")
    parser.add_argument("--timing", action="store_true", help="with timing (default: --functional-only)")
    parser.add_argument("--limit", type=float, default=60, help="seconds of processor time for a run")
    parser.add_argument("--jobs", type=int, default=1, help="programs at the same time")
    parser.add_argument("--sample", type=int, metavar="N", help="N programs, spread evenly over the list")
    parser.add_argument("--again", metavar="CAUSE", help="those that ended for this reason once more")
    parser.add_argument("--heddle", default=os.path.join(runner.ROOT, "build/release/heddle"))
    parser.add_argument("--set", action="append", default=["sm.registers=65536"], help="as heddle exec --set")
    parser.add_argument("--work", help="folder for programs and logs (default FOLDER/heddle-build)")
    parser.add_argument("--results", help="default docs/programs/SUITE.json")
    parser.add_argument("suite", choices=tables())
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    if not os.path.isdir(options.folder):
        parser.error(f"{options.folder}: no such folder; fetch the suite there first")
    table = importlib.import_module("tables." + options.suite)
    folder = os.path.abspath(options.folder)
    setting = runner.Setting(options.suite, folder, os.path.abspath(options.work or folder + "/heddle-build"),
                             os.path.abspath(options.heddle), options.compiler, options.timing, options.limit,
                             sets=tuple(options.set))
    path = options.results or os.path.join(runner.ROOT, "docs/programs", options.suite + ".json")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    known = {"programs": {}} | load(path) | {"title": table.TITLE, "source": table.SOURCE}
    mode, lock = ("timing" if options.timing else "functional"), threading.Lock()

    def done(name):
        entry = known["programs"].get(name, {}).get(options.compiler, {})
        if options.again:
            return entry.get(mode, entry).get("cause") != options.again
        return entry.get("built") is False or mode in entry

    programs = table.programs(folder)
    known["count"] = len(programs)
    for name in set(options.names) - {p.name for p in programs}:
        parser.error(f"{options.suite} has no program {name}")
    if options.sample and options.sample < len(programs):
        programs = [programs[i * len(programs) // options.sample] for i in range(options.sample)]
    programs = [p for p in programs if p.name in options.names] if options.names else \
        [p for p in programs if not done(p.name)]

    def one(program):
        entry = attempt(program, setting, known["programs"].get(program.name, {}).get(options.compiler, {}))
        with lock:
            known["programs"].setdefault(program.name, {})[options.compiler] = entry
            if program.note:
                known["programs"][program.name]["note"] = program.note
            store(path, known)
            print(line(program.name, entry, mode), flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, programs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
