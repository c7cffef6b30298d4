# programs.sh - for tests that link a program with heddle's libcuda, after cases.sh: `library` is it, and
# `san` has the options of a compiler that a program needs if the library has sanitizers. No variable of
# heddle's is set from outside.
library=$HEDDLE_BUILD/libcuda.so.1
unset "${!HEDDLE_@}" 2>/dev/null
export HEDDLE_DATA=$PWD
san=()
if nm -D "$library" | grep -q __asan_init; then
    san=(-fsanitize=address,undefined)
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 # preloaded is first
fi
