#!/usr/bin/env bash
# test_hooks.sh - what policies learn about kernels that kernels launch: marks, depths, the SM of the
# parent, keys; and the policies bind, laperm and laser, which place children near their parents.
set -u
. tests/shared/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
heddle=$HEDDLE_BUILD/heddle
command -v cc >/dev/null || {
    echo "1..0 # SKIP no C compiler"
    exit 0
}

# 26 parents, each of which launches a child of 2 blocks: tests/cli/test_share.sh checks their values.
cat >"$work/beside.job" <<END
ptx $PWD/tests/cli/data/beside.ptx
buf own 9984 zero
buf values 13312 zero
buf clocks 416 zero
launch parent 26 1 1 96 1 1 0 p:own p:values p:clocks u:100 u:0
dump values 13312 values
END
machine=(--gpu debug-flatmem --set sm.sms=13 --set launch.kernels=32 --set launch.base=300
    --set launch.per_child=20 --set sm.share=1)
run() { # NAME OPTION...
    timeout 120 "$heddle" run "$work/beside.job" --no-host --out "$work" "${machine[@]}" --json "$work/$1.json" \
        "${@:2}" >"$work/$1.out" 2>&1
}

# A policy that remembers what it said and checks what it sees.
cat >"$work/witness.c" <<'END'
#include "heddle/policy_gpu.h"
struct witness_sm {
    uint64_t marked, fed, children, wrong, keyless, at_home, ready, blocks;
};
struct witness_gpu {
    uint64_t pending; // children that were marked and not admitted
};
static uint32_t witness_mark(struct hd_pstate st, const struct hd_gpu_view *v,
                             const struct hd_event *e, int sm)
{
    struct witness_sm *w = st.sm;
    struct witness_gpu *g = st.gpu;
    const struct hd_tb_view *tb = &v->sms[sm]->tbs[e->tb];

    w->marked++;
    g->pending++;
    w->wrong += e->kind != HD_EV_CHILD_LAUNCH || tb->kernel != 0 || !tb->launches ||
                !hd_has(tb->warps, e->warp) || st.sched;
    return e->kernel * 100 + (uint32_t)sm;
}
static size_t witness_admit(struct hd_pstate st, const struct hd_gpu_view *v,
                            const struct hd_ready *r, size_t n)
{
    struct witness_gpu *g = st.gpu;

    (void)v;
    g->pending -= r[n - 1].depth != 0;
    for (size_t i = 0; i < n; i++)
        if (r[i].depth && (r[i].mark / 100 != r[i].id || r[i].depth != 1 || r[i].tbs != 2 ||
                           r[i].parent_kernel != 0 || r[i].parent_tb >= 26 || !r[i].key))
            return n; // blamed
    return n - 1;
}
static bool witness_feed(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                         struct hd_pick *pick)
{
    struct witness_sm *w = st.sm;
    const struct hd_kernel_view *k;

    pick->slot = hd_rotate_from(fits, sm);
    k = &v->kernels[pick->slot];
    w->fed++;
    w->keyless += !k->key;
    if (k->parent_sm == HD_NO_SM) {
        w->wrong += k->depth || k->mark || !k->launches || k->parent_kernel != UINT32_MAX;
        return true;
    }
    w->children++;
    w->at_home += k->parent_sm == (uint32_t)sm;
    w->wrong += k->depth != 1 || k->mark != k->id * 100 + k->parent_sm || k->launches ||
                k->children || k->parent_kernel != 0;
    return true;
}
static void witness_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct witness_sm *w = st.sm;
    const struct hd_tb_view *tb = &v->tbs[e->tb];

    w->blocks++;
    w->wrong += tb->kernel ? tb->mark / 100 != tb->kernel || tb->launches || !tb->key
                           : tb->mark || !tb->launches || !tb->key;
}
static const struct hd_field counts[] = {
    HD_F_COUNT(witness_sm, marked, "kernels", "a"), HD_F_COUNT(witness_sm, fed, "blocks", "b"),
    HD_F_COUNT(witness_sm, children, "blocks", "c"), HD_F_COUNT(witness_sm, wrong, "", "d"),
    HD_F_COUNT(witness_sm, keyless, "", "e"), HD_F_COUNT(witness_sm, at_home, "blocks", "f"),
    HD_F_COUNT(witness_sm, blocks, "blocks", "g"), HD_FIELD_END};
HD_POLICY(witness, .brief = "w", .source = "w", .needs = HD_NEED_KERNELS, .flags = HD_KERNEL_TOO,
          .events = HD_ON(HD_EV_TB_START), .on = witness_on, .gpu_bytes = sizeof(struct witness_gpu),
          .sm_bytes = sizeof(struct witness_sm), .sm_counters = counts, .mark = witness_mark,
          .admit = witness_admit, .feed = witness_feed);
END
plugin() {
    cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -Iinclude "$work/$1.c" -o "$work/$1.so"
}
ok "a policy with all three hooks compiles" plugin witness
ok "it runs" run witness --plugin "$work/witness.so" --tb witness
ok "--tb alone chooses the order of kernels too" grep -q '"kernel_policy": "witness"' "$work/witness.json"
cat >"$work/counts.py" <<'END'
import json, sys
counters = json.load(open(sys.argv[1]))["policy_counters"][sys.argv[2]]
for want in sys.argv[3:]:
    name, value = want.split("=")
    assert counters[name] == int(value), (want, counters)
