#!/usr/bin/env python3
# verdicts.py - writes docs/results/verdicts.md: each claim of the papers under all readings, in one table.
#
#   tools/verdicts.py             print the page
#   tools/verdicts.py --write     write it (make verdicts)
#
# It reads the pages of readings in docs/results/ and docs/results/paper/ (lfws-readings.md and so on), which
# `heddle paper NAME --readings --markdown FILE` writes. A claim is reproduced if it agrees under every reading
# tried that can move it, at every size with such a page; not reproduced if under none; else under a condition.
import os
import re
import sys

FOLDER = "docs/results"
SIZES = [("small", FOLDER), ("paper", FOLDER + "/paper")]
PAPERS = ["lfws", "pro", "baws", "elf", "laser"]
NAMES = {"lfws": "LFWS", "pro": "PRO", "baws": "BAWS", "elf": "ELF", "laser": "LASER"}
# At most so many readings are named as a condition; of more, the number.
MOST_NAMED = 4


def cells(line):
    return [c.strip() for c in line.strip().strip("|").split("|")]


def rows(lines, header):
    """The rows of all tables that begin with this header, as dictionaries by column."""
    found = []
    for at, line in enumerate(lines):
        if not line.startswith(header):
            continue
        columns = cells(line)
        for row in lines[at + 2:]:
            if not row.startswith("|"):
                break
            found.append(dict(zip(columns, cells(row))))
    return found


class Page:
    """One page of readings: claims in order, and for each the readings under which it agrees."""

    def __init__(self, path):
        lines = open(path, encoding="utf-8").read().split("\n")
        self.claims = {r["CLAIM"]: r for r in rows(lines, "| CLAIM | OF |")}
        self.agree, self.differ = {}, {}
        for r in rows(lines, "| CLAIM | READING |"):
            into = self.agree if r["VERDICT"].startswith("agrees") else self.differ
            into.setdefault(r["CLAIM"], []).append(r["READING"])

    def counts(self, claim):
        agree, of = re.match(r"(\d+) of (\d+)", self.claims[claim]["AGREE"]).groups()
        return int(agree), int(of)


def named(readings):
    if len(readings) <= MOST_NAMED:
        return ", ".join("`%s`" % r for r in readings)
    return "%d readings" % len(readings)


def condition(page, claim):
    """When the claim agrees, in words."""
    agree, of = page.counts(claim)
    yes, no = page.agree.get(claim, []), page.differ.get(claim, [])
    if agree in (0, of):
        return "not checked" if not of else "always" if agree else "never"
    return "except under " + named(no) if len(no) <= len(yes) else "under " + named(yes)


def range_of(page, claim):
    r = page.claims[claim]
    if not r["DEFAULT"]:
        return "not checked"
    return "%s (%s to %s), %s" % (r["DEFAULT"], r["LEAST"], r["MOST"], r["AGREE"])


def kind(pages, claim):
    """0 reproduced, 1 under a condition, 2 not, 3 not checked."""
    counts = [p.counts(claim) for p in pages if claim in p.claims]
    counts = [c for c in counts if c[1]]
    if not counts:
        return 3
    if all(a == n for a, n in counts):
        return 0
    return 2 if all(a == 0 for a, n in counts) else 1


TITLES = [
    "reproduced under every reading tried",
    "reproduced under a condition",
    "not reproduced under any reading tried",
    "not checked",
]


def table(sizes, claims, conditions):
    head = ["CLAIM", "OF", "PAPER"] + ["SIZE %s" % s.upper() for s, _ in sizes] + ["MOVED MOST BY"]
    if conditions:
        head.append("AGREES")
    out = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for claim in claims:
        own = [p.claims[claim] for _, p in sizes if claim in p.claims]
        # How many cells of a table the paper has depends on the size.
        row = [claim, own[0]["OF"], ", ".join(dict.fromkeys(c["PAPER"] for c in own))]
        row += [range_of(p, claim) if claim in p.claims else "" for _, p in sizes]
        # The size of the inputs is an axis of its own. The last page speaks, that of the largest inputs, unless only
        # the default was tried there.
        tried = [c for c in own if not re.search(r"\bof [01]$", c["AGREE"])] or own
        row.append(tried[-1]["MOVED MOST BY"])
        if conditions:
            row.append("; ".join("%s: %s" % (s, condition(p, claim))
                                 for s, p in sizes if claim in p.claims))
        out.append("| " + " | ".join(row) + " |")
    return out


def summary(found):
    out = ["| paper | sizes | reproduced | under a condition | not reproduced | not checked |",
           "|---|---|--:|--:|--:|--:|"]
    for name, sizes, kinds in found:
        out.append("| [%s](#%s) | %s | %s |" % (NAMES[name], name, ", ".join(s for s, _ in sizes),
                                                " | ".join(str(len(k)) for k in kinds)))
    return out


def main():
    found = []
    for name in PAPERS:
        sizes = [(s, Page(path)) for s, path in ((s, "%s/%s-readings.md" % (f, name)) for s, f in SIZES)
                 if os.path.exists(path)]
        if not sizes:
            continue
        order = list(dict.fromkeys(c for _, p in sizes for c in p.claims))
        pages = [p for _, p in sizes]
        found.append((name, sizes, [[c for c in order if kind(pages, c) == k] for k in range(4)]))
    page = [
        "# Which claims of the papers hold, under which readings",
        "",
        "*Reference: every claim that needs a run, under all readings tried. `tools/verdicts.py` writes this page (`make",
        "verdicts`) from the pages of readings; [README.md](README.md) says what they mean together.*",
        "",
        "A claim is *reproduced* if it agrees under every reading that can move it, with inputs of every size that was tried; *not",
        "reproduced* if it agrees under none; else *under a condition*, which the last column names. A column SIZE has our number under the",
        "default reading, in brackets the least and the greatest number of all readings, and how many readings agree. The pages of readings",
        "say what each reading changes, and when two numbers count as equal. A paper without such a page is not here.",
        "",
    ] + summary(found)
    for name, sizes, kinds in found:
        page += ["", "## %s" % NAMES[name], "", "From %s." % " and ".join(
            "[%s-readings.md](%s%s-readings.md)" % (name, "" if s == "small" else "paper/", name) for s, _ in sizes)]
        for k, claims in enumerate(kinds):
            if claims:
                page += ["", "### %s: %s" % (NAMES[name], TITLES[k]), ""]
                page += table(sizes, claims, k == 1)
    text = "\n".join(page) + "\n"
    if sys.argv[1:] == ["--write"]:
        open(FOLDER + "/verdicts.md", "w", encoding="utf-8").write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    main()
