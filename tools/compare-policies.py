#!/usr/bin/python3
"""compare-policies.py - the warp policies on all workloads, on an old and on a newer GPU.

Runs `heddle compare @all` with each policy on each machine and writes the tables between the two
markers of docs/comparison.md: speed relative to lrr, what each paper's policy gains on that paper's
own programs, where the cycles go, and every workload. The text outside the markers is written by
hand. Runs are kept in a database, so that the same command continues after an interruption.

Launches take no time on either machine, because the inputs are small, and because launches cost
nothing on the papers' machine either.

Two machines between the two show what makes the difference: a gtx480 with as many warps for each
scheduler as the rtx2060 has, and an rtx2060 with so few SMs that the inputs fill it.

usage: tools/compare-policies.py [--heddle PROGRAM] [--size test|small] [--folder DIR] [--no-run]
                                 [--jobs N] [--write FILE]
The folder keeps the database and the results as JSON; with --no-run they are read from it.
"""
import argparse
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN = "<!-- begin: written by tools/compare-policies.py -->"
END = "<!-- end -->"

MACHINES = ["gtx480", "rtx2060"]
POLICIES = ["lrr", "gto", "oldest", "gtrr", "two_level_active", "two_level_groups", "two_level_opt",
            "lfws", "lpi", "llos", "pro", "pro_dyn", "caws", "saws", "mwf", "baws", "elf", "ccws",
            "dyncta"]
# Paper, its group of workloads, policy, base.
GAINS = [("LFWS", "lfws", "lfws", "lrr"), ("LFWS", "lfws", "lfws", "lpi"),
         ("PRO", "pro", "pro", "lrr"), ("PRO", "pro", "pro", "two_level_active"),
         ("PRO", "pro", "pro", "gto"),
         ("BAWS", "baws", "baws", "lrr"), ("BAWS", "baws", "baws", "gto"),
         ("BAWS", "baws", "baws", "saws"),
         ("ELF", "elf", "elf", "gto"), ("ELF", "elf", "elf", "lrr"), ("ELF", "elf", "gto", "lrr")]
# Machines between the two: name of the results, machine, changes, what they are.
BETWEEN = [("few-warps", "gtx480", ["sm.schedulers=4", "sm.warps=32"],
            "`gtx480` with 4 schedulers for 32 warps"),
           ("few-sms", "rtx2060", ["sm.sms=8"], "`rtx2060` with 8 SMs")]
BETWEEN_POLICIES = ["lrr", "gto", "two_level_active", "lfws", "pro", "baws", "elf"]
# Policies that keep warps or blocks from running; the others only order them.
THROTTLES = ("ccws", "dyncta")
CLASSES = ["issued", "idle", "scoreboard", "pipeline", "inactive"]


def study(args, name, machines, changes, policies):
    """One comparison as heddle's JSON has it; the folder keeps it as NAME.json."""
    out = os.path.join(args.folder, name + ".json")
    if not args.no_run:
        sets = [word for change in ["launch.latency=0"] + changes for word in ("--set", change)]
        # Status 4 and 1: a run that ended early or failed is named on the page.
        subprocess.run([args.heddle, "compare", "@all", "--size", args.size, "--gpu",
                        ",".join(machines), *sets, "--sched", ",".join(policies),
                        "--jobs", str(args.jobs), "--db", os.path.join(args.folder, "runs.db"),
                        "--no-host", "--quiet", "--json", out], check=False)
    with open(out, encoding="utf-8") as f:
        return json.load(f)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


