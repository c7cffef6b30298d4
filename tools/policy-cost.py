#!/usr/bin/python3
"""policy-cost.py - what each scheduling policy costs the host, counted with callgrind.

Runs the beginning of a job under every warp policy and adds up the host instructions spent in
src/policy/ and include/heddle/policy/: their share of the run without start-up, and how many there are for each decision, that
is, each cycle of a scheduler in which the core asks the policy anything. A policy is to stay below
20 % or below 150 instructions a decision. Counts repeat exactly. Written to bench/policies.md by
`make bench-policies`.

usage: tools/policy-cost.py [--heddle PROGRAM] [--job NAME] [--cycles N] [--write FILE] [SCHED...]
Exit status 1 if a policy exceeds both limits.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARE, EACH = 20.0, 150.0


def policies(heddle):
    lines = subprocess.run([heddle, "list", "policies"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()[1:]
    return [line.split()[0] for line in lines if "sched" in line.split()[1]]


def callgrind(args, sched, cycles):
    """Self cost by (file, function), and calls by (calling file, called file, called function)."""
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "out")
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, args.heddle,
                        "run", args.job, "--sched", sched, "--max-cycles", str(cycles), "--quiet",
                        "--out", tmp], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
        with open(out, encoding="utf-8") as f:
            return read(f)


def read(lines):
    names = {"f": {}, "fn": {}}
    cost, calls = collections.Counter(), collections.Counter()
    where, called, inside, skip = None, None, None, False

    def name(kind, text):
        number, rest = re.match(r"\((\d+)\)(?: (.*))?", text).groups()
        if rest:
            names[kind][number] = rest
        return names[kind][number]

    for line in lines:
        key, eq, value = line.rstrip("\n").partition("=")
        if eq and key == "fl":
            inside = name("f", value)
        elif eq and key in ("fi", "fe"):
            name("f", value)
        elif eq and key == "fn":
            where, called = (inside, name("fn", value)), inside
        elif eq and key in ("cfi", "cfl"):
            called = name("f", value)
        elif eq and key == "cfn":
            target = name("fn", value)
        elif eq and key == "calls":
            calls[where[0], called, target] += int(value.split()[0])
            skip, called = True, where[0]
        elif line[:1] in "0123456789+-*":
            if not skip:
                cost[where] += int(line.split()[1])
            skip = False
    return cost, calls


def measure(args, sched):
    full, calls = callgrind(args, sched, args.cycles)
    start, _ = callgrind(args, sched, 1)
    total = sum(full.values()) - sum(start.values())

    def ours(f):
        return "src/policy/" in f or "include/heddle/policy" in f

    mine = sum(n for (f, _), n in full.items() if ours(f))
    mine += sum(n for (f, fn), n in full.items() if fn.startswith("hd_follow"))
    asked = collections.Counter()
    for (caller, f, fn), n in calls.items():
        if "src/sm/issue.c" in caller and ours(f) and "_on" not in fn:
            asked[fn] += n
    decisions = max(asked.values(), default=0)
    return {"sched": sched, "share": 100.0 * mine / total, "decisions": decisions,
            "each": mine / decisions if decisions else 0.0, "total": total, "mine": mine}


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--heddle", default=os.path.join(ROOT, "heddle"))
    p.add_argument("--job", default="scan")
    p.add_argument("--cycles", type=int, default=2000)
    p.add_argument("--write")
    p.add_argument("sched", nargs="*")
    args = p.parse_args()
    rows = []
    for sched in args.sched or policies(args.heddle):
        rows.append(measure(args, sched))
        r = rows[-1]
        print("%-24s %5.1f %%  %7.1f a decision" % (sched, r["share"], r["each"]), flush=True)
    bad = [r["sched"] for r in rows if r["share"] > SHARE and r["each"] > EACH]
    text = ["# Host cost of the policies", "",
            "Written by `make bench-policies`; reviewed as a diff.", "",
            "Host instructions in `src/policy/` and `include/heddle/policy/` over the first %d cycles of `%s` on `gtx480`, counted with" %
            (args.cycles, args.job),
            "callgrind, start-up taken off. A decision is a cycle of a scheduler in which the core asks the",
            "policy anything. A policy is to stay below %.0f %% of the run or below %.0f instructions a decision." %
            (SHARE, EACH),
            "Above both: %s." % (", ".join("`%s`" % b for b in bad) or "none"), "",
            "| policy | share of the run, % | decisions | instructions a decision |",
            "|---|---:|---:|---:|"]
    text += ["| `%s` | %.1f | %d | %.0f |" % (r["sched"], r["share"], r["decisions"], r["each"])
             for r in rows]
    if args.write:
        with open(args.write, "w", encoding="utf-8") as f:
            f.write("\n".join(text) + "\n")
    for name in bad:
        print("%s exceeds both limits" % name, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
