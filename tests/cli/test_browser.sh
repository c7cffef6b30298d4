#!/usr/bin/env bash
# The page of --html in a real browser: it loads without an error and without asking for anything
# from elsewhere, keys and the pointer move, zoom and open details, which name the right PTX line; at
# the width of a desk and of a phone, light and dark. Skipped where there is no chromium.
. tests/shared/cases.sh

if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then
    skip "the page in a browser" "there is no chromium (apt-get install chromium)"
    finish
fi

cat >"$work/mix.cu" <<'CU'
// a source line
in[i] waits </script><b>here
CU
cat >"$work/mix.ptx" <<PTX
.version 2.3
.target sm_20
.address_size 64
.file 1 "$work/mix.cu"
.visible .entry mix(.param .u64 in)
{
    .reg .u64 %rd<4>;
    .reg .u32 %r<5>;
    .loc 1 1 0
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    .loc 1 2 0
    ld.global.u32 %r2, [%rd3];
    add.u32 %r3, %r2, 1;
    st.global.u32 [%rd3], %r3;
    exit;
}
PTX
printf 'ptx mix.ptx\nbuf A 4096 zero\nlaunch mix 8 1 1 128 1 1 0 p:A\n' >"$work/mix.job"
line=$(grep -n 'add.u32 %r3' "$work/mix.ptx" | cut -d: -f1)

cat >"$work/look.py" <<'PY'
import sys

sys.path.insert(0, "tests/shared")
from browser import Browser  # noqa: E402

RUN, TWO, LINE = sys.argv[1], sys.argv[2], sys.argv[3]
number = failed = 0


def ok(name, good, shown=""):
    global number, failed
    number += 1
    failed += not good
    print("ok" if good else "not ok", number, "-", name)
    if not good:
        print("#", str(shown)[:600].replace("\n", "\n# "))


def shown(b):
    return b.ask("document.querySelector('.details').hidden ? '' : document.querySelector('.details').innerText")


def span(b):
    return b.ask("document.querySelector('.where').textContent")


# Where, in the window, the middle of the longest piece that waits for memory is.
FIND = """(() => {
  const data = readCycles(), run = data.runs[0], sm = run.sms[0];
  const groups = run.states.map(([s]) => data.words.groups[data.words.states[s].group].name);
  const panel = makePanel(data, run, 0);
  let best = null;
  panel.rows.forEach((row, number) => {
    for (let i = 0; i < row.n && !row.scheduler; i++) {
      const cycles = row.starts[i + 1] - row.starts[i];
      if (groups[row.whats[i]] === "memory" && (!best || cycles > best.cycles))
        best = { number, cycles, middle: row.starts[i] + cycles / 2, schedulers: sm.schedulers.length };
    }
  });
  const canvas = document.querySelectorAll(".panel canvas")[1];
  canvas.scrollIntoView({ block: "center" });
  const box = canvas.getBoundingClientRect(), wide = window.matchMedia("(min-width: 40.01rem)").matches;
  const rows = panel.rows.length;
  const height = Math.min(16, Math.max(9, Math.floor((wide ? 480 : 360) / rows)));
  const y = 20 + best.schedulers * 15 + 6 + (best.number - best.schedulers) * (height + 1) + height / 2;
  const x = 34 + (best.middle - run.window.first) / (run.window.end - run.window.first) * (box.width - 34);
  return { x: box.x + x, y: box.y + y, cycles: best.cycles };
})()"""

LUMINANCE = """(() => {
  const parts = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
  return (parts[0] + parts[1] + parts[2]) / 3;
})()"""

# What of the page is wider than the window and does not scroll by itself.
TOO_WIDE = """document.documentElement.scrollWidth > window.innerWidth"""


