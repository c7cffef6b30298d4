# count.sh - count CMD...: the host instructions of a run; $method says how they are counted. Read by
# the benchmarks with `.`; $work is a folder for scratch files.
#
# perf counts where the kernel allows it, valgrind (cachegrind without caches) elsewhere; the two
# differ a little, since valgrind offers no AVX-512 and heddle then uses narrower vectors.
if perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; then
    method="perf stat -e instructions:u"
    count() {
        perf stat -x, -e instructions:u -o "$work/count" "$@" >/dev/null 2>&1 || true
        awk -F, '/instructions/ { print $1 }' "$work/count"
    }
elif command -v valgrind >/dev/null; then
    method="valgrind --tool=cachegrind --cache-sim=no"
    count() {
        valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@" \
            >/dev/null 2>"$work/count" || true
        awk '/I +refs:/ { gsub(",", ""); print $NF }' "$work/count"
    }
else
    echo "bench: neither perf counters nor valgrind here (package valgrind)" >&2
    exit 2
fi
host="$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(${CC:-gcc} --version | head -n 1)"
