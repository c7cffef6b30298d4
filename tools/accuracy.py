#!/usr/bin/python3
"""accuracy.py - our cycle counts beside GPGPU-Sim 3.2.2's, launch by launch.

Runs every case of tests/accuracy/*.csv under the three schedulers measured there and compares
cycles, instructions, stall classes and cache accesses, and whether schedulers that the reference
finds more than 5 % apart are in the same order here. Prints every launch and a summary. --write
brings the summary in docs/accuracy.md and the rows in docs/results/accuracy.md up to date, --check
says whether they are.

usage: tools/accuracy.py [--heddle PROGRAM] [--gpu NAME] [--jobs FOLDER...] [--reference CSV...]
                         [--write | --check] [--case NAME...] [--set section.key=value...] [--exact]
Exit status 1 if a limit is missed; with --exact if any cycle or instruction count differs; with
--check if a page is not up to date.
"""
import argparse
import csv
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUMMARY = os.path.join(ROOT, "docs/accuracy.md")
ROWS = os.path.join(ROOT, "docs/results/accuracy.md")
BEGIN, END = "<!-- begin: written by tools/accuracy.py -->", "<!-- end -->"
SMALL = 2000      # launches below this many cycles are judged by cycles, not per cent
SMALL_LIMIT = 60
WORST = 10.0      # per cent, any launch
MEAN = 3.0
APART = 5.0      # per cent between two schedulers, from which on their order counts


def find_job(case, folders):
    for folder in folders:
        path = os.path.join(folder, case, case + ".job")
        if os.path.exists(path):
            return path
    return None


def run(args, case, scheduler, path):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "run.json")
        command = [args.heddle, "run", path, "--gpu", args.gpu, "--sched", scheduler, "--no-host",
                   "--quiet", "--json", out]
        for s in args.set:
            command += ["--set", s]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, check=False)
        if not os.path.exists(out):
            return None, done.stderr.strip().split("\n")[0]
        with open(out, encoding="utf-8") as f:
            return json.load(f), done.stderr.strip()


def compare(row, kernel):
    """One launch: what differs from the reference, as a dictionary of columns."""
    ref = int(row["gpu_sim_cycle"])
    ours = kernel["cycles"]
    stalls = kernel["stalls"]
    counted = sum(stalls[k] for k in ("issued", "idle", "scoreboard", "pipeline"))
    result = {
        "case": row["case"], "sched": row["scheduler"], "launch": int(row["launch"]),
        "ref": ref, "ours": ours, "error": 100.0 * (ours - ref) / ref,
        "insts": kernel["warp_insts"] - int(row["warp_insn"]),
        "threads": kernel["thread_insts"] - int(row["gpu_sim_insn"]),
    }
    for ours_name, ref_name in (("pipeline", "stall"), ("idle", "w0_idle"),
                                ("scoreboard", "w0_scoreboard")):
        result[ours_name] = 100.0 * (stalls[ours_name] - int(row[ref_name])) / max(counted, 1)
    for cache in ("l1d", "l2"):
        c = kernel.get(cache) or {}
        for key, ref_key in (("accesses", "accesses"), ("misses", "misses"),
                             ("pending", "pending_hits")):
            if c.get(key) is not None:
                result[cache + "_" + key] = c[key] - int(row[cache + "_" + ref_key])
        result[cache + "_ref"] = int(row[cache + "_accesses"])
    d = kernel.get("dram") or {}
    if d.get("reads") is not None:
        result["dram_reads"] = d["reads"] - int(row["dram_reads"])
        result["dram_writes"] = d["writes"] - int(row["dram_writes"])
    return result


def good(r):
    if r["ref"] < SMALL:
        return abs(r["ours"] - r["ref"]) <= SMALL_LIMIT
    return abs(r["error"]) <= WORST


COLUMNS = [("case", "%s"), ("sched", "%s"), ("launch", "%d"), ("ref", "%d"), ("ours", "%d"),
           ("error", "%+.2f"), ("insts", "%+d"), ("threads", "%+d"), ("idle", "%+.1f"),
           ("scoreboard", "%+.1f"), ("pipeline", "%+.1f"), ("l1d_accesses", "%+d"),
           ("l1d_misses", "%+d"), ("l1d_pending", "%+d"), ("l2_accesses", "%+d"),
           ("l2_misses", "%+d"), ("dram_reads", "%+d"), ("dram_writes", "%+d")]


def cell(r, key, form):
    return form % r[key] if key in r else "-"


def rankings(results):
    """Pairs of schedulers more than APART apart in the reference, and those in another order here.

    A case counts with the sum of its launches. Ours may also call them equal: that is not the order.
    """
    sums = {}
    for r in results:
        total = sums.setdefault(r["case"], {}).setdefault(r["sched"], [0, 0])
        total[0] += r["ref"]
        total[1] += r["ours"]
    pairs, other = 0, []
    for case, scheds in sums.items():
        for a, b in itertools.combinations(scheds, 2):
            ref, ours = (scheds[a][i] - scheds[b][i] for i in (0, 1))
            if 100.0 * abs(ref) <= APART * min(scheds[a][0], scheds[b][0]):
                continue
            pairs += 1
            if ref * ours <= 0:
                other.append("%s: %s and %s" % (case, a, b))
    return pairs, other


