#!/usr/bin/env bash
# test-install.sh - the README's two commands on a machine that has nothing: a bare Debian 12 in a
# chroot, with a clone of the last commit in it.
#
#   tools/test-install.sh                       both commands
#   tools/test-install.sh start                 ./start.sh only
#   tools/test-install.sh test                  ./test.sh only
#   HEDDLE_SUITE=noble tools/test-install.sh    on Ubuntu 24.04; tools/bare-system.sh lists the others
set -u
cd "$(dirname "$0")/.." || exit 2
. tools/bare-system.sh
bare_ready
bare_start run

status=0
for what in ${1:-start test}; do
    echo "=== ./$what.sh on a bare $suite"
    bare_run "./$what.sh"
    got=$?
    echo "=== ./$what.sh: exit status $got"
    [ $got -eq 0 ] || status=1
    bare_keep
done

# A second time there is nothing to install, and it is not tried.
again=$(bare_run "tools/setup.sh build") || status=1
[ -z "$again" ] || { echo "setup.sh was not silent the second time: $again"; status=1; }
exit $status
