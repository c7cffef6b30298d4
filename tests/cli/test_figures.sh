#!/usr/bin/env bash
# Figures by gnuplot, and the HTML page that needs nothing else.
. tests/shared/cases.sh
export LC_ALL=C
mkdir "$work/bin" # a PATH without gnuplot
for tool in env bash; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
compare=("$heddle" compare vecadd scan --sched lrr,gto --quiet --db "$work/c.db")
"${compare[@]}"

# What is wrong with a page: tags that don't match, a thing of the network, no title.
page() {
    /usr/bin/python3 - "$1" "$2" <<'PYTHON'
import re, sys
from html.parser import HTMLParser
text = open(sys.argv[1], encoding="utf-8").read()
stack, seen, bad = [], {}, []
class P(HTMLParser):
    def handle_starttag(self, tag, attrs):
        seen[tag] = seen.get(tag, 0) + 1
        if tag not in ("meta", "br", "path", "use", "circle"): stack.append(tag)
        for k, v in attrs:
            if k in ("src", "href", "xlink:href") and not (v or "").startswith("#"): bad.append((tag, k, v))
    def handle_startendtag(self, tag, attrs): seen[tag] = seen.get(tag, 0) + 1
    def handle_endtag(self, tag):
        if tag in ("path", "use", "circle"): return
        if not stack or stack.pop() != tag: bad.append(("end", tag))
P().feed(text)
if stack: bad.append(("open", stack))
if re.search(r"@import|url\((?!['\"]?#)", text): bad.append("style")
if seen.get("svg", 0) != int(sys.argv[2]): bad.append(("figures", seen.get("svg")))
if not seen.get("title") or "viewport" not in text or "prefers-color-scheme" not in text: bad.append("head")
print(bad)
sys.exit(bool(bad))
PYTHON
}

case_is "without gnuplot a figure is refused" 2 "err:drawn by gnuplot, which is missing" \
    "err:apt-get install gnuplot-nox" -- env PATH="$work/bin" "${compare[@]}" --plot "$work/none.svg"
ok "and there is no file" test ! -e "$work/none-ipc.svg"
case_is "without gnuplot the page says so" 0 "err:gnuplot, which is missing" -- \
    env PATH="$work/bin" "${compare[@]}" --html "$work/plain.html"
ok "and is whole" page "$work/plain.html" 0
ok "with the words" grep -q "No figure here: figures are drawn by gnuplot" "$work/plain.html"
case_is "a figure of another kind" 2 "err:expected a name that ends in .svg or .pdf" -- \
    "${compare[@]}" --plot "$work/a.png"
case_is "a paper without figures" 2 "err:there is no figure to draw" -- \
    "$heddle" paper lfws --figure fig1 --quiet --plot "$work/a.svg"

base() { # OPTION: what the rows of the CSV are related to, as their places
    "${compare[@]}" --set l1d.ways=4,8 "$@" --csv "$work/b.csv" &&
        awk -F, 'NR > 1 && $8 == 1 { printf "%s%s ", $3, substr($9, 10) } END { print "" }' "$work/b.csv"
}
ok "without --base: the first scheduler on each machine" test "$(base)" = "lrr4 lrr8 lrr4 lrr8 "
ok "another scheduler" test "$(base --base gto)" = "gto4 gto8 gto4 gto8 "
case_is "a machine" 0 "out:lrr on l1d.ways=8" -- "$heddle" compare matmul --sched lrr,gto --set l1d.ways=4,8 \
    --base @l1d.ways=8
case_is "both" 0 "out:/ gto on l1d.ways=4" "out:0.899" -- "$heddle" compare matmul --sched lrr,gto \
    --set l1d.ways=4,8 --base gto@l1d.ways=4
case_is "no such scheduler" 2 "err:'gt0' is not one of the schedulers compared" "err:did you mean 'gto'" -- \
    "${compare[@]}" --base gt0
case_is "no such machine" 2 "err:'gtx48' is not one of the machines compared" "err:did you mean 'gtx480'" -- \
    "${compare[@]}" --base lrr@gtx48
case_is "means are rows" 0 "out:arithmetic mean  lrr" "out:geometric mean   lrr" -- \
    "$heddle" compare vecadd scan --sched lrr,gto --db "$work/c.db"

if ! command -v gnuplot >/dev/null; then
    skip "figures" "gnuplot is not installed"
    finish
fi
case_is "SVG" 0 silent -- "${compare[@]}" --plot "$work/c.svg"
ok "two of them" test -s "$work/c-ipc.svg" -a -s "$work/c-stalls.svg"
ok "well-formed" /usr/bin/python3 -c 'import sys, xml.dom.minidom as m
[m.parse(f) for f in sys.argv[1:]]' "$work/c-ipc.svg" "$work/c-stalls.svg"
ok "with every name" bash -c "for t in vecadd scan lrr gto 'geometric mean'; do grep -q \">\$t<\" '$work/c-ipc.svg' || exit 1; done"
ok "with a title of its own" grep -q "<title>IPC relative to lrr, on gtx480[^<]*</title>" "$work/c-ipc.svg"
ok "with the value on each bar" test "$(grep -c '>1\.000<' "$work/c-ipc.svg")" -ge 4
ok "each workload once" test "$(grep -c '>vecadd<' "$work/c-stalls.svg")" -eq 1 -a \
    "$(grep -c '>gto<' "$work/c-stalls.svg")" -eq 2
