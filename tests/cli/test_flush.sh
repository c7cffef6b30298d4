#!/usr/bin/env bash
# test_flush.sh - l1d.flush: an SM without blocks at the end of a cycle has forgotten the lines of its L1 when
# the next block comes. A block that comes in the cycle in which the last one ended finds them.
. tests/shared/cases.sh

cat >"$work/read.ptx" <<'END'
.version 6.0
.target sm_20
.address_size 64
.visible .entry read(.param .u64 from, .param .u64 to)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [from];
    ld.param.u64 %rd2, [to];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r2, [%rd4];
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r2;
    ret;
}
END
cat >"$work/read.job" <<'END'
ptx read.ptx
buf from 128 seq32
buf to 128 zero
launch read 3 1 1 32 1 1 0 p:from p:to
launch read 3 1 1 32 1 1 0 p:from p:to
dump to 128 to
END
hits() { # EXPECTED OPTION...: hits among the reads of each launch
    "$heddle" run "$work/read.job" --set sm.sms=1 "${@:2}" --out "$work" --quiet --json "$work/read.json" &&
        test "$(/usr/bin/python3 -c 'import json, sys
print(*["%d/%d" % (k["counters"]["l1d_read_hits"], k["counters"]["l1d_reads"]) for k in json.load(open(sys.argv[1]))["kernels"]])' \
            "$work/read.json" | tee /dev/stderr)" = "$1"
}
one=(--set sm.tbs=1)
ok "the second and third block, and the next kernel, find the line" hits "2/3 3/3" "${one[@]}"
ok "flushed: a block that comes at once does, the next kernel does not" hits "2/3 2/3" "${one[@]}" --set l1d.flush=1
cp "$work/to" "$work/flushed"
ok "every cycle stepped: the same" hits "2/3 2/3" "${one[@]}" --set l1d.flush=1 --no-skip
ok "blocks that are there together share a miss; the next kernel finds the line" hits "0/3 3/3"
ok "flushed: the next kernel does not" hits "0/3 0/3" --set l1d.flush=1
same "what they read is the same" "$work/to" "$work/flushed"
finish
