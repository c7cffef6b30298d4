#!/usr/bin/env python3
"""check-sentences.py - sentences of the pages and of the comments in headers have at most 45 words.

Pages: README.md, CONTRIBUTING.md and docs/*.md, without blocks of code, and each cell of a table for itself.
Pages that the program writes are left out: their texts stand in the sources. Comments: those of include/ and
of headers in src/. Code in backquotes counts as one word; a list after a colon counts with its sentence, and
a list item is one of its own.
"""
import glob
import re
import sys

MOST = 45
WRITTEN = {"docs/statistics.md", "docs/gpgpusim-options.md", "docs/commands.md"}


def sentences(text):
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"\b(e\.g|i\.e|et al|vs|No|Fig|Sec|cf)\. ", r"\1 ", text)
    return re.split(r"(?<=[.!?])(?:[\"')\]*]*)\s+", text)


def words(sentence):
    return len(re.findall(r"[^\s|]*[A-Za-z0-9][^\s|]*", sentence))


def paragraphs(lines):
    """(line number, text) of each paragraph, list item and cell."""
    text, first, code = "", 0, False
    for number, line in enumerate(lines + [""], 1):
        if line.lstrip().startswith("```"):
            code = not code
            line = ""
        if code:
            line = ""
        item = re.match(r"\s*([-*]|\d+\.) ", line)
        if not line.strip() or item or line.startswith(("#", "|", "    ")):
            if text:
                yield first, text
            text = ""
        if line.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line):
                yield number, cell
        elif line.strip() and not line.startswith("    "):
            first = first if text else number
            text += " " + line.strip()


def comments(lines):
    out = []
    for line in lines:
        at = re.match(r"\s*// ?(.*)", line)
        # What is indented in a comment is a table or an example.
        out.append(at.group(1) if at and not at.group(1).startswith("  ") else "")
    return out


def main():
    bad = 0
    pages = sorted(glob.glob("README.md") + glob.glob("CONTRIBUTING.md") + glob.glob("docs/*.md"))
    headers = sorted(glob.glob("include/**/*.h", recursive=True) + glob.glob("src/**/*.h", recursive=True))
    for name in pages + headers:
        if name in WRITTEN:
            continue
        lines = open(name, encoding="utf-8").read().split("\n")
        for number, text in paragraphs(lines if name.endswith(".md") else comments(lines)):
            for sentence in sentences(text):
                if words(sentence) > MOST:
                    print("%s:%d: a sentence of %d words: %.100s..." % (name, number, words(sentence), sentence.strip()))
                    bad = 1
    sys.exit(bad)


if __name__ == "__main__":
    main()
