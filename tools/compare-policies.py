#!/usr/bin/python3
"""compare-policies.py - every warp policy on the workloads and jobs of the tree, beside the papers.

Runs each policy on each workload (one run at a time), keeps what it measured in a file of results,
and writes the tables between the two markers of docs/comparison.md: IPC relative to lrr, and what
the papers claim against what was measured here, with the counters behind it. What stands outside
the markers is written by hand. A run that is in the file of results is not repeated.

usage: tools/compare-policies.py [--heddle PROGRAM] [--size test|small] [--results FILE]
                                 [--write FILE] [--only-report]
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN = "<!-- begin: written by tools/compare-policies.py -->"
END = "<!-- end -->"

POLICIES = ["lrr", "srr", "gto", "gtrr", "oldest",
            "two_level_active", "two_level_groups", "two_level_groups:mode=loose", "two_level_opt",
            "lfws", "lfws:age=1", "lpi", "llos", "elf",
            "pro", "pro_nb", "pro_nf", "pro_nl", "pro_dyn",
            "mwf", "mwf:base=lrr", "baws", "baws:base=lrr", "saws", "caws",
            "swl", "ccws", "owl", "dyncta"]
# The jobs that measure one latency each say nothing about policies.
LEFT_OUT = ("chase_",)


def workloads(size):
    """Name, words of the command line, and what tells runs of a name apart."""
    found = [(w, [w, "--size", size], size) for w in
             ("bfs", "blackscholes", "histogram", "hotspot", "matmul_tiled", "pathfinder",
              "reduction", "vectoradd")]
    for folder in ("workloads/kernels", "tests/accuracy/jobs"):
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            job = os.path.join(folder, name, name + ".job")
            if os.path.exists(os.path.join(ROOT, job)) and not name.startswith(LEFT_OUT):
                found.append((name, [job], "job"))
    return found


def run(args, words, sched):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "run.json")
        subprocess.run([args.heddle, "run", *words, "--sched", sched, "--metrics", "--quiet",
                        "--no-host", "--out", tmp, "--json", out], cwd=ROOT, check=True)
        with open(out, encoding="utf-8") as f:
            return summary(json.load(f))


def summary(run):
    s = {"cycles": run["totals"]["cycles"], "thread_insts": run["totals"]["thread_insts"],
         "status": run["status"], "model": run["model"]}
    for key in ("issued", "idle", "scoreboard", "pipeline", "inactive"):
        s[key] = sum(k["stalls"][key] for k in run["kernels"])
    s["l1d_accesses"] = sum(k["l1d"]["accesses"] for k in run["kernels"])
    s["l1d_misses"] = sum(k["l1d"]["misses"] for k in run["kernels"])
    s["long_insts"] = sum(k["long_insts"] for k in run["kernels"])
    warps = sum(k["metrics"]["warps"] for k in run["kernels"])
    for key in ("barrier_share", "exit_share"):
        s[key] = sum((k["metrics"][key] or 0) * k["metrics"]["warps"]
                     for k in run["kernels"]) / max(warps, 1)
    phases = [(p["rtru"], p["blocks"]) for k in run["kernels"] for p in k["metrics"]["phases"]]
    s["rtru"] = sum(r * n for r, n in phases) / max(sum(n for _, n in phases), 1)
    s["counters"] = run["policy_counters"]["sched"]
    return s


def measure(args, results):
    for name, words, size in workloads(args.size):
        for sched in POLICIES:
            key = "%s %s %s" % (name, size, sched)
            if key in results:
                continue
            results[key] = run(args, words, sched)
            with open(args.results, "w", encoding="utf-8") as f:
                json.dump(results, f, indent=0, sort_keys=True)
        print(name, flush=True)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


class Data:
    """The measured runs, by workload and policy."""

    def __init__(self, results, size):
        whole = [(n, z) for n, _, z in workloads(size) if all(
            "%s %s %s" % (n, z, p) in results for p in POLICIES)]
        self.names = [n for n, _ in whole]
        self.of = {(n, p): results["%s %s %s" % (n, z, p)] for n, z in whole for p in POLICIES}

    def speed(self, name, policy, base="lrr"):
        """Ratio of IPC. Instructions are the same unless the program races, so cycles don't do."""
        a, b = self.of[name, policy], self.of[name, base]
        return (a["thread_insts"] / a["cycles"]) / (b["thread_insts"] / b["cycles"])

    def mean(self, policy, base, names):
        return geomean([self.speed(n, policy, base) for n in names])

    def total(self, key, policy, names):
        return sum(self.of[n, policy][key] for n in names)

    def average(self, key, policy, names):
        return sum(self.of[n, policy][key] for n in names) / len(names)

    def sets(self):
        long_heavy = [n for n in self.names if
                      self.of[n, "lrr"]["long_insts"] >= 0.08 * self.of[n, "lrr"]["thread_insts"]]
        barriers = [n for n in self.names if self.of[n, "lrr"]["barrier_share"] >= 0.02]
        return long_heavy, barriers, [n for n in self.names if n not in barriers]


