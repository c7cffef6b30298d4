#!/usr/bin/env bash
# test_check_policy.sh - heddle check-policy: a good plug-in passes, and for each rule one that breaks
# it is told from it, also when it crashes, leaves or never returns.
. tests/shared/cases.sh
command -v cc >/dev/null || {
    echo "no cc"
    exit 77
}

# NAME CODE MEMBERS: a policy whose functions are in CODE.
policy() {
    {
        printf '#include "heddle/policy.h"\n#include <stdlib.h>\n#include <time.h>\n'
        printf '#define FIRST(name) static int name(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)\n'
        printf '#define UNUSED (void)st, (void)v, (void)s, (void)m\n'
        printf 'struct box { uint64_t count; };\n#define BOX ((struct box *)st.sched)\n'
        printf '%s\nHD_POLICY(%s, .brief = "b", .source = "a test", .sched_bytes = sizeof(struct box), %s);\n' \
            "$2" "$1" "$3"
    } >"$work/$1.c"
    cc -std=c11 -w -O1 -shared -fPIC -Iinclude "$work/$1.c" -o "$work/$1.so" || echo "# $1 does not build"
}
# NAME RULE HOW CODE MEMBERS: is told so.
breaks() {
    local line
    policy "$1" "$4" "$5"
    line=$(printf '  %-52s broken: %s' "$2" "$3")
    case_is "$1" 1 "out:$line" "out:($work/$1.so)" -- "$heddle" check-policy "$work/$1.so"
}
first='FIRST(f) { UNUSED; return hd_first(m); }'

policy fine "$first" ".first = f"
case_is "a good policy" 0 "out:fine ($work/fine.so)" "no:broken" "no:not known" -- \
    "$heddle" check-policy "$work/fine.so"
cc -std=c11 -shared -fPIC -Iinclude examples/youngest.c -o "$work/youngest.so"
case_is "the example" 0 "no:broken" -- "$heddle" check-policy "$work/youngest.so"
case_is "two files" 0 "out:fine (" "out:youngest (" -- \
    "$heddle" check-policy "$work/fine.so" "$work/youngest.so"
case_is "one of two files" 0 "out:fine (" "no:youngest (" -- \
    "$heddle" check-policy "$work/fine.so" "$work/youngest.so" fine
case_is "heddle's own, with parameters" 0 "out:two_level_active:active=6" "out:gto" "no:broken" -- \
    "$heddle" check-policy gto two_level_active:6

breaks outside "answers are among the candidates" "chooses a warp outside the mask; first(), seed 1, cycle" \
    'FIRST(f) { UNUSED; return hd_first(v->mine[s]); }' ".first = f"
breaks range "answers are among the candidates" "chooses a warp outside the mask" \
    'FIRST(f) { UNUSED; return 1000; }' ".first = f"
breaks strangers "answers are among the candidates" "eligible names slots of another scheduler" \
    "$first static uint64_t e(struct hd_pstate st, const struct hd_view *v, int s) { return ~0ull; }" \
    ".first = f, .eligible = e"
breaks middle "first and fetch are orders" "its choices are not an order" \
    'FIRST(f) { UNUSED; for (int k = hd_count(m) / 2; k; k--) m &= m - 1; return hd_first(m); }' ".first = f"
breaks counts "pure functions leave the state alone" "first is not pure" \
    'FIRST(f) { UNUSED; BOX->count++; return hd_first(m); }' ".first = f"
breaks remembers "asked again, or with copied state: the same answer" "a copied state chooses another warp" \
    'static int last; FIRST(f) { UNUSED; return last = hd_rotate_from(m, last + 1); }' ".first = f"
breaks shared "what it knows is in its state" "the same life beside another SM" \
    'static unsigned n; FIRST(f) { UNUSED; return hd_rotate_from(m, n % 64); }
    static void on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e) { n++; }' \
    ".first = f, .events = HD_ON(HD_EV_ISSUE), .on = on"
breaks beside "writes nothing outside its state" "bytes outside its state have changed" \
    'FIRST(f) { UNUSED; BOX[HD_MAX_SCHEDULERS].count = 1; return hd_first(m); }' ".first = f"
breaks view "writes nothing into view and parameters" "the view has changed" \
    'FIRST(f) { UNUSED; ((struct hd_view *)v)->sb_block ^= 1; return hd_first(m); }' ".first = f"
