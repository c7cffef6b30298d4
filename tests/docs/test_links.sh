#!/usr/bin/env bash
# The documentation hangs together: every relative link of a page leads to a file, and to a heading where
# it names one; every page of docs/ can be reached from docs/README.md and says in its third line which
# kind of page it is; README.md names every folder of src/; a page that a source names exists. A workload has
# all of its files, and a row in the table of costs.
. tests/shared/tap.sh
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

pages() {
    python3 -B - "$@" <<'PYTHON'
import os, re, sys

sys.path.insert(0, "tools")
import tree

KIND = re.compile(r"\*(Tutorial|How-to|Reference|Explanation)\b")
WRITTEN = ("docs/results/",)  # written by heddle itself, as reports of its runs
bad = 0


def complain(text):
    global bad
    bad = 1
    print(text)


def slugs(text):
    """The anchors that GitHub gives to the headings of a page."""
    seen, found = {}, set()
    for heading in re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), flags=re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        n = seen[slug] = seen.get(slug, -1) + 1
        found.add(slug if n == 0 else "%s-%d" % (slug, n))
    return found


def links(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))


listed = tree.files(".")
texts = {}
for name in listed:
    if name.endswith(".md"):
        with open(name, encoding="utf-8") as f:
            texts[os.path.normpath(name)] = f.read()
goes_to = {name: set() for name in texts}
for name, text in texts.items():
    for link in links(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if not os.path.exists(target):
            complain("%s: a link leads to %s, which does not exist" % (name, link))
            continue
        goes_to[name].add(target)
        if anchor and anchor not in slugs(texts.get(target, "")):
            complain("%s: a link leads to %s, and %s has no such heading" % (name, link, target))
# Sources, scripts and messages name pages too.
for name in listed:
    if name.endswith((".c", ".h", ".def", ".cu", ".py", ".json", ".ini")):
        with open(name, encoding="utf-8", errors="replace") as f:
            for page in set(re.findall(r"\bdocs/[\w/-]+\.md\b", f.read())):
                if not os.path.exists(page):
                    complain("%s names %s, which does not exist" % (name, page))
reached, todo = set(), ["docs/README.md"]
while todo:
    page = todo.pop()
    if page not in reached:
        reached.add(page)
        todo += [p for p in goes_to[page] if p.startswith("docs/") and p in texts]
for name, text in texts.items():
    if not name.startswith("docs/"):
        continue
    if name not in reached:
        complain("%s: no chain of links leads there from docs/README.md" % name)
    third = (text.split("\n") + ["", "", ""])[2]
    if not KIND.match(third) and not name.startswith(WRITTEN):
        complain("%s: the third line does not begin with *Tutorial, *How-to, *Reference or *Explanation" % name)
readme = texts["README.md"]
for folder in sorted(os.listdir("src")):
    if os.path.isdir("src/" + folder) and "`src/%s`" % folder not in readme:
        complain("README.md: its table of folders does not name src/%s" % folder)
costs = texts["workloads/README.md"]
for name in sorted(os.listdir("workloads")):
    at = "workloads/%s/" % name
    if not os.path.exists(at + "host.c"):
        continue
    for file in ("kernel.cu", "README.md"):
        if not os.path.exists(at + file):
            complain("%s is missing" % (at + file))
    defined = re.findall(r"^const struct hd_workload hd_workload_(\w+)", open(at + "host.c").read(), re.M)
    dynamic = ".dynamic = true" in open(at + "host.c").read()
    for ending in (".sm_75.ptx", ".sm_75.regs") + (() if dynamic else (".sm_20.ptx",)):
        if not os.path.exists(at + name + ending):
            complain("%s%s%s is missing; tools/workloads-ptx.sh %s makes it" % (at, name, ending, name))
    for one in defined:
        if "\n| %s |" % one not in costs:
            complain("workloads/README.md: its table of costs has no row for %s" % one)
sys.exit(bad)
PYTHON
}
ok "links, kinds of pages and indexes" pages
finish