def ipc_table(d):
    """A row per policy: means, best and worst."""
    _, barriers, others = d.sets()
    lines = ["| policy | all %d | with barriers (%d) | without (%d) | best | worst |" %
             (len(d.names), len(barriers), len(others)), "|---|---:|---:|---:|---|---|"]
    for p in POLICIES:
        ranked = sorted((d.speed(n, p), n) for n in d.names)
        lines.append("| `%s` | %.3f | %.3f | %.3f | %.3f %s | %.3f %s |" %
                     (p, d.mean(p, "lrr", d.names), d.mean(p, "lrr", barriers),
                      d.mean(p, "lrr", others), ranked[-1][0], ranked[-1][1], ranked[0][0],
                      ranked[0][1]))
    return lines


def full_table(d):
    shown = ["gto", "oldest", "two_level_active", "two_level_opt", "lfws", "lpi", "llos", "elf",
             "pro", "pro_nb", "pro_dyn", "mwf", "baws", "saws", "caws", "swl", "ccws", "owl",
             "dyncta"]
    lines = ["| workload | long % | barrier % | exit % | " + " | ".join(shown) + " |",
             "|---|---:|---:|---:|" + "---:|" * len(shown)]
    for n in d.names:
        r = d.of[n, "lrr"]
        lines.append("| %s | %.1f | %.1f | %.1f | " %
                     (n, 100 * r["long_insts"] / r["thread_insts"], 100 * r["barrier_share"],
                      100 * r["exit_share"]) +
                     " | ".join("%.3f" % d.speed(n, p) for p in shown) + " |")
    return lines


def verdict(paper, ours):
    """Same direction, and of a size that is worth the word."""
    if abs(paper) < 1.5:
        return "agrees" if abs(ours) < 1.5 else "differs"
    if paper * ours <= 0 or abs(ours) < 0.25:
        return "differs" if abs(ours) >= 0.25 else "no effect here"
    return "agrees" if 0.4 <= ours / paper <= 2.5 else "same direction, %s" % (
        "less" if ours / paper < 1 else "more")


