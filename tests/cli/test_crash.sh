#!/usr/bin/env bash
# Plug-ins that misbehave: a crash is put down to the plug-in by name, and one that never returns
# does not keep the program from ending when it is told to. Slips in their tables are named.
. tests/shared/cases.sh
command -v cc >/dev/null || {
    echo "no cc"
    exit 77
}

plugin() { # NAME STATEMENT...: a scheduler that does this whenever it is asked
    {
        printf '#include "heddle/policy.h"\nvolatile int zero;\n'
        printf 'static int deep(int n) { volatile char room[4096]; room[n %% 4096] = 1;\n'
        printf '    return n < 0 ? 0 : deep(n + 1) + room[0]; }\n'
        printf 'static int f(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)\n'
        printf '{ (void)st, (void)v, (void)s, (void)deep; %s return hd_first(m); }\n' "$2"
        printf 'HD_POLICY(%s, .brief = "bad", .source = "a test", .first = f);\n' "$1"
    } >"$work/$1.c"
    cc -std=c11 -w -shared -fPIC -Iinclude "$work/$1.c" -o "$work/$1.so"
}
plugin wild 'return *(int *)8;'
plugin traps '__builtin_trap();'
plugin aborts 'extern void abort(void); abort();'
plugin deep 'return deep(0);'
plugin spins 'while (!zero) ;'

sanitized() { # sanitizers have handlers and reports of their own
    nm "$heddle" 2>/dev/null | grep -q __asan_init
}
if sanitized; then
    skip "a plug-in crashes" "this build has the sanitizer's own handlers"
else
    case_is "a plug-in reads nowhere" 2 "err:the plug-in $work/wild.so: invalid access" -- \
        "$heddle" run vecadd --plugin "$work/wild.so" --sched wild
    case_is "a plug-in traps" 2 "err:the plug-in $work/traps.so: invalid instruction" -- \
        "$heddle" run vecadd --plugin "$work/traps.so" --sched traps
    case_is "a plug-in aborts" 2 "err:the plug-in $work/aborts.so: called abort()" -- \
        "$heddle" run vecadd --plugin "$work/aborts.so" --sched aborts
    case_is "a plug-in runs out of stack" 2 "err:the plug-in $work/deep.so: invalid access" -- \
        "$heddle" run vecadd --plugin "$work/deep.so" --sched deep
    case_is "a crash in a comparison" 2 "err:the plug-in $work/wild.so: invalid access" "out:gto" -- \
        "$heddle" compare vecadd --plugin "$work/wild.so" --sched gto,wild
fi
# The same in a program of somebody else's.
library=$HEDDLE_BUILD/libcuda.so.1
ok "a program that uses the GPU builds" gcc -std=c11 -O1 -o "$work/vecadd" \
    tests/cuda/programs/vecadd.c "$library"
if ! sanitized; then
    case_is "a plug-in reads nowhere under exec" 2 "err:the plug-in $work/wild.so: invalid access" -- \
        "$heddle" exec --plugin "$work/wild.so" --sched wild "$work/vecadd"
    case_is "a plug-in runs out of stack under exec" 2 "err:the plug-in $work/deep.so: invalid" -- \
        "$heddle" exec --plugin "$work/deep.so" --sched deep "$work/vecadd"
    printf 'int main(void) { return *(volatile int *)8; }\n' >"$work/falls.c"
    gcc -O1 -o "$work/falls" "$work/falls.c"
    case_is "a crash of the program itself is its own" 139 "no:plug-in" -- \
        "$heddle" exec --plugin "$work/wild.so" "$work/falls"
    case_is "a plug-in never returns under exec" 143 "err:the plug-in $work/spins.so did not return" -- \
        timeout --preserve-status -k 60 2 "$heddle" exec --plugin "$work/spins.so" --sched spins \
        "$work/vecadd"
fi
plugin none 'return -1;'
plugin wide 'return 64;'
for answer in none wide; do
    case_is "a toy example under a plug-in that answers no warp ($answer)" 2 "err:first() of policy $answer answered" \
        "no:bug in heddle" -- "$heddle" toy lfws-fig1 --plugin "$work/$answer.so" --sched $answer
done
plugin leaves 'extern void exit(int); exit(0);'
case_is "a plug-in calls exit" 2 "err:a plug-in called exit() in the middle of the run" -- \
    "$heddle" run vecadd --plugin "$work/leaves.so" --sched leaves
case_is "in a comparison" 2 "err:a plug-in called exit()" "out:gto" -- \
    "$heddle" compare vecadd --plugin "$work/leaves.so" --sched gto,leaves
plugin_with() { # NAME MEMBERS...: a scheduler with tables
    {
        printf '#include "heddle/policy.h"\nstruct box { uint32_t n; uint64_t count; };\n'
        printf 'static int f(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)\n'
        printf '{ (void)st, (void)v, (void)s; return hd_first(m); }\n'
        printf 'static const struct hd_field rows[] = {%s, HD_FIELD_END};\n' "$2"
        printf 'HD_POLICY(%s, .brief = "tables", .source = "a test", .first = f, %s);\n' "$1" "$3"
    } >"$work/$1.c"
    cc -std=c11 -w -shared -fPIC -Iinclude "$work/$1.c" -o "$work/$1.so"
}
refused() { # NAME ROW MEMBERS MESSAGE
    plugin_with "$@"
    case_is "a table: $4" 2 "err:policy $1, table .$4" -- \
        "$heddle" run vecadd --plugin "$work/$1.so" --sched "$1"
}
params=".params = rows, .params_bytes = sizeof(struct box)"
counters=".counters = rows, .sched_bytes = sizeof(struct box)"
plugin_with both 'HD_F_U32(box, n, "7", 0, 10, "", "h")' "$params, .flags = HD_LOST_SINGLY, .sm_bytes = 8"
case_is "flags that do not fit the policy" 2 "err:policy both: HD_LOST_SINGLY is for" -- \
    "$heddle" run vecadd --plugin "$work/both.so" --sched both
