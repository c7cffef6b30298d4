#!/usr/bin/env python3
# headlines.py - fills the tables of docs/results/README.md from the pages of results and of readings.
#
#   tools/headlines.py             print the page
#   tools/headlines.py --write     write it (make verdicts)
#
# A table stands between the lines `<!-- NAME: ... -->` and `<!-- end -->`; what is between them is replaced. The text
# outside these tables has no measured number (tests/docs/test_headlines.sh): those are here, and nowhere by hand.
import os
import re
import sys

from verdicts import FOLDER, NAMES, PAPERS, SIZES, Page, rows

PAGE = FOLDER + "/README.md"
LIST = FOLDER + "/headlines.txt"


def fail(why):
    sys.exit("headlines.py: %s" % why)


class Results:
    """One page of results: its claims by id, and how many have which verdict."""

    def __init__(self, path):
        text = open(path, encoding="utf-8").read()
        self.claims = {r["CLAIM"]: r for r in rows(text.split("\n"), "| CLAIM | OF |")}

    def count(self, verdict):
        return sum(c["VERDICT"].startswith(verdict) for c in self.claims.values())


def pages(name, kind, suffix):
    """By size, the pages of a paper that are there."""
    found = {size: "%s/%s%s.md" % (folder, name, suffix) for size, folder in SIZES}
    return {size: kind(path) for size, path in found.items() if os.path.exists(path)}


def link(name, size, suffix=""):
    folder = dict(SIZES)[size][len(FOLDER):].lstrip("/")
    return "%s%s%s.md" % (folder + "/" if folder else "", name, suffix)


def table(head, align, body):
    lines = ["| " + " | ".join(row) + " |" for row in [head] + body]
    return lines[:1] + ["|" + "|".join(align) + "|"] + lines[1:]


def headlines():
    found, body, last = {p: pages(p, Results, "") for p in PAPERS}, [], None
    tried = {p: pages(p, Page, "-readings") for p in PAPERS}
    for number, line in enumerate(open(LIST, encoding="utf-8"), 1):
        if line.startswith("#") or not line.strip():
            continue
        name, claim, words = line.split(None, 2)
        if name not in found:
            fail("%s:%d: no paper '%s'" % (LIST, number, name))
        own = [found[name][s].claims.get(claim) for s in found[name]]
        if not any(own):
            fail("%s:%d: %s has no claim '%s'" % (LIST, number, name, claim))
        row = ["" if name == last else NAMES[name], words.strip(), next(c["PAPER"] for c in own if c)]
        for size, _ in SIZES:
            c = found[name].get(size) and found[name][size].claims.get(claim)
            row += [c["OURS"], c["VERDICT"]] if c else ["", ""]
        row.append("; ".join("%d of %d" % p.counts(claim) for p in tried[name].values()
                             if claim in p.claims and p.counts(claim)[1]))
        body.append(row)
        last = name
    head = ["paper", "statement", "published"]
    for size, _ in SIZES:
        head += ["size " + size, "verdict"]
    return table(head + ["readings that agree"], ["---", "---", "--:"] + ["--:", "---"] * len(SIZES) + ["---"], body)


COUNTED = [("agrees", "agree"), ("smaller", "smaller"), ("larger", "larger"), ("differs", "differ")]


def counts():
    body = []
    for name in PAPERS:
        readings = pages(name, Page, "-readings")
        for size, page in pages(name, Results, "").items():
            counted = [page.count(verdict) for verdict, _ in COUNTED]
            row = ["[%s, size %s](%s)" % (NAMES[name], size, link(name, size)), str(len(page.claims))]
            row += [str(n) for n in counted] + [str(len(page.claims) - sum(counted))]
            row.append("[readings](%s)" % link(name, size, "-readings") if size in readings else "")
            body.append(row)
    head = ["page", "claims"] + [words for _, words in COUNTED] + ["not checked", "under every reading"]
    return table(head, ["---"] + ["--:"] * (len(COUNTED) + 2) + ["---"], body)


TABLES = {"headlines": headlines, "counts": counts}


def filled(text):
    def replace(m):
        if m.group(2) not in TABLES:
            fail("%s: no table '%s'" % (PAGE, m.group(2)))
        return "%s\n\n%s\n\n<!-- end -->" % (m.group(1), "\n".join(TABLES[m.group(2)]()))

    return re.sub(r"(<!-- (\w+): [^\n]*-->)\n.*?<!-- end -->", replace, text, flags=re.S)


def main():
    text = filled(open(PAGE, encoding="utf-8").read())
    if sys.argv[1:] == ["--write"]:
        open(PAGE, "w", encoding="utf-8").write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    main()