def summary(results):
    large = [abs(r["error"]) for r in results if r["ref"] >= SMALL]
    small = [abs(r["ours"] - r["ref"]) for r in results if r["ref"] < SMALL]
    mean = sum(large) / len(large) if large else 0.0
    lines = ["launches of at least %d cycles: %d, mean error %.2f %%, worst %.2f %%" %
             (SMALL, len(large), mean, max(large, default=0.0))]
    if small:
        lines.append("launches below: %d, worst %d cycles" % (len(small), max(small)))
    lines.append("outside the limits: %d; other instruction counts: %d" %
                 (sum(not good(r) for r in results), sum(r["insts"] != 0 for r in results)))
    pairs, other = rankings(results)
    lines.append("pairs of schedulers more than %g %% apart in the reference: %d; in another order "
                 "here: %d" % (APART, pairs, len(other)))
    return lines + other, mean, not other


def summary_page(lines):
    """docs/accuracy.md: what a person wrote, with the summary of this run between the marks."""
    with open(SUMMARY, encoding="utf-8") as f:
        text = f.read()
    between = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    if not between.search(text):
        sys.exit("%s: no lines '%s' and '%s'" % (SUMMARY, BEGIN, END))
    block = BEGIN + "\n\n" + "\n".join("- " + x for x in lines) + "\n\n" + END
    return between.sub(lambda _: block, text)


def rows_page(results):
    return ("# Cycle counts beside GPGPU-Sim 3.2.2: every launch\n\n"
            "*Reference, written by `tools/accuracy.py --write`. What the numbers mean, and a summary: "
            "[accuracy.md](../accuracy.md).*\n\n"
            "`ref` and `ours` are cycles, `error` is their difference in per cent. The columns after it "
            "are ours minus the reference's: stall classes (`idle`, `scoreboard`, `pipeline`) in per cent "
            "of the counted scheduler cycles, all others as numbers.\n\n"
            "| " + " | ".join(k for k, _ in COLUMNS) + " |\n" + "|" + "---|" * len(COLUMNS) + "\n" +
            "".join("| " + " | ".join(cell(r, k, fm) for k, fm in COLUMNS) + " |\n" for r in results))


def pages(lines, results, write):
    """Writes the two pages, or counts those that are not what would be written."""
    old = 0
    for name, text in ((SUMMARY, summary_page(lines)), (ROWS, rows_page(results))):
        if write:
            with open(name, "w", encoding="utf-8") as f:
                f.write(text)
            continue
        with open(name, encoding="utf-8") as f:
            if f.read() != text:
                old += 1
                print("%s is not up to date; tools/accuracy.py --write makes it anew" % name)
    return old


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--heddle", default=os.path.join(ROOT, "heddle"))
    p.add_argument("--gpu", default="gtx480")
    p.add_argument("--jobs", nargs="*",
                   default=[os.path.join(ROOT, f) for f in
                            ("workloads/kernels", "tests/accuracy/jobs", "tests/accuracy/kinds")])
    p.add_argument("--reference", nargs="*",
                   default=[os.path.join(ROOT, "tests/accuracy", f)
                            for f in ("reference.csv", "kinds.csv")])
    p.add_argument("--write", action="store_true")
    p.add_argument("--check", action="store_true")
    p.add_argument("--case", nargs="*")
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--exact", action="store_true")
    args = p.parse_args()
    if (args.write or args.check) and (args.case or args.set or args.gpu != "gtx480"):
        p.error("--write and --check are for the whole table on gtx480")

    rows = []
    for path in args.reference:
        with open(path, encoding="utf-8", newline="") as f:
            rows += [r for r in csv.DictReader(f) if not args.case or r["case"] in args.case]
    runs = sorted({(r["case"], r["scheduler"]) for r in rows})
    paths = {case: find_job(case, args.jobs) for case, _ in runs}
    todo = [(c, s) for c, s in runs if paths[c]]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        done = dict(zip(todo, pool.map(lambda x: run(args, x[0], x[1], paths[x[0]]), todo)))
    results, missing = [], []
    for row in rows:
        got, message = done.get((row["case"], row["scheduler"]), (None, "no such job here"))
        if not got or int(row["launch"]) >= len(got["kernels"]):
            missing.append("%s under %s: %s" % (row["case"], row["scheduler"], message))
            continue
        results.append(compare(row, got["kernels"][int(row["launch"])]))
    lines, mean, ranked = summary(results)
    for r in results:
        print("  ".join(cell(r, k, f) for k, f in COLUMNS), "" if good(r) else " <--")
    for m in missing:
        print("missing:", m)
    print("\n".join(lines))
    if (args.write or args.check) and pages(lines, results, args.write):
        return 1
    if args.exact and any(r["ours"] != r["ref"] or r["insts"] or r["threads"] for r in results):
        return 1
    return 0 if not missing and ranked and mean <= MEAN and all(map(good, results)) else 1


if __name__ == "__main__":
    sys.exit(main())