plugin_with silent 'HD_F_U32(box, n, "7", 0, 10, "", "h")' "$params, .on = (void (*)(struct hd_pstate, const struct hd_view *, const struct hd_event *))f"
case_is "on without events" 2 "err:policy silent: it has on, but asks for no events" -- \
    "$heddle" run vecadd --plugin "$work/silent.so" --sched silent
plugin_with huge 'HD_F_U32(box, n, "7", 0, 10, "", "h")' "$params, .sched_bytes = 1ull << 50"
case_is "a state larger than memory" 2 "err:policy huge: its params_bytes" "err:is above 64 MiB" -- \
    "$heddle" run vecadd --plugin "$work/huge.so" --sched huge
refused range 'HD_F_U32(box, n, "77", 0, 10, "", "h")' "$params" \
    "params, in params_bytes: the default of 'n', \"77\", is not one of its values"
refused forgot 'HD_F_U32(box, n, "7", 0, 10, "", "h")' ".params = rows" \
    "params, in params_bytes: 'n' lies at byte 0 of a struct of 0"
refused choice '{"n", "", "h", NULL, "a", 0, 0, 0, HD_FIELD_ENUM}' "$params" \
    "params, in params_bytes: 'n' has no choices"
refused kind '{"n", "", "h", NULL, "1", 0, 9, 0, 99}' "$params" \
    "params, in params_bytes: 'n' has a type that there is not"
refused mute '{"n", "", NULL, NULL, "1", 0, 9, 0, 0}' "$params" \
    "params, in params_bytes: 'n' lacks a unit or a line of help"
refused narrow 'HD_F_U32(box, n, "7", 0, 10, "", "h")' "$counters" \
    "counters, in sched_bytes: 'n' has a type that is not HD_FIELD_U64"
refused outside 'HD_F_COUNT(box, count, "", "h")' ".counters = rows, .sched_bytes = 4" \
    "counters, in sched_bytes: 'count' lies at byte 8 of a struct of 4"
refused of_sm 'HD_F_COUNT(box, count, "", "h")' ".sm_counters = rows, .sched_bytes = 16" \
    "sm_counters, in sm_bytes: 'count' lies at byte 8 of a struct of 0"
{
    printf '#include "heddle/policy.h"\nstatic int f(struct hd_pstate st, const struct hd_view *v, uint64_t m)\n'
    printf '{ (void)st, (void)v, (void)m; return 1000; }\nHD_POLICY(lost, .fetch = f);\n'
} >"$work/lost.c"
ok "a fetch order builds" cc -std=c11 -w -shared -fPIC -Iinclude "$work/lost.c" -o "$work/lost.so"
case_is "a fetch order outside the candidates" 2 \
    "err:the plug-in $work/lost.so: fetch() of policy lost answered 1000 in cycle" -- \
    "$heddle" run vecadd --plugin "$work/lost.so" --fetch lost
case_is "is named without a line of its own" 0 "out:lost" "no:(null)" -- \
    "$heddle" list policies --plugin "$work/lost.so"
case_is "and explained" 0 "out:policy lost" "no:(null)" -- \
    "$heddle" explain lost --plugin "$work/lost.so"
case_is "a plug-in never returns" 130 "err:the plug-in $work/spins.so did not return" -- \
    timeout --preserve-status -k 60 2 "$heddle" run vecadd --plugin "$work/spins.so" --sched spins
# Without progress a replay ends like the run that it repeats.
{
    printf '#include "heddle/policy.h"\n'
    printf 'static uint64_t e(struct hd_pstate st, const struct hd_view *v, int s)\n'
    printf '{ (void)st, (void)s; return v->cycle < 1000 ? ~(uint64_t)0 : 0; }\n'
    printf 'static int f(struct hd_pstate st, const struct hd_view *v, int s, uint64_t m)\n'
    printf '{ (void)st, (void)v, (void)s; return hd_first(m); }\n'
    printf 'HD_POLICY(still, .first = f, .eligible = e, .flags = HD_EVERY_CYCLE);\n'
} >"$work/still.c"
ok "a policy that stops builds" cc -std=c11 -w -shared -fPIC -Iinclude "$work/still.c" -o "$work/still.so"
ok "a trace" "$heddle" run vecadd --record "$work/vecadd.trace" --quiet
for what in vecadd "$work/vecadd.trace"; do
    case_is "a policy that lets no warp issue any more: ${what##*/}" 3 "err:deadlock in kernel vecadd" "err:could issue" -- \
        timeout 60 "$heddle" run "$what" --plugin "$work/still.so" --sched still --set gpu.deadlock_after=5000
done
finish
