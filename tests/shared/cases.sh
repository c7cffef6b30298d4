# cases.sh - for the tests of the command line: a case is a command, the exit status it must have
# and what it must say.
#
#   case_is "name" STATUS [out:TEXT | err:TEXT | no:TEXT | silent]... -- COMMAND...
#
# out: TEXT stands in standard output, err: in standard error, no: in neither; silent: both empty.
. tests/shared/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$PWD/tests/cli/data
heddle=${HEDDLE:?is the program to test}

meets() { # STATUS EXPECTATION... -- COMMAND...
    local want=$1 status=0 bad=0 expect
    local -a expectations=()
    shift
    while [ "$1" != -- ]; do
        expectations+=("$1")
        shift
    done
    shift
    "$@" >"$work/.out" 2>"$work/.err" </dev/null
    status=$?
    [ "$status" -eq "$want" ] || { echo "exit status $status, expected $want" && bad=1; }
    for expect in "${expectations[@]}"; do
        case $expect in
        out:*) grep -qF -e "${expect#out:}" "$work/.out" ;;
        err:*) grep -qF -e "${expect#err:}" "$work/.err" ;;
        no:*) ! grep -qF -e "${expect#no:}" "$work/.out" "$work/.err" ;;
        silent) [ ! -s "$work/.out" ] && [ ! -s "$work/.err" ] ;;
        *) false ;;
        esac || { echo "not met: $expect" && bad=1; }
    done
    [ "$bad" -eq 0 ] && return 0
    echo "command: $*"
    sed 's/^/out: /' "$work/.out" | head -n 6
    sed 's/^/err: /' "$work/.err" | head -n 6
    return 1
}

case_is() {
    local name=$1
    shift
    ok "$name" meets "$@"
}

# job NAME LINE...: a job over data/kernels.ptx
job() {
    local name=$1
    shift
    { echo "ptx $data/kernels.ptx" && printf '%s\n' "$@"; } >"$work/$name.job"
}

# query FILE SQL: its rows, a blank between columns
query() {
    /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)' "$@"
}
