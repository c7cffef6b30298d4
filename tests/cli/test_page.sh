#!/usr/bin/env bash
# --html of run and compare: the data of the interactive part. Its sums are those of the run's JSON,
# its rows have no gap, it has the same bytes however the run was made, recording changes no result,
# and names from the user's files stay text.
. tests/shared/cases.sh

cat >"$work/page.py" <<'PY'
import json
import re
import sys
from html.parser import HTMLParser

CLASSES = ("issued", "idle", "scoreboard", "pipeline", "inactive")


class Scripts(HTMLParser):
    """The scripts of a page, as a browser finds them, and everything that is loaded from elsewhere."""
    def __init__(self, text):
        super().__init__()
        self.scripts, self.tags, self.outside, self.inside = [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")
        self.outside += [v for k, v in attributes if k in ("src", "srcset") or (k == "href" and not v.startswith("#"))]

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data

    def handle_endtag(self, tag):
        self.inside = False


def load(path):
    text = open(path, encoding="utf-8").read()
    page = Scripts(text)
    assert len(page.scripts) == 2 and not page.outside, (len(page.scripts), page.outside)
    assert "@import" not in text and "url(" not in text
    return json.loads(page.scripts[0]), page, text


def stalls(path):
    kernels = json.load(open(path))["kernels"]
    return {c: sum(k["stalls"][c] for k in kernels) for c in CLASSES}


def check_rows(run):
    window = run["window"]["end"] - run["window"]["first"]
    for sm in run["sms"]:
        seen = dict.fromkeys(CLASSES, 0)
        for row in sm["schedulers"]:
            assert sum(row[0::2]) == window, "a gap in a scheduler's row"
            for cycles, what in zip(row[0::2], row[1::2]):
                if what < len(CLASSES):
                    seen[CLASSES[what]] += cycles
            assert all(a != b for a, b in zip(row[1::2], row[3::2])), "pieces that are not merged"
        assert seen == sm["totals"], (seen, sm["totals"])
        for warp in sm["warps"]:
            assert sum(warp["pieces"][0::2]) == window, "a gap in a warp's row"
            assert all(what < len(run["states"]) for what in warp["pieces"][1::2])


def check(page, results):
    data, _, _ = load(page)
    assert data["version"] == 1
    for run, result in zip(data["runs"], results):
        want = stalls(result)
        assert run["totals"] == want, (run["totals"], want)
        for c in CLASSES:
            assert sum(run["overview"][c]) == want[c], (c, sum(run["overview"][c]), want[c])
        assert len(run["overview"]["ends"]) <= 513
        check_rows(run)
    return data


def whole(page, result):
    """Every SM in every cycle: the recording itself has the counters, and as many issues."""
    run = check(page, [result])["runs"][0]
    want = stalls(result)
    assert {c: sum(sm["totals"][c] for sm in run["sms"]) for c in CLASSES} == want
    groups = [state["group"] for state in load(page)[0]["words"]["states"]]
    issued = sum(cycles for sm in run["sms"] for warp in sm["warps"]
                 for cycles, what in zip(warp["pieces"][0::2], warp["pieces"][1::2])
                 if groups[run["states"][what][0]] == 0)
    assert issued == want["issued"], (issued, want["issued"])


if __name__ == "__main__":
    name, arguments = sys.argv[1], sys.argv[2:]
    if name == "whole":
        whole(*arguments)
    elif name == "check":
        check(arguments[0], arguments[1:])
    elif name == "hostile":
        data, page, text = load(arguments[0])
        assert "b" not in page.tags and "img" not in page.tags, page.tags
        files = {code.get("file") for run in data["runs"] for code in run["code"]}
        assert any(f and "</script><img src=x onerror=" in f for f in files), files
        assert "<img src=x>" in data["runs"][0]["label"], data["runs"][0]["label"]
    elif name == "located":
        data, _, _ = load(arguments[0])
        assert any(code["source_line"] == 7 for run in data["runs"] for code in run["code"])
    elif name == "size":
        data, _, text = load(arguments[0])
        pieces = sum(len(w["pieces"]) // 2 for r in data["runs"] for s in r["sms"] for w in s["warps"])
        assert len(text) < int(arguments[1]), len(text)
        assert any(r["window"]["full"] for r in data["runs"]) == (arguments[2] == "full"), pieces
    elif name == "runs":
        data, _, _ = load(arguments[0])
        got = (len(data["runs"]), len(data["missing"]))
        assert got == (int(arguments[1]), int(arguments[2])), got
    elif name == "window":
        window = load(arguments[0])[0]["runs"][0]["window"]
        assert [window["first"], window["end"]] == [int(a) for a in arguments[1:]], window
PY
page() {
    /usr/bin/python3 "$work/page.py" "$@"
}

record() { # NAME WORKLOAD ARGUMENT...
    local name=$1
    shift
    "$heddle" run "$@" --quiet --no-host --html "$work/$name.html" --json "$work/$name.json"
}

everything=(--html-sm all --html-cycles 0:)
ok "a run" record small vectoradd --size test "${everything[@]}"
ok "its data are the run's counters" page whole "$work/small.html" "$work/small.json"
"$heddle" run vectoradd --size test --quiet --no-host --json "$work/plain.json"
same "recording changes no result" "$work/plain.json" "$work/small.json"
ok "four sub-cores" record sub vectoradd --size test --gpu rtx2060 "${everything[@]}"
ok "have them too" page whole "$work/sub.html" "$work/sub.json"
ok "barriers, several blocks" record barrier jacobi "${everything[@]}" --sched lrr
ok "and these" page whole "$work/barrier.html" "$work/barrier.json"
ok "kernels that launch kernels" record children dp_sa --size test
ok "what is charged to none is in no sum" page check "$work/children.html" "$work/children.json"

# The same bytes: only the command at the end of a page says how it was made.
bytes() { # NAME ARGUMENT...
    local name=$1
    shift
    "$heddle" run matmul --quiet --html "$work/x.html" --html-cycles 3000:9000 "$@" &&
        grep -v -- '--html' "$work/x.html" | grep -v '<td>no_skip\|<td>threads' >"$work/$name.bytes"
}
ok "once" bytes once
ok "again" bytes again
same "the same bytes" "$work/once.bytes" "$work/again.bytes"
ok "several threads" bytes threads --threads 4
same "the same bytes with threads" "$work/once.bytes" "$work/threads.bytes"
ok "every cycle" bytes skip --no-skip
same "the same bytes without skips" "$work/once.bytes" "$work/skip.bytes"

ok "a window" record window matmul --html-cycles 3000:3100 --html-sm 2-3
ok "its cycles" page window "$work/window.html" 3000 3100
ok "its sums" page check "$work/window.html" "$work/window.json"
case_is "stopped by a limit" 1 -- "$heddle" run matmul --max-cycles 2000 --quiet --no-host \
    --html "$work/cut.html" --json "$work/cut.json" --html-sm all
ok "has what was counted" page whole "$work/cut.html" "$work/cut.json"
case_is "cycles after the end" 0 "err:the page shows no warps: the run ended in cycle" -- \
    "$heddle" run vectoradd --size test --html "$work/none.html" --html-cycles 900000:
case_is "a recording that grows too large" 0 "err:the page shows warps up to cycle" -- \
    "$heddle" run matmul --html "$work/full.html" "${everything[@]}"
ok "ends, and its page is small" page size "$work/full.html" 4000000 full

ok "two policies" "$heddle" compare vectoradd jacobi --sched lrr,gto --quiet --html "$work/two.html" --db "$work/two.db"
ok "are all recorded" page runs "$work/two.html" 4 0
ok "the same from the database" "$heddle" compare vectoradd jacobi --sched lrr,gto --quiet --html "$work/two.html" \
    --db "$work/two.db"
ok "says that nothing was recorded" page runs "$work/two.html" 0 4
ok "without a recording" "$heddle" compare jacobi --sched lrr,gto --quiet --html "$work/off.html" --html-cycles none
ok "there is no script" bash -c "! grep -q '<script' '$work/off.html'"

# A file of PTX and a name of a job with everything that could leave its place in the page.
evil='</script><img src=x onerror=window.hacked=1>'
printf '.version 2.3\n.target sm_20\n.address_size 64\n.file 1 "/s/%s&quot;\x01\xff\x27.cu"\n' "$evil" >"$work/evil.ptx"
cat >>"$work/evil.ptx" <<'PTX'
.visible .entry evil(.param .u64 out)
{
    .reg .u64 %rd<2>;
    .reg .u32 %r<3>;
    .loc 1 7 0
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    st.global.u32 [%rd1], %r1;
    exit;
}
PTX
mkdir "$work/<b>\"'&amp;"
printf 'ptx %s\nbuf A 64 zero\nlaunch evil 1 1 1 1 1 1 0 p:A\n' "$work/evil.ptx" >"$work/<b>\"'&amp;/<img src=x>.job"
ok "names that look like HTML" record evil "$work/<b>\"'&amp;/<img src=x>.job" "${everything[@]}"
ok "stay text" page hostile "$work/evil.html"

printf 'ptx %s\nbuf A 64 zero\nlaunch evil 1 1 1 1 1 1 0 p:A\n' "$work/evil.ptx" >"$work/one.job"
ok "one block" record one "$work/one.job"
ok "its SM is recorded by default" page located "$work/one.html"
printf 'ptx %s\nbuf A 4 zero\nlaunch evil 4 1 1 64 1 1 0 l:0\n' "$work/evil.ptx" >"$work/fault.job"
case_is "a fault" 3 "err:fault in kernel evil" -- "$heddle" run "$work/fault.job" --quiet --html "$work/fault.html" \
    --json "$work/fault.json" --html-sm all
ok "has the counters up to it" page check "$work/fault.html" "$work/fault.json"

case_is "an option without its page" 2 "err:--html-sm without --html" -- "$heddle" run jacobi --html-sm 1
case_is "no such SM" 2 "err:--html-sm 99: expected SMs of this machine" -- "$heddle" run jacobi --html "$work/x" --html-sm 99
case_is "no such cycles" 2 "err:--html-cycles 9:3: expected cycles as FIRST:END" -- \
    "$heddle" run jacobi --html "$work/x" --html-cycles 9:3
case_is "no timing" 2 "err:--html-cycles: nothing is recorded without timing" -- \
    "$heddle" run jacobi --html "$work/x" --html-cycles 0:9 --functional-only
case_is "a page without timing" 0 -- "$heddle" run jacobi --html "$work/functional.html" --functional-only
finish
