#!/usr/bin/env bash
# The tables of docs/results/README.md are what tools/headlines.py makes of the pages there, and no
# measured number stands outside them.
. tests/shared/cases.sh
command -v python3 >/dev/null || { skip "headlines" "there is no python3"; finish; exit; }
page=docs/results/README.md

tools/headlines.py >"$work/page"
same "the page is up to date (make verdicts)" $page "$work/page"
ok "the page is at most two screens of a hundred columns" test "$(wc -l <$page)" -le 110
sed '/^<!-- [a-z]*: /,/^<!-- end -->/d' $page >"$work/text"
ok "no percentage is written by hand" bash -c "! grep -nE '[0-9] ?%' '$work/text'"
ok "no decimal is written by hand" bash -c "! grep -nE '[0-9][.,][0-9]' '$work/text'"

# A claim that no page has.
mkdir -p "$work/tree/tools" "$work/tree/docs/results"
cp tools/verdicts.py tools/headlines.py "$work/tree/tools"
printf '<!-- headlines: x -->\n<!-- end -->\n' >"$work/tree/$page"
printf '| CLAIM | OF | PAPER | OURS | VERDICT |\n|---|\n| a | A / B | +2 %% | +1 %% | smaller |\n' \
    >"$work/tree/docs/results/lfws.md"
echo 'lfws a  A over B' >"$work/tree/docs/results/headlines.txt"
"$work/tree/tools/headlines.py" >"$work/page"
ok "a line of the table" grep -qxF '| LFWS | A over B | +2 % | +1 % | smaller |  |  |  |' "$work/page"
echo 'lfws b  B over A' >>"$work/tree/docs/results/headlines.txt"
case_is "a claim that no page has" 1 "err:headlines.txt:2: lfws has no claim 'b'" -- \
    "$work/tree/tools/headlines.py"
finish
