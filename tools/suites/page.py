#!/usr/bin/env python3
"""Makes docs/programs.md of docs/programs/*.json, which tools/suites/run.py writes.

usage: tools/suites/page.py [FOLDER] > docs/programs.md
"""
import collections
import glob
import json
import os
import sys

from runner import CAUSES, ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = (("nvcc", "nvcc 13.0"), ("heddle", "heddle cc"))
HEAD = """# Public programs that run

*Reference: which programs of public CUDA suites run on heddle, and why the others do not.*

<!-- Written by tools/suites/page.py from docs/programs/*.json; the part after "By hand" comes from tools/suites/by-hand.md. -->

This page lists programs of public CUDA suites that were run under `heddle exec`, unchanged but for sizes (below). They were built by nvcc
13.0 for sm_75 (through `sdk/compat/bin/nvcc` if they are older than CUDA 13) or by `heddle cc`. None of them is part of heddle. To repeat
the runs, with a copy of the suite:

```
tools/suites/run.py rodinia FOLDER                     # goes on where it stopped; --compiler heddle, --timing, --jobs N
tools/suites/page.py > docs/programs.md
```

`tools/suites/tables` has a table for each suite. It says how a program is built, which arguments give small problems, and how the program
reports whether its result is right. If a suite downloads its inputs, the table makes others. Where sizes and repetitions are constants in
the sources (llm.c, and 124 programs of HeCBench), the program was built from a copy with smaller ones, or with fewer cases. The machine is
`gtx480` with 65,536 registers, because kernels tuned for an sm_75 use blocks of 1,024 threads with up to 64 registers. A run may take 10 to
60 s of processor time. If that is too short and the program accepts smaller arguments, it gets a second and a third try of the same length.
Of large suites, `--sample` chose every k-th program by name; with timing, HeCBench, cuda-samples and llm.c have the programs that check
themselves and took at most 0.3 s without. "Ran" means that the exit status says success and heddle reported nothing. "Right" means that the
program compares its result with the host's or a known one, and they agree; "unchecked" means that it ran and says nothing about its result.
Seconds are those of the host's processor.
"""


def outcomes(known, compiler, mode):
    """Program, its entry, its run (or the failed build itself) of all that were tried so."""
    for name, program in sorted(known["programs"].items()):
        entry = program.get(compiler)
        if entry and (mode in entry or (mode == "functional" and not entry["built"])):
            yield name, entry, entry.get(mode, entry)


def counts(known, compiler, mode):
    c = collections.Counter()
    for _, entry, run in outcomes(known, compiler, mode):
        c["tried"] += 1
        c["built"] += entry["built"]
        if entry["built"]:
            c["seconds"] += run["seconds"]
            c["ran"] += "cause" not in run
            c[run.get("check", "")] += 1
    return c


def table(rows, columns):
    yield "| " + " | ".join(columns) + " |"
    yield "|---" + "|---:" * (len(columns) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"


def overview(suites, compiler, mode):
    rows, total = [], collections.Counter()
    for known in suites:
        c = counts(known, compiler, mode)
        if c["tried"]:
            of = f"{c['tried']} of {known['count']}" if c["tried"] < known["count"] else c["tried"]
            rows.append((known["title"], of, c["built"], c["ran"], c["right"], c["wrong"], c["none"], f"{c['seconds']:.0f}"))
            total += c
    rows.append(("all", total["tried"], total["built"], total["ran"], total["right"], total["wrong"], total["none"],
                 f"{total['seconds']:.0f}"))
    return table(rows, ("suite", "tried", "built", "ran", "right", "wrong", "unchecked", "seconds"))


def share(suites, compiler, mode):
    """Of those that were built and have all that they need, how many ran and were not wrong."""
    runs = [run for known in suites for _, entry, run in outcomes(known, compiler, mode)
            if entry["built"] and run.get("cause") not in ("library", "input")]
    good = sum("cause" not in run for run in runs)
    slow = sum(run.get("cause") == "slow" for run in runs)
    text = f"Of {len(runs)} programs that were built and have the libraries and inputs that they need, {good} ran and were not wrong " \
           f"({100 * good / max(len(runs), 1):.0f} %)"
    if slow:
        text += f"; {slow} were too slow for the time that they were given, {len(runs) - good - slow} failed otherwise"
    return text + "."


def causes(suites, compiler, mode):
    found = collections.Counter(run["cause"] for known in suites
                                for _, _, run in outcomes(known, compiler, mode) if "cause" in run)
    return table([(CAUSES[c], n) for c, n in found.most_common()], ("why not", "programs"))


def failures(known, compiler, mode):
    """Programs with the same cause and note share a line."""
    groups = collections.defaultdict(list)
    for name, _, run in outcomes(known, compiler, mode):
        if "cause" in run:
            groups[run["cause"], run.get("note", "")].append(name)
    for (cause, note), names in sorted(groups.items(), key=lambda g: (list(CAUSES).index(g[0][0]), g[1])):
        text = note.replace("|", "\\|").replace("`", "'").replace("<", "&lt;")
        yield f"| {', '.join(f'`{n}`' for n in names)} | {cause} | {text} |"


def page(folder):
    suites = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as f:
            suites.append(json.load(f))
    out = [HEAD]
    for compiler, words in COMPILERS:
        for mode, how in (("functional", "without timing"), ("timing", "with timing")):
            if any(True for known in suites for _ in outcomes(known, compiler, mode)):
                out += [f"## {words}, {how}", "", *overview(suites, compiler, mode), "",
                        share(suites, compiler, mode), "",
                        *causes(suites, compiler, mode), ""]
    out += ["## What did not run, and why", ""]
    for known in suites:
        for compiler, words in COMPILERS:
            for mode, how in (("functional", "without timing"), ("timing", "with timing")):
                lines = list(failures(known, compiler, mode))
                if lines:
                    out += [f"{known['title']} ({known['source']}), {words}, {how}:", "",
                            "| program | why not | |", "|---|---|---|", *lines, ""]
        notes = [(n, p["note"]) for n, p in sorted(known["programs"].items()) if "note" in p]
        out += [f"`{name}`: {note}.\n" for name, note in notes]
    with open(os.path.join(HERE, "by-hand.md"), encoding="utf-8") as f:
        out.append(f.read().rstrip("\n"))
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs/programs")))