case_is "files are named" 0 "err:heddle: wrote $work/n-ipc.svg" "err:heddle: wrote $work/n-stalls.svg" \
    "err:heddle: wrote $work/n.html" -- "$heddle" compare vecadd scan --sched lrr,gto \
    --db "$work/c.db" --plot "$work/n.svg" --html "$work/n.html"

# Long labels make a figure higher, not its plot lower.
"$heddle" compare vecadd scan --sched lrr,two_level_active:active=6 --set l1d.ways=4,8 --quiet \
    --db "$work/c.db" --plot "$work/long.svg"
heights() { # of the axis from 0 to 100, and of the figure
    /usr/bin/python3 - "$1" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
y = {t: float(v) for v, t in re.findall(r'translate\([\d.]+,([\d.]+)\)"[^<]*<text> ?(0|100)<', text)}
print("%.0f" % (y["0"] - y["100"]), re.search(r'height="([\d.]+)"', text)[1])
PYTHON
}
read -r short_axis short_figure < <(heights "$work/c-stalls.svg")
read -r long_axis long_figure < <(heights "$work/long-stalls.svg")
ok "the plot is as high as ever" test "$long_axis" -eq 260 -a "$short_axis" -eq 260 -a \
    "$long_figure" -gt "$short_figure"
many=$("$heddle" list policies | awk 'NR > 1 && $2 ~ /sched/ { print $1 }' | head -n 25 | paste -sd,)
"$heddle" compare vecadd scan matmul transpose jacobi --sched "$many" --quiet --db "$work/c.db" --plot "$work/m.svg" \
    --html "$work/m.html"
"$heddle" compare vecadd scan matmul transpose jacobi --sched lrr,gto --quiet --db "$work/c.db" --plot "$work/lean.svg"
ok "an axis that does not begin at 0 says so" /usr/bin/python3 -c '
import re, sys
t = open(sys.argv[1]).read()
assert re.search(r", from 0\.\d+<", t) and not re.search(r"> ?0<", t)' "$work/m-ipc.svg"

ok "so does one that shows small differences" grep -q ">IPC / IPC of lrr, from 0\.[5-9][05]<" "$work/c-ipc.svg"
ok "names at the right edge are whole" /usr/bin/python3 -c '
import re, sys
t = open(sys.argv[1]).read()
width = float(re.search(r"width=\"([\d.]+)\"", t)[1])
x, angle = re.search(r"translate\(([\d.]+),[\d.]+\) rotate\(([\d.]+)\)\"[^<]*<text><tspan[^>]*>geometric mean<|" +
    r"translate\(([\d.]+),[\d.]+\) rotate\(([\d.]+)\)\"[^<]*<text>geometric mean<", t).group(3, 4)
assert float(angle) == 45 and float(x) + 0.71 * 7 * len("geometric mean") < width, (x, angle, width)' "$work/lean-ipc.svg"

# A sweep: groups of machines with a bar for each scheduler, and all of them related to one run.
sweep=("$heddle" compare vecadd scan --sched lrr,gto --set l1d.ways=2,4,8 --db "$work/c.db" --quiet)
case_is "a sweep" 0 silent -- "${sweep[@]}" --plot "$work/sweep.svg" --html "$work/sweep.html"
ok "has a figure with one base" grep -q ">IPC / IPC of lrr on l1d.ways=2" "$work/sweep-sweep.svg"
ok "and one with a base on each machine" grep -q ">IPC / IPC of lrr[,<]" "$work/sweep-ipc.svg"
ok "bars are named by the value of the key" test "$(grep -c '>8<' "$work/sweep-ipc.svg")" -eq 4 -a \
    "$(grep -c '>scan<' "$work/sweep-ipc.svg")" -eq 1 -a "$(grep -c '>gto<' "$work/sweep-ipc.svg")" -eq 1
ok "its page is whole" page "$work/sweep.html" 3
ok "with a table of ratios to one run, and their means" /usr/bin/python3 -c '
import re, sys
part = open(sys.argv[1]).read().split("<section id=\"sweep\">")[1].split("</section>")[0]
rows = [re.findall(r"<t[hd][^>]*>([^<]*)<", r) for r in re.findall(r"<tr>(.*?)</tr>", part)]
assert rows[0] == ["WORKLOAD", "l1d.ways", "lrr", "gto"], rows[0]
assert len(rows) == 1 + 4 * 3 and rows[1][:3] == ["vecadd", "2", "1.000"] and rows[4][0] == "scan", rows
assert rows[7][0] == "arithmetic mean" and rows[10][0] == "geometric mean" and "1.000" != rows[5][2], rows' "$work/sweep.html"
case_is "with a base that was chosen there is no other" 0 silent -- "${sweep[@]}" --base @l1d.ways=4 --html "$work/based.html"
ok "on the page" page "$work/based.html" 2

