#!/usr/bin/python3
"""modern.py - our cycle counts on newer GPUs beside GPGPU-Sim 4.2's.

Runs the small kernels of tests/accuracy/modern/cycles.csv, or with --jobs the programs of
jobs_GPU.csv there (--cold: cold_GPU.csv), and prints each launch and, for kernels in pairs (NAME_32
and NAME_96), the cycles of one repetition. Of programs it also compares the counters of
instructions, caches and DRAM. With --exact every launch of the named kernels or programs must have
the reference's cycles and counters. --speed prints the processor seconds of each program under lrr
beside the reference's, ours with start-up and the best of three.

usage: tools/modern.py [--heddle PROGRAM] [--gpu NAME] [--jobs | --cold | --speed] [--only NAME...]
                       [--set section.key=value...] [--exact KERNEL...]
Exit status 1 if a run fails, or if a kernel of --exact differs or does not exist.
"""
import argparse
import csv
import fnmatch
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "tests/accuracy/modern")
CONFIGS = {"rtx2060": "SM75_RTX2060", "rtx3070": "SM86_RTX3070", "qv100": "SM7_QV100",
           "gtx480-v4": "SM2_GTX480"}
FOLDERS = ("tests/accuracy/jobs", "workloads/kernels")
# Columns of the reference, and where our results have them.
COUNTERS = {"warp_insn": ("warp_insts",), "thread_insn": ("thread_insts",),
            "l1d_access": ("l1d", "accesses"), "l1d_miss": ("l1d", "misses"),
            "l2_access": ("l2", "accesses"), "l2_miss": ("l2", "misses"),
            "dram_rd": ("dram", "reads"), "dram_wr": ("dram", "writes")}
# The reference counts 36,864 threads more in mc_local, with as many instructions of warps.
OTHER = {("mc_local", "thread_insn")}
REPETITIONS = re.compile(r"(.+)_(32|96)$")


def read(name):
    with open(os.path.join(DATA, name), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def run(args, path, scheduler, sets):
    """The kernels of a job in the order of their launches, or None after a message."""
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "run.json")
        command = [args.heddle, "run", path, "--gpu", args.gpu, "--sched", scheduler, "--no-host",
                   "--quiet", "--json", out]
        for s in sets + args.set:
            command += ["--set", s]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, check=False)
        if not os.path.exists(out):
            print("%s: %s" % (path, done.stderr.strip().split("\n")[0]))
            return None
        with open(out, encoding="utf-8") as f:
            return json.load(f)["kernels"]


def show(rows):
    """Rows of (name, scheduler, launch, theirs, ours)."""
    print("%-18s %-5s %6s %9s %9s %8s" % ("kernel", "sched", "launch", "theirs", "ours", "ratio"))
    for name, sched, launch, theirs, ours in rows:
        print("%-18s %-5s %6d %9d %9d %8.3f%s" % (name, sched, launch, theirs, ours, ours / theirs,
                                                  "" if ours == theirs else "  <--"))
    ratios = [ours / theirs for _, _, _, theirs, ours in rows]
    if ratios:
        print("launches: %d, equal: %d, geometric mean of ours / theirs %.3f, mean difference %.1f %%" %
              (len(rows), sum(r == 1 for r in ratios),
               math.exp(sum(map(math.log, ratios)) / len(ratios)),
               100 * sum(abs(r - 1) for r in ratios) / len(ratios)))


def slopes(rows):
    first = {}
    for name, _, launch, theirs, ours in rows:
        m = REPETITIONS.match(name)
        if m and m.group(2) == "32":
            first[m.group(1)] = (launch, theirs, ours)
        elif m and first.get(m.group(1), (None,))[0] == launch - 1:
            _, a, b = first[m.group(1)]
            print("%-18s one repetition: theirs %7.2f, ours %7.2f" %
                  (m.group(1), (theirs - a) / 64, (ours - b) / 64))


