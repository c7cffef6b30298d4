#!/usr/bin/env python3
"""quaint.py - finds the phrases of tools/quaint.txt in documentation, comments and strings.

usage: tools/quaint.py [--write]
Run by tools/check-text.sh. Exit status 1 if documentation has a phrase, or if the comments and strings of
src/ and include/ have another number of them than the list says; --write lowers the numbers in the list.
"""
import os
import re
import sys

sys.dont_write_bytecode = True  # no file beside the sources
import tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "tools/quaint.txt")
AROUND = 15
# Written by programs, or by other people; the glossary lists words to avoid.
NOT_READ = ("docs/results/", "docs/programs.md", "bench/", "tools/suites/", "docs/glossary.md")


def prose(text):
    """A page without what is code, line by line."""
    text = re.sub(r"^```.*?^```$", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text).split("\n")


def words_of(line):
    """The comment and the strings of a line of C."""
    code = re.sub(r'"((?:[^"\\]|\\.)*)"', '""', line)
    comment = re.search(r"//.*", code)
    strings = [] if line.lstrip().startswith(("#include", "//")) else re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    return strings + ([comment.group(0)] if comment else [])


class Phrase:
    def __init__(self, line, number):
        parts = [p.strip() for p in line.split(" | ")]
        if len(parts) != 4 or not parts[3].isdigit():
            sys.exit("%s:%d: expected PATTERN | BUT NOT | INSTEAD | LEFT" % (LIST, number))
        self.instead, self.left = parts[2], int(parts[3])
        self.pattern = re.compile(parts[0], re.I if parts[0].islower() else 0)
        self.but = re.compile(parts[1]) if parts[1] != "-" else None
        self.line, self.found = number, []

    def hits(self, text):
        for m in self.pattern.finditer(text):
            if not self.but or not self.but.search(text[max(0, m.start() - AROUND):m.end() + AROUND]):
                yield m.group(0)


def phrases():
    with open(LIST, encoding="utf-8") as f:
        lines = f.read().split("\n")
    return lines, [Phrase(x, i + 1) for i, x in enumerate(lines) if x and not x.startswith("#")]


def main():
    write = sys.argv[1:] == ["--write"]
    lines, known = phrases()
    bad = 0
    for name in tree.files(ROOT):
        page = name.endswith(".md") and not name.startswith(NOT_READ)
        source = name.startswith(("src/", "include/")) and name.endswith((".c", ".h", ".def"))
        if not page and not source:
            continue
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            text = f.read()
        for number, line in enumerate(prose(text) if page else text.split("\n"), 1):
            for piece in [line] if page else words_of(line):
                for phrase in known:
                    for hit in phrase.hits(piece):
                        where = "%s:%d: '%s': write %s" % (name, number, hit.strip(), phrase.instead)
                        if page:
                            bad = 1
                            print(where)
                        else:
                            phrase.found.append(where)
    for phrase in known:
        n = len(phrase.found)
        if write and n != phrase.left:
            lines[phrase.line - 1] = re.sub(r"\d+$", str(n), lines[phrase.line - 1])
        elif n > phrase.left:
            bad = 1
            print("\n".join(phrase.found))
            print("tools/quaint.txt:%d: src/ has this phrase %d times, %d are listed: mend the new ones" %
                  (phrase.line, n, phrase.left))
        elif n < phrase.left:
            bad = 1
            print("tools/quaint.txt:%d: only %d of %d are left: tools/check-text.sh --write lowers the number" %
                  (phrase.line, n, phrase.left))
    if write:
        with open(LIST, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
    return bad


if __name__ == "__main__":
    sys.exit(main())