# What takes cycles has one colour in figures and in the interactive part.
ok "one palette" /usr/bin/python3 -c '
import re, sys
svg, page = (open(f).read() for f in sys.argv[1:])
for word in ("issued", "idle", "scoreboard", "pipeline", "inactive"):
    colours = re.findall(r"--%s:#([0-9a-f]{6})" % word, page)
    assert len(colours) == 2 and colours[0] != colours[1], (word, colours)
    fill = "rgb(%3d, %3d, %3d)" % tuple(bytes.fromhex(colours[0]))
    assert "fill = \x27%s\x27" % fill in svg, (word, fill)
    assert "[fill=\x27%s\x27]{fill:var(--" % fill in page, word' "$work/c-stalls.svg" "$work/sweep.html"

# A long table is divided where a group begins, so that a wide page has it in columns.
ok "tables in columns" /usr/bin/python3 -c '
import re, sys
page = open(sys.argv[1]).read()
part = page.split("<section id=\"ipc\">")[1].split("</section>")[0]
tables = [[re.findall(r"<t[hd][^>]*>([^<]*)<", r) for r in re.findall(r"<tr>(.*?)</tr>", t)] for t in part.split("<table>")[1:]]
assert "class=\"columns\"" in part and len(tables) > 3, len(tables)
assert all(t[0] == tables[0][0] and t[1][0] for t in tables)
names = [r[0] for t in tables for r in t[1:] if r[0]]
assert names == ["vecadd", "scan", "matmul", "transpose", "jacobi", "arithmetic mean", "geometric mean"], names
assert sum(len(t) - 1 for t in tables) == 7 * 25' "$work/m.html"

cp "$work/c-ipc.svg" "$work/before.svg"
"${compare[@]}" --plot "$work/c.svg"
same "the same bytes again" "$work/before.svg" "$work/c-ipc.svg"
case_is "PDF" 0 silent -- "${compare[@]}" --plot "$work/c.pdf"
ok "is one" test "$(head -c 5 "$work/c-ipc.pdf")" = %PDF-
case_is "a page" 0 silent -- "${compare[@]}" --html "$work/c.html"
ok "with its figures, and nothing from elsewhere" page "$work/c.html" 2
ok "and how to repeat it" grep -q "heddle compare vecadd scan --sched lrr,gto --quiet" "$work/c.html"
ok "each run, too" grep -q "heddle run scan --sched gto" "$work/c.html"
cp workloads/kernels/vecadd/* "$work/"
cp "$work/vecadd.job" "$work/a<b>&\"c.job"
case_is "a name of odd characters" 0 silent -- "$heddle" compare "$work/a<b>&\"c.job" scan \
    --sched lrr,gto --quiet --html "$work/odd.html"
ok "is escaped" page "$work/odd.html" 2
ok "and there" grep -qF 'a&lt;b&gt;&amp;&quot;c' "$work/odd.html"
case_is "a paper's page" 0 silent -- "$heddle" paper lfws --figure fig1,table1 --quiet --html "$work/p.html"
ok "is whole" page "$work/p.html" 0
case_is "two results in one file" 2 "err:--csv and --html both go to" -- \
    "${compare[@]}" --csv "$work/x" --html "$work/x"

# A name may hold any bytes; the page and the figures in it are UTF-8 all the same.
bad=$'odd\xff\xc3\xa4\xed\xa0\x80\x01'
job "$bad" "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
case_is "a name that is no UTF-8" 3 -- "$heddle" compare "$work/$bad.job" vecadd --sched gto,lrr --quiet \
    --html "$work/odd.html" --plot "$work/odd.svg" --json "$work/odd.json"
ok "the page is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$work/odd.html"
ok "with the part of the name that is" grep -aqF $'odd\xef\xbf\xbd\xc3\xa4' "$work/odd.html"
ok "so are its figures" bash -c "cat '$work'/odd*.svg | iconv -f UTF-8 -t UTF-8 -o /dev/null"
ok "its JSON has all four runs" /usr/bin/python3 -c 'import json, sys
assert [r["workload"][:3] for r in json.load(open(sys.argv[1]))["runs"]] == ["odd", "odd", "vec", "vec"]' "$work/odd.json"
job novalue "buf A 128 zero" "launch poke 1 1 1 32 1 1 0 p:A i:64"
case_is "a sweep without any value" 3 "no:gnuplot" -- "$heddle" compare "$work/novalue.job" --sched lrr,gto \
    --set l1d.ways=2,4 --quiet --plot "$work/novalue.svg"
ok "has its figures all the same" test -s "$work/novalue-sweep.svg"
finish
