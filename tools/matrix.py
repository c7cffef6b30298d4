#!/usr/bin/python3
"""matrix.py - every workload under every warp policy, and without timing: does it verify, and how
many cycles does it take?

Writes a table in Markdown: cycles of each pair relative to gto, or what went wrong; a last column says
whether the run without timing verified. Exits with 1 if anything did not verify.

usage: tools/matrix.py [--heddle PROGRAM] [--size test|small|paper] [--jobs N] [--write FILE]
                       [WORKLOAD|@GROUP...]
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

BASE = "gto"


def first_column(heddle, what, second=None):
    lines = subprocess.run([heddle, "list", what], check=True, stdout=subprocess.PIPE,
                           encoding="utf-8").stdout.splitlines()[1:]
    return [line.split()[0] for line in lines if not second or second in line.split()[1].split(",")]


def expand(heddle, words):
    """Names of the workloads that the words mean, by the groups that `heddle list` shows."""
    rows = [line.split("  ") for line in subprocess.run(
        [heddle, "list", "workloads"], check=True, stdout=subprocess.PIPE,
        encoding="utf-8").stdout.splitlines()[1:]]
    built_in = {}
    for row in rows:
        cells = [c.strip() for c in row if c.strip()]
        if cells[1] != "(a job)":
            built_in[cells[0]] = cells[1].split()
    found = []
    for word in words:
        found += [n for n, groups in built_in.items() if word in ("@all", n) or any(
            word in ("@" + g, "@" + g.split(":")[0]) for g in groups)]
    return sorted(set(found))


def run(args, name, policy):
    """Cycles, or what went wrong; without timing (policy None) instructions."""
    mode = ["--sched", policy] if policy else ["--functional-only"]
    done = subprocess.run([args.heddle, "run", name, "--size", args.size, *mode, "--quiet",
                           "--no-host", "--json", "-"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return "exit %d" % done.returncode
    if result["verified"] is not True or done.returncode:
        return result["status"] if result["status"] != "ok" else "wrong"
    return result["totals"]["elapsed_cycles" if policy else "warp_insts"]


def table(args, names, policies, results):
    yield "# Workloads under policies, size %s" % args.size
    yield ""
    yield "Cycles, relative to `%s` in the columns behind it; what did not verify is said." % BASE
    yield ""
    yield "| workload | %s | no timing | %s |" % (BASE, " | ".join(
        p for p in policies if p != BASE))
    yield "|---|%s" % ("---:|" * (len(policies) + 1))
    for n in names:
        base, plain = results[n, BASE], results[n, None]
        row = ["{:,}".format(base) if isinstance(base, int) else "**%s**" % base,
               "yes" if isinstance(plain, int) else "**%s**" % plain]
        for p in policies:
            r = results[n, p]
            if p == BASE:
                continue
            row.append("**%s**" % r if not isinstance(r, int) else
                       "%.3f" % (r / base) if isinstance(base, int) else "{:,}".format(r))
        yield "| %s | %s |" % (n, " | ".join(row))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="./heddle")
    p.add_argument("--size", default="test")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--write")
    p.add_argument("words", nargs="*", default=["@all"])
    args = p.parse_args()
    names = expand(args.heddle, args.words or ["@all"])
    policies = first_column(args.heddle, "policies", "sched")
    pairs = [(n, s) for n in names for s in [None] + policies]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = dict(zip(pairs, pool.map(lambda pair: run(args, *pair), pairs)))
    text = "\n".join(table(args, names, policies, results)) + "\n"
    bad = ["%s under %s: %s" % (n, s or "no timing", r) for (n, s), r in results.items()
           if not isinstance(r, int)]
    if args.write:
        with open(args.write, "w", encoding="utf-8") as f:
            f.write(text)
    else:
        sys.stdout.write(text)
    for line in bad:
        print("failed: " + line)
    print("%d of %d runs verified" % (len(pairs) - len(bad), len(pairs)))
    return 1 if bad or not names else 0


if __name__ == "__main__":
    sys.exit(main())