def look(b, width, height, dark):
    where = f"{width} pixels, {'dark' if dark else 'light'}: "
    b.show(RUN, width, height, dark)
    ok(where + "no complaint", not b.complaints(), b.complaints())
    ok(where + "nothing is too wide", not b.ask(TOO_WIDE), b.ask("document.documentElement.scrollWidth"))
    ok(where + "the colours of the mode", (b.ask(LUMINANCE) < 60) == dark, b.ask(LUMINANCE))
    at = b.ask(FIND)
    b.click(at["x"], at["y"])
    text = shown(b)
    ok(where + "a click on a wait for memory names the PTX line", f"{LINE}: add.u32 %r3" in text, text)
    ok(where + "and its words stay text", "</script><b>" in text and not b.ask("document.querySelector('.details b')"), text)
    ok(where + "and the source line", "mix.cu:2" in text.replace("\n", "") and "in[i] waits </script><b>here" in text, text)
    b.key("Escape")
    ok(where + "Escape closes the details", shown(b) == "")
    ok(where + "and the focus is back", b.ask("document.activeElement.tagName") == "CANVAS")


def keys(b):
    b.show(RUN, 1280, 900, False)
    for _ in range(40):
        b.key("Tab")
        if b.ask("document.activeElement.tagName") == "CANVAS":
            break
    ok("Tab comes to the picture", b.ask("document.activeElement.tagName") == "CANVAS")
    ok("which shows the focus", b.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid")
    whole = span(b)
    b.key("+", "+")
    near = span(b)
    ok("+ zooms in", near != whole, near)
    b.key("ArrowRight")
    ok("an arrow moves", span(b) not in (near, whole), span(b))
    b.key("ArrowLeft")
    ok("and back", span(b) == near, span(b))
    b.key("-", "-")
    ok("- zooms out", span(b) == whole, span(b))
    b.key("+", "+")
    b.key("0", "0")
    ok("0 shows all cycles", span(b) == whole, span(b))
    b.key("ArrowDown")
    b.key("Enter", "\r")
    text = shown(b)
    ok("Enter opens details", "Warp slot" in text, text)
    ok("which have the focus", b.ask("document.activeElement.className") == "details")
    b.key("Escape")
    ok("Escape closes them", shown(b) == "")
    for _ in range(30):
        b.key("ArrowRight", shift=True)
    said = b.ask("document.querySelector('.unseen[aria-live]').textContent")
    ok("the pieces of a row are said one by one", "warp" in said and "cycle" in said, said)
    b.ask("document.querySelector('.cycles summary + div').parentElement.open = true")
    b.settle()
    rows = b.ask("document.querySelectorAll('.cycles details table tbody tr').length")
    ok("and stand in a table", rows > 3, rows)
    b.ask("document.querySelector('.legend button[data-name=memory]').click()")
    ok("a state can be shown alone",
       b.ask("document.querySelector('.legend button[data-name=memory]').getAttribute('aria-pressed')") == "true")
    ok("no complaint after all that", not b.complaints(), b.complaints())


def two(b):
    b.show(TWO, 1280, 900, False)
    ok("two policies, two pictures", b.ask("document.querySelectorAll('.panel').length") == 2)
    heads = b.ask("[...document.querySelectorAll('.panel h3')].map(h => h.textContent).join()")
    ok("of the right policies", "lrr" in heads and "gto" in heads, heads)
    b.ask("[...document.querySelectorAll('.bar button')].find(b => b.textContent === 'Side by side').click()")
    b.settle()
    tops = b.ask("[...document.querySelectorAll('.panel')].map(p => Math.round(p.getBoundingClientRect().top))")
    ok("side by side", tops[0] == tops[1], tops)
    sums = b.ask("""(() => {
      const runs = readCycles().runs, text = document.querySelector(".cycles table:has(td.words)").innerText;
      return runs.every(run => Object.values(run.totals).every(n => text.includes(n.toLocaleString("en-US"))));
    })()""")
    ok("the table has the sums of both", sums)
    ok("no complaint about two", not b.complaints(), b.complaints())


b = Browser()
try:
    for width, height in ((1280, 900), (390, 844)):
        for dark in (False, True):
            look(b, width, height, dark)
    keys(b)
    two(b)
finally:
    b.close()
print(f"1..{number}")
sys.exit(failed > 0)
PY

"$heddle" run "$work/mix.job" --quiet --html "$work/run.html" || exit 1
"$heddle" compare "$work/mix.job" --sched lrr,gto --quiet --html "$work/two.html" || exit 1
/usr/bin/python3 -B "$work/look.py" "$work/run.html" "$work/two.html" "$line"
