#!/usr/bin/env bash
# ci.sh - what CI runs: installs heddle from its sources, then builds and checks the policy against it.
#
#   ./ci.sh FOLDER      FOLDER is a clone of heddle
set -eu
heddle=$(realpath "${1:?expected the folder of a clone of heddle}")
cd "$(dirname "$0")"
prefix=$PWD/.heddle
"$heddle/tools/setup.sh" build
make -C "$heddle" -s -j "$(getconf _NPROCESSORS_ONLN)" install PREFIX="$prefix"
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig
make check CFLAGS='-O2 -Wall -Wextra -Werror'
