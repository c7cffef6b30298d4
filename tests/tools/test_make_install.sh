#!/usr/bin/env bash
# make install: what is installed works without the tree, also for a policy and a Python script of a stranger, and
# make uninstall leaves nothing of it and everything else.
. tests/shared/cases.sh
tree=$PWD
heddle=$(realpath "$heddle") HEDDLE_BUILD=$(realpath "$HEDDLE_BUILD")
dest=$work/dest prefix=/opt/tools
root=$dest$prefix
unset HEDDLE HEDDLE_DATA PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1
put=("$tree/tools/install.sh" install "$HEDDLE_BUILD" "$prefix" "$dest")
away=("$tree/tools/install.sh" uninstall "$prefix" "$dest")
installed=$root/bin/heddle
left() { find "$dest" -mindepth 1 ! -type d | sort; }

mkdir -p "$root/share/man/man1" "$root/bin"
echo other >"$root/share/man/man1/other.1"
case_is "install" 0 "out:bin/heddle" -- "${put[@]}"
cd "$work" || exit 1 # nothing of the tree is in reach from here on

for list in gpus workloads papers; do
    "$heddle" list $list >"$work/$list.tree"
    "$installed" list $list >"$work/$list.installed"
    same "list $list is that of the tree" "$work/$list.tree" "$work/$list.installed"
done
"$heddle" run scan --no-host --quiet --json "$work/tree.json"
"$installed" run scan --no-host --quiet --json "$work/installed.json"
same "a run has the same bytes" "$work/tree.json" "$work/installed.json"
case_is "a workload with host code" 0 "out:results verified" -- "$installed" run vectoradd --size test
case_is "a toy" 0 "out:lfws-fig1" -- "$installed" toy lfws-fig1 --sched oldest
case_is "a paper's file is found" 0 "no:are not beside" -- "$installed" paper --help
case_is "exec finds its libraries" 0 "no:are not beside" -- "$installed" exec -- /bin/true
libraries_of() { ldd "$root/lib/heddle/libcudart.so" | grep -q "libcuda.so.1 => $root/lib/heddle/libcuda.so.1"; }
ok "libcudart finds libcuda beside it" libraries_of
dangling() { find "$root" -xtype l | tee /dev/stderr | { ! grep -q .; }; }
ok "no link leads nowhere" dangling
of_tree() { ! grep -rl -e "$tree" "$root"; }
ok "no file names the tree, also not in debug information" of_tree
if command -v clang++ >/dev/null; then
    ok "cc builds a program" "$installed" cc "$root/share/heddle/examples/vecadd.cu" -o "$work/vecadd"
    case_is "and it runs" 0 "out:0 of 100000 sums wrong" -- "$installed" exec -- "$work/vecadd"
else
    skip "cc builds a program" "no clang++"
fi

# A stranger's policy.
cp -r "$root/share/heddle/examples/plugin-template" "$work/mine"
case_is "the template is checked against the installed heddle" 0 "out:its tables are whole" "out:mypolicy" "no:broken" -- \
    make -C "$work/mine" check "HEDDLE=$installed" "HEDDLE_CFLAGS=-I$root/include" CFLAGS="-O2 -Wall -Wextra -Werror"
if command -v pkg-config >/dev/null; then
    read -r flags <<<"$(PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --cflags heddle)"
    ok "pkg-config knows the headers" test -e "${flags#-I}/heddle/policy.h"
    version=$(PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --modversion heddle)
    ok "and the version" grep -q "^heddle $version," <("$installed" --version)
else
    skip "pkg-config knows the headers" "no pkg-config"
fi
rm "$work/mine/mypolicy.so"
case_is "the template without pkg-config" 0 "no:error" -- \
    env PATH="$root/bin:$PATH" PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nowhere make -C "$work/mine"
rm "$work/mine/mypolicy.so"
case_is "the template without heddle" 2 "err:there is no program 'nowhere/heddle'; make HEDDLE=FILE names it" -- \
    env PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nowhere make -C "$work/mine" HEDDLE=nowhere/heddle
sed -i 's/return best;/return best + 64;/' "$work/mine/mypolicy.c"
case_is "a policy that breaks a rule fails the check" 2 "out:broken" -- \
    make -C "$work/mine" check "HEDDLE=$installed" "HEDDLE_CFLAGS=-I$root/include"
ok "every header compiles alone" bash -c "for h in '$root'/include/heddle/*.h; do
    echo \"#include \\\"heddle/\${h##*/}\\\"\" | \${CC:-cc} -std=c11 -I'$root/include' -fsyntax-only -x c - || exit 1; done"

# A stranger's script.
script='import heddle; print(heddle.find()); print(heddle.run("scan").cycles)'
case_is "the module finds the program" 0 "out:$installed" "out:10052" -- \
    env PYTHONPATH="$root/share/heddle/python" /usr/bin/python3 -c "$script"

ok "the manual has the commands" grep -q check.policy "$root/share/man/man1/heddle.1"
for file in share/bash-completion/completions/heddle share/zsh/site-functions/_heddle \
    share/fish/vendor_completions.d/heddle.fish; do
    ok "$file" grep -q -e check-policy "$root/$file"
done
mv "$dest" "$work/moved"
case_is "the folder may be moved" 0 "out:results verified" -- "$work/moved$prefix/bin/heddle" run vecadd
mv "$work/moved" "$dest"

# Again, and away.
old=$root/share/heddle/gpus/old.ini
echo "# a machine of an older version" >"$old"
echo "$prefix/share/heddle/gpus/old.ini" >>"$root/share/heddle/installed"
case_is "install again" 0 "out:bin/heddle" -- "${put[@]}"
ok "what an older version left is gone" test ! -e "$old"
case_is "uninstall" 0 -- "${away[@]}"
ok "only what is not heddle's is left" test "$(left)" = "$root/share/man/man1/other.1"
ok "no folder of heddle's is left" test ! -e "$root/share/heddle" -a ! -e "$root/lib" -a ! -e "$root/include"
case_is "uninstall what is not installed" 2 "err:nothing of heddle is installed" -- "${away[@]}"
case_is "a relative PREFIX" 2 "err:must begin with a slash" -- "$tree/tools/install.sh" install "$HEDDLE_BUILD" opt "$dest"
case_is "nothing is built" 2 "err:run make first" -- "$tree/tools/install.sh" install "$work" "$prefix" "$dest"
finish
