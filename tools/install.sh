#!/usr/bin/env bash
# install.sh - put a built heddle where programs live, and take it away again (make install, make uninstall).
#
#   tools/install.sh install BUILD PREFIX [DESTDIR]
#   tools/install.sh uninstall PREFIX [DESTDIR]
#
# PREFIX/bin/heddle             the program, which finds everything else from where it lies, so that the whole
#                               folder may be moved
# PREFIX/lib/heddle/            libcuda, libcudart, libnvidia-ml for `heddle exec` and `heddle cc`
# PREFIX/include/heddle/        headers for policies; lib/pkgconfig/heddle.pc says where they are
# PREFIX/share/heddle/          machines, papers, workloads' PTX and data, toys, sdk/, the module for Python
# PREFIX/share/{man,doc,...}    manual, pages, completion of the shells
#
# share/heddle/installed lists every file, and uninstall removes these and the folders that become empty.
# DESTDIR is put before all of them, for makers of packages.
set -eu
cd "$(dirname "$0")/.."
fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 2
}
umask 022

[ $# -ge 2 ] || fail "expected install BUILD PREFIX [DESTDIR] or uninstall PREFIX [DESTDIR]"
task=$1
shift
case $task in
install) build=$1 && shift ;;
uninstall) ;;
*) fail "expected install or uninstall, not '$task'" ;;
esac
prefix=${1:-} destdir=${2:-}
case $prefix in
/*) prefix=${prefix%/} ;;
*) fail "PREFIX is '$prefix', but must begin with a slash" ;;
esac
list=$prefix/share/heddle/installed

if [ "$task" = uninstall ]; then
    [ -f "$destdir$list" ] || fail "$destdir$list is missing: nothing of heddle is installed under this PREFIX"
    while IFS= read -r file; do
        case $file in
        */../*) fail "$destdir$list has the line '$file', which is no file of heddle" ;;
        "$prefix"/*) rm -f -- "$destdir$file" ;;
        *) fail "$destdir$list names $file, which is not under $prefix" ;;
        esac
    done <"$destdir$list"
    rm -f -- "$destdir$list"
    # Folders of heddle alone first; the others stay if anything is left in them.
    for folder in share/heddle lib/heddle include/heddle share/doc/heddle; do
        [ ! -d "$destdir$prefix/$folder" ] || find "$destdir$prefix/$folder" -depth -type d -empty -delete
    done
    for folder in lib/pkgconfig include share/man/man1 share/man share/bash-completion/completions share/bash-completion \
        share/zsh/site-functions share/zsh share/fish/vendor_completions.d share/fish share/doc share lib bin; do
        rmdir -- "$destdir$prefix/$folder" 2>/dev/null || true
    done
    echo "heddle is no longer in $destdir$prefix"
    exit 0
fi

for file in heddle libcuda.so.1 libcudart.so.13 libcudart.so.12 libcudart.so.11.0 libnvidia-ml.so.1; do
    [ -e "$build/$file" ] || fail "$build/$file is not built: run make first"
done
# What an older version has installed here, and this one has no more, must not stay.
[ ! -f "$destdir$list" ] || "$0" uninstall "$prefix" "$destdir" >/dev/null
new=$(mktemp)
trap 'rm -f "$new"' EXIT

put() { # MODE FILE TO: TO below the prefix
    install -D -m "$1" "$2" "$destdir$prefix/$3"
    printf '%s\n' "$prefix/$3" >>"$new"
}
link() { # TARGET TO
    mkdir -p "$(dirname "$destdir$prefix/$2")"
    ln -sfn "$1" "$destdir$prefix/$2"
    printf '%s\n' "$prefix/$2" >>"$new"
}
put_all() { # TO FILE...: each under its own name, executable if it is
    local to=$1 file mode
    shift
    for file in "$@"; do
        mode=644
        [ ! -x "$file" ] || mode=755
        put $mode "$file" "$to/$file"
    done
}

put 755 "$build/heddle" bin/heddle
for library in libcuda.so.1 libcudart.so.13 libcudart.so.12 libcudart.so.11.0 libnvidia-ml.so.1; do
    put 644 "$build/$library" "lib/heddle/$library"
done
link libcuda.so.1 lib/heddle/libcuda.so
link libcudart.so.13 lib/heddle/libcudart.so
link libnvidia-ml.so.1 lib/heddle/libnvidia-ml.so

put_all . include/heddle/*.h include/heddle/policy/*.h
version=$(sed -n 's/^#define HD_VERSION "\(.*\)"/\1/p' include/heddle/version.h)
sed "s|@VERSION@|$version|" tools/heddle.pc.in >"$new.pc"
put 644 "$new.pc" lib/pkgconfig/heddle.pc
rm -f "$new.pc"

put_all share/heddle gpus/*.ini papers/*.ini papers/*/*.{job,ptx,regs}
mapfile -t found < <(find workloads -type f \( -name '*.ptx' -o -name '*.regs' -o -name '*.job' -o -name '*.bin' \
    -o -name '*.expect' -o -name 'kernel.cu' -o -name 'cu.h' \) | LC_ALL=C sort)
put_all share/heddle "${found[@]}"
# Some headers are links to sources; the files take their place.
mapfile -t found < <(find sdk ! -type d ! -path 'sdk/compat/lib64/*' ! -name '*.so*' | LC_ALL=C sort)
put_all share/heddle "${found[@]}"
link ../../../../lib/heddle/libcuda.so.1 share/heddle/sdk/lib64/libcuda.so.1
link libcuda.so.1 share/heddle/sdk/lib64/libcuda.so
link ../../../../lib/heddle/libcudart.so.11.0 share/heddle/sdk/lib64/libcudart.so
link ../../../../../lib/heddle/libcuda.so.1 share/heddle/sdk/compat/lib64/libcuda.so.1
link ../../../../../lib/heddle/libnvidia-ml.so.1 share/heddle/sdk/compat/lib64/libnvidia-ml.so
mapfile -t found < <(find examples python -type f ! -path '*/__pycache__/*' ! -name '*.so' | LC_ALL=C sort)
put_all share/heddle "${found[@]}"
mapfile -t found < <(find docs -type f | LC_ALL=C sort)
for file in "${found[@]}"; do
    put 644 "$file" "share/doc/heddle/${file#docs/}"
done
put 644 LICENSE share/doc/heddle/LICENSE

# The manual and the completions are printed by the program itself, from the tables that it parses with.
printed() { # FORM TO
    "$build/heddle" manual "$1" >"$new.text"
    put 644 "$new.text" "$2"
    rm -f "$new.text"
}
printed man share/man/man1/heddle.1
printed bash share/bash-completion/completions/heddle
printed zsh share/zsh/site-functions/_heddle
printed fish share/fish/vendor_completions.d/heddle.fish

install -D -m 644 "$new" "$destdir$list"
echo "heddle $version is in $destdir$prefix: bin/heddle, lib/heddle, include/heddle, share/heddle"
