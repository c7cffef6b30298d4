#!/usr/bin/env bash
# The documentation shows what the program prints: every block of README.md and docs/ that begins with
# "$ ./heddle ..." or "$ heddle ..." is run and compared. A line "    ..." stands for any lines. With
# --write the blocks are brought up to date (`make golden`), those with "..." excepted. A block of "ini"
# that names a file of examples/ in its first line has that file's lines. A block of "c" of the tutorial whose
# first line is "// NAME.c - ..." is compiled, so that the page can load NAME.so. The pages of `heddle manual`
# have the bytes that it prints.
. tests/shared/tap.sh
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$(realpath "$HEDDLE")" "$work/heddle"
ln -s "$(realpath "$HEDDLE_BUILD")/examples/youngest.so" "$work/youngest.so"
ln -s "$PWD/workloads" "$PWD/examples" "$work/"
ln -s "$PWD/tests/accuracy/jobs" "$work/accuracy"
cp tests/docs/bad.job tests/docs/stuck.job tests/docs/*.ptx "$work/"

# docs FILE [--write]
docs() {
    python3 - "$work" "$@" <<'PYTHON'
import os, re, subprocess, sys

work, name, write = sys.argv[1], sys.argv[2], "--write" in sys.argv
text = open(name, encoding="utf-8").read()
environment = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="80")
bad = 0


def replace(block):
    global bad
    command, shown = block.group(1), block.group(2)
    run = re.sub(r"^(\./)?heddle", "./heddle", command)
    ran = subprocess.run(run, shell=True, cwd=work, env=environment, encoding="utf-8",
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    got = ran.stdout.rstrip("\n")
    pattern = re.escape(shown.rstrip("\n")).replace(re.escape("    ..."), r"(?s:.*)")
    if re.fullmatch(pattern, got):
        return block.group(0)
    # A command that newly fails is a mistake to mend, not output to show.
    fails = ran.returncode and re.search("^heddle: ", got, re.M) and not re.search("^heddle: ", shown, re.M)
    if write and "    ..." not in shown and not fails:
        print(f"{name}: updated: {command}")
        return f"```\n$ {command}\n{got}\n```"
    bad = 1
    print(f"{name}: $ {command}\nshows:\n{shown}\nprinted:\n{got}")
    return block.group(0)


new = re.sub(r"^```\n\$ ((?:\./)?heddle [^\n]*)\n(.*?)^```$", replace, text, flags=re.S | re.M)
if write and new != text:
    open(name, "w", encoding="utf-8").write(new)
sys.exit(bad)
PYTHON
}

# A machine file that a page shows is the one in examples/, and both can be copied.
listings() {
    python3 - "$1" <<'PYTHON'
import re, sys

text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"`(examples/[\w-]+\.ini)`[^\n]*\n\n```ini\n(.*?)^```$", text, flags=re.S | re.M)
assert blocks, "no listings"
for name, shown in blocks:
    assert open(name, encoding="utf-8").read() == shown, name + " has other lines than the page"
PYTHON
}

# The policies that a page lists are built from the page.
policies() {
    python3 - "$work" "$@" <<'PYTHON'
import os, re, subprocess, sys

work, name = sys.argv[1:3]
blocks = re.findall(r"^```c\n(// (\w+)\.c - .*?)^```$", open(name, encoding="utf-8").read(), flags=re.S | re.M)
assert blocks, "no listings"
for shown, policy in blocks:
    source = "%s/%s.c" % (work, policy)
    with open(source, "w", encoding="utf-8") as f:
        f.write(shown)
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                    "-Iinclude", source, "-o", source[:-1] + "so"], check=True)
PYTHON
}
if [ "${1:-}" = --write ]; then
    policies docs/tutorial-policy.md
else
    ok "the policies of docs/tutorial-policy.md compile" policies docs/tutorial-policy.md
fi
[ "${1:-}" = --write ] || ok "docs/machine.md shows the files of examples/" listings docs/machine.md

while read -r form page; do
    if [ "${1:-}" = --write ]; then
        "$HEDDLE" manual "$form" >"$work/page" && cmp -s "$work/page" "$page" || cp "$work/page" "$page"
    else
        "$HEDDLE" manual "$form" >"$work/page"
        same "$page is what heddle manual $form prints (make pages writes it)" "$page" "$work/page"
    fi
done <<'PAGES'
commands docs/commands.md
stats docs/statistics.md
gpgpusim docs/gpgpusim-options.md
PAGES

for page in README.md docs/*.md docs/results/*.md; do
    grep -q -E '^\$ (\./)?heddle ' "$page" || continue
    if [ "${1:-}" = --write ]; then
        docs "$page" --write
    else
        ok "$page shows what is printed" docs "$page"
    fi
done
[ "${1:-}" = --write ] || finish
