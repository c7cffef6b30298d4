#!/usr/bin/env bash
# test_oracle.sh - the policy oracle with plans of heddle reuse, in each of its slots; plans that are wrong.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$HEDDLE_BUILD/heddle
plan=$work/spmm.plan
run() { # NAME OPTION...
    timeout 200 "$heddle" run dp_spmm_small --size test --gpu laser --no-host --json "$work/$1.json" "${@:2}" \
        >"$work/$1.out" 2>&1
}

ok "a first run writes the plan" "$heddle" reuse dp_spmm_small --size test --gpu laser --sched gto --plan "$plan"
run base --sched gto
ok "for kernels" run kernels --sched gto --kernel-policy "oracle:plan=$plan"
ok "for blocks, too" run blocks --sched gto --tb "oracle:plan=$plan"
ok "for warps, too" run warps --sched "oracle:plan=$plan"
verified() {
    grep -q 'results verified' "$work/$1.out"
}
for name in kernels blocks warps; do
    ok "$name: the results are right" verified "$name"
done
slots() { # NAME SCHED TB KERNEL
    python3 - "$work/$1.json" "${@:2}" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
for key, want in zip(("sched", "tb", "kernel_policy"), sys.argv[2:]):
    assert d[key].split(":")[0] == want, (key, d[key])
END
}
ok "--kernel-policy alone decides about kernels alone" slots kernels gto rr oracle
ok "--tb brings the kernels" slots blocks gto oracle oracle
ok "--sched brings both" slots warps oracle oracle oracle
ok "each block runs once, from a queue" python3 - "$work" <<'END'
import json, sys
def run(name):
    d = json.load(open(f"{sys.argv[1]}/{name}.json"))
    return sum(k["counters"]["tbs"] for k in d["kernels"]), d["policy_counters"]
base, warps = run("base"), run("warps")
c = warps[1]["tb"]
assert c["own"] + c["stolen"] == warps[0] == base[0], (c, base, warps)
assert c["unknown"] <= 3, c
END
hits() { # JSON: read hits of the L1, and cycles
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(sum(k["counters"]["l1d_read_hits"] for k in d["kernels"]), d["totals"]["elapsed_cycles"])' "$1"
}
quicksort() { # children that read what their parents read run beside them
    local plan=$work/quicksort.plan base best
    "$heddle" reuse dp_quicksort --size test --gpu laser --sched gto --plan "$plan" &&
        "$heddle" run dp_quicksort --size test --gpu laser --sched gto --json "$work/quicksort.json" &&
        "$heddle" run dp_quicksort --size test --gpu laser --sched "oracle:plan=$plan" --json "$work/best.json" || return
    read -r -a base < <(hits "$work/quicksort.json")
    read -r -a best < <(hits "$work/best.json")
    echo "${base[*]} ${best[*]}"
    [ "${best[0]}" -gt "${base[0]}" ] && [ "${best[1]}" -lt "${base[1]}" ]
}
ok "more hits and fewer cycles where children read their parents' lines" quicksort
ok "with every cycle stepped" run stepped --sched "oracle:plan=$plan" --no-skip
sed -i 's/"no_skip": true/"no_skip": false/' "$work/stepped.json"
same "the same bytes" "$work/stepped.json" "$work/warps.json"

# A plan of weaker pairs contains that of the strong ones.
ok "a plan of pairs above 0.05" "$heddle" reuse dp_spmm_small --size test --gpu laser --sched gto --plan "$work/weak.plan" --plan-above 5
ok "has more of them" [ "$(wc -l <"$work/weak.plan")" -gt "$(wc -l <"$plan")" ]
ok "and all that the other has" [ -z "$(comm -13 <(sort "$work/weak.plan") <(sort "$plan"))" ]
says() { # TEXT OPTION...: heddle reuse exits with 2 and says so
    "$heddle" reuse vecadd "${@:2}" >"$work/says" 2>&1
    [ $? -eq 2 ] && grep -qF -- "$1" "$work/says" || { cat "$work/says" && return 1; }
}
ok "--plan-above 0" says "plan-above" --plan "$work/none.plan" --plan-above 0
ok "--plan-above 100" says "plan-above" --plan "$work/none.plan" --plan-above 100
ok "--plan-above without a plan" says "--plan-above is for the plan, and there is none" --plan-above 20
for chains in running ended whole; do
    for order in kernel chain; do
        ok "chains=$chains, order=$order" run "$chains.$order" --sched "oracle:chains=$chains:order=$order:plan=$plan"
        ok "computes the same" verified "$chains.$order"
    done
