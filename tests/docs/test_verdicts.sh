#!/usr/bin/env bash
# docs/results/verdicts.md is what tools/verdicts.py writes from the pages of readings, and the tool puts
# claims into the right section.
. tests/shared/cases.sh
command -v python3 >/dev/null || { skip "verdicts" "there is no python3"; finish; exit; }

tools/verdicts.py >"$work/page"
same "the page is up to date (make verdicts)" docs/results/verdicts.md "$work/page"

# A paper with four claims, at two sizes.
mkdir -p "$work/tree/tools" "$work/tree/docs/results/paper"
cp tools/verdicts.py "$work/tree/tools"
page() { # AGREE VERDICT: what the second claim has under the reading fast
    printf '| CLAIM | OF | PAPER | DEFAULT | VERDICT | LEAST | MEDIAN | MOST | AGREE | MOVED MOST BY |\n|---|\n'
    printf '| a | A / B | +1 %% | +1 %% | agrees | +1 %% | +1 %% | +1 %% | 2 of 2 | none |\n'
    printf '| b | A / B | +1 %% | +1 %% | agrees | +0 %% | +1 %% | +1 %% | %s of 2 | clock, 1 |\n' "$1"
    printf '| c | A / B | +9 %% | +1 %% | smaller | +1 %% | +1 %% | +1 %% | 0 of 2 | none |\n'
    printf '| d | A / B | +9 %% |  | missing |  |  |  | 0 of 0 | none |\n\n'
    printf '| CLAIM | READING | OURS | DIFF | VERDICT |\n|---|\n'
    printf '| a | default | +1 %% | | agrees |\n| a | fast | +1 %% | | agrees |\n'
    printf '| b | default | +1 %% | | agrees |\n| b | fast | +1 %% | | %s |\n' "$2"
    printf '| c | default | +1 %% | | smaller |\n| c | fast | +1 %% | | smaller |\n'
}
page 1 smaller >"$work/tree/docs/results/lfws-readings.md"
page 2 agrees >"$work/tree/docs/results/paper/lfws-readings.md"
"$work/tree/tools/verdicts.py" >"$work/page"
ok "one of each kind" grep -qxF '| [LFWS](#lfws) | small, paper | 1 | 1 | 1 | 1 |' "$work/page"
ok "a condition at one size" grep -qxF '| b | A / B | +1 % | +1 % (+0 % to +1 %), 1 of 2 | +1 % (+0 % to +1 %), 2 of 2 | clock, 1 | small: except under `fast`; paper: always |' "$work/page"
ok "what was not checked" grep -qxF '| d | A / B | +9 % | not checked | not checked | none |' "$work/page"
finish