class Data:
    """The runs by workload, machine and policy; only workloads that every one of them finished."""

    def __init__(self, found, machines, policies):
        self.of = {(r["workload"], r["gpu"], r["sched"]): r for r in found["runs"]}
        names = list(dict.fromkeys(r["workload"] for r in found["runs"]))
        good = {n: all(self.of.get((n, g, p), {}).get("status") == "ok"
                       and self.of[n, g, p]["verified"] is not False
                       for g in machines for p in policies) for n in names}
        self.names = [n for n in names if good[n]]
        self.left_out = [n for n in names if not good[n]]
        self.model = found["model"]
        self.size = found["runs"][0]["size"]

    def cycles(self, n, g, p):
        return self.of[n, g, p]["totals"]["elapsed_cycles"]

    def speed(self, n, g, p, base="lrr"):
        """Ratio of IPC; few workloads race, so that instructions may differ."""
        a, b = self.of[n, g, p]["totals"], self.of[n, g, base]["totals"]
        return (a["thread_insts"] / a["elapsed_cycles"]) / (b["thread_insts"] / b["elapsed_cycles"])

    def sum(self, n, g, p, *path):
        total = 0
        for kernel in self.of[n, g, p]["kernels"]:
            for key in path:
                kernel = kernel[key]
            total += kernel or 0
        return total

    def filling(self, g):
        """Workloads that spend half their cycles in kernels with more blocks than places.

        tbs_per_sm is at most the share of an SM, so that a grid with fewer blocks than places
        never has more than tbs_per_sm for each SM.
        """
        found = []
        for n in self.names:
            run = self.of[n, g, "lrr"]
            full = sum(k["cycles"] for k in run["kernels"]
                       if math.prod(k["grid"]) > k["tbs_per_sm"] * run["options"]["sm.sms"])
            if 2 * full >= sum(k["cycles"] for k in run["kernels"]):
                found.append(n)
        return found

    def with_barriers(self):
        return [n for n in self.names if self.sum(n, MACHINES[0], "lrr", "counters", "barriers")]


def means(d):
    barriers = d.with_barriers()
    others = [n for n in d.names if n not in barriers]
    sets = []
    for g in MACHINES:
        full = d.filling(g)
        sets += [(g, "all %d" % len(d.names), d.names),
                 (g, "filling (%d)" % len(full), full),
                 (g, "with barriers (%d)" % len(barriers), barriers),
                 (g, "without (%d)" % len(others), others)]
    yield "| policy | " + " | ".join("%s: %s" % (g, what) for g, what, _ in sets) + " |"
    yield "|---|" + "---:|" * len(sets)
    for p in POLICIES:
        yield "| `%s` | %s |" % (p, " | ".join(
            "%.3f" % geomean([d.speed(n, g, p) for n in names]) for g, _, names in sets))


def extremes(d):
    yield "| policy | " + " | ".join("%s: least | largest" % g for g in MACHINES) + " |"
    yield "|---|" + "---|---|" * len(MACHINES)
    for p in POLICIES[1:]:
        cells = []
        for g in MACHINES:
            ranked = sorted((d.speed(n, g, p), n) for n in d.names)
            cells += ["%.2f %s" % ranked[0], "%.2f %s" % ranked[-1]]
        yield "| `%s` | %s |" % (p, " | ".join(cells))