def micro(args):
    """Small kernels: rows and whether all runs ended."""
    rows, good = [], True
    ref = [r for r in read("cycles.csv") if r["config"] == CONFIGS[args.gpu]]
    for job in dict.fromkeys(r["job"] for r in ref):
        kernels = run(args, os.path.join(DATA, job, job + ".job"), "lrr", ["launch.latency=0"])
        for r in (x for x in ref if x["job"] == job):
            i = int(r["launch"])
            if not kernels or i >= len(kernels):
                good = False
            elif not args.only or any(fnmatch.fnmatch(r["kernel"], o) for o in args.only):
                rows.append((r["kernel"], "lrr", i, int(r["cycles"]), kernels[i]["cycles"]))
    return rows, good


def counters(job, reference, kernel):
    """A line for each counter that differs."""
    for column, place in COUNTERS.items():
        ours = kernel
        for name in place:
            ours = ours[name]
        if ours != int(reference[column]) and (job, column) not in OTHER:
            yield "%s, launch %s under %s: %s %d, not %s" % (
                job, reference["launch"], reference["sched"], column, ours, reference[column])


def job_file(job):
    return next((p for p in (os.path.join(ROOT, f, job, job + ".job") for f in FOLDERS)
                 if os.path.exists(p)), None)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def speed(args):
    theirs, ratios, good = {}, [], True
    for r in read("jobs_%s.csv" % args.gpu):
        if r["sched"] == "lrr" and (not args.only or r["job"] in args.only):
            theirs[r["job"]] = theirs.get(r["job"], 0) + float(r["cpu_s"])
    print("%-18s %9s %9s %7s" % ("program", "theirs, s", "ours, s", "ratio"))
    for job, seconds in theirs.items():
        times = []
        for _ in range(3):
            before = processor_seconds()
            good = run(args, job_file(job), "lrr", []) is not None and good
            times.append(processor_seconds() - before)
        ratios.append(seconds / min(times))
        print("%-18s %9.2f %9.3f %7.1f" % (job, seconds, min(times), ratios[-1]))
    if ratios:
        print("programs: %d, geometric mean %.1f, least %.1f" % (
            len(ratios), math.exp(sum(map(math.log, ratios)) / len(ratios)), min(ratios)))
    return good


def jobs(args):
    rows, good, compared, wrong = [], True, 0, []
    ref = read(("cold_%s.csv" if args.cold else "jobs_%s.csv") % args.gpu)
    for job, sched in dict.fromkeys((r["job"], r["sched"]) for r in ref):
        if args.only and job not in args.only:
            continue
        path = job_file(job)
        kernels = run(args, path, sched, ["l2.copies=0"] if args.cold else []) if path else None
        for r in (x for x in ref if x["job"] == job and x["sched"] == sched):
            i = int(r["launch"])
            if kernels and i < len(kernels):
                rows.append((job, sched, i, int(r["cycles"]), kernels[i]["cycles"]))
                compared += len(COUNTERS)
                wrong += counters(job, r, kernels[i])
            else:
                good = False
    print("counters: %d compared, %d differ" % (compared, len(wrong)))
    print("".join(line + "\n" for line in wrong), end="")
    named = [w for w in wrong if any(fnmatch.fnmatch(w.split(",")[0], e) for e in args.exact)]
    return rows, good and not named


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--heddle", default=os.path.join(ROOT, "heddle"))
    p.add_argument("--gpu", default="rtx2060", choices=sorted(CONFIGS))
    p.add_argument("--jobs", action="store_true", help="programs, with the L2 as copies leave it")
    p.add_argument("--cold", action="store_true", help="programs, with an empty L2")
    p.add_argument("--speed", action="store_true", help="processor seconds beside the reference's")
    p.add_argument("--only", nargs="*")
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--exact", nargs="*", default=[])
    args = p.parse_args()
    if args.cold and args.gpu != "rtx2060":
        p.error("--cold has numbers for rtx2060 alone")

    if args.speed:
        return 0 if speed(args) else 1
    rows, good = jobs(args) if args.jobs or args.cold else micro(args)
    show(rows)
    slopes(rows)
    for pattern in args.exact:
        found = [r for r in rows if fnmatch.fnmatch(r[0], pattern)]
        good &= bool(found)
        if not found:
            print("no kernel '%s' has run" % pattern)
        for name, _, launch, theirs, ours in found:
            if ours != theirs:
                print("%s, launch %d: %d cycles, not %d" % (name, launch, ours, theirs))
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
