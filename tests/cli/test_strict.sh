#!/usr/bin/env bash
# test_strict.sh - member masks that name lanes which do not come: executed as GPUs do and reported
# once, or a fault.
. tests/shared/cases.sh

cat >"$work/masks.ptx" <<'END'
.version 6.4
.target sm_60
.address_size 64
// Lanes below 8 of each warp sum up with a mask of the whole warp; the others wait behind the branch.
.visible .entry few(.param .u64 out)
{
	.reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; mov.u32 %r3, 0; mov.u32 %r6, 0;
	setp.ge.u32 %p1, %r2, 8; @%p1 bra JOIN;
	mov.u32 %r4, 4;
	add.u32 %r3, %r2, 1;
LOOP:
	shfl.sync.bfly.b32 %r5, %r3, %r4, 31, -1; add.u32 %r3, %r3, %r5;
	shr.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra LOOP;
	vote.sync.ballot.b32 %r6, %p1, -1; vote.sync.any.pred %p3, !%p1, -1; bar.warp.sync -1;
	@%p3 add.u32 %r3, %r3, 1000;
JOIN:
	add.u32 %r3, %r3, %r6;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r3;
	ret;
}
// Half a warp was never there, and half of that has ended.
.visible .entry ended(.param .u64 out)
{
	.reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 8; @%p1 ret;
	add.u32 %r3, %r1, 1;
	shfl.sync.bfly.b32 %r5, %r3, 4, 31, -1; add.u32 %r3, %r3, %r5; bar.warp.sync -1;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r3;
	ret;
}
END
printf '%s\n' "ptx $work/masks.ptx" "buf A 512 zero" "launch few 3 1 1 128 1 1 0 p:A" \
    "launch few 1 1 1 64 1 1 0 p:A" "dump A 512 few.bin" >"$work/few.job"
printf '%s\n' "ptx $work/masks.ptx" "buf A 512 zero" "launch ended 1 1 1 16 1 1 0 p:A" \
    "dump A 512 ended.bin" >"$work/ended.job"
word() { # FILE INDEX
    od -An -tu4 -j $((4 * $2)) -N 4 "$1" | tr -d ' '
}
for mode in "" --functional-only; do
    few() {
        "$heddle" run "$work/few.job" --quiet --out "$work" $mode >"$work/out" 2>&1 || return 1
        cat "$work/out"
        [ "$(wc -l <"$work/out")" = 4 ] && # one for each instruction, however often it is executed
            grep -q 'masks.ptx:13: warning: kernel few: lane 0 names lane 8 in its member mask, which does not come here (it is at line 18)' \
                "$work/out" && grep -q -e '--strict makes it a fault' "$work/out" &&
            [ "$(word "$work/few.bin" 0)$(word "$work/few.bin" 39)$(word "$work/few.bin" 8)" = 103610360 ]
    }
    ok "absent lanes do not count ${mode:-with timing}" few
    case_is "they are a fault if asked for ${mode:-with timing}" 3 "err:fault in kernel few" \
        "err:lane 0 names lane 8 in its member mask, which cannot come here: it is at line 18" -- \
        "$heddle" run "$work/few.job" --strict $mode
    case_is "lanes that have ended are no matter ${mode:-with timing}" 0 silent -- \
        "$heddle" run "$work/ended.job" --strict --quiet --out "$work" $mode
done
ok "who is there adds up" test "$(word "$work/ended.bin" 0)" = 6
finish