breaks params "writes nothing into view and parameters" "its parameters have changed" \
    'struct p { uint32_t n; }; static const struct hd_field rows[] = {HD_F_U32(p, n, "1", 0, 9, "", "h"), HD_FIELD_END};
    FIRST(f) { UNUSED; ((struct p *)st.params)->n = 2; return hd_first(m); }' \
    ".first = f, .params = rows, .params_bytes = sizeof(struct p)"
breaks skips "n cycles at once are n times one" "n cycles at once differ from n single ones" \
    "$first static void b(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n) { BOX->count++; }" \
    ".first = f, .begin = b"
breaks sleeps "wakes is not too late" "wakes too late" \
    "$first static uint64_t e(struct hd_pstate st, const struct hd_view *v, int s)
    { return v->cycle / 3 & 1 ? v->mine[s] : 0; }" ".first = f, .eligible = e"
breaks looks "eligible depends on what it may" "eligible depends on what only begin may look at" \
    "$first static uint64_t e(struct hd_pstate st, const struct hd_view *v, int s)
    { return v->mem_saturated ? 0 : v->mine[s]; }" ".first = f, .eligible = e"
breaks clocks "calls no clock, random numbers, memory" "it calls time()" \
    'FIRST(f) { UNUSED; return hd_rotate_from(m, (int)(time(NULL) / 1000 % 64)); }' ".first = f"
breaks global "has no variables of its own" "'asked' can be written" \
    'static int asked; FIRST(f) { UNUSED; asked++; return hd_first(m); }' ".first = f"
breaks spins "every call returns" "first() did not return within 5 s" \
    'FIRST(f) { UNUSED; for (volatile int k = 1; k;) ; return 0; }' ".first = f"
breaks leaves "every call returns" "first() called exit()" 'FIRST(f) { UNUSED; exit(0); }' ".first = f"
policy events "$first" ".first = f, .events = HD_ON(HD_EV_ISSUE)"
case_is events 2 "err:policy events: it asks for events, but on is missing" -- \
    "$heddle" check-policy "$work/events.so"
if nm "$heddle" 2>/dev/null | grep -q __asan_init; then
    skip "wild" "this build has the sanitizer's own handlers"
else
    breaks wild "every call returns" 'first() ended with "Segmentation fault"' \
        'FIRST(f) { UNUSED; return *(volatile int *)8; }' ".first = f"
fi

case_is "no policy" 2 "err:which policy is to be checked?" -- "$heddle" check-policy
case_is "an unknown one" 2 "err:did you mean 'gto'" -- "$heddle" check-policy gt0
case_is "no such file" 2 "err:cannot load plug-in" -- "$heddle" check-policy "$work/none.so"
for bytes in 0 40 1000 8000; do
    head -c "$bytes" "$work/fine.so" >"$work/cut.so"
    case_is "a file cut off after $bytes bytes" 2 "err:cannot load plug-in" -- \
        "$heddle" check-policy "$work/cut.so"
done
head -c 8000 "$work/fine.so" >"$work/cut.so"
case_is "and its message" 2 "err:cut.so is cut off: it has 8000 bytes of" -- \
    "$heddle" run vecadd --plugin "$work/cut.so" --sched fine

# The same errors in a run.
bad_answer() { # NAME SLOT MESSAGE CODE MEMBERS
    policy "$1" "$4" "$5"
    case_is "an answer of $1" 2 "err:the plug-in $work/$1.so: $3" "err:heddle check-policy" "no:bug in heddle" -- \
        "$heddle" run vecadd --plugin "$work/$1.so" "--$2" "$1"
}
bad_answer far sched "first() of policy far answered 47 for scheduler" \
    'FIRST(f) { UNUSED; return 47; }' ".first = f"
bad_answer fetches fetch "fetch() of policy fetches answered -7 in cycle" \
    'static int f(struct hd_pstate st, const struct hd_view *v, uint64_t m) { return -7; }' ".fetch = f"
bad_answer places tb "place() of policy places answered 99 in cycle" \
    'static int f(struct hd_pstate st, const struct hd_gpu_view *v, int slot, const uint64_t *room) { return 99; }' \
    ".place = f"
bad_answer kernels kernel-policy "next_kernel() of policy kernels answered 5 in cycle" \
    'static int f(struct hd_pstate st, const struct hd_gpu_view *v, uint64_t m) { return 5; }' ".next_kernel = f"
finish