def claims(d):
    long_heavy, barriers, others = d.sets()
    every = d.names
    rows = [
        ("LFWS", "`lfws` over `lrr`, all", 10.60, "lfws", "lrr", every),
        ("LFWS", "`lfws` over `lrr`, long-heavy", 18.17, "lfws", "lrr", long_heavy),
        ("LFWS", "`lfws` over `lpi`", 5.11, "lfws", "lpi", every),
        ("LFWS", "`lfws` over `llos`", 5.06, "lfws", "llos", every),
        ("LFWS", "`lfws` over `llos`, long-heavy", 8.72, "lfws", "llos", long_heavy),
        ("LFWS", "`lpi` over `lrr`", 5.34, "lpi", "lrr", every),
        ("LFWS", "`llos` over `lrr`", 5.05, "llos", "lrr", every),
        ("LFWS", "`two_level_active` over `lrr`: nothing", 0.0, "two_level_active", "lrr", every),
        ("LFWS", "`two_level_opt` over `two_level_active`", 1.88, "two_level_opt",
         "two_level_active", every),
        ("PRO", "`pro` over `lrr`", 12.0, "pro", "lrr", every),
        ("PRO", "`pro` over `two_level_active`", 13.0, "pro", "two_level_active", every),
        ("PRO", "`pro` over `gto`", 2.0, "pro", "gto", every),
        ("BAWS", "`baws` over `lrr`, with barriers", 17.0, "baws", "lrr", barriers),
        ("BAWS", "`baws` over `gto`, with barriers", 9.0, "baws", "gto", barriers),
        ("BAWS", "`baws` over `saws`, with barriers", 7.0, "baws", "saws", barriers),
        ("BAWS", "`baws` over `gto`, without: nothing", 0.0, "baws", "gto", others),
        ("BAWS", "`baws` over `saws`, without: nothing", 0.0, "baws", "saws", others),
        ("BAWS", "`baws` over `lrr`, without", 5.7, "baws", "lrr", others),
        ("ELF", "`elf` over `gto`", 4.1, "elf", "gto", every),
        ("ELF", "`two_level_active` over `gto`", -3.2, "two_level_active", "gto", every),
        ("ELF", "`ccws` over `gto`: nothing", 0.1, "ccws", "gto", every),
        ("ELF", "`dyncta` over `gto`", -2.3, "dyncta", "gto", every),
    ]
    lines = ["| paper | claim | paper, % | here, % | range here, % | | stall cycles, idle / scoreboard / pipeline, here |",
             "|---|---|---:|---:|---|---|---|"]
    for paper, what, claimed, p, base, names in rows:
        each = [100 * (d.speed(n, p, base) - 1) for n in names]
        ours = 100 * (d.mean(p, base, names) - 1)
        stalls = " / ".join("%.2f" % (d.total(k, p, names) / max(d.total(k, base, names), 1))
                            for k in ("idle", "scoreboard", "pipeline"))
        lines.append("| %s | %s | %+.1f | %+.1f | %+.1f to %+.1f | %s | x %s |" %
                     (paper, what, claimed, ours, min(each), max(each), verdict(claimed, ours),
                      stalls))
    return lines


def other_claims(d):
    _, barriers, _ = d.sets()
    lines = ["| paper | claim | here | |", "|---|---|---|---|"]

    def row(paper, what, here, good):
        lines.append("| %s | %s | %s | %s |" % (paper, what, here, "agrees" if good else "differs"))

    def share(p):
        return 100 * sum(d.average(k, p, barriers) for k in ("barrier_share", "exit_share"))

    row("BAWS", "time at barriers and exit points: 30 % under LRR, 37 % under GTO, more under GTO",
        "%.1f %%, %.1f %%" % (share("lrr"), share("gto")), share("gto") > share("lrr"))
    a, b = (100 * d.average("rtru", p, barriers) for p in ("lrr", "gto"))
    row("BAWS", "RTRU typically larger under GTO than under LRR", "%.1f %% under LRR, %.1f %%" %
        (a, b), b > a)
    a, b = (d.average("barrier_share", p, barriers) for p in ("gto", "baws"))
    row("BAWS", "less time at barriers than under GTO", "%.1f %%, GTO %.1f %%" % (100 * b, 100 * a),
        b < a)

    def stalls(p):
        return sum(d.total(k, p, d.names) for k in ("idle", "scoreboard", "pipeline"))

    for base, paper in (("two_level_active", 1.32), ("lrr", 1.19), ("gto", 1.04)):
        ratios = [sum(d.of[n, base][k] for k in ("idle", "scoreboard", "pipeline")) /
                  max(1, sum(d.of[n, "pro"][k] for k in ("idle", "scoreboard", "pipeline")))
                  for n in d.names]
        row("PRO", "stall cycles of `%s` over those of `pro`: %.2f" % (base, paper),
            "%.2f" % geomean(ratios), geomean(ratios) > 1)
    idle = [max(1, d.of[n, "lrr"]["idle"]) / max(1, d.of[n, "pro"]["idle"]) for n in d.names]
    row("PRO", "idle cycles of `lrr` over those of `pro`: 3.21", "%.2f" % geomean(idle),
        geomean(idle) > 1)
    gain = sorted(((d.speed(n, "pro_nb", "pro"), n) for n in d.names), reverse=True)
    row("PRO", "one program gains up to 11 % without the handling of barriers",
        "%s: %+.1f %%" % (gain[0][1], 100 * (gain[0][0] - 1)), gain[0][0] > 1.01)
    return lines