def members(heddle, group):
    """The workloads of a paper's group."""
    shown = subprocess.run([heddle, "list", "workloads"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    return [line.split()[0] for line in shown.splitlines()[1:] if " %s:" % group in line]


def gains(d, heddle):
    yield "| paper | over its own programs | " + " | ".join(
        "%s, %% | least and largest" % g for g in MACHINES) + " |"
    yield "|---|---|" + "---:|---|" * len(MACHINES)
    for paper, group, policy, base in GAINS:
        names = [n for n in members(heddle, group) if n in d.names]
        cells = []
        for g in MACHINES:
            each = sorted((100 * (d.speed(n, g, policy, base) - 1), n) for n in names)
            cells.append("%+.1f | %+.1f %s, %+.1f %s" % (
                100 * (geomean([d.speed(n, g, policy, base) for n in names]) - 1),
                *each[0], *each[-1]))
        yield "| %s | `%s` over `%s` (%d) | %s |" % (paper, policy, base, len(names),
                                                     " | ".join(cells))


def spread(d):
    """How much the order of warps can move a workload."""
    orders = [p for p in POLICIES if p not in THROTTLES]
    yield ("| machine | workloads | fastest over slowest order: geometric mean | median"
           " | above 10 % | above 2 % |")
    yield "|---|---|---:|---:|---:|---:|"
    for g in MACHINES:
        for what, names in (("all", d.names), ("filling", d.filling(g))):
            each = sorted(max(d.speed(n, g, p) for p in orders) /
                          min(d.speed(n, g, p) for p in orders) for n in names)
            yield "| %s | %s | %.3f | %.3f | %d of %d | %d of %d |" % (
                g, what, geomean(each), each[len(each) // 2], sum(e > 1.1 for e in each),
                len(each), sum(e > 1.02 for e in each), len(each))


def between(d, others):
    """The two machines, and those between them."""
    shown = [(("`%s`" % MACHINES[0]), MACHINES[0], d)]
    shown += [(what, g, o) for (_, g, _, what), o in zip(BETWEEN, others)]
    shown += [(("`%s`" % MACHINES[1]), MACHINES[1], d)]
    yield "| machine | workloads | " + " | ".join(BETWEEN_POLICIES[1:]) + " | fastest over slowest |"
    yield "|---|---|" + "---:|" * len(BETWEEN_POLICIES)
    for what, g, of in shown:
        for title, names in (("all", of.names), ("filling", of.filling(g))):
            speeds = {p: [of.speed(n, g, p) for n in names] for p in BETWEEN_POLICIES}
            spreads = [max(each) / min(each) for each in zip(*speeds.values())]
            yield "| %s | %s (%d) | %s | %.3f |" % (what, title, len(names), " | ".join(
                "%.3f" % geomean(speeds[p]) for p in BETWEEN_POLICIES[1:]), geomean(spreads))


def classes(d):
    """Means over workloads of each class's share of the schedulers' cycles."""
    yield "| machine | policy | " + " | ".join(CLASSES) + " |"
    yield "|---|---|" + "---:|" * len(CLASSES)
    for g in MACHINES:
        for p in ("lrr", "gto", "lfws", "pro", "baws", "elf"):
            shares = []
            for n in d.names:
                one = [d.sum(n, g, p, "stalls", c) for c in CLASSES]
                shares.append([x / sum(one) for x in one])
            yield "| %s | `%s` | %s |" % (g, p, " | ".join(
                "%.1f" % (100 * sum(s[i] for s in shares) / len(shares))
                for i in range(len(CLASSES))))


def every(d):
    shown = [p for p in POLICIES if p not in ("lrr", "oldest", "gtrr", "two_level_groups", "llos")]
    for g in MACHINES:
        yield ""
        yield "On `%s`:" % g
        yield ""
        yield "| workload | cycles, `lrr` | " + " | ".join(shown) + " |"
        yield "|---|---:|" + "---:|" * len(shown)
        for n in d.names:
            yield "| %s | %d | %s |" % (n, d.cycles(n, g, "lrr"), " | ".join(
                "%.3f" % d.speed(n, g, p) for p in shown))


def page(d, others, args):
    yield "%d workloads of size `%s`, %d policies, machines %s, model %d. Every result was verified." % (
        len(d.names), d.size, len(POLICIES), " and ".join("`%s`" % g for g in MACHINES), d.model)
    if d.left_out:
        yield "Left out, because a run of them did not end well: %s." % ", ".join(d.left_out)
    parts = [("Speed relative to `lrr`, geometric means",
              "Filling: at least half of the cycles are of kernels with more thread blocks than the "
              "machine has places for.", means(d)),
             ("Least and largest speed relative to `lrr`", "", extremes(d)),
             ("What each paper's policy gains on the paper's programs",
              "Geometric means of the ratios of IPC.", gains(d, args.heddle)),
             ("How much the order of warps matters",
              "Over all policies but %s, which keep warps or blocks from running." %
              " and ".join("`%s`" % p for p in THROTTLES), spread(d)),
             ("Two machines between the two",
              "Speed relative to `lrr` on the same machine, geometric means.",
              between(d, others)),
             ("Where the schedulers' cycles go, in %", "Means over the workloads.", classes(d)),
             ("Every workload", "Speed relative to `lrr` on the same machine.", every(d))]
    for title, note, rows in parts:
        yield ""
        yield "### " + title
        yield ""
        if note:
            yield note
            yield ""
        yield from rows


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--heddle", default=os.path.join(ROOT, "heddle"))
    p.add_argument("--size", default="small", choices=["test", "small"])
    p.add_argument("--folder", default=os.path.join(ROOT, "build/comparison"))
    p.add_argument("--no-run", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--write", default=os.path.join(ROOT, "docs/comparison.md"))
    args = p.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    d = Data(study(args, "all", MACHINES, [], POLICIES), MACHINES, POLICIES)
    others = [Data(study(args, name, [g], changes, BETWEEN_POLICIES), [g], BETWEEN_POLICIES)
              for name, g, changes, _ in BETWEEN]
    if not d.names:
        print("no workload was finished under all policies; nothing is written")
        return 1
    with open(args.write, encoding="utf-8") as f:
        before, _, rest = f.read().partition(BEGIN)
    _, _, after = rest.partition(END)
    with open(args.write, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + "\n\n" + "\n".join(page(d, others, args)) + "\n\n" + END + after)
    return 0


sys.exit(main())
