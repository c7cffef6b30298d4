#!/usr/bin/env bash
# Plug-ins that misbehave: a crash is put down to the plug-in by name, and one that never returns
# does not keep the program from ending when it is told to.
. tests/cli/cases.sh
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
    case_is "a plug-in reads nowhere" 70 "err:the plug-in $work/wild.so: invalid access" -- \
        "$heddle" run vecadd --plugin "$work/wild.so" --sched wild
    case_is "a plug-in traps" 70 "err:the plug-in $work/traps.so: invalid instruction" -- \
        "$heddle" run vecadd --plugin "$work/traps.so" --sched traps
    case_is "a plug-in aborts" 70 "err:called abort(), in heddle or in a library that a plug-in" -- \
        "$heddle" run vecadd --plugin "$work/aborts.so" --sched aborts
    case_is "a plug-in runs out of stack" 70 "err:the plug-in $work/deep.so: invalid access" -- \
        "$heddle" run vecadd --plugin "$work/deep.so" --sched deep
    case_is "a crash in a comparison" 70 "err:the plug-in $work/wild.so: invalid access" "out:gto" -- \
        "$heddle" compare vecadd --plugin "$work/wild.so" --sched gto,wild
fi
case_is "a plug-in never returns" 130 "err:the plug-in $work/spins.so did not come back" -- \
    timeout --preserve-status -k 60 2 "$heddle" run vecadd --plugin "$work/spins.so" --sched spins
finish