def pro_dyn(d):
    lines = ["| workload | trials | chose without | cycles without, % | `pro_nb` / `pro` | `pro_dyn` / `pro` |",
             "|---|---:|---:|---:|---:|---:|"]
    for n in d.names:
        c = d.of[n, "pro_dyn"]["counters"]
        lines.append("| %s | %d | %d | %.1f | %.3f | %.3f |" %
                     (n, c["trials"], c["chose_without"],
                      100 * c["cycles_without"] / (15 * d.of[n, "pro_dyn"]["cycles"]),
                      d.speed(n, "pro_nb", "pro"), d.speed(n, "pro_dyn", "pro")))
    lines.append("| geometric mean | | | | %.3f | %.3f |" %
                 (d.mean("pro_nb", "pro", d.names), d.mean("pro_dyn", "pro", d.names)))
    return lines


def report(d, size):
    bad = [k for k, r in d.of.items() if r["status"] != "ok"]
    models = sorted({r["model"] for r in d.of.values()})
    text = [BEGIN, "",
            "%d workloads, %d policies, machine `gtx480`, model %s; workloads in size `%s`. %s" %
            (len(d.names), len(POLICIES), ", ".join(map(str, models)), size,
             "Every result was verified." if not bad else "Not good: %s." % bad), "",
            "### IPC relative to `lrr`, geometric means", ""]
    text += ipc_table(d)
    text += ["", "### What the papers claim", "",
             "Means: geometric, of IPC ratios. Long-heavy: at least 8 % off-chip accesses; with barriers:",
             "warps spend at least 2 % of their lives there under `lrr`.", ""]
    text += claims(d) + [""] + other_claims(d)
    text += ["", "### Does `pro_dyn` decide?", ""] + pro_dyn(d)
    text += ["", "### Every workload", "",
             "IPC relative to `lrr`. Long: off-chip accesses among the instructions; barrier, exit: shares of",
             "the warps' lives, under `lrr`.", ""] + full_table(d)
    return text + ["", END]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--heddle", default=os.path.join(ROOT, "heddle"))
    p.add_argument("--size", default="small")
    p.add_argument("--results", default=os.path.join(ROOT, "build", "comparison.json"))
    p.add_argument("--write", default=os.path.join(ROOT, "docs", "comparison.md"))
    p.add_argument("--only-report", action="store_true")
    args = p.parse_args()
    args.heddle = os.path.abspath(args.heddle)
    results = {}
    if os.path.exists(args.results):
        with open(args.results, encoding="utf-8") as f:
            results = json.load(f)
    if not args.only_report:
        measure(args, results)
    d = Data(results, args.size)
    if not d.names:
        print("no workload has been run under all policies yet", file=sys.stderr)
        return 1
    with open(args.write, encoding="utf-8") as f:
        head, _, tail = f.read().partition(BEGIN)
    with open(args.write, "w", encoding="utf-8") as f:
        f.write(head + "\n".join(report(d, args.size)) + tail.partition(END)[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