done
placed() { # the cycles of these runs differ
    python3 - "$work" "$@" <<'END'
import json, sys
cycles = [json.load(open(f"{sys.argv[1]}/{name}.json"))["totals"]["elapsed_cycles"] for name in sys.argv[2:]]
print(cycles)
sys.exit(len(set(cycles)) != len(cycles))
END
}
ok "they place blocks differently" placed running.kernel ended.kernel

# Keys are the same in every run, but those of another size of the program are others.
"$heddle" reuse dp_spmm_small --size test --gpu laser --sched laser --plan "$work/again.plan" >"$work/again.out"
same "the plan does not depend on the policy" "$plan" "$work/again.plan"
"$heddle" reuse dp_spmm_large --size test --gpu laser --sched gto --plan "$work/large.plan" >"$work/large.out"
ok "another program's plan" run foreign --sched "oracle:plan=$work/large.plan"
ok "computes the same" verified foreign
ok "knows no kernel, and says so" python3 - "$work/foreign.json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["policy_counters"]["tb"]["unknown"] == len(d["kernels"]), (d["policy_counters"], len(d["kernels"]))
END
ok "oracle without a plan" run without --sched oracle
ok "knows none either" python3 - "$work/without.json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["policy_counters"]["tb"]["unknown"] == len(d["kernels"])
END

refused() { # TEXT PLAN...: exit 2, and the message says where
    printf '%b' "${@:2}" >"$work/bad.plan"
    run bad --sched "oracle:plan=$work/bad.plan"
    [ $? -eq 2 ] && grep -qF -- "$1" "$work/bad.out" || { cat "$work/bad.out" && return 1; }
}
first='heddle-reuse-plan 1\n'
ok "no file" eval 'run bad --sched "oracle:plan=$work/none"; [ $? -eq 2 ] && grep -q "cannot read the plan: .*none" "$work/bad.out"'
ok "an empty file" refused "bad.plan:1: error: the first line of a plan is 'heddle-reuse-plan 1': ''" ''
ok "another file" refused "bad.plan:1: error: the first line" '{ "heddle": 1 }\n'
ok "a later version" refused "bad.plan:1: error: the first line" 'heddle-reuse-plan 2\n'
# The same policy as a plug-in: plans are parameters of plug-ins, too.
sed 's/HD_POLICY(oracle,/HD_POLICY(foresight,/' src/policy/oracle.c >"$work/foresight.c"
ok "oracle compiles as a plug-in" cc -std=c11 -O1 -shared -fPIC -Iinclude -o "$work/foresight.so" "$work/foresight.c"
ok "and runs" run plugin --plugin "$work/foresight.so" --sched "foresight:plan=$plan"
alike() {
    python3 - "$work/warps.json" "$work/plugin.json" <<'END'
import json, sys
one, two = (json.load(open(f))["totals"]["cycles"] for f in sys.argv[1:])
assert one == two, (one, two)
END
}
ok "for as many cycles" alike
ok "a level" refused "bad.plan:3: error: a level that is neither kernel nor block: 'warp'" "$first" '#\n' 'warp intra 1/0 2/0 1 2\n'
ok "a relation" refused "bad.plan:2: error: no relation of blocks: 'self'" "$first" 'block self 1/0 1/0 1 2\n'
ok "a relation of the other level" refused "bad.plan:2: error: no relation of kernels: 'intra_kernel'" "$first" \
    'kernel intra_kernel 1 2 1 2\n'
ok "too few words" refused "bad.plan:2: error: a line has fewer than six words: 'kernel'" "$first" 'kernel sibling 1 2 3\n'
ok "too many words" refused "bad.plan:2: error: a line has more than six words: '9'" "$first" 'kernel sibling 1 2 3 4 9\n'
ok "a key" refused "bad.plan:2: error: a kernel is its key: '1G'" "$first" 'kernel sibling 1G 2 3 4\n'
ok "a key of 17 digits" refused "bad.plan:2: error: a kernel is its key" "$first" 'kernel sibling 2 11111111111111111 3 4\n'
ok "a block" refused "bad.plan:2: error: a block is KEY/INDEX: '1'" "$first" 'block sibling 1 2/0 3 4\n'
ok "a part" refused "bad.plan:2: error: the part is no number: '-3'" "$first" 'kernel sibling 1 2 -3 4\n'
ok "a part above the whole" refused "bad.plan:2: error: the whole is no number that is at least the part: '4'" "$first" \
    'kernel sibling 1 2 5 4\n'
ok "a zero byte" refused "bad.plan:2: error: a byte in this line is zero" "$first" 'kernel\0 sibling 1 2 3 4\n'
ok "a file that was cut off" refused "bad.plan:2: error: a line has fewer than six words" "$first" 'kernel sibling 1 2'
finish
