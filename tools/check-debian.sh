#!/usr/bin/env bash
# check-debian.sh - the packages of debian/: built from the last commit on a bare system, checked by lintian, and
# installed on another bare one, where the program, the manual, completion, a policy, and the Python module with pandas are
# tried.
#
#   tools/check-debian.sh                       on Debian 12
#   HEDDLE_SUITE=noble tools/check-debian.sh    on Ubuntu 24.04; tools/bare-system.sh lists the others
#   PACKAGES=FOLDER                             keeps the packages there
#   DEB_BUILD_OPTIONS=noopt                     builds faster, for a try of the packaging alone
set -u
cd "$(dirname "$0")/.." || exit 2
. tools/bare-system.sh
packages=${PACKAGES:-}
[ -n "$packages" ] || packages=$(mktemp -d)
options="parallel=$(getconf _NPROCESSORS_ONLN) ${DEB_BUILD_OPTIONS:-}"
apt="DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y --no-install-recommends"
fail() {
    echo "check-debian: $1"
    exit 1
}

version=$(sed -n 's/^#define HD_VERSION "\(.*\)"/\1/p' include/heddle/version.h)
grep -q "^heddle ($version) " debian/changelog || fail "debian/changelog does not begin with version $version"
bare_ready

bare_start debian-build
bare_run "apt-get -q update && $apt install build-essential lintian" >"$packages/apt.log" 2>&1 ||
    { tail -n 5 "$packages/apt.log" && skip "the tools that build packages could not be installed"; }
bare_run "$apt build-dep ./" >>"$packages/apt.log" 2>&1 || { tail -n 5 "$packages/apt.log" && fail "build-dep failed"; }
bare_keep
bare_run "DEB_BUILD_OPTIONS='$options' dpkg-buildpackage -us -uc -b" >"$packages/build.log" 2>&1 ||
    { tail -n 30 "$packages/build.log" && fail "dpkg-buildpackage failed"; }
# debian/changelog names a suite of Debian, which Ubuntu's lintian does not know.
bare_run "lintian --profile debian --allow-root --fail-on error,warning --info ../heddle_*.changes" ||
    fail "lintian has complaints"
cp "$root"/root/*.deb "$root"/root/*.changes "$packages/"
echo "built: $(cd "$packages" && echo *.deb)"

bare_end
bare_start debian-install
cp "$packages"/*.deb "$root/root/"
# The pages of a program are left out of minimal systems, but here they are what is tested.
rm -f "$root/etc/dpkg/dpkg.cfg.d/excludes"
bare_run "apt-get -q update && $apt install ../heddle_*.deb ../heddle-dev_*.deb ../python3-heddle_*.deb" \
    >>"$packages/apt.log" 2>&1 || { tail -n 5 "$packages/apt.log" && fail "the packages could not be installed"; }
bare_run "cd / && heddle run vectoradd --size test" | grep -q "results verified" || fail "heddle does not run"
bare_run "cd / && heddle exec -- true" || fail "heddle does not find its libraries"
bare_run "cd / && python3 -c 'import heddle; print(heddle.run(\"scan\").cycles)'" | grep -qx 10052 ||
    fail "the Python module does not run heddle"
# What users install with them.
bare_run "$apt install gcc libc6-dev make pkgconf man-db groff zsh fish python3-pandas" >>"$packages/apt.log" 2>&1 ||
    bare_run "$apt install gcc libc6-dev make pkg-config man-db groff zsh fish python3-pandas" >>"$packages/apt.log" 2>&1 ||
    { tail -n 5 "$packages/apt.log" && fail "gcc, zsh and others could not be installed"; }
bare_keep
bare_run "man heddle | grep -q check-policy" || fail "there is no manual"
bare_run "cp -r /usr/share/heddle/examples/plugin-template /root/mine && make -C /root/mine check" >"$packages/policy.log" 2>&1 ||
    { tail -n 20 "$packages/policy.log" && fail "the template does not build against the packages"; }
bare_run "HEDDLE=/usr/bin/heddle tests/cli/test_manual.sh" || fail "the manual or a completion is wrong"
bare_run "HEDDLE=/usr/bin/heddle tests/python/test_module.sh" || fail "the Python module is wrong with pandas"
bare_run "zsh -fc 'autoload -Uz compinit; compinit -u -D; whence -w _heddle' | grep -q function" || fail "zsh does not find the completion"
bare_run "$apt purge heddle heddle-dev python3-heddle" >>"$packages/apt.log" 2>&1 || fail "purge failed"
# man keeps formatted pages in a cache of its own.
left=$(bare_run "find / -xdev \\( -path /root -o -path /var/cache/man \\) -prune -o -path '*heddle*' -print")
[ -z "$left" ] || fail "purge left: $left"
echo "packages of heddle $version: built, clean under lintian, installed, tried and removed on $suite"
[ -n "${PACKAGES:-}" ] || rm -rf "$packages"
