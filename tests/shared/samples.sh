# samples.sh - for tests of samples, after cases.sh: what the JSON of runs says.

says() { # PYTHON EXPRESSION over the files NAME.json of $work, as a, b, ...
    local what=$1
    shift
    /usr/bin/python3 - "$what" "$work" "$@" <<'PYTHON'
import json, sys
what, work, names = sys.argv[1], sys.argv[2], sys.argv[3:]
runs = {chr(97 + i): json.load(open(f"{work}/{n}.json")) for i, n in enumerate(names)}
if not eval(f"({what})", dict(runs)):
    print({k: r.get("sample") for k, r in runs.items()}, [r["totals"] for r in runs.values()])
    sys.exit(1)
PYTHON
}