END
ok "marks, depths, SMs and keys are right" python3 "$work/counts.py" "$work/witness.json" tb marked=26 fed=78 \
    children=52 wrong=0 keyless=0 blocks=78
ok "with every cycle stepped" run stepped --plugin "$work/witness.so" --tb witness --no-skip
sed -i 's/"no_skip": true/"no_skip": false/' "$work/stepped.json"
same "the same bytes" "$work/stepped.json" "$work/witness.json"
run other --plugin "$work/witness.so" --tb witness --kernel-policy fcfs
ok "an explicit --kernel-policy wins" grep -q '"kernel_policy": "fcfs"' "$work/other.json"
ok "and nobody marks" python3 "$work/counts.py" "$work/other.json" tb marked=0

# Answers that are not among the candidates end the run.
blamed() { # NAME FROM TO TEXT
    sed "s/$2/$3/;s/witness/$1/g" "$work/witness.c" >"$work/$1.c"
    plugin "$1" || return
    run "$1" --plugin "$work/$1.so" --tb "$1"
    [ $? -eq 2 ] && grep -q "$4" "$work/$1.out"
}
ok "a kernel that does not fit" blamed unfit 'pick->slot = hd_rotate_from(fits, sm)' \
    'pick->slot = hd_rotate_from(fits, sm); if (v->cycle > 300) pick->slot = 31 - pick->slot' 'chose the kernel in slot'
ok "a block twice" blamed twice 'w->fed++;' 'w->fed++; pick->tb = 0;' 'which has started already'
ok "a block that it does not have" blamed many 'w->fed++;' 'w->fed++; pick->tb = k->tbs;' 'which it does not have'
ok "a kernel that is not in the list" blamed listless 'return n - 1;' 'return n;' 'admit() of policy'
# The report of blocks that are never given differs from that of kernels that hang.
never() {
    sed 's/w->fed++;/if (k->depth) return false;/;s/witness/never/g' "$work/witness.c" >"$work/never.c"
    plugin never || return
    run never --plugin "$work/never.so" --tb never
    [ $? -eq 3 ] && grep -q "blocks that have not begun: 52; an SM has room" "$work/never.out"
}
ok "blocks that a policy never gives" never

# The policies.
values() { # the same results whatever the policy
    cmp "$work/values" "$work/values.first"
}
cp "$work/values" "$work/values.first"
ok "bind runs" run bind --sched gto --tb bind
ok "and computes the same" values
bound() { # every block of a child runs where its parent launched it: the witness's count without bind differs
    python3 - "$work/$1.json" <<'END'
import json, sys
assert json.load(open(sys.argv[1]))["status"] == "ok"
END
}
ok "its run ends well" bound bind
for mode in adaptive bind pri; do
    ok "laperm:mode=$mode runs" run laperm --sched gto --tb "laperm:mode=$mode"
    ok "and computes the same" values
    ok "its order of kernels comes with it" grep -q '"kernel_policy": "laperm' "$work/laperm.json"
    ok "and its queues fed all blocks" python3 - "$work/laperm.json" "$mode" <<'END'
import json, sys
c = json.load(open(sys.argv[1]))["policy_counters"]["tb"]
assert c["shared"] == 26 and c["own"] + c["taken"] == 52, c
assert sys.argv[2] == "adaptive" or c["taken"] == 0, c
END
done
for spec in laser laser:keyed=all laser:ss=spread:steal=head:groups=none laser:warm=100 laser:threshold=0:scope=sm; do
    ok "$spec runs" run laser --sched "$spec" --gpu gtx480
    ok "and computes the same" values
    ok "it fills three slots" test "$(grep -c "\"\(sched\|tb\|kernel_policy\)\": \"laser:threshold=[0-9]*:warm=" "$work/laser.json")" -eq 3
    ok "and marks all children" python3 - "$work/laser.json" "$spec" <<'END'
import json, sys
c = json.load(open(sys.argv[1]))["policy_counters"]["sched"]
assert sum(c["marked_" + t] for t in ("pc", "ss", "self", "none", "warm")) == 26, c
assert c["marked_warm"] == 26 if "warm=100" in sys.argv[2] else c["marked_warm"] >= 2, c
assert c["self_tests"] >= c["ss_tests"] and c["pc_tests"] <= c["self_tests"], c
END
done
ok "laser with every cycle stepped" run steps --sched laser --gpu gtx480 --no-skip
run laser --sched laser --gpu gtx480
sed -i 's/"no_skip": true/"no_skip": false/' "$work/steps.json"
same "the same bytes" "$work/steps.json" "$work/laser.json"
costs() {
    "$heddle" explain "$1" | grep -qF "$2"
}
ok "storage of LASER's table of blocks is the paper's" costs laser "SST, 1664 bytes"
ok "of its filters" costs laser "three Bloom filters of 605 bytes"
ok "together 2 KB" costs laser "together 14712 bits (1839 bytes) in an SM"
ok "LaPerm's queues" costs laperm "together 24576 bits (3072 bytes) in an SM"
finish
